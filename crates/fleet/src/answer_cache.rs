//! [`AnswerCache`]: a cache of answers by their dependencies, for all nodes.
//!
//! Few nodes are equal in everything, but most of their answers are. The answer for a key depends on the locations that
//! define it, in order, on the lookup options, and on the variables and other keys that the values refer to. All of
//! this together is the recipe of an answer. Recipes are compared as a whole, not by hash, so there are no collisions.
//!
//! Most nodes read the same files and one further file. The common files are analyzed once for all of them, as a
//! [`SharedFilesIndex`]: answers without variables are found at once, and a node's own file only affects its keys and
//! the keys whose values refer to them.

use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hieratic::dependencies::{DataDependency, NodeDependencies, SourceData};
use hieratic::hiera::{LocationId, SourceId};
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::define_ids;
use hieratic::value::ids::{Fingerprint, Id as _, IndexVec, Interner, TooManyIds};
use hieratic::{Error, Node};

use crate::inserted::{InsertedVariables, NodeTexts};
use crate::node_query::{HashedStr, NodeQuery};
use crate::rows::{NodeRows, Row};

/// The maximum size of the cached answers, in bytes.
const MAX_CACHED: usize = 256 << 20;

/// The maximum number of cached answers for one key.
const MAX_ANSWERS_PER_KEY: u32 = 512;

/// The number of answers for one key that are cached before any of them has to be reused.
const TRIAL_ANSWERS: u32 = 64;

/// The inverse of the minimum reuse rate from then on. Below it, each node has its own answer, and computing its
/// dependencies takes as long as a lookup.
const MAX_ANSWERS_PER_REUSE: u32 = 8;

/// The maximum number of keys of all sources whose mentions are cached, unless those of several nodes have more.
const MAX_SOURCE_KEYS: usize = 1 << 19;

/// The maximum number of keys in the files of all cached bases. A key counts for each of the files.
const MAX_KEYS: usize = 1 << 21;

/// The maximum number of keys that an answer may depend on to be shared.
const MAX_MENTIONED: usize = 256;

define_ids! {
    /// The id of a key of any source.
    pub(crate) struct KeyId: "keys";
    /// The position of a key in its source.
    struct KeyPosition: "keys of a source";
    /// The position of a source among the sources of a node.
    struct NodeSourceId: "sources of a node";
    /// The position of a source among the common sources of a node.
    struct CommonSourceId: "common sources of a node";
}

/// The dependencies of an answer, as numbers. Each list is preceded by its length or by something that determines it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct DependencyList(Vec<u64>);

impl DependencyList {
    fn add_length(&mut self, length: usize) {
        self.0.push(length as u64);
    }

    fn add_key(&mut self, key: KeyId) {
        self.0.push(key.index() as u64);
    }

    /// Adds a location, and the source that was read there.
    fn add_source(&mut self, location: LocationId, source: SourceId) {
        self.0.extend([location.as_u64(), source.as_u64()]);
    }

    fn add_value(&mut self, value: Fingerprint) {
        self.0.extend(value.halves());
    }
}

/// A cache of recently used answers.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache {
    sources: RwLock<CachedSources>,
    keys: Mutex<Interner<KeyId, Str>>,
    bases: RwLock<SharedFilesIndexes>,
    known: RwLock<CachedAnswers>,
    variables: InsertedVariables,
}

/// The contents of sources.
#[derive(Debug, Default)]
struct CachedSources {
    by_id: HashMap<SourceId, Arc<SourceIndex>>,
    /// The number of their keys. A source counts for one more.
    keys: usize,
    /// The number of keys of those that several nodes have read, when the others were forgotten last.
    common_keys: usize,
}

#[derive(Debug, Default)]
struct CachedAnswers {
    answers: HashMap<Box<[u64]>, Option<Arc<Row>>>,
    of_keys: HashMap<KeyId, KeyUsage>,
    weight: usize,
}

/// The answers to one key.
#[derive(Debug, Default)]
struct KeyUsage {
    count: u32,
    /// The number of times that one of them was reused.
    reused: AtomicU32,
}

/// The content of a data source.
#[derive(Debug)]
pub(crate) struct SourceIndex {
    /// The keys that can be looked up, sorted.
    keys: IndexVec<KeyPosition, (KeyId, Str)>,
    /// The mentions of the keys whose values have any.
    mentioned: HashMap<KeyId, MentionedNames>,
    /// The mentions of the lookup options, or `None` without options.
    options: Option<MentionedNames>,
    /// All variables that are mentioned, sorted.
    variables: Vec<Str>,
    /// The number of nodes that have read it.
    readers: AtomicUsize,
}

#[derive(Debug, Default)]
struct MentionedNames {
    keys: Vec<KeyId>,
    variables: Vec<Str>,
}

impl AnswerCache {
    /// Returns the content of a source.
    pub(crate) fn source(&self, data: &SourceData) -> Result<Arc<SourceIndex>, TooManyIds> {
        if let Some(known) = read(&self.sources).by_id.get(&data.id()) {
            return Ok(known.clone());
        }
        let index = Arc::new(self.read(data)?);
        Ok(write(&self.sources).keep(data.id(), index))
    }

    fn read(&self, data: &SourceData) -> Result<SourceIndex, TooManyIds> {
        let mut names: Vec<&Str> = data.keys().collect();
        names.sort_unstable();
        let mut all_keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let mut id_of = |name: &Str| -> Result<KeyId, TooManyIds> { Ok(all_keys.intern(name, Str::clone)?.0) };
        // Keys get ids in order, so that the keys of most nodes are sorted by id.
        let keys = names.into_iter().map(|name| Ok((id_of(name)?, name.clone())));
        let keys: Vec<(KeyId, Str)> = keys.collect::<Result<_, TooManyIds>>()?;
        let mut mentioned = HashMap::default();
        let mut options = None;
        let mut variables = HashSet::default();
        for (key, name) in &keys {
            let mentions = data.mentions(name);
            variables.extend(mentions.variables.iter().cloned());
            let keys = mentions.keys.iter().map(&mut id_of).collect::<Result<_, TooManyIds>>()?;
            let names = MentionedNames { keys, variables: mentions.variables };
            if &**name == Node::OPTIONS_KEY {
                options = Some(names);
            } else if !names.keys.is_empty() || !names.variables.is_empty() {
                mentioned.insert(*key, names);
            }
        }
        let mut variables: Vec<Str> = variables.into_iter().collect();
        variables.sort_unstable();
        let keys = keys.into_iter().filter(|(_, name)| &**name != Node::OPTIONS_KEY);
        Ok(SourceIndex {
            keys: IndexVec::from_elements(keys)?,
            mentioned,
            options,
            variables,
            readers: AtomicUsize::new(0),
        })
    }

    /// Returns the rows of a node, and the number of keys looked up. `None` if the dependencies of its answers are
    /// unknown.
    ///
    /// # Errors
    /// The sources have too many keys, or the budget of the node is exhausted.
    pub(crate) fn rows(
        &self,
        asking: &NodeQuery<'_>,
        dependencies: &NodeDependencies,
        variables: &Variables,
    ) -> Result<Option<(NodeRows, u64)>, Error> {
        if dependencies.asks_code || dependencies.places.iter().any(|place| place.fault.is_some()) {
            return Ok(None);
        }
        let places = NodeSources::new(self, dependencies, variables)?;
        let Some(options) = places.options() else { return Ok(None) };
        let base = self.base(&places, &options, asking)?;
        let view = NodeIndex::new(places, &base)?;
        let own = view.own_keys(asking);
        // Unknown answers leave a gap.
        let mut rows: Vec<Option<Arc<Row>>> = Vec::with_capacity(base.keys.len() + own.len());
        let mut missing: Vec<MissingAnswer<'_>> = Vec::new();
        let mut texts = NodeTexts::default();
        let known = read(&self.known);
        for (key, is_own) in merged(&base.keys, &own) {
            let at = rows.len();
            rows.push(None);
            let slot = match &key.dependence {
                Dependence::Fixed(slot) if !is_own => Some(slot),
                _ => None,
            };
            if let Some(row) = slot.and_then(OnceLock::get) {
                rows[at].clone_from(row);
                continue;
            }
            let text = match &key.dependence {
                Dependence::Varying(text) if !is_own => Some(text),
                _ => None,
            };
            if let Some(Some(row)) = text.and_then(OnceLock::get)
                && let Some(text) = &row.text
                && texts.are_known(text, asking.node)?
            {
                rows[at] = Some(row.clone());
                continue;
            }
            // If each node has its own answer, the cache is not searched.
            let is_shared = (is_own || !matches!(key.dependence, Dependence::Unknown)) && known.is_worthwhile(key.id);
            let recipe = if is_shared { view.dependencies_of(key.id, &options) } else { None };
            match recipe.as_deref().and_then(|recipe| known.get(key.id, recipe)) {
                Some(row) => {
                    rows[at].clone_from(row);
                    // Two cores may have come here at once, with the same.
                    slot.map(|slot| slot.set(row.clone()));
                }
                None => missing.push(MissingAnswer { at, key, slot, text, recipe }),
            }
        }
        drop(known);
        let mut new_answers = Vec::new();
        for MissingAnswer { at, key, slot, text, recipe } in missing {
            let row = asking.row(&key.name);
            asking.check()?;
            let is_own = slot.is_none() && recipe.is_none();
            let row = row.map(|row| Arc::new(Row { is_own, ..row }));
            if let (Some(slot), Some(row)) = (text.filter(|slot| slot.get().is_none()), &row)
                && let Some(text_row) = asking.as_text(row, &mut texts, &self.variables)?.map(Arc::new)
            {
                // Two cores may have come here at once, with the same.
                rows[at] = Some(slot.get_or_init(|| Some(text_row.clone())).clone().unwrap_or(text_row));
                continue;
            }
            if let Some(slot) = text {
                // If a value is not a string on one node, no other node is tried.
                let _ = slot.set(None);
            }
            // Another thread may have looked it up at the same time.
            let row = match slot {
                Some(slot) => slot.get_or_init(|| row).clone(),
                None => row,
            };
            if let Some(recipe) = recipe {
                new_answers.push(NewAnswer { key: key.id, recipe, row: row.clone() });
            }
            rows[at] = row;
        }
        if !new_answers.is_empty() {
            write(&self.known).keep(new_answers);
        }
        let count = rows.len() as u64;
        let rows = rows.into_iter().flatten().collect();
        Ok(Some((NodeRows { rows, texts: Arc::new(texts), facts: None }, count)))
    }

    /// Returns the analysis of a node's common files. All nodes of a cache select the same keys.
    fn base(
        &self,
        places: &NodeSources<'_>,
        options: &DependencyList,
        asking: &NodeQuery<'_>,
    ) -> Result<Arc<SharedFilesIndex>, TooManyIds> {
        let mut name = options.clone();
        places.common().for_each(|place| name.add_source(place.dependency.place, place.id));
        if let Some(known) = read(&self.bases).by_name.get(&name) {
            return Ok(known.clone());
        }
        let index = Arc::new(SharedFilesIndex::new(places, asking)?);
        let mut bases = write(&self.bases);
        if bases.keys + index.locations.len() > MAX_KEYS {
            *bases = SharedFilesIndexes::default();
        }
        bases.keys += index.locations.len();
        Ok(bases.by_name.entry(name).or_insert(index).clone())
    }
}

/// An answer with its dependencies.
struct NewAnswer {
    key: KeyId,
    recipe: Box<[u64]>,
    row: Option<Arc<Row>>,
}

/// A key that has to be looked up, and the slot of its answer.
struct MissingAnswer<'m> {
    /// The index of the row among those of the node.
    at: usize,
    key: &'m BaseKey,
    slot: Option<&'m OnceLock<Option<Arc<Row>>>>,
    /// The place of its row with variables, if only common files define the key.
    text: Option<&'m OnceLock<Option<Arc<Row>>>>,
    recipe: Option<Box<[u64]>>,
}

impl CachedSources {
    /// Keeps the content of a source. If there are too many keys, sources that one node alone has read are forgotten.
    fn keep(&mut self, id: SourceId, index: Arc<SourceIndex>) -> Arc<SourceIndex> {
        if self.keys > MAX_SOURCE_KEYS.max(2 * self.common_keys) {
            self.by_id.retain(|_, source| source.readers.load(Ordering::Relaxed) > 1);
            self.keys = self.by_id.values().map(|source| source.weight()).sum();
            self.common_keys = self.keys;
        }
        let weight = index.weight();
        match self.by_id.entry(id) {
            // Another thread may have read it at the same time.
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                self.keys += weight;
                new.insert(index).clone()
            }
        }
    }
}

impl SourceIndex {
    /// The number of its keys, and one for itself.
    fn weight(&self) -> usize {
        self.keys.len() + 1
    }
}

impl CachedAnswers {
    /// Returns whether answers to a key are cached.
    fn is_worthwhile(&self, key: KeyId) -> bool {
        self.of_keys.get(&key).is_none_or(|kept| {
            let is_tried =
                kept.count < TRIAL_ANSWERS || kept.reused.load(Ordering::Relaxed) >= kept.count / MAX_ANSWERS_PER_REUSE;
            is_tried && kept.count < MAX_ANSWERS_PER_KEY
        })
    }

    /// Returns the cached answer with these dependencies.
    fn get(&self, key: KeyId, recipe: &[u64]) -> Option<&Option<Arc<Row>>> {
        let found = self.answers.get(recipe)?;
        if let Some(kept) = self.of_keys.get(&key) {
            kept.reused.fetch_add(1, Ordering::Relaxed);
        }
        Some(found)
    }

    fn keep(&mut self, answers: Vec<NewAnswer>) {
        for NewAnswer { key, recipe, row } in answers {
            let kept = self.of_keys.entry(key).or_default();
            if kept.count >= MAX_ANSWERS_PER_KEY {
                continue;
            }
            kept.count += 1;
            self.weight += size_of_val(&*recipe) + row.as_ref().map_or(0, |row| row.size());
            self.answers.entry(recipe).or_insert(row);
        }
        if self.weight > MAX_CACHED {
            *self = CachedAnswers::default();
        }
    }
}

/// The recently used bases, by the identity of their files.
#[derive(Debug, Default)]
struct SharedFilesIndexes {
    by_name: HashMap<DependencyList, Arc<SharedFilesIndex>>,
    /// The number of keys in all their files.
    keys: usize,
}

/// An analysis of the files that many nodes read.
#[derive(Debug, Default)]
struct SharedFilesIndex {
    /// The selected keys, sorted by their names.
    keys: Vec<BaseKey>,
    /// The keys that the files have, sorted.
    locations: Vec<KeyLocation<CommonSourceId>>,
    /// For each key that values mention, directly or by way of others: the keys with these values.
    mentioned_by: HashMap<KeyId, Vec<KeyId>>,
}

#[derive(Debug)]
struct BaseKey {
    id: KeyId,
    name: HashedStr,
    dependence: Dependence,
}

/// The kind of a key's dependencies, if only common files define it.
#[derive(Debug)]
enum Dependence {
    /// No variables, so the answer is the same for all nodes. `None` inside if there is no value.
    Fixed(OnceLock<Option<Arc<Row>>>),
    /// With variables. The row that nodes share if its value is a string that only inserts them; `None` inside if not.
    Varying(OnceLock<Option<Arc<Row>>>),
    /// The dependencies are unknown.
    Unknown,
}

/// Merges the keys of common files and of a node's own in the order of their names, with whether each is the node's
/// own. A key in both counts as its own.
fn merged<'k>(common: &'k [BaseKey], own: &'k [BaseKey]) -> impl Iterator<Item = (&'k BaseKey, bool)> {
    let mut done = 0;
    // A node has few keys that are only its own.
    own.iter().map(Some).chain([None]).flat_map(move |own| {
        let rest = &common[done..];
        let before = own.map_or(rest.len(), |own| rest.partition_point(|key| key.name.text < own.name.text));
        let (before, after) = rest.split_at(before);
        let is_in_both = own.zip(after.first()).is_some_and(|(own, next)| own.id == next.id);
        done += before.len() + usize::from(is_in_both);
        before.iter().map(|key| (key, false)).chain(own.map(|own| (own, true)))
    })
}

/// The variables that the data of a node mentions, sorted, with the fingerprints of their values.
#[derive(Debug, Hash)]
pub(crate) struct Variables(Vec<(Str, Fingerprint)>);

impl Variables {
    /// # Errors
    /// The sources have too many keys.
    pub(crate) fn new(
        shared: &AnswerCache,
        node: &Node,
        dependencies: &NodeDependencies,
    ) -> Result<Variables, TooManyIds> {
        let mut seen = HashSet::default();
        let sources = dependencies.places.iter().filter_map(|dependency| dependency.data.as_ref());
        let mut names: Vec<Str> = Vec::new();
        for source in sources.filter(|source| seen.insert(source.id())) {
            names.extend(shared.source(source)?.variables.iter().cloned());
        }
        names.sort_unstable();
        names.dedup();
        let valued = |name: Str| {
            let value = Fingerprint::new(&node.mentioned(&name));
            (name, value)
        };
        Ok(Variables(names.into_iter().map(valued).collect()))
    }
}

/// A key that a source has. The source is given by its position in some list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KeyLocation<S> {
    key: KeyId,
    place: S,
    at: KeyPosition,
}

/// The holders of a key among all, which are sorted.
fn locations_of<S>(all: &[KeyLocation<S>], key: KeyId) -> &[KeyLocation<S>] {
    let start = all.partition_point(|location| location.key < key);
    let locations = all.get(start..).unwrap_or_default();
    &locations[..locations.partition_point(|location| location.key == key)]
}

/// A source of a node.
struct SourceLocation<'v> {
    dependency: &'v DataDependency,
    id: SourceId,
    source: Arc<SourceIndex>,
    /// Whether other nodes read it, too.
    is_common: bool,
}

impl SourceLocation<'_> {
    /// Returns the keys that a lookup finds here.
    fn keys(&self) -> impl Iterator<Item = (KeyPosition, KeyId)> {
        let module = self.dependency.module.as_deref();
        let is_inside = move |name: &str| match module {
            Some(module) => name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")),
            None => true,
        };
        let keys = self.source.keys.entries().filter(move |(_, (_, name))| is_inside(name));
        keys.map(|(at, (key, _))| (at, *key))
    }

    /// Returns the name of a key of this source.
    fn name_at(&self, at: KeyPosition) -> &Str {
        &self.source.keys[at].1
    }
}

/// The sources of one node, in the order of a lookup.
struct NodeSources<'v> {
    places: IndexVec<NodeSourceId, SourceLocation<'v>>,
    /// The fingerprints of all variables that the sources mention.
    values: HashMap<&'v Str, Fingerprint>,
}

impl<'v> NodeSources<'v> {
    fn new(
        shared: &AnswerCache,
        dependencies: &'v NodeDependencies,
        variables: &'v Variables,
    ) -> Result<NodeSources<'v>, TooManyIds> {
        let mut places = IndexVec::new();
        for dependency in &dependencies.places {
            let Some(data) = &dependency.data else { continue };
            let source = shared.source(data)?;
            let is_common = source.readers.fetch_add(1, Ordering::Relaxed) > 0;
            places.push(SourceLocation { dependency, id: data.id(), source, is_common })?;
        }
        Ok(NodeSources { places, values: variables.0.iter().map(|(name, value)| (name, *value)).collect() })
    }

    fn common(&self) -> impl Iterator<Item = &SourceLocation<'v>> {
        self.places.iter().filter(|place| place.is_common)
    }

    /// Returns the dependencies of the lookup options, or `None` if they are unknown.
    fn options(&self) -> Option<DependencyList> {
        let mut sources = DependencyList::default();
        for place in &self.places {
            let Some(options) = &place.source.options else { continue };
            if !options.keys.is_empty() {
                return None;
            }
            sources.add_source(place.dependency.place, place.id);
            self.add_values(options, &mut sources);
        }
        let mut recipe = DependencyList::default();
        recipe.add_length(sources.0.len());
        recipe.0.append(&mut sources.0);
        Some(recipe)
    }

    fn add_values(&self, mentioned: &MentionedNames, recipe: &mut DependencyList) {
        // All variables that the sources of the node mention have values here.
        mentioned.variables.iter().for_each(|variable| recipe.add_value(self.values[variable]));
    }
}

impl SharedFilesIndex {
    /// Analyzes the common files of a node.
    fn new(places: &NodeSources<'_>, asking: &NodeQuery<'_>) -> Result<SharedFilesIndex, TooManyIds> {
        let common: IndexVec<CommonSourceId, &SourceLocation<'_>> = IndexVec::from_elements(places.common())?;
        let mut locations = Vec::new();
        for (place, common) in common.entries() {
            locations.extend(common.keys().map(|(at, key)| KeyLocation { key, place, at }));
        }
        // The keys of each place are mostly in order already.
        locations.sort();
        let mut base = SharedFilesIndex { locations, ..SharedFilesIndex::default() };
        let mut keys = Vec::new();
        for of_key in base.locations.chunk_by(|one, other| one.key == other.key) {
            // The locations were made from the same list, and none of its parts is empty.
            let KeyLocation { key: id, place, at } = of_key[0];
            let name: HashedStr = common[place].name_at(at).clone().into();
            // Keys that are not selected may mention others, but nobody asks for them.
            if !asking.is_selected(&name.text) {
                continue;
            }
            let dependence = match base.reach(&common, id) {
                None => Dependence::Unknown,
                Some(reached) => {
                    for key in reached.keys {
                        base.mentioned_by.entry(key).or_default().push(id);
                    }
                    let slot = OnceLock::new();
                    if reached.has_variables { Dependence::Varying(slot) } else { Dependence::Fixed(slot) }
                }
            };
            keys.push(BaseKey { id, name, dependence });
        }
        keys.sort_by(|one, other| one.name.text.cmp(&other.name.text));
        Ok(SharedFilesIndex { keys, ..base })
    }

    /// Follows the mentions of a key in common files; `None` if they lead to too many keys.
    fn reach(&self, common: &IndexVec<CommonSourceId, &SourceLocation<'_>>, key: KeyId) -> Option<TransitiveMentions> {
        let mut reached = TransitiveMentions::default();
        let mut open = Vec::new();
        let mut next = Some(key);
        while let Some(key) = next {
            let places = locations_of(&self.locations, key).iter().map(|location| common[location.place]);
            for mentioned in places.filter_map(|place| place.source.mentioned.get(&key)) {
                reached.has_variables |= !mentioned.variables.is_empty();
                open.extend(mentioned.keys.iter().copied().filter(|key| reached.keys.insert(*key)));
            }
            if reached.keys.len() > MAX_MENTIONED {
                return None;
            }
            next = open.pop();
        }
        Some(reached)
    }
}

/// An index of the sources of one node.
struct NodeIndex<'v> {
    places: NodeSources<'v>,
    /// The analysis of the sources that other nodes read, too.
    base: &'v SharedFilesIndex,
    /// The source of the node for each common source.
    common: IndexVec<CommonSourceId, NodeSourceId>,
    /// The keys that the other places have, sorted.
    own: Vec<KeyLocation<NodeSourceId>>,
}

impl<'v> NodeIndex<'v> {
    fn new(places: NodeSources<'v>, base: &'v SharedFilesIndex) -> Result<NodeIndex<'v>, TooManyIds> {
        let (mut common, mut own) = (IndexVec::new(), Vec::new());
        for (place, source) in places.places.entries() {
            if source.is_common {
                common.push(place)?;
            } else {
                own.extend(source.keys().map(|(at, key)| KeyLocation { key, place, at }));
            }
        }
        own.sort();
        Ok(NodeIndex { places, base, common, own })
    }

    /// The places that have a key, in their order, and where in their sources it is.
    fn holders(&self, key: KeyId) -> Vec<(&SourceLocation<'v>, KeyPosition)> {
        // The base is found by the identities of the common places, in order: it has as many as the node.
        let common = locations_of(&self.base.locations, key).iter();
        let common = common.map(|location| (self.common[location.place], location.at));
        let own = locations_of(&self.own, key).iter().map(|location| (location.place, location.at));
        let mut all: Vec<(NodeSourceId, KeyPosition)> = common.chain(own).collect();
        all.sort_unstable();
        all.into_iter().map(|(place, at)| (&self.places.places[place], at)).collect()
    }

    /// Returns the selected keys of files that are not common, and those that mention them, sorted by name.
    fn own_keys(&self, asking: &NodeQuery<'_>) -> Vec<BaseKey> {
        let mut ids: HashSet<KeyId> = self.own.iter().map(|location| location.key).collect();
        let mentioning: Vec<KeyId> =
            ids.iter().filter_map(|key| self.base.mentioned_by.get(key)).flatten().copied().collect();
        ids.extend(mentioning);
        let mut keys: Vec<BaseKey> = ids
            .into_iter()
            .filter_map(|id| {
                let locations = self.holders(id);
                let (place, at) = locations.first()?;
                let name = place.name_at(*at);
                asking.is_selected(name).then(|| BaseKey {
                    id,
                    name: name.clone().into(),
                    dependence: Dependence::Varying(OnceLock::new()),
                })
            })
            .collect();
        keys.sort_by(|one, other| one.name.text.cmp(&other.name.text));
        keys
    }

    /// Returns the dependencies of the answer to a key, or `None` if it depends on too many keys.
    fn dependencies_of(&self, key: KeyId, options: &DependencyList) -> Option<Box<[u64]>> {
        let mut recipe = options.clone();
        // Each key counts once, whatever mentions it.
        let mut seen = HashSet::default();
        let mut open = Vec::new();
        let mut next = Some(key);
        while let Some(key) = next {
            let locations = self.holders(key);
            recipe.add_key(key);
            recipe.add_length(locations.len());
            locations.iter().for_each(|(place, _)| recipe.add_source(place.dependency.place, place.id));
            for mentioned in locations.iter().filter_map(|(place, _)| place.source.mentioned.get(&key)) {
                self.places.add_values(mentioned, &mut recipe);
                seen.insert(key);
                open.extend(mentioned.keys.iter().copied().filter(|key| seen.insert(*key)));
            }
            if seen.len() > MAX_MENTIONED {
                return None;
            }
            next = open.pop();
        }
        Some(recipe.0.into())
    }
}

/// The transitive mentions of a key.
#[derive(Default)]
struct TransitiveMentions {
    keys: HashSet<KeyId>,
    has_variables: bool,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
