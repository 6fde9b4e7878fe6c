//! [`Span`]: a range of bytes in a source.

use std::ops::Range;

/// A range of bytes in a source.
///
/// Any two offsets are allowed: [`Source::clamp`](crate::Source::clamp) moves a span into the source before it is used.
/// Offsets have 32 bits, because every node of every syntax tree has a span. Messages treat a larger source as if it
/// ended at 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` to before `end`.
    ///
    /// ```
    /// # use hieratic_source::Span;
    /// assert_eq!(Span::new(1, usize::MAX), Span { start: 1, end: u32::MAX });
    /// ```
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: saturated(start), end: saturated(end) }
    }

    /// Creates an empty span before a byte.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// Returns the span from the start of this span to the end of another.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    /// Returns the bytes, as a range for slicing. It is empty if the end is before the start.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end.max(self.start) as usize
    }

    /// Returns the first byte, as an index.
    pub fn first(self) -> usize {
        self.start as usize
    }

    /// Returns the offset after the last byte, as an index.
    pub fn behind(self) -> usize {
        self.end as usize
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        self.range().len()
    }

    /// Returns whether the span contains no byte.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns whether a byte is in the span.
    pub fn contains(self, offset: usize) -> bool {
        self.range().contains(&offset)
    }

    /// Returns whether an offset is in the span or directly after it, where the cursor of an editor can be.
    pub fn touches(self, offset: usize) -> bool {
        (self.start as usize..=self.end as usize).contains(&offset)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}

/// The number in 32 bits; the largest there is instead of larger ones.
pub(crate) fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
