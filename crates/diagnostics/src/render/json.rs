//! For tools: one object on one line.
//!
//! `severity`, `code`, `message`, `labels` (each with `file`, `line`, `column`, `end_line`, `end_column`, `text` and
//! `primary`; the numbers are null where they are not known), `notes` and `help`.

use serde_json::{Value, json as object};

use crate::{Diagnostic, Severity};

/// Writes a message as one line of JSON, without a newline.
pub fn json(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    object!({
        "severity": severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "labels": labels(diagnostic),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
    .to_string()
}

/// All places of a message.
pub(super) fn labels(diagnostic: &Diagnostic) -> Vec<Value> {
    let with_text = diagnostic.labels.iter().map(|label| {
        let span = label.source.clamp(label.span);
        let (start, end) = (label.source.place(span.start), label.source.place(span.end));
        object!({
            "file": label.source.name(),
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "text": label.text,
            "primary": label.primary,
        })
    });
    let without = diagnostic.locations.iter().map(|location| {
        object!({
            "file": location.file,
            "line": location.line,
            "column": location.column,
            "end_line": location.line,
            "end_column": location.column,
            "text": "",
            "primary": diagnostic.labels.is_empty(),
        })
    });
    with_text.chain(without).collect()
}
