//! [`Fault`]: why something has no result, as another language shows it.

use hieratic::diagnostics::{Diagnose, Diagnostic, Severity, render};
use hieratic::{Error, Mask, Node};

/// Why something has no result, with its place.
#[derive(Clone, Debug)]
pub struct Fault(Box<FaultParts>);

/// The parts of a [`Fault`].
#[derive(Clone, Debug, Default)]
pub struct FaultParts {
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

impl Fault {
    /// An error of a lookup, with its secrets redacted.
    pub fn of_error(error: &Error, mask: &Mask) -> Fault {
        let mut fault = Fault::of_diagnostics(&error.diagnose(), Some(mask));
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
    pub fn of_diagnostics(diagnostics: &[Diagnostic], mask: Option<&Mask>) -> Fault {
        let shown: Vec<Diagnostic> = match mask {
            Some(mask) => diagnostics.iter().map(|diagnostic| mask.diagnostic(diagnostic)).collect(),
            None => diagnostics.to_vec(),
        };
        let report = shown.iter().map(|diagnostic| render::human(diagnostic, &render::Style::default())).collect();
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let Some(first) = shown.iter().find(is_error).or(shown.first()) else {
            return Fault::plain("it failed without a message", "report this as a bug");
        };
        let Place { file, line, column } = Place::of(first);
        Fault(Box::new(FaultParts {
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
    pub fn plain(message: impl Into<String>, help: impl Into<String>) -> Fault {
        let (message, help) = (message.into(), help.into());
        let report = format!("error: {message}\nhelp: {help}\n");
        Fault(Box::new(FaultParts { message, help: vec![help], report, ..FaultParts::default() }))
    }

    /// Returns the error with another message.
    #[must_use]
    pub fn saying(mut self, message: String) -> Fault {
        self.0.message = message;
        self
    }

    /// Returns the parts of the error.
    pub fn parts(self) -> FaultParts {
        *self.0
    }
}

/// The position of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, if it has a name.
    pub file: Option<String>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column, counted from 1.
    pub column: Option<u32>,
}

impl Place {
    /// The place of a message's first label, or of the file that it names.
    pub fn of(diagnostic: &Diagnostic) -> Place {
        let label = diagnostic.labels.iter().find(|label| label.primary).or(diagnostic.labels.first());
        match (label, diagnostic.locations.first()) {
            (Some(label), _) => {
                let place = label.source.start(label.span);
                let file = Some(label.source.name().to_owned()).filter(|name| !name.is_empty());
                Place { file, line: Some(place.line), column: Some(place.column) }
            }
            (None, Some(location)) => Place {
                file: Some(location.file.clone()).filter(|name| !name.is_empty()),
                line: location.line,
                column: location.column,
            },
            (None, None) => Place::default(),
        }
    }
}
