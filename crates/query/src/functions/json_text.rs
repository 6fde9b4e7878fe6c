//! [`part`]: a part of JSON text, without reading the rest into memory.

use std::fmt;

use serde_core::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::de::Deserializer;
use serde_json::{Result, Value};

/// Returns the part of a value that steps lead to: keys of hashes, and indices of arrays, from the end if negative.
/// `None` if there is no such part.
///
/// # Errors
/// The text is not JSON.
pub(super) fn part(json: &str, steps: &[&str]) -> Result<Option<Value>> {
    let mut text = Deserializer::from_str(json);
    let part = Part(steps).deserialize(&mut text)?;
    text.end()?;
    Ok(part)
}

/// Returns the elements of an array. `None` for another value.
///
/// # Errors
/// The text is not JSON.
pub(super) fn elements(json: &str) -> Result<Option<Vec<Value>>> {
    match serde_json::from_str(json)? {
        Value::Array(elements) => Ok(Some(elements)),
        _ => Ok(None),
    }
}

/// Returns a value as `->>` gives it: a string as it is, everything else as JSON. `None` for null.
pub(super) fn as_text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

/// Reads the part that steps lead to, and skips everything else.
struct Part<'s>(&'s [&'s str]);

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Option<Value>;

    fn deserialize<D: serde_core::Deserializer<'de>>(self, text: D) -> std::result::Result<Option<Value>, D::Error> {
        match self.0 {
            [] => serde_core::Deserialize::deserialize(text).map(Some),
            _ => text.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Option<Value>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut pairs: M) -> std::result::Result<Option<Value>, M::Error> {
        let Some((step, rest)) = self.0.split_first() else { return Ok(None) };
        let mut found = None;
        while let Some(key) = pairs.next_key::<std::borrow::Cow<'de, str>>()? {
            if key == *step {
                found = pairs.next_value_seed(Part(rest))?;
            } else {
                pairs.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> std::result::Result<Option<Value>, S::Error> {
        let Some((step, rest)) = self.0.split_first() else { return Ok(None) };
        let Ok(index) = step.parse::<i64>() else {
            while elements.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(None);
        };
        if index < 0 {
            let mut all = Vec::new();
            while let Some(value) = elements.next_element_seed(Part(rest))? {
                all.push(value);
            }
            let index = usize::try_from(index.unsigned_abs()).ok().and_then(|back| all.len().checked_sub(back));
            return Ok(index.and_then(|index| all.swap_remove(index)));
        }
        let mut found = None;
        let mut left = index;
        loop {
            if left == 0 {
                match elements.next_element_seed(Part(rest))? {
                    Some(value) => found = value,
                    None => return Ok(found),
                }
            } else if elements.next_element::<IgnoredAny>()?.is_none() {
                return Ok(found);
            }
            left -= 1;
        }
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> std::result::Result<Option<Value>, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn parts_are_those_of_the_whole_value() {
        let json = r#"{"a": {"b": [1, "x", [true, 1.10]], "a.b": null}, "n": 12345678901234567890123, "s": "t\"é"}"#;
        for (steps, expected) in [
            (&["a", "b", "1"][..], Some(r#""x""#)),
            (&["a", "b", "-1", "1"], Some("1.10")),
            (&["a", "b", "-3"], Some("1")),
            (&["a", "b", "-4"], None),
            (&["a", "b", "3"], None),
            (&["a", "b", "x"], None),
            (&["a", "a.b"], Some("null")),
            (&["n"], Some("12345678901234567890123")),
            (&["n", "x"], None),
            (&["s"], Some(r#""t\"é""#)),
            (&["s", "0"], None),
            (&["missing", "b"], None),
        ] {
            let found = part(json, steps).unwrap().map(|value| value.to_string());
            assert_eq!(found.as_deref(), expected, "{steps:?}");
        }
        for broken in ["", "{", "{\"a\": 1", "[1,]", "1 2", "{\"b\": tru}"] {
            part(broken, &["a"]).unwrap_err();
        }
    }
}
