//! Laws of the JSON reader.

use hieratic_json as json;
use hieratic_value::{Hash, Value};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Undef),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|pairs| Value::from(pairs.into_iter().collect::<Hash>())),
        ]
    })
}

/// Writes JSON, with comments and space between everything.
fn write(value: &Value, out: &mut String) {
    out.push_str(" /* c */\n");
    match value {
        Value::Undef => out.push_str("null"),
        Value::Boolean(value) => out.push_str(&value.to_string()),
        Value::Integer(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&format!("{value:e}")),
        Value::String(text) => string(text, out),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(element, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                out.push_str(if index > 0 { ", // next\n" } else { "" });
                string(key.as_str().unwrap_or_default(), out);
                out.push_str("\t:");
                write(value, out);
            }
            out.push('}');
        }
        Value::Rich(_) => {}
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            // In two escapes, as the format wants it beyond the first plane.
            '\u{10000}'.. => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

proptest! {
    #[test]
    fn written_values_are_readable(value in values()) {
        let mut text = String::new();
        write(&value, &mut text);
        prop_assert_eq!(json::parse(text.as_bytes()), Ok(value.clone()));
        let document = json::parse_with_positions(text.as_bytes());
        prop_assert_eq!(document.map(|document| document.value), Ok(value));
    }

    #[test]
    fn any_bytes_are_read_or_refused(source in prop::collection::vec(any::<u8>(), 0..100)) {
        let _ = json::parse(&source);
    }

    #[test]
    fn a_text_that_is_cut_is_refused(value in values(), part in 0.0..1.0f64) {
        let mut text = String::new();
        write(&value, &mut text);
        text.push(']');
        let text = format!("[{text}");
        let mut cut = (text.len() as f64 * part) as usize;
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let error = json::parse(&text.as_bytes()[..cut]).unwrap_err();
        prop_assert!(error.position().is_some());
    }
}

#[test]
fn invalid_utf8_is_preserved() {
    let value = json::parse(b"[\"\xff\"]").unwrap();
    assert_eq!(value.inspect(), "[\"\\xFF\"]");
}
