//! [`Source`]: a named source with its syntax, and positions in it.

use std::sync::{Arc, Mutex, OnceLock};

use hieratic_source::{Content, Position, Span};

use hieratic_value::collections::HashMap;

use crate::columns::{ColumnRule, LinePosition, WideToken};

/// A source with its name, its syntax and its start position in a file.
///
/// The bytes are arbitrary; the parsers check that they are UTF-8. Lines and columns are computed only for messages.
/// Compared with a [`Source`](hieratic_source::Source) it adds the column rule of HCL: grapheme clusters, counted token
/// by token.
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
    /// The rule for its columns, which follows from its syntax.
    pub(crate) columns: ColumnRule,
    pub(crate) wide: OnceLock<Vec<WideToken>>,
    /// Cached positions in long lines of JSON, by the start of the line.
    pub(crate) long_lines: Mutex<HashMap<u32, Vec<LinePosition>>>,
}

impl Source {
    /// Creates the source of a whole file.
    pub fn new(name: impl Into<Arc<str>>, bytes: impl Into<Content>) -> Self {
        Source::from(hieratic_source::Source::new(name, bytes))
    }

    /// Creates the source of a part of a file, such as a template in a string of a JSON file. It begins at the position
    /// `start`, at the byte `first_byte` of the file.
    pub fn at(name: impl Into<Arc<str>>, bytes: impl Into<Content>, start: Position, first_byte: u32) -> Self {
        Source { start, first_byte, ..Source::new(name, bytes) }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &Arc<str> {
        self.text.shared_name()
    }

    /// Returns the source without its syntax, for messages. The call is cheap.
    pub fn as_text(&self) -> &hieratic_source::Source {
        &self.text
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        self.text.bytes()
    }

    /// Returns the bytes of a span. A span is cut at the end of the source.
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = self.bytes();
        let end = span.behind().min(bytes.len());
        bytes.get(span.first()..end).unwrap_or_default()
    }

    /// Returns the string of a span. Bytes that are not UTF-8 are replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// Returns the start position of the source in the file.
    pub fn start(&self) -> Position {
        self.start
    }

    /// Returns the byte offset of the source in the file.
    pub fn first_byte(&self) -> u32 {
        self.first_byte
    }

    /// Returns the position of a byte of the source in its file. The column follows the rule of its syntax.
    pub fn position(&self, offset: u32) -> Position {
        self.columns.position(self, offset)
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
            columns: ColumnRule::Native,
            wide: OnceLock::new(),
            long_lines: Mutex::default(),
        }
    }
}
