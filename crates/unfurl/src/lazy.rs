//! [`LazyMap`] and [`LazyList`]: collections whose values are evaluated once, on first use.
//!
//! A value that is used during its own evaluation is null, as in the reference, so that cycles end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use hieratic_value::{Hash, HashBuilder, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::scope::Scope;

/// A map.
#[derive(Debug)]
pub(crate) struct LazyMap {
    /// The keys, with the values as written.
    pub(crate) source: Hash,
    cells: Cells,
}

/// A list.
#[derive(Debug)]
pub(crate) struct LazyList {
    source: Arc<[Value]>,
    cells: Cells,
}

#[derive(Debug)]
struct Cells {
    cells: Box<[Cell]>,
    /// The scope of the evaluation; `None` if all values are known.
    scope: Option<Scope>,
    templates: bool,
}

#[derive(Debug, Default)]
struct Cell {
    known: OnceLock<Datum>,
    busy: AtomicBool,
}

impl LazyMap {
    /// A map to be evaluated in a scope.
    pub(crate) fn open(source: Hash, scope: Scope, templates: bool) -> Datum {
        let cells = Cells::open(source.len(), scope, templates);
        Datum::Map(Arc::new(LazyMap { source, cells }))
    }

    /// A map whose values are known; of equal keys, the last counts.
    pub(crate) fn known(entries: impl IntoIterator<Item = (Value, Datum)>) -> Datum {
        let mut keys = HashBuilder::default();
        let mut values: Vec<Datum> = Vec::new();
        for (key, value) in entries {
            match keys.get_index_of(&key) {
                Some(at) => values[at] = value,
                None => {
                    keys.insert(key, Value::Undef);
                    values.push(value);
                }
            }
        }
        Datum::Map(Arc::new(LazyMap { source: keys.into(), cells: Cells::known(values) }))
    }

    pub(crate) fn len(&self) -> usize {
        self.source.len()
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &Value, host: &(impl Host + ?Sized)) -> Result<Option<Datum>, ExpressionError> {
        self.source.as_map().get_index_of(key).map(|at| self.at(at, host)).transpose()
    }

    /// The value of the key at a position.
    pub(crate) fn at(&self, at: usize, host: &(impl Host + ?Sized)) -> Result<Datum, ExpressionError> {
        let raw = || self.source.as_map().get_index(at).map(|(_, value)| value.clone());
        self.cells.get(at, raw, host)
    }

    pub(crate) fn key(&self, at: usize) -> Option<&Value> {
        self.source.as_map().get_index(at).map(|(key, _)| key)
    }
}

impl LazyList {
    /// A list to be evaluated in a scope.
    pub(crate) fn open(source: Arc<[Value]>, scope: Scope, templates: bool) -> Datum {
        let cells = Cells::open(source.len(), scope, templates);
        Datum::List(Arc::new(LazyList { source, cells }))
    }

    /// A list whose elements are known.
    pub(crate) fn known(values: Vec<Datum>) -> Datum {
        Datum::List(Arc::new(LazyList { source: Arc::default(), cells: Cells::known(values) }))
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.cells.len()
    }

    /// The element at a position.
    pub(crate) fn at(&self, at: usize, host: &(impl Host + ?Sized)) -> Result<Datum, ExpressionError> {
        self.cells.get(at, || self.source.get(at).cloned(), host)
    }
}

impl Cells {
    fn open(count: usize, scope: Scope, templates: bool) -> Cells {
        Cells { cells: (0..count).map(|_| Cell::default()).collect(), scope: Some(scope), templates }
    }

    fn known(values: Vec<Datum>) -> Cells {
        let cell = |value| Cell { known: OnceLock::from(value), busy: AtomicBool::new(false) };
        Cells { cells: values.into_iter().map(cell).collect(), scope: None, templates: false }
    }

    fn get(
        &self,
        at: usize,
        raw: impl FnOnce() -> Option<Value>,
        host: &(impl Host + ?Sized),
    ) -> Result<Datum, ExpressionError> {
        let Some(cell) = self.cells.get(at) else { return Ok(Datum::NULL) };
        if let Some(known) = cell.known.get() {
            return Ok(known.clone());
        }
        let (Some(scope), Some(value)) = (&self.scope, raw()) else { return Ok(Datum::NULL) };
        if cell.busy.swap(true, Ordering::Relaxed) {
            return Ok(Datum::NULL);
        }
        let mut scope = scope.clone();
        let plain = Datum::Plain(Plain { value, templates: self.templates });
        // The reference looks at the first element of a list while the list is still being evaluated: an element that
        // leads back to its list is null there, the others are the list.
        let evaluated = host.evaluated(&plain, &mut scope).and_then(|value| {
            if let Datum::List(list) = &value {
                list.at(0, host)?;
            }
            Ok(value)
        });
        cell.busy.store(false, Ordering::Relaxed);
        let value = evaluated?;
        Ok(cell.known.get_or_init(|| value).clone())
    }
}
