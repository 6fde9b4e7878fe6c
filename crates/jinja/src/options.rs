//! [`Options`]: what a template may do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_powers::{Budget, Files};

/// How an [`Engine`](crate::Engine) renders.
///
/// ```
/// use hieratic_jinja::{Files, Options};
///
/// let options = Options { base: "templates".into(), files: Files::below(["templates"]), ..Options::default() };
/// assert!(options.strict && options.env.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that relative names of files start from.
    pub base: PathBuf,
    /// Which files may be read, through lookups, filters, tests and includes; none by default.
    pub files: Files,
    /// The environment variables that templates see; none by default.
    pub env: BTreeMap<String, String>,
    /// Whether to use what is not defined is an error. If not, it prints as it stands in the template.
    pub strict: bool,
    /// How much templates may do: about a step for each operation and each element that is gone through. All that an
    /// engine renders draws from it.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            base: PathBuf::from("."),
            files: Files::below([] as [&Path; 0]),
            env: BTreeMap::new(),
            strict: true,
            budget: Budget::default(),
        }
    }
}
