//! The provenance of the parts of a level's value: kept, overridden, repeated, or removed.
//!
//! A merge returns only a value, but each part of the value has an origin. A part of a level is in the answer if the
//! answer has a part with the same origin. Otherwise, the part at its path shows why it is not.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;
use hieratic_value::collections::{FixedState, HashMap, HashSet};
use indexmap::IndexSet;

use crate::explain::ObjectView;
use crate::merge::Strategy;
use crate::merge::prefix::without_prefix;
use crate::object::{Object, Origin, work};

/// A part of a level's value with one status.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path to the part. It is empty for the whole value.
    pub path: Vec<Value>,
    /// The part.
    pub value: Object,
    /// Its status in the answer.
    pub status: PartStatus,
}

/// The status of a part of a level's value in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartStatus {
    /// It is in the answer.
    Kept,
    /// A value of this origin replaced it.
    Overridden(Option<Origin>),
    /// The answer has an equal element of this origin.
    Repeated(Option<Origin>),
    /// A knockout of this origin removed it.
    Removed(Option<Origin>),
    /// It is a knockout, which removed elements of these origins.
    Knockout(Vec<Option<Origin>>),
    /// It is a knockout, but the answer still has the element, from this origin.
    LostKnockout(Option<Origin>),
    /// It is not in the answer.
    Gone,
}

/// A leaf: a scalar, or an empty array or hash.
struct Leaf {
    value: Value,
    origin: Option<Origin>,
    /// Whether the last step of the path is an index.
    is_element: bool,
}

/// The names on a path, without array indexes, which a merge changes. Each is represented by an id, so that a long path
/// is not copied for every leaf.
type Shape = usize;

/// The interner of shapes. The first is that of the value itself.
struct ShapeInterner {
    /// The shape around each; the first is around itself.
    around: Vec<Shape>,
    known: HashMap<(Shape, Value), Shape>,
}

const WHOLE: Shape = 0;

impl ShapeInterner {
    fn new() -> ShapeInterner {
        ShapeInterner { around: vec![WHOLE], known: HashMap::default() }
    }

    fn below(&mut self, shape: Shape, key: &Value) -> Shape {
        *self.known.entry((shape, key.clone())).or_insert_with(|| {
            self.around.push(shape);
            self.around.len() - 1
        })
    }

    /// The shapes around one, the nearest first.
    fn outwards(&self, shape: Shape) -> impl Iterator<Item = Shape> {
        std::iter::successors(Some(shape), |shape| (*shape != WHOLE).then(|| self.around[*shape])).skip(1)
    }
}

/// The leaves of the answer, by the names on their paths.
#[derive(Default)]
struct Outcome {
    leaves: HashMap<Shape, ShapeLeaves>,
    /// The origin of the first leaf behind each prefix of a path, and whether the leaf is an element.
    behind: HashMap<Shape, (Option<Origin>, bool)>,
}

/// The leaves with the same names on their paths.
#[derive(Default)]
struct ShapeLeaves {
    first: Option<(Option<Origin>, bool)>,
    /// The origins of each value.
    origins: HashMap<Value, FixedIndexSet<Option<Origin>>>,
}

type FixedIndexSet<T> = IndexSet<T, FixedState>;

/// Calls back for every leaf, with its shape and whether the last step of the path to it is an index.
fn each_leaf(
    object: &Object,
    (shape, is_element): (Shape, bool),
    shapes: &mut ShapeInterner,
    found: &mut impl FnMut(&ShapeInterner, Shape, Leaf),
) {
    match object.view() {
        ObjectView::Array(elements) if !elements.is_empty() => {
            for element in &elements {
                each_leaf(element, (shape, true), shapes, found);
            }
        }
        ObjectView::Hash(pairs) if !pairs.is_empty() => {
            for (key, value) in &pairs {
                let below = shapes.below(shape, key);
                each_leaf(value, (below, false), shapes, found);
            }
        }
        _ => found(shapes, shape, Leaf { value: object.to_value(), origin: object.origin().cloned(), is_element }),
    }
}

impl Outcome {
    fn new(merged: &Object, shapes: &mut ShapeInterner) -> Outcome {
        let mut outcome = Outcome::default();
        each_leaf(merged, (WHOLE, false), shapes, &mut |shapes, shape, leaf| {
            let known = (leaf.origin.clone(), leaf.is_element);
            for begin in std::iter::once(shape).chain(shapes.outwards(shape)) {
                work::count(1);
                // The enclosing shapes of a known shape are known as well.
                if outcome.behind.contains_key(&begin) {
                    break;
                }
                outcome.behind.insert(begin, known.clone());
            }
            let here = outcome.leaves.entry(shape).or_default();
            here.first.get_or_insert(known);
            here.origins.entry(leaf.value).or_default().insert(leaf.origin);
        });
        outcome
    }

    /// Returns the origins of a value with this shape.
    fn origins(&self, shape: Shape, value: &Value) -> Option<&FixedIndexSet<Option<Origin>>> {
        self.leaves.get(&shape)?.origins.get(value)
    }

    /// Returns the origin of the leaf that replaced another, and whether it is an element: at its place, after it, or
    /// in place of an enclosing value.
    fn replacement(&self, shapes: &ShapeInterner, shape: Shape) -> Option<&(Option<Origin>, bool)> {
        self.behind.get(&shape).or_else(|| {
            let outer = |shape| self.leaves.get(&shape).and_then(|here| here.first.as_ref());
            shapes.outwards(shape).find_map(outer).or_else(|| {
                // The hash around it is another one, which does not have the name.
                shapes.outwards(shape).filter(|shape| *shape != WHOLE).find_map(|shape| self.behind.get(&shape))
            })
        })
    }
}

/// The statuses of the parts of each value, the highest first, in the answer that they were merged to.
pub(super) fn track_parts(values: &[&Object], merged: &Object, strategy: &Strategy) -> Vec<Vec<Part>> {
    if strategy.stops_at_first() {
        let whole =
            |value: &&Object| vec![Part { path: Vec::new(), value: (*value).clone(), status: PartStatus::Kept }];
        return values.iter().map(whole).collect();
    }
    let mut shapes = ShapeInterner::new();
    let outcome = Outcome::new(merged, &mut shapes);
    // An invalid pattern was an error of the merge.
    let pattern = strategy.knockout().and_then(|knockout| knockout.pattern.as_ref().ok());
    let mut knockouts: HashMap<(Shape, Value), Knockouts> = HashMap::default();
    let mut named: Named = HashMap::default();
    let mut all: Vec<Vec<(Shape, Leaf)>> = Vec::new();
    for (level, value) in values.iter().enumerate() {
        let mut leaves = Vec::new();
        each_leaf(value, (WHOLE, false), &mut shapes, &mut |_, shape, leaf| {
            if let Some(item) = pattern.and_then(|pattern| item(pattern, &leaf)) {
                knockouts.entry((shape, item)).or_default().add(level, &leaf.origin);
            }
            leaves.push((shape, leaf));
        });
        all.push(leaves);
    }
    if !knockouts.is_empty() {
        for (level, leaves) in all.iter().enumerate() {
            for (shape, leaf) in leaves {
                let key = (*shape, leaf.value.clone());
                if knockouts.contains_key(&key) {
                    named.entry(key).or_default().push((level, leaf.origin.clone()));
                }
            }
        }
    }
    let judge = ProvenanceTracker { shapes, outcome, pattern, knockouts, named, all };
    values.iter().enumerate().map(|(level, value)| judge.parts(level, value)).collect()
}

/// The knockouts with one shape that name one item: the first, and the first of another level.
#[derive(Default)]
struct Knockouts {
    first: Option<(usize, Option<Origin>)>,
    second: Option<(usize, Option<Origin>)>,
}

impl Knockouts {
    fn add(&mut self, level: usize, origin: &Option<Origin>) {
        match (&self.first, &self.second) {
            (None, _) => self.first = Some((level, origin.clone())),
            (Some((first, _)), None) if *first != level => self.second = Some((level, origin.clone())),
            _ => {}
        }
    }

    /// Returns the origin of the first knockout of another level.
    fn not_of(&self, level: usize) -> Option<&Option<Origin>> {
        let both = [self.first.as_ref(), self.second.as_ref()];
        both.into_iter().flatten().find(|(of, _)| *of != level).map(|(_, origin)| origin)
    }
}

/// Returns the element that a knockout names. `None` if the leaf is not a knockout.
fn item(pattern: &Regexp, leaf: &Leaf) -> Option<Value> {
    let text = leaf.value.as_str()?;
    let item = without_prefix(pattern, text);
    (item != text).then(|| item.into())
}

/// The maximum number of origins for a knockout that its level repeats.
const REPEATED: usize = 100;

/// The leaves that knockouts name, with their levels.
type Named = HashMap<(Shape, Value), Vec<(usize, Option<Origin>)>>;

struct ProvenanceTracker<'p> {
    shapes: ShapeInterner,
    outcome: Outcome,
    pattern: Option<&'p Regexp>,
    knockouts: HashMap<(Shape, Value), Knockouts>,
    /// The leaves that a knockout names, with their levels.
    named: Named,
    /// The leaves of each level.
    all: Vec<Vec<(Shape, Leaf)>>,
}

impl ProvenanceTracker<'_> {
    fn parts(&self, level: usize, value: &Object) -> Vec<Part> {
        let mut reported = HashSet::default();
        let mut statuses =
            self.all[level].iter().map(|(shape, leaf)| self.part_status(level, *shape, leaf, &mut reported));
        let mut parts = Vec::new();
        join_parts(value, &mut Vec::new(), &mut statuses, &mut parts);
        parts
    }

    fn part_status(
        &self,
        level: usize,
        shape: Shape,
        leaf: &Leaf,
        reported: &mut HashSet<(Shape, Value)>,
    ) -> PartStatus {
        if let Some(item) = self.pattern.and_then(|pattern| item(pattern, leaf)) {
            return self.knockout(level, shape, item, reported);
        }
        let same = self.outcome.origins(shape, &leaf.value);
        if same.is_some_and(|same| same.contains(&leaf.origin)) {
            return PartStatus::Kept;
        }
        if leaf.is_element
            && let Some(origin) = same.and_then(IndexSet::first)
        {
            return PartStatus::Repeated(origin.clone());
        }
        if leaf.is_element
            && let Some(knockouts) = self.knockouts.get(&(shape, leaf.value.clone()))
            && let Some(origin) = knockouts.not_of(level)
        {
            return PartStatus::Removed(origin.clone());
        }
        // An element of an array does not replace another one.
        match self.outcome.replacement(&self.shapes, shape) {
            Some((origin, is_element)) if !(leaf.is_element && *is_element) => PartStatus::Overridden(origin.clone()),
            _ => PartStatus::Gone,
        }
    }

    fn knockout(&self, level: usize, shape: Shape, item: Value, reported: &mut HashSet<(Shape, Value)>) -> PartStatus {
        if let Some(back) = self.outcome.origins(shape, &item).and_then(IndexSet::first) {
            return PartStatus::LostKnockout(back.clone());
        }
        let key = (shape, item);
        let named = self.named.get(&key).map_or(&[][..], Vec::as_slice);
        let others = named.iter().filter(|(other, _)| *other != level).map(|(_, origin)| origin.clone());
        // A repeated knockout lists the same origins again, up to a limit: otherwise the report could be many times
        // larger than the data.
        let again = if reported.insert(key) { usize::MAX } else { REPEATED };
        PartStatus::Knockout(others.take(again).collect())
    }
}

/// Joins parts with equal status if they are all parts of an array or hash with several. Top-level parts and single
/// parts stay separate: their whole path says more.
fn join_parts(
    object: &Object,
    path: &mut Vec<Value>,
    statuses: &mut impl Iterator<Item = PartStatus>,
    parts: &mut Vec<Part>,
) {
    let before = parts.len();
    let children: Vec<(Value, Object)> = match object.view() {
        ObjectView::Array(elements) => (0..).map(Value::Integer).zip(elements).collect(),
        ObjectView::Hash(pairs) => pairs,
        ObjectView::Scalar(_) => Vec::new(),
    };
    if children.is_empty() {
        let status = statuses.next().unwrap_or(PartStatus::Gone);
        parts.push(Part { path: path.clone(), value: object.clone(), status });
        return;
    }
    let count = children.len();
    for (key, child) in children {
        path.push(key);
        join_parts(&child, path, statuses, parts);
        path.pop();
    }
    let own = &parts[before..];
    let whole = own.len() == count && own.iter().all(|part| part.path.len() == path.len() + 1);
    let joined = match own.first().map(|part| &part.status) {
        Some(PartStatus::Kept) => own.iter().all(|part| part.status == PartStatus::Kept),
        Some(PartStatus::Overridden(_)) => own.iter().all(|part| matches!(part.status, PartStatus::Overridden(_))),
        _ => false,
    };
    if whole && joined && count > 1 && !path.is_empty() {
        let status = own[0].status.clone();
        parts.truncate(before);
        parts.push(Part { path: path.clone(), value: object.clone(), status });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Mark;
    use hieratic_value::Hash;

    fn object(value: Value, line: &str) -> Object {
        Object::marked(&value, &Mark { origin: Some(Origin::Named(line.into())), ..Mark::default() })
    }

    fn texts(prefix: &str, count: usize) -> Value {
        (0..count).map(|n| Value::from(format!("{prefix}{n}"))).collect()
    }

    fn knocking_out() -> Strategy {
        let options: Hash = [("strategy", Value::from("deep")), ("knockout_prefix", "--".into())].into_iter().collect();
        Strategy::parse(&options.into()).unwrap()
    }

    #[test]
    fn knockouts_and_removed_elements_name_each_other() {
        let (above, below) = (object(texts("--", 2), "above"), object(texts("", 3), "below"));
        let merged = object(["2"].into_iter().map(Value::from).collect(), "below");
        let statuses = track_parts(&[&above, &below], &merged, &knocking_out());
        let (above, below) = (Some(Origin::Named("above".into())), Some(Origin::Named("below".into())));
        assert!(statuses[0].iter().all(|part| part.status == PartStatus::Knockout(vec![below.clone()])));
        assert_eq!(statuses[1][0].status, PartStatus::Removed(above));
        assert_eq!(statuses[1][2].status, PartStatus::Kept);
    }

    #[test]
    fn the_paths_of_a_deep_value_are_walked_once() {
        let work = |depth: usize| {
            let nest =
                |leaf: Value, _: usize| Value::from([("a", leaf), ("b", 1.into())].into_iter().collect::<Hash>());
            let value = object((0..depth).fold(Value::from(1), nest), "here");
            work::measure(|| track_parts(&[&value, &value], &value, &knocking_out())).1
        };
        let (small, large) = (work(10), work(100));
        assert!(small >= 10 && large <= 11 * small, "{small} and {large}");
    }
}
