//! Columns of JSON: between tokens, a tab counts as two and a carriage return as zero; in strings, grapheme clusters
//! count.

use super::scanner::string_length;
use crate::columns::LinePosition;
use crate::graphemes::grapheme_count;

/// Counts the columns of the first `length` bytes of a line, starting from a known position outside of strings. Calls
/// `passed` with each such position on the way, so that the caller can cache it.
pub(crate) fn columns(line: &[u8], from: LinePosition, length: usize, mut passed: impl FnMut(LinePosition)) -> u32 {
    let LinePosition { offset: mut at, mut columns } = from;
    while at < length {
        passed(LinePosition { offset: at, columns });
        let rest = line.get(at..).unwrap_or_default();
        match rest.first() {
            Some(b'\r') => {}
            Some(b'\t') => columns += 2,
            Some(b'"') => {
                let end = string_length(rest).min(length - at);
                columns += string_columns(rest.get(..end).unwrap_or_default());
                at += end;
                continue;
            }
            _ => columns += 1,
        }
        at += 1;
    }
    columns
}

/// The columns of a string or of its beginning. Quotes and backslashes never join a cluster.
fn string_columns(string: &[u8]) -> u32 {
    let mut columns = 0;
    let mut start = 0;
    for at in memchr::memchr2_iter(b'"', b'\\', string) {
        if super::scanner::follows_prepended(string, at) {
            continue;
        }
        columns += grapheme_count(string.get(start..at).unwrap_or_default()) + 1;
        start = at + 1;
    }
    columns + grapheme_count(string.get(start..).unwrap_or_default())
}
