//! [`Source`]: a text with a name, and places in it.

use std::sync::Arc;

/// A text with a name; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Source {
    /// A source.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// The name, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte at a line and column; the nearest there is, if the source ends before.
    pub fn offset(&self, line: u32, column: u32) -> usize {
        let mut start = 0;
        for _ in 1..line {
            match self.text[start..].find('\n') {
                Some(end) => start += end + 1,
                None => return self.text.len(),
            }
        }
        let text = self.text[start..].split('\n').next().unwrap_or("");
        let within = text.char_indices().nth(column.saturating_sub(1) as usize).map_or(text.len(), |(at, _)| at);
        start + within
    }

    /// The line and column of a byte.
    pub fn place(&self, offset: usize) -> Place {
        let before = &self.text[..self.boundary(offset)];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(column) }
    }

    /// The span moved to where the source really has characters.
    pub fn clamp(&self, span: Span) -> Span {
        let start = self.boundary(span.start);
        Span { start, end: self.boundary(span.end).max(start) }
    }

    /// The nearest start of a character at or before a byte.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
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
        assert_eq!(source.offset(9, 9), 7);
    }

    proptest! {
        #[test]
        fn any_span_is_clamped(text in ".{0,20}", start: usize, end: usize) {
            let source = Source::new("f", text.as_str());
            let span = source.clamp(Span { start, end });
            prop_assert!(source.text().get(span.start..span.end).is_some());
            let place = source.place(start);
            prop_assert!(source.offset(place.line, place.column) <= source.text().len());
        }
    }
}
