//! [`Comparer`]: compares two values part by part.
//!
//! Hashes are compared by their keys, arrays as [`arrays`](crate::arrays) describes.

use std::collections::VecDeque;

use hieratic::Value;
use hieratic::value::collections::HashMap;

use crate::arrays::{Element, match_elements};
use crate::diff::{Diff, Side};
use crate::parts::{Arrays, Leaf, Part, PartValue};

/// The leaves of a value as a tree.
pub(crate) enum Tree<'l> {
    Leaf(&'l Leaf),
    Array(Vec<Tree<'l>>),
    Hash(Vec<(&'l Value, Tree<'l>)>),
}

impl<'l> Tree<'l> {
    /// The tree of the leaves of a value; `None` without any.
    pub(crate) fn new(leaves: &'l [Leaf]) -> Option<Tree<'l>> {
        Tree::below(leaves, 0)
    }

    fn below(leaves: &'l [Leaf], depth: usize) -> Option<Tree<'l>> {
        let first = leaves.first()?;
        if first.path.len() <= depth {
            return Some(Tree::Leaf(first));
        }
        let (mut keys, mut children) = (Vec::new(), Vec::new());
        let mut rest = leaves;
        while let Some((first, after)) = rest.split_first() {
            let Some(segment) = first.path.get(depth) else {
                // A leaf that ends here among longer ones has a secret key that looks like another one.
                rest = after;
                continue;
            };
            // Leaves that end at the segment are children by themselves: secret keys look alike.
            let is_together = |leaf: &&Leaf| leaf.path.len() > depth + 1 && leaf.path.get(depth) == Some(segment);
            let count = if is_together(&first) { rest.iter().take_while(is_together).count() } else { 1 };
            let (own, after) = rest.split_at(count);
            rest = after;
            if let Some(child) = Tree::below(own, depth + 1) {
                keys.push(segment);
                children.push(child);
            }
        }
        Some(if first.indexes.has(depth) {
            Tree::Array(children)
        } else {
            Tree::Hash(keys.into_iter().zip(children).collect())
        })
    }

    /// The elements of an array that is not redacted as a whole.
    fn elements(&self) -> Option<&[Tree<'l>]> {
        match self {
            Tree::Array(elements) => Some(elements),
            Tree::Leaf(Leaf { plain: Value::Array(elements), is_redacted: false, .. }) if elements.is_empty() => {
                Some(&[])
            }
            Tree::Leaf(_) | Tree::Hash(_) => None,
        }
    }

    /// The pairs of a hash that is not redacted as a whole.
    fn pairs(&self) -> Option<&[(&'l Value, Tree<'l>)]> {
        match self {
            Tree::Hash(pairs) => Some(pairs),
            Tree::Leaf(Leaf { plain: Value::Hash(pairs), is_redacted: false, .. }) if pairs.is_empty() => Some(&[]),
            Tree::Leaf(_) | Tree::Array(_) => None,
        }
    }

    /// The value, made of something of each leaf.
    fn value(&self, of_leaf: &dyn Fn(&Leaf) -> Value) -> Value {
        match self {
            Tree::Leaf(leaf) => of_leaf(leaf),
            Tree::Array(elements) => elements.iter().map(|element| element.value(of_leaf)).collect(),
            Tree::Hash(pairs) => {
                let pairs = pairs.iter().map(|(key, tree)| ((*key).clone(), tree.value(of_leaf)));
                Value::from(pairs.collect::<hieratic::Hash>())
            }
        }
    }

    fn leaves<'t>(&'t self, found: &mut Vec<&'t Leaf>) {
        match self {
            Tree::Leaf(leaf) => found.push(leaf),
            Tree::Array(elements) => elements.iter().for_each(|element| element.leaves(found)),
            Tree::Hash(pairs) => pairs.iter().for_each(|(_, tree)| tree.leaves(found)),
        }
    }

    /// As an element of an array.
    fn element(&self) -> Element {
        Element { value: self.value(&|leaf| leaf.plain.clone()), identity: self.identity() }
    }

    /// The name or id of a hash that is in an array, if it is a string or a number and no secret.
    fn identity(&self) -> Option<(Value, Value)> {
        const NAMES: [&str; 2] = ["name", "id"];
        let pairs = self.pairs()?;
        NAMES.iter().find_map(|name| {
            let (_, tree) = pairs.iter().find(|(key, _)| key.as_str() == Some(name))?;
            match tree {
                Tree::Leaf(leaf) if !leaf.is_redacted && matches!(leaf.plain, Value::String(_) | Value::Integer(_)) => {
                    Some((Value::from(*name), leaf.plain.clone()))
                }
                _ => None,
            }
        })
    }

    /// As one part: a scalar, or an element of a set.
    fn part_value(&self) -> PartValue {
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        PartValue {
            value: self.value(&|leaf| leaf.value.clone()),
            origin: leaves.first().and_then(|leaf| leaf.origin.clone()),
            is_error: false,
            is_redacted: leaves.iter().any(|leaf| leaf.is_redacted),
        }
    }
}

/// Collects the parts that differ.
pub(crate) struct Comparer {
    arrays: Arrays,
    path: Vec<Value>,
    pub(crate) parts: Vec<Part>,
}

impl Comparer {
    pub(crate) fn new(arrays: Arrays) -> Comparer {
        Comparer { arrays, path: Vec::new(), parts: Vec::new() }
    }

    /// Compares two answers: each is the message of an error, a value, or missing.
    pub(crate) fn compare(&mut self, mut errors: Diff<Option<PartValue>>, trees: Diff<Option<Tree<'_>>>) {
        // A scalar and an error are two states of one part.
        let has_error = errors.as_ref().into_iter().any(Option::is_some);
        for (side, tree) in trees.as_ref().sides() {
            if let Some(leaf @ Tree::Leaf(_)) = tree.as_ref().filter(|_| has_error) {
                *errors.as_mut().side(side) = Some(leaf.part_value());
            }
        }
        if !has_error {
            match (&trees.base, &trees.head) {
                (Some(base), Some(head)) => self.both(base, head),
                (base, head) => self.lone(Diff { base: base.as_ref(), head: head.as_ref() }),
            }
            return;
        }
        let is_shown = errors.as_ref().map(Option::is_some);
        self.parts.push(Part::new(Vec::new(), errors));
        let lone = Diff {
            base: trees.base.as_ref().filter(|_| !is_shown.base),
            head: trees.head.as_ref().filter(|_| !is_shown.head),
        };
        self.lone(lone);
    }

    fn both(&mut self, base: &Tree<'_>, head: &Tree<'_>) {
        if let (Tree::Leaf(one), Tree::Leaf(other)) = (base, head) {
            if one.plain != other.plain {
                let values = Diff { base: Some(base.part_value()), head: Some(head.part_value()) };
                self.parts.push(Part::new(self.path.clone(), values));
            }
        } else if let (Some(one), Some(other)) = (base.elements(), head.elements()) {
            self.of_arrays(Diff { base: one, head: other });
        } else if let (Some(one), Some(other)) = (base.pairs(), head.pairs()) {
            self.of_hashes(one, other);
        } else {
            self.lone(Diff { base: Some(base), head: Some(head) });
        }
    }

    fn of_hashes(&mut self, base: &[(&Value, Tree<'_>)], head: &[(&Value, Tree<'_>)]) {
        let mut others: HashMap<&Value, VecDeque<usize>> = HashMap::default();
        for (index, (key, _)) in head.iter().enumerate() {
            others.entry(*key).or_default().push_back(index);
        }
        let mut is_known = vec![false; head.len()];
        for (key, tree) in base {
            let index = others.get_mut(*key).and_then(VecDeque::pop_front);
            let other = index.and_then(|index| {
                *is_known.get_mut(index)? = true;
                Some(&head.get(index)?.1)
            });
            self.at((*key).clone(), |this| match other {
                Some(other) => this.both(tree, other),
                None => this.lone(Diff { base: Some(tree), head: None }),
            });
        }
        for ((key, tree), is_known) in head.iter().zip(is_known) {
            if !is_known {
                self.at((*key).clone(), |this| this.lone(Diff { base: None, head: Some(tree) }));
            }
        }
    }

    fn of_arrays(&mut self, arrays: Diff<&[Tree<'_>]>) {
        let elements = arrays.map(|trees| trees.iter().map(Tree::element).collect::<Vec<_>>());
        if self.arrays == Arrays::Sets {
            let before = self.parts.len();
            self.of_sets(arrays, &elements);
            // Without a part, the elements are the same in another order.
            if self.parts.len() > before {
                return;
            }
        }
        for found in match_elements(elements.as_ref().map(Vec::as_slice), Arrays::Sequences) {
            let tree = |side: Side, index: usize| arrays.side(side).get(index);
            match (found.index.base, found.index.head) {
                (Some(base), Some(head)) => {
                    let (Some(one), Some(other)) = (tree(Side::Base, base), tree(Side::Head, head)) else { continue };
                    if found.is_moved {
                        let path = |index: usize| [&self.path[..], &[Value::from(index)]].concat();
                        let values = Diff { base: Some(one.part_value()), head: Some(other.part_value()) };
                        self.parts.push(Part { path: path(head), moved_from: Some(path(base)), values });
                    }
                    // One that has moved may have changed as well.
                    self.at(Value::from(head), |this| this.both(one, other));
                }
                (Some(base), None) => {
                    let lone = Diff { base: tree(Side::Base, base), head: None };
                    self.at(Value::from(base), |this| this.lone(lone));
                }
                (None, Some(head)) => {
                    let lone = Diff { base: None, head: tree(Side::Head, head) };
                    self.at(Value::from(head), |this| this.lone(lone));
                }
                (None, None) => {}
            }
        }
    }

    /// The elements of sets: their indexes are not shown.
    fn of_sets(&mut self, arrays: Diff<&[Tree<'_>]>, elements: &Diff<Vec<Element>>) {
        for found in match_elements(elements.as_ref().map(Vec::as_slice), Arrays::Sets) {
            let trees = arrays.zip(found.index).map(|(trees, index)| trees.get(index?));
            if let Diff { base: Some(one), head: Some(other) } = trees {
                let identity = other.identity().map(|(name, value)| {
                    let pairs: hieratic::Hash = [(name, value)].into_iter().collect();
                    Value::from(pairs)
                });
                self.at(identity.unwrap_or(Value::Undef), |this| this.both(one, other));
            } else {
                let values = trees.map(|tree| tree.map(Tree::part_value));
                self.at(Value::Undef, |this| this.parts.push(Part::new(this.path.clone(), values)));
            }
        }
    }

    /// The leaves of elements without an equal on the other side.
    fn lone(&mut self, trees: Diff<Option<&Tree<'_>>>) {
        for (side, tree) in trees.sides() {
            let mut leaves = Vec::new();
            tree.into_iter().for_each(|tree| tree.leaves(&mut leaves));
            for leaf in leaves {
                let mut values = Diff::default();
                *values.as_mut().side(side) = Some(Tree::Leaf(leaf).part_value());
                let below = leaf.path.get(self.path.len()..).unwrap_or_default();
                self.parts.push(Part::new([&self.path[..], below].concat(), values));
            }
        }
    }

    fn at(&mut self, segment: Value, compare: impl FnOnce(&mut Comparer)) {
        self.path.push(segment);
        compare(self);
        self.path.pop();
    }
}
