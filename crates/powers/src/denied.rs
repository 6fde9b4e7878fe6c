//! [`Denied`]: why a repository was refused something.

use std::fmt;
use std::io;

/// Why something was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denied {
    pub(crate) reason: Reason,
}

/// Why something was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
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
    /// The refusal that an error of reading is, if it is one.
    pub fn of(error: &io::Error) -> Option<&Denied> {
        error.get_ref()?.downcast_ref()
    }

    /// The reason of the refusal.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The help of the diagnostic: what to try.
    pub fn help(&self) -> String {
        match self.reason {
            Reason::Outside { .. } => {
                "allow files outside of the repository with --allow-outside, or trust it with `hieratic trust`".into()
            }
            Reason::NotRegular => "name a regular file".into(),
            Reason::TooLarge(limit) => format!("raise the limit: --limit file={}", limit.saturating_mul(10)),
        }
    }
}

/// Returns whether an error proves that nothing is at a path. Every other error leaves that open.
///
/// ```
/// use std::io::{Error, ErrorKind};
/// use hieratic_powers::is_absence;
///
/// assert!(is_absence(&ErrorKind::NotFound.into()) && !is_absence(&ErrorKind::PermissionDenied.into()));
/// ```
pub fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns whether an error means that nothing is at the path, or that the path was refused. [`Files`](crate::Files)
/// record refused paths.
pub fn is_absence_or_refused(error: &io::Error) -> bool {
    is_absence(error) || Denied::of(error).is_some()
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Outside { link: true } => f.write_str("a link leads out of the repository"),
            Reason::Outside { link: false } => f.write_str("it is outside of the repository"),
            Reason::NotRegular => f.write_str("it is not a regular file"),
            Reason::TooLarge(limit) => write!(f, "it has more than {limit} bytes"),
        }
    }
}

impl std::error::Error for Denied {}
