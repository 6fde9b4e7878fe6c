//! Values in strings, as
//! [interpolation](https://www.puppet.com/docs/puppet/8/lang_data_string.html) puts them there.

use std::fmt::Write as _;

use hieratic_value::{Rich, Value, text};

/// Returns the interpolated form of a value. It differs from Ruby's string form and from Puppet syntax: strings inside
/// of arrays and hashes have no quotes.
///
/// ```
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from("a"), Value::Undef, Value::from(1.5)]);
/// assert_eq!(hieratic_puppet_functions::interpolated(&list), "[a, , 1.5]");
/// ```
pub fn interpolated(value: &Value) -> String {
    let mut out = String::new();
    write_interpolated(value, &mut out);
    out
}

/// Appends the interpolated form of a value.
pub fn write_interpolated(value: &Value, out: &mut String) {
    match value {
        Value::Undef => {}
        Value::String(text) => out.push_str(text),
        Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        // Writing to a string cannot fail.
        Value::Integer(number) => drop(write!(out, "{number}")),
        Value::Float(number) => out.push_str(&text::float(*number)),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_interpolated(element, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_interpolated(key, out);
                out.push_str(" => ");
                write_interpolated(value, out);
            }
            out.push('}');
        }
        Value::Rich(rich) => match &**rich {
            Rich::Default => out.push_str("default"),
            _ => out.push_str(&value.to_text()),
        },
    }
}
