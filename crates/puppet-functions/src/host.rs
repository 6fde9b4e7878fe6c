//! [`Host`]: the services that a caller provides to functions, and [`Flow`]: the ways a call can end without a value.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use hieratic_budget::{Budget, Exhausted};
use hieratic_puppet_types::{PuppetVersion, Strict, Type};
use hieratic_ruby_regexp::{Options, Regexp};
use hieratic_source::{Position, Source, Span};
use hieratic_value::{Extended, Str, Value};

/// The result of a call: a value, or a [`Flow`] that the caller has to handle.
pub type Outcome = Result<Value, Flow>;

/// The ways a call can end without a value.
#[derive(Clone, Debug)]
pub enum Flow {
    /// An error.
    Error(Box<EvalError>),
    /// `next(value)`: the running block ends with the value.
    Next(Value, Site),
    /// `break()`: the running iteration ends. Functions that iterate handle it, all others propagate it.
    Break(Site),
    /// `return(value)`: the running function or class body ends with the value.
    Return(Value, Site),
}

/// A position in a file for messages.
#[derive(Clone, Default)]
pub struct Site {
    /// The file; `None` for code outside of files.
    pub file: Option<Arc<str>>,
    /// The line, counted from 1; 0 if it is unknown.
    pub line: u32,
    /// The column in characters, counted from 1; 0 if it is unknown.
    pub column: u32,
    /// The source, if it is available, to underline the line in messages.
    pub source: Option<Source>,
}

impl Site {
    /// Returns the position of a byte in code.
    pub fn at(source: &Source, at: usize) -> Site {
        let Position { line, column } = source.position(at);
        Site { file: Site::file_of(source), line, column, source: Some(source.clone()) }
    }

    /// Returns the range that a message underlines: the character, or the line if the column is unknown.
    pub fn shown(&self) -> Option<(&Source, Span)> {
        let source = self.source.as_ref().filter(|_| self.line > 0)?;
        let span = match self.column {
            0 => source.line(self.line),
            column => source.character(source.offset(self.line, column)),
        };
        Some((source, span))
    }

    /// Returns the name of the file of code; `None` for code outside of files.
    pub fn file_of(source: &Source) -> Option<Arc<str>> {
        Some(source.shared_name()).filter(|name| !name.is_empty()).cloned()
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Site { file, line, column, source: _ } = self;
        out.debug_struct("Site").field("file", file).field("line", line).field("column", column).finish()
    }
}

/// Sites are equal if their positions are, regardless of the source.
impl PartialEq for Site {
    fn eq(&self, other: &Site) -> bool {
        (&self.file, self.line, self.column) == (&other.file, other.line, other.column)
    }
}

impl Eq for Site {}

/// An error in the reference's words, without its position: the evaluator of the call adds it.
#[derive(Clone, Debug)]
pub struct EvalError {
    /// The message.
    pub message: String,
    /// The way the message is introduced.
    pub kind: EvalErrorKind,
    /// The position, once it is known.
    pub site: Option<Site>,
    /// Attached data: the `Error` value of an error that the manifest raised.
    pub details: Option<Box<Value>>,
    /// The help line: what to try.
    pub help: Option<Box<str>>,
    /// The part of the message that quotes code: the string that `fail` was called with. Its content is arbitrary.
    pub quoted: Option<Box<str>>,
    /// Whether a limit was reached: that ends the whole evaluation, and code cannot rescue it.
    pub is_limit: bool,
}

/// The ways the reference introduces a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// Raised inside of a function: `Error while evaluating a Function Call, ...` precedes it, with the position of the
    /// call.
    #[default]
    Call,
    /// A rule of the language: the message has no introduction.
    Rule,
    /// Reported at the place of use: a default that needs a later parameter at the call, a misspelled type where its
    /// alias is named.
    Outer,
    /// An error outside of code, without a position (`Could not parse for environment ...`).
    Raw,
}

impl EvalError {
    /// Creates an error of a function.
    pub fn new(message: impl Into<String>) -> EvalError {
        EvalError {
            message: message.into(),
            kind: EvalErrorKind::Call,
            site: None,
            details: None,
            help: None,
            quoted: None,
            is_limit: false,
        }
    }

    /// Creates an error whose message comes from code.
    pub fn quoting(text: impl Into<String>) -> EvalError {
        let text = text.into();
        EvalError { quoted: Some(text.as_str().into()), ..EvalError::new(text) }
    }

    /// Creates an error without an introduction.
    pub fn rule(message: impl Into<String>) -> EvalError {
        EvalError { kind: EvalErrorKind::Rule, ..EvalError::new(message) }
    }
}

impl From<Exhausted> for EvalError {
    fn from(exhausted: Exhausted) -> EvalError {
        let help = exhausted.help().map(Into::into);
        EvalError { help, is_limit: true, ..EvalError::rule(format!("evaluation was given up: {exhausted}")) }
    }
}

impl From<Exhausted> for Flow {
    fn from(exhausted: Exhausted) -> Flow {
        EvalError::from(exhausted).into()
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}

impl From<EvalError> for Flow {
    fn from(error: EvalError) -> Flow {
        Flow::Error(Box::new(error))
    }
}

impl From<String> for Flow {
    fn from(message: String) -> Flow {
        EvalError::new(message).into()
    }
}

/// The levels of the logging functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    /// Returns the name of the function that logs at this level.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Emerg => "emerg",
            Level::Crit => "crit",
        }
    }
}

/// The kinds of files that functions find: a module has a folder for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `files/`
    File,
    /// `templates/`
    Template,
}

/// Callable code: a lambda, or a function that was passed as a block.
pub trait Code: Extended {
    /// Returns its type, a `Callable`.
    fn callable_type(&self) -> &Type;

    /// The names of its parameters, in order.
    fn parameter_names(&self) -> Vec<&str>;
}

/// Callable code, shared by reference count. Only the host that created it can run it.
#[derive(Clone, Debug)]
pub struct Block(pub Arc<dyn Code>);

impl Block {
    /// Returns its type, a `Callable`.
    pub fn callable_type(&self) -> &Type {
        self.0.callable_type()
    }
}

/// The caller of functions: the evaluator.
pub trait Host {
    /// Calls a block. A `next` in it is already converted to its value.
    fn call_block(&mut self, block: &Block, arguments: &[Value]) -> Outcome;

    /// Calls a function by name: built-in, of a module, or of the manifest.
    fn call_function(&mut self, name: &str, arguments: &[Value], block: Option<&Block>) -> Outcome;

    /// Returns whether a function exists.
    fn knows_function(&mut self, name: &str) -> bool {
        crate::find(name).is_some()
    }

    /// Returns the parameters of a declared resource, or `None` if it is not declared.
    fn resource(&mut self, _kind: &str, _title: &str) -> Option<Vec<(Str, Value)>> {
        None
    }

    /// Creates an instance of a type, as `new` does, including objects.
    fn new_instance(&mut self, kind: &Type, arguments: &[Value]) -> Outcome;

    /// Compiles a regular expression. An evaluator that runs the same code repeatedly should cache them.
    ///
    /// # Errors
    /// The regular expression is invalid.
    fn regexp(&mut self, source: &str, options: Options) -> Result<Regexp, hieratic_ruby_regexp::Error> {
        Regexp::with_options(source, options)
    }

    /// Returns the emulated version of Puppet.
    fn puppet_version(&self) -> PuppetVersion;

    /// Returns the treatment of questionable code: the setting `strict`.
    fn strict(&self) -> Strict {
        self.puppet_version().strict()
    }

    /// Returns the budget of the run. A function charges it for every loop or allocation whose size depends on its
    /// arguments.
    fn budget(&self) -> &Budget;

    /// Logs a message.
    fn log(&mut self, level: Level, message: String);

    /// Logs a warning once for each distinct message.
    fn warn_once(&mut self, message: String);

    /// Returns the value of a variable, with or without leading `::` in its name, or `None` if it is not set.
    fn variable(&mut self, name: &str) -> Result<Option<Value>, Flow>;

    /// Parses a type, including aliases of the environment.
    fn parse_type(&mut self, text: &str) -> Result<Type, Flow>;

    /// Returns the path of a file of a module (`module/path`) or, if permitted, of an absolute path. Returns `None` if
    /// it does not exist.
    fn find_file(&mut self, kind: FileKind, name: &str) -> Result<Option<PathBuf>, Flow>;

    /// Returns the folder of a module.
    fn module_directory(&mut self, name: &str) -> Option<PathBuf>;

    /// Returns whether a path exists. It is an error if code may not access it.
    fn file_exists(&mut self, path: &std::path::Path) -> Result<bool, Flow>;

    /// Reads a file. It is an error if code may not read it.
    fn read_file(&mut self, path: &std::path::Path) -> Result<Vec<u8>, Flow>;

    /// Returns the cached result of `reader` for the content of a file. It is for large files that many nodes read.
    fn cached_file_result(&mut self, _reader: &'static str, _path: &std::path::Path, _text: &str) -> Option<Value> {
        None
    }

    /// Caches the result of `reader` for the content of a file. The result must not depend on anything else.
    fn cache_file_result(&mut self, _reader: &'static str, _path: &std::path::Path, _text: String, _value: &Value) {}

    /// Runs a program and returns its output. It is an error if programs may not be run.
    fn run_program(&mut self, command: &[String]) -> Result<String, Flow>;

    /// Returns the name of the node.
    fn node_name(&self) -> String;

    /// Returns the kind (`Class` or `Definition`) and the name of the definition around the calling code. Returns
    /// `None` outside of classes and defined types.
    fn definition(&self) -> Option<(&'static str, String)> {
        None
    }

    /// Returns the position of the running call.
    fn site(&self) -> Site;
}
