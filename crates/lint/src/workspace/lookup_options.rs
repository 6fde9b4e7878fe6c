//! [`AllOptions`]: the `lookup_options` of all files, and the keys that they match.

use std::sync::Arc;

use hieratic::Value;
use hieratic::budget::{Budget, Limits};
use hieratic::hiera::PatternIndex;
use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::HashMap;

use super::data::DataFile;

/// The options of keys in the data of all layers.
pub(crate) struct AllOptions<'f> {
    exact: HashMap<&'f str, Vec<&'f Value>>,
    patterns: Vec<(Regexp, &'f Value)>,
    index: PatternIndex,
    searches: PatternBudget,
}

/// The budget for searching keys with patterns. Every pattern is matched against every key, and each pattern may be
/// arbitrarily slow.
pub(crate) struct PatternBudget(Budget);

impl Default for PatternBudget {
    fn default() -> PatternBudget {
        PatternBudget(Budget::new(Limits { steps: PatternBudget::MOST, ..Limits::default() }))
    }
}

impl PatternBudget {
    /// The most steps of all searches together.
    const MOST: u64 = 200_000_000;

    /// Returns whether a pattern matches a key; true once the budget is exhausted.
    pub(crate) fn may_match(&self, pattern: &Regexp, key: &str) -> bool {
        self.is_match(pattern, key).unwrap_or(true)
    }

    /// Returns whether a pattern matches a key; `None` once the budget is exhausted.
    pub(crate) fn is_match(&self, pattern: &Regexp, key: &str) -> Option<bool> {
        pattern.is_match_within(key, &self.0).ok()
    }
}

impl<'f> AllOptions<'f> {
    /// Collects the options of all files.
    pub(crate) fn new(files: &'f [Arc<DataFile>]) -> AllOptions<'f> {
        let mut all = AllOptions {
            exact: Default::default(),
            patterns: Vec::new(),
            index: PatternIndex::default(),
            searches: PatternBudget::default(),
        };
        for hash in files.iter().filter_map(|file| file.options()?.as_hash()) {
            for (key, value) in hash.iter().filter_map(|(key, value)| Some((key.as_str()?, value))) {
                if key.starts_with('^') {
                    // A pattern that cannot be read is a finding.
                    if let Ok(pattern) = Regexp::new(key) {
                        all.patterns.push((pattern, value));
                        all.index.add(key);
                    }
                } else {
                    all.exact.entry(key).or_default().push(value);
                }
            }
        }
        all
    }

    /// The options that apply to a key: its own, which hide all patterns, or those of patterns.
    pub(crate) fn applying<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'f Value> + 's {
        let own = self.exact.get(key);
        let patterns = own.is_none().then(|| self.of_patterns(key));
        own.into_iter().flatten().copied().chain(patterns.into_iter().flatten())
    }

    /// Everything that may apply to a key.
    pub(crate) fn get<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'f Value> + 's {
        let exact = self.exact.get(key).into_iter().flatten().copied();
        exact.chain(self.of_patterns(key))
    }

    /// The options of the patterns that may match a key.
    fn of_patterns<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'f Value> + 's {
        let candidates = self.index.candidates(key).into_iter().filter_map(|number| self.patterns.get(number));
        candidates.filter(|(pattern, _)| self.searches.may_match(pattern, key)).map(|(_, value)| *value)
    }
}

/// The keys that begin with some letters. The keys are sorted.
pub(crate) fn with_start<'k>(keys: &[&'k str], start: &str) -> impl Iterator<Item = &'k str> {
    let first = keys.partition_point(|key| *key < start);
    keys[first..].iter().copied().take_while(move |key| key.starts_with(start)).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_patterns_stop_at_the_budget() {
        let searches = PatternBudget::default();
        let strange = Regexp::new(r"^(a+)+\1$").unwrap();
        let key = "a".repeat(40) + "x";
        // A search over the budget may match, and no search follows.
        assert!((0..1_000).all(|_| searches.may_match(&strange, &key)));
        let plain = PatternBudget::default();
        let pattern = Regexp::new("^a::b").unwrap();
        assert!((0..10_000).all(|_| !plain.may_match(&pattern, "c::d")));
    }
}
