//! Data and configurations before they are resolved for a node, for tools that check them.
//!
//! [`HierarchyFile`] is a parsed and validated `hiera.yaml` whose paths still contain their interpolations.
//! [`interpolations`] parses the `%{...}` of a string by the rules of a lookup. [`Node::sources`] and
//! [`Node::interpolated`] resolve both for one node.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_puppet_types::PuppetVersion;
use hieratic_sandbox::Capabilities;
use hieratic_value::{Hash, Str, Value};

use crate::Strict;
use crate::config::{self, Config, Context, Datadir, DatadirMap, Locations, Owner};
use crate::datum::{Datum, Step};
use crate::error::Place;
use crate::key::Segment;
use crate::layers::{Layer, Layers};
use crate::node::{Backend, LocationKind, Node};
use crate::paths::join;
use crate::scope::VariableResult;
use crate::source::Format;
use crate::template::{Expression, Functions, spans};
use crate::variable::{Variable, Variables};
use crate::{Error, Warning};
use hieratic_sandbox::SlashPath as _;

/// The owner of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose<'m> {
    /// The layer of all environments.
    Global,
    /// The layer of one environment.
    Environment,
    /// The layer of a module.
    Module(&'m str),
}

/// A parsed and validated `hiera.yaml`, before it is resolved for a node.
#[derive(Clone, Debug)]
pub struct HierarchyFile {
    /// The file, or `None` if it does not exist and the default configuration applies.
    pub path: Option<Arc<Path>>,
    /// The version of the format.
    pub version: u8,
    /// The levels, the most specific first.
    pub levels: Vec<Level>,
    /// The default hierarchy of a module, which is searched if no layer has a value.
    pub default_levels: Vec<Level>,
}

/// A level of a hierarchy with unresolved interpolations.
#[derive(Clone, Debug)]
pub struct Level {
    /// Its name.
    pub name: Str,
    /// The kind of its function: `data_hash`, `lookup_key` or `data_dig`.
    pub kind: &'static str,
    /// The name of its function.
    pub function: Str,
    /// The absolute datadir, with unresolved interpolations.
    pub datadir: Str,
    /// The locations of its data, with unresolved interpolations.
    pub sources: Vec<Source>,
    /// The options that its function receives.
    pub options: Hash,
    /// The position of its name.
    pub place: Option<Place>,
}

/// One path or glob of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path or glob relative to the datadir, with unresolved interpolations.
    pub text: String,
    /// Whether it contains wildcards.
    pub is_glob: bool,
    /// For `mapped_paths`: the variable, and the name of its elements in the path.
    pub mapped: Option<(Str, Str)>,
}

impl HierarchyFile {
    /// Reads the configuration of a layer. Returns `None` if the file does not exist, or is ignored because it
    /// has version 3. Warnings for the user are added to `warnings`.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is invalid.
    pub fn read(
        layers: &Layers,
        capabilities: &Capabilities,
        whose: Whose<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<HierarchyFile>, Error> {
        let (layer, owner) = match whose {
            Whose::Global => (Layer::Global, Owner::Global),
            Whose::Environment => (Layer::Environment, Owner::Environment),
            Whose::Module(name) => match layers.module_index(name) {
                Some(index) => (Layer::Module(index), Owner::Module),
                None => return Ok(None),
            },
        };
        let path = layers.config_path(layer);
        let files = capabilities.files_of(&path);
        if !files.is_named(&path) {
            return Ok(None);
        }
        let deployed = DatadirMap { environment: &layers.environment, machine: &capabilities.machine };
        let context = Context {
            owner,
            version: PuppetVersion::default(),
            strict: Strict::Warning,
            codedir: &layers.codedir,
            deployed,
        };
        let Some(config) = Config::load(&path, files, &context, warnings)? else { return Ok(None) };
        if let Some(error) = config.fault {
            return Err(error);
        }
        config::check_names(&config.hierarchy)?;
        let default_levels = config.default_hierarchy.unwrap_or_default();
        config::check_names(&default_levels)?;
        let all = |levels: &[config::Level]| levels.iter().map(level).collect();
        Ok(Some(HierarchyFile {
            path: config.path,
            version: config.version,
            levels: all(&config.hierarchy),
            default_levels: all(&default_levels),
        }))
    }
}

fn level(level: &config::Level) -> Level {
    let datadir = match &level.datadir {
        Datadir::Interpolated(folder) | Datadir::Plain(folder) => folder.clone(),
    };
    let source = |text: &Str, is_glob: bool, mapped| {
        let mut text = text.to_string();
        if let Some(extension) = &level.extension
            && !text.ends_with(&**extension)
        {
            text.push_str(extension);
        }
        Source { text: join(Path::new(&*datadir), &text).to_slashes(), is_glob, mapped }
    };
    let sources = match &level.locations {
        Locations::None | Locations::Uris(_) => Vec::new(),
        Locations::Paths(paths) => paths.iter().map(|path| source(path, false, None)).collect(),
        Locations::Globs(globs) => globs.iter().map(|glob| source(glob, true, None)).collect(),
        Locations::Mapped { variable, name, template } => {
            vec![source(template, false, Some((variable.clone(), name.clone())))]
        }
    };
    Level {
        name: level.name.clone(),
        kind: level.kind.name(),
        function: level.function.clone(),
        datadir: datadir.clone(),
        sources,
        options: level.options.clone(),
        place: level.place.clone(),
    }
}

/// A `%{...}` of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpolation {
    /// The byte range, delimiters included.
    pub range: Range<usize>,
    /// The kind.
    pub kind: InterpolationKind,
}

/// The kind of a `%{...}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpolationKind {
    /// An empty expression.
    Empty,
    /// A variable, with a path into its value.
    Variable(String),
    /// The function `lookup` or `hiera`: the answer for a key as a string.
    Lookup(String),
    /// The function `alias`: the answer for a key with its type. It must be the whole string.
    Alias {
        /// The key.
        key: String,
        /// Whether the expression is the whole string.
        whole: bool,
    },
    /// The function `literal`.
    Literal(String),
    /// An unknown function.
    UnknownFunction(String),
    /// A malformed key or variable.
    Malformed(String),
}

/// Returns the interpolations of a data string, in order.
///
/// ```
/// use hieratic_hiera::inspect::{InterpolationKind, interpolations};
///
/// let found = interpolations("a-%{lookup('b')}-%{facts.os}");
/// assert_eq!(found[0].kind, InterpolationKind::Lookup("b".into()));
/// assert_eq!((found[1].range.clone(), &found[1].kind), (17..28, &InterpolationKind::Variable("facts.os".into())));
/// ```
pub fn interpolations(text: &str) -> Vec<Interpolation> {
    spans(text, Functions::Allowed, &Variables::default())
        .into_iter()
        .map(|(range, expression)| {
            let kind = match expression {
                Expression::Empty => InterpolationKind::Empty,
                Expression::Variable(variable) => match &variable.root {
                    Some(Segment::Name(_)) => InterpolationKind::Variable(variable.text.to_string()),
                    _ => InterpolationKind::Malformed(variable.text.to_string()),
                },
                Expression::Lookup(key) => InterpolationKind::Lookup(key.text.to_string()),
                Expression::Alias { key, whole } => InterpolationKind::Alias { key: key.text.to_string(), whole },
                Expression::Literal(text) => InterpolationKind::Literal(text.to_string()),
                Expression::UnknownFunction(name) => InterpolationKind::UnknownFunction(name.to_string()),
                Expression::ForbiddenFunction => InterpolationKind::UnknownFunction(String::new()),
            };
            Interpolation { range, kind }
        })
        .collect()
}

/// Returns whether a part of a value is encrypted in the format of eyaml.
pub fn is_encrypted(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("ENC["),
        Value::Array(elements) => elements.iter().any(is_encrypted),
        Value::Hash(hash) => hash.iter().any(|(_, value)| is_encrypted(value)),
        _ => false,
    }
}

/// A file that a level of a hierarchy reads for a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelFile {
    /// The path, whether the file exists or not.
    pub path: PathBuf,
    /// Whether the file exists.
    pub exists: bool,
    /// The module whose hierarchy names it.
    pub module: Option<String>,
    /// The backend of the level.
    pub kind: LevelFileFormat,
    /// Whether the path is resolved for this node: it has no variables, or each of them has a value.
    pub is_certain: bool,
    /// Whether the path is the same for all nodes.
    pub is_fixed: bool,
}

/// The backend that reads a file of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelFileFormat {
    /// `yaml_data`.
    Yaml,
    /// `json_data`.
    Json,
    /// `eyaml_lookup_key`.
    Eyaml,
    /// Any other backend.
    Other,
}

/// A node's value of an interpolated variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolated {
    /// It has this value.
    Value(Value),
    /// The variable does not exist, or its value has no element at the path.
    Missing,
}

impl Node {
    /// Returns the existing data files of this node's hierarchies.
    ///
    /// # Errors
    ///
    /// A configuration is invalid.
    pub fn sources(&self) -> Result<Vec<PathBuf>, Error> {
        let mut found = Vec::new();
        self.each_location(&hieratic_budget::Budget::default(), |_, _, location, _| {
            if let LocationKind::Path { path, exists: true, .. } = &location.kind {
                found.push(path.to_path_buf());
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the files that the levels of this node's hierarchies name by paths, whether they exist or not, the most
    /// specific level first.
    ///
    /// # Errors
    ///
    /// A configuration cannot be used.
    pub fn named_files(&self) -> Result<Vec<LevelFile>, Error> {
        let mut found = Vec::new();
        self.each_location(&hieratic_budget::Budget::default(), |node, level, location, module| {
            let LocationKind::Path { original, path, exists, .. } = &location.kind else { return Ok(()) };
            let kind = match &level.backend {
                Backend::File(Format::Yaml) => LevelFileFormat::Yaml,
                Backend::File(Format::Json) => LevelFileFormat::Json,
                Backend::Eyaml => LevelFileFormat::Eyaml,
                _ => LevelFileFormat::Other,
            };
            let folder = level.datadir.as_deref().unwrap_or_default();
            let inside: Vec<_> = interpolations(original).into_iter().chain(interpolations(folder)).collect();
            let has_value = |interpolation: &Interpolation| match &interpolation.kind {
                InterpolationKind::Variable(name) => match node.interpolated(name) {
                    Interpolated::Value(Value::String(text)) => !text.is_empty(),
                    Interpolated::Value(value) => matches!(value, Value::Integer(_) | Value::Boolean(_)),
                    Interpolated::Missing => false,
                },
                _ => false,
            };
            found.push(LevelFile {
                path: path.to_path_buf(),
                exists: *exists,
                module: module.map(str::to_owned),
                kind,
                is_certain: inside.iter().all(has_value),
                is_fixed: inside.is_empty(),
            });
            Ok(())
        })?;
        Ok(found)
    }

    /// Resolves a variable of an interpolation, in the form of [`InterpolationKind::Variable`], for this node. It logs
    /// no warnings.
    pub fn interpolated(&self, expression: &str) -> Interpolated {
        let variable = Variable::parse(expression);
        let Some(Segment::Name(root)) = &variable.root else { return Interpolated::Missing };
        let VariableResult::Found(value) = self.scope.get(root, variable.hash) else { return Interpolated::Missing };
        let mut value = value.clone();
        for segment in &variable.segments {
            match value.step(segment) {
                Step::Found(found) => value = found,
                _ => return Interpolated::Missing,
            }
        }
        Interpolated::Value(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_interpolation_is_reported() {
        use InterpolationKind as Kind;
        for (text, kind) in [
            ("%{a.b}", Kind::Variable("a.b".into())),
            ("%{}", Kind::Empty),
            ("%{hiera(\"k\")}", Kind::Lookup("k".into())),
            ("%{alias('k')}", Kind::Alias { key: "k".into(), whole: true }),
            ("%{literal('%')}", Kind::Literal("%".into())),
            ("%{scope('x')}", Kind::Variable("x".into())),
            ("%{nope('x')}", Kind::UnknownFunction("nope".into())),
            ("%{a..b}", Kind::Malformed("a..b".into())),
        ] {
            assert_eq!(interpolations(text), [Interpolation { range: 0..text.len(), kind }], "{text}");
        }
        assert!(interpolations("no %{end").is_empty());
        assert_eq!(interpolations("x%{alias('k')}")[0].kind, Kind::Alias { key: "k".into(), whole: false });
    }
}
