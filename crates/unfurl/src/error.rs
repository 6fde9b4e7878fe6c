//! [`ExpressionError`]: the reason why an expression has no value.

use std::error::Error;
use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_diagnostics::{Diagnose, Diagnostic, Severity, Source, Span};
use hieratic_sandbox::HiddenVariable;

use crate::codes;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionErrorKind {
    /// The string is not a valid expression.
    Syntax,
    /// The evaluation failed.
    Evaluation,
    /// A limit of depth, steps or size was reached.
    Limit,
}

/// The reason why an expression has no value.
///
/// ```
/// use hieratic_unfurl::Expression;
///
/// let error = Expression::parse("users::[age=25").unwrap_err();
/// assert_eq!((error.column(), error.to_string().as_str()), (Some(8), "the '[' is never closed"));
/// ```
#[derive(Clone, Debug)]
pub struct ExpressionError {
    /// The kind of the error.
    pub kind: ExpressionErrorKind,
    /// The message. It is the reference's, if the reference has one.
    pub message: String,
    /// The source and the span of the error: the expression, or the file that contains it.
    pub place: Option<(Source, Span)>,
    /// The help of the diagnostic.
    pub help: Option<String>,
}

impl ExpressionError {
    /// An error of the syntax.
    pub(crate) fn syntax(message: impl Into<String>) -> ExpressionError {
        ExpressionError { kind: ExpressionErrorKind::Syntax, message: message.into(), place: None, help: None }
    }

    /// An error of the evaluation.
    pub(crate) fn new(message: impl Into<String>) -> ExpressionError {
        ExpressionError { kind: ExpressionErrorKind::Evaluation, ..ExpressionError::syntax(message) }
    }

    /// A limit that was reached.
    pub(crate) fn limit(message: impl Into<String>) -> ExpressionError {
        ExpressionError { kind: ExpressionErrorKind::Limit, ..ExpressionError::syntax(message) }
    }

    /// A limit of the budget that was reached.
    pub(crate) fn exhausted(limit: Exhausted) -> ExpressionError {
        ExpressionError {
            help: limit.help(),
            ..ExpressionError::limit(format!("the evaluation takes too much work: {limit}"))
        }
    }

    /// An environment variable that expressions may not read.
    pub(crate) fn hidden(variable: &HiddenVariable) -> ExpressionError {
        ExpressionError::new(variable.to_string()).help(variable.help())
    }

    /// The fault with what to try.
    pub(crate) fn help(mut self, help: impl Into<String>) -> ExpressionError {
        self.help = Some(help.into());
        self
    }

    /// Sets the position, unless there is one: the position in the innermost expression is the useful one.
    pub(crate) fn at(mut self, source: &Source, span: Span) -> ExpressionError {
        self.place.get_or_insert_with(|| (source.clone(), span));
        self
    }

    /// Adds a suggestion, if there is a similar name.
    pub(crate) fn did_you_mean(self, near: Option<&str>, sigil: &str) -> ExpressionError {
        match near {
            Some(near) => self.help(format!("did you mean '{sigil}{near}'?")),
            None => self,
        }
    }

    /// Returns the line, counted from 1.
    pub fn line(&self) -> Option<u32> {
        self.place.as_ref().map(|(source, span)| source.start(*span).line)
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(&self) -> Option<u32> {
        self.place.as_ref().map(|(source, span)| source.start(*span).column)
    }
}

impl Diagnose for ExpressionError {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let code = match self.kind {
            ExpressionErrorKind::Syntax => codes::UNFURL_SYNTAX,
            ExpressionErrorKind::Evaluation | ExpressionErrorKind::Limit => codes::UNFURL_EVALUATION,
        };
        let mut diagnostic = Diagnostic::new(Severity::Error, code, self.message.clone());
        if let Some((source, span)) = &self.place {
            diagnostic = diagnostic.label(source.clone(), *span, "");
        }
        diagnostic.help.extend(self.help.clone());
        vec![diagnostic]
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for ExpressionError {}
