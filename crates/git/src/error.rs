//! [`Error`]: the reason why a revision cannot be read.

use std::fmt;
use std::io;
use std::path::Path;

use hieratic_budget::Exhausted;
use hieratic_sandbox::Denied;

/// The reason why a revision cannot be read, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The message.
    pub message: String,
    /// The help: what to try.
    pub help: String,
    limit: Option<Exhausted>,
    is_missing: bool,
    remedy: Option<Remedy>,
}

/// The setting that would permit an operation. [`Error::help`] names it in the terms of this library; a program
/// translates it to its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A folder without a repository replaces the revision.
    OtherFolder,
    /// Files outside of the repository may be read.
    FilesOutside,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Error {
        Error { message: message.into(), help: help.into(), limit: None, is_missing: false, remedy: None }
    }

    /// An object that is named and is not here.
    pub(crate) fn missing(message: impl Into<String>, help: impl Into<String>) -> Error {
        Error { is_missing: true, ..Error::new(message, help) }
    }

    /// Returns whether an object is not here, as in partial clones.
    pub(crate) fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// Returns the error with the setting that would let the work continue.
    pub(crate) fn with_remedy(self, remedy: Remedy) -> Error {
        Error { remedy: Some(remedy), ..self }
    }

    /// Something that git would not have written.
    pub(crate) fn damaged(problem: impl fmt::Display, reason: impl fmt::Display) -> Error {
        Error::new(
            format!("{problem} is damaged: {reason}"),
            "check the repository with `git fsck`; fetch it again with `git fetch --refetch`, or clone it again",
        )
    }

    /// Something that git knows and that is not read here.
    pub(crate) fn unsupported(problem: impl fmt::Display, help: &str) -> Error {
        Error::new(format!("{problem}, which is not supported"), help)
    }

    /// A file of the repository that cannot be read.
    pub(crate) fn from_file(path: &Path, error: &io::Error) -> Error {
        let help = match Denied::from_error(error) {
            Some(denied) => denied.help(),
            None => "check the permissions of the file, and the repository with `git fsck`".to_owned(),
        };
        Error::new(format!("{} cannot be read: {error}", path.display()), help)
    }

    /// Returns the error with the name of the file or object that contains it.
    pub(crate) fn within(self, problem: impl fmt::Display) -> Error {
        Error { message: format!("{problem}: {}", self.message), ..self }
    }

    /// Returns the limit that ended the operation, or `None` for other errors.
    pub fn limit(&self) -> Option<Exhausted> {
        self.limit
    }

    /// Returns the setting that would permit the operation, or `None` for other errors.
    pub fn remedy(&self) -> Option<Remedy> {
        self.remedy
    }

    /// Converts it to an error of reading a file. Message and help become one sentence.
    pub(crate) fn into_io(self) -> io::Error {
        io::Error::other(format!("{}; {}", self.message, self.help))
    }
}

impl From<Exhausted> for Error {
    fn from(limit: Exhausted) -> Error {
        let help = limit.help().unwrap_or_else(|| "ask again".to_owned());
        Error {
            message: format!("the git repository is too large: {limit}"),
            help,
            limit: Some(limit),
            is_missing: false,
            remedy: None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
