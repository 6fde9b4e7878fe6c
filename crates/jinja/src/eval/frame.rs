//! [`Frame`]: the state of the statements that are evaluated.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use minijinja::Value;

use super::native::Output;
use super::scope::Scope;
use crate::error::Result;
use crate::objects::{Entries, Markup};
use crate::python::kind::small;
use crate::syntax::Template;
use crate::syntax::ast::{Block, BodyLocation, Jump, Location, Name, Unit};

/// The versions of each block. The first one overrides the others.
pub type Blocks = Arc<Mutex<BTreeMap<Arc<str>, Vec<(Arc<Template>, Arc<Block>)>>>>;

/// The context that all statements of a template, or of a version of a block, share.
#[derive(Debug)]
pub struct TemplateContext {
    pub template: Arc<Template>,
    pub blocks: Blocks,
    /// The top scope, which is visible in blocks.
    pub top: Arc<Scope>,
    /// Whether the template currently escapes, in contrast to the escaping at this position of the source: they differ
    /// inside `{% autoescape %}` for filters, macros and blocks that are defined elsewhere.
    pub escapes: Arc<AtomicBool>,
}

impl TemplateContext {
    /// Returns whether the template currently escapes.
    pub fn escapes(&self) -> bool {
        self.escapes.load(Ordering::Relaxed)
    }
}

/// A slot for a variable.
#[derive(Clone, Debug, Default)]
enum Slot {
    /// The variable is not set.
    #[default]
    Unset,
    /// Its value.
    Set(Value),
    /// The item of a loop: the element of a list at an index.
    Item(Arc<Vec<Value>>, usize),
    /// The item of a loop over a dictionary: with `true` a value, otherwise a key.
    Entry(Arc<Entries>, bool, usize),
    /// The current number of a counting loop, with its value once that has been read.
    Number(i64, OnceCell<Value>),
}

impl Slot {
    #[inline]
    fn get(&self) -> Option<&Value> {
        match self {
            Slot::Unset => None,
            Slot::Set(value) => Some(value),
            Slot::Number(number, value) => Some(value.get_or_init(|| Value::from(*number))),
            Slot::Item(items, at) => items.get(*at),
            Slot::Entry(entries, is_value, at) => entry(entries, *is_value, *at),
        }
    }
}

/// A key of a dictionary, or a value.
#[inline]
fn entry(entries: &Entries, is_value: bool, at: usize) -> Option<&Value> {
    entries.get_index(at).map(|(key, value)| if is_value { value } else { key })
}

/// The variables in slots, and cached input variables.
#[derive(Debug, Default)]
pub struct Slots {
    set: Vec<Slot>,
    given: Vec<OnceCell<Value>>,
}

impl Slots {
    /// Returns a cached variable.
    #[inline(always)]
    pub fn get(&self, name: &Name) -> Option<&Value> {
        match name.location() {
            Location::Slot(slot) | Location::Both(slot) => self.set.get(*slot)?.get(),
            Location::Input(at) => self.given.get(*at)?.get(),
            Location::Slots(slots) => slots.iter().find_map(|slot| self.set.get(*slot)?.get()),
            Location::Named => None,
        }
    }
}

impl Slots {
    /// Returns a variable that is a small integer.
    #[inline(always)]
    pub fn small(&self, name: &Name) -> Option<i64> {
        match name.location() {
            Location::Slot(slot) => match self.set.get(*slot)? {
                Slot::Number(number, _) => Some(*number),
                other => small(other.get()?),
            },
            _ => small(self.get(name)?),
        }
    }
}

/// A pool of slots, because macros are called often.
#[derive(Debug, Default)]
pub struct Pool(RefCell<Vec<Slots>>);

impl Pool {
    /// Returns empty slots.
    pub fn take(&self, unit: &Unit) -> Slots {
        let mut slots = self.0.borrow_mut().pop().unwrap_or_default();
        slots.set.resize(unit.slots.len(), Slot::Unset);
        slots.given.resize_with(unit.given, OnceCell::new);
        slots
    }

    fn put(&self, mut slots: Slots) {
        // The values are dropped before the pool is borrowed, because a drop may need the pool.
        slots.set.clear();
        slots.given.clear();
        self.0.borrow_mut().push(slots);
    }
}

/// The static context of a new frame.
#[derive(Debug)]
pub struct FrameOrigin {
    pub around: Arc<TemplateContext>,
    pub unit: Arc<Unit>,
    /// The enclosing scope.
    pub scope: Arc<Scope>,
}

/// The state of the statements that are evaluated.
pub struct Frame {
    origin: Arc<FrameOrigin>,
    /// The innermost scope, if it is another one than that around.
    inner: Option<Arc<Scope>>,
    pub slots: Slots,
    pub out: Output,
    /// The block that is being evaluated, and the index of its version.
    pub block: Option<(Arc<str>, usize)>,
    /// The template that this one extends, and the output before the `{% extends %}`.
    pub parent: Option<Box<(Arc<Template>, Output)>>,
    /// The target of a `break` or `continue` in progress.
    pub jump: Option<Jump>,
    /// Whether output is escaped at this position of the source.
    pub escapes: bool,
}

impl Frame {
    /// Creates an empty frame.
    #[inline]
    pub fn new(origin: Arc<FrameOrigin>, pool: &Pool, out: Output) -> Frame {
        let slots = pool.take(&origin.unit);
        let escapes = origin.around.template.settings.autoescape;
        Frame { origin, inner: None, slots, out, block: None, parent: None, jump: None, escapes }
    }

    /// Returns the context of the template or block that contains the statements.
    pub fn around(&self) -> &Arc<TemplateContext> {
        &self.origin.around
    }

    /// Returns the template of the statements.
    pub fn template(&self) -> &Arc<Template> {
        &self.origin.around.template
    }

    /// Returns the innermost scope.
    pub fn scope(&self) -> &Arc<Scope> {
        self.inner.as_ref().unwrap_or(&self.origin.scope)
    }

    /// Enters a new scope.
    pub fn deepen(&mut self) {
        self.inner = Some(Scope::child(self.scope()));
    }

    /// Returns the slots to the pool, and the output to the caller.
    pub fn end(mut self, pool: &Pool) -> Output {
        self.give_back(pool);
        self.out
    }

    /// Returns the slots to the pool.
    #[inline]
    pub fn give_back(&mut self, pool: &Pool) {
        pool.put(std::mem::take(&mut self.slots));
    }

    /// Returns a variable in a slot by its name, for names that are computed at run time.
    pub fn in_slot(&self, name: &str) -> Option<Value> {
        let mut set = self.origin.unit.slots.iter().zip(&self.slots.set).rev();
        set.find_map(|(known, value)| value.get().filter(|_| **known == *name)).cloned()
    }

    /// Caches the value of a name that the unit never sets.
    pub fn keep(&self, name: &Name, value: &Value) {
        if let Location::Input(at) = name.location()
            && let Some(cell) = self.slots.given.get(*at)
        {
            let _ = cell.set(value.clone());
        }
    }

    /// Sets a variable.
    #[inline]
    pub fn set(&mut self, name: &Name, value: Value) {
        let slot = match name.location() {
            Location::Slot(slot) => slot,
            Location::Both(slot) => {
                self.scope().set(&name.text, value.clone());
                slot
            }
            _ => return self.scope().set(&name.text, value),
        };
        if let Some(slot) = self.slots.set.get_mut(*slot) {
            *slot = Slot::Set(value);
        }
    }

    /// Sets the variable of a loop to one of its items.
    #[inline(always)]
    pub fn set_item(&mut self, name: &Name, items: &Arc<Vec<Value>>, at: usize) {
        if let Location::Slot(slot) = name.location() {
            match self.slots.set.get_mut(*slot) {
                Some(Slot::Item(known, before)) if Arc::ptr_eq(known, items) => *before = at,
                Some(slot) => *slot = Slot::Item(items.clone(), at),
                None => {}
            }
        } else if let Some(item) = items.get(at) {
            self.set(name, item.clone());
        }
    }

    /// Sets the variable of a loop to a key of a dictionary, or to a value.
    #[inline(always)]
    pub fn set_entry(&mut self, name: &Name, entries: &Arc<Entries>, is_value: bool, at: usize) {
        if let Location::Slot(slot) = name.location() {
            match self.slots.set.get_mut(*slot) {
                Some(Slot::Entry(known, side, before)) if *side == is_value && Arc::ptr_eq(known, entries) => {
                    *before = at
                }
                Some(slot) => *slot = Slot::Entry(entries.clone(), is_value, at),
                None => {}
            }
        } else if let Some(found) = entry(entries, is_value, at) {
            self.set(name, found.clone());
        }
    }

    /// Clears cached input variables, so that the next use looks them up again.
    pub fn clear_input(&mut self, places: &[usize]) {
        for place in places {
            if let Some(cell) = self.slots.given.get_mut(*place) {
                cell.take();
            }
        }
    }

    /// Clears the variables in slots.
    pub fn forget(&mut self, slots: std::ops::Range<usize>) {
        if let Some(slots) = self.slots.set.get_mut(slots) {
            slots.fill(Slot::Unset);
        }
    }

    /// Evaluates statements with their own variables.
    pub fn within(&mut self, level: &BodyLocation, run: impl FnOnce(&mut Frame) -> Result<()>) -> Result<()> {
        match level {
            BodyLocation::Scope => {
                let inner = Scope::child(self.scope());
                let outer = self.inner.replace(inner);
                let done = run(self);
                self.inner = outer;
                done
            }
            BodyLocation::Slots(slots) => {
                let done = run(self);
                self.forget(slots.clone());
                done
            }
        }
    }

    /// Sets the variable of a loop to a number.
    #[inline]
    pub fn set_number(&mut self, name: &Name, number: i64) {
        match name.location() {
            Location::Slot(slot) => {
                match self.slots.set.get_mut(*slot) {
                    Some(Slot::Number(known, value)) => {
                        *known = number;
                        // An unset cell does not need a drop.
                        if value.get().is_some() {
                            value.take();
                        }
                    }
                    Some(slot) => *slot = Slot::Number(number, OnceCell::new()),
                    None => {}
                }
            }
            _ => self.set(name, Value::from(number)),
        }
    }

    /// Returns all visible variables as a scope. Variables from slots are copied.
    pub fn visible(&self) -> Arc<Scope> {
        let unit = &self.origin.unit;
        let set = unit.slots.iter().zip(&self.slots.set).skip(unit.top);
        let mut set = set.filter_map(|(name, value)| Some((name, value.get()?)));
        let Some(first) = set.next() else { return self.scope().clone() };
        let inner = Scope::child(self.scope());
        // Variables of inner statements come later, and take precedence.
        std::iter::once(first).chain(set).for_each(|(name, value)| inner.set(name, value.clone()));
        inner
    }

    /// Captures the variables outside of some slots, for a later evaluation.
    pub fn outside(&self, slots: &std::ops::Range<usize>) -> CapturedContext {
        let set = self.slots.set.iter().enumerate();
        let set = set.map(|(at, slot)| if slots.contains(&at) { None } else { slot.get().cloned() }).collect();
        let FrameOrigin { around: outer, unit, .. } = &*self.origin;
        let (outer, unit, scope) = (outer.clone(), unit.clone(), self.scope().clone());
        CapturedContext {
            origin: Arc::new(FrameOrigin { around: outer, unit, scope }),
            set,
            block: self.block.clone(),
            escapes: self.escapes,
        }
    }

    /// Marks a string as escaped if it was printed while the template escapes.
    pub fn marked(&self, value: Value) -> Value {
        match value.as_str().filter(|_| self.origin.around.escapes()) {
            Some(text) => Markup::value(text),
            None => value,
        }
    }
}

/// The captured context in which each call of a recursive loop is evaluated.
#[derive(Debug)]
pub struct CapturedContext {
    origin: Arc<FrameOrigin>,
    set: Vec<Option<Value>>,
    block: Option<(Arc<str>, usize)>,
    escapes: bool,
}

impl CapturedContext {
    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Creates a frame for an evaluation.
    pub fn frame(&self, pool: &Pool, out: Output) -> Frame {
        let mut frame = Frame::new(self.origin.clone(), pool, out);
        frame.slots.set.clear();
        frame.slots.set.extend(self.set.iter().map(|value| value.clone().map_or(Slot::Unset, Slot::Set)));
        frame.block.clone_from(&self.block);
        frame.escapes = self.escapes;
        frame
    }
}
