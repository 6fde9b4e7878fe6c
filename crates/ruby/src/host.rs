//! [`Host`]: the services that Ruby code can use.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Str, Value};

use crate::interpreter::Ruby;

/// A block that Ruby code passes to a Puppet function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyBlock {
    /// The id of the block, for [`Ruby::call_block`].
    pub number: i64,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The number of required arguments.
    pub least: usize,
    /// The maximum number of arguments; `None` for any number.
    pub most: Option<usize>,
}

/// The embedder of Ruby code: the evaluator of the Puppet language, or a test. Ruby code has no other access to the
/// outside than this trait.
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

    /// Returns all variables in scope. The same list is returned until a variable changes.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn variables(&mut self) -> Result<Arc<[(Str, Value)]>, HostError> {
        Ok(Arc::default())
    }

    /// Sets a variable in the current scope.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn set_variable(&mut self, name: &str, _value: Value) -> Result<(), HostError> {
        Err(HostError::new(format!("the variable '{name}' cannot be set here")))
    }

    /// Replaces collections that Ruby code has changed. Each pair is the collection that was passed to the code,
    /// identified by its [storage](Value::storage), and its new content.
    ///
    /// # Errors
    /// A limit is reached.
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

    /// Returns the id of the current scope, which is unique among the scopes in use.
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

    /// Returns the names of the classes in the catalog.
    fn classes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a setting of Puppet, or Puppet's version for `version`. A setting without a value is [`Value::Undef`];
    /// an unknown setting is `None`.
    fn setting(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// Returns the number with which chance begins; `None` if there is no chance.
    fn random_seed(&mut self) -> Option<u64> {
        None
    }

    /// Returns the parameters of a declared resource; `None` if it is not declared.
    fn resource(&mut self, _kind: &str, _title: &str) -> Option<Value> {
        None
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file does not exist, or the code may not read it.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, HostError> {
        Err(HostError::refused(format!("reading files is not available to Ruby code here, so '{path}' was not read")))
    }

    /// Returns the kind of the file at a path.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        Err(HostError::refused(format!("files are not available to Ruby code here, so '{path}' was not looked for")))
    }

    /// Returns the readable paths that match an absolute pattern, as `Dir.glob` does. If `hidden` is true, wildcards
    /// match names that begin with a dot.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn glob(&mut self, pattern: &str, _hidden: bool) -> Result<Vec<String>, HostError> {
        Err(HostError::refused(format!("files are not available to Ruby code here, so '{pattern}' was not looked for")))
    }

    /// Returns a counter of node-dependent reads and log messages; `None` if the host does not count them. The result
    /// of a function that leaves the counter unchanged can be reused.
    fn impurity(&self) -> Option<u64> {
        None
    }

    /// Marks the current answer as dependent on an unrecorded input, so that it is not shared between nodes.
    fn mark_impure(&mut self) {}

    /// Returns a fingerprint of a file, which changes with the file; `None` for a file that cannot be read.
    ///
    /// # Errors
    /// Fails if the host refuses.
    fn file_stamp(&mut self, _path: &str) -> Result<Option<String>, HostError> {
        Ok(None)
    }

    /// Returns the path and the source of the file that `require` loads for a name; with `from`, the one that
    /// `require_relative` loads in that file. `None` if it does not exist.
    ///
    /// # Errors
    /// The code may not read the file.
    fn library(&mut self, _name: &str, _from: Option<&str>) -> Result<Option<(String, String)>, HostError> {
        Ok(None)
    }

    /// Returns the folders that `require` searches.
    fn library_folders(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the path of the file that defines a function in the API of Puppet 3.
    fn old_function(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// The folder of a module.
    fn module(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// Returns the regular expression that a value is.
    fn pattern(&mut self, _value: &Value) -> Option<Regexp> {
        None
    }

    /// Returns a regular expression as a value; `None` if there are no such values.
    fn pattern_value(&mut self, _pattern: &Regexp) -> Option<Value> {
        None
    }

    /// Bytes as a value of Puppet's type `Binary`.
    fn binary(&mut self, bytes: Vec<u8>) -> Value {
        Value::from(hieratic_value::Rich::Binary(bytes))
    }

    /// Returns the attributes of a resource type that is built into the agent.
    fn agent_type(&mut self, _name: &str) -> Option<Vec<String>> {
        None
    }

    /// Returns the type and the title of the defined resource or class whose body is evaluated.
    fn own_resource(&mut self) -> Option<(String, String)> {
        None
    }

    /// Returns whether debug messages are recorded. If not, the code does not need to build them.
    fn keeps_debug(&self) -> bool {
        true
    }

    /// Returns a counter that changes with each new secret; 0 without secrets, so that taint is not tracked.
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

    /// Records that a string or number returned by the code was computed from secrets.
    fn record_secret(&mut self, _result: &Value) {}

    /// Records that the code has not read the string of this name, except to test that none of these patterns matches.
    fn unseen(&mut self, _name: &str, _unmatched: Vec<Regexp>) {}

    /// Logs a message.
    fn log(&mut self, _level: &str, _message: String) {}

    /// Logs a warning, once for each distinct message.
    fn warn_once(&mut self, message: String) {
        self.log("warning", message);
    }

    /// Returns the current time in seconds since 1970; `None` if code may not see it.
    fn now(&mut self) -> Option<f64> {
        None
    }
}

/// The kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A directory.
    Folder,
    /// The path does not exist.
    Nothing,
}

/// An error of the host.
#[derive(Clone, Debug)]
pub struct HostError {
    /// The message: one sentence.
    pub message: String,
    /// The kind, which determines how Ruby code can handle the error.
    pub kind: HostErrorKind,
    /// The error of the host, which is returned unchanged by the host's call of Ruby.
    pub payload: Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>,
}

/// The kinds of errors of the host, by how Ruby code can handle them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostErrorKind {
    /// An exception, which `rescue` can handle.
    Rescued,
    /// `throw :no_such_key` for a missing key, which only `catch` can handle.
    Thrown,
    /// An error that code cannot handle, such as a reached limit.
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

/// A host with a budget and no services.
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
