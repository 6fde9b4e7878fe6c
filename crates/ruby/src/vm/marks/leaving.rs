//! What leaves the code with a mark: values, messages of errors, and what values show of themselves.

use std::ops::Range;

use hieratic_value::Value as Foreign;
use rustc_hash::FxHashSet;

use super::pieces::Seen;
use super::{is_marked, may_hold};
use crate::value::{Data, Marks, NUMBERS, SHORTEST, Str, Value};
use crate::vm::{Args, Flow, Outcome, Vm};

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

impl Vm<'_> {
    /// Marks the message of an error that a method has raised about something marked. What code that it has called says is its own.
    pub(super) fn mark_error(&mut self, outcome: Outcome, me: &Value, args: &Args, is_said: bool) -> Outcome {
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

    pub(super) fn tell_number(&mut self, number: &Value) -> Outcome<()> {
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
}
