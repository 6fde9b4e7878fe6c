//! [`BindingError`]: an error for other languages.

use std::io;
use std::path::Path;

use hieratic::budget::Exhausted;
use hieratic::diagnostics::{Diagnose, Diagnostic, Severity, render};
use hieratic::{Error, Node, Redactor};

/// An error with its position, for other languages.
#[derive(Clone, Debug)]
pub struct BindingError(Box<ErrorParts>);

/// The kind of a [`BindingError`], for programs that handle errors differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BindingErrorKind {
    /// Any other error.
    #[default]
    Failed,
    /// A key has no value.
    KeyNotFound,
    /// A file or folder in the arguments does not exist.
    FileNotFound,
    /// A limit of steps, bytes or depth is reached.
    Limit,
    /// The time limit is reached.
    Time,
}

/// The parts of a [`BindingError`].
#[derive(Clone, Debug, Default)]
pub struct ErrorParts {
    /// The kind.
    pub kind: BindingErrorKind,
    /// The code. `docs/errors` has a page for it.
    pub code: Option<String>,
    /// The message, one sentence.
    pub message: String,
    /// The file.
    pub file: Option<String>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The column in this line, counted from 1.
    pub column: Option<u32>,
    /// The help of the diagnostic: what to try.
    pub help: Vec<String>,
    /// All messages, as the command prints them.
    pub report: String,
}

impl BindingError {
    /// Creates an error of a lookup, with its secrets redacted.
    pub fn from_error(error: &Error, redactor: &Redactor) -> BindingError {
        let mut problem = BindingError::from_diagnostics(&error.diagnose(), Some(redactor));
        let parts = &mut *problem.0;
        if error.code() == Node::NOT_FOUND {
            parts.kind = BindingErrorKind::KeyNotFound;
        }
        parts.code = Some(error.code().id().to_owned());
        parts.message = redactor.message(&error.to_string()).into_owned();
        if let Some(place) = error.place() {
            parts.file = Some(place.file.display().to_string());
            parts.line = place.line;
            parts.column = place.column;
        }
        problem
    }

    /// Creates an error from diagnostics: the message is the first error, the report contains all of them.
    pub fn from_diagnostics(diagnostics: &[Diagnostic], redactor: Option<&Redactor>) -> BindingError {
        let shown: Vec<Diagnostic> = match redactor {
            Some(redactor) => diagnostics.iter().map(|diagnostic| redactor.diagnostic(diagnostic)).collect(),
            None => diagnostics.to_vec(),
        };
        let report = shown.iter().map(|diagnostic| render::human(diagnostic, &render::Style::default())).collect();
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let Some(first) = shown.iter().find(is_error).or(shown.first()) else {
            return BindingError::plain("it failed without a message", "report this as a bug");
        };
        let ErrorPosition { file, line, column } = ErrorPosition::from_diagnostic(first);
        let kind = kind_of(first);
        let is_limit = matches!(kind, BindingErrorKind::Limit | BindingErrorKind::Time);
        BindingError(Box::new(ErrorParts {
            kind,
            // A limit has one code, whatever reaches it.
            code: Some(if is_limit { LIMIT.to_owned() } else { first.code.id().to_owned() }),
            message: first.message.clone(),
            file,
            line,
            column,
            help: first.help.clone(),
            report,
        }))
    }

    /// Creates an error without a file.
    pub fn plain(message: impl Into<String>, help: impl Into<String>) -> BindingError {
        let (message, help) = (message.into(), help.into());
        let report = format!("error: {message}\nhelp: {help}\n");
        let kind = kind_of_message(&message);
        let code = (kind != BindingErrorKind::Failed).then(|| LIMIT.to_owned());
        BindingError(Box::new(ErrorParts { kind, code, message, help: vec![help], report, ..ErrorParts::default() }))
    }

    /// Creates the error for a key or a pattern of keys without a value.
    pub fn key_not_found(message: impl Into<String>, help: impl Into<String>) -> BindingError {
        let mut error = BindingError::plain(message, help);
        error.0.code = Some(Node::NOT_FOUND.id().to_owned());
        error.0.kind = BindingErrorKind::KeyNotFound;
        error
    }

    /// Creates the error for an unreadable file or folder in the arguments.
    pub fn unreadable(path: &Path, error: &io::Error) -> BindingError {
        if error.kind() == io::ErrorKind::NotFound {
            return BindingError::absent(path);
        }
        BindingError::plain(format!("{} cannot be read: {error}", path.display()), "name a readable file").at(path)
    }

    /// Creates the error for a missing file or folder in the arguments.
    pub fn absent(path: &Path) -> BindingError {
        let message = format!("{} does not exist", path.display());
        let mut error = BindingError::plain(message, "check the path; a relative one begins at the current folder");
        error.0.kind = BindingErrorKind::FileNotFound;
        error.at(path)
    }

    /// Creates the error for a limit that is reached.
    pub fn exhausted(limit: &Exhausted) -> BindingError {
        let mut error = BindingError::plain(limit.to_string(), "if this much work is intended, raise the limit");
        error.0.code = Some(LIMIT.to_owned());
        error.0.kind =
            if matches!(limit, Exhausted::Time(_)) { BindingErrorKind::Time } else { BindingErrorKind::Limit };
        error
    }

    fn at(mut self, path: &Path) -> BindingError {
        self.0.file = Some(path.display().to_string());
        self
    }

    /// Returns the error with another message.
    #[must_use]
    pub fn with_message(mut self, message: String) -> BindingError {
        if self.0.kind == BindingErrorKind::Failed {
            self.0.kind = kind_of_message(&message);
        }
        self.0.message = message;
        self
    }

    /// Returns the message, one sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the parts of the error.
    pub fn parts(self) -> ErrorParts {
        *self.0
    }
}

/// The code of errors of limits.
pub const LIMIT: &str = "limit";

/// The kind of an error of the engine.
fn kind_of(diagnostic: &Diagnostic) -> BindingErrorKind {
    match kind_of_message(&diagnostic.message) {
        BindingErrorKind::Failed if CODES_OF_LIMITS.contains(&diagnostic.code.id()) => BindingErrorKind::Limit,
        kind => kind,
    }
}

/// The kind of a message: parts of the engine report a limit with other codes, but with the words of the budget.
fn kind_of_message(message: &str) -> BindingErrorKind {
    if message.contains(" seconds are needed") {
        BindingErrorKind::Time
    } else if WORDS_OF_LIMITS.iter().any(|words| message.contains(words)) || names_size(message) {
        BindingErrorKind::Limit
    } else {
        BindingErrorKind::Failed
    }
}

/// Returns whether a message tells that a file is too large.
fn names_size(message: &str) -> bool {
    let rest =
        message.split_once("it has more than ").map(|(_, rest)| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.is_some_and(|rest| rest.starts_with(" bytes"))
}

const CODES_OF_LIMITS: [&str; 4] = [LIMIT, "too-deep", "too-large", "too-many-steps"];

const WORDS_OF_LIMITS: [&str; 6] = [
    "evaluation was given up: ",
    "Limit reached",
    " steps are needed",
    " bytes are needed",
    "nested deeper than ",
    // Ruby's words for the depth.
    "stack level too deep",
];

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
    /// Returns the position of a message's first label, or of its first location.
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
