//! [`Code`]: the id of a kind of message, with its page of documentation.

use std::fmt;

/// The code of a message: a stable id and a title. A page of the documentation explains the causes and the remedies.
///
/// Each crate declares its codes in one place, with [`codes!`](crate::codes). A malformed id does not compile:
///
/// ```compile_fail
/// # use hieratic_diagnostics::Code;
/// const BAD: Code = Code::new("Key Not Found", "No source has the key");
/// # let _ = BAD;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    id: &'static str,
    title: &'static str,
}

impl Code {
    /// Declares a code.
    ///
    /// # Panics
    ///
    /// Panics unless the id consists of lower-case ASCII letters and digits with single hyphens between words. In a
    /// constant, this is a compile error.
    pub const fn new(id: &'static str, title: &'static str) -> Code {
        assert!(is_kebab_case(id), "a code's id is lower-case words with hyphens between them");
        Code { id, title }
    }

    /// Declares a code with the id of another program, such as a rule of puppet-lint, for the same kind of message.
    pub const fn of_program(id: &'static str, title: &'static str) -> Code {
        Code { id, title }
    }

    /// Returns the id: lower-case words with hyphens, or the id of another program.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Returns the title, one line.
    pub const fn title(&self) -> &'static str {
        self.title
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id)
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, id: &&str) -> bool {
        self.id == *id
    }
}

/// Declares the codes of a crate: a constant for each, and the list `ALL`.
///
/// ```
/// use hieratic_diagnostics::{Diagnostic, Severity};
///
/// mod codes {
///     hieratic_diagnostics::codes! {
///         KEY_NOT_FOUND = "key-not-found", "No source has the key";
///     }
/// }
///
/// let diagnostic = Diagnostic::new(Severity::Error, codes::KEY_NOT_FOUND, "no value for 'ntp::server'");
/// assert_eq!(diagnostic.code, "key-not-found");
/// assert_eq!(codes::ALL, [codes::KEY_NOT_FOUND]);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal;)*) => {
        $(
            #[doc = $title]
            pub const $name: $crate::Code = $crate::Code::new($id, $title);
        )*

        /// All codes that this crate declares.
        pub const ALL: &[$crate::Code] = &[$($name),*];
    };
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
