//! [`TypedValue`]: a value that C reads part by part, instead of parsing JSON.

use std::ffi::c_char;

use engine::Value;
use engine::value::Rich;

use crate::ffi::{catch_panic, free_handle, text_or_null};

/// The kind of a value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// No value: undef in data, and what is asked of NULL.
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
pub struct TypedValue {
    kind: ValueKind,
    boolean: bool,
    integer: i64,
    float: f64,
    /// The bytes of the string, and a NUL.
    text: Vec<u8>,
    keys: Vec<TypedValue>,
    items: Vec<TypedValue>,
}

impl TypedValue {
    pub(crate) fn new(value: &Value) -> TypedValue {
        let of = |kind| TypedValue {
            kind,
            boolean: false,
            integer: 0,
            float: 0.0,
            text: Vec::new(),
            keys: Vec::new(),
            items: Vec::new(),
        };
        let text = |kind, text: &str| TypedValue { text: [text.as_bytes(), b"\0"].concat(), ..of(kind) };
        match value {
            Value::Undef => of(ValueKind::Undef),
            Value::Boolean(boolean) => TypedValue { boolean: *boolean, ..of(ValueKind::Boolean) },
            Value::Integer(integer) => {
                TypedValue { integer: *integer, float: *integer as f64, ..of(ValueKind::Integer) }
            }
            Value::Float(float) => TypedValue { float: *float, ..of(ValueKind::Float) },
            Value::String(string) => text(ValueKind::String, string),
            Value::Array(items) => {
                TypedValue { items: items.iter().map(TypedValue::new).collect(), ..of(ValueKind::Array) }
            }
            Value::Hash(hash) => TypedValue {
                keys: hash.iter().map(|(key, _)| TypedValue::new(key)).collect(),
                items: hash.iter().map(|(_, value)| TypedValue::new(value)).collect(),
                ..of(ValueKind::Hash)
            },
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => TypedValue::new(inner),
                _ => text(ValueKind::Other, &value.to_text()),
            },
        }
    }

    /// The string without its NUL.
    fn string(&self) -> Option<&[u8]> {
        self.text.split_last().map(|(_, text)| text)
    }
}

/// The kind of a value; HIERATIC_VALUE_KIND_UNDEF for NULL.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_get_kind(value: *const TypedValue) -> ValueKind {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(ValueKind::Undef, |value| value.kind)
}

/// 1 for the boolean true, 0 for everything else.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_boolean(value: *const TypedValue) -> i32 {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(0, |value| i32::from(value.boolean))
}

/// The integer, or 0 for a value that is none.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_integer(value: *const TypedValue) -> i64 {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(0, |value| value.integer)
}

/// The number, an integer as well, or 0 for a value that is none.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_float(value: *const TypedValue) -> f64 {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(0.0, |value| value.float)
}

/// The string, in UTF-8 and with a NUL at its end, or NULL for a value that has none. `*length` is set to its length in
/// bytes, because the string may contain NUL, unless `length` is NULL. The value owns the string.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed; `length` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_string(value: *const TypedValue, length: *mut usize) -> *const c_char {
    // SAFETY: the caller passes NULL or a living value.
    let text = unsafe { value.as_ref() }.and_then(TypedValue::string);
    if !length.is_null() {
        // SAFETY: the caller passes NULL or a place for a length.
        unsafe { length.write(text.map_or(0, <[u8]>::len)) };
    }
    text.map_or(std::ptr::null(), |text| text.as_ptr().cast())
}

/// The number of items of an array or of pairs of a hash, 0 for everything else.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_length(value: *const TypedValue) -> usize {
    // SAFETY: the caller passes NULL or a living value.
    unsafe { value.as_ref() }.map_or(0, |value| value.items.len())
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
    pointer(unsafe { value.as_ref() }.and_then(|value| value.items.get(index)))
}

/// The key of a pair of a hash, by its position from 0. NULL if there is none. The value owns it.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_key(value: *const TypedValue, index: usize) -> *const TypedValue {
    // SAFETY: the caller passes NULL or a living value.
    pointer(unsafe { value.as_ref() }.and_then(|value| value.keys.get(index)))
}

/// The value of a hash for a key that is a string. NULL if there is none. The hash owns it.
///
/// # Safety
/// `value` is NULL, or a value of this library that was not freed; `key` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_value_get(value: *const TypedValue, key: *const c_char) -> *const TypedValue {
    let find = || {
        // SAFETY: the caller passes NULL or a living value, and NULL or a string.
        let (value, key) = unsafe { (value.as_ref()?, text_or_null("key", key).ok()??) };
        let is_key = |own: &&TypedValue| own.kind == ValueKind::String && own.string() == Some(key.as_bytes());
        let index = value.keys.iter().position(|own| is_key(&own))?;
        value.items.get(index)
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
