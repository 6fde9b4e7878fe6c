//! [`Secrets`]: the plain strings of all secrets of a run.
//!
//! Inside Hiera a mark identifies a secret. In a program, a template or a job it is a plain string that is cut, joined
//! and encoded, and the mark is lost. So that outputs can still redact it, every environment records the strings that
//! were decrypted, answered by a secret backend, or converted to Sensitive.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_value::collections::{FixedState, HashMap};
use hieratic_value::{Rich, Str, Value};
use indexmap::IndexSet;

/// The plain strings of all secrets, in the order of insertion. Clones share them.
///
/// ```
/// use hieratic_hiera::Secrets;
/// use hieratic_value::Value;
///
/// let secrets = Secrets::default();
/// secrets.add(&Value::from(vec!["s3cret".into(), Value::Integer(5432)]));
/// assert_eq!(secrets.texts(), ["s3cret".into(), "5432".into()]);
/// assert_eq!(format!("{secrets:?}"), "Secrets");
/// ```
#[derive(Clone, Default)]
pub struct Secrets(Arc<SecretStrings>);

#[derive(Default)]
struct SecretStrings {
    texts: Mutex<IndexSet<Str, FixedState>>,
    /// The number of strings: every function call reads it, and mostly it is zero.
    count: AtomicUsize,
    open: Mutex<Literals>,
}

/// Strings that may be printed although they equal a secret, because they are known to be literals of the source code.
///
/// A value is shared, not copied, wherever it is passed unchanged. So such a string is recognized by its address, as
/// long as it is alive.
#[derive(Default)]
struct Literals {
    texts: HashMap<usize, Str>,
    /// Those that are secrets themselves.
    secret: HashMap<usize, Str>,
    /// Whether `secret` overflowed.
    is_full: bool,
}

/// The maximum number of recorded strings that equal an earlier secret.
const MOST_EQUAL: usize = 10_000;

fn address(text: &Str) -> usize {
    Arc::as_ptr(text).cast::<u8>() as usize
}

impl fmt::Debug for Secrets {
    /// Prints no secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secrets")
    }
}

impl Secrets {
    /// Adds the strings and numbers of a value. Booleans and `undef` reveal nothing.
    pub fn add(&self, value: &Value) {
        match value {
            Value::Undef | Value::Boolean(_) => {}
            Value::String(text) => self.add_text(text.clone()),
            Value::Integer(_) | Value::Float(_) => self.add_text(value.to_text().into()),
            Value::Array(elements) => elements.iter().for_each(|element| self.add(element)),
            Value::Hash(hash) => hash.iter().for_each(|(_, value)| self.add(value)),
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => self.add(inner),
                Rich::Default => {}
                Rich::Binary(bytes) => match std::str::from_utf8(bytes) {
                    Ok(text) => self.add_text(text.into()),
                    Err(_) => self.add_text(value.to_text().into()),
                },
                _ => self.add_text(value.to_text().into()),
            },
        }
    }

    /// Adds the content of Sensitive values only.
    pub fn add_sensitive(&self, value: &Value) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.add_sensitive(element)),
            Value::Hash(hash) => hash.iter().for_each(|(key, value)| {
                self.add_sensitive(key);
                self.add_sensitive(value);
            }),
            Value::Rich(rich) if matches!(**rich, Rich::Sensitive(_)) => self.add(value),
            _ => {}
        }
    }

    /// Returns the number of strings, which never decreases.
    pub fn len(&self) -> usize {
        self.0.count.load(Ordering::Acquire)
    }

    /// Returns whether no secret was added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all strings, for redaction.
    pub fn texts(&self) -> Vec<Str> {
        self.texts_lock().iter().cloned().collect()
    }

    /// Returns the strings after the first `count`, for callers that have already processed those.
    ///
    /// ```
    /// use hieratic_hiera::Secrets;
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&vec!["one".into(), "two".into()].into());
    /// assert_eq!(secrets.texts_since(1), ["two".into()]);
    /// ```
    pub fn texts_since(&self, count: usize) -> Vec<Str> {
        self.texts_lock().iter().skip(count).cloned().collect()
    }

    /// Marks strings as literals of the source code, which are not redacted. The mark applies to this allocation; an
    /// equal string may be a secret.
    ///
    /// ```
    /// use hieratic_hiera::Secrets;
    /// use hieratic_value::Str;
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&"root".into());
    /// let literal = Str::from("root");
    /// secrets.open([literal.clone()]);
    /// assert!(secrets.is_open(&literal) && !secrets.is_open(&Str::from("root")));
    /// ```
    pub fn open(&self, texts: impl IntoIterator<Item = Str>) {
        self.open_lock().texts.extend(texts.into_iter().map(|text| (address(&text), text)));
    }

    /// Returns whether this allocation is a literal of the source code that never became a secret.
    pub fn is_open(&self, text: &Str) -> bool {
        let open = self.open_lock();
        let is_open =
            !open.is_full && open.texts.contains_key(&address(text)) && !open.secret.contains_key(&address(text));
        drop(open);
        is_open && !self.texts_lock().get(text).is_some_and(|known| Arc::ptr_eq(known, text))
    }

    fn add_text(&self, text: Str) {
        if text.is_empty() {
            return;
        }
        let mut texts = self.texts_lock();
        if let Some(known) = texts.get(&text) {
            if !Arc::ptr_eq(known, &text) {
                drop(texts);
                let mut open = self.open_lock();
                if open.secret.len() < MOST_EQUAL {
                    drop(open.secret.insert(address(&text), text))
                } else {
                    open.is_full = true
                }
            }
            return;
        }
        texts.insert(text);
        self.0.count.store(texts.len(), Ordering::Release);
    }

    fn open_lock(&self) -> std::sync::MutexGuard<'_, Literals> {
        // Strings are added one by one, so a poisoned lock is harmless.
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts_lock(&self) -> std::sync::MutexGuard<'_, IndexSet<Str, FixedState>> {
        // The set is consistent after each insertion, so a poisoned lock is harmless.
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sensitive_values_are_added_from_the_rest() {
        let secrets = Secrets::default();
        secrets.add_sensitive(&Value::from(vec!["open".into(), Value::sensitive("shut".into())]));
        assert_eq!(secrets.texts(), ["shut".into()]);
        assert!(!secrets.is_empty());
    }

    #[test]
    fn a_string_of_code_can_be_marked_secret() {
        let (first, literal) = (Str::from("root"), Str::from("root"));
        for before in [None, Some(first)] {
            let secrets = Secrets::default();
            if let Some(before) = before {
                secrets.add(&Value::String(before));
            }
            secrets.open([literal.clone()]);
            assert!(secrets.is_open(&literal));
            secrets.add_sensitive(&Value::sensitive(Value::String(literal.clone())));
            assert!(!secrets.is_open(&literal));
        }
    }

    #[test]
    fn nothing_is_open_once_too_much_is_remembered() {
        let (secrets, literal) = (Secrets::default(), Str::from("root"));
        secrets.open([literal.clone()]);
        (0..=MOST_EQUAL + 1).for_each(|_| secrets.add(&"root".into()));
        assert!(!secrets.is_open(&literal));
    }
}
