//! [`Big`]: an integer outside 128 bits.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{DynObject, Object, ObjectRepr};
use num_bigint::BigInt;

/// An integer that minijinja's integers cannot represent.
#[derive(Debug)]
pub struct Big(pub BigInt);

impl Big {
    /// Creates the value of an integer of any size: a number if it fits, otherwise an object.
    pub fn value(number: &BigInt) -> Value {
        if let Ok(small) = i64::try_from(number) {
            return Value::from(small);
        }
        match i128::try_from(number) {
            Ok(small) => Value::from(small),
            Err(_) => Value::from_object(Big(number.clone())),
        }
    }
}

impl Object for Big {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        true
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<Ordering> {
        Some(self.0.cmp(&other.downcast_ref::<Big>()?.0))
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}
