//! [`Options`]: how strict evaluation is, and what it may do.

use std::path::Path;

use hieratic_powers::{Budget, Files, Programs};

/// How strict evaluation is, and what it may do.
#[derive(Clone, Debug)]
pub struct Options {
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
    /// What a program may take: steps, bytes, depth and time. Evaluators with the same options draw from the same budget.
    pub budget: Budget,
}

/// What becomes of warnings of the language, as the setting `strict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strict {
    /// Nothing.
    Off,
    /// They are logged.
    #[default]
    Warning,
    /// They are errors.
    Error,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strict: Strict::default(),
            strict_variables: false,
            debug: false,
            environment: "production".into(),
            node: "localhost".into(),
            files: Files::below([] as [&Path; 0]),
            programs: Programs::Never,
            budget: Budget::default(),
        }
    }
}

impl Options {
    /// The same with a budget of which nothing is used, for another program.
    pub fn renewed(&self) -> Options {
        Options { budget: Budget::new(*self.budget.limits()), ..self.clone() }
    }
}
