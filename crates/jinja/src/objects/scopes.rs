//! Values that hold names: `namespace(...)`, imported templates, `loop`.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr};
use minijinja::{Error, State, Value};

use super::dict::{Entries, place};
use super::{Dict, List, Tuple, under};
use crate::eval::Outside;
use crate::syntax::ast::{self, Key};

/// What `namespace(...)` makes: attributes that `{% set ns.name = ... %}` changes.
#[derive(Debug, Default)]
pub struct Namespace(Mutex<Entries>);

impl Namespace {
    /// A namespace with these attributes.
    pub fn new(entries: Entries) -> Namespace {
        Namespace(Mutex::new(entries))
    }

    /// An attribute.
    pub fn get(&self, name: &Value) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// An attribute that a template names.
    pub fn get_key(&self, key: &Key) -> Option<Value> {
        under(&self.0.lock().unwrap_or_else(PoisonError::into_inner), key).cloned()
    }

    /// Changes an attribute.
    pub fn set(&self, key: &Key, value: Value) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What was there before is dropped when nothing is locked any more.
        let _before = match place(&entries, key).and_then(|at| entries.get_index_mut(at)) {
            Some((_, known)) => Some(std::mem::replace(known, value)),
            None => entries.insert(key.value.clone(), value),
        };
        drop(entries);
    }
}

impl Object for Namespace {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect())
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<Namespace>")
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let entries = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        super::drop_flat(entries.into_values().collect());
    }
}

/// What `{% import %}` makes: the macros and variables of another template.
#[derive(Debug)]
pub struct Module {
    /// The name of the template.
    pub name: String,
    /// What it has at its top.
    pub exports: Entries,
}

impl Object for Module {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.exports.get(key).cloned()
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<TemplateModule '{}'>", self.name)
    }
}

/// What a loop goes through. Lists and dictionaries share what they hold then.
#[derive(Clone, Debug)]
pub enum Items {
    /// Values that were there.
    Values(Arc<Vec<Value>>),
    /// What a dictionary holds.
    Entries(Arc<Entries>, Side),
    /// Numbers: the first one, the distance of each to the next, and how many there are.
    Numbers(i64, i64, i64),
}

/// What of a dictionary is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its keys.
    Keys,
    /// Its values.
    Values,
    /// Pairs of both.
    Pairs,
}

impl Side {
    /// The side that a method of dictionaries gives.
    pub fn of(method: &Key) -> Option<Side> {
        match &*method.text {
            "keys" => Some(Side::Keys),
            "values" => Some(Side::Values),
            "items" => Some(Side::Pairs),
            _ => None,
        }
    }
}

impl From<Vec<Value>> for Items {
    fn from(values: Vec<Value>) -> Items {
        Items::Values(Arc::new(values))
    }
}

impl Items {
    /// What a `for` goes through in a value.
    pub fn of(value: &Value) -> crate::python::Result<Items> {
        if let Some(list) = value.downcast_object_ref::<List>() {
            let items = list.shared();
            crate::work::steps(items.len())?;
            return Ok(Items::Values(items));
        }
        if let Some(dict) = value.downcast_object_ref::<Dict>() {
            let entries = dict.shared();
            crate::work::steps(entries.len())?;
            return Ok(Items::Entries(entries, Side::Keys));
        }
        crate::python::iterate(value).map(Items::from)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Items::Values(values) => values.len(),
            Items::Entries(entries, _) => entries.len(),
            Items::Numbers(_, _, count) => usize::try_from(*count).unwrap_or(0),
        }
    }

    /// One of them.
    pub fn get(&self, at: usize) -> Option<Value> {
        match self {
            Items::Values(values) => values.get(at).cloned(),
            Items::Entries(entries, side) => {
                let (key, value) = entries.get_index(at)?;
                Some(match side {
                    Side::Keys => key.clone(),
                    Side::Values => value.clone(),
                    Side::Pairs => Tuple::value(vec![key.clone(), value.clone()]),
                })
            }
            Items::Numbers(start, step, count) => {
                let at = i64::try_from(at).ok().filter(|at| at < count)?;
                Some(Value::from(start + at * step))
            }
        }
    }
}

/// The variable `loop`: <https://jinja.palletsprojects.com/en/3.1.x/templates/#for>.
#[derive(Debug)]
pub struct Loop {
    /// What is gone through.
    pub items: Items,
    /// Which item it is, counted from 0.
    pub at: AtomicUsize,
    /// How many recursive loops are around it.
    pub depth: usize,
    /// The loop and what is outside of it, if it may be called.
    pub recursive: Option<(Arc<ast::For>, Arc<Outside>)>,
    /// What `changed` was told last.
    pub changed: Mutex<Option<Vec<Value>>>,
}

impl Loop {
    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let (at, length) = (self.at(), self.items.len());
        Some(match name {
            "index" => Value::from(at + 1),
            "index0" => Value::from(at),
            "revindex" => Value::from(length - at),
            "revindex0" => Value::from((length - at).saturating_sub(1)),
            "first" => Value::from(at == 0),
            "last" => Value::from(at + 1 == length),
            "length" => Value::from(length),
            "depth" => Value::from(self.depth + 1),
            "depth0" => Value::from(self.depth),
            "previtem" => self.items.get(at.checked_sub(1)?)?,
            "nextitem" => self.items.get(at + 1)?,
            _ => return None,
        })
    }

    fn at(&self) -> usize {
        self.at.load(Ordering::Relaxed)
    }
}

impl Object for Loop {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.attribute(key.as_str()?)
    }

    fn call_method(self: &Arc<Self>, _: &State<'_, '_>, method: &str, args: &[Value]) -> Result<Value, Error> {
        match method {
            "cycle" if args.is_empty() => Err(crate::python::error("no items for cycling given")),
            "cycle" => Ok(args.get(self.at() % args.len()).cloned().unwrap_or_default()),
            "changed" => {
                let mut last = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
                let same = match &*last {
                    Some(last) if last.len() == args.len() => last
                        .iter()
                        .zip(args)
                        .map(|(one, other)| crate::python::compare::equal(one, other))
                        .collect::<Result<Vec<bool>, Error>>()?
                        .into_iter()
                        .all(|same| same),
                    _ => false,
                };
                if !same {
                    *last = Some(args.to_vec());
                }
                Ok(Value::from(!same))
            }
            _ => Err(Error::from(minijinja::ErrorKind::UnknownMethod)),
        }
    }

    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<LoopContext {}/{}>", self.at() + 1, self.items.len())
    }
}
