//! What may be read.

use std::io;
use std::path::Path;

use hieratic_powers::{Denied, Entry, Files, Outside, Reason, Stat, plain};

/// Why something is not known of a file.
pub(super) enum Refusal {
    /// It lies where nothing may be read; what to say of it.
    Outside(String),
    /// What the system says, or that it is no file to be read.
    Fault(io::Error),
}

/// Reading of what may be read, with the reasons in the words of this crate.
pub(super) struct Guard {
    /// The folder below which files may be read if there is only one, as it is told.
    base: String,
    reach: Files,
}

impl Guard {
    pub fn new(base: &str, reach: Files) -> Self {
        Self { base: base.to_owned(), reach }
    }

    /// The bytes of a regular file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        self.reach.read(Path::new(path)).map_err(|fault| self.refusal(path, fault))
    }

    /// What is at a path, links followed.
    pub fn stat(&self, path: &str) -> Result<Stat, Refusal> {
        self.reach.try_stat(Path::new(path)).map_err(|fault| self.refusal(path, fault))
    }

    /// What is in a folder, by name. One that cannot be read is empty.
    pub fn list(&self, folder: &str) -> Vec<Entry> {
        self.reach.list(Path::new(folder)).unwrap_or_default()
    }

    fn refusal(&self, path: &str, fault: io::Error) -> Refusal {
        let outside = match Denied::of(&fault) {
            Some(denied) => matches!(denied.reason(), Reason::Outside { .. }),
            // Whether there is something outside is told to nobody.
            None => self.reach.outside() == Outside::Never && !self.is_below(path),
        };
        match outside {
            true => Refusal::Outside(match self.reach.trees() {
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
            }),
            false => Refusal::Fault(fault),
        }
    }

    /// Whether a path is below a folder by its steps.
    fn is_below(&self, path: &str) -> bool {
        let path = plain(Path::new(path));
        self.reach.trees().iter().any(|tree| path.starts_with(tree))
    }
}
