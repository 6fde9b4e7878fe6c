//! [`ReadSets`]: the distinct lists of sources that nodes read, in lookup order.

use std::path::{Path, PathBuf};

use hieratic::budget::{Budget, Limits};
use hieratic::dependencies::DataDependency;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use crate::options::Options;
use crate::workspace::Workspace;
use crate::workspace::data::Reader;
use crate::workspace::hierarchy::{Config, Level};
use crate::workspace::nodes::{GivenNode, SampleNodes};

/// The distinct lists of sources that nodes read.
pub(crate) struct ReadSets {
    /// The read sets, no two of them equal.
    pub(crate) all: Vec<ReadSet>,
    /// The names of the given nodes; empty if the lists are for any node.
    pub(crate) nodes: Vec<String>,
    /// Nodes that were given and cannot be judged.
    pub(crate) unchecked_nodes: Vec<String>,
    /// The levels of the environment that cannot be checked, and that could have any key.
    pub(crate) unchecked_levels: Vec<String>,
    /// Whether the given nodes are all nodes.
    are_all: bool,
}

/// The sources that some nodes read, in lookup order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadSet {
    /// The places.
    pub(crate) places: Vec<ReadSource>,
    /// The nodes, by their numbers in [`ReadSets::nodes`].
    pub(crate) nodes: Vec<usize>,
}

/// A source that a lookup reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadSource {
    /// The module whose keys the source answers; `None` if it answers all keys.
    pub(crate) module: Option<usize>,
    /// The number of its level: a lookup merges the values of a level before it merges levels.
    pub(crate) level: u32,
    /// The kind of the source.
    pub(crate) kind: SourceKind,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SourceKind {
    /// A file of data, by its number.
    File(usize),
    /// A file that some of the nodes may read. Of files with the same number behind, each node reads one at most.
    Maybe(usize, Option<u32>),
    /// Something that may answer any key.
    Unknown,
}

impl ReadSets {
    /// The read sets of the given nodes; without any, one for all possible nodes.
    pub(crate) fn new(workspace: &Workspace, known: &SampleNodes<'_>, options: &Options) -> ReadSets {
        let unchecked_levels = levels(workspace, None)
            .filter(|(config, index, level)| {
                level.reader == Reader::Other || workspace.incomplete_levels.contains(&(*config, *index))
            })
            .map(|(_, _, level)| level.level.name.to_string())
            .collect();
        let level_files = LevelFiles::new(workspace);
        if known.nodes.is_empty() {
            let read_set = ReadSet { places: any_node(workspace, &level_files), nodes: Vec::new() };
            return ReadSets {
                all: vec![read_set],
                nodes: Vec::new(),
                unchecked_nodes: known.faults.clone(),
                unchecked_levels,
                are_all: true,
            };
        }
        let by_path: HashMap<&Path, usize> =
            workspace.files.iter().enumerate().map(|(index, file)| (file.path.as_path(), index)).collect();
        let limits = options.settings.limits;
        let read: Vec<Option<Vec<ReadSource>>> =
            known.nodes.par_iter().map(|node| of_node(workspace, node, &by_path, &level_files, limits)).collect();
        let mut unchecked_nodes = known.faults.clone();
        let mut all: HashMap<Vec<ReadSource>, Vec<usize>> = HashMap::default();
        for (index, places) in read.into_iter().enumerate() {
            match places {
                Some(places) => all.entry(places).or_default().push(index),
                None => unchecked_nodes.push(known.nodes[index].name.to_owned()),
            }
        }
        let mut all: Vec<ReadSet> = all.into_iter().map(|(places, nodes)| ReadSet { places, nodes }).collect();
        all.sort_erased_by(|one, other| one.nodes.cmp(&other.nodes));
        let nodes = known.nodes.iter().map(|node| node.name.to_owned()).collect();
        ReadSets { all, nodes, unchecked_nodes, unchecked_levels, are_all: options.all_nodes }
    }

    /// The subject of a sentence about nodes that do not do something.
    pub(crate) fn no_node_subject(&self) -> String {
        match (self.are_all, self.nodes.len()) {
            (true, _) => "No node".to_owned(),
            (false, count) => format!("None of the {count} nodes given"),
        }
    }

    /// Returns whether the given nodes are all nodes, and each of them can be checked.
    pub(crate) fn are_all_given(&self) -> bool {
        self.are_given() && self.are_all && self.unchecked_nodes.is_empty()
    }

    /// Returns whether nodes are given.
    pub(crate) fn are_given(&self) -> bool {
        !self.nodes.is_empty()
    }
}

/// The numbers of the configurations that answer keys: those of the machine and the environment, or that of a module.
pub(crate) fn configs<'r>(
    workspace: &'r Workspace,
    module: Option<&'r str>,
) -> impl Iterator<Item = (usize, &'r Config)> {
    workspace.configs.iter().enumerate().filter(move |(_, config)| config.module.as_deref() == module)
}

/// The levels of the same, with the numbers of their configurations and their own.
fn levels<'r>(workspace: &'r Workspace, module: Option<&'r str>) -> impl Iterator<Item = (usize, usize, &'r Level)> {
    configs(workspace, module)
        .flat_map(|(config, of)| of.levels.iter().enumerate().map(move |(index, level)| (config, index, level)))
}

/// The modules with a hierarchy, by the numbers of their configurations.
fn modules(workspace: &Workspace) -> impl Iterator<Item = (usize, &str)> {
    workspace.configs.iter().enumerate().filter_map(|(index, config)| Some((index, config.module.as_deref()?)))
}

/// The configurations of modules, by the names of the modules.
pub(crate) struct Modules<'r>(HashMap<&'r str, usize>);

impl<'r> Modules<'r> {
    pub(crate) fn new(workspace: &'r Workspace) -> Modules<'r> {
        Modules(modules(workspace).map(|(config, name)| (name, config)).collect())
    }

    /// The number of the configuration that answers a key after those of the machine and the environment.
    pub(crate) fn of_key(&self, key: &str) -> Option<usize> {
        key.split_once("::").and_then(|(module, _)| self.0.get(module).copied())
    }
}

/// The data files of each level, by their numbers: a level has few of all files.
pub(crate) struct LevelFiles(HashMap<(usize, usize), Vec<usize>>);

impl LevelFiles {
    pub(crate) fn new(workspace: &Workspace) -> LevelFiles {
        let mut files: HashMap<(usize, usize), Vec<usize>> = HashMap::default();
        for (number, file) in workspace.files.iter().enumerate() {
            for reach in &file.reached {
                let of_level = files.entry((file.config, reach.level)).or_default();
                if of_level.last() != Some(&number) {
                    of_level.push(number);
                }
            }
        }
        LevelFiles(files)
    }

    /// The files of a level of a configuration.
    pub(crate) fn of(&self, config: usize, level: usize) -> &[usize] {
        self.0.get(&(config, level)).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The kind of source that a file is.
fn file(workspace: &Workspace, index: usize) -> SourceKind {
    if workspace.files[index].is_plain() { SourceKind::File(index) } else { SourceKind::Unknown }
}

/// The sources of any node: those that every node reads, and all others as possible.
fn any_node(workspace: &Workspace, level_files: &LevelFiles) -> Vec<ReadSource> {
    let mut places = Vec::new();
    let mut add = |module: Option<usize>, name: Option<&str>| {
        for (config, index, level) in levels(workspace, name) {
            let sources = of_level(workspace, level_files, config, index, level, true);
            places.extend(sources.into_iter().map(|kind| ReadSource {
                module,
                level: number_of(config, index, 0),
                kind,
            }));
        }
    };
    add(None, None);
    modules(workspace).for_each(|(config, name)| add(Some(config), Some(name)));
    places
}

/// The sources of a level. If `is_known`, files whose paths have no variables are always read.
fn of_level(
    workspace: &Workspace,
    level_files: &LevelFiles,
    config: usize,
    index: usize,
    level: &Level,
    is_known: bool,
) -> Vec<SourceKind> {
    if level.reader == Reader::Other {
        return vec![SourceKind::Unknown];
    }
    let environment = workspace.environment.name();
    // By the pattern that leads there first, as a lookup comes to them.
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); level.patterns.len()];
    for number in level_files.of(config, index) {
        let text = workspace.files[*number].path.to_str().unwrap_or_default();
        let first = level.patterns.iter().position(|pattern| pattern.lead_to(text, environment).is_some());
        if let Some(found) = first.and_then(|first| found.get_mut(first)) {
            found.push(*number);
        }
    }
    let mut places = Vec::new();
    // The same data may be deployed as another environment, and private files may be deployed from elsewhere.
    places.extend(workspace.incomplete_levels.contains(&(config, index)).then_some(SourceKind::Unknown));
    for (at, (pattern, files)) in level.patterns.iter().zip(found).enumerate() {
        let is_always = is_known && !pattern.varies() && (!pattern.is_search() || files.len() < 2);
        // Of one path, a node reads one file.
        let group = (!pattern.is_search()).then(|| number_of(config, index, at));
        places.extend(files.into_iter().map(|number| match file(workspace, number) {
            SourceKind::File(number) if !is_always => SourceKind::Maybe(number, group),
            other => other,
        }));
    }
    places
}

/// A number for a path of a level.
fn number_of(config: usize, level: usize, path: usize) -> u32 {
    // No repository has enough of any kind for two of them to get the same number.
    u32::try_from((config * 1000 + level) * 1000 + path).unwrap_or(u32::MAX)
}

/// The sources of a node; `None` if they are unknown.
fn of_node(
    workspace: &Workspace,
    known: &GivenNode<'_>,
    by_path: &HashMap<&Path, usize>,
    level_files: &LevelFiles,
    limits: Limits,
) -> Option<Vec<ReadSource>> {
    // The caller counts a node whose dependencies are unknown as unchecked.
    let dependencies = known.node.dependencies(&Budget::new(limits)).ok()?;
    let mut rest: &[DataDependency] = &dependencies.places;
    let mut places = Vec::new();
    let outside = std::iter::once((None, None));
    let inside = modules(workspace).map(|(config, name)| (Some(config), Some(name)));
    // A footprint has the layers in this order, too.
    for (module, name) in outside.chain(inside) {
        for (config, index, level) in levels(workspace, name) {
            let label = format!("Hierarchy entry \"{}\"", level.level.name);
            let here =
                |dependency: &&DataDependency| dependency.module.as_deref() == name && *dependency.level == *label;
            let length = rest.iter().take_while(here).count();
            let (own, after) = rest.split_at(length);
            rest = after;
            let places_of_level = if level.reader == Reader::Other {
                vec![SourceKind::Unknown]
            } else if !is_certain(level, known) || workspace.incomplete_levels.contains(&(config, index)) {
                of_level(workspace, level_files, config, index, level, true)
            } else {
                own.iter().filter_map(|dependency| of_footing(workspace, dependency, by_path)).collect()
            };
            let level = number_of(config, index, 0);
            places.extend(places_of_level.into_iter().map(|kind| ReadSource { module, level, kind }));
        }
    }
    // Something is there that is not understood.
    rest.is_empty().then_some(places)
}

fn of_footing(
    workspace: &Workspace,
    dependency: &DataDependency,
    by_path: &HashMap<&Path, usize>,
) -> Option<SourceKind> {
    if dependency.fault.is_some() {
        return Some(SourceKind::Unknown);
    }
    let path: &PathBuf = &dependency.path.as_deref()?.to_owned();
    match (by_path.get(path.as_path()), &dependency.data) {
        (Some(index), _) => Some(file(workspace, *index)),
        (None, Some(_)) => Some(SourceKind::Unknown),
        // The file has no keys.
        (None, None) => None,
    }
}

/// Returns whether all variables in the paths of a level are known for a node. A manifest may set a missing variable
/// that is not a fact.
fn is_certain(level: &Level, known: &GivenNode<'_>) -> bool {
    let mut seen = HashSet::default();
    level.patterns.iter().flat_map(|pattern| pattern.variables()).filter(|name| seen.insert(*name)).all(|name| {
        let plain = name.strip_prefix("::").unwrap_or(name);
        let is_fact = ["facts.", "trusted.", "server_facts."].iter().any(|of| plain.starts_with(of));
        plain == "environment" || is_fact && known.has_facts || known.node.mentioned_text(name).is_some()
    })
}
