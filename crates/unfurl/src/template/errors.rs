//! Errors of expressions inside of templates, and errors of templates with the reference's messages.

use hieratic_jinja::extend::{Error, ErrorKind};

use crate::ExpressionError;
use crate::error::ExpressionErrorKind;

/// An error as templates carry it.
pub(super) fn error(problem: ExpressionError) -> Error {
    Error::new(ErrorKind::InvalidOperation, problem.message.clone()).with_source(problem)
}

/// An error of a whole template as the reference words it: one of syntax quotes the template.
pub(super) fn convert_template_error(error: &hieratic_jinja::TemplateError, template: &str) -> ExpressionError {
    let converted = convert_error(error);
    if error.kind != hieratic_jinja::TemplateErrorKind::Syntax || own(error).is_some() {
        return converted;
    }
    let subject = error.message.trim_end_matches('.');
    let message = format!("template error while templating string: {subject}. String: {template}. {subject}");
    ExpressionError { message: format!("<<Error rendering template: {message}>>"), ..converted }
}

/// An error of a template as the reference words it.
pub(super) fn convert_error(error: &hieratic_jinja::TemplateError) -> ExpressionError {
    let inner = own(error);
    if error.kind == hieratic_jinja::TemplateErrorKind::Limit {
        return ExpressionError {
            help: error.help.clone(),
            place: error.place.clone(),
            ..ExpressionError::limit(error.message.clone())
        };
    }
    if let Some(limit) = inner.filter(|inner| inner.kind == ExpressionErrorKind::Limit) {
        return limit.clone();
    }
    let message = inner.map_or(error.message.as_str(), |inner| &inner.message);
    let converted = match (named(message, "has no attribute '", "'"), named(message, "'", "' is undefined")) {
        (Some(name), _) => format!("missing attribute or key: \"{name}\""),
        (None, Some(name)) => format!("missing variable: \"{name}\""),
        (None, None) => message.to_owned(),
    };
    ExpressionError {
        kind: ExpressionErrorKind::Evaluation,
        message: format!("<<Error rendering template: {converted}>>"),
        place: inner.and_then(|inner| inner.place.clone()).or_else(|| error.place.clone()),
        help: inner.and_then(|inner| inner.help.clone()).or_else(|| error.help.clone()),
    }
}

/// The error of an expression that a template failed by, if it did.
fn own(problem: &hieratic_jinja::TemplateError) -> Option<&ExpressionError> {
    let mut source = std::error::Error::source(problem);
    while let Some(error) = source {
        if let Some(own) = error.downcast_ref::<ExpressionError>() {
            return Some(own);
        }
        source = error.source();
    }
    None
}

/// Returns the first word between two strings.
fn named<'m>(message: &'m str, before: &str, after: &str) -> Option<&'m str> {
    let word = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    message.match_indices(before).find_map(|(at, _)| {
        let rest = &message[at + before.len()..];
        rest.find(after).map(|end| &rest[..end]).filter(word)
    })
}
