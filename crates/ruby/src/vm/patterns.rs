//! [`Patterns`]: the regular expressions that a run has made while it ran.

use hieratic_regexp::{Options, Regexp};
use rustc_hash::FxHashMap;

/// Regular expressions that code made from texts: `/#{suffix}$/` in a loop is mostly the same pattern again, and to compile it takes a
/// hundred times as long as to try it.
///
/// They are kept for one run: what another run did changes neither the cost of this one nor when it reaches a limit.
#[derive(Default)]
pub(crate) struct Patterns {
    by_source: FxHashMap<Box<str>, Vec<Regexp>>,
}

/// How many sources are kept. Code that makes more of them starts again.
const MOST: usize = 1024;

/// The longest source that is kept, in bytes.
const LONGEST: usize = 1024;

impl Patterns {
    /// The pattern with this source and these options, if the run made it before.
    pub fn get(&self, source: &str, options: Options) -> Option<Regexp> {
        self.by_source.get(source)?.iter().find(|known| known.options() == options).cloned()
    }

    /// Keeps a pattern that was made.
    pub fn keep(&mut self, regexp: &Regexp) {
        let source = regexp.source();
        if source.len() > LONGEST {
            return;
        }
        if self.by_source.len() >= MOST {
            self.by_source.clear();
        }
        self.by_source.entry(source.into()).or_default().push(regexp.clone());
    }

    /// A new run begins.
    pub fn forget(&mut self) {
        self.by_source.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(source: &str, options: Options) -> Regexp {
        Regexp::with_options(source, options).unwrap()
    }

    #[test]
    fn finds_a_pattern_by_source_and_options() {
        let mut patterns = Patterns::default();
        let ignoring = Options { ignore_case: true, ..Options::default() };
        patterns.keep(&made("a", ignoring));
        assert!(patterns.get("a", Options::default()).is_none());
        assert!(patterns.get("a", ignoring).unwrap().is_match("A"));
        patterns.keep(&made("a", Options::default()));
        assert!(!patterns.get("a", Options::default()).unwrap().is_match("A"));
        patterns.forget();
        assert!(patterns.get("a", ignoring).is_none());
    }

    #[test]
    fn keeps_a_limited_number_of_short_patterns() {
        let mut patterns = Patterns::default();
        for number in 0..MOST + 1 {
            patterns.keep(&made(&number.to_string(), Options::default()));
        }
        assert!(patterns.by_source.len() <= MOST);
        assert!(patterns.get(&MOST.to_string(), Options::default()).is_some());
        let long = "a".repeat(LONGEST + 1);
        patterns.keep(&made(&long, Options::default()));
        assert!(patterns.get(&long, Options::default()).is_none());
    }
}
