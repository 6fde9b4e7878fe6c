//! [`AnswerCache`]: answers by their dependencies, so that nodes share them.
//!
//! The answer for a key depends on the locations that define it, in order, on the lookup options, and on the variables
//! and other keys that the values refer to.

use std::collections::{HashMap, HashSet};

use hieratic::budget::{Budget, Exhausted};
use hieratic::dependencies::NodeDependencies;
use hieratic::hiera::{LocationId, SourceId};
use hieratic::value::Str;
use hieratic::value::ids::{Fingerprint, Id as _, IndexVec};

use super::ids::{AnswerId, KeyId};
use super::pool::Pool;
use super::sources::{ContentMentions, SourceContents};

/// The maximum number of cached answers to one key. If every node has its own answer, caching more of them saves
/// nothing.
const MAX_CACHED_ANSWERS: u16 = 1000;

/// The maximum number of keys that an answer may depend on to be cached.
const MAX_MENTIONED: usize = 256;

/// The approximate size of a cached answer, in bytes.
const CACHED_ANSWER_BYTES: usize = 48;

/// The cached answers. An answer is identified by the fingerprint of its dependencies; `None` inside is a key without a
/// value.
#[derive(Default)]
pub(super) struct AnswerCache {
    answers: HashMap<Fingerprint, Option<AnswerId>>,
    /// The number of cached answers to each key.
    counts: IndexVec<KeyId, u16>,
    bytes: usize,
}

impl AnswerCache {
    pub(super) fn get(&self, dependencies: Fingerprint) -> Option<Option<AnswerId>> {
        self.answers.get(&dependencies).copied()
    }

    /// Caches an answer to a key, if the key does not have many.
    pub(super) fn keep(&mut self, key: KeyId, dependencies: Fingerprint, answer: Option<AnswerId>) {
        let count = self.counts.get_or_grow(key, 0);
        if *count < MAX_CACHED_ANSWERS {
            *count += 1;
            self.bytes += CACHED_ANSWER_BYTES;
            self.answers.insert(dependencies, answer);
        }
    }

    /// Returns the approximate size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A location that defines a key.
#[derive(Clone, Copy, Debug)]
struct KeyOccurrence {
    key: KeyId,
    location: LocationId,
    /// The source that was read there.
    source: SourceId,
}

/// The variables that the data of a node mentions, sorted, with the fingerprints of their values.
pub(super) type VariableValues = Vec<(Str, Fingerprint)>;

/// The dependencies of the answers of one node.
pub(super) struct DependencyIndex<'s> {
    sources: &'s SourceContents,
    values: HashMap<&'s Str, Fingerprint>,
    /// Sorted by key, and in the order of a lookup.
    occurrences: Vec<KeyOccurrence>,
    /// The dependencies of all lookup options; `None` if they depend on other keys.
    options: Option<Fingerprint>,
}

/// The dependencies of an answer.
pub(super) struct AnswerDependencies<'s> {
    /// `None` if they are not completely known.
    pub(super) fingerprint: Option<Fingerprint>,
    /// The variables that the values interpolate, directly or in other keys, as far as they are known; `None` if the
    /// values contain no interpolation.
    pub(super) variables: Option<HashSet<&'s str>>,
    /// The keys that its values mention, and itself if they mention any.
    pub(super) keys: HashSet<KeyId>,
    /// The fingerprint without the values of the variables: equal for nodes whose answers differ in nothing else. `None` if they are not
    /// completely known.
    pub(super) shape: Option<Fingerprint>,
}

impl<'s> DependencyIndex<'s> {
    pub(super) fn new(
        dependencies: &NodeDependencies,
        sources: &'s SourceContents,
        values: &'s VariableValues,
        pool: &Pool,
    ) -> DependencyIndex<'s> {
        let mut occurrences: Vec<KeyOccurrence> = Vec::new();
        for place in &dependencies.places {
            let Some(data) = &place.data else { continue };
            let (location, source) = (place.place, data.id());
            let keys = sources.keys_at(place, pool);
            occurrences.extend(keys.map(|key| KeyOccurrence { key, location, source }));
        }
        // A stable sort keeps the order of the locations.
        occurrences.sort_by_key(|occurrence| occurrence.key);
        let values = values.iter().map(|(name, value)| (name, *value)).collect();
        let mut index = DependencyIndex { sources, values, occurrences, options: None };
        index.options = index.options_fingerprint(dependencies);
        index
    }

    /// Returns the fingerprint of the dependencies of all lookup options of a node; `None` if they depend on other keys.
    pub(super) fn options_of(
        dependencies: &NodeDependencies,
        sources: &'s SourceContents,
        values: &'s VariableValues,
    ) -> Option<Fingerprint> {
        let values = values.iter().map(|(name, value)| (name, *value)).collect();
        let index = DependencyIndex { sources, values, occurrences: Vec::new(), options: None };
        index.options_fingerprint(dependencies)
    }

    /// Returns the keys that the node has.
    pub(super) fn keys(&self) -> impl Iterator<Item = KeyId> {
        self.occurrences.chunk_by(|one, other| one.key == other.key).map(|of_key| of_key[0].key)
    }

    /// Returns the dependencies of the answer to a key.
    pub(super) fn answer(&self, key: KeyId, budget: &Budget) -> Result<AnswerDependencies<'s>, Exhausted> {
        let mut collector =
            Collector { index: self, numbers: Vec::new(), shape: Vec::new(), variables: None, seen: HashSet::new() };
        let are_all = collector.add(key, budget)?;
        let options = self.options.filter(|_| are_all);
        let fingerprint = options.map(|options| Fingerprint::new(&(options, collector.numbers)));
        let shape = options.map(|options| Fingerprint::new(&(options, &collector.shape)));
        Ok(AnswerDependencies { fingerprint, variables: collector.variables, keys: collector.seen, shape })
    }

    fn options_fingerprint(&self, dependencies: &NodeDependencies) -> Option<Fingerprint> {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for place in &dependencies.places {
            let Some(data) = &place.data else { continue };
            let Some(options) = &self.sources.content(data.id()).options else { continue };
            if !options.keys.is_empty() {
                return None;
            }
            places.push((place.place, data.id()));
            values.extend(options.variables.iter().map(|name| self.value(name)));
        }
        Some(Fingerprint::new(&(places, values)))
    }

    fn occurrences_of(&self, key: KeyId) -> &[KeyOccurrence] {
        let start = self.occurrences.partition_point(|occurrence| occurrence.key < key);
        let rest = &self.occurrences[start..];
        let count = rest.iter().take_while(|occurrence| occurrence.key == key).count();
        &rest[..count]
    }

    /// Returns the fingerprint of the value of a variable that a source of the node mentions.
    fn value(&self, name: &Str) -> Fingerprint {
        self.values[name]
    }
}

/// Collects the dependencies of an answer.
struct Collector<'i, 's> {
    index: &'i DependencyIndex<'s>,
    /// For each key, its id, the number of its locations, the locations with their sources, and the values that it
    /// mentions.
    numbers: Vec<u64>,
    /// These numbers without the values of variables.
    shape: Vec<u64>,
    variables: Option<HashSet<&'s str>>,
    /// The keys that are mentioned so far: each counts once.
    seen: HashSet<KeyId>,
}

impl<'s> Collector<'_, 's> {
    /// Adds a key, and all keys that its values mention. Returns false if they are too many.
    fn add(&mut self, key: KeyId, budget: &Budget) -> Result<bool, Exhausted> {
        let mut open = Vec::new();
        let mut next = Some(key);
        while let Some(key) = next {
            budget.step()?;
            let occurrences = self.index.occurrences_of(key);
            let start = self.numbers.len();
            self.numbers.extend([u64::from(key.as_u32()), occurrences.len() as u64]);
            for occurrence in occurrences {
                self.numbers.extend([occurrence.location.as_u64(), occurrence.source.as_u64()]);
            }
            self.shape.extend_from_slice(&self.numbers[start..]);
            for occurrence in occurrences {
                let content = self.index.sources.content(occurrence.source);
                let Some(ContentMentions { keys, variables }) = content.mentions.get(&key) else { continue };
                self.seen.insert(key);
                self.variables.get_or_insert_default().extend(variables.iter().map(|name| &**name));
                self.numbers.extend(variables.iter().flat_map(|name| self.index.value(name).halves()));
                open.extend(keys.iter().copied().filter(|key| self.seen.insert(*key)));
            }
            if self.seen.len() > MAX_MENTIONED {
                return Ok(false);
            }
            next = open.pop();
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hieratic::value::{Hash, Value};
    use hieratic::{Environment, Facts, Settings};

    use super::*;

    /// Returns the fingerprints of the answers to all keys on a node with a name and a role.
    fn fingerprints(
        environment: &Environment,
        (pool, sources): &mut (Pool, SourceContents),
        [name, role]: [&str; 2],
    ) -> HashMap<Arc<str>, Fingerprint> {
        let facts: Hash = [("role", Value::from(role))].into_iter().collect();
        let node = environment.node(&Facts::new(Some(name), facts)).unwrap();
        let dependencies = node.dependencies(&Budget::default()).unwrap();
        sources.read(&dependencies, pool).unwrap();
        let valued = |name: Str| {
            let value = Fingerprint::new(&node.mentioned(&name));
            (name, value)
        };
        let values: VariableValues = sources.variables(&dependencies).into_iter().map(valued).collect();
        let index = DependencyIndex::new(&dependencies, sources, &values, pool);
        let fingerprint = |key| index.answer(key, &Budget::default()).unwrap().fingerprint.unwrap();
        index.keys().map(|key| (pool.keys[key].clone(), fingerprint(key))).collect()
    }

    #[test]
    fn an_answer_depends_on_all_that_its_values_mention() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("environment.conf", "");
        write(
            "hiera.yaml",
            "version: 5\nhierarchy: [{name: Nodes, path: 'nodes/%{trusted.certname}.yaml'}, {name: Common, path: c.yaml}]\n",
        );
        write(
            "data/c.yaml",
            "plain: 1\nfirst: '%{lookup(\"second\")}'\nsecond: '%{lookup(\"third\")}'\nthird: '%{facts.role}'\n\
             one: '%{lookup(\"other\")}'\nother: '%{lookup(\"one\")}'\n",
        );
        write("data/nodes/n2.yaml", "own: 1\n");
        write("data/nodes/n3.yaml", "third: x\n");
        let mut shared = (Pool::default(), SourceContents::default());
        // Files that were written just now are read again by each node, as other sources.
        let settings = Settings { once: true, ..Settings::discover(folder.path()) };
        let environment = Environment::open(&settings).unwrap();
        let mut of = |node: [&str; 2]| fingerprints(&environment, &mut shared, node);
        let [base, same, own, role] = [["n1", "web"], ["n2", "web"], ["n3", "web"], ["n4", "db"]].map(&mut of);
        let differing = |node: &HashMap<Arc<str>, Fingerprint>| {
            let mut keys: Vec<&str> =
                base.iter().filter(|(key, known)| node[*key] != **known).map(|(key, _)| &**key).collect();
            keys.sort_unstable();
            keys.join(" ")
        };
        assert_eq!((base.len(), same.len()), (6, 7));
        assert_eq!([&same, &own, &role].map(differing), ["", "first second third", "first second third"]);
        // Cycles end.
        assert_ne!(base["one"], base["other"]);
    }
}
