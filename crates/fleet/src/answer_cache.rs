//! [`AnswerCache`]: a cache of answers by their dependencies, for all nodes.
//!
//! Few nodes are equal in everything, but most of their answers are. The answer to a key depends on the locations that
//! define it, in their order, on the lookup options, and on what the values mention: variables, and other keys, whose
//! answers have the same kinds of dependencies. All of this together is the recipe of an answer. Recipes are compared
//! as a whole, not by hash, so there are no collisions.
//!
//! Most nodes read the same files and one further file. The common files are analyzed once for all of them, as a
//! [`SharedFilesIndex`]: answers that depend on no variable are found at once, and a node's own file only affects the keys that it
//! defines, and those whose values mention them.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hieratic::value::Str;
use hieratic::{DataDependency, Node, NodeDependencies, SourceData, fingerprint_of};
use hieratic_value::collections::{HashMap, HashSet};

use crate::node_query::{HashedStr, NodeQuery};
use crate::rows::{Row, Rows};

/// The maximum size of the cached answers, in bytes.
const MAX_CACHED: usize = 256 << 20;

/// The maximum number of cached answers for one key.
const MAX_ANSWERS_PER_KEY: u32 = 512;

/// The number of answers for one key that are cached before any of them has to be reused.
const TRIAL_ANSWERS: u32 = 64;

/// The inverse of the minimum reuse rate from then on. Below it, each node has its own answer, and computing its
/// dependencies takes as long as a lookup.
const MAX_ANSWERS_PER_REUSE: u32 = 8;

/// The maximum number of sources whose mentions are cached.
const MAX_SOURCES: usize = 20_000;

/// The maximum number of keys in the files of all cached bases. A key counts for each of the files.
const MAX_KEYS: usize = 1 << 21;

/// The maximum depth of keys that mention each other.
const MAX_DEPTH: usize = 16;

/// The dependencies of an answer. Sources, locations and keys are represented by ids, and each list is preceded by its
/// length or by something that determines it.
type DependencyList = Vec<u64>;

/// A cache of recently used answers.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache {
    sources: RwLock<HashMap<u64, Arc<SourceIndex>>>,
    names: Mutex<HashMap<Str, u32>>,
    bases: RwLock<SharedFilesIndexes>,
    known: RwLock<CachedAnswers>,
}

#[derive(Debug, Default)]
struct CachedAnswers {
    answers: HashMap<Box<[u64]>, Option<Arc<Row>>>,
    of_keys: HashMap<u32, KeyUsage>,
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
    keys: Vec<(u32, Str)>,
    /// The mentions of the keys whose values have any.
    mentioned: HashMap<u32, MentionedNames>,
    /// The mentions of the lookup options, or `None` without options.
    options: Option<MentionedNames>,
    /// All variables that are mentioned, sorted.
    variables: Vec<Str>,
    /// The number of nodes that have read it.
    readers: AtomicUsize,
}

#[derive(Debug, Default)]
struct MentionedNames {
    keys: Vec<u32>,
    variables: Vec<Str>,
}

impl AnswerCache {
    /// Returns the content of a source.
    pub(crate) fn source(&self, data: &SourceData) -> Arc<SourceIndex> {
        if let Some(known) = read(&self.sources).get(&data.id()) {
            return known.clone();
        }
        let made = Arc::new(self.read(data));
        let mut sources = write(&self.sources);
        if sources.len() >= MAX_SOURCES {
            sources.clear();
        }
        sources.entry(data.id()).or_insert(made).clone()
    }

    fn read(&self, data: &SourceData) -> SourceIndex {
        let mut keys: Vec<&Str> = data.keys().collect();
        keys.sort_unstable();
        let mut names = self.names();
        // Keys get ids in order, so that the keys of most nodes are sorted by id.
        let keys: Vec<(u32, Str)> = keys.into_iter().map(|key| (number(&mut names, key), key.clone())).collect();
        let mut source = SourceIndex {
            keys,
            mentioned: HashMap::default(),
            options: None,
            variables: Vec::new(),
            readers: AtomicUsize::new(0),
        };
        let mut all = HashSet::default();
        for (key, name) in &source.keys {
            let mentions = data.mentions(name);
            all.extend(mentions.variables.iter().cloned());
            let keys = mentions.keys.iter().map(|key| number(&mut names, key)).collect();
            let mentioned = MentionedNames { keys, variables: mentions.variables };
            if &**name == Node::OPTIONS_KEY {
                source.options = Some(mentioned);
            } else if !mentioned.keys.is_empty() || !mentioned.variables.is_empty() {
                source.mentioned.insert(*key, mentioned);
            }
        }
        source.keys.retain(|(_, name)| &**name != Node::OPTIONS_KEY);
        source.variables = all.into_iter().collect();
        source.variables.sort_unstable();
        source
    }

    /// Returns the rows of a node, and the number of keys looked up. `None` if the dependencies of its answers are
    /// unknown.
    pub(crate) fn rows(
        &self,
        asking: &NodeQuery<'_>,
        footprint: &NodeDependencies,
        variables: &Variables,
    ) -> Option<(Rows, u64)> {
        if footprint.asks_code || footprint.places.iter().any(|place| place.fault.is_some()) {
            return None;
        }
        let places = NodeSources::new(self, footprint, variables);
        let options = places.options()?;
        let base = self.base(&places, &options);
        let view = NodeIndex::new(places, &base);
        let own = view.own_keys();
        // Unknown answers leave a gap.
        let mut rows: Vec<Option<Arc<Row>>> = Vec::with_capacity(base.keys.len() + own.len());
        let mut missing: Vec<MissingAnswer<'_>> = Vec::new();
        let known = read(&self.known);
        for (key, is_own) in merged(&base.keys, &own) {
            if !asking.is_selected(&key.name.text) {
                continue;
            }
            let at = rows.len();
            rows.push(None);
            let slot = match &key.made {
                Dependence::Fixed(slot) if !is_own => Some(slot),
                _ => None,
            };
            if let Some(row) = slot.and_then(OnceLock::get) {
                rows[at].clone_from(row);
                continue;
            }
            // If each node has its own answer, the cache is not searched.
            let is_shared = (is_own || !matches!(key.made, Dependence::Unknown)) && known.is_worthwhile(key.number);
            let recipe = if is_shared { view.dependencies_of(key.number, &options) } else { None };
            match recipe.as_deref().and_then(|recipe| known.get(key.number, recipe)) {
                Some(row) => {
                    rows[at].clone_from(row);
                    // Two cores may have come here at once, with the same.
                    slot.map(|slot| slot.set(row.clone()));
                }
                None => missing.push(MissingAnswer { at, key, slot, recipe }),
            }
        }
        drop(known);
        let mut made = Vec::new();
        for MissingAnswer { at, key, slot, recipe } in missing {
            let row = asking.row(&key.name).map(Arc::new);
            // Another thread may have looked it up at the same time.
            let row = match slot {
                Some(slot) => slot.get_or_init(|| row).clone(),
                None => row,
            };
            if let Some(recipe) = recipe {
                made.push(NewAnswer { key: key.number, recipe, row: row.clone() });
            }
            rows[at] = row;
        }
        if !made.is_empty() {
            write(&self.known).keep(made);
        }
        let asked = rows.len() as u64;
        Some((rows.into_iter().flatten().collect(), asked))
    }

    /// Returns the analysis of a node's common files.
    fn base(&self, places: &NodeSources<'_>, options: &DependencyList) -> Arc<SharedFilesIndex> {
        let mut name = options.clone();
        name.extend(places.common().flat_map(|place| [place.footing.place, place.id]));
        if let Some(known) = read(&self.bases).by_name.get(&name) {
            return known.clone();
        }
        let made = Arc::new(SharedFilesIndex::new(places));
        let mut bases = write(&self.bases);
        if bases.keys + made.holders.len() > MAX_KEYS {
            *bases = SharedFilesIndexes::default();
        }
        bases.keys += made.holders.len();
        bases.by_name.entry(name).or_insert(made).clone()
    }

    fn names(&self) -> MutexGuard<'_, HashMap<Str, u32>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer with its dependencies.
struct NewAnswer {
    key: u32,
    recipe: Box<[u64]>,
    row: Option<Arc<Row>>,
}

/// A key that has to be looked up, and the slot of its answer.
struct MissingAnswer<'m> {
    /// Which of the node's rows it has.
    at: usize,
    key: &'m BaseKey,
    slot: Option<&'m OnceLock<Option<Arc<Row>>>>,
    recipe: Option<Box<[u64]>>,
}

impl CachedAnswers {
    /// Returns whether answers to a key are cached.
    fn is_worthwhile(&self, key: u32) -> bool {
        self.of_keys.get(&key).is_none_or(|kept| {
            let is_tried =
                kept.count < TRIAL_ANSWERS || kept.reused.load(Ordering::Relaxed) >= kept.count / MAX_ANSWERS_PER_REUSE;
            is_tried && kept.count < MAX_ANSWERS_PER_KEY
        })
    }

    /// Returns the cached answer with these dependencies.
    fn get(&self, key: u32, recipe: &[u64]) -> Option<&Option<Arc<Row>>> {
        let found = self.answers.get(recipe)?;
        if let Some(kept) = self.of_keys.get(&key) {
            kept.reused.fetch_add(1, Ordering::Relaxed);
        }
        Some(found)
    }

    fn keep(&mut self, made: Vec<NewAnswer>) {
        for NewAnswer { key, recipe, row } in made {
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
    /// Sorted by their names.
    keys: Vec<BaseKey>,
    /// The keys that the files have, sorted. Places count among the common ones.
    holders: Vec<KeyLocation>,
    /// For each key that values mention, directly or by way of others: the keys with these values.
    mentioned_by: HashMap<u32, Vec<u32>>,
}

#[derive(Debug)]
struct BaseKey {
    number: u32,
    name: HashedStr,
    made: Dependence,
}

/// The kind of a key's dependencies, if only common files define it.
#[derive(Debug)]
enum Dependence {
    /// No variables, so the answer is the same for all nodes. `None` inside if there is no value.
    Fixed(OnceLock<Option<Arc<Row>>>),
    /// With variables.
    Varying,
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
        let (before, behind) = rest.split_at(before);
        let is_in_both = own.zip(behind.first()).is_some_and(|(own, next)| own.number == next.number);
        done += before.len() + usize::from(is_in_both);
        before.iter().map(|key| (key, false)).chain(own.map(|own| (own, true)))
    })
}

/// The variables that the data of a node mentions, sorted, with the fingerprints of their values.
#[derive(Debug, Hash)]
pub(crate) struct Variables(Vec<(Str, u128)>);

impl Variables {
    pub(crate) fn new(shared: &AnswerCache, node: &Node, footprint: &NodeDependencies) -> Variables {
        let mut seen = HashSet::default();
        let sources = footprint.places.iter().filter_map(|footing| footing.data.as_ref());
        let mut names: Vec<Str> = Vec::new();
        for source in sources.filter(|source| seen.insert(source.id())) {
            names.extend(shared.source(source).variables.iter().cloned());
        }
        names.sort_unstable();
        names.dedup();
        let valued = |name: Str| {
            let value = fingerprint_of(&node.mentioned(&name));
            (name, value)
        };
        Variables(names.into_iter().map(valued).collect())
    }
}

/// A key that a place has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KeyLocation {
    /// The id of the key.
    key: u32,
    place: u32,
    /// The position of the key in its source.
    at: u32,
}

/// The holders of a key among all, which are sorted.
fn locations_of(all: &[KeyLocation], key: u32) -> &[KeyLocation] {
    let start = all.partition_point(|holder| holder.key < key);
    let holders = all.get(start..).unwrap_or_default();
    &holders[..holders.partition_point(|holder| holder.key == key)]
}

/// A source of a node.
struct SourceLocation<'v> {
    footing: &'v DataDependency,
    id: u64,
    source: Arc<SourceIndex>,
    /// Whether other nodes read it, too.
    is_common: bool,
}

impl SourceLocation<'_> {
    /// Returns the keys that a lookup finds here, as pairs of the position in the source and the id.
    fn keys(&self) -> impl Iterator<Item = (u32, u32)> {
        let module = self.footing.module.as_deref();
        let is_inside = move |name: &str| match module {
            Some(module) => name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")),
            None => true,
        };
        let keys = (0..).zip(&self.source.keys).filter(move |(_, (_, name))| is_inside(name));
        keys.map(|(at, (number, _))| (at, *number))
    }

    fn name_at(&self, at: u32) -> Option<&Str> {
        self.source.keys.get(at as usize).map(|(_, name)| name)
    }
}

/// The sources of one node, in the order of a lookup.
struct NodeSources<'v> {
    places: Vec<SourceLocation<'v>>,
    /// The fingerprints of all variables that the sources mention.
    values: HashMap<&'v Str, u128>,
}

impl<'v> NodeSources<'v> {
    fn new(shared: &AnswerCache, footprint: &'v NodeDependencies, variables: &'v Variables) -> NodeSources<'v> {
        let place = |footing: &'v DataDependency| {
            let data = footing.data.as_ref()?;
            let source = shared.source(data);
            let is_common = source.readers.fetch_add(1, Ordering::Relaxed) > 0;
            Some(SourceLocation { footing, id: data.id(), source, is_common })
        };
        let values = variables.0.iter().map(|(name, value)| (name, *value)).collect();
        NodeSources { places: footprint.places.iter().filter_map(place).collect(), values }
    }

    fn common(&self) -> impl Iterator<Item = &SourceLocation<'v>> {
        self.places.iter().filter(|place| place.is_common)
    }

    /// Returns the dependencies of the lookup options, or `None` if they are unknown.
    fn options(&self) -> Option<DependencyList> {
        let mut recipe = DependencyList::new();
        for place in &self.places {
            let Some(options) = &place.source.options else { continue };
            if !options.keys.is_empty() {
                return None;
            }
            recipe.extend([place.footing.place, place.id]);
            self.add_values(options, &mut recipe);
        }
        let length = recipe.len() as u64;
        recipe.insert(0, length);
        Some(recipe)
    }

    fn add_values(&self, mentioned: &MentionedNames, recipe: &mut DependencyList) {
        let values = mentioned.variables.iter().filter_map(|variable| self.values.get(variable));
        recipe.extend(values.flat_map(|value| [(*value >> 64) as u64, *value as u64]));
    }
}

impl SharedFilesIndex {
    /// Analyzes the common files of a node.
    fn new(places: &NodeSources<'_>) -> SharedFilesIndex {
        let common: Vec<&SourceLocation<'_>> = places.common().collect();
        let mut holders = Vec::new();
        for (place, common) in (0..).zip(&common) {
            holders.extend(common.keys().map(|(at, key)| KeyLocation { key, place, at }));
        }
        // The keys of each place are mostly in order already.
        holders.sort();
        let mut base = SharedFilesIndex { holders, ..SharedFilesIndex::default() };
        let mut keys = Vec::new();
        for of_key in base.holders.chunk_by(|one, other| one.key == other.key) {
            let first = of_key
                .first()
                .and_then(|holder| Some((holder.key, common.get(holder.place as usize)?.name_at(holder.at)?)));
            let Some((number, name)) = first else { continue };
            let mut reached = TransitiveMentions::default();
            let made = match base.reach(&common, number, &mut reached, &mut Vec::new()) {
                false => Dependence::Unknown,
                true if reached.has_variables => Dependence::Varying,
                true => Dependence::Fixed(OnceLock::new()),
            };
            for key in reached.keys {
                base.mentioned_by.entry(key).or_default().push(number);
            }
            keys.push(BaseKey { number, name: name.clone().into(), made });
        }
        keys.sort_by(|one, other| one.name.text.cmp(&other.name.text));
        SharedFilesIndex { keys, ..base }
    }

    /// Follows the mentions of a key in common files. Returns whether all of them are known.
    fn reach(
        &self,
        common: &[&SourceLocation<'_>],
        key: u32,
        reached: &mut TransitiveMentions,
        open: &mut Vec<u32>,
    ) -> bool {
        if open.contains(&key) || open.len() >= MAX_DEPTH {
            return false;
        }
        let places = locations_of(&self.holders, key).iter().filter_map(|holder| common.get(holder.place as usize));
        let mut is_known = true;
        for mentioned in places.filter_map(|place| place.source.mentioned.get(&key)) {
            reached.has_variables |= !mentioned.variables.is_empty();
            open.push(key);
            for other in &mentioned.keys {
                reached.keys.insert(*other);
                is_known &= self.reach(common, *other, reached, open);
            }
            open.pop();
        }
        is_known
    }
}

/// An index of the sources of one node.
struct NodeIndex<'v> {
    places: NodeSources<'v>,
    /// The analysis of the sources that other nodes read, too.
    base: &'v SharedFilesIndex,
    /// Which of the places these are.
    common: Vec<u32>,
    /// The keys that the other places have, sorted.
    own: Vec<KeyLocation>,
}

impl<'v> NodeIndex<'v> {
    fn new(places: NodeSources<'v>, base: &'v SharedFilesIndex) -> NodeIndex<'v> {
        let (mut common, mut own) = (Vec::new(), Vec::new());
        for (at, place) in (0..).zip(&places.places) {
            match place.is_common {
                true => common.push(at),
                false => own.extend(place.keys().map(|(key_at, key)| KeyLocation { key, place: at, at: key_at })),
            }
        }
        own.sort();
        NodeIndex { places, base, common, own }
    }

    /// The places that have a key, in their order, and where in their sources it is.
    fn holders(&self, key: u32) -> Vec<(&SourceLocation<'v>, u32)> {
        let common = locations_of(&self.base.holders, key).iter();
        let common = common.filter_map(|holder| Some((*self.common.get(holder.place as usize)?, holder.at)));
        let own = locations_of(&self.own, key).iter().map(|holder| (holder.place, holder.at));
        let mut all: Vec<(u32, u32)> = common.chain(own).collect();
        all.sort_unstable();
        all.into_iter().filter_map(|(place, at)| Some((self.places.places.get(place as usize)?, at))).collect()
    }

    /// Returns the keys of files that are not common, and those that mention them, sorted by name.
    fn own_keys(&self) -> Vec<BaseKey> {
        let mut numbers: HashSet<u32> = self.own.iter().map(|holder| holder.key).collect();
        let mentioning: Vec<u32> =
            numbers.iter().filter_map(|number| self.base.mentioned_by.get(number)).flatten().copied().collect();
        numbers.extend(mentioning);
        let mut keys: Vec<BaseKey> = numbers
            .into_iter()
            .filter_map(|number| {
                let holders = self.holders(number);
                let (place, at) = holders.first()?;
                Some(BaseKey { number, name: place.name_at(*at)?.clone().into(), made: Dependence::Varying })
            })
            .collect();
        keys.sort_by(|one, other| one.name.text.cmp(&other.name.text));
        keys
    }

    /// Returns the dependencies of the answer to a key, or `None` if they are unknown.
    fn dependencies_of(&self, key: u32, options: &DependencyList) -> Option<Box<[u64]>> {
        let mut recipe = options.clone();
        self.add(key, &mut recipe, &mut Vec::new()).then(|| recipe.into())
    }

    /// Adds the dependencies of the answer to a key, and returns whether they are known. `open` has the keys that
    /// mention it.
    fn add(&self, key: u32, recipe: &mut DependencyList, open: &mut Vec<u32>) -> bool {
        if open.contains(&key) || open.len() >= MAX_DEPTH {
            return false;
        }
        let holders = self.holders(key);
        recipe.extend([u64::from(key), holders.len() as u64]);
        recipe.extend(holders.iter().flat_map(|(place, _)| [place.footing.place, place.id]));
        for mentioned in holders.iter().filter_map(|(place, _)| place.source.mentioned.get(&key)) {
            self.places.add_values(mentioned, recipe);
            open.push(key);
            let is_known = mentioned.keys.iter().all(|other| self.add(*other, recipe, open));
            open.pop();
            if !is_known {
                return false;
            }
        }
        true
    }
}

/// The transitive mentions of a key.
#[derive(Default)]
struct TransitiveMentions {
    keys: HashSet<u32>,
    has_variables: bool,
}

fn number(names: &mut HashMap<Str, u32>, name: &Str) -> u32 {
    let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
    *names.entry(name.clone()).or_insert(next)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
