//! [`Items`]: the items of a loop.

use std::sync::Arc;

use minijinja::Value;

use crate::error::{Result, error};
use crate::objects::{Dict, Entries, List, Side, SourceData, Tuple};
use crate::python::iterate;
use crate::work;

/// The items of a loop. They share the content that a list or dictionary had when the loop began.
#[derive(Clone, Debug)]
pub enum Items {
    /// The values of a list.
    Values(Arc<Vec<Value>>),
    /// The entries of a dictionary.
    Entries(Arc<Entries>, Side),
    /// The items of a list that the loop changes.
    Changing(Value),
    /// Numbers: the first one, the step, and the length.
    Numbers(i64, i64, i64),
    /// The items of a list that is not converted, for loops that only print.
    Source(SourceData),
}

impl From<Vec<Value>> for Items {
    fn from(values: Vec<Value>) -> Items {
        Items::Values(Arc::new(values))
    }
}

impl Items {
    /// Returns the items of an unconverted list, for a loop that only prints.
    pub fn unconverted(value: &Value) -> Option<Items> {
        let list: &List = value.downcast_object_ref()?;
        list.in_source(|source| Items::Source(source.data().clone()))
    }

    /// Returns the items of a `for` loop over a value.
    pub fn from_value(value: &Value) -> Result<Items> {
        if let Some(list) = value.downcast_object_ref::<List>() {
            let items = list.shared();
            work::steps(items.len())?;
            return Ok(Items::Values(items));
        }
        if let Some(dict) = value.downcast_object_ref::<Dict>() {
            let entries = dict.shared();
            work::steps(entries.len())?;
            return Ok(Items::Entries(entries, Side::Keys));
        }
        iterate(value).map(Items::from)
    }

    /// Returns the remaining items of a loop that has changed its list or dictionary. Returns `None` if it is
    /// unchanged.
    pub fn changed(&self, source: &Value) -> Result<Option<Items>> {
        match self {
            Items::Values(values) => {
                let is_changed = source.downcast_object_ref::<List>().is_some_and(|list| !list.holds(values));
                Ok(is_changed.then(|| Items::Changing(source.clone())))
            }
            Items::Entries(entries, side) => match source.downcast_object_ref::<Dict>() {
                Some(dict) if dict.count() != entries.len() => Err(error("dictionary changed size during iteration")),
                Some(dict) if !dict.holds(entries) => Ok(Some(Items::Entries(dict.shared(), *side))),
                _ => Ok(None),
            },
            Items::Numbers(..) | Items::Changing(_) | Items::Source(_) => Ok(None),
        }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        match self {
            Items::Values(values) => values.len(),
            Items::Entries(entries, _) => entries.len(),
            Items::Changing(list) => list.downcast_object_ref::<List>().map_or(0, List::count),
            Items::Numbers(_, _, count) => usize::try_from(*count).unwrap_or(0),
            Items::Source(source) => source.view().count(),
        }
    }

    /// Returns an item.
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
            Items::Changing(list) => list.downcast_object_ref::<List>()?.at(|_| Some(at)),
            Items::Numbers(start, step, count) => {
                let at = i64::try_from(at).ok().filter(|at| at < count)?;
                Some(Value::from(start + at * step))
            }
            Items::Source(source) => Some(source.view().at(at)?.value()),
        }
    }
}
