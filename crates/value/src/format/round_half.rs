//! Rounds floats to even as Ruby's `format` does: a number counts as a half if it differs from one by less than the
//! rounding error.

/// The maximum number of digits for which Ruby computes with floats.
const MAX_DIGITS: i32 = 14;

/// The digits that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    /// Digits after the point.
    Fraction(i32),
    /// Significant digits.
    Significant(i32),
}

/// Returns a number whose exact rounding has Ruby's digits. Almost always that is the number itself; where Ruby treats
/// the rest as a half, it is the rounded number. Ruby computes the digits one by one, and the error adds up; if the
/// rest differs from a half by less than the error, the last digit decides.
pub(super) fn settled(number: f64, places: Digits) -> f64 {
    let magnitude = number.abs();
    if !magnitude.is_normal() {
        return number;
    }
    // The decimal exponent of the first digit.
    let mut exponent = match format!("{magnitude:e}").split_once('e').map(|(_, exponent)| exponent.parse::<i32>()) {
        Some(Ok(exponent)) => exponent,
        _ => return number,
    };
    let count = match places {
        Digits::Fraction(places) => places.saturating_add(exponent).saturating_add(1),
        Digits::Significant(places) => places,
    };
    if !(1..=MAX_DIGITS).contains(&count) {
        return number;
    }
    let (mut rest, mut error) = scaled(magnitude, exponent);
    if rest < 1.0 {
        rest *= 10.0;
        exponent -= 1;
        error += 1.0;
    }
    let error = (error * rest + 7.0) * f64::EPSILON * 10f64.powi(count - 1);
    let mut digits = String::new();
    for index in 1..=count {
        let digit = rest.trunc();
        rest -= digit;
        // A digit is below ten, even if the rest is inexact.
        digits.push(char::from(b'0' + (digit as u8).min(9)));
        if rest == 0.0 {
            return number;
        }
        if index < count {
            rest *= 10.0;
        }
    }
    if (rest - 0.5).abs() > error {
        return number;
    }
    let odd = digits.ends_with(['1', '3', '5', '7', '9']);
    let last = exponent - count + 1;
    let whole: u64 = digits.parse().unwrap_or(0);
    let rounded = format!("{}e{last}", whole + u64::from(odd)).parse().unwrap_or(magnitude);
    f64::copysign(rounded, number)
}

/// The number with its first digit before the point, and how much of an error that brings.
fn scaled(number: f64, exponent: i32) -> (f64, f64) {
    const BIG: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];
    let power = exponent.unsigned_abs();
    let small = 10f64.powi(i32::try_from(power & 15).unwrap_or(0));
    let (mut rest, mut error) = (number, 2.0);
    let factors = BIG.iter().enumerate().filter(|(bit, _)| power >> 4 & (1 << bit) != 0).map(|(_, factor)| *factor);
    if exponent > 0 {
        let mut divisor = small;
        for factor in factors {
            error += 1.0;
            if factor == BIG[4] {
                rest /= factor;
            } else {
                divisor *= factor;
            }
        }
        rest /= divisor;
    } else {
        rest *= small;
        for factor in factors {
            error += 1.0;
            rest *= factor;
        }
    }
    (rest, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_the_even_digit() {
        for (number, places, rounded) in [
            (1.555, 2, 1.56),
            (1.005, 2, 1.0),
            (0.35, 1, 0.4),
            (-2.675, 2, -2.68),
            (8.345, 2, 8.34),
            (1.225, 2, 1.22),
            (1.5551, 2, 1.5551),
            (0.0, 2, 0.0),
            (1e300, 2, 1e300),
        ] {
            assert_eq!(settled(number, Digits::Fraction(places)), rounded, "{number}");
        }
        assert_eq!(settled(1.565, Digits::Significant(3)), 1.56);
    }
}
