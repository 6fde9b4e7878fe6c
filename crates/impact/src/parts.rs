//! [`Part`]: the parts of two answers that differ.

use std::collections::{BTreeMap, VecDeque};

use hieratic::Redactor;
use hieratic::lookup::{Object, ObjectView, Origin};
use hieratic::value::Value;

use crate::diff::Diff;

/// A part of a value that differs between base and head.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The keys and indexes that lead to it; none for the value itself.
    pub path: Vec<Value>,
    /// The values of the part.
    pub values: Diff<Option<PartValue>>,
}

/// A value on one side, as it may be shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartValue {
    /// The value, with secrets redacted; the message of an error.
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
    /// The keys and indexes that lead to it.
    pub path: Vec<Value>,
    /// Its value as it may be shown.
    pub value: Value,
    /// The value itself, to be compared and never shown.
    pub plain: Value,
    /// The origin of the value.
    pub origin: Option<Origin>,
    /// Whether a part of the value is redacted.
    pub is_redacted: bool,
}

/// The scalars of a value, and its arrays and hashes that are empty, or secret as a whole and not to be shown.
pub fn leaves(object: &Object, mask: &Redactor) -> Vec<Leaf> {
    fn collect(object: &Object, mask: &Redactor, path: &mut Vec<Value>, leaves: &mut Vec<Leaf>) {
        let is_whole = !mask.reveals() && object.is_hidden();
        match object.view() {
            ObjectView::Array(elements) if !is_whole && !elements.is_empty() => {
                for (index, element) in elements.iter().enumerate() {
                    path.push(Value::from(index));
                    collect(element, mask, path, leaves);
                    path.pop();
                }
            }
            ObjectView::Hash(pairs) if !is_whole && !pairs.is_empty() => {
                for (key, value) in &pairs {
                    path.push(mask.marked(key));
                    collect(value, mask, path, leaves);
                    path.pop();
                }
            }
            _ => {
                let (value, plain) = (mask.answer(object), object.to_value());
                let is_redacted = !mask.reveals() && object.has_hidden();
                leaves.push(Leaf { path: path.clone(), value, plain, origin: object.origin().cloned(), is_redacted });
            }
        }
    }
    let mut all = Vec::new();
    collect(object, mask, &mut Vec::new(), &mut all);
    all
}

/// The parts of two lists of leaves that differ; each is a value's, the message of an error, or none.
pub fn differences_of_leaves(answers: Diff<Option<&Result<Vec<Leaf>, String>>>) -> Vec<Part> {
    let is_same = |(base, head): (&Leaf, &Leaf)| base.path == head.path && base.plain == head.plain;
    match (answers.base, answers.head) {
        (Some(Ok(base)), Some(Ok(head))) if base.len() == head.len() && base.iter().zip(head).all(is_same) => {
            return Vec::new();
        }
        (Some(Err(base)), Some(Err(head))) if base == head => return Vec::new(),
        _ => {}
    }
    let parts = differing(answers.map(to_values), &by_element);
    // Without a part, the elements are the same in another order.
    if parts.is_empty() { differing(answers.map(to_values), &by_place) } else { parts }
}

/// Returns the parts of two answers that differ. An answer is a value, the message of an error, or missing. Secrets are
/// compared in plain and returned redacted.
pub fn differences(answers: Diff<Option<&Result<Object, String>>>, mask: &Redactor) -> Vec<Part> {
    match (answers.base, answers.head) {
        (Some(Ok(base)), Some(Ok(head))) if base.to_value() == head.to_value() => return Vec::new(),
        _ => {}
    }
    let leaves = |answer: Option<&Result<Object, String>>| {
        Some(answer?.as_ref().map(|object| leaves(object, mask)).map_err(String::clone))
    };
    let answers = answers.map(leaves);
    differences_of_leaves(answers.as_ref().map(Option::as_ref))
}

/// A part of an answer: its path, its value, and its redacted form.
struct PathedValue {
    path: Vec<Value>,
    plain: Value,
    found: PartValue,
}

/// The parts of an answer.
fn to_values(answer: Option<&Result<Vec<Leaf>, String>>) -> Vec<PathedValue> {
    match answer {
        None => Vec::new(),
        Some(Err(message)) => {
            let found = PartValue { value: message.as_str().into(), origin: None, is_error: true, is_redacted: false };
            vec![PathedValue { path: Vec::new(), plain: Value::Undef, found }]
        }
        Some(Ok(leaves)) => {
            let shown = |leaf: Leaf| {
                let found = PartValue {
                    value: leaf.value,
                    origin: leaf.origin,
                    is_error: false,
                    is_redacted: leaf.is_redacted,
                };
                PathedValue { path: leaf.path, plain: leaf.plain, found }
            };
            leaves.iter().cloned().map(shown).collect()
        }
    }
}

/// A part by where it is.
fn by_place(leaf: &PathedValue) -> String {
    Value::from(leaf.path.clone()).inspect()
}

/// Identifies an element of an array by its value, because its index means little; any other part by its path.
fn by_element(leaf: &PathedValue) -> String {
    match leaf.path.split_last() {
        Some((Value::Integer(_), around)) => {
            Value::from(vec![Value::from(around.to_vec()), leaf.plain.clone()]).inspect()
        }
        _ => by_place(leaf),
    }
}

/// The parts of two sides that have no equal on the other one, in order.
fn differing(Diff { base, head }: Diff<Vec<PathedValue>>, name: &dyn Fn(&PathedValue) -> String) -> Vec<Part> {
    let mut others: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (index, leaf) in head.iter().enumerate() {
        others.entry(name(leaf)).or_default().push_back(index);
    }
    let mut head: Vec<Option<PathedValue>> = head.into_iter().map(Some).collect();
    let mut parts = Vec::new();
    for leaf in base {
        let other = others.get_mut(&name(&leaf)).and_then(VecDeque::pop_front).and_then(|index| head[index].take());
        let is_equal = |other: &PathedValue| !leaf.found.is_error && !other.found.is_error && leaf.plain == other.plain;
        if !other.as_ref().is_some_and(is_equal) {
            let values = Diff { base: Some(leaf.found), head: other.map(|other| other.found) };
            parts.push(Part { path: leaf.path, values });
        }
    }
    let added = |leaf: PathedValue| Part { path: leaf.path, values: Diff { base: None, head: Some(leaf.found) } };
    parts.extend(head.into_iter().flatten().map(added));
    parts
}
