//! [`Source`]: a parsed configuration file, with the positions of its parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::{Code, Source as Text};
use hieratic_json::{Position, Positions};
use hieratic_puppet_types::PuppetVersion;
use hieratic_value::{Hash, Str, Value};
use hieratic_yaml as yaml;

use crate::codes;
use crate::error::Place;
use crate::string_keys::with_string_keys;
use crate::{Error, Warning};
use hieratic_sandbox::SlashPath as _;

/// A configuration file that was read.
pub(super) struct Source {
    pub(super) value: Hash,
    positions: Positions,
    pub(super) text: Text,
    pub(super) path: Arc<Path>,
    pub(super) root: PathBuf,
    /// The product that reserved names are reserved for, in messages.
    pub(super) product: &'static str,
}

impl Source {
    /// Reads the text of a file. A file without a hash configures nothing and adds a warning to `warnings`.
    pub(super) fn read(bytes: &[u8], path: &Path, warnings: &mut Vec<Warning>) -> Result<Source, Error> {
        let path: Arc<Path> = path.into();
        let file = path.to_slashes();
        let text = Text::new(file.as_str(), bytes);
        let document = yaml::parse_with_positions(bytes, &yaml::Options { symbols: true, regexps: false, file: &file })
            .map_err(|error| syntax_error(&error, &path, &text))?;
        let mut source = Source {
            value: Hash::default(),
            positions: document.positions,
            text,
            path: path.clone(),
            root: path.parent().unwrap_or(Path::new("/")).to_path_buf(),
            product: PuppetVersion::V8.product(),
        };
        match with_string_keys(&document.value).unwrap_or(document.value) {
            Value::Hash(hash) => source.value = hash,
            // The reference treats an empty file as an empty one of version 3.
            _ => warnings.push(Warning::plain(format!(
                "{file}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default \
                 config"
            ))),
        }
        Ok(source)
    }

    /// Returns the version of the file; 3 if it has none.
    pub(super) fn version(&self) -> Result<i64, Error> {
        match self.value.get("version") {
            None | Some(Value::Undef) | Some(Value::Boolean(false)) => Ok(3),
            Some(Value::Integer(version)) => Ok(*version),
            Some(Value::Float(version)) => Ok(*version as i64),
            Some(Value::String(text)) => {
                let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
                Ok(digits.parse().unwrap_or(0))
            }
            Some(other) => {
                let message = format!("undefined method `to_i' for {}:{}", other.inspect(), other.ruby_class());
                Err(Error::fatal(codes::CONFIG_VERSION, message)
                    .at(self.place(&["version"]))
                    .help("write `version: 5`"))
            }
        }
    }

    /// The reference's error for this file, which names the file but no line, placed at a path of keys.
    pub(super) fn fail(&self, code: Code, message: impl Into<String>, keys: &[&str]) -> Error {
        Error::lookup(code, message).at_in_text(Place::new(self.path.clone(), None)).at(self.place(keys))
    }

    /// Returns the reference's error for this file, with the line in the message.
    pub(super) fn fail_at(&self, code: Code, message: impl Into<String>, place: Place) -> Error {
        Error::lookup(code, message).at_in_text(place.clone().without_column()).at(place)
    }

    /// Returns the position of a path of keys and indexes in the file.
    pub(super) fn place(&self, keys: &[&str]) -> Place {
        let position = position(&self.value, &self.positions, keys);
        Place::new(self.path.clone(), Some(position)).within(&self.text)
    }
}

/// Returns a string of a validated configuration.
pub(super) fn text(hash: &Hash, key: &str) -> Option<Str> {
    match hash.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Returns a list of strings of a validated configuration.
pub(super) fn texts(value: &Value) -> Vec<Str> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The hash under a key, or an empty one.
pub(super) fn hash(parent: &Hash, key: &str) -> Hash {
    parent.get(key).and_then(Value::as_hash).cloned().unwrap_or_default()
}

/// Returns the position of a path of keys and indexes, or of its longest existing prefix.
fn position(value: &Hash, positions: &Positions, keys: &[&str]) -> Position {
    let mut here = positions.at();
    let mut value = Value::Hash(value.clone());
    let mut positions = positions;
    for key in keys {
        let next = match &value {
            Value::Hash(hash) => hash.index_of(key).and_then(|index| {
                let (at, inner) = positions.entry(index)?;
                Some((at, inner, hash.get(key)?.clone()))
            }),
            Value::Array(elements) => key.parse::<usize>().ok().and_then(|index| {
                let inner = positions.element(index)?;
                Some((inner.at(), inner, elements.get(index)?.clone()))
            }),
            _ => None,
        };
        let Some((at, inner, found)) = next else { break };
        (here, positions, value) = (at, inner, found);
    }
    here
}

fn syntax_error(error: &hieratic_json::Error, path: &Arc<Path>, text: &Text) -> Error {
    let place = Place::new(path.clone(), error.position()).within(text);
    let problem = Error::puppet(codes::CONFIG_SYNTAX, error.message()).at(place);
    match error.hint() {
        Some(hint) => problem.help(hint),
        None => problem,
    }
}
