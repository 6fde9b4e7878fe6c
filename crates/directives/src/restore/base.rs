//! What a directive will find in the changed document.

use hieratic_document::tree::{Content, Entry, Item, Node};
use hieratic_value::Value;

use super::plan::Planner;
use super::same::same;
use crate::Directive;

/// What a directive will find.
pub(super) enum Base {
    Node(Node),
    /// Nothing, and that is no error.
    Nothing,
    /// Nothing any more: the directive has to go.
    Gone,
}

impl Planner<'_> {
    pub(super) fn base(&self, path: &[Value], entry: &Entry, directive: &Directive) -> Base {
        let recorded = self.targets.get(&(path.to_vec(), entry.key.to_text()));
        let as_recorded = || match recorded {
            Some(Some(node)) => Base::Node(node.clone()),
            Some(None) => Base::Nothing,
            None => Base::Gone,
        };
        let is_raw = entry.node().as_str() == Some("raw");
        if !self.first || is_raw || directive.include.is_some() || directive.anchor.is_some() {
            return as_recorded();
        }
        let target = target_path(path, directive);
        let Some(before) = lookup_node(self.expanded, &target) else { return as_recorded() };
        // Only where the target is what stands there will it be what stands there afterwards.
        if !recorded.is_some_and(|node| node.as_ref().is_some_and(|node| same(node, &before.to_value()))) {
            return as_recorded();
        }
        match lookup_value(self.changed, &target) {
            Some(value) if same(before, value) => as_recorded(),
            Some(value) => Base::Node(Node::from_value(value)),
            None if directive.optional => Base::Nothing,
            None => Base::Gone,
        }
    }
}

/// The path that a directive without a name refers to.
pub(super) fn target_path(path: &[Value], directive: &Directive) -> Vec<Value> {
    let kept = match directive.dots {
        0 => 0,
        dots => path.len().saturating_sub(dots - 1),
    };
    let pointer = directive.pointer.iter().map(|segment| Value::from(segment.as_str()));
    path[..kept].iter().cloned().chain(pointer).collect()
}

fn index(segment: &Value, length: usize) -> Option<usize> {
    let number: i64 = segment.to_text().trim().parse().ok()?;
    let at = if number < 0 { number + i64::try_from(length).ok()? } else { number };
    usize::try_from(at).ok()
}

fn lookup_node<'n>(root: &'n Node, path: &[Value]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, segment| match node.content() {
        Content::Map(map) => map.get(&segment.to_text()).map(Item::node),
        Content::List(items) => items.get(index(segment, items.len())?).map(Item::node),
        Content::Scalar(_) => None,
    })
}

fn lookup_value<'v>(root: &'v Value, path: &[Value]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, segment| match value {
        Value::Hash(hash) => hash.get(&segment.to_text()),
        Value::Array(elements) => elements.get(index(segment, elements.len())?),
        _ => None,
    })
}
