//! [`Datum`]: a value during evaluation.

use std::sync::Arc;

use hieratic_python_values as python;
use hieratic_value::{Rich, Str, Value};

use crate::file::File;
use crate::lazy::{LazyList, LazyMap};
use crate::tree::InstanceId;

/// A value under evaluation.
#[derive(Clone, Debug)]
pub(crate) enum Datum {
    /// Data, evaluated or not.
    Plain(Plain),
    /// A map whose values are evaluated on first use.
    Map(Arc<LazyMap>),
    /// A list likewise.
    List(Arc<LazyList>),
    /// An instance.
    Instance(InstanceId),
    /// All instances by their names: `::` and `.all`.
    Instances,
    /// The attributes of all instances by their names: `NODES` in templates of attributes.
    Nodes,
    /// A path to a file, with more to ask of it.
    File(Arc<File>),
    /// The signal of `$break` or `$continue`.
    Signal(Signal),
}

/// Data, with whether its strings may be templates.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) value: Value,
    /// True if strings in it may be templates; false for the result of a template.
    pub(crate) templates: bool,
}

/// The values of `$break` and `$continue`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Break,
    Continue,
}

impl Datum {
    pub(crate) const NULL: Datum = Datum::Plain(Plain { value: Value::Undef, templates: false });

    /// Data that has been evaluated.
    pub(crate) fn done(value: impl Into<Value>) -> Datum {
        Datum::Plain(Plain { value: value.into(), templates: false })
    }

    /// Creates a value from a document: strings in it may be templates.
    pub(crate) fn raw(value: impl Into<Value>) -> Datum {
        Datum::Plain(Plain { value: value.into(), templates: true })
    }

    /// A part of the same origin.
    pub(crate) fn part(&self, value: Value) -> Datum {
        let templates = matches!(self, Datum::Plain(Plain { templates: true, .. }));
        Datum::Plain(Plain { value, templates })
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Datum::Plain(Plain { value: Value::Undef, .. }))
    }

    /// Python's `bool()`.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Datum::Plain(Plain { value, .. }) => python::truthy(value),
            Datum::Map(map) => map.len() > 0,
            Datum::List(list) => list.len() > 0,
            Datum::Instance(_) | Datum::Instances | Datum::Nodes | Datum::File(_) | Datum::Signal(_) => true,
        }
    }

    /// Returns the string of a string, also of a secret one, or of a path.
    pub(crate) fn text(&self) -> Option<Str> {
        match self {
            Datum::Plain(Plain { value: Value::String(text), .. }) => Some(text.clone()),
            Datum::Plain(Plain { value: Value::Rich(rich), .. }) => match &**rich {
                Rich::Sensitive(Value::String(text)) => Some(text.clone()),
                _ => None,
            },
            Datum::File(file) => Some(file.path.clone()),
            _ => None,
        }
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Datum::List(_) | Datum::Plain(Plain { value: Value::Array(_), .. }))
    }

    pub(crate) fn is_map(&self) -> bool {
        matches!(
            self,
            Datum::Map(_) | Datum::Instances | Datum::Nodes | Datum::Plain(Plain { value: Value::Hash(_), .. })
        )
    }

    /// Returns the unevaluated entries of a map.
    pub(crate) fn keys(&self) -> Option<&hieratic_value::Hash> {
        match self {
            Datum::Plain(Plain { value: Value::Hash(hash), .. }) => Some(hash),
            Datum::Map(map) => Some(&map.source),
            _ => None,
        }
    }

    /// Returns the name of its type for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Datum::Plain(Plain { value, .. }) => match value {
                Value::Undef => "null",
                Value::Boolean(_) => "a truth value",
                Value::Integer(_) | Value::Float(_) => "a number",
                Value::String(_) => "a string",
                Value::Array(_) => "a list",
                Value::Hash(_) => "a map",
                Value::Rich(rich) if matches!(**rich, Rich::Sensitive(_)) => "a secret",
                Value::Rich(_) => "a value",
            },
            Datum::Map(_) | Datum::Instances | Datum::Nodes => "a map",
            Datum::List(_) => "a list",
            Datum::Instance(_) => "an instance",
            Datum::File(_) => "a path",
            Datum::Signal(_) => "a signal of a loop",
        }
    }
}
