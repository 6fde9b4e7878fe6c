//! [`Host`]: what Ruby code may ask of whoever runs it.

use hieratic_powers::Budget;
use hieratic_regexp::Regexp;
use hieratic_value::Value;

use crate::machine::Ruby;

/// A block that Ruby code calls a function of Puppet with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyBlock {
    /// Its number, for [`Ruby::call_block`].
    pub number: i64,
    /// The names of its parameters.
    pub names: Vec<String>,
    /// How many arguments it needs.
    pub least: usize,
    /// How many it takes; none for any number.
    pub most: Option<usize>,
}

/// Whoever runs Ruby code: the evaluator of the Puppet language, or a test. Ruby code reaches nothing but this.
pub trait Host {
    /// What the code may still take.
    fn budget(&self) -> &Budget;

    /// The variable of a name, with or without `::` in it; none if there is none.
    ///
    /// # Errors
    /// What the host refuses; so with all that follow.
    fn variable(&mut self, _name: &str) -> Result<Option<Value>, HostError> {
        Ok(None)
    }

    /// All variables that are in sight.
    ///
    /// # Errors
    /// What the host refuses.
    fn variables(&mut self) -> Result<Vec<(String, Value)>, HostError> {
        Ok(Vec::new())
    }

    /// Sets a variable of the scope.
    ///
    /// # Errors
    /// What the host refuses.
    fn set_variable(&mut self, name: &str, _value: Value) -> Result<(), HostError> {
        Err(HostError::new(format!("the variable '{name}' cannot be set here")))
    }

    /// Calls a function of Puppet. The machine is lent for as long as it runs: it may run other code of Ruby, and
    /// [the block](Ruby::call_block).
    ///
    /// # Errors
    /// What the host refuses, and what the function reports.
    fn call_function(
        &mut self,
        name: &str,
        _arguments: &[Value],
        _block: Option<&RubyBlock>,
        _machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        Err(HostError::new(format!("Unknown function: '{name}'")))
    }

    /// The same in the scope at the top.
    ///
    /// # Errors
    /// As [`call_function`](Self::call_function).
    fn call_function_at_top(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&RubyBlock>,
        machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        self.call_function(name, arguments, block, machine)
    }

    /// A number for the scope that the code runs in: another one for each that is in use.
    fn scope(&self) -> usize {
        0
    }

    /// Calls a lambda that the host has passed in.
    ///
    /// # Errors
    /// What it reports.
    fn call_block(&mut self, _block: &Value, _arguments: &[Value], _machine: &mut Ruby) -> Result<Value, HostError> {
        Err(HostError::new("there is no block"))
    }

    /// Calls a method of a value of the host that Ruby code was given.
    ///
    /// # Errors
    /// What it reports, and that there is no such method.
    fn call_method(
        &mut self,
        _object: &Value,
        name: &str,
        _arguments: &[Value],
        _machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        Err(HostError::new(format!("undefined method `{name}' for a value of Puppet")))
    }

    /// Whether there is a function of a name.
    fn knows_function(&mut self, _name: &str) -> bool {
        false
    }

    /// All tags of the catalog.
    fn all_tags(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The classes of the catalog.
    fn classes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What `settings`, `environment` and the like are.
    fn setting(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// Parameters of a declared resource; none if it is not declared.
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

    /// What is at a path, of that which may be read.
    ///
    /// # Errors
    /// What the host refuses.
    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        Err(HostError::refused(format!("files are not available to Ruby code here, so '{path}' was not looked for")))
    }

    /// How often code has asked for what may be otherwise for another node, or has said something; none if it is not known any more what it
    /// has asked.
    fn asked(&self) -> Option<u64> {
        None
    }

    /// Learns that the answer may depend on what nobody compares.
    fn depend_on_more(&mut self) {}

    /// Something that is different as soon as the file is; none for a file that cannot be read.
    ///
    /// # Errors
    /// What the host refuses.
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

    /// Whether anybody reads what is said for finding faults. If not, it need not be said.
    fn keeps_debug(&self) -> bool {
        true
    }

    /// A number that changes when secrets become known; 0 while there are none, so that nothing need be followed.
    fn secrets(&self) -> u64 {
        0
    }

    /// Where secrets stand in a text that code gets, in bytes.
    fn secret_parts(&mut self, _text: &str) -> Vec<std::ops::Range<usize>> {
        Vec::new()
    }

    /// Whether a number that code gets is a secret.
    fn is_secret(&mut self, _value: &Value) -> bool {
        false
    }

    /// Learns that a text or a number that leaves the code was computed from secrets.
    fn made_of_secrets(&mut self, _made: &Value) {}

    /// Learns that code did not look at a text that it was given under a name, but tried patterns, none of which matches it.
    fn unseen(&mut self, _name: &str, _unmatched: Vec<Regexp>) {}

    /// Says something.
    fn log(&mut self, _level: &str, _message: String) {}

    /// Warns of something, unless it has warned of the same before.
    fn warn_once(&mut self, message: String) {
        self.log("warning", message);
    }

    /// The current time in seconds since 1970; none if code may not know it.
    fn now(&mut self) -> Option<f64> {
        None
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Nothing.
    Nothing,
}

/// Why a host did not do what it was asked.
#[derive(Clone, Debug)]
pub struct HostError {
    /// The sentence.
    pub message: String,
    /// What Ruby code can do about it.
    pub ends: Ends,
    /// What the host wants to find again where its call of Ruby ends: its own error.
    pub payload: Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>,
}

/// What Ruby code can do about an error of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// `rescue` ends it.
    Rescued,
    /// It is no error, but thrown as `:no_such_key`, where a key is not found: only `catch` ends it.
    Thrown,
    /// Nothing: a limit is reached, say.
    Fatal,
}

impl HostError {
    /// An error that Ruby code sees as a `Puppet::Error`.
    pub fn new(message: impl Into<String>) -> HostError {
        HostError { message: message.into(), ends: Ends::Rescued, payload: None }
    }

    /// An error that Ruby code cannot rescue.
    pub fn refused(message: impl Into<String>) -> HostError {
        HostError { ends: Ends::Fatal, ..HostError::new(message) }
    }
}

/// A host with nothing but a budget.
#[derive(Debug, Default)]
pub struct Alone {
    /// The budget.
    pub budget: Budget,
}

impl Host for Alone {
    fn budget(&self) -> &Budget {
        &self.budget
    }
}
