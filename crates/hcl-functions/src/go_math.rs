//! Logarithms and powers in double precision, bit for bit as Go computes them on x86-64.
//!
//! The methods: for the logarithm the reduction and polynomial of FreeBSD's `e_log.c`
//! (<https://www.netlib.org/fdlibm/e_log.c>), for powers repeated squaring with a separate exponent, for the fraction
//! of the exponent the series of N. Shibata, "Efficient evaluation methods of elementary functions suitable for SIMD
//! computation" (<https://doi.org/10.1007/s00450-010-0108-2>) with fused multiplication and addition.

#![allow(clippy::excessive_precision, reason = "the constants stand as they are published")]

use std::f64::consts::LOG2_E;

const FRACTION: u64 = (1 << 52) - 1;

/// The logarithm to the base e.
pub(crate) fn log(x: f64) -> f64 {
    /// The coefficients of the polynomial, lowest power first.
    const L: [f64; 7] = [
        6.666666666666735130e-01,
        3.999999999940941908e-01,
        2.857142874366239149e-01,
        2.222219843214978396e-01,
        1.818357216161805012e-01,
        1.531383769920937332e-01,
        1.479819860511658591e-01,
    ];
    const LN2_HIGH: f64 = 6.93147180369123816490e-01;
    const LN2_LOW: f64 = 1.90821492927058770002e-10;
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if !x.is_finite() {
        return x;
    }
    // The mantissa, scaled to the range from one half to one. As in the reference, subnormal numbers get an implicit
    // bit, too.
    let bits = x.to_bits();
    let mut mantissa = f64::from_bits((bits & FRACTION) | 0.5f64.to_bits());
    // Eleven bits always fit.
    let mut exponent = ((bits >> 52) & 0x7ff) as f64 - 1022.0;
    if mantissa <= std::f64::consts::FRAC_1_SQRT_2 {
        exponent -= 1.0;
        mantissa *= 2.0;
    }
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let odd = s2 * (L[0] + s4 * (L[2] + s4 * (L[4] + s4 * L[6])));
    let even = s4 * (L[1] + s4 * (L[3] + s4 * L[5]));
    let half_square = 0.5 * f * f;
    let correction = s * (half_square + (odd + even)) + exponent * LN2_LOW;
    exponent * LN2_HIGH - ((half_square - correction) - f)
}

/// e to a power that is neither large nor small: no overflow is looked for.
fn exp(x: f64) -> f64 {
    const LN2_UPPER: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN2_LOWER: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    /// One by the factorials of 8 to 3.
    const SERIES: [f64; 6] = [
        2.4801587301587301587e-5,
        1.9841269841269841270e-4,
        1.3888888888888888889e-3,
        8.3333333333333333333e-3,
        4.1666666666666666667e-2,
        1.6666666666666666667e-1,
    ];
    let exponent = (LOG2_E * x).round_ties_even();
    let rest = (-exponent).mul_add(LN2_UPPER, x);
    let rest = (-exponent).mul_add(LN2_LOWER, rest) * 0.0625;
    let [first, others @ ..] = SERIES;
    let series = others.into_iter().chain([0.5, 1.0]).fold(first, |sum, next| sum.mul_add(rest, next));
    // This is e^rest - 1; doubling the argument four times undoes the division by sixteen.
    let mut less_one = rest * series;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    // For all calls of `pow` the exponent is in range.
    scale((less_one + 2.0).mul_add(less_one, 1.0), exponent as i64)
}

/// x to the power of y.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 {
        return x;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 0.0 {
        let odd = x.is_sign_negative() && is_odd(y);
        return match (y < 0.0, odd) {
            (true, true) => f64::NEG_INFINITY,
            (true, false) => f64::INFINITY,
            (false, true) => x,
            (false, false) => 0.0,
        };
    }
    if y.is_infinite() {
        return without_bound(x, y);
    }
    if x == f64::NEG_INFINITY {
        return pow(-0.0, -y);
    }
    if x == f64::INFINITY {
        return if y < 0.0 { 0.0 } else { f64::INFINITY };
    }
    if y == 0.5 {
        return x.sqrt();
    }
    if y == -0.5 {
        return 1.0 / x.sqrt();
    }
    let (mut whole, mut fraction) = (y.abs().trunc(), y.abs().fract());
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= 9.223_372_036_854_775_808e18 {
        return without_bound(x, y);
    }
    let (mut result, mut result_exponent) = (1.0, 0i64);
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        result = exp(fraction * log(x));
    }
    let (mut square, mut exponent) = split(x);
    let mut left = whole as i64;
    while left != 0 {
        if !(-(1 << 12)..=1 << 12).contains(&exponent) {
            // Far beyond the format already.
            result_exponent += exponent;
            break;
        }
        if left & 1 == 1 {
            result *= square;
            result_exponent += exponent;
        }
        square *= square;
        exponent <<= 1;
        if square < 0.5 {
            square += square;
            exponent -= 1;
        }
        left >>= 1;
    }
    if y < 0.0 {
        result = 1.0 / result;
        result_exponent = -result_exponent;
    }
    scale(result, result_exponent)
}

fn is_odd(y: f64) -> bool {
    // Beyond 2^53 all floating point numbers are even.
    y.abs() < 9.007_199_254_740_992e15 && y.fract() == 0.0 && (y as i64) & 1 == 1
}

/// A power whose exponent has no effective bound.
fn without_bound(x: f64, y: f64) -> f64 {
    if x == -1.0 {
        1.0
    } else if (x.abs() < 1.0) == (y > 0.0) {
        0.0
    } else {
        f64::INFINITY
    }
}

/// A number from one half to one, and a power of two to multiply it by.
fn split(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(52), -52) } else { (x, 0) };
    let bits = x.to_bits();
    // Eleven bits always fit.
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1022 + shift;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52)), exponent)
}

/// A number times a power of two.
fn scale(x: f64, exponent: i64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (mantissa, own) = split(x);
    let exponent = exponent + own - 1;
    if exponent < -1075 {
        return 0f64.copysign(x);
    }
    if exponent > 1023 {
        return f64::INFINITY.copysign(x);
    }
    // Subnormal results are rounded only once, by the last multiplication.
    let (exponent, factor) = if exponent < -1022 { (exponent + 53, 2f64.powi(-53)) } else { (exponent, 1.0) };
    let bits = (mantissa.to_bits() & !(0x7ff << 52)) | (((exponent + 1023) as u64) << 52);
    factor * f64::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_equal_those_of_go() {
        assert_eq!(pow(2.0, 10.0), 1024.0);
        assert_eq!(pow(2.0, -1074.0), 5e-324);
        assert_eq!(pow(10.0, 308.0).to_bits(), 1.0000000000000006e308f64.to_bits());
        assert_eq!(pow(-2.0, 3.0), -8.0);
        assert!(pow(-2.0, 0.5).is_nan());
        assert_eq!(pow(0.0, -1.0), f64::INFINITY);
    }

    #[test]
    fn logarithms_of_special_values() {
        assert_eq!(log(0.0), f64::NEG_INFINITY);
        assert_eq!(log(1.0), 0.0);
        assert!(log(-1.0).is_nan());
        assert_eq!(log(f64::INFINITY), f64::INFINITY);
    }
}
