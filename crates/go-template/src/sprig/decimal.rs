//! Arithmetic with decimal numbers of any length.

use dashu_int::{IBig, UBig};

use super::convert::number;
use super::{count, exactly};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let fold = |first: &Value, others: &[Value], join: Join| {
        let start = Decimal::from_float(number(first))?;
        let all = others.iter().map(|value| Decimal::from_float(number(value)));
        all.into_iter().try_fold(start, |sum, value| join(sum, value?)).and_then(|sum| sum.to_value())
    };
    let with_first = |join: Join| match arguments.split_first() {
        Some((first, others)) => fold(first, others, join),
        None => Err(count(arguments, 1)),
    };
    Some(match name {
        "addf" => fold(&Value::Int(0), arguments, Decimal::add),
        "add1f" => exactly::<1>(arguments).and_then(|[value]| fold(value, &[Value::Int(1)], Decimal::add)),
        "subf" => with_first(|one, other| one.add(other.negated())),
        "mulf" => with_first(Decimal::multiply),
        "divf" => with_first(Decimal::divide),
        _ => return None,
    })
}

type Join = fn(Decimal, Decimal) -> Result<Decimal, Fault>;

/// The largest exponent with which is computed: that of a product of a few floating-point numbers.
const MAX_EXPONENT: i64 = 10_000;

/// The decimal places of a quotient.
const PLACES: i64 = 16;

/// The number `digits × 10^exponent`.
struct Decimal {
    digits: IBig,
    exponent: i64,
}

impl Decimal {
    fn new(digits: IBig, exponent: i64) -> Result<Decimal, Fault> {
        if exponent.abs() > MAX_EXPONENT {
            return Err(Fault::NotHere("a number with more than 10,000 digits".to_owned()));
        }
        Ok(Decimal { digits, exponent })
    }

    /// The shortest decimal number that is read as a floating-point number.
    fn from_float(float: f64) -> Result<Decimal, Fault> {
        let written = format!("{float:e}");
        let parts = written.split_once('e').and_then(|(mantissa, exponent)| {
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let digits = format!("{whole}{fraction}").parse::<IBig>();
            // The text is that of a number, unless it is infinite.
            let (digits, exponent) = (digits.ok()?, exponent.parse::<i64>().ok()?);
            Some((digits, exponent - i64::try_from(fraction.len()).ok()?))
        });
        let (digits, exponent) = parts.ok_or_else(|| Fault::error(format!("Cannot create a Decimal from {float}")))?;
        Decimal::new(digits, exponent)
    }

    fn to_value(&self) -> Result<Value, Fault> {
        let text = format!("{}e{}", self.digits, self.exponent);
        let float = text.parse().map_err(|_| Fault::NotHere(format!("the number {text}")))?;
        Ok(Value::Float(float))
    }

    fn negated(self) -> Decimal {
        Decimal { digits: -self.digits, exponent: self.exponent }
    }

    fn add(self, other: Decimal) -> Result<Decimal, Fault> {
        let exponent = self.exponent.min(other.exponent);
        let digits = self.digits * power(self.exponent - exponent) + other.digits * power(other.exponent - exponent);
        Decimal::new(digits, exponent)
    }

    fn multiply(self, other: Decimal) -> Result<Decimal, Fault> {
        Decimal::new(self.digits * other.digits, self.exponent + other.exponent)
    }

    /// Divides, rounds to 16 places, and a half away from zero.
    fn divide(self, other: Decimal) -> Result<Decimal, Fault> {
        let zero = IBig::from(0);
        if other.digits == zero {
            return Err(Fault::error("decimal division by 0"));
        }
        let shift = self.exponent - other.exponent + PLACES;
        let (over, under) = (self.digits * power(shift.max(0)), other.digits * power((-shift).max(0)));
        let quotient = &over / &under;
        let remainder = &over - &quotient * &under;
        let is_negative = (over < zero) != (under < zero);
        let magnitude = |value: IBig| if value < zero { -value } else { value };
        let is_half = magnitude(remainder) * IBig::from(2) >= magnitude(under);
        let digits = match (is_half, is_negative) {
            (false, _) => quotient,
            (true, true) => quotient - IBig::from(1),
            (true, false) => quotient + IBig::from(1),
        };
        Decimal::new(digits, -PLACES)
    }
}

/// A power of ten. The exponents of numbers are limited.
fn power(exponent: i64) -> IBig {
    UBig::from(10_u8).pow(usize::try_from(exponent).unwrap_or(0)).into()
}
