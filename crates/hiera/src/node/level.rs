//! [`Levels`]: the levels of a hierarchy, resolved with a node's variables.

use std::path::Path;
use std::sync::Arc;

use hieratic_sandbox::Files;
use hieratic_value::{Hash, Str, Value};

use super::location::{Location, LocationKind};
use super::skipped::{SkipReason, SkippedLevel};
use crate::Error;
use crate::backend::BackendProgram;
use crate::backend::function::DataFunctions;
use crate::codes;
use crate::config::FunctionKind;
use crate::error::Place;
use crate::source::Format;

/// The levels of a layer.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) hierarchy: Vec<Level>,
    pub(crate) default_hierarchy: Vec<Level>,
}

/// A level of a hierarchy with its interpolations resolved.
#[derive(Debug)]
pub(crate) struct Level {
    /// Its name.
    pub(crate) name: Str,
    /// The name in explanations.
    pub(crate) label: Str,
    pub(crate) kind: FunctionKind,
    pub(crate) function: Str,
    pub(crate) backend: Backend,
    pub(crate) options: Hash,
    /// Whether its whole data is secret.
    pub(crate) secret: bool,
    /// The folder of its data as the configuration has it, if it may have variables.
    pub(crate) datadir: Option<Str>,
    /// The locations of its data; a single one without a path if only the function knows.
    pub(crate) locations: Vec<Location>,
    /// The interpolated patterns of its globs, with their folder.
    pub(crate) patterns: Vec<Str>,
    pub(crate) config: Option<Arc<Path>>,
    /// The files that its data may come from.
    pub(crate) files: Files,
}

impl Level {
    /// Returns the description of the level for outputs that list it as skipped.
    pub(crate) fn as_skipped(&self, reason: SkipReason) -> SkippedLevel {
        SkippedLevel {
            level: self.name.clone(),
            function: self.function.clone(),
            config: self.config.clone(),
            is_named: reason == SkipReason::Named,
        }
    }
}

/// The implementation of a level.
#[derive(Debug)]
pub(crate) enum Backend {
    File(Format),
    Eyaml,
    External(Arc<BackendProgram>),
    /// A function of a language, if it exists.
    Function(Arc<dyn DataFunctions>),
    /// It is not called.
    Skipped(SkipReason),
    /// The function does not exist.
    Unknown,
    /// A function of another kind.
    WrongKind,
}

/// Returns the name of a function's result in messages.
pub(crate) fn returned_from(level: &Level, location: &Location) -> String {
    let at = location.text().map_or(String::new(), |text| format!(", when using location '{text}',"));
    format!("Value returned from {} function '{}'{at}", level.kind.name(), level.function)
}

/// Returns the error for data that is not a hash.
pub(crate) fn not_a_hash(level: &Level, location: &Location, value: &Value) -> Error {
    let subject = returned_from(level, location);
    let any_hash = hieratic_puppet_types::parse("Hash").unwrap_or(hieratic_puppet_types::Type::Undef);
    let message = match hieratic_puppet_types::assert_instance(&subject, &any_hash, value) {
        Err(mismatch) => mismatch.to_string(),
        Ok(()) => subject,
    };
    let error =
        Error::puppet(codes::DATA_NO_HASH, message).help("a data file contains keys and values at the top level");
    match &location.kind {
        LocationKind::Path { path, .. } => error.at(Place::file(path)),
        _ => error,
    }
}
