//! Checks single files of every language.

pub(crate) mod conflicts;
pub(crate) mod directives;
pub(crate) mod duplicates;
pub(crate) mod erb;
pub(crate) mod hcl;
pub(crate) mod jinja;
pub(crate) mod manifest;
pub(crate) mod plain;
mod variables;

use std::path::Path;

use hieratic::json::Position;
use hieratic::sandbox::{Denied, Files};
use hieratic::yaml::written;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;

/// A file as text under the name that people know it by.
pub(crate) fn read(path: &Path, files: &Files) -> Result<Source, Box<Finding>> {
    let name = shown(path);
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("{name} cannot be read: {error}");
            let finding = Finding::new(&rules::UNREADABLE, message).in_file(name);
            return Err(Box::new(match Denied::from_error(&error) {
                Some(denied) => finding.help(denied.help()),
                None => finding,
            }));
        }
    };
    String::from_utf8(bytes).map(|text| Source::new(name.as_str(), text)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let Position { line, column } = Position::at_offset(bytes, at);
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message = format!("{name} is not valid UTF-8: byte {byte:#04x} at line {line}, column {column}");
        Box::new(Finding::new(&rules::UNREADABLE, message).in_file(name.as_str()).help("save the file as UTF-8"))
    })
}

/// The span of the word at a line and a column of a data file, for a label.
pub(crate) fn written_at(source: &Source, line: u32, column: u32) -> Span {
    written(source, Position { line, column })
}
