//! [`Options`]: what a template may do.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which files templates may read, through lookups, filters, tests and includes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// None at all.
    #[default]
    None,
    /// Those below the base folder.
    Base,
    /// Those below the base folder or any of these.
    Trees(Vec<PathBuf>),
    /// All that the process may read.
    All,
}

/// How an [`Engine`](crate::Engine) renders.
///
/// ```
/// use hieratic_jinja::{Files, Options};
///
/// let options = Options { files: Files::Base, ..Options::default() };
/// assert!(options.strict);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The folder that relative names of files start from.
    pub base: PathBuf,
    /// Which files may be read.
    pub files: Files,
    /// The environment variables that templates see; without any, the process's.
    pub env: Option<BTreeMap<String, String>>,
    /// Whether to use what is not defined is an error. If not, it prints as it stands in the template.
    pub strict: bool,
    /// How much a template may do: about one unit for each operation and each element that is gone through.
    pub fuel: u64,
    /// The most text that a template may make, in bytes.
    pub largest_output: usize,
    /// How deeply expressions, calls and includes may nest.
    pub deepest: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            base: PathBuf::from("."),
            files: Files::None,
            env: None,
            strict: true,
            fuel: 20_000_000,
            largest_output: 64 << 20,
            deepest: 100,
        }
    }
}
