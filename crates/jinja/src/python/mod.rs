//! What Python does with values: its types, texts, operators, comparisons and methods.
//!
//! minijinja holds the values; the rules here are those of Python 3.11: <https://docs.python.org/3.11/library/stdtypes.html>.

pub mod arithmetic;
pub mod compare;
pub mod encoding;
pub mod format;
pub mod index;
pub mod kind;
pub mod literal;
pub mod methods;
pub mod number;
pub mod random;
pub mod text;

pub use kind::{Kind, iterate, kind, type_name};
pub use methods::replace;
pub use text::{repr, str};

use minijinja::{Error, ErrorKind};

/// An error with a message and nothing more.
pub fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The error about something that is not defined.
pub fn undefined(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::UndefinedError, message.into())
}

/// How much work one look through a value may be, also where nothing is rendered. Values that hold the same value several
/// times look much larger than they are in memory.
pub struct Budget(std::cell::Cell<u32>);

impl Budget {
    /// As much as data that is not made to be hostile needs.
    pub fn new() -> Budget {
        Budget(std::cell::Cell::new(10_000_000))
    }

    /// Takes one step.
    pub fn step(&self) -> Result<()> {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                crate::work::steps(1)
            }
            None => Err(error("the value is too large to be looked through")),
        }
    }
}

/// A result with minijinja's error.
pub type Result<T> = std::result::Result<T, Error>;

/// The lines of a text, as `str.splitlines` gives them.
pub fn lines(text: &str) -> Vec<&str> {
    methods::lines(text, false)
}
