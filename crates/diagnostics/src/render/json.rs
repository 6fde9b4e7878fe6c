//! Renders messages for tools: one JSON object per line.
//!
//! | key | holds |
//! |---|---|
//! | `severity` | `error`, `warning` or `note` |
//! | `code` | the id of the code |
//! | `message` | the message itself |
//! | `labels` | a list of positions: `file`, `line`, `column`, `end_line`, `end_column`, `text`, `primary` |
//! | `notes` | a list of strings |
//! | `help` | a list of strings |
//!
//! Every key is always present. Lines and columns (in characters) count from 1. The end is after the last character.
//! Unknown positions are null.

use serde_json::{Value, json as object};

use super::control_chars::sanitize_json;
use crate::Diagnostic;

/// Returns a message as one line of JSON, without a newline at the end.
///
/// The object has the keys `severity` (`error`, `warning` or `note`), `code`, `message`, `labels` (a list of objects
/// with `file`, `line`, `column`, `end_line`, `end_column`, `text` and `primary`), `notes` and `help` (lists of
/// strings). Lines and columns (in characters) count from 1. The end is after the last character. Unknown positions are
/// null.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, render};
///
/// const CODE: Code = Code::new("unused-key", "A key is never looked up");
/// let diagnostic = Diagnostic::new(Severity::Warning, CODE, "nothing reads 'port'");
/// assert_eq!(
///     render::json(&diagnostic),
///     r#"{"severity":"warning","code":"unused-key","message":"nothing reads 'port'","labels":[],"notes":[],"help":[]}"#
/// );
/// ```
pub fn json(diagnostic: &Diagnostic) -> String {
    let object = object!({
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.id(),
        "message": diagnostic.message,
        "labels": labels(diagnostic),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    });
    sanitize_json(&object.to_string())
}

/// All positions of a message. Without a labeled one, a position without a source is primary.
fn labels(diagnostic: &Diagnostic) -> Vec<Value> {
    let with_text = diagnostic.labels.iter().map(|label| {
        let (start, end) = label.source.ends(label.span);
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
    let without = diagnostic.locations.iter().enumerate().map(|(at, location)| {
        object!({
            "file": location.file,
            "line": location.line,
            "column": location.column,
            "end_line": null,
            "end_column": null,
            "text": "",
            "primary": at == 0 && diagnostic.labels.is_empty(),
        })
    });
    with_text.chain(without).collect()
}
