//! [`Source`]: a string with a name, and positions in it.
//!
//! The code uses byte offsets; people and editors count lines and columns. The source converts between them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::span::saturated;
use crate::{Content, Lines, Position, Span};

/// The content of a file or a string, with a name. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Source(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    id: u64,
    name: Arc<str>,
    content: Content,
    /// The line starts, computed for the first position.
    lines: Arc<OnceLock<Lines>>,
    /// The number of characters before each block of the source, computed for the first position in a long line.
    characters: Arc<OnceLock<Vec<usize>>>,
    redactions: Option<Redactions>,
}

/// Parts that are not shown.
#[derive(Clone, Debug)]
struct Redactions {
    /// In order and apart from each other.
    spans: Vec<Range<usize>>,
    /// The replacement of each.
    replacement: Arc<str>,
}

/// The size of a block in bytes. Longer lines are counted by blocks: a file may be a single line with a message for
/// each of its columns.
const BLOCK_BYTES: usize = 4096;

/// The number of sources created so far.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl Source {
    /// Creates a source. The name is usually a path.
    pub fn new(name: impl Into<Arc<str>>, content: impl Into<Content>) -> Source {
        Source(Arc::new(Inner {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            name: name.into(),
            content: content.into(),
            lines: Arc::default(),
            characters: Arc::default(),
            redactions: None,
        }))
    }

    /// Returns the source with redacted spans: [`displayed`](Self::displayed) shows `instead` in place of each. The
    /// spans must be sorted and disjoint. Positions do not change.
    pub fn with_redactions(&self, parts: Vec<Span>, instead: impl Into<Arc<str>>) -> Source {
        let Inner { id, name, content, lines, characters, .. } = &*self.0;
        let hidden = (!parts.is_empty())
            .then(|| Redactions { spans: parts.into_iter().map(Span::range).collect(), replacement: instead.into() });
        Source(Arc::new(Inner {
            id: *id,
            name: name.clone(),
            content: content.clone(),
            lines: lines.clone(),
            characters: characters.clone(),
            redactions: hidden,
        }))
    }

    /// Returns the content between two offsets for display. A redacted span that overlaps the range is replaced as a
    /// whole.
    pub fn displayed(&self, from: usize, to: usize) -> String {
        let text = |from: usize, to: usize| self.text().get(from..to).unwrap_or("");
        let Some(Redactions { spans: parts, replacement: instead }) = &self.0.redactions else {
            return text(from, to).to_owned();
        };
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

    /// Returns the last offset at or before this one that is not inside a redacted span.
    pub fn before_redaction(&self, offset: usize) -> usize {
        let within = self.0.redactions.iter().flat_map(|hidden| {
            let next = hidden.spans.partition_point(|part| part.end <= offset);
            hidden.spans.get(next).filter(|part| part.start < offset)
        });
        within.map(|part| part.start).next().unwrap_or(offset)
    }

    /// Returns whether the range contains a redacted span.
    pub fn is_redacted(&self, from: usize, to: usize) -> bool {
        self.0.redactions.iter().any(|hidden| {
            let next = hidden.spans.partition_point(|part| part.end <= from);
            hidden.spans.get(next).is_some_and(|part| part.start < to)
        })
    }

    /// Returns an id that is unique among all sources, including dropped ones. Together with a span, it identifies a
    /// syntax node.
    ///
    /// ```
    /// # use hieratic_source::Source;
    /// let source = Source::new("f", "a");
    /// assert_eq!(source.id(), source.clone().id());
    /// assert_ne!(source.id(), Source::new("f", "a").id());
    /// ```
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Returns the name, usually a path.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the name, for sharing.
    pub fn shared_name(&self) -> &Arc<str> {
        &self.0.name
    }

    /// Returns the content.
    pub fn content(&self) -> &Content {
        &self.0.content
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.content.bytes()
    }

    /// Returns the content as a string. Bytes that are not UTF-8 become question marks.
    pub fn text(&self) -> &str {
        self.0.content.text()
    }

    /// Returns the string of a span. The span is [clamped](Self::clamp) first.
    pub fn slice(&self, span: Span) -> &str {
        self.text().get(self.clamp(span).range()).unwrap_or("")
    }

    /// Returns the line starts.
    pub fn lines(&self) -> &Lines {
        self.0.lines.get_or_init(|| Lines::new(self.bytes()))
    }

    /// Returns the offset of a line and column. If the line or the source is shorter, returns the nearest offset.
    ///
    /// ```
    /// # use hieratic_source::Source;
    /// let source = Source::new("f", "a\nbéc\n");
    /// assert_eq!(source.offset(2, 3), 5);
    /// assert_eq!(source.offset(2, 99), 6);
    /// assert_eq!(source.offset(99, 1), 7);
    /// ```
    pub fn offset(&self, line: u32, column: u32) -> usize {
        if line.max(1) > self.line_count() {
            return self.text().len();
        }
        let line = self.line(line).range();
        let start = line.start;
        let text = self.text().get(line).unwrap_or("");
        // Counting from 1; a column 0 is taken for the first.
        let characters = column.saturating_sub(1) as usize;
        start + text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
    }

    /// Returns the position of an offset. An offset after the end has the position of the end.
    ///
    /// ```
    /// # use hieratic_source::{Position, Source};
    /// assert_eq!(Source::new("f", "a\nbéc\n").position(5), Position { line: 2, column: 3 });
    /// ```
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.boundary(offset);
        let line = self.lines().of_byte(offset);
        let start = self.lines().start(line);
        let column = match offset - start {
            0..BLOCK_BYTES => self.text().get(start..offset).unwrap_or("").chars().count(),
            _ => self.characters_before(offset) - self.characters_before(start),
        } + 1;
        Position { line, column: saturated(column) }
    }

    /// Returns the position of the first byte of a span.
    pub fn start(&self, span: Span) -> Position {
        self.position(span.start as usize)
    }

    /// Returns the positions of the start and of the end of a span.
    pub fn ends(&self, span: Span) -> (Position, Position) {
        let Range { start, end } = self.clamp(span).range();
        (self.position(start), self.position(end))
    }

    /// The number of characters that begin before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let begins = |byte: &&u8| (**byte as i8) >= -0x40;
        let bytes = self.text().as_bytes();
        let blocks = self.0.characters.get_or_init(|| {
            let mut before = 0;
            let counts = bytes.chunks(BLOCK_BYTES).map(|block| {
                let here = before;
                before += block.iter().filter(begins).count();
                here
            });
            counts.collect()
        });
        let block = offset / BLOCK_BYTES;
        // Behind the last block is the end of the text.
        let Some(before) = blocks.get(block) else { return self.text().chars().count() };
        before + bytes.get(block * BLOCK_BYTES..offset).unwrap_or_default().iter().filter(begins).count()
    }

    /// Returns the number of lines: one more than newlines, so an empty source has one.
    pub fn line_count(&self) -> u32 {
        self.lines().count()
    }

    /// Returns the span of a line without its line ending. Lines count from 1; a number outside the source means the
    /// first or the last line.
    pub fn line(&self, line: u32) -> Span {
        let line = line.clamp(1, self.line_count());
        let start = self.lines().start(line);
        let end = self.lines().newline(line).unwrap_or(self.text().len());
        let text = self.text().get(start..end).unwrap_or("");
        // The carriage return belongs to the line's end only where a newline follows.
        let ended = end < self.text().len();
        let text = if ended { text.strip_suffix('\r').unwrap_or(text) } else { text };
        Span::new(start, start + text.len())
    }

    /// Returns the span of the character at an offset. It is empty at the end of the source.
    ///
    /// ```
    /// # use hieratic_source::{Source, Span};
    /// assert_eq!(Source::new("f", "a: é").character(3), Span { start: 3, end: 5 });
    /// ```
    pub fn character(&self, at: usize) -> Span {
        let start = self.boundary(at);
        let length = self.text().get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span::new(start, start + length)
    }

    /// Returns the nearest valid span: inside the source, on character boundaries, with the end not before the start.
    ///
    /// ```
    /// # use hieratic_source::{Source, Span};
    /// assert_eq!(Source::new("f", "é!").clamp(Span { start: 1, end: 99 }), Span { start: 0, end: 3 });
    /// ```
    pub fn clamp(&self, span: Span) -> Span {
        let start = self.boundary(span.start as usize);
        Span::new(start, self.boundary(span.end as usize).max(start))
    }

    /// The nearest start of a character at or before a byte.
    fn boundary(&self, offset: usize) -> usize {
        let offset = offset.min(self.text().len());
        // A character has at most four bytes.
        (offset.saturating_sub(3)..=offset).rev().find(|at| self.text().is_char_boundary(*at)).unwrap_or(0)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.name() == other.name() && self.bytes() == other.bytes())
    }
}

impl Eq for Source {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_and_columns_go_both_ways() {
        let source = Source::new("f", "a\nb\u{e9}c\n");
        assert_eq!(source.offset(2, 3), 5);
        assert_eq!(source.position(5), Position { line: 2, column: 3 });
        assert_eq!(source.position(usize::MAX), Position { line: 3, column: 1 });
        assert_eq!(source.offset(0, 0), 0);
        assert_eq!(source.offset(9, 9), 7);
        assert_eq!(source.offset(u32::MAX, u32::MAX), 7);
    }

    #[test]
    fn each_column_of_a_long_line_is_found_without_counting_all_before_it() {
        let source = Source::new("f", "\n".to_owned() + &"a\u{e9}\u{1f600}".repeat(1_000_000));
        // To count from the start of the line would be to look at seventy thousand million characters.
        for at in (0..1_000_000).step_by(20) {
            let place = source.position(1 + at * 7 + 1);
            assert_eq!(place, Position { line: 2, column: u32::try_from(at * 3 + 2).unwrap() });
        }
        assert_eq!(source.position(usize::MAX), Position { line: 2, column: 3_000_001 });
    }

    #[test]
    fn a_line_is_without_its_end() {
        let source = Source::new("f", "a\r\n\r\nb\r");
        let line = |line| source.slice(source.line(line));
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
    fn redacted_spans_are_replaced() {
        let source = Source::new("f", "abc def\nghi");
        let hiding = source.with_redactions(vec![Span { start: 2, end: 5 }, Span { start: 6, end: 9 }], "*");
        assert_eq!(hiding.displayed(0, 11), "ab*e*hi");
        assert_eq!(
            (hiding.displayed(3, 4), hiding.displayed(8, 11), hiding.displayed(0, 2)),
            ("*".into(), "*hi".into(), "ab".into())
        );
        assert_eq!((hiding.before_redaction(4), hiding.before_redaction(2), hiding.before_redaction(5)), (2, 2, 5));
        assert!(hiding.is_redacted(0, 3) && !hiding.is_redacted(0, 2) && !source.is_redacted(0, 11));
        assert_eq!(hiding.position(8), source.position(8));
    }

    #[test]
    fn invalid_bytes_do_not_move_positions() {
        let source = Source::new("f", b"a\xff\xfe\nb\xc3\xa9c".to_vec());
        assert_eq!((source.text(), source.bytes().len()), ("a??\nb\u{e9}c", 8));
        assert!(!source.content().is_text());
        assert_eq!(source.position(7), Position { line: 2, column: 3 });
    }

    proptest! {
        #[test]
        fn a_span_is_always_moved_inside(text in "[a\u{e9}\u{1f600}\r\n]{0,20}", start: u32, end: u32, near in 0u32..90) {
            let source = Source::new("f", text.as_str());
            for span in [Span { start, end }, Span { start: near, end }, Span { start: near, end: near / 2 }] {
                let span = source.clamp(span);
                prop_assert!(source.text().get(span.range()).is_some());
                prop_assert_eq!(source.clamp(span), span);
            }
        }

        #[test]
        fn an_offset_survives_the_way_there_and_back(text in "[a\u{e9}\u{1f600}\n]{0,20}", offset in 0usize..90) {
            let source = Source::new("f", text.as_str());
            let Position { line, column } = source.position(offset);
            prop_assert_eq!(source.offset(line, column), source.clamp(Span::at(offset)).range().start);
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
