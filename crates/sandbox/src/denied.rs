//! [`Denied`]: the reason why a file was not read.

use std::fmt;
use std::io;

/// A refused read, inside of an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denied {
    pub(crate) reason: DeniedReason,
}

/// The reason of a [`Denied`] error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeniedReason {
    /// The path is outside of the folders that may be read.
    Outside {
        /// Whether the path is outside only because a link leads there.
        link: bool,
    },
    /// The path is not a regular file.
    NotRegular,
    /// It has more bytes than this.
    TooLarge(u64),
}

impl Denied {
    /// Returns the refusal inside of an I/O error, or `None` for other errors.
    pub fn from_error(error: &io::Error) -> Option<&Denied> {
        error.get_ref()?.downcast_ref()
    }

    /// Returns the reason of the refusal.
    pub fn reason(&self) -> DeniedReason {
        self.reason
    }

    /// Returns the help of the diagnostic: what to try.
    pub fn help(&self) -> String {
        match self.reason {
            DeniedReason::Outside { .. } => {
                "allow files outside of the repository with --allow-outside, or trust it with `hieratic trust`".into()
            }
            DeniedReason::NotRegular => "name a regular file".into(),
            DeniedReason::TooLarge(limit) => format!("raise the limit: --limit file={}", limit.saturating_mul(10)),
        }
    }
}

/// Returns whether an error proves that a path does not exist. After any other error, it may exist.
///
/// ```
/// use std::io::{Error, ErrorKind};
/// use hieratic_sandbox::is_absence;
///
/// assert!(is_absence(&ErrorKind::NotFound.into()) && !is_absence(&ErrorKind::PermissionDenied.into()));
/// ```
pub fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns whether an error means that the path does not exist or was refused. [`Files`](crate::Files) record refused
/// paths.
pub fn is_absence_or_refused(error: &io::Error) -> bool {
    is_absence(error) || Denied::from_error(error).is_some()
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            DeniedReason::Outside { link: true } => f.write_str("a link leads out of the repository"),
            DeniedReason::Outside { link: false } => f.write_str("it is outside of the repository"),
            DeniedReason::NotRegular => f.write_str("it is not a regular file"),
            DeniedReason::TooLarge(limit) => write!(f, "it has more than {limit} bytes"),
        }
    }
}

impl std::error::Error for Denied {}
