//! Integers of any size.

use num_bigint::{BigInt, Sign};

use super::Natives;
use super::numeric::coerced;
use crate::symbol::{Symbol, known};
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

fn big(value: &Value) -> BigInt {
    Vm::as_big(value).unwrap_or_default()
}

fn charge(vm: &mut Vm<'_>, bits: u64) -> Outcome<()> {
    let words = usize::try_from(bits / 64).unwrap_or(usize::MAX);
    vm.build(words.saturating_mul(8))?;
    vm.steps(words)
}

/// Charges the memory of a new integer.
fn new_integer(vm: &mut Vm<'_>, number: BigInt) -> Outcome {
    charge(vm, number.bits())?;
    Ok(Value::big(number))
}

/// Charges the steps of a product or a quotient of numbers with these sizes in bits, which grow with both.
pub(super) fn charge_product(vm: &mut Vm<'_>, left: u64, right: u64) -> Outcome<()> {
    let work = (left / 64 + 1).saturating_mul(right / 64 + 1) / 16;
    vm.steps(usize::try_from(work).unwrap_or(usize::MAX))
}

/// The quotient rounded down, and the remainder with the sign of the divisor.
pub(super) fn divide(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (a / b, a % b);
    if rest.sign() != Sign::NoSign && (rest.sign() == Sign::Minus) != (b.sign() == Sign::Minus) {
        (quotient - 1, rest + b)
    } else {
        (quotient, rest)
    }
}

fn zero(vm: &mut Vm<'_>) -> Outcome {
    let class = vm.st.classes.zero_division.clone();
    Err(vm.error(&class, "divided by 0"))
}

pub(super) fn arithmetic(vm: &mut Vm<'_>, me: &Value, other: &Value, operator: Symbol) -> Outcome {
    if let Value::Float(_) = other {
        let float = Value::Float(vm.to_float(me)?);
        return super::float::arithmetic(vm, &float, other, operator);
    }
    let Some(right) = Vm::as_big(other) else { return coerced(vm, me, other, operator) };
    if let (Value::Int(a), Value::Int(b)) = (me, other) {
        let quick = match operator {
            known::PLUS => a.checked_add(*b),
            known::MINUS => a.checked_sub(*b),
            known::TIMES => a.checked_mul(*b),
            known::DIVIDE if *b != 0 => a.checked_div_euclid(*b).map(|_| {
                let quotient = a.wrapping_div(*b);
                if a % b != 0 && (*a < 0) != (*b < 0) { quotient - 1 } else { quotient }
            }),
            known::MODULO if *b != 0 => {
                a.checked_rem(*b).map(|rest| if rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest })
            }
            _ => None,
        };
        if let Some(value) = quick {
            return Ok(Value::Int(value));
        }
    }
    let left = big(me);
    charge(vm, left.bits() + right.bits())?;
    Ok(Value::big(match operator {
        known::PLUS => left + right,
        known::MINUS => left - right,
        known::TIMES => {
            charge_product(vm, left.bits(), right.bits())?;
            left * right
        }
        _ if right.sign() == Sign::NoSign => return zero(vm),
        _ => {
            charge_product(vm, left.bits(), right.bits())?;
            let (quotient, rest) = divide(&left, &right);
            if operator == known::DIVIDE { quotient } else { rest }
        }
    }))
}

fn power(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let base = big(me);
    if let Some(modulus) = a.get(1) {
        let (Some(exponent), Some(modulus)) = (Vm::as_big(&a.at(0)), Vm::as_big(modulus)) else {
            return Err(vm.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
        };
        if exponent.sign() == Sign::Minus {
            return Err(vm.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
        }
        if modulus.sign() == Sign::NoSign {
            return zero(vm);
        }
        let words = modulus.bits() / 64 + 1;
        let work = exponent.bits().saturating_mul(words).saturating_mul(words) / 2;
        vm.steps(usize::try_from(work).unwrap_or(usize::MAX))?;
        let result = base.modpow(&exponent, &modulus);
        return Ok(Value::big(result));
    }
    match a.at(0) {
        Value::Float(exponent) => {
            let base = vm.to_float(me)?;
            if base < 0.0 && exponent.fract() != 0.0 {
                return Err(vm.unsupported("a complex number"));
            }
            Ok(Value::Float(base.powf(exponent)))
        }
        Value::Int(exponent) if exponent >= 0 => {
            let bits = base.bits().saturating_mul(exponent.unsigned_abs());
            if bits > 32 << 20 && base.bits() > 1 {
                return Ok(Value::Float(f64::INFINITY));
            }
            charge(vm, bits)?;
            vm.steps(usize::try_from((bits / 64).saturating_mul(bits / 4096)).unwrap_or(usize::MAX))?;
            let exponent = if base.bits() <= 1 {
                (exponent % 2 + if exponent > 0 { 2 } else { 0 }) as u32
            } else {
                exponent as u32
            };
            Ok(Value::big(base.pow(exponent)))
        }
        // A power whose exponent has more than 64 bits is larger than any number.
        Value::Big(_) if base.bits() > 1 => Ok(Value::Float(f64::INFINITY)),
        Value::Int(_) | Value::Big(_) => Err(vm.unsupported("a rational number")),
        other => coerced(vm, me, &other, known::POW),
    }
}

fn bitwise(vm: &mut Vm<'_>, me: &Value, a: &Args, operator: Symbol) -> Outcome {
    let Some(other) = Vm::as_big(&a.at(0)) else {
        let label = match a.at(0) {
            other @ (Value::Float(_) | Value::Sym(_)) => vm.inspect(&other)?,
            other => vm.conversion_name(&other),
        };
        return Err(vm.type_error(format!("{label} can't be coerced into Integer")));
    };
    let own = big(me);
    let number = match operator {
        known::AND => own & other,
        known::OR => own | other,
        _ => own ^ other,
    };
    new_integer(vm, number)
}

fn shift(vm: &mut Vm<'_>, me: &Value, by: &Value, left: bool) -> Outcome {
    let by = vm.to_int(by)?;
    let by = if left { by } else { by.saturating_neg() };
    let own = big(me);
    if by >= 0 {
        if by > 1 << 31 {
            return Err(vm.range_error("shift width too big"));
        }
        charge(vm, own.bits().saturating_add(by as u64))?;
        return Ok(Value::big(own << by as u64));
    }
    let by = by.unsigned_abs();
    if by > own.bits() {
        return Ok(Value::Int(if own.sign() == Sign::Minus { -1 } else { 0 }));
    }
    new_integer(vm, own >> by)
}

/// The greatest common divisor, by Lehmer's method: many steps of Euclid's are done with the first bits of both numbers alone.
fn common_divisor(vm: &mut Vm<'_>, a: BigInt, b: BigInt) -> Outcome<BigInt> {
    let (mut a, mut b): (BigInt, BigInt) = (a.magnitude().clone().into(), b.magnitude().clone().into());
    if a < b {
        std::mem::swap(&mut a, &mut b);
    }
    while b.sign() != Sign::NoSign {
        // Each iteration reads both numbers a few times.
        vm.steps(((a.bits() + b.bits()) / 512 + 1) as usize)?;
        let shift = a.bits().saturating_sub(62);
        let first = |number: &BigInt| i128::try_from(number >> shift).unwrap_or(0);
        let (mut x, mut y) = (first(&a), first(&b));
        let (mut p, mut q, mut r, mut s) = (1_i128, 0_i128, 0_i128, 1_i128);
        while y + r != 0 && y + s != 0 {
            let quotient = (x + p) / (y + r);
            if quotient != (x + q) / (y + s) {
                break;
            }
            (p, r) = (r, p - quotient * r);
            (q, s) = (s, q - quotient * s);
            (x, y) = (y, x - quotient * y);
        }
        if q == 0 {
            charge_product(vm, a.bits() - b.bits(), b.bits())?;
            let rest = &a % &b;
            (a, b) = (b, rest);
        } else {
            (a, b) = (&a * p + &b * q, &a * r + &b * s);
        }
    }
    Ok(a)
}

/// Rounds to a power of ten: `digits` are negative.
fn round_to(vm: &mut Vm<'_>, me: &Value, digits: i64, how: fn(&BigInt, &BigInt) -> BigInt) -> Outcome {
    if digits >= 0 {
        return Ok(me.clone());
    }
    let digits = digits.unsigned_abs();
    if digits > big(me).bits() {
        return Ok(Value::Int(0));
    }
    let (own, unit) = (big(me).bits(), digits.saturating_mul(4));
    charge(vm, unit)?;
    charge_product(vm, unit, unit.max(own))?;
    let unit = BigInt::from(10).pow(digits as u32);
    new_integer(vm, how(&big(me), &unit))
}

fn half(vm: &mut Vm<'_>, a: &Args) -> Outcome<String> {
    let Some(hash) = a.keyword_hash() else { return Ok("up".into()) };
    let key = vm.symbol("half");
    let key = vm.key(&key)?;
    let value = hash.table.borrow().get(&key).cloned().unwrap_or(Value::Nil);
    let text = vm.to_s(&value)?;
    match text.as_str() {
        "" => Ok("up".into()),
        "up" | "down" | "even" => Ok(text),
        other => Err(vm.argument_error(format!("invalid rounding mode: {other}"))),
    }
}

fn digits_argument(vm: &mut Vm<'_>, a: &Args) -> Outcome<i64> {
    match a.positional().first() {
        Some(digits) => vm.to_int(digits),
        None => Ok(0),
    }
}

fn counted(vm: &mut Vm<'_>, me: &Value, a: &Args, step: i64) -> Outcome {
    let name = if step > 0 { "upto" } else { "downto" };
    let Some(block) = &a.block else { return vm.enumerator(me, name, a) };
    let limit = a.at(0);
    if !matches!(limit, Value::Int(_) | Value::Float(_) | Value::Big(_)) {
        return Err(vm.not_comparable(me, &limit));
    }
    let mut at = me.clone();
    let past = if step > 0 { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less };
    while vm.compare(&at, &limit)? != Some(past) {
        vm.yield1(block, at.clone())?;
        at = arithmetic(vm, &at, &Value::Int(step), known::PLUS)?;
    }
    Ok(me.clone())
}

macro_rules! ordering {
    ($name:literal, $operator:ident, $pattern:pat) => {
        ($name, 1, 1, |vm, me, a| match crate::vm::compare_numbers(me, &a.at(0)) {
            Some(order) => Ok(matches!(order, $pattern).into()),
            None if matches!(a.at(0), Value::Float(_)) => Ok(false.into()),
            None => coerced(vm, me, &a.at(0), known::$operator),
        })
    };
}
pub(super) use ordering;

use std::cmp::Ordering::{Equal, Greater, Less};

pub(super) const METHODS: Natives = &[
    ("object_id", 0, 0, super::object::object_id),
    ("__id__", 0, 0, super::object::object_id),
    ("+", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::PLUS)),
    ("-", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MINUS)),
    ("*", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::TIMES)),
    ("/", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::DIVIDE)),
    ("%", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MODULO)),
    ("modulo", 1, 1, |vm, me, a| arithmetic(vm, me, &a.at(0), known::MODULO)),
    ("div", 1, 1, |vm, me, a| {
        if matches!(a.at(0), Value::Float(number) if number == 0.0) {
            return zero(vm);
        }
        let quotient = arithmetic(vm, me, &a.at(0), known::DIVIDE)?;
        vm.send(&quotient, "floor", &[])
    }),
    ("fdiv", 1, 1, |vm, me, a| {
        let (own, other) = (vm.to_float(me)?, vm.to_float(&a.at(0))?);
        Ok(Value::Float(own / other))
    }),
    ("divmod", 1, 1, |vm, me, a| {
        if let Value::Float(_) = a.at(0) {
            let float = Value::Float(vm.to_float(me)?);
            return vm.send(&float, "divmod", &[a.at(0)]);
        }
        let quotient = arithmetic(vm, me, &a.at(0), known::DIVIDE)?;
        let rest = arithmetic(vm, me, &a.at(0), known::MODULO)?;
        Ok(Value::pair(quotient, rest))
    }),
    ("remainder", 1, 1, |vm, me, a| {
        let rest = arithmetic(vm, me, &a.at(0), known::MODULO)?;
        let (zero, negative) = (Value::Int(0), vm.compare(me, &Value::Int(0))? == Some(Less));
        let other_negative = vm.compare(&a.at(0), &zero)? == Some(Less);
        if vm.equal(&rest, &zero)? || negative == other_negative {
            return Ok(rest);
        }
        arithmetic(vm, &rest, &a.at(0), known::MINUS)
    }),
    ("**", 1, 1, power),
    ("pow", 1, 2, power),
    ("&", 1, 1, |vm, me, a| bitwise(vm, me, a, known::AND)),
    ("|", 1, 1, |vm, me, a| bitwise(vm, me, a, known::OR)),
    ("^", 1, 1, |vm, me, a| bitwise(vm, me, a, known::XOR)),
    ("~", 0, 0, |vm, me, _| new_integer(vm, -big(me) - 1)),
    ("<<", 1, 1, |vm, me, a| shift(vm, me, &a.at(0), true)),
    (">>", 1, 1, |vm, me, a| shift(vm, me, &a.at(0), false)),
    ("[]", 1, 1, |vm, me, a| {
        let shifted = shift(vm, me, &a.at(0), false)?;
        Ok(Value::big(big(&shifted) & BigInt::from(1)))
    }),
    ("-@", 0, 0, |vm, me, _| new_integer(vm, -big(me))),
    ("<=>", 1, 1, |vm, me, a| {
        let order = vm.compare(me, &a.at(0))?;
        Ok(order.map(|order| Value::Int(order as i64)).into())
    }),
    ordering!("<", LT, Less),
    ordering!("<=", LE, Less | Equal),
    ordering!(">", GT, Greater),
    ordering!(">=", GE, Greater | Equal),
    ("to_s", 0, 1, to_s),
    ("inspect", 0, 1, to_s),
    ("to_i", 0, 0, |_, me, _| Ok(me.clone())),
    ("to_int", 0, 0, |_, me, _| Ok(me.clone())),
    ("to_f", 0, 0, |vm, me, _| vm.to_float(me).map(Value::Float)),
    ("chr", 0, 1, |vm, me, a| match me {
        Value::Int(code @ 0..=127) => Ok(Value::string(char::from(*code as u8).to_string())),
        Value::Int(code @ 128..=255) if a.list.is_empty() => Ok(Value::binary(vec![*code as u8])),
        Value::Int(code) => match u32::try_from(*code).ok().and_then(char::from_u32) {
            Some(letter) if !a.list.is_empty() => Ok(Value::string(letter.to_string())),
            _ => Err(vm.range_error(format!("{code} out of char range"))),
        },
        _ => Err(vm.range_error("bignum out of char range")),
    }),
    ("ord", 0, 0, |_, me, _| Ok(me.clone())),
    ("succ", 0, 0, |vm, me, _| arithmetic(vm, me, &Value::Int(1), known::PLUS)),
    ("next", 0, 0, |vm, me, _| arithmetic(vm, me, &Value::Int(1), known::PLUS)),
    ("pred", 0, 0, |vm, me, _| arithmetic(vm, me, &Value::Int(1), known::MINUS)),
    ("abs", 0, 0, |vm, me, _| new_integer(vm, big(me).magnitude().clone().into())),
    ("magnitude", 0, 0, |vm, me, _| new_integer(vm, big(me).magnitude().clone().into())),
    ("even?", 0, 0, |_, me, _| Ok((!big(me).bit(0)).into())),
    ("odd?", 0, 0, |_, me, _| Ok(big(me).bit(0).into())),
    ("zero?", 0, 0, |_, me, _| Ok(matches!(me, Value::Int(0)).into())),
    ("bit_length", 0, 0, |_, me, _| {
        let own = big(me);
        let own = if own.sign() == Sign::Minus { -own - 1 } else { own };
        Ok(Value::Int(own.bits() as i64))
    }),
    ("size", 0, 0, |_, me, _| {
        Ok(Value::Int(match me {
            Value::Int(_) => 8,
            other => (big(other).bits().div_ceil(64) * 8) as i64,
        }))
    }),
    ("finite?", 0, 0, |_, _, _| Ok(true.into())),
    ("infinite?", 0, 0, |_, _, _| Ok(Value::Nil)),
    ("nan?", 0, 0, |_, _, _| Ok(false.into())),
    ("numerator", 0, 0, |_, me, _| Ok(me.clone())),
    ("denominator", 0, 0, |_, _, _| Ok(Value::Int(1))),
    ("floor", 0, 1, |vm, me, a| {
        let digits = digits_argument(vm, a)?;
        round_to(vm, me, digits, |number, unit| divide(number, unit).0 * unit)
    }),
    ("ceil", 0, 1, |vm, me, a| {
        let digits = digits_argument(vm, a)?;
        round_to(vm, me, digits, |number, unit| -(divide(&-number, unit).0 * unit))
    }),
    ("truncate", 0, 1, |vm, me, a| {
        let digits = digits_argument(vm, a)?;
        round_to(vm, me, digits, |number, unit| number / unit * unit)
    }),
    ("round", 0, 2, |vm, me, a| {
        let digits = digits_argument(vm, a)?;
        let half = half(vm, a)?;
        let how: fn(&BigInt, &BigInt) -> BigInt = match half.as_str() {
            "up" => |number, unit| {
                let magnitude: BigInt = number.magnitude().clone().into();
                let rounded: BigInt = (magnitude + unit / 2) / unit * unit;
                if number.sign() == Sign::Minus { -rounded } else { rounded }
            },
            "down" => |number, unit| {
                let magnitude: BigInt = number.magnitude().clone().into();
                let rounded: BigInt = (magnitude + (unit / 2 - 1)) / unit * unit;
                if number.sign() == Sign::Minus { -rounded } else { rounded }
            },
            _ => |number, unit| {
                let (quotient, rest) = divide(number, unit);
                let up = match (rest * 2_i32).cmp(unit) {
                    Less => false,
                    Greater => true,
                    Equal => quotient.bit(0),
                };
                (if up { quotient + 1 } else { quotient }) * unit
            },
        };
        round_to(vm, me, digits, how)
    }),
    ("times", 0, 0, |vm, me, a| {
        let block = super::block_or_enumerator!(vm, me, a, "times");
        let count = vm.to_int(me)?;
        for at in 0..count {
            vm.yield1(&block, Value::Int(at))?;
        }
        Ok(me.clone())
    }),
    ("upto", 1, 1, |vm, me, a| counted(vm, me, a, 1)),
    ("downto", 1, 1, |vm, me, a| counted(vm, me, a, -1)),
    ("digits", 0, 1, |vm, me, a| {
        let base = a.get(0).map_or(Ok(10), |base| vm.to_int(base))?;
        if base < 0 {
            return Err(vm.argument_error("negative radix"));
        }
        if base < 2 {
            return Err(vm.argument_error(format!("invalid radix {base}")));
        }
        let mut left = big(me);
        if left.sign() == Sign::Minus {
            return Err(vm.named_error("Math::DomainError", "out of domain"));
        }
        let base = BigInt::from(base);
        let mut digits = Vec::new();
        vm.steps(usize::try_from(left.bits() * left.bits() / 256).unwrap_or(usize::MAX))?;
        loop {
            let (quotient, rest) = divide(&left, &base);
            digits.push(Value::big(rest));
            left = quotient;
            if left.sign() == Sign::NoSign {
                return Ok(Value::array(digits));
            }
        }
    }),
    ("gcd", 1, 1, |vm, me, a| {
        let Some(b) = Vm::as_big(&a.at(0)) else { return Err(vm.type_error("not an integer")) };
        let divisor = common_divisor(vm, big(me), b)?;
        new_integer(vm, divisor)
    }),
    ("self.sqrt", 1, 1, |vm, _, a| {
        let number = Vm::as_big(&a.at(0)).unwrap_or_default();
        if number.sign() == Sign::Minus {
            return Err(vm.named_error("Math::DomainError", "Numerical argument is out of domain - \"isqrt\""));
        }
        charge_product(vm, number.bits(), number.bits())?;
        new_integer(vm, number.sqrt())
    }),
];

fn to_s(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let base = a.get(0).map_or(Ok(10), |base| vm.to_int(base))?;
    if !(2..=36).contains(&base) {
        return Err(vm.argument_error(format!("invalid radix {base}")));
    }
    match me {
        Value::Int(number) if base == 10 => Ok(Value::string(number.to_string())),
        other => {
            let number = big(other);
            let words = (number.bits() / 64) as usize;
            vm.steps(words * (words / 64) + 1)?;
            vm.build(words * 20)?;
            Ok(Value::string(number.to_str_radix(base as u32)))
        }
    }
}
