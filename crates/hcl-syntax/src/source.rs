//! A named source text, and positions in it.

use std::sync::{Arc, Mutex, OnceLock};

use hieratic_source::{Content, Position, Span};

use hieratic_value::collections::HashMap;

use crate::columns;

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

/// A source text with its name, its syntax and the position in a file where it begins.
///
/// The bytes are arbitrary; the parsers check that they are UTF-8. Lines and columns are computed when the first
/// message needs them, and nothing else tracks them. Compared with a [`Source`](hieratic_source::Source) it adds the
/// column rule of HCL: grapheme clusters, counted token by token.
///
/// ```
/// use hieratic_hcl_syntax::{Source, parse_config};
///
/// let parsed = parse_config(Source::new("job.hcl", "a = \"é\" b\n"));
/// assert_eq!(parsed.problems.to_string(),
///     "job.hcl:1,9-10: Missing newline after argument; An argument definition must end with a newline.");
/// ```
#[derive(Debug)]
pub struct Source {
    text: hieratic_source::Source,
    start: Position,
    first_byte: u32,
    pub(crate) syntax: Syntax,
    pub(crate) wide: OnceLock<Vec<columns::WideToken>>,
    /// Cached positions in long lines of JSON, by the start of the line.
    pub(crate) long_lines: Mutex<HashMap<u32, Vec<columns::LinePosition>>>,
}

impl Source {
    /// A whole file.
    pub fn new(name: impl Into<Arc<str>>, bytes: impl Into<Content>) -> Self {
        Source::from(hieratic_source::Source::new(name, bytes))
    }

    /// A part of a file that begins at `start`, which is the byte `first_byte` of the file, such as a template in a string of a JSON file.
    pub fn at(name: impl Into<Arc<str>>, bytes: impl Into<Content>, start: Position, first_byte: u32) -> Self {
        Source { start, first_byte, ..Source::new(name, bytes) }
    }

    /// The name of the file.
    pub fn name(&self) -> &Arc<str> {
        self.text.shared_name()
    }

    /// The text without its syntax, for messages. Cheap.
    pub fn as_text(&self) -> &hieratic_source::Source {
        &self.text
    }

    /// The text.
    pub fn bytes(&self) -> &[u8] {
        self.text.bytes()
    }

    /// The bytes of a span, as far as the source has them.
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = self.bytes();
        let end = span.behind().min(bytes.len());
        bytes.get(span.first()..end).unwrap_or_default()
    }

    /// The text of a span. Bytes that are not UTF-8 are replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// The position in the file where the source begins.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The byte of the file that the source begins with.
    pub fn first_byte(&self) -> u32 {
        self.first_byte
    }

    /// The position of a byte of the source in its file. The column counts grapheme clusters.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.bytes().len() as u32);
        let lines = self.text.lines();
        let line = lines.of_byte(offset as usize);
        let columns = columns::columns_between(self, lines.start(line) as u32, offset);
        let first = if line == 1 { self.start.column } else { 1 };
        Position { line: self.start.line + line - 1, column: first + columns }
    }
}

/// Converts a file, and shares its text.
impl From<hieratic_source::Source> for Source {
    fn from(text: hieratic_source::Source) -> Source {
        let start = Position::START;
        Source {
            text,
            start,
            first_byte: 0,
            syntax: Syntax::Native,
            wide: OnceLock::new(),
            long_lines: Mutex::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of many offsets in one long line. Counting each from the start of the line would be quadratic.
    fn columns_of(source: &Source, unit: usize, count: usize) -> Vec<u32> {
        (0..count).map(|at| source.position((at * unit) as u32).column).collect()
    }

    #[test]
    fn columns_in_a_long_line_are_counted_from_cached_positions() {
        const COUNT: usize = 50_000;
        let native = Source::new("a", "\"ä\", [1],".repeat(COUNT));
        let expected: Vec<u32> = (0..COUNT as u32).map(|at| at * 9 + 1).collect();
        assert_eq!(columns_of(&native, "\"ä\", [1],".len(), COUNT), expected);
        let mut json = Source::new("a", "\"ä\", [1],".repeat(COUNT));
        json.syntax = Syntax::Json;
        assert_eq!(columns_of(&json, "\"ä\", [1],".len(), COUNT), expected);
    }
}
