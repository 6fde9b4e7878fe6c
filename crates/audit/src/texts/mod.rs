//! Texts of every language: whether they can be read at all.

pub(crate) mod directives;
pub(crate) mod duplicates;
pub(crate) mod erb;
pub(crate) mod hcl;
pub(crate) mod jinja;
pub(crate) mod manifest;
pub(crate) mod plain;
mod variables;

use std::path::Path;

use hieratic::powers::{Denied, Files};
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;
use crate::walk::shown;

/// A file as text under the name that people know it by.
pub(crate) fn read(path: &Path, files: &Files) -> Result<Source, Box<Finding>> {
    let name = shown(path);
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("{name} cannot be read: {error}");
            let finding = Finding::new(&rules::UNREADABLE, message).in_file(name);
            return Err(Box::new(match Denied::of(&error) {
                Some(denied) => finding.help(denied.help()),
                None => finding,
            }));
        }
    };
    String::from_utf8(bytes).map(|text| Source::new(name.as_str(), text)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let before = bytes.get(..at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message = format!("{name} is not valid UTF-8: byte {byte:#04x} at line {line}, column {column}");
        Box::new(Finding::new(&rules::UNREADABLE, message).in_file(name.as_str()).help("save the file as UTF-8"))
    })
}

/// The word that begins at a place of a text, for a label.
pub(crate) fn word_at(source: &Source, line: u32, column: u32) -> Span {
    let start = source.offset(line, column);
    let rest = source.text().get(start..).unwrap_or_default();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let length = match quote {
        Some(quote) => rest[1..].find([quote, '\n']).map_or(rest.len(), |at| at + 2),
        None => rest.find(": ").unwrap_or(rest.len()).min(rest.find([',', '}', ']', '\n', ' ']).unwrap_or(rest.len())),
    };
    let length = length.min(rest.len());
    let text = rest.get(..length).unwrap_or_default().trim_end_matches([':', '\r']);
    Span::new(start, start + text.len().max(rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8)))
}
