//! [`Pattern`]: a regular expression of a type. Only this file depends on the engine.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

use hieratic_ruby_regexp::{Options, Regexp};
use hieratic_value::Str;

use crate::Error;

/// A compiled regular expression in Ruby's syntax. Two are equal if their sources are.
///
/// ```
/// use hieratic_puppet_types::Pattern;
/// let pattern = Pattern::new(r"^/opt").unwrap();
/// assert!(pattern.is_match("/opt/app"));
/// assert_eq!(pattern.to_string(), r"/^\/opt/");
/// ```
#[derive(Clone)]
pub struct Pattern {
    source: Str,
    compiled: Regexp,
}

impl Pattern {
    /// Compiles the expression between the slashes.
    ///
    /// # Errors
    /// An invalid regular expression.
    pub fn new(source: &str) -> Result<Pattern, Error> {
        let compiled = Regexp::new(source).map_err(|error| Error::new(error.to_string()))?;
        Ok(Pattern { source: source.into(), compiled })
    }

    /// Returns the text between the slashes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the compiled expression.
    pub fn regexp(&self) -> &Regexp {
        &self.compiled
    }

    /// Returns whether the expression matches somewhere in the string. A search that reaches the step limit counts as
    /// no match.
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }
}

impl From<&Regexp> for Pattern {
    /// Converts an expression; its options become a group with flags around it.
    fn from(regexp: &Regexp) -> Pattern {
        let options = regexp.options();
        if options == Options::default() {
            return Pattern { source: regexp.source().into(), compiled: regexp.clone() };
        }
        let flags = [(options.ignore_case, 'i'), (options.multiline, 'm'), (options.extended, 'x')];
        let those = |set: bool| flags.iter().filter(move |flag| flag.0 == set).map(|flag| flag.1);
        let mut source: String = "(?".into();
        source.extend(those(true));
        if those(false).next().is_some() {
            source.push('-');
            source.extend(those(false));
        }
        let source = format!("{source}:{})", regexp.source());
        let compiled = Regexp::new(&source).unwrap_or_else(|_| regexp.clone());
        Pattern { source: source.into(), compiled }
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.source.hash(state);
    }
}

impl fmt::Display for Pattern {
    /// Writes it between slashes like Ruby's `inspect`: a slash inside is escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('/')?;
        let mut escaped = false;
        for c in self.source.chars() {
            if c == '/' && !escaped {
                f.write_char('\\')?;
            }
            escaped = c == '\\' && !escaped;
            f.write_char(c)?;
        }
        f.write_char('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_are_escaped_once() {
        for (source, text) in [(r"a/b", r"/a\/b/"), (r"a\/b", r"/a\/b/"), (r"\\/", r"/\\\//"), ("", "//")] {
            assert_eq!(Pattern::new(source).unwrap().to_string(), text);
        }
    }

    #[test]
    fn classes_are_those_of_ascii() {
        let digits = Pattern::new(r"\A\d\z").unwrap();
        assert!(digits.is_match("1") && !digits.is_match("\u{661}"));
    }

    #[test]
    fn lines_begin_and_end_inside_of_text() {
        assert!(Pattern::new("^b$").unwrap().is_match("a\nb\nc"));
    }

    #[test]
    fn endless_expressions_come_to_an_end() {
        assert!(!Pattern::new("^(a+)+$").unwrap().is_match(&format!("{}b", "a".repeat(60))));
    }

    #[test]
    fn malformed_expressions_are_errors() {
        assert!(Pattern::new("(").is_err());
    }
}
