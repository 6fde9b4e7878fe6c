//! Parses numbers.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::binary::Binary;
use super::{Number, PRECISION, PrecisionBits, Repr};

/// The largest exponent of a finite number that is written, in bits: ten million digits. The reference has room for sixty times
/// as many, and works on them for minutes.
pub(super) const LARGEST_EXPONENT: i64 = 1 << 25;

pub(super) fn parse(text: &str) -> Option<Number> {
    // Most numbers are short and whole.
    if (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(|small: i64| Number(Repr::Small(small, PrecisionBits::Written)));
    }
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if rest == "Inf" || rest == "inf" {
        return Some(Number(Repr::Infinity { negative }));
    }
    let (mantissa, exponent) = match rest.find(['e', 'E', 'p', 'P']) {
        Some(at) => {
            (rest.get(..at)?, Some((rest.as_bytes().get(at)?.eq_ignore_ascii_case(&b'e'), rest.get(at + 1..)?)))
        }
        None => (rest, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty()
        || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let (decimal, power) = match exponent {
        None => (true, 0),
        Some((decimal, digits)) => (decimal, exponent_of(digits)?),
    };
    let digits = format!("{whole}{fraction}");
    let digits = UBig::from_str_radix(digits.trim_start_matches('0'), 10).ok().unwrap_or(UBig::ZERO);
    if digits.is_zero() {
        return Some(if negative { Number(Repr::NegativeZero) } else { Number::ZERO });
    }
    let mut fives = -i64::try_from(fraction.len()).ok()?;
    let mut twos = fives;
    twos = twos.checked_add(power)?;
    if decimal {
        fives = fives.checked_add(power)?;
    }
    let top = i64::try_from(digits.bit_len()).ok()?.checked_add(twos)?;
    if !(-LARGEST_EXPONENT - 1..=LARGEST_EXPONENT).contains(&top) {
        return None;
    }
    scaled(digits, twos, fives, negative)
}

fn exponent_of(digits: &str) -> Option<i64> {
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let plain = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// `mantissa × 2^twos × 5^fives`, rounded once.
fn scaled(mantissa: UBig, twos: i64, fives: i64, negative: bool) -> Option<Number> {
    let exponent = isize::try_from(twos).ok()?;
    let exact = Binary::exact(negative, mantissa, exponent);
    let value = match fives {
        0 => exact.with_precision(PRECISION),
        1.. => exact.multiply_rounded(&power_of_five(fives.unsigned_abs(), PRECISION + 128), PRECISION),
        _ => exact.divide_rounded(&power_of_five(fives.unsigned_abs(), PRECISION + 128), PRECISION),
    };
    let top = i64::try_from(value.top()).ok()?;
    Some(if top > LARGEST_EXPONENT {
        Number(Repr::Infinity { negative })
    } else if top < -LARGEST_EXPONENT - 1 {
        if negative { Number(Repr::NegativeZero) } else { Number::ZERO }
    } else {
        Number::shrunk(value)
    })
}

/// Exact up to the powers of numbers with a reasonable length; above, rounded to `guarded` bits, as in the reference.
pub(super) fn power_of_five(power: u64, guarded: usize) -> Binary {
    if let Ok(small @ 0..=2_000) = usize::try_from(power) {
        return Binary::exact(false, UBig::from(5u8).pow(small), 0);
    }
    let mut result = Binary::new(false, UBig::ONE, 0, guarded);
    let mut square = Binary::new(false, UBig::from(5u8), 0, guarded);
    let mut left = power;
    while left > 0 {
        if left & 1 == 1 {
            result = result.multiply_rounded(&square, guarded);
        }
        square = square.multiply_rounded(&square, guarded);
        left >>= 1;
    }
    result
}
