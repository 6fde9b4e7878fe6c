//! [`Mask`]: what covers secrets in everything that a run prints.
//!
//! Hiera knows by marks what is secret. What leaves it, into code, templates, jobs and messages, is searched for the plain
//! texts that [`Secrets`] remembers, in every form in which a program may have written them.

mod forms;
mod json;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use aho_corasick::{AhoCorasick, MatchKind};
use hieratic_hiera::Secrets;
use hieratic_value::text::REDACTED;
use hieratic_value::{Hash, Rich, Value};

/// Covers the secrets of environments in what is printed, unless they are to be revealed.
///
/// A text is searched for every plain text of at least four bytes, for each of its lines, and for both as they are escaped,
/// percent-encoded, written in base 64, in hexadecimal digits or backwards, in capitals or not, and with white space anywhere
/// within. Shorter secrets are covered only where they are a whole value.
///
/// ```
/// use hieratic::{Mask, Secrets, Value};
///
/// let secrets = Secrets::default();
/// let mask = Mask::new(secrets.clone(), false);
/// secrets.add(&Value::from("swordfish"));
/// assert_eq!(mask.text("password=swordfish&a=b"), "password=Sensitive [value redacted]&a=b");
/// assert_eq!(mask.text("c3dvcmRmaXNo"), "Sensitive [value redacted]");
/// assert_eq!(Mask::new(secrets, true).text("swordfish"), "swordfish");
/// ```
#[derive(Clone, Default)]
pub struct Mask {
    secrets: Arc<Mutex<Vec<Secrets>>>,
    reveal: bool,
    searches: Arc<Mutex<Option<Arc<Searches>>>>,
}

impl fmt::Debug for Mask {
    /// Says nothing of what is secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mask").field("reveal", &self.reveal).finish_non_exhaustive()
    }
}

/// What is searched for, made of the secrets that there were.
struct Searches {
    secrets: usize,
    /// Whole texts, whatever their length.
    whole: rustc_hash::FxHashSet<hieratic_value::Str>,
    /// All forms as they are.
    direct: AhoCorasick,
    /// Long forms without their white space.
    squeezed: AhoCorasick,
}

/// Without white space, shorter forms come about by chance.
const SHORTEST_SQUEEZED: usize = 8;

impl Mask {
    /// What covers these secrets, or reveals them.
    pub fn new(secrets: Secrets, reveal: bool) -> Mask {
        Mask { secrets: Arc::new(Mutex::new(vec![secrets])), reveal, searches: Arc::default() }
    }

    /// Covers the secrets of another environment as well.
    pub fn add(&self, secrets: Secrets) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).push(secrets);
    }

    /// Whether secrets are shown.
    pub fn reveals(&self) -> bool {
        self.reveal
    }

    /// A text with the secrets in it covered.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // A form is text, so nothing is cut within a character.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// Bytes with the secrets in them covered.
    pub fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        let Some(searches) = self.searches() else { return Cow::Borrowed(bytes) };
        let mut found: Vec<Range<usize>> =
            searches.direct.find_overlapping_iter(bytes).map(|found| found.range()).collect();
        found.extend(searches.squeezed(bytes));
        if found.is_empty() {
            return Cow::Borrowed(bytes);
        }
        found.sort_unstable_by_key(|range| (range.start, range.end));
        let mut out = Vec::with_capacity(bytes.len());
        let mut done = 0;
        let mut covered = false;
        for range in found {
            // What touches or overlaps is covered as one.
            if range.start > done || !covered {
                out.extend_from_slice(&bytes[done..range.start]);
                out.extend_from_slice(REDACTED.as_bytes());
                covered = true;
            }
            done = done.max(range.end);
        }
        out.extend_from_slice(&bytes[done..]);
        Cow::Owned(out)
    }

    /// JSON with the secrets in its texts and numbers covered, which is JSON still.
    pub fn json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.searches() {
            None => Cow::Borrowed(text),
            Some(_) => json::masked(text, self),
        }
    }

    /// A value as data: what is Sensitive becomes a text that says so, or what it hides if secrets are shown.
    pub fn value(&self, value: &Value) -> Value {
        self.within(value, true)
    }

    /// A value in which Sensitive values stay what they are, since the language covers them itself, unless secrets are
    /// shown.
    pub fn open_value(&self, value: &Value) -> Value {
        self.within(value, false)
    }

    fn within(&self, value: &Value, as_data: bool) -> Value {
        match value {
            Value::String(text) => match self.whole_or_part(text) {
                Some(covered) => covered.into(),
                None => value.clone(),
            },
            Value::Integer(_) | Value::Float(_) if self.is_whole(&value.to_text()) => REDACTED.into(),
            Value::Array(elements) => elements.iter().map(|element| self.within(element, as_data)).collect(),
            Value::Hash(hash) => hash
                .iter()
                .map(|(key, value)| (self.within(key, as_data), self.within(value, as_data)))
                .collect::<Hash>()
                .into(),
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) if self.reveal => self.within(inner, as_data),
                Rich::Sensitive(_) if as_data => REDACTED.into(),
                Rich::Binary(bytes) if matches!(self.bytes(bytes), Cow::Owned(_)) => REDACTED.into(),
                _ => value.clone(),
            },
            scalar => scalar.clone(),
        }
    }

    /// A text that is a secret, or holds one, covered; none if it may be shown.
    fn whole_or_part(&self, text: &str) -> Option<String> {
        let searches = self.searches()?;
        if searches.whole.contains(text) {
            return Some(REDACTED.to_owned());
        }
        match self.text(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(covered) => Some(covered),
        }
    }

    /// Whether the digits of a number are a secret, and enough of them to be none by chance.
    fn is_whole(&self, text: &str) -> bool {
        text.len() >= forms::SHORTEST && self.searches().is_some_and(|searches| searches.whole.contains(text))
    }

    /// What is searched for; nothing if there are no secrets, or if they are shown.
    fn searches(&self) -> Option<Arc<Searches>> {
        if self.reveal {
            return None;
        }
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let count = secrets.iter().map(Secrets::len).sum();
        if count == 0 {
            return None;
        }
        let mut known = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(searches) if searches.secrets == count => Some(searches.clone()),
            _ => {
                let searches = Arc::new(Searches::new(&secrets, count));
                *known = Some(searches.clone());
                Some(searches)
            }
        }
    }
}

impl Searches {
    fn new(secrets: &[Secrets], count: usize) -> Searches {
        let texts: Vec<_> = secrets.iter().flat_map(Secrets::texts).collect();
        let mut all: Vec<String> = texts.iter().flat_map(|text| forms::forms(text)).collect();
        all.sort_unstable();
        all.dedup();
        let mut squeezed: Vec<Vec<u8>> = all.iter().map(|form| squeeze(form.as_bytes()).0).collect();
        squeezed.retain(|form| form.len() >= SHORTEST_SQUEEZED);
        squeezed.sort_unstable();
        squeezed.dedup();
        Searches {
            secrets: count,
            whole: texts.into_iter().collect(),
            direct: search(&all),
            squeezed: search(&squeezed),
        }
    }

    /// Where the long forms stand if white space does not count.
    fn squeezed(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        if !bytes.iter().any(u8::is_ascii_whitespace) {
            return Vec::new();
        }
        let (text, places) = squeeze(bytes);
        self.squeezed
            .find_overlapping_iter(&text)
            .filter_map(|found| Some(*places.get(found.start())?..*places.get(found.end() - 1)? + 1))
            .collect()
    }
}

/// The bytes without white space, and where each of them stood.
fn squeeze(bytes: &[u8]) -> (Vec<u8>, Vec<usize>) {
    bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()).map(|(at, byte)| (*byte, at)).unzip()
}

/// A search for forms, also where they overlap; capitals do not count.
fn search<F: AsRef<[u8]>>(forms: &[F]) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .build(forms)
        .unwrap_or_else(|_| too_many())
}

/// More secrets than a search can hold (some gigabytes of them): everything is covered then.
fn too_many() -> AhoCorasick {
    let every_byte: Vec<[u8; 1]> = (0..=u8::MAX).map(|byte| [byte]).collect();
    #[allow(clippy::expect_used, reason = "256 forms of one byte fit any search")]
    AhoCorasick::new(every_byte).expect("a small search can be built")
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
