//! Values as JSON on one line, as Go's `encoding/json` writes it.

use hieratic_hcl_types::Value;
use hieratic_json::write::{self, Escapes, JsonWriter, Layout};

const LAYOUT: Layout<'static> = Layout { escapes: Escapes::Html, ..Layout::COMPACT };

/// A value as JSON. Numbers have all their digits; keys are sorted.
pub(crate) fn encode(value: &Value) -> Result<String, String> {
    let mut writer = JsonWriter::new(String::new(), &LAYOUT);
    write(value, &mut writer)?;
    Ok(writer.into_output())
}

/// Encodes a string as JSON that is safe in HTML: `<`, `>` and `&` are escaped.
pub(crate) fn quoted(text: &str) -> String {
    write::quoted(text, Escapes::Html)
}

fn write(value: &Value, to: &mut JsonWriter<'_, String>) -> Result<(), String> {
    match value {
        Value::Null(_) => to.word("null"),
        Value::Unknown(_) => return Err("value is not known".into()),
        Value::Bool(value) => to.word(if *value { "true" } else { "false" }),
        Value::Number(number) if number.is_infinite() => return Err("cannot serialize infinity as JSON".into()),
        Value::Number(number) => to.number(number),
        Value::String(text) => to.string(text),
        Value::Map(_) | Value::Object(_) => {
            to.begin_object();
            for (name, value) in value.as_entries().unwrap_or_default() {
                to.key(name);
                write(value, to)?;
            }
            to.end();
        }
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
            to.begin_array();
            for value in value.elements() {
                write(value, to)?;
            }
            to.end();
        }
    }
    Ok(())
}
