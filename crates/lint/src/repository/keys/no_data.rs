//! Values that are not data: symbols, and hashes with keys that are neither strings nor numbers. Every lookup of such a
//! value fails.

use hieratic::Value;
use hieratic::json::Positions;
use hieratic::puppet_types::is_rich_data;
use hieratic::value::Rich;
use hieratic_diagnostics::Span;

use super::super::Repository;
use super::super::data::{DataFile, Reader};
use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;

/// Finds the parts of values that are not data, and the keys of files that are not strings.
pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The values of a file with directives, or of HCL, are only known after evaluation.
    let is_read = |file: &&std::sync::Arc<DataFile>| matches!(file.reader, Reader::Yaml | Reader::Eyaml);
    for file in repository.files.iter().filter(is_read) {
        let (hash, positions) = file.content();
        for (index, (key, value)) in hash.iter().enumerate() {
            let Some((at, inside)) = positions.entry(index) else { continue };
            match key.as_str() {
                None if is_symbol(key) => {}
                None => findings.push(no_string(file, key, written_at(&file.source, at.line, at.column))),
                Some(key) if !is_rich_data(value) => wrong_parts(file, key, value, inside, &mut findings),
                Some(_) => {}
            }
        }
    }
    findings
}

/// Reports whether a value is a symbol. As a key it becomes a string.
fn is_symbol(value: &Value) -> bool {
    matches!(value, Value::Rich(rich) if matches!(**rich, Rich::Symbol(_)))
}

/// The finding about a key of a file that is not a string.
fn no_string(file: &DataFile, key: &Value, span: Span) -> Finding {
    let message = format!("No lookup finds the key {}, which is not a string", named(key));
    Finding::new(&rules::UNANSWERED_KEY, message).at(&file.source, span, "").help(quoting(file, key, span))
}

/// Finds the parts of a value that are not data. The parsers limit the depth of nesting.
fn wrong_parts(file: &DataFile, key: &str, value: &Value, positions: &Positions, findings: &mut Vec<Finding>) {
    let mut open = vec![(value, positions)];
    while let Some((value, positions)) = open.pop() {
        match value {
            Value::Array(elements) => {
                let inside = |(index, element)| Some((element, positions.element(index)?));
                open.extend(elements.iter().enumerate().filter_map(inside));
            }
            Value::Hash(hash) => {
                for (index, (name, value)) in hash.iter().enumerate() {
                    let Some((at, inside)) = positions.entry(index) else { continue };
                    open.push((value, inside));
                    if !matches!(name, Value::String(_) | Value::Integer(_) | Value::Float(_)) && !is_symbol(name) {
                        let span = written_at(&file.source, at.line, at.column);
                        let what = format!("a hash in it has the key {}", named(name));
                        findings.push(no_data(file, key, &what, name, span));
                    }
                }
            }
            value if is_symbol(value) => {
                let at = positions.at();
                let span = written_at(&file.source, at.line, at.column);
                findings.push(no_data(file, key, &format!("{} is a symbol", value.inspect()), value, span));
            }
            _ => {}
        }
    }
}

fn no_data(file: &DataFile, key: &str, what: &str, part: &Value, span: Span) -> Finding {
    let message = format!("Every lookup of '{key}' fails: {what}");
    Finding::new(&rules::FAILING_LOOKUP, message).at(&file.source, span, "").help(quoting(file, part, span))
}

/// A key as people name it.
fn named(key: &Value) -> String {
    if key.is_undef() { "null".to_owned() } else { key.inspect() }
}

/// The advice for turning a scalar into a string.
fn quoting(file: &DataFile, part: &Value, span: Span) -> String {
    match part {
        Value::Array(_) | Value::Hash(_) => "write a string instead".to_owned(),
        _ => {
            let text = file.source.text();
            let written = text.get(span.range()).unwrap_or_default().trim_end_matches(':');
            format!("quote it: '{}'", if written.is_empty() { part.to_text() } else { written.to_owned() })
        }
    }
}
