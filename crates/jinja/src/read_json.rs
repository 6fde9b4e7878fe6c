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

/// The number of keys that are shared. Rows of a table repeat a few; more would only cost memory.
const MOST_KEYS: usize = 1_024;

/// Parses JSON. Of a key that is repeated in an object, the last value counts.
pub(crate) fn read_json(text: &str) -> serde_json::Result<Value> {
    let keys = Keys::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader(&keys).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The keys of objects so far: equal keys share their memory.
#[derive(Default)]
struct Keys(RefCell<HashSet<Str>>);

impl Keys {
    fn share(&self, key: &str) -> Str {
        let mut keys = self.0.borrow_mut();
        if let Some(key) = keys.get(key) {
            return key.clone();
        }
        let key = Str::from(key);
        if keys.len() < MOST_KEYS {
            keys.insert(key.clone());
        }
        key
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Reader<'k>(&'k Keys);

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
        Ok(Value::from(text))
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
struct Key<'k>(&'k Keys);

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
        assert_eq!(read("123456789012345678901234567890").to_text(), "123456789012345678901234567890");
    }

    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        assert_eq!(read_json(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap().to_text(), r#"{"a"=>3, "b"=>2}"#);
    }

    #[test]
    fn text_behind_the_value_and_deep_nesting_are_errors() {
        assert!(read_json("{} x").is_err());
        assert!(read_json(&"[".repeat(100_000)).is_err());
    }
}
