//! Pieces: the marked strings in the inputs of a native method, and their positions in its result.

use std::ops::Range;
use std::sync::Arc;

use hieratic_value::collections::HashSet;

use crate::symbol::Symbol;
use crate::value::{Class, Data, MIN_REPORTED, NUMBERS, Str, Text, Value};
use crate::vm::{Outcome, Vm};

/// Collections and objects that were looked through.
#[derive(Default)]
pub(super) struct Visited {
    inside: HashSet<usize>,
}

impl Vm<'_> {
    /// Finds all of these pieces in a string; `None` if one of them is absent, or is too short to be found reliably.
    pub(super) fn find_pieces(&mut self, text: &str, pieces: &[Arc<str>]) -> Outcome<Option<Vec<Range<usize>>>> {
        self.steps(pieces.len().saturating_mul(text.len()) / 1024)?;
        let mut parts = Vec::new();
        for piece in pieces {
            let before = parts.len();
            let mut find = |form: &str| {
                parts.extend(text.match_indices(form).map(|(at, _)| at..at + form.len()));
            };
            if piece.len() < MIN_REPORTED && piece.len() != text.len() {
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
                if lines().all(|line| text.contains(line)) && lines().all(|line| line.len() >= MIN_REPORTED) {
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

    /// Adds the marked strings in a value to the sources.
    pub(super) fn pieces_in(&mut self, value: &Value, seen: &mut Visited) {
        if self.st.sources.has_more {
            return;
        }
        match value {
            Value::Str(text) if text.is_marked() => self.st.sources.add_pieces_of(text),
            Value::Marked(inner) => self.add_number(inner),
            Value::Sym(name) => self.add_name(*name),
            Value::Class(class) => self.add_class_name(class),
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
            Value::Array(array) => {
                let list = array.list.borrow().clone();
                let is_number = array.marks.get() & NUMBERS != 0;
                self.pieces_of_parts(value, list, is_number, seen);
            }
            Value::Hash(hash) => {
                let pairs =
                    hash.table.borrow().iter().flat_map(|(key, one)| [key.value.clone(), one.clone()]).collect();
                let is_number = hash.marks.get() & NUMBERS != 0;
                self.pieces_of_parts(value, pairs, is_number, seen);
            }
            Value::Object(object) => {
                if matches!(&*object.data.borrow(), Data::Lazy(_)) {
                    return;
                }
                let mut parts: Vec<Value> = object.vars.borrow().iter().map(|(_, one)| one.clone()).collect();
                if !self.st.names.is_empty() {
                    parts.extend(object.vars.borrow().iter().map(|(name, _)| Value::Sym(*name)));
                    self.add_class_name(&self.real_class(value));
                }
                if let Data::Exception(inner) = &*object.data.borrow() {
                    parts.push(inner.message.clone());
                }
                self.pieces_of_parts(value, parts, false, seen);
            }
            _ => {}
        }
    }

    pub(super) fn add_number(&mut self, number: &Value) {
        // Converting numbers and symbols is free; an exhausted budget shows at the next step.
        if let Ok(text) = self.to_s(number) {
            self.st.sources.add_piece(&text);
        }
    }

    /// Adds the marked parts of a name.
    pub(super) fn add_name(&mut self, name: Symbol) {
        let marks = self.marks_of_name(name);
        if !marks.is_empty() {
            let text = Str::shared(self.name(name));
            text.set_marks(marks);
            self.st.sources.add_pieces_of(&text);
        }
    }

    /// Adds the marked parts of the name of a class.
    fn add_class_name(&mut self, class: &Class) {
        if !self.st.names.is_empty() {
            let text = Str::new(Text::Owned(class.display_name()));
            text.set_marks(text.with(|text| self.marks_of_text(text)));
            self.st.sources.add_pieces_of(&text);
        }
    }

    pub(super) fn pieces_of_parts(&mut self, value: &Value, parts: Vec<Value>, is_number: bool, seen: &mut Visited) {
        if !seen.inside.insert(value.address().unwrap_or(0)) {
            return;
        }
        self.owe(parts.len() / 16 + 1);
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
}
