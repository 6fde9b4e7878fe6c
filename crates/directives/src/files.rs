//! [`Files`]: where included files come from.

use std::path::{Component, Path, PathBuf};

/// Gives the text of what an include names.
///
/// Directives do not care whether it is a file, a page or a value of a test: an implementation decides what may be read.
pub trait Files {
    /// Reads what `name` means for a file in `folder`.
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault>;
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct File {
    /// What messages call it.
    pub name: String,
    /// The same for the same file, however it was named: it is read once.
    pub identity: String,
    /// Where relative includes inside it begin; none if it does not change that.
    pub folder: Option<PathBuf>,
    /// What is in it.
    pub text: String,
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFault {
    /// What is wrong, as the reference words it.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
    /// Whether there is just no such file, which is what `?` allows for.
    pub absent: bool,
}

/// Files of a folder and the folders in it.
///
/// ```
/// use hieratic_directives::{Files, LocalFiles};
///
/// let mut files = LocalFiles::below("/srv/config".as_ref());
/// let fault = files.read("../secret.yaml", "/srv/config".as_ref()).unwrap_err();
/// assert!(fault.help.unwrap_or_default().contains("--allow-outside"));
/// ```
#[derive(Clone, Debug)]
pub struct LocalFiles {
    root: Option<PathBuf>,
}

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

impl LocalFiles {
    /// Only files in this folder and below it, symbolic links followed.
    pub fn below(root: &Path) -> LocalFiles {
        LocalFiles { root: Some(root.to_owned()) }
    }

    /// Any file.
    pub fn anywhere() -> LocalFiles {
        LocalFiles { root: None }
    }

    /// Whether a file may be read.
    fn allows(&self, path: &Path) -> bool {
        let Some(root) = &self.root else { return true };
        // A file that is not there is judged by its name, so that the answer tells nothing about what lies outside.
        match (path.canonicalize(), root.canonicalize()) {
            (Ok(path), Ok(root)) => path.starts_with(root),
            _ => normal(path).starts_with(normal(root)),
        }
    }
}

impl Files for LocalFiles {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let path = normal(&folder.join(name));
        if !self.allows(&path) {
            return Err(ReadFault {
                message: format!("'{}' is outside of the document's folder", path.display()),
                help: Some("give --allow-outside if the file is to be read".to_owned()),
                absent: false,
            });
        }
        let text = read(&path)?;
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        let folder = path.parent().map(Path::to_owned);
        Ok(File { name: path.display().to_string(), identity: identity.display().to_string(), folder, text })
    }
}

fn read(path: &Path) -> Result<String, ReadFault> {
    let shown = path.display().to_string();
    let fault = |message: String| ReadFault { message, help: None, absent: false };
    let failed = |error: std::io::Error| {
        let absent = error.kind() == std::io::ErrorKind::NotFound;
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => format!("[Errno 2] No such file or directory: '{shown}'"),
            std::io::ErrorKind::IsADirectory => format!("[Errno 21] Is a directory: '{shown}'"),
            std::io::ErrorKind::PermissionDenied => format!("[Errno 13] Permission denied: '{shown}'"),
            _ => format!("'{shown}' cannot be read: {error}"),
        };
        ReadFault { absent, ..fault(message) }
    };
    let about = std::fs::metadata(path).map_err(failed)?;
    if !about.is_file() && !about.is_dir() {
        return Err(fault(format!("'{shown}' is no file")));
    }
    if about.len() > LARGEST {
        return Err(fault(format!("'{shown}' is larger than {LARGEST} bytes")));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        fault(format!("'{shown}' is no valid UTF-8 at byte {at}"))
    })
}

/// A path made absolute, without `.` and `..`, as Python's `abspath` does it: by its text.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut out = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
