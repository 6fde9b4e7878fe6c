//! Taint tracking: native methods propagate the marks of strings that were computed from secrets.
//!
//! A string knows which of its parts were computed from secrets ([`Marks`]). Here, where all native methods are called,
//! marks propagate from the receiver and the arguments to the result, to a receiver that the method changes, and to the
//! arguments of blocks. [`Traits`] describe the behavior of a method; without them, the whole result of a marked input
//! is marked. Equality, order, lengths and truths are properties of a secret, and are not tracked. Marked strings and
//! numbers that leave the code are reported to the host.

mod leaving;
mod made;
mod names;
mod pieces;
mod values;

use std::sync::Arc;

use hieratic_value::collections::HashSet;

use super::{Args, Outcome, Vm};
use crate::methods::Traits;
use crate::value::{DEEP, Data, Marks, NUMBERS, Native, Str, Value};

pub(crate) use names::{NAME_SIZE, TaintedNames};

/// The maximum number of different marked strings that are searched for in the result of a method.
const MAX_PIECES: usize = 64;

/// The marked inputs of the running native method.
#[derive(Debug, Default)]
pub(crate) struct TaintSources {
    /// True if the receiver is marked and is not a collection: then blocks get marked values.
    is_marked: bool,
    /// Whether an argument is a marked number.
    is_number: bool,
    /// The marks of the receiver, if it is a collection.
    collection: u8,
    /// The string that the method reads.
    subject: Option<Subject>,
    /// Whether a block or method that it has called returned something marked, and whether that was a number.
    has_marked_result: bool,
    has_marked_number: bool,
    /// The marked strings.
    pieces: Vec<Arc<str>>,
    /// True if there are more than [`MAX_PIECES`] of them.
    has_more: bool,
}

/// A marked string, and the offset up to which its parts were found.
#[derive(Debug)]
struct Subject {
    text: Arc<str>,
    marks: Marks,
    found: usize,
}

impl Subject {
    /// Returns the marks of a part of the string: of its next occurrence after the last part, or with `anywhere` of all
    /// occurrences.
    fn marks_of(&mut self, part: &str, anywhere: bool) -> Marks {
        if self.marks.covers_all(self.text.len()) || part.is_empty() {
            return Marks::whole(part.len());
        }
        if !anywhere {
            let next = self.text.get(self.found..).and_then(|rest| rest.find(part)).map(|at| at + self.found);
            if let Some(at) = next.or_else(|| self.text.find(part)) {
                self.found = at + part.len();
                return self.marks.within(&(at..at + part.len()));
            }
            return Marks::whole(part.len());
        }
        let mut places = self.text.match_indices(part).peekable();
        if places.peek().is_none() {
            return Marks::whole(part.len());
        }
        let parts = places.flat_map(|(at, _)| self.marks.within(&(at..at + part.len())).parts().to_vec());
        Marks::from_ranges(parts.collect())
    }
}

/// The inputs of a call that are marked.
#[derive(Clone, Copy, Debug, Default)]
struct InputMarks {
    is_receiver: bool,
    is_argument: bool,
    is_number: bool,
    /// True if a collection or an object may contain something marked.
    may_hold: bool,
}

impl InputMarks {
    fn is_nothing(self) -> bool {
        !self.is_receiver && !self.is_argument && !self.may_hold
    }
}

/// The marks of a collection.
pub(crate) fn collection_marks(value: &Value) -> u8 {
    match value {
        Value::Array(array) => array.marks.get(),
        Value::Hash(hash) => hash.marks.get(),
        _ => 0,
    }
}

/// Adds marks to those of a collection.
pub(crate) fn mark_collection(value: &Value, marks: u8) {
    match value {
        Value::Array(array) => array.marks.set(array.marks.get() | marks),
        Value::Hash(hash) => hash.marks.set(hash.marks.get() | marks),
        _ => {}
    }
}

/// Returns whether a value may contain something marked.
fn may_hold(value: &Value) -> bool {
    match value {
        Value::Object(object) => !matches!(&*object.data.borrow(), Data::Lazy(_)),
        other => collection_marks(other) != 0,
    }
}

impl TaintSources {
    fn add_piece(&mut self, piece: &str) {
        if piece.is_empty() || self.pieces.iter().any(|known| **known == *piece) {
            return;
        }
        if self.pieces.len() >= MAX_PIECES {
            self.has_more = true;
        } else {
            self.pieces.push(piece.into());
        }
    }

    fn add_pieces_of(&mut self, text: &Str) {
        let marks = text.marks();
        text.with(|text| {
            for part in marks.parts() {
                self.add_piece(&String::from_utf8_lossy(
                    &text.as_bytes()[part.start.min(text.len())..part.end.min(text.len())],
                ));
            }
        });
    }
}

impl Vm<'_> {
    /// Returns whether a value itself was computed from a secret.
    pub(super) fn is_marked(&self, value: &Value) -> bool {
        match value {
            Value::Str(text) => text.is_marked(),
            Value::Marked(_) => true,
            Value::Sym(name) => !self.st.names.is_empty() && !self.marks_of_name(*name).is_empty(),
            Value::Match(found) => !found.marks.is_empty(),
            Value::Range(range) => self.is_marked(&range.first) || self.is_marked(&range.last),
            other => collection_marks(other) & NUMBERS != 0,
        }
    }

    /// Charges the memory of the marks of a new string.
    pub fn charge_marks(&mut self, text: &Str) {
        if text.is_marked() {
            self.owe_bytes(96 + text.marks().parts().len() * 16);
        }
    }

    /// Computes the marks of a collection, including those of nested collections.
    pub(super) fn look_inside(&mut self, value: &Value) -> Outcome<u8> {
        if !matches!(value, Value::Array(_) | Value::Hash(_)) {
            return Ok(0);
        }
        self.marks_inside(value, &mut HashSet::default())
    }

    fn marks_inside(&mut self, value: &Value, inside: &mut HashSet<usize>) -> Outcome<u8> {
        let parts: Vec<Value> = match value {
            Value::Array(_) | Value::Hash(_) if !inside.insert(value.address().unwrap_or(0)) => {
                return Ok(collection_marks(value));
            }
            Value::Array(array) => array.list.borrow().clone(),
            Value::Hash(hash) => {
                hash.table.borrow().iter().flat_map(|(key, one)| [key.value.clone(), one.clone()]).collect()
            }
            _ => return Ok(0),
        };
        self.steps(parts.len() / 16)?;
        let mut marks = 0;
        for one in &parts {
            marks |= match one {
                Value::Array(_) | Value::Hash(_) => {
                    stacker::maybe_grow(128 << 10, 4 << 20, || self.marks_inside(one, inside))?;
                    self.marks_from_element(one)
                }
                plain => self.marks_from_element(plain),
            };
        }
        mark_collection(value, marks);
        Ok(collection_marks(value))
    }

    /// Starts taint tracking if the host knows secrets, before code runs.
    pub fn start_tracking(&mut self) {
        let count = self.host.secrets();
        if count != self.st.secrets {
            self.st.secrets = count;
            // Values that were converted before may be secrets now.
            self.st.imports.clear();
        }
        self.st.is_tracking |= count > 0;
    }

    /// Runs a native method, and propagates the marks of its inputs.
    pub(super) fn run_native_marked(&mut self, native: Native, traits: Traits, me: &Value, mut args: Args) -> Outcome {
        let before = std::mem::take(&mut self.st.sources);
        if traits.has(Traits::PASSES) {
            self.st.is_native = false;
            let outcome = native(self, me, &args);
            self.st.sources = TaintSources::default();
            let outcome = self.mark_error(outcome, me, &args, true);
            self.st.sources = before;
            if let Ok(value) = &outcome {
                self.mark_names(value)?;
            }
            return outcome;
        }
        if traits.looks_inside() {
            for one in args.list.iter().chain([me.plain()]) {
                self.look_inside(one)?;
            }
        }
        let mut given = InputMarks::default();
        for one in &mut args.list {
            given.is_argument |= self.is_marked(one);
            given.may_hold |= may_hold(one);
            if let Value::Marked(inner) = one {
                given.is_number = true;
                let inner = (**inner).clone();
                if let Ok(text) = self.to_s(&inner) {
                    self.st.sources.add_piece(&text);
                }
                *one = inner;
            }
        }
        let receiver = me.plain();
        let is_collection =
            matches!(receiver, Value::Array(_) | Value::Hash(_) | Value::Match(_)) && !matches!(me, Value::Marked(_));
        given.may_hold |= is_collection && (may_hold(receiver) || self.is_marked(receiver));
        given.may_hold |= traits.has(Traits::SHOWS) && may_hold(receiver);
        given.is_receiver =
            if is_collection { collection_marks(me) & (NUMBERS | DEEP) != 0 } else { self.is_marked(me) };
        // Iterating to a number, or by it, yields that number.
        let is_counted = given.is_number && matches!(receiver, Value::Int(_) | Value::Float(_) | Value::Big(_));
        self.st.sources.is_marked = given.is_receiver && !is_collection || is_counted;
        self.st.sources.is_number = given.is_number;
        self.st.sources.collection = collection_marks(receiver);
        let subject = match (receiver, args.list.first()) {
            (Value::Str(text), _) if text.is_marked() => Some(text),
            (_, Some(Value::Str(text))) if text.is_marked() => Some(text),
            _ => None,
        };
        if let Some(text) = subject {
            self.st.sources.subject = Some(Subject { text: text.to_arc(), marks: text.marks(), found: 0 });
        }
        if traits.has(Traits::LOGS) {
            for one in &args.list {
                self.report(one)?;
            }
        }
        // The receiver before it changes.
        let was = match receiver {
            Value::Str(text)
                if traits.has(Traits::CHANGES)
                    && !traits.has(Traits::APPENDS)
                    && (!given.is_nothing() || text.is_marked() || args.block.is_some()) =>
            {
                Some((text.to_arc(), text.marks()))
            }
            _ => None,
        };
        let length = match receiver {
            Value::Str(text) if given.is_number && traits.has(Traits::APPENDS) => Some(text.len_bytes()),
            _ => None,
        };
        let outcome = native(self, receiver, &args);
        if traits.has(Traits::LOGS) && self.st.sources.has_marked_result {
            // The output contains strings that the `to_s` of code's own objects has returned.
            for piece in self.st.sources.pieces.clone() {
                self.report_ranges(piece.as_bytes(), Marks::whole(piece.len()));
            }
        }
        let is_logged = args.block.is_some() || traits.has(Traits::LOGS);
        if outcome.is_err() {
            let outcome = if given.is_nothing() && !self.st.sources.has_marked_result {
                outcome
            } else {
                self.mark_error(outcome, receiver, &args, is_logged)
            };
            self.st.sources = before;
            return outcome;
        }
        let result = match outcome {
            Ok(result) if given.is_nothing() && !self.st.sources.has_marked_result && was.is_none() => Ok(result),
            Ok(result) => self.mark_result(traits, given, (me, is_collection), &args, was, length, result),
            Err(flow) => Err(flow),
        };
        self.st.sources = before;
        if let Ok(value) = &result {
            self.mark_names(value)?;
            if let Value::Str(text) = value {
                self.charge_marks(text);
            }
        }
        result
    }
}
