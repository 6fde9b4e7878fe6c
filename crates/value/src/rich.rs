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
    /// A secret. Its content is printed only if the user asks for it with `--reveal`.
    Sensitive(Value),
    /// A Ruby symbol, without its colon. Only YAML's `:name` makes one.
    Symbol(Str),
    /// An integer that does not fit into 64 bits. Create it with `Value::from`, which uses [`Value::Integer`] for all
    /// that fit.
    BigInteger(BigInt),
    /// Bytes that are not UTF-8.
    Binary(Vec<u8>),
    /// A value whose type another crate defines: a Puppet type, a version, a timestamp, an object.
    Extended(Box<dyn Extended>),
}

/// A value whose type another crate defines: types, timestamps, versions, objects, iterators.
///
/// [`Value::extended`] casts it back to its Rust type.
pub trait Extended: Any + Debug + Send + Sync {
    /// Returns the value for downcasts.
    fn as_any(&self) -> &dyn Any;

    /// Compares as Ruby's `eql?` does. Values of different Rust types are never equal.
    fn equals(&self, other: &dyn Extended) -> bool;

    /// Feeds the hasher with everything that [`equals`](Self::equals) compares. A constant is correct, but slow.
    fn hash_into(&self, state: &mut dyn Hasher);

    /// Compares as Ruby's `<=>` does. Returns `None` if the type has no order.
    fn compare(&self, _other: &dyn Extended) -> Option<std::cmp::Ordering> {
        None
    }

    /// Returns Ruby's `to_s`, for messages and interpolations.
    fn to_text(&self) -> String;

    /// Returns Ruby's `inspect`.
    fn inspect(&self) -> String {
        self.to_text()
    }

    /// Returns the name of the Ruby class that the reference uses for the value.
    fn ruby_class(&self) -> &'static str;

    /// Clones the value. The clone shares as much as possible.
    fn clone_box(&self) -> Box<dyn Extended>;
}

impl Clone for Box<dyn Extended> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl Value {
    /// Creates a value of a type that another crate defines.
    pub fn from_extended(value: impl Extended) -> Value {
        Value::Rich(std::sync::Arc::new(Rich::Extended(Box::new(value))))
    }

    /// Returns the value as a `T`, or `None` if it is not one.
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
    /// Returns the name of the Ruby class that the reference uses for the value.
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
