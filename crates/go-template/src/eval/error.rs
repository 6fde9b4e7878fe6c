//! The error of rendering a template.

use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_source::Span;

use crate::syntax::ParseError;

/// The error of rendering a template.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderError {
    /// The name of the template and the span in it, if they are known.
    pub place: Option<(String, Span)>,
    /// The error.
    pub fault: Fault,
}

/// The kinds of errors of rendering.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An error that the reference reports as well.
    Error(String),
    /// A call of a function that depends on the machine or the time, or that is not implemented.
    NotHere(String),
    /// A limit of the budget is reached.
    Exhausted(Exhausted),
    /// A template cannot be parsed.
    Parse(Box<ParseError>),
}

impl Fault {
    /// Creates an error that the reference reports as well.
    pub fn error(message: impl Into<String>) -> Fault {
        Fault::Error(message.into())
    }
}

impl From<Exhausted> for Fault {
    fn from(exhausted: Exhausted) -> Fault {
        Fault::Exhausted(exhausted)
    }
}

impl From<Fault> for RenderError {
    fn from(fault: Fault) -> RenderError {
        RenderError { place: None, fault }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Error(message) => f.write_str(message),
            Fault::NotHere(name) => write!(f, "the function {name} is not evaluated here"),
            Fault::Exhausted(exhausted) => exhausted.fmt(f),
            Fault::Parse(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((name, _)) => write!(f, "template: {name}: {}", self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl std::error::Error for RenderError {}
