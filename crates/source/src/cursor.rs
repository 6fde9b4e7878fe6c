//! [`Cursor`]: converts ascending byte offsets to positions in one pass.

use crate::Position;

/// Converts byte offsets to positions. Offsets may come in any order; ascending ones are fastest, because nothing is
/// read twice. There is no cache. [`Lines`](crate::Lines) is equally fast in any order.
///
/// ```
/// # use hieratic_source::{Cursor, Position};
/// let mut cursor = Cursor::new("é:\n b".as_bytes());
/// assert_eq!(cursor.position(2), Position { line: 1, column: 2 });
/// assert_eq!(cursor.position(5), Position { line: 2, column: 2 });
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    source: &'a [u8],
    offset: usize,
    line_start: usize,
    line: u32,
    column: u32,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the beginning of a source.
    pub fn new(source: &'a [u8]) -> Self {
        Cursor { source, offset: 0, line_start: 0, line: 1, column: 1 }
    }

    /// Returns the position of a byte. A byte inside a character has the position of the character.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        if offset < self.line_start {
            *self = Cursor::new(self.source);
        } else if offset < self.offset {
            let back = self.source[offset..self.offset].iter().filter(|&&byte| !is_continuation(byte)).count();
            self.column = self.column.saturating_sub(u32::try_from(back).unwrap_or(u32::MAX));
            self.offset = offset;
        }
        for (index, &byte) in self.source[self.offset..offset].iter().enumerate() {
            match byte {
                b'\n' => {
                    self.line = self.line.saturating_add(1);
                    self.column = 1;
                    self.line_start = self.offset + index + 1;
                }
                byte if is_continuation(byte) => {}
                _ => self.column = self.column.saturating_add(1),
            }
        }
        self.offset = offset;
        Position { line: self.line, column: self.column }
    }
}

/// Returns whether a byte continues a UTF-8 character.
fn is_continuation(byte: u8) -> bool {
    matches!(byte, 0x80..=0xbf)
}

impl Position {
    /// Returns the position of a single byte. For several bytes of a source, use a [`Cursor`].
    ///
    /// ```
    /// # use hieratic_source::Position;
    /// assert_eq!(Position::at_offset(b"a\nbc", 3), Position { line: 2, column: 2 });
    /// ```
    pub fn at_offset(source: &[u8], offset: usize) -> Position {
        Cursor::new(source).position(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let source = "a\u{e9}b\nc".as_bytes();
        assert_eq!(Position::at_offset(source, 3), Position { line: 1, column: 3 });
        assert_eq!(Position::at_offset(source, 5), Position { line: 2, column: 1 });
        assert_eq!(Position::at_offset(source, 99), Position { line: 2, column: 2 });
    }

    #[test]
    fn going_back_gives_the_same() {
        let source = "a\u{e9}\nc\u{1f600}\nef".as_bytes();
        let mut lines = Cursor::new(source);
        let forth: Vec<_> = (0..=source.len()).map(|offset| lines.position(offset)).collect();
        let back: Vec<_> = (0..=source.len()).rev().map(|offset| lines.position(offset)).collect();
        assert_eq!(forth, back.into_iter().rev().collect::<Vec<_>>());
    }
}
