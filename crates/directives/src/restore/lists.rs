//! Restores lists: assigns items of the source to items of the changed list.
//!
//! An item of the source may expand to several items of the list (a directive that refers to a list), or to none. A
//! directive stays if all its items are adjacent in the changed list. Other items keep their text, even if they move.

use std::collections::VecDeque;

use hieratic_value::Value;
use hieratic_yaml_edit::tree::{Content, Item, Map, Node};
use hieratic_yaml_edit::{Change, Slot};

use super::align::{Alignment, ItemSource, Segment};
use super::base::Base;
use super::comparison::same;
use super::plan::{Planner, directive};
use crate::merge::{Strategy, strategy_of};

impl Planner<'_> {
    pub(super) fn list(
        &mut self,
        items: &[Item],
        path: &mut Vec<Value>,
        target: &[Value],
        was: Option<&[Item]>,
    ) -> Option<Change> {
        let segments = self.segments(items, path, was);
        let mut slots = Vec::new();
        for (source, target) in Alignment::align(&segments, target).iter().zip(target) {
            match *source {
                ItemSource::New => slots.push(Slot::New(target.clone())),
                ItemSource::Spliced(segment, 0) => slots.push(Slot::Old(segment, None)),
                ItemSource::Spliced(..) => {}
                ItemSource::Item(segment) => {
                    let Some(item) = items.get(segment) else { continue };
                    let was = segments.get(segment).and_then(|segment| segment.gives.first());
                    path.push(index(segment));
                    let change =
                        if self.differs(item, was, target) { self.node(item, path, target, was) } else { None };
                    path.pop();
                    slots.push(Slot::Old(segment, change));
                }
            }
        }
        let slots = with_empty(&segments, slots);
        let stays = slots.len() == items.len()
            && slots.iter().enumerate().all(|(at, slot)| matches!(slot, Slot::Old(old, None) if *old == at));
        (!stays).then_some(Change::List(slots))
    }

    /// Returns whether an item may have to change although it expands to the wanted value: its references may change.
    fn differs(&self, item: &Item, was: Option<&Node>, target: &Value) -> bool {
        item.is_alias()
            || item.node().has_anchors()
            || item.node().has_plus_keys()
            || !was.is_some_and(|was| same(was, target))
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
        let map = item.node().as_map().filter(|_| self.in_data == 0);
        let none = Segment { gives: Vec::new(), spliced: false };
        if map.and_then(strategy_of) == Some(Strategy::Whiteout) {
            return none;
        }
        let only = map.and_then(|map| Some((map.entries().first()?, map.len() == 1)));
        if let Some((entry, true)) = only
            && let Some(directive) = directive(entry)
        {
            // The items before the change are consumed, those after it are kept.
            let recorded = self.targets.get(&(path.to_vec(), entry.key.to_text())).cloned().flatten();
            let gave = match recorded.as_ref().map(Node::content) {
                Some(Content::List(items)) => items.len(),
                Some(_) => 1,
                // A missing file counts as an empty map.
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
    Value::from(at)
}

/// Inserts the items that expand to nothing, and may stay, after the items that they followed.
fn with_empty(segments: &[Segment], slots: Vec<Slot>) -> Vec<Slot> {
    let empty = segments.iter().enumerate().filter(|(_, segment)| segment.gives.is_empty() && !segment.spliced);
    let mut empty = empty.map(|(at, _)| at).peekable();
    if empty.peek().is_none() {
        return slots;
    }
    // Each is inserted after the last slot whose item came before it. `old` has the positions of the slots in the order
    // of the source.
    let mut old: Vec<(usize, usize)> = Vec::new();
    for (place, slot) in slots.iter().enumerate() {
        if let Slot::Old(at, _) = slot {
            old.push((*at, place));
        }
    }
    old.sort_unstable();
    let mut old = old.into_iter().peekable();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); slots.len() + 1];
    let mut last = 0;
    for at in empty {
        while let Some((_, place)) = old.next_if(|(before, _)| *before < at) {
            last = last.max(place + 1);
        }
        if let Some(after) = after.get_mut(last) {
            after.push(at);
        }
    }
    let mut after = after.into_iter();
    let mut out = Vec::with_capacity(slots.len());
    let add = |out: &mut Vec<Slot>, empty: Option<Vec<usize>>| {
        out.extend(empty.unwrap_or_default().into_iter().map(|at| Slot::Old(at, None)));
    };
    add(&mut out, after.next());
    for slot in slots {
        out.push(slot);
        add(&mut out, after.next());
    }
    out
}
