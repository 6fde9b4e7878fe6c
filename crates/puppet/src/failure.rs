//! [`Failure`]: why a program ended without a value, and [`Log`]: what it said on the way.

use std::fmt;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_functions::{Fault, Level, Site};
use hieratic_ruby::UNAVAILABLE;
use hieratic_syntax::Problem;

use crate::codes;

/// Why a program ended without a value.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The reference's message, without the place and the node.
    pub message: String,
    /// Where.
    pub site: Site,
    /// What to try.
    pub help: Option<String>,
    /// What the message quotes from code as a whole, which may be anything: the text that `fail` was called with.
    pub said: Option<Box<str>>,
    /// Whether a limit was reached.
    pub is_limit: bool,
    /// For a text that is no program: the errors, if there are several. The reference logs them.
    pub problems: Box<[Problem]>,
}

impl Failure {
    /// Whether it says nothing of the code: a limit was reached, or something is not available or not allowed here that a server has.
    pub fn is_of_this_program(&self) -> bool {
        self.is_limit
            || self.message.contains(UNAVAILABLE)
            || self.help.as_ref().is_some_and(|help| help.contains("--allow-"))
    }

    /// The fault of what uses the text that is no program.
    pub(crate) fn to_fault(&self) -> Fault {
        Fault { site: Some(self.site.clone()), ..Fault::rule(self.message.clone()) }
    }

    /// The place as the reference appends it to the message: ` (file: a.pp, line: 1, column: 2)`; nothing if there is none.
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
    /// The failure as one message, with the place behind it as the reference prints it.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = format!("{self}{}", self.place_text());
        let mut diagnostic = Diagnostic::new(Severity::Error, codes::EVALUATION, message);
        diagnostic.said.extend(self.said.as_deref().map(str::to_owned));
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

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure {
            message: fault.message,
            site: fault.site.unwrap_or_default(),
            help: fault.help.map(Into::into),
            said: fault.said,
            is_limit: fault.is_limit,
            problems: Box::default(),
        }
    }
}

/// One line that a program said, by a logging function or as a warning of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// How important it is.
    pub level: Level,
    /// The text.
    pub message: String,
    /// Where, for what the language itself says.
    pub site: Option<Site>,
    /// The scope that said it, as the reference shows it: `Scope(Class[main])`; empty for the language itself.
    pub source: String,
}

impl Log {
    /// The text with the place in parentheses, as the reference appends it.
    pub fn text(&self) -> String {
        match &self.site {
            Some(site) => format!("{}{}", self.message, site_text(site)),
            None => self.message.clone(),
        }
    }
}

/// A place as the reference appends it to a message; nothing if there is none.
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
