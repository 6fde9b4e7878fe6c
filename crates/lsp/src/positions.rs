//! [`Lines`]: converts byte offsets to positions of the protocol and back.
//!
//! The protocol counts lines from 0, which end with a newline, a carriage return, or both. Within a line it counts
//! units of an encoding that client and server negotiate.

use hieratic_diagnostics::Span;
use lsp_types::{Position, PositionEncodingKind, Range};

/// The unit of a position's character offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// A byte.
    Utf8,
    /// A unit of UTF-16: every client knows it.
    #[default]
    Utf16,
    /// A character.
    Utf32,
}

impl Encoding {
    /// The first of those that a client offers that is known here, bytes before all others.
    pub(crate) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let offers = |kind: &PositionEncodingKind| offered.is_some_and(|offered| offered.contains(kind));
        if offers(&PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offers(&PositionEncodingKind::UTF32) && !offers(&PositionEncodingKind::UTF16) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    /// Returns the name of the encoding in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, text: &str) -> usize {
        match self {
            _ if text.is_ascii() => text.len(),
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
            Encoding::Utf32 => text.chars().count(),
        }
    }
}

/// The line table of a source. All methods must be called with that source.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<u32>,
    encoding: Encoding,
    /// The number of units before each block of the source, so that a position in a long line is found without counting
    /// the whole line. It is empty if the units are bytes.
    blocks: Vec<u32>,
}

/// The size of a block, in bytes. A block begins with the character at that offset.
const BLOCK_BYTES: usize = 1024;

fn start_of_block(text: &str, block: usize) -> usize {
    let mut start = (block * BLOCK_BYTES).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start
}

impl Lines {
    /// Creates the line table of a source.
    pub(crate) fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(to_u32(at + 1));
            }
        }
        let mut blocks = Vec::new();
        if encoding != Encoding::Utf8 && !text.is_ascii() {
            let mut units = 0;
            for block in 0..=text.len() / BLOCK_BYTES {
                blocks.push(to_u32(units));
                let inside = start_of_block(text, block)..start_of_block(text, block + 1);
                units += encoding.units(text.get(inside).unwrap_or_default());
            }
        }
        Lines { starts, encoding, blocks }
    }

    /// Returns the number of units before an offset, which must be a character boundary.
    fn units_before(&self, text: &str, offset: usize) -> usize {
        let mut block = offset / BLOCK_BYTES;
        if start_of_block(text, block) > offset {
            block -= 1;
        }
        match self.blocks.get(block) {
            None => offset,
            Some(before) => {
                let inside = text.get(start_of_block(text, block)..offset).unwrap_or_default();
                *before as usize + self.encoding.units(inside)
            }
        }
    }

    /// Returns the number of lines.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the span of a line without its line ending; the end of the source for a line after the last.
    pub(crate) fn line(&self, text: &str, line: usize) -> std::ops::Range<usize> {
        let Some(start) = self.starts.get(line) else { return text.len()..text.len() };
        let start = *start as usize;
        let end = self.starts.get(line + 1).map_or(text.len(), |next| *next as usize);
        let whole = text.get(start..end).unwrap_or_default();
        let kept = if self.starts.len() > line + 1 {
            whole.strip_suffix("\r\n").or(whole.strip_suffix(['\n', '\r'])).unwrap_or(whole)
        } else {
            whole
        };
        start..start + kept.len()
    }

    /// The line of a byte, counted from 0.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    /// Returns the position of an offset, which is clamped to the end of the source.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let start = self.starts.get(line).map_or(0, |start| *start as usize);
        let units = self.units_before(text, offset).saturating_sub(self.units_before(text, start));
        Position { line: to_u32(line), character: to_u32(units) }
    }

    /// Returns the offset of a position, which is clamped to the end of its line and of the source.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = self.line(text, position.line as usize);
        if position.line as usize >= self.count() {
            return text.len();
        }
        let target = position.character as usize;
        if self.blocks.is_empty() {
            let mut at = line.start.saturating_add(target).min(line.end);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            return at;
        }
        let target = self.units_before(text, line.start).saturating_add(target);
        // The last block that begins before the position.
        let block = self.blocks.partition_point(|before| *before as usize <= target).saturating_sub(1);
        let start = start_of_block(text, block).max(line.start);
        let mut units = self.units_before(text, start);
        for (at, c) in text.get(start..line.end).unwrap_or_default().char_indices() {
            let width = if self.encoding == Encoding::Utf16 { c.len_utf16() } else { 1 };
            // The middle of a character is its start.
            if units + width > target {
                return start + at;
            }
            units += width;
        }
        line.end
    }

    /// The range of bytes.
    pub(crate) fn range(&self, text: &str, span: Span) -> Range {
        let std::ops::Range { start, end } = span.range();
        Range { start: self.position(text, start), end: self.position(text, end) }
    }

    /// The bytes of a range.
    pub(crate) fn span(&self, text: &str, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }

    /// Returns the length of a part of a line, in units.
    pub(crate) fn units(&self, text: &str) -> u32 {
        to_u32(self.encoding.units(text))
    }
}

/// Returns a line, a column or an index as the protocol counts it. A document that is longer is cut: no editor opens it.
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_are_counted_in_the_negotiated_encoding() {
        let text = "a\u{1f600}b\r\n\u{e9}x\rlast";
        for (encoding, after) in [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
            let lines = Lines::new(text, encoding);
            assert_eq!(lines.count(), 3);
            let b = text.find('b').unwrap();
            assert_eq!(lines.position(text, b), Position { line: 0, character: after });
            assert_eq!(lines.offset(text, Position { line: 0, character: after }), b);
            assert_eq!(lines.offset(text, Position { line: 0, character: 99 }), b + 1);
            assert_eq!(lines.position(text, text.find("last").unwrap()), Position { line: 2, character: 0 });
            assert_eq!(lines.offset(text, Position { line: 9, character: 0 }), text.len());
        }
        // The middle of a surrogate pair.
        assert_eq!(Lines::new(text, Encoding::Utf16).offset(text, Position { line: 0, character: 2 }), 1);
    }

    #[test]
    fn utf8_is_negotiated_if_the_client_supports_it() {
        use PositionEncodingKind as Kind;
        assert_eq!(Encoding::negotiate(None), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(Some(&[Kind::UTF16, Kind::UTF8])), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(Some(&[Kind::UTF32])), Encoding::Utf32);
    }

    #[test]
    fn positions_in_long_lines_equal_a_full_count() {
        let piece = "a\u{e9}b\u{1f600}c\u{301}";
        let text = format!("x\n{}\r\n{}", piece.repeat(700), piece.repeat(300));
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(&text, encoding);
            for (at, _) in text.char_indices() {
                let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                let counted = Position {
                    line: to_u32(text[..at].matches('\n').count()),
                    character: to_u32(encoding.units(&text[start..at])),
                };
                assert_eq!(lines.position(&text, at), counted);
                if !text[at..].starts_with('\n') {
                    assert_eq!(lines.offset(&text, counted), at, "{encoding:?} {counted:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn offsets_survive_the_round_trip(text in "[a\u{e9}\u{1f600}\r\n]{0,30}", offset in 0usize..120) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let lines = Lines::new(&text, encoding);
                let mut at = offset.min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                // There is no position between the two characters of a line ending.
                if text[..at].ends_with('\r') && text[at..].starts_with('\n') {
                    continue;
                }
                prop_assert_eq!(lines.offset(&text, lines.position(&text, at)), at);
            }
        }

        #[test]
        fn any_position_has_an_offset(text in "[a\u{e9}\u{1f600}\r\n]{0,30}", line: u32, character in 0u32..40, near in 0u32..9) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let lines = Lines::new(&text, encoding);
                for line in [line, near] {
                    let offset = lines.offset(&text, Position { line, character });
                    prop_assert!(text.is_char_boundary(offset));
                }
            }
        }
    }
}
