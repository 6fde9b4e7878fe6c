//! Paths of files: `abspath`, `get_dir`, `file`. Paths are computed; a file is read only when its contents are asked
//! for and may be read.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hieratic_powers::{Denied, Files, Outside, Reason};
use hieratic_value::{Rich, Str, Value};

use crate::Fault;
use crate::datum::Datum;
use crate::session::Session;
use crate::tree::DEFAULT_TEMPLATE;

/// A path with more to ask of it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// As it was given, or as it was computed.
    pub(crate) path: Str,
    /// The folder that a relative path starts from.
    pub(crate) folder: Str,
    /// How the contents are read; none for paths whose contents cannot be asked for.
    pub(crate) encoding: Option<Encoding>,
}

/// How bytes are read as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text(Str),
    Binary,
}

impl File {
    /// What a path has at a key: `path`, and of a file `contents` and `encoding`.
    ///
    /// <https://docs.unfurl.run/expressions.html#file>
    pub(crate) fn entry(&self, key: &Value, session: &Session) -> Result<Option<Datum>, Fault> {
        Ok(match (key.as_str(), &self.encoding) {
            (Some("path"), _) => Some(Datum::done(self.full())),
            (Some("encoding"), Some(Encoding::Text(name))) => Some(Datum::done(Value::String(name.clone()))),
            (Some("encoding"), Some(Encoding::Binary)) => Some(Datum::done("binary")),
            (Some("contents"), Some(encoding)) => {
                let bytes = read(&self.full(), session)?;
                match (String::from_utf8(bytes), encoding) {
                    (Ok(text), Encoding::Text(_)) => Some(Datum::done(text)),
                    (Ok(text), Encoding::Binary) => Some(Datum::done(Value::from(Rich::Binary(text.into_bytes())))),
                    (Err(error), _) => Some(Datum::done(Value::from(Rich::Binary(error.into_bytes())))),
                }
            }
            _ => None,
        })
    }

    fn full(&self) -> String {
        normal(&join(&self.folder, &self.path))
    }
}

/// Reads a file if it may be read.
pub(crate) fn read(path: &str, session: &Session) -> Result<Vec<u8>, Fault> {
    let shared = &session.shared;
    let refused = |why: &str| {
        Fault::new(format!("the file '{path}' cannot be read: {why}"))
            .help("files can only be read in the base folder, and only with permission")
    };
    let failed = |error: std::io::Error| Fault::new(format!("the file '{path}' cannot be read: {error}"));
    let files = &shared.files;
    if files.trees().is_empty() && files.outside() == Outside::Never {
        return Err(refused("reading files is not allowed"));
    }
    let bytes = files.read(Path::new(path)).map_err(|error| match Denied::of(&error).map(Denied::reason) {
        Some(Reason::Outside { .. }) => refused("it is outside of the base folder"),
        Some(Reason::NotRegular) => refused("it is not a regular file"),
        Some(Reason::TooLarge(limit)) => refused(&format!("it is larger than {limit} bytes")),
        None => failed(error),
    })?;
    session.bytes(bytes.len())?;
    Ok(bytes)
}

impl Session {
    /// The absolute path of a path below a named folder.
    ///
    /// <https://docs.unfurl.run/expressions.html#abspath>
    pub(crate) fn abspath(&self, path: &str, folder: Option<&str>) -> Result<Datum, Fault> {
        let full = match path.starts_with('/') {
            true => path.to_owned(),
            false => join(&self.folder(folder)?, path),
        };
        let path = normal(&full).into();
        Ok(Datum::File(Arc::new(File { path, folder: "".into(), encoding: None })))
    }

    /// A folder by its name.
    ///
    /// <https://docs.unfurl.run/expressions.html#get-dir>
    fn folder(&self, name: Option<&str>) -> Result<String, Fault> {
        let base = &*self.shared.base;
        let own = |kind: &str| join(&join(base, kind), DEFAULT_TEMPLATE);
        Ok(match name.unwrap_or("") {
            "" | "." | "src" | "project" | "unfurl.home" => base.to_owned(),
            kind @ ("artifacts" | "secrets" | "local") => own(kind),
            "tasks" => own("planned/tasks"),
            kind @ ("tmp" | "operation" | "workflow" | "home") => {
                return Err(Fault::new(format!("the folder '{kind}' only exists during a deployment")).help(FOLDERS));
            }
            kind if kind.starts_with("spec.") => {
                return Err(Fault::new(format!("the folder '{kind}' belongs to a service template")).help(FOLDERS));
            }
            unknown => {
                return Err(Fault::new(format!("Named directory or repository \"{unknown}\" not found")).help(FOLDERS));
            }
        })
    }
}

/// The folders that have a name.
const FOLDERS: &str = "the folders are '.', 'src', 'project', 'artifacts', 'secrets', 'local' and 'tasks'";

/// `os.path.join`.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') || folder.is_empty() {
        path.to_owned()
    } else if folder.ends_with('/') {
        format!("{folder}{path}")
    } else {
        format!("{folder}/{path}")
    }
}

/// `os.path.normpath`.
pub(crate) fn normal(path: &str) -> String {
    let mut out = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir) => {}
                _ => out.push(".."),
            },
            part => out.push(part),
        }
    }
    let text = out.to_string_lossy().into_owned();
    if text.is_empty() { ".".into() } else { text }
}

/// `shutil.which`: the path of a file that can be run in one of the folders of `PATH`, where files there may be looked at.
pub(crate) fn which(name: &str, path: Option<&str>, files: &Files) -> Option<String> {
    let is_there =
        |path: &str| files.stat(Path::new(path)).is_some_and(|about| about.is_file() && about.mode & 0o111 != 0);
    if name.contains('/') {
        return is_there(name).then(|| name.to_owned());
    }
    let folders = path?.split(':').filter(|folder| !folder.is_empty());
    folders.map(|folder| join(folder, name)).find(|full| is_there(full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_made_normal_as_python_does() {
        for (path, expected) in [("/a/./b/../c", "/a/c"), ("a/../..", ".."), ("/..", "/"), ("", "."), ("/a/", "/a")] {
            assert_eq!(normal(path), expected, "{path}");
        }
        assert_eq!([join("/a", "b"), join("/a/", "b"), join("/a", "/b"), join("", "b")], ["/a/b", "/a/b", "/b", "b"]);
    }
}
