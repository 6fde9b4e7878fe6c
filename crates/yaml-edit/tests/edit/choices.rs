//! [`Choices`]: decisions drawn from a row of bytes, so that a row that shrinks makes what is drawn simpler.

// Each test uses a part of what can be drawn.
#![allow(dead_code)]

/// The decisions that are left; where the bytes end, the first possibility is taken every time.
pub struct Choices<'b>(std::slice::Iter<'b, u8>);

impl<'b> Choices<'b> {
    /// The decisions of a row of bytes.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices(bytes.iter())
    }

    /// A number below `count`; none is left for 0.
    pub fn below(&mut self, count: usize) -> usize {
        let byte = self.0.next().copied().unwrap_or_default();
        usize::from(byte) % count.max(1)
    }

    /// True in so many of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of several.
    pub fn choose<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// One of several, or nothing if there is none.
    pub fn of_any<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}
