//! [`Code`]: the name under which a kind of message is explained.

/// A kind of message: an id that stays, a title, and what is to be known of it.
///
/// Crates declare theirs as constants, so that a malformed id does not compile:
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity};
///
/// const KEY_NOT_FOUND: Code = Code::new(
///     "key-not-found",
///     "No source has the key",
///     "Every level of the hierarchy was asked and none has a value.",
/// );
/// let diagnostic = Diagnostic::new(Severity::Error, KEY_NOT_FOUND, "no value for 'ntp::server'");
/// assert_eq!(diagnostic.code, "key-not-found");
/// ```
///
/// ```compile_fail
/// # use hieratic_diagnostics::Code;
/// const BAD: Code = Code::new("Key Not Found", "", "");
/// # let _ = BAD;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    id: &'static str,
    title: &'static str,
    explanation: &'static str,
}

impl Code {
    /// Declares a code.
    ///
    /// # Panics
    ///
    /// If the id is not made of lower-case ASCII words and digits with single hyphens between them. In a constant, that
    /// is an error of the compiler.
    pub const fn new(id: &'static str, title: &'static str, explanation: &'static str) -> Code {
        assert!(is_kebab_case(id), "a code's id is lower-case words with hyphens between them");
        Code { id, title, explanation }
    }

    /// The id: words in lower case with hyphens between them.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// A line that says what it is about.
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// A paragraph: what causes it and what to do.
    pub const fn explanation(&self) -> &'static str {
        self.explanation
    }
}

impl From<Code> for &'static str {
    fn from(code: Code) -> &'static str {
        code.id
    }
}

const fn is_kebab_case(id: &str) -> bool {
    let bytes = id.as_bytes();
    let mut at = 0;
    let mut after_letter = false;
    while at < bytes.len() {
        match bytes[at] {
            b'a'..=b'z' | b'0'..=b'9' => after_letter = true,
            b'-' if after_letter => after_letter = false,
            _ => return false,
        }
        at += 1;
    }
    after_letter
}

#[cfg(test)]
mod tests {
    use super::is_kebab_case;

    #[test]
    fn ids_are_words_with_hyphens() {
        for id in ["key-not-found", "yaml", "sha-256"] {
            assert!(is_kebab_case(id), "{id}");
        }
        for id in ["", "-", "a-", "-a", "a--b", "A", "a_b", "a b", "é"] {
            assert!(!is_kebab_case(id), "{id}");
        }
    }
}
