//! Conversions of booleans from and to strings and numbers.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Flow, Function, Outcome};
use hieratic_value::Value;

use crate::untyped::{arguments, ensure, fail, to_i};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "any2bool",
        Doc::new("Converts strings, numbers and everything else to a Boolean."),
        &[Dispatch::untyped(any2bool)],
    ),
    Function::new(
        "bool2num",
        Doc::new("Returns 1 or 0."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "bool2num")?;
            let Some(value) = given.first() else {
                return fail("bool2num(): Wrong number of arguments given (0 for 1)");
            };
            Ok(Value::Integer(parse_bool(value)?.into()))
        })],
    ),
    Function::new(
        "bool2str",
        Doc::new("Returns `true` and `false`, or the given strings."),
        &[Dispatch::untyped(bool2str)],
    ),
    Function::new(
        "num2bool",
        Doc::new("Returns true for numbers above zero."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "num2bool")?;
            let many = given.len();
            ensure(many == 1, || format!("num2bool(): Wrong number of arguments given ({many} for 1)"))?;
            of_number(&given[0]).map(Value::Boolean)
        })],
    ),
    Function::new(
        "str2bool",
        Doc::new("Converts a string such as `yes` or `no` to a Boolean."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "str2bool")?;
            match given.first() {
                None => fail("str2bool(): Wrong number of arguments given (0 for 1)"),
                Some(value) => parse_bool(value).map(Value::Boolean),
            }
        })],
    ),
];

/// Parses a boolean: any of the words and letters for yes and no.
pub(crate) fn parse_bool(value: &Value) -> Result<bool, Flow> {
    let text = match value {
        Value::Boolean(truth) => return Ok(*truth),
        Value::String(text) => text,
        _ => return fail("str2bool(): Requires string to work with"),
    };
    // The module's patterns match lines, in this order.
    let line = |words: &[&str]| text.split('\n').any(|line| words.iter().any(|word| word.eq_ignore_ascii_case(line)));
    if text.is_empty() || text.split('\n').any(str::is_empty) {
        Ok(false)
    } else if line(&["1", "t", "y", "true", "yes"]) {
        Ok(true)
    } else if line(&["0", "f", "n", "false", "no"])
        || text.split('\n').any(|line| matches!(line, "undef" | "undefined"))
    {
        Ok(false)
    } else {
        fail("str2bool(): Unknown type of boolean given")
    }
}

/// Parses a string that consists of a number only.
fn whole_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // Precision does not matter: only the sign is used.
        return i64::from_str_radix(digits, 16).ok().map(|number| number as f64);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE_".contains(&byte));
    let edges = text.starts_with(['.', '_']) || text.ends_with(['.', '_']) || text.contains("__");
    if plain && !edges { text.replace('_', "").parse().ok() } else { None }
}

/// Numbers above zero are true.
fn of_number(value: &Value) -> Result<bool, Flow> {
    Ok(match value {
        Value::String(text) => match whole_number(text) {
            // Ruby truncates first.
            Some(number) => number.trunc() > 0.0,
            None => {
                let reason = format!("invalid value for Float(): {}", value.inspect());
                return fail(format!("num2bool(): '{text}' does not look like a number: {reason}"));
            }
        },
        Value::Integer(_) | Value::Float(_) => to_i(value) > 0,
        other => to_i(&Value::from(other.to_text())) > 0,
    })
}

fn any2bool(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "any2bool")?;
    Ok(Value::Boolean(match given.first() {
        None => return fail("any2bool(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Boolean(truth)) => *truth,
        Some(Value::Undef) => false,
        Some(number @ (Value::Integer(_) | Value::Float(_))) => of_number(number)?,
        Some(text @ Value::String(content)) => match whole_number(content) {
            Some(_) => of_number(text)?,
            None => parse_bool(text)?,
        },
        Some(_) => true,
    }))
}

fn bool2str(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "bool2str")?;
    let many = given.len();
    ensure(many == 1 || many == 3, || format!("bool2str(): Wrong number of arguments given ({many} for 3)"))?;
    let Value::Boolean(truth) = given[0] else { return fail("bool2str(): Requires a boolean to work with") };
    let text = |index: usize, default: &str| match given.get(index).filter(|value| value.is_truthy()) {
        None => Some(Value::from(default)),
        Some(value) => value.as_str().is_some().then(|| value.clone()),
    };
    match (text(1, "true"), text(2, "false")) {
        (Some(yes), Some(no)) => Ok(if truth { yes } else { no }),
        _ => fail("bool2str(): Requires strings to convert to"),
    }
}
