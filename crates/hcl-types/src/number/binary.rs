//! A finite number as mantissa, exponent and precision.
//!
//! The precision of a result is that of the more precise operand. Numbers are rounded to the nearest, halves to even,
//! as in <https://pkg.go.dev/math/big#Float>.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, Sign, UBig};

use super::PRECISION;

/// `mantissa × 2^exponent`, rounded to `precision` bits. The mantissa is odd, or zero.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    negative: bool,
    mantissa: UBig,
    exponent: isize,
    precision: usize,
}

impl Binary {
    pub(super) fn new(negative: bool, mantissa: UBig, exponent: isize, precision: usize) -> Self {
        let (mantissa, exponent) = rounded(mantissa, exponent, precision);
        Self { negative, mantissa, exponent, precision }
    }

    /// With all bits that it has.
    pub(super) fn exact(negative: bool, mantissa: UBig, exponent: isize) -> Self {
        let precision = mantissa.bit_len().max(1);
        Self::new(negative, mantissa, exponent, precision)
    }

    pub(super) fn from_i64(value: i64, precision: usize) -> Self {
        Self::new(value < 0, UBig::from(value.unsigned_abs()), 0, precision)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// Exact; the value must be finite.
    pub(super) fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        // Eleven bits always fit.
        let biased = ((bits >> 52) & 0x7ff) as isize;
        let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        Self::new(value < 0.0, UBig::from(mantissa), exponent, 53)
    }

    /// A whole number has the precision that it needs, at least that of a machine word.
    pub(super) fn from_digits(digits: &str, base: u32) -> Option<Self> {
        let (sign, magnitude) = IBig::from_str_radix(digits, base).ok()?.into_parts();
        let precision = magnitude.bit_len().max(64);
        Some(Self::new(sign == Sign::Negative, magnitude, 0, precision))
    }

    pub(super) fn to_digits(&self, base: u32) -> Option<String> {
        let whole = &self.mantissa << usize::try_from(self.exponent).ok()?;
        let sign = if self.negative { "-" } else { "" };
        Some(format!("{sign}{}", whole.in_radix(u8::try_from(base).ok()?)))
    }

    /// The mantissa, odd unless it is zero, and the exponent.
    pub(super) fn parts(&self) -> (&UBig, isize) {
        (&self.mantissa, self.exponent)
    }

    pub(super) fn precision(&self) -> usize {
        self.precision
    }

    pub(super) fn with_precision(&self, precision: usize) -> Self {
        Self::new(self.negative, self.mantissa.clone(), self.exponent, precision)
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(super) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// Times that power of two.
    pub(super) fn shifted(self, power: isize) -> Self {
        if self.is_zero() { self } else { Self { exponent: self.exponent + power, ..self } }
    }

    /// The integer parts of the bounds of the number if only that many of its leading bits are correct.
    pub(super) fn whole_within(&self, bits: usize) -> (UBig, UBig) {
        let size = self.mantissa.bit_len();
        // As wide as the bits that are right, so that an error is one unit.
        let (aligned, exponent) = if size < bits {
            let more = bits - size;
            (&self.mantissa << more, self.exponent - more as isize)
        } else {
            (self.mantissa.clone(), self.exponent)
        };
        let error = UBig::ONE << aligned.bit_len().saturating_sub(bits);
        let whole = |number: UBig| match usize::try_from(exponent) {
            Ok(shift) => number << shift,
            Err(_) => number >> exponent.unsigned_abs(),
        };
        let low = if aligned > error { &aligned - &error } else { UBig::ZERO };
        (whole(low), whole(aligned + error))
    }

    /// The position of its highest bit: the number is below two to that power.
    pub(super) fn top(&self) -> isize {
        // Mantissas are far below the size of the address space.
        self.mantissa.bit_len() as isize + self.exponent
    }

    pub(super) fn to_i64(&self) -> Option<i64> {
        let shift = u32::try_from(self.exponent).ok().filter(|shift| *shift < 64)?;
        let magnitude = i128::from(u64::try_from(&self.mantissa).ok()?) << shift;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    pub(super) fn to_f64(&self) -> f64 {
        let top = self.top();
        if top > 1024 {
            return if self.negative { f64::NEG_INFINITY } else { f64::INFINITY };
        }
        // Numbers below the smallest normal one have fewer bits.
        let bits = (top + 1074).clamp(0, 53);
        if bits == 0 {
            // A number above half of the smallest one rounds up to it. Exactly half of it, a power of two, rounds to
            // zero, which is even.
            let smallest = top == -1074 && !self.mantissa.is_one();
            let value = if smallest { f64::from_bits(1) } else { 0.0 };
            return if self.negative { -value } else { value };
        }
        let nearest = self.with_precision(bits as usize);
        let mantissa = u64::try_from(&nearest.mantissa).map_or(0.0, |small| small as f64);
        // In two steps, because the factor may be out of range while the result is not.
        let half = nearest.exponent / 2;
        let power = |exponent: isize| 2f64.powi(i32::try_from(exponent).unwrap_or(i32::MIN));
        let value = mantissa * power(half) * power(nearest.exponent - half);
        if self.negative { -value } else { value }
    }

    pub(super) fn truncate(&self) -> Self {
        if self.exponent >= 0 {
            return self.clone();
        }
        Self::new(self.negative, &self.mantissa >> self.exponent.unsigned_abs(), 0, self.precision)
    }

    pub(super) fn negate(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let precision = self.precision.max(other.precision);
        let (high, low) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        if low.mantissa.is_zero() {
            return high.with_precision(precision);
        }
        if high.mantissa.is_zero() {
            return low.with_precision(precision);
        }
        // A number that begins far below the last bit of the other's can only break ties: any one so small will do.
        let floor = high.top() - (precision.max(high.mantissa.bit_len()) as isize) - 3;
        let (low_mantissa, low_exponent) =
            if low.top() < floor { (UBig::ONE, floor) } else { (low.mantissa.clone(), low.exponent) };
        let exponent = high.exponent.min(low_exponent);
        let signed = |negative: bool, mantissa: &UBig, from: isize| {
            let sign = if negative { Sign::Negative } else { Sign::Positive };
            IBig::from_parts(sign, mantissa << (from - exponent).unsigned_abs())
        };
        let sum =
            signed(high.negative, &high.mantissa, high.exponent) + signed(low.negative, &low_mantissa, low_exponent);
        let (sign, magnitude) = sum.into_parts();
        Self::new(sign == Sign::Negative, magnitude, exponent, precision)
    }

    /// Exact up to 512 bits, even if the factors have fewer.
    pub(super) fn multiply(&self, other: &Self) -> Self {
        let product = self.multiply_rounded(other, PRECISION);
        let needed = product.mantissa.bit_len();
        Self { precision: self.precision.max(other.precision).max(needed), ..product }
    }

    pub(super) fn multiply_rounded(&self, other: &Self, precision: usize) -> Self {
        let negative = self.negative != other.negative;
        Self::new(negative, &self.mantissa * &other.mantissa, self.exponent + other.exponent, precision)
    }

    /// The divisor must not be zero.
    pub(super) fn divide(&self, other: &Self) -> Self {
        self.divide_rounded(other, self.precision.max(other.precision))
    }

    /// The divisor must not be zero.
    pub(super) fn divide_rounded(&self, other: &Self, precision: usize) -> Self {
        // A quotient with more bits than required, whose last bit is set if there is a remainder, rounds like the exact
        // one.
        let shift = (precision + 2 + other.mantissa.bit_len()).saturating_sub(self.mantissa.bit_len());
        let (quotient, rest) = (&self.mantissa << shift).div_rem(&other.mantissa);
        let mut quotient = quotient << 1;
        if !rest.is_zero() {
            quotient += 1u8;
        }
        let exponent = self.exponent - other.exponent - shift as isize - 1;
        Self::new(self.negative != other.negative, quotient, exponent, precision)
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self.mantissa.is_zero(), other.mantissa.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return if other.negative { Ordering::Greater } else { Ordering::Less },
            (false, true) => return if self.negative { Ordering::Less } else { Ordering::Greater },
            (false, false) => {}
        }
        if self.negative != other.negative {
            return if self.negative { Ordering::Less } else { Ordering::Greater };
        }
        let magnitude = self.top().cmp(&other.top()).then_with(|| {
            // The highest bits are equal, so the shifts are not larger than the mantissas.
            let low = self.exponent.min(other.exponent);
            let aligned = |number: &Self| &number.mantissa << (number.exponent - low).unsigned_abs();
            aligned(self).cmp(&aligned(other))
        });
        if self.negative { magnitude.reverse() } else { magnitude }
    }
}

/// Rounds to the nearest with that many bits, halves to even, and removes trailing zeros.
fn rounded(mantissa: UBig, exponent: isize, precision: usize) -> (UBig, isize) {
    let (mut mantissa, mut exponent) = (mantissa, exponent);
    let excess = mantissa.bit_len().saturating_sub(precision);
    if excess > 0 {
        let half = mantissa.bit(excess - 1);
        let beyond_half = mantissa.trailing_zeros().is_some_and(|zeros| zeros < excess - 1);
        mantissa >>= excess;
        exponent += excess as isize;
        if half && (beyond_half || mantissa.bit(0)) {
            mantissa += 1u8;
        }
    }
    match mantissa.trailing_zeros() {
        None => (mantissa, 0),
        Some(0) => (mantissa, exponent),
        Some(zeros) => (mantissa >> zeros, exponent + zeros as isize),
    }
}

impl Hash for Binary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.negative, &self.mantissa, self.exponent).hash(state);
    }
}
