//! Functions on numbers.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#numeric-functions>.

use dashu_int::{IBig, UBig};
use hieratic_budget::Budget;
use hieratic_hcl_types::{CallError, Function, Number, Type, Value, quoted};

use crate::arguments::{CallResult, any, argument_error, call_error, float, number, numeric, text, value, whole};
use crate::{FunctionTable, go_math};

pub(crate) fn add(table: &mut FunctionTable) {
    let mut one = |name, documentation, operation: fn(&Number) -> Number| {
        table.fixed(name, documentation, [number("num")], Type::Number, move |arguments| {
            let result = operation(&numeric(arguments, 0));
            // Zero loses its sign.
            Ok(if result.is_zero() { Number::ZERO } else { result }.into())
        });
    };
    one("abs", "Returns the number without its sign.", Number::absolute);
    one("ceil", "Rounds up to a whole number.", Number::ceil);
    one("floor", "Rounds down to a whole number.", Number::floor);
    table.fixed("signum", "Returns -1, 0 or 1, the sign of a number.", [number("num")], Type::Number, |arguments| {
        let sign = whole(arguments, 0).map_err(CallError::call)?.signum();
        Ok(sign.into())
    });
    table.fixed(
        "log",
        "Returns the logarithm of a number to a base.",
        [number("num"), number("base")],
        Type::Number,
        |arguments| floating(arguments, |number, base| go_math::log(number) / go_math::log(base)),
    );
    table.fixed("pow", "Raises a number to a power.", [number("num"), number("power")], Type::Number, |arguments| {
        floating(arguments, go_math::pow)
    });
    let mut most = |name, documentation, start: Number, better: fn(&Number, &Number) -> bool| {
        let body = move |arguments: &[Value]| extreme(arguments, &start, better);
        table.add(name, documentation, Function::new(Vec::new(), Type::Number, body).with_variadic(number("numbers")));
    };
    most("max", "Returns the greatest of the numbers.", Number::NEGATIVE_INFINITY, |number, best| number > best);
    most("min", "Returns the smallest of the numbers.", Number::INFINITY, |number, best| number < best);
    table.add(
        "parseint",
        "Reads a string as a whole number in a base from 2 to 62.",
        Function::with_budget(vec![any("number"), number("base")], Type::Number, parse_int),
    );
}

/// A result that is computed in the machine's floating point, to the bit as the reference does it.
fn floating(arguments: &[Value], operation: fn(f64, f64) -> f64) -> CallResult {
    let first = float(arguments, 0).map_err(CallError::call)?;
    let second = float(arguments, 1).map_err(CallError::call)?;
    match Number::from_f64(operation(first, second)) {
        Some(result) => Ok(result.into()),
        None => call_error("the result is not a number"),
    }
}

fn extreme(arguments: &[Value], start: &Number, better: fn(&Number, &Number) -> bool) -> CallResult {
    if arguments.is_empty() {
        return call_error("must pass at least one number");
    }
    let mut best = start;
    for number in arguments.iter().filter_map(Value::as_number) {
        if better(number, best) {
            best = number;
        }
    }
    Ok(best.clone().into())
}

/// `parseint`: parses digits in a base of 2 to 62. Above 36, capital letters are separate digits.
fn parse_int(budget: &Budget, arguments: &[Value]) -> CallResult {
    if value(arguments, 0).as_str().is_none() {
        let found = value(arguments, 0).ty().friendly_name();
        return argument_error(0, format!("first argument must be a string, not {found}"));
    }
    let base = whole(arguments, 1).map_err(|message| CallError::argument(1, message))?;
    let Some(base) = u32::try_from(base).ok().filter(|base| (2..=62).contains(base)) else {
        return argument_error(1, "base must be a whole number between 2 and 62 inclusive");
    };
    budget.steps(Number::parse_cost(text(arguments, 0).len()))?;
    match parse_digits(text(arguments, 0), base) {
        Some(number) => Ok(number.into()),
        None => argument_error(0, format!("cannot parse {} as a base {base} integer", quoted(text(arguments, 0)))),
    }
}

fn parse_digits(digits: &str, base: u32) -> Option<Number> {
    let (negative, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| digit(byte, base).is_some_and(|digit| digit < base)) {
        return None;
    }
    if base <= 36 {
        let number = Number::from_digits(unsigned, base)?;
        return Some(if negative && !number.is_zero() { number.negate() } else { number });
    }
    let mut whole = UBig::ZERO;
    for byte in unsigned.bytes() {
        whole = whole * base + digit(byte, base)?;
    }
    let whole = if negative { -IBig::from(whole) } else { IBig::from(whole) };
    Number::from_digits(&whole.to_string(), 10)
}

fn digit(byte: u8, base: u32) -> Option<u32> {
    Some(match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'a'..=b'z' => u32::from(byte - b'a') + 10,
        b'A'..=b'Z' if base <= 36 => u32::from(byte - b'A') + 10,
        b'A'..=b'Z' => u32::from(byte - b'A') + 36,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn bases_above_36_are_case_sensitive() {
        assert_eq!(parse_digits("z", 36), Number::parse("35"));
        assert_eq!(parse_digits("Z", 36), Number::parse("35"));
        assert_eq!(parse_digits("Z", 62), Number::parse("61"));
        assert_eq!(parse_digits("-10", 62), Number::parse("-62"));
        assert_eq!(parse_digits("1_0", 10), None);
        assert_eq!(parse_digits("", 10), None);
    }
}
