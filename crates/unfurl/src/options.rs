//! [`Options`]: what expressions may see and do.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_jinja::Witness;
use hieratic_powers::{Budget, Files};
use hieratic_value::{Hash, Value};

/// What expressions may see and do. Nothing else is seen: no environment variable, no file.
#[derive(Clone)]
pub struct Options {
    /// Variables: `$name` in expressions, `name` in templates. Expressions and templates in them are evaluated.
    pub vars: Hash,
    /// Environment variables.
    pub env: BTreeMap<String, String>,
    /// The base folder: paths are computed from it.
    pub base: PathBuf,
    /// Which files may be read; none by default.
    pub files: Files,
    /// Whether templates that fail are faults. If not, their message is the value.
    pub strict: bool,
    /// How much may be done: steps of paths, turns of loops, calls of functions, values that are read, what is made.
    /// All that a context evaluates draws from it.
    pub budget: Budget,
    /// Lookups that templates and the function `lookup` can call, beside `unfurl`.
    pub lookups: Vec<(String, Lookup)>,
    /// Who learns what functions and filters make of texts.
    pub witness: Option<Arc<dyn Witness>>,
}

/// What a lookup that others bring is.
pub type Lookup = Arc<dyn Fn(&[Value], &Hash) -> Result<Vec<Value>, String> + Send + Sync>;

impl Default for Options {
    fn default() -> Options {
        Options {
            vars: Hash::default(),
            env: BTreeMap::new(),
            base: PathBuf::from("."),
            files: Files::below([] as [&Path; 0]),
            strict: true,
            budget: Budget::default(),
            lookups: Vec::new(),
            witness: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options")
            .field("vars", &self.vars)
            .field("base", &self.base)
            .field("files", &self.files)
            .field("strict", &self.strict)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
