//! [`TaintTracker`]: a value that code computes from a secret is a secret.
//!
//! A search finds a secret in any encoding, but not a value derived from it: its hash, a part, its letters in another
//! order. So evaluators report the arguments and the result of every function: if an argument contains a secret and the
//! result does not, the result is a secret as well.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_hiera::Secrets;
use hieratic_puppet_types::Type;
use hieratic_value::{Rich, Str, Value};

use super::{Redactor, variants};

/// The maximum number of strings that a run adds: a loop over hashes of a secret may compute any number of them.
const MAX_STRINGS: usize = 100_000;

/// The maximum number of letters that are joined, and the maximum nesting.
const MAX_LETTERS: usize = 4_096;
const MAX_LEVELS: usize = 5;

/// Observes what code computes from values, and adds the results for secrets to the secrets of an environment.
///
/// Only single strings and numbers are checked: most functions of a hash with a secret (its keys, its length, another
/// value) reveal nothing, and its string form still contains the secret. A list of letters counts as the string of all
/// letters: a secret that was split.
///
/// ```
/// use hieratic::secrets::{TaintTracker, Secrets};
/// use hieratic::{Redactor, Value};
///
/// let secrets = Secrets::default();
/// let (followed, redactor) = (TaintTracker::new(secrets.clone()), Redactor::new(secrets.clone(), false));
/// secrets.add(&Value::from("swordfish"));
/// followed.record_result(&["user:swordfish".into()], &"5f4dcc3b".into());
/// assert_eq!(redactor.text("hash=5f4dcc3b"), "hash=Sensitive [value redacted]");
/// ```
#[derive(Clone, Debug)]
pub struct TaintTracker {
    secrets: Secrets,
    redactor: Redactor,
    count: Arc<AtomicUsize>,
}

impl TaintTracker {
    /// Creates a tracker for the secrets of an environment.
    pub fn new(secrets: Secrets) -> TaintTracker {
        TaintTracker { redactor: Redactor::new(secrets.clone(), false), secrets, count: Arc::default() }
    }

    /// Returns a tracker for another run, which may add as many strings again.
    #[cfg(feature = "code")]
    pub(crate) fn for_another_run(&self) -> TaintTracker {
        TaintTracker { count: Arc::default(), ..self.clone() }
    }

    /// Returns whether there are no secrets, so that nothing needs tracking.
    pub fn is_idle(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Records that `result` was computed from other values. If they contain a secret, the result becomes a secret.
    pub fn record_result(&self, of: &[Value], result: &Value) {
        if !self.is_idle() && may_reveal(result) && of.iter().any(|value| self.is_tainted(value)) {
            self.add(result);
        }
    }

    /// Records a value that an interpreter with its own taint tracking computed from secrets: if only a part of a
    /// string is redacted, the rest is tainted as well.
    #[cfg_attr(not(feature = "code"), allow(dead_code, reason = "Ruby is a part of code"))]
    pub(crate) fn record_secret(&self, result: &Value) {
        match result {
            Value::String(text) if may_reveal(result) => {
                let parts = self.secret_ranges(text);
                let ends = parts.iter().map(|part| part.end);
                let starts = parts.iter().map(|part| part.start).chain([text.len()]);
                let mut open = std::iter::once(0).chain(ends).zip(starts);
                let is_open = open.any(|(end, start)| start.saturating_sub(end) >= variants::MIN_LENGTH);
                if is_open && self.count.fetch_add(1, Ordering::Relaxed) < MAX_STRINGS {
                    self.secrets.add(result);
                }
            }
            _ if may_reveal(result) => self.add(result),
            _ => {}
        }
    }

    /// The number of secrets.
    #[cfg_attr(not(feature = "code"), allow(dead_code, reason = "Ruby is a part of code"))]
    pub(crate) fn count(&self) -> usize {
        self.secrets.len()
    }

    /// Returns the ranges of secrets in a string.
    #[cfg_attr(not(feature = "code"), allow(dead_code, reason = "Ruby is a part of code"))]
    pub(crate) fn secret_ranges(&self, text: &Str) -> Vec<Range<usize>> {
        let Some(known) = self.redactor.known() else { return Vec::new() };
        let search = || {
            // A secret that is too short to be searched for is the whole string.
            let parts = if known.contains(text) {
                std::iter::once(0..text.len()).collect()
            } else {
                known.ranges(text.as_bytes())
            };
            (!parts.is_empty()).then_some(parts)
        };
        known.search_cached(text, search).unwrap_or_default()
    }

    /// Returns whether a value is or contains a secret.
    pub(crate) fn is_tainted(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_found_in(text),
            Value::Integer(_) | Value::Float(_) => self.is_found_in(&value.to_text().into()),
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => self.is_tainted(inner),
                Rich::Binary(bytes) => matches!(self.redactor.bytes(bytes), Cow::Owned(_)),
                _ => false,
            },
            Value::Array(_) | Value::Hash(_) => joined_letters(value).is_some_and(|text| self.is_found_in(&text)),
            _ => false,
        }
    }

    fn is_found_in(&self, text: &Str) -> bool {
        let Some(known) = self.redactor.known() else { return false };
        let search = || (known.contains(text) || !known.ranges(text.as_bytes()).is_empty()).then_some(());
        known.search_cached(text, search).is_some()
    }

    /// Adds a list of letters as a string, so that it is recognized when they are joined.
    fn add_letters(&self, result: &Value) {
        if let Some(text) = joined_letters(result)
            && !self.is_found_in(&text)
            && self.count.fetch_add(1, Ordering::Relaxed) < MAX_STRINGS
        {
            self.secrets.add(&Value::String(text));
        }
    }

    fn add(&self, result: &Value) {
        match result {
            Value::Array(elements) => {
                self.add_letters(result);
                elements.iter().for_each(|element| self.add(element));
            }
            Value::Hash(hash) => {
                self.add_letters(result);
                hash.iter().for_each(|(_, value)| self.add(value));
            }
            Value::Rich(rich) if matches!(**rich, Rich::Sensitive(_)) => {}
            // A secret within the digits of a number is not redacted.
            Value::Integer(_) | Value::Float(_) => {
                let is_covered =
                    self.redactor.known().is_some_and(|known| super::is_secret_number(&result.to_text(), &known));
                if may_reveal(result) && !is_covered && self.count.fetch_add(1, Ordering::Relaxed) < MAX_STRINGS {
                    self.secrets.add(result);
                }
            }
            _ if is_time(result) => self.add(&Value::from(result.to_text())),
            _ if may_reveal(result)
                && !self.is_tainted(result)
                && self.count.fetch_add(1, Ordering::Relaxed) < MAX_STRINGS =>
            {
                self.secrets.add(result);
            }
            _ => {}
        }
    }
}

#[cfg(feature = "expressions")]
impl hieratic_jinja::TaintObserver for TaintTracker {
    fn is_idle(&self) -> bool {
        TaintTracker::is_idle(self)
    }

    fn record_result(&self, of: &[Value], result: &Value) {
        TaintTracker::record_result(self, of, result);
    }
}

/// Joins the letters or bytes of a collection that contains nothing else: parts that are too short to be tracked alone.
fn joined_letters(value: &Value) -> Option<Str> {
    let mut bytes = Vec::new();
    (add_letters(value, MAX_LEVELS, &mut bytes) && bytes.len() >= variants::MIN_LENGTH)
        .then(|| String::from_utf8_lossy(&bytes).into_owned().into())
}

fn add_letters(value: &Value, levels: usize, bytes: &mut Vec<u8>) -> bool {
    if levels == 0 || bytes.len() > MAX_LETTERS {
        return false;
    }
    match value {
        Value::String(text) if text.len() < variants::MIN_LENGTH && levels < MAX_LEVELS => {
            bytes.extend_from_slice(text.as_bytes())
        }
        Value::Integer(number) if levels < MAX_LEVELS => match u8::try_from(*number) {
            Ok(byte) => bytes.push(byte),
            // Not a byte.
            Err(_) => return false,
        },
        Value::Array(elements) => return elements.iter().all(|one| add_letters(one, levels - 1, bytes)),
        Value::Hash(hash) => {
            let mut all = hash.iter().flat_map(|(key, one)| [key, one]);
            return all.all(|one| add_letters(one, levels - 1, bytes));
        }
        // An undefined element does not prevent the letters next to it from being joined.
        Value::Undef if levels < MAX_LEVELS => {}
        _ => return false,
    }
    true
}

/// Returns whether a value may contain a string that is long enough to reveal something and to be searched for.
fn may_reveal(result: &Value) -> bool {
    match result {
        Value::String(text) => text.len() >= variants::MIN_LENGTH,
        Value::Integer(number) => number.unsigned_abs() >= 1_000,
        Value::Float(_) | Value::Array(_) | Value::Hash(_) => true,
        Value::Rich(rich) => matches!(**rich, Rich::Binary(_) | Rich::BigInteger(_)) || is_time(result),
        _ => false,
    }
}

/// Returns whether a value is a number in another form: a timestamp or a timespan.
fn is_time(value: &Value) -> bool {
    matches!(value, Value::Rich(rich) if matches!(**rich, Rich::Extended(_)))
        && matches!(hieratic_puppet_types::infer(value), Type::Timestamp(_) | Type::Timespan(_))
}

#[cfg(test)]
mod tests {
    use hieratic_value::text::REDACTED;

    use super::*;

    fn followed() -> (TaintTracker, Redactor) {
        let secrets = Secrets::default();
        secrets.add(&"swordfish".into());
        (TaintTracker::new(secrets.clone()), Redactor::new(secrets, false))
    }

    #[test]
    fn values_derived_twice_are_tracked() {
        let (followed, redactor) = followed();
        followed.record_result(&["swordfish".into()], &"b6a1c0".into());
        followed.record_result(&["b6a1c0".into()], &"77f-x9".into());
        assert_eq!(redactor.text("77f-x9"), REDACTED);
    }

    #[test]
    fn texts_in_which_the_search_finds_the_secret_stay_open_around_it() {
        let (followed, redactor) = followed();
        followed.record_result(&["swordfish".into()], &"password = swordfish".into());
        assert_eq!(redactor.text("password = swordfish"), format!("password = {REDACTED}"));
        assert_eq!(redactor.text("password = other"), "password = other");
    }

    #[test]
    fn parts_that_are_long_enough_are_followed() {
        let (followed, redactor) = followed();
        followed
            .record_result(&["swordfish".into()], &Value::from(vec!["sword".into(), "fi".into(), Value::Integer(9)]));
        assert_eq!(redactor.text("a sword, fi, 9"), format!("a {REDACTED}, fi, 9"));
    }

    #[test]
    fn values_derived_from_secrets_are_redacted_whole() {
        let (followed, redactor) = followed();
        followed.record_secret(&"swordfish-hsifdrows-x".into());
        assert_eq!(redactor.text("a swordfish-hsifdrows-x"), format!("a {REDACTED}-{REDACTED}-x"));
        followed.record_secret(&"swordfish-trout".into());
        assert_eq!(redactor.text("a swordfish-trout"), format!("a {REDACTED}"));
        assert_eq!(redactor.text("a trout"), "a trout");
    }

    #[test]
    fn letters_that_are_put_together_again_are_followed() {
        let (followed, redactor) = followed();
        let list = |text: &str| {
            Value::from(text.chars().map(|one| Value::from(one.to_string().as_str())).collect::<Vec<Value>>())
        };
        followed.record_result(&[".".into(), list("swordfish")], &"s.w.o.r.d.f.i.s.h".into());
        assert_eq!(redactor.text("a s.w.o.r.d.f.i.s.h"), format!("a {REDACTED}"));
        // Sorted, and then joined.
        followed.record_result(&[list("swordfish")], &list("dfhiorssw"));
        assert_eq!(redactor.text("a dfhiorssw"), format!("a {REDACTED}"));
        // Pairs, which reveal nothing alone.
        let pairs = Value::from(vec![list("hs"), list("if"), list("dr"), list("ow")]);
        followed.record_result(&["swordfish".into()], &pairs);
        followed.record_result(&[pairs], &"[['h', 's'], ...]".into());
        assert_eq!(redactor.text("[['h', 's'], ...]"), REDACTED);
        // As bytes.
        let bytes = Value::from("swordfish".bytes().map(|byte| Value::Integer(byte.into())).collect::<Vec<Value>>());
        followed.record_result(&[bytes], &"115, 119".into());
        assert_eq!(redactor.text("115, 119"), REDACTED);
    }

    #[test]
    fn lists_of_other_letters_and_of_words_are_not_followed() {
        let (followed, redactor) = followed();
        let list = |parts: &[&str]| Value::from(parts.iter().map(|part| Value::from(*part)).collect::<Vec<Value>>());
        followed.record_result(&[list(&["a", "b", "c", "d", "e"])], &"abcde".into());
        followed.record_result(&[list(&["swordfish", "b"])], &"host.example.com".into());
        followed
            .record_result(&[Value::from(vec![Value::Integer(80), Value::Integer(8080)])], &"host.example.com".into());
        assert_eq!(redactor.text("abcde host.example.com"), "abcde host.example.com");
    }

    #[test]
    fn values_derived_from_other_values_are_not_tracked() {
        let (followed, redactor) = followed();
        followed.record_result(&["carp".into(), Value::Integer(7)], &"abcdef".into());
        assert_eq!(redactor.text("abcdef"), "abcdef");
    }
}
