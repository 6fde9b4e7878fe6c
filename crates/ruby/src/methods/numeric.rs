//! Methods that integers and floats share, and the parser of numbers.

use num_bigint::BigInt;

use super::Natives;
use crate::symbol::{Symbol, known};
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

/// A whole float as an integer.
pub(crate) fn float_to_big(number: f64) -> BigInt {
    if number.abs() < 9.0e18 {
        return BigInt::from(number as i64);
    }
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = BigInt::from((bits & ((1 << 52) - 1)) | (1 << 52));
    let magnitude = if exponent >= 0 { mantissa << exponent as u64 } else { mantissa >> (-exponent) as u64 };
    if number < 0.0 { -magnitude } else { magnitude }
}

/// A large integer as the nearest float.
pub(crate) fn big_to_float(number: &BigInt) -> f64 {
    let bits = number.bits();
    if bits <= 1024 {
        // The standard library rounds decimal strings correctly.
        return number.to_string().parse().unwrap_or(f64::INFINITY);
    }
    if number.sign() == num_bigint::Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY }
}

/// Charges the steps of parsing an integer of this number of digits.
pub(super) fn charge_digits(vm: &mut Vm<'_>, digits: usize) -> Outcome<()> {
    vm.steps((digits / 16).saturating_mul(digits / 64))
}

/// Reads an integer; strictly as `Integer()` does, or as much as there is, as `to_i` does. Base 0 follows the prefix.
pub(super) fn parse_integer(text: &str, base: i64, strict: bool) -> Option<BigInt> {
    let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    if strict && text.contains('\0') {
        return None;
    }
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let lower = digits.get(..2).map(str::to_ascii_lowercase);
    let prefix = match lower.as_deref() {
        Some("0x") => Some(16),
        Some("0b") => Some(2),
        Some("0o") => Some(8),
        Some("0d") => Some(10),
        _ => None,
    };
    let (radix, digits) = match (base, prefix) {
        (0, Some(radix)) => (radix, &digits[2..]),
        (0, None) if digits.len() > 1 && digits.starts_with('0') => {
            (8, digits[1..].strip_prefix('_').unwrap_or(&digits[1..]))
        }
        (0, None) => (10, digits),
        (base, Some(radix)) if base == radix => (radix, &digits[2..]),
        (base, _) => (base, digits),
    };
    let radix = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix))?;
    let mut clean = String::new();
    let mut underscore = true;
    let mut rest = digits.chars();
    for one in rest.by_ref() {
        if one == '_' {
            if underscore {
                if strict {
                    return None;
                }
                break;
            }
            underscore = true;
        } else if one.is_digit(radix) {
            clean.push(one);
            underscore = false;
        } else {
            if strict {
                return None;
            }
            underscore = false;
            break;
        }
    }
    if strict && (clean.is_empty() || underscore) {
        return None;
    }
    if clean.is_empty() {
        return Some(BigInt::from(0));
    }
    let number = BigInt::parse_bytes(clean.as_bytes(), radix)?;
    Some(if negative { -number } else { number })
}

/// Reads a float; strictly as `Float()` does, or as much as there is.
pub(super) fn parse_float(text: &str, strict: bool) -> Option<f64> {
    let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    if strict && (trimmed.is_empty() || trimmed.contains("__") || trimmed.contains('\0')) {
        return None;
    }
    let bytes = trimmed.as_bytes();
    let lower = trimmed.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['-', '+']);
    if unsigned.starts_with("0x") {
        return if strict { parse_integer(trimmed, 16, true).map(|number| big_to_float(&number)) } else { Some(0.0) };
    }
    let mut clean = String::new();
    let mut at = 0;
    if let Some(sign @ (b'-' | b'+')) = bytes.first() {
        clean.push(char::from(*sign));
        at = 1;
    }
    let digits = |clean: &mut String, at: &mut usize| {
        let start = clean.len();
        while let Some(byte) = bytes.get(*at) {
            let underscore = *byte == b'_' && clean.len() > start && bytes.get(*at + 1).is_some_and(u8::is_ascii_digit);
            if byte.is_ascii_digit() {
                clean.push(char::from(*byte));
            } else if !underscore {
                break;
            }
            *at += 1;
        }
        clean.len() > start
    };
    if !digits(&mut clean, &mut at) {
        if strict || bytes.get(at) != Some(&b'.') || !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            return if strict { None } else { Some(0.0) };
        }
        clean.push('0');
    }
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        clean.push('.');
        at += 1;
        digits(&mut clean, &mut at);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = matches!(bytes.get(at + 1), Some(b'-' | b'+'));
        if bytes.get(at + 1 + usize::from(sign)).is_some_and(u8::is_ascii_digit) {
            clean.push('e');
            at += 1;
            if sign {
                clean.push(char::from(bytes[at]));
                at += 1;
            }
            digits(&mut clean, &mut at);
        }
    }
    if strict && at != bytes.len() {
        return None;
    }
    clean.parse().ok()
}

/// Applies an operator to an operand that is not a number, through the operand's `coerce`.
pub(super) fn coerced(vm: &mut Vm<'_>, me: &Value, other: &Value, operator: Symbol) -> Outcome {
    if matches!(other, Value::Object(_)) && vm.responds(other, known::COERCE) {
        let pair = vm.call(other, known::COERCE, Args::one(me.clone()))?;
        if let [a, b] = &vm.splat(&pair)?[..] {
            return vm.call(a, operator, Args::one(b.clone()));
        }
    }
    if [known::LT, known::LE, known::GT, known::GE].contains(&operator) {
        return Err(vm.not_comparable(me, other));
    }
    let class = vm.class_name(me);
    let label = match other {
        Value::Nil | Value::Bool(_) => vm.conversion_name(other),
        Value::Sym(_) | Value::Float(_) => vm.inspect(other)?,
        other => vm.class_name(other),
    };
    Err(vm.type_error(format!("{label} can't be coerced into {class}")))
}

pub(super) const METHODS: Natives = &[
    ("integer?", 0, 0, |_, me, _| Ok(matches!(me, Value::Int(_) | Value::Big(_)).into())),
    ("real?", 0, 0, |_, _, _| Ok(true.into())),
    ("+@", 0, 0, |_, me, _| Ok(me.clone())),
    ("coerce", 1, 1, |vm, me, a| match (me, a.at(0)) {
        (Value::Int(_) | Value::Big(_), other @ (Value::Int(_) | Value::Big(_))) => Ok(Value::pair(other, me.clone())),
        (_, Value::Str(text)) => match text.with(|text| parse_float(text, true)) {
            Some(number) => {
                let own = vm.to_float(me)?;
                Ok(Value::pair(number.into(), own.into()))
            }
            None => {
                let shown = vm.inspect(&a.at(0))?;
                Err(vm.argument_error(format!("invalid value for Float(): {shown}")))
            }
        },
        (_, other) => {
            let (other, own) = (vm.to_float(&other)?, vm.to_float(me)?);
            Ok(Value::pair(other.into(), own.into()))
        }
    }),
];
