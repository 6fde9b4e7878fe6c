//! [`Key`]: the name of an attribute.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use minijinja::Value;

/// The name of an attribute in a template.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub text: Arc<str>,
    /// The name as a key of dictionaries.
    pub value: Value,
    /// Whether a Python type has a method with this name.
    pub is_method: bool,
    /// The index at which it was last found, because the dictionaries of a loop usually have the same keys.
    pub hint: AtomicUsize,
    /// The index of the key in objects of JSON documents, with the number of the keys that they share.
    pub found_in_shape: AtomicU64,
}

impl Key {
    /// Creates a name without a cached index.
    pub fn new(text: Arc<str>, is_method: bool) -> Key {
        let (hint, found_in_shape) = Default::default();
        Key { value: Value::from(text.clone()), text, is_method, hint, found_in_shape }
    }
}
