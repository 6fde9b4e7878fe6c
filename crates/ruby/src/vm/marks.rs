//! What native methods make of texts that were computed from secrets.
//!
//! A text knows which of its parts were computed from secrets ([`Marks`]). Here, where all native methods are called, the marks go from
//! the receiver and the arguments over to the result, to a receiver that the method changes, and to what a block gets. What a method does
//! is known by its [`Traits`]; without any, all that it makes of something marked is marked. Equality, order, lengths and truths tell a
//! property of a secret, and are not followed. What leaves the code with a mark is told to the host.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::Value as Foreign;
use rustc_hash::FxHashSet;

use super::{Args, Flow, Outcome, Vm};
use crate::methods::Traits;
use crate::value::{DEEP, Data, HOLDS, Marks, MatchData, NUMBERS, Native, SHORTEST, Str, Value};

/// How many different marked texts are looked for in what a method makes of them.
const MOST_PIECES: usize = 64;

/// How many values are looked through for marked texts.
const MOST_VALUES: usize = 10_000;

/// What the native method that runs has got of secrets.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Whether the receiver, which is no collection, is marked: then blocks get marked values.
    is_marked: bool,
    /// The marks of a collection that is the receiver.
    collection: u8,
    /// The text that the method looks at.
    subject: Option<Subject>,
    /// Whether code that it has called has returned something marked, and whether that was a number.
    is_told: bool,
    is_told_number: bool,
    /// Marked texts.
    pieces: Vec<Arc<str>>,
    /// Whether there are more of them.
    has_more: bool,
}

/// A text with marks, and up to where parts of it were found.
#[derive(Debug)]
struct Subject {
    text: Arc<str>,
    marks: Marks,
    found: usize,
}

impl Subject {
    /// The marks of a part of the text, which was taken out of it behind the last one, or anywhere.
    fn marks_of(&mut self, part: &str, anywhere: bool) -> Marks {
        if self.marks.cover(self.text.len()) || part.is_empty() {
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
        Marks::of(parts.collect())
    }
}

/// What of the receiver and the arguments is marked.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    is_receiver: bool,
    is_argument: bool,
    is_number: bool,
    /// Whether a collection or an object may have something marked in it.
    may_hold: bool,
}

impl Given {
    fn is_nothing(self) -> bool {
        !self.is_receiver && !self.is_argument && !self.may_hold
    }
}

/// The marks of a collection in which a value is kept.
fn marks_for_keeping(value: &Value) -> u8 {
    match value {
        Value::Marked(_) => NUMBERS,
        other => {
            let deep = if collection_marks(other) & (NUMBERS | DEEP) != 0 { DEEP } else { 0 };
            deep | if is_marked(other) || may_hold(other) { HOLDS } else { 0 }
        }
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

/// Whether a value itself was computed from a secret.
fn is_marked(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.is_marked(),
        Value::Marked(_) => true,
        Value::Match(found) => !found.marks.is_empty(),
        Value::Range(range) => is_marked(&range.first) || is_marked(&range.last),
        other => collection_marks(other) & NUMBERS != 0,
    }
}

/// Whether something in a value may be marked.
fn may_hold(value: &Value) -> bool {
    match value {
        Value::Object(object) => !matches!(&*object.data.borrow(), Data::Lazily(_)),
        other => collection_marks(other) != 0,
    }
}

/// Whether nobody else has the value.
fn is_fresh(value: &Value) -> bool {
    match value {
        Value::Str(one) => Rc::strong_count(one) == 1,
        Value::Array(one) => Rc::strong_count(one) == 1,
        Value::Hash(one) => Rc::strong_count(one) == 1,
        _ => false,
    }
}

/// Whether a format only puts texts together.
fn only_copies(format: &str) -> bool {
    format.split('%').skip(1).all(|rest| {
        let directive = rest.trim_start_matches(['-', ' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        directive.starts_with('s') || rest.is_empty()
    })
}

impl Sources {
    fn add_piece(&mut self, piece: &str) {
        if piece.is_empty() || self.pieces.iter().any(|known| **known == *piece) {
            return;
        }
        if self.pieces.len() >= MOST_PIECES {
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
    /// Learns what is known of secrets before code runs.
    pub fn follow(&mut self) {
        let count = self.host.secrets();
        if count != self.st.secrets {
            self.st.secrets = count;
            // What was made of values before may be a secret now.
            self.st.imports.clear();
        }
        self.st.is_following |= count > 0;
    }

    /// A value of Puppet that code gets, with its marks.
    pub fn mark_import(&mut self, value: &Foreign, imported: Value) -> Value {
        match &imported {
            Value::Str(text) => {
                let parts = text.with(|text| self.host.secret_parts(text));
                if !parts.is_empty() {
                    text.set_marks(Marks::of(parts));
                }
                imported
            }
            Value::Int(_) | Value::Float(_) | Value::Big(_) if self.host.is_secret(value) => imported.marked(),
            _ => imported,
        }
    }

    /// An array of values, which it keeps without their marks.
    pub fn array_of(&mut self, mut list: Vec<Value>) -> Value {
        let mut marks = 0;
        if self.st.is_following {
            for one in &mut list {
                marks |= marks_for_keeping(one);
                if let Value::Marked(inner) = one {
                    *one = (**inner).clone();
                }
            }
        }
        let array = Value::array(list);
        mark_collection(&array, marks);
        array
    }

    /// The elements of an array as code sees them.
    pub fn elements(&self, array: &crate::value::Array) -> Vec<Value> {
        let list = array.list.borrow().clone();
        if array.marks.get() & NUMBERS == 0 || self.st.is_native {
            return list;
        }
        list.into_iter().map(Value::marked).collect()
    }

    /// A hash of pairs, which it keeps without their marks; `marks` are those that they had.
    pub fn hash_of_pairs(&mut self, table: crate::value::Table, marks: u8) -> Value {
        let hash = Value::hash(table);
        mark_collection(&hash, marks);
        hash
    }

    /// A value as a collection keeps it, and the marks that the collection gets.
    pub fn kept(value: Value, marks: &mut u8) -> Value {
        *marks |= marks_for_keeping(&value);
        match value {
            Value::Marked(inner) => (*inner).clone(),
            other => other,
        }
    }

    /// The value of a keyword, as code sees it.
    pub fn keyword(value: Value, marks: u8) -> Value {
        if marks & NUMBERS != 0 { value.marked() } else { value }
    }

    /// What code returns to the native method that has called it: numbers without their marks.
    pub fn taken(&mut self, value: Value) -> Value {
        if !self.st.is_following {
            return value;
        }
        let sources = &mut self.st.sources;
        match value {
            Value::Marked(inner) => {
                (sources.is_told, sources.is_told_number) = (true, true);
                let inner = (*inner).clone();
                if let Ok(text) = self.to_s(&inner) {
                    self.st.sources.add_piece(&text);
                }
                inner
            }
            Value::Str(text) => {
                if text.is_marked() {
                    sources.is_told = true;
                    sources.add_pieces_of(&text);
                }
                Value::Str(text)
            }
            other => {
                let marks = collection_marks(&other);
                sources.is_told |= marks != 0;
                sources.is_told_number |= marks & NUMBERS != 0;
                sources.has_more |= marks != 0;
                other
            }
        }
    }

    /// Marks what a native method gives to a block.
    pub fn mark_yielded(&mut self, arguments: &mut Args) {
        let mut sources = std::mem::take(&mut self.st.sources);
        if sources.is_marked || sources.collection != 0 {
            for one in &mut arguments.list {
                self.mark_new(one, &mut sources, false);
            }
        }
        self.st.sources = sources;
    }

    /// Marks what was made of something marked.
    fn mark_new(&mut self, value: &mut Value, sources: &mut Sources, anywhere: bool) {
        match value {
            Value::Str(text) if sources.is_marked && Rc::strong_count(text) == 1 && !text.is_marked() => {
                let marks = match &mut sources.subject {
                    Some(subject) => text.with(|text| subject.marks_of(text, anywhere)),
                    None => Marks::whole(text.len_bytes()),
                };
                text.set_marks(marks);
            }
            Value::Array(_) | Value::Hash(_) if is_fresh(value) && collection_marks(value) == 0 => {
                if !sources.is_marked {
                    // Collections that were in others may have become one.
                    let numbers = if sources.collection & DEEP != 0 { NUMBERS } else { 0 };
                    mark_collection(value, sources.collection | numbers);
                }
                stacker::maybe_grow(128 << 10, 4 << 20, || self.mark_new_parts(value, sources));
            }
            Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Sym(_) | Value::Range(_) | Value::Regexp(_)
                if sources.is_marked || sources.collection & (NUMBERS | DEEP) != 0 =>
            {
                *value = std::mem::replace(value, Value::Nil).marked();
            }
            _ => {}
        }
    }

    /// Marks what is in a new collection.
    fn mark_new_parts(&mut self, value: &Value, sources: &mut Sources) {
        let mut marks = 0;
        // Each is put back before the next is looked at, so the collection is as it was.
        let mut mark = |vm: &mut Self, mut one: Value| {
            vm.mark_new(&mut one, sources, false);
            Vm::kept(one, &mut marks)
        };
        match value {
            Value::Array(array) => {
                let count = array.list.borrow().len();
                for at in 0..count {
                    let one = array.list.borrow_mut().get_mut(at).map(|one| std::mem::replace(one, Value::Nil));
                    let one = mark(self, one.into());
                    if let Some(place) = array.list.borrow_mut().get_mut(at) {
                        *place = one;
                    }
                }
            }
            Value::Hash(hash) => {
                let count = hash.len();
                for at in 0..count {
                    if let Some((key, _)) = hash.at(at) {
                        // The hash has the key as well, so that it is not new.
                        if let (Value::Str(text), true) = (&key, sources.is_marked)
                            && !text.is_marked()
                        {
                            text.set_marks(Marks::whole(text.len_bytes()));
                        }
                    }
                    let one =
                        hash.table.borrow_mut().get_index_mut(at).map(|(_, one)| std::mem::replace(one, Value::Nil));
                    let one = {
                        let mut one: Value = one.into();
                        self.mark_new(&mut one, sources, false);
                        Vm::kept(one, &mut marks)
                    };
                    if let Some((_, place)) = hash.table.borrow_mut().get_index_mut(at) {
                        *place = one;
                    }
                    marks |= if sources.is_marked { HOLDS | NUMBERS } else { 0 };
                }
            }
            _ => {}
        }
        mark_collection(value, marks);
    }

    /// Marks of a match in a text.
    pub fn marks_of_match(&self, text: &str) -> Marks {
        match &self.st.sources.subject {
            Some(subject) if subject.text.len() == text.len() => subject.marks.clone(),
            Some(_) if self.st.sources.is_marked => Marks::whole(text.len()),
            _ => Marks::default(),
        }
    }

    /// Runs a native method, and marks what it makes of something marked.
    pub(super) fn run_native_marked(&mut self, native: Native, traits: Traits, me: &Value, mut args: Args) -> Outcome {
        let before = std::mem::take(&mut self.st.sources);
        if traits.has(Traits::PASSES) {
            self.st.is_native = false;
            let outcome = native(self, me, &args);
            self.st.sources = Sources::default();
            let outcome = self.mark_error(outcome, me, &args, true);
            self.st.sources = before;
            return outcome;
        }
        let mut given = Given::default();
        for one in &mut args.list {
            given.is_argument |= is_marked(one);
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
        given.may_hold |= is_collection && (may_hold(receiver) || is_marked(receiver));
        given.may_hold |= traits.has(Traits::SHOWS) && may_hold(receiver);
        given.is_receiver = match is_collection {
            true => collection_marks(me) & (NUMBERS | DEEP) != 0,
            false => is_marked(me),
        };
        self.st.sources.is_marked = given.is_receiver && !is_collection;
        self.st.sources.collection = collection_marks(receiver);
        let subject = match (receiver, args.list.first()) {
            (Value::Str(text), _) if text.is_marked() => Some(text),
            (_, Some(Value::Str(text))) if text.is_marked() => Some(text),
            _ => None,
        };
        if let Some(text) = subject {
            self.st.sources.subject = Some(Subject { text: text.to_arc(), marks: text.marks(), found: 0 });
        }
        if traits.has(Traits::SAYS) {
            for one in &args.list {
                self.tell(one)?;
            }
        }
        // What the receiver is before it changes.
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
        let is_said = args.block.is_some() || traits.has(Traits::SAYS);
        if outcome.is_err() {
            let outcome = match given.is_nothing() && !self.st.sources.is_told {
                true => outcome,
                false => self.mark_error(outcome, receiver, &args, is_said),
            };
            self.st.sources = before;
            return outcome;
        }
        let result = match outcome {
            Ok(result) if given.is_nothing() && !self.st.sources.is_told && was.is_none() => Ok(result),
            Ok(result) => self.mark_made(traits, given, (me, is_collection), &args, was, length, result),
            Err(flow) => Err(flow),
        };
        self.st.sources = before;
        result
    }

    /// Marks what a native method has made, and its receiver.
    #[allow(clippy::too_many_arguments, reason = "all that is known of a call")]
    fn mark_made(
        &mut self,
        traits: Traits,
        given: Given,
        (me, is_collection): (&Value, bool),
        args: &Args,
        was: Option<(Arc<str>, Marks)>,
        length: Option<usize>,
        mut result: Value,
    ) -> Outcome {
        let receiver = me.plain();
        let is_told = self.st.sources.is_told;
        let is_told_number = self.st.sources.is_told_number || given.is_number;
        if traits.has(Traits::CHANGES) {
            match receiver {
                Value::Str(text) => {
                    if let Some(length) = length {
                        text.mark_from(length);
                    }
                    if let Some(was) = was {
                        self.mark_changed(text, traits, given, args, was)?;
                    }
                }
                Value::Array(_) | Value::Hash(_) => {
                    let number = if is_told_number || args.list.iter().any(|one| collection_marks(one) & NUMBERS != 0) {
                        NUMBERS
                    } else {
                        0
                    };
                    let holds = if given.is_argument || given.may_hold || is_told { HOLDS } else { 0 };
                    mark_collection(receiver, number | holds);
                }
                _ => {}
            }
        }
        if result.same(receiver) && matches!(receiver, Value::Str(_) | Value::Array(_) | Value::Hash(_)) {
            return Ok(result);
        }
        let is_whole = !is_collection && given.is_receiver || given.is_argument || is_told;
        match &result {
            Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Sym(_) | Value::Range(_) | Value::Regexp(_) => {
                let is_number = given.is_receiver || is_told_number || !is_collection && given.is_argument;
                Ok(if is_number && !traits.has(Traits::PROPERTY) { result.marked() } else { result })
            }
            Value::Str(text) => {
                if text.is_marked() || traits.has(Traits::PROPERTY) {
                    return Ok(result);
                }
                if is_collection && traits.has(Traits::ELEMENT) {
                    // A table that is read at the places that the letters of a secret name makes other letters of them.
                    let is_named = given.is_number
                        || args.list.first().is_some_and(|key| match key {
                            Value::Str(key) => key.is_marked() && key.len_bytes() < SHORTEST,
                            _ => false,
                        });
                    if is_named {
                        let copy = Str::clone(text);
                        copy.set_marks(Marks::whole(copy.len_bytes()));
                        return Ok(Value::Str(Rc::new(copy)));
                    }
                    return Ok(result);
                }
                if Rc::strong_count(text) > 1 {
                    return Ok(result);
                }
                let text = text.clone();
                let marks = self.marks_of_made(&text, traits, given, (me, is_collection), args, is_whole)?;
                text.set_marks(marks);
                Ok(result)
            }
            Value::Array(_) | Value::Hash(_) if is_fresh(&result) => {
                let mut sources = std::mem::take(&mut self.st.sources);
                if is_collection || !given.is_receiver && !given.is_argument {
                    sources.is_marked = false;
                    sources.collection |= if is_whole || given.may_hold { HOLDS } else { 0 };
                    sources.collection |= if is_told_number { NUMBERS } else { 0 };
                } else {
                    sources.is_marked = true;
                    if !given.is_receiver || !traits.has(Traits::CUTS) {
                        sources.subject = None;
                    }
                }
                self.mark_new(&mut result, &mut sources, false);
                self.st.sources = sources;
                Ok(result)
            }
            _ => Ok(result),
        }
    }

    /// Marks a text that a method has changed.
    fn mark_changed(
        &mut self,
        text: &Rc<Str>,
        traits: Traits,
        given: Given,
        args: &Args,
        was: (Arc<str>, Marks),
    ) -> Outcome<()> {
        if text.is_marked() || text.len_bytes() == 0 {
            return Ok(());
        }
        if text.with(|now| *now == *was.0) {
            text.set_marks(was.1);
            return Ok(());
        }
        if traits.has(Traits::REPLACES) {
            if let Some(Value::Str(other)) = args.list.first() {
                text.set_marks(other.marks());
            }
            return Ok(());
        }
        let is_marked = !was.1.is_empty();
        if is_marked {
            self.st.sources.subject = Some(Subject { text: was.0.clone(), marks: was.1.clone(), found: 0 });
            for part in was.1.parts() {
                self.st.sources.add_piece(&String::from_utf8_lossy(&was.0.as_bytes()[part.clone()]));
            }
        }
        let is_whole = is_marked || given.is_argument || self.st.sources.is_told;
        let before = Value::Str(Rc::new(Str::shared(was.0)));
        let given = Given { is_receiver: is_marked, ..given };
        let marks = self.marks_of_made(text, traits, given, (&before, false), args, is_whole)?;
        text.set_marks(marks);
        Ok(())
    }

    /// The marks of a text that a method has made of what it was given.
    fn marks_of_made(
        &mut self,
        text: &Str,
        traits: Traits,
        given: Given,
        (receiver, is_collection): (&Value, bool),
        args: &Args,
        is_whole: bool,
    ) -> Outcome<Marks> {
        let made = text.to_arc();
        self.steps(made.len() / 256)?;
        if traits.has(Traits::CUTS)
            && given.is_receiver
            && let Some(subject) = &mut self.st.sources.subject
        {
            return Ok(subject.marks_of(&made, true));
        }
        if traits.has(Traits::LETTERS)
            && given.is_receiver
            && !given.is_argument
            && let Some(subject) = &self.st.sources.subject
            && subject.text.len() == made.len()
        {
            return Ok(subject.marks.clone());
        }
        // What a pattern finds and something else takes the place of is not in the result.
        let skipped = if traits.has(Traits::SUBSTITUTES) { 1 } else { 0 };
        let replaced = match (skipped, args.list.first()) {
            (1, Some(Value::Str(pattern))) if pattern.is_marked() => Some(pattern.to_arc()),
            _ => None,
        };
        let mut seen = Seen::default();
        if given.is_receiver || is_collection || traits.has(Traits::SHOWS) {
            self.pieces_in(receiver, &mut seen);
        }
        for one in args.list.iter().skip(skipped) {
            self.pieces_in(one, &mut seen);
        }
        let mut pieces = std::mem::take(&mut self.st.sources.pieces);
        if let Some(replaced) = &replaced {
            pieces.retain(|piece| piece != replaced);
        }
        let is_unknown = self.st.sources.has_more;
        if pieces.is_empty() && !is_unknown {
            // Nothing marked was in there.
            let none = !is_whole || replaced.is_some() || traits.has(Traits::COPIES);
            return Ok(if none { Marks::default() } else { Marks::whole(made.len()) });
        }
        let copies = traits.has(Traits::COPIES)
            || traits.has(Traits::CUTS)
            || traits.has(Traits::FORMATS)
                && match (receiver, args.list.first()) {
                    (Value::Str(format), _) | (_, Some(Value::Str(format))) => format.with(only_copies),
                    _ => false,
                };
        if copies && !is_unknown {
            if let Some(parts) = self.found_in(&made, &pieces)? {
                return Ok(Marks::of(parts));
            }
            let is_same =
                !given.is_receiver && matches!(receiver, Value::Str(before) if before.with(|before| *before == *made));
            // A letter at a place that a secret names is chosen by it.
            if is_same || traits.has(Traits::CUTS) && !given.is_number {
                return Ok(Marks::default());
            }
        }
        Ok(Marks::whole(made.len()))
    }

    /// Where all of these pieces stand in a text; none if one of them is not there, or too short to be found for certain.
    fn found_in(&mut self, text: &str, pieces: &[Arc<str>]) -> Outcome<Option<Vec<Range<usize>>>> {
        self.steps(pieces.len().saturating_mul(text.len()) / 1024)?;
        let mut parts = Vec::new();
        for piece in pieces {
            let before = parts.len();
            let mut find = |form: &str| {
                parts.extend(text.match_indices(form).map(|(at, _)| at..at + form.len()));
            };
            if piece.len() < SHORTEST && piece.len() != text.len() {
                return Ok(None);
            }
            find(piece);
            // `inspect`, JSON and YAML escape some letters, and YAML indents lines.
            let mut escaped = String::new();
            hieratic_value::text::inspect_string(&mut escaped, piece);
            if escaped.len() != piece.len() + 2 {
                find(&escaped[1..escaped.len() - 1]);
                find(&piece.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
                find(&piece.replace('\'', "''"));
            }
            if parts.len() == before && piece.trim_end().contains('\n') {
                let lines = || piece.lines().map(str::trim).filter(|line| !line.is_empty());
                if lines().all(|line| text.contains(line)) && lines().all(|line| line.len() >= SHORTEST) {
                    for line in lines() {
                        parts.extend(text.match_indices(line).map(|(at, _)| at..at + line.len()));
                    }
                }
            }
            if parts.len() == before {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    /// Adds the marked texts in a value to the sources.
    fn pieces_in(&mut self, value: &Value, seen: &mut Seen) {
        if seen.count >= MOST_VALUES {
            self.st.sources.has_more = true;
            return;
        }
        seen.count += 1;
        match value {
            Value::Str(text) if text.is_marked() => self.st.sources.add_pieces_of(text),
            Value::Marked(inner) => self.add_number(inner),
            Value::Match(found) => {
                for part in found.marks.parts() {
                    let part = String::from_utf8_lossy(&found.text.as_bytes()[part.clone()]).into_owned();
                    self.st.sources.add_piece(&part);
                }
            }
            Value::Range(range) => {
                for end in [&range.first, &range.last] {
                    self.pieces_in(end, seen);
                }
            }
            Value::Array(array) if array.marks.get() != 0 => {
                let list = array.list.borrow().clone();
                let is_number = array.marks.get() & NUMBERS != 0;
                self.pieces_of_parts(value, list, is_number, seen);
            }
            Value::Hash(hash) if hash.marks.get() != 0 => {
                let pairs =
                    hash.table.borrow().iter().flat_map(|(key, one)| [key.value.clone(), one.clone()]).collect();
                let is_number = hash.marks.get() & NUMBERS != 0;
                self.pieces_of_parts(value, pairs, is_number, seen);
            }
            Value::Object(object) => {
                if matches!(&*object.data.borrow(), Data::Lazily(_)) {
                    return;
                }
                let mut parts: Vec<Value> = object.vars.borrow().iter().map(|(_, one)| one.clone()).collect();
                if let Data::Exception(inner) = &*object.data.borrow() {
                    parts.push(inner.message.clone());
                }
                self.pieces_of_parts(value, parts, false, seen);
            }
            _ => {}
        }
    }

    fn add_number(&mut self, number: &Value) {
        // Numbers and symbols have texts that cost nothing; a limit that is reached shows at the next step.
        if let Ok(text) = self.to_s(number) {
            self.st.sources.add_piece(&text);
        }
    }

    fn pieces_of_parts(&mut self, value: &Value, parts: Vec<Value>, is_number: bool, seen: &mut Seen) {
        if !seen.inside.insert(value.address().unwrap_or(0)) {
            return;
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            for one in &parts {
                match one {
                    Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Sym(_) if is_number => {
                        self.add_number(one)
                    }
                    one => self.pieces_in(one, seen),
                }
            }
        });
    }

    /// Marks the message of an error that a method has raised about something marked. What code that it has called says is its own.
    fn mark_error(&mut self, outcome: Outcome, me: &Value, args: &Args, is_said: bool) -> Outcome {
        if let Err(flow) = &outcome
            && let Flow::Raise(exception) = &**flow
        {
            let exception = exception.clone();
            let mut given = vec![me.clone()];
            given.extend(args.list.iter().cloned());
            self.mark_message(&exception, &given, is_said);
        }
        outcome
    }

    /// Marks the message of an exception that shows these values.
    pub fn mark_message(&mut self, exception: &Value, given: &[Value], only_found: bool) {
        if !self.st.is_following {
            return;
        }
        let message = match exception {
            Value::Object(object) => match &*object.data.borrow() {
                Data::Exception(inner) => inner.message.clone(),
                _ => return,
            },
            _ => return,
        };
        let Value::Str(text) = &message else { return };
        if text.is_marked() {
            return;
        }
        let mut seen = Seen::default();
        for one in given {
            self.pieces_in(one, &mut seen);
        }
        let pieces = std::mem::take(&mut self.st.sources.pieces);
        if pieces.is_empty() && !self.st.sources.has_more {
            return;
        }
        let shown = text.to_arc();
        let marks = match self.found_in(&shown, &pieces) {
            Ok(Some(parts)) => Marks::of(parts),
            // What quotes a part of it, or shows it in other words, does so in quotation marks.
            _ if !only_found && shown.contains('"') => quoted(&shown),
            _ => {
                let long = pieces.iter().filter(|piece| piece.len() >= SHORTEST);
                let found = long.flat_map(|piece| shown.match_indices(&**piece).map(|(at, _)| at..at + piece.len()));
                Marks::of(found.collect())
            }
        };
        text.set_marks(marks);
    }

    /// The marks of what was appended to a text as a value shows itself.
    pub fn mark_shown(&mut self, output: &Str, start: usize, value: &Value) -> Outcome<()> {
        if !self.st.is_following || !(may_hold(value) || is_marked(value)) {
            return Ok(());
        }
        let before = std::mem::take(&mut self.st.sources);
        self.pieces_in(value, &mut Seen::default());
        let sources = std::mem::replace(&mut self.st.sources, before);
        if sources.pieces.is_empty() && !sources.has_more {
            return Ok(());
        }
        let shown = output.with(|text| text.get(start..).unwrap_or_default().to_owned());
        match self.found_in(&shown, &sources.pieces)? {
            Some(parts) if !sources.has_more => {
                let mut marks = output.marks();
                marks.add_all(&Marks::of(parts), start);
                output.set_marks(marks);
            }
            _ => output.mark_from(start),
        }
        Ok(())
    }

    /// Tells the host what is marked in a value that leaves the code.
    pub fn tell(&mut self, value: &Value) -> Outcome<()> {
        if !self.st.is_following {
            return Ok(());
        }
        let mut waiting = vec![value.clone()];
        let mut inside = FxHashSet::default();
        while let Some(value) = waiting.pop() {
            self.step()?;
            match &value {
                Value::Str(text) => self.tell_text(text),
                Value::Marked(inner) => self.tell_number(inner)?,
                Value::Array(array) if array.marks.get() != 0 && inside.insert(value.address()) => {
                    let is_number = array.marks.get() & NUMBERS != 0;
                    let list = array.list.borrow();
                    waiting.extend(list.iter().map(|one| if is_number { one.clone().marked() } else { one.clone() }));
                }
                Value::Hash(hash) if hash.marks.get() != 0 && inside.insert(value.address()) => {
                    let is_number = hash.marks.get() & NUMBERS != 0;
                    let seen = |one: &Value| if is_number { one.clone().marked() } else { one.clone() };
                    let table = hash.table.borrow();
                    waiting.extend(table.iter().flat_map(|(key, one)| [seen(&key.value), seen(one)]));
                }
                Value::Object(object) if inside.insert(value.address()) => {
                    if let Data::Exception(inner) = &*object.data.borrow() {
                        waiting.push(inner.message.clone());
                    }
                    if may_hold(&value) {
                        waiting.extend(object.vars.borrow().iter().map(|(_, one)| one.clone()));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn tell_number(&mut self, number: &Value) -> Outcome<()> {
        match number {
            Value::Int(number) => self.host.made_of_secrets(&Foreign::Integer(*number)),
            Value::Float(number) => self.host.made_of_secrets(&Foreign::Float(*number)),
            other => {
                let text = self.to_s(other)?;
                self.host.made_of_secrets(&Foreign::from(text));
            }
        }
        Ok(())
    }

    /// Tells the host which parts of a text were computed from secrets.
    pub fn tell_text(&mut self, text: &Str) {
        if !text.is_marked() {
            return;
        }
        let told = text.marks().told();
        let parts: Vec<String> = {
            let bytes = text.bytes();
            let part = |range: &Range<usize>| {
                let bytes = bytes.get(range.start..range.end.min(bytes.len())).unwrap_or_default();
                String::from_utf8_lossy(bytes).into_owned()
            };
            told.iter().map(part).collect()
        };
        for part in parts {
            self.host.made_of_secrets(&Foreign::from(part));
        }
    }

    /// What was found in a text, with its marks.
    pub fn found(
        &self,
        text: &Arc<str>,
        captures: hieratic_regexp::Captures,
        regexp: &Rc<hieratic_regexp::Regexp>,
    ) -> MatchData {
        let marks = if self.st.is_following { self.marks_of_match(text) } else { Marks::default() };
        MatchData { text: text.clone(), captures, regexp: regexp.clone(), marks }
    }
}

/// Values that were looked through.
#[derive(Default)]
struct Seen {
    count: usize,
    inside: FxHashSet<usize>,
}

/// What stands in quotation marks in a message.
fn quoted(message: &str) -> Marks {
    match (message.find('"'), message.rfind('"')) {
        (Some(first), Some(last)) if last > first + 1 => {
            let mut marks = Marks::default();
            marks.add(first + 1..last);
            marks
        }
        _ => Marks::whole(message.len()),
    }
}
