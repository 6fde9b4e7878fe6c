//! [`PatternIndex`]: finds the patterns of `lookup_options` that may match a key.

use hieratic_value::collections::HashMap;

/// The patterns of `lookup_options`, indexed by the literal prefix of the keys that they match. Most patterns are for
/// one module, so only few are tried for a key.
///
/// ```
/// use hieratic_hiera::PatternIndex;
/// let index: PatternIndex = ["^apache::", "^nginx::.*", "^(a|b)"].into_iter().collect();
/// assert_eq!(index.candidates("nginx::port"), [1, 2]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PatternIndex {
    by_start: HashMap<Box<str>, Vec<usize>>,
    /// The lengths of the starts, each once.
    lengths: Vec<usize>,
    /// The start of each pattern.
    starts: Vec<Box<str>>,
}

/// The number of patterns up to which all starts are compared, which is faster than a table.
const FEW: usize = 16;

impl PatternIndex {
    /// Adds a pattern. Its index is the number of patterns before it.
    pub fn add(&mut self, pattern: &str) {
        let start = literal_start(pattern);
        if let Err(at) = self.lengths.binary_search(&start.len()) {
            self.lengths.insert(at, start.len());
        }
        self.by_start.entry(start.into()).or_default().push(self.starts.len());
        self.starts.push(start.into());
    }

    /// Returns the index of the first pattern that matches a key. `matches` is called for the candidates only.
    pub fn first(&self, key: &str, mut matches: impl FnMut(usize) -> bool) -> Option<usize> {
        if self.starts.len() > FEW {
            return self.candidates(key).into_iter().find(|number| matches(*number));
        }
        let starts = self.starts.iter().enumerate().filter(|(_, start)| key.starts_with(&***start));
        starts.map(|(number, _)| number).find(|number| matches(*number))
    }

    /// Returns the indexes of the patterns that may match a key, in ascending order.
    pub fn candidates(&self, key: &str) -> Vec<usize> {
        let starts = self.lengths.iter().filter_map(|length| key.get(..*length));
        let mut found: Vec<usize> = starts.filter_map(|start| self.by_start.get(start)).flatten().copied().collect();
        found.sort_unstable();
        found
    }
}

impl<'p> FromIterator<&'p str> for PatternIndex {
    fn from_iter<I: IntoIterator<Item = &'p str>>(patterns: I) -> PatternIndex {
        let mut index = PatternIndex::default();
        patterns.into_iter().for_each(|pattern| index.add(pattern));
        index
    }
}

/// Returns the literal prefix of all keys that a pattern matches: the part between the anchor and the first special
/// character. `^` also matches after a newline, but no key contains one.
pub fn literal_start(pattern: &str) -> &str {
    let Some(rest) = pattern.strip_prefix('^') else { return "" };
    if pattern.contains(['|', '\n']) || pattern.contains("(?") {
        return "";
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
    let end = rest.find(|c| !plain(c)).unwrap_or(rest.len());
    // A quantifier applies to the last character, which may then be missing.
    let repeated = rest[end..].starts_with(['*', '?', '+', '{']);
    &rest[..end - usize::from(repeated && end > 0)]
}
