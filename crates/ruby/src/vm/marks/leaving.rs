//! Marks of everything that leaves the code: values, error messages, and the strings that values show. => Reports
//! marked values and error messages that leave the code to the host.

use hieratic_value::Value as Foreign;
use hieratic_value::collections::HashSet;

use super::may_hold;
use super::pieces::Visited;
use crate::value::{Data, MIN_REPORTED, Marks, NUMBERS, Str, Text, Value};
use crate::vm::{Args, Flow, Outcome, Vm};

/// Marks the quoted parts of a message.
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
    /// Marks the message of an error that a native method has raised about something marked. Messages of code that the
    /// method has called are left alone. Fatal errors are reported to the host at once.
    pub(super) fn mark_error(&mut self, outcome: Outcome, me: &Value, args: &Args, is_logged: bool) -> Outcome {
        let Err(flow) = &outcome else { return outcome };
        let mut given = vec![me.clone()];
        given.extend(args.list.iter().cloned());
        match &**flow {
            Flow::Raise(exception) => {
                let exception = exception.clone();
                self.mark_message(&exception, &given, is_logged);
            }
            Flow::Fatal(fatal) if fatal.exhausted.is_none() => {
                let message = Str::new(Text::Owned(fatal.message.clone()));
                message.set_marks(self.names_in(&fatal.message));
                self.mark_values_in(&message, &given, true);
                self.report_string(&message);
            }
            _ => {}
        }
        outcome
    }

    /// Marks the parts of an error message that contain a value, and returns the error.
    pub fn about(&mut self, error: Box<Flow>, value: &Value) -> Box<Flow> {
        if let Flow::Raise(exception) = &*error {
            self.mark_message(exception, std::slice::from_ref(value), true);
        }
        error
    }

    /// Marks the message of an exception that shows these values.
    pub fn mark_message(&mut self, exception: &Value, given: &[Value], only_found: bool) {
        if !self.st.is_tracking {
            return;
        }
        let message = match exception {
            Value::Object(object) => match &*object.data.borrow() {
                Data::Exception(inner) => inner.message.clone(),
                _ => return,
            },
            _ => return,
        };
        if let Value::Str(text) = &message {
            // A message with marks comes from code, or is a name.
            self.mark_values_in(text, given, only_found || text.is_marked());
        }
    }

    /// Marks the parts of a message that show these values.
    fn mark_values_in(&mut self, text: &Str, given: &[Value], only_found: bool) {
        let mut seen = Visited::default();
        for one in given {
            self.pieces_in(one, &mut seen);
        }
        let pieces = std::mem::take(&mut self.st.sources.pieces);
        if pieces.is_empty() && !self.st.sources.has_more {
            return;
        }
        let shown = text.to_arc();
        let mut parts = match self.find_pieces(&shown, &pieces) {
            Ok(Some(parts)) => parts,
            // A message that shows a part of the value, or escapes it, puts it in quotation marks.
            _ if !only_found && shown.contains('"') => quoted(&shown).parts().to_vec(),
            _ => {
                let long = pieces.iter().filter(|piece| piece.len() >= MIN_REPORTED);
                long.flat_map(|piece| shown.match_indices(&**piece).map(|(at, _)| at..at + piece.len())).collect()
            }
        };
        parts.extend(text.marks().parts().iter().cloned());
        text.set_marks(Marks::from_ranges(parts));
    }

    /// Marks a string from `start` on, where it contains a value.
    pub fn mark_shown(&mut self, output: &Str, start: usize, value: &Value) -> Outcome<()> {
        if !self.st.is_tracking {
            return Ok(());
        }
        if !self.st.names.is_empty() {
            let names = output.with(|text| self.names_in(text.get(start..).unwrap_or_default()));
            output.add_marks(&names, start);
        }
        if self.look_inside(value)? == 0 && !may_hold(value) && !self.is_marked(value) {
            return Ok(());
        }
        let before = std::mem::take(&mut self.st.sources);
        self.pieces_in(value, &mut Visited::default());
        let sources = std::mem::replace(&mut self.st.sources, before);
        if sources.pieces.is_empty() && !sources.has_more {
            return Ok(());
        }
        let shown = output.with(|text| text.get(start..).unwrap_or_default().to_owned());
        match self.find_pieces(&shown, &sources.pieces)? {
            Some(parts) if !sources.has_more => output.add_marks(&Marks::from_ranges(parts), start),
            _ => output.mark_from(start),
        }
        Ok(())
    }

    /// Reports the marked parts of a value that leaves the code to the host.
    pub fn report(&mut self, value: &Value) -> Outcome<()> {
        if !self.st.is_tracking {
            return Ok(());
        }
        let mut waiting = vec![value.clone()];
        let mut inside = HashSet::default();
        while let Some(value) = waiting.pop() {
            self.step()?;
            match &value {
                Value::Str(text) => self.report_string(text),
                Value::Marked(inner) => self.report_number(inner)?,
                Value::Sym(name) => {
                    let text = self.name(*name);
                    self.report_ranges(text.as_bytes(), self.marks_of_name(*name));
                }
                Value::Class(class) => self.report_names(&class.display_name()),
                Value::Array(array) if inside.insert(value.address()) => {
                    let is_number = array.marks.get() & NUMBERS != 0;
                    let list = array.list.borrow();
                    waiting.extend(list.iter().map(|one| if is_number { one.clone().marked() } else { one.clone() }));
                }
                Value::Hash(hash) if inside.insert(value.address()) => {
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
                        let vars = object.vars.borrow();
                        waiting.extend(vars.iter().flat_map(|(name, one)| [Value::Sym(*name), one.clone()]));
                        self.report_names(&self.real_class(&value).display_name());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn report_number(&mut self, number: &Value) -> Outcome<()> {
        match number {
            Value::Int(number) => self.host.record_secret(&Foreign::Integer(*number)),
            Value::Float(number) => self.host.record_secret(&Foreign::Float(*number)),
            other => {
                let text = self.to_s(other)?;
                self.host.record_secret(&Foreign::from(text));
            }
        }
        Ok(())
    }

    /// Reports the parts of a string that were computed from secrets to the host.
    pub fn report_string(&mut self, text: &Str) {
        if text.is_marked() {
            let bytes = text.bytes().to_vec();
            self.report_ranges(&bytes, text.marks());
        }
    }

    /// Reports the names in a string that were computed from secrets to the host.
    pub fn report_names(&mut self, text: &str) {
        let names = self.names_in(text);
        self.report_ranges(text.as_bytes(), names);
    }

    pub(super) fn report_ranges(&mut self, bytes: &[u8], marks: Marks) {
        for range in marks.reportable() {
            let part = bytes.get(range.start..range.end.min(bytes.len())).unwrap_or_default();
            self.host.record_secret(&Foreign::from(String::from_utf8_lossy(part).into_owned()));
        }
    }
}
