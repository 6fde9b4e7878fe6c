//! Predicts the targets of directives in the changed document.

use hieratic_value::Value;
use hieratic_yaml_edit::tree::{Content, Entry, Item, Node};

use super::comparison::{are_same_nodes, same};
use super::plan::Planner;
use crate::Directive;

/// The target of a directive in the changed document.
pub(super) enum Base {
    Node(Node),
    /// No target, which is not an error.
    Nothing,
    /// The target is gone: the directive has to be removed.
    Gone,
}

impl Planner<'_> {
    pub(super) fn base(&self, path: &[Value], entry: &Entry, directive: &Directive) -> Base {
        let as_recorded = || match self.targets.get(&(path.to_vec(), entry.key.to_text())) {
            Some(Some(node)) => Base::Node(node.clone()),
            Some(None) => Base::Nothing,
            None => Base::Gone,
        };
        match self.predicted_target(path, entry, directive) {
            None => as_recorded(),
            Some(Some(value)) => Base::Node(Node::from_value(value)),
            // Also of an optional reference nothing is left: the reference program would take its map out.
            Some(None) => Base::Gone,
        }
    }

    /// Returns the target of a directive before the change.
    pub(super) fn recorded(&self, path: &[Value], entry: &Entry) -> Option<Node> {
        self.targets.get(&(path.to_vec(), entry.key.to_text())).cloned().flatten()
    }

    /// Returns whether the change leaves the target of a directive unchanged.
    pub(super) fn keeps_target(&self, path: &[Value], entry: &Entry, directive: &Directive) -> bool {
        self.predicted_target(path, entry, directive).is_none()
            && !self.unexpanded_target_changes(path, entry, directive)
    }

    /// Returns whether a directive takes its target unexpanded, and the expansion of that changes.
    fn unexpanded_target_changes(&self, path: &[Value], entry: &Entry, directive: &Directive) -> bool {
        entry.node().as_str() == Some("raw")
            && self.place(path, directive).is_some_and(|target| {
                match (lookup_node(self.expanded, &target), lookup_value(self.changed, &target)) {
                    (Some(before), Some(value)) => !same(before, value),
                    _ => false,
                }
            })
    }

    /// Returns the path of the target, if it is in this document.
    fn place(&self, path: &[Value], directive: &Directive) -> Option<Vec<Value>> {
        if !self.first || directive.include.is_some() {
            return None;
        }
        match &directive.anchor {
            // For a directive inside its map, `+&` names the unexpanded keys.
            Some(name) => Some(below(self.names.get(name)?, directive)).filter(|target| !path.starts_with(target)),
            None => Some(target_path(path, directive)),
        }
    }

    /// Returns the target after the change, with `Some(None)` if it is gone; `None` if it is unchanged.
    fn predicted_target(&self, path: &[Value], entry: &Entry, directive: &Directive) -> Option<Option<&Value>> {
        let target = self.place(path, directive)?;
        let before = lookup_node(self.expanded, &target)?;
        if entry.node().as_str() == Some("raw") {
            let Some(value) = lookup_value(self.changed, &target) else { return Some(None) };
            if same(before, value) {
                return None;
            }
            match lookup_node(self.root, &target) {
                // Without directives, the source is equal to its expansion.
                Some(written) if !written.has_plus_keys() => {}
                // The source after the change is not known yet. If the new value is not a map, however, it has no
                // directives.
                Some(written) if written.as_map().is_some() && value.as_hash().is_none() => return Some(Some(value)),
                _ => return None,
            }
        }
        let recorded = self.targets.get(&(path.to_vec(), entry.key.to_text()))?.as_ref()?;
        let changed = lookup_value(self.changed, &target);
        // The target is predicted from the changed document only if it is the expansion at its path.
        if changed.is_some() && !are_same_nodes(recorded, before) {
            return None;
        }
        match changed {
            Some(value) if same(before, value) => None,
            new => Some(new),
        }
    }
}

/// The path that a directive without a name refers to.
pub(super) fn target_path(path: &[Value], directive: &Directive) -> Vec<Value> {
    let kept = match directive.dots {
        0 => 0,
        dots => path.len().saturating_sub(dots - 1),
    };
    below(&path[..kept], directive)
}

/// The path of a directive from where it begins.
fn below(start: &[Value], directive: &Directive) -> Vec<Value> {
    let pointer = directive.pointer.iter().map(|segment| Value::from(segment.as_str()));
    start.iter().cloned().chain(pointer).collect()
}

fn index(segment: &Value, length: usize) -> Option<usize> {
    let number: i64 = segment.to_text().trim().parse().ok()?;
    let at = if number < 0 { number + i64::try_from(length).ok()? } else { number };
    usize::try_from(at).ok()
}

pub(super) fn lookup_node<'n>(root: &'n Node, path: &[Value]) -> Option<&'n Node> {
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
