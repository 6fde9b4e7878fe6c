//! [`KeyClass`]: equivalence classes of keys whose answers depend on the same sources and variables.
//!
//! The answer for a key depends on the sources that define it, on those that have `lookup_options`, and on the sources
//! of the keys that these refer to. Every other source could be removed from the hierarchy without changing the answer:
//! the data file of a single node distinguishes that node only for the keys in the file.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::Node;
use hieratic::dependencies::{DataDependency, Mentions, SourceData};
use hieratic::hiera::inspect::is_encrypted;
use hieratic::hiera::{GenerationalCache, SourceId};
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::ids::Fingerprint;

use crate::diff::{Diff, Side};
use crate::reach::{FootprintPair, MOST_SOURCES, SourceMentions};

/// Keys of a node whose answers are found of the same, before facts are put in.
pub(crate) struct KeyClass {
    /// A fingerprint of the sources on both sides that define the keys.
    pub(crate) fingerprint: Fingerprint,
    /// The variables that these mention.
    pub(crate) variables: BTreeSet<Str>,
    /// The keys, in the given order.
    pub(crate) keys: Vec<Str>,
}

/// Divides keys of a node by what their answers are found of.
pub(crate) fn partition_keys<'k>(
    graph: &DependencyGraph<'_>,
    keys: impl IntoIterator<Item = &'k Str>,
) -> Vec<KeyClass> {
    let keys = Keys::new(keys.into_iter().collect());
    // One bit set per key: the sources that define it.
    let words = graph.words();
    let mut having: Vec<u64> = graph.options.sources.repeat(keys.all.len());
    let mut mentions: HashMap<u32, Vec<&Mentions>> = HashMap::default();
    for (source_index, (source, mentioned)) in graph.sources.iter().zip(&graph.mentions).enumerate() {
        let found = graph.cache.get(source, mentioned, &keys);
        for index in &found.has {
            if let Some(bits) = having.get_mut(*index as usize * words + source_index / 64) {
                *bits |= 1 << (source_index % 64);
            }
        }
        for index in &found.mentions {
            let of = keys.all.get(*index as usize).and_then(|key| mentioned.by.get(&***key));
            mentions.entry(*index).or_default().extend(of);
        }
    }
    let mut groups: HashMap<Dependencies, Vec<Str>> = HashMap::default();
    let mut plain: HashMap<&[u64], Vec<Str>> = HashMap::default();
    for (index, (key, sources)) in keys.all.iter().zip(having.chunks_exact(words)).enumerate() {
        let Some(mentions) = mentions.get(&(index as u32)) else {
            plain.entry(sources).or_default().push((*key).clone());
            continue;
        };
        let dependencies = if mentions.iter().all(|mentions| mentions.keys.is_empty()) {
            let variables = mentions.iter().flat_map(|mentions| &mentions.variables).cloned();
            let variables = graph.options.variables.iter().cloned().chain(variables).collect();
            Dependencies { sources: sources.to_vec(), variables }
        } else {
            let dependencies = Dependencies { sources: sources.to_vec(), variables: graph.options.variables.clone() };
            graph.complete_closure(dependencies, key, mentions)
        };
        groups.entry(dependencies).or_default().push((*key).clone());
    }
    for (sources, mut keys) in plain {
        let dependencies = Dependencies { sources: sources.to_vec(), variables: graph.options.variables.clone() };
        let group = groups.entry(dependencies).or_default();
        let is_whole = group.is_empty();
        group.append(&mut keys);
        if !is_whole {
            group.sort_unstable();
        }
    }
    let to_class = |(dependencies, keys): (Dependencies, Vec<Str>)| KeyClass {
        fingerprint: graph.fingerprint(&dependencies),
        variables: dependencies.variables,
        keys,
    };
    groups.into_iter().map(to_class).collect()
}

/// The keys that are looked up on many nodes.
struct Keys<'k> {
    all: Vec<&'k Str>,
    places: HashMap<&'k str, u32>,
    /// Equal for the same keys in the same order.
    fingerprint: Fingerprint,
}

impl<'k> Keys<'k> {
    fn new(all: Vec<&'k Str>) -> Keys<'k> {
        let places = all.iter().zip(0..).map(|(key, place)| (&***key, place)).collect();
        let fingerprint = Fingerprint::new(&all);
        Keys { all, places, fingerprint }
    }
}

/// The keys of a list that a source has, and those whose value has an interpolation, as indexes of the list in no order.
#[derive(Debug)]
struct SourceKeys {
    has: Vec<u32>,
    mentions: Vec<u32>,
}

impl SourceKeys {
    fn from_source(source: &SourceData, mentioned: &SourceMentions, keys: &Keys<'_>) -> SourceKeys {
        let place = |key: &Str| keys.places.get(&**key).copied();
        let has = source.keys().filter_map(place).collect();
        SourceKeys { has, mentions: mentioned.by.keys().filter_map(place).collect() }
    }

    /// Does the same as [`of`](Self::of), faster for few keys.
    fn search_each(source: &SourceData, mentioned: &SourceMentions, keys: &Keys<'_>) -> SourceKeys {
        let places = || keys.all.iter().zip(0..);
        let has = places().filter(|(key, _)| source.written(key).is_some()).map(|(_, place)| place).collect();
        let mentions =
            places().filter(|(key, _)| mentioned.by.contains_key(&****key)).map(|(_, place)| place).collect();
        SourceKeys { has, mentions }
    }
}

/// A cache of the keys in large sources, shared by all nodes that read them.
#[derive(Debug)]
pub(crate) struct SourceKeysCache(Mutex<GenerationalCache<(SourceId, Fingerprint), Arc<SourceKeys>>>);

impl Default for SourceKeysCache {
    fn default() -> SourceKeysCache {
        SourceKeysCache(Mutex::new(GenerationalCache::new(MOST_SOURCES)))
    }
}

/// The largest number of keys of a source that is not cached: searching a smaller source is faster than a cache hit,
/// and takes no memory.
const MANY: usize = 64;
/// The largest number of keys for which each key is looked up in the source, instead of each key of the source among
/// them.
const FEW: usize = 64;

impl SourceKeysCache {
    fn get(&self, source: &SourceData, mentioned: &SourceMentions, keys: &Keys<'_>) -> Arc<SourceKeys> {
        if keys.all.len() <= FEW {
            return Arc::new(SourceKeys::search_each(source, mentioned, keys));
        }
        if source.keys().nth(MANY).is_none() {
            return Arc::new(SourceKeys::from_source(source, mentioned, keys));
        }
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = (source.id(), keys.fingerprint);
        if let Some(known) = known().get(&id) {
            return known;
        }
        let found = Arc::new(SourceKeys::from_source(source, mentioned, keys));
        known().get_or_insert_with(id, || found)
    }
}

/// The sources and variables that the answer to a key depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Dependencies {
    /// The sources, by their numbers in the view: a bit for each.
    sources: Vec<u64>,
    variables: BTreeSet<Str>,
}

impl Dependencies {
    fn has(&self, source: usize) -> bool {
        self.sources.get(source / 64).is_some_and(|bits| bits >> (source % 64) & 1 == 1)
    }
}

/// The places of a node on both sides, each source once.
pub(crate) struct DependencyGraph<'f> {
    /// The places, each with its side and, if it can be read, the index of its source.
    places: Vec<(Side, &'f DataDependency, Option<usize>)>,
    sources: Vec<&'f SourceData>,
    /// The keys and variables that each source mentions.
    mentions: Vec<Arc<SourceMentions>>,
    cache: &'f SourceKeysCache,
    /// The dependencies of `lookup_options`, and so of every answer.
    options: Dependencies,
}

impl<'f> DependencyGraph<'f> {
    pub(crate) fn new(both: &FootprintPair<'f>) -> DependencyGraph<'f> {
        let mut indexes: HashMap<SourceId, usize> = HashMap::default();
        let (mut places, mut sources) = (Vec::new(), Vec::new());
        for (side, dependencies) in (Diff { base: both.base, head: both.head }).sides() {
            for dependency in &dependencies.places {
                let source = dependency.data.as_ref().map(|data| {
                    *indexes.entry(data.id()).or_insert_with(|| {
                        sources.push(data);
                        sources.len() - 1
                    })
                });
                if source.is_some() || dependency.fault.is_some() {
                    places.push((side, dependency, source));
                }
            }
        }
        let mentions = sources.iter().map(|source| both.sources.mentions(source)).collect();
        let mut graph = DependencyGraph {
            places,
            sources,
            mentions,
            cache: &both.sources.source_keys,
            options: Dependencies::default(),
        };
        graph.options.sources = vec![0; graph.words()];
        graph.options = graph.closure_of(Node::OPTIONS_KEY);
        graph
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
    fn closure_of(&self, key: &str) -> Dependencies {
        let mut dependencies = Dependencies::default();
        self.add(key, &mut dependencies.sources);
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        self.complete_closure(dependencies, key, &mentions)
    }

    /// Completes the dependencies of a key, given its own sources and the keys that its values mention.
    fn complete_closure(&self, dependencies: Dependencies, key: &str, mentions: &[&Mentions]) -> Dependencies {
        self.closure_with(dependencies, key, mentions).0
    }

    /// A key with all keys that its value mentions, and those that they mention.
    pub(crate) fn closure_keys(&self, key: &str) -> HashSet<Str> {
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        self.closure_with(Dependencies::default(), key, &mentions).1
    }

    /// The dependencies of a key, and all keys that it depends on.
    fn closure_with(
        &self,
        mut dependencies: Dependencies,
        key: &str,
        mentions: &[&Mentions],
    ) -> (Dependencies, HashSet<Str>) {
        let mut seen: HashSet<Str> = std::iter::once(key.into()).collect();
        let mut open: Vec<Str> = Vec::new();
        let mut add = |mentions: &Mentions, open: &mut Vec<Str>| {
            open.extend(mentions.keys.iter().filter(|key| seen.insert((*key).clone())).cloned());
            dependencies.variables.extend(mentions.variables.iter().cloned());
        };
        mentions.iter().for_each(|mentions| add(mentions, &mut open));
        while let Some(key) = open.pop() {
            self.add(&key, &mut dependencies.sources);
            self.mentioned(&key).for_each(|mentions| add(mentions, &mut open));
        }
        (dependencies, seen)
    }

    /// The class of a single key. Of a node's private sources, only the values of this key and of the keys that it
    /// depends on count: two nodes stay in one class if their private sources differ in other keys.
    pub(crate) fn class_of(&self, key: &Str, is_own: &dyn Fn(&SourceData) -> bool) -> KeyClass {
        let mut dependencies = Dependencies::default();
        self.add(key, &mut dependencies.sources);
        let mentions: Vec<&Mentions> = self.mentioned(key).collect();
        let (mut dependencies, keys) = self.closure_with(dependencies, key, &mentions);
        dependencies.variables.extend(self.options.variables.iter().cloned());
        for (bits, more) in dependencies.sources.iter_mut().zip(&self.options.sources) {
            *bits |= more;
        }
        let mut keys: Vec<Str> = keys.into_iter().collect();
        keys.sort_unstable();
        let written = |data: &SourceData| -> Option<Vec<(usize, String)>> {
            let of_keys = keys.iter().enumerate().filter_map(|(index, key)| Some((index, data.written(key)?)));
            // The same ciphertext may decrypt to another value under another key.
            of_keys.map(|(index, value)| (!is_encrypted(value)).then(|| (index, value.inspect()))).collect()
        };
        let places = self.places.iter().filter(|(_, _, source)| source.is_none_or(|source| dependencies.has(source)));
        let contents = places.map(|(side, dependency, _)| {
            let data = dependency.data.as_ref();
            let content = data.filter(|data| is_own(data)).and_then(written);
            let id = data.filter(|_| content.is_none()).map(SourceData::id);
            (*side, dependency.place, id, content, &dependency.fault)
        });
        let fingerprint = Fingerprint::new(&(key, &keys, contents.collect::<Vec<_>>()));
        KeyClass { fingerprint, variables: dependencies.variables, keys: vec![key.clone()] }
    }

    /// A fingerprint of the places with these sources. An unreadable file belongs to every key, because looking the key
    /// up fails.
    fn fingerprint(&self, dependencies: &Dependencies) -> Fingerprint {
        let is_included = |source: &Option<usize>| source.is_none_or(|source| dependencies.has(source));
        let places = self.places.iter().filter(|(_, _, source)| is_included(source));
        let contents = places.map(|(side, dependency, _)| {
            (*side, dependency.place, dependency.data.as_ref().map(SourceData::id), &dependency.fault)
        });
        Fingerprint::new(&contents.collect::<Vec<_>>())
    }
}
