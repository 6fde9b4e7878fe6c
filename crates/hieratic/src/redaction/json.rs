//! Redacts secrets in JSON. The result is JSON with the same entries.

use std::borrow::Cow;

use hieratic_value::text::REDACTED;
use serde_json::Value as Json;

use super::secret_set::SecretSet;
use super::unique_names::UniqueNames;
use super::{as_text, is_secret_number, redact_ranges, redact_string};

/// Redacts the secrets in strings and numbers of JSON, except for keys for which `ours` returns true. Invalid JSON is
/// redacted as text.
pub(super) fn redact<'t>(text: &'t str, known: &SecretSet, ours: impl Fn(&str) -> bool) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    // The keys of the objects around.
    let mut outer: Vec<UniqueNames> = Vec::new();
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '-' | '{' | '}') || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes().first() {
            Some(b'"') => string_length(rest),
            Some(b'{') => {
                outer.push(UniqueNames::default());
                1
            }
            Some(b'}') => {
                outer.pop();
                1
            }
            _ => number_length(rest),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let is_key = || rest.trim_ascii_start().starts_with(':');
        let redacted = match token.as_bytes().first() {
            Some(b'{' | b'}') => None,
            Some(b'"') if is_key() => {
                if ours(token.trim_matches('"')) {
                    None
                } else {
                    redact_key(token, known, outer.last_mut())
                }
            }
            Some(b'"') => redact_token(token, known),
            _ => is_secret_number(token, known).then(|| format!("\"{REDACTED}\"")),
        };
        changed |= redacted.is_some();
        out.push_str(redacted.as_deref().unwrap_or(token));
    }
    out.push_str(rest);
    if changed { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// Returns the length of a string with its quotes, or of the whole rest if it does not end.
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

fn redact_token(token: &str, known: &SecretSet) -> Option<String> {
    match serde_json::from_str::<String>(token) {
        Ok(plain) => redact_string(&plain, known).map(|redacted| quoted(&redacted)),
        // Invalid JSON, or a string with a lone surrogate.
        Err(_) => match as_text(redact_ranges(token.as_bytes(), &known.ranges(token.as_bytes())), token) {
            Cow::Borrowed(_) => None,
            Cow::Owned(redacted) => Some(redacted),
        },
    }
}

/// Redacts the secrets in a key, and makes it unique in its object.
fn redact_key(token: &str, known: &SecretSet, names: Option<&mut UniqueNames>) -> Option<String> {
    let redacted = redact_token(token, known);
    let shown = redacted.as_deref().unwrap_or(token);
    match (names, serde_json::from_str::<String>(shown)) {
        (Some(names), Ok(plain)) if plain.contains(REDACTED) => {
            let name = names.unique(plain.clone());
            if name == plain { redacted } else { Some(quoted(&name)) }
        }
        _ => redacted,
    }
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// Redacts the secrets in strings, keys and numbers of JSON data.
pub(super) fn redact_tree(tree: &Json, known: &SecretSet, found: &mut bool) -> Json {
    let mut text = |text: &str| match redact_string(text, known) {
        Some(redacted) => {
            *found = true;
            redacted
        }
        None => text.to_owned(),
    };
    match tree {
        Json::String(plain) => text(plain).into(),
        Json::Number(number) if is_secret_number(&number.to_string(), known) => {
            *found = true;
            REDACTED.into()
        }
        Json::Array(items) => items.iter().map(|item| self::redact_tree(item, known, found)).collect(),
        Json::Object(pairs) => {
            let mut names = UniqueNames::default();
            let keys: Vec<String> = pairs.keys().map(|key| names.unique(text(key))).collect();
            keys.into_iter()
                .zip(pairs.values())
                .map(|(key, value)| (key, self::redact_tree(value, known, found)))
                .collect()
        }
        other => other.clone(),
    }
}
