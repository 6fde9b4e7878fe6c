//! [`Problem`]: an error or a warning with its position; and [`Judgement`], the result of a validator.

use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};

/// One thing that is wrong with a manifest, found by reading it or by looking at the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// An error, or a warning (the reference logs deprecations as warnings too).
    pub severity: Severity,
    /// The reference's name of the issue in lower case with hyphens, such as `syntax-error`, `illegal-escape`.
    pub issue: Code,
    /// The reference's sentence, without the place.
    pub message: String,
    /// The text that it is about.
    pub span: Span,
    /// The byte of the reference's line and column; `None` if the reference gives only a line or nothing.
    pub at: Option<u32>,
    /// The line that the reference gives where it gives no column.
    pub line: Option<u32>,
    /// The help line: what to try.
    pub help: Option<String>,
}

impl Problem {
    /// An error about a piece of text, reported at its start.
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

    /// A warning about a piece of text, reported at its start.
    pub fn warning(issue: Code, message: impl Into<String>, span: Span) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(issue, message, span) }
    }

    /// Returns the problem reported at another byte.
    pub fn at(self, at: u32) -> Problem {
        Problem { at: Some(at), ..self }
    }

    /// Returns the problem with a help line.
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// Returns the line and column of the reference, with 0 for those that it does not give.
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

    /// The problem as a message with the source line.
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
pub struct Judgement {
    /// Everything that is wrong with the program, or questionable.
    pub problems: Vec<Problem>,
    /// The reason why the program may not run, if there is one.
    pub refusal: Option<Refusal>,
}

/// Why a program may not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A single error, which is reported with its place.
    One(Problem),
    /// Several errors, which are logged.
    Several {
        /// The number of errors, as a message without a position.
        message: String,
        /// Those that are logged.
        logged: Vec<Problem>,
    },
}

impl Refusal {
    /// The message, without the place.
    pub fn message(&self) -> &str {
        match self {
            Refusal::One(problem) => &problem.message,
            Refusal::Several { message, .. } => message,
        }
    }
}
