//! [`TypedValue`]: a value that C reads part by part, instead of parsing JSON.

use std::ffi::c_char;

use engine::Value;
use engine::value::Rich;

use crate::ffi::{catch_panic, free_handle, text_or_null};

/// The kind of a value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// No value: undef in data, and the result for NULL.
    Undef = 0,
    /// See hieratic_value_boolean.
    Boolean = 1,
    /// See hieratic_value_integer.
    Integer = 2,
    /// See hieratic_value_float.
    Float = 3,
    /// See hieratic_value_string.
    String = 4,
    /// See hieratic_value_length and hieratic_value_item.
    Array = 5,
    /// See hieratic_value_length, hieratic_value_key, hieratic_value_item and hieratic_value_get.
    Hash = 6,
    /// A value that is only known as a string, such as a timestamp or an integer of more than 64 bits: see hieratic_value_string.
    Other = 7,
}

/// A value with its type. Its parts live as long as it does. Threads may read it at the same time.
#[derive(Debug)]
pub struct TypedValue(Content);

/// The content of a value.
#[derive(Debug)]
enum Content {
    Undef,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(TextWithNul),
    Array(Vec<TypedValue>),
    Hash { keys: Vec<TypedValue>, values: Vec<TypedValue> },
    Other(TextWithNul),
}

/// The bytes of a string, and a NUL.
#[derive(Debug)]
struct TextWithNul(Vec<u8>);

impl TextWithNul {
    fn new(text: &str) -> TextWithNul {
        TextWithNul([text.as_bytes(), b"\0"].concat())
    }

    /// The bytes without the NUL.
    fn bytes(&self) -> &[u8] {
        self.0.split_last().map_or(&[], |(_, text)| text)
    }
}

impl TypedValue {
    pub(crate) fn new(value: &Value) -> TypedValue {
        TypedValue(match value {
            Value::Undef => Content::Undef,
            Value::Boolean(boolean) => Content::Boolean(*boolean),
            Value::Integer(integer) => Content::Integer(*integer),
            Value::Float(float) => Content::Float(*float),
            Value::String(string) => Content::String(TextWithNul::new(string)),
            Value::Array(items) => Content::Array(items.iter().map(TypedValue::new).collect()),
            Value::Hash(hash) => Content::Hash {
                keys: hash.iter().map(|(key, _)| TypedValue::new(key)).collect(),
                values: hash.iter().map(|(_, value)| TypedValue::new(value)).collect(),
            },
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => return TypedValue::new(inner),
                _ => Content::Other(TextWithNul::new(&value.to_text())),
            },
        })
    }

    fn kind(&self) -> ValueKind {
        match self.0 {
            Content::Undef => ValueKind::Undef,
            Content::Boolean(_) => ValueKind::Boolean,
            Content::Integer(_) => ValueKind::Integer,
            Content::Float(_) => ValueKind::Float,
            Content::String(_) => ValueKind::String,
            Content::Array(_) => ValueKind::Array,
            Content::Hash { .. } => ValueKind::Hash,
            Content::Other(_) => ValueKind::Other,
        }
    }

    fn text(&self) -> Option<&TextWithNul> {
        match &self.0 {
            Content::String(text) | Content::Other(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array, or the values of a hash.
    fn items(&self) -> &[TypedValue] {
        match &self.0 {
            Content::Array(items) | Content::Hash { values: items, .. } => items,
            _ => &[],
        }
    }

    fn keys(&self) -> &[TypedValue] {
        match &self.0 {
            Content::Hash { keys, .. } => keys,
            _ => &[],
        }
    }
}

/// The kind of a value; HIERATIC_VALUE_KIND_UNDEF for NULL.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_get_kind(value: *const TypedValue) -> ValueKind {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(ValueKind::Undef, TypedValue::kind)
}

/// 1 for the boolean true, 0 for everything else.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_boolean(value: *const TypedValue) -> i32 {
    // SAFETY: the caller passes NULL or a living value.
    i32::from(matches!(unsafe { value.as_ref() }, Some(TypedValue(Content::Boolean(true)))))
}

/// The integer, or 0 for any other value.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_integer(value: *const TypedValue) -> i64 {
    // SAFETY: the caller passes NULL or a living value.
    match unsafe { value.as_ref() } {
        Some(TypedValue(Content::Integer(integer))) => *integer,
        _ => 0,
    }
}

/// The number, also of an integer, or 0 for any other value.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_float(value: *const TypedValue) -> f64 {
    // SAFETY: the caller passes NULL or a living value.
    match unsafe { value.as_ref() } {
        Some(TypedValue(Content::Float(float))) => *float,
        Some(TypedValue(Content::Integer(integer))) => *integer as f64,
        _ => 0.0,
    }
}

/// The string, in UTF-8 and with a NUL at its end, or NULL for a value that has none. `*length` is set to its length in
/// bytes, because the string may contain NUL, unless `length` is NULL. The value owns the string.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed; `length` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_string(value: *const TypedValue, length: *mut usize) -> *const c_char {
    // SAFETY: the caller passes NULL or a living value.
    let text = unsafe { value.as_ref() }.and_then(TypedValue::text);
    if !length.is_null() {
        // SAFETY: the caller passes NULL or a place for a length.
        unsafe { length.write(text.map_or(0, |text| text.bytes().len())) };
    }
    text.map_or(std::ptr::null(), |text| text.0.as_ptr().cast())
}

/// The number of items of an array or of pairs of a hash, 0 for everything else.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_length(value: *const TypedValue) -> usize {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(0, |value| value.items().len())
}

fn pointer(value: Option<&TypedValue>) -> *const TypedValue {
    value.map_or(std::ptr::null(), std::ptr::from_ref)
}

/// The item of an array, or the value of a pair of a hash, by its position from 0. NULL if there is none. The value
/// owns it.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_item(value: *const TypedValue, index: usize) -> *const TypedValue {
    // SAFETY: the caller passes NULL or a living value.
    pointer(unsafe { value.as_ref() }.and_then(|value| value.items().get(index)))
}

/// The key of a pair of a hash, by its position from 0. NULL if there is none. The value owns it.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_key(value: *const TypedValue, index: usize) -> *const TypedValue {
    // SAFETY: the caller passes NULL or a living value.
    pointer(unsafe { value.as_ref() }.and_then(|value| value.keys().get(index)))
}

/// The value of a hash for a key that is a string. NULL if there is none. The hash owns it.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed; `key` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_get(value: *const TypedValue, key: *const c_char) -> *const TypedValue {
    let find = || {
        // SAFETY: the caller passes NULL or a living value, and NULL or a string.
        // A key that is not UTF-8 is the key of no pair.
        let (value, key) = unsafe { (value.as_ref()?, text_or_null("key", key).ok()??) };
        let is_key = |own: &TypedValue| matches!(&own.0, Content::String(text) if text.bytes() == key.as_bytes());
        let index = value.keys().iter().position(is_key)?;
        value.items().get(index)
    };
    pointer(catch_panic(find).flatten())
}

/// Frees a value, with everything in it. NULL is allowed.
///
/// # Safety
/// `value` is NULL, or the result of hieratic_lookup_value that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_free(value: *mut TypedValue) {
    // SAFETY: the contract of this function requires the same.
    unsafe { free_handle(value) }
}
