//! [`HashObject`]: a hash, whose keys keep their order.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hieratic_value::collections::FixedState;
use indexmap::IndexMap;

use super::{Generation, Value, drop_flat};

/// A key with its hash, which is computed once: objects may define `hash` in Ruby.
#[derive(Clone, Debug)]
pub(crate) struct HKey {
    pub hash: u64,
    pub value: Value,
}

impl Hash for HKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The value is already a hash.
        state.write_usize(self.hash as usize);
    }
}

impl PartialEq for HKey {
    fn eq(&self, other: &HKey) -> bool {
        self.hash == other.hash && eql(&self.value, &other.value, 0)
    }
}

impl Eq for HKey {}

/// The pairs of a hash.
pub(crate) type Table = IndexMap<HKey, Value, FixedState>;

/// A hash.
#[derive(Debug)]
pub(crate) struct HashObject {
    pub table: RefCell<Table>,
    pub default: RefCell<Value>,
    /// The proc that computes missing values.
    pub default_proc: RefCell<Option<Value>>,
    pub frozen: Cell<bool>,
    pub generation: Generation,
    pub by_identity: Cell<bool>,
    /// The number of iterations in progress.
    pub iterating: Cell<u32>,
    /// The marks, as those of arrays.
    pub marks: Cell<u8>,
}

impl HashObject {
    pub fn new(table: Table) -> HashObject {
        HashObject {
            table: RefCell::new(table),
            default: RefCell::new(Value::Nil),
            default_proc: RefCell::new(None),
            frozen: Cell::new(false),
            generation: Generation::current(),
            by_identity: Cell::new(false),
            iterating: Cell::new(0),
            marks: Cell::new(0),
        }
    }

    pub fn len(&self) -> usize {
        self.table.borrow().len()
    }

    /// Returns the pair at an index, so that a loop does not hold a borrow while its block runs.
    pub fn at(&self, index: usize) -> Option<(Value, Value)> {
        self.table.borrow().get_index(index).map(|(key, value)| (key.value.clone(), value.clone()))
    }
}

impl Drop for HashObject {
    fn drop(&mut self) {
        let table = std::mem::take(self.table.get_mut());
        if !table.is_empty() {
            drop_flat(table.into_iter().flat_map(|(key, value)| [key.value, value]));
        }
    }
}

/// The maximum depth to which keys are compared; deeper ones are different.
const MAX_DEPTH: u32 = 500;

/// `eql?` without running code. Objects are equal to themselves; those that define `hash` were given the same hash by it.
pub(crate) fn eql(a: &Value, b: &Value, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => Rc::ptr_eq(a, b) || *a.bytes() == *b.bytes(),
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            if Rc::ptr_eq(a, b) {
                return true;
            }
            let (a, b) = (a.list.borrow(), b.list.borrow());
            a.len() == b.len() && a.iter().zip(&*b).all(|(a, b)| eql(a, b, depth + 1))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            if Rc::ptr_eq(a, b) {
                return true;
            }
            let (a, b) = (a.table.borrow(), b.table.borrow());
            a.len() == b.len() && a.iter().all(|(key, one)| b.get(key).is_some_and(|other| eql(one, other, depth + 1)))
        }
        (Value::Range(a), Value::Range(b)) => {
            a.exclusive == b.exclusive && eql(&a.first, &b.first, depth + 1) && eql(&a.last, &b.last, depth + 1)
        }
        (Value::Regexp(a), Value::Regexp(b)) => a == b,
        (Value::Foreign(a), Value::Foreign(b)) => a == b,
        (Value::Object(one), Value::Object(other)) => {
            Rc::ptr_eq(one, other)
                || (one.hashes_by_value.get() && other.hashes_by_value.get() && {
                    Rc::ptr_eq(&*one.class.borrow(), &*other.class.borrow())
                })
        }
        _ => a.same(b),
    }
}
