//! [`Part`]: the parts of two answers that differ.

use hieratic::lookup::{Object, Origin, PathStep, visit_leaves};
use hieratic::value::Value;
use hieratic::{Error, Node, Query, Redactor};

use crate::diff::Diff;
use crate::trees::{Comparer, Tree};

/// A part of a value that differs between base and head.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The path of the part: keys and indexes, in the head if it is there. It is empty for the value itself. Elements
    /// of sets have no index: their segment is null, or a hash with the name or id of the element.
    pub path: Vec<Value>,
    /// The path in the base, if an element of an array has moved. Other changes of the element are separate parts.
    pub moved_from: Option<Vec<Value>>,
    /// The values of the part.
    pub values: Diff<Option<PartValue>>,
}

/// A redacted value on one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartValue {
    /// The redacted value, or the message of an error.
    pub value: Value,
    /// The origin of the value.
    pub origin: Option<Origin>,
    /// Whether `value` is the message of an error.
    pub is_error: bool,
    /// Whether a part of the value is redacted.
    pub is_redacted: bool,
}

/// A scalar of a value, or an array or hash that is empty or secret as a whole.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The path: keys and indexes.
    pub path: Vec<Value>,
    /// The redacted value.
    pub value: Value,
    /// The plain value, for comparisons only.
    pub plain: Value,
    /// The origin of the value.
    pub origin: Option<Origin>,
    /// Whether a part of the value is redacted.
    pub is_redacted: bool,
    /// The segments of the path that are indexes of arrays.
    pub indexes: Indexes,
}

impl Part {
    /// Creates a part with the same path on both sides.
    pub fn new(path: Vec<Value>, values: Diff<Option<PartValue>>) -> Part {
        Part { path, moved_from: None, values }
    }
}

/// The segments of a path that are indexes of arrays; the others are keys of hashes, which can also be integers.
/// Segments after the 64th count as keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indexes(u64);

impl Indexes {
    /// Returns the set with the segment at a depth.
    pub fn with(self, depth: usize) -> Indexes {
        Indexes(u32::try_from(depth).ok().and_then(|depth| 1_u64.checked_shl(depth)).map_or(self.0, |bit| self.0 | bit))
    }

    /// Returns whether the segment at a depth is an index.
    pub fn has(self, depth: usize) -> bool {
        self.with(depth) == self && depth < 64
    }
}

/// The meaning of the order of arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrays {
    /// The order matters.
    #[default]
    Sequences,
    /// A unique or deep merge created them, so their order only depends on the levels.
    Sets,
}

impl Arrays {
    /// Returns the meaning of the arrays in the answer of a node.
    ///
    /// # Errors
    /// The `lookup_options` of the key are invalid.
    pub fn of_answer(node: &Node, query: &Query<'_>) -> Result<Arrays, Error> {
        let strategy = node.strategy(query)?;
        // Hashes in arrays are merged by their indexes then.
        let is_by_index = strategy.options().get("merge_hash_arrays").is_some_and(|set| *set == Value::from(true));
        Ok(match strategy.name() {
            "unique" => Arrays::Sets,
            "deep" | "unconstrained_deep" | "reverse_deep" if !is_by_index => Arrays::Sets,
            _ => Arrays::Sequences,
        })
    }

    /// Returns the meaning for a comparison: sets if both sides are sets.
    pub fn of_both(sides: Diff<Arrays>) -> Arrays {
        if sides.base == Arrays::Sets { sides.head } else { Arrays::Sequences }
    }
}

/// Returns the leaves of a value: scalars, and arrays and hashes that are empty or secret as a whole.
pub fn leaves(object: &Object, redactor: &Redactor) -> Vec<Leaf> {
    let step = |step: PathStep<'_>| match step {
        PathStep::Index(index) => (Value::from(index), true),
        PathStep::Key(key) => (redactor.marked(key), false),
    };
    let mut all = Vec::new();
    visit_leaves(object, redactor.reveals(), step, |path, leaf| {
        let is_index = |(depth, (_, is_index)): (usize, &(Value, bool))| is_index.then_some(depth);
        all.push(Leaf {
            path: path.iter().map(|(segment, _)| segment.clone()).collect(),
            value: redactor.answer(leaf),
            plain: leaf.to_value(),
            origin: leaf.origin().cloned(),
            is_redacted: !redactor.reveals() && leaf.has_hidden(),
            indexes: path.iter().enumerate().filter_map(is_index).fold(Indexes::default(), Indexes::with),
        });
    });
    all
}

/// Returns the differing parts of two lists of leaves. Each side is the leaves of a value, the message of an error, or
/// missing.
pub fn differences_of_leaves(answers: Diff<Option<&Result<Vec<Leaf>, String>>>, arrays: Arrays) -> Vec<Part> {
    let is_same = |(base, head): (&Leaf, &Leaf)| {
        base.path == head.path && base.plain == head.plain && base.indexes == head.indexes
    };
    match (answers.base, answers.head) {
        (Some(Ok(base)), Some(Ok(head))) if base.len() == head.len() && base.iter().zip(head).all(is_same) => {
            return Vec::new();
        }
        (Some(Err(base)), Some(Err(head))) if base == head => return Vec::new(),
        _ => {}
    }
    let error = |answer: Option<&Result<Vec<Leaf>, String>>| {
        let value = answer?.as_ref().err()?.as_str().into();
        Some(PartValue { value, origin: None, is_error: true, is_redacted: false })
    };
    let mut comparer = Comparer::new(arrays);
    comparer.compare(answers.map(error), answers.map(|answer| tree(answer?.as_deref())));
    comparer.parts
}

/// The tree of a value; an error has none.
fn tree<'l>(answer: Result<&'l [Leaf], &String>) -> Option<Tree<'l>> {
    match answer {
        Ok(leaves) => Tree::new(leaves),
        Err(_) => None,
    }
}

/// Returns the differing parts of two answers. Each side is a value, the message of an error, or missing. Secrets are
/// compared in plain form and returned redacted.
pub fn differences(
    answers: Diff<Option<&Result<Object, String>>>,
    arrays: impl FnOnce() -> Arrays,
    redactor: &Redactor,
) -> Vec<Part> {
    match (answers.base, answers.head) {
        (Some(Ok(base)), Some(Ok(head))) if base.to_value() == head.to_value() => return Vec::new(),
        _ => {}
    }
    let leaves = |answer: Option<&Result<Object, String>>| {
        Some(answer?.as_ref().map(|object| leaves(object, redactor)).map_err(String::clone))
    };
    let answers = answers.map(leaves);
    differences_of_leaves(answers.as_ref().map(Option::as_ref), arrays())
}
