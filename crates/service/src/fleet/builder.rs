//! [`IndexBuilder`]: reads the answers of all nodes, one node after the other.
//!
//! Equivalent nodes are looked up once ([`fingerprint`]). An answer with the same sources and facts as an earlier one
//! is reused, also from the previous index if its sources have not changed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hieratic::budget::Budget;
use hieratic::value::Str;
use hieratic::{AccessLog, Facts, Mentions, Node, NodeDependencies, SourceData, fingerprint_of, node_fingerprint};
use hieratic_puppetdb::Pages;

use super::index::{File, MAX_POSITIONS, Row, Table, TemplateBindings};
use super::pool::Pool;
use super::template::Extractor;
use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fingerprint::EnvironmentFingerprint;
use crate::levels::Level;
use crate::lookups::{self, NodeContext};
use crate::nodes::exhausted;
use crate::problem::Problem;

/// The maximum size of the keys, values and facts of an index, in bytes.
const MAX_BYTES: usize = 256 << 20;
/// The maximum number of searchable facts of a node.
const MAX_FACTS: usize = 300;
/// The time limit of one node.
const MAX_NODE_TIME: Duration = Duration::from_secs(3);
/// The maximum number of cached answers to one key. If every node has its own answer, caching more of them saves
/// nothing.
const MAX_CACHED_ANSWERS: u16 = 1000;
/// The approximate size of a cached answer, in bytes.
const CACHED_ANSWER_BYTES: usize = 48;
/// The approximate overhead of a fact and its value, in bytes: an entry of a table, and a list.
const FACT_BYTES: usize = 100;

/// An equivalence class of nodes: they have the same answers.
struct Class {
    /// The pieces of its answers.
    answered: Box<[u32]>,
    /// The pieces of the list of files that it reads.
    read: Box<[u32]>,
    /// The values of the placeholders in its answers: pairs of variable and value, sorted.
    bindings: Arc<[(u32, u32)]>,
}

/// A source of data, with what its values mention besides themselves.
struct Source {
    data: SourceData,
    /// The ids of the keys that can be looked up.
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
            data: data.clone(),
        };
        for key in data.keys() {
            let mentions = data.mentions(key);
            if &**key == Node::OPTIONS_KEY {
                (source.has_options, source.options) = (true, mentions);
                continue;
            }
            let id = pool.key_id(key);
            source.keys.push(id);
            if mentions != Mentions::default() {
                source.mentions.insert(id, mentions);
            }
        }
        source
    }

    fn variables(&self) -> impl Iterator<Item = &Str> {
        self.mentions.values().chain([&self.options]).flat_map(|mentions| &mentions.variables)
    }
}

/// A location that defines a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KeyOccurrence {
    key: u32,
    /// The index of the location in lookup order.
    order: u32,
    /// The id of the location.
    location: u64,
    /// The id of the source that was read there.
    source: u64,
}

/// An index that is being made.
pub(super) struct IndexBuilder {
    environment_id: u64,
    fingerprint: EnvironmentFingerprint,
    names: Vec<String>,
    next: usize,
    /// Facts that come in pages.
    pages: Option<Pages>,
    is_over: bool,
    /// The nodes that were read, with their classes.
    nodes: Vec<(String, u32)>,
    failures: Vec<(String, String)>,
    pool: Pool,
    classes: Vec<Arc<Class>>,
    class_by_fingerprint: HashMap<u128, u32>,
    /// Classes of the index before, which may still be right.
    previous_classes: HashMap<u128, Arc<Class>>,
    /// The sources that were met.
    sources: HashMap<u64, Source>,
    /// The ids of the answers by the fingerprint of their dependencies; `None` for a key without a value.
    answers: HashMap<u128, Option<u32>>,
    /// The number of cached answers to each key.
    counts: Vec<u16>,
    facts: BTreeMap<(Arc<str>, Arc<str>), Vec<u32>>,
    levels: Vec<Level>,
    /// By the numbers of keys: the class that was the last to have the key at a level.
    last_class_of_key: Vec<u32>,
    /// Memory used outside the pool, in bytes.
    bytes: usize,
    /// The size of the pool when it had no outdated entries, in bytes.
    fresh_bytes: usize,
    started: Instant,
    finished: Option<Instant>,
}

impl IndexBuilder {
    /// Creates a builder for some nodes, whose facts come in `pages` or are requested one by one.
    pub(super) fn new(
        names: Vec<String>,
        pages: Option<Pages>,
        environment_id: u64,
        fingerprint: EnvironmentFingerprint,
        before: Option<IndexBuilder>,
    ) -> IndexBuilder {
        // The entries of the pool that no node uses any more should not outweigh the others.
        let before = before.filter(|old| old.pool.bytes() <= old.fresh_bytes + MAX_BYTES / 8);
        let (mut pool, mut fresh) = (Pool::default(), 0);
        let mut classes = HashMap::new();
        if let Some(old) = before {
            let of =
                |(fingerprint, class): (&u128, &u32)| Some((*fingerprint, old.classes.get(*class as usize)?.clone()));
            classes = old.class_by_fingerprint.iter().filter_map(of).collect();
            (pool, fresh) = (old.pool, old.fresh_bytes);
        }
        IndexBuilder {
            environment_id,
            fingerprint,
            names,
            next: 0,
            pages,
            is_over: false,
            nodes: Vec::new(),
            failures: Vec::new(),
            pool,
            classes: Vec::new(),
            class_by_fingerprint: HashMap::new(),
            previous_classes: classes,
            sources: HashMap::new(),
            answers: HashMap::new(),
            counts: Vec::new(),
            facts: BTreeMap::new(),
            levels: Vec::new(),
            last_class_of_key: Vec::new(),
            bytes: 0,
            fresh_bytes: fresh,
            started: Instant::now(),
            finished: None,
        }
    }

    pub(super) fn is_for(&self, environment_id: u64, fingerprint: &EnvironmentFingerprint) -> bool {
        self.environment_id == environment_id && self.fingerprint == *fingerprint
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_over || self.is_full() || self.pages.is_none() && self.next >= self.names.len()
    }

    fn is_full(&self) -> bool {
        self.bytes + self.pool.bytes() > MAX_BYTES
    }

    /// Reads further nodes for a while.
    ///
    /// # Errors
    /// Facts that come in pages do not come any more.
    pub(super) fn extend(
        &mut self,
        service: &Service,
        opened: &OpenEnvironment,
        turn: Duration,
    ) -> Result<(), Problem> {
        let deadline = Instant::now() + turn;
        while !self.is_done() && Instant::now() < deadline {
            let (name, facts) = match &mut self.pages {
                Some(pages) => match pages.next() {
                    Some(Ok(facts)) => (facts.node().unwrap_or_default().to_string(), Ok(facts)),
                    Some(Err(error)) => return Err(crate::facts::unreachable_error(error)),
                    None => {
                        self.is_over = true;
                        break;
                    }
                },
                None => {
                    let name = self.names[self.next].clone();
                    self.next += 1;
                    let facts = service.stored.facts(&name, &AccessLog::default()).map(|found| found.facts);
                    (name, facts)
                }
            };
            match facts.and_then(|facts| self.class_of(service, opened, &facts)) {
                Ok(class) => self.nodes.push((name, class)),
                Err(problem) => self.failures.push((name, problem.detail)),
            }
        }
        if self.is_done() && self.finished.is_none() {
            self.finished = Some(Instant::now());
            if self.fresh_bytes == 0 {
                self.fresh_bytes = self.pool.bytes();
            }
        }
        Ok(())
    }

    /// The class of a node.
    fn class_of(&mut self, service: &Service, opened: &OpenEnvironment, facts: &Facts) -> Result<u32, Problem> {
        let node = opened.environment.node(facts).map_err(|error| Problem::bad_request(error.to_string()))?.confined();
        let root = &opened.environment.layers().environment.root;
        // The lookups of one node have the limits of one request.
        let budget = Budget::new(hieratic::budget::Limits { time: Some(MAX_NODE_TIME), ..service.limits.work });
        let subject = NodeContext { node: &node, mask: &opened.mask, budget: &budget, root };
        let footprint = node
            .dependencies(&budget)
            .map_err(|error| Problem::bad_request(opened.mask.message(&error.to_string())))?;
        let fingerprint = (!footprint.asks_code).then(|| self.class_fingerprint(&footprint, &node));
        let known = fingerprint.and_then(|fingerprint| self.class_by_fingerprint.get(&fingerprint).copied());
        let class = match known {
            Some(class) => class,
            None => {
                let old = fingerprint.and_then(|fingerprint| self.previous_classes.get(&fingerprint).cloned());
                let made = match old {
                    Some(old) => old,
                    None => Arc::new(self.class(&subject, &footprint)?),
                };
                let ids = made.answered.len() + made.read.len() + 2 * made.bindings.len();
                self.bytes += size_of::<Class>() + (ids + 16) * size_of::<u32>();
                self.classes.push(made);
                let class = u32::try_from(self.classes.len() - 1).unwrap_or(u32::MAX);
                if let Some(fingerprint) = fingerprint {
                    self.class_by_fingerprint.insert(fingerprint, class);
                }
                self.record_levels(&footprint, class);
                class
            }
        };
        let place = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        for (name, value) in lookups::fact_rows(facts, "").into_iter().take(MAX_FACTS) {
            let pair = (self.pool.intern(&name), self.pool.intern(&value));
            let nodes = self.facts.entry(pair).or_default();
            self.bytes += size_of::<u32>() + if nodes.is_empty() { FACT_BYTES } else { 0 };
            nodes.push(place);
        }
        Ok(class)
    }

    /// Returns the source of some data, which is analyzed at its first use.
    fn source_of(&mut self, data: &SourceData) -> &Source {
        let pool = &mut self.pool;
        self.sources.entry(data.id()).or_insert_with(|| Source::new(data.clone(), pool))
    }

    /// The variables that the data of a node mentions.
    fn variables(&mut self, footprint: &NodeDependencies) -> BTreeSet<Str> {
        let mut variables: BTreeSet<Str> = BTreeSet::new();
        for data in footprint.places.iter().filter_map(|place| place.data.as_ref()) {
            for variable in self.source_of(data).variables() {
                if !variables.contains(variable) {
                    variables.insert(variable.clone());
                }
            }
        }
        variables
    }

    /// Returns a fingerprint that is equal for nodes with the same answers.
    fn class_fingerprint(&mut self, footprint: &NodeDependencies, node: &Node) -> u128 {
        let variables = self.variables(footprint);
        let values: Vec<String> = variables.iter().map(|name| node.mentioned(name)).collect();
        fingerprint_of(&(node_fingerprint(&[footprint]), &variables, values))
    }

    /// Everything that a node answers.
    fn class(&mut self, subject: &NodeContext<'_>, footprint: &NodeDependencies) -> Result<Class, Problem> {
        let occurrences = self.key_occurrences(footprint);
        let values: Vec<(u32, String)> = self
            .variables(footprint)
            .iter()
            .filter_map(|name| Some((self.pool.variable_id(name), subject.node.mentioned_text(name)?)))
            .collect();
        let extractor = Extractor::new(values.clone());
        // Answers can be cached by their dependencies if no code computes them and all files are readable.
        let is_known = !footprint.asks_code && footprint.places.iter().all(|place| place.fault.is_none());
        let mut answered: Vec<(u32, u32)> = Vec::new();
        if is_known {
            let options = self.options(footprint, subject.node);
            for of_key in occurrences.chunk_by(|one, other| one.key == other.key) {
                subject.budget.step().map_err(exhausted)?;
                let key = of_key.first().map_or(0, |occurrence| occurrence.key);
                let fingerprint = options.and_then(|options| self.answer_fingerprint(of_key, options, subject.node));
                let known = fingerprint.and_then(|fingerprint| self.answers.get(&fingerprint).copied());
                let answer = known.unwrap_or_else(|| {
                    let mentioned = self.interpolated_variables(of_key);
                    let answer = self.look_up(subject, key, extractor.as_ref().filter(|_| mentioned.is_some()));
                    // The variables of its placeholders have to be part of the fingerprint.
                    let is_covered = answer.is_none_or(|answer| self.has_only_variables(answer, mentioned.as_ref()));
                    if let Some(fingerprint) = fingerprint.filter(|_| is_covered && self.may_cache_answer(key)) {
                        self.answers.insert(fingerprint, answer);
                    }
                    answer
                });
                answered.extend(answer.map(|answer| (key, answer)));
            }
        } else {
            for key in lookups::keys(subject, "", None, usize::MAX)?.0 {
                subject.budget.step().map_err(exhausted)?;
                let key = self.pool.key_id(&key);
                answered.extend(self.look_up(subject, key, extractor.as_ref()).map(|answer| (key, answer)));
            }
            answered.sort_unstable();
        }
        let mut read: Vec<(u32, u32)> = Vec::new();
        for path in footprint.places.iter().filter_map(|place| place.path.as_ref()) {
            let id = self.pool.path_id(path);
            read.push((id, id));
        }
        read.sort_unstable();
        read.dedup();
        Ok(Class {
            bindings: self.bindings_for(&answered, values),
            answered: self.pool.answer_lists.divide(&answered),
            read: self.pool.file_lists.divide(&read),
        })
    }

    /// Returns the values of a node for the placeholders in its answers.
    fn bindings_for(&mut self, answered: &[(u32, u32)], values: Vec<(u32, String)>) -> Arc<[(u32, u32)]> {
        let answers = answered.iter().filter_map(|(_, answer)| self.pool.answers.get(*answer as usize));
        let left_out: HashSet<u32> = answers.flat_map(|answer| answer.template.variables()).collect();
        let mut bindings: Vec<(u32, u32)> = values
            .into_iter()
            .filter(|(variable, _)| left_out.contains(variable))
            .map(|(variable, value)| (variable, self.pool.value_id(&value)))
            .collect();
        bindings.sort_unstable();
        bindings.into()
    }

    /// Returns the variables that the values of a key interpolate; `None` if the values contain no interpolation.
    fn interpolated_variables(&self, occurrences: &[KeyOccurrence]) -> Option<HashSet<Str>> {
        let mentions = occurrences.iter().filter_map(|one| self.sources.get(&one.source)?.mentions.get(&one.key));
        let mut variables = None;
        for mentions in mentions {
            variables.get_or_insert_with(HashSet::new).extend(mentions.variables.iter().cloned());
        }
        variables
    }

    /// Returns whether all placeholders of an answer are among some variables.
    fn has_only_variables(&self, answer: u32, variables: Option<&HashSet<Str>>) -> bool {
        let Some(answer) = self.pool.answers.get(answer as usize) else { return false };
        answer.template.variables().all(|id| {
            self.pool.variable(id).zip(variables).is_some_and(|(name, variables)| variables.contains(&**name))
        })
    }

    /// Returns whether one more answer to a key should be cached, and counts it if so.
    fn may_cache_answer(&mut self, key: u32) -> bool {
        let at = key as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        let Some(count) = self.counts.get_mut(at).filter(|count| **count < MAX_CACHED_ANSWERS) else { return false };
        *count += 1;
        self.bytes += CACHED_ANSWER_BYTES;
        true
    }

    /// Returns the locations that define each key, sorted by key.
    fn key_occurrences(&mut self, footprint: &NodeDependencies) -> Vec<KeyOccurrence> {
        let mut occurrences: Vec<KeyOccurrence> = Vec::new();
        for (order, place) in (0..).zip(&footprint.places) {
            let Some(data) = &place.data else { continue };
            self.source_of(data);
            let Some(source) = self.sources.get(&data.id()) else { continue };
            let keys = source.keys.iter().filter(|key| is_inside(&self.pool, place.module.as_deref(), **key));
            occurrences.extend(keys.map(|key| KeyOccurrence {
                key: *key,
                order,
                location: place.place,
                source: data.id(),
            }));
        }
        occurrences.sort_unstable();
        occurrences
    }

    /// Returns a fingerprint of all lookup options that a node reads; `None` if they depend on other keys.
    fn options(&self, footprint: &NodeDependencies, node: &Node) -> Option<u128> {
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
            places.push((place.place, source.data.id()));
            values.extend(source.options.variables.iter().map(|name| node.mentioned(name)));
        }
        Some(fingerprint_of(&(places, values)))
    }

    /// Returns a fingerprint of everything that the answer to a key depends on; `None` if it depends on other keys.
    fn answer_fingerprint(&self, occurrences: &[KeyOccurrence], options: u128, node: &Node) -> Option<u128> {
        let mut values = Vec::new();
        for KeyOccurrence { key, source, .. } in occurrences {
            let Some(mentions) = self.sources.get(source)?.mentions.get(key) else { continue };
            if !mentions.keys.is_empty() {
                return None;
            }
            values.extend(mentions.variables.iter().map(|name| node.mentioned(name)));
        }
        let key = occurrences.first()?.key;
        let places: Vec<(u64, u64)> = occurrences.iter().map(|one| (one.location, one.source)).collect();
        Some(fingerprint_of(&(key, options, places, values)))
    }

    /// AccessLog up a key for a node, and returns the id of the answer; `None` if the key has no value.
    fn look_up(&mut self, subject: &NodeContext<'_>, key: u32, extractor: Option<&Extractor>) -> Option<u32> {
        let name = self.pool.key(key);
        let found = lookups::summary(subject, &hieratic::quoted_key(&name))?;
        let place = found.place.as_ref().map(|(path, line)| (path.as_path(), *line));
        Some(self.pool.answer_id(key, &found.text, extractor, found.is_fault, place))
    }

    /// Records the files and keys of each level that a class reads.
    fn record_levels(&mut self, footprint: &NodeDependencies, class: u32) {
        let mut at = 0;
        for place in &footprint.places {
            let is_it = |level: &Level| level.module == place.module && level.label == place.level;
            at = match self.levels.iter().position(is_it) {
                Some(at) => at,
                None => {
                    // A level without a location on this node, such as a glob pattern without matches, is inserted
                    // after the previous level.
                    let at = (at + 1).min(self.levels.len());
                    self.levels.insert(at, Level::new(place.module.clone(), place.level.clone()));
                    at
                }
            };
            let Some(path) = &place.path else { continue };
            if let Some(data) = &place.data {
                self.source_of(data);
            }
            self.last_class_of_key.resize(self.pool.key_count(), u32::MAX);
            let source = place.data.as_ref().and_then(|data| self.sources.get(&data.id()));
            let keys = source.into_iter().flat_map(|source| &source.keys);
            let keys = keys.filter(|key| is_inside(&self.pool, place.module.as_deref(), **key));
            let mut noted: Vec<(u32, bool)> = Vec::new();
            for key in keys {
                if let Some(seen) = self.last_class_of_key.get_mut(*key as usize) {
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
            for (id, class) in (0_u32..).zip(&self.classes) {
                for piece in pieces(class) {
                    if let Some(with) = with.get_mut(*piece as usize) {
                        with.push(id);
                    }
                }
            }
            with
        };
        let answers = with(self.pool.answer_lists.len(), |class| &class.answered);
        let readers = with(self.pool.file_lists.len(), |class| &class.read);
        Table {
            finished: self.finished,
            duration: self.finished.map_or(Duration::ZERO, |finished| finished - self.started),
            environment_id: self.environment_id,
            fingerprint: self.fingerprint.clone(),
            nodes: self.nodes.iter().map(|(name, _)| name.clone()).collect(),
            all: match self.is_over {
                true => self.nodes.len() + self.failures.len(),
                false => self.names.len(),
            },
            is_full: self.is_full(),
            faults: self.failures.clone(),
            rows: self.rows(&answers),
            files: self.files(&readers),
            answers,
            readers,
            bindings: TemplateBindings::new(
                self.classes.iter().map(|class| class.bindings.clone()).collect(),
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
            for answer in self.pool.answer_lists.piece_of(piece).iter().filter(|_| !classes.is_empty()) {
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
            let place = answer.position.and_then(|(path, line)| Some((self.pool.path(path)?.clone(), line)));
            rows.push(Row {
                key: self.pool.key(answer.key),
                template: answer.template.clone(),
                is_error: answer.is_error,
                positions: place.into_iter().collect(),
                pieces,
            });
        }
        rows.sort_by(|one, other| {
            (&one.key, &one.template, one.is_error).cmp(&(&other.key, &other.template, other.is_error))
        });
        // Equal values from several positions become one row.
        let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some(last) if last.key == row.key && last.template == row.template && last.is_error == row.is_error => {
                    last.positions.extend(row.positions);
                    last.pieces.extend(row.pieces);
                }
                _ => merged.push(row),
            }
        }
        for row in &mut merged {
            row.positions.sort_unstable();
            row.positions.truncate(MAX_POSITIONS);
            row.pieces.sort_unstable();
            row.pieces.dedup();
        }
        merged
    }

    fn files(&self, classes_of: &[Vec<u32>]) -> Vec<File> {
        let mut in_pieces: Vec<Vec<u32>> = vec![Vec::new(); self.pool.path_count()];
        for (piece, classes) in (0_u32..).zip(classes_of) {
            for path in self.pool.file_lists.piece_of(piece).iter().filter(|_| !classes.is_empty()) {
                if let Some(pieces) = in_pieces.get_mut(*path as usize) {
                    pieces.push(piece);
                }
            }
        }
        let file = |(id, pieces): (u32, Vec<u32>)| {
            let path = self.pool.path(id).filter(|_| !pieces.is_empty())?;
            Some(File { path: path.clone(), pieces })
        };
        let mut files: Vec<File> = (0..).zip(in_pieces).filter_map(file).collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }
}

/// Returns whether a key can be looked up in the hierarchy of a module, or in a hierarchy outside of modules.
fn is_inside(pool: &Pool, module: Option<&str>, key: u32) -> bool {
    module.is_none_or(|module| pool.key(key).strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_module_begins_with_its_name() {
        let mut pool = Pool::default();
        let (inside, outside) = (pool.key_id("ntp::servers"), pool.key_id("ntpd::servers"));
        assert!(is_inside(&pool, Some("ntp"), inside) && !is_inside(&pool, Some("ntp"), outside));
        assert!(is_inside(&pool, None, outside));
    }
}
