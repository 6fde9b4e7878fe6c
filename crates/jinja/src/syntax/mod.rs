//! The syntax of Jinja2: <https://jinja.palletsprojects.com/en/3.1.x/templates/#synopsis>.
//!
//! [`lexer`] produces tokens, [`parser`] the tree of [`ast`], [`header`] parses the line `#jinja2: ...` before both,
//! and [`resolve`] resolves the locations of variables. [`fast_loop`] compiles loops that only print.

pub mod ast;
mod error;
pub mod fast_loop;
mod header;
mod lexer;
mod parser;
mod resolve;

use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};

pub use ast::Template;

use crate::settings::Settings;
use crate::{TemplateError, TemplateErrorKind};

/// Parses a template.
pub fn read(name: &str, text: &str, settings: Settings) -> Result<Arc<Template>, TemplateError> {
    let (settings, text) =
        header::apply(settings, text).map_err(|message| TemplateError::new(TemplateErrorKind::Syntax, message))?;
    read_part(name, text, Arc::new(settings))
}

/// Returns the line ends that the header of a template sets, or those of the settings without a valid header.
pub fn newline(text: &str, settings: &Settings) -> &'static str {
    header::apply(settings.clone(), text).map_or(settings.newline, |(settings, _)| settings.newline)
}

/// Changes settings by the names that the header has for them.
///
/// # Errors
/// A name is unknown, or a value is not one of the setting.
pub fn change(mut settings: Settings, overrides: &[(String, hieratic_value::Value)]) -> Result<Settings, String> {
    for (name, value) in overrides {
        header::set(&mut settings, name, &crate::convert::from_value(value))?;
    }
    Ok(settings)
}

/// Parses a template that another one names. It has the settings of that template, and no header.
pub fn read_part(name: &str, text: &str, settings: Arc<Settings>) -> Result<Arc<Template>, TemplateError> {
    let text = lexer::normalized(text, settings.keep_trailing_newline);
    let source = Source::new(name, text);
    let template = lexer::tokens(&source, &settings).and_then(|tokens| parser::parse(&source, &tokens, &settings));
    template
        .map(Arc::new)
        .map_err(|error| TemplateError { help: error.help, ..fault(error.message, &source, error.span) })
}

fn fault(message: String, source: &Source, span: Span) -> TemplateError {
    TemplateError::new(TemplateErrorKind::Syntax, message).at(Some((source.clone(), span)))
}
