//! Ruby's regular expressions.
//!
//! A [`Regexp`] matches as in Ruby 3.1 for UTF-8 strings: `^` and `$` are the ends of lines, `.` is anything but a
//! newline, `\w`, `\d` and `\s` are ASCII. It runs on Oniguruma, from which Ruby's own engine comes. Searches are
//! limited: a search that backtracks too often is cancelled. If the pattern needs no backtracking, it is repeated by an
//! engine with bounded time; otherwise it ends with [`TooExpensive`].
//!
//! ```
//! use hieratic_ruby_regexp::Regexp;
//! let regexp = Regexp::new("^profile::(?<name>.*)::port$")?;
//! let captures = regexp.captures("profile::web::port").unwrap();
//! assert_eq!(captures.name("name"), Some(9..12));
//! assert_eq!(Regexp::new("k[").map_err(|error| error.to_string()).err().as_deref(),
//!            Some("premature end of char-class: /k[/"));
//! # Ok::<(), hieratic_ruby_regexp::Error>(())
//! ```

mod bounded;
mod captures;
mod cost;
mod ecma;
mod embedded;
mod error;
mod escapes;
mod inspect;
mod oniguruma;
mod options;
mod patterns;
mod rewrite;
mod search_cost;
mod token;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bounded::BoundedPattern;
use hieratic_budget::{Budget, Exhausted};
use oniguruma::Pattern;
use token::{Group, Token, TokenKind};

pub use captures::Captures;
pub use error::{Error, TooExpensive};
pub use options::Options;
pub use patterns::Patterns;
pub use search_cost::{SearchCostScope, take_search_cost};

/// The longest pattern, in bytes; a longer one is an attack.
const LONGEST: usize = 1 << 16;

/// The number of bytes that are searched for one step of a budget.
const BYTES_PER_STEP: usize = 64;

/// A call of an engine that takes longer than this is charged by the clock, because its steps are not known.
const QUICK: Duration = Duration::from_millis(1);

/// The most that a search is charged: the clock also advances while other threads have the processor.
const SLOW: Duration = Duration::from_millis(200);

/// A compiled regular expression. Cloning is cheap. Two are equal if they have the same pattern and options.
#[derive(Clone)]
pub struct Regexp(Arc<Inner>);

struct Inner {
    source: Box<str>,
    options: Options,
    pattern: Pattern,
    names: captures::GroupNames,
    /// The pattern for the engine whose time is bounded, if there is one; translated when it is first needed.
    bounded: OnceLock<Option<BoundedPattern>>,
}

/// The whole match and its groups, as byte ranges.
type Groups = Vec<Option<Range<usize>>>;

impl Regexp {
    /// Compiles a pattern: the part between Ruby's slashes.
    pub fn new(source: &str) -> Result<Regexp, Error> {
        Regexp::with_options(source, Options::default())
    }

    /// Compiles a pattern with options.
    pub fn with_options(source: &str, options: Options) -> Result<Regexp, Error> {
        if source.len() > LONGEST {
            let reason = format!("too long a pattern ({} bytes)", source.len());
            return Err(Error::new(reason, "", options));
        }
        let error = |reason: String| Error::new(reason, source, options);
        let resolved = escapes::resolve(source).map_err(|reason| error(reason.into()))?;
        let tokens = token::tokens(&resolved, options).map_err(error)?;
        let pattern = Pattern::new(source, options, &tokens)?;
        let names = names(&tokens);
        Ok(Regexp(Arc::new(Inner { source: source.into(), options, pattern, names, bounded: OnceLock::new() })))
    }

    /// Returns whether the pattern matches anywhere in a string. A search that is too expensive counts as no match: see
    /// [`Regexp::try_is_match`].
    pub fn is_match(&self, text: &str) -> bool {
        self.try_is_match(text).unwrap_or(false)
    }

    /// Returns whether the pattern matches anywhere in a string, or an error if the search is too expensive.
    pub fn try_is_match(&self, text: &str) -> Result<bool, TooExpensive> {
        self.is_match_within(text, &Budget::default())
    }

    /// Like [`Regexp::try_is_match`], with the search charged to a budget.
    ///
    /// # Errors
    /// The search is too expensive, or a limit of the budget is reached. All methods that end in `_within` return these
    /// errors.
    pub fn is_match_within(&self, text: &str, budget: &Budget) -> Result<bool, TooExpensive> {
        Ok(self.search(text, 0, false, budget)?.is_some())
    }

    /// Returns the bytes of the first match.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.find_at(text, 0)
    }

    /// Returns the range of the first match that starts at or after a byte. Look-behinds include the bytes before it.
    /// Returns `None` if no character starts at the byte.
    pub fn find_at(&self, text: &str, start: usize) -> Option<Range<usize>> {
        self.try_find_at(text, start).ok().flatten()
    }

    /// Like [`Regexp::find_at`], with an error if the search is too expensive.
    pub fn try_find_at(&self, text: &str, start: usize) -> Result<Option<Range<usize>>, TooExpensive> {
        self.find_within(text, start, &Budget::default())
    }

    /// Like [`Regexp::try_find_at`], with the search charged to a budget.
    ///
    /// # Errors
    /// As [`Regexp::is_match_within`].
    pub fn find_within(&self, text: &str, start: usize, budget: &Budget) -> Result<Option<Range<usize>>, TooExpensive> {
        Ok(self.search(text, start, false, budget)?.and_then(|groups| groups.into_iter().next().flatten()))
    }

    /// Returns the first match with its groups.
    pub fn captures(&self, text: &str) -> Option<Captures> {
        self.try_captures_at(text, 0).ok().flatten()
    }

    /// Returns the first match that starts at or after a byte, with its groups, or an error if the search is too
    /// expensive.
    pub fn try_captures_at(&self, text: &str, start: usize) -> Result<Option<Captures>, TooExpensive> {
        self.captures_within(text, start, &Budget::default())
    }

    /// Like [`Regexp::try_captures_at`], with the search charged to a budget.
    ///
    /// # Errors
    /// As [`Regexp::is_match_within`].
    pub fn captures_within(&self, text: &str, start: usize, budget: &Budget) -> Result<Option<Captures>, TooExpensive> {
        let groups = self.search(text, start, true, budget)?;
        Ok(groups.and_then(|groups| {
            let mut groups = groups.into_iter();
            let whole = groups.next().flatten()?;
            Some(Captures { whole, groups: groups.collect(), names: self.0.names.clone() })
        }))
    }

    /// Returns the names of the groups, in the order in which they first occur.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.names.iter().map(|(name, _)| &**name)
    }

    /// Returns the pattern as written.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Returns the pattern with its options as a group, which can be embedded in another pattern: Ruby's `to_s`.
    ///
    /// ```
    /// assert_eq!(hieratic_ruby_regexp::Regexp::new("a/b").unwrap().embedded(), "(?-mix:a\\/b)");
    /// ```
    pub fn embedded(&self) -> String {
        embedded::embedded(&self.0.source, self.0.options)
    }

    /// Translates the pattern to the dialect of ECMAScript, for JSON Schema. Returns `None` if the dialect cannot
    /// express it.
    ///
    /// ```
    /// let ecma = |source| hieratic_ruby_regexp::Regexp::new(source).unwrap().ecma();
    /// assert_eq!(ecma(r"\A\h{2}(?i:k)/\z").as_deref(), Some("^[0-9A-Fa-f]{2}(?:[kK\u{212a}])/$"));
    /// assert_eq!(ecma(r"(a)\1"), None);
    /// ```
    pub fn ecma(&self) -> Option<String> {
        let resolved = escapes::resolve(&self.0.source).ok()?;
        ecma::translate(&token::tokens(&resolved, self.0.options).ok()?)
    }

    /// Returns the options of the pattern.
    pub fn options(&self) -> Options {
        self.0.options
    }

    /// Searches, and charges the budget for it; without captures, the groups may be left out.
    fn search(
        &self,
        text: &str,
        start: usize,
        captures: bool,
        budget: &Budget,
    ) -> Result<Option<Groups>, TooExpensive> {
        if !text.is_char_boundary(start) {
            return Ok(None);
        }
        budget.check()?;
        let found = self.search_freely(text, start, captures, budget);
        let end = match &found {
            Ok(Some(groups)) => groups.first().cloned().flatten().map_or(start, |whole| whole.end),
            _ => text.len(),
        };
        let bytes = end.saturating_sub(start);
        budget.steps(1 + u64::try_from(bytes / BYTES_PER_STEP).unwrap_or(u64::MAX))?;
        found
    }

    fn search_freely(
        &self,
        text: &str,
        start: usize,
        captures: bool,
        budget: &Budget,
    ) -> Result<Option<Groups>, TooExpensive> {
        if let Ok(found) = charged(budget, || self.0.pattern.quick_search(text, start))? {
            return Ok(found.map(|region| oniguruma::groups(&region)));
        }
        if self.0.pattern.work.rules_out(&text[start..]) {
            return Ok(None);
        }
        if let Some(bounded) = self.bounded().filter(|bounded| bounded.is_equivalent_for(text)) {
            return Ok(charged(budget, || bounded.search(text, start, captures))?);
        }
        let found = self.0.pattern.thorough_search(text, start, budget)?;
        Ok(found.map(|region| oniguruma::groups(&region)))
    }

    fn bounded(&self) -> Option<&BoundedPattern> {
        let translate = || {
            if self.0.pattern.depends_on_start {
                return None;
            }
            // The pattern was read when it was compiled, and reads the same again.
            let resolved = escapes::resolve(&self.0.source).ok()?;
            let tokens = token::tokens(&resolved, self.0.options).ok()?;
            bounded::translate(&tokens)
        };
        self.0.bounded.get_or_init(translate).as_ref()
    }
}

/// Charges a call of an engine by the clock if it takes long.
fn charged<T>(budget: &Budget, call: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let begun = Instant::now();
    let answer = call();
    let spent = begun.elapsed();
    if spent > QUICK {
        budget.steps(oniguruma::steps(spent.min(SLOW)))?;
    }
    Ok(answer)
}

/// The names of the groups with their numbers. With names, only named groups are counted.
fn names(tokens: &[Token<'_>]) -> captures::GroupNames {
    let mut names: Vec<(Box<str>, Vec<usize>)> = Vec::new();
    let named = tokens.iter().filter(|token| token.kind == TokenKind::Open(Group::Named));
    for (at, token) in named.enumerate() {
        let name = token.text.trim_start_matches(['(', '?', '<', '\'']).trim_end_matches(['>', '\'']);
        match names.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, groups)) => groups.push(at + 1),
            None => names.push((name.into(), vec![at + 1])),
        }
    }
    names.into()
}

impl fmt::Display for Regexp {
    /// The pattern as Ruby's `inspect` writes it: between slashes, with the letters of its options.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        inspect::write(&self.0.source, self.0.options, out)
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

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.source, self.0.options).hash(state);
    }
}

#[cfg(test)]
mod tests;
