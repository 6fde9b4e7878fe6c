//! Covering secrets in JSON so that it stays JSON.

use std::borrow::Cow;

use hieratic_value::text::REDACTED;
use serde_json::Value as Json;

use super::known::Known;
use super::{as_text, covered, is_whole, whole_or_part};

/// JSON with the secrets in its texts and numbers covered, but for keys that are `ours`. What is no JSON is covered as text.
pub(super) fn masked<'t>(text: &'t str, known: &Known, ours: impl Fn(&str) -> bool) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with('"') { string_length(rest) } else { number_length(rest) };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        let is_ours = || rest.trim_ascii_start().starts_with(':') && ours(token.trim_matches('"'));
        let covered = match token.starts_with('"') {
            true if is_ours() => None,
            true => string(token, known),
            false => is_whole(token, known).then(|| format!("\"{REDACTED}\"")),
        };
        changed |= covered.is_some();
        out.push_str(covered.as_deref().unwrap_or(token));
    }
    out.push_str(rest);
    if changed { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// The length of a text with its quotes; of everything if it does not end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn number_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E'))).unwrap_or(text.len())
}

fn string(token: &str, known: &Known) -> Option<String> {
    match serde_json::from_str::<String>(token) {
        Ok(plain) => whole_or_part(&plain, known).and_then(|covered| serde_json::to_string(&covered).ok()),
        Err(_) => match as_text(covered(token.as_bytes(), &known.ranges(token.as_bytes())), token) {
            Cow::Borrowed(_) => None,
            Cow::Owned(covered) => Some(covered),
        },
    }
}

/// JSON data with the secrets in its texts, keys and numbers covered.
pub(super) fn tree(tree: &Json, known: &Known) -> Json {
    let text = |text: &str| whole_or_part(text, known).unwrap_or_else(|| text.to_owned());
    match tree {
        Json::String(plain) => text(plain).into(),
        Json::Number(number) if is_whole(&number.to_string(), known) => REDACTED.into(),
        Json::Array(items) => items.iter().map(|item| self::tree(item, known)).collect(),
        Json::Object(pairs) => pairs.iter().map(|(key, value)| (text(key), self::tree(value, known))).collect(),
        other => other.clone(),
    }
}
