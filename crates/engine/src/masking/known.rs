//! What is searched for, as it grows: the secrets that were met, in automata of very different sizes.
//!
//! A run meets secrets one by one. Those that are new get an automaton of their own, which is joined with the one before it
//! when both are about the same size, so that `n` secrets cost `n log n` however they come.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_hash::HashSet;
use hieratic_hiera::Secrets;
use hieratic_value::Str;
use hieratic_value::text::REDACTED;

use super::base64_runs;
use super::forms::Forms;
use super::search::Search;
use super::trie::Trie;

/// How many times what stands in base 64 may stand in base 64.
const MOST_LAYERS: usize = 3;

/// All secrets that were met up to a moment.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// How many of each environment's.
    counts: Vec<usize>,
    levels: Vec<Arc<Level>>,
    clean: Clean,
}

/// Texts in which none of them stands, as far as they are remembered: the catalogs of many nodes say the same over and over.
#[derive(Default)]
struct Clean(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    texts: HashSet<Str>,
    bytes: usize,
}

/// How many bytes of texts are remembered.
const MOST_REMEMBERED: usize = 16 << 20;

/// Shorter texts are searched as quickly as they are found again.
const WORTH_REMEMBERING: usize = 12;

impl Clone for Clean {
    /// Whoever copies it is about to learn of more secrets.
    fn clone(&self) -> Clean {
        Clean::default()
    }
}

/// Some of them.
struct Level {
    texts: Vec<Str>,
    whole: HashSet<Str>,
    /// By what counts.
    loose: Option<Trie>,
    /// To the letter.
    exact: Option<Trie>,
}

impl Level {
    fn new(texts: Vec<Str>) -> Level {
        let mut forms = Forms::default();
        texts.iter().for_each(|text| forms.add(text));
        let whole = texts.iter().cloned().collect();
        Level { whole, loose: Trie::new(forms.loose), exact: Trie::new(forms.exact), texts }
    }
}

impl Known {
    /// Adds what was met since.
    pub(super) fn update(&mut self, secrets: &[Secrets]) {
        self.counts.resize(secrets.len(), 0);
        let mut new: Vec<Str> = Vec::new();
        for (secrets, count) in secrets.iter().zip(&mut self.counts) {
            let texts = secrets.texts_since(*count);
            *count += texts.len();
            new.extend(texts);
        }
        new.retain(|text| !self.is_whole(text));
        if new.is_empty() {
            return;
        }
        while let Some(last) = self.levels.pop_if(|last| last.texts.len() <= new.len() * 2) {
            new.extend(last.texts.iter().cloned());
        }
        self.levels.push(Arc::new(Level::new(new)));
        self.clean = Clean::default();
    }

    /// What covers a text, if no secret was found in it before; what is found to have none is remembered.
    pub(super) fn covering<T>(&self, text: &Str, search: impl FnOnce() -> Option<T>) -> Option<T> {
        if text.len() < WORTH_REMEMBERING {
            return search();
        }
        let remembered = || self.clean.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered().texts.contains(text) {
            return None;
        }
        let found = search();
        if found.is_none() {
            let mut remembered = remembered();
            if remembered.bytes + text.len() <= MOST_REMEMBERED && remembered.texts.insert(text.clone()) {
                remembered.bytes += text.len();
            }
        }
        found
    }

    /// Whether nothing was met since.
    pub(super) fn is_current(&self, secrets: &[Secrets]) -> bool {
        self.counts.len() == secrets.len() && self.counts.iter().zip(secrets).all(|(count, all)| *count == all.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Whether a text is a secret.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        self.levels.iter().any(|level| level.whole.contains(text))
    }

    /// Where secrets stand, in order and apart from each other.
    pub(super) fn ranges(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.find(text, MOST_LAYERS, &mut found);
        if found.is_empty() {
            return found;
        }
        // What covers a secret is none, even if one is a word of it.
        let covers = covers(text);
        found.retain(|range| {
            let next = covers.partition_point(|cover| cover.end < range.end);
            !covers.get(next).is_some_and(|cover| cover.start <= range.start && range.end <= cover.end)
        });
        joined(found)
    }

    fn find(&self, text: &[u8], layers: usize, found: &mut Vec<Range<usize>>) {
        for level in &self.levels {
            let (Some(loose), Some(exact)) = (&level.loose, &level.exact) else {
                // More than a search can hold: everything is covered then.
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

/// Where something was covered before.
fn covers(text: &[u8]) -> Vec<Range<usize>> {
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
