//! Reads the files of levels, with the node's observations and warnings.

use std::path::Path;
use std::sync::Arc;

use hieratic_sandbox::Files;
use hieratic_value::Value;

use super::Node;
use super::level::{Backend, Level, not_a_hash, returned_from};
use super::location::{Location, LocationKind};
use super::provider::Provider;
use crate::Strict;
use crate::codes;
use crate::config::FunctionKind;
use crate::error::Place;
use crate::file_id::Observation;
use crate::layers::Layer;
use crate::source::{Content, Data, DataFile, Format, key_files};
use crate::{Error, Warning};

impl Node {
    /// Returns the data of a location's file, as the level's function reads it.
    pub(crate) fn data<'l>(
        &self,
        provider: &Provider,
        level: &Level,
        location: &'l Location,
    ) -> Result<Option<&'l Arc<Data>>, Error> {
        // A reference, not a clone: threads that count the same data up and down would wait for each other.
        let known = match location.data.get() {
            Some(known) => known,
            None => {
                let read = self.read(provider, level, location);
                location.data.get_or_init(|| read)
            }
        };
        known.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    fn read(&self, provider: &Provider, level: &Level, location: &Location) -> Result<Option<Arc<Data>>, Error> {
        let LocationKind::Path { path, is_file, .. } = &location.kind else { return Ok(None) };
        let ((file, now), data) = match &level.backend {
            Backend::File(format) => (self.shared.file(path, *is_file, *format, &level.files), None),
            Backend::Eyaml => {
                key_files(&level.options).for_each(|file| self.accesses.look_in(&level.files, &file));
                self.shared.encrypted_file(path, &level.options, &level.files)?
            }
            _ => return Ok(None),
        };
        self.record_file(&level.files, path, &file, now);
        match file.content.clone()? {
            Content::Hash(plain) => {
                if level.kind == FunctionKind::DataHash {
                    self.check_namespace(provider, level, location, plain.keys())?;
                }
                Ok(Some(data.unwrap_or(plain)))
            }
            Content::NoHash { empty } => {
                let message = format!("{}: file does not contain a valid yaml hash", path.display());
                if self.rules.strict == Strict::Error && !empty {
                    return Err(Error::lookup(codes::DATA_NO_HASH, message)
                        .at(Place::file(path))
                        .help("a data file contains keys and values at the top level"));
                }
                self.warn(Warning::plain(message));
                Ok(None)
            }
            Content::Other(value) => Err(not_a_hash(level, location, &value)),
        }
    }

    /// Records a data file and its includes. It was observed `now`, or has just been read.
    fn record_file(&self, files: &Files, path: &Arc<Path>, file: &DataFile, now: Option<Observation>) {
        if self.shared.is_once() {
            return;
        }
        let renewed = |path: &Path, then: &Observation| then.latest(Observation::read(files, path));
        self.accesses.record(files, path, &now.unwrap_or_else(|| renewed(path, &file.observation)));
        file.included.iter().for_each(|(path, then)| self.accesses.record(files, path, &renewed(path, then)));
    }

    /// Warns of keys in a module's data that are not in its namespace.
    pub(crate) fn check_namespace<'k>(
        &self,
        provider: &Provider,
        level: &Level,
        location: &Location,
        keys: impl Iterator<Item = &'k Value>,
    ) -> Result<(), Error> {
        let (Some(module), Layer::Module(_)) = (&provider.module, provider.layer) else { return Ok(()) };
        for key in keys {
            let Some(text) = key.as_str() else {
                let message = format!("undefined method `start_with?' for {}:{}", key.inspect(), key.ruby_class());
                return Err(Error::fatal(codes::MODULE_NAMESPACE, message)
                    .help("the keys of a module's data are strings that start with its name"));
            };
            let inside = text.strip_prefix(&**module).is_some_and(|rest| rest.starts_with("::"));
            if text != crate::key::LOOKUP_OPTIONS && !inside {
                let origin = returned_from(level, location);
                let got = if self.rules.version.names_keys_of_other_modules() {
                    format!("; got {text}")
                } else {
                    String::new()
                };
                self.warn(Warning::plain(format!(
                    "Module '{module}': {origin} must use keys qualified with the name of the module{got}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the data of a location for reading its keys only.
    pub(crate) fn data_for_keys(&self, level: &Level, location: &Location) -> Result<Option<Arc<Data>>, Error> {
        let LocationKind::Path { path, is_file, .. } = &location.kind else { return Ok(None) };
        let format = match level.backend {
            Backend::File(format) => format,
            _ => Format::Yaml,
        };
        let (file, now) = self.shared.file(path, *is_file, format, &level.files);
        self.record_file(&level.files, path, &file, now);
        match file.content.clone()? {
            Content::Hash(data) => Ok(Some(data)),
            _ => Ok(None),
        }
    }
}
