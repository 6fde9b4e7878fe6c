//! [`Host`]: the services that Ruby code can use.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Str, Value};

use crate::interpreter::Ruby;

/// A block that Ruby code calls a function of Puppet with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyBlock {
    /// Its id, for [`Ruby::call_block`].
    pub number: i64,
    /// The names of its parameters.
    pub names: Vec<String>,
    /// The number of required arguments.
    pub least: usize,
    /// The maximum number of arguments; `None` for any number.
    pub most: Option<usize>,
}

/// The embedder of Ruby code: the evaluator of the Puppet language, or a test. Code can reach only what this trait
/// offers.
pub trait Host {
    /// The budget that the code draws from.
    fn budget(&self) -> &Budget;

    /// Returns the value of a variable, whose name may contain `::`; `None` if it is not defined.
    ///
    /// # Errors
    /// Fails if the host refuses, as do all methods below.
    fn variable(&mut self, _name: &str) -> Result<Option<Value>, HostError> {
        Ok(None)
    }

    /// Returns all variables in scope. As long as none changes, the same list is returned again.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn variables(&mut self) -> Result<Arc<[(Str, Value)]>, HostError> {
        Ok(Arc::default())
    }

    /// Sets a variable of the scope.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn set_variable(&mut self, name: &str, _value: Value) -> Result<(), HostError> {
        Err(HostError::new(format!("the variable '{name}' cannot be set here")))
    }

    /// Puts other values in the places of collections that code has changed: each pair is the collection that was passed
    /// to code, by its [storage](Value::storage), and its new content.
    ///
    /// # Errors
    /// A limit.
    fn replace_values(&mut self, _replaced: &[(Value, Value)]) -> Result<(), HostError> {
        Ok(())
    }

    /// Calls a Puppet function. The interpreter is lent to the host for the duration of the call: the host may run
    /// other Ruby code in it, and [the block](Ruby::call_block).
    ///
    /// # Errors
    /// Fails if the host refuses, or if the function fails.
    fn call_function(
        &mut self,
        name: &str,
        _arguments: &[Value],
        _block: Option<&RubyBlock>,
        _interpreter: &mut Ruby,
    ) -> Result<Value, HostError> {
        Err(HostError::new(format!("Unknown function: '{name}'")))
    }

    /// Calls a Puppet function in the top scope.
    ///
    /// # Errors
    /// As [`call_function`](Self::call_function).
    fn call_function_at_top(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&RubyBlock>,
        interpreter: &mut Ruby,
    ) -> Result<Value, HostError> {
        self.call_function(name, arguments, block, interpreter)
    }

    /// Returns an id of the current scope, which is unique among the scopes in use.
    fn scope(&self) -> usize {
        0
    }

    /// Calls a lambda that the host has passed in.
    ///
    /// # Errors
    /// Fails if the lambda fails.
    fn call_block(
        &mut self,
        _block: &Value,
        _arguments: &[Value],
        _interpreter: &mut Ruby,
    ) -> Result<Value, HostError> {
        Err(HostError::new("there is no block"))
    }

    /// Calls a method of a host value that Ruby code has received.
    ///
    /// # Errors
    /// Fails if the method does not exist or fails.
    fn call_method(
        &mut self,
        _object: &Value,
        name: &str,
        _arguments: &[Value],
        _interpreter: &mut Ruby,
    ) -> Result<Value, HostError> {
        Err(HostError::new(format!("undefined method `{name}' for a value of Puppet")))
    }

    /// Returns whether a function of this name exists.
    fn knows_function(&mut self, _name: &str) -> bool {
        false
    }

    /// Returns all tags of the catalog.
    fn all_tags(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The classes of the catalog.
    fn classes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a setting of Puppet, or `version`. A setting that has no value is [`Value::Undef`]; `None` if there is no such
    /// setting.
    fn setting(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// Returns the parameters of a declared resource; `None` if it is not declared.
    fn resource(&mut self, _kind: &str, _title: &str) -> Option<Value> {
        None
    }

    /// A file that code may read.
    ///
    /// # Errors
    /// A file that may not be read, or is not there.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, HostError> {
        Err(HostError::refused(format!("reading files is not available to Ruby code here, so '{path}' was not read")))
    }

    /// Returns the kind of file at a path that code may read.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        Err(HostError::refused(format!("files are not available to Ruby code here, so '{path}' was not looked for")))
    }

    /// Returns the paths that match an absolute pattern, as `Dir.glob` does, among the files that code may read. `hidden`
    /// is true if wildcards match names that begin with a dot.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn glob(&mut self, pattern: &str, _hidden: bool) -> Result<Vec<String>, HostError> {
        Err(HostError::refused(format!("files are not available to Ruby code here, so '{pattern}' was not looked for")))
    }

    /// A counter of node-dependent reads and of log messages; `None` if they are not known. A function that leaves the
    /// counter unchanged can be memoized.
    fn impurity(&self) -> Option<u64> {
        None
    }

    /// Marks the current answer as depending on something that is not recorded, so that it is not shared between nodes.
    fn mark_impure(&mut self) {}

    /// Returns a fingerprint of a file, which changes with the file; `None` for a file that cannot be read.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn file_stamp(&mut self, _path: &str) -> Result<Option<String>, HostError> {
        Ok(None)
    }

    /// The file that `require` means by a name, or `require_relative` in the file `from`: its path and its source.
    ///
    /// # Errors
    /// A file that may not be read.
    fn library(&mut self, _name: &str, _from: Option<&str>) -> Result<Option<(String, String)>, HostError> {
        Ok(None)
    }

    /// The folders in which `require` looks.
    fn library_folders(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The file of a module that defines a function of the API of Puppet 3.
    fn old_function(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// The folder of a module.
    fn module(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// Bytes as a value of Puppet's type `Binary`.
    fn binary(&mut self, bytes: Vec<u8>) -> Value {
        Value::from(hieratic_value::Rich::Binary(bytes))
    }

    /// The attributes of a resource type that the agent brings along.
    fn agent_type(&mut self, _name: &str) -> Option<Vec<String>> {
        None
    }

    /// The type and the title of the resource whose body runs.
    fn own_resource(&mut self) -> Option<(String, String)> {
        None
    }

    /// Returns whether debug messages are recorded. If not, code need not build them.
    fn keeps_debug(&self) -> bool {
        true
    }

    /// A generation that changes when secrets become known; 0 while there are none, so that taint need not be tracked.
    fn secrets(&self) -> u64 {
        0
    }

    /// Returns the byte ranges of secrets in a string that is passed to code.
    fn secret_parts(&mut self, _text: &str) -> Vec<std::ops::Range<usize>> {
        Vec::new()
    }

    /// Returns whether a number that is passed to code is a secret.
    fn is_secret(&mut self, _value: &Value) -> bool {
        false
    }

    /// Reports that a string or a number that leaves the code was computed from secrets.
    fn record_secret(&mut self, _result: &Value) {}

    /// Reports that code did not observe the string that it received under a name, except that none of these patterns
    /// matches it.
    fn unseen(&mut self, _name: &str, _unmatched: Vec<Regexp>) {}

    /// Logs a message.
    fn log(&mut self, _level: &str, _message: String) {}

    /// Warns of something, unless it has warned of the same before.
    fn warn_once(&mut self, message: String) {
        self.log("warning", message);
    }

    /// Returns the current time in seconds since 1970; `None` if code may not see it.
    fn now(&mut self) -> Option<f64> {
        None
    }
}

/// The kind of file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// There is no file.
    Nothing,
}

/// An error of the host.
#[derive(Clone, Debug)]
pub struct HostError {
    /// The sentence.
    pub message: String,
    /// The ways in which Ruby code can handle it.
    pub kind: HostErrorKind,
    /// The host's own error, which it finds again when its call of Ruby returns.
    pub payload: Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>,
}

/// The ways in which Ruby code can handle an error of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostErrorKind {
    /// `rescue` ends it.
    Rescued,
    /// Not an exception, but `throw :no_such_key` for a missing key: only `catch` ends it.
    Thrown,
    /// Code cannot handle it, such as a reached limit.
    Fatal,
}

impl HostError {
    /// Creates an error that Ruby code sees as a `Puppet::Error`.
    pub fn new(message: impl Into<String>) -> HostError {
        HostError { message: message.into(), kind: HostErrorKind::Rescued, payload: None }
    }

    /// Creates an error that Ruby code cannot rescue.
    pub fn refused(message: impl Into<String>) -> HostError {
        HostError { kind: HostErrorKind::Fatal, ..HostError::new(message) }
    }
}

/// A host with nothing but a budget.
#[derive(Debug, Default)]
pub struct NullHost {
    /// The budget.
    pub budget: Budget,
}

impl Host for NullHost {
    fn budget(&self) -> &Budget {
        &self.budget
    }
}
