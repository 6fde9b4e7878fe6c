//! [`Label`]: converts strings to names that other systems accept.

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use hieratic_python_values as python;
use hieratic_value::{Hash, Value};
use regex::Regex;
use sha1::{Digest, Sha1};

use crate::ExpressionError;

/// The names of the rules: the functions and filters that convert strings to labels.
pub(crate) const RULES: [&str; 4] = ["to_label", "to_dns_label", "to_kubernetes_label", "to_googlecloud_label"];

/// A rule for labels.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    allowed: String,
    start: String,
    start_prepend: String,
    end: Option<String>,
    replace: String,
    case: Case,
    max: usize,
    separator: String,
    digest: Option<String>,
    /// The length of the digest in a shortened label; the default depends on the length of the label.
    digest_length: Option<usize>,
}

/// The maximum length of a part before it is shortened.
const MAX_PART: usize = 9999;

/// The approximate memory of the patterns of one label, in bytes.
const PATTERN_SIZE: usize = 16 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Any,
    Upper,
    Lower,
}

impl Label {
    /// The rule of a function by its name.
    pub(crate) fn named(function: &str) -> Label {
        let plain = Label {
            allowed: r"\w".into(),
            start: "a-zA-Z".into(),
            start_prepend: "x".into(),
            end: None,
            replace: String::new(),
            case: Case::Any,
            max: 63,
            separator: String::new(),
            digest: None,
            digest_length: None,
        };
        match function {
            "to_dns_label" => Label {
                allowed: "a-zA-Z0-9-".into(),
                replace: "--".into(),
                case: Case::Lower,
                end: Some("a-zA-Z0-9".into()),
                ..plain
            },
            "to_kubernetes_label" => Label {
                allowed: r"\w.-".into(),
                replace: "__".into(),
                start: "a-zA-Z0-9".into(),
                end: Some("a-zA-Z0-9".into()),
                ..plain
            },
            "to_googlecloud_label" => {
                Label { allowed: r"\w-".into(), case: Case::Lower, replace: "__".into(), ..plain }
            }
            _ => plain,
        }
    }

    /// Changes the rule by an option; unknown ones mean nothing.
    pub(crate) fn set(&mut self, name: &str, value: &Value) -> Result<(), ExpressionError> {
        let text = || match value {
            Value::String(text) => Ok(text.to_string()),
            _ => Err(ExpressionError::new(format!("'{name}' is {}, not a string", python::repr(value)))),
        };
        let number = || match value {
            Value::Integer(number) => Ok(*number),
            _ => Err(ExpressionError::new(format!("'{name}' is {}, not a number", python::repr(value)))),
        };
        match name {
            "allowed" => self.allowed = set_of(text()?),
            "start" => self.start = set_of(text()?),
            "start_prepend" => self.start_prepend = text()?,
            "end" => self.end = if value.is_undef() { None } else { Some(set_of(text()?)) },
            "replace" => self.replace = text()?,
            "sep" => self.separator = text()?,
            "digest" => self.digest = if value.is_undef() { None } else { Some(text()?) },
            "digestlen" => self.digest_length = usize::try_from(number()?).ok(),
            "max" => {
                let max = usize::try_from(number()?).ok().filter(|max| *max > 0);
                self.max = max
                    .ok_or_else(|| ExpressionError::new("'max' is less than 1: a label has at least one character"))?;
            }
            "case" => {
                self.case = match text()?.as_str() {
                    "upper" => Case::Upper,
                    "lower" => Case::Lower,
                    _ => Case::Any,
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Converts a value: a string to a label; the elements of a list to one label; the keys and values of a map to
    /// labels. Other values are returned unchanged.
    pub(crate) fn apply(&self, value: &Value) -> Result<Value, ExpressionError> {
        match value {
            Value::String(text) => Ok(self.apply_to_string(text)?.into()),
            Value::Array(items) => Ok(self.apply_to_list(items)?.into()),
            Value::Hash(hash) => {
                let keys = Label { digest: None, ..self.clone() };
                let entries = hash.iter().filter(|(_, value)| !value.is_undef());
                let entry = |(key, value): (&Value, &Value)| Ok((keys.apply(key)?, self.apply(value)?));
                Ok(entries.map(entry).collect::<Result<Hash, ExpressionError>>()?.into())
            }
            other => Ok(other.clone()),
        }
    }

    /// Returns an upper bound of the memory for converting a value, in bytes: each invalid character may be replaced by
    /// a long string, and patterns are compiled for each string.
    pub(crate) fn cost(&self, value: &Value) -> usize {
        let cost_of = |text: &str| {
            let replaced = text.len().min(self.max.max(MAX_PART)).saturating_mul(self.replace.len());
            (PATTERN_SIZE + text.len() + self.start_prepend.len() + self.separator.len()).saturating_add(replaced)
        };
        match value {
            Value::Array(items) => items.iter().fold(0, |sum, item| sum.saturating_add(cost_of(&python::text(item)))),
            Value::Hash(hash) => {
                let entry = |(key, value): (&Value, &Value)| self.cost(key).saturating_add(self.cost(value));
                hash.iter().fold(0, |sum, pair| sum.saturating_add(entry(pair)))
            }
            other => cost_of(other.as_str().unwrap_or("")),
        }
    }

    fn apply_to_string(&self, text: &str) -> Result<String, ExpressionError> {
        let checksum = self.checksum();
        let mut label = String::new();
        if let Some(first) = text.chars().next()
            && outside(&self.start)?.is_match(first.encode_utf8(&mut [0; 4]))
        {
            label += &self.start_prepend;
        }
        label += text;
        // A string that has to be shortened anyway is not made longer.
        let replace = if label.chars().count() > self.max { "" } else { &self.replace };
        label = outside(&self.allowed)?.replace_all(&label, regex::NoExpand(replace)).into_owned();
        if let Some(end) = &self.end {
            let outside = outside(end)?;
            while let Some(last) = label.chars().next_back()
                && outside.is_match(last.encode_utf8(&mut [0; 4]))
            {
                label.pop();
            }
        }
        label = self.cased(label);
        if checksum > 0 && (self.digest.is_some() || label.chars().count() > self.max) {
            let shortened = shorten(&label, &self.replace, self.max - checksum);
            return Ok(shortened + &self.digest_of(text, checksum));
        }
        Ok(shorten(&label, &self.replace, self.max))
    }

    fn apply_to_list(&self, items: &[Value]) -> Result<String, ExpressionError> {
        if items.is_empty() {
            return Ok(String::new());
        }
        let checksum = self.checksum();
        let separator = self.separator.chars().count();
        let room = self.max - (separator * (items.len() - 1)).min(self.max - 1);
        let mut most = (room / items.len()).max(1);
        let texts: Vec<String> = items.iter().map(python::text).collect();
        let each = Label { digest: None, digest_length: Some(0), max: MAX_PART, ..self.clone() };
        let mut labels = texts.iter().map(|text| each.apply_to_string(text)).collect::<Result<Vec<_>, _>>()?;
        let joined = |labels: &[String], max: usize| labels.join(&self.separator).chars().take(max).collect::<String>();
        let lengths: Vec<usize> = labels.iter().map(|label| label.chars().count()).collect();
        if lengths.iter().sum::<usize>() > room || self.digest.is_some() {
            // The unused length of short parts is available to long ones.
            most += lengths.iter().map(|length| most.saturating_sub(*length)).sum::<usize>() / labels.len();
            labels = labels.iter().map(|label| shorten(label, &self.replace, most)).collect();
            if self.digest_length != Some(0) {
                let digest = self.digest_of(&texts.concat(), checksum);
                return Ok(match self.max.checked_sub(separator + checksum) {
                    None | Some(0) => digest,
                    Some(max) => joined(&labels, max) + &self.separator + &digest,
                });
            }
        }
        Ok(joined(&labels, self.max))
    }

    /// Returns the length of the digest.
    fn checksum(&self) -> usize {
        self.digest_length.unwrap_or(if self.max < 32 { 2 } else { 3 }).min(self.max)
    }

    fn cased(&self, text: String) -> String {
        match self.case {
            Case::Any => text,
            Case::Upper => text.to_uppercase(),
            Case::Lower => text.to_lowercase(),
        }
    }

    /// Returns the first characters of the digest of a string.
    fn digest_of(&self, text: &str, length: usize) -> String {
        let mut sum = Sha1::new();
        sum.update(text);
        sum.update(self.digest.as_deref().unwrap_or(""));
        let sum = sum.finalize();
        let digest = match self.case {
            Case::Any => BASE64URL_NOPAD.encode(&sum).replace(['_', '-'], ""),
            _ => self.cased(BASE32_NOPAD.encode(&sum)),
        };
        digest.chars().take(length).collect()
    }
}

/// Shortens a string in the middle.
fn shorten(text: &str, replace: &str, max: usize) -> String {
    let length = text.chars().count();
    if length <= max {
        return text.to_owned();
    }
    let Some(kept) = max.checked_sub(replace.chars().count()).filter(|kept| *kept > 8) else {
        return text.chars().take(max).collect();
    };
    // With an odd length, the head is one character longer.
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    text.chars().take(head).chain(replace.chars()).chain(text.chars().skip(length - tail)).collect()
}

/// A set of characters without the brackets that may be around it.
fn set_of(set: String) -> String {
    match set.strip_prefix('[').and_then(|set| set.strip_suffix(']')) {
        Some(inner) => inner.to_owned(),
        None => set,
    }
}

/// Matches a character that is not in a set.
fn outside(set: &str) -> Result<Regex, ExpressionError> {
    Regex::new(&format!("[^{set}]")).map_err(|_| {
        ExpressionError::new(format!("'{set}' is not a character set"))
            .help(r"write ranges and classes, as in 'a-zA-Z\d_'")
    })
}
