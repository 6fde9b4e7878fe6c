//! Names that code has computed from secrets: of methods, constants and variables.
//!
//! Names go through tables without marks: of calls, definitions and assignments. The interpreter records each such name
//! with the marks of its string. From then on, the name counts as marked wherever it occurs, and the strings that
//! native methods and errors create are searched for it. Ordinary words are exempt from the search, because they occur
//! in other strings at random. Other symbols have their own marks.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::collections::{HashMap, HashSet};

use super::mark_collection;
use crate::symbol::Symbol;
use crate::value::{Marks, Str, Value};
use crate::vm::{Outcome, Vm};

/// The memory of a name in the table, in bytes, without its string.
pub(crate) const NAME_SIZE: usize = 96;

/// The maximum length of a name of ordinary words, in bytes.
const MAX_WORD: usize = 24;

/// The names that were computed from marked strings.
#[derive(Debug, Default)]
pub(crate) struct TaintedNames {
    marks: HashMap<Symbol, Marks>,
    /// Their marked parts that can be searched for, also as `inspect` shows them.
    parts: HashSet<Arc<str>>,
}

/// Returns whether a part of a name may occur in other names at random.
fn is_ordinary(part: &str) -> bool {
    let is_one_case =
        |lower: bool| part.chars().all(|one| one == '_' || one.is_lowercase() == lower && one.is_alphabetic());
    part.len() <= MAX_WORD && (is_one_case(true) || is_one_case(false))
}

impl TaintedNames {
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Finds the names in a string.
    fn find_in(&self, text: &str) -> Marks {
        let found = self.parts.iter().flat_map(|part| text.match_indices(&**part));
        Marks::from_ranges(found.map(|(at, part)| at..at + part.len()).collect())
    }

    /// Returns the steps that a search in a string of this length takes, in bytes.
    fn cost(&self, bytes: usize) -> usize {
        self.parts.len() / 2 + self.parts.len().saturating_mul(bytes) / 2048
    }
}

impl Vm<'_> {
    /// Interns a string, and records the name if the string is marked.
    pub fn name_of(&mut self, text: &Str) -> Outcome<Symbol> {
        let (whole, marks) = (text.to_arc(), text.marks());
        self.build(whole.len() + NAME_SIZE)?;
        let name = self.sym(&whole);
        self.note_name(name, &marks)?;
        Ok(name)
    }

    /// Interns a name that is derived from another one.
    pub fn derived_name(&mut self, from: Symbol, text: &str) -> Outcome<Symbol> {
        let name = self.sym(text);
        if self.st.names.marks.contains_key(&from) {
            self.note_name(name, &Marks::whole(text.len()))?;
        }
        Ok(name)
    }

    /// Records that a name was computed from a string with these marks.
    pub fn note_name(&mut self, name: Symbol, marks: &Marks) -> Outcome<()> {
        if marks.is_empty() {
            return Ok(());
        }
        let text = self.name(name);
        let before = self.st.names.marks.get(&name).map_or(&[][..], Marks::parts);
        let all = Marks::from_ranges(before.iter().chain(marks.parts()).cloned().collect());
        self.build(64)?;
        for range in all.reportable() {
            // If the marked parts are single characters, the whole name is searched for.
            let part = text.get(range).unwrap_or(&text);
            if is_ordinary(part) {
                continue;
            }
            let mut shown = String::new();
            hieratic_value::text::inspect_string(&mut shown, part);
            for form in [part, &shown[1..shown.len() - 1]] {
                if !self.st.names.parts.contains(form) {
                    self.build(form.len() + 64)?;
                    self.st.names.parts.insert(form.into());
                }
            }
        }
        self.st.names.marks.insert(name, all);
        Ok(())
    }

    /// Returns the marks of the string of a name.
    pub(crate) fn marks_of_name(&self, name: Symbol) -> Marks {
        if self.st.names.is_empty() {
            return Marks::default();
        }
        match self.st.names.marks.get(&name) {
            Some(marks) => marks.clone(),
            None => self.names_in(&self.name(name)),
        }
    }

    /// Finds the names in a string that were computed from secrets.
    pub(super) fn names_in(&self, text: &str) -> Marks {
        if self.st.names.is_empty() {
            return Marks::default();
        }
        self.owe(self.st.names.cost(text.len()));
        self.st.names.find_in(text)
    }

    /// Returns the marks of a string that is a path of names, or that contains names.
    pub(super) fn marks_of_text(&self, text: &str) -> Marks {
        let mut marks = Marks::default();
        let mut start = 0;
        for part in text.split("::") {
            if let Some(own) = self.st.library.known(part).and_then(|name| self.st.names.marks.get(&name)) {
                marks.add_all(own, start);
            }
            start += part.len() + "::".len();
        }
        if marks.is_empty() { self.names_in(text) } else { marks }
    }

    /// Marks the names in the result of a native method.
    pub(super) fn mark_names(&mut self, result: &Value) -> Outcome<()> {
        if self.st.names.is_empty() || !super::values::is_fresh(result) {
            return Ok(());
        }
        match result {
            Value::Str(text) if !text.is_marked() => {
                let marks = text.with(|text| self.marks_of_text(text));
                text.set_marks(marks);
            }
            Value::Array(array) => {
                self.steps(array.list.borrow().len() / 16)?;
                for one in array.list.borrow().iter().filter(|one| self.is_name(one, 1)) {
                    mark_collection(result, self.marks_from_element(one));
                }
            }
            // The table has its keys twice.
            Value::Hash(hash) => {
                self.steps(hash.len() / 16)?;
                for (key, one) in hash.table.borrow().iter() {
                    for one in [(&key.value, 2), (one, 1)].iter().filter(|(one, count)| self.is_name(one, *count)) {
                        mark_collection(result, self.marks_from_element(one.0));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether a value is a name that was computed from a secret, or a new string (with at most `owners` owners)
    /// that contains one.
    fn is_name(&self, value: &Value, owners: usize) -> bool {
        match value {
            Value::Str(text) if Rc::strong_count(text) <= owners && !text.is_marked() => {
                let marks = text.with(|text| self.names_in(text));
                text.set_marks(marks);
                text.is_marked()
            }
            Value::Sym(_) => self.is_marked(value),
            _ => false,
        }
    }

    /// Marks the names in the message of an exception.
    pub fn mark_message_names(&self, message: &Value) {
        if let Value::Str(text) = message
            && !self.st.names.is_empty()
        {
            let mut marks = text.with(|text| self.names_in(text));
            if !marks.is_empty() {
                marks = Marks::from_ranges(marks.parts().iter().chain(text.marks().parts()).cloned().collect());
                text.set_marks(marks);
            }
        }
    }

    /// Records the groups of a pattern whose names were computed from secrets.
    pub fn note_groups(&mut self, pattern: &Value, source: &str, marks: &Marks) -> Outcome<()> {
        let Value::Regexp(regexp) = pattern.plain() else { return Ok(()) };
        if marks.is_empty() {
            return Ok(());
        }
        for group in regexp.names() {
            self.steps(1 + source.len() / 1024)?;
            for (at, _) in source.match_indices(group) {
                let own = marks.within(&(at..at + group.len()));
                if source[..at].ends_with(['<', '\'']) && !own.is_empty() {
                    let name = self.sym(group);
                    self.note_name(name, &own)?;
                }
            }
        }
        Ok(())
    }
}
