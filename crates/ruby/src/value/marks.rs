//! [`Marks`]: the parts of a string that were computed from secrets.

use std::ops::Range;
use std::rc::Rc;

/// The minimum length of a part that is reported to the host: shorter ones occur at random in any string.
pub(crate) const MIN_REPORTED: usize = 4;

/// The maximum gap between parts that are reported together if one of them is too short to be reported alone, such as
/// letters that were put together again.
const MAX_GAP: usize = 3;

/// The maximum number of parts of a string. Beyond it, all parts are replaced by one that spans them.
const MAX_PARTS: usize = 4_096;

/// An array or a hash that may contain marked strings or collections.
pub(crate) const HOLDS: u8 = 1;

/// An array or a hash whose numbers and symbols were computed from secrets.
pub(crate) const NUMBERS: u8 = 2;

/// A collection that contains such collections.
pub(crate) const DEEP: u8 = 4;

/// The byte ranges of a string that were computed from secrets, in order and disjoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks(Option<Rc<Vec<Range<usize>>>>);

impl Marks {
    /// Creates the marks of a string whose `length` bytes are all marked.
    pub fn whole(length: usize) -> Marks {
        let mut marks = Marks::default();
        marks.add(0..length);
        marks
    }

    /// Creates marks from byte ranges, in any order.
    pub fn from_ranges(mut parts: Vec<Range<usize>>) -> Marks {
        parts.retain(|part| !part.is_empty());
        parts.sort_unstable_by_key(|part| (part.start, part.end));
        let mut marks = Marks::default();
        for part in parts {
            marks.add(part);
        }
        marks
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the marked byte ranges in order.
    pub fn parts(&self) -> &[Range<usize>] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Returns whether all of a string of `length` bytes is marked.
    pub fn covers_all(&self, length: usize) -> bool {
        let mut end = 0;
        for part in self.parts() {
            if part.start > end {
                return false;
            }
            end = end.max(part.end);
        }
        end >= length && length > 0
    }

    /// Adds a range that does not begin before the last one.
    pub fn add(&mut self, part: Range<usize>) {
        if part.is_empty() {
            return;
        }
        let parts = Rc::make_mut(self.0.get_or_insert_default());
        let (first, is_full) = (parts.first().map_or(0, |first| first.start), parts.len() >= MAX_PARTS);
        match parts.last_mut() {
            Some(last) if part.start < last.end => last.end = last.end.max(part.end),
            Some(last) if is_full => {
                *last = first..part.end;
                parts.drain(..parts.len() - 1);
            }
            _ => parts.push(part),
        }
    }

    /// Adds the marks of a string that begins at the offset `by`.
    pub fn add_all(&mut self, others: &Marks, by: usize) {
        for part in others.parts() {
            self.add(part.start + by..part.end + by);
        }
    }

    /// Returns the marks of a part of the string, relative to its start.
    pub fn within(&self, range: &Range<usize>) -> Marks {
        let parts = self.parts();
        let first = parts.partition_point(|part| part.end <= range.start);
        let mut marks = Marks::default();
        for part in parts[first..].iter().take_while(|part| part.start < range.end) {
            marks.add(part.start.max(range.start) - range.start..part.end.min(range.end) - range.start);
        }
        marks
    }

    /// Returns the ranges to report to the host: each long range, and groups of neighbouring ranges that include a
    /// short one, because they may be fragments of one secret.
    pub fn reportable(&self) -> Vec<Range<usize>> {
        let is_long = |part: &Range<usize>| part.len() >= MIN_REPORTED;
        let parts = self.parts();
        let mut ranges: Vec<Range<usize>> = parts.iter().filter(|part| is_long(part)).cloned().collect();
        let mut rest = parts;
        while let Some(first) = rest.first() {
            let count =
                1 + rest.windows(2).take_while(|two| two[1].start - two[0].end.min(two[1].start) <= MAX_GAP).count();
            let (run, after) = rest.split_at(count);
            rest = after;
            let all = first.start..run.last().map_or(first.end, |last| last.end);
            if run.len() > 1 && is_long(&all) && !run.iter().all(is_long) {
                ranges.push(all);
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    fn marks(parts: &[(usize, usize)]) -> Marks {
        Marks::from_ranges(parts.iter().map(|(start, end)| *start..*end).collect())
    }

    #[test]
    fn adjacent_letters_are_reported_as_one_range() {
        let letters = marks(&[(0, 1), (1, 2), (3, 4), (20, 22)]);
        assert_eq!(letters.reportable(), std::iter::once(0..4).collect::<Vec<_>>());
        assert_eq!(marks(&[(0, 8), (9, 17)]).reportable(), [0..8, 9..17]);
        assert_eq!(marks(&[(0, 8), (8, 9)]).reportable(), [0..8, 0..9]);
    }

    #[test]
    fn a_slice_has_the_overlapping_marks() {
        let marks = marks(&[(2, 4), (6, 9)]);
        assert_eq!(marks.within(&(3..7)).parts(), [0..1, 3..4]);
        assert!(marks.within(&(4..6)).is_empty());
        assert!(!marks.covers_all(9) && super::Marks::whole(9).covers_all(9));
    }

    #[test]
    fn too_many_parts_are_merged() {
        let mut many = Marks::default();
        (0..10_000).for_each(|at| many.add(at * 10..at * 10 + 1));
        assert!(many.parts().len() <= super::MAX_PARTS);
        assert_eq!(many.parts().last().map(|part| part.end), Some(99_991));
    }
}
