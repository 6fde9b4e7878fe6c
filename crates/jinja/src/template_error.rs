//! [`TemplateError`]: the reason why a template could not be rendered.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity, Source, Span};
use hieratic_sandbox::HiddenVariable;

use crate::codes;
use crate::objects::Undecrypted;

/// The help for files that must not be read.
const ALLOW: &str = "allow files outside of the repository with --allow-outside, or trust it with `hieratic trust`";

/// Help where a value cannot be decrypted.
const PASSWORD: &str = "pass the password with --vault-password-file FILE, or with --vault-id LABEL@FILE";

/// The error of a type among the sources of an error.
fn source_of<E: Error + 'static>(error: &minijinja::Error) -> Option<&E> {
    std::iter::successors(error.source(), |inner: &&(dyn Error + 'static)| (*inner).source())
        .find_map(|inner| inner.downcast_ref::<E>())
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateErrorKind {
    /// The template has a syntax error.
    Syntax,
    /// A value is undefined.
    Undefined,
    /// An expression failed.
    Render,
    /// A limit is reached.
    Limit,
}

/// The reason why a template could not be rendered.
#[derive(Clone, Debug)]
pub struct TemplateError {
    /// The kind of the error.
    pub kind: TemplateErrorKind,
    /// The message of Jinja2, Ansible or the lazy variable that failed: `'nope' is undefined`.
    pub message: String,
    /// The template and the span of the error, if they are known.
    pub place: Option<(Source, Span)>,
    /// The help of the diagnostic.
    pub help: Option<String>,
    /// The error of a filter, function or object, with its own sources, if it comes from one.
    /// Shared, because errors are copied.
    pub(crate) cause: Option<Arc<minijinja::Error>>,
}

impl TemplateError {
    /// Creates an error without a position.
    pub fn new(kind: TemplateErrorKind, message: impl Into<String>) -> TemplateError {
        TemplateError { kind, message: message.into(), place: None, help: None, cause: None }
    }

    /// Converts an error of a rendering.
    #[doc(hidden)]
    pub fn from_engine(error: minijinja::Error) -> TemplateError {
        let kind = match error.kind() {
            minijinja::ErrorKind::SyntaxError => TemplateErrorKind::Syntax,
            minijinja::ErrorKind::UndefinedError => TemplateErrorKind::Undefined,
            _ if crate::work::limit_of(&error).is_some() => TemplateErrorKind::Limit,
            _ => TemplateErrorKind::Render,
        };
        let help = crate::work::limit_of(&error).and_then(|limit| limit.help());
        let help = help.or_else(|| source_of::<HiddenVariable>(&error).map(HiddenVariable::help));
        let help = help.or_else(|| crate::files::is_denied(&error).then(|| ALLOW.to_owned()));
        let help = help.or_else(|| source_of::<Undecrypted>(&error).map(|_| PASSWORD.to_owned()));
        let message = error.detail().map_or_else(|| error.to_string(), str::to_string);
        TemplateError { help, cause: Some(Arc::new(error)), ..TemplateError::new(kind, message) }
    }

    /// Returns the name of the template.
    pub fn template(&self) -> Option<&str> {
        self.place.as_ref().map(|(source, _)| source.name())
    }

    /// Returns the line in the template, counted from 1.
    pub fn line(&self) -> Option<u32> {
        self.place.as_ref().map(|(source, span)| source.start(*span).line)
    }

    /// Returns the column in the template, in characters, counted from 1.
    pub fn column(&self) -> Option<u32> {
        self.place.as_ref().map(|(source, span)| source.start(*span).column)
    }

    /// Sets the position, unless there is one.
    pub(crate) fn at(mut self, place: Option<(Source, Span)>) -> TemplateError {
        self.place = self.place.or(place);
        self
    }
}

impl Diagnose for TemplateError {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let code = match self.kind {
            TemplateErrorKind::Syntax => codes::TEMPLATE_SYNTAX,
            TemplateErrorKind::Undefined => codes::TEMPLATE_UNDEFINED,
            TemplateErrorKind::Render | TemplateErrorKind::Limit => codes::TEMPLATE_RENDER,
        };
        let mut diagnostic = Diagnostic::new(Severity::Error, code, self.message.clone());
        if let Some((source, span)) = &self.place {
            diagnostic = diagnostic.label(source.clone(), *span, "");
        }
        diagnostic.help.extend(self.help.clone());
        vec![diagnostic]
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for TemplateError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().and_then(|cause| cause.source())
    }
}
