//! Converts a byte of a source to the line and column that the reference reports.
//!
//! The reference has no single function that counts columns. Each of its scanners counts while it reads, and some
//! messages compute another position from the start of a token. It therefore has five rules, and a [`ColumnRule`]
//! selects the rule of a position. Lines are the same in all of them: they end with line feeds.
//!
//! Here columns are not counted during parsing, but only for messages. A message has the rule of its source, unless
//! `Range::counted_by` selects another one for it. To fix a wrong column, add its source, offset and position to the
//! test at the end of this file.

mod json;
mod native;

use hieratic_source::{Position, Span};

use crate::Source;
use crate::graphemes::grapheme_count;
use crate::literal::pieces;

pub(crate) use json::LinePosition;
pub(crate) use native::WideToken;

/// The rule by which columns are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnRule {
    /// Native syntax: its scanner counts the grapheme clusters of each token by itself, so that a mark that combines
    /// with the last character of the token before counts. A byte order mark has no column.
    Native,
    /// A template without quotes around it: as in native syntax, but its tokens are others, because it begins with
    /// text.
    Template,
    /// JSON: its scanner takes a tab for two columns and a carriage return for none, and every other byte between
    /// strings for one. In strings it counts grapheme clusters, which quotes and backslashes never join.
    Json,
    /// A fault in a string of JSON, which begins at the offset: Go's decoder of strings, which finds it, counts bytes.
    /// Its position can even be after the end of the source.
    JsonString(u32),
    /// A fault in an escape of a literal of native syntax, which begins at the offset: the parser of literals counts
    /// the grapheme clusters of each escape, and of each run between escapes, by themselves.
    Escape(u32),
}

/// The length in bytes from which a line is long. A file may be a single line with a message for each of its columns,
/// so counting from the start of the line for each message would take quadratic time.
const LONG_LINE: usize = 4096;

impl ColumnRule {
    /// The position in its file of a byte of a source.
    pub(crate) fn position(self, source: &Source, offset: u32) -> Position {
        let (start, columns) = match self {
            ColumnRule::Native => return in_line(source, offset, native::columns),
            ColumnRule::Template => return in_line(source, offset, native::columns),
            ColumnRule::Json => return in_line(source, offset, json::columns),
            ColumnRule::JsonString(start) => (start, offset.saturating_sub(start)),
            ColumnRule::Escape(start) => {
                let text = source.slice(Span { start, end: offset });
                (start, pieces(text, true).map(grapheme_count).sum())
            }
        };
        let start = source.position(start);
        Position { column: start.column + columns, ..start }
    }

    /// Returns whether positions after the end of a source are kept, instead of taken for its end.
    pub(crate) fn reaches_beyond_end(self) -> bool {
        matches!(self, ColumnRule::JsonString(_) | ColumnRule::Escape(_))
    }
}

/// The position of a byte, whose columns are counted from the start of its line.
fn in_line(source: &Source, offset: u32, columns: fn(&Source, u32, u32) -> u32) -> Position {
    let offset = offset.min(source.bytes().len() as u32);
    let lines = source.as_text().lines();
    let line = lines.of_byte(offset as usize);
    let Position { line: first_line, column: first_column } = source.start();
    let before = if line == 1 { first_column } else { 1 };
    Position { line: first_line + line - 1, column: before + columns(source, lines.start(line) as u32, offset) }
}

#[cfg(test)]
mod tests {
    use super::ColumnRule::{self, Escape, Json, JsonString, Native, Template};
    use crate::Source;

    fn position(rule: ColumnRule, text: &str, offset: u32) -> (u32, u32) {
        let mut source = Source::new("a", text);
        source.columns = match rule {
            JsonString(_) => Json,
            Escape(_) => Native,
            own => own,
        };
        let found = rule.position(&source, offset);
        (found.line, found.column)
    }

    /// A position that is wrong in a message gets a row here: rule, source, offset, line and column.
    #[test]
    fn each_rule_counts_as_the_reference_does() {
        for (rule, text, offset, expected) in [
            // Bytes of ASCII are columns.
            (Native, "a = 1\nbc = 2", 0, (1, 1)),
            (Native, "a = 1\nbc = 2", 5, (1, 6)),
            (Native, "a = 1\nbc = 2", 6, (2, 1)),
            (Native, "a = 1\nbc = 2", 11, (2, 6)),
            (Native, "a\tb\r\nc", 2, (1, 3)),
            (Native, "a\tb\r\nc", 5, (2, 1)),
            // Positions after the end are the end.
            (Native, "a = 1", 99, (1, 6)),
            // A cluster is one column.
            (Native, "a = \"\u{e9}\" b", 9, (1, 9)),
            (Native, "\"e\u{301}\" x", 6, (1, 5)),
            (Native, "\"\u{1f1ec}\u{1f1e7}\" x", 11, (1, 5)),
            // A mark in the next token combines with nothing.
            (Native, "\"${a}\u{301}b\"", 7, (1, 7)),
            // A byte order mark has no column.
            (Native, "\u{feff}a = 1", 4, (1, 2)),
            (Template, "e\u{301}${x}", 3, (1, 2)),
            (Template, "e\u{301}\n${x}", 6, (2, 3)),
            // Quotes are text in a template, so that the mark combines with the quote.
            (Template, "\"\u{301}x", 3, (1, 2)),
            (Native, "\"\u{301}x", 3, (1, 3)),
            (Json, "{\t\"a\": 1}", 2, (1, 4)),
            (Json, "{\r\"a\": 1}", 2, (1, 2)),
            (Json, "{\n\t\t\"a\": 1}", 4, (2, 5)),
            (Json, "{\"e\u{301}\": 1}", 6, (1, 5)),
            // A control character ends a string, so that this tab is outside of it.
            (Json, "{\"\t\": 1}", 3, (1, 5)),
            (Json, "[\"a\\\u{301}\"]", 6, (1, 6)),
            (JsonString(1), "[\"\u{e9}\\x\"]", 4, (1, 5)),
            (JsonString(2), "{\t\"\u{e9}\\x\"}", 5, (1, 7)),
            (JsonString(1), "[\"a", 9, (1, 10)),
            (Escape(1), "\"\u{e9}\\u{301}\"", 3, (1, 3)),
            (Escape(1), "\"a\\\u{301}b\"", 5, (1, 4)),
        ] {
            assert_eq!(position(rule, text, offset), expected, "{rule:?} {text:?} {offset}");
        }
    }

    /// The columns of many offsets in one long line. Counting each from the start of the line would be quadratic.
    #[test]
    fn columns_in_a_long_line_are_counted_from_cached_positions() {
        const COUNT: u32 = 50_000;
        const UNIT: &str = "\"\u{e4}\", [1],";
        for rule in [Native, Json] {
            let mut source = Source::new("a", UNIT.repeat(COUNT as usize));
            source.columns = rule;
            for at in 0..COUNT {
                assert_eq!(source.position(at * UNIT.len() as u32).column, at * 9 + 1);
            }
        }
    }
}
