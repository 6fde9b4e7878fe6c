//! [`Failure`]: the reason why a program ended without a value, and [`Log`]: a message of the program.

use std::fmt;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_puppet_functions::{EvalError, Flow, Level, Site};
use hieratic_puppet_syntax::Problem;
use hieratic_ruby::UNAVAILABLE;

use crate::codes;

/// The reason why a program ended without a value.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The reference's message, without position and node.
    pub message: String,
    /// The position.
    pub site: Site,
    /// The help line: what to try.
    pub help: Option<String>,
    /// The part of the message that is quoted from code: the argument of `fail`.
    pub quoted: Option<Box<str>>,
    /// Whether a limit was reached.
    pub is_limit: bool,
    /// The syntax errors of the source, if there are several. The reference logs them.
    pub problems: Box<[Problem]>,
}

impl Failure {
    /// Returns whether the cause is Hieratic and not the code: a limit was reached, or a feature of servers is missing
    /// or not permitted.
    pub fn is_program_limitation(&self) -> bool {
        self.is_limit
            || self.message.contains(UNAVAILABLE)
            || self.help.as_ref().is_some_and(|help| help.contains("--allow-"))
    }

    /// Converts the failure of a source to an error of the code that uses it.
    pub(crate) fn to_error(&self) -> EvalError {
        EvalError { site: Some(self.site.clone()), ..EvalError::rule(self.message.clone()) }
    }

    /// Returns the position as the reference appends it to the message: ` (file: a.pp, line: 1, column: 2)`; empty if
    /// it is unknown.
    pub fn place_text(&self) -> String {
        site_text(&self.site)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnose for Failure {
    fn diagnose(&self) -> Vec<Diagnostic> {
        vec![self.diagnostic()]
    }
}

impl Failure {
    /// Converts the failure to one message, followed by the position as in the reference.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = format!("{self}{}", self.place_text());
        let mut diagnostic = Diagnostic::new(Severity::Error, codes::EVALUATION, message);
        diagnostic.quoted.extend(self.quoted.as_deref().map(str::to_owned));
        let Site { file, line, column, .. } = &self.site;
        if *line > 0 {
            diagnostic = match self.site.shown() {
                Some((source, span)) => diagnostic.label(source.clone(), span, ""),
                None => {
                    let column = Some(*column).filter(|column| *column > 0);
                    diagnostic.location(file.as_deref().unwrap_or(""), Some(*line), column)
                }
            };
        }
        diagnostic.help.extend(self.help.clone());
        diagnostic
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        Failure {
            message: error.message,
            site: error.site.unwrap_or_default(),
            help: error.help.map(Into::into),
            quoted: error.quoted,
            is_limit: error.is_limit,
            problems: Box::default(),
        }
    }
}

/// A message of a logging function, or a warning of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The severity.
    pub level: Level,
    /// The text.
    pub message: String,
    /// The position, for messages of the language itself.
    pub site: Option<Site>,
    /// The scope that logged it, as the reference shows it: `Scope(Class[main])`; empty for the language itself.
    pub source: String,
}

impl Log {
    /// Returns the message with the position in parentheses, as in the reference.
    pub fn text(&self) -> String {
        match &self.site {
            Some(site) => format!("{}{}", self.message, site_text(site)),
            None => self.message.clone(),
        }
    }
}

/// Creates an error without a position.
pub(crate) fn unplaced(message: String) -> Flow {
    let mut error = EvalError::rule(message);
    error.site = Some(Site::default());
    error.into()
}

/// Formats a position as the reference appends it to a message; empty if it is unknown.
pub(crate) fn site_text(site: &Site) -> String {
    let mut parts = Vec::new();
    if let Some(file) = &site.file {
        parts.push(format!("file: {file}"));
    }
    if site.line > 0 {
        parts.push(format!("line: {}", site.line));
    }
    if site.column > 0 {
        parts.push(format!("column: {}", site.column));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
