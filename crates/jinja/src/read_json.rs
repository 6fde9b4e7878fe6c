//! JSON as values of the data model, built while the text is parsed.
//!
//! Files of variables can be large: a tree of `serde_json` in between would double the memory and most of the time.
//! Numbers follow Python's `json`: integers have any size, and floats that are too large are infinite.

use std::cell::RefCell;
use std::fmt;

use hieratic_value::collections::HashSet;
use hieratic_value::{Hash, Rich, Str, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The key by which `serde_json` hands out the text of a number, which it does not convert itself
/// (feature `arbitrary_precision`).
const NUMBER: &str = "$serde_json::private::Number";

/// The number of strings that are shared. Rows of a table repeat a few; more would only cost memory.
const MOST_SHARED: usize = 1_024;

/// The length of the longest string that is shared.
const LONGEST_SHARED: usize = 32;

/// The reason why a string is not JSON. The caller reads it as YAML then, which reports the error with its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

impl From<serde_json::Error> for NotJson {
    fn from(_: serde_json::Error) -> NotJson {
        NotJson
    }
}

/// Parses JSON. Of a key that is repeated in an object, the last value counts.
pub(crate) fn read_json(text: &str) -> Result<Value, NotJson> {
    let shared = SharedStrings::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader(&shared).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The keys and short strings so far: equal ones share their memory.
#[derive(Default)]
struct SharedStrings(RefCell<HashSet<Str>>);

impl SharedStrings {
    fn share(&self, text: &str) -> Str {
        if text.len() > LONGEST_SHARED {
            return text.into();
        }
        let mut shared = self.0.borrow_mut();
        if let Some(known) = shared.get(text) {
            return known.clone();
        }
        let result = Str::from(text);
        if shared.len() < MOST_SHARED {
            shared.insert(result.clone());
        }
        result
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Reader<'s>(&'s SharedStrings);

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Boolean(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or_else(|_| Rich::BigInteger(number.into()).into(), Value::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(self.0.share(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into_iter().collect())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = entries.next_key_seed(Key(self.0))? {
            if pairs.is_empty() && &*key == NUMBER {
                return number(&entries.next_value::<String>()?).ok_or_else(|| A::Error::custom("invalid number"));
            }
            pairs.push((key, entries.next_value_seed(self)?));
        }
        Ok(Value::Hash(pairs.into_iter().collect::<Hash>()))
    }
}

/// Reads a key of an object.
struct Key<'s>(&'s SharedStrings);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Str;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Str, E> {
        Ok(self.0.share(key))
    }
}

/// Converts the text of a number, as Python's `json` does.
fn number(text: &str) -> Option<Value> {
    if let Ok(number) = text.parse() {
        return Some(Value::Integer(number));
    }
    match text.parse() {
        Ok(whole) => Some(Rich::BigInteger(whole).into()),
        Err(_) => text.parse().ok().map(Value::Float),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_python() {
        let read = |text: &str| read_json(text).unwrap();
        assert_eq!(read("-7"), Value::Integer(-7));
        assert_eq!(read("7.0"), Value::Float(7.0));
        assert_eq!(read("1e400"), Value::Float(f64::INFINITY));
        assert_eq!(read("-0"), Value::Integer(0));
        assert_eq!(read("123456789012345678901234567890").to_text(), "123456789012345678901234567890");
        for wrong in ["01", "-", "1.", ".5", "1e", "+1", "0x1", "- 1", "1e+", "NaN", "Infinity"] {
            assert_eq!(read_json(wrong), Err(NotJson), "{wrong}");
        }
    }

    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        assert_eq!(read_json(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap().to_text(), r#"{"a"=>3, "b"=>2}"#);
    }

    #[test]
    fn text_behind_the_value_and_deep_nesting_are_errors() {
        assert!(read_json("{} x").is_err());
        assert!(read_json(&"[".repeat(100_000)).is_err());
        assert!(read_json(&format!("{}{}", "[".repeat(120), "]".repeat(120))).is_ok());
    }

    #[test]
    fn strings_and_collections_are_those_of_serde_json() {
        for text in [
            r#" { "a" : [ ] , "b" : { } , "c" : [ true , false , null ] } "#,
            r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é""#,
            r#"["\ud83d"]"#,
            r#"["\ud83d\u0041"]"#,
            r#"["\ude00"]"#,
            r#"["\u00g0"]"#,
            r#"["\u00"]"#,
            r#"["\x"]"#,
            "[\"a\nb\"]",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{a: 1}",
            "{\"a\" 1}",
            "[1 2]",
            "\"open",
            "[",
            "{",
            "{\"a\":",
            "",
            " ",
            "tru",
            "nulll",
            "\u{feff}1",
            "'a'",
            "[1.5, -2.5e-3, 1E5]",
        ] {
            let ours = read_json(text).map(|value| value.inspect()).ok();
            let theirs: Option<serde_json::Value> = serde_json::from_str(text).ok();
            assert_eq!(ours.is_some(), theirs.is_some(), "{text}");
        }
        assert_eq!(read_json(r#""\ud83d\ude00\u00e9\n""#), Ok(Value::from("\u{1f600}é\n")));
    }
}
