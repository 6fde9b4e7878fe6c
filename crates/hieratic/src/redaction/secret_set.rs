//! The growing set of secrets to search for, in automata of increasing size.
//!
//! A run finds secrets one by one. New ones get their own automaton, which is merged with the previous one when both
//! have about the same size, so that `n` secrets cost `n log n` in any order.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_hiera::Secrets;
use hieratic_value::Str;
use hieratic_value::collections::HashSet;
use hieratic_value::text::REDACTED;

use super::base64_runs;
use super::search::Search;
use super::trie::Trie;
use super::variants::SecretVariants;

/// The maximum nesting of base 64.
const MAX_LAYERS: usize = 3;

/// All secrets up to a moment.
#[derive(Clone, Default)]
pub(super) struct SecretSet {
    /// The number of secrets that were read from each environment.
    counts: Vec<usize>,
    levels: Vec<Arc<AutomatonLevel>>,
    clean: CleanCache,
}

/// A cache of strings without any secret: the catalogs of many nodes repeat the same strings.
#[derive(Default)]
struct CleanCache(Mutex<CleanStrings>);

#[derive(Default)]
struct CleanStrings {
    texts: HashSet<Str>,
    bytes: usize,
}

/// The maximum size of the cached strings, in bytes.
const MAX_CACHED: usize = 16 << 20;

/// The minimum length of cached strings. Shorter ones are searched as quickly as they are looked up.
const MIN_CACHED: usize = 12;

impl Clone for CleanCache {
    /// Starts empty: a copy is about to get more secrets.
    fn clone(&self) -> CleanCache {
        CleanCache::default()
    }
}

/// Some of them.
struct AutomatonLevel {
    texts: Vec<Str>,
    whole: HashSet<Str>,
    /// By what counts.
    loose: Option<Trie>,
    /// The exact patterns.
    exact: Option<Trie>,
}

impl AutomatonLevel {
    fn new(texts: Vec<Str>) -> AutomatonLevel {
        let mut forms = SecretVariants::default();
        texts.iter().for_each(|text| forms.add(text));
        let whole = texts.iter().cloned().collect();
        AutomatonLevel { whole, loose: Trie::new(forms.loose), exact: Trie::new(forms.exact), texts }
    }
}

impl SecretSet {
    /// Adds the secrets that were found since the last update.
    pub(super) fn update(&mut self, secrets: &[Secrets]) {
        self.counts.resize(secrets.len(), 0);
        let mut new: Vec<Str> = Vec::new();
        for (secrets, count) in secrets.iter().zip(&mut self.counts) {
            let texts = secrets.texts_since(*count);
            *count += texts.len();
            new.extend(texts);
        }
        new.retain(|text| !self.contains(text));
        if new.is_empty() {
            return;
        }
        while let Some(last) = self.levels.pop_if(|last| last.texts.len() <= new.len() * 2) {
            new.extend(last.texts.iter().cloned());
        }
        self.levels.push(Arc::new(AutomatonLevel::new(new)));
        self.clean = CleanCache::default();
    }

    /// Returns the result of a search for secrets in a string, and caches the text if it has none.
    pub(super) fn search_cached<T>(&self, text: &Str, search: impl FnOnce() -> Option<T>) -> Option<T> {
        if text.len() < MIN_CACHED {
            return search();
        }
        let remembered = || self.clean.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered().texts.contains(text) {
            return None;
        }
        let found = search();
        if found.is_none() {
            let mut remembered = remembered();
            if remembered.bytes + text.len() <= MAX_CACHED && remembered.texts.insert(text.clone()) {
                remembered.bytes += text.len();
            }
        }
        found
    }

    /// Returns whether no secret was found since the last update.
    pub(super) fn is_current(&self, secrets: &[Secrets]) -> bool {
        self.counts.len() == secrets.len() && self.counts.iter().zip(secrets).all(|(count, all)| *count == all.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Returns whether a string is a secret.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.levels.iter().any(|level| level.whole.contains(text))
    }

    /// Returns the ranges of secrets, sorted and disjoint.
    pub(super) fn ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.find(text, MAX_LAYERS, &mut found);
        if found.is_empty() {
            return found;
        }
        // A redaction mark is not a secret, even if one is a word of it.
        let covers = redaction_marks(text);
        found.retain(|range| {
            let next = covers.partition_point(|cover| cover.end < range.end);
            !covers.get(next).is_some_and(|cover| cover.start <= range.start && range.end <= cover.end)
        });
        joined(found)
    }

    fn find(&self, text: &[u8], layers: usize, found: &mut Vec<Range<usize>>) {
        for level in &self.levels {
            let (Some(loose), Some(exact)) = (&level.loose, &level.exact) else {
                // The automaton would be too large: then everything is redacted.
                found.push(0..text.len());
                return;
            };
            found.extend(Search::new(loose, false).find(text));
            found.extend(Search::new(exact, true).find(text));
        }
        if layers == 0 {
            return;
        }
        base64_runs::each(text, |decoded, places| {
            let mut within = Vec::new();
            self.find(decoded, layers - 1, &mut within);
            found.extend(
                within.iter().filter_map(|range| {
                    Some(places.get(range.start)?.start..places.get(range.end.checked_sub(1)?)?.end)
                }),
            );
        });
    }
}

/// Returns the ranges of redaction marks.
fn redaction_marks(text: &[u8]) -> Vec<Range<usize>> {
    let cover = REDACTED.as_bytes();
    let mut covers: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|byte| *byte == cover[0]) {
        at += found;
        if text[at..].starts_with(cover) {
            covers.push(at..at + cover.len());
            at += cover.len();
        } else {
            at += 1;
        }
    }
    covers
}

/// Ranges in order; those that touch or overlap are one.
pub(super) fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut all: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match all.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => all.push(range),
        }
    }
    all
}
