//! Which item of a document becomes which item of a changed list.

use std::collections::VecDeque;

use hieratic_document::tree::{Content, Node};
use hieratic_hash::HashMap;
use hieratic_value::Value;

use super::same::{same, trace_of_node, trace_of_value};

/// An item of the source, with the list items that it expands to.
pub(super) struct Segment {
    pub(super) gives: Vec<Node>,
    /// A directive that gives the items of a list.
    pub(super) spliced: bool,
}

impl Segment {
    /// Returns the list item, if there is exactly one and it can be edited in the source item.
    fn single(&self) -> Option<&Node> {
        match self.gives.as_slice() {
            [only] if !self.spliced => Some(only),
            _ => None,
        }
    }
}

/// The origin of an item of the changed list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// Of an item that is written and gives just it.
    Item(usize),
    /// Of the first item that a directive gives, or of a further one.
    Spliced(usize, usize),
    New,
}

/// The sources of a changed list.
pub(super) struct Sources<'s> {
    segments: &'s [Segment],
    want: &'s [Value],
    /// The hashes of the wanted items, which are compared first because most items differ.
    traces: Vec<u64>,
    sources: Vec<Source>,
    used: Vec<bool>,
}

/// An item that a list has.
struct Given<'s> {
    source: Source,
    node: &'s Node,
    trace: u64,
}

impl<'s> Sources<'s> {
    /// Finds them: items that stay in their order, then items that change where they stand, then items that move.
    pub(super) fn of(segments: &'s [Segment], want: &'s [Value]) -> Vec<Source> {
        let mut all = Sources {
            segments,
            want,
            traces: want.iter().map(trace_of_value).collect(),
            sources: vec![Source::New; want.len()],
            used: vec![false; segments.len()],
        };
        all.align();
        all.keep_whole_splices();
        all.pair(kind_of_node, kind_of_value);
        all.move_equal();
        // An item that changes its kind keeps its position, and the comment next to it.
        all.pair(|_| Kind::Scalar, |_| Kind::Scalar);
        all.sources
    }

    fn is(&self, given: &Given<'_>, at: usize) -> bool {
        self.traces.get(at) == Some(&given.trace) && self.want.get(at).is_some_and(|want| same(given.node, want))
    }

    fn set(&mut self, at: usize, source: Source) {
        if let Some(place) = self.sources.get_mut(at) {
            *place = source;
        }
    }

    /// Finds the longest row of items that are there already, in order.
    fn align(&mut self) {
        let mut given: Vec<Given<'_>> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            for (offset, node) in segment.gives.iter().enumerate() {
                let source = if segment.spliced { Source::Spliced(at, offset) } else { Source::Item(at) };
                given.push(Given { source, node, trace: trace_of_node(node) });
            }
        }
        let mut start = 0;
        while start < given.len() && start < self.want.len() && self.is(&given[start], start) {
            self.set(start, given[start].source);
            start += 1;
        }
        let (mut given_end, mut want_end) = (given.len(), self.want.len());
        while given_end > start && want_end > start && self.is(&given[given_end - 1], want_end - 1) {
            given_end -= 1;
            want_end -= 1;
            self.set(want_end, given[given_end].source);
        }
        self.align_middle(&given[start..given_end], start..want_end);
    }

    fn align_middle(&mut self, given: &[Given<'_>], want: std::ops::Range<usize>) {
        let (rows, columns) = (given.len(), want.len());
        // Beyond this size nothing between the common beginning and end stays in its order: it changes or moves.
        const LARGEST: usize = 4_000_000;
        if rows == 0 || columns == 0 || rows.saturating_mul(columns) > LARGEST {
            return;
        }
        let mut lengths = vec![0u32; (rows + 1) * (columns + 1)];
        let cell = |row: usize, column: usize| row * (columns + 1) + column;
        let mut equal = vec![false; rows * columns];
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                let is_equal = self.is(&given[row], want.start + column);
                equal[row * columns + column] = is_equal;
                lengths[cell(row, column)] = if is_equal {
                    lengths[cell(row + 1, column + 1)] + 1
                } else {
                    lengths[cell(row + 1, column)].max(lengths[cell(row, column + 1)])
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < rows && column < columns {
            if equal[row * columns + column] {
                self.set(want.start + column, given[row].source);
                row += 1;
                column += 1;
            } else if lengths[cell(row + 1, column)] >= lengths[cell(row, column + 1)] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }

    /// Drops a directive unless all its items are adjacent in the changed list.
    fn keep_whole_splices(&mut self) {
        let sources = &mut self.sources;
        let mut at = 0;
        while at < sources.len() {
            let Source::Spliced(segment, _) = sources[at] else {
                at += 1;
                continue;
            };
            let of_segment = |source: &&Source| matches!(source, Source::Spliced(other, _) if *other == segment);
            let run = sources[at..].iter().take_while(of_segment).count();
            let length = self.segments.get(segment).map_or(0, |segment| segment.gives.len());
            let whole =
                run == length && (0..run).all(|offset| sources[at + offset] == Source::Spliced(segment, offset));
            if !whole {
                sources[at..at + run].fill(Source::New);
            }
            at += run;
        }
        for source in sources {
            if let Source::Item(segment) = source
                && let Some(used) = self.used.get_mut(*segment)
            {
                *used = true;
            }
        }
    }

    /// Between items that stay, an item that goes becomes the one that comes if both are of a kind.
    fn pair(&mut self, of_node: fn(&Node) -> Kind, of_value: fn(&Value) -> Kind) {
        let mut at = 0;
        let mut next_segment = 0;
        while at <= self.sources.len() {
            let until = self.sources[at..].iter().position(|source| *source != Source::New);
            let until = until.map_or(self.sources.len(), |length| at + length);
            let last_segment = match self.sources.get(until) {
                Some(Source::Item(segment) | Source::Spliced(segment, _)) => *segment,
                _ => self.segments.len(),
            };
            let mut candidates = Candidates::default();
            for segment in next_segment..last_segment {
                if let Some(node) = self.free(segment) {
                    candidates.of_kind(of_node(node)).push_back(segment);
                }
            }
            let mut last = None;
            for place in at..until {
                let Some(want) = self.want.get(place) else { continue };
                let candidates = candidates.of_kind(of_value(want));
                // Candidates before a used one stay unused, so that the order is preserved.
                while candidates.front().is_some_and(|segment| last.is_some_and(|last| *segment < last)) {
                    candidates.pop_front();
                }
                if let Some(segment) = candidates.pop_front() {
                    last = Some(segment);
                    self.take(place, segment);
                }
            }
            next_segment = next_segment.max(last_segment.saturating_add(1)).min(self.segments.len());
            at = until + 1;
        }
    }

    /// An item that is equal to one that went has moved.
    fn move_equal(&mut self) {
        let mut free: HashMap<u64, VecDeque<usize>> = HashMap::default();
        for at in 0..self.segments.len() {
            if let Some(node) = self.free(at) {
                free.entry(trace_of_node(node)).or_default().push_back(at);
            }
        }
        if free.is_empty() {
            return;
        }
        for at in 0..self.sources.len() {
            let (Some(Source::New), Some(trace), Some(want)) =
                (self.sources.get(at), self.traces.get(at), self.want.get(at))
            else {
                continue;
            };
            let Some(candidates) = free.get_mut(trace) else { continue };
            // Equal hashes are almost always equal items; `same` decides.
            let Some(segment) = candidates.front().copied() else { continue };
            if self.free(segment).is_some_and(|node| same(node, want)) {
                candidates.pop_front();
                self.take(at, segment);
            }
        }
    }

    /// Returns the single item of a segment that is not used yet.
    fn free(&self, segment: usize) -> Option<&'s Node> {
        let is_used = self.used.get(segment).copied().unwrap_or(true);
        self.segments.get(segment).filter(|_| !is_used).and_then(Segment::single)
    }

    fn take(&mut self, place: usize, segment: usize) {
        self.set(place, Source::Item(segment));
        if let Some(used) = self.used.get_mut(segment) {
            *used = true;
        }
    }
}

/// The kinds of items. An item is edited only to one of the same kind.
#[derive(Clone, Copy)]
enum Kind {
    Map,
    List,
    Scalar,
}

fn kind_of_node(node: &Node) -> Kind {
    match node.content() {
        Content::Map(_) => Kind::Map,
        Content::List(_) => Kind::List,
        Content::Scalar(_) => Kind::Scalar,
    }
}

fn kind_of_value(value: &Value) -> Kind {
    match value {
        Value::Hash(_) => Kind::Map,
        Value::Array(_) => Kind::List,
        _ => Kind::Scalar,
    }
}

/// The unused items by kind, in order.
#[derive(Default)]
struct Candidates {
    maps: VecDeque<usize>,
    lists: VecDeque<usize>,
    scalars: VecDeque<usize>,
}

impl Candidates {
    fn of_kind(&mut self, kind: Kind) -> &mut VecDeque<usize> {
        match kind {
            Kind::Map => &mut self.maps,
            Kind::List => &mut self.lists,
            Kind::Scalar => &mut self.scalars,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source of each wanted item, for lists of numbers.
    fn sources(given: &[i64], want: &[i64]) -> Vec<Source> {
        let single = |number: &i64| Segment { gives: vec![Node::from_value(&Value::from(*number))], spliced: false };
        let segments: Vec<Segment> = given.iter().map(single).collect();
        let want: Vec<Value> = want.iter().map(|number| Value::from(*number)).collect();
        Sources::of(&segments, &want)
    }

    #[test]
    fn what_stays_keeps_its_order_and_the_rest_changes_or_moves() {
        use Source::{Item, New};
        assert_eq!(sources(&[1, 2, 3], &[1, 2, 3]), [Item(0), Item(1), Item(2)]);
        assert_eq!(sources(&[1, 2, 3], &[1, 9, 3]), [Item(0), Item(1), Item(2)]);
        assert_eq!(sources(&[1, 2, 3], &[3, 1, 2]), [Item(2), Item(0), Item(1)]);
        assert_eq!(sources(&[1], &[0, 1, 1]), [New, New, Item(0)]);
    }

    #[test]
    fn a_directive_stays_whole_or_not_at_all() {
        let list = |numbers: &[i64]| numbers.iter().map(|number| Node::from_value(&Value::from(*number))).collect();
        let segments = [Segment { gives: list(&[1, 2]), spliced: true }, Segment { gives: list(&[3]), spliced: false }];
        let want = |numbers: &[i64]| numbers.iter().map(|number| Value::from(*number)).collect::<Vec<_>>();
        let whole = [Source::New, Source::Spliced(0, 0), Source::Spliced(0, 1), Source::Item(1)];
        assert_eq!(Sources::of(&segments, &want(&[0, 1, 2, 3])), whole);
        assert_eq!(Sources::of(&segments, &want(&[1, 3])), [Source::New, Source::Item(1)]);
    }
}
