//! [`Options`]: how strict evaluation is, and what it may do.

use std::path::{Path, PathBuf};

use hieratic_pcore::{PuppetVersion, Strict};
use hieratic_powers::{Budget, Files, Programs};

/// How strict evaluation is, and what it may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose language it is.
    pub version: PuppetVersion,
    /// What becomes of warnings of the language.
    pub strict: Strict,
    /// Whether a variable that nobody set is an error.
    pub strict_variables: bool,
    /// Whether messages of the level `debug` are wanted.
    pub debug: bool,
    /// The name of the environment, as messages show it.
    pub environment: String,
    /// The name of the node.
    pub node: String,
    /// The files that code may read: what is not below the folders of these is refused, whatever modules there are.
    pub files: Files,
    /// Whether programs may be run.
    pub programs: Programs,
    /// A Ruby of the machine for code in Ruby that is not supported here, if programs may be run.
    pub ruby: Option<PathBuf>,
    /// Whether a finished catalog has the resources that are there for other nodes only.
    pub with_exported: bool,
    /// Whether parameters that data gives know their place in the data, where the [environment](crate::Environment) does.
    pub data_places: bool,
    /// What a program may take: steps, bytes, depth and time. Evaluators with the same options draw from the same budget.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options::of(PuppetVersion::default())
    }
}

impl Options {
    /// The language of a version, with its defaults.
    pub fn of(version: PuppetVersion) -> Options {
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
            budget: Budget::default(),
        }
    }

    /// The same with a budget of which nothing is used, for another program.
    pub fn renewed(&self) -> Options {
        Options { budget: Budget::new(*self.budget.limits()), ..self.clone() }
    }
}
