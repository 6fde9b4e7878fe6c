//! The functions that log, one for each level: [`notice`](https://www.puppet.com/docs/puppet/8/function.html#notice) and
//! so on.

use std::fmt::Write as _;

use hieratic_value::{Rich, Value, text};

use crate::{Call, Dispatch, Function, Level, Outcome};

/// A function that logs at a level.
macro_rules! logs {
    ($level:expr) => {
        Function::new($level.name(), &[Dispatch { parameters: &["Any *values"], run: |call| log(call, $level) }])
    };
}

pub(super) static FUNCTIONS: [Function; 8] = [
    logs!(Level::Debug),
    logs!(Level::Info),
    logs!(Level::Notice),
    logs!(Level::Warning),
    logs!(Level::Err),
    logs!(Level::Alert),
    logs!(Level::Emerg),
    logs!(Level::Crit),
];

fn log(call: &mut Call<'_>, level: Level) -> Outcome {
    let texts: Vec<String> = call.arguments.iter().map(interpolated).collect();
    call.host.log(level, texts.join(" "));
    Ok(Value::Undef)
}

/// A value as it looks in a string: neither Ruby's text nor the program form, strings inside of arrays and hashes have no
/// quotes.
///
/// ```
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from("a"), Value::Undef, Value::from(1.5)]);
/// assert_eq!(hieratic_functions::interpolated(&list), "[a, , 1.5]");
/// ```
pub fn interpolated(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
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
                write_value(element, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(key, out);
                out.push_str(" => ");
                write_value(value, out);
            }
            out.push('}');
        }
        Value::Rich(rich) => match &**rich {
            Rich::Default => out.push_str("default"),
            _ => out.push_str(&value.to_text()),
        },
    }
}
