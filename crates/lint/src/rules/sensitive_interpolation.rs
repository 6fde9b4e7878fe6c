//! # sensitive-interpolation
//!
//! A Sensitive value is interpolated into a string. (warning)
//!
//! ## What is found
//!
//! `lookup_options` convert a key to `Sensitive`, and a string contains `%{lookup('key')}`.
//!
//! ## Why it matters
//!
//! The string contains the words `Sensitive [value redacted]` in the place of the secret.
//!
//! ## How to fix it
//!
//! Use `%{alias('key')}` as the entire string, build the string in code with `unwrap`, or convert the whole string
//! instead of its part.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   password: {convert_to: Sensitive}
//! password: secret
//! url: "https://user:%{lookup('password')}@example.com/"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   url: {convert_to: Sensitive}
//! password: secret
//! url: "https://user:%{lookup('password')}@example.com/"
//! ```
//!
//! A comment `# hieratic: ignore sensitive-interpolation` on the same line or the line before accepts the finding.

use hieratic::Value;
use hieratic::lookup::Key;

use crate::finding::Finding;
use crate::rules;
use crate::walks::interpolations::KeyView;

/// Finds a Sensitive value whose redaction mark is interpolated.
pub(crate) fn redacted(key: &Key, written: &str, view: &KeyView<'_>) -> Option<Finding> {
    let root = key.root();
    view.named.get(&**root).filter(|named| named.is_sensitive)?;
    let message = format!("'{written}' puts the text 'Sensitive [value redacted]' in the place of '{root}'");
    let found = Finding::new(&rules::SENSITIVE_INTERPOLATION, message);
    let found = found.note(format!("lookup_options makes '{root}' Sensitive, and only alias() keeps that"));
    Some(found.help(format!("write `%{{alias('{}')}}` as the entire string, or build the text in code", key.text())))
}

/// Returns whether options convert a value to Sensitive.
pub(crate) fn makes_sensitive(options: &Value) -> bool {
    let to = options.as_hash().and_then(|options| options.get("convert_to"));
    let kind = match to {
        Some(Value::Array(elements)) => elements.first(),
        other => other,
    };
    kind.and_then(Value::as_str).is_some_and(|kind| kind == "Sensitive" || kind.starts_with("Sensitive["))
}
