//! [`Redactor`]: redacts secrets in everything that a run prints.
//!
//! Hiera tracks secrets by marks, and only these decide about its answers ([`Redactor::answer`], [`Redactor::marked`]): a
//! string or number that merely equals a secret is shown. Output of code, templates, jobs and messages is searched for
//! the plain strings in [`Secrets`], in any encoding.
//!
//! Only what may contain data is searched: values and their keys ([`Redactor::value`]), strings that data or code produced
//! ([`Redactor::text`]), lines of files, and quotations in messages ([`Redactor::message`]). File names, codes, line numbers,
//! the keys of our formats and the words of our sentences are not searched: a secret that is an ordinary word would be
//! revealed by its absence there.

mod base64_runs;
mod decoders;
#[cfg(test)]
mod encodings;
mod entities;
mod json;
mod messages;
mod normalize;
mod search;
mod secret_set;
mod taint;
mod trie;
mod unique_names;
mod variants;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_diagnostics::{Diagnostic, Label, Source, Span};
use hieratic_hiera::{Object, Redaction, Secrets};
use hieratic_value::text::REDACTED;
use hieratic_value::{HashBuilder, Rich, Str, Value};
use serde_json::Value as Json;

use secret_set::SecretSet;
pub use taint::TaintTracker;
use unique_names::UniqueNames;

/// The number of bytes around a label that are searched, because its excerpt may show them.
const EXCERPT_MARGIN: u32 = 64 << 10;

/// Redacts the secrets of environments in output, unless the user reveals them.
///
/// A string is searched for every plain string of at least four bytes and for each of its lines: in plain form, in any
/// case, with any mixture of escapes, backwards, in hexadecimal, and in base 64. For longer strings, whitespace and
/// quotation marks are ignored. Shorter secrets are only redacted if they are a whole value.
///
/// ```
/// use hieratic::secrets::Secrets;
/// use hieratic::{Redactor, Value};
///
/// let secrets = Secrets::default();
/// let redactor = Redactor::new(secrets.clone(), false);
/// secrets.add(&Value::from("swordfish"));
/// assert_eq!(redactor.text("password=swordfish&a=b"), "password=Sensitive [value redacted]&a=b");
/// assert_eq!(redactor.text("c3dvcmRmaXNo"), "Sensitive [value redacted]");
/// assert_eq!(redactor.text("\\u0073wordf&#105;sh"), "Sensitive [value redacted]");
/// assert_eq!(Redactor::new(secrets, true).text("swordfish"), "swordfish");
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    secrets: Arc<Mutex<Vec<Secrets>>>,
    reveal: bool,
    known: Arc<Mutex<Arc<SecretSet>>>,
    /// Whether the search has redacted data.
    found: Arc<AtomicBool>,
}

impl fmt::Debug for Redactor {
    /// Prints no secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Redactor").field("reveal", &self.reveal).finish_non_exhaustive()
    }
}

impl Redactor {
    /// Creates a redactor that redacts these secrets, or reveals them.
    pub fn new(secrets: Secrets, reveal: bool) -> Redactor {
        Redactor { secrets: Arc::new(Mutex::new(vec![secrets])), reveal, ..Redactor::default() }
    }

    /// Adds the secrets of another environment.
    pub fn add(&self, secrets: Secrets) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).push(secrets);
    }

    /// Returns whether secrets are revealed.
    pub fn reveals(&self) -> bool {
        self.reveal
    }

    /// Returns whether the search has redacted anything so far, including data that equals a secret by coincidence.
    pub fn has_found(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    fn note(&self, is_found: bool) {
        if is_found {
            self.found.store(true, Ordering::Relaxed);
        }
    }

    /// Returns an answer of Hiera for display. Only marks decide what is redacted.
    pub fn answer(&self, object: &Object) -> Value {
        if self.reveal { self.marked(&object.to_value()) } else { object.masked() }
    }

    /// Redacts a value by its marks: Sensitive values, and parts that are already redacted. Strings are not searched.
    ///
    /// ```
    /// use hieratic::secrets::Secrets;
    /// use hieratic::{Redactor, Value};
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&"root".into());
    /// let redactor = Redactor::new(secrets, false);
    /// let value = Value::from(vec!["root".into(), Value::sensitive("root".into())]);
    /// assert_eq!(redactor.marked(&value).inspect(), r#"["root", "Sensitive [value redacted]"]"#);
    /// ```
    pub fn marked(&self, value: &Value) -> Value {
        if value.contains_sensitive() { self.redact_value(value, true, None) } else { value.clone() }
    }

    /// Redacts the secrets in a string of data, or one that was computed from data.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.known() {
            Some(known) => {
                let ranges = known.ranges(text.as_bytes());
                self.note(!ranges.is_empty());
                as_text(redact_ranges(text.as_bytes(), &ranges), text)
            }
            None => Cow::Borrowed(text),
        }
    }

    /// Redacts the secrets in bytes.
    pub fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        match self.known() {
            Some(known) => {
                let ranges = known.ranges(bytes);
                self.note(!ranges.is_empty());
                redact_ranges(bytes, &ranges)
            }
            None => Cow::Borrowed(bytes),
        }
    }

    /// Returns the ranges of secrets in a string, sorted and disjoint.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.known().map(|known| known.ranges(text.as_bytes())).unwrap_or_default()
    }

    /// Redacts the secrets in the quotations of a message.
    ///
    /// A secret that is an ordinary word (a few letters or digits only) is redacted in quotation marks, which contain
    /// data, unless they contain a path or a qualified name; elsewhere it is a word of the sentence. Any other secret
    /// is redacted everywhere.
    ///
    /// ```
    /// use hieratic::secrets::Secrets;
    /// use hieratic::Redactor;
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&"data".into());
    /// let redactor = Redactor::new(secrets, false);
    /// assert_eq!(redactor.message("data/web.yaml: no data for 'data'"), "data/web.yaml: no data for 'Sensitive [value redacted]'");
    /// ```
    pub fn message<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.message_with(text, &[])
    }

    /// Redacts the secrets in a message. The parts in `data` are data or output of code as a whole.
    pub fn message_with<'t>(&self, text: &'t str, data: &[&str]) -> Cow<'t, str> {
        let Some(known) = self.known() else { return Cow::Borrowed(text) };
        let mut ranges = known.ranges(text.as_bytes());
        messages::retain_data(text, data, &mut ranges);
        as_text(redact_ranges(text.as_bytes(), &ranges), text)
    }

    /// Redacts the secrets in the name of a file or a key that are unlikely to be an ordinary name: secrets with
    /// characters that names do not have, or longer than most names.
    pub fn name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(known) = self.known() else { return Cow::Borrowed(text) };
        let mut ranges = known.ranges(text.as_bytes());
        messages::retain_unnamelike(text, &mut ranges);
        as_text(redact_ranges(text.as_bytes(), &ranges), text)
    }

    /// Redacts the secrets in a diagnostic: in its message, its excerpts and its labels.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> Diagnostic {
        if self.known().is_none() {
            return diagnostic.clone();
        }
        let quoted: Vec<&str> = diagnostic.quoted.iter().map(String::as_str).collect();
        let message = |text: &String| self.message(text).into_owned();
        Diagnostic {
            message: self.message_with(&diagnostic.message, &quoted).into_owned(),
            labels: self.labels(&diagnostic.labels),
            notes: diagnostic.notes.iter().map(message).collect(),
            help: diagnostic.help.iter().map(message).collect(),
            ..diagnostic.clone()
        }
    }

    fn labels(&self, labels: &[Label]) -> Vec<Label> {
        let hiding = |label: &Label| {
            // All labels of a source redact the same parts, since they may be shown together.
            let of_source = labels.iter().filter(|other| other.source == label.source);
            let mut parts: Vec<Range<usize>> =
                of_source.flat_map(|label| self.ranges_near(&label.source, label.span)).collect();
            if parts.is_empty() {
                return label.source.clone();
            }
            parts = secret_set::joined(parts);
            let parts = parts.into_iter().map(Span::from).collect();
            label.source.with_redactions(parts, REDACTED)
        };
        let redact = |label: &Label| Label {
            source: hiding(label),
            text: self.message(&label.text).into_owned(),
            ..label.clone()
        };
        labels.iter().map(redact).collect()
    }

    /// Returns the ranges of secrets that are so near to a span that its excerpt may show them.
    fn ranges_near(&self, source: &Source, span: Span) -> Vec<Range<usize>> {
        let outer = source.clamp(Span {
            start: span.start.saturating_sub(EXCERPT_MARGIN),
            end: span.end.max(span.start).saturating_add(EXCERPT_MARGIN),
        });
        let from = outer.start as usize;
        let found = self.ranges(source.slice(outer));
        found.into_iter().map(|range| range.start + from..range.end + from).collect()
    }

    /// Redacts the secrets in strings, keys and numbers of JSON. The result is valid JSON.
    pub fn json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.json_but(text, |_| false)
    }

    /// Redacts the secrets in strings and numbers of JSON, and in all keys that do not belong to our formats.
    pub fn json_but<'t>(&self, text: &'t str, ours: impl Fn(&str) -> bool) -> Cow<'t, str> {
        match self.known() {
            None => Cow::Borrowed(text),
            Some(known) => {
                let redacted = json::redact(text, &known, ours);
                self.note(matches!(redacted, Cow::Owned(_)));
                redacted
            }
        }
    }

    /// Redacts the secrets in strings, keys and numbers of JSON data.
    pub fn tree(&self, tree: &Json) -> Json {
        match self.known() {
            Some(known) => {
                let mut is_found = false;
                let redacted = json::redact_tree(tree, &known, &mut is_found);
                self.note(is_found);
                redacted
            }
            None => tree.clone(),
        }
    }

    /// Redacts a JSON report. The values of the keys in `data` are data; the values of message keys (`message`,
    /// `summary`, `detail`, `text`, `also`, `help`) quote data; all other strings are names and stay unchanged.
    pub fn report(&self, report: &Json, data: &[&str]) -> Json {
        match report {
            Json::Object(pairs) => {
                let redact = |(key, value): (&String, &Json)| {
                    let value = match key.as_str() {
                        key if data.contains(&key) => self.tree(value),
                        "message" | "summary" | "detail" | "text" | "also" | "help" => self.messages(value),
                        _ => self.report(value, data),
                    };
                    (key.clone(), value)
                };
                pairs.iter().map(redact).collect()
            }
            Json::Array(items) => items.iter().map(|item| self.report(item, data)).collect(),
            Json::String(name) => self.name(name).into(),
            other => other.clone(),
        }
    }

    fn messages(&self, messages: &Json) -> Json {
        match messages {
            Json::String(message) => self.message(message).into(),
            Json::Array(items) => items.iter().map(|item| self.messages(item)).collect(),
            other => other.clone(),
        }
    }

    /// Redacts a value that code computed, as data: a Sensitive value becomes the redaction mark, or its content if
    /// secrets are revealed. A hash with a Sensitive key is redacted as a whole, as in an answer of Hiera.
    pub fn value(&self, value: &Value) -> Value {
        self.redact_value(value, true, self.known().as_deref())
    }

    /// Redacts a value, but keeps Sensitive values, which the language redacts itself.
    pub fn open_value(&self, value: &Value) -> Value {
        self.redact_value(value, false, self.known().as_deref())
    }

    fn redact_value(&self, value: &Value, as_data: bool, known: Option<&SecretSet>) -> Value {
        match value {
            Value::String(text) => {
                match known.and_then(|known| known.search_cached(text, || redact_string(text, known))) {
                    Some(_) if known.is_some_and(|known| self.is_open(text, known)) => value.clone(),
                    Some(redacted) => {
                        self.note(true);
                        redacted.into()
                    }
                    None => value.clone(),
                }
            }
            Value::Integer(_) | Value::Float(_)
                if known.is_some_and(|known| is_secret_number(&value.to_text(), known)) =>
            {
                self.note(true);
                REDACTED.into()
            }
            Value::Array(elements) => {
                elements.iter().map(|element| self.redact_value(element, as_data, known)).collect()
            }
            Value::Hash(hash) if as_data && !self.reveal && hash.keys().any(Value::contains_sensitive) => {
                REDACTED.into()
            }
            Value::Hash(hash) => {
                let mut names = UniqueNames::default();
                let mut shown = HashBuilder::with_capacity_and_hasher(hash.len(), Default::default());
                for (key, value) in hash {
                    let name = match self.redact_value(key, as_data, known) {
                        Value::String(name) if name.contains(REDACTED) => names.unique(name.to_string()).into(),
                        // A revealed Sensitive key that now equals another.
                        name if self.reveal && shown.contains_key(&name) => key.clone(),
                        // A list as a key, likewise.
                        name if shown.contains_key(&name) => names.unique(REDACTED.into()).into(),
                        name => name,
                    };
                    shown.insert(name, self.redact_value(value, as_data, known));
                }
                hieratic_value::Hash::from(shown).into()
            }
            Value::Rich(rich) => match (&**rich, known) {
                (Rich::Sensitive(inner), _) if self.reveal => self.redact_value(inner, as_data, known),
                (Rich::Sensitive(_), _) if as_data => REDACTED.into(),
                (Rich::Sensitive(_), _) | (_, None) => value.clone(),
                (Rich::Binary(bytes), Some(known)) if !known.ranges(bytes).is_empty() => {
                    self.note(true);
                    REDACTED.into()
                }
                // Types, patterns and other values that contain strings: they cannot be redacted in part.
                (_, Some(known)) if !known.ranges(value.inspect().as_bytes()).is_empty() => {
                    self.note(true);
                    REDACTED.into()
                }
                _ => value.clone(),
            },
            scalar => scalar.clone(),
        }
    }

    /// Returns whether a string that contains secrets is a literal in the code, so that it was not computed from them,
    /// and the secrets in it are ordinary words, which any code may contain. A literal with any other secret was copied
    /// from it.
    fn is_open(&self, text: &Str, known: &SecretSet) -> bool {
        let is_of_code =
            || self.secrets.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|secrets| secrets.is_open(text));
        let is_ordinary = |range: Range<usize>| messages::is_ordinary(text, &range);
        is_of_code()
            && (!known.contains(text) || is_ordinary(0..text.len()))
            && known.ranges(text.as_bytes()).into_iter().all(is_ordinary)
    }

    /// Redacts a string of a catalog. `written` is the value of its expression in the code.
    pub fn written(&self, text: &str, written: &Str) -> String {
        match self.known() {
            Some(known) if !self.is_open(written, &known) => self.text(text).into_owned(),
            _ => text.to_owned(),
        }
    }

    /// Returns the secrets to search for, or `None` if there are none, or if they are revealed.
    fn known(&self) -> Option<Arc<SecretSet>> {
        if self.reveal {
            return None;
        }
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_current(&secrets) {
            Arc::make_mut(&mut known).update(&secrets);
        }
        (!known.is_empty()).then(|| known.clone())
    }
}

impl Redaction for Redactor {
    fn text(&self, text: &str) -> Option<String> {
        owned(Redactor::text(self, text))
    }

    fn message(&self, text: &str) -> Option<String> {
        owned(Redactor::message(self, text))
    }

    fn name(&self, text: &str) -> Option<String> {
        owned(Redactor::name(self, text))
    }
}

fn owned(text: Cow<'_, str>) -> Option<String> {
    match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(redacted) => Some(redacted),
    }
}

/// Redacts a string that is or contains a secret. `None` if it has none.
fn redact_string(text: &str, known: &SecretSet) -> Option<String> {
    if text == REDACTED {
        return None;
    }
    if known.contains(text) {
        return Some(REDACTED.to_owned());
    }
    match as_text(redact_ranges(text.as_bytes(), &known.ranges(text.as_bytes())), text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(redacted) => Some(redacted),
    }
}

/// Returns whether the digits of a number are a secret, with any sign, and long enough not to be one at random.
fn is_secret_number(text: &str, known: &SecretSet) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_known = |text: &str| text.len() >= variants::MIN_LENGTH && known.contains(text);
    is_known(text) || is_known(digits) || is_known(&format!("-{digits}"))
}

/// Redacts sorted, disjoint ranges.
fn redact_ranges<'t>(bytes: &'t [u8], ranges: &[Range<usize>]) -> Cow<'t, [u8]> {
    if ranges.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for range in ranges {
        out.extend_from_slice(&bytes[done..range.start]);
        out.extend_from_slice(REDACTED.as_bytes());
        done = range.end;
    }
    out.extend_from_slice(&bytes[done..]);
    Cow::Owned(out)
}

/// Converts redacted bytes to text. No character was cut.
fn as_text<'t>(bytes: Cow<'t, [u8]>, text: &'t str) -> Cow<'t, str> {
    match bytes {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::prelude::*;

    use super::*;

    fn redactor(texts: &[&str]) -> Redactor {
        let secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.add(&Value::from(*text)));
        Redactor::new(secrets, false)
    }

    #[test]
    fn secrets_are_covered_wherever_lines_break() {
        let redactor = redactor(&["correct horse battery staple"]);
        assert_eq!(redactor.text("k: correct horse\n  battery staple\nx: 1"), format!("k: {REDACTED}\nx: 1"));
        assert_eq!(redactor.text("CORRECT HORSE BATTERY STAPLE"), REDACTED);
    }

    #[test]
    fn secrets_that_are_met_later_are_covered_too() {
        let secrets = Secrets::default();
        let redactor = Redactor::new(secrets.clone(), false);
        assert_eq!(redactor.text("swordfish"), "swordfish");
        secrets.add(&"swordfish".into());
        assert_eq!(redactor.text("swordfish"), REDACTED);
    }

    #[test]
    fn searched_values_are_searched_again_for_later_secrets() {
        let secrets = Secrets::default();
        let redactor = Redactor::new(secrets.clone(), false);
        secrets.add(&"correct horse".into());
        let value = Value::from("password=swordfish");
        assert_eq!([redactor.value(&value), redactor.value(&value)], [value.clone(), value.clone()]);
        let copy = redactor.clone();
        secrets.add(&"swordfish".into());
        let redacted = Value::from(format!("password={REDACTED}"));
        assert_eq!(
            [redactor.value(&value), redactor.value(&value), copy.value(&value)],
            [redacted.clone(), redacted.clone(), redacted]
        );
    }

    #[test]
    fn secrets_of_several_environments_are_covered() {
        let (redactor, other) = (redactor(&["swordfish"]), Secrets::default());
        redactor.add(other.clone());
        other.add(&"open sesame".into());
        assert_eq!(redactor.text("swordfish, open sesame"), format!("{REDACTED}, {REDACTED}"));
    }

    #[test]
    fn overlapping_secrets_leave_nothing_over() {
        assert_eq!(redactor(&["abcdef", "defghi"]).text("-abcdefghi-"), format!("-{REDACTED}-"));
    }

    #[test]
    fn short_secrets_are_covered_as_whole_values() {
        let redactor = redactor(&["ab", "5432"]);
        let value: Value = vec!["ab".into(), "abc".into(), Value::Integer(5432), Value::Integer(54321)].into();
        let redacted: Value = vec![REDACTED.into(), "abc".into(), REDACTED.into(), Value::Integer(54321)].into();
        assert_eq!(redactor.value(&value), redacted);
    }

    #[test]
    fn sensitive_values_are_redacted_before_their_first_use() {
        let redactor = Redactor::default();
        assert_eq!(redactor.value(&Value::sensitive("x".into())), REDACTED.into());
        let open = Redactor::new(Secrets::default(), true);
        assert_eq!(open.open_value(&Value::sensitive("x".into())), "x".into());
    }

    proptest! {
        #[test]
        fn no_secret_is_left_in_any_text(secret in "[!-~]{4,30}", before in ".{0,20}", behind in ".{0,20}") {
            let redactor = redactor(&[&secret]);
            let text = format!("{before}{secret}{behind}");
            prop_assume!(!REDACTED.to_lowercase().contains(&secret.to_lowercase()));
            let covered = redactor.text(&text).into_owned();
            prop_assert!(covered.contains(REDACTED));
            prop_assert!(!covered.replace(REDACTED, "\u{0}").contains(&secret), "{}", covered);
        }

        #[test]
        fn json_stays_json(secret in "\\PC{4,12}", before in "\\PC{0,9}", number in any::<i64>()) {
            let text = serde_json::json!({"k": [format!("{before}{secret}"), number, {secret.clone(): null}]}).to_string();
            let covered = redactor(&[&secret]).json(&text).into_owned();
            prop_assert!(serde_json::from_str::<serde_json::Value>(&covered).is_ok(), "{}", covered);
        }
    }
}
