//! [`ReadRecorder`]: records what a compilation reads of its node, so that other nodes can share its catalog.
//!
//! A compilation is deterministic: it depends on the environment, which the nodes of a run have in common, and on what it
//! reads of the node. This is asked in a few places only: variables of the top scope ([`Scopes`](super::scopes::Scopes)
//! keeps them private), data, the definition of the node, and its name. If all answers are the same for another node, so
//! is the catalog. What has no answer that can be compared, such as the output of a program, refuses the record.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_value::collections::{FixedState, HashMap, HashSet};
use hieratic_value::{Rich, Str, Value};
use indexmap::IndexMap;

use crate::environment::{Environment, Request, Variables, VisibleVariables};

/// The maximum number of answers in a record, and of the names that lookups may see.
const MAX_READS: usize = 100_000;

/// A variable of the top scope, and the keys that lead into it: `$facts['os']['family']` reads no other fact.
type Place = (Str, Vec<Str>);

/// A class with its parameters.
type ListedClass = (Str, Vec<(Str, Value)>);

/// Everything that a compilation has read of its node.
#[derive(Debug, Default)]
pub struct NodeReads {
    /// The variables; `None` for those without a value.
    variables: IndexMap<Place, Option<Value>, FixedState>,
    /// The lookups, in their order.
    lookups: Vec<LookupRead>,
    /// The variables that code has added to the top scope.
    added: Vec<(Str, Value)>,
    /// The definition of the node: the name of its file, its place there, and the name of the node in it.
    definition: Option<(Str, u32, Str)>,
    /// The name of the node, if it was read.
    name: Option<Str>,
    /// The classes that a classifier lists for it, with their parameters.
    classes: Vec<ListedClass>,
    /// The variable that differed last: nodes differ most in the same ones.
    differed: AtomicUsize,
}

/// A lookup.
#[derive(Debug)]
struct LookupRead {
    request: Request,
    /// The number of variables that had been added to the top scope.
    added: usize,
    seen: Arc<SeenByData>,
    answer: Option<Value>,
    warnings: Vec<String>,
}

/// The answers that data got about the position of its lookup in the code.
#[derive(Debug, Default, PartialEq)]
struct SeenByData {
    nearer: HashMap<Str, Option<Value>>,
    is_evaluated: HashMap<Str, bool>,
    has_class: HashMap<Str, bool>,
}

/// A part of a variable that an access is about to read.
#[derive(Debug)]
pub(crate) struct Projection(Place);

/// Records reads, if it is switched on.
#[derive(Debug, Default)]
pub(crate) struct ReadRecorder(RefCell<Option<Box<Recording>>>);

#[derive(Debug, Default)]
struct Recording {
    reads: NodeReads,
    /// The names of the variables that code has added.
    added: HashSet<Str>,
    /// Whether the next variable is read by an access, which may use a part of it only.
    is_accessed: bool,
    /// The variable that an access reads.
    projection: Option<Projection>,
    /// Whether the record is incomplete for good.
    is_refused: bool,
    /// The number of answers.
    size: usize,
    /// The number of times that this thread had read the clock before.
    clock: u64,
}

impl Projection {
    /// Continues with a key of a hash.
    pub(crate) fn with_key(mut self, key: &Str) -> Projection {
        self.0.1.push(key.clone());
        self
    }
}

impl Recording {
    fn grow(&mut self, by: usize) {
        self.size += by;
        if self.size > MAX_READS {
            self.refuse();
        }
    }

    /// Ends the record, and frees its memory.
    fn refuse(&mut self) {
        self.is_refused = true;
        self.reads = NodeReads::default();
    }

    fn read(&mut self, place: Place, answer: Option<&Value>) {
        if !self.is_refused && !self.reads.variables.contains_key(&place) {
            self.grow(1 + place.1.len());
            self.reads.variables.insert(place, answer.cloned());
        }
    }
}

impl ReadRecorder {
    /// Starts a record.
    pub(super) fn start(&self) {
        let clock = hieratic_puppet_types::quantities::clock_reads();
        *self.0.borrow_mut() = Some(Box::new(Recording { clock, ..Recording::default() }));
    }

    /// Ends the record, and returns it if it is complete.
    pub(super) fn finish(&self) -> Option<NodeReads> {
        let recording = self.0.borrow_mut().take()?;
        let is_complete = !recording.is_refused && recording.clock == hieratic_puppet_types::quantities::clock_reads();
        is_complete.then_some(recording.reads)
    }

    fn with(&self, record: impl FnOnce(&mut Recording)) {
        if let Some(recording) = &mut *self.0.borrow_mut() {
            record(recording);
        }
    }

    /// Records that code has read something that cannot be compared.
    pub(crate) fn refuse(&self) {
        self.with(Recording::refuse);
    }

    /// Refuses the record for an error.
    pub(crate) fn refused_by<E>(&self, error: E) -> E {
        self.refuse();
        error
    }

    /// Records the read of a variable of the top scope.
    pub(super) fn variable(&self, name: &str, answer: Option<&Value>) {
        self.with(|recording| {
            let is_accessed = std::mem::take(&mut recording.is_accessed);
            if recording.added.contains(name) {
                return;
            }
            let place = (name.into(), Vec::new());
            if is_accessed && answer.is_some() {
                recording.projection = Some(Projection(place));
            } else {
                recording.read(place, answer);
            }
        });
    }

    /// Records that code adds a variable to the top scope.
    pub(super) fn add_variable(&self, name: &Str, value: &Value) {
        self.with(|recording| {
            // Whether there is one decides about an error.
            recording.read((name.clone(), Vec::new()), None);
            if !recording.is_refused && recording.added.insert(name.clone()) {
                recording.grow(1);
                recording.reads.added.push((name.clone(), value.clone()));
            }
        });
    }

    /// Announces that the next variable is read by an access. Returns whether the access itself is read by another one.
    pub(crate) fn begin_access(&self, of_variable: bool) -> bool {
        let mut is_accessed = false;
        self.with(|recording| is_accessed = std::mem::replace(&mut recording.is_accessed, of_variable));
        is_accessed
    }

    /// Returns the part of a variable that the access begins at, if it is one of the top scope.
    pub(crate) fn accessed(&self) -> Option<Projection> {
        let mut projection = None;
        self.with(|recording| {
            recording.is_accessed = false;
            projection = recording.projection.take();
        });
        projection
    }

    /// Records the read of a part, or leaves it to the outer access.
    pub(crate) fn end_access(&self, projection: Option<Projection>, value: &Value, is_accessed: bool) {
        let Some(projection) = projection else { return };
        self.with(|recording| {
            if is_accessed {
                recording.projection = Some(projection);
            } else {
                recording.read(projection.0, Some(value));
            }
        });
    }

    /// Records the definition of the node.
    pub(super) fn definition(&self, file: &str, place: u32, name: &Str) {
        self.with(|recording| recording.reads.definition = Some((file.into(), place, name.clone())));
    }

    /// Records the classes that a classifier lists for the node.
    pub(super) fn classes(&self, classes: &[ListedClass]) {
        self.with(|recording| {
            recording.grow(classes.iter().map(|(_, parameters)| 1 + parameters.len()).sum());
            recording.reads.classes = classes.to_vec();
        });
    }

    /// Records the read of the node's name.
    pub(crate) fn node_name(&self, name: &str) {
        self.with(|recording| recording.reads.name = Some(name.into()));
    }

    /// Returns whether reads are recorded.
    pub(super) fn is_on(&self) -> bool {
        self.0.borrow().as_ref().is_some_and(|recording| !recording.is_refused)
    }

    /// Records a lookup.
    pub(super) fn lookup(&self, request: &Request, seen: DataView, answer: Option<&Value>, warnings: &[String]) {
        self.with(|recording| {
            if recording.is_refused {
                return;
            }
            let seen = seen.0.into_inner();
            let lookups = &mut recording.reads.lookups;
            let (seen, new) = match lookups.last().filter(|last| *last.seen == seen) {
                Some(last) => (last.seen.clone(), 0),
                None => {
                    let size = seen.nearer.len() + seen.is_evaluated.len() + seen.has_class.len();
                    (Arc::new(seen), size)
                }
            };
            lookups.push(LookupRead {
                request: request.clone(),
                added: recording.reads.added.len(),
                seen,
                answer: answer.cloned(),
                warnings: warnings.to_vec(),
            });
            recording.grow(1 + new);
        });
    }
}

/// The answers that a lookup got about the position in the code.
#[derive(Debug, Default)]
pub(super) struct DataView(RefCell<SeenByData>);

/// The variables that are visible to a lookup. It remembers what the lookup asks.
pub(super) struct WatchedVariables<'v> {
    visible: &'v dyn VisibleVariables,
    view: DataView,
}

impl<'v> WatchedVariables<'v> {
    pub fn new(visible: &'v dyn VisibleVariables) -> WatchedVariables<'v> {
        WatchedVariables { visible, view: DataView::default() }
    }

    pub fn into_view(self) -> DataView {
        self.view
    }
}

impl VisibleVariables for WatchedVariables<'_> {
    fn top(&self) -> &Variables {
        self.visible.top()
    }

    fn nearer(&self, name: &str) -> Option<Value> {
        let answer = self.visible.nearer(name);
        self.view.0.borrow_mut().nearer.insert(name.into(), answer.clone());
        answer
    }

    fn is_evaluated(&self, class: &str) -> bool {
        let answer = self.visible.is_evaluated(class);
        self.view.0.borrow_mut().is_evaluated.insert(class.into(), answer);
        answer
    }

    fn has_class(&self, class: &str) -> bool {
        let answer = self.visible.has_class(class);
        self.view.0.borrow_mut().has_class.insert(class.into(), answer);
        answer
    }
}

/// The variables that are visible to a repeated lookup: those of another node's top scope, and otherwise what the first
/// lookup has seen.
struct RecordedVariables<'v> {
    top: &'v Variables,
    seen: &'v SeenByData,
    /// Whether something else was asked, so that the answer counts for nothing.
    is_unknown: Cell<bool>,
}

impl RecordedVariables<'_> {
    fn known<T: Default>(&self, answer: Option<T>) -> T {
        answer.unwrap_or_else(|| {
            self.is_unknown.set(true);
            T::default()
        })
    }
}

impl VisibleVariables for RecordedVariables<'_> {
    fn top(&self) -> &Variables {
        self.top
    }

    fn nearer(&self, name: &str) -> Option<Value> {
        self.known(self.seen.nearer.get(name).cloned())
    }

    fn is_evaluated(&self, class: &str) -> bool {
        self.known(self.seen.is_evaluated.get(class).copied())
    }

    fn has_class(&self, class: &str) -> bool {
        self.known(self.seen.has_class.get(class).copied())
    }
}

impl NodeReads {
    /// Returns whether the variables of another node's top scope give the same answers.
    pub(super) fn has_same_variables(&self, top: &Variables) -> bool {
        let is_same = |(place, answer): (&Place, &Option<Value>)| is_same_answer(answer.as_ref(), part_of(top, place));
        // Most other nodes differ in the variable in which the last one did.
        let last = self.differed.load(Ordering::Relaxed);
        if self.variables.get_index(last).is_some_and(|one| !is_same(one)) {
            return false;
        }
        match self.variables.iter().position(|one| !is_same(one)) {
            Some(at) => {
                self.differed.store(at, Ordering::Relaxed);
                false
            }
            None => true,
        }
    }

    /// Returns whether a classifier lists the same classes for another node.
    pub(super) fn has_same_classes(&self, classes: &[ListedClass]) -> bool {
        let is_same_list = |one: &[(Str, Value)], other: &[(Str, Value)]| {
            let pairs = || one.iter().zip(other);
            one.len() == other.len() && pairs().all(|((one, value), (other, its))| one == other && is_same(value, its))
        };
        let pairs = || self.classes.iter().zip(classes);
        self.classes.len() == classes.len()
            && pairs().all(|((one, given), (other, its))| one == other && is_same_list(given, its))
    }

    /// Returns whether the name of another node is the same, as far as it was read.
    pub(super) fn has_same_name(&self, name: &str) -> bool {
        self.name.as_deref().is_none_or(|known| known == name)
    }

    /// Returns the definition of the node: the name of its file, its place there, and the name of the node in it.
    pub(super) fn definition(&self) -> Option<&(Str, u32, Str)> {
        self.definition.as_ref()
    }

    /// Returns whether lookups for another node have the same answers.
    pub(super) fn has_same_answers(&self, environment: &dyn Environment, variables: &Variables) -> bool {
        let mut top = variables.clone();
        let mut added = 0;
        self.lookups.iter().all(|read| {
            for (name, value) in self.added.get(added..read.added).unwrap_or_default() {
                top.insert(name.clone(), value.clone());
            }
            added = added.max(read.added);
            let visible = RecordedVariables { top: &top, seen: &read.seen, is_unknown: Cell::new(false) };
            let answer = environment.lookup(&read.request, &visible);
            let warnings = environment.take_warnings();
            // An error of the lookup is reported by the compilation that follows.
            answer.is_ok_and(|answer| is_same_answer(read.answer.as_ref(), answer.as_ref()))
                && !visible.is_unknown.get()
                && warnings == read.warnings
        })
    }

    /// Returns the number of answers.
    pub fn len(&self) -> usize {
        self.variables.len() + self.lookups.len() + self.added.len()
    }

    /// Returns whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns the part of a variable that keys lead to. A missing key is undef, as for an access.
fn part_of<'t>(top: &'t Variables, (name, keys): &Place) -> Option<&'t Value> {
    let mut value = top.get(name)?;
    for key in keys {
        // Without a hash on the way, the access would do something else.
        let Value::Hash(hash) = value else { return None };
        value = hash.get(key).unwrap_or(&Value::Undef);
    }
    Some(value)
}

fn is_same_answer(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => is_same(one, other),
        _ => false,
    }
}

/// Returns whether no code can tell two values apart. Values of other crates may be equal and look different, so that they
/// must be one.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| is_same_part(one, other))
        }
        (Value::Hash(one), Value::Hash(other)) => {
            one.same(other)
                || one.len() == other.len()
                    && one
                        .iter()
                        .zip(other.iter())
                        .all(|((key, one), (name, other))| is_same_part(key, name) && is_same_part(one, other))
        }
        (Value::Rich(one), Value::Rich(other)) => {
            Arc::ptr_eq(one, other)
                || match (&**one, &**other) {
                    (Rich::Sensitive(one), Rich::Sensitive(other)) => is_same_part(one, other),
                    (Rich::Default, Rich::Default) => true,
                    (Rich::Symbol(one), Rich::Symbol(other)) => one == other,
                    _ => false,
                }
        }
        (one, other) => one == other,
    }
}

/// Data may be nested deeper than the stack.
fn is_same_part(one: &Value, other: &Value) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || is_same(one, other))
}
