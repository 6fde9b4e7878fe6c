//! [`Rich`]: values that plain data cannot hold.

use num_bigint::BigInt;

use crate::{Str, Value};

/// A value beyond plain data.
#[derive(Clone, Debug)]
pub enum Rich {
    /// The `default` of the Puppet language.
    Default,
    /// A value whose content must never be shown unless the user asks for it.
    Sensitive(Value),
    /// A Ruby symbol, without its colon. Only YAML's `:name` makes one.
    Symbol(Str),
    /// An integer outside 64 bits. Make it through `Value::from`, which keeps small numbers small.
    BigInteger(BigInt),
    /// Bytes that are no text.
    Binary(Vec<u8>),
}

impl Rich {
    /// The name of the Ruby class of such a value.
    pub fn ruby_class(&self) -> &'static str {
        match self {
            Rich::Default | Rich::Symbol(_) => "Symbol",
            Rich::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
            Rich::BigInteger(_) => "Integer",
            Rich::Binary(_) => "String",
        }
    }
}
