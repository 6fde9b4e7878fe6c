//! [`Flow`]: how code ends without a value, and how exceptions are raised. => [`Flow`]: the ways in which code ends
//! without a value, such as exceptions.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_budget::Exhausted;

use super::{Args, Vm};
use crate::UNAVAILABLE;
use crate::host::{HostError, HostErrorKind};
use crate::symbol::Symbol;
use crate::value::{Class, Data, Exception, Object, Value};

/// The result of code: a value, or a [`Flow`].
pub(crate) type Outcome<T = Value> = Result<T, Box<Flow>>;

/// The ways in which code ends without a value.
#[derive(Debug)]
pub(crate) enum Flow {
    Raise(Value),
    Break(u64, Value),
    Next(Value),
    Return(u64, Value),
    Throw(Value, Value),
    BreakLoop(Value),
    NextLoop,
    Redo,
    Retry,
    /// An error that code cannot rescue.
    Fatal(Fatal),
}

/// An error that ends all code: a limit, or an unsupported feature.
#[derive(Clone, Debug)]
pub(crate) struct Fatal {
    pub message: String,
    pub file: Arc<str>,
    pub line: u32,
    pub exhausted: Option<Exhausted>,
    pub host: Option<HostError>,
}

impl Vm<'_> {
    /// Returns an exception of a class.
    pub fn exception(&mut self, class: &Rc<Class>, message: Value) -> Value {
        let object = Object::new(class.clone());
        *object.data.borrow_mut() =
            Data::Exception(Box::new(Exception { message, cause: Value::Nil, backtrace: None, set_backtrace: None }));
        Value::Object(Rc::new(object))
    }

    /// Creates a flow that raises an exception at the current position.
    pub fn raise_value(&mut self, exception: Value) -> Box<Flow> {
        if let Value::Object(object) = &exception {
            if let Data::Exception(inner) = &*object.data.borrow() {
                self.mark_message_names(&inner.message);
            }
            let missing = match &*object.data.borrow() {
                Data::Exception(exception) => exception.backtrace.is_none(),
                _ => false,
            };
            if missing {
                let trace = self.backtrace();
                self.owe_bytes(256 + trace.len() * 40);
                let cause = self.st.current_error.clone();
                if let Data::Exception(inner) = &mut *object.data.borrow_mut() {
                    inner.backtrace = Some(trace);
                    if inner.cause.is_nil() && !cause.same(&exception) {
                        inner.cause = cause;
                    }
                }
            }
        }
        Box::new(Flow::Raise(exception))
    }

    /// Returns the positions of the calls, innermost first.
    pub fn backtrace(&self) -> Vec<(Arc<str>, u32, Option<Symbol>)> {
        let visible = self.st.calls.iter().rev().filter(|call| !call.frame.internal);
        visible.map(|call| (call.frame.file.clone(), call.line, call.frame.name)).take(100).collect()
    }

    /// Returns the current file and line, outside of the prelude.
    pub fn place(&self) -> (Arc<str>, u32) {
        match self.st.calls.iter().rev().find(|call| !call.frame.internal) {
            Some(call) => (call.frame.file.clone(), call.line),
            None => ("".into(), 0),
        }
    }

    /// Creates a flow that raises an exception of a class with a message.
    pub fn error(&mut self, class: &Rc<Class>, message: impl AsRef<str>) -> Box<Flow> {
        let exception = self.exception(class, Value::str(message.as_ref()));
        self.raise_value(exception)
    }

    pub fn type_error(&mut self, message: impl AsRef<str>) -> Box<Flow> {
        let class = self.st.classes.type_error.clone();
        self.error(&class, message)
    }

    pub fn argument_error(&mut self, message: impl AsRef<str>) -> Box<Flow> {
        let class = self.st.classes.argument_error.clone();
        self.error(&class, message)
    }

    pub fn range_error(&mut self, message: impl AsRef<str>) -> Box<Flow> {
        let class = self.st.classes.range_error.clone();
        self.error(&class, message)
    }

    pub fn index_error(&mut self, message: impl AsRef<str>) -> Box<Flow> {
        let class = self.st.classes.index_error.clone();
        self.error(&class, message)
    }

    /// Creates a flow that raises an exception of a named class.
    pub fn named_error(&mut self, class: &str, message: impl AsRef<str>) -> Box<Flow> {
        let class = match self.constant_path(class) {
            Ok(Some(Value::Class(class))) => class,
            Err(flow) => return flow,
            Ok(_) => self.st.classes.standard_error.clone(),
        };
        self.error(&class, message)
    }

    pub fn arity_error(&mut self, given: usize, expected: &str) -> Box<Flow> {
        self.argument_error(format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    pub fn frozen_error(&mut self, value: &Value) -> Box<Flow> {
        let shown = match self.inspect(value) {
            Ok(shown) => shown,
            Err(flow) => return flow,
        };
        let class = self.class_of(value).display_name();
        let error = self.st.classes.frozen_error.clone();
        self.error(&error, format!("can't modify frozen {class}: {shown}"))
    }

    /// Creates the flow that ends all code because a limit is reached.
    pub fn exhausted(&self, exhausted: Exhausted) -> Box<Flow> {
        let (file, line) = self.place();
        Box::new(Flow::Fatal(Fatal {
            message: format!("evaluation was given up: {exhausted}"),
            file,
            line,
            exhausted: Some(exhausted),
            host: None,
        }))
    }

    /// Creates the error for a feature that is not supported or not allowed. Code cannot rescue it, because its rescue
    /// branch would give another result than in Ruby.
    pub fn refused(&self, message: impl Into<String>) -> Box<Flow> {
        let (file, line) = self.place();
        Box::new(Flow::Fatal(Fatal { message: message.into(), file, line, exhausted: None, host: None }))
    }

    /// Creates the error for an unsupported feature.
    pub fn unsupported(&self, feature: impl AsRef<str>) -> Box<Flow> {
        self.refused(format!("{} {UNAVAILABLE}", feature.as_ref()))
    }

    /// Creates the flow of an error of the host.
    pub fn host_error(&mut self, error: HostError) -> Box<Flow> {
        match error.kind {
            HostErrorKind::Thrown => Box::new(Flow::Throw(self.symbol("no_such_key"), Value::Nil)),
            HostErrorKind::Fatal => {
                let (file, line) = self.place();
                Box::new(Flow::Fatal(Fatal {
                    message: error.message.clone(),
                    file,
                    line,
                    exhausted: None,
                    host: Some(error),
                }))
            }
            HostErrorKind::Rescued => {
                self.st.last_host_error = Some(error.clone());
                self.named_error("Puppet::ParseError", error.message)
            }
        }
    }

    /// Returns the result of the exception's `message`.
    pub fn message_of(&mut self, exception: &Value) -> Outcome<String> {
        let message = self.send(exception, "message", &[])?;
        self.to_s(&message)
    }

    /// Returns the message with which the exception was created, or the name of its class.
    pub fn own_message(&self, exception: &Value) -> Value {
        let Value::Object(object) = exception else { return Value::Nil };
        match &*object.data.borrow() {
            Data::Exception(inner) if !inner.message.is_nil() => inner.message.clone(),
            _ => Value::string(object.class.borrow().display_name()),
        }
    }

    /// Runs code, and returns an exception of `StandardError` as a result.
    pub fn rescued(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome<Result<Value, Value>> {
        let depth = self.st.calls.len();
        match run(self) {
            Ok(value) => Ok(Ok(value)),
            Err(flow) => match *flow {
                Flow::Raise(exception) => {
                    self.st.calls.truncate(depth);
                    Ok(Err(exception))
                }
                other => Err(Box::new(other)),
            },
        }
    }

    /// Calls a method by name, as `obj.name(arguments)` does.
    pub fn send(&mut self, receiver: &Value, name: &str, arguments: &[Value]) -> Outcome {
        let name = self.st.library.intern(name);
        self.call(receiver, name, Args::from_slice(arguments))
    }
}
