//! [`Mask`]: what covers secrets in everything that a run prints.
//!
//! Hiera knows by marks what is secret, and of its answers they alone decide ([`Mask::answer`], [`Mask::marked`]): a text or a
//! number that merely equals a secret is shown. What leaves it, into code, templates, jobs and messages, is searched for the plain
//! texts that [`Secrets`] remembers, however they are written there.
//!
//! Only what may hold data is searched: values and their keys ([`Mask::value`]), texts that data or code made
//! ([`Mask::text`]), lines of files, and what messages quote ([`Mask::message`]). Names of files, codes, numbers of lines, the
//! keys of our own formats and the words of our own sentences are not: a secret that is an ordinary word would tell itself by
//! being missing there.

mod base64_runs;
#[cfg(test)]
mod encodings;
mod entities;
mod fold;
mod followed;
mod forms;
mod json;
mod known;
mod messages;
mod names;
mod readings;
mod search;
mod trie;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_diagnostics::{Diagnostic, Label, Source, Span};
use hieratic_hiera::{Cover, Object, Secrets};
use hieratic_value::text::REDACTED;
use hieratic_value::{HashBuilder, Rich, Str, Value};
use serde_json::Value as Json;

pub use followed::Followed;
use known::Known;
use names::Names;

/// How much of a file before and behind a part of it is searched when lines around it are shown.
const SHOWN_WITH: u32 = 64 << 10;

/// Covers the secrets of environments in what is printed, unless they are to be revealed.
///
/// A text is searched for every plain text of at least four bytes and for each of its lines: as it is, in whatever case and
/// escaped by whatever mixture of languages and formats, backwards, in hexadecimal digits, and in base 64; of longer ones, white
/// space and marks of quotation do not count. Shorter secrets are covered only where they are a whole value.
///
/// ```
/// use hieratic::{Mask, Secrets, Value};
///
/// let secrets = Secrets::default();
/// let mask = Mask::new(secrets.clone(), false);
/// secrets.add(&Value::from("swordfish"));
/// assert_eq!(mask.text("password=swordfish&a=b"), "password=Sensitive [value redacted]&a=b");
/// assert_eq!(mask.text("c3dvcmRmaXNo"), "Sensitive [value redacted]");
/// assert_eq!(mask.text("\\u0073wordf&#105;sh"), "Sensitive [value redacted]");
/// assert_eq!(Mask::new(secrets, true).text("swordfish"), "swordfish");
/// ```
#[derive(Clone, Default)]
pub struct Mask {
    secrets: Arc<Mutex<Vec<Secrets>>>,
    reveal: bool,
    known: Arc<Mutex<Arc<Known>>>,
    /// Whether the search has found something in data.
    found: Arc<AtomicBool>,
}

impl fmt::Debug for Mask {
    /// Says nothing of what is secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mask").field("reveal", &self.reveal).finish_non_exhaustive()
    }
}

impl Mask {
    /// What covers these secrets, or reveals them.
    pub fn new(secrets: Secrets, reveal: bool) -> Mask {
        Mask { secrets: Arc::new(Mutex::new(vec![secrets])), reveal, ..Mask::default() }
    }

    /// Covers the secrets of another environment as well.
    pub fn add(&self, secrets: Secrets) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).push(secrets);
    }

    /// Whether secrets are shown.
    pub fn reveals(&self) -> bool {
        self.reveal
    }

    /// Whether the search has covered something in data so far: it may have equalled a secret by coincidence, which nobody can tell.
    pub fn has_found(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    fn note(&self, is_found: bool) {
        if is_found {
            self.found.store(true, Ordering::Relaxed);
        }
    }

    /// An answer of Hiera as it may be shown, of which marks alone tell what is secret.
    pub fn answer(&self, object: &Object) -> Value {
        if self.reveal { self.marked(&object.to_value()) } else { object.masked() }
    }

    /// A value in which all that is secret is Sensitive or was covered by its marks, as it may be shown. Nothing is searched for.
    ///
    /// ```
    /// use hieratic::{Mask, Secrets, Value};
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&"root".into());
    /// let mask = Mask::new(secrets, false);
    /// let value = Value::from(vec!["root".into(), Value::sensitive("root".into())]);
    /// assert_eq!(mask.marked(&value).inspect(), r#"["root", "Sensitive [value redacted]"]"#);
    /// ```
    pub fn marked(&self, value: &Value) -> Value {
        if value.contains_sensitive() { self.within(value, true, None) } else { value.clone() }
    }

    /// A text of data, or made of data, with the secrets in it covered.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.known() {
            Some(known) => {
                let ranges = known.ranges(text.as_bytes());
                self.note(!ranges.is_empty());
                as_text(covered(text.as_bytes(), &ranges), text)
            }
            None => Cow::Borrowed(text),
        }
    }

    /// Bytes with the secrets in them covered.
    pub fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        match self.known() {
            Some(known) => {
                let ranges = known.ranges(bytes);
                self.note(!ranges.is_empty());
                covered(bytes, &ranges)
            }
            None => Cow::Borrowed(bytes),
        }
    }

    /// Where secrets stand in a text, in order and apart from each other.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.known().map(|known| known.ranges(text.as_bytes())).unwrap_or_default()
    }

    /// A message of ours with the secrets in what it quotes covered.
    ///
    /// A secret that is an ordinary word (letters or digits only, and few of them) is covered in quotation marks, where data
    /// stand, unless these hold a path or a qualified name; elsewhere it is a word of ours. Any other secret is covered
    /// wherever it stands.
    ///
    /// ```
    /// use hieratic::{Mask, Secrets};
    ///
    /// let secrets = Secrets::default();
    /// secrets.add(&"data".into());
    /// let mask = Mask::new(secrets, false);
    /// assert_eq!(mask.message("data/web.yaml: no data for 'data'"), "data/web.yaml: no data for 'Sensitive [value redacted]'");
    /// ```
    pub fn message<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.message_with(text, &[])
    }

    /// A message in which these parts are data, or were said by code, as a whole.
    pub fn message_with<'t>(&self, text: &'t str, data: &[&str]) -> Cow<'t, str> {
        let Some(known) = self.known() else { return Cow::Borrowed(text) };
        let mut ranges = known.ranges(text.as_bytes());
        messages::keep_ours(text, data, &mut ranges);
        as_text(covered(text.as_bytes(), &ranges), text)
    }

    /// The name of a file or a key with the secrets in it covered that cannot be a name by chance: what has other characters
    /// than names have, or more of them than most.
    pub fn name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(known) = self.known() else { return Cow::Borrowed(text) };
        let mut ranges = known.ranges(text.as_bytes());
        messages::keep_names(text, &mut ranges);
        as_text(covered(text.as_bytes(), &ranges), text)
    }

    /// A message with the secrets in it, in the lines that it shows and beside these covered.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> Diagnostic {
        if self.known().is_none() {
            return diagnostic.clone();
        }
        let said: Vec<&str> = diagnostic.said.iter().map(String::as_str).collect();
        let message = |text: &String| self.message(text).into_owned();
        Diagnostic {
            message: self.message_with(&diagnostic.message, &said).into_owned(),
            labels: self.labels(&diagnostic.labels),
            notes: diagnostic.notes.iter().map(message).collect(),
            help: diagnostic.help.iter().map(message).collect(),
            ..diagnostic.clone()
        }
    }

    fn labels(&self, labels: &[Label]) -> Vec<Label> {
        let hiding = |label: &Label| {
            // All labels of a source hide the same, since they may be shown together.
            let of_source = labels.iter().filter(|other| other.source == label.source);
            let mut parts: Vec<Range<usize>> =
                of_source.flat_map(|label| self.near(&label.source, label.span)).collect();
            if parts.is_empty() {
                return label.source.clone();
            }
            parts = known::joined(parts);
            let parts = parts.into_iter().map(Span::from).collect();
            label.source.hiding(parts, REDACTED)
        };
        let covered = |label: &Label| Label {
            source: hiding(label),
            text: self.message(&label.text).into_owned(),
            ..label.clone()
        };
        labels.iter().map(covered).collect()
    }

    /// Where secrets stand in a source, so near to a part of it that they may be shown with it.
    fn near(&self, source: &Source, span: Span) -> Vec<Range<usize>> {
        let around = source.clamp(Span {
            start: span.start.saturating_sub(SHOWN_WITH),
            end: span.end.max(span.start).saturating_add(SHOWN_WITH),
        });
        let from = around.start as usize;
        let found = self.ranges(source.slice(around));
        found.into_iter().map(|range| range.start + from..range.end + from).collect()
    }

    /// JSON with the secrets in its texts, keys and numbers covered, which is JSON still.
    pub fn json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.json_but(text, |_| false)
    }

    /// JSON with the secrets in its texts and numbers covered, and in all keys but those that are of our formats.
    pub fn json_but<'t>(&self, text: &'t str, ours: impl Fn(&str) -> bool) -> Cow<'t, str> {
        match self.known() {
            None => Cow::Borrowed(text),
            Some(known) => {
                let covered = json::masked(text, &known, ours);
                self.note(matches!(covered, Cow::Owned(_)));
                covered
            }
        }
    }

    /// JSON data with the secrets in its texts, keys and numbers covered.
    pub fn tree(&self, tree: &Json) -> Json {
        match self.known() {
            Some(known) => {
                let mut is_found = false;
                let covered = json::tree(tree, &known, &mut is_found);
                self.note(is_found);
                covered
            }
            None => tree.clone(),
        }
    }

    /// A report of ours in JSON. What stands under the keys `data` is data; what stands under keys of messages (`message`,
    /// `summary`, `detail`, `text`, `also`, `help`) quotes it; everything else is names.
    pub fn report(&self, report: &Json, data: &[&str]) -> Json {
        match report {
            Json::Object(pairs) => {
                let covered = |(key, value): (&String, &Json)| {
                    let value = match key.as_str() {
                        key if data.contains(&key) => self.tree(value),
                        "message" | "summary" | "detail" | "text" | "also" | "help" => self.messages(value),
                        _ => self.report(value, data),
                    };
                    (key.clone(), value)
                };
                pairs.iter().map(covered).collect()
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

    /// A value that code made, as data: what is Sensitive becomes a text that says so, or what it hides if secrets are shown. A hash
    /// with a key that is Sensitive is covered as a whole, as one of Hiera is.
    pub fn value(&self, value: &Value) -> Value {
        self.within(value, true, self.known().as_deref())
    }

    /// A value in which Sensitive values stay what they are, since the language covers them itself, unless secrets are
    /// shown.
    pub fn open_value(&self, value: &Value) -> Value {
        self.within(value, false, self.known().as_deref())
    }

    fn within(&self, value: &Value, as_data: bool, known: Option<&Known>) -> Value {
        match value {
            Value::String(text) => match known.and_then(|known| known.covering(text, || whole_or_part(text, known))) {
                Some(_) if known.is_some_and(|known| self.is_open(text, known)) => value.clone(),
                Some(covered) => {
                    self.note(true);
                    covered.into()
                }
                None => value.clone(),
            },
            Value::Integer(_) | Value::Float(_) if known.is_some_and(|known| is_whole(&value.to_text(), known)) => {
                self.note(true);
                REDACTED.into()
            }
            Value::Array(elements) => elements.iter().map(|element| self.within(element, as_data, known)).collect(),
            Value::Hash(hash) if as_data && !self.reveal && hash.keys().any(Value::contains_sensitive) => {
                REDACTED.into()
            }
            Value::Hash(hash) => {
                let mut names = Names::default();
                let mut shown = HashBuilder::with_capacity_and_hasher(hash.len(), Default::default());
                for (key, value) in hash {
                    let name = match self.within(key, as_data, known) {
                        Value::String(name) if name.contains(REDACTED) => names.apart(name.to_string()).into(),
                        // A key that was Sensitive and is revealed has come to equal another.
                        name if self.reveal && shown.contains_key(&name) => key.clone(),
                        // So has one that is a list.
                        name if shown.contains_key(&name) => names.apart(REDACTED.into()).into(),
                        name => name,
                    };
                    shown.insert(name, self.within(value, as_data, known));
                }
                hieratic_value::Hash::from(shown).into()
            }
            Value::Rich(rich) => match (&**rich, known) {
                (Rich::Sensitive(inner), _) if self.reveal => self.within(inner, as_data, known),
                (Rich::Sensitive(_), _) if as_data => REDACTED.into(),
                (Rich::Sensitive(_), _) | (_, None) => value.clone(),
                (Rich::Binary(bytes), Some(known)) if !known.ranges(bytes).is_empty() => {
                    self.note(true);
                    REDACTED.into()
                }
                // Types, patterns and whatever else has texts in it: there is no part of it that could be covered.
                (_, Some(known)) if !known.ranges(value.inspect().as_bytes()).is_empty() => {
                    self.note(true);
                    REDACTED.into()
                }
                _ => value.clone(),
            },
            scalar => scalar.clone(),
        }
    }

    /// Whether a text that holds secrets stands in the code as it is, so that it comes from none of them, and the secrets in it are
    /// ordinary words, which may be in any code. One that is not was rather copied there.
    fn is_open(&self, text: &Str, known: &Known) -> bool {
        let is_of_code =
            || self.secrets.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|secrets| secrets.is_open(text));
        let is_ordinary = |range: Range<usize>| messages::is_ordinary(text, &range);
        is_of_code()
            && (!known.is_whole(text) || is_ordinary(0..text.len()))
            && known.ranges(text.as_bytes()).into_iter().all(is_ordinary)
    }

    /// A text of a catalog, of which `written` is what an expression has given.
    pub fn written(&self, text: &str, written: &Str) -> String {
        match self.known() {
            Some(known) if !self.is_open(written, &known) => self.text(text).into_owned(),
            _ => text.to_owned(),
        }
    }

    /// What is searched for; nothing if there are no secrets, or if they are shown.
    fn known(&self) -> Option<Arc<Known>> {
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

impl Cover for Mask {
    fn text(&self, text: &str) -> Option<String> {
        changed(Mask::text(self, text))
    }

    fn message(&self, text: &str) -> Option<String> {
        changed(Mask::message(self, text))
    }

    fn name(&self, text: &str) -> Option<String> {
        changed(Mask::name(self, text))
    }
}

fn changed(text: Cow<'_, str>) -> Option<String> {
    match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(covered) => Some(covered),
    }
}

/// A text that is a secret, or holds one, covered; none if it may be shown.
fn whole_or_part(text: &str, known: &Known) -> Option<String> {
    if text == REDACTED {
        return None;
    }
    if known.is_whole(text) {
        return Some(REDACTED.to_owned());
    }
    match as_text(covered(text.as_bytes(), &known.ranges(text.as_bytes())), text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(covered) => Some(covered),
    }
}

/// Whether the digits of a number are a secret, with whatever sign, and enough of them to be none by chance.
fn is_whole(text: &str, known: &Known) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_known = |text: &str| text.len() >= forms::SHORTEST && known.is_whole(text);
    is_known(text) || is_known(digits) || is_known(&format!("-{digits}"))
}

/// The bytes with these parts covered, which are in order and apart from each other.
fn covered<'t>(bytes: &'t [u8], ranges: &[Range<usize>]) -> Cow<'t, [u8]> {
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

/// Bytes of a text, of which nothing was cut within a character.
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

    fn mask(texts: &[&str]) -> Mask {
        let secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.add(&Value::from(*text)));
        Mask::new(secrets, false)
    }

    #[test]
    fn secrets_are_covered_wherever_lines_break() {
        let mask = mask(&["correct horse battery staple"]);
        assert_eq!(mask.text("k: correct horse\n  battery staple\nx: 1"), format!("k: {REDACTED}\nx: 1"));
        assert_eq!(mask.text("CORRECT HORSE BATTERY STAPLE"), REDACTED);
    }

    #[test]
    fn secrets_that_are_met_later_are_covered_too() {
        let secrets = Secrets::default();
        let mask = Mask::new(secrets.clone(), false);
        assert_eq!(mask.text("swordfish"), "swordfish");
        secrets.add(&"swordfish".into());
        assert_eq!(mask.text("swordfish"), REDACTED);
    }

    #[test]
    fn what_was_found_clean_is_searched_for_secrets_that_are_met_later() {
        let secrets = Secrets::default();
        let mask = Mask::new(secrets.clone(), false);
        secrets.add(&"correct horse".into());
        let value = Value::from("password=swordfish");
        assert_eq!([mask.value(&value), mask.value(&value)], [value.clone(), value.clone()]);
        let copy = mask.clone();
        secrets.add(&"swordfish".into());
        let covered = Value::from(format!("password={REDACTED}"));
        assert_eq!(
            [mask.value(&value), mask.value(&value), copy.value(&value)],
            [covered.clone(), covered.clone(), covered]
        );
    }

    #[test]
    fn secrets_of_several_environments_are_covered() {
        let (mask, other) = (mask(&["swordfish"]), Secrets::default());
        mask.add(other.clone());
        other.add(&"open sesame".into());
        assert_eq!(mask.text("swordfish, open sesame"), format!("{REDACTED}, {REDACTED}"));
    }

    #[test]
    fn overlapping_secrets_leave_nothing_over() {
        assert_eq!(mask(&["abcdef", "defghi"]).text("-abcdefghi-"), format!("-{REDACTED}-"));
    }

    #[test]
    fn short_secrets_are_covered_as_whole_values() {
        let mask = mask(&["ab", "5432"]);
        let value: Value = vec!["ab".into(), "abc".into(), Value::Integer(5432), Value::Integer(54321)].into();
        let covered: Value = vec![REDACTED.into(), "abc".into(), REDACTED.into(), Value::Integer(54321)].into();
        assert_eq!(mask.value(&value), covered);
    }

    #[test]
    fn what_is_sensitive_is_covered_without_having_been_met() {
        let mask = Mask::default();
        assert_eq!(mask.value(&Value::sensitive("x".into())), REDACTED.into());
        let open = Mask::new(Secrets::default(), true);
        assert_eq!(open.open_value(&Value::sensitive("x".into())), "x".into());
    }

    proptest! {
        #[test]
        fn no_secret_is_left_in_any_text(secret in "[!-~]{4,30}", before in ".{0,20}", behind in ".{0,20}") {
            let mask = mask(&[&secret]);
            let text = format!("{before}{secret}{behind}");
            prop_assume!(!REDACTED.to_lowercase().contains(&secret.to_lowercase()));
            let covered = mask.text(&text).into_owned();
            prop_assert!(covered.contains(REDACTED));
            prop_assert!(!covered.replace(REDACTED, "\u{0}").contains(&secret), "{}", covered);
        }

        #[test]
        fn json_stays_json(secret in "\\PC{4,12}", before in "\\PC{0,9}", number in any::<i64>()) {
            let text = serde_json::json!({"k": [format!("{before}{secret}"), number, {secret.clone(): null}]}).to_string();
            let covered = mask(&[&secret]).json(&text).into_owned();
            prop_assert!(serde_json::from_str::<serde_json::Value>(&covered).is_ok(), "{}", covered);
        }
    }
}
