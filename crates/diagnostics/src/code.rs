//! [`Code`]: the name under which a kind of message is explained.

/// A kind of message: an id that stays, a title, and what is to be known of it.
///
/// ```
/// use hieratic_diagnostics::Code;
/// const KEY_NOT_FOUND: Code = Code::new("key-not-found", "No source has the key", "Every level was asked.");
/// assert_eq!(KEY_NOT_FOUND.id, "key-not-found");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Words in lower case with hyphens between them.
    pub id: &'static str,
    /// A line that says what it is about.
    pub title: &'static str,
    /// What causes it and what to do.
    pub explanation: &'static str,
}

impl Code {
    /// Declares a code.
    pub const fn new(id: &'static str, title: &'static str, explanation: &'static str) -> Code {
        Code { id, title, explanation }
    }
}
