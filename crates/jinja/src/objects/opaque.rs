//! [`OpaqueValue`]: a value of the data model that templates can only pass on.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use minijinja::value::{DynObject, Object, ObjectRepr};

/// A value without a counterpart in Jinja2: a secret, a type, a version. It prints as its string form, a secret as a
/// redaction mark, and is converted back unchanged.
#[derive(Debug)]
pub struct OpaqueValue(pub hieratic_value::Value);

impl Object for OpaqueValue {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<Ordering> {
        // Equality is all that there is; any fixed order serves the rest.
        let other = other.downcast_ref::<OpaqueValue>()?;
        Some(if self.0 == other.0 { Ordering::Equal } else { Ordering::Less })
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.contains_sensitive() {
            return out.write_str("Sensitive [value redacted]");
        }
        out.write_str(&self.0.to_text())
    }
}
