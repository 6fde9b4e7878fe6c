//! Marks of the result and the receiver of native methods.

use std::rc::Rc;
use std::sync::Arc;

use super::pieces::Visited;
use super::values::is_fresh;
use super::{InputMarks, Subject, collection_marks, mark_collection};
use crate::methods::Traits;
use crate::value::{HOLDS, MIN_REPORTED, Marks, NUMBERS, Str, Value};
use crate::vm::{Args, Outcome, Vm};

/// Returns whether a format only concatenates strings.
fn only_copies(format: &str) -> bool {
    format.split('%').skip(1).all(|rest| {
        let directive = rest.trim_start_matches(['-', ' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        directive.starts_with('s') || rest.is_empty()
    })
}

/// Returns a copy of a string that is marked as a whole.
fn whole_copy(text: &Str) -> Value {
    let copy = Str::clone(text);
    copy.set_marks(Marks::whole(copy.len_bytes()));
    Value::Str(Rc::new(copy))
}

impl Vm<'_> {
    /// Marks the result and the receiver of a native method.
    #[allow(clippy::too_many_arguments, reason = "all that is known of a call")]
    pub(super) fn mark_result(
        &mut self,
        traits: Traits,
        given: InputMarks,
        (me, is_collection): (&Value, bool),
        args: &Args,
        was: Option<(Arc<str>, Marks)>,
        length: Option<usize>,
        mut result: Value,
    ) -> Outcome {
        let receiver = me.plain();
        let has_marked_result = self.st.sources.has_marked_result;
        let has_marked_number = self.st.sources.has_marked_number || given.is_number;
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
                    let number =
                        if has_marked_number || args.list.iter().any(|one| collection_marks(one) & NUMBERS != 0) {
                            NUMBERS
                        } else {
                            0
                        };
                    let holds = if given.is_argument || given.may_hold || has_marked_result { HOLDS } else { 0 };
                    mark_collection(receiver, number | holds);
                }
                _ => {}
            }
        }
        if result.same(receiver) && matches!(receiver, Value::Str(_) | Value::Array(_) | Value::Hash(_)) {
            return Ok(result);
        }
        let is_whole = !is_collection && given.is_receiver || given.is_argument || has_marked_result;
        // The keys of a translation table are characters of a secret, so its values are derived from them.
        let is_named = is_collection
            && traits.has(Traits::ELEMENT)
            && (given.is_number
                || args.list.first().is_some_and(|key| match key {
                    Value::Str(key) => key.is_marked() && key.len_bytes() < MIN_REPORTED,
                    _ => false,
                }));
        match &result {
            Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Sym(_) | Value::Range(_) | Value::Regexp(_) => {
                let is_number = if traits.has(Traits::PROPERTY) {
                    traits.has(Traits::POSITION) && (given.is_argument || given.is_number)
                } else {
                    given.is_receiver || has_marked_number || is_named || !is_collection && given.is_argument
                };
                Ok(if is_number { result.marked() } else { result })
            }

            Value::Str(text) => {
                if text.is_marked() || traits.has(Traits::PROPERTY) {
                    return Ok(result);
                }
                if is_collection && traits.has(Traits::ELEMENT) {
                    return Ok(if is_named { whole_copy(text) } else { result });
                }
                if Rc::strong_count(text) > 1 {
                    return Ok(result);
                }
                let text = text.clone();
                let marks = self.result_marks(&text, traits, given, (me, is_collection), args, is_whole)?;
                text.set_marks(marks);
                Ok(result)
            }
            Value::Array(_) | Value::Hash(_) if is_fresh(&result) => {
                let mut sources = std::mem::take(&mut self.st.sources);
                if is_collection || !given.is_receiver && !given.is_argument {
                    sources.is_marked = false;
                    sources.collection |= args.list.iter().fold(0, |marks, one| marks | collection_marks(one));
                    sources.collection |= if is_whole || given.may_hold { HOLDS } else { 0 };
                    sources.collection |= if has_marked_number { NUMBERS } else { 0 };
                } else {
                    sources.is_marked = true;
                    if !given.is_receiver || !traits.has(Traits::CUTS) {
                        sources.subject = None;
                    }
                }
                self.mark_new(&mut result, &mut sources, false);
                self.st.sources = sources;
                // A default value, which is only returned for a missing key.
                if has_marked_number && traits.has(Traits::ELEMENT) {
                    mark_collection(&result, NUMBERS);
                }
                if is_named && let Value::Array(array) = &result {
                    for one in array.list.borrow_mut().iter_mut() {
                        match one {
                            Value::Str(text) if text.len_bytes() < MIN_REPORTED => *one = whole_copy(text),
                            _ => {}
                        }
                    }
                    mark_collection(&result, NUMBERS | HOLDS);
                }
                Ok(result)
            }
            _ => Ok(result),
        }
    }

    /// Marks a string that a native method has changed.
    pub(super) fn mark_changed(
        &mut self,
        text: &Rc<Str>,
        traits: Traits,
        given: InputMarks,
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
        let is_whole = is_marked || given.is_argument || self.st.sources.has_marked_result;
        let before = Value::Str(Rc::new(Str::shared(was.0)));
        let given = InputMarks { is_receiver: is_marked, ..given };
        let marks = self.result_marks(text, traits, given, (&before, false), args, is_whole)?;
        text.set_marks(marks);
        Ok(())
    }

    /// Returns the marks of a string that a native method has computed from its inputs.
    pub(super) fn result_marks(
        &mut self,
        text: &Str,
        traits: Traits,
        given: InputMarks,
        (receiver, is_collection): (&Value, bool),
        args: &Args,
        is_whole: bool,
    ) -> Outcome<Marks> {
        let result = text.to_arc();
        self.steps(result.len() / 256)?;
        if traits.has(Traits::CUTS)
            && given.is_receiver
            && let Some(subject) = &mut self.st.sources.subject
        {
            return Ok(subject.marks_of(&result, true));
        }
        if traits.has(Traits::CHARACTERS)
            && given.is_receiver
            && !given.is_argument
            && let Some(subject) = &self.st.sources.subject
            && subject.text.len() == result.len()
        {
            return Ok(subject.marks.clone());
        }
        // A substituted match is not in the result.
        let skipped = if traits.has(Traits::SUBSTITUTES) { 1 } else { 0 };
        let replaced = match (skipped, args.list.first()) {
            (1, Some(Value::Str(pattern))) if pattern.is_marked() => Some(pattern.to_arc()),
            _ => None,
        };
        let mut seen = Visited::default();
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
            // The result contains nothing marked.
            let none = !is_whole || replaced.is_some() || traits.has(Traits::COPIES);
            return Ok(if none { Marks::default() } else { Marks::whole(result.len()) });
        }
        let copies = traits.has(Traits::COPIES)
            || traits.has(Traits::CUTS)
            || traits.has(Traits::FORMATS)
                && match (receiver, args.list.first()) {
                    (Value::Str(format), _) | (_, Some(Value::Str(format))) => format.with(only_copies),
                    _ => false,
                };
        if copies && !is_unknown {
            if let Some(parts) = self.find_pieces(&result, &pieces)? {
                return Ok(Marks::from_ranges(parts));
            }
            let is_same = !given.is_receiver
                && matches!(receiver, Value::Str(before) if before.with(|before| *before == *result));
            // A character at an index that is a secret is selected by the secret.
            if is_same || traits.has(Traits::CUTS) && !given.is_number {
                return Ok(Marks::default());
            }
        }
        Ok(Marks::whole(result.len()))
    }
}
