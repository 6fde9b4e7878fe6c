//! Access to the files that functions may read.

use std::io;
use std::path::Path;

use hieratic_sandbox::{Denied, DeniedReason, DirEntry, Files, Outside, Stat, plain};

/// The reason why a file cannot be accessed.
pub(super) enum AccessError {
    /// It is outside of the readable folders; with the message.
    Outside(String),
    /// The error of the operating system, or that the path is not a regular file.
    Io(io::Error),
}

/// Access to the readable files, with error messages for functions.
pub(super) struct Guard {
    /// The folder of readable files for messages, if there is only one.
    base: String,
    reach: Files,
}

impl Guard {
    pub fn new(base: &str, reach: Files) -> Self {
        Self { base: base.to_owned(), reach }
    }

    /// Returns the bytes of a regular file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, AccessError> {
        self.reach.read(Path::new(path)).map_err(|error| self.access_error(path, error))
    }

    /// Returns the metadata of a path, following links.
    pub fn stat(&self, path: &str) -> Result<Stat, AccessError> {
        self.reach.try_stat(Path::new(path)).map_err(|error| self.access_error(path, error))
    }

    /// Returns the entries of a folder, sorted by name. An unreadable folder is empty.
    pub fn list(&self, folder: &str) -> Vec<DirEntry> {
        self.reach.list(Path::new(folder)).unwrap_or_default()
    }

    fn access_error(&self, path: &str, error: io::Error) -> AccessError {
        let outside = match Denied::from_error(&error) {
            Some(denied) => matches!(denied.reason(), DeniedReason::Outside { .. }),
            // The message must not reveal whether a file outside exists.
            None => self.reach.outside() == Outside::Never && !self.is_below(path),
        };
        if outside {
            AccessError::Outside(match self.reach.trees() {
                [] | [_] => {
                    format!("{path} is outside of the folder {}: functions can only read files in it", self.base)
                }
                trees => {
                    let trees: Vec<_> = trees.iter().map(|tree| tree.display().to_string()).collect();
                    format!(
                        "{path} is outside of the folders {}: functions can only read files in them",
                        trees.join(", ")
                    )
                }
            })
        } else {
            AccessError::Io(error)
        }
    }

    /// Compares paths by components.
    fn is_below(&self, path: &str) -> bool {
        let path = plain(Path::new(path));
        self.reach.trees().iter().any(|tree| path.starts_with(tree))
    }
}
