//! [`affected`] finds the keys and nodes that a part of the repository can reach.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic::budget::{Budget, Progress};
use hieratic::dependencies::{DataDependency, NodeDependencies, SourceData, node_fingerprint};
use hieratic::hiera::PatternIndex;
use hieratic::hiera::inspect::{HierarchyFile, Whose, is_encrypted};
use hieratic::ruby_regexp::Regexp;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashMap;
use hieratic::value::ids::Fingerprint;
use hieratic::value::{Str, Value};
use hieratic::{Environment, Error, Facts, Limits, Node};
use rayon::prelude::*;

use crate::reach::{FootprintPair, Sources};

/// A part of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepositoryPart {
    /// The absolute path of a file or a folder, which means all files below it. With a line, only the key on this line.
    File(PathBuf, Option<u32>),
    /// The levels with this name.
    Level(String),
}

/// The keys and nodes that parts of a repository can reach.
#[derive(Debug, Default)]
pub struct Affected {
    /// The groups of nodes with the same reached keys, the largest first. Nodes are indexes into the given list.
    /// Nodes without reached keys are in no group.
    pub groups: Vec<AffectedGroup>,
    /// The nodes whose hierarchies are invalid, with the error. Their keys are unknown.
    pub broken: Vec<(usize, String)>,
}

/// Nodes with the same reached keys.
#[derive(Debug)]
pub struct AffectedGroup {
    /// The nodes, sorted.
    pub nodes: Vec<usize>,
    /// The reached keys.
    pub keys: Arc<Keys>,
}

/// The keys of a node that parts of a repository can reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Keys {
    /// Whether every key may be reached, including keys that no file defines, because the part configures the hierarchy
    /// or is code.
    pub any: bool,
    /// The modules whose keys may all be reached, because the part configures their hierarchies.
    pub any_of: BTreeSet<Str>,
    /// The keys whose answers can depend on the part, as far as they are known.
    pub reached: BTreeSet<Str>,
    /// The keys in the part that a higher level overrides.
    pub overridden: Vec<Overridden>,
}

impl Keys {
    /// Returns whether any answer can depend on the part. Otherwise, higher levels override all its keys.
    pub fn is_reaching(&self) -> bool {
        self.any || !self.any_of.is_empty() || !self.reached.is_empty()
    }
}

/// A key that a higher level overrides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Overridden {
    /// The key.
    pub key: Str,
    /// The file of the higher level.
    pub by: Arc<Path>,
}

/// Returns the name of the level at a line of a `hiera.yaml`. Returns `None` if the file does not configure the
/// environment, or if the line is above all levels.
pub fn level_at(environment: &Environment, file: &Path, line: u32) -> Option<String> {
    let layers = environment.layers();
    let modules = layers.modules.keys().map(|name| Whose::Module(name));
    [Whose::Environment, Whose::Global].into_iter().chain(modules).find_map(|whose| {
        // A configuration that cannot be read names no level: the caller then takes the line for one of the file.
        let blueprint = HierarchyFile::read(layers, environment.capabilities(), whose, &mut Vec::new()).ok()??;
        if blueprint.path.as_deref() != Some(file) {
            return None;
        }
        let levels = blueprint.levels.iter().chain(&blueprint.default_levels);
        let above = levels.filter_map(|level| Some((level.place.as_ref()?.line?, level))).filter(|(at, _)| *at <= line);
        above.max_by_key(|(at, _)| *at).map(|(_, level)| level.name.to_string())
    })
}

/// The files that configure data, in addition to the configurations of hierarchies.
const SETTINGS: [&str; 3] = ["environment.conf", "metadata.json", "hieratic.yaml"];

/// Returns the keys and nodes that parts of a repository can reach. The result includes every answer that a change of
/// these parts can alter, in the state that has the parts.
pub fn affected(
    environment: &Environment,
    nodes: &[Facts],
    parts: &[RepositoryPart],
    limits: Limits,
    progress: &dyn Progress,
) -> Affected {
    progress.begin("asking nodes", nodes.len());
    let query = AffectedQuery {
        environment,
        parts,
        sources: Sources::default(),
        known: Mutex::default(),
        real: Mutex::default(),
    };
    let of_node = |facts: &Facts| {
        let found = query.of_node(facts, &Budget::new(limits));
        progress.step();
        found
    };
    let found: Vec<Result<Arc<Keys>, Error>> = nodes.par_iter().map(of_node).collect();
    let mut answer = Affected::default();
    let mut groups: HashMap<*const Keys, AffectedGroup> = HashMap::default();
    for (index, keys) in found.into_iter().enumerate() {
        match keys {
            Err(error) => answer.broken.push((index, error.to_string())),
            Ok(keys) if *keys == Keys::default() => {}
            Ok(keys) => {
                let group =
                    groups.entry(Arc::as_ptr(&keys)).or_insert_with(|| AffectedGroup { nodes: Vec::new(), keys });
                group.nodes.push(index);
            }
        }
    }
    // Nodes with other hierarchies may see the same keys.
    let mut by_keys: HashMap<Arc<Keys>, AffectedGroup> = HashMap::default();
    for AffectedGroup { nodes, keys } in groups.into_values() {
        let none = || AffectedGroup { nodes: Vec::new(), keys: keys.clone() };
        by_keys.entry(keys.clone()).or_insert_with(none).nodes.extend(nodes);
    }
    let mut merged: Vec<AffectedGroup> = by_keys.into_values().collect();
    merged.iter_mut().for_each(|group| group.nodes.sort_unstable());
    merged.sort_erased_by(|one, other| (other.nodes.len(), &one.nodes).cmp(&(one.nodes.len(), &other.nodes)));
    answer.groups = merged;
    answer
}

/// A run of [`affected`], with a cache of keys by the dependencies of nodes.
struct AffectedQuery<'a> {
    environment: &'a Environment,
    parts: &'a [RepositoryPart],
    sources: Sources,
    known: Mutex<HashMap<Fingerprint, Arc<OnceLock<Arc<Keys>>>>>,
    /// The paths of files with all links resolved.
    real: Mutex<HashMap<Arc<Path>, Arc<Path>>>,
}

impl AffectedQuery<'_> {
    fn of_node(&self, facts: &Facts, budget: &Budget) -> Result<Arc<Keys>, Error> {
        let node = self.environment.node(facts)?;
        let dependencies = node.dependencies(budget)?;
        let configurations: Vec<_> = node.configurations().into_iter().map(|(file, _)| file).collect();
        let key = Fingerprint::new(&(node_fingerprint(&[&dependencies]), &configurations));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        Ok(known.get_or_init(|| Arc::new(self.keys(&dependencies, &configurations))).clone())
    }

    /// Returns whether a dependency belongs to a part, by its name or with links resolved.
    fn includes(&self, part: &RepositoryPart, dependency: &DataDependency) -> bool {
        match part {
            RepositoryPart::File(path, _) => {
                dependency.path.as_ref().is_some_and(|own| own.starts_with(path) || self.real(own).starts_with(path))
            }
            RepositoryPart::Level(name) => *dependency.level == *format!("Hierarchy entry \"{name}\""),
        }
    }

    /// Returns the path of a file with all links resolved.
    fn real(&self, path: &Arc<Path>) -> Arc<Path> {
        let known = || self.real.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(path) {
            return known.clone();
        }
        let found = self.environment.capabilities().files_of(path).real(path);
        let found = found.map_or_else(|_| path.clone(), Arc::from);
        known().entry(path.clone()).or_insert(found).clone()
    }

    fn keys(&self, dependencies: &NodeDependencies, configurations: &[Arc<Path>]) -> Keys {
        let both = FootprintPair { base: dependencies, head: dependencies, sources: &self.sources };
        let any = self.parts.iter().any(|part| self.reaches_any(part, dependencies, configurations));
        let any_of = self.modules(configurations);
        let mut own: BTreeSet<Str> = BTreeSet::new();
        for module in &any_of {
            let places = dependencies.places.iter().filter(|dependency| dependency.module.as_ref() == Some(module));
            own.extend(places.flat_map(keys_of));
        }
        // A different merge or conversion changes the answer, whichever level has the value.
        let mut ruled: BTreeSet<Str> = BTreeSet::new();
        for part in self.parts {
            for dependency in dependencies.places.iter().filter(|dependency| self.includes(part, dependency)) {
                own.extend(part.keys_in(dependency));
            }
            let is_key = matches!(part, RepositoryPart::File(path, _) if path.extension().is_some_and(|extension| extension == "pem"));
            if is_key {
                ruled.extend(
                    raw_values(dependencies).filter(|(_, value)| is_encrypted(value)).map(|(key, _)| key.clone()),
                );
            }
            if part.has_types() {
                ruled.extend(both.keys_named(converted(dependencies).iter()).unwrap_or_default());
            }
        }
        if own.remove(Node::OPTIONS_KEY) {
            let of_parts = dependencies
                .places
                .iter()
                .filter(|dependency| self.parts.iter().any(|part| self.includes(part, dependency)));
            let names: Vec<Str> = of_parts.flat_map(option_names).collect();
            match both.keys_named(names.iter()) {
                Some(keys) => ruled.extend(keys),
                None => return Keys { any: true, ..every_key(dependencies) },
            }
        }
        if any {
            return Keys { any, ..every_key(dependencies) };
        }
        let mut closed: BTreeSet<Str> = own.union(&ruled).cloned().collect();
        both.add_mentioning(&mut closed);
        if closed.contains(Node::OPTIONS_KEY) {
            return Keys { any: true, ..every_key(dependencies) };
        }
        let merged = merged(dependencies);
        let mentioning = both.that_mention(&closed);
        let overridden: Vec<Overridden> = own
            .iter()
            .filter(|key| !ruled.contains(*key) && !mentioning.contains(*key) && !merged.matches(key))
            .filter_map(|key| {
                let first = dependencies.places.iter().find(|dependency| has(dependency, key))?;
                let is_own = self.parts.iter().any(|part| self.includes(part, first));
                let by = first.path.clone().filter(|_| !is_own)?;
                Some(Overridden { key: key.clone(), by })
            })
            .collect();
        for Overridden { key, .. } in &overridden {
            closed.remove(key);
        }
        Keys { any: false, any_of, reached: closed, overridden }
    }

    /// The modules whose hierarchies the parts contain.
    fn modules(&self, configurations: &[Arc<Path>]) -> BTreeSet<Str> {
        let modules = self.environment.layers().modules.iter();
        let is_part = |configuration: &&Arc<Path>| {
            let is = |part: &RepositoryPart| matches!(part, RepositoryPart::File(path, None) if configuration.starts_with(path) || self.real(configuration).starts_with(path));
            self.parts.iter().any(is)
        };
        modules
            .filter(|(_, module)| {
                configurations.iter().filter(|path| path.starts_with(&module.root)).any(|path| is_part(&path))
            })
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Returns whether a part can change the answer to any key of a node.
    fn reaches_any(
        &self,
        part: &RepositoryPart,
        dependencies: &NodeDependencies,
        configurations: &[Arc<Path>],
    ) -> bool {
        let RepositoryPart::File(path, line) = part else { return false };
        // A module answers for its own keys only.
        let is_of_module =
            |path: &Path| self.environment.layers().modules.values().any(|module| path.starts_with(&module.root));
        let is_own =
            |configuration: &&Arc<Path>| configuration.starts_with(path) || self.real(configuration).starts_with(path);
        let mut own = configurations.iter().filter(is_own).peekable();
        if own.peek().is_some() {
            // A line inside a level was replaced by its level before.
            return line.is_none() && own.any(|configuration| !is_of_module(configuration));
        }
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| SETTINGS.contains(&name)) {
            return true;
        }
        let places = || dependencies.places.iter().filter(|dependency| self.includes(part, dependency));
        // An unreadable file fails every lookup that reaches it.
        if places().any(|dependency| dependency.fault.is_some()) {
            return true;
        }
        let is_data = places().next().is_some();
        !is_data && (dependencies.asks_code || dependencies.reads_more)
    }
}

impl RepositoryPart {
    /// The keys that it has in one of its places. A module answers for its own keys only.
    fn keys_in<'f>(&self, dependency: &'f DataDependency) -> impl Iterator<Item = Str> + use<'f> {
        let data = dependency.data.as_ref();
        let line = match self {
            RepositoryPart::File(_, line) => *line,
            RepositoryPart::Level(_) => None,
        };
        let on_line = line.map(|line| data.and_then(|data| data.key_at(line)));
        let keys = data.into_iter().flat_map(SourceData::keys);
        let keys = keys.filter(move |key| on_line.is_none_or(|expected| expected == Some(*key)));
        let module = dependency.module.as_deref();
        keys.filter(move |key| &***key == Node::OPTIONS_KEY || is_of_module(key, module)).cloned()
    }

    /// Returns whether the part can contain types that values are converted to.
    fn has_types(&self) -> bool {
        let RepositoryPart::File(path, _) = self else { return false };
        match path.extension() {
            Some(extension) => extension == "pp",
            None => true,
        }
    }
}

fn is_of_module(key: &str, module: Option<&str>) -> bool {
    module.is_none_or(|module| key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
}

/// Every key that some place has.
fn every_key(dependencies: &NodeDependencies) -> Keys {
    Keys { reached: dependencies.places.iter().flat_map(keys_of).collect(), ..Keys::default() }
}

/// The keys that a place answers for.
fn keys_of(dependency: &DataDependency) -> Vec<Str> {
    let keys = dependency.data.iter().flat_map(SourceData::keys);
    keys.filter(|key| is_of_module(key, dependency.module.as_deref()) && &***key != Node::OPTIONS_KEY)
        .cloned()
        .collect()
}

/// The keys of all data files with their values, interpolations unresolved.
fn raw_values(dependencies: &NodeDependencies) -> impl Iterator<Item = (&Str, &Value)> {
    let data = dependencies.places.iter().filter_map(|dependency| dependency.data.as_ref());
    data.flat_map(|data| data.keys().filter_map(|key| Some((key, data.written(key)?))))
}

fn has(dependency: &DataDependency, key: &str) -> bool {
    is_of_module(key, dependency.module.as_deref())
        && dependency.data.as_ref().is_some_and(|data| data.written(key).is_some())
}

/// The pairs of `lookup_options` in all places.
fn options(dependencies: &NodeDependencies) -> impl Iterator<Item = (&Str, &Value)> {
    let options = dependencies
        .places
        .iter()
        .filter_map(|dependency| dependency.data.as_ref()?.written(Node::OPTIONS_KEY)?.as_hash());
    options.flat_map(|hash| hash.iter()).filter_map(|(name, value)| match name {
        Value::String(name) => Some((name, value)),
        _ => None,
    })
}

/// The names in the `lookup_options` of one place.
fn option_names(dependency: &DataDependency) -> Vec<Str> {
    let options = dependency.data.as_ref().and_then(|data| data.written(Node::OPTIONS_KEY)?.as_hash());
    let names = options.into_iter().flat_map(|hash| hash.keys());
    names.filter_map(|name| if let Value::String(name) = name { Some(name.clone()) } else { None }).collect()
}

/// The names in `lookup_options` whose values are converted.
pub(crate) fn converted(dependencies: &NodeDependencies) -> Vec<Str> {
    let converts = |value: &Value| value.as_hash().is_none_or(|options| options.contains("convert_to"));
    options(dependencies).filter(|(_, value)| converts(value)).map(|(name, _)| name.clone()).collect()
}

/// The keys that may be merged, so that no level hides another.
struct MergedKeys {
    keys: BTreeSet<Str>,
    patterns: Vec<Regexp>,
    index: PatternIndex,
    /// Whether every key may be merged, because the options cannot be evaluated here.
    all: bool,
}

impl MergedKeys {
    fn matches(&self, key: &str) -> bool {
        self.all
            || self.keys.contains(key)
            || !self.patterns.is_empty()
                && self
                    .index
                    .candidates(key)
                    .into_iter()
                    .filter_map(|number| self.patterns.get(number))
                    .any(|pattern| pattern.try_is_match(key).unwrap_or(true))
    }
}

/// The keys that may be merged according to the options of any level.
fn merged(dependencies: &NodeDependencies) -> MergedKeys {
    let mut merged =
        MergedKeys { keys: BTreeSet::new(), patterns: Vec::new(), index: PatternIndex::default(), all: false };
    for (name, value) in options(dependencies) {
        if value.as_hash().is_some_and(|options| !options.contains("merge")) {
            continue;
        }
        if name.contains("%{") {
            merged.all = true;
        } else if name.starts_with('^') {
            match Regexp::new(name) {
                Ok(pattern) => {
                    merged.patterns.push(pattern);
                    merged.index.add(name);
                }
                // Without the pattern, every key may be affected.
                Err(_) => merged.all = true,
            }
        } else {
            merged.keys.insert(name.clone());
        }
    }
    merged
}
