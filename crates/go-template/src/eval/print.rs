//! Formats values as Go's `%v` does.

use super::value::Value;

/// The text of a value in a template: a string without quotes.
pub(crate) fn display(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Nil => out.push_str("<nil>"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Float(number) => out.push_str(&float(*number)),
        Value::String(text) => out.push_str(text),
        Value::List(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write(value, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            write_map(entries.iter().map(|(key, value)| (Value::from(key.as_str()), value)), out);
        }
        Value::AnyMap(entries) => write_map(entries.iter().map(|(key, value)| (key.to_value(), value)), out),
    }
}

fn write_map<'v>(entries: impl Iterator<Item = (Value, &'v Value)>, out: &mut String) {
    out.push_str("map[");
    for (index, (key, value)) in entries.enumerate() {
        if index > 0 {
            out.push(' ');
        }
        write(&key, out);
        out.push(':');
        write(value, out);
    }
    out.push(']');
}

/// The shortest digits of a number, with an exponent where Go writes one.
pub(crate) fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf".to_owned() } else { "-Inf".to_owned() };
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if number != 0.0 && !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{number}")
}
