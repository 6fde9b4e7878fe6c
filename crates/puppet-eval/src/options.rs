//! [`Options`]: the settings and capabilities of an evaluation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_puppet_types::{PuppetVersion, Strict};
use hieratic_sandbox::{Files, Programs};
use hieratic_value::Value;
use hieratic_value::collections::HashMap;

/// The settings and capabilities of an evaluation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The version of the language.
    pub version: PuppetVersion,
    /// The treatment of warnings of the language.
    pub strict: Strict,
    /// Whether an unset variable is an error.
    pub strict_variables: bool,
    /// Whether messages of the level `debug` are recorded.
    pub debug: bool,
    /// The name of the environment, as messages show it.
    pub environment: String,
    /// The name of the node.
    pub node: String,
    /// The files that code may read. Files outside of their folders are refused, also in modules.
    pub files: Files,
    /// Whether programs may be run.
    pub programs: Programs,
    /// The path of a Ruby interpreter for unsupported Ruby code. It is only used if programs may be run.
    pub ruby: Option<PathBuf>,
    /// Whether a finished catalog includes resources that are only exported to other nodes.
    pub with_exported: bool,
    /// Whether parameters from data record their position in the data, if the [environment](crate::Environment)
    /// supports it.
    pub data_places: bool,
    /// The return values of functions that are not run, by name: tests replace functions that depend on other systems.
    pub stubs: Arc<HashMap<String, Value>>,
    /// Whether `init.pp` is not loaded for a name that another file of the module defines, as in rspec-puppet: a test
    /// may replace the class of the module.
    pub avoids_init: bool,
    /// The number with which random numbers of Ruby code begin in each catalog; without one, there are none.
    pub random_seed: Option<u64>,
    /// The budget: steps, bytes, depth and time. Evaluators with the same options share it.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options::for_version(PuppetVersion::default())
    }
}

impl Options {
    /// Returns the options of a version, with its defaults.
    pub fn for_version(version: PuppetVersion) -> Options {
        Options {
            version,
            strict: version.strict(),
            strict_variables: version.strict_variables(),
            debug: false,
            environment: "production".into(),
            node: "localhost".into(),
            files: Files::below([] as [&Path; 0]),
            programs: Programs::Never,
            ruby: None,
            with_exported: false,
            data_places: false,
            stubs: Arc::default(),
            avoids_init: false,
            random_seed: None,
            budget: Budget::default(),
        }
    }

    /// Returns these options with an unused budget.
    pub fn renewed(&self) -> Options {
        Options { budget: Budget::new(*self.budget.limits()), ..self.clone() }
    }
}
