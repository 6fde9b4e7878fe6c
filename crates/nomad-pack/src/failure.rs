//! [`Failure`]: the reason why a pack cannot be rendered.

use std::fmt;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity, Source};
use hieratic_go_template::{Fault, ParseError, RenderError};
use hieratic_hcl_eval::{Problems, Span};

use crate::codes;
use crate::pack::PackFile;

/// The reason why a pack cannot be rendered. It has at least one message.
#[derive(Clone, Debug)]
pub struct Failure(Vec<Diagnostic>);

impl Failure {
    /// Creates a failure without a position.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(vec![Diagnostic::new(Severity::Error, codes::PACK, message.into())])
    }

    pub(crate) fn with_help(self, help: &str) -> Failure {
        Failure(self.0.into_iter().map(|diagnostic| diagnostic.help(help)).collect())
    }

    /// The problems of files of HCL.
    pub(crate) fn of_problems(problems: &Problems) -> Failure {
        Failure(problems.diagnose())
    }

    pub(crate) fn of_parse(error: &ParseError, files: &[&PackFile]) -> Failure {
        Failure(vec![diagnostic_at(&error.message, &error.name, error.span, files)])
    }

    pub(crate) fn of_render(error: &RenderError, files: &[&PackFile], program: &str) -> Failure {
        let message = match &error.fault {
            Fault::NotHere(name) => format!("{name} is not evaluated here: only {program} can render this"),
            problem => problem.to_string(),
        };
        match (&error.fault, &error.place) {
            (Fault::Parse(parse), _) => Failure::of_parse(parse, files),
            (_, Some((name, span))) => Failure(vec![diagnostic_at(&message, name, *span, files)]),
            (_, None) => Failure::new(message),
        }
    }
}

/// A message at its place in the template of a name.
fn diagnostic_at(message: &str, name: &str, span: Span, files: &[&PackFile]) -> Diagnostic {
    let diagnostic = Diagnostic::new(Severity::Error, codes::PACK, message);
    match files.iter().find(|file| file.template_name() == name) {
        Some(file) => diagnostic.label(Source::new(file.path(), file.text.clone()), span, ""),
        None => diagnostic.note(format!("in the template {name}")),
    }
}

impl Diagnose for Failure {
    fn diagnose(&self) -> Vec<Diagnostic> {
        self.0.clone()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self.0.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for Failure {}
