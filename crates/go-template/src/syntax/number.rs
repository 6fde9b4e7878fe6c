//! Numbers. Source of the rules: <https://pkg.go.dev/text/template/parse#NumberNode>.

/// A number with all its possible types.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    /// The value as a signed integer.
    pub signed: Option<i64>,
    /// The value as an unsigned integer.
    pub unsigned: Option<u64>,
    /// The value as a floating-point number.
    pub float: Option<f64>,
    /// Whether it is written as a character.
    pub is_character: bool,
    /// Whether it is written as a complex number.
    pub is_complex: bool,
    /// Whether it is written with a point or an exponent.
    pub is_written_as_float: bool,
}

impl Number {
    /// A character as a number.
    pub(super) fn character(code: u32) -> Number {
        Number {
            signed: Some(code.into()),
            unsigned: Some(code.into()),
            float: Some(code.into()),
            is_character: true,
            ..Number::default()
        }
    }

    /// Reads a number that is not complex, or whose real part is left out.
    pub(super) fn parse(text: &str) -> Result<Number, String> {
        if let Some(imaginary) = text.strip_suffix('i')
            && let Some(part) = parse_float(imaginary)
        {
            return Ok(Number::complex(0.0, part));
        }
        let unsigned = parse_unsigned(text);
        let signed = parse_signed(text);
        let unsigned = unsigned.or(if signed == Some(0) { Some(0) } else { None });
        let mut number = Number { signed, unsigned, ..Number::default() };
        if let Some(signed) = signed {
            number.float = Some(signed as f64);
        } else if let Some(unsigned) = unsigned {
            number.float = Some(unsigned as f64);
        } else if let Some(float) = parse_float(text) {
            if !text.contains(['.', 'e', 'E', 'p', 'P']) {
                return Err(format!("integer overflow: {}", hieratic_hcl_types::quoted(text)));
            }
            number = Number { is_written_as_float: true, ..Number::of_float(float) };
        } else {
            return Err(format!("illegal number syntax: {}", hieratic_hcl_types::quoted(text)));
        }
        Ok(number)
    }

    /// Reads `1+2i`.
    pub(super) fn parse_complex(text: &str) -> Result<Number, String> {
        let inner = text.strip_suffix('i').unwrap_or(text);
        let split = inner.char_indices().rev().find(|(at, letter)| {
            let before = inner.get(..*at).unwrap_or_default();
            matches!(letter, '+' | '-') && *at > 0 && !before.ends_with(['e', 'E', 'p', 'P'])
        });
        let parts = split.and_then(|(at, _)| Some((inner.get(..at)?, inner.get(at..)?)));
        let parsed = parts.and_then(|(real, imaginary)| Some((parse_float(real)?, parse_float(imaginary)?)));
        match parsed {
            Some((real, imaginary)) => Ok(Number::complex(real, imaginary)),
            None => Err(format!("illegal number syntax: {}", hieratic_hcl_types::quoted(text))),
        }
    }

    fn complex(real: f64, imaginary: f64) -> Number {
        let number = if imaginary == 0.0 { Number::of_float(real) } else { Number::default() };
        Number { is_complex: true, ..number }
    }

    /// A floating-point number, and the integers that are equal to it.
    fn of_float(float: f64) -> Number {
        let signed = float as i64;
        let unsigned = float as u64;
        // The largest integers are rounded up out of their range.
        let fits_signed = signed as f64 == float && signed != i64::MAX;
        let fits_unsigned = unsigned as f64 == float && unsigned != u64::MAX;
        Number {
            signed: fits_signed.then_some(signed),
            unsigned: fits_unsigned.then_some(unsigned),
            float: Some(float),
            ..Number::default()
        }
    }
}

/// The digits of an integer without underscores, and its base. Nothing if an underscore is where none may be.
fn integer_digits(text: &str) -> Option<(String, u32)> {
    let (digits, base) = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (text.get(2..)?, 16),
        Some("0o") => (text.get(2..)?, 8),
        Some("0b") => (text.get(2..)?, 2),
        _ if text.len() > 1 && text.starts_with('0') => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    if !has_valid_underscores(text) || !digits.bytes().all(|byte| byte == b'_' || char::from(byte).is_digit(base)) {
        return None;
    }
    Some((digits.replace('_', ""), base))
}

/// Underscores separate digits, or a prefix from digits.
fn has_valid_underscores(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let has_prefix = matches!(unsigned.get(..2).map(str::to_ascii_lowercase).as_deref(), Some("0x" | "0o" | "0b"));
    let is_hexadecimal = unsigned.get(1..2).is_some_and(|letter| letter.eq_ignore_ascii_case("x")) && has_prefix;
    let mut before = if has_prefix { '0' } else { '^' };
    for letter in unsigned.chars().skip(if has_prefix { 2 } else { 0 }) {
        let kind = match letter {
            '0'..='9' => '0',
            'a'..='f' | 'A'..='F' if is_hexadecimal => '0',
            '_' => '_',
            _ => '!',
        };
        if kind == '_' && before != '0' || before == '_' && kind != '0' {
            return false;
        }
        before = kind;
    }
    before != '_'
}

fn parse_unsigned(text: &str) -> Option<u64> {
    let (digits, base) = integer_digits(text)?;
    // Without digits, or with too many, it is not an integer.
    u64::from_str_radix(&digits, base).ok()
}

fn parse_signed(text: &str) -> Option<i64> {
    let is_negative = text.starts_with('-');
    let magnitude = parse_unsigned(text.strip_prefix(['+', '-']).unwrap_or(text))?;
    if is_negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// Reads a floating-point number. A number out of range is `None`.
fn parse_float(text: &str) -> Option<f64> {
    if !has_valid_underscores(text) {
        return None;
    }
    let plain = text.replace('_', "");
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let float = match unsigned.get(..2) {
        Some("0x" | "0X") => hexadecimal_float(unsigned.get(2..)?)?,
        // Rust reads a lone point as no number, too.
        _ if unsigned.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') => {
            unsigned.parse::<f64>().ok()?
        }
        _ => return None,
    };
    let float = if plain.starts_with('-') { -float } else { float };
    float.is_finite().then_some(float)
}

/// A hexadecimal mantissa with an exponent of two, which it must have.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut float = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        float = float * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let shift = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(float * 2.0_f64.powi(exponent.checked_sub(shift)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_all_readings() {
        let of = |text: &str| Number::parse(text).map(|number| (number.signed, number.unsigned, number.float));
        assert_eq!(of("17"), Ok((Some(17), Some(17), Some(17.0))));
        assert_eq!(of("-1"), Ok((Some(-1), None, Some(-1.0))));
        assert_eq!(of("-0"), Ok((Some(0), Some(0), Some(0.0))));
        assert_eq!(of("0x_1F"), Ok((Some(31), Some(31), Some(31.0))));
        assert_eq!(of("010"), Ok((Some(8), Some(8), Some(8.0))));
        assert_eq!(of("1e3"), Ok((Some(1000), Some(1000), Some(1000.0))));
        assert_eq!(of("1.5"), Ok((None, None, Some(1.5))));
        assert_eq!(of("0x1p4"), Ok((Some(16), Some(16), Some(16.0))));
        assert_eq!(of("18446744073709551615").unwrap().1, Some(u64::MAX));
        assert_eq!(of("18446744073709551616"), Err("integer overflow: \"18446744073709551616\"".into()));
        for bad in ["1__0", "1_", "0x", "1e999", ".", "+", "0b2"] {
            assert_eq!(of(bad), Err(format!("illegal number syntax: \"{bad}\"")), "{bad}");
        }
        assert!(Number::parse_complex("1+2i").unwrap().is_complex);
        assert_eq!(Number::parse_complex("1e+2+0i").unwrap().signed, Some(100));
    }
}
