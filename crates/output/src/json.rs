//! JSON as Ruby's `json` library writes it, and Puppet's older PSON.

use hieratic_json::write::{Ends, JsonWriter, Layout};
use hieratic_value::text::{REDACTED, float as float_text};

use crate::{Error, Scalar, Tree, View};

/// Returns the JSON that `--render-as json` prints, without the newline at the end: compact, in the order of the keys.
///
/// Only quotes, backslashes and control characters are escaped. Keys that are not strings, symbols and secrets are
/// converted to strings. Floats that are not numbers, more than 100 levels, and bytes that are not UTF-8 are errors.
///
/// ```
/// use hieratic_value::Value;
/// assert_eq!(hieratic_output::json(&Value::from(vec![Value::from("a/\"b\""), Value::Undef]))?, r#"["a/\"b\"",null]"#);
/// # Ok::<(), hieratic_output::Error>(())
/// ```
pub fn json<T: Tree>(tree: T) -> Result<String, Error> {
    let out = write(tree, &Layout::COMPACT, Checks::Ruby)?;
    String::from_utf8(out).map_err(|_| Error::MalformedText)
}

/// JSON over several lines, indented by two.
pub(crate) fn pretty<T: Tree>(tree: T) -> Result<Vec<u8>, Error> {
    let layout = Layout { key: ": ".into(), ends: Ends::Open, ..Layout::COMPACT }.with_lines("  ");
    write(tree, &layout, Checks::Ruby)
}

/// PSON: JSON without any of its checks. Bytes, because broken text goes out as it is.
pub(crate) fn pson<T: Tree>(tree: T) -> Vec<u8> {
    // Without checks nothing is an error.
    write(tree, &Layout::COMPACT, Checks::Nothing).unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq)]
enum Checks {
    /// Those of Ruby's library.
    Ruby,
    /// None: any depth, any float, any bytes.
    Nothing,
}

/// The number of levels that Ruby's library writes.
const MAX_NESTING: usize = 100;

/// The rest of a collection that is being written.
enum RemainingItems<T: Tree> {
    Array(T::Elements),
    Hash(T::Pairs),
}

fn write<T: Tree>(tree: T, layout: &Layout<'_>, checks: Checks) -> Result<Vec<u8>, Error> {
    let mut writer = JsonWriter::new(Vec::new(), layout);
    let mut open: Vec<RemainingItems<T>> = Vec::new();
    let mut next = Some(tree);
    loop {
        if let Some(tree) = next.take() {
            match tree.view() {
                View::Scalar(one) => scalar(&mut writer, one, checks)?,
                View::Sensitive(_) => writer.string(REDACTED),
                View::Array(elements) => {
                    writer.begin_array();
                    open.push(RemainingItems::Array(elements));
                }
                View::Hash(pairs) => {
                    writer.begin_object();
                    open.push(RemainingItems::Hash(pairs));
                }
            }
            if open.len() > MAX_NESTING && checks == Checks::Ruby {
                return Err(Error::TooDeep);
            }
        }
        let Some(top) = open.last_mut() else { return Ok(writer.into_output()) };
        next = match top {
            RemainingItems::Array(elements) => elements.next(),
            RemainingItems::Hash(pairs) => match pairs.next() {
                Some((name, value)) => {
                    key(&mut writer, &name, checks)?;
                    Some(value)
                }
                None => None,
            },
        };
        if next.is_none() {
            writer.end();
            open.pop();
        }
    }
}

fn scalar(writer: &mut JsonWriter<'_, Vec<u8>>, scalar: Scalar<'_>, checks: Checks) -> Result<(), Error> {
    match scalar {
        Scalar::Undef => writer.word("null"),
        Scalar::Boolean(boolean) => writer.word(if boolean { "true" } else { "false" }),
        Scalar::Integer(integer) => writer.number(integer),
        Scalar::BigInteger(integer) => writer.number(integer),
        Scalar::Float(float) if float.is_finite() || checks == Checks::Nothing => writer.word(&float_text(float)),
        Scalar::Float(float) => {
            return Err(Error::NoJsonNumber(if float.is_nan() {
                "NaN"
            } else if float > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }));
        }
        Scalar::String(text) | Scalar::Symbol(text) => writer.string(text),
        Scalar::Binary(bytes) => {
            check_text(bytes, checks)?;
            writer.bytes(bytes);
        }
        Scalar::Extended(other) => writer.string(&other.to_text()),
    }
    Ok(())
}

fn key<T: Tree>(writer: &mut JsonWriter<'_, Vec<u8>>, key: &T, checks: Checks) -> Result<(), Error> {
    match key.view() {
        View::Scalar(Scalar::String(text)) => writer.key(text),
        View::Scalar(Scalar::Binary(bytes)) => {
            check_text(bytes, checks)?;
            writer.key_bytes(bytes);
        }
        _ => writer.key(&key.to_value().to_text()),
    }
    Ok(())
}

/// Checks that bytes are UTF-8. Ruby's library distinguishes a truncated character at the end from a malformed one.
fn check_text(bytes: &[u8], checks: Checks) -> Result<(), Error> {
    let Err(error) = std::str::from_utf8(bytes) else { return Ok(()) };
    if checks == Checks::Nothing {
        return Ok(());
    }
    let rest = &bytes[error.valid_up_to()..];
    // The number of bytes that the first one announces, by the oldest definition of UTF-8.
    let announced = match rest.first() {
        Some(0..0xc0) | None => 1,
        Some(0xc0..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(0xf0..0xf8) => 4,
        Some(0xf8..0xfc) => 5,
        Some(0xfc..) => 6,
    };
    Err(if announced > rest.len() { Error::PartialCharacter } else { Error::MalformedText })
}

#[cfg(test)]
mod tests {
    use hieratic_value::{Hash, Rich, Value};
    use proptest::prelude::*;

    use super::*;

    fn message(value: Value) -> String {
        json(&value).unwrap_or_else(|error| error.to_string())
    }

    fn nested(levels: usize) -> Value {
        (1..levels).fold(Value::from(vec![]), |inner, _| Value::from(vec![inner]))
    }

    #[test]
    fn only_required_characters_are_escaped() {
        assert_eq!(
            message(Value::from("\u{2028}/é\u{1}\u{7f}\"\\\t\u{8}\u{c}\u{1b}😀")),
            "\"\u{2028}/é\\u0001\u{7f}\\\"\\\\\\t\\b\\f\\u001b😀\""
        );
    }

    #[test]
    fn keys_become_text() {
        let hash: Hash = [
            (Value::Undef, Value::from(1.0)),
            (Value::from(vec![Value::from(1)]), Rich::Default.into()),
            (Rich::Symbol("a b".into()).into(), Value::sensitive(Value::from("pw"))),
            (Value::from(2.5), Rich::BigInteger(1_180_591_620_717_411_303_424_u128.into()).into()),
        ]
        .into_iter()
        .collect();
        assert_eq!(
            message(hash.into()),
            r#"{"":1.0,"[1]":"default","a b":"Sensitive [value redacted]","2.5":1180591620717411303424}"#
        );
    }

    #[test]
    fn floats_that_are_not_numbers() {
        assert_eq!(message(Value::from(f64::NAN)), "1003: NaN not allowed in JSON");
        assert_eq!(message(Value::from(f64::NEG_INFINITY)), "1000: -Infinity not allowed in JSON");
        assert_eq!(pson(&Value::from(vec![Value::from(f64::NAN)])), b"[NaN]");
    }

    #[test]
    fn nesting_is_limited() {
        assert_eq!(message(nested(100)), format!("{}{}", "[".repeat(100), "]".repeat(100)));
        assert_eq!(message(nested(101)), "nesting of 100 is too deep");
        assert_eq!(pson(&nested(101)).len(), 202);
    }

    #[test]
    fn bytes_must_be_text() {
        const PARTIAL: &str = "partial character in source, but hit end";
        const MALFORMED: &str = "source sequence is illegal/malformed utf-8";
        for (bytes, text) in [
            (&b"\xff\xfe\xfd"[..], PARTIAL),
            (b"\xffabcdefgh", MALFORMED),
            (b"ab\xc3", PARTIAL),
            (b"\xc3(", MALFORMED),
            (b"\xe2\x82", PARTIAL),
            (b"\xe2(\xa1\xa1", MALFORMED),
            (b"\x80", MALFORMED),
            (b"\xed\xa0\x80", MALFORMED),
            (b"\xf8\x88\x80\x80\x80", MALFORMED),
            ("é".as_bytes(), "\"é\""),
        ] {
            assert_eq!(message(Rich::Binary(bytes.to_vec()).into()), text);
        }
        assert_eq!(pson(&Value::from(Rich::Binary(vec![0xff, 0]))), b"\"\xff\\u0000\"");
    }

    #[test]
    fn pretty_json_has_odd_empty_collections() {
        let inner = Value::from(vec![Value::from(vec![]), Hash::default().into()]);
        let hash: Hash = [
            (Value::Undef, Value::from(Hash::default())),
            (1.into(), Value::from(vec![])),
            (2.into(), Value::from(vec![1.into(), inner])),
        ]
        .into_iter()
        .collect();
        let expected = "{\n  \"\": {\n  },\n  \"1\": [\n\n  ],\n  \"2\": [\n    1,\n    [\n      [\n\n      ],\n      {\n      }\n    ]\n  ]\n}";
        assert_eq!(
            pretty(&Value::from(hash)).map(|out| String::from_utf8_lossy(&out).into_owned()),
            Ok(expected.into())
        );
    }

    fn plain() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    fn value_of(plain: &serde_json::Value) -> Value {
        match plain {
            serde_json::Value::Null => Value::Undef,
            serde_json::Value::Bool(boolean) => (*boolean).into(),
            serde_json::Value::Number(number) => number.as_i64().expect("an integer").into(),
            serde_json::Value::String(text) => text.as_str().into(),
            serde_json::Value::Array(elements) => elements.iter().map(value_of).collect(),
            serde_json::Value::Object(pairs) => {
                Value::from(pairs.iter().map(|(k, v)| (k.as_str(), value_of(v))).collect::<Hash>())
            }
        }
    }

    proptest! {
        #[test]
        fn json_reads_back_equal(plain in plain()) {
            let value = value_of(&plain);
            for text in [json(&value).expect("no error").into_bytes(), pretty(&value).expect("no error"), pson(&value)] {
                prop_assert_eq!(&serde_json::from_slice::<serde_json::Value>(&text).expect("JSON"), &plain);
            }
        }
    }
}
