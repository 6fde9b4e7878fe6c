//! Numbers: binary floating point of 512 bits, and two infinities.
//!
//! Whole numbers that fit into a machine word are stored as integers, because nearly all do. The results are the same.
//! Source of the rules: <https://github.com/zclconf/go-cty/blob/main/docs/types.md#primitive-types>.

mod binary;
mod decimal;
mod parse;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use binary::Binary;

/// The precision in bits of numbers that are parsed.
const PRECISION: usize = 512;

/// The number of digits that [`Number::digits`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// The fewest digits that parse to the same number.
    Shortest,
    /// At most this many significant digits.
    Significant(usize),
    /// At most this many digits after the point.
    Fraction(usize),
}

/// A number: exact up to 512 bits, or infinite.
///
/// ```
/// # use hieratic_hcl_types::Number;
/// let tenth = Number::parse("0.1").unwrap();
/// let fifth = Number::parse("0.2").unwrap();
/// assert_eq!(tenth.add(&fifth), Some(Number::parse("0.3").unwrap()));
/// assert_eq!(fifth.to_string(), "0.2");
/// ```
#[derive(Clone)]
pub struct Number(Repr);

#[derive(Clone)]
enum Repr {
    /// A whole number that fits its precision.
    Small(i64, PrecisionBits),
    Big(Arc<Binary>),
    NegativeZero,
    Infinity {
        negative: bool,
    },
}

/// The precision of a number in bits. Results have the precision of the more precise operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PrecisionBits {
    /// 53: a machine's floating point number, as `pow` and `log` give it.
    Double,
    /// 64: a machine word, such as a length or an index.
    Word,
    /// 512: a number that was written.
    Written,
}

impl PrecisionBits {
    fn count(self) -> usize {
        match self {
            PrecisionBits::Double => 53,
            PrecisionBits::Word => 64,
            PrecisionBits::Written => PRECISION,
        }
    }

    /// A small number of this precision, if it has room for it.
    fn small(self, value: i64) -> Option<Number> {
        let room = self != PrecisionBits::Double || value.unsigned_abs() < 1 << 53;
        room.then_some(Number(Repr::Small(value, self)))
    }
}

impl Number {
    /// The number 0.
    pub const ZERO: Number = Number(Repr::Small(0, PrecisionBits::Written));
    /// Positive infinity.
    pub const INFINITY: Number = Number(Repr::Infinity { negative: false });
    /// Negative infinity.
    pub const NEGATIVE_INFINITY: Number = Number(Repr::Infinity { negative: true });

    /// Parses a decimal number, as in conversions of strings: an optional sign, digits with an optional point, an
    /// optional exponent (`e`, or `p` for a power of two), or `Inf`.
    ///
    /// Returns `None` if the string is not a number, or its exponent is out of range.
    pub fn parse(text: &str) -> Option<Number> {
        parse::parse(text)
    }

    /// Converts a floating point number. Returns `None` for NaN.
    pub fn from_f64(value: f64) -> Option<Number> {
        if value.is_nan() {
            return None;
        }
        if value.is_infinite() {
            return Some(Number(Repr::Infinity { negative: value < 0.0 }));
        }
        if value == 0.0 && value.is_sign_negative() {
            return Some(Number(Repr::NegativeZero));
        }
        if value.fract() == 0.0
            && value.abs() < 9.0e15
            // Whole numbers below 2^53 are exact.
            && let Some(small) = PrecisionBits::Double.small(value as i64)
        {
            return Some(small);
        }
        Some(Self::shrunk(Binary::from_f64(value)))
    }

    /// Returns the nearest `f64`. It is infinite if the number is too large.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(value, _) => *value as f64,
            Repr::Big(value) => value.to_f64(),
            Repr::NegativeZero => -0.0,
            Repr::Infinity { negative: false } => f64::INFINITY,
            Repr::Infinity { negative: true } => f64::NEG_INFINITY,
        }
    }

    /// Returns the number as an `i64`, or `None` if it is not whole or does not fit.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value, _) => Some(*value),
            Repr::NegativeZero => Some(0),
            Repr::Big(value) => value.to_i64(),
            Repr::Infinity { .. } => None,
        }
    }

    /// Returns the number without its fraction. `None` if it is infinite.
    pub fn truncated(&self) -> Option<Number> {
        match &self.0 {
            Repr::Big(value) => Some(Self::shrunk(value.truncate())),
            Repr::Infinity { .. } => None,
            _ => Some(self.clone()),
        }
    }

    /// Parses a whole number in a base from 2 to 36, with an optional sign.
    pub fn from_digits(digits: &str, base: u32) -> Option<Number> {
        Binary::from_digits(digits, base).map(Self::shrunk)
    }

    /// Returns the cost in steps of [`from_digits`](Self::from_digits) for a string of this length.
    pub fn parse_cost(length: usize) -> u64 {
        decimal::conversion_cost(length)
    }

    /// Returns the digits in a base (2 to 36), or `None` if the number is not whole. There may be ten million:
    /// [`digits_cost`](Self::digits_cost) returns their cost.
    pub fn to_digits(&self, base: u32) -> Option<String> {
        match &self.0 {
            Repr::Infinity { .. } => None,
            _ if !self.is_whole() => None,
            _ => self.as_binary().and_then(|binary| binary.to_digits(base)),
        }
    }

    /// Returns whether the number has no fraction. Infinities are not whole.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Repr::Small(..) | Repr::NegativeZero => true,
            Repr::Big(value) => value.is_whole(),
            Repr::Infinity { .. } => false,
        }
    }

    /// Returns whether the number is infinite.
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Infinity { .. })
    }

    /// Returns whether the number is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _) | Repr::NegativeZero)
    }

    /// Returns whether the number is below zero, or the negative zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(value, _) => *value < 0,
            Repr::Big(value) => value.is_negative(),
            Repr::NegativeZero => true,
            Repr::Infinity { negative } => *negative,
        }
    }

    /// Returns the negated number. Zero has a sign, too.
    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Small(0, _) => Number(Repr::NegativeZero),
            Repr::Small(value, precision) => match value.checked_neg() {
                Some(negated) => Number(Repr::Small(negated, *precision)),
                None => Self::shrunk(Binary::from_i64(*value, precision.count()).negate()),
            },
            Repr::Big(value) => Self::shrunk(value.negate()),
            Repr::NegativeZero => Number::ZERO,
            Repr::Infinity { negative } => Number(Repr::Infinity { negative: !negative }),
        }
    }

    /// Returns the number without its sign.
    pub fn absolute(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns the sum, with the precision of the more precise operand. `None` for opposite infinities.
    pub fn add(&self, other: &Number) -> Option<Number> {
        match (&self.0, &other.0) {
            (Repr::Small(a, p), Repr::Small(b, q)) => {
                let precision = *p.max(q);
                let sum = a.checked_add(*b).and_then(|sum| precision.small(sum));
                let exactly = || Self::shrunk(Binary::from_i64(*a, p.count()).add(&Binary::from_i64(*b, q.count())));
                Some(sum.unwrap_or_else(exactly))
            }
            (Repr::Infinity { negative: a }, Repr::Infinity { negative: b }) => (a == b).then(|| self.clone()),
            (Repr::Infinity { .. }, _) => Some(self.clone()),
            (_, Repr::Infinity { .. }) => Some(other.clone()),
            (Repr::NegativeZero, Repr::NegativeZero) => Some(self.clone()),
            _ => {
                let (a, b) = (self.as_binary()?, other.as_binary()?);
                Some(Self::shrunk(a.add(&b)))
            }
        }
    }

    /// Returns the difference. `None` for two infinities with the same sign.
    pub fn subtract(&self, other: &Number) -> Option<Number> {
        if let (Repr::Small(a, p), Repr::Small(b, q)) = (&self.0, &other.0)
            && let Some(difference) = a.checked_sub(*b).and_then(|difference| p.max(q).small(difference))
        {
            return Some(difference);
        }
        self.add(&other.negate())
    }

    /// Returns the product, exact up to 512 bits. `None` for zero times infinity.
    pub fn multiply(&self, other: &Number) -> Option<Number> {
        if let (Repr::Small(a, p), Repr::Small(b, q)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
            && (product != 0 || (*a >= 0 && *b >= 0))
            && let Some(product) = p.max(q).small(product)
        {
            return Some(product);
        }
        let negative = self.is_negative() != other.is_negative();
        if self.is_infinite() || other.is_infinite() {
            return (!self.is_zero() && !other.is_zero()).then_some(Number(Repr::Infinity { negative }));
        }
        if self.is_zero() || other.is_zero() {
            return Some(if negative { Number(Repr::NegativeZero) } else { Number::ZERO });
        }
        let (a, b) = (self.as_binary()?, other.as_binary()?);
        Some(Self::shrunk(a.multiply(&b)))
    }

    /// Returns the quotient, with the precision of the more precise operand. It is infinite if the divisor is zero.
    /// `None` for zero divided by zero and infinity divided by infinity.
    pub fn divide(&self, other: &Number) -> Option<Number> {
        if let (Repr::Small(a, p), Repr::Small(b, q)) = (&self.0, &other.0)
            && *b != 0
            && *a != 0
            && a.checked_rem(*b) == Some(0)
            && let Some(quotient) = p.max(q).small(a / b)
        {
            return Some(quotient);
        }
        let negative = self.is_negative() != other.is_negative();
        let zero = || if negative { Number(Repr::NegativeZero) } else { Number::ZERO };
        match (self.is_infinite() || other.is_zero(), other.is_infinite() || self.is_zero()) {
            (true, true) => None,
            (true, false) => Some(Number(Repr::Infinity { negative })),
            (false, true) => Some(zero()),
            (false, false) => {
                let (a, b) = (self.as_binary()?, other.as_binary()?);
                Some(Self::shrunk(a.divide(&b)))
            }
        }
    }

    /// Returns the remainder of a division that truncates towards zero. If the divisor is zero, the result is the
    /// number itself; if it is infinite, the result is infinite. `None` if this is undefined as well.
    pub fn modulo(&self, other: &Number) -> Option<Number> {
        if self.is_infinite() || other.is_infinite() {
            return self.multiply(other);
        }
        if other.is_zero() {
            return Some(self.clone());
        }
        if let (Repr::Small(a, p), Repr::Small(b, q)) = (&self.0, &other.0)
            && let Some(rest) = a.checked_rem(*b)
            // The integer part is only exact if the quotient is.
            && (a.unsigned_abs() < 1 << 53 || p.max(q) == &PrecisionBits::Written)
        {
            return Some(Number(Repr::Small(rest, *p)));
        }
        let whole = self.divide(other)?.truncated()?;
        let (whole, divisor) = (whole.as_binary()?, other.as_binary()?);
        // All is done in the precision of the dividend.
        let dividend = self.as_binary()?;
        let precision = dividend.precision();
        let product = whole.multiply_rounded(&divisor, precision);
        if product.is_zero() && matches!(self.0, Repr::NegativeZero) {
            // The result has the sign of the dividend, unless the divisor removes it.
            return Some(if other.is_negative() { Number::ZERO } else { self.clone() });
        }
        Some(Self::shrunk(dividend.add(&product.negate()).with_precision(precision)))
    }

    /// Returns the largest whole number that is not greater. Infinities are returned unchanged.
    pub fn floor(&self) -> Number {
        match &self.0 {
            Repr::Big(value) if !value.is_whole() => {
                let cut = Self::shrunk(value.truncate());
                if value.is_negative() { cut.subtract(&Number::from(1i64)).unwrap_or(cut) } else { cut }
            }
            _ => self.clone(),
        }
    }

    /// Returns the smallest whole number that is not less. Infinities are returned unchanged.
    pub fn ceil(&self) -> Number {
        match &self.0 {
            Repr::Big(value) if !value.is_whole() => {
                let cut = Self::shrunk(value.truncate());
                if value.is_negative() { cut } else { cut.add(&Number::from(1i64)).unwrap_or(cut) }
            }
            _ => self.clone(),
        }
    }

    /// Formats the number with at most this many significant digits, as in the hashes of sets and some messages of the
    /// reference: `1e+20`, `0.3333333333`.
    pub fn to_short(&self, digits: usize) -> String {
        decimal::short(self, digits)
    }

    /// Returns the decimal digits without leading and trailing zeros, rounded to the nearest (halves to even), and the
    /// position of the point: the absolute value is `0.digits × 10^position`. `None` if the number is infinite.
    ///
    /// ```
    /// # use hieratic_hcl_types::{Number, Precision};
    /// let number = Number::parse("1234.5").unwrap();
    /// assert_eq!(number.digits(Precision::Shortest), Some(("12345".into(), 4)));
    /// assert_eq!(number.digits(Precision::Fraction(0)), Some(("1234".into(), 4)));
    /// ```
    pub fn digits(&self, precision: Precision) -> Option<(String, i64)> {
        decimal::digits(self, precision)
    }

    /// Returns the approximate cost of the digits, in steps. It is small unless there are hundreds of thousands of
    /// digits, and more than the first few hundred are needed. Charge it to a budget before calling
    /// [`digits`](Self::digits) or [`to_digits`](Self::to_digits).
    ///
    /// ```
    /// # use hieratic_hcl_types::{Number, Precision};
    /// let large = Number::parse("1e9000000").unwrap();
    /// assert!(large.digits_cost(Precision::Shortest) < 10_000);
    /// assert!(large.digits_cost(Precision::Fraction(0)) > 20_000_000);
    /// assert!(Number::parse("1.5").unwrap().digits_cost(Precision::Fraction(1_000_000)) < 10);
    /// ```
    pub fn digits_cost(&self, precision: Precision) -> u64 {
        match &self.0 {
            Repr::Big(_) => decimal::work(self, precision),
            _ => 0,
        }
    }

    /// The approximate length of its plain form in characters, beyond that of usual numbers.
    pub(crate) fn zeros(&self) -> usize {
        match &self.0 {
            Repr::Big(value) => (value.top().unsigned_abs() / 10 * 3).saturating_sub(PRECISION),
            _ => 0,
        }
    }

    fn as_binary(&self) -> Option<std::borrow::Cow<'_, Binary>> {
        use std::borrow::Cow;
        match &self.0 {
            Repr::Small(value, precision) => Some(Cow::Owned(Binary::from_i64(*value, precision.count()))),
            Repr::NegativeZero => Some(Cow::Owned(Binary::from_i64(0, PRECISION))),
            Repr::Big(value) => Some(Cow::Borrowed(value)),
            Repr::Infinity { .. } => None,
        }
    }

    fn shrunk(value: Binary) -> Number {
        let bits = match value.precision() {
            53 => Some(PrecisionBits::Double),
            64 => Some(PrecisionBits::Word),
            PRECISION => Some(PrecisionBits::Written),
            _ => None,
        };
        // Beyond its precision, a number prints fewer digits than a whole number of that size has.
        let (top, negative) = (value.top(), value.is_negative());
        let largest = parse::LARGEST_EXPONENT as isize;
        if top > largest {
            return Number(Repr::Infinity { negative });
        }
        if top < -largest - 1 {
            return if negative { Number(Repr::NegativeZero) } else { Number::ZERO };
        }
        let small = bits.and_then(|bits| bits.small(value.to_i64()?));
        small.unwrap_or_else(|| Number(Repr::Big(Arc::new(value))))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number(Repr::Small(value, PrecisionBits::Word))
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        // A length always fits.
        Number::from(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |number: &Number| match &number.0 {
            Repr::Infinity { negative: true } => -1,
            Repr::Infinity { negative: false } => 1,
            _ => 0,
        };
        match (&self.0, &other.0) {
            (Repr::Small(a, _), Repr::Small(b, _)) => a.cmp(b),
            _ => match (self.as_binary(), other.as_binary()) {
                (Some(a), Some(b)) => a.compare(&b),
                _ => rank(self).cmp(&rank(other)),
            },
        }
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small(value, _) => value.hash(state),
            Repr::NegativeZero => 0i64.hash(state),
            Repr::Big(value) => match value.to_i64() {
                Some(small) => small.hash(state),
                None => value.hash(state),
            },
            Repr::Infinity { negative } => negative.hash(state),
        }
    }
}

/// The shortest decimal form that reads back as the same number, without an exponent; `Inf` and `-Inf`.
impl fmt::Display for Number {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value, _) => value.fmt(to),
            Repr::NegativeZero => to.write_str("-0"),
            Repr::Big(value) => to.write_str(&decimal::full(value)),
            Repr::Infinity { negative: false } => to.write_str("+Inf"),
            Repr::Infinity { negative: true } => to.write_str("-Inf"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
