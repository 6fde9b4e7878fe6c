//! Prints loops whose bodies only print: [`Strip`].

use minijinja::Value;

use super::frame::Slots;
use super::items::Items;
use super::native::Printed;
use super::{Frame, Mode, Run};
use crate::error::Result;
use crate::objects::{Dict, Key, List, Side, Tuple, under};
use crate::python::arithmetic;
use crate::python::arithmetic::Operator;
use crate::python::kind::small;
use crate::syntax::ast::For;
use crate::syntax::strips::{Base, Count, Found, Piece, Strip};
use crate::work;

/// The number of steps and bytes after which the budget is charged.
const AHEAD: usize = 1024;
const AHEAD_BYTES: usize = 64 << 10;

impl Run<'_> {
    /// The strip of a loop, where it can be printed without a witness and without escaping.
    pub(super) fn strip_of<'d>(&self, definition: &'d For, frame: &Frame) -> Option<&'d Strip> {
        let is_plain = self.mode.get() == Mode::Text && !frame.escapes && self.engine.witness.is_none();
        if is_plain { definition.strip() } else { None }
    }

    /// Prints the items of a loop from one of them on, and returns where it ends: at the first item that takes more than copying, of which
    /// nothing is printed but the text that the body begins with.
    pub(super) fn print_strip(&self, strip: &Strip, items: &Items, from: usize, frame: &mut Frame) -> Result<usize> {
        let Frame { slots, out, .. } = frame;
        let counted = out.string().len();
        let mut printer = Printer { slots, out, steps: 0, bytes: 0, counted };
        let at = printer.turns(strip, items, from, None)?;
        printer.count()?;
        Ok(at)
    }
}

/// The state of a fast loop.
struct Printer<'a> {
    /// Variables outside of the loops.
    slots: &'a Slots,
    out: &'a mut Printed,
    /// Steps, and bytes beside those of the text, that are not counted yet.
    steps: usize,
    bytes: usize,
    /// The length of the output at the last charge.
    counted: usize,
}

/// The current iteration of a fast loop, with those of the loops around it.
struct Turn<'a> {
    items: &'a Items,
    at: usize,
    around: Option<&'a Turn<'a>>,
}

/// A value that was found.
enum Seen<'a> {
    Value(&'a Value),
    Number(i64),
}

impl Seen<'_> {
    fn value(self) -> Value {
        match self {
            Seen::Value(value) => value.clone(),
            Seen::Number(number) => Value::from(number),
        }
    }

    fn number(&self) -> Option<i64> {
        match self {
            Seen::Value(value) => small(value),
            Seen::Number(number) => Some(*number),
        }
    }
}

impl Printer<'_> {
    /// Charges the work since the last charge.
    fn count(&mut self) -> Result<()> {
        work::steps(std::mem::take(&mut self.steps))?;
        let length = self.out.string().len();
        work::bytes(std::mem::take(&mut self.bytes) + length.saturating_sub(self.counted))?;
        self.counted = length;
        self.out.fits()
    }

    fn turns(&mut self, strip: &Strip, items: &Items, from: usize, around: Option<&Turn<'_>>) -> Result<usize> {
        let length = items.len();
        if let Some(seam) = strip.seam.as_ref().filter(|_| from == 0 && length > 0) {
            self.out.copy(&seam.first);
        }
        for at in from..length {
            let start = self.out.string().len();
            let turn = Turn { items, at, around };
            let mut is_printed = strip.parts.is_none_or(|parts| turn.has_parts(parts));
            for piece in &strip.pieces {
                is_printed = is_printed && self.piece(piece, &turn)?.is_some();
            }
            if !is_printed {
                self.out.string().truncate(start);
                self.counted = self.counted.min(start);
                return Ok(at);
            }
            if let Some(seam) = &strip.seam {
                self.out.copy(if at + 1 < length { &seam.both } else { &seam.last });
            }
            self.steps += strip.steps;
            self.bytes += strip.pieces.len() * work::ELEMENT;
            if self.steps > AHEAD || self.out.string().len() > self.counted + AHEAD_BYTES {
                self.count()?;
            }
        }
        Ok(length)
    }

    /// Prints a piece, if that is simple.
    #[inline(always)]
    fn piece(&mut self, piece: &Piece, turn: &Turn<'_>) -> Result<Option<()>> {
        Ok(match piece {
            Piece::Text(text) => {
                self.out.copy(text);
                Some(())
            }
            Piece::Value(value) => self.value(value, turn),
            Piece::Number(operator, left, right) => self.number(*operator, left, right, turn),
            Piece::Filtered { value, filter, argument, is_default } => {
                self.filtered(value, filter.write, argument.as_ref(), *is_default, turn)
            }
            Piece::Loop(value, side, strip) => match self.items(value, *side, turn) {
                Some(items) => {
                    let done = self.turns(strip, &items, 0, Some(turn))?;
                    (done == items.len()).then_some(())
                }
                None => None,
            },
        })
    }

    #[inline(always)]
    fn value(&mut self, value: &Found, turn: &Turn<'_>) -> Option<()> {
        let out = &mut *self.out;
        look(self.slots, value, turn, |seen| match seen? {
            Seen::Number(number) => {
                out.digits(number);
                Some(())
            }
            Seen::Value(value) => out.plain(value).map(drop),
        })
    }

    #[inline(always)]
    fn number(&mut self, operator: Operator, left: &Found, right: &Found, turn: &Turn<'_>) -> Option<()> {
        let left = look(self.slots, left, turn, |seen| seen?.number())?;
        let right = look(self.slots, right, turn, |seen| seen?.number())?;
        self.out.digits(arithmetic::small_integers(operator, left, right)?);
        Some(())
    }

    fn filtered(
        &mut self,
        value: &Found,
        write: crate::filters::Write,
        argument: Option<&Found>,
        is_default: bool,
        turn: &Turn<'_>,
    ) -> Option<()> {
        let argument = match argument {
            Some(argument) => Some(look(self.slots, argument, turn, |seen| Some(seen?.value()))?),
            None => None,
        };
        let value = look(self.slots, value, turn, |seen| Some(seen.map(|seen| seen.value())))?;
        let steps = match (value, &argument) {
            (Some(value), argument) => write(&value, argument.as_ref(), self.out.string()),
            (None, Some(default)) if is_default => self.out.plain(default),
            (None, _) => None,
        };
        self.steps += steps?;
        Some(())
    }

    /// Returns the items of an inner loop.
    fn items(&mut self, value: &Found, side: Option<Side>, turn: &Turn<'_>) -> Option<Items> {
        let items = look(self.slots, value, turn, |seen| {
            let Seen::Value(value) = seen? else { return None };
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
fn look<R>(
    slots: &Slots,
    found: &Found,
    turn: &Turn<'_>,
    show: impl FnOnce(Option<Seen<'_>>) -> Option<R>,
) -> Option<R> {
    let keys = &*found.keys;
    match &found.base {
        Base::Item { up, part } => {
            let turn = turn.up(*up)?;
            match (turn.items, part) {
                (Items::Values(values), None) => lead(values.get(turn.at)?, keys, show),
                (Items::Numbers(start, step, _), None) if keys.is_empty() => {
                    // A list has no more items than fit.
                    show(Some(Seen::Number(start + i64::try_from(turn.at).unwrap_or(0) * step)))
                }
                (Items::Entries(entries, Side::Values), None) => lead(entries.get_index(turn.at)?.1, keys, show),
                (Items::Entries(entries, Side::Keys), None) => lead(entries.get_index(turn.at)?.0, keys, show),
                (Items::Entries(entries, Side::Pairs), Some(part)) => {
                    let (key, value) = entries.get_index(turn.at)?;
                    lead(if *part == 0 { key } else { value }, keys, show)
                }
                (Items::Values(values), Some(part)) => {
                    let item = values.get(turn.at)?;
                    match item.downcast_object_ref::<Tuple>() {
                        Some(tuple) => lead(tuple.items().get(*part)?, keys, show),
                        None => {
                            let part = item.downcast_object_ref::<List>()?.read().get(*part)?.clone();
                            lead(&part, keys, show)
                        }
                    }
                }
                _ => None,
            }
        }
        Base::Constant(_, Some(number)) if keys.is_empty() => show(Some(Seen::Number(*number))),
        Base::Constant(value, _) => lead(value, keys, show),
        Base::Name(name) => lead(slots.get(name)?, keys, show),
        Base::Count { up, count } => show(Some(Seen::Number(turn.up(*up)?.count(*count)))),
    }
}

/// Follows the names of attributes to a value.
#[inline(always)]
fn lead<R>(value: &Value, keys: &[Key], show: impl FnOnce(Option<Seen<'_>>) -> Option<R>) -> Option<R> {
    match keys {
        [] => show(Some(Seen::Value(value))),
        [key] => {
            let dict: &Dict = value.downcast_object_ref()?;
            show(under(&dict.read(), key).map(Seen::Value))
        }
        [rest @ .., key] => {
            // Nothing is locked while something else is: a dictionary may hold itself.
            let mut value = value.clone();
            for key in rest {
                let inner = under(&value.downcast_object_ref::<Dict>()?.read(), key)?.clone();
                value = inner;
            }
            show(under(&value.downcast_object_ref::<Dict>()?.read(), key).map(Seen::Value))
        }
    }
}

impl Turn<'_> {
    /// The turn of the loop so many loops around.
    #[inline(always)]
    fn up(&self, up: usize) -> Option<&Self> {
        (0..up).try_fold(self, |turn, _| turn.around)
    }

    /// Checks whether the item can be unpacked into so many parts.
    fn has_parts(&self, parts: usize) -> bool {
        match self.items {
            Items::Values(values) => values.get(self.at).is_some_and(|item| {
                let tuple = || item.downcast_object_ref::<Tuple>().map(|tuple| tuple.items().len());
                let list = || item.downcast_object_ref::<List>().map(|list| list.read().len());
                tuple().or_else(list) == Some(parts)
            }),
            Items::Entries(_, Side::Pairs) => parts == 2,
            Items::Entries(..) | Items::Numbers(..) | Items::Changing(_) => false,
        }
    }

    fn count(&self, count: Count) -> i64 {
        let (at, length) = (self.at, self.items.len());
        let number = match count {
            Count::Index => at + 1,
            Count::Index0 => at,
            Count::Revindex => length - at,
            Count::Revindex0 => length - at - 1,
            Count::Length => length,
        };
        i64::try_from(number).unwrap_or(i64::MAX)
    }
}
