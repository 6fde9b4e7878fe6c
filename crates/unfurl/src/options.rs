//! [`Options`]: the variables and capabilities of expressions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_jinja::TaintObserver;
use hieratic_sandbox::{Files, Variables};
use hieratic_value::{Hash, Value};

/// The capabilities of expressions. They have no access to other environment variables or files.
#[derive(Clone)]
pub struct Options {
    /// The variables: `$name` in expressions, `name` in templates. Expressions and templates in them are evaluated.
    pub vars: Hash,
    /// The environment variables. Reading a hidden one is an error.
    pub env: Variables,
    /// The base folder of relative paths.
    pub base: PathBuf,
    /// The files that can be read. By default there are none.
    pub files: Files,
    /// Whether a failing template is an error. Otherwise, its result is the message.
    pub strict: bool,
    /// The budget of all evaluations of a context. Steps of paths, iterations of loops, calls of functions, values and
    /// memory are charged to it.
    pub budget: Budget,
    /// Additional lookups for templates and the function `lookup`.
    pub lookups: Vec<(String, Lookup)>,
    /// The observer of the results of functions and filters, for taint tracking.
    pub observer: Option<Arc<dyn TaintObserver>>,
}

/// A custom lookup.
pub type Lookup = Arc<dyn Fn(&[Value], &Hash) -> Result<Vec<Value>, String> + Send + Sync>;

impl Default for Options {
    fn default() -> Options {
        Options {
            vars: Hash::default(),
            env: Variables::default(),
            base: PathBuf::from("."),
            files: Files::below([] as [&Path; 0]),
            strict: true,
            budget: Budget::default(),
            lookups: Vec::new(),
            observer: None,
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
