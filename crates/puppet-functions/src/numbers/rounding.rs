//! [`abs`](https://www.puppet.com/docs/puppet/8/function.html#abs),
//! [`ceiling`](https://www.puppet.com/docs/puppet/8/function.html#ceiling),
//! [`floor`](https://www.puppet.com/docs/puppet/8/function.html#floor) and
//! [`round`](https://www.puppet.com/docs/puppet/8/function.html#round)

use std::sync::LazyLock;

use hieratic_ruby_regexp::Regexp;
use hieratic_value::{BigInt, Rich, Value};

use crate::ruby;
use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "abs",
        Doc::new("The number without its sign.").example("abs(-4) # 4"),
        &[
            Dispatch::new(&["Numeric val"], |call| Ok(magnitude(&call.arguments[0]))),
            Dispatch::new(&["String val"], abs_of_text),
        ],
    ),
    Function::new(
        "ceiling",
        Doc::new("The next whole number that is not less.").example("ceiling(1.2) # 2"),
        &[
            Dispatch::new(&["Numeric val"], |call| whole(&call.arguments[0], f64::ceil)),
            Dispatch::new(&["String val"], |call| whole_of_text(call, "ceiling", f64::ceil)),
        ],
    ),
    Function::new(
        "floor",
        Doc::new("The next whole number that is not greater.").example("floor(1.8) # 1"),
        &[
            Dispatch::new(&["Numeric val"], |call| whole(&call.arguments[0], f64::floor)),
            Dispatch::new(&["String val"], |call| whole_of_text(call, "floor", f64::floor)),
        ],
    ),
    Function::new(
        "round",
        Doc::new("The nearest whole number.").example("round(1.5) # 2"),
        &[Dispatch::new(&["Numeric val"], |call| round(&call.arguments[0]))],
    ),
];

/// The number without its sign.
fn magnitude(value: &Value) -> Value {
    match value {
        Value::Integer(number) => match number.checked_abs() {
            Some(number) => Value::Integer(number),
            None => Value::from(Rich::BigInteger(-BigInt::from(*number))),
        },
        Value::Float(number) => Value::Float(number.abs()),
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) if *number < BigInt::from(0) => Value::from(Rich::BigInteger(-number.clone())),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

fn abs_of_text(call: &mut Call<'_>) -> Outcome {
    static FORMS: LazyLock<[Option<Regexp>; 2]> =
        LazyLock::new(|| [Regexp::new(r"^-?(?:\d+)(?:\.\d+){1}$").ok(), Regexp::new(r"^-?\d+$").ok()]);
    call.deprecated(
        "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling",
    );
    let text = call.text(0);
    let [float, integer] = FORMS.each_ref().map(|form| form.as_ref().is_some_and(|form| form.is_match(&text)));
    if float {
        return Ok(Value::Float(ruby::to_f(&text).abs()));
    }
    if integer {
        return Ok(magnitude(&ruby::to_i(&text)));
    }
    Err(EvalError::new("abs(): Requires float or integer to work with - was given non decimal string").into())
}

/// The number rounded to an integer.
fn whole(value: &Value, round: fn(f64) -> f64) -> Outcome {
    match value {
        Value::Float(number) => integer(round(*number)),
        _ => Ok(value.clone()),
    }
}

fn whole_of_text(call: &mut Call<'_>, function: &str, round: fn(f64) -> f64) -> Outcome {
    call.deprecated(&format!(
        "The {function}() function's auto conversion of String to Float is deprecated - change to convert input before calling"
    ));
    match ruby::float_of(&call.text(0)) {
        Some(number) => integer(round(number)),
        None => {
            Err(EvalError::new(format!("{function}(): cannot convert given value to a floating point value.")).into())
        }
    }
}

/// Rounds to the nearest integer, halves away from zero. Integers are converted to a float first, as in the reference.
fn round(value: &Value) -> Outcome {
    let number = match value {
        Value::Float(number) => *number,
        Value::Integer(number) => *number as f64,
        _ => ruby::to_f(&value.inspect()),
    };
    integer(if number > 0.0 { number + 0.5 } else { number - 0.5 })
}

fn integer(number: f64) -> Outcome {
    // The message is Ruby's name of infinity or NaN.
    ruby::to_integer(number).ok_or_else(|| EvalError::new(Value::Float(number).inspect()).into())
}
