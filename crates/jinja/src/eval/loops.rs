//! Loops.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use minijinja::Value;

use super::items::Items;
use super::loop_variable::Loop;
use super::{Frame, Mode, Renderer};
use crate::engine_state::may_reveal;
use crate::error::Result;
use crate::functions::{Builtin, numbers};
use crate::objects::{Dict, Key, Side};
use crate::python::kind::truth;
use crate::syntax::ast::{Arguments, BodyLocation, Expr, ExprKind, For, Jump, Node, Target};

impl Renderer<'_> {
    /// A loop.
    pub(super) fn for_statement(&self, definition: &Arc<For>, frame: &mut Frame) -> Result<()> {
        let mut observed = None;
        let fast_loop = self.fast_loop_of(definition, frame).filter(|_| definition.condition.is_none());
        let (mut items, source) = match self.unlisted(&definition.iterable, frame)? {
            Some(found) => found,
            None => {
                let mut kept = None;
                let value = self.look(&definition.iterable, frame, &mut kept)?;
                let is_observed = self.engine.observer.is_some() && self.mode.get() == Mode::Text && may_reveal(value);
                observed = is_observed.then(|| value.clone());
                let items = match Items::unconverted(value).filter(|_| fast_loop.is_some()) {
                    Some(items) => items,
                    None => Items::from_value(value)?,
                };
                (items, Some(value).filter(|value| value.as_object().is_some()).cloned())
            }
        };
        // Each character that a loop over a string prints is derived from the string.
        if let Some(value) = observed {
            let opened = frame.out.open(true);
            self.deeper(|| self.for_loop(definition, items, source, 0, None, frame))?;
            let length = frame.out.close(opened)?;
            let text = frame.out.string();
            let printed = Value::from(text.get(text.len() - length..).unwrap_or_default());
            self.tell(&[&value], &printed)?;
            return Ok(());
        }
        // A body that only prints needs neither variables nor a deeper level.
        let start = match fast_loop.filter(|_| items.len() > 0) {
            Some(fast_loop) => Some(self.print_fast_loop(fast_loop, &items, 0, frame)?),
            None => None,
        };
        if start == Some(items.len()) {
            return Ok(());
        }
        if let (Items::Source(_), Some(list)) = (&items, &source) {
            items = Items::from_value(list)?;
        }
        self.deeper(|| self.for_loop(definition, items, source, 0, start, frame))
    }

    /// Returns the items of a loop over a call that needs no list: `range(...)`, and the keys, values and items of a
    /// dictionary. Also returns the dictionary, which the loop may change.
    fn unlisted(&self, expr: &Expr, frame: &Frame) -> Result<Option<(Items, Option<Value>)>> {
        let ExprKind::Call(callee, arguments) = &expr.kind else { return Ok(None) };
        if self.engine.observer.is_some() {
            return Ok(None);
        }
        if let ExprKind::Attribute(dict, key) = &callee.kind {
            return self.side(dict, key, arguments, frame);
        }
        if !callee.is_name("range") {
            return Ok(None);
        }
        let callee = self.look(callee, frame, &mut None)?.downcast_object_ref::<Builtin>().map(|builtin| builtin.name);
        if callee != Some("range") {
            return Ok(None);
        }
        let numbers = self.arguments(&"range".into(), arguments, None, frame).and_then(|args| numbers(args.plain()));
        let (start, step, count) = self.failed_at(numbers, frame.template(), expr.span)?;
        // Charges as much as a list and an iteration over it.
        let count_of = usize::try_from(count).unwrap_or(0);
        crate::work::elements(count_of)?;
        self.charge(1 + count_of)?;
        Ok(Some((Items::Numbers(start, step, count), None)))
    }

    /// Returns the items of a loop over `keys()`, `values()` or `items()` of a dictionary in a variable, or in another
    /// expression without effects.
    fn side(
        &self,
        dict: &Expr,
        key: &Key,
        arguments: &Arguments,
        frame: &Frame,
    ) -> Result<Option<(Items, Option<Value>)>> {
        let Some(side) = Side::from_method(key) else { return Ok(None) };
        // If the value is not a dictionary, the expression is evaluated again, so it must give the same value.
        let ExprKind::Name(name) = &dict.kind else { return Ok(None) };
        let Some(value) = frame.slots.get(name) else { return Ok(None) };
        let Some(dict) = value.downcast_object_ref::<Dict>() else { return Ok(None) };
        if !arguments.is_empty() {
            return Ok(None);
        }
        let entries = dict.shared();
        self.charge(3 + 2 * entries.len())?;
        Ok(Some((Items::Entries(entries, side), Some(value.clone()))))
    }

    /// Evaluates a loop over the items of a list or a dictionary. The first `printed` items may be printed already,
    /// with the text at the start of the next iteration.
    pub(super) fn for_loop(
        &self,
        definition: &Arc<For>,
        items: Items,
        source: Option<Value>,
        depth: usize,
        printed: Option<usize>,
        frame: &mut Frame,
    ) -> Result<()> {
        let level = definition.body.level();
        let source = source.filter(|_| definition.condition.is_none());
        let mut items = match &definition.condition {
            None => items,
            Some(condition) => {
                let mut kept = Vec::new();
                for item in (0..items.len()).map_while(|at| items.get(at)) {
                    self.charge(1)?;
                    let mut keep = false;
                    frame.within(level, |frame| {
                        self.assign(&definition.target, item.clone(), frame)?;
                        keep = truth(&self.expr(condition, frame)?)?;
                        Ok(())
                    })?;
                    if keep {
                        kept.push(item);
                    }
                }
                kept.into()
            }
        };
        if items.len() == 0 {
            let body = &definition.otherwise;
            return self.within(body, frame, |frame| self.nodes(&body.nodes, frame));
        }
        let (fresh, is_loop_used) = definition.details.get().cloned().unwrap_or((0..0, true));
        let fast_loop = self.fast_loop_of(definition, frame);
        // The text between two items is copied at once.
        let separators = if self.mode.get() == Mode::Text { definition.separators() } else { None };
        let nodes = separators.map_or(&definition.body.nodes[..], |(nodes, _)| nodes);
        let mut at = match (printed, fast_loop) {
            (Some(printed), _) => printed,
            (None, Some(fast_loop)) => self.print_fast_loop(fast_loop, &items, 0, frame)?,
            (None, None) => {
                if let Some((_, separators)) = separators {
                    self.count_output(separators.first.len())?;
                    frame.out.copy(&separators.first);
                }
                0
            }
        };
        if at == items.len() {
            return Ok(());
        }
        let anew = if self.rereads_input() { definition.anew.get().map_or(&[][..], |places| places) } else { &[] };
        let state = is_loop_used.then(|| self.loop_state(definition, &items, depth, frame));
        frame.within(level, |frame| {
            if let Some(state) = &state {
                frame.set(&definition.state, Value::from_dyn_object(state.clone()));
            }
            while at < items.len() {
                if let Some(state) = &state {
                    state.at.store(at, Ordering::Relaxed);
                }
                frame.clear_input(anew);
                if *level == BodyLocation::Scope {
                    frame.within(level, |frame| self.iteration(definition, nodes, &items, at, frame))?;
                } else {
                    self.iteration(definition, nodes, &items, at, frame)?;
                    if !fresh.is_empty() {
                        frame.forget(fresh.clone());
                    }
                }
                if let Some(source) = &source
                    && let Some(changed) = items.changed(source)?
                {
                    items = changed;
                }
                at += 1;
                if let Some((_, separators)) = separators {
                    let text = if at < items.len() { &separators.both } else { &separators.last };
                    crate::work::bytes(text.len())?;
                    frame.out.copy(text);
                }
                if frame.jump.is_some() && frame.jump.take() == Some(Jump::Break) {
                    break;
                }
                if let Some(fast_loop) = fast_loop {
                    at = self.print_fast_loop(fast_loop, &items, at, frame)?;
                }
            }
            Ok(())
        })
    }

    /// Evaluates one iteration of a loop.
    #[inline(always)]
    fn iteration(&self, definition: &For, nodes: &[Node], items: &Items, at: usize, frame: &mut Frame) -> Result<()> {
        match (&definition.target, items) {
            (Target::Name(name), Items::Values(values)) => frame.set_item(name, values, at),
            (target, Items::Values(values)) => {
                if let Some(item) = values.get(at) {
                    self.assign_parts(target, item, frame)?;
                }
            }
            (Target::Name(name), Items::Numbers(start, step, _)) => {
                // A list has no more items than fit.
                frame.set_number(name, start + i64::try_from(at).unwrap_or(0) * step);
            }
            (Target::Name(name), Items::Entries(entries, Side::Keys)) => frame.set_entry(name, entries, false, at),
            (Target::Name(name), Items::Entries(entries, Side::Values)) => frame.set_entry(name, entries, true, at),
            (Target::Several(targets), Items::Entries(entries, Side::Pairs)) => match &targets[..] {
                [Target::Name(key), Target::Name(value)] => {
                    self.charge(2)?;
                    frame.set_entry(key, entries, false, at);
                    frame.set_entry(value, entries, true, at);
                }
                _ => self.assign(&definition.target, items.get(at).unwrap_or_default(), frame)?,
            },
            (target, others) => self.assign(target, others.get(at).unwrap_or_default(), frame)?,
        }
        // A scope, the loop's own variables and the item.
        self.nodes_after(4, nodes, frame)
    }

    /// The variable `loop`.
    fn loop_state(&self, definition: &Arc<For>, items: &Items, depth: usize, frame: &Frame) -> Arc<Loop> {
        let recursive = definition.recursive.then(|| {
            let slots = match definition.body.level() {
                BodyLocation::Scope => 0..0,
                BodyLocation::Slots(slots) => slots.clone(),
            };
            self.circular.borrow_mut().push(frame.scope().clone());
            (definition.clone(), Arc::new(frame.outside(&slots)))
        });
        let at = AtomicUsize::new(0);
        Arc::new(Loop { items: items.clone(), at, depth, recursive, changed: Mutex::new(None) })
    }
}
