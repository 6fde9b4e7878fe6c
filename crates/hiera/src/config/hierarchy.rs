//! [`Config`]: a hierarchy as a configuration has it, its interpolations not resolved.

use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_value::{Hash, Str};

use crate::Error;
use crate::codes;
use crate::error::Place;

/// A checked configuration.
#[derive(Debug)]
pub(crate) struct Config {
    /// The file; none if there is none and the default stands in.
    pub(crate) path: Option<Arc<Path>>,
    /// What the file holds.
    pub(crate) source: Option<Source>,
    pub(crate) version: u8,
    pub(crate) hierarchy: Vec<Level>,
    /// The levels that a module falls back to when no layer answers.
    pub(crate) default_hierarchy: Option<Vec<Level>>,
    /// A fault that shows when the levels are first used.
    pub(crate) fault: Option<Error>,
}

impl Config {
    /// The name that explanations give the configuration.
    pub(crate) fn name(&self) -> String {
        format!("hiera configuration version {}", self.version)
    }
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

/// Two levels of one name: the reference tells where both stand.
fn defined_twice(what: &str, name: &str, first: &Place, second: &Place) -> Error {
    let at = first.line.map_or(String::new(), |line| format!(" First defined at (line: {line})"));
    Error::lookup(codes::CONFIG_DUPLICATE, format!("{what} '{name}' defined more than once.{at}"))
        .at_in_text(second.clone().without_column())
        .at(second.clone())
        .help("give every level a unique name")
}
