//! The string form of floats.

use std::fmt::Write;

/// Returns the `repr` of a float: the shortest digits that parse to the same float, with an exponent for large and
/// small ones.
pub fn float(number: f64) -> String {
    let mut out = String::new();
    write_float(&mut out, number);
    out
}

/// Appends the `repr` of a float to a string.
pub fn write_float(out: &mut String, number: f64) {
    if write_short(out, number).is_some() {
        return;
    }
    if number.is_nan() {
        return out.push_str("nan");
    }
    if number.is_infinite() {
        return out.push_str(if number > 0.0 { "inf" } else { "-inf" });
    }
    let start = out.len();
    // Most numbers are neither large nor small, and need no exponent. Writing to a string does not fail.
    let is_plain = number == 0.0 || (1e-4..1e15).contains(&number.abs()) || {
        let _ = write!(out, "{number:e}");
        let written = out.get(start..).unwrap_or_default();
        let exponent = written.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
        let digits = written.find('e').map_or(out.len(), |at| start + at);
        let is_plain = (-4..16).contains(&exponent);
        out.truncate(if is_plain { start } else { digits });
        if !is_plain {
            let sign = if exponent < 0 { '-' } else { '+' };
            let _ = write!(out, "e{sign}{:02}", exponent.abs());
        }
        is_plain
    };
    if is_plain {
        let _ = write!(out, "{number}");
        if !out.get(start..).is_some_and(|written| written.contains('.')) {
            out.push_str(".0");
        }
    }
}

/// Writes a float with at most three decimals that is not large, as most are: if the quotient of two integers is equal
/// to the float, its digits are those of the first one.
fn write_short(out: &mut String, number: f64) -> Option<()> {
    // Zero has a sign, too.
    if !(1e-3..1e9).contains(&number.abs()) {
        return None;
    }
    let (whole, scale, width) =
        [(10.0, 10, 1), (100.0, 100, 2), (1000.0, 1000, 3)].into_iter().find_map(|(factor, scale, width)| {
            let whole = (number.abs() * factor).round();
            (whole / factor == number.abs()).then_some((whole as u64, scale, width))
        })?;
    if number < 0.0 {
        out.push('-');
    }
    out.push_str(itoa::Buffer::new().format(whole / scale));
    out.push('.');
    let mut digits = itoa::Buffer::new();
    // The extra leading digit preserves zeros.
    let digits = digits.format(scale + whole % scale);
    out.push_str(digits.get(1..=width).unwrap_or_default());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_pythons_repr() {
        let cases = [
            (1.0, "1.0"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000.0"),
            (-0.0, "-0.0"),
            (f64::NEG_INFINITY, "-inf"),
            (1e300, "1e+300"),
        ];
        for (number, text) in cases {
            assert_eq!(float(number), text);
        }
    }

    #[test]
    fn short_floats_match_the_general_case() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200_000 {
            let scale = [1.0, 10.0, 100.0, 1000.0, 3.0, 1024.0][random.usize(..6)];
            let number = (random.i64(-9_999_999..9_999_999) >> random.u32(0..20)) as f64 / scale;
            let mut plain = format!("{number:?}");
            if number != 0.0 && number.abs() < 1e-4 {
                continue;
            }
            if !plain.contains('.') {
                plain += ".0";
            }
            assert_eq!(float(number), plain);
            assert_eq!(float(number).parse(), Ok(number));
        }
    }
}
