//! Long chains of references: `a` refers to `b`, `b` to `c`, and so on, deeper than the call stack allows.
//!
//! A target that is equal everywhere is expanded once. If targets are expanded in the order of their dependencies, the
//! last of each chain first, the recursion is never deeper than one step.

use hieratic_value::Value;
use hieratic_value::collections::HashSet;
use hieratic_yaml_edit::tree::{Content, Item, Node};

use super::{ActiveInclude, Expander, paths};
use crate::error::DirectiveErrors;
use crate::{Directive, PlusKey};

/// A target with its path.
type Target = (Node, Vec<Value>);

/// A target whose own references are being followed.
struct OpenTarget {
    target: Target,
    references: Vec<Target>,
}

/// Returns the targets of absolute references in a document, each after those that it refers to itself.
pub(super) fn targets_in_order(root: &Node) -> Vec<Target> {
    let mut order = Vec::new();
    let mut seen = HashSet::default();
    let mut open = vec![OpenTarget { target: (root.clone(), Vec::new()), references: references(root, root) }];
    while let Some(top) = open.last_mut() {
        match top.references.pop() {
            Some(target) if target.0.has_plus_keys() && seen.insert(target.0.identity()) => {
                let references = references(root, &target.0);
                open.push(OpenTarget { target, references });
            }
            Some(_) => {}
            None => order.extend(open.pop().map(|followed| followed.target)),
        }
    }
    // The document itself comes last.
    order.pop();
    order
}

/// Returns the targets of the absolute references in an unexpanded node.
fn references(root: &Node, node: &Node) -> Vec<Target> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if !node.has_plus_keys() {
            continue;
        }
        match node.content() {
            Content::Scalar(_) => {}
            Content::List(items) => open.extend(items.iter().map(Item::node)),
            Content::Map(map) => {
                for entry in map.entries() {
                    match entry.name().map(PlusKey::parse) {
                        Some(Ok(PlusKey::Directive(directive))) => found.extend(named(root, &directive)),
                        _ => open.push(entry.node()),
                    }
                }
            }
        }
    }
    found
}

fn named(root: &Node, directive: &Directive) -> Option<Target> {
    if directive.anchor.is_some() || directive.include.is_some() || directive.dots > 0 {
        return None;
    }
    let (mut node, mut path) = (root, Vec::new());
    for segment in &directive.pointer {
        match node.content() {
            Content::Map(map) => {
                node = map.get(segment)?.node();
                path.push(Value::from(segment.as_str()));
            }
            Content::List(items) => {
                let at = paths::list_index(segment, items.len())?;
                node = items.get(at)?.node();
                path.push(paths::index(at));
            }
            Content::Scalar(_) => return None,
        }
    }
    Some((node.clone(), path))
}

impl Expander<'_> {
    /// Expands the targets of a document before they are needed, so that they are known then.
    pub(super) fn expand_targets_first(&mut self) {
        (self.is_stopped, self.is_too_deep) = (false, false);
        self.is_expanding_ahead = true;
        for (node, mut path) in targets_in_order(&self.root.clone()) {
            let target = node.identity();
            self.active.push(ActiveInclude { source: node.source(), span: node.span(), key: String::new(), target });
            let (local, outer) = (self.local, std::mem::take(&mut self.errors));
            let (outcome, missed) = self.expand_counting_misses(&node, &mut path);
            self.active.pop();
            let errors = std::mem::replace(&mut self.errors, outer);
            if self.is_stopped {
                break;
            }
            self.remember(&node, local, &outcome, missed, errors);
        }
        self.is_expanding_ahead = false;
        self.missed = 0;
        // Errors are reported where the targets are used.
        if !self.is_stopped {
            self.errors = DirectiveErrors::default();
            self.warnings = DirectiveErrors::default();
            self.misses_name = false;
        }
    }
}
