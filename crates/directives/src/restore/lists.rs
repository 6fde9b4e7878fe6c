//! Lists: which item of the document becomes which item of the changed list.
//!
//! An item of the document may give several items of the list (a directive that refers to a list), or none. A directive
//! stays as long as all it gives stands together in the changed list; other items keep their text, also where they
//! move.

use std::collections::VecDeque;

use hieratic_document::edit::{Change, Slot};
use hieratic_document::tree::{Content, Item, Map, Node};
use hieratic_value::Value;

use super::plan::{Base, Planner, directive};
use super::same::same;
use crate::merge::{Strategy, strategy_of};

/// An item as it is written, and what it will give.
struct Segment {
    gives: Vec<Node>,
    /// A directive that gives the items of a list.
    spliced: bool,
}

/// What an item of the changed list is made of.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// Of an item that is written and gives just it.
    Item(usize),
    /// Of the first item that a directive gives, or of a further one.
    Spliced(usize, usize),
    New,
}

impl Planner<'_> {
    pub(super) fn list(
        &mut self,
        items: &[Item],
        path: &mut Vec<Value>,
        want: &[Value],
        was: Option<&[Item]>,
    ) -> Option<Change> {
        let segments = self.segments(items, path, was);
        let mut sources = align(&segments, want);
        keep_whole_splices(&segments, &mut sources);
        let edited = pair(&segments, want, &mut sources);
        move_equal(&segments, want, &mut sources);
        let mut slots = VecDeque::new();
        for (at, (source, want)) in sources.iter().zip(want).enumerate() {
            match *source {
                Source::New => slots.push_back(Slot::New(want.clone())),
                Source::Spliced(segment, 0) => slots.push_back(Slot::Old(segment, None)),
                Source::Spliced(..) => {}
                Source::Item(segment) => {
                    let Some(item) = items.get(segment) else { continue };
                    let was = segments.get(segment).and_then(|segment| segment.gives.first());
                    path.push(index(segment));
                    let changed = edited.contains(&at) || self.differs(item, was, want);
                    let change = if changed { self.node(item, path, want, was) } else { None };
                    path.pop();
                    slots.push_back(Slot::Old(segment, change));
                }
            }
        }
        keep_empty(&segments, &mut slots);
        let stays = slots.len() == items.len()
            && slots.iter().enumerate().all(|(at, slot)| matches!(slot, Slot::Old(old, None) if *old == at));
        (!stays).then(|| Change::List(slots.into()))
    }

    /// Whether an item may have to change although it gives what is wanted: what it refers to may change.
    fn differs(&self, item: &Item, was: Option<&Node>, want: &Value) -> bool {
        item.is_alias()
            || item.node().anchor().is_some()
            || item.node().has_plus_keys()
            || !was.is_some_and(|was| same(was, want))
    }

    fn segments(&self, items: &[Item], path: &mut Vec<Value>, was: Option<&[Item]>) -> Vec<Segment> {
        let mut before: VecDeque<Node> = was.unwrap_or_default().iter().map(|item| item.node().clone()).collect();
        let mut segments = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            path.push(index(at));
            segments.push(self.segment(item, path, &mut before));
            path.pop();
        }
        segments
    }

    fn segment(&self, item: &Item, path: &[Value], before: &mut VecDeque<Node>) -> Segment {
        let map = item.node().as_map();
        let none = Segment { gives: Vec::new(), spliced: false };
        if map.and_then(strategy_of) == Some(Strategy::Whiteout) {
            return none;
        }
        let only = map.and_then(|map| Some((map.entries().first()?, map.len() == 1)));
        if let Some((entry, true)) = only
            && let Some(directive) = directive(entry)
        {
            // What it gave before is taken off, what it will give is kept.
            let recorded = self.targets.get(&(path.to_vec(), entry.key.to_text())).cloned().flatten();
            let gave = match recorded.as_ref().map(Node::content) {
                Some(Content::List(items)) => items.len(),
                Some(_) => 1,
                // A file that is not there counts as an empty map.
                None => usize::from(directive.include.is_some()),
            };
            before.drain(..gave.min(before.len()));
            if self.inline.contains(path) {
                return Segment { gives: Vec::new(), spliced: true };
            }
            return match self.base(path, entry, &directive) {
                Base::Node(node) => match node.as_list() {
                    Some(items) => {
                        Segment { gives: items.iter().map(|item| item.node().clone()).collect(), spliced: true }
                    }
                    None => Segment { gives: vec![node], spliced: false },
                },
                // A reference that leads nowhere must not stay, unless it may.
                Base::Gone => Segment { gives: Vec::new(), spliced: true },
                Base::Nothing if directive.include.is_some() => {
                    Segment { gives: vec![item.node().with_content(Content::Map(Map::default()))], spliced: false }
                }
                Base::Nothing => none,
            };
        }
        let gives = before.pop_front().unwrap_or_else(|| item.node().clone());
        Segment { gives: vec![gives], spliced: false }
    }
}

fn index(at: usize) -> Value {
    Value::Integer(i64::try_from(at).unwrap_or(i64::MAX))
}

/// Finds the longest row of items that are there already, in order.
fn align(segments: &[Segment], want: &[Value]) -> Vec<Source> {
    let mut given: Vec<(Source, &Node)> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        for (offset, node) in segment.gives.iter().enumerate() {
            let source = if segment.spliced { Source::Spliced(at, offset) } else { Source::Item(at) };
            given.push((source, node));
        }
    }
    let mut sources = vec![Source::New; want.len()];
    let mut start = 0;
    while start < given.len() && start < want.len() && same(given[start].1, &want[start]) {
        sources[start] = given[start].0;
        start += 1;
    }
    let (mut given_end, mut want_end) = (given.len(), want.len());
    while given_end > start && want_end > start && same(given[given_end - 1].1, &want[want_end - 1]) {
        given_end -= 1;
        want_end -= 1;
        sources[want_end] = given[given_end].0;
    }
    let (rows, columns) = (given_end - start, want_end - start);
    // Beyond this size the items between the common beginning and end are paired in order.
    const LARGEST: usize = 4_000_000;
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > LARGEST {
        return sources;
    }
    let mut lengths = vec![0u32; (rows + 1) * (columns + 1)];
    let cell = |row: usize, column: usize| row * (columns + 1) + column;
    let mut equal = vec![false; rows * columns];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let is_equal = same(given[start + row].1, &want[start + column]);
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
            sources[start + column] = given[start + row].0;
            row += 1;
            column += 1;
        } else if lengths[cell(row + 1, column)] >= lengths[cell(row, column + 1)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    sources
}

/// A directive stays only if all that it gives stands together.
fn keep_whole_splices(segments: &[Segment], sources: &mut [Source]) {
    let mut at = 0;
    while at < sources.len() {
        let Source::Spliced(segment, _) = sources[at] else {
            at += 1;
            continue;
        };
        let run =
            sources[at..].iter().take_while(|source| matches!(source, Source::Spliced(s, _) if *s == segment)).count();
        let length = segments.get(segment).map_or(0, |segment| segment.gives.len());
        let whole = run == length && (0..run).all(|offset| sources[at + offset] == Source::Spliced(segment, offset));
        if !whole {
            sources[at..at + run].fill(Source::New);
        }
        at += run;
    }
}

/// Between items that stay, an item that goes becomes the one that comes if both are of a kind; tells which.
fn pair(segments: &[Segment], want: &[Value], sources: &mut [Source]) -> Vec<usize> {
    let mut paired = Vec::new();
    let mut at = 0;
    let mut next_segment = 0;
    while at <= sources.len() {
        let until = sources[at..].iter().position(|source| *source != Source::New).map_or(sources.len(), |n| at + n);
        let last_segment = match sources.get(until) {
            Some(Source::Item(segment) | Source::Spliced(segment, _)) => *segment,
            _ => segments.len(),
        };
        let free = |segment: &usize, sources: &[Source]| {
            !sources.contains(&Source::Item(*segment))
                && segments.get(*segment).is_some_and(|segment| !segment.spliced && segment.gives.len() == 1)
        };
        let mut candidates = (next_segment..last_segment).filter(|s| free(s, sources)).collect::<VecDeque<_>>();
        for place in at..until {
            let Some(position) = candidates.iter().position(|segment| {
                segments.get(*segment).and_then(|s| s.gives.first()).is_some_and(|node| of_a_kind(node, &want[place]))
            }) else {
                continue;
            };
            // Those before it are left for nobody, so that the order stays.
            candidates.drain(..position);
            if let Some(segment) = candidates.pop_front() {
                sources[place] = Source::Item(segment);
                paired.push(place);
            }
        }
        next_segment = next_segment.max(last_segment.saturating_add(1)).min(segments.len());
        at = until + 1;
    }
    paired
}

fn of_a_kind(node: &Node, want: &Value) -> bool {
    matches!((node.content(), want), (Content::Map(_), Value::Hash(_)) | (Content::List(_), Value::Array(_)))
        || (node.as_scalar().is_some() && !matches!(want, Value::Hash(_) | Value::Array(_)))
}

/// An item that is equal to one that went has moved.
fn move_equal(segments: &[Segment], want: &[Value], sources: &mut [Source]) {
    let mut free: Vec<usize> = (0..segments.len())
        .filter(|at| !segments[*at].spliced && segments[*at].gives.len() == 1 && !sources.contains(&Source::Item(*at)))
        .collect();
    for at in 0..sources.len() {
        if sources[at] != Source::New || free.is_empty() {
            continue;
        }
        if let Some(position) = free.iter().position(|segment| same(&segments[*segment].gives[0], &want[at])) {
            sources[at] = Source::Item(free.remove(position));
        }
    }
}

/// Puts the items that give nothing, and may stay, behind those that they stood behind.
fn keep_empty(segments: &[Segment], slots: &mut VecDeque<Slot>) {
    let empty = segments.iter().enumerate().filter(|(_, segment)| segment.gives.is_empty() && !segment.spliced);
    for (at, _) in empty {
        let before = slots.iter().rposition(|slot| matches!(slot, Slot::Old(old, _) if *old < at));
        slots.insert(before.map_or(0, |before| before + 1), Slot::Old(at, None));
    }
}
