//! [`Problem`]: an error or a warning with its position; and [`ValidationResult`], the result of a validator.

use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};

/// An error or a warning about a manifest, from the parser or a validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// An error, or a warning (the reference logs deprecations as warnings too).
    pub severity: Severity,
    /// The reference's name of the issue in lower case with hyphens, such as `syntax-error`, `illegal-escape`.
    pub issue: Code,
    /// The reference's message, without the position.
    pub message: String,
    /// The range of the problem.
    pub span: Span,
    /// The offset of the reference's line and column. `None` if the reference reports only a line or no position.
    pub at: Option<u32>,
    /// The reference's line, if it reports no column.
    pub line: Option<u32>,
    /// The help line: what to try.
    pub help: Option<String>,
}

impl Problem {
    /// Creates an error about a range, reported at its start.
    pub fn error(issue: Code, message: impl Into<String>, span: Span) -> Problem {
        Problem {
            severity: Severity::Error,
            issue,
            message: message.into(),
            span,
            at: Some(span.start),
            line: None,
            help: None,
        }
    }

    /// Creates a warning about a range, reported at its start.
    pub fn warning(issue: Code, message: impl Into<String>, span: Span) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(issue, message, span) }
    }

    /// Returns the problem with another position, as a byte offset.
    pub fn at(self, at: u32) -> Problem {
        Problem { at: Some(at), ..self }
    }

    /// Returns the problem with a help line.
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// Returns the line and column that the reference reports. They are 0 if it reports none.
    pub fn position(&self, source: &Source) -> (u32, u32) {
        match (self.at, self.line) {
            (Some(at), _) => {
                let place = source.position(at as usize);
                (place.line, place.column)
            }
            (None, Some(line)) => (line, 0),
            (None, None) => (0, 0),
        }
    }

    /// Converts the problem to a diagnostic with the source line.
    pub fn diagnostic(&self, source: &Source) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.severity, self.issue, &self.message);
        let diagnostic = diagnostic.label(source.clone(), self.span, "");
        match &self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// The result of validating a parsed program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationResult {
    /// All errors and warnings of the program.
    pub problems: Vec<Problem>,
    /// The reason why the program may not run, if there is one.
    pub error: Option<ProgramError>,
}

/// The reason why a program may not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// A single error, which is reported with its position.
    One(Problem),
    /// Several errors, which are logged.
    Several {
        /// The message about the number of errors.
        message: String,
        /// The errors.
        logged: Vec<Problem>,
    },
}

impl ProgramError {
    /// Returns the message without a position.
    pub fn message(&self) -> &str {
        match self {
            ProgramError::One(problem) => &problem.message,
            ProgramError::Several { message, .. } => message,
        }
    }
}
