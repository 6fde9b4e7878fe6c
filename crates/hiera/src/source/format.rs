//! [`Format`]: the format of a data file.
//!
//! This crate reads YAML, JSON and HOCON. The caller that opens an environment may add [`DataReader`]s for other
//! formats. See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_json::Positions;
use hieratic_value::{Hash, Value};

use crate::Error;
use crate::codes;
use crate::error::Place;

/// The format of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Yaml,
    /// YAML whose merge directives are expanded.
    Directives,
    Json,
    Hocon,
    /// One that a [`DataReader`] of this name reads.
    Foreign(&'static str),
}

/// The option of `yaml_data` by which merge directives in its files are expanded.
pub(crate) const DIRECTIVES: &str = "directives";

impl Format {
    /// Returns whether a function for this format accepts these options. The reference's functions accept none.
    pub(crate) fn takes(self, options: &Hash) -> bool {
        let known = |key: &Value| matches!(self, Format::Yaml | Format::Directives) && key.as_str() == Some(DIRECTIVES);
        options.keys().all(known)
    }
}

/// A format of data files: a `data_hash` function that reads one file.
pub trait DataReader: Debug + Send + Sync {
    /// Returns the name of the function in a `hiera.yaml`.
    fn name(&self) -> &'static str;

    /// Parses a file into its data and the positions of its parts.
    ///
    /// # Errors
    /// The file is invalid. The error has a position.
    fn read(&self, bytes: &[u8], file: &Path) -> Result<(Value, Positions), Error>;
}

/// Returns the error for a file with invalid syntax.
pub(crate) fn syntax_error(error: &hieratic_json::Error, format: Format, path: &Arc<Path>, text: &Source) -> Error {
    let message = match format {
        Format::Yaml | Format::Directives => format!("Unable to parse {}", error.message()),
        Format::Json | Format::Hocon | Format::Foreign(_) => {
            format!("Unable to parse ({}): {}", path.display(), error.message())
        }
    };
    let place = Place::new(path.clone(), error.position()).within(text);
    let problem = Error::lookup(codes::DATA_SYNTAX, message).at(place);
    match error.hint() {
        Some(hint) => problem.help(hint),
        None => problem,
    }
}
