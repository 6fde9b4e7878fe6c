//! [`Options`]: how strict evaluation is, and what it may do.

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
    /// Whether files outside of the environment may be read.
    pub allow_files: bool,
    /// Whether programs may be run.
    pub allow_programs: bool,
    /// How many calls of blocks and functions one program may make.
    pub step_limit: u64,
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
            allow_files: false,
            allow_programs: false,
            step_limit: 20_000_000,
        }
    }
}
