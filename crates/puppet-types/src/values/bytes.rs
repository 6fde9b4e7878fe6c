//! Bytes as a value: `Binary` of the language.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use hieratic_value::{Extended, Value};

use super::base64::{self, Base64};

/// Bytes in a program. Bytes in data are a [`Rich::Binary`](hieratic_value::Rich::Binary).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bytes(Arc<[u8]>);

/// Converts bytes to a value of type `Binary`.
///
/// ```
/// use hieratic_puppet_types::{bytes_of, bytes_value};
/// let value = bytes_value(b"hello".to_vec());
/// assert_eq!(value.to_text(), "aGVsbG8=");
/// assert_eq!(bytes_of(&value), Some(&b"hello"[..]));
/// ```
pub fn bytes_value(bytes: Vec<u8>) -> Value {
    Value::from_extended(Bytes(bytes.into()))
}

/// Returns the bytes of a value of type `Binary`; `None` for other values.
pub fn bytes_of(value: &Value) -> Option<&[u8]> {
    value.extended::<Bytes>().map(|bytes| &*bytes.0)
}

/// Evaluates `left in right` for bytes on the right side: bytes and strings must occur as a substring, a number must
/// equal one of the bytes. `None` if the right side is not a `Binary`.
pub fn bytes_include(right: &Value, left: &Value) -> Option<bool> {
    let bytes = bytes_of(right)?;
    Some(match left {
        Value::Integer(number) => u8::try_from(*number).is_ok_and(|byte| bytes.contains(&byte)),
        other => bytes_of(other)
            .or(other.as_str().map(str::as_bytes))
            .is_some_and(|part| part.is_empty() || bytes.windows(part.len()).any(|window| window == part)),
    })
}

impl Extended for Bytes {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<Bytes>() == Some(self)
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write(&self.0);
    }

    fn to_text(&self) -> String {
        base64::encode(&self.0, Base64::Strict)
    }

    fn inspect(&self) -> String {
        Value::from(self.to_text()).inspect()
    }

    fn ruby_class(&self) -> &'static str {
        "Puppet::Pops::Types::PBinaryType::Binary"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
