//! [`Value`]: what Ruby code computes with. => [`Value`]: the values of Ruby code.

mod class;
mod code;
mod generation;
mod hash;
mod marks;
mod object;
mod opaque;
mod string;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hieratic_ruby_regexp::Regexp;
use num_bigint::BigInt;

use crate::symbol::Symbol;

pub(crate) use class::{Class, Method, MethodBody, Native, Visibility};
pub(crate) use code::{BoundMethod, Cref, Ctx, Env, Frame, Proc, ProcKind};
#[cfg(test)]
pub(crate) use generation::PEAK;
pub(crate) use generation::{Generation, LAST_GENERATION, SHARED, begin_run, objects, set_generation};
pub(crate) use hash::{HKey, HashObject, Table};
pub(crate) use marks::{DEEP, HOLDS, MIN_REPORTED, Marks, NUMBERS};
pub(crate) use object::{Data, Exception, LazyVariables, Object};
pub(crate) use opaque::RubyObject;
pub(crate) use string::{Encoding, Str, Text};

/// A value of Ruby. Cheap to clone: strings, collections and objects are shared, and have an identity.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Sym(Symbol),
    Str(Rc<Str>),
    Array(Rc<Array>),
    Hash(Rc<HashObject>),
    Big(Rc<BigInt>),
    Range(Rc<Range>),
    Regexp(Rc<Regexp>),
    Match(Rc<MatchData>),
    Proc(Rc<Proc>),
    Method(Rc<BoundMethod>),
    Class(Rc<Class>),
    Object(Rc<Object>),
    /// A value of Puppet that Ruby code only passes on: a type, a version, a resource.
    Foreign(Rc<hieratic_value::Value>),
    /// A number, symbol, range or pattern that was computed from a secret. Only Ruby code sees the mark: native methods
    /// get the bare value, and collections store it without the mark and are marked themselves.
    Marked(Rc<Value>),
}

// Values are copied all the time.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Value>() == 16);

/// An array.
#[derive(Debug, Default)]
pub(crate) struct Array {
    pub list: RefCell<Vec<Value>>,
    pub frozen: Cell<bool>,
    pub generation: Generation,
    /// [`HOLDS`], [`NUMBERS`] and [`DEEP`].
    pub marks: Cell<u8>,
}

/// A range; the ends are nil where it is open.
#[derive(Debug)]
pub(crate) struct Range {
    pub first: Value,
    pub last: Value,
    pub exclusive: bool,
}

/// A match, with its groups as byte ranges of the string.
#[derive(Debug)]
pub(crate) struct MatchData {
    pub text: std::sync::Arc<str>,
    pub captures: hieratic_ruby_regexp::Captures,
    pub regexp: Rc<Regexp>,
    /// The parts of the string that were computed from secrets.
    pub marks: Marks,
}

impl MatchData {
    /// Returns a part of the string.
    pub fn part(&self, range: std::ops::Range<usize>) -> Value {
        let part = Str::new(Text::Owned(self.text[range.clone()].to_owned()));
        if !self.marks.is_empty() {
            part.set_marks(self.marks.within(&range));
        }
        Value::Str(Rc::new(part))
    }

    /// Returns the string of a group.
    pub fn group(&self, at: usize) -> Value {
        match self.captures.get(at) {
            Some(range) => self.part(range),
            None => Value::Nil,
        }
    }

    /// Returns the string of a named group.
    pub fn named(&self, name: &str) -> Value {
        match self.captures.name(name) {
            Some(range) => self.part(range),
            None => Value::Nil,
        }
    }
}

impl Value {
    pub fn str(text: &str) -> Value {
        Value::Str(Rc::new(Str::new(Text::Owned(text.to_owned()))))
    }

    pub fn string(text: String) -> Value {
        Value::Str(Rc::new(Str::new(Text::Owned(text))))
    }

    /// Creates a string from bytes, as UTF-8 if they are valid.
    pub fn bytes(bytes: Vec<u8>) -> Value {
        Value::Str(Rc::new(Str::new(match String::from_utf8(bytes) {
            Ok(text) => Text::Owned(text),
            Err(error) => Text::Bytes(error.into_bytes()),
        })))
    }

    /// Creates a string in the encoding ASCII-8BIT.
    pub fn binary(bytes: Vec<u8>) -> Value {
        let string = Str::new(match String::from_utf8(bytes) {
            Ok(text) => Text::Owned(text),
            Err(error) => Text::Bytes(error.into_bytes()),
        });
        string.encoding.set(Encoding::Binary);
        Value::Str(Rc::new(string))
    }

    pub fn array(list: Vec<Value>) -> Value {
        Value::Array(Rc::new(Array {
            list: RefCell::new(list),
            frozen: Cell::new(false),
            generation: Generation::current(),
            marks: Cell::new(0),
        }))
    }

    pub fn pair(first: Value, second: Value) -> Value {
        Value::array(vec![first, second])
    }

    pub fn hash(table: Table) -> Value {
        Value::Hash(Rc::new(HashObject::new(table)))
    }

    pub fn big(number: BigInt) -> Value {
        i64::try_from(&number).map_or_else(|_| Value::Big(Rc::new(number)), Value::Int)
    }

    pub fn range(first: Value, last: Value, exclusive: bool) -> Value {
        Value::Range(Rc::new(Range { first, last, exclusive }))
    }

    /// Creates a count as an integer.
    pub fn count(count: usize) -> Value {
        Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Returns the value without a mark.
    #[inline]
    pub fn plain(&self) -> &Value {
        match self {
            Value::Marked(inner) => inner,
            other => other,
        }
    }

    /// Returns the value with a mark. Strings and collections have marks in themselves and are unchanged.
    pub fn marked(self) -> Value {
        match self {
            Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Sym(_) | Value::Range(_) | Value::Regexp(_) => {
                Value::Marked(Rc::new(self))
            }
            other => other,
        }
    }

    pub fn truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Returns whether both are the same object, as `equal?` does.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Sym(a), Value::Sym(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a == b,
            (Value::Marked(a), b) => a.same(b),
            (a, Value::Marked(b)) => a.same(b),
            _ => match (self.address(), other.address()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        }
    }

    /// Returns the address of the object in memory, which is its identity.
    pub fn address(&self) -> Option<usize> {
        Some(match self {
            Value::Str(one) => Rc::as_ptr(one) as usize,
            Value::Array(one) => Rc::as_ptr(one) as usize,
            Value::Hash(one) => Rc::as_ptr(one) as usize,
            Value::Range(one) => Rc::as_ptr(one) as usize,
            Value::Regexp(one) => Rc::as_ptr(one) as usize,
            Value::Match(one) => Rc::as_ptr(one) as usize,
            Value::Proc(one) => Rc::as_ptr(one) as usize,
            Value::Method(one) => Rc::as_ptr(one) as usize,
            Value::Class(one) => Rc::as_ptr(one) as usize,
            Value::Object(one) => Rc::as_ptr(one) as usize,
            Value::Foreign(one) => Rc::as_ptr(one) as usize,
            Value::Marked(one) => return one.address(),
            _ => return None,
        })
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::str(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Value {
        Value::array(list)
    }
}

impl From<Option<Value>> for Value {
    fn from(value: Option<Value>) -> Value {
        value.unwrap_or(Value::Nil)
    }
}

thread_local! {
    /// Containers that wait to be taken apart: nested a million levels deep, they would overflow the stack. `Drop` has no
    /// argument for the list.
    static WAITING: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Drops values in sequence instead of one inside of the other.
pub(crate) fn drop_flat(values: impl Iterator<Item = Value>) {
    let mut containers = values.filter(|value| {
        matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Proc(_) | Value::Range(_))
    });
    let Some(first) = containers.next() else { return };
    // The outermost drop processes the list; nested ones only add to it.
    let outermost = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        let outermost = waiting.is_none();
        let list = waiting.get_or_insert_default();
        list.push(first);
        list.extend(containers);
        outermost
    });
    if outermost != Ok(true) {
        return;
    }
    while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().as_mut().and_then(Vec::pop)) {
        drop(next);
    }
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().take());
}

impl Drop for Array {
    fn drop(&mut self) {
        let list = self.list.get_mut();
        if !list.is_empty() {
            drop_flat(std::mem::take(list).into_iter());
        }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        let ends = [std::mem::replace(&mut self.first, Value::Nil), std::mem::replace(&mut self.last, Value::Nil)];
        drop_flat(ends.into_iter());
    }
}
