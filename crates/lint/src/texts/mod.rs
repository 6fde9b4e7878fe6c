//! Checks single files of every language.

pub(crate) mod directives;
pub(crate) mod hcl;
pub(crate) mod manifest;
pub(crate) mod plain;
pub(crate) mod style;

use std::path::Path;

use hieratic::json::Position;
use hieratic::sandbox::{Denied, Files};
use hieratic::yaml::written;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules::unreadable;

/// A file as text under the name that people know it by.
pub(crate) fn read(path: &Path, files: &Files) -> Result<Source, Box<Finding>> {
    let name = shown(path);
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let finding = unreadable::of_path(path, &error.to_string());
            return Err(Box::new(match Denied::from_error(&error) {
                Some(denied) => finding.help(denied.help()),
                None => finding,
            }));
        }
    };
    String::from_utf8(bytes)
        .map(|text| Source::new(name.as_str(), text))
        .map_err(|error| Box::new(unreadable::not_text(&name, &error)))
}

/// The span of the word at a line and a column of a data file, for a label.
pub(crate) fn written_at(source: &Source, line: u32, column: u32) -> Span {
    written(source, Position { line, column })
}
