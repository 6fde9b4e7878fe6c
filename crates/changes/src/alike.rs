//! [`Alike`]: equivalence classes of keys whose answers depend on the same sources and variables.
//!
//! The answer to a key depends on the sources that define it, on those that have `lookup_options`, and on those of the
//! keys that these mention. Every other source could be removed from the hierarchy without changing the answer: the
//! data file of a single node distinguishes that node only for the keys in the file.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::hiera::Recent;
use hieratic::hiera::inspect::is_encrypted;
use hieratic::value::Str;
use hieratic::{Footing, Mentions, Node, SourceData, numbered};
use hieratic_hash::{HashMap, HashSet};

use crate::reach::{Both, MOST_SOURCES, Mentioned};

/// Keys of a node whose answers are made of the same, before facts are put in.
pub(crate) struct Alike {
    /// A number for the places on both sides that say something of the keys, with their sources.
    pub(crate) said: u128,
    /// The variables that these mention.
    pub(crate) variables: BTreeSet<Str>,
    /// The keys; sorted if those that were given are.
    pub(crate) keys: Vec<Str>,
}

/// Divides keys of a node by what their answers are made of.
pub(crate) fn alike<'k>(view: &View<'_>, keys: impl IntoIterator<Item = &'k Str>) -> Vec<Alike> {
    let keys = Keys::new(keys.into_iter().collect());
    // One bit set per key: the sources that define it.
    let words = view.words();
    let mut having: Vec<u64> = view.options.sources.repeat(keys.all.len());
    let mut mentions: HashMap<u32, Vec<&Mentions>> = HashMap::default();
    for (number, (source, mentioned)) in view.sources.iter().zip(&view.mentions).enumerate() {
        let said = view.kept.said(source, mentioned, &keys);
        for index in &said.has {
            if let Some(bits) = having.get_mut(*index as usize * words + number / 64) {
                *bits |= 1 << (number % 64);
            }
        }
        for index in &said.mentions {
            let of = keys.all.get(*index as usize).and_then(|key| mentioned.by.get(&***key));
            mentions.entry(*index).or_default().extend(of);
        }
    }
    let mut groups: HashMap<Said, Vec<Str>> = HashMap::default();
    let mut plain: HashMap<&[u64], Vec<Str>> = HashMap::default();
    for (index, (key, sources)) in keys.all.iter().zip(having.chunks_exact(words)).enumerate() {
        let Some(mentions) = mentions.get(&(index as u32)) else {
            plain.entry(sources).or_default().push((*key).clone());
            continue;
        };
        let said = match mentions.iter().all(|mentions| mentions.keys.is_empty()) {
            true => {
                let variables = mentions.iter().flat_map(|mentions| &mentions.variables).cloned();
                let variables = view.options.variables.iter().cloned().chain(variables).collect();
                Said { sources: sources.to_vec(), variables }
            }
            false => {
                let said = Said { sources: sources.to_vec(), variables: view.options.variables.clone() };
                view.closure_of(said, key, mentions)
            }
        };
        groups.entry(said).or_default().push((*key).clone());
    }
    for (sources, mut keys) in plain {
        let said = Said { sources: sources.to_vec(), variables: view.options.variables.clone() };
        let group = groups.entry(said).or_default();
        let is_whole = group.is_empty();
        group.append(&mut keys);
        if !is_whole {
            group.sort_unstable();
        }
    }
    let numbered = |(said, keys): (Said, Vec<Str>)| Alike { said: view.number(&said), variables: said.variables, keys };
    groups.into_iter().map(numbered).collect()
}

/// The keys that are looked up on many nodes.
struct Keys<'k> {
    all: Vec<&'k Str>,
    places: HashMap<&'k str, u32>,
    /// Equal for the same keys in the same order.
    number: u128,
}

impl<'k> Keys<'k> {
    fn new(all: Vec<&'k Str>) -> Keys<'k> {
        let places = all.iter().zip(0..).map(|(key, place)| (&***key, place)).collect();
        let number = numbered(&all);
        Keys { all, places, number }
    }
}

/// Which of some keys a source has, and for which of them its value mentions something; by their places in the list, in no order.
#[derive(Debug)]
struct OfSource {
    has: Vec<u32>,
    mentions: Vec<u32>,
}

impl OfSource {
    fn of(source: &SourceData, mentioned: &Mentioned, keys: &Keys<'_>) -> OfSource {
        let place = |key: &Str| keys.places.get(&**key).copied();
        let has = source.keys().filter_map(place).collect();
        OfSource { has, mentions: mentioned.by.keys().filter_map(place).collect() }
    }

    /// Does the same as [`of`](Self::of), faster for few keys.
    fn of_few(source: &SourceData, mentioned: &Mentioned, keys: &Keys<'_>) -> OfSource {
        let places = || keys.all.iter().zip(0..);
        let has = places().filter(|(key, _)| source.written(key).is_some()).map(|(_, place)| place).collect();
        let mentions =
            places().filter(|(key, _)| mentioned.by.contains_key(&****key)).map(|(_, place)| place).collect();
        OfSource { has, mentions }
    }
}

/// A cache of the keys in large sources, shared by all nodes that read them.
#[derive(Debug)]
pub(crate) struct OfSources(Mutex<Recent<(u64, u128), Arc<OfSource>>>);

impl Default for OfSources {
    fn default() -> OfSources {
        OfSources(Mutex::new(Recent::new(MOST_SOURCES)))
    }
}

/// The largest number of keys of a source that is not cached: searching a smaller source is faster than a cache hit,
/// and takes no memory.
const MANY: usize = 64;
/// The largest number of keys for which each key is looked up in the source, instead of each key of the source among
/// them.
const FEW: usize = 64;

impl OfSources {
    fn said(&self, source: &SourceData, mentioned: &Mentioned, keys: &Keys<'_>) -> Arc<OfSource> {
        if keys.all.len() <= FEW {
            return Arc::new(OfSource::of_few(source, mentioned, keys));
        }
        if source.keys().nth(MANY).is_none() {
            return Arc::new(OfSource::of(source, mentioned, keys));
        }
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (source.id(), keys.number);
        if let Some(known) = known().get(&of) {
            return known;
        }
        let made = Arc::new(OfSource::of(source, mentioned, keys));
        known().get_or_insert_with(of, || made)
    }
}

/// The sources and variables that the answer to a key depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Said {
    /// The sources, by their numbers in the view: a bit for each.
    sources: Vec<u64>,
    variables: BTreeSet<Str>,
}

impl Said {
    fn has(&self, source: usize) -> bool {
        self.sources.get(source / 64).is_some_and(|bits| bits >> (source % 64) & 1 == 1)
    }
}

/// The places of a node on both sides, each source once.
pub(crate) struct View<'f> {
    /// The places with the side on which they are. Of those that can be read, the source; of the others, why not.
    places: Vec<(usize, &'f Footing, Option<usize>)>,
    sources: Vec<&'f SourceData>,
    /// The keys and variables that each source mentions.
    mentions: Vec<Arc<Mentioned>>,
    kept: &'f OfSources,
    /// The dependencies of `lookup_options`, and so of every answer.
    options: Said,
}

impl<'f> View<'f> {
    pub(crate) fn of(both: &Both<'f>) -> View<'f> {
        let mut numbers: HashMap<u64, usize> = HashMap::default();
        let (mut places, mut sources) = (Vec::new(), Vec::new());
        for (side, footprint) in [both.base, both.head].into_iter().enumerate() {
            for footing in &footprint.places {
                let source = footing.data.as_ref().map(|data| {
                    *numbers.entry(data.id()).or_insert_with(|| {
                        sources.push(data);
                        sources.len() - 1
                    })
                });
                if source.is_some() || footing.fault.is_some() {
                    places.push((side, footing, source));
                }
            }
        }
        let mentions = sources.iter().map(|source| both.sources.mentions(source)).collect();
        let mut view = View { places, sources, mentions, kept: &both.sources.of_sources, options: Said::default() };
        view.options.sources = vec![0; view.words()];
        view.options = view.closure(Node::OPTIONS_KEY);
        view
    }

    /// The number of words of a bit set of sources.
    fn words(&self) -> usize {
        self.sources.len().div_ceil(64).max(1)
    }

    /// Adds the sources that have a key.
    fn add(&self, key: &str, to: &mut Vec<u64>) {
        to.resize(self.words(), 0);
        for (index, source) in self.sources.iter().enumerate() {
            if let Some(bits) = to.get_mut(index / 64).filter(|_| source.written(key).is_some()) {
                *bits |= 1 << (index % 64);
            }
        }
    }

    /// The keys and variables that the values of a key mention.
    fn mentioned(&self, key: &str) -> impl Iterator<Item = &Mentions> {
        self.mentions.iter().filter_map(move |mentioned| mentioned.by.get(key))
    }

    /// The dependencies of a key and of all keys that its value mentions.
    fn closure(&self, key: &str) -> Said {
        let mut said = Said::default();
        self.add(key, &mut said.sources);
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        self.closure_of(said, key, &mentions)
    }

    /// Completes the dependencies of a key, given its own sources and the keys that its values mention.
    fn closure_of(&self, said: Said, key: &str, mentions: &[&Mentions]) -> Said {
        self.closure_with(said, key, mentions).0
    }

    /// A key with all keys that its value mentions, and those that they mention.
    pub(crate) fn closure_keys(&self, key: &str) -> HashSet<Str> {
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        self.closure_with(Said::default(), key, &mentions).1
    }

    /// The dependencies of a key, and all keys that it depends on.
    fn closure_with(&self, mut said: Said, key: &str, mentions: &[&Mentions]) -> (Said, HashSet<Str>) {
        let mut seen: HashSet<Str> = std::iter::once(key.into()).collect();
        let mut open: Vec<Str> = Vec::new();
        let mut add = |mentions: &Mentions, open: &mut Vec<Str>| {
            open.extend(mentions.keys.iter().filter(|key| seen.insert((*key).clone())).cloned());
            said.variables.extend(mentions.variables.iter().cloned());
        };
        mentions.iter().for_each(|mentions| add(mentions, &mut open));
        while let Some(key) = open.pop() {
            self.add(&key, &mut said.sources);
            self.mentioned(&key).for_each(|mentions| add(mentions, &mut open));
        }
        (said, seen)
    }

    /// The class of a single key. Of a node's private sources, only the values of this key and of the keys that it
    /// depends on count: two nodes stay in one class if their private sources differ in other keys.
    pub(crate) fn alone(&self, key: &Str, is_own: &dyn Fn(&SourceData) -> bool) -> Alike {
        let mut said = Said::default();
        self.add(key, &mut said.sources);
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        let (mut said, keys) = self.closure_with(said, key, &mentions);
        said.variables.extend(self.options.variables.iter().cloned());
        for (bits, more) in said.sources.iter_mut().zip(&self.options.sources) {
            *bits |= more;
        }
        let mut keys: Vec<Str> = keys.into_iter().collect();
        keys.sort_unstable();
        let written = |data: &SourceData| -> Option<Vec<(usize, String)>> {
            let of_keys = keys.iter().enumerate().filter_map(|(index, key)| Some((index, data.written(key)?)));
            // The same ciphertext may decrypt to another value under another key.
            of_keys.map(|(index, value)| (!is_encrypted(value)).then(|| (index, value.inspect()))).collect()
        };
        let places = self.places.iter().filter(|(_, _, source)| source.is_none_or(|source| said.has(source)));
        let told = places.map(|(side, footing, _)| {
            let data = footing.data.as_ref();
            let content = data.filter(|data| is_own(data)).and_then(written);
            let id = data.filter(|_| content.is_none()).map(SourceData::id);
            (*side, footing.place, id, content, &footing.fault)
        });
        let number = numbered(&(key, &keys, told.collect::<Vec<_>>()));
        Alike { said: number, variables: said.variables, keys: vec![key.clone()] }
    }

    /// A fingerprint of the places with these sources. An unreadable file belongs to every key, because looking the key
    /// up fails.
    fn number(&self, said: &Said) -> u128 {
        let is_meant = |source: &Option<usize>| source.is_none_or(|source| said.has(source));
        let places = self.places.iter().filter(|(_, _, source)| is_meant(source));
        let told = places.map(|(side, footing, _)| {
            (*side, footing.place, footing.data.as_ref().map(SourceData::id), &footing.fault)
        });
        numbered(&told.collect::<Vec<_>>())
    }
}
