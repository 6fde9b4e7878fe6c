//! Columns of JSON: between tokens a tab counts as two and a carriage return as none; in strings, grapheme clusters
//! count.

use std::sync::PoisonError;

use crate::Source;
use crate::graphemes::grapheme_count;
use crate::json::{follows_prepended, string_length};

/// The number of columns from the start of a line to a byte of it.
pub(super) fn columns(source: &Source, line_start: u32, offset: u32) -> u32 {
    let line = source.bytes().get(line_start as usize..).unwrap_or_default();
    let length = (offset - line_start) as usize;
    let from =
        if length < super::LONG_LINE { LinePosition::default() } else { nearest_position(source, line_start, length) };
    count(line, from, length, |_| {})
}

/// A position in a line of JSON, with the number of columns before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinePosition {
    /// The number of bytes before the position.
    pub(crate) offset: usize,
    /// The number of columns before the position.
    pub(crate) columns: u32,
}

/// The last cached position of a line that precedes `length` bytes.
fn nearest_position(source: &Source, line_start: u32, length: usize) -> LinePosition {
    let mut lines = source.long_lines.lock().unwrap_or_else(PoisonError::into_inner);
    let places = lines.entry(line_start).or_insert_with(|| {
        let line = source.bytes().get(line_start as usize..).unwrap_or_default();
        let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
        let mut places = vec![LinePosition::default()];
        count(line, LinePosition::default(), end, |place| {
            if places.last().is_none_or(|last| place.offset >= last.offset + super::LONG_LINE / 32) {
                places.push(place);
            }
        });
        places
    });
    let after = places.partition_point(|place| place.offset <= length);
    places.get(after.saturating_sub(1)).copied().unwrap_or_default()
}

/// Counts the columns of the first `length` bytes of a line, starting from a known position outside of strings. Calls
/// `passed` with each such position on the way, so that the caller can cache it.
fn count(line: &[u8], from: LinePosition, length: usize, mut passed: impl FnMut(LinePosition)) -> u32 {
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
        if follows_prepended(string, at) {
            continue;
        }
        columns += grapheme_count(string.get(start..at).unwrap_or_default()) + 1;
        start = at + 1;
    }
    columns + grapheme_count(string.get(start..).unwrap_or_default())
}
