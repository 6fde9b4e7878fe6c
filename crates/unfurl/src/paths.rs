//! Paths of files, as Python computes them.

use std::path::{Component, Path, PathBuf};

use hieratic_sandbox::Files;

use crate::ExpressionError;
use crate::tree::DEFAULT_TEMPLATE;

/// A folder by its name.
///
/// <https://docs.unfurl.run/expressions.html#get-dir>
pub(crate) fn folder(base: &str, name: Option<&str>) -> Result<String, ExpressionError> {
    let own = |kind: &str| join(&join(base, kind), DEFAULT_TEMPLATE);
    Ok(match name.unwrap_or("") {
        "" | "." | "src" | "project" | "unfurl.home" => base.to_owned(),
        kind @ ("artifacts" | "secrets" | "local") => own(kind),
        "tasks" => own("planned/tasks"),
        kind @ ("tmp" | "operation" | "workflow" | "home") => {
            return Err(
                ExpressionError::new(format!("the folder '{kind}' only exists during a deployment")).help(FOLDERS)
            );
        }
        kind if kind.starts_with("spec.") => {
            return Err(
                ExpressionError::new(format!("the folder '{kind}' belongs to a service template")).help(FOLDERS)
            );
        }
        unknown => {
            return Err(
                ExpressionError::new(format!("Named directory or repository \"{unknown}\" not found")).help(FOLDERS)
            );
        }
    })
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
    fn paths_are_joined_and_normalized_as_in_python() {
        for (path, expected) in [("/a/./b/../c", "/a/c"), ("a/../..", ".."), ("/..", "/"), ("", "."), ("/a/", "/a")] {
            assert_eq!(normal(path), expected, "{path}");
        }
        assert_eq!([join("/a", "b"), join("/a/", "b"), join("/a", "/b"), join("", "b")], ["/a/b", "/a/b", "/b", "b"]);
    }
}
