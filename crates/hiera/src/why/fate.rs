//! What became of the parts of a level's value: kept, overridden, repeated, or removed.
//!
//! Merging leaves no trace but the value; every part of that knows where it comes from, though. A part of a level is in the
//! answer if the answer has one from the same place. If not, what stands there instead tells why.

use hieratic_regexp::Regexp;
use hieratic_value::Value;
use rustc_hash::FxHashMap;

use crate::explain::ObjectView;
use crate::merge::Strategy;
use crate::merge::objects::without_prefix;
use crate::object::{Object, Origin};

/// A part of a level's value: as large as one fate reaches.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path to it; empty for all of the value.
    pub path: Vec<Value>,
    /// The part.
    pub value: Object,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a part of a level's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in the answer.
    Kept,
    /// Something else stands in its place, which comes from there.
    Overridden(Option<Origin>),
    /// The answer has the same element from elsewhere.
    Repeated(Option<Origin>),
    /// A knockout that stands there removed it.
    Removed(Option<Origin>),
    /// It is a knockout, which removed what stands in these places.
    Knockout(Vec<Option<Origin>>),
    /// It is a knockout, but the answer has the element all the same, from there.
    LostKnockout(Option<Origin>),
    /// It is not in the answer.
    Gone,
}

/// A leaf: a scalar, or an array or hash without anything in it.
struct Leaf {
    value: Value,
    origin: Option<Origin>,
    /// Whether the last step of the path is an index.
    is_element: bool,
}

/// The names on a path, without the indexes of arrays, which merging changes.
type Shape = Vec<Value>;

fn shape(path: &[Step]) -> Shape {
    path.iter().filter(|step| !step.is_index).map(|step| step.key.clone()).collect()
}

#[derive(Clone)]
struct Step {
    key: Value,
    is_index: bool,
}

/// The leaves of the answer, by the names on their paths.
#[derive(Default)]
struct Outcome {
    leaves: FxHashMap<Shape, Here>,
    /// Where the first leaf behind each beginning of a path comes from, and whether it is an element.
    behind: FxHashMap<Shape, (Option<Origin>, bool)>,
}

/// The leaves with the same names on their paths.
#[derive(Default)]
struct Here {
    first: Option<(Option<Origin>, bool)>,
    /// Where each value comes from.
    origins: FxHashMap<Value, Vec<Option<Origin>>>,
}

fn each_leaf(object: &Object, path: &mut Vec<Step>, found: &mut impl FnMut(&[Step], &Object)) {
    match object.view() {
        ObjectView::Array(elements) if !elements.is_empty() => {
            for (index, element) in elements.iter().enumerate() {
                path.push(Step { key: Value::Integer(i64::try_from(index).unwrap_or(i64::MAX)), is_index: true });
                each_leaf(element, path, found);
                path.pop();
            }
        }
        ObjectView::Hash(pairs) if !pairs.is_empty() => {
            for (key, value) in &pairs {
                path.push(Step { key: key.clone(), is_index: false });
                each_leaf(value, path, found);
                path.pop();
            }
        }
        _ => found(path, object),
    }
}

fn leaf(path: &[Step], object: &Object) -> Leaf {
    Leaf {
        value: object.to_value(),
        origin: object.origin().cloned(),
        is_element: path.last().is_some_and(|step| step.is_index),
    }
}

impl Outcome {
    fn new(merged: &Object) -> Outcome {
        let mut outcome = Outcome::default();
        each_leaf(merged, &mut Vec::new(), &mut |path, object| {
            let (shape, leaf) = (shape(path), leaf(path, object));
            let known = (leaf.origin.clone(), leaf.is_element);
            for end in 0..=shape.len() {
                outcome.behind.entry(shape[..end].to_vec()).or_insert_with(|| known.clone());
            }
            let here = outcome.leaves.entry(shape).or_default();
            here.first.get_or_insert(known);
            here.origins.entry(leaf.value).or_default().push(leaf.origin);
        });
        outcome
    }

    /// Where a value comes from that stands among those names.
    fn origins(&self, shape: &Shape, value: &Value) -> &[Option<Origin>] {
        self.leaves.get(shape).and_then(|here| here.origins.get(value)).map_or(&[], Vec::as_slice)
    }

    /// What stands where a leaf should, and whether that is an element: at its place, behind it, or in place of what is
    /// around it.
    fn instead(&self, shape: &Shape) -> Option<&(Option<Origin>, bool)> {
        self.behind.get(shape).or_else(|| {
            let around = |end: usize| self.leaves.get(&shape[..end]).and_then(|here| here.first.as_ref());
            (0..shape.len()).rev().find_map(around).or_else(|| {
                // The hash around it is another one, which does not have the name.
                (1..shape.len()).rev().find_map(|end| self.behind.get(&shape[..end]))
            })
        })
    }
}

/// A knockout that a level holds.
struct Knockout {
    level: usize,
    shape: Shape,
    item: Value,
    origin: Option<Origin>,
}

/// The fates of the parts of each value, the highest first, in the answer that they were merged to.
pub(super) fn of_all(values: &[&Object], merged: &Object, strategy: &Strategy) -> Vec<Vec<Part>> {
    if strategy.stops_at_first() {
        let whole = |value: &&Object| vec![Part { path: Vec::new(), value: (*value).clone(), fate: Fate::Kept }];
        return values.iter().map(whole).collect();
    }
    let outcome = Outcome::new(merged);
    let pattern = strategy.knockout().and_then(|knockout| knockout.pattern.as_ref().ok());
    let mut knockouts = Vec::new();
    let mut all: Vec<Vec<(Shape, Leaf)>> = Vec::new();
    for (level, value) in values.iter().enumerate() {
        let mut leaves = Vec::new();
        each_leaf(value, &mut Vec::new(), &mut |path, object| {
            let (shape, leaf) = (shape(path), leaf(path, object));
            if let Some(item) = pattern.and_then(|pattern| item(pattern, &leaf)) {
                knockouts.push(Knockout { level, shape: shape.clone(), item, origin: leaf.origin.clone() });
            }
            leaves.push((shape, leaf));
        });
        all.push(leaves);
    }
    let judge = Judge { outcome, pattern, knockouts, all };
    values.iter().enumerate().map(|(level, value)| judge.parts(level, value)).collect()
}

/// What a knockout names; none if the leaf is none.
fn item(pattern: &Regexp, leaf: &Leaf) -> Option<Value> {
    let text = leaf.value.as_str()?;
    let item = without_prefix(pattern, text);
    (item != text).then(|| item.into())
}

struct Judge<'p> {
    outcome: Outcome,
    pattern: Option<&'p Regexp>,
    knockouts: Vec<Knockout>,
    /// The leaves of each level.
    all: Vec<Vec<(Shape, Leaf)>>,
}

impl Judge<'_> {
    fn parts(&self, level: usize, value: &Object) -> Vec<Part> {
        let mut fates = self.all[level].iter().map(|(shape, leaf)| self.fate(level, shape, leaf));
        let mut parts = Vec::new();
        gather(value, &mut Vec::new(), &mut fates, &mut parts);
        parts
    }

    fn fate(&self, level: usize, shape: &Shape, leaf: &Leaf) -> Fate {
        if let Some(item) = self.pattern.and_then(|pattern| item(pattern, leaf)) {
            return self.knockout(level, shape, &item);
        }
        let same = self.outcome.origins(shape, &leaf.value);
        if same.contains(&leaf.origin) {
            return Fate::Kept;
        }
        if leaf.is_element
            && let Some(origin) = same.first()
        {
            return Fate::Repeated(origin.clone());
        }
        let removes =
            |knockout: &&Knockout| knockout.level != level && knockout.shape == *shape && knockout.item == leaf.value;
        if leaf.is_element
            && let Some(knockout) = self.knockouts.iter().find(removes)
        {
            return Fate::Removed(knockout.origin.clone());
        }
        // Among the elements of an array none stands in the place of another.
        match self.outcome.instead(shape) {
            Some((origin, is_element)) if !(leaf.is_element && *is_element) => Fate::Overridden(origin.clone()),
            _ => Fate::Gone,
        }
    }

    fn knockout(&self, level: usize, shape: &Shape, item: &Value) -> Fate {
        if let Some(back) = self.outcome.origins(shape, item).first() {
            return Fate::LostKnockout(back.clone());
        }
        let others = self.all.iter().enumerate().filter(|(other, _)| *other != level);
        let named = others.flat_map(|(_, leaves)| leaves).filter(|(at, leaf)| at == shape && leaf.value == *item);
        Fate::Knockout(named.map(|(_, leaf)| leaf.origin.clone()).collect())
    }
}

/// Puts the parts of one fate together, as far as they are all of an array or hash with several. What is at the top stays
/// apart, and so does what is alone: its whole path tells more.
fn gather(object: &Object, path: &mut Vec<Value>, fates: &mut impl Iterator<Item = Fate>, parts: &mut Vec<Part>) {
    let before = parts.len();
    let children: Vec<(Value, Object)> = match object.view() {
        ObjectView::Array(elements) => (0..).map(Value::Integer).zip(elements).collect(),
        ObjectView::Hash(pairs) => pairs,
        ObjectView::Scalar(_) => Vec::new(),
    };
    if children.is_empty() {
        let fate = fates.next().unwrap_or(Fate::Gone);
        parts.push(Part { path: path.clone(), value: object.clone(), fate });
        return;
    }
    let count = children.len();
    for (key, child) in children {
        path.push(key);
        gather(&child, path, fates, parts);
        path.pop();
    }
    let own = &parts[before..];
    let whole = own.len() == count && own.iter().all(|part| part.path.len() == path.len() + 1);
    let joined = match own.first().map(|part| &part.fate) {
        Some(Fate::Kept) => own.iter().all(|part| part.fate == Fate::Kept),
        Some(Fate::Overridden(_)) => own.iter().all(|part| matches!(part.fate, Fate::Overridden(_))),
        _ => false,
    };
    if whole && joined && count > 1 && !path.is_empty() {
        let fate = own[0].fate.clone();
        parts.truncate(before);
        parts.push(Part { path: path.clone(), value: object.clone(), fate });
    }
}
