//! Prints loops whose bodies only print: [`FastLoop`].

use minijinja::Value;

use super::frame::Slots;
use super::items::Items;
use super::native::Output;
use super::{Frame, Mode, Renderer};
use crate::error::Result;
use crate::filters::FastFilter;
use crate::objects::{Dict, Key, List, Side, SourceView, Tuple};
use crate::python::arithmetic;
use crate::python::arithmetic::Operator;
use crate::python::kind::small;
use crate::syntax::ast::For;
use crate::syntax::fast_loop::{FastLoop, LoopCounter, LoopPiece, PathStart, ValuePath};
use crate::work;

/// The number of steps and bytes after which the budget is charged.
const STEPS_AHEAD: usize = 1024;
const BYTES_AHEAD: usize = 64 << 10;

/// The number of bytes that are appended to the output at once.
const BATCH: usize = 16 << 10;

/// The most bytes that are reserved for the rest of a loop.
const MAX_RESERVED: usize = 64 << 20;

impl Renderer<'_> {
    /// The fast form of a loop, if it can be printed without an observer and without escaping.
    pub(super) fn fast_loop_of<'d>(&self, definition: &'d For, frame: &Frame) -> Option<&'d FastLoop> {
        let is_plain = self.mode.get() == Mode::Text && !frame.escapes && self.engine.observer.is_none();
        if is_plain { definition.fast_loop() } else { None }
    }

    /// Prints the items of a loop, beginning with one of them. Returns the index of the first item that needs the
    /// general path, of which only the text at the start of the body is printed.
    pub(super) fn print_fast_loop(
        &self,
        fast_loop: &FastLoop,
        items: &Items,
        from: usize,
        frame: &mut Frame,
    ) -> Result<usize> {
        let Frame { slots, out, .. } = frame;
        let counted = out.string().len();
        let mut printer = FastLoopPrinter { slots, out, steps: 0, bytes: 0, counted };
        let at = printer.iterations(fast_loop, items, from, None)?;
        printer.count()?;
        Ok(at)
    }
}

/// The state of a fast loop.
struct FastLoopPrinter<'a> {
    /// Variables outside of the loops.
    slots: &'a Slots,
    out: &'a mut Output,
    /// The uncharged steps, and the uncharged bytes besides those of the output.
    steps: usize,
    bytes: usize,
    /// The length of the output at the last charge.
    counted: usize,
}

/// A number with the text after it.
struct NumberLine<'t> {
    /// The digits and the text, if they are short.
    line: [u8; NumberLine::SIZE],
    digits: usize,
    number: i64,
    text: &'t str,
}

impl NumberLine<'_> {
    /// The bytes of a short line: a copy of a fixed size is faster than one of a few bytes.
    const SIZE: usize = 32;

    fn new(number: i64, text: &str) -> NumberLine<'_> {
        let mut line = NumberLine { line: [0; NumberLine::SIZE], digits: 0, number, text };
        line.write();
        line
    }

    /// Changes the number.
    #[inline]
    fn set(&mut self, number: i64) {
        let is_next = self.number >= 0 && number.checked_sub(1) == Some(self.number);
        self.number = number;
        if is_next {
            // Most numbers differ from the one before in the last digit.
            for digit in self.line.get_mut(..self.digits).unwrap_or_default().iter_mut().rev() {
                if *digit != b'9' {
                    *digit += 1;
                    return;
                }
                *digit = b'0';
            }
        }
        self.write();
    }

    fn write(&mut self) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(self.number).as_bytes();
        self.digits = digits.len();
        for (place, byte) in self.line.iter_mut().zip(digits.iter().chain(self.text.as_bytes())) {
            *place = *byte;
        }
    }

    #[inline]
    fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.digits + self.text.len();
        out.extend_from_slice(&self.line);
        if self.digits + self.text.len() <= NumberLine::SIZE {
            out.truncate(end);
        } else {
            out.truncate(end - self.text.len());
            out.extend_from_slice(self.text.as_bytes());
        }
    }
}

/// The current iteration of a fast loop, with those of the loops around it.
struct Iteration<'a> {
    items: &'a Items,
    at: usize,
    around: Option<&'a Iteration<'a>>,
}

/// A value that was found.
enum Operand<'a> {
    Value(&'a Value),
    Number(i64),
    /// A value that is not converted.
    Source(SourceView<'a>),
}

impl Operand<'_> {
    fn value(self) -> Value {
        match self {
            Operand::Value(value) => value.clone(),
            Operand::Number(number) => Value::from(number),
            Operand::Source(source) => source.value(),
        }
    }

    fn number(&self) -> Option<i64> {
        match self {
            Operand::Value(value) => small(value),
            Operand::Number(number) => Some(*number),
            Operand::Source(source) => source.small(),
        }
    }
}

impl FastLoopPrinter<'_> {
    /// Charges the work since the last charge.
    fn count(&mut self) -> Result<()> {
        work::steps(std::mem::take(&mut self.steps))?;
        let length = self.out.string().len();
        work::bytes(std::mem::take(&mut self.bytes) + length.saturating_sub(self.counted))?;
        self.counted = length;
        self.out.fits()
    }

    fn iterations(
        &mut self,
        fast_loop: &FastLoop,
        items: &Items,
        from: usize,
        outer: Option<&Iteration<'_>>,
    ) -> Result<usize> {
        let length = items.len();
        if let Some(separators) = fast_loop.separators.as_ref().filter(|_| from == 0 && length > 0) {
            self.out.copy(&separators.first);
        }
        let begin = self.out.string().len();
        let mut is_reserved = outer.is_some();
        let texts = fast_loop.number_texts();
        for at in from..length {
            if let (Items::Numbers(start, step, _), Some(texts)) = (items, &texts)
                && is_reserved
            {
                return self.numbers(fast_loop, texts, (*start, *step), at, length);
            }
            let start = self.out.string().len();
            let iteration = Iteration { items, at, around: outer };
            let mut is_printed = fast_loop.parts.is_none_or(|parts| iteration.has_parts(parts));
            for piece in &fast_loop.pieces {
                is_printed = is_printed && self.print_piece(piece, &iteration)?.is_some();
            }
            if !is_printed {
                self.out.string().truncate(start);
                self.counted = self.counted.min(start);
                return Ok(at);
            }
            if let Some(separators) = &fast_loop.separators {
                self.out.copy(if at + 1 < length { &separators.both } else { &separators.last });
            }
            self.steps += fast_loop.steps;
            self.bytes += fast_loop.pieces.len() * work::ELEMENT;
            if self.steps > STEPS_AHEAD || self.out.string().len() > self.counted + BYTES_AHEAD {
                self.count()?;
                if !is_reserved {
                    is_reserved = true;
                    self.reserve(begin, at + 1 - from, length - at - 1);
                }
            }
        }
        Ok(length)
    }

    /// Prints numbers, from one of them on, each with the text after it.
    fn numbers(
        &mut self,
        fast_loop: &FastLoop,
        (both, last): &(&str, &str),
        (start, step): (i64, i64),
        from: usize,
        length: usize,
    ) -> Result<usize> {
        // A list has no more items than fit.
        let number_at = |at: usize| start + i64::try_from(at).unwrap_or(0) * step;
        let mut batch = Vec::with_capacity(BATCH + NumberLine::SIZE);
        let mut line = NumberLine::new(number_at(from), both);
        for at in from..length {
            if at + 1 < length {
                line.append_to(&mut batch);
                line.set(number_at(at + 1));
            } else {
                NumberLine::new(number_at(at), last).append_to(&mut batch);
            }
            self.steps += fast_loop.steps;
            self.bytes += fast_loop.pieces.len() * work::ELEMENT;
            if batch.len() > BATCH || self.steps > STEPS_AHEAD || at + 1 == length {
                // Digits and text are valid.
                self.out.string().push_str(std::str::from_utf8(&batch).unwrap_or_default());
                batch.clear();
                self.count()?;
            }
        }
        Ok(length)
    }

    /// Reserves memory for the remaining items: twice as much as for those since a position. An output that grows is
    /// copied, and memory that is never touched costs nothing.
    fn reserve(&mut self, begin: usize, done: usize, remaining: usize) {
        let text = self.out.string();
        let expected = text.len().saturating_sub(begin).saturating_mul(remaining) / done.max(1);
        text.reserve(expected.saturating_mul(2).min(MAX_RESERVED));
    }

    /// Prints a piece. Returns `None` if it needs the general path.
    #[inline(always)]
    fn print_piece(&mut self, piece: &LoopPiece, iteration: &Iteration<'_>) -> Result<Option<()>> {
        Ok(match piece {
            LoopPiece::Text(text) => {
                self.out.copy(text);
                Some(())
            }
            LoopPiece::Value(value) => self.value(value, iteration),
            LoopPiece::Number(operator, left, right) => self.number(*operator, left, right, iteration),
            LoopPiece::Filtered { value, filter, argument, is_default } => {
                self.filtered(value, filter, argument.as_ref(), *is_default, iteration)
            }
            LoopPiece::Loop(value, side, fast_loop) => match self.items(value, *side, iteration) {
                Some(items) => {
                    let done = self.iterations(fast_loop, &items, 0, Some(iteration))?;
                    (done == items.len()).then_some(())
                }
                None => None,
            },
        })
    }

    #[inline(always)]
    fn value(&mut self, value: &ValuePath, iteration: &Iteration<'_>) -> Option<()> {
        let out = &mut *self.out;
        with_operand(self.slots, value, iteration, |seen| match seen? {
            Operand::Number(number) => {
                out.digits(number);
                Some(())
            }
            Operand::Value(value) => out.plain(value).map(drop),
            Operand::Source(source) => out.unconverted(source).map(drop),
        })
    }

    #[inline(always)]
    fn number(
        &mut self,
        operator: Operator,
        left: &ValuePath,
        right: &ValuePath,
        iteration: &Iteration<'_>,
    ) -> Option<()> {
        let left = with_operand(self.slots, left, iteration, |seen| seen?.number())?;
        let right = with_operand(self.slots, right, iteration, |seen| seen?.number())?;
        self.out.digits(arithmetic::small_integers(operator, left, right)?);
        Some(())
    }

    fn filtered(
        &mut self,
        value: &ValuePath,
        filter: &FastFilter,
        argument: Option<&ValuePath>,
        is_default: bool,
        iteration: &Iteration<'_>,
    ) -> Option<()> {
        let argument = match argument {
            Some(argument) => Some(with_operand(self.slots, argument, iteration, |seen| Some(seen?.value()))?),
            None => None,
        };
        let out = &mut *self.out;
        let steps = with_operand(self.slots, value, iteration, |seen| match (seen, &argument) {
            (Some(Operand::Value(value)), argument) => (filter.write)(value, argument.as_ref(), out.string()),
            (Some(Operand::Source(source)), argument) => match filter.write_source {
                Some(write) => write(source, argument.as_ref(), out.string()),
                None => (filter.write)(&source.value(), argument.as_ref(), out.string()),
            },
            (Some(number), argument) => (filter.write)(&number.value(), argument.as_ref(), out.string()),
            (None, Some(default)) if is_default => out.plain(default),
            (None, _) => None,
        });
        self.steps += steps?;
        Some(())
    }

    /// Returns the items of an inner loop.
    fn items(&mut self, value: &ValuePath, side: Option<Side>, iteration: &Iteration<'_>) -> Option<Items> {
        let items = with_operand(self.slots, value, iteration, |seen| {
            let value = match seen? {
                Operand::Value(value) => value,
                Operand::Number(_) => return None,
                Operand::Source(source) if source.is_list() && side.is_none() => {
                    return Some(Items::Source(source.own()));
                }
                Operand::Source(source) => &source.value(),
            };
            match (value.downcast_object_ref::<List>(), side) {
                (Some(list), None) => Some(Items::Values(list.shared())),
                (Some(_), Some(_)) => None,
                (None, side) => {
                    let dict: &Dict = value.downcast_object_ref()?;
                    Some(Items::Entries(dict.shared(), side.unwrap_or(Side::Keys)))
                }
            }
        })?;
        self.steps += items.len();
        Some(items)
    }
}

/// Shows a value to a function, or nothing where a dictionary has no such entry. Nothing is shown where the search is not simple.
#[inline(always)]
fn with_operand<R>(
    slots: &Slots,
    found: &ValuePath,
    iteration: &Iteration<'_>,
    show: impl FnOnce(Option<Operand<'_>>) -> Option<R>,
) -> Option<R> {
    let keys = &*found.keys;
    match &found.base {
        PathStart::Item { up, part } => {
            let iteration = iteration.up(*up)?;
            match (iteration.items, part) {
                (Items::Values(values), None) => follow_path(values.get(iteration.at)?, keys, show),
                (Items::Source(source), None) => follow_source(source.view().at(iteration.at)?, keys, show),
                (Items::Source(source), Some(part)) => {
                    let item = source.view().at(iteration.at).filter(|item| item.is_list())?;
                    follow_source(item.at(*part)?, keys, show)
                }
                (Items::Numbers(start, step, _), None) if keys.is_empty() => {
                    // A list has no more items than fit.
                    show(Some(Operand::Number(start + i64::try_from(iteration.at).unwrap_or(0) * step)))
                }
                (Items::Entries(entries, Side::Values), None) => {
                    follow_path(entries.get_index(iteration.at)?.1, keys, show)
                }
                (Items::Entries(entries, Side::Keys), None) => {
                    follow_path(entries.get_index(iteration.at)?.0, keys, show)
                }
                (Items::Entries(entries, Side::Pairs), Some(part)) => {
                    let (key, value) = entries.get_index(iteration.at)?;
                    follow_path(if *part == 0 { key } else { value }, keys, show)
                }
                (Items::Values(values), Some(part)) => {
                    let item = values.get(iteration.at)?;
                    match item.downcast_object_ref::<Tuple>() {
                        Some(tuple) => follow_path(tuple.items().get(*part)?, keys, show),
                        None => {
                            let part = item.downcast_object_ref::<List>()?.read().get(*part)?.clone();
                            follow_path(&part, keys, show)
                        }
                    }
                }
                _ => None,
            }
        }
        PathStart::Constant(_, Some(number)) if keys.is_empty() => show(Some(Operand::Number(*number))),
        PathStart::Constant(value, _) => follow_path(value, keys, show),
        PathStart::Name(name) => follow_path(slots.get(name)?, keys, show),
        PathStart::Counter { up, count } => show(Some(Operand::Number(iteration.up(*up)?.count(*count)))),
    }
}

/// Follows the names of attributes to a value.
#[inline(always)]
fn follow_path<R>(value: &Value, keys: &[Key], show: impl FnOnce(Option<Operand<'_>>) -> Option<R>) -> Option<R> {
    match keys {
        [] => show(Some(Operand::Value(value))),
        [key] => {
            let dict: &Dict = value.downcast_object_ref()?;
            dict.show(key, |found| show(found.map(Operand::Value)))
        }
        [rest @ .., key] => {
            // At most one dictionary is locked at a time, because a dictionary may contain itself.
            let mut value = value.clone();
            for key in rest {
                let inner = value.downcast_object_ref::<Dict>()?.under(key)?;
                value = inner;
            }
            value.downcast_object_ref::<Dict>()?.show(key, |found| show(found.map(Operand::Value)))
        }
    }
}

/// Follows the names of attributes in a value that is not converted.
#[inline(always)]
fn follow_source<R>(
    mut value: SourceView<'_>,
    keys: &[Key],
    show: impl FnOnce(Option<Operand<'_>>) -> Option<R>,
) -> Option<R> {
    let Some((last, before)) = keys.split_last() else { return show(Some(Operand::Source(value))) };
    for key in before {
        if !value.is_searchable() {
            return None;
        }
        value = value.under(key)?;
    }
    if !value.is_searchable() {
        return None;
    }
    match value.under(last) {
        Some(found) => show(Some(Operand::Source(found))),
        None if value.has_plain_keys() => show(None),
        None => None,
    }
}

impl Iteration<'_> {
    /// Returns the iteration of the loop that is `up` levels up.
    #[inline(always)]
    fn up(&self, up: usize) -> Option<&Self> {
        (0..up).try_fold(self, |iteration, _| iteration.around)
    }

    /// Returns whether the item can be unpacked into this number of parts.
    fn has_parts(&self, parts: usize) -> bool {
        match self.items {
            Items::Values(values) => values.get(self.at).is_some_and(|item| {
                let tuple = || item.downcast_object_ref::<Tuple>().map(|tuple| tuple.items().len());
                let list = || item.downcast_object_ref::<List>().map(|list| list.read().len());
                tuple().or_else(list) == Some(parts)
            }),
            Items::Entries(_, Side::Pairs) => parts == 2,
            Items::Source(source) => {
                source.view().at(self.at).is_some_and(|item| item.is_list() && item.count() == parts)
            }
            Items::Entries(..) | Items::Numbers(..) | Items::Changing(_) => false,
        }
    }

    fn count(&self, count: LoopCounter) -> i64 {
        let (at, length) = (self.at, self.items.len());
        let number = match count {
            LoopCounter::Index => at + 1,
            LoopCounter::Index0 => at,
            LoopCounter::Revindex => length - at,
            LoopCounter::Revindex0 => length - at - 1,
            LoopCounter::Length => length,
        };
        i64::try_from(number).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::NumberLine;

    #[test]
    fn lines_count_up() {
        for text in ["", "\n", " é\n", " a text that is longer than a line\n"] {
            for numbers in [
                vec![-2, -1, 0, 1, 2],
                vec![8, 9, 10, 11],
                vec![998, 999, 1000, 999, 7],
                vec![i64::MAX - 1, i64::MAX, i64::MIN],
            ] {
                let mut line = NumberLine::new(numbers[0], text);
                let mut out = Vec::new();
                for number in &numbers {
                    line.set(*number);
                    line.append_to(&mut out);
                }
                let expected: String = numbers.iter().map(|number| format!("{number}{text}")).collect();
                assert_eq!(String::from_utf8(out).unwrap(), expected);
            }
        }
    }
}
