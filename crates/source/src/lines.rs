//! [`Lines`]: the line starts of a string.

use crate::span::saturated;

/// The line starts of a string. There is one line more than newlines, so an empty string has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(Vec<u32>);

impl Lines {
    /// Finds the line starts.
    ///
    /// ```
    /// # use hieratic_source::Lines;
    /// let lines = Lines::new(b"a\nbc\n");
    /// assert_eq!((lines.count(), lines.start(2), lines.of_byte(3)), (3, 2, 2));
    /// ```
    pub fn new(bytes: &[u8]) -> Lines {
        Lines(std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| saturated(at + 1))).collect())
    }

    /// Returns the number of lines.
    pub fn count(&self) -> u32 {
        saturated(self.0.len())
    }

    /// Returns the line of a byte, counted from 1. Bytes after the end are in the last line.
    pub fn of_byte(&self, offset: usize) -> u32 {
        let offset = saturated(offset);
        saturated(self.0.partition_point(|start| *start <= offset)).max(1)
    }

    /// Returns the offset of the first byte of a line. Lines count from 1. Returns 0 for a line that does not exist.
    pub fn start(&self, line: u32) -> usize {
        self.start_of_line(line).unwrap_or_default()
    }

    /// Returns the offset of the newline that ends a line, or `None` for the last line.
    pub fn newline(&self, line: u32) -> Option<usize> {
        self.start_of_line(line.saturating_add(1)).map(|next| next.saturating_sub(1))
    }

    fn start_of_line(&self, line: u32) -> Option<usize> {
        self.0.get(line.saturating_sub(1) as usize).map(|start| *start as usize)
    }
}
