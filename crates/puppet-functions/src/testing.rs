//! A host for tests: blocks are closures, logs are recorded, files are in memory.
// A test fails with a panic.
#![allow(clippy::unwrap_used)]

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use hieratic_budget::Budget;
use hieratic_puppet_types::{PuppetVersion, Type, new_instance, parse};
use hieratic_value::{Extended, Hash, Value};

use crate::{Block, Code, EvalError, FileKind, Flow, Host, Level, Outcome, Site, find};

/// The body of a block of a test.
type BlockBody = dyn FnMut(&[Value]) -> Outcome + Send;

/// A block whose code is a closure.
struct Closure {
    kind: Type,
    body: Mutex<Box<BlockBody>>,
}

impl fmt::Debug for Closure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.kind)
    }
}

impl Extended for Closure {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, _other: &dyn Extended) -> bool {
        false
    }

    fn hash_into(&self, _state: &mut dyn Hasher) {}

    fn to_text(&self) -> String {
        self.kind.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        "Proc"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        unreachable!("tests share blocks")
    }
}

impl Code for Closure {
    fn callable_type(&self) -> &Type {
        &self.kind
    }

    fn parameter_names(&self) -> Vec<&str> {
        vec!["a", "b", "c"]
    }
}

/// Returns a block of the given type, for example `Callable[1,1]`, that calls the closure.
pub(crate) fn block(kind: &str, body: impl FnMut(&[Value]) -> Outcome + Send + 'static) -> Block {
    Block(Arc::new(Closure { kind: parse(kind).unwrap(), body: Mutex::new(Box::new(body)) }))
}

/// The type of a block with one required parameter.
pub(crate) fn one(body: impl FnMut(&Value) -> Value + Send + 'static) -> Block {
    let mut body = body;
    block("Callable[1,1]", move |arguments| Ok(body(&arguments[0])))
}

/// The type of a block with two required parameters.
pub(crate) fn two(body: impl FnMut(&Value, &Value) -> Value + Send + 'static) -> Block {
    let mut body = body;
    block("Callable[2,2]", move |arguments| Ok(body(&arguments[0], &arguments[1])))
}

/// A `break` of the iteration.
pub(crate) fn stop() -> Outcome {
    Err(Flow::Break(Site::default()))
}

/// A host that records its calls.
#[derive(Default)]
pub(crate) struct TestHost {
    pub logs: Vec<(Level, String)>,
    pub warnings: Vec<String>,
    pub variables: BTreeMap<String, Value>,
    pub files: BTreeMap<String, Vec<u8>>,
    pub commands: Vec<Vec<String>>,
    pub budget: Budget,
    pub version: PuppetVersion,
}

impl Host for TestHost {
    fn call_block(&mut self, block: &Block, arguments: &[Value]) -> Outcome {
        let closure = block.0.as_any().downcast_ref::<Closure>().unwrap();
        let mut body = closure.body.lock().unwrap();
        match body(arguments) {
            Err(Flow::Next(value, _)) => Ok(value),
            outcome => outcome,
        }
    }

    fn call_function(&mut self, name: &str, arguments: &[Value], block: Option<&Block>) -> Outcome {
        match find(name) {
            Some(function) => function.call(self, arguments, block),
            None => Err(EvalError::new(format!("Unknown function '{name}'")).into()),
        }
    }

    fn new_instance(&mut self, kind: &Type, arguments: &[Value]) -> Outcome {
        let result = new_instance(kind, &arguments[0], &arguments[1..]);
        result.map_err(|error| EvalError::new(error.to_string()).into())
    }

    fn puppet_version(&self) -> PuppetVersion {
        self.version
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn log(&mut self, level: Level, message: String) {
        self.logs.push((level, message));
    }

    fn warn_once(&mut self, message: String) {
        if !self.warnings.contains(&message) {
            self.warnings.push(message);
        }
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, Flow> {
        Ok(self.variables.get(name).cloned())
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Flow> {
        parse(text).map_err(|error| EvalError::new(error.to_string()).into())
    }

    fn find_file(&mut self, _kind: FileKind, name: &str) -> Result<Option<PathBuf>, Flow> {
        Ok(self.files.contains_key(name).then(|| PathBuf::from(name)))
    }

    fn module_directory(&mut self, name: &str) -> Option<PathBuf> {
        (name == "ntp").then(|| PathBuf::from("/modules/ntp"))
    }

    fn file_exists(&mut self, path: &Path) -> Result<bool, Flow> {
        Ok(self.files.contains_key(&*path.to_string_lossy()))
    }

    fn read_file(&mut self, path: &Path) -> Result<Vec<u8>, Flow> {
        Ok(self.files[&*path.to_string_lossy()].clone())
    }

    fn run_program(&mut self, command: &[String]) -> Result<String, Flow> {
        self.commands.push(command.to_vec());
        if command[0].ends_with("false") { Err(EvalError::new("it says no").into()) } else { Ok("out\n".into()) }
    }

    fn node_name(&self) -> String {
        "web01.example.com".into()
    }

    fn site(&self) -> Site {
        Site { line: 7, column: 3, ..Site::default() }
    }
}

/// Calls a function with a temporary host.
pub(crate) fn call(name: &str, arguments: &[Value], block: Option<Block>) -> Outcome {
    TestHost::default().call_function(name, arguments, block.as_ref())
}

/// Returns the result of a call as Ruby prints it; for an error, its message.
pub(crate) fn shown(name: &str, arguments: &[Value], block: Option<Block>) -> String {
    match call(name, arguments, block) {
        Ok(value) => value.inspect(),
        Err(Flow::Error(error)) => format!("ERR {}", error.message),
        Err(flow) => format!("{flow:?}"),
    }
}

/// Creates an array.
pub(crate) fn list<T: Into<Value>>(elements: impl IntoIterator<Item = T>) -> Value {
    Value::from(elements.into_iter().map(Into::into).collect::<Vec<Value>>())
}

/// Creates a hash with strings as keys.
pub(crate) fn hash<T: Into<Value>>(pairs: impl IntoIterator<Item = (&'static str, T)>) -> Value {
    Value::from(pairs.into_iter().map(|(key, value)| (key, value.into())).collect::<Hash>())
}

/// Creates a type as a value.
pub(crate) fn kind(text: &str) -> Value {
    parse(text).unwrap().into_value()
}
