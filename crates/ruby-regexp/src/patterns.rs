//! [`Patterns`]: a cache of compiled regular expressions that code builds from strings.

use hieratic_value::collections::HashMap;

use crate::{Options, Regexp};

/// A cache of compiled regular expressions by their source and options: `/#{suffix}$/` in a loop is mostly the same
/// pattern, and compiling takes a hundred times as long as matching.
///
/// ```
/// use hieratic_ruby_regexp::{Options, Patterns, Regexp};
/// let mut patterns = Patterns::new(100);
/// assert!(patterns.get("a+", Options::default()).is_none());
/// patterns.keep(&Regexp::new("a+").unwrap());
/// assert!(patterns.get("a+", Options::default()).unwrap().is_match("aa"));
/// ```
#[derive(Clone, Debug)]
pub struct Patterns {
    by_options: HashMap<Options, HashMap<Box<str>, Regexp>>,
    most: usize,
}

impl Patterns {
    /// Creates an empty cache for at most `most` patterns with the same options.
    pub fn new(most: usize) -> Patterns {
        Patterns { by_options: HashMap::default(), most }
    }

    /// Returns the pattern with this source and these options, if it is cached.
    pub fn get(&self, source: &str, options: Options) -> Option<Regexp> {
        self.by_options.get(&options)?.get(source).cloned()
    }

    /// Caches a pattern.
    pub fn keep(&mut self, regexp: &Regexp) {
        let known = self.by_options.entry(regexp.options()).or_default();
        // Code that builds its patterns dynamically would fill the table with patterns that are used once.
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(regexp.source().into(), regexp.clone());
    }

    /// Removes all patterns.
    pub fn clear(&mut self) {
        self.by_options.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(source: &str, options: Options) -> Regexp {
        Regexp::with_options(source, options).unwrap()
    }

    #[test]
    fn finds_a_pattern_by_source_and_options() {
        let mut patterns = Patterns::new(10);
        let ignoring = Options { ignore_case: true, ..Options::default() };
        patterns.keep(&compile("a", ignoring));
        assert!(patterns.get("a", Options::default()).is_none());
        assert!(patterns.get("a", ignoring).unwrap().is_match("A"));
        patterns.keep(&compile("a", Options::default()));
        assert!(!patterns.get("a", Options::default()).unwrap().is_match("A"));
        patterns.clear();
        assert!(patterns.get("a", ignoring).is_none());
    }

    #[test]
    fn keeps_a_limited_number_of_patterns() {
        let mut patterns = Patterns::new(10);
        for number in 0..11 {
            patterns.keep(&compile(&number.to_string(), Options::default()));
        }
        assert!(patterns.by_options[&Options::default()].len() <= 10);
        assert!(patterns.get("10", Options::default()).is_some());
    }
}
