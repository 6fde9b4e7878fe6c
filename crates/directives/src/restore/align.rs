//! Assigns items of a source list to items of a changed list.

use std::collections::VecDeque;

use hieratic_value::Value;
use hieratic_value::collections::HashMap;
use hieratic_yaml_edit::tree::{Content, Node};

use super::comparison::{hash_of_node, hash_of_value, same};

/// An item of the source, with the list items that it expands to.
pub(super) struct Segment {
    pub(super) gives: Vec<Node>,
    /// True for a directive that expands to the items of a list.
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
pub(super) enum ItemSource {
    /// An item of the source that expands to this item only.
    Item(usize),
    /// A directive, with the index of the item among those that it expands to.
    Spliced(usize, usize),
    New,
}

/// The sources of a changed list.
pub(super) struct Alignment<'s> {
    segments: &'s [Segment],
    target: &'s [Value],
    /// The hashes of the wanted items, which are compared first because most items differ.
    hashes: Vec<u64>,
    sources: Vec<ItemSource>,
    used: Vec<bool>,
}

/// An item that a list has.
struct ListItem<'s> {
    source: ItemSource,
    node: &'s Node,
    hash: u64,
}

impl<'s> Alignment<'s> {
    /// Finds them: items that stay in their order, then items that change where they stand, then items that move.
    pub(super) fn align(segments: &'s [Segment], target: &'s [Value]) -> Vec<ItemSource> {
        let mut all = Alignment {
            segments,
            target,
            hashes: target.iter().map(hash_of_value).collect(),
            sources: vec![ItemSource::New; target.len()],
            used: vec![false; segments.len()],
        };
        all.align_unchanged();
        all.drop_split_splices();
        all.pair(kind_of_node, kind_of_value);
        all.move_equal();
        // An item that changes its kind keeps its position, and the comment next to it.
        all.pair(|_| ItemKind::Scalar, |_| ItemKind::Scalar);
        all.sources
    }

    fn equals_target(&self, given: &ListItem<'_>, at: usize) -> bool {
        self.hashes.get(at) == Some(&given.hash) && self.target.get(at).is_some_and(|target| same(given.node, target))
    }

    fn set(&mut self, at: usize, source: ItemSource) {
        if let Some(place) = self.sources.get_mut(at) {
            *place = source;
        }
    }

    /// Finds the longest row of items that are there already, in order.
    fn align_unchanged(&mut self) {
        let mut given: Vec<ListItem<'_>> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            for (offset, node) in segment.gives.iter().enumerate() {
                let source = if segment.spliced { ItemSource::Spliced(at, offset) } else { ItemSource::Item(at) };
                given.push(ListItem { source, node, hash: hash_of_node(node) });
            }
        }
        let mut start = 0;
        while start < given.len() && start < self.target.len() && self.equals_target(&given[start], start) {
            self.set(start, given[start].source);
            start += 1;
        }
        let (mut given_end, mut want_end) = (given.len(), self.target.len());
        while given_end > start && want_end > start && self.equals_target(&given[given_end - 1], want_end - 1) {
            given_end -= 1;
            want_end -= 1;
            self.set(want_end, given[given_end].source);
        }
        self.align_middle(&given[start..given_end], start..want_end);
    }

    fn align_middle(&mut self, given: &[ListItem<'_>], target: std::ops::Range<usize>) {
        let (rows, columns) = (given.len(), target.len());
        // Beyond this size nothing between the common beginning and end stays in its order: it changes or moves.
        const MAX_CELLS: usize = 4_000_000;
        if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MAX_CELLS {
            return;
        }
        let mut lengths = vec![0u32; (rows + 1) * (columns + 1)];
        let cell = |row: usize, column: usize| row * (columns + 1) + column;
        let mut equal = vec![false; rows * columns];
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                let is_equal = self.equals_target(&given[row], target.start + column);
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
                self.set(target.start + column, given[row].source);
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
    fn drop_split_splices(&mut self) {
        let sources = &mut self.sources;
        let mut at = 0;
        while at < sources.len() {
            let ItemSource::Spliced(segment, _) = sources[at] else {
                at += 1;
                continue;
            };
            let of_segment =
                |source: &&ItemSource| matches!(source, ItemSource::Spliced(other, _) if *other == segment);
            let run = sources[at..].iter().take_while(of_segment).count();
            let length = self.segments.get(segment).map_or(0, |segment| segment.gives.len());
            let whole =
                run == length && (0..run).all(|offset| sources[at + offset] == ItemSource::Spliced(segment, offset));
            if !whole {
                sources[at..at + run].fill(ItemSource::New);
            }
            at += run;
        }
        for source in sources {
            if let ItemSource::Item(segment) = source
                && let Some(used) = self.used.get_mut(*segment)
            {
                *used = true;
            }
        }
    }

    /// Between unchanged items, pairs removed items with new ones of the same kind, in order.
    fn pair(&mut self, of_node: fn(&Node) -> ItemKind, of_value: fn(&Value) -> ItemKind) {
        let mut at = 0;
        let mut next_segment = 0;
        while at <= self.sources.len() {
            let until = self.sources[at..].iter().position(|source| *source != ItemSource::New);
            let until = until.map_or(self.sources.len(), |length| at + length);
            let last_segment = match self.sources.get(until) {
                Some(ItemSource::Item(segment) | ItemSource::Spliced(segment, _)) => *segment,
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
                let Some(target) = self.target.get(place) else { continue };
                let candidates = candidates.of_kind(of_value(target));
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

    /// Pairs removed items with equal new ones: these have moved.
    fn move_equal(&mut self) {
        let mut free: HashMap<u64, VecDeque<usize>> = HashMap::default();
        for at in 0..self.segments.len() {
            if let Some(node) = self.free(at) {
                free.entry(hash_of_node(node)).or_default().push_back(at);
            }
        }
        if free.is_empty() {
            return;
        }
        for at in 0..self.sources.len() {
            let (Some(ItemSource::New), Some(hash), Some(target)) =
                (self.sources.get(at), self.hashes.get(at), self.target.get(at))
            else {
                continue;
            };
            let Some(candidates) = free.get_mut(hash) else { continue };
            // Equal hashes are almost always equal items; `same` decides.
            let Some(segment) = candidates.front().copied() else { continue };
            if self.free(segment).is_some_and(|node| same(node, target)) {
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
        self.set(place, ItemSource::Item(segment));
        if let Some(used) = self.used.get_mut(segment) {
            *used = true;
        }
    }
}

/// The kinds of items. An item is edited only to one of the same kind.
#[derive(Clone, Copy)]
enum ItemKind {
    Map,
    List,
    Scalar,
}

fn kind_of_node(node: &Node) -> ItemKind {
    match node.content() {
        Content::Map(_) => ItemKind::Map,
        Content::List(_) => ItemKind::List,
        Content::Scalar(_) => ItemKind::Scalar,
    }
}

fn kind_of_value(value: &Value) -> ItemKind {
    match value {
        Value::Hash(_) => ItemKind::Map,
        Value::Array(_) => ItemKind::List,
        _ => ItemKind::Scalar,
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
    fn of_kind(&mut self, kind: ItemKind) -> &mut VecDeque<usize> {
        match kind {
            ItemKind::Map => &mut self.maps,
            ItemKind::List => &mut self.lists,
            ItemKind::Scalar => &mut self.scalars,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source of each wanted item, for lists of numbers.
    fn sources(given: &[i64], target: &[i64]) -> Vec<ItemSource> {
        let single = |number: &i64| Segment { gives: vec![Node::from_value(&Value::from(*number))], spliced: false };
        let segments: Vec<Segment> = given.iter().map(single).collect();
        let target: Vec<Value> = target.iter().map(|number| Value::from(*number)).collect();
        Alignment::align(&segments, &target)
    }

    #[test]
    fn unchanged_items_keep_their_order() {
        use ItemSource::{Item, New};
        assert_eq!(sources(&[1, 2, 3], &[1, 2, 3]), [Item(0), Item(1), Item(2)]);
        assert_eq!(sources(&[1, 2, 3], &[1, 9, 3]), [Item(0), Item(1), Item(2)]);
        assert_eq!(sources(&[1, 2, 3], &[3, 1, 2]), [Item(2), Item(0), Item(1)]);
        assert_eq!(sources(&[1], &[0, 1, 1]), [New, New, Item(0)]);
    }

    #[test]
    fn a_directive_is_kept_whole_or_dropped() {
        let list = |numbers: &[i64]| numbers.iter().map(|number| Node::from_value(&Value::from(*number))).collect();
        let segments = [Segment { gives: list(&[1, 2]), spliced: true }, Segment { gives: list(&[3]), spliced: false }];
        let target = |numbers: &[i64]| numbers.iter().map(|number| Value::from(*number)).collect::<Vec<_>>();
        let whole = [ItemSource::New, ItemSource::Spliced(0, 0), ItemSource::Spliced(0, 1), ItemSource::Item(1)];
        assert_eq!(Alignment::align(&segments, &target(&[0, 1, 2, 3])), whole);
        assert_eq!(Alignment::align(&segments, &target(&[1, 3])), [ItemSource::New, ItemSource::Item(1)]);
    }
}
