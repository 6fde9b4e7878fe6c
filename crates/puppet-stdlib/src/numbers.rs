//! Functions for numbers: bases and sizes.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Function, Outcome};
use hieratic_value::Value;

use crate::untyped::{arguments, ensure, fail, is_digits, to_i};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new("convert_base", Doc::new("Converts a number to another base."), &[Dispatch::untyped(convert_base)]),
    Function::new(
        "to_bytes",
        Doc::new("Returns the number of bytes that `1.5 kB` means."),
        &[Dispatch::untyped(to_bytes)],
    ),
];

fn convert_base(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "convert_base")?;
    let many = given.len();
    ensure(many == 2, || format!("convert_base(): Wrong number of arguments given ({many} for 2)"))?;
    for (value, which) in given.iter().zip(["First", "Second"]) {
        ensure(matches!(value, Value::Integer(_) | Value::String(_)), || {
            format!("convert_base(): {which} argument must be either a string or an integer")
        })?;
    }
    ensure(given.iter().all(|value| value.as_str().is_none_or(is_digits)), || {
        "convert_base(): First argument must be an integer or a string corresponding to an integer in base 10".into()
    })?;
    let base = u32::try_from(to_i(&given[1])).ok().filter(|base| (2..=36).contains(base));
    let Some(base) = base else {
        return fail("convert_base(): base must be at least 2 and must not be greater than 36");
    };
    let number = to_i(&given[0]);
    Ok(Value::from(in_base(number, base)))
}

fn in_base(number: i64, base: u32) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        // The remainder is below 36.
        let digit = u32::try_from(rest % u64::from(base)).unwrap_or(0);
        digits.extend(char::from_digit(digit, base));
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}

/// Parses a size with a unit, such as `4 kB`, into bytes.
fn to_bytes(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "to_bytes")?;
    let many = given.len();
    ensure(many == 1, || format!("to_bytes(): Wrong number of arguments given ({many} for 1)"))?;
    let text = match &given[0] {
        number @ (Value::Integer(_) | Value::Float(_)) => return Ok(number.clone()),
        Value::String(text) => text,
        other => return fail(format!("to_bytes(): a size must be a number or a string, got {}", other.ruby_class())),
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && !".e+-".contains(c)).unwrap_or(text.len());
    let (number, unit) = (leading_float(&text[..end]), text[end..].trim_start().chars().next());
    let power = match unit {
        None | Some('b' | 'B') => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(other) => return fail(format!("to_bytes(): Unknown prefix {other}")),
    };
    let bytes = number * 2f64.powi(power);
    ensure(bytes.abs() < 2f64.powi(63), || format!("to_bytes(): {text} are more bytes than an Integer can hold"))?;
    // Casting truncates.
    Ok(Value::Integer(bytes as i64))
}

/// Parses the number at the start of a string like Ruby's `to_f`.
fn leading_float(text: &str) -> f64 {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    ends.filter_map(|end| text[..end].parse().ok()).next().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases() {
        assert_eq!(in_base(255, 16), "ff");
        assert_eq!(in_base(-5, 2), "-101");
        assert_eq!(in_base(0, 2), "0");
    }

    #[test]
    fn numbers_before_other_text() {
        assert_eq!(leading_float("1.5e"), 1.5);
        assert_eq!(leading_float("--"), 0.0);
    }
}
