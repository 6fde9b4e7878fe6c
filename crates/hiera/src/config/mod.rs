//! [`Config`]: what a `hiera.yaml` says, checked, but not yet applied to a node.
//!
//! Version 5 is the current one; version 4 is accepted in environments and modules and version 3 in the global layer,
//! each with the reference's warning that it is deprecated. All become the same list of levels.
//! See <https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html>.

mod deployed;
mod schema;
mod v3;
mod v4;
mod v5;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::Code;
use hieratic_document::{Positions, yaml};
use hieratic_powers::Files;
use hieratic_value::{Hash, Str, Value};

pub(crate) use deployed::Deployed;

use crate::codes;
use crate::error::{Place, unreadable};
use crate::{Error, Strict, Warning};

/// The name of the configuration file of every layer.
pub const FILE_NAME: &str = "hiera.yaml";

/// A checked configuration.
#[derive(Debug)]
pub(crate) struct Config {
    /// The file; none if there is none and the default stands in.
    pub(crate) path: Option<Arc<Path>>,
    pub(crate) version: u8,
    pub(crate) hierarchy: Vec<Level>,
    /// The levels that a module falls back to when no layer answers.
    pub(crate) default_hierarchy: Option<Vec<Level>>,
    /// A fault that shows when the levels are first used.
    pub(crate) fault: Option<Error>,
}

/// One level of a hierarchy, before its interpolations are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) name: Str,
    pub(crate) kind: FunctionKind,
    pub(crate) function: Str,
    pub(crate) datadir: Datadir,
    pub(crate) locations: Locations,
    /// What a path must end with; it is added where it is missing (versions 3 and 4).
    pub(crate) extension: Option<Str>,
    pub(crate) options: Hash,
    /// Where the level's name stands.
    pub(crate) place: Option<Place>,
}

/// The folder that a level's paths are relative to.
#[derive(Clone, Debug)]
pub(crate) enum Datadir {
    /// Interpolated for each node.
    Interpolated(Str),
    /// Taken as it is.
    Plain(Str),
}

/// Where a level's data lies.
#[derive(Clone, Debug)]
pub(crate) enum Locations {
    /// The function knows.
    None,
    Paths(Vec<Str>),
    Globs(Vec<Str>),
    Uris(Vec<Str>),
    /// One path for every element of a variable.
    Mapped {
        variable: Str,
        name: Str,
        template: Str,
    },
}

/// How a level's function is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// For all its data at once.
    DataHash,
    /// Key by key.
    LookupKey,
    /// Key by key, with the path into the value.
    DataDig,
}

impl FunctionKind {
    /// The key of a `hiera.yaml` that says so.
    pub fn name(self) -> &'static str {
        match self {
            FunctionKind::DataHash => "data_hash",
            FunctionKind::LookupKey => "lookup_key",
            FunctionKind::DataDig => "data_dig",
        }
    }
}

/// The layer that a configuration belongs to, which decides what it may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Global,
    Environment,
    Module,
}

/// What a configuration is read with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) owner: Owner,
    pub(crate) strict: Strict,
    /// Where environments lie, which version 3 takes its default folder from.
    pub(crate) codedir: &'a Path,
    /// Where the environment lies.
    pub(crate) deployed: Deployed<'a>,
}

impl Config {
    /// Reads the configuration at a path; without a file there, the default: `data/common.yaml` beside it.
    ///
    /// None means that a file of version 3 is ignored in this layer. What is to be told to the user is added to
    /// `warnings`, also if the file is refused.
    pub(crate) fn load(
        path: &Path,
        files: &Files,
        context: &Context<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Config>, Error> {
        let bytes = match files.read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Some(v5::default(path)));
            }
            Err(error) => return Err(unreadable(&error, path)),
        };
        let path: Arc<Path> = path.into();
        let file = path.display().to_string();
        let document =
            yaml::parse_with_positions(&bytes, &yaml::Options { symbols: true, regexps: false, file: &file })
                .map_err(|error| syntax_error(&error, &path))?;
        let mut source = Source {
            value: Hash::default(),
            positions: document.positions,
            path: path.clone(),
            root: path.parent().unwrap_or(Path::new("/")).to_path_buf(),
        };
        match crate::source::with_string_keys(&document.value).unwrap_or(document.value) {
            Value::Hash(hash) => source.value = hash,
            // For the reference an empty file is one of version 3 that says nothing.
            _ => warnings.push(Warning::plain(format!(
                "{file}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default \
                 config"
            ))),
        }
        let version = version(&source)?;
        if let (3 | 4, false) = (version, context.strict == Strict::Off) {
            let message = format!(
                "{file}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted to version 5"
            );
            warnings.push(Warning::at_file(message, &source.path));
        }
        match version {
            5 => v5::read(&source, context).map(|config| Some(context.deployed.brought_here(config))),
            4 if context.owner == Owner::Global => {
                v4::validate(&source)?;
                Err(source
                    .fail(
                        codes::CONFIG_VERSION,
                        "hiera.yaml version 4 cannot be used in the global layer",
                        &["version"],
                    )
                    .help("convert the file to version 5"))
            }
            4 => v4::read(&source).map(Some),
            3 => {
                let config = v3::read(&source, context)?.map(|config| context.deployed.brought_here(config));
                if config.is_none() {
                    warnings.push(v3::ignored(&source, context));
                }
                Ok(config)
            }
            other => {
                let message = format!("This runtime does not support hiera.yaml version {other}");
                Err(source.fail(codes::CONFIG_VERSION, message, &["version"]).help("write `version: 5`"))
            }
        }
    }

    /// The name that explanations give the configuration.
    pub(crate) fn name(&self) -> String {
        format!("hiera configuration version {}", self.version)
    }
}

/// A configuration file that was read.
pub(super) struct Source {
    value: Hash,
    positions: Positions,
    path: Arc<Path>,
    root: PathBuf,
}

impl Source {
    /// The reference's error for this file, which names the file but no line, placed at a path of keys.
    fn fail(&self, code: Code, message: impl Into<String>, keys: &[&str]) -> Error {
        Error::lookup(code, message).at_in_text(Place { line: None, ..self.place(keys) }).at(self.place(keys))
    }

    /// The same, with the line in the message.
    fn fail_at(&self, code: Code, message: impl Into<String>, place: Place) -> Error {
        Error::lookup(code, message).at_in_text(Place { column: None, ..place.clone() }).at(place)
    }

    /// Where a path of keys and indexes stands in the file.
    fn place(&self, keys: &[&str]) -> Place {
        let position = schema::position(&self.value, &self.positions, keys);
        Place { file: self.path.clone(), line: Some(position.line), column: Some(position.column) }
    }
}

fn syntax_error(error: &hieratic_document::Error, path: &Arc<Path>) -> Error {
    let place = Place {
        file: path.clone(),
        line: error.position().map(|position| position.line),
        column: error.position().map(|position| position.column),
    };
    let fault = Error::puppet(codes::CONFIG_SYNTAX, error.message()).at(place);
    match error.hint() {
        Some(hint) => fault.help(hint),
        None => fault,
    }
}

/// The version that a file says it has; 3 if it says nothing.
fn version(source: &Source) -> Result<i64, Error> {
    match source.value.get("version") {
        None | Some(Value::Undef) | Some(Value::Boolean(false)) => Ok(3),
        Some(Value::Integer(version)) => Ok(*version),
        Some(Value::Float(version)) => Ok(*version as i64),
        Some(Value::String(text)) => {
            let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
            Ok(digits.parse().unwrap_or(0))
        }
        Some(other) => {
            let message = format!("undefined method `to_i' for {}:{}", other.inspect(), other.ruby_class());
            Err(Error::fatal(codes::CONFIG_VERSION, message).at(source.place(&["version"])).help("write `version: 5`"))
        }
    }
}

/// A text of a checked configuration.
fn text(hash: &Hash, key: &str) -> Option<Str> {
    match hash.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// A list of texts of a checked configuration.
fn texts(value: &Value) -> Vec<Str> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The hash under a key, or an empty one.
fn hash(parent: &Hash, key: &str) -> Hash {
    parent.get(key).and_then(Value::as_hash).cloned().unwrap_or_default()
}

/// Two levels of one name: the reference tells where both stand.
fn defined_twice(what: &str, name: &str, first: &Place, second: &Place) -> Error {
    let at = first.line.map_or(String::new(), |line| format!(" First defined at (line: {line})"));
    Error::lookup(codes::CONFIG_DUPLICATE, format!("{what} '{name}' defined more than once.{at}"))
        .at_in_text(Place { column: None, ..second.clone() })
        .at(second.clone())
        .help("give every level a unique name")
}

/// The first two levels of one name, if there are any: found when the levels are first used.
pub(crate) fn check_names(levels: &[Level]) -> Result<(), Error> {
    for (index, level) in levels.iter().enumerate() {
        if let Some(first) = levels[..index].iter().find(|other| other.name == level.name)
            && let (Some(first), Some(second)) = (&first.place, &level.place)
        {
            return Err(defined_twice("Hierarchy name", &level.name, first, second));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
