//! [`NodeDependencies`]: everything that a node's answers depend on. The dependencies of two nodes can be compared
//! without a lookup.
//!
//! A lookup walks the locations of the hierarchies in order and takes the value that each defines for the key. So an
//! answer depends on the order of the locations, on the values of those that define the key, and on the keys and
//! variables that these values refer to. [`NodeDependencies`] lists the locations with their sources;
//! [`SourceData::mentions`] returns the mentions of a value.

use std::hash::{DefaultHasher, Hash as _, Hasher};
use std::path::Path;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};

use crate::Error;
use crate::config::{self, Locations};
use crate::inspect::Interpolated;
use crate::key::LOOKUP_OPTIONS;
use crate::layers::Layer;
use crate::node::{Backend, LocationKind, Node, SkippedLevel};
use crate::source::{Data, Format, SourceId, key_files};
use crate::template::{Expression, Part, Template};

/// Every location of a node's hierarchies, in the order of a lookup.
#[derive(Clone, Debug)]
pub struct NodeDependencies {
    /// The locations, in the order of a lookup.
    pub places: Vec<DataDependency>,
    /// The patterns of globs, with their folder and their variables replaced. They may match more files later.
    pub patterns: Vec<Str>,
    /// The files that levels with encrypted values name as keys.
    pub key_files: Vec<Arc<Path>>,
    /// Whether a level has a backend function or program, whose reads are unknown.
    pub asks_code: bool,
    /// Whether data files include other files.
    pub reads_more: bool,
}

/// The identity of a location in a hierarchy. It is unique within the node, and equal for the same location of two
/// environments in the same folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u64);

impl LocationId {
    /// Returns the id as a number.
    pub fn as_u64(self) -> u64 {
        self.0
    }
}

/// A location of a hierarchy with its data.
#[derive(Clone, Debug)]
pub struct DataDependency {
    /// The id of the location.
    pub place: LocationId,
    /// The module whose hierarchy it is in; `None` for those of the global layer and the environment.
    pub module: Option<Str>,
    /// The level, as explanations name it: `Hierarchy entry "Common data"`.
    pub level: Str,
    /// The file, or `None` if the level has none.
    pub path: Option<Arc<Path>>,
    /// The file or address that the level resolves to, even if it does not exist; `None` if only the level's function
    /// knows.
    pub location: Option<Str>,
    /// The data that was read there, if any.
    pub data: Option<SourceData>,
    /// The error of reading it.
    pub fault: Option<Str>,
    /// The reason why the level is not asked, if it is skipped.
    pub skipped: Option<SkippedLevel>,
}

/// A level of a configuration with unresolved interpolations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelDefinition {
    /// Its name.
    pub name: Str,
    /// The line of its name.
    pub line: Option<u32>,
    /// All settings of the level except its name: equal for levels with equal settings.
    pub settings: String,
}

impl LevelDefinition {
    fn new(level: &config::Level) -> LevelDefinition {
        let config::Level { name, kind, function, datadir, locations, extension, options, place } = level;
        let options = Value::Hash(options.clone()).inspect();
        let settings = format!("{kind:?} {function} {datadir:?} {locations:?} {extension:?} {options}");
        LevelDefinition { name: name.clone(), line: place.as_ref().and_then(|place| place.line), settings }
    }
}

/// The parsed data of one source. Clones have the same id.
#[derive(Clone, Debug)]
pub struct SourceData(Arc<Data>);

/// The keys and variables that the value of a key depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The keys that it looks up, without the path into their values.
    pub keys: Vec<Str>,
    /// The variables, with the path into them.
    pub variables: Vec<Str>,
}

impl SourceData {
    /// Returns the id of the source, unique in the process.
    pub fn id(&self) -> SourceId {
        self.0.id()
    }

    /// Returns the keys that can be looked up, and `lookup_options`.
    pub fn keys(&self) -> impl Iterator<Item = &Str> {
        self.0.keys().filter_map(|key| match key {
            Value::String(key) => Some(key),
            _ => None,
        })
    }

    /// Returns the value of a key before interpolation and decryption.
    pub fn written(&self, key: &str) -> Option<&Value> {
        self.0.written(key)
    }

    /// Returns the line of a key, counted from 1, or `None` without positions.
    pub fn line_of(&self, key: &str) -> Option<u32> {
        self.0.position_of_key(&[key]).map(|(_, at)| at.line)
    }

    /// Returns the key of a line: the last key that begins on this line or above. `None` for a line above all keys, and
    /// without positions.
    pub fn key_at(&self, line: u32) -> Option<&Str> {
        let begins = |key: &&Str| self.0.position_of_key(&[&***key]).map(|(_, at)| at.line);
        let above = self.keys().filter_map(|key| Some((begins(&key)?, key))).filter(|(begins, _)| *begins <= line);
        above.max_by_key(|(begins, _)| *begins).map(|(_, key)| key)
    }

    /// Returns the keys and variables that the value of a key refers to. Encrypted parts are decrypted.
    pub fn mentions(&self, key: &str) -> Mentions {
        let mut mentions = Mentions::default();
        if let Some(template) = self.0.get(key).and_then(|(entry, _)| entry.template()) {
            mentions.add(template);
        }
        mentions
    }
}

impl Mentions {
    fn add(&mut self, template: &Template) {
        match template {
            Template::Plain(_) => {}
            Template::Secret(inner) => self.add(inner),
            Template::Unopened(unopened) => self.add(&unopened.value),
            Template::Array(elements) => elements.iter().for_each(|element| self.add(element)),
            Template::Hash(pairs) => pairs.iter().for_each(|(key, value)| {
                self.add(key);
                self.add(value);
            }),
            Template::Text(text) => {
                for part in &text.parts {
                    match part {
                        Part::Expression(Expression::Variable(variable)) => self.variables.push(variable.text.clone()),
                        Part::Expression(Expression::Lookup(key) | Expression::Alias { key, .. }) => {
                            self.keys.push(key.key.as_ref().map_or(&key.text, |key| key.root()).clone());
                        }
                        Part::Expression(_) | Part::Literal(_) => {}
                    }
                }
            }
        }
    }
}

impl Node {
    /// The reserved key for the merge and conversion options of other keys.
    pub const OPTIONS_KEY: &'static str = LOOKUP_OPTIONS;

    /// Returns the dependencies of all answers of the node. Every file of its hierarchies is read.
    ///
    /// # Errors
    /// A configuration is invalid, so that no lookup in its layer is possible.
    pub fn dependencies(&self, budget: &Budget) -> Result<NodeDependencies, Error> {
        let mut of_node = NodeDependencies {
            places: Vec::new(),
            patterns: Vec::new(),
            key_files: Vec::new(),
            asks_code: false,
            reads_more: false,
        };
        let mut seen = hieratic_value::collections::HashMap::default();
        let modules = (0..self.shared.layers().modules.len()).map(Layer::Module);
        for layer in [Layer::Global, Layer::Environment].into_iter().chain(modules) {
            let Some(provider) = self.provider(layer)? else { continue };
            let levels = self.levels(provider, budget)?;
            let regular = levels.hierarchy.iter().map(|level| (level, false));
            for (level, is_default) in regular.chain(levels.default_hierarchy.iter().map(|level| (level, true))) {
                let reads_files = match &level.backend {
                    Backend::File(format) => {
                        of_node.reads_more |= matches!(format, Format::Directives | Format::Foreign(_));
                        true
                    }
                    Backend::Eyaml => {
                        of_node.key_files.extend(key_files(&level.options));
                        true
                    }
                    Backend::External(_) | Backend::Function(_) => {
                        of_node.asks_code = true;
                        false
                    }
                    Backend::Unknown | Backend::WrongKind | Backend::Skipped(_) => false,
                };
                of_node.patterns.extend(level.patterns.iter().cloned());
                let mut of_level = DefaultHasher::new();
                (provider.module.as_deref(), layer == Layer::Global, is_default).hash(&mut of_level);
                (&*level.label, level.kind.name(), &*level.function).hash(&mut of_level);
                Value::Hash(level.options.clone()).inspect().hash(&mut of_level);
                // A value in the only existing one of several locations is a merge step; a value in the only location
                // is not.
                (levels.hierarchy.len() > 1, level.locations.len() > 1).hash(&mut of_level);
                for location in &level.locations {
                    budget.step()?;
                    let mut hasher = of_level.clone();
                    let text = location.text();
                    text.hash(&mut hasher);
                    let place = hasher.finish();
                    // A location can occur twice in a level.
                    let times: &mut u64 = seen.entry(place).or_default();
                    *times += 1;
                    let path = match &location.kind {
                        LocationKind::Path { path, exists: true, .. } => Some(path.clone()),
                        _ => None,
                    };
                    let read =
                        if path.is_some() && reads_files { self.data(provider, level, location) } else { Ok(None) };
                    of_node.places.push(DataDependency {
                        place: LocationId(place.wrapping_add(*times)),
                        module: provider.module.clone(),
                        level: level.label.clone(),
                        location: text.map(Str::from),
                        path,
                        fault: read.as_ref().err().map(|error| error.to_string().into()),
                        data: read.ok().flatten().map(|data| SourceData(data.clone())),
                        skipped: match &level.backend {
                            Backend::Skipped(reason) => Some(level.as_skipped(*reason)),
                            _ => None,
                        },
                    });
                }
            }
        }
        Ok(of_node)
    }

    /// Returns whether a file accepted by `other` can influence an answer of the node: as a data file, existing or not,
    /// or as a key for encrypted values. Also true if that is unknown: backends that are code, globs, and files that
    /// include others. Configurations are assumed to be unchanged.
    ///
    /// # Errors
    /// A configuration is invalid.
    pub fn may_read(&self, other: &dyn Fn(&Path) -> bool, budget: &Budget) -> Result<bool, Error> {
        let modules = (0..self.shared.layers().modules.len()).map(Layer::Module);
        for layer in [Layer::Global, Layer::Environment].into_iter().chain(modules) {
            let Some(provider) = self.provider(layer)? else { continue };
            let config = &provider.config;
            let written = config.hierarchy.iter().chain(config.default_hierarchy.iter().flatten());
            if written.into_iter().any(|level| matches!(level.locations, Locations::Globs(_))) {
                return Ok(true);
            }
            let levels = self.levels(provider, budget)?;
            for level in levels.hierarchy.iter().chain(&levels.default_hierarchy) {
                match &level.backend {
                    Backend::File(Format::Yaml | Format::Json | Format::Hocon) => {}
                    Backend::Eyaml if !key_files(&level.options).any(|file| other(&file)) => {}
                    // Calling a missing function is an error whatever the files contain, and a level that is not called
                    // reads none.
                    Backend::Unknown | Backend::WrongKind | Backend::Skipped(_) => continue,
                    _ => return Ok(true),
                }
                for location in &level.locations {
                    budget.step()?;
                    if let LocationKind::Path { path, .. } = &location.kind
                        && other(path)
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Returns the names of the modules with a `hiera.yaml`.
    pub fn modules_with_data(&self) -> Vec<Str> {
        let modules = self.shared.layers().modules.keys().enumerate();
        let has_data = |index: usize| matches!(self.provider(Layer::Module(index)), Ok(Some(_)));
        modules.filter(|(index, _)| has_data(*index)).map(|(_, name)| name.clone()).collect()
    }

    /// Returns the configurations of all layers that have one, each with its levels from the first to the last.
    pub fn configurations(&self) -> Vec<(Arc<Path>, Vec<LevelDefinition>)> {
        let modules = (0..self.shared.layers().modules.len()).map(Layer::Module);
        let layers = [Layer::Global, Layer::Environment].into_iter().chain(modules);
        let of = |layer| {
            // As above: the dependencies report its errors.
            let config = &self.provider(layer).ok()??.config;
            let levels = config.hierarchy.iter().chain(config.default_hierarchy.iter().flatten());
            Some((config.path.clone()?, levels.map(LevelDefinition::new).collect()))
        };
        layers.filter_map(of).collect()
    }

    /// Returns this node's value of a variable in the form in which it is inserted into the paths of a hierarchy, or
    /// `None` if it has none.
    pub fn mentioned_text(&self, variable: &str) -> Option<String> {
        match self.interpolated(variable) {
            Interpolated::Value(Value::Undef) | Interpolated::Missing => None,
            Interpolated::Value(value) => Some(value.to_text()),
        }
    }

    /// Returns this node's value of a variable that data [mentions](Mentions), as a string that is different for
    /// different values.
    pub fn mentioned(&self, variable: &str) -> String {
        match self.interpolated(variable) {
            Interpolated::Value(value) => value.inspect(),
            Interpolated::Missing => String::new(),
        }
    }
}
