//! Type checks of the two sides of a merge, as in the reference.

use std::sync::LazyLock;

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_value::Value;

use super::strategy::{StrategyKind, parse_type};
use crate::Error;
use crate::codes;

/// Checks the two sides of a merge as the reference does, with its message.
pub(super) fn assert_mergeable(kind: &StrategyKind, e1: &Value, e2: &Value) -> Result<(), Error> {
    let (fits, expected): (fn(&Value) -> bool, _) = match kind {
        StrategyKind::Hash => (is_string_hash_of_data, &HASH_VALUE),
        StrategyKind::Unique => (is_scalar_or_array_of_data, &UNIQUE_VALUE),
        _ => return Ok(()),
    };
    for (which, value) in [("first", e1), ("second", e2)] {
        if !fits(value) {
            let subject = format!("The {which} element of the merge");
            if let Err(mismatch) = pcore::assert_instance(&subject, expected, value) {
                return Err(Error::puppet(codes::MERGE_TYPE, mismatch.to_string()).with_quoted_value().help(
                    match kind {
                        StrategyKind::Hash => "a hash merge takes hashes with string keys from every level",
                        _ => "a unique merge takes scalars and arrays from every level",
                    },
                ));
            }
        }
    }
    Ok(())
}

/// A fast check that accepts nearly all data. Rejected values are checked again by the type system.
fn is_string_hash_of_data(value: &Value) -> bool {
    matches!(value, Value::Hash(hash) if hash.iter().all(|(key, value)| key.as_str().is_some() && is_data(value)))
}

fn is_scalar_or_array_of_data(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_data),
        Value::Undef | Value::Hash(_) | Value::Rich(_) => false,
        _ => true,
    }
}

fn is_data(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_data),
        Value::Hash(_) => is_string_hash_of_data(value),
        Value::Rich(_) => false,
        _ => true,
    }
}

/// The type of values for a hash merge.
static HASH_VALUE: LazyLock<Type> = LazyLock::new(|| parse_type("Hash[String,Data]"));
/// The type of values for a unique merge.
static UNIQUE_VALUE: LazyLock<Type> = LazyLock::new(|| parse_type("Variant[Scalar,Array[Data]]"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_values_are_well_formed() {
        assert!([&HASH_VALUE, &UNIQUE_VALUE].iter().all(|expected| ***expected != Type::Any));
    }
}
