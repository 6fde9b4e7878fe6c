//! YAML 1.1 as PyYAML reads and writes it, which Ansible uses.

mod emitter;
mod reader;
mod resolver;

pub use emitter::{Layout, write};
use reader::Loader;
pub use reader::parse;

use hieratic_diagnostics::{Source, Span};
use minijinja::Value;

use crate::TemplateError;

/// Parses all documents of a file of variables. The name is used in error positions.
pub fn read(name: &str, text: &str) -> Result<Vec<Value>, TemplateError> {
    reader::parse_placed(name, text, Loader::Ansible).map_err(|(error, place)| {
        let place = place.map(|(line, column)| {
            let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
            let line = text.get(before..).unwrap_or("");
            let within = line.char_indices().nth(column).map_or(line.trim_end().len(), |(at, _)| at);
            let start = before + within;
            (Source::new(name, text), Span::at(start))
        });
        TemplateError::from_engine(error).at(place)
    })
}
