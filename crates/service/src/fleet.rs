//! [`Fleet`]: the answers of all nodes, for questions about all of them.
//!
//! Nodes that are alike are asked once ([`fingerprint`]), and equal values are kept once. The index is made by the requests that need
//! it, a bounded part by each, so that the first request of a large fleet is answered from the nodes read so far and says so. An index
//! that is complete is used for [`FRESH`]; then it is made anew, where answers of nodes whose sources are the same are taken over.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use hieratic::value::Str;
use hieratic::{Footprint, Looks, Mentions, Node, SourceData, Value, fingerprint, numbered};
use hieratic_powers::Budget;

use crate::Service;
use crate::environments::Opened;
use crate::levels::{Level, LevelUse};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::questions::{self, Subject};

/// How long a complete index is used.
const FRESH: Duration = Duration::from_secs(10);
/// How long one request works on an index.
const TURN: Duration = Duration::from_secs(3);
/// How long to wait before another look at an index that somebody else makes.
const PAUSE: Duration = Duration::from_millis(20);
/// How many bytes keys, values and facts of one index may have.
const MOST_BYTES: usize = 256 << 20;
/// How many facts of a node are searched.
const MOST_FACTS: usize = 300;
/// How many places of a value are remembered.
const MOST_PLACES: usize = 5;

/// The answers of all nodes of each environment.
#[derive(Default)]
pub(crate) struct Fleet {
    states: Mutex<HashMap<String, Arc<State>>>,
}

#[derive(Default)]
struct State {
    building: Mutex<Option<Builder>>,
    current: RwLock<Option<Arc<Index>>>,
}

/// A value that a key has for some nodes.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) key: Arc<str>,
    /// As JSON on one line, with what is secret covered; the message of an error.
    pub(crate) text: Arc<str>,
    pub(crate) is_fault: bool,
    pub(crate) places: BTreeSet<(PathBuf, u32)>,
    classes: Vec<u32>,
}

/// What is known of all nodes of an environment.
#[derive(Default)]
pub(crate) struct Index {
    made: Option<Instant>,
    number: u64,
    /// The nodes that were read, sorted.
    pub(crate) nodes: Vec<String>,
    /// How many nodes there are.
    pub(crate) all: usize,
    /// Whether there are too many answers to keep.
    pub(crate) is_full: bool,
    /// The nodes that cannot be asked, with the reason.
    pub(crate) faults: Vec<(String, String)>,
    /// Sorted by key and value.
    pub(crate) rows: Vec<Row>,
    /// The nodes of each class.
    classes: Vec<Vec<u32>>,
    /// Files, with the classes that read them.
    files: BTreeMap<PathBuf, Vec<u32>>,
    /// Facts with their values, and the nodes that have them.
    facts: BTreeMap<(Arc<str>, Arc<str>), Vec<u32>>,
    /// The levels of all hierarchies, the highest first.
    pub(crate) levels: Vec<LevelUse>,
}

impl Index {
    /// How many nodes were read, or cannot be.
    pub(crate) fn read(&self) -> usize {
        self.nodes.len() + self.faults.len()
    }

    /// Whether all nodes were read, or as many as can be kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.read() >= self.all || self.is_full
    }

    /// Whether every answer of every node is here.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_whole() && !self.is_full
    }

    pub(crate) fn node(&self, number: u32) -> &str {
        self.nodes.get(number as usize).map_or("", String::as_str)
    }

    /// The nodes for which a key has a value, sorted.
    pub(crate) fn nodes_of(&self, row: &Row) -> Vec<u32> {
        self.members(&row.classes)
    }

    /// For how many nodes a key has a value.
    pub(crate) fn count_of(&self, row: &Row) -> usize {
        self.of_classes(&row.classes).map(Vec::len).sum()
    }

    /// The nodes of some classes, sorted.
    pub(crate) fn members(&self, classes: &[u32]) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.of_classes(classes).flatten().copied().collect();
        nodes.sort_unstable();
        nodes
    }

    /// The nodes of each class, sorted.
    pub(crate) fn classes(&self) -> &[Vec<u32>] {
        &self.classes
    }

    fn of_classes(&self, classes: &[u32]) -> impl Iterator<Item = &Vec<u32>> {
        classes.iter().filter_map(|class| self.classes.get(*class as usize))
    }

    /// The values of a key.
    pub(crate) fn values(&self, key: &str) -> &[Row] {
        let start = self.rows.partition_point(|row| &*row.key < key);
        let count = self.rows[start..].partition_point(|row| &*row.key == key);
        &self.rows[start..start + count]
    }

    /// The files that are read, with the [classes](Self::members) of nodes that read them.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &[u32])> {
        self.files.iter().map(|(path, classes)| (path.as_path(), classes.as_slice()))
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = (&str, &str, &[u32])> {
        self.facts.iter().map(|((name, value), nodes)| (&**name, &**value, nodes.as_slice()))
    }

    fn is_fresh(&self, number: u64) -> bool {
        self.is_whole() && self.number == number && self.made.is_some_and(|made| made.elapsed() < FRESH)
    }
}

impl Fleet {
    /// What is known of all nodes of an environment; of so many as can be read in time if there are more.
    pub(crate) fn index(&self, service: &Service, environment: &str, budget: &Budget) -> Result<Arc<Index>, Problem> {
        let (opened, _) = service.nodes.environments.get(environment)?;
        let state = {
            let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
            states.entry(environment.to_string()).or_default().clone()
        };
        let current = || state.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut building = loop {
            if let Some(index) = current().filter(|index| index.is_fresh(opened.number)) {
                return Ok(index);
            }
            match state.building.try_lock() {
                Ok(building) => break building,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
            // While it is made anew, the one before answers.
            if let Some(index) = current().filter(|index| index.is_whole() && index.number == opened.number) {
                return Ok(index);
            }
            budget.waits().map_err(exhausted)?;
            std::thread::sleep(PAUSE);
        };
        // Another request may have completed it in the meantime.
        if let Some(index) = current().filter(|index| index.is_fresh(opened.number)) {
            return Ok(index);
        }
        let unfinished = building.take().filter(|builder| builder.number == opened.number);
        let mut builder = match unfinished {
            Some(builder) if !builder.is_done() => builder,
            old => Builder::new(service.stored.names()?, opened.number, old),
        };
        let done = builder.extend(service, &opened, budget);
        let made = Arc::new(builder.index());
        *building = Some(builder);
        done?;
        // One that is complete is better than a newer one that is not.
        let is_better = made.is_whole() || current().is_none_or(|old| !old.is_whole() || old.number != made.number);
        if !is_better {
            return Ok(current().unwrap_or(made));
        }
        *state.current.write().unwrap_or_else(PoisonError::into_inner) = Some(made.clone());
        Ok(made)
    }
}

/// What nodes that are alike answer.
struct Class {
    answers: Vec<Told>,
    files: Vec<PathBuf>,
    bytes: usize,
}

/// What a key says.
#[derive(Clone)]
struct Told {
    key: Arc<str>,
    text: Arc<str>,
    is_fault: bool,
    place: Option<(Arc<Path>, u32)>,
}

/// A source of data, with what its values mention besides themselves.
struct Source {
    _held: SourceData,
    mentions: HashMap<Str, Mentions>,
}

impl Source {
    fn new(data: SourceData) -> Source {
        let of = |key: &Str| {
            Some((key.clone(), data.mentions(key))).filter(|(_, mentions)| *mentions != Mentions::default())
        };
        let mentions = data.keys().filter_map(of).collect();
        Source { _held: data, mentions }
    }
}

/// What the answers of a node are made of, key by key: many nodes share most of it.
struct MadeOf {
    /// The places that have a key, in the order in which they are asked.
    holders: HashMap<Str, Vec<(u64, u64)>>,
    /// Whether the answers are known by that: no code answers, and all can be read.
    is_known: bool,
}

impl MadeOf {
    fn new(builder: &mut Builder, footprint: &Footprint) -> MadeOf {
        let mut holders: HashMap<Str, Vec<(u64, u64)>> = HashMap::new();
        for place in &footprint.places {
            let Some(data) = &place.data else { continue };
            builder.source(data);
            for key in data.keys() {
                match holders.get_mut(key) {
                    Some(holders) => holders.push((place.place, data.id())),
                    None => {
                        holders.insert(key.clone(), vec![(place.place, data.id())]);
                    }
                }
            }
        }
        let is_known = !footprint.asks_code && footprint.places.iter().all(|place| place.fault.is_none());
        MadeOf { holders, is_known }
    }

    /// A number for everything that the answer to a key depends on; none if that is not known without asking.
    fn number(&self, builder: &Builder, node: &Node, key: &str) -> Option<u128> {
        if !self.is_known {
            return None;
        }
        let mut values = Vec::new();
        let mut places: [&[(u64, u64)]; 2] = [&[], &[]];
        for (places, key) in places.iter_mut().zip([key, Node::OPTIONS_KEY]) {
            let Some(holders) = self.holders.get(key) else { continue };
            *places = holders;
            for (_, source) in holders {
                let Some(mentions) = builder.sources.get(source)?.mentions.get(key) else { continue };
                if !mentions.keys.is_empty() {
                    return None;
                }
                values.extend(mentions.variables.iter().map(|name| node.mentioned(name)));
            }
        }
        Some(numbered(&(key, places, values)))
    }
}

/// An index that is being made.
struct Builder {
    number: u64,
    names: Vec<String>,
    next: usize,
    /// The nodes that were read, with their classes and facts.
    nodes: Vec<(String, u32)>,
    faults: Vec<(String, String)>,
    classes: Vec<Arc<Class>>,
    by_number: HashMap<u128, u32>,
    /// Classes of the index before, which may still be right, and what holds their sources.
    before: HashMap<u128, Arc<Class>>,
    _sources_before: HashMap<u64, Source>,
    /// The sources that were met. As long as they are held, no other source has their numbers.
    sources: HashMap<u64, Source>,
    /// Answers by what they are made of, where that is known.
    answers: HashMap<u128, Option<Told>>,
    facts: BTreeMap<(Arc<str>, Arc<str>), Vec<u32>>,
    texts: HashSet<Arc<str>>,
    levels: Vec<Level>,
    bytes: usize,
    finished: Option<Instant>,
}

impl Builder {
    fn new(names: Vec<String>, number: u64, before: Option<Builder>) -> Builder {
        let before = before.map(|old| {
            let of = |(number, class): (&u128, &u32)| Some((*number, old.classes.get(*class as usize)?.clone()));
            (old.by_number.iter().filter_map(of).collect(), old.sources)
        });
        let (before, sources_before) = before.unwrap_or_default();
        Builder {
            number,
            names,
            next: 0,
            nodes: Vec::new(),
            faults: Vec::new(),
            classes: Vec::new(),
            by_number: HashMap::new(),
            before,
            _sources_before: sources_before,
            sources: HashMap::new(),
            answers: HashMap::new(),
            facts: BTreeMap::new(),
            texts: HashSet::new(),
            levels: Vec::new(),
            bytes: 0,
            finished: None,
        }
    }

    fn is_done(&self) -> bool {
        self.next >= self.names.len() || self.is_full()
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_BYTES
    }

    /// Reads further nodes for a while.
    fn extend(&mut self, service: &Service, opened: &Opened, budget: &Budget) -> Result<(), Problem> {
        let deadline = Instant::now() + TURN.min(service.limits.time / 3);
        while !self.is_done() && Instant::now() < deadline {
            budget.step().map_err(exhausted)?;
            let name = self.names[self.next].clone();
            match self.read(service, opened, &name, budget) {
                Ok(class) => self.nodes.push((name, class)),
                // The request has ended, not the node.
                Err(_) if budget.ended().is_err() => return Ok(()),
                Err(problem) => self.faults.push((name, problem.detail)),
            }
            self.next += 1;
        }
        if self.is_done() && self.finished.is_none() {
            self.finished = Some(Instant::now());
        }
        Ok(())
    }

    /// The class of a node.
    fn read(&mut self, service: &Service, opened: &Opened, name: &str, budget: &Budget) -> Result<u32, Problem> {
        let facts = service.stored.facts(name, &Looks::default())?.facts;
        let node = opened.environment.node(&facts).map_err(|error| Problem::bad_request(error.to_string()))?.confined();
        let root = &opened.environment.layers().environment.root;
        // What one node costs is bounded like a request of its own; time and an early end are those of the request.
        let limits = hieratic_powers::Limits { time: Some(TURN), ..service.limits.work };
        let own = Budget::new(limits);
        let subject = Subject { node: &node, mask: &opened.mask, budget: &own, root };
        let footprint =
            node.footprint(&own).map_err(|error| Problem::bad_request(opened.mask.message(&error.to_string())))?;
        let number = (!footprint.asks_code).then(|| self.number_of(&footprint, &node));
        let known = number.and_then(|number| self.by_number.get(&number).copied());
        let class = match known {
            Some(class) => class,
            None => {
                let old = number.and_then(|number| self.before.get(&number).cloned());
                let made = match old {
                    Some(old) => old,
                    None => Arc::new(self.class(&subject, &footprint, budget)?),
                };
                self.bytes += made.bytes;
                self.classes.push(made);
                let class = u32::try_from(self.classes.len() - 1).unwrap_or(u32::MAX);
                if let Some(number) = number {
                    self.by_number.insert(number, class);
                }
                self.note_levels(&footprint, class);
                class
            }
        };
        let place = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        for (name, value) in questions::fact_rows(&facts, "").into_iter().take(MOST_FACTS) {
            self.bytes += size_of::<u32>();
            let pair = (self.shared(&name), self.shared(&value));
            self.facts.entry(pair).or_default().push(place);
        }
        Ok(class)
    }

    /// What a source mentions.
    fn source(&mut self, data: &SourceData) -> &Source {
        self.sources.entry(data.id()).or_insert_with(|| Source::new(data.clone()))
    }

    /// A number that nodes share which get the same answers.
    fn number_of(&mut self, footprint: &Footprint, node: &Node) -> u128 {
        let mut variables = BTreeSet::new();
        for data in footprint.places.iter().filter_map(|place| place.data.as_ref()) {
            variables
                .extend(self.source(data).mentions.values().flat_map(|mentions| mentions.variables.iter().cloned()));
        }
        let values: Vec<String> = variables.iter().map(|name| node.mentioned(name)).collect();
        numbered(&(fingerprint(&[footprint]), &variables, values))
    }

    /// Everything that a node answers.
    fn class(&mut self, subject: &Subject<'_>, footprint: &Footprint, budget: &Budget) -> Result<Class, Problem> {
        let (keys, _) = questions::keys(subject, "", None, usize::MAX)?;
        let mut class = Class {
            answers: Vec::with_capacity(keys.len()),
            files: footprint.places.iter().filter_map(|place| Some(place.path.as_ref()?.to_path_buf())).collect(),
            bytes: 0,
        };
        let made_of = MadeOf::new(self, footprint);
        for key in keys {
            budget.step().map_err(exhausted)?;
            let number = made_of.number(self, subject.node, &key);
            let known = number.and_then(|number| self.answers.get(&number).cloned());
            let told = match known {
                Some(told) => told,
                None => {
                    let made = questions::summary(subject, &questions::quoted(&key)).map(|said| Told {
                        key: self.shared(&key),
                        text: self.shared(&said.text),
                        is_fault: said.is_fault,
                        place: said.place.map(|(path, line)| (path.into(), line)),
                    });
                    if let Some(number) = number {
                        self.answers.insert(number, made.clone());
                    }
                    made
                }
            };
            if let Some(told) = told {
                class.bytes += size_of::<Told>();
                class.answers.push(told);
            }
        }
        Ok(class)
    }

    /// Notes what the levels of a class are good for.
    fn note_levels(&mut self, footprint: &Footprint, class: u32) {
        let mut seen: HashSet<&Str> = HashSet::new();
        let mut at = 0;
        for place in &footprint.places {
            let is_it = |level: &Level| level.module == place.module && level.label == place.level;
            at = match self.levels.iter().position(is_it) {
                Some(at) => at,
                None => {
                    // A level of which a node knows no place, such as a pattern that finds nothing, comes behind the one before it.
                    let at = (at + 1).min(self.levels.len());
                    self.levels.insert(at, Level::new(place.module.clone(), place.level.clone()));
                    at
                }
            };
            let Some(path) = &place.path else { continue };
            let keys: Vec<(Arc<str>, bool)> = match &place.data {
                Some(data) => {
                    let of_module = |key: &&Str| {
                        place
                            .module
                            .as_ref()
                            .is_none_or(|module| key.strip_prefix(&**module).is_some_and(|rest| rest.starts_with("::")))
                    };
                    let keys = data.keys().filter(|key| &***key != Node::OPTIONS_KEY).filter(of_module);
                    keys.map(|key| (self.shared(key), seen.insert(key))).collect()
                }
                None => Vec::new(),
            };
            self.bytes += self.levels[at].read(class, path, keys);
        }
    }

    /// A text that is kept once.
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let made: Arc<str> = text.into();
        self.bytes += text.len();
        self.texts.insert(made.clone());
        made
    }

    /// What is known so far.
    fn index(&self) -> Index {
        let mut classes = vec![Vec::new(); self.classes.len()];
        for (place, (_, class)) in self.nodes.iter().enumerate() {
            if let (Some(members), Ok(place)) = (classes.get_mut(*class as usize), u32::try_from(place)) {
                members.push(place);
            }
        }
        let mut rows: BTreeMap<(Arc<str>, Arc<str>), Row> = BTreeMap::new();
        let mut files: BTreeMap<PathBuf, Vec<u32>> = BTreeMap::new();
        for (number, class) in self.classes.iter().enumerate() {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            for said in &class.answers {
                let row = rows.entry((said.key.clone(), said.text.clone())).or_insert_with(|| Row {
                    key: said.key.clone(),
                    text: said.text.clone(),
                    is_fault: said.is_fault,
                    places: BTreeSet::new(),
                    classes: Vec::new(),
                });
                row.classes.push(number);
                if row.places.len() < MOST_PLACES {
                    row.places.extend(said.place.as_ref().map(|(path, line)| (path.to_path_buf(), *line)));
                }
            }
            let of_class: BTreeSet<&PathBuf> = class.files.iter().collect();
            for file in of_class {
                match files.get_mut(file) {
                    Some(of) => of.push(number),
                    None => {
                        files.insert(file.clone(), vec![number]);
                    }
                }
            }
        }
        Index {
            made: self.finished,
            number: self.number,
            nodes: self.nodes.iter().map(|(name, _)| name.clone()).collect(),
            all: self.names.len(),
            is_full: self.is_full(),
            faults: self.faults.clone(),
            rows: rows.into_values().collect(),
            levels: self.levels.iter().map(|level| level.used(&classes)).collect(),
            classes,
            files,
            facts: self.facts.clone(),
        }
    }
}

/// The facts of all nodes as hashes, for those who look for what tells nodes apart.
pub(crate) fn fact_hashes(index: &Index) -> Vec<hieratic::Hash> {
    let mut all: Vec<Vec<(&str, Value)>> = vec![Vec::new(); index.nodes.len()];
    for (name, value, nodes) in index.facts() {
        // What all nodes have tells nothing, and neither does what stands in lists.
        if nodes.len() == index.nodes.len() {
            continue;
        }
        for node in nodes {
            if let Some(facts) = all.get_mut(*node as usize) {
                facts.push((name, value.into()));
            }
        }
    }
    all.into_iter().map(|facts| facts.into_iter().collect()).collect()
}
