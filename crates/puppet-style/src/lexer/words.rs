//! The patterns of words, numbers, variables and comments.

use std::borrow::Cow;

use memchr::memchr2;

use crate::kind::{Kind, is_type};

/// Returns whether a byte belongs to a word.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_name_part(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// The number of bytes at the beginning that a condition holds for.
fn count(bytes: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| holds(**byte)).count()
}

/// Returns whether no word continues at an offset.
fn is_boundary(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_')
}

/// The length of the whitespace at the beginning, without ends of lines.
pub(super) fn whitespace(text: &str) -> usize {
    let is_space = |c: &char| {
        matches!(c, '\t' | '\u{b}' | '\u{c}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}')
            || matches!(c, '\u{205f}' | '\u{3000}')
    };
    text.chars().take_while(is_space).map(char::len_utf8).sum()
}

/// The length of the rest of a line.
pub(super) fn line_length(text: &str) -> usize {
    memchr2(b'\r', b'\n', text.as_bytes()).unwrap_or(text.len())
}

/// A type, a reference, a number, a function or a name at the beginning, with its length.
pub(super) fn word(text: &str) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    if bytes[0].is_ascii_uppercase() {
        let length = count(bytes, is_word);
        if is_type(&text[..length]) && is_boundary(text, length) {
            return Some((Kind::Type, length));
        }
    }
    if let Some(length) = reference(bytes) {
        return Some((Kind::Classref, length));
    }
    if bytes[0].is_ascii_digit()
        && let Some(length) = number(text)
    {
        return Some((Kind::Number, length));
    }
    let length = name(bytes)?;
    let kind = if bytes.get(length) == Some(&b'(') { Kind::FunctionName } else { Kind::Name };
    Some((kind, length))
}

/// The length of a reference such as `::Foo::Bar`.
fn reference(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let start = if bytes[at..].starts_with(b"::") { at + 2 } else { at };
        if !bytes.get(start).is_some_and(u8::is_ascii_uppercase) {
            return Some(at).filter(|at| *at > 0);
        }
        at = start + count(&bytes[start..], is_name_part);
    }
}

/// The length of a name such as `::foo::bar`.
fn name(bytes: &[u8]) -> Option<usize> {
    let start = if bytes.starts_with(b"::") { 2 } else { 0 };
    let begins = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !bytes.get(start).is_some_and(|byte| begins(byte) || *byte == b'_') {
        return None;
    }
    let mut at = start + count(&bytes[start..], is_name_part);
    while bytes[at..].starts_with(b"::") && bytes.get(at + 2).is_some_and(begins) {
        at += 2 + count(&bytes[at + 2..], is_name_part);
    }
    Some(at)
}

/// The length of a number, which no word continues.
fn number(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |at: usize| count(&bytes[at..], |byte| byte.is_ascii_digit());
    if let [b'0', b'x' | b'X', ..] = bytes {
        let end = 2 + count(&bytes[2..], |byte| byte.is_ascii_hexdigit());
        if end > 2 && is_boundary(text, end) {
            return Some(end);
        }
    }
    let exponent = |at: usize| {
        let sign = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'-'));
        let has_mark = matches!(bytes.get(at), Some(b'e' | b'E')) && sign <= bytes.len();
        Some(sign + digits(sign)).filter(|end| has_mark && *end > sign)
    };
    let whole = digits(0);
    let fraction = Some(whole + 1).filter(|at| bytes.get(whole) == Some(&b'.') && digits(*at) > 0);
    let fraction = fraction.map(|at| at + digits(at));
    let has_exponent = |at: usize| if matches!(bytes.get(at), Some(b'e' | b'E')) { exponent(at) } else { None };
    let ends = [fraction.and_then(has_exponent), fraction, has_exponent(whole), Some(whole)];
    ends.into_iter().flatten().find(|end| is_boundary(text, *end))
}

/// The length of the name of a variable, with the keys after it; 0 if there is none.
pub(super) fn variable(text: &str) -> usize {
    let mut at = variable_name(text.as_bytes());
    if at == 0 {
        return 0;
    }
    while let Some(keys) = text[at..].strip_prefix('[') {
        // A key has at least one character, which may be anything but the end of a line.
        let Some(first) = keys.chars().next().filter(|first| *first != '\n') else { break };
        let rest = &keys[first.len_utf8()..];
        let Some(end) = memchr2(b']', b'\n', rest.as_bytes()).filter(|end| rest.as_bytes()[*end] == b']') else {
            break;
        };
        at += 1 + first.len_utf8() + end + 1;
    }
    at
}

/// The length of the name of a variable without the dollar sign; 0 if there is none.
pub(super) fn variable_name(bytes: &[u8]) -> usize {
    let mut at = if bytes.starts_with(b"::") { 2 } else { 0 };
    if !bytes.get(at).copied().is_some_and(is_word) {
        return 0;
    }
    loop {
        at += count(&bytes[at..], is_word);
        while bytes.get(at) == Some(&b'-') && bytes.get(at + 1).copied().is_some_and(is_word) {
            at += 1 + count(&bytes[at + 1..], is_word);
        }
        let continues = bytes[at..].starts_with(b"::") && bytes.get(at + 2).copied().is_some_and(is_word);
        if !continues {
            return at;
        }
        at += 2;
    }
}

/// The length of the text in front of a delimiter that no backslash escapes.
pub(super) fn delimited(text: &str, delimiter: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr2(b'\\', delimiter, &bytes[at..])?;
        if bytes[at] == delimiter {
            return Some(at);
        }
        let backslashes = count(&bytes[at..], |byte| byte == b'\\');
        // An odd number escapes what follows.
        at += backslashes + backslashes % 2;
        if at > bytes.len() {
            return None;
        }
    }
}

/// The tag of a heredoc, given the text after `@(`.
pub(super) fn heredoc_tag(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|first| *first != '\n')?.len_utf8();
    // A quote alone is not a tag.
    let first = if text.starts_with("\")") { 2 } else { first };
    let rest = text.get(first..)?;
    let end = memchr2(b')', b'\n', rest.as_bytes()).filter(|end| rest.as_bytes()[*end] == b')')?;
    Some(&text[..first + end])
}

/// The text of a comment between `/*` and `*/`, without the stars at the beginning of lines.
pub(super) fn comment_text(raw: &str) -> Cow<'_, str> {
    let text = raw.strip_prefix("/*").unwrap_or(raw);
    let text = text.strip_prefix(' ').unwrap_or(text);
    let text = text.strip_suffix("*/").unwrap_or(text);
    let text = text.strip_suffix(' ').unwrap_or(text);
    if !text.contains('*') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_start_matches(' ').strip_prefix('*') {
            Some(rest) => out.push_str(rest),
            None => out.push_str(line),
        }
    }
    out.into()
}
