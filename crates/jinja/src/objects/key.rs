//! [`Key`]: the name of an attribute.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use minijinja::Value;

/// The name of an attribute in a template.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub text: Arc<str>,
    /// The name as a key of dictionaries.
    pub value: Value,
    /// Whether a Python type has a method of this name.
    pub is_method: bool,
    /// The index at which it was found last: the dictionaries that a loop iterates over usually have the same keys.
    pub hint: AtomicUsize,
}

impl Key {
    /// Creates a name that was not looked for yet.
    pub fn new(text: Arc<str>, is_method: bool) -> Key {
        Key { value: Value::from(text.clone()), text, is_method, hint: AtomicUsize::new(0) }
    }
}
