//! [`Rich`]: values that plain data cannot hold.

use std::any::Any;
use std::fmt::Debug;
use std::hash::Hasher;

use num_bigint::BigInt;

use crate::{Str, Value};

/// A value beyond plain data.
#[derive(Clone, Debug)]
pub enum Rich {
    /// The `default` of the Puppet language.
    Default,
    /// A secret: its content is only shown if the user reveals secrets.
    Sensitive(Value),
    /// A Ruby symbol, without its colon. Only YAML's `:name` makes one.
    Symbol(Str),
    /// An integer outside 64 bits. Make it through `Value::from`, which keeps small numbers small.
    BigInteger(BigInt),
    /// Bytes that are not UTF-8.
    Binary(Vec<u8>),
    /// A value that a crate above brings along: a type, a version, a point in time, an object.
    Extended(Box<dyn Extended>),
}

/// A value that this crate knows nothing of: types, times, versions, objects, iterators.
///
/// The crate that defines one finds it again with [`Value::extended`].
pub trait Extended: Any + Debug + Send + Sync {
    /// The value itself, for downcasts.
    fn as_any(&self) -> &dyn Any;

    /// Ruby's `eql?`. Values of different kinds are never equal.
    fn equals(&self, other: &dyn Extended) -> bool;

    /// Gives what equality depends on to a hash function. A constant is right, if slow.
    fn hash_into(&self, state: &mut dyn Hasher);

    /// Ruby's `<=>`, where the kind has an order.
    fn compare(&self, _other: &dyn Extended) -> Option<std::cmp::Ordering> {
        None
    }

    /// Ruby's `to_s`, for messages and interpolations.
    fn to_text(&self) -> String;

    /// Ruby's `inspect`.
    fn inspect(&self) -> String {
        self.to_text()
    }

    /// The name of the Ruby class that the reference would hold the value in.
    fn ruby_class(&self) -> &'static str;

    /// A copy that shares as much as it can.
    fn clone_box(&self) -> Box<dyn Extended>;
}

impl Clone for Box<dyn Extended> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl Value {
    /// A value of a kind that a crate above defines.
    pub fn from_extended(value: impl Extended) -> Value {
        Value::Rich(std::sync::Arc::new(Rich::Extended(Box::new(value))))
    }

    /// The value as that kind, if it is one.
    pub fn extended<T: Extended>(&self) -> Option<&T> {
        match self {
            Value::Rich(rich) => match &**rich {
                Rich::Extended(value) => value.as_any().downcast_ref(),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Rich {
    /// The name of the Ruby class of such a value.
    pub fn ruby_class(&self) -> &'static str {
        match self {
            Rich::Default | Rich::Symbol(_) => "Symbol",
            Rich::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
            Rich::BigInteger(_) => "Integer",
            Rich::Binary(_) => "String",
            Rich::Extended(value) => value.ruby_class(),
        }
    }
}
