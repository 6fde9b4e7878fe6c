//! [`Value`]: an immutable value of any type.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::{Hash, Rich};

/// A string, shared by reference count.
pub type Str = Arc<str>;

/// An immutable value: a scalar, an array, a hash, or a [`Rich`] value.
///
/// `==` and hashing follow Ruby's `eql?`: an integer never equals a float. For the looser `==` of Ruby (`1 == 1.0`),
/// use [`Value::loosely_equals`].
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// `undef` in Puppet, `nil` in Ruby, `null` in JSON and YAML.
    #[default]
    Undef,
    /// True or false.
    Boolean(bool),
    /// An integer of 64 bits; larger ones are [`Rich::BigInteger`].
    Integer(i64),
    /// A double-precision number.
    Float(f64),
    /// A string.
    String(Str),
    /// An array.
    Array(Arc<[Value]>),
    /// A hash in insertion order.
    Hash(Hash),
    /// A value that plain data cannot hold.
    Rich(Arc<Rich>),
}

// Values are copied around all the time; a larger one would be felt everywhere.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Value>() == 24);

impl Value {
    /// Returns the identity of an array or of a hash that is not empty. Clones have the same identity; equal values
    /// that were created separately do not. It is unique as long as the value exists. `None` for all other values, and
    /// for the empty array that `Value` shares.
    ///
    /// ```
    /// use hieratic_value::Value;
    ///
    /// let list: Value = [Value::from(1)].into_iter().collect();
    /// assert_eq!(list.storage(), list.clone().storage());
    /// assert_ne!(list.storage(), [Value::from(1)].into_iter().collect::<Value>().storage());
    /// ```
    pub fn storage(&self) -> Option<usize> {
        match self {
            Value::Array(list) if list.is_empty() && Arc::ptr_eq(list, &Arc::default()) => None,
            Value::Array(list) => Some(list.as_ptr() as usize),
            Value::Hash(hash) => hash.iter().next().map(|(key, _)| std::ptr::from_ref(key) as usize),
            _ => None,
        }
    }

    /// Returns whether two values are equal including the order of the pairs of their hashes, which `==` ignores, as
    /// Puppet does.
    ///
    /// ```
    /// use hieratic_value::{Hash, Value};
    /// let hash = |keys: [&str; 2]| Value::Hash(keys.into_iter().map(|key| (key, Value::from(1))).collect::<Hash>());
    /// assert!(hash(["a", "b"]) == hash(["b", "a"]));
    /// assert!(!hash(["a", "b"]).is_same_in_order(&hash(["b", "a"])));
    /// ```
    pub fn is_same_in_order(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| one.is_same_in_order(other))
            }
            (Value::Hash(one), Value::Hash(other)) => {
                one.len() == other.len()
                    && one
                        .iter()
                        .zip(other.iter())
                        .all(|((key, one), (name, other))| key.is_same_in_order(name) && one.is_same_in_order(other))
            }
            _ => self == other,
        }
    }

    /// Wraps a secret.
    pub fn sensitive(value: Value) -> Value {
        Value::Rich(Arc::new(Rich::Sensitive(value)))
    }

    /// Returns the string, or `None` for other types.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of an array, or `None` for other types.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the value at a path of keys in nested hashes. Returns `None` if a key is missing or its parent is not a
    /// hash.
    ///
    /// ```
    /// use hieratic_value::{Hash, Value};
    ///
    /// let inner: Value = [("port", Value::from(80))].into_iter().collect::<Hash>().into();
    /// let outer: Value = [("web", inner)].into_iter().collect::<Hash>().into();
    /// assert_eq!(outer.at_path(&["web", "port"]), Some(&80.into()));
    /// assert_eq!(outer.at_path(&["web", "port", "x"]), None);
    /// ```
    pub fn at_path(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self, |value, key| value.as_hash()?.get(key))
    }

    /// Returns the hash, or `None` for other types.
    pub fn as_hash(&self) -> Option<&Hash> {
        match self {
            Value::Hash(hash) => Some(hash),
            _ => None,
        }
    }

    /// Returns the rich value, or `None` for other types.
    pub fn as_rich(&self) -> Option<&Rich> {
        match self {
            Value::Rich(rich) => Some(rich),
            _ => None,
        }
    }

    /// Returns whether this is [`Value::Undef`].
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// Returns whether Ruby treats the value as true: all values except `nil` and `false`.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Returns whether the value is or contains a [`Rich::Sensitive`] value.
    pub fn contains_sensitive(&self) -> bool {
        match self {
            Value::Array(elements) => elements.iter().any(Value::contains_sensitive),
            Value::Hash(hash) => hash.iter().any(|(k, v)| k.contains_sensitive() || v.contains_sensitive()),
            Value::Rich(rich) => matches!(**rich, Rich::Sensitive(_)),
            _ => false,
        }
    }

    /// Returns the name of the Ruby class that the reference uses for the value and prints in its messages.
    pub fn ruby_class(&self) -> &'static str {
        match self {
            Value::Undef => "NilClass",
            Value::Boolean(true) => "TrueClass",
            Value::Boolean(false) => "FalseClass",
            Value::Integer(_) => "Integer",
            Value::Float(_) => "Float",
            Value::String(_) => "String",
            Value::Array(_) => "Array",
            Value::Hash(_) => "Hash",
            Value::Rich(rich) => rich.ruby_class(),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Integer(value.into())
    }
}

impl From<usize> for Value {
    /// A count or an index; exact for every number.
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| BigInt::from(value).into(), Value::Integer)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text.into())
    }
}

impl From<Str> for Value {
    fn from(text: Str) -> Self {
        Value::String(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(elements: Vec<Value>) -> Self {
        Value::Array(elements.into())
    }
}

impl From<Hash> for Value {
    fn from(hash: Hash) -> Self {
        Value::Hash(hash)
    }
}

/// Small numbers stay small.
impl From<BigInt> for Value {
    fn from(number: BigInt) -> Value {
        Rich::BigInteger(number).into()
    }
}

impl From<Rich> for Value {
    fn from(rich: Rich) -> Self {
        match rich {
            Rich::BigInteger(number) => match i64::try_from(&number) {
                Ok(small) => Value::Integer(small),
                Err(_) => Value::Rich(Arc::new(Rich::BigInteger(number))),
            },
            other => Value::Rich(Arc::new(other)),
        }
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Value::Array(elements.into_iter().collect())
    }
}
