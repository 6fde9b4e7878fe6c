//! [`Builder`]: reads the answers of all nodes, one node after the other.
//!
//! Equivalent nodes are looked up once ([`fingerprint`]). An answer with the same sources and facts as an earlier one
//! is reused, also from the previous index if its sources have not changed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hieratic::powers::Budget;
use hieratic::value::Str;
use hieratic::{Facts, Footprint, Looks, Mentions, Node, SourceData, fingerprint, numbered};
use hieratic_puppetdb::Pages;

use super::holes::Leaving;
use super::index::{File, Fillings, MOST_PLACES, Row, Table};
use super::pool::Pool;
use crate::Service;
use crate::environments::Opened;
use crate::levels::Level;
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::questions::{self, Subject};
use crate::stamps::Stamp;

/// The maximum size of the keys, values and facts of an index, in bytes.
const MOST_BYTES: usize = 256 << 20;
/// The maximum number of searchable facts of a node.
const MOST_FACTS: usize = 300;
/// The time limit of one node.
const LONGEST: Duration = Duration::from_secs(3);
/// The maximum number of cached answers to one key. If every node has its own answer, caching more of them saves
/// nothing.
const MOST_KNOWN: u16 = 1000;
/// The approximate size of a cached answer, in bytes.
const OF_KNOWN: usize = 48;
/// The approximate overhead of a fact and its value, in bytes: an entry of a table, and a list.
const OF_FACT: usize = 100;

/// An equivalence class of nodes: they have the same answers.
struct Class {
    /// The pieces of its answers.
    answered: Box<[u32]>,
    /// The pieces of the list of files that it reads.
    read: Box<[u32]>,
    /// The values of the placeholders in its answers: pairs of variable and value, sorted.
    filling: Arc<[(u32, u32)]>,
}

/// A source of data, with what its values mention besides themselves.
struct Source {
    held: SourceData,
    /// The keys that can be looked up, by their numbers.
    keys: Vec<u32>,
    has_options: bool,
    options: Mentions,
    mentions: HashMap<u32, Mentions>,
}

impl Source {
    fn new(data: SourceData, pool: &mut Pool) -> Source {
        let mut source = Source {
            keys: Vec::new(),
            has_options: false,
            options: Mentions::default(),
            mentions: HashMap::new(),
            held: data.clone(),
        };
        for key in data.keys() {
            let mentions = data.mentions(key);
            if &**key == Node::OPTIONS_KEY {
                (source.has_options, source.options) = (true, mentions);
                continue;
            }
            let number = pool.key(key);
            source.keys.push(number);
            if mentions != Mentions::default() {
                source.mentions.insert(number, mentions);
            }
        }
        source
    }

    fn variables(&self) -> impl Iterator<Item = &Str> {
        self.mentions.values().chain([&self.options]).flat_map(|mentions| &mentions.variables)
    }
}

/// A place that has a key: the key, the place in the order in which places are asked, and the source.
type Holder = (u32, u32, u64, u64);

/// An index that is being made.
pub(super) struct Builder {
    number: u64,
    stamp: Stamp,
    names: Vec<String>,
    next: usize,
    /// Facts that come in pages.
    pages: Option<Pages>,
    is_over: bool,
    /// The nodes that were read, with their classes.
    nodes: Vec<(String, u32)>,
    faults: Vec<(String, String)>,
    pool: Pool,
    classes: Vec<Arc<Class>>,
    by_number: HashMap<u128, u32>,
    /// Classes of the index before, which may still be right.
    before: HashMap<u128, Arc<Class>>,
    /// The sources that were met.
    sources: HashMap<u64, Source>,
    /// The ids of the answers by the fingerprint of their dependencies; `None` for a key without a value.
    answers: HashMap<u128, Option<u32>>,
    /// The number of cached answers to each key.
    counts: Vec<u16>,
    facts: BTreeMap<(Arc<str>, Arc<str>), Vec<u32>>,
    levels: Vec<Level>,
    /// By the numbers of keys: the class that was the last to have the key at a level.
    seen: Vec<u32>,
    /// Memory used outside the pool, in bytes.
    bytes: usize,
    /// The size of the pool when it had no outdated entries, in bytes.
    fresh: usize,
    begun: Instant,
    finished: Option<Instant>,
}

impl Builder {
    /// Creates a builder for some nodes, whose facts come in `pages` or are requested one by one.
    pub(super) fn new(
        names: Vec<String>,
        pages: Option<Pages>,
        number: u64,
        stamp: Stamp,
        before: Option<Builder>,
    ) -> Builder {
        // The entries of the pool that no node uses any more should not outweigh the others.
        let before = before.filter(|old| old.pool.bytes() <= old.fresh + MOST_BYTES / 8);
        let (mut pool, mut fresh) = (Pool::default(), 0);
        let mut classes = HashMap::new();
        if let Some(old) = before {
            let of = |(number, class): (&u128, &u32)| Some((*number, old.classes.get(*class as usize)?.clone()));
            classes = old.by_number.iter().filter_map(of).collect();
            (pool, fresh) = (old.pool, old.fresh);
        }
        Builder {
            number,
            stamp,
            names,
            next: 0,
            pages,
            is_over: false,
            nodes: Vec::new(),
            faults: Vec::new(),
            pool,
            classes: Vec::new(),
            by_number: HashMap::new(),
            before: classes,
            sources: HashMap::new(),
            answers: HashMap::new(),
            counts: Vec::new(),
            facts: BTreeMap::new(),
            levels: Vec::new(),
            seen: Vec::new(),
            bytes: 0,
            fresh,
            begun: Instant::now(),
            finished: None,
        }
    }

    pub(super) fn is_for(&self, number: u64, stamp: &Stamp) -> bool {
        self.number == number && self.stamp == *stamp
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_over || self.is_full() || self.pages.is_none() && self.next >= self.names.len()
    }

    fn is_full(&self) -> bool {
        self.bytes + self.pool.bytes() > MOST_BYTES
    }

    /// Reads further nodes for a while.
    ///
    /// # Errors
    /// Facts that come in pages do not come any more.
    pub(super) fn extend(&mut self, service: &Service, opened: &Opened, turn: Duration) -> Result<(), Problem> {
        let deadline = Instant::now() + turn;
        while !self.is_done() && Instant::now() < deadline {
            let (name, facts) = match &mut self.pages {
                Some(pages) => match pages.next() {
                    Some(Ok(facts)) => (facts.node().unwrap_or_default().to_string(), Ok(facts)),
                    Some(Err(error)) => return Err(crate::facts::away(error)),
                    None => {
                        self.is_over = true;
                        break;
                    }
                },
                None => {
                    let name = self.names[self.next].clone();
                    self.next += 1;
                    let facts = service.stored.facts(&name, &Looks::default()).map(|found| found.facts);
                    (name, facts)
                }
            };
            match facts.and_then(|facts| self.read(service, opened, &facts)) {
                Ok(class) => self.nodes.push((name, class)),
                Err(problem) => self.faults.push((name, problem.detail)),
            }
        }
        if self.is_done() && self.finished.is_none() {
            self.finished = Some(Instant::now());
            if self.fresh == 0 {
                self.fresh = self.pool.bytes();
            }
        }
        Ok(())
    }

    /// The class of a node.
    fn read(&mut self, service: &Service, opened: &Opened, facts: &Facts) -> Result<u32, Problem> {
        let node = opened.environment.node(facts).map_err(|error| Problem::bad_request(error.to_string()))?.confined();
        let root = &opened.environment.layers().environment.root;
        // The lookups of one node have the limits of one request.
        let budget = Budget::new(hieratic::powers::Limits { time: Some(LONGEST), ..service.limits.work });
        let subject = Subject { node: &node, mask: &opened.mask, budget: &budget, root };
        let footprint =
            node.footprint(&budget).map_err(|error| Problem::bad_request(opened.mask.message(&error.to_string())))?;
        let number = (!footprint.asks_code).then(|| self.number_of(&footprint, &node));
        let known = number.and_then(|number| self.by_number.get(&number).copied());
        let class = match known {
            Some(class) => class,
            None => {
                let old = number.and_then(|number| self.before.get(&number).cloned());
                let made = match old {
                    Some(old) => old,
                    None => Arc::new(self.class(&subject, &footprint)?),
                };
                let numbers = made.answered.len() + made.read.len() + 2 * made.filling.len();
                self.bytes += size_of::<Class>() + (numbers + 16) * size_of::<u32>();
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
        for (name, value) in questions::fact_rows(facts, "").into_iter().take(MOST_FACTS) {
            let pair = (self.pool.text(&name), self.pool.text(&value));
            let nodes = self.facts.entry(pair).or_default();
            self.bytes += size_of::<u32>() + if nodes.is_empty() { OF_FACT } else { 0 };
            nodes.push(place);
        }
        Ok(class)
    }

    /// Returns the source of some data, which is analyzed at its first use.
    fn source(&mut self, data: &SourceData) -> &Source {
        let pool = &mut self.pool;
        self.sources.entry(data.id()).or_insert_with(|| Source::new(data.clone(), pool))
    }

    /// The variables that the data of a node mentions.
    fn variables(&mut self, footprint: &Footprint) -> BTreeSet<Str> {
        let mut variables: BTreeSet<Str> = BTreeSet::new();
        for data in footprint.places.iter().filter_map(|place| place.data.as_ref()) {
            for variable in self.source(data).variables() {
                if !variables.contains(variable) {
                    variables.insert(variable.clone());
                }
            }
        }
        variables
    }

    /// A number that nodes share which get the same answers.
    fn number_of(&mut self, footprint: &Footprint, node: &Node) -> u128 {
        let variables = self.variables(footprint);
        let values: Vec<String> = variables.iter().map(|name| node.mentioned(name)).collect();
        numbered(&(fingerprint(&[footprint]), &variables, values))
    }

    /// Everything that a node answers.
    fn class(&mut self, subject: &Subject<'_>, footprint: &Footprint) -> Result<Class, Problem> {
        let holders = self.holders(footprint);
        let values: Vec<(u32, String)> = self
            .variables(footprint)
            .iter()
            .filter_map(|name| Some((self.pool.variable(name), subject.node.mentioned_text(name)?)))
            .collect();
        let leaving = Leaving::new(values.clone());
        // Answers can be cached by their dependencies if no code computes them and all files are readable.
        let is_known = !footprint.asks_code && footprint.places.iter().all(|place| place.fault.is_none());
        let mut answered: Vec<(u32, u32)> = Vec::new();
        if is_known {
            let options = self.options(footprint, subject.node);
            for of_key in holders.chunk_by(|one, other| one.0 == other.0) {
                subject.budget.step().map_err(exhausted)?;
                let key = of_key.first().map_or(0, |(key, ..)| *key);
                let number = options.and_then(|options| self.made_of(of_key, options, subject.node));
                let known = number.and_then(|number| self.answers.get(&number).copied());
                let answer = known.unwrap_or_else(|| {
                    let mentioned = self.mentioned(of_key);
                    let answer = self.ask(subject, key, leaving.as_ref().filter(|_| mentioned.is_some()));
                    // The variables of its placeholders have to be part of the fingerprint.
                    let is_covered = answer.is_none_or(|answer| self.is_filled_by(answer, mentioned.as_ref()));
                    if let Some(number) = number.filter(|_| is_covered && self.is_worth_knowing(key)) {
                        self.answers.insert(number, answer);
                    }
                    answer
                });
                answered.extend(answer.map(|answer| (key, answer)));
            }
        } else {
            for key in questions::keys(subject, "", None, usize::MAX)?.0 {
                subject.budget.step().map_err(exhausted)?;
                let key = self.pool.key(&key);
                answered.extend(self.ask(subject, key, leaving.as_ref()).map(|answer| (key, answer)));
            }
            answered.sort_unstable();
        }
        let mut read: Vec<(u32, u32)> = Vec::new();
        for path in footprint.places.iter().filter_map(|place| place.path.as_ref()) {
            let number = self.pool.path(path);
            read.push((number, number));
        }
        read.sort_unstable();
        read.dedup();
        Ok(Class {
            filling: self.filling(&answered, values),
            answered: self.pool.answered.divided(&answered),
            read: self.pool.read.divided(&read),
        })
    }

    /// Returns the values of a node for the placeholders in its answers.
    fn filling(&mut self, answered: &[(u32, u32)], values: Vec<(u32, String)>) -> Arc<[(u32, u32)]> {
        let answers = answered.iter().filter_map(|(_, answer)| self.pool.answers.get(*answer as usize));
        let left_out: HashSet<u32> = answers.flat_map(|answer| answer.text.variables()).collect();
        let mut filling: Vec<(u32, u32)> = values
            .into_iter()
            .filter(|(variable, _)| left_out.contains(variable))
            .map(|(variable, value)| (variable, self.pool.value(&value)))
            .collect();
        filling.sort_unstable();
        filling.into()
    }

    /// Returns the variables that the values of a key interpolate; `None` if the values contain no interpolation.
    fn mentioned(&self, holders: &[Holder]) -> Option<HashSet<Str>> {
        let mentions = holders.iter().filter_map(|(key, _, _, source)| self.sources.get(source)?.mentions.get(key));
        let mut variables = None;
        for mentions in mentions {
            variables.get_or_insert_with(HashSet::new).extend(mentions.variables.iter().cloned());
        }
        variables
    }

    /// Returns whether all placeholders of an answer are among some variables.
    fn is_filled_by(&self, answer: u32, variables: Option<&HashSet<Str>>) -> bool {
        let Some(answer) = self.pool.answers.get(answer as usize) else { return false };
        answer.text.variables().all(|number| {
            self.pool.variable_of(number).zip(variables).is_some_and(|(name, variables)| variables.contains(&**name))
        })
    }

    /// Returns whether one more answer to a key should be cached, and counts it if so.
    fn is_worth_knowing(&mut self, key: u32) -> bool {
        let at = key as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        let Some(count) = self.counts.get_mut(at).filter(|count| **count < MOST_KNOWN) else { return false };
        *count += 1;
        self.bytes += OF_KNOWN;
        true
    }

    /// The places that have each key, sorted by the keys.
    fn holders(&mut self, footprint: &Footprint) -> Vec<Holder> {
        let mut holders: Vec<Holder> = Vec::new();
        for (order, place) in (0..).zip(&footprint.places) {
            let Some(data) = &place.data else { continue };
            self.source(data);
            let Some(source) = self.sources.get(&data.id()) else { continue };
            let keys = source.keys.iter().filter(|key| is_inside(&self.pool, place.module.as_deref(), **key));
            holders.extend(keys.map(|key| (*key, order, place.place, data.id())));
        }
        holders.sort_unstable();
        holders
    }

    /// Returns a fingerprint of all lookup options that a node reads; `None` if they depend on other keys.
    fn options(&self, footprint: &Footprint, node: &Node) -> Option<u128> {
        let mut places = Vec::new();
        let mut values = Vec::new();
        for place in &footprint.places {
            let Some(source) = place.data.as_ref().and_then(|data| self.sources.get(&data.id())) else { continue };
            if !source.has_options {
                continue;
            }
            if !source.options.keys.is_empty() {
                return None;
            }
            places.push((place.place, source.held.id()));
            values.extend(source.options.variables.iter().map(|name| node.mentioned(name)));
        }
        Some(numbered(&(places, values)))
    }

    /// Returns a fingerprint of everything that the answer to a key depends on; `None` if it depends on other keys.
    fn made_of(&self, holders: &[Holder], options: u128, node: &Node) -> Option<u128> {
        let mut values = Vec::new();
        for (key, _, _, source) in holders {
            let Some(mentions) = self.sources.get(source)?.mentions.get(key) else { continue };
            if !mentions.keys.is_empty() {
                return None;
            }
            values.extend(mentions.variables.iter().map(|name| node.mentioned(name)));
        }
        let key = holders.first()?.0;
        let places: Vec<(u64, u64)> = holders.iter().map(|(_, _, place, source)| (*place, *source)).collect();
        Some(numbered(&(key, options, places, values)))
    }

    /// Looks up a key for a node, and returns the id of the answer; `None` if the key has no value.
    fn ask(&mut self, subject: &Subject<'_>, key: u32, leaving: Option<&Leaving>) -> Option<u32> {
        let name = self.pool.key_of(key);
        let found = questions::summary(subject, &hieratic::quoted_key(&name))?;
        let place = found.place.as_ref().map(|(path, line)| (path.as_path(), *line));
        Some(self.pool.answer(key, &found.text, leaving, found.is_fault, place))
    }

    /// Records the files and keys of each level that a class reads.
    fn note_levels(&mut self, footprint: &Footprint, class: u32) {
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
            if let Some(data) = &place.data {
                self.source(data);
            }
            self.seen.resize(self.pool.keys(), u32::MAX);
            let source = place.data.as_ref().and_then(|data| self.sources.get(&data.id()));
            let keys = source.into_iter().flat_map(|source| &source.keys);
            let keys = keys.filter(|key| is_inside(&self.pool, place.module.as_deref(), **key));
            let mut noted: Vec<(u32, bool)> = Vec::new();
            for key in keys {
                if let Some(seen) = self.seen.get_mut(*key as usize) {
                    noted.push((*key, std::mem::replace(seen, class) != class));
                }
            }
            self.bytes += self.levels[at].read(class, path, noted);
        }
    }

    /// Returns the answers so far. The facts of a complete index are moved to the table.
    pub(super) fn table(&mut self) -> Table {
        let mut classes = vec![Vec::new(); self.classes.len()];
        for (place, (_, class)) in (0_u32..).zip(&self.nodes) {
            if let Some(members) = classes.get_mut(*class as usize) {
                members.push(place);
            }
        }
        let with = |count: usize, pieces: fn(&Class) -> &[u32]| {
            let mut with: Vec<Vec<u32>> = vec![Vec::new(); count];
            for (number, class) in (0_u32..).zip(&self.classes) {
                for piece in pieces(class) {
                    if let Some(with) = with.get_mut(*piece as usize) {
                        with.push(number);
                    }
                }
            }
            with
        };
        let answers = with(self.pool.answered.len(), |class| &class.answered);
        let readers = with(self.pool.read.len(), |class| &class.read);
        Table {
            made: self.finished,
            took: self.finished.map_or(Duration::ZERO, |finished| finished - self.begun),
            number: self.number,
            stamp: self.stamp.clone(),
            nodes: self.nodes.iter().map(|(name, _)| name.clone()).collect(),
            all: match self.is_over {
                true => self.nodes.len() + self.faults.len(),
                false => self.names.len(),
            },
            is_full: self.is_full(),
            faults: self.faults.clone(),
            rows: self.rows(&answers),
            files: self.files(&readers),
            answers,
            readers,
            fillings: Fillings::new(
                self.classes.iter().map(|class| class.filling.clone()).collect(),
                self.pool.values(),
            ),
            levels: self.levels.iter().map(|level| level.used(&classes)).collect(),
            classes,
            facts: match self.finished {
                Some(_) => std::mem::take(&mut self.facts),
                None => self.facts.clone(),
            },
        }
    }

    /// The answers that some class has, as rows.
    fn rows(&self, classes_of: &[Vec<u32>]) -> Vec<Row> {
        let mut in_pieces: Vec<Vec<u32>> = vec![Vec::new(); self.pool.answers.len()];
        for (piece, classes) in (0_u32..).zip(classes_of) {
            for answer in self.pool.answered.piece_of(piece).iter().filter(|_| !classes.is_empty()) {
                if let Some(pieces) = in_pieces.get_mut(*answer as usize) {
                    pieces.push(piece);
                }
            }
        }
        let mut rows: Vec<Row> = Vec::new();
        for (answer, pieces) in self.pool.answers.iter().zip(in_pieces) {
            if pieces.is_empty() {
                continue;
            }
            let place = answer.place.and_then(|(path, line)| Some((self.pool.path_of(path)?.clone(), line)));
            rows.push(Row {
                key: self.pool.key_of(answer.key),
                text: answer.text.clone(),
                is_fault: answer.is_fault,
                places: place.into_iter().collect(),
                pieces,
            });
        }
        rows.sort_by(|one, other| (&one.key, &one.text, one.is_fault).cmp(&(&other.key, &other.text, other.is_fault)));
        // Equal values from several positions become one row.
        let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some(last) if last.key == row.key && last.text == row.text && last.is_fault == row.is_fault => {
                    last.places.extend(row.places);
                    last.pieces.extend(row.pieces);
                }
                _ => merged.push(row),
            }
        }
        for row in &mut merged {
            row.places.sort_unstable();
            row.places.truncate(MOST_PLACES);
            row.pieces.sort_unstable();
            row.pieces.dedup();
        }
        merged
    }

    fn files(&self, classes_of: &[Vec<u32>]) -> Vec<File> {
        let mut in_pieces: Vec<Vec<u32>> = vec![Vec::new(); self.pool.paths()];
        for (piece, classes) in (0_u32..).zip(classes_of) {
            for path in self.pool.read.piece_of(piece).iter().filter(|_| !classes.is_empty()) {
                if let Some(pieces) = in_pieces.get_mut(*path as usize) {
                    pieces.push(piece);
                }
            }
        }
        let file = |(number, pieces): (u32, Vec<u32>)| {
            let path = self.pool.path_of(number).filter(|_| !pieces.is_empty())?;
            Some(File { path: path.clone(), pieces })
        };
        let mut files: Vec<File> = (0..).zip(in_pieces).filter_map(file).collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }
}

/// Returns whether a key can be looked up in the hierarchy of a module, or in a hierarchy outside of modules.
fn is_inside(pool: &Pool, module: Option<&str>, key: u32) -> bool {
    module.is_none_or(|module| pool.key_of(key).strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_module_begins_with_its_name() {
        let mut pool = Pool::default();
        let (inside, outside) = (pool.key("ntp::servers"), pool.key("ntpd::servers"));
        assert!(is_inside(&pool, Some("ntp"), inside) && !is_inside(&pool, Some("ntp"), outside));
        assert!(is_inside(&pool, None, outside));
    }
}
