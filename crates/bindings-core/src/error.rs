//! [`BindingError`]: why something has no result, as another language shows it.

use hieratic::diagnostics::{Diagnose, Diagnostic, Severity, render};
use hieratic::{Error, Node, Redactor};

/// Why something has no result, with its place.
#[derive(Clone, Debug)]
pub struct BindingError(Box<ErrorParts>);

/// The parts of a [`BindingError`].
#[derive(Clone, Debug, Default)]
pub struct ErrorParts {
    /// Whether the error is that a key has no value.
    pub is_missing: bool,
    /// The code, as `docs/errors` lists it.
    pub code: Option<String>,
    /// One sentence.
    pub message: String,
    /// The file that it is about.
    pub file: Option<String>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The column in this line, counted from 1.
    pub column: Option<u32>,
    /// The help of the diagnostic: what to try.
    pub help: Vec<String>,
    /// Everything that is wrong, as the command shows it.
    pub report: String,
}

impl BindingError {
    /// An error of a lookup, with its secrets redacted.
    pub fn from_error(error: &Error, mask: &Redactor) -> BindingError {
        let mut fault = BindingError::from_diagnostics(&error.diagnose(), Some(mask));
        let parts = &mut *fault.0;
        parts.is_missing = error.code() == Node::NOT_FOUND;
        parts.code = Some(error.code().id().to_owned());
        parts.message = mask.message(&error.to_string()).into_owned();
        if let Some(place) = error.place() {
            parts.file = Some(place.file.display().to_string());
            parts.line = place.line;
            parts.column = place.column;
        }
        fault
    }

    /// An error from diagnostics: the first error is its message, all of them are its report.
    pub fn from_diagnostics(diagnostics: &[Diagnostic], mask: Option<&Redactor>) -> BindingError {
        let shown: Vec<Diagnostic> = match mask {
            Some(mask) => diagnostics.iter().map(|diagnostic| mask.diagnostic(diagnostic)).collect(),
            None => diagnostics.to_vec(),
        };
        let report = shown.iter().map(|diagnostic| render::human(diagnostic, &render::Style::default())).collect();
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let Some(first) = shown.iter().find(is_error).or(shown.first()) else {
            return BindingError::plain("it failed without a message", "report this as a bug");
        };
        let ErrorPosition { file, line, column } = ErrorPosition::from_diagnostic(first);
        BindingError(Box::new(ErrorParts {
            is_missing: false,
            code: Some(first.code.id().to_owned()),
            message: first.message.clone(),
            file,
            line,
            column,
            help: first.help.clone(),
            report,
        }))
    }

    /// An error that is about no file.
    pub fn plain(message: impl Into<String>, help: impl Into<String>) -> BindingError {
        let (message, help) = (message.into(), help.into());
        let report = format!("error: {message}\nhelp: {help}\n");
        BindingError(Box::new(ErrorParts { message, help: vec![help], report, ..ErrorParts::default() }))
    }

    /// Returns the error with another message.
    #[must_use]
    pub fn with_message(mut self, message: String) -> BindingError {
        self.0.message = message;
        self
    }

    /// Returns the parts of the error.
    pub fn parts(self) -> ErrorParts {
        *self.0
    }
}

/// The position of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorPosition {
    /// The file, if it has a name.
    pub file: Option<String>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column, counted from 1.
    pub column: Option<u32>,
}

impl ErrorPosition {
    /// The place of a message's first label, or of the file that it names.
    pub fn from_diagnostic(diagnostic: &Diagnostic) -> ErrorPosition {
        let label = diagnostic.labels.iter().find(|label| label.primary).or(diagnostic.labels.first());
        match (label, diagnostic.locations.first()) {
            (Some(label), _) => {
                let place = label.source.start(label.span);
                let file = Some(label.source.name().to_owned()).filter(|name| !name.is_empty());
                ErrorPosition { file, line: Some(place.line), column: Some(place.column) }
            }
            (None, Some(location)) => ErrorPosition {
                file: Some(location.file.clone()).filter(|name| !name.is_empty()),
                line: location.line,
                column: location.column,
            },
            (None, None) => ErrorPosition::default(),
        }
    }
}
