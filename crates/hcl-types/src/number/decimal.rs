//! Decimal formatting of numbers.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::binary::Binary;
use super::{Number, Precision, Repr};

/// The shortest decimal form that reads back as the same number of its precision.
pub(super) fn full(value: &Binary) -> String {
    let mut digits = Digits::leading(value, max_shortest_digits(value));
    digits.shorten(value);
    digits.plain(value.is_negative())
}

/// Formats with at most that many significant digits, plain or with an exponent like Go's `%g`.
pub(super) fn short(number: &Number, most: usize) -> String {
    let value = match &number.0 {
        Repr::Small(value, precision) => Binary::from_i64(*value, precision.count()),
        Repr::Big(value) => value.as_ref().clone(),
        Repr::NegativeZero => return "-0".into(),
        Repr::Infinity { .. } => return number.to_string(),
    };
    let mut digits = Digits::leading(&value, most);
    digits.round(most);
    // An exponent is used below -4, and from the number of digits on that are shown.
    let exponent = digits.point - 1;
    let shown = i64::try_from(most).unwrap_or(i64::MAX);
    let threshold = match i64::try_from(digits.text.len()) {
        Ok(length) if shown > length && length >= digits.point => length,
        _ => shown,
    };
    if digits.text.is_empty() || (-4..threshold).contains(&exponent) {
        return digits.plain(value.is_negative());
    }
    let sign = if value.is_negative() { "-" } else { "" };
    let (first, rest) = digits.text.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let (direction, size) = if exponent < 0 { ('-', -exponent) } else { ('+', exponent) };
    format!("{sign}{first}{point}{rest}e{direction}{size:02}")
}

/// The digits of a finite number, see [`Number::digits`].
pub(super) fn digits(number: &Number, precision: Precision) -> Option<(String, i64)> {
    let value = number.as_binary()?;
    let mut digits = Digits::leading(&value, needed_digits(&value, precision));
    match precision {
        Precision::Shortest => digits.shorten(&value),
        Precision::Significant(most) => digits.round(most),
        Precision::Fraction(most) => match usize::try_from(digits.point.saturating_add_unsigned(most as u64)) {
            Ok(length) => digits.round(length),
            Err(_) => digits.cut(0),
        },
    }
    Some((digits.text, digits.point))
}

/// The cost of these digits in steps, see [`Number::digits_cost`].
pub(super) fn work(number: &Number, precision: Precision) -> u64 {
    let Some(value) = number.as_binary() else { return 0 };
    let needed = needed_digits(&value, precision);
    let all = total_digits(&value);
    conversion_cost(if is_far(&value, needed) { needed.saturating_mul(16).min(all) } else { all })
}

/// The cost in steps of converting that many digits between powers of two and ten, which is superlinear.
pub(super) fn conversion_cost(digits: usize) -> u64 {
    let digits = digits as f64;
    // A million digits take a third of a second; the default budget is about half a second.
    (digits * digits.sqrt() / 100.0) as u64
}

/// An upper bound on the number of digits of the shortest form.
fn max_shortest_digits(value: &Binary) -> usize {
    let bits = value.precision().max(value.parts().0.bit_len());
    bits / 3 + 5
}

/// The number of digits that determine the result for a precision.
fn needed_digits(value: &Binary, precision: Precision) -> usize {
    match precision {
        Precision::Shortest => max_shortest_digits(value),
        Precision::Significant(most) => most,
        // One digit more, because the position of the point is an estimate.
        Precision::Fraction(most) => {
            usize::try_from(point_position(value).saturating_add(1).saturating_add_unsigned(most)).unwrap_or(0)
        }
    }
}

/// The number of all digits, about.
fn total_digits(value: &Binary) -> usize {
    let (mantissa, exponent) = value.parts();
    let size = exponent.unsigned_abs();
    // A half has one digit, a quarter two.
    mantissa.bit_len() / 3 + if exponent < 0 { size } else { size / 3 } + 1
}

/// Returns whether the leading digits can be computed without the others, because there are many more of these.
fn is_far(value: &Binary, digits: usize) -> bool {
    total_digits(value) / 4 > digits.saturating_add(FAR)
}

/// The number of digits up to which numbers are converted completely.
const FAR: usize = 1_000;

/// The position of the point, or one less.
fn point_position(value: &Binary) -> isize {
    (value.top().saturating_sub(1) as f64 * std::f64::consts::LOG10_2).floor() as isize
}

/// `0.text × 10^point`, without zeros at either end.
struct Digits {
    text: String,
    point: i64,
}

impl Digits {
    /// All digits of a short number. Of a long one, that many and a few more, followed by a `1` for the rest, so that
    /// it is rounded correctly.
    fn leading(value: &Binary, digits: usize) -> Self {
        if value.is_zero() || !is_far(value, digits) {
            let (mantissa, exponent) = value.parts();
            return Self::from_parts(mantissa, exponent);
        }
        // `value / 10^cut` has a few more integer digits than needed.
        let cut = point_position(value) - digits as isize - 20;
        let mut guard = 64;
        loop {
            let bits = (digits + 24) * 10 / 3 + guard;
            let fives = super::parse::power_of_five(cut.unsigned_abs() as u64, bits);
            let scaled = value.with_precision(bits);
            let scaled =
                if cut < 0 { scaled.multiply_rounded(&fives, bits) } else { scaled.divide_rounded(&fives, bits) };
            // A power is squared some thirty times, and each time its error doubles.
            let (low, high) = scaled.shifted(-cut).whole_within(bits - 48);
            if low == high {
                let mut text = low.to_string();
                let point = text.len() as i64 + cut as i64;
                text.push('1');
                return Self { text, point };
            }
            guard *= 2;
        }
    }

    fn from_parts(mantissa: &UBig, exponent: isize) -> Self {
        let (whole, shift) = if exponent >= 0 {
            (mantissa << exponent.unsigned_abs(), 0)
        } else {
            (mantissa * UBig::from(5u8).pow(exponent.unsigned_abs()), exponent)
        };
        let mut text = if whole.is_zero() { String::new() } else { whole.to_string() };
        let point = text.len() as i64 + shift as i64;
        text.truncate(text.trim_end_matches('0').len());
        let point = if text.is_empty() { 0 } else { point };
        Self { text, point }
    }

    fn at(&self, index: usize) -> u8 {
        self.text.as_bytes().get(index).copied().unwrap_or(b'0')
    }

    /// Removes digits until the shortest string that distinguishes the number from its neighbors of equal precision is
    /// left.
    fn shorten(&mut self, value: &Binary) {
        let (mantissa, exponent) = value.parts();
        // The last bit is half a unit of the precision.
        let precision = value.precision() + 1;
        let size = mantissa.bit_len();
        let half_units = if size <= precision { mantissa << (precision - size) } else { mantissa.clone() };
        let exponent = exponent - precision.saturating_sub(size) as isize;
        if half_units.is_zero() {
            return;
        }
        let near =
            |mantissa: UBig| Self::leading(&Binary::exact(false, mantissa, exponent), max_shortest_digits(value));
        let (lower, upper) = (near(&half_units - UBig::ONE), near(&half_units + UBig::ONE));
        let inclusive = !half_units.bit(1);
        for index in 0..self.text.len() {
            let (middle, low, high) = (self.at(index), lower.at(index), upper.at(index));
            let down = low != middle || (inclusive && index + 1 == lower.text.len());
            let up = middle != high && (inclusive || middle + 1 < high || index + 1 < upper.text.len());
            match (down, up) {
                (true, true) => return self.round(index + 1),
                (true, false) => return self.cut(index + 1),
                (false, true) => return self.up(index + 1),
                (false, false) => {}
            }
        }
    }

    fn round(&mut self, length: usize) {
        if length >= self.text.len() {
            return;
        }
        let rest = self.text.as_bytes().get(length..).unwrap_or_default();
        let half = match rest.first().map(|digit| digit.cmp(&b'5')) {
            Some(Ordering::Equal) if rest.len() == 1 => {
                // Exactly half way: to the even digit.
                length > 0 && self.at(length - 1) % 2 == 1
            }
            Some(order) => order != Ordering::Less,
            None => false,
        };
        if half { self.up(length) } else { self.cut(length) }
    }

    fn cut(&mut self, length: usize) {
        self.text.truncate(length);
        self.text.truncate(self.text.trim_end_matches('0').len());
        if self.text.is_empty() {
            self.point = 0;
        }
    }

    fn up(&mut self, length: usize) {
        let mut digits: Vec<u8> = self.text.bytes().take(length).collect();
        while digits.last() == Some(&b'9') {
            digits.pop();
        }
        match digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                digits.push(b'1');
                self.point += 1;
            }
        }
        self.text = digits.into_iter().map(char::from).collect();
    }

    fn plain(&self, negative: bool) -> String {
        let sign = if negative { "-" } else { "" };
        if self.text.is_empty() {
            return format!("{sign}0");
        }
        match usize::try_from(self.point) {
            Ok(0) | Err(_) => {
                let zeros = usize::try_from(-self.point).unwrap_or(0);
                format!("{sign}0.{}{}", "0".repeat(zeros), self.text)
            }
            Ok(point) if point >= self.text.len() => {
                format!("{sign}{}{}", self.text, "0".repeat(point - self.text.len()))
            }
            Ok(point) => {
                let (whole, fraction) = self.text.split_at(point);
                format!("{sign}{whole}.{fraction}")
            }
        }
    }
}
