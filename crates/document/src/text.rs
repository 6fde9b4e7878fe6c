//! Lines and columns of byte offsets.

use crate::Position;

/// Finds the position of offsets that are asked for in any order, fastest in rising order.
pub(crate) struct Lines<'a> {
    source: &'a [u8],
    offset: usize,
    line_start: usize,
    line: u32,
    column: u32,
}

impl<'a> Lines<'a> {
    pub fn new(source: &'a [u8]) -> Self {
        Lines { source, offset: 0, line_start: 0, line: 1, column: 1 }
    }

    /// The position of a byte; one inside a character counts as that character.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        if offset < self.line_start {
            *self = Lines::new(self.source);
        } else if offset < self.offset {
            let back = self.source[offset..self.offset].iter().filter(|&&byte| !continues(byte)).count();
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
                byte if continues(byte) => {}
                _ => self.column = self.column.saturating_add(1),
            }
        }
        self.offset = offset;
        Position { line: self.line, column: self.column }
    }
}

/// Whether a byte is a later one of its character.
fn continues(byte: u8) -> bool {
    matches!(byte, 0x80..=0xbf)
}

/// The position of one offset.
pub(crate) fn position(source: &[u8], offset: usize) -> Position {
    Lines::new(source).position(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let source = "a\u{e9}b\nc".as_bytes();
        assert_eq!(position(source, 3), Position { line: 1, column: 3 });
        assert_eq!(position(source, 5), Position { line: 2, column: 1 });
        assert_eq!(position(source, 99), Position { line: 2, column: 2 });
    }

    #[test]
    fn going_back_gives_the_same() {
        let source = "a\u{e9}\nc\u{1f600}\nef".as_bytes();
        let mut lines = Lines::new(source);
        let forth: Vec<_> = (0..=source.len()).map(|offset| lines.position(offset)).collect();
        let back: Vec<_> = (0..=source.len()).rev().map(|offset| lines.position(offset)).collect();
        assert_eq!(forth, back.into_iter().rev().collect::<Vec<_>>());
    }
}
