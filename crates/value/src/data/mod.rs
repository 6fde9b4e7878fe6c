//! Conversions between values and Rust types with [serde](https://serde.rs): [`Value::to`] and [`Value::from_data`].

mod serializer;

use std::fmt;

use num_bigint::BigInt;
use serde_core::de::value::StrDeserializer;
use serde_core::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde_core::ser::{SerializeMap, SerializeSeq};
use serde_core::{Deserialize, Serialize, Serializer, forward_to_deserialize_any};

use crate::text::REDACTED;
use crate::{HashBuilder, Rich, Value};
use serializer::ValueSerializer;

impl Value {
    /// Converts the value to a Rust type.
    ///
    /// Hashes become structs and maps, strings become enums without content, and `undef` becomes `None`. Symbols and
    /// all other values with a string form become strings. A Sensitive value is an error: unwrap it first, so that the
    /// program states where a secret goes.
    ///
    /// ```
    /// use hieratic_value::{Hash, Value};
    /// # use serde::Deserialize;
    /// #[derive(Deserialize)]
    /// struct Server {
    ///     host: String,
    ///     ports: Vec<u16>,
    /// }
    ///
    /// let ports: Value = [80, 443].into_iter().map(Value::from).collect();
    /// let server: Hash = [("host", Value::from("web01")), ("ports", ports)].into_iter().collect();
    /// let server: Server = Value::from(server).to()?;
    /// assert_eq!((server.host.as_str(), server.ports), ("web01", vec![80, 443]));
    /// # Ok::<(), hieratic_value::Mismatch>(())
    /// ```
    ///
    /// # Errors
    /// The value is not of this type. The error names the position in the value and the expected type.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, Mismatch> {
        T::deserialize(ValueDeserializer(self))
    }

    /// Creates a value from any Rust value that can be serialized.
    ///
    /// ```
    /// use hieratic_value::Value;
    ///
    /// assert_eq!(Value::from_data(&("web", Some(80), None::<u8>))?.inspect(), r#"["web", 80, nil]"#);
    /// # Ok::<(), hieratic_value::Mismatch>(())
    /// ```
    ///
    /// # Errors
    /// The `Serialize` implementation returns an error.
    pub fn from_data<T: Serialize + ?Sized>(data: &T) -> Result<Value, Mismatch> {
        data.serialize(ValueSerializer)
    }
}

/// The reason why a value cannot be converted to a Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path in the value, from the outside in: `ports[2].name`. Empty for the value itself.
    path: String,
    message: String,
}

impl Mismatch {
    /// Returns the path in the value: `ports[2].name`. It is empty if the whole value does not fit.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns this mismatch relative to the value that contains it.
    fn within(self, part: &str) -> Mismatch {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Mismatch { path: format!("{part}{separator}{}", self.path), ..self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => out.write_str(&self.message),
            path => write!(out, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Mismatch {
        Mismatch { path: String::new(), message: message.to_string() }
    }
}

impl serde_core::ser::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Mismatch {
        de::Error::custom(message)
    }
}

/// Secrets stay redacted: a Sensitive value is written as the redaction mark.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undef => out.serialize_unit(),
            Value::Boolean(value) => out.serialize_bool(*value),
            Value::Integer(value) => out.serialize_i64(*value),
            Value::Float(value) => out.serialize_f64(*value),
            Value::String(text) => out.serialize_str(text),
            Value::Array(elements) => {
                let mut list = out.serialize_seq(Some(elements.len()))?;
                elements.iter().try_for_each(|element| list.serialize_element(element))?;
                list.end()
            }
            Value::Hash(hash) => {
                let mut map = out.serialize_map(Some(hash.len()))?;
                hash.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(_) => out.serialize_str(REDACTED),
                Rich::Binary(bytes) => out.serialize_bytes(bytes),
                Rich::BigInteger(number) => match (i128::try_from(number), u128::try_from(number)) {
                    (Ok(number), _) => out.serialize_i128(number),
                    (_, Ok(number)) => out.serialize_u128(number),
                    // No format has a place for more.
                    _ => out.serialize_str(&number.to_string()),
                },
                _ => out.serialize_str(&self.to_text()),
            },
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Value, D::Error> {
        input.deserialize_any(ValueVisitor)
    }
}

/// The key under which `serde_json` hands numbers out as text, where some crate of the program asks it to keep all their digits.
const NUMBER: &str = "$serde_json::private::Number";

/// The number that a hash represents, if `serde_json` encoded a number as this hash.
fn number_of(hash: &HashBuilder) -> Option<Value> {
    let (name, text) = hash.first().filter(|_| hash.len() == 1)?;
    let text = text.as_str().filter(|_| name.as_str() == Some(NUMBER))?;
    let whole = || text.parse::<BigInt>().ok().map(Value::from);
    whole().or_else(|| text.parse::<f64>().ok().map(Value::Float))
}

/// Converts the events of a format to values.
struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("data")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        Value::deserialize(input)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        Value::deserialize(input)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(BigInt::from(value).into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(BigInt::from(value).into())
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(BigInt::from(value).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::Rich(Rich::Binary(value.to_vec()).into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Value, A::Error> {
        let mut elements: Vec<Value> = Vec::new();
        while let Some(element) = input.next_element()? {
            elements.push(element);
        }
        Ok(elements.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Value, A::Error> {
        let mut hash = HashBuilder::default();
        while let Some((key, value)) = input.next_entry()? {
            hash.insert(key, value);
        }
        Ok(number_of(&hash).unwrap_or_else(|| Value::Hash(hash.into())))
    }
}

/// A value as the input of a `Deserialize` implementation.
#[derive(Clone, Copy)]
struct ValueDeserializer<'v>(&'v Value);

impl<'v> IntoDeserializer<'v, Mismatch> for ValueDeserializer<'v> {
    type Deserializer = ValueDeserializer<'v>;

    fn into_deserializer(self) -> ValueDeserializer<'v> {
        self
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Undef => visitor.visit_unit(),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::String(text) => visitor.visit_str(text),
            Value::Array(elements) => visitor.visit_seq(Elements { elements: elements.iter(), index: 0 }),
            Value::Hash(hash) => visitor.visit_map(Entries { entries: hash.iter(), value: None }),
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(_) => {
                    Err(de::Error::custom("the value is Sensitive: take the value out of it first, or skip the key"))
                }
                Rich::Binary(bytes) => visitor.visit_bytes(bytes),
                Rich::BigInteger(number) => match (i128::try_from(number), u128::try_from(number)) {
                    (Ok(number), _) => match u64::try_from(number) {
                        Ok(number) => visitor.visit_u64(number),
                        Err(_) => visitor.visit_i128(number),
                    },
                    (_, Ok(number)) => visitor.visit_u128(number),
                    _ => visitor.visit_string(number.to_string()),
                },
                _ => visitor.visit_string(self.0.to_text()),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Undef => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(StrDeserializer::<Mismatch>::new(text)),
            Value::Hash(hash) if hash.len() == 1 => match hash.iter().next() {
                Some((name, content)) => visitor.visit_enum(Variant { name, content }),
                None => Err(de::Error::invalid_type(Unexpected::Map, &"a variant")),
            },
            Value::Hash(_) => {
                Err(de::Error::custom("expected a string, or a hash with one key that names the variant"))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

struct Elements<'v> {
    elements: std::slice::Iter<'v, Value>,
    index: usize,
}

impl<'v> SeqAccess<'v> for Elements<'v> {
    type Error = Mismatch;

    fn next_element_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<Option<S::Value>, Mismatch> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        let result =
            seed.deserialize(ValueDeserializer(element)).map_err(|error| error.within(&format!("[{}]", self.index)))?;
        self.index += 1;
        Ok(Some(result))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

struct Entries<'v, I> {
    entries: I,
    /// The value of the key that was read last.
    value: Option<(&'v Value, &'v Value)>,
}

impl<'v, I: Iterator<Item = (&'v Value, &'v Value)>> MapAccess<'v> for Entries<'v, I> {
    type Error = Mismatch;

    fn next_key_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<Option<S::Value>, Mismatch> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some((key, value));
        seed.deserialize(ValueDeserializer(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<S::Value, Mismatch> {
        let Some((key, value)) = self.value.take() else { return Err(de::Error::custom("a value before its key")) };
        seed.deserialize(ValueDeserializer(value)).map_err(|error| error.within(&key.to_text()))
    }
}

/// `{name: content}` as a variant of an enum.
struct Variant<'v> {
    name: &'v Value,
    content: &'v Value,
}

impl<'v> EnumAccess<'v> for Variant<'v> {
    type Error = Mismatch;
    type Variant = Variant<'v>;

    fn variant_seed<S: DeserializeSeed<'v>>(self, seed: S) -> Result<(S::Value, Variant<'v>), Mismatch> {
        Ok((seed.deserialize(ValueDeserializer(self.name))?, self))
    }
}

impl<'v> VariantAccess<'v> for Variant<'v> {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        <()>::deserialize(ValueDeserializer(self.content)).map_err(|error| error.within(&self.name.to_text()))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'v>>(self, seed: S) -> Result<S::Value, Mismatch> {
        seed.deserialize(ValueDeserializer(self.content)).map_err(|error| error.within(&self.name.to_text()))
    }

    fn tuple_variant<V: Visitor<'v>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        ValueDeserializer(self.content).deserialize_any(visitor).map_err(|error| error.within(&self.name.to_text()))
    }

    fn struct_variant<V: Visitor<'v>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Mismatch> {
        ValueDeserializer(self.content).deserialize_any(visitor).map_err(|error| error.within(&self.name.to_text()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use crate::{Rich, Value};

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    enum Shape {
        Nothing,
        Text(String),
        Pair(u8, Option<i64>),
        Named { port: u16, tags: Vec<String> },
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    struct Everything {
        shapes: Vec<Shape>,
        by_name: BTreeMap<String, f64>,
        by_number: BTreeMap<i64, bool>,
        wide: u64,
        wider: i128,
        letter: char,
        none: Option<()>,
    }

    fn shape() -> impl Strategy<Value = Shape> {
        prop_oneof![
            Just(Shape::Nothing),
            any::<String>().prop_map(Shape::Text),
            any::<(u8, Option<i64>)>().prop_map(|(one, other)| Shape::Pair(one, other)),
            any::<(u16, Vec<String>)>().prop_map(|(port, tags)| Shape::Named { port, tags }),
        ]
    }

    proptest! {
        #[test]
        fn data_survives_the_conversion_to_values(
            shapes in proptest::collection::vec(shape(), 0..4),
            by_name in any::<BTreeMap<String, i32>>(),
            by_number in any::<BTreeMap<i64, bool>>(),
            wide in any::<u64>(),
            wider in any::<i128>(),
            letter in any::<char>(),
        ) {
            let by_name = by_name.into_iter().map(|(name, number)| (name, f64::from(number) / 8.0)).collect();
            let all = Everything { shapes, by_name, by_number, wide, wider, letter, none: None };
            let value = Value::from_data(&all).unwrap();
            prop_assert_eq!(value.to::<Everything>().unwrap(), all);
            // A value is itself, both ways.
            prop_assert_eq!(&Value::from_data(&value).unwrap(), &value);
            prop_assert_eq!(&value.to::<Value>().unwrap(), &value);
        }
    }

    #[test]
    fn mismatches_have_a_path() {
        let value = Value::from_data(&[Shape::Nothing, Shape::Named { port: 1, tags: vec![] }]).unwrap();
        let error = value.to::<Vec<BTreeMap<String, u8>>>().unwrap_err();
        assert_eq!(error.path(), "[0]");
        let other: Value =
            Value::from_data(&BTreeMap::from([("a", vec![BTreeMap::from([("port", 70_000)])])])).unwrap();
        #[derive(Debug, Deserialize)]
        struct Port {
            #[allow(dead_code, reason = "only reading it matters")]
            port: u16,
        }
        let error = other.to::<BTreeMap<String, Vec<Port>>>().unwrap_err();
        assert_eq!(error.to_string(), "a[0].port: invalid value: integer `70000`, expected u16");
        let error = Value::from("x").to::<bool>().unwrap_err();
        assert_eq!(error.to_string(), "invalid type: string \"x\", expected a boolean");
    }

    #[test]
    fn secrets_are_not_deserialized() {
        let secret = Value::sensitive(Value::from("hunter2"));
        let list: Value = [secret].into_iter().collect();
        let error = list.to::<Vec<String>>().unwrap_err();
        assert!(error.path() == "[0]" && !error.to_string().contains("hunter2"), "{error}");
        assert_eq!(serde_json::to_string(&list).unwrap(), "[\"Sensitive [value redacted]\"]");
    }

    #[test]
    fn rich_values_have_a_form_everywhere() {
        let symbol = Value::Rich(Rich::Symbol("name".into()).into());
        assert_eq!(symbol.to::<String>().unwrap(), "name");
        let bytes = Value::Rich(Rich::Binary(vec![1, 255]).into());
        assert_eq!(bytes.to::<Value>().unwrap(), bytes);
        let text = r#"{"a": [1, 18446744073709551615, -3, 1.5, null, {"b": true}]}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value.inspect(), r#"{"a"=>[1, 18446744073709551615, -3, 1.5, nil, {"b"=>true}]}"#);
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(Value::from_data(&json).unwrap(), value);
    }
}
