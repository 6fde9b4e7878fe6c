//! Values as JSON on one line.

use std::fmt::Write;

use hieratic_hcl_types::Value;

/// A value as JSON. Numbers have all their digits; keys are sorted.
pub(crate) fn encode(value: &Value) -> Result<String, String> {
    let mut json = String::new();
    write(value, &mut json)?;
    Ok(json)
}

/// Encodes a string as JSON that is safe in HTML: `<`, `>` and `&` are escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    write_text(text, &mut json);
    json
}

fn write(value: &Value, to: &mut String) -> Result<(), String> {
    match value {
        Value::Null(_) => to.push_str("null"),
        Value::Unknown(_) => return Err("value is not known".into()),
        Value::Bool(true) => to.push_str("true"),
        Value::Bool(false) => to.push_str("false"),
        Value::Number(number) if number.is_infinite() => return Err("cannot serialize infinity as JSON".into()),
        // Writing to a string cannot fail.
        Value::Number(number) => drop(write!(to, "{number}")),
        Value::String(text) => write_text(text, to),
        Value::Map(_) | Value::Object(_) => {
            to.push('{');
            for (index, (name, value)) in value.as_entries().unwrap_or_default().iter().enumerate() {
                if index > 0 {
                    to.push(',');
                }
                write_text(name, to);
                to.push(':');
                write(value, to)?;
            }
            to.push('}');
        }
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
            to.push('[');
            for (index, value) in value.elements().enumerate() {
                if index > 0 {
                    to.push(',');
                }
                write(value, to)?;
            }
            to.push(']');
        }
    }
    Ok(())
}

fn write_text(text: &str, to: &mut String) {
    to.push('"');
    let mut copied = 0;
    for (at, letter) in text.char_indices() {
        let plain = match letter {
            '"' | '\\' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => false,
            letter => letter >= ' ',
        };
        if plain {
            continue;
        }
        to.push_str(text.get(copied..at).unwrap_or_default());
        copied = at + letter.len_utf8();
        match letter {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\u{8}' => to.push_str("\\b"),
            '\u{c}' => to.push_str("\\f"),
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' => to.push_str("\\t"),
            letter => drop(write!(to, "\\u{:04x}", letter as u32)),
        }
    }
    to.push_str(text.get(copied..).unwrap_or_default());
    to.push('"');
}
