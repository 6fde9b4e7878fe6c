//! Checks all values of data for symbols, and for hashes with keys that are neither strings nor numbers. Every lookup
//! of such a value fails.

use hieratic::Value;
use hieratic::json::Positions;
use hieratic::puppet_types::is_rich_data;
use hieratic::value::Rich;
use hieratic_diagnostics::Span;

use crate::rules::{RuleContext, failing_lookup, unanswered_key};
use crate::texts::written_at;
use crate::workspace::data::{DataFile, Reader};

/// Finds the parts of values that are not data, and the keys of files that are not strings.
pub(super) fn check(cx: &RuleContext<'_>) {
    // The values of a file with directives, or of HCL, are only known after evaluation.
    let is_read = |file: &&std::sync::Arc<DataFile>| matches!(file.reader, Reader::Yaml | Reader::Eyaml);
    for file in cx.workspace.files.iter().filter(is_read) {
        let (hash, positions) = file.content();
        for (index, (key, value)) in hash.iter().enumerate() {
            let Some((at, inside)) = positions.entry(index) else { continue };
            match key.as_str() {
                None if is_symbol(key) => {}
                None => {
                    let span = written_at(&file.source, at.line, at.column);
                    cx.report(unanswered_key::no_string(file, key, span));
                }
                Some(key) if !is_rich_data(value) => wrong_parts(cx, file, key, value, inside),
                Some(_) => {}
            }
        }
    }
}

/// Returns whether a value is a symbol. As a key it becomes a string.
fn is_symbol(value: &Value) -> bool {
    matches!(value, Value::Rich(rich) if matches!(**rich, Rich::Symbol(_)))
}

/// Finds the parts of a value that are not data. The parsers limit the depth of nesting.
fn wrong_parts(cx: &RuleContext<'_>, file: &DataFile, key: &str, value: &Value, positions: &Positions) {
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
                        let subject = format!("a hash in it has the key {}", named(name));
                        cx.report(failing_lookup::no_data(file, key, &subject, name, span));
                    }
                }
            }
            value if is_symbol(value) => {
                let at = positions.at();
                let span = written_at(&file.source, at.line, at.column);
                cx.report(failing_lookup::no_data(file, key, &format!("{} is a symbol", value.inspect()), value, span));
            }
            _ => {}
        }
    }
}

/// A key as people name it.
pub(crate) fn named(key: &Value) -> String {
    if key.is_undef() { "null".to_owned() } else { key.inspect() }
}

/// The advice for turning a scalar into a string.
pub(crate) fn quoting(file: &DataFile, part: &Value, span: Span) -> String {
    match part {
        Value::Array(_) | Value::Hash(_) => "write a string instead".to_owned(),
        _ => {
            let text = file.source.text();
            let written = text.get(span.range()).unwrap_or_default().trim_end_matches(':');
            format!("quote it: '{}'", if written.is_empty() { part.to_text() } else { written.to_owned() })
        }
    }
}
