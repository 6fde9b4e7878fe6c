//! Marks of values: how they enter the code, how collections store them, and which parts of a result are new.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::Value as Foreign;

use super::{TaintSources, collection_marks, mark_collection, may_hold};
use crate::value::{DEEP, HOLDS, Marks, MatchData, NUMBERS, Value};
use crate::vm::{Args, Vm};

/// Returns whether a value has no other owner.
pub(super) fn is_fresh(value: &Value) -> bool {
    match value {
        Value::Str(one) => Rc::strong_count(one) == 1,
        Value::Array(one) => Rc::strong_count(one) == 1,
        Value::Hash(one) => Rc::strong_count(one) == 1,
        _ => false,
    }
}

impl Vm<'_> {
    /// Returns the marks that a collection gets from an element.
    pub(super) fn marks_from_element(&self, value: &Value) -> u8 {
        match value {
            Value::Marked(_) => NUMBERS,
            other => {
                let deep = if collection_marks(other) & (NUMBERS | DEEP) != 0 { DEEP } else { 0 };
                deep | if self.is_marked(other) || may_hold(other) { HOLDS } else { 0 }
            }
        }
    }

    /// Marks a value of Puppet that is passed to code.
    pub fn mark_import(&mut self, value: &Foreign, imported: Value) -> Value {
        match &imported {
            Value::Str(text) => {
                let parts = text.with(|text| self.host.secret_parts(text));
                if !parts.is_empty() {
                    text.set_marks(Marks::from_ranges(parts));
                }
                imported
            }
            Value::Int(_) | Value::Float(_) | Value::Big(_) if self.host.is_secret(value) => imported.marked(),
            _ => imported,
        }
    }

    /// Creates an array of unmarked values; the array itself has their marks.
    pub fn array_of(&mut self, mut list: Vec<Value>) -> Value {
        let mut marks = 0;
        if self.st.is_tracking {
            for one in &mut list {
                marks |= self.marks_from_element(one);
                if let Value::Marked(inner) = one {
                    *one = (**inner).clone();
                }
            }
        }
        let array = Value::array(list);
        mark_collection(&array, marks);
        array
    }

    /// Returns the elements of an array as code sees them.
    pub fn elements(&self, array: &crate::value::Array) -> Vec<Value> {
        let list = array.list.borrow().clone();
        if array.marks.get() & NUMBERS == 0 || self.st.is_native {
            return list;
        }
        list.into_iter().map(Value::marked).collect()
    }

    /// Creates a hash of unmarked pairs. `marks` are the marks that the pairs had.
    pub fn hash_of_pairs(&mut self, table: crate::value::Table, marks: u8) -> Value {
        let hash = Value::hash(table);
        mark_collection(&hash, marks);
        hash
    }

    /// Splits a value into the unmarked value and the marks, which a collection stores separately.
    pub fn unmark_element(&self, value: Value, marks: &mut u8) -> Value {
        *marks |= self.marks_from_element(&value);
        match value {
            Value::Marked(inner) => (*inner).clone(),
            other => other,
        }
    }

    /// Returns the value of a keyword, as code sees it.
    pub fn keyword(value: Value, marks: u8) -> Value {
        if marks & NUMBERS != 0 { value.marked() } else { value }
    }

    /// Converts the result of Ruby code for the native method that has called it: numbers lose their marks.
    pub fn unmark_result(&mut self, value: Value) -> Value {
        if !self.st.is_tracking {
            return value;
        }
        match value {
            Value::Marked(inner) => {
                (self.st.sources.has_marked_result, self.st.sources.has_marked_number) = (true, true);
                let inner = (*inner).clone();
                if let Ok(text) = self.to_s(&inner) {
                    self.st.sources.add_piece(&text);
                }
                inner
            }
            Value::Str(text) => {
                if text.is_marked() {
                    self.st.sources.has_marked_result = true;
                    self.st.sources.add_pieces_of(&text);
                }
                Value::Str(text)
            }
            Value::Sym(name) if self.is_marked(&Value::Sym(name)) => {
                self.st.sources.has_marked_result = true;
                self.add_name(name);
                Value::Sym(name)
            }
            other => {
                let marks = collection_marks(&other);
                let sources = &mut self.st.sources;
                sources.has_marked_result |= marks != 0;
                sources.has_marked_number |= marks & NUMBERS != 0;
                sources.has_more |= marks != 0;
                other
            }
        }
    }

    /// Returns the receiver and the arguments of the current native method, with their marks.
    pub fn given_marks(&self, receiver: &Value, arguments: &[Value]) -> (Value, Vec<Value>) {
        let marked = |value: &Value, is_marked| if is_marked { value.clone().marked() } else { value.clone() };
        let sources = &self.st.sources;
        let arguments = arguments.iter().map(|one| marked(one, sources.is_number)).collect();
        (marked(receiver, sources.is_marked), arguments)
    }

    /// Marks the arguments that a native method passes to a block.
    pub fn mark_yielded(&mut self, arguments: &mut Args) {
        let mut sources = std::mem::take(&mut self.st.sources);
        if sources.is_marked || sources.collection != 0 {
            for one in &mut arguments.list {
                self.mark_new(one, &mut sources, false);
            }
        }
        self.st.sources = sources;
    }

    /// Marks a value that was computed from something marked.
    pub(super) fn mark_new(&mut self, value: &mut Value, sources: &mut TaintSources, anywhere: bool) {
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

    /// Marks the elements of a new collection.
    pub(super) fn mark_new_parts(&mut self, value: &Value, sources: &mut TaintSources) {
        let (mut marks, is_marked) = (0, sources.is_marked);
        // Each is put back before the next is looked at, so the collection is as it was.
        let mut mark = |vm: &mut Self, mut one: Value| {
            vm.mark_new(&mut one, sources, false);
            vm.unmark_element(one, &mut marks)
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
                    // The hash has the key as well, so that it is not new.
                    if let Some((Value::Str(text), _)) = hash.at(at)
                        && is_marked
                        && !text.is_marked()
                    {
                        text.set_marks(Marks::whole(text.len_bytes()));
                    }
                    let one =
                        hash.table.borrow_mut().get_index_mut(at).map(|(_, one)| std::mem::replace(one, Value::Nil));
                    let one = mark(self, one.into());
                    if let Some((_, place)) = hash.table.borrow_mut().get_index_mut(at) {
                        *place = one;
                    }
                }
                marks |= if is_marked && count > 0 { HOLDS | NUMBERS } else { 0 };
            }
            _ => {}
        }
        mark_collection(value, marks);
    }

    /// Returns the marks of a string in which a pattern matches.
    pub fn marks_of_match(&self, text: &str) -> Marks {
        match &self.st.sources.subject {
            Some(subject) if subject.text.len() == text.len() => subject.marks.clone(),
            Some(_) if self.st.sources.is_marked => Marks::whole(text.len()),
            _ => Marks::default(),
        }
    }

    /// Creates the `MatchData` of a match, with the marks of its string.
    pub fn match_data(
        &self,
        text: &Arc<str>,
        captures: hieratic_ruby_regexp::Captures,
        regexp: &Rc<hieratic_ruby_regexp::Regexp>,
    ) -> MatchData {
        let marks = if self.st.is_tracking { self.marks_of_match(text) } else { Marks::default() };
        MatchData { text: text.clone(), captures, regexp: regexp.clone(), marks }
    }
}
