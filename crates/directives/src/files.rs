//! [`Files`]: the source of included files.

use std::io;
use std::path::{Path, PathBuf};

use hieratic_sandbox::SlashPath as _;
use hieratic_sandbox::{self as powers, Denied, DeniedReason};

/// Provides the content of includes.
///
/// The content may be a file, a web page or a string of a test: an implementation decides what may be read.
pub trait Files {
    /// Reads the file `name` that is included from a file in `folder`.
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault>;

    /// Returns the folder of the repository `name` for an include from a file in `folder`. `address` is its declared
    /// address, or `None` if the documents do not declare a repository with this name.
    fn repository(&mut self, name: &str, address: Option<&str>, folder: &Path) -> Result<PathBuf, ReadFault> {
        let _ = (address, folder);
        let message = format!("the repository '{name}' cannot be found from here");
        Err(ReadFault { message, help: None, absent: false })
    }
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct File {
    /// The name of the file in messages.
    pub name: String,
    /// The identity of the file, which does not depend on its name, so that it is read once.
    pub identity: String,
    /// The base of relative includes in the file. `None` means that of the including file.
    pub folder: Option<PathBuf>,
    /// The content.
    pub text: String,
}

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFault {
    /// The message of the reference.
    pub message: String,
    /// The help of the diagnostic.
    pub help: Option<String>,
    /// Whether the file does not exist, which `?` allows.
    pub absent: bool,
}

/// The files below a folder.
///
/// ```
/// use hieratic_directives::{Files, LocalFiles};
///
/// let mut files = LocalFiles::below("/srv/config".as_ref());
/// let error = files.read("../secret.yaml", "/srv/config".as_ref()).unwrap_err();
/// assert!(error.help.unwrap_or_default().contains("--allow-outside"));
/// ```
#[derive(Clone, Debug)]
pub struct LocalFiles {
    files: powers::Files,
}

impl LocalFiles {
    /// Allows the files below a folder. Links are followed, but may not lead out of it.
    pub fn below(root: &Path) -> LocalFiles {
        LocalFiles::from_files(powers::Files::below([root]))
    }

    /// Allows all files.
    pub fn anywhere() -> LocalFiles {
        LocalFiles::from_files(powers::Files::anywhere())
    }

    /// Allows the files of a capability.
    pub fn from_files(files: powers::Files) -> LocalFiles {
        LocalFiles { files }
    }

    /// Creates the error for a file that could not be read, with the message of the reference.
    fn error(&self, path: &Path, error: &io::Error) -> ReadFault {
        let shown = path.display();
        let is_outside = self.files.outside() == powers::Outside::Never && !self.files.holds(path);
        let denied = Denied::from_error(error);
        // A missing file is checked by its name, so that the error does not reveal whether a file outside exists.
        if is_outside || denied.is_some_and(|denied| matches!(denied.reason(), DeniedReason::Outside { .. })) {
            return ReadFault {
                message: format!("'{shown}' is outside of the document's folder"),
                help: Some("pass --allow-outside to read the file".to_owned()),
                absent: false,
            };
        }
        let message = match (denied.map(Denied::reason), error.kind()) {
            (Some(DeniedReason::NotRegular), _) => format!("'{shown}' is not a file"),
            (Some(_), _) => format!("'{shown}' cannot be read: {error}"),
            (None, io::ErrorKind::NotFound) => format!("[Errno 2] No such file or directory: '{shown}'"),
            (None, io::ErrorKind::IsADirectory) => format!("[Errno 21] Is a directory: '{shown}'"),
            (None, io::ErrorKind::PermissionDenied) => format!("[Errno 13] Permission denied: '{shown}'"),
            (None, _) => format!("'{shown}' cannot be read: {error}"),
        };
        ReadFault { message, help: denied.map(Denied::help), absent: error.kind() == io::ErrorKind::NotFound }
    }
}

impl Files for LocalFiles {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let path = normal(&folder.join(name));
        let bytes = self.files.read(&path).map_err(|error| self.error(&path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("'{}' is not valid UTF-8 at byte {at}", path.display());
            ReadFault { message, help: None, absent: false }
        })?;
        let identity = self.files.real(&path).unwrap_or_else(|_| path.clone());
        let folder = path.parent().map(Path::to_owned);
        Ok(File { name: path.to_slashes(), identity: identity.to_slashes(), folder, text })
    }
}

/// Returns an absolute path without `.` and `..`, computed lexically as by Python's `abspath`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    powers::plain(path)
}
