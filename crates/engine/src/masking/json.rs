//! Covering secrets in JSON so that it stays JSON.

use std::borrow::Cow;

use hieratic_value::text::REDACTED;

use super::Mask;

/// JSON with the secrets in its texts and numbers covered. What is no JSON is covered as text.
pub(super) fn masked<'t>(text: &'t str, mask: &Mask) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with('"') { string_length(rest) } else { number_length(rest) };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        let covered = if token.starts_with('"') { string(token, mask) } else { number(token, mask) };
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

fn string(token: &str, mask: &Mask) -> Option<String> {
    match serde_json::from_str::<String>(token) {
        Ok(plain) => mask.whole_or_part(&plain).and_then(|covered| serde_json::to_string(&covered).ok()),
        Err(_) => match mask.text(token) {
            Cow::Borrowed(_) => None,
            Cow::Owned(covered) => Some(covered),
        },
    }
}

fn number(token: &str, mask: &Mask) -> Option<String> {
    mask.is_whole(token).then(|| format!("\"{REDACTED}\""))
}
