//! [`NodeLevels`]: the levels of a node's hierarchies in order, with their files. On pages, each has a number and a
//! color.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::Node;
use hieratic::budget::Budget;
use hieratic::dependencies::{DataDependency, SourceData};

/// The levels of a node, the highest first.
#[derive(Default)]
pub struct NodeLevels {
    /// The levels, the highest first.
    pub levels: Vec<NodeLevel>,
    by_file: HashMap<PathBuf, usize>,
}

/// A level of a hierarchy on a node.
pub struct NodeLevel {
    /// The module whose hierarchy has the level.
    pub module: Option<String>,
    /// Its name.
    pub name: String,
    /// Its files and addresses.
    pub locations: Vec<LevelLocation>,
    /// The reason why it is not asked, if it is skipped.
    pub skipped: Option<String>,
}

/// A file or address of a level.
pub struct LevelLocation {
    /// The file, if it exists.
    pub path: Option<Arc<Path>>,
    /// The file or address, whether it exists or not.
    pub location: Option<String>,
    /// The data of the file.
    pub data: Option<SourceData>,
    /// Whether the file cannot be read.
    pub is_faulty: bool,
}

impl LevelLocation {
    fn new(place: &DataDependency) -> LevelLocation {
        LevelLocation {
            path: place.path.clone(),
            location: place.location.as_ref().map(|location| location.to_string()),
            data: place.data.clone(),
            is_faulty: place.fault.is_some(),
        }
    }

    /// Returns the number of keys in the file.
    pub fn keys(&self) -> usize {
        self.data.iter().flat_map(SourceData::keys).filter(|key| &***key != Node::OPTIONS_KEY).count()
    }
}

impl NodeLevel {
    /// Returns whether a file of the level was read, or is there and cannot be read.
    pub fn has_file(&self) -> bool {
        self.locations.iter().any(|location| location.path.is_some() || location.is_faulty)
    }
}

impl NodeLevels {
    /// Returns the levels of a node; empty if its hierarchy cannot be read, which lookups report.
    pub fn new(node: &Node, budget: &Budget) -> NodeLevels {
        let Ok(dependencies) = node.dependencies(budget) else { return NodeLevels::default() };
        let mut result = NodeLevels::default();
        for places in dependencies.places.chunk_by(|one, other| one.module == other.module && one.level == other.level)
        {
            let Some(first) = places.first() else { continue };
            let number = result.levels.len();
            for path in places.iter().filter_map(|place| place.path.as_ref()) {
                result.by_file.entry(path.to_path_buf()).or_insert(number);
            }
            result.levels.push(NodeLevel {
                module: first.module.as_ref().map(|module| module.to_string()),
                name: plain_name(&first.level).to_string(),
                locations: places.iter().map(LevelLocation::new).collect(),
                skipped: places.iter().find_map(|place| Some(place.skipped.as_ref()?.reason())),
            });
        }
        result
    }

    /// Returns the index of the level that a file belongs to.
    pub fn of_file(&self, file: &Path) -> Option<usize> {
        self.by_file.get(file).copied()
    }

    /// Returns the data of a file that the node reads.
    pub fn data_of(&self, file: &Path) -> Option<&SourceData> {
        let level = self.levels.get(self.of_file(file)?)?;
        let found = level.locations.iter().find(|location| location.path.as_deref() == Some(file));
        found.and_then(|location| location.data.as_ref())
    }

    /// Returns whether the value of a key in a file has encrypted parts, as it is written. True if the file is not known.
    pub fn is_encrypted(&self, file: &Path, key: &str) -> bool {
        let mut locations = self.levels.iter().flat_map(|level| &level.locations);
        let found = locations.find(|location| location.location.as_deref().map(Path::new) == Some(file));
        match found.map(|location| (&location.data, location.is_faulty)) {
            Some((Some(data), _)) => data.written(key).is_some_and(|value| value.inspect().contains("ENC[")),
            // A file that cannot be read gives no key a value.
            Some((None, is_faulty)) => !is_faulty,
            None => true,
        }
    }

    /// Returns the levels that are not asked, each with its reason.
    pub fn skipped(&self) -> impl Iterator<Item = (&str, &str)> {
        self.levels.iter().filter_map(|level| Some((level.name.as_str(), level.skipped.as_deref()?)))
    }

    /// Returns all files that the node reads.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let locations = self.levels.iter().flat_map(|level| &level.locations);
        locations.filter_map(|location| location.path.as_deref())
    }
}

/// Returns the name of a level without the words of explanations around it.
pub fn plain_name(level: &str) -> &str {
    level.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(level)
}
