//! [`Failure`]: the errors of expanding a document.

use hieratic_python_values as python;
use std::fmt;

use hieratic_diagnostics::{Code, Diagnose, Diagnostic, Severity, Span};
use hieratic_value::collections::HashSet;

use crate::source::Sources;

/// An error with its positions by source id.
#[derive(Clone, Debug)]
pub(crate) struct DirectiveError {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// The labels; the first is the primary one.
    pub(crate) labels: Vec<Label>,
    pub(crate) notes: Vec<String>,
    pub(crate) help: Option<String>,
    /// For a reference that leads nowhere: how the reference lists it.
    pub(crate) missing: Option<String>,
}

/// A position with a label.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) source: u32,
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// The identity of an error: its code, and its position as a source id with start and end offsets.
type Subject = (Code, Option<(u32, u32, u32)>);

/// The errors in the order in which they were found, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct DirectiveErrors {
    all: Vec<DirectiveError>,
    subjects: HashSet<Subject>,
}

impl DirectiveErrors {
    /// Adds an error, unless it is there.
    pub(crate) fn add(&mut self, error: DirectiveError) {
        if self.subjects.insert(error.subject()) {
            self.all.push(error);
        }
    }

    /// Returns whether all errors are unresolved references.
    pub(crate) fn is_only_missing(&self) -> bool {
        self.all.iter().all(|error| error.missing.is_some())
    }
}

impl std::ops::Deref for DirectiveErrors {
    type Target = [DirectiveError];

    fn deref(&self) -> &[DirectiveError] {
        &self.all
    }
}

impl From<DirectiveError> for DirectiveErrors {
    fn from(error: DirectiveError) -> DirectiveErrors {
        let mut errors = DirectiveErrors::default();
        errors.add(error);
        errors
    }
}

impl DirectiveError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> DirectiveError {
        DirectiveError {
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            missing: None,
        }
    }

    pub(crate) fn at(mut self, source: u32, span: Span, text: impl Into<String>) -> DirectiveError {
        self.labels.push(Label { source, span, text: text.into() });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> DirectiveError {
        self.help = Some(help.into());
        self
    }

    /// Returns the identity of the error. Errors with the same code and position are reported once, as those of a file
    /// that is included twice.
    fn subject(&self) -> Subject {
        let place = self.labels.first().map(|label| (label.source, label.span.start, label.span.end));
        (self.code, place)
    }

    pub(crate) fn diagnostic(&self, severity: Severity, sources: &Sources) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(severity, self.code, &self.message);
        for label in &self.labels {
            if let Some(file) = sources.get(label.source) {
                diagnostic = diagnostic.label(file.source.clone(), label.span, &label.text);
            }
        }
        for note in &self.notes {
            diagnostic = diagnostic.note(note);
        }
        diagnostic.help.extend(self.help.clone());
        diagnostic
    }
}

/// The errors of expanding a document.
#[derive(Clone, Debug)]
pub struct Failure {
    message: String,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    pub(crate) fn new(errors: &[DirectiveError], sources: &Sources) -> Failure {
        let missing: Vec<&str> = errors.iter().filter_map(|error| error.missing.as_deref()).collect();
        let message = match errors.iter().find(|error| error.missing.is_none()) {
            Some(error) => error.message.clone(),
            None => missing_includes(&missing),
        };
        let diagnostics = errors.iter().map(|error| error.diagnostic(Severity::Error, sources)).collect();
        Failure { message, diagnostics }
    }

    pub(crate) fn from_diagnostic(diagnostic: Diagnostic) -> Failure {
        Failure { message: diagnostic.message.clone(), diagnostics: vec![diagnostic] }
    }

    /// Creates a failure without a position.
    pub(crate) fn plain(code: Code, message: &str, help: &str) -> Failure {
        Failure::from_diagnostic(Diagnostic::new(Severity::Error, code, message).help(help))
    }

    /// Returns the message of the reference, which names the first error, or all unresolved references.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns all errors with their positions.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl From<Diagnostic> for Failure {
    /// Wraps an error of the caller, such as a file that cannot be read.
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::from_diagnostic(diagnostic)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnose for Failure {
    fn diagnose(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }
}

/// Returns the reference's message about unresolved references.
pub(crate) fn missing_includes(missing: &[&str]) -> String {
    let listed: Vec<String> = missing.iter().map(|text| python::quoted(text)).collect();
    format!("missing includes: [{}]", listed.join(", "))
}
