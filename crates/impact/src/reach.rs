//! [`Reach`]: the keys whose answers can differ, determined without lookups.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::Node;
use hieratic::dependencies::{DataDependency, Mentions, NodeDependencies, SourceData};
use hieratic::hiera::inspect::is_encrypted;
use hieratic::hiera::{GenerationalCache, LocationId, PatternIndex, SourceId};
use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::{Hash, Str, Value};

use crate::key_classes::SourceKeysCache;

/// The keys whose answers can differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// None.
    Nothing,
    /// These and no others.
    Keys(BTreeSet<Str>),
    /// Any.
    Everything,
}

/// A source, and the one that is compared with it, if there is one.
type SourcePair = (SourceId, Option<SourceId>);

/// Caches of the keys and variables that sources mention, and of their differences. Each source is read once.
#[derive(Debug)]
pub(crate) struct Sources {
    mentioned: Mutex<GenerationalCache<SourceId, Arc<SourceMentions>>>,
    /// The keys that the first of two sources has and the second does not have so.
    differing: Mutex<GenerationalCache<SourcePair, Arc<Vec<Str>>>>,
    /// The keys of sources, by the keys that are compared.
    pub(crate) source_keys: SourceKeysCache,
}

/// The most sources that are cached. Many nodes have a file that no other node reads.
pub(crate) const MOST_SOURCES: usize = 2048;

impl Default for Sources {
    fn default() -> Sources {
        let (mentioned, differing) =
            (Mutex::new(GenerationalCache::new(MOST_SOURCES)), Mutex::new(GenerationalCache::new(MOST_SOURCES)));
        Sources { mentioned, differing, source_keys: SourceKeysCache::default() }
    }
}

/// The keys of a source that mention something.
#[derive(Debug)]
pub(crate) struct SourceMentions {
    /// The keys and variables that each key mentions.
    pub(crate) by: HashMap<Str, Mentions>,
    /// For each key that is mentioned, the keys that mention it.
    of: HashMap<Str, Vec<Str>>,
}

impl SourceMentions {
    /// Each key that is mentioned, with the keys that mention it.
    pub(crate) fn mentioning(&self) -> impl Iterator<Item = (&Str, &Vec<Str>)> {
        self.of.iter()
    }
}

impl Sources {
    pub(crate) fn mentions(&self, data: &SourceData) -> Arc<SourceMentions> {
        let known = || self.mentioned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&data.id()) {
            return known;
        }
        let all = data.keys().map(|key| (key.clone(), data.mentions(key)));
        let by: HashMap<Str, Mentions> = all.filter(|(_, mentions)| *mentions != Mentions::default()).collect();
        let mut of: HashMap<Str, Vec<Str>> = HashMap::default();
        for (key, mentions) in &by {
            for mentioned in &mentions.keys {
                of.entry(mentioned.clone()).or_default().push(key.clone());
            }
        }
        let mentions = Arc::new(SourceMentions { by, of });
        known().get_or_insert_with(data.id(), || mentions)
    }

    /// The keys that a source has and another one does not have, or not so.
    fn differing(&self, here: &SourceData, there: Option<&SourceData>) -> Arc<Vec<Str>> {
        let known = || self.differing.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = (here.id(), there.map(SourceData::id));
        if let Some(known) = known().get(&ids) {
            return known;
        }
        let is_other = |key: &&Str| {
            let written = here.written(key);
            // The same ciphertext may decrypt to another value under another key.
            written != there.and_then(|there| there.written(key)) || written.is_some_and(is_encrypted)
        };
        let keys: Arc<Vec<Str>> = Arc::new(here.keys().filter(is_other).cloned().collect());
        known().get_or_insert_with(ids, || keys)
    }
}

/// The places of both sides.
pub(crate) struct FootprintPair<'f> {
    pub(crate) base: &'f NodeDependencies,
    pub(crate) head: &'f NodeDependencies,
    pub(crate) sources: &'f Sources,
}

impl FootprintPair<'_> {
    /// Returns whether both sides have the same sources.
    pub(crate) fn are_same(&self) -> bool {
        let is_same =
            |(base, head): (&DataDependency, &DataDependency)| base.place == head.place && is_same_source(base, head);
        self.base.places.len() == self.head.places.len() && self.base.places.iter().zip(&self.head.places).all(is_same)
    }

    /// Returns the keys whose answers may differ, given the [keys that changed](Self::seeds), the variables that have
    /// other values, and the names in `lookup_options` whose values are converted to changed types.
    pub(crate) fn reach(&self, seeds: Option<BTreeSet<Str>>, variables: &BTreeSet<Str>, conversions: &[Str]) -> Reach {
        let Some(mut seeds) = seeds else { return Reach::Everything };
        match self.keys_named(conversions.iter()) {
            Some(keys) => seeds.extend(keys),
            None => return Reach::Everything,
        }
        if !variables.is_empty() {
            for mentions in self.mentions() {
                for (key, mentions) in &mentions.by {
                    if mentions.variables.iter().any(|name| variables.contains(name)) {
                        // Options that interpolate changed facts may change arbitrarily.
                        if &**key == Node::OPTIONS_KEY {
                            return Reach::Everything;
                        }
                        seeds.insert(key.clone());
                    }
                }
            }
        }
        let mut keys = seeds;
        if keys.remove(Node::OPTIONS_KEY) {
            let Some(more) = self.under_changed_options() else { return Reach::Everything };
            keys.extend(more);
        }
        self.add_mentioning(&mut keys);
        // Options that mention a changed key may change arbitrarily.
        if keys.contains(Node::OPTIONS_KEY) {
            return Reach::Everything;
        }
        if keys.is_empty() { Reach::Nothing } else { Reach::Keys(keys) }
    }

    /// The keys whose values differ between the sources of both sides; `None` if any answer can differ.
    pub(crate) fn seeds(&self) -> Option<BTreeSet<Str>> {
        let (in_base, in_head) = (by_place(self.base), by_place(self.head));
        let common = |dependencies: &NodeDependencies, other: &HashMap<LocationId, usize>| -> Vec<LocationId> {
            dependencies
                .places
                .iter()
                .map(|dependency| dependency.place)
                .filter(|place| other.contains_key(place))
                .collect()
        };
        // The order decides which value is found first.
        if common(self.base, &in_head) != common(self.head, &in_base) {
            return None;
        }
        let mut seeds = BTreeSet::new();
        for (dependencies, others, other) in [(self.base, &in_head, self.head), (self.head, &in_base, self.base)] {
            for dependency in &dependencies.places {
                let counterpart = others.get(&dependency.place).and_then(|index| other.places.get(*index));
                if counterpart.is_some_and(|counterpart| is_same_source(dependency, counterpart)) {
                    continue;
                }
                // A file that cannot be read fails every lookup that comes to it.
                if dependency.fault.is_some() || counterpart.is_some_and(|counterpart| counterpart.fault.is_some()) {
                    return None;
                }
                let Some(data) = &dependency.data else { continue };
                let there = counterpart.and_then(|counterpart| counterpart.data.as_ref());
                seeds.extend(self.sources.differing(data, there).iter().cloned());
            }
        }
        Some(seeds)
    }

    /// Adds the keys that mention one of the keys, directly or indirectly.
    pub(crate) fn add_mentioning(&self, keys: &mut BTreeSet<Str>) {
        let all = self.mentions();
        let mut open: Vec<Str> = keys.iter().cloned().collect();
        while let Some(key) = open.pop() {
            for by in all.iter().filter_map(|mentioned| mentioned.of.get(&key)).flatten() {
                if keys.insert(by.clone()) {
                    open.push(by.clone());
                }
            }
        }
    }

    /// The keys whose options differ; `None` if these cannot be determined.
    fn under_changed_options(&self) -> Option<BTreeSet<Str>> {
        let mut names: BTreeSet<Str> = BTreeSet::new();
        for (dependencies, other) in [(self.base, self.head), (self.head, self.base)] {
            let others = by_place(other);
            for dependency in &dependencies.places {
                let there = others.get(&dependency.place).and_then(|index| other.places.get(*index));
                let options = |dependency: &DataDependency| -> Option<Option<Hash>> {
                    match dependency.data.as_ref().and_then(|data| data.written(Node::OPTIONS_KEY)) {
                        None | Some(Value::Undef) => Some(None),
                        Some(Value::Hash(hash)) => Some(Some(hash.clone())),
                        Some(_) => None,
                    }
                };
                let here = options(dependency)?.unwrap_or_default();
                let there = there.map_or(Some(None), options)?.unwrap_or_default();
                for (name, value) in &here {
                    let Value::String(name) = name else { return None };
                    if there.get(name) != Some(value) {
                        names.insert(name.clone());
                    }
                }
                // The first pattern that matches counts.
                let common = |hash: &Hash, other: &Hash| -> Vec<Value> {
                    hash.keys().filter(|name| name.as_str().is_some_and(|name| other.contains(name))).cloned().collect()
                };
                if common(&here, &there) != common(&there, &here) {
                    return None;
                }
            }
        }
        self.keys_named(names.iter())
    }

    /// The keys that names in `lookup_options` select: a name is a key, or a pattern if it begins with `^`. `None` if a
    /// pattern is invalid.
    pub(crate) fn keys_named<'n>(&self, names: impl Iterator<Item = &'n Str>) -> Option<BTreeSet<Str>> {
        let mut keys = BTreeSet::new();
        let mut patterns: Vec<Regexp> = Vec::new();
        let mut index = PatternIndex::default();
        for name in names {
            if name.starts_with('^') {
                patterns.push(Regexp::new(name).ok()?);
                index.add(name);
            } else {
                keys.insert(name.clone());
            }
        }
        // Without a pattern, as nearly always, the thousands of keys of a hierarchy are not looked at.
        if !patterns.is_empty() {
            let all: HashSet<&Str> = self.data().flat_map(SourceData::keys).collect();
            for key in all {
                for pattern in index.candidates(key).into_iter().filter_map(|number| patterns.get(number)) {
                    if pattern.try_is_match(key).ok()? {
                        keys.insert(key.clone());
                        break;
                    }
                }
            }
        }
        keys.remove(Node::OPTIONS_KEY);
        Some(keys)
    }

    /// The keys with a value that mentions one of the keys.
    pub(crate) fn that_mention(&self, keys: &BTreeSet<Str>) -> BTreeSet<Str> {
        let all = self.mentions();
        let of =
            |key: &Str| all.iter().filter_map(|mentioned| mentioned.of.get(key)).flatten().cloned().collect::<Vec<_>>();
        keys.iter().flat_map(of).collect()
    }

    /// The variables that data mentions on either side.
    pub(crate) fn variables(&self) -> BTreeSet<Str> {
        let all = self.mentions();
        let mentions = all.iter().flat_map(|mentioned| mentioned.by.values());
        mentions.flat_map(|mentions| &mentions.variables).cloned().collect()
    }

    /// The keys and variables that the sources mention. Sources without any are left out.
    pub(crate) fn mentions(&self) -> Vec<Arc<SourceMentions>> {
        let mut seen = HashSet::default();
        let sources = self.data().filter(|data| seen.insert(data.id()));
        sources.map(|data| self.sources.mentions(data)).filter(|mentioned| !mentioned.by.is_empty()).collect()
    }

    /// The sources of both sides.
    fn data(&self) -> impl Iterator<Item = &SourceData> {
        self.base.places.iter().chain(&self.head.places).filter_map(|dependency| dependency.data.as_ref())
    }
}

/// The indexes of the places.
fn by_place(dependencies: &NodeDependencies) -> HashMap<LocationId, usize> {
    dependencies.places.iter().enumerate().map(|(index, dependency)| (dependency.place, index)).collect()
}

fn is_same_source(one: &DataDependency, other: &DataDependency) -> bool {
    let id = |dependency: &DataDependency| dependency.data.as_ref().map(SourceData::id);
    id(one) == id(other) && one.fault == other.fault
}
