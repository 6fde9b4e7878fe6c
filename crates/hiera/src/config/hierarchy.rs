//! [`Config`]: a hierarchy with unresolved interpolations.

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
    /// The file, or `None` if it does not exist and the default applies.
    pub(crate) path: Option<Arc<Path>>,
    /// The content of the file.
    pub(crate) source: Option<Source>,
    pub(crate) version: u8,
    pub(crate) hierarchy: Vec<Level>,
    /// The levels that a module falls back to when no layer answers.
    pub(crate) default_hierarchy: Option<Vec<Level>>,
    /// A fault that shows when the levels are first used.
    pub(crate) fault: Option<Error>,
}

impl Config {
    /// Returns the name of the configuration in explanations.
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
    /// The extension that is added to paths without it (versions 3 and 4).
    pub(crate) extension: Option<Str>,
    pub(crate) options: Hash,
    /// The position of the level's name.
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

/// The locations of a level's data.
#[derive(Clone, Debug)]
pub(crate) enum Locations {
    /// Only the function knows.
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

/// The kind of a level's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// Returns all data at once.
    DataHash,
    /// Returns the value of one key.
    LookupKey,
    /// Returns the value of one key and its path.
    DataDig,
}

impl FunctionKind {
    /// Returns the name in a `hiera.yaml`: `data_hash`, `lookup_key` or `data_dig`.
    pub fn name(self) -> &'static str {
        match self {
            FunctionKind::DataHash => "data_hash",
            FunctionKind::LookupKey => "lookup_key",
            FunctionKind::DataDig => "data_dig",
        }
    }
}

/// Returns an error for the first two levels with the same name. The check runs when the levels are first used.
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

/// Returns the error for two levels with one name: the reference reports both positions.
fn defined_twice(subject: &str, name: &str, first: &Place, second: &Place) -> Error {
    let at = first.line.map_or(String::new(), |line| format!(" First defined at (line: {line})"));
    Error::lookup(codes::CONFIG_DUPLICATE, format!("{subject} '{name}' defined more than once.{at}"))
        .at_in_text(second.clone().without_column())
        .at(second.clone())
        .help("give every level a unique name")
}
