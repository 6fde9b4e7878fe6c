//! Keys and scalars of simple sources: their ends and their values.

use memchr::{memchr, memchr2};

use super::{FastKind, FastResult, LONGEST_KEY, NotSimple};

/// The end of the name of an anchor or an alias, after its first character.
pub(super) fn name_end(rest: &[u8]) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = rest[1..].iter().take_while(|byte| is_name(byte)).count();
    (length > 0 && matches!(rest.get(1 + length), None | Some(b' '))).then_some(1 + length)
}

/// The scalar at the beginning of a string: its kind and its length.
pub(super) fn scalar(rest: &[u8], plain: impl Fn(&[u8]) -> Option<usize>) -> FastResult<(FastKind, usize)> {
    match rest[0] {
        b'"' => double_quoted(rest),
        b'\'' => single_quoted(rest),
        _ => plain(rest).map(|length| (FastKind::Plain, length)).ok_or(NotSimple),
    }
}

/// `'it''s'`
fn single_quoted(rest: &[u8]) -> FastResult<(FastKind, usize)> {
    let (mut length, mut escapes) = (1, false);
    loop {
        length += memchr(b'\'', &rest[length..]).ok_or(NotSimple)? + 1;
        if rest.get(length) != Some(&b'\'') {
            return Ok((FastKind::Quoted { escapes }, length));
        }
        escapes = true;
        length += 1;
    }
}

/// `"a \"b\"\n"`
fn double_quoted(rest: &[u8]) -> FastResult<(FastKind, usize)> {
    let (mut length, mut escapes) = (1, false);
    loop {
        length += memchr2(b'"', b'\\', &rest[length..]).ok_or(NotSimple)? + 1;
        if rest[length - 1] == b'"' {
            return Ok((FastKind::Quoted { escapes }, length));
        }
        rest.get(length).copied().and_then(escaped).ok_or(NotSimple)?;
        escapes = true;
        length += 1;
    }
}

/// The value of an escape. Returns `None` for those that are left to libyaml.
fn escaped(byte: u8) -> Option<char> {
    match byte {
        b'n' => Some('\n'),
        b't' => Some('\t'),
        b'"' | b'\\' | b'/' => Some(byte.into()),
        _ => None,
    }
}

/// The value of a quoted scalar with escapes.
pub(crate) fn unescaped(quoted: &str) -> String {
    let Some(inner) = quoted.strip_prefix('"') else { return quoted[1..quoted.len() - 1].replace("''", "'") };
    let mut characters = inner[..inner.len() - 1].chars();
    let mut text = String::with_capacity(inner.len());
    while let Some(one) = characters.next() {
        let after = if one == '\\' { characters.next() } else { None };
        text.push(after.and_then(|after| u8::try_from(after).ok()).and_then(escaped).unwrap_or(one));
    }
    text
}

/// The value of a plain scalar on several lines.
pub(crate) fn folded(lines: &str) -> String {
    lines.split('\n').map(|line| line.trim_matches(' ')).collect::<Vec<_>>().join(" ")
}

/// The value of a block, from the bar on.
pub(crate) fn block_text(block: &str, indent: usize, strips: bool) -> String {
    let mut text = String::with_capacity(block.len());
    for line in block.split_inclusive('\n').skip(1) {
        // A line of fewer spaces is empty.
        text.push_str(line.get(indent..).filter(|text| !text.is_empty()).unwrap_or("\n"));
    }
    let length = text.trim_end_matches('\n').len();
    text.truncate(length);
    if !strips {
        text.push('\n');
    }
    text
}

/// A hyphen that begins an entry.
pub(super) fn is_entry(rest: &[u8]) -> bool {
    matches!(rest, [b'-'] | [b'-', b' ', ..])
}

/// Returns whether only spaces remain.
pub(super) fn is_blank(rest: &[u8]) -> bool {
    rest.iter().all(|byte| *byte == b' ')
}

/// Returns whether only spaces and a comment remain. A comment needs a space before it.
pub(super) fn is_space_or_comment(rest: &[u8]) -> bool {
    match rest.iter().position(|byte| *byte != b' ') {
        None => true,
        Some(spaces) => spaces > 0 && rest[spaces] == b'#',
    }
}

/// A key: its kind, its length, and the offset of its colon.
pub(super) struct Key {
    pub kind: FastKind,
    pub length: usize,
    pub colon: usize,
}

/// The key at the beginning of a string. Returns `None` if there is none, or if it is not simple.
pub(super) fn key_end(rest: &[u8]) -> Option<Key> {
    let (kind, length) = scalar(rest, plain).ok()?;
    let spaces = rest[length..].iter().take_while(|byte| **byte == b' ').count();
    let colon = length + spaces;
    let is_key = rest.get(colon) == Some(&b':') && matches!(rest.get(colon + 1), None | Some(b' '));
    // Columns are counted in characters.
    (is_key && colon < LONGEST_KEY && rest[..colon].is_ascii()).then_some(Key { kind, length, colon })
}

/// The length of the plain scalar at the beginning of a string. Returns `None` if there is none.
///
/// It ends before a colon that a space or the end follows, before a comment, and before spaces at its end.
pub(super) fn plain(rest: &[u8]) -> Option<usize> {
    match rest[0] {
        b'-' | b':' if rest.get(1).is_some_and(|next| *next != b' ') => {}
        b'-' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
        | b'"' | b'%' | b'@' | b'`' => return None,
        _ => {}
    }
    let mut length = 0;
    for (offset, byte) in rest.iter().enumerate() {
        match byte {
            b' ' => continue,
            b':' if matches!(rest.get(offset + 1), None | Some(b' ')) => break,
            b'#' if offset > 0 && rest[offset - 1] == b' ' => break,
            _ => length = offset + 1,
        }
    }
    Some(length)
}

/// The length of the plain scalar at the beginning of a string in brackets. Returns `None` unless it consists of
/// letters, digits and a few other characters without a meaning there.
pub(super) fn plain_in_flow(rest: &[u8]) -> Option<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.' | b'+' | b'$' | b'~');
    if !is_word(rest[0]) {
        return None;
    }
    let mut length = 0;
    for (offset, byte) in rest.iter().enumerate() {
        match byte {
            b' ' => continue,
            b',' | b']' | b'}' => break,
            b':' if matches!(rest.get(offset + 1), None | Some(b' ')) => break,
            b':' if rest.get(offset + 1).is_some_and(|next| is_word(*next) || *next == b':') => {}
            b'-' | b'@' | b'=' | b'*' | b'%' | b'(' | b')' => {}
            byte if is_word(*byte) => {}
            _ => return None,
        }
        length = offset + 1;
    }
    Some(length)
}
