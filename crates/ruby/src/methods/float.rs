//! Floats, and `Math`.

use super::Natives;
use super::integer::ordering;
use super::numeric::coerced;
use super::{big_to_float, float_to_big};
use crate::symbol::{Symbol, known};
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

use std::cmp::Ordering::{Equal, Greater, Less};

fn own(me: &Value) -> f64 {
    if let Value::Float(number) = me { *number } else { 0.0 }
}

fn modulo(a: f64, b: f64) -> f64 {
    if b.is_infinite() && a.is_finite() {
        return if a == 0.0 || (a < 0.0) == (b < 0.0) { a } else { b };
    }
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

pub(super) fn arithmetic(vm: &mut Vm<'_>, me: &Value, other: &Value, operator: Symbol) -> Outcome {
    let a = own(me);
    let b = match other {
        Value::Float(number) => *number,
        Value::Int(number) => *number as f64,
        Value::Big(number) => big_to_float(number),
        _ => return coerced(vm, me, other, operator),
    };
    Ok(Value::Float(match operator {
        known::PLUS => a + b,
        known::MINUS => a - b,
        known::TIMES => a * b,
        known::DIVIDE => a / b,
        known::MODULO => modulo(a, b),
        _ if a < 0.0 && b.fract() != 0.0 => return Err(vm.unsupported("a complex number")),
        _ => a.powf(b),
    }))
}

fn whole(vm: &mut Vm<'_>, number: f64) -> Outcome {
    if number.is_finite() {
        return Ok(Value::big(float_to_big(number)));
    }
    let class = vm.st.classes.float_domain_error.clone();
    Err(vm.error(&class, hieratic_value::text::float(number)))
}

/// Rounds to digits after the decimal point, exactly: a float is a decimal fraction, and that is rounded.
fn round_digits(number: f64, digits: usize, mode: Mode) -> f64 {
    if !number.is_finite() || number == 0.0 || overflows(number, digits) {
        return number;
    }
    if digits <= 14 && matches!(mode, Mode::Floor | Mode::Ceil | Mode::Truncate) {
        // As in MRI, by a multiplication with a correction for a lost digit.
        let unit = 10_f64.powi(digits as i32);
        let down = matches!(mode, Mode::Floor) || (matches!(mode, Mode::Truncate) && number > 0.0);
        let (whole, step) = if down { ((number * unit).floor(), 1.0) } else { ((number * unit).ceil(), -1.0) };
        let next = (whole + step) / unit;
        let missed = if down { next <= number } else { next >= number };
        return if missed { next } else { whole / unit };
    }
    let exact = format!("{:.*}", 1100, number.abs());
    let (int, fraction) = exact.split_once('.').unwrap_or((&exact, ""));
    let kept = &fraction[..digits];
    let rest = &fraction[digits..];
    // Ruby detects a half by the shortest decimal form of the number.
    let is_half = {
        let shortest = format!("{}", number.abs());
        let tail = shortest.split_once('.').map_or("", |(_, tail)| tail);
        tail.len() == digits + 1 && tail.ends_with('5')
    };
    let above = rest.as_bytes().first().is_some_and(|first| *first >= b'5');
    let negative = number.is_sign_negative();
    let nonzero = rest.bytes().any(|digit| digit != b'0');
    let up = match mode {
        Mode::Floor => negative && nonzero,
        Mode::Ceil => !negative && nonzero,
        Mode::Truncate => false,
        Mode::HalfUp => above || is_half,
        Mode::HalfDown => above && !is_half,
        Mode::HalfEven => {
            let last = kept.bytes().last().or(int.bytes().last()).unwrap_or(b'0');
            if is_half { (last - b'0') % 2 == 1 } else { above }
        }
    };
    let text = format!("{int}{kept}");
    let mut units: num_bigint::BigInt = text.parse().unwrap_or_default();
    if up {
        units += 1;
    }
    let text = units.to_string();
    let text = format!("{text:0>width$}", width = digits + 1);
    let (int, fraction) = text.split_at(text.len() - digits);
    let value: f64 = format!("{int}.{fraction}").parse().unwrap_or(number);
    if negative { -value } else { value }
}

/// Returns whether rounding to this number of digits cannot change the float.
fn overflows(number: f64, digits: usize) -> bool {
    let exponent = ((number.to_bits() >> 52) & 0x7ff) as i64 - 1022;
    digits as i64 >= 17 - if exponent > 0 { exponent / 4 } else { exponent / 3 - 1 }
}

#[derive(Clone, Copy)]
enum Mode {
    Floor,
    Ceil,
    Truncate,
    HalfUp,
    HalfDown,
    HalfEven,
}

fn rounded(vm: &mut Vm<'_>, me: &Value, a: &Args, mode: Mode) -> Outcome {
    let digits = match a.positional().first() {
        Some(Value::Nil) | None => 0,
        Some(digits) => vm.to_int(digits)?,
    };
    let number = own(me);
    if digits > 0 {
        return Ok(Value::Float(round_digits(number, digits as usize, mode)));
    }
    let value = match mode {
        Mode::Floor => number.floor(),
        Mode::Ceil => number.ceil(),
        Mode::Truncate => number.trunc(),
        Mode::HalfUp => number.round(),
        Mode::HalfDown => {
            let low = number.trunc();
            if (number - low).abs() > 0.5 { low + number.signum() } else { low }
        }
        Mode::HalfEven => number.round_ties_even(),
    };
    let value = whole(vm, value)?;
    if digits == 0 {
        return Ok(value);
    }
    let name = match mode {
        Mode::Floor => "floor",
        Mode::Ceil => "ceil",
        Mode::Truncate => "truncate",
        _ => "round",
    };
    let base = whole(vm, number.trunc())?;
    vm.send(if matches!(mode, Mode::Floor | Mode::Ceil) { &value } else { &base }, name, &[Value::Int(digits)])
}

pub(super) const METHODS: Natives = &[
    ("+", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::PLUS)),
    ("-", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MINUS)),
    ("*", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::TIMES)),
    ("/", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::DIVIDE)),
    ("fdiv", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::DIVIDE)),
    ("quo", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::DIVIDE)),
    ("%", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MODULO)),
    ("modulo", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MODULO)),
    ("**", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::POW)),
    ("pow", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::POW)),
    ("divmod", 1, 1, |vm, me, a| {
        let b = vm.to_float(&a.at(0))?;
        if b == 0.0 {
            let class = vm.st.classes.zero_division.clone();
            return Err(vm.error(&class, "divided by 0"));
        }
        let rest = modulo(own(me), b);
        let quotient = whole(vm, ((own(me) - rest) / b).round())?;
        Ok(Value::pair(quotient, Value::Float(rest)))
    }),
    ("div", 1, 1, |vm, me, a| {
        let b = vm.to_float(&a.at(0))?;
        if b == 0.0 {
            let class = vm.st.classes.zero_division.clone();
            return Err(vm.error(&class, "divided by 0"));
        }
        whole(vm, (own(me) / b).floor())
    }),
    ("-@", 0, 0, |_, me, _| Ok(Value::Float(-own(me)))),
    ("==", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
    ("<=>", 1, 1, |vm, me, a| {
        let order = vm.compare(me, &a.at(0))?;
        Ok(order.map(|order| Value::Int(order as i64)).into())
    }),
    ordering!("<", LT, Less),
    ordering!("<=", LE, Less | Equal),
    ordering!(">", GT, Greater),
    ordering!(">=", GE, Greater | Equal),
    ("to_s", 0, 0, |_, me, _| Ok(Value::string(hieratic_value::text::float(own(me))))),
    ("inspect", 0, 0, |_, me, _| Ok(Value::string(hieratic_value::text::float(own(me))))),
    ("to_f", 0, 0, |_, me, _| Ok(me.clone())),
    ("to_i", 0, 0, |vm, me, _| whole(vm, own(me).trunc())),
    ("to_int", 0, 0, |vm, me, _| whole(vm, own(me).trunc())),
    ("nan?", 0, 0, |_, me, _| Ok(own(me).is_nan().into())),
    ("finite?", 0, 0, |_, me, _| Ok(own(me).is_finite().into())),
    ("infinite?", 0, 0, |_, me, _| {
        let number = own(me);
        Ok(if number.is_infinite() { Value::Int(if number > 0.0 { 1 } else { -1 }) } else { Value::Nil })
    }),
    ("zero?", 0, 0, |_, me, _| Ok((own(me) == 0.0).into())),
    ("abs", 0, 0, |_, me, _| Ok(Value::Float(own(me).abs()))),
    ("magnitude", 0, 0, |_, me, _| Ok(Value::Float(own(me).abs()))),
    ("floor", 0, 1, |vm, me, a| rounded(vm, me, a, Mode::Floor)),
    ("ceil", 0, 1, |vm, me, a| rounded(vm, me, a, Mode::Ceil)),
    ("truncate", 0, 1, |vm, me, a| rounded(vm, me, a, Mode::Truncate)),
    ("round", 0, 2, |vm, me, a| {
        let mode = match a.keyword_hash() {
            Some(_) => {
                let key = vm.symbol("half");
                let half = vm.send(&a.list[a.len() - 1].clone(), "[]", &[key])?;
                match vm.to_s(&half)?.as_str() {
                    "" | "up" => Mode::HalfUp,
                    "down" => Mode::HalfDown,
                    "even" => Mode::HalfEven,
                    other => return Err(vm.argument_error(format!("invalid rounding mode: {other}"))),
                }
            }
            None => Mode::HalfUp,
        };
        rounded(vm, me, a, mode)
    }),
    ("next_float", 0, 0, |_, me, _| Ok(Value::Float(own(me).next_up()))),
    ("prev_float", 0, 0, |_, me, _| Ok(Value::Float(own(me).next_down()))),
];

macro_rules! math {
    ($($name:literal $function:expr;)*) => {
        &[$((concat!("self.", $name), 1, 1, |vm, _, a| {
            let number = vm.to_float(&a.at(0))?;
            let function: fn(f64) -> f64 = $function;
            let value = function(number);
            if value.is_nan() && !number.is_nan() {
                return Err(vm.named_error("Math::DomainError", concat!("Numerical argument is out of domain - \"", $name, "\"")));
            }
            Ok(Value::Float(value))
        }),)*
        ("self.pow", 2, 2, |vm, _, a| {
            let (base, exponent) = (vm.to_float(&a.at(0))?, vm.to_float(&a.at(1))?);
            Ok(Value::Float(base.powf(exponent)))
        }),
        ("self.atan2", 2, 2, |vm, _, a| {
            let (y, x) = (vm.to_float(&a.at(0))?, vm.to_float(&a.at(1))?);
            Ok(Value::Float(y.atan2(x)))
        }),
        ("self.hypot", 2, 2, |vm, _, a| {
            let (y, x) = (vm.to_float(&a.at(0))?, vm.to_float(&a.at(1))?);
            Ok(Value::Float(y.hypot(x)))
        }),
        ("self.log", 1, 2, |vm, _, a| {
            let number = vm.to_float(&a.at(0))?;
            if number < 0.0 {
                return Err(vm.named_error("Math::DomainError", "Numerical argument is out of domain - \"log\""));
            }
            match a.get(1) {
                Some(base) => {
                    let base = vm.to_float(base)?;
                    Ok(Value::Float(number.ln() / base.ln()))
                }
                None => Ok(Value::Float(number.ln())),
            }
        }),
        ]
    };
}

pub(super) const MATH: Natives = math! {
    "sqrt" f64::sqrt; "cbrt" f64::cbrt; "sin" f64::sin; "cos" f64::cos; "tan" f64::tan; "atan" f64::atan; "exp" f64::exp;
    "log2" f64::log2; "log10" f64::log10; "asin" f64::asin; "acos" f64::acos; "sinh" f64::sinh; "cosh" f64::cosh;
    "tanh" f64::tanh;
};
