//! Ruby's regular expressions.
//!
//! A [`Regexp`] means what it means in Ruby: `^` and `$` are the ends of lines, `.` is anything but a newline, `\w`, `\d`
//! and `\s` are ASCII. A pattern of the simple kind runs on an engine whose time is bounded; any other on Oniguruma,
//! from which Ruby's own engine comes, with a limit on how often it may go back.
//!
//! ```
//! use hieratic_regexp::Regexp;
//! let regexp = Regexp::new("^profile::.*::port$")?;
//! assert!(regexp.is_match("profile::web::port"));
//! assert_eq!(Regexp::new("k[").map_err(|error| error.to_string()).err().as_deref(),
//!            Some("premature end of char-class: /k[/"));
//! # Ok::<(), hieratic_regexp::Error>(())
//! ```

mod error;
mod oniguruma;
mod simple;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use error::{Error, TooExpensive};

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Case does not matter (`i`).
    pub ignore_case: bool,
    /// White space and comments do not count (`x`).
    pub extended: bool,
    /// `.` matches a newline too (`m`).
    pub multiline: bool,
}

/// A compiled regular expression; cheap to clone.
#[derive(Clone)]
pub struct Regexp(Arc<Inner>);

struct Inner {
    source: Box<str>,
    options: Options,
    engine: Engine,
}

enum Engine {
    Bounded(regex::Regex),
    Oniguruma(oniguruma::Pattern),
}

impl Regexp {
    /// Compiles a pattern, written as between Ruby's slashes.
    pub fn new(source: &str) -> Result<Regexp, Error> {
        Regexp::with_options(source, Options::default())
    }

    /// Compiles a pattern with options.
    pub fn with_options(source: &str, options: Options) -> Result<Regexp, Error> {
        // Oniguruma judges every pattern, so that what is wrong is told in its words.
        let pattern = oniguruma::Pattern::new(source, options)?;
        let bounded = if options == Options::default() { simple::translate(source) } else { None };
        let engine = match bounded {
            Some(regex) => Engine::Bounded(regex),
            None => Engine::Oniguruma(pattern),
        };
        Ok(Regexp(Arc::new(Inner { source: source.into(), options, engine })))
    }

    /// Whether the pattern matches anywhere in a text. A search that is given up as too expensive matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        self.try_find_at(text, 0).is_ok_and(|found| found.is_some())
    }

    /// The bytes of the first match at or after a position.
    pub fn find_at(&self, text: &str, start: usize) -> Option<Range<usize>> {
        self.try_find_at(text, start).ok().flatten()
    }

    /// The bytes of the first match at or after a position, or that the search was given up.
    pub fn try_find_at(&self, text: &str, start: usize) -> Result<Option<Range<usize>>, TooExpensive> {
        if start > text.len() || !text.is_char_boundary(start) {
            return Ok(None);
        }
        match &self.0.engine {
            Engine::Bounded(regex) => Ok(regex.find_at(text, start).map(|found| found.range())),
            Engine::Oniguruma(pattern) => pattern.find_at(text, start),
        }
    }

    /// The pattern as written.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// How the pattern is read.
    pub fn options(&self) -> Options {
        self.0.options
    }
}

impl fmt::Display for Regexp {
    /// The pattern between slashes, with the letters of its options.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { ignore_case, extended, multiline } = self.0.options;
        write!(out, "/{}/", self.0.source)?;
        let letters = [(multiline, 'm'), (ignore_case, 'i'), (extended, 'x')];
        letters.iter().filter(|(set, _)| *set).try_for_each(|(_, letter)| write!(out, "{letter}"))
    }
}

impl fmt::Debug for Regexp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.0.source == other.0.source && self.0.options == other.0.options
    }
}

impl Eq for Regexp {}

#[cfg(test)]
mod tests;
