//! A named source text, and positions in it.

use std::sync::{Arc, Mutex, OnceLock};

use hieratic_source::{Content, Position, Span};

use hieratic_value::collections::HashMap;

use crate::columns::{ColumnRule, LinePosition, WideToken};

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
    /// The rule for its columns, which follows from its syntax.
    pub(crate) columns: ColumnRule,
    pub(crate) wide: OnceLock<Vec<WideToken>>,
    /// Cached positions in long lines of JSON, by the start of the line.
    pub(crate) long_lines: Mutex<HashMap<u32, Vec<LinePosition>>>,
}

impl Source {
    /// Creates a whole file.
    pub fn new(name: impl Into<Arc<str>>, bytes: impl Into<Content>) -> Self {
        Source::from(hieratic_source::Source::new(name, bytes))
    }

    /// Creates a part of a file that begins at `start`, which is the byte `first_byte` of the file, such as a template
    /// in a string of a JSON file.
    pub fn at(name: impl Into<Arc<str>>, bytes: impl Into<Content>, start: Position, first_byte: u32) -> Self {
        Source { start, first_byte, ..Source::new(name, bytes) }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &Arc<str> {
        self.text.shared_name()
    }

    /// Returns the text without its syntax, for messages. Cheap.
    pub fn as_text(&self) -> &hieratic_source::Source {
        &self.text
    }

    /// Returns the text.
    pub fn bytes(&self) -> &[u8] {
        self.text.bytes()
    }

    /// Returns the bytes of a span, as far as the source has them.
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = self.bytes();
        let end = span.behind().min(bytes.len());
        bytes.get(span.first()..end).unwrap_or_default()
    }

    /// Returns the text of a span. Bytes that are not UTF-8 are replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// Returns the position in the file where the source begins.
    pub fn start(&self) -> Position {
        self.start
    }

    /// Returns the byte of the file that the source begins with.
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
