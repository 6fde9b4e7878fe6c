//! JSON, as Go writes it.

use super::exactly;
use crate::eval::{Fault, Value, float};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let (kind, is_checked) = match name.strip_prefix("must") {
        Some(kind) => (kind, true),
        // `toRawJson` fails as well.
        None => (name.strip_prefix("to")?, name == "toRawJson"),
    };
    let style = match kind.strip_prefix("To").unwrap_or(kind) {
        "Json" => Style { is_pretty: false, escapes_html: true },
        "RawJson" => Style { is_pretty: false, escapes_html: false },
        "PrettyJson" => Style { is_pretty: true, escapes_html: true },
        _ => return None,
    };
    Some(exactly::<1>(arguments).and_then(|[value]| match json(value, style) {
        Ok(text) => Ok(text.into()),
        // A function that cannot fail answers with an empty string in the reference.
        Err(Unsupported(_)) if !is_checked => Ok("".into()),
        Err(Unsupported(part)) => Err(Fault::error(format!("json: unsupported {part}"))),
    }))
}

/// A part of a value that JSON does not have, as Go's messages name it.
struct Unsupported(String);

#[derive(Clone, Copy)]
struct Style {
    is_pretty: bool,
    /// Whether `<`, `>` and `&` are written as escapes.
    escapes_html: bool,
}

fn json(value: &Value, style: Style) -> Result<String, Unsupported> {
    let mut out = String::new();
    write(value, style, 0, &mut out)?;
    Ok(out)
}

fn write(value: &Value, style: Style, depth: usize, out: &mut String) -> Result<(), Unsupported> {
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Float(number) if !number.is_finite() => return Err(Unsupported(format!("value: {}", float(*number)))),
        Value::Float(number) => out.push_str(&json_float(*number)),
        Value::AnyMap(_) => return Err(Unsupported(format!("type: {}", value.type_name()))),
        Value::String(text) => write_string(text, style, out),
        Value::List(values) if values.is_empty() => out.push_str("[]"),
        Value::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Value::List(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                separate(index, style, depth + 1, out);
                stacker::maybe_grow(64 << 10, 1 << 20, || write(value, style, depth + 1, out))?;
            }
            new_line(style, depth, out);
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(index, style, depth + 1, out);
                write_string(key, style, out);
                out.push_str(if style.is_pretty { ": " } else { ":" });
                stacker::maybe_grow(64 << 10, 1 << 20, || write(value, style, depth + 1, out))?;
            }
            new_line(style, depth, out);
            out.push('}');
        }
    }
    Ok(())
}

fn separate(index: usize, style: Style, depth: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
    new_line(style, depth, out);
}

fn new_line(style: Style, depth: usize, out: &mut String) {
    if style.is_pretty {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

/// A number with an exponent where Go's JSON has one.
fn json_float(number: f64) -> String {
    let magnitude = number.abs();
    if number != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let text = float(number);
        // One zero of the exponent is left out: 1e-07 is 1e-7.
        return text.replace("e-0", "e-");
    }
    format!("{number}")
}

fn write_string(text: &str, style: Style, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' if style.escapes_html => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            other if u32::from(other) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => out.push(other),
        }
    }
    out.push('"');
}
