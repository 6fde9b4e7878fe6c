//! [`Shared`]: answers that are made of the same, made once for all nodes.
//!
//! Few nodes are alike in everything, and most of their answers are all the same. The answer to a key is made of the places that have it,
//! in their order, of the options of lookups, and of what the values mention: variables, and other keys, whose answers are made in the same
//! way. All of this together is the recipe of an answer. Recipes are compared as a whole, so that what is taken for equal is equal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hieratic::{Footing, Footprint, Node, SourceData, numbered};
use hieratic_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rows::{Asking, Row, Rows};

/// How much the answers may take that are kept for further nodes, in bytes.
const MOST_KEPT: usize = 256 << 20;

/// How many answers to one key are kept: if there are more, each node has one of its own, and none is asked for again.
const MOST_OF_KEY: u32 = 512;

/// Of how many sources it is kept what they mention.
const MOST_SOURCES: usize = 20_000;

/// How far keys may mention each other.
const DEEPEST: usize = 16;

/// What an answer is made of. Sources, places and keys stand in it with numbers of their own, and each list behind its length or behind what
/// tells its length.
type Recipe = Vec<u64>;

/// The answers that were met lately.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    sources: RwLock<FxHashMap<u64, Arc<Source>>>,
    names: Mutex<FxHashMap<Str, u32>>,
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    answers: FxHashMap<Box<[u64]>, Option<Arc<Row>>>,
    of_keys: FxHashMap<u32, u32>,
    weight: usize,
}

/// What a source of data has.
#[derive(Debug)]
pub(crate) struct Source {
    /// The keys that can be looked up, sorted.
    keys: Vec<(u32, Str)>,
    /// What the values of keys mention besides themselves, where they do.
    mentioned: FxHashMap<u32, Mentioned>,
    /// What the options of lookups mention; none if there are no options.
    options: Option<Mentioned>,
    /// All variables that are mentioned, sorted.
    pub(crate) variables: Vec<Str>,
}

#[derive(Debug, Default)]
struct Mentioned {
    keys: Vec<u32>,
    variables: Vec<Str>,
}

impl Shared {
    /// What a source has.
    pub(crate) fn source(&self, data: &SourceData) -> Arc<Source> {
        if let Some(known) = read(&self.sources).get(&data.id()) {
            return known.clone();
        }
        let made = Arc::new(self.read(data));
        let mut sources = write(&self.sources);
        if sources.len() >= MOST_SOURCES {
            sources.clear();
        }
        sources.entry(data.id()).or_insert(made).clone()
    }

    fn read(&self, data: &SourceData) -> Source {
        let mut keys: Vec<&Str> = data.keys().collect();
        keys.sort_unstable();
        let mut names = self.names();
        // Numbered in their order, the keys of most nodes are in order by their numbers.
        let keys: Vec<(u32, Str)> = keys.into_iter().map(|key| (number(&mut names, key), key.clone())).collect();
        let mut source = Source { keys, mentioned: FxHashMap::default(), options: None, variables: Vec::new() };
        let mut all = FxHashSet::default();
        for (key, name) in &source.keys {
            let mentions = data.mentions(name);
            all.extend(mentions.variables.iter().cloned());
            let keys = mentions.keys.iter().map(|key| number(&mut names, key)).collect();
            let mentioned = Mentioned { keys, variables: mentions.variables };
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

    /// The rows of a node, and how many lookups they took; none if it is not known what its answers are made of.
    pub(crate) fn rows(&self, asking: &Asking<'_>, footprint: &Footprint) -> Option<(Rows, u64)> {
        if footprint.asks_code || footprint.places.iter().any(|place| place.fault.is_some()) {
            return None;
        }
        let view = View::of(self, asking.node, footprint);
        let options = view.options()?;
        let mut rows: Vec<Arc<Row>> = Vec::new();
        let mut missing: Vec<(u32, &Str, Option<Box<[u64]>>)> = Vec::new();
        {
            let known = read(&self.known);
            let mut recipe = Recipe::new();
            for (number, name) in view.keys().filter(|(_, name)| asking.is_wanted(name)) {
                recipe.clear();
                recipe.extend_from_slice(&options);
                let is_known = view.add(number, &mut recipe, &mut Vec::new());
                match known.answers.get(recipe.as_slice()).filter(|_| is_known) {
                    Some(row) => rows.extend(row.clone()),
                    None => missing.push((number, name, is_known.then(|| recipe.as_slice().into()))),
                }
            }
        }
        let lookups = missing.len() as u64;
        let mut made = Vec::with_capacity(missing.len());
        for (number, name, recipe) in missing {
            let row = asking.row(name).map(Arc::new);
            rows.extend(row.clone());
            made.extend(recipe.map(|recipe| (number, recipe, row)));
        }
        if !made.is_empty() {
            write(&self.known).keep(made);
        }
        rows.sort_by(|one, other| one.key.cmp(&other.key));
        Some((rows.into(), lookups))
    }

    fn names(&self) -> MutexGuard<'_, FxHashMap<Str, u32>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn keep(&mut self, made: Vec<(u32, Box<[u64]>, Option<Arc<Row>>)>) {
        for (key, recipe, row) in made {
            let count = self.of_keys.entry(key).or_default();
            if *count >= MOST_OF_KEY {
                continue;
            }
            *count += 1;
            self.weight += size_of_val(&*recipe) + row.as_ref().map_or(0, |row| row.weight());
            self.answers.entry(recipe).or_insert(row);
        }
        if self.weight > MOST_KEPT {
            *self = Known::default();
        }
    }
}

/// The sources of one node, in the order in which a lookup asks them.
struct View<'v> {
    places: Vec<(&'v Footing, u64, Arc<Source>)>,
    /// The keys that places have: the number of the key, the place, and where in its source the key is. Sorted.
    holders: Vec<(u32, u32, u32)>,
    /// The values of all variables that the sources mention.
    values: FxHashMap<Str, u128>,
}

impl<'v> View<'v> {
    fn of(shared: &Shared, node: &Node, footprint: &'v Footprint) -> View<'v> {
        let place = |footing: &'v Footing| {
            let data = footing.data.as_ref()?;
            Some((footing, data.id(), shared.source(data)))
        };
        let places: Vec<(&Footing, u64, Arc<Source>)> = footprint.places.iter().filter_map(place).collect();
        let mut values = FxHashMap::default();
        for variable in places.iter().flat_map(|(_, _, source)| &source.variables) {
            if !values.contains_key(variable) {
                values.insert(variable.clone(), numbered(&node.mentioned(variable)));
            }
        }
        let mut holders = Vec::new();
        for (at, (footing, _, source)) in (0..).zip(&places) {
            let is_inside = |name: &str| match &footing.module {
                Some(module) => name.strip_prefix(&**module).is_some_and(|rest| rest.starts_with("::")),
                None => true,
            };
            let keys = (0..).zip(&source.keys).filter(|(_, (_, name))| is_inside(name));
            holders.extend(keys.map(|(key, (number, _))| (*number, at, key)));
        }
        // The keys of each place are mostly in order already.
        holders.sort();
        View { places, holders, values }
    }

    /// The keys that some place has, with their names.
    fn keys(&self) -> impl Iterator<Item = (u32, &Str)> {
        let firsts = self.holders.chunk_by(|one, other| one.0 == other.0).filter_map(<[_]>::first);
        firsts.filter_map(|(number, place, key)| {
            let (_, _, source) = self.places.get(*place as usize)?;
            Some((*number, &source.keys.get(*key as usize)?.1))
        })
    }

    /// How the options of lookups are made; none if that is not known.
    fn options(&self) -> Option<Recipe> {
        let mut recipe = Recipe::new();
        for (footing, id, source) in &self.places {
            let Some(options) = &source.options else { continue };
            if !options.keys.is_empty() {
                return None;
            }
            recipe.extend([footing.place, *id]);
            self.add_values(options, &mut recipe);
        }
        let length = recipe.len() as u64;
        recipe.insert(0, length);
        Some(recipe)
    }

    /// Adds how the answer to a key is made; whether that is known. `open` has the keys that mention it.
    fn add(&self, key: u32, recipe: &mut Recipe, open: &mut Vec<u32>) -> bool {
        if open.contains(&key) || open.len() >= DEEPEST {
            return false;
        }
        let start = self.holders.partition_point(|(number, ..)| *number < key);
        let holders = self.holders.get(start..).unwrap_or_default();
        let holders = &holders[..holders.partition_point(|(number, ..)| *number == key)];
        recipe.extend([u64::from(key), holders.len() as u64]);
        let places = || holders.iter().filter_map(|(_, place, _)| self.places.get(*place as usize));
        recipe.extend(places().flat_map(|(footing, id, _)| [footing.place, *id]));
        for mentioned in places().filter_map(|(_, _, source)| source.mentioned.get(&key)) {
            self.add_values(mentioned, recipe);
            open.push(key);
            let is_known = mentioned.keys.iter().all(|other| self.add(*other, recipe, open));
            open.pop();
            if !is_known {
                return false;
            }
        }
        true
    }

    fn add_values(&self, mentioned: &Mentioned, recipe: &mut Recipe) {
        let values = mentioned.variables.iter().filter_map(|variable| self.values.get(variable));
        recipe.extend(values.flat_map(|value| [(*value >> 64) as u64, *value as u64]));
    }
}

fn number(names: &mut FxHashMap<Str, u32>, name: &Str) -> u32 {
    let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
    *names.entry(name.clone()).or_insert(next)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
