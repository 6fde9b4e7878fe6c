//! [`Source`]: a text with a name, and places in it.
//!
//! Inside, a place is a byte offset; people and editors count lines and columns. The source turns one into the other.

use std::sync::{Arc, OnceLock};

/// A text with a name; cheap to clone.
#[derive(Clone, Debug)]
pub struct Source(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: Arc<str>,
    text: Arc<str>,
    /// The offset at which each line starts, found when the first place is asked for.
    lines: Arc<OnceLock<Vec<usize>>>,
    /// How many characters there are before each block of the text, counted when the first place in a long line is asked for.
    characters: Arc<OnceLock<Vec<usize>>>,
    hidden: Option<Hidden>,
}

/// Parts that are not shown.
#[derive(Clone, Debug)]
struct Hidden {
    /// In order and apart from each other.
    parts: Vec<Span>,
    /// What is shown instead of each.
    instead: Arc<str>,
}

/// How many bytes of text are a block. A line that is longer is counted by blocks: a file may be one line, with a message about
/// each of its columns.
const BLOCK: usize = 4096;

/// A range of bytes in a source. Any two numbers are allowed: what lies outside the text is moved inside by
/// [`Source::clamp`] before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Source {
    /// A source; the name is usually a path.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source(Arc::new(Inner {
            name: name.into(),
            text: text.into(),
            lines: Arc::default(),
            characters: Arc::default(),
            hidden: None,
        }))
    }

    /// The same source, of which these parts (in order and apart from each other) are shown as another text. Places stay what
    /// they are.
    pub fn hiding(&self, parts: Vec<Span>, instead: impl Into<Arc<str>>) -> Source {
        let Inner { name, text, lines, characters, .. } = &*self.0;
        let hidden = (!parts.is_empty()).then(|| Hidden { parts, instead: instead.into() });
        Source(Arc::new(Inner {
            name: name.clone(),
            text: text.clone(),
            lines: lines.clone(),
            characters: characters.clone(),
            hidden,
        }))
    }

    /// The text between two places as it is shown. A part that is hidden and reaches into it is shown instead as a whole.
    pub(crate) fn shown(&self, from: usize, to: usize) -> String {
        let text = |from: usize, to: usize| self.text().get(from..to).unwrap_or("");
        let Some(Hidden { parts, instead }) = &self.0.hidden else { return text(from, to).to_owned() };
        let mut shown = String::new();
        let mut at = from;
        let first = parts.partition_point(|part| part.end <= from);
        for part in parts[first..].iter().take_while(|part| part.start < to) {
            shown.push_str(text(at, part.start.max(at)));
            shown.push_str(instead);
            at = part.end;
        }
        shown.push_str(text(at.min(to), to));
        shown
    }

    /// The nearest place at or before this one that is not within a hidden part.
    pub(crate) fn before_hidden(&self, offset: usize) -> usize {
        let within = self.0.hidden.iter().flat_map(|hidden| {
            let next = hidden.parts.partition_point(|part| part.end <= offset);
            hidden.parts.get(next).filter(|part| part.start < offset)
        });
        within.map(|part| part.start).next().unwrap_or(offset)
    }

    /// Whether anything is hidden between two places.
    pub(crate) fn hides(&self, from: usize, to: usize) -> bool {
        self.0.hidden.iter().any(|hidden| {
            let next = hidden.parts.partition_point(|part| part.end <= from);
            hidden.parts.get(next).is_some_and(|part| part.start < to)
        })
    }

    /// The name, usually a path.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The byte at a line and column; the nearest there is, if the line or the source ends before.
    ///
    /// ```
    /// # use hieratic_diagnostics::Source;
    /// let source = Source::new("f", "a\nbéc\n");
    /// assert_eq!(source.offset(2, 3), 5);
    /// assert_eq!(source.offset(2, 99), 6);
    /// assert_eq!(source.offset(99, 1), 7);
    /// ```
    pub fn offset(&self, line: u32, column: u32) -> usize {
        if line.max(1) > self.line_count() {
            return self.text().len();
        }
        let Span { start, end } = self.line(line);
        let text = self.text().get(start..end).unwrap_or("");
        // Counting from 1; a column 0 is taken for the first.
        let characters = column.saturating_sub(1) as usize;
        start + text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
    }

    /// The line and column of a byte; of the end, if the source ends before.
    ///
    /// ```
    /// # use hieratic_diagnostics::{Place, Source};
    /// assert_eq!(Source::new("f", "a\nbéc\n").place(5), Place { line: 2, column: 3 });
    /// ```
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.boundary(offset);
        let line = self.lines().partition_point(|start| *start <= offset);
        let start = self.line_start(line);
        let column = match offset - start {
            0..BLOCK => self.text().get(start..offset).unwrap_or("").chars().count(),
            _ => self.characters_before(offset) - self.characters_before(start),
        } + 1;
        Place { line: saturated(line), column: saturated(column) }
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let begins = |byte: &&u8| (**byte as i8) >= -0x40;
        let bytes = self.text().as_bytes();
        let blocks = self.0.characters.get_or_init(|| {
            let mut before = 0;
            let counts = bytes.chunks(BLOCK).map(|block| {
                let here = before;
                before += block.iter().filter(begins).count();
                here
            });
            counts.collect()
        });
        let block = offset / BLOCK;
        // Behind the last block is the end of the text.
        let Some(before) = blocks.get(block) else { return self.text().chars().count() };
        before + bytes.get(block * BLOCK..offset).unwrap_or_default().iter().filter(begins).count()
    }

    /// How many lines there are: one more than there are newlines, so an empty text has one.
    pub fn line_count(&self) -> u32 {
        saturated(self.lines().len())
    }

    /// A line without what ends it. Lines that there are not are taken for the first or the last.
    pub fn line(&self, line: u32) -> Span {
        let line = line.clamp(1, self.line_count()) as usize;
        let start = self.line_start(line);
        let end = self.lines().get(line).map_or(self.text().len(), |next| next - 1);
        let text = self.text().get(start..end).unwrap_or("");
        // The carriage return belongs to the line's end only where a newline follows.
        let ended = end < self.text().len();
        let text = if ended { text.strip_suffix('\r').unwrap_or(text) } else { text };
        Span { start, end: start + text.len() }
    }

    /// The character at a byte; nothing at the end.
    ///
    /// ```
    /// # use hieratic_diagnostics::{Source, Span};
    /// assert_eq!(Source::new("f", "a: é").character(3), Span { start: 3, end: 5 });
    /// ```
    pub fn character(&self, at: usize) -> Span {
        let start = self.boundary(at);
        let length = self.text().get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span { start, end: start + length }
    }

    /// The word of a data file at a byte: it ends before whitespace, a colon, a comma or a closing bracket, and has a character at least.
    ///
    /// ```
    /// # use hieratic_diagnostics::{Source, Span};
    /// assert_eq!(Source::new("f", "port: 80").word(0), Span { start: 0, end: 4 });
    /// ```
    pub fn word(&self, at: usize) -> Span {
        let Span { start, end } = self.character(at);
        let rest = self.text().get(start..).unwrap_or("");
        let ends = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | '}' | ']');
        Span { start, end: end.max(start + rest.find(ends).unwrap_or(rest.len())) }
    }

    /// The span moved to where the source really has characters, its end not before its start.
    ///
    /// ```
    /// # use hieratic_diagnostics::{Source, Span};
    /// assert_eq!(Source::new("f", "é!").clamp(Span { start: 1, end: 99 }), Span { start: 0, end: 3 });
    /// ```
    pub fn clamp(&self, span: Span) -> Span {
        let start = self.boundary(span.start);
        Span { start, end: self.boundary(span.end).max(start) }
    }

    /// The nearest start of a character at or before a byte.
    fn boundary(&self, offset: usize) -> usize {
        let offset = offset.min(self.text().len());
        // A character has at most four bytes.
        (offset.saturating_sub(3)..=offset).rev().find(|at| self.text().is_char_boundary(*at)).unwrap_or(0)
    }

    fn lines(&self) -> &[usize] {
        self.0.lines.get_or_init(|| {
            let after_newlines =
                self.text().bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(after_newlines).collect()
        })
    }

    /// Where a line that is counted from 1 starts.
    fn line_start(&self, line: usize) -> usize {
        self.lines().get(line.saturating_sub(1)).copied().unwrap_or(0)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.name() == other.name() && self.text() == other.text())
    }
}

impl Eq for Source {}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_and_columns_go_both_ways() {
        let source = Source::new("f", "a\nb\u{e9}c\n");
        assert_eq!(source.offset(2, 3), 5);
        assert_eq!(source.place(5), Place { line: 2, column: 3 });
        assert_eq!(source.place(usize::MAX), Place { line: 3, column: 1 });
        assert_eq!(source.offset(0, 0), 0);
        assert_eq!(source.offset(9, 9), 7);
        assert_eq!(source.offset(u32::MAX, u32::MAX), 7);
    }

    #[test]
    fn each_column_of_a_long_line_is_found_without_counting_all_before_it() {
        let source = Source::new("f", "\n".to_owned() + &"a\u{e9}\u{1f600}".repeat(1_000_000));
        // To count from the start of the line would be to look at seventy thousand million characters.
        for at in (0..1_000_000).step_by(20) {
            let place = source.place(1 + at * 7 + 1);
            assert_eq!(place, Place { line: 2, column: u32::try_from(at * 3 + 2).unwrap() });
        }
        assert_eq!(source.place(usize::MAX), Place { line: 2, column: 3_000_001 });
    }

    #[test]
    fn a_line_is_without_its_end() {
        let source = Source::new("f", "a\r\n\r\nb\r");
        let line = |line| &source.text()[source.line(line).start..source.line(line).end];
        assert_eq!([line(0), line(1), line(2), line(3), line(4)], ["a", "a", "", "b\r", "b\r"]);
        assert_eq!(Source::new("f", "").line(1), Span { start: 0, end: 0 });
        assert_eq!(Source::new("f", "").line_count(), 1);
    }

    #[test]
    fn a_column_behind_the_line_is_its_end() {
        let source = Source::new("f", "ab\r\nc");
        assert_eq!(source.offset(1, 9), 2);
        assert_eq!(source.offset(2, 9), 5);
    }

    #[test]
    fn what_is_hidden_is_shown_as_something_else() {
        let source = Source::new("f", "abc def\nghi");
        let hiding = source.hiding(vec![Span { start: 2, end: 5 }, Span { start: 6, end: 9 }], "*");
        assert_eq!(hiding.shown(0, 11), "ab*e*hi");
        assert_eq!(
            (hiding.shown(3, 4), hiding.shown(8, 11), hiding.shown(0, 2)),
            ("*".into(), "*hi".into(), "ab".into())
        );
        assert_eq!((hiding.before_hidden(4), hiding.before_hidden(2), hiding.before_hidden(5)), (2, 2, 5));
        assert!(hiding.hides(0, 3) && !hiding.hides(0, 2) && !source.hides(0, 11));
        assert_eq!(hiding.place(8), source.place(8));
    }

    proptest! {
        #[test]
        fn a_span_is_always_moved_inside(text in "[a\u{e9}\u{1f600}\r\n]{0,20}", start: usize, end: usize, near in 0usize..90) {
            let source = Source::new("f", text.as_str());
            for span in [Span { start, end }, Span { start: near, end }, Span { start: near, end: near / 2 }] {
                let span = source.clamp(span);
                prop_assert!(source.text().get(span.start..span.end).is_some());
                prop_assert_eq!(source.clamp(span), span);
            }
        }

        #[test]
        fn an_offset_survives_the_way_there_and_back(text in "[a\u{e9}\u{1f600}\n]{0,20}", offset in 0usize..90) {
            let source = Source::new("f", text.as_str());
            let Place { line, column } = source.place(offset);
            prop_assert_eq!(source.offset(line, column), source.clamp(Span { start: offset, end: offset }).start);
        }

        #[test]
        fn any_line_and_column_has_an_offset(text in "[a\u{e9}\r\n]{0,20}", line: u32, column: u32, near in 0u32..9) {
            let source = Source::new("f", text.as_str());
            for offset in [source.offset(line, column), source.offset(near, column), source.offset(near, near)] {
                prop_assert!(source.text().is_char_boundary(offset));
            }
        }
    }
}
