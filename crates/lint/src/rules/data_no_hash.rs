//! # data-no-hash
//!
//! A data file contains no keys. (error)
//!
//! ## What is found
//!
//! The top level of a data file is a list, a string or a number. Empty files are fine.
//!
//! ## Why it matters
//!
//! The file contains no keys. Puppet warns and continues without it, or fails if `strict` is `error`.
//!
//! ## How to fix it
//!
//! Put the value under a key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! - ntp1.example.com
//! - ntp2.example.com
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers:
//!   - ntp1.example.com
//!   - ntp2.example.com
//! ```
//!
//! A comment `# hieratic: ignore data-no-hash` on the same line or the line before accepts the finding.

use hieratic::Value;
use hieratic::json::Position;
use hieratic_diagnostics::Source;

use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;

/// The finding about a file whose value, at this position, is not a hash.
pub(crate) fn of_value(source: &Source, value: &Value, at: Position) -> Finding {
    let message = format!("The file contains {} instead of keys and values", described(value));
    Finding::new(&rules::DATA_NO_HASH, message)
        .at(source, written_at(source, at.line, at.column), "")
        .help("a data file contains one hash of keys and values")
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "a list",
        Value::String(_) => "a string",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        _ => "something else",
    }
}
