//! A text with a name, and places in it.

use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use crate::columns;

/// A part of a source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

impl Span {
    /// From the start of this span to the end of another.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    /// The same as a range, to slice with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.end as usize).max(self.start as usize)
    }
}

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in grapheme clusters, from 1.
    pub column: u32,
    /// The byte, from 0.
    pub byte: u32,
}

impl Position {
    /// The start of a file.
    pub const START: Position = Position { line: 1, column: 1, byte: 0 };
}

/// In which syntax a source is read, which decides how its columns are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Bodies and expressions.
    Native,
    /// A template without quotes around it.
    Template,
    /// JSON.
    Json,
}

/// A text with a name.
///
/// The text may be anything; that it is UTF-8 is checked by the parsers. Lines and columns are counted when the first
/// message asks for one, and nothing else keeps account of them.
///
/// ```
/// use hieratic_hcl_syntax::{Source, parse_config};
///
/// let parsed = parse_config(Source::new("job.hcl", "a = \"é\" b\n"));
/// assert_eq!(parsed.diagnostics.to_string(),
///     "job.hcl:1,9-10: Missing newline after argument; An argument definition must end with a newline.");
/// ```
#[derive(Debug)]
pub struct Source {
    name: Arc<str>,
    bytes: Vec<u8>,
    start: Position,
    pub(crate) syntax: Syntax,
    lines: OnceLock<Vec<u32>>,
    pub(crate) wide: OnceLock<Vec<columns::WideToken>>,
    /// Places in long lines of JSON whose columns are known, by where the lines begin.
    pub(crate) long_lines: Mutex<FxHashMap<u32, Vec<columns::Place>>>,
}

impl Source {
    /// A whole file.
    pub fn new(name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        Source::at(name, bytes, Position::START)
    }

    /// A part of a file that begins at `start`, such as a template in a string of a JSON file.
    pub fn at(name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>, start: Position) -> Self {
        Source {
            name: name.into(),
            bytes: bytes.into(),
            start,
            syntax: Syntax::Native,
            lines: OnceLock::new(),
            wide: OnceLock::new(),
            long_lines: Mutex::default(),
        }
    }

    /// The name of the file.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a span, as far as the source has them.
    pub fn slice(&self, span: Span) -> &[u8] {
        let end = (span.end as usize).min(self.bytes.len());
        self.bytes.get(span.start as usize..end).unwrap_or_default()
    }

    /// The text of a span; what is not UTF-8 is replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// Where the source begins.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The place of a byte.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.bytes.len() as u32);
        let lines = self.lines.get_or_init(|| line_starts(&self.bytes));
        let line = lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let line_start = lines.get(line).copied().unwrap_or_default();
        let columns = columns::between(self, line_start, offset);
        let first = if line == 0 { self.start.column } else { 1 };
        Position { line: self.start.line + line as u32, column: first + columns, byte: self.start.byte + offset }
    }
}

/// The offsets at which lines begin.
fn line_starts(bytes: &[u8]) -> Vec<u32> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of many places in one long line, each of which would be counted from the line's start otherwise.
    fn columns_of(source: &Source, unit: usize, count: usize) -> Vec<u32> {
        (0..count).map(|at| source.position((at * unit) as u32).column).collect()
    }

    #[test]
    fn places_in_a_long_line_are_found_from_near_ones() {
        const COUNT: usize = 50_000;
        let native = Source::new("a", "\"ä\", [1],".repeat(COUNT));
        let expected: Vec<u32> = (0..COUNT as u32).map(|at| at * 9 + 1).collect();
        assert_eq!(columns_of(&native, "\"ä\", [1],".len(), COUNT), expected);
        let mut json = Source::new("a", "\"ä\", [1],".repeat(COUNT));
        json.syntax = Syntax::Json;
        assert_eq!(columns_of(&json, "\"ä\", [1],".len(), COUNT), expected);
    }
}
