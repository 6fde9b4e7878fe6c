//! Formats single numbers.

use num_bigint::{BigInt, Sign};

use super::Field;
use crate::text::{padded_before, padded_behind};

/// Formats an integer: `%d`, `%x`, `%X`, `%o`, `%b` and `%B`.
pub fn integer(field: &Field, number: &BigInt) -> String {
    let negative = number.sign() == Sign::Minus;
    let signed = field.plus || field.space;
    let radix: u32 = match field.letter {
        'x' | 'X' => 16,
        'o' => 8,
        'b' | 'B' => 2,
        _ => 10,
    };
    // Without a sign flag, negative numbers are written in complement form: two dots represent infinitely many leading
    // highest digits.
    let complement = negative && radix != 10 && !signed;
    let digits = if complement { complement_digits(number, radix) } else { number.to_str_radix(radix) };
    let mut digits = digits.trim_start_matches('-').to_owned();
    if field.letter == 'X' {
        digits = digits.to_uppercase();
    }
    let mut length = digits.len() as i64;
    let mut width = field.width.unwrap_or(0) as i64;
    // A missing precision is less than every length.
    let mut precision = field.precision.map_or(-1, |precision| precision as i64);
    let sign = match (negative, field.plus, field.space) {
        _ if complement => "",
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, _, true) => " ",
        _ => "",
    };
    width -= sign.len() as i64;
    let dots = if complement { ".." } else { "" };
    width -= dots.len() as i64;
    precision -= dots.len() as i64;
    let is_zero = digits == "0";
    let mut prefix = match field.letter {
        _ if !field.alternative => "",
        'x' => "0x",
        'X' => "0X",
        'b' => "0b",
        'B' => "0B",
        'o' => "0",
        _ => "",
    };
    if prefix == "0" {
        if complement || !is_zero && field.precision.is_some() && precision > length {
            prefix = "";
        } else if is_zero {
            // An octal zero consists of the prefix only.
            length = 0;
            precision -= i64::from(field.precision.is_some());
        }
    } else if is_zero {
        prefix = "";
    }
    width -= prefix.len() as i64;
    if field.zero && !field.minus && field.precision.is_none() {
        precision = width;
        width = 0;
    } else {
        if precision < length {
            if prefix.is_empty() && precision == 0 && is_zero {
                length = 0;
            }
            precision = length;
        }
        width -= precision;
    }
    let fill = match (complement, radix) {
        (true, 16) if field.letter == 'X' => "F",
        (true, 16) => "f",
        (true, 8) => "7",
        (true, _) => "1",
        (false, _) => "0",
    };
    let spaces = " ".repeat(usize::try_from(width).unwrap_or(0));
    let filling = fill.repeat(usize::try_from(precision - length).unwrap_or(0));
    let digits = if length == 0 { "" } else { &digits };
    let whole = format!("{sign}{prefix}{dots}{filling}{digits}");
    if field.minus { whole + &spaces } else { spaces + &whole }
}

/// Returns the digits of a negative number in complement form, with one leading highest digit.
fn complement_digits(number: &BigInt, radix: u32) -> String {
    let bits_per_digit = radix.trailing_zeros();
    let digits = number.to_str_radix(radix).len() as u32 + 1;
    let modulus = BigInt::from(1) << (bits_per_digit * digits);
    let text = (modulus + number).to_str_radix(radix);
    let highest = char::from_digit(radix - 1, radix).unwrap_or('1');
    format!("{highest}{}", text.trim_start_matches(highest))
}

/// Formats a float: `%e`, `%f`, `%g`, `%a` and their upper-case forms.
pub fn float(field: &Field, number: f64) -> String {
    let width = field.width.unwrap_or(0);
    let sign = match (number.is_sign_negative() && !number.is_nan(), field.plus, field.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, _, true) => " ",
        _ => "",
    };
    let magnitude = number.abs();
    let finite = number.is_finite();
    let alternative = field.alternative;
    let digits = match field.letter.to_ascii_lowercase() {
        _ if number.is_nan() => "NaN".into(),
        _ if !finite => "Inf".into(),
        'e' => exponential(magnitude, field.precision.unwrap_or(6), alternative),
        'f' => fixed(magnitude, field.precision.unwrap_or(6), alternative),
        'g' => general(magnitude, field.precision.unwrap_or(6).max(1), alternative),
        _ => hexadecimal(magnitude, field.precision, alternative),
    };
    let digits = if finite && field.letter.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
    let length = sign.len() + digits.len();
    if field.minus {
        padded_behind(format!("{sign}{digits}"), width)
    } else if field.zero && finite {
        let zeros = "0".repeat(width.saturating_sub(length));
        // Zeros are inserted after the prefix of a hexadecimal number.
        match digits.get(..2).filter(|mark| mark.eq_ignore_ascii_case("0x")) {
            Some(mark) => format!("{sign}{mark}{zeros}{}", &digits[2..]),
            None => format!("{sign}{zeros}{digits}"),
        }
    } else {
        padded_before(&format!("{sign}{digits}"), width)
    }
}

/// No float has more than 1,074 significant digits after the point, and the standard library writes at most 65,535.
const MOST_DIGITS: usize = 1100;

fn fixed(number: f64, precision: usize, alternative: bool) -> String {
    let exact = precision.min(MOST_DIGITS);
    let mut text = format!("{number:.exact$}");
    if alternative && precision == 0 {
        text.push('.');
    }
    text.extend(std::iter::repeat_n('0', precision - exact));
    text
}

fn exponential(number: f64, precision: usize, alternative: bool) -> String {
    let exact = precision.min(MOST_DIGITS);
    let text = format!("{number:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    let point = if alternative && precision == 0 { "." } else { "" };
    let zeros = "0".repeat(precision - exact);
    format!("{mantissa}{zeros}{point}e{sign}{exponent:0>2}")
}

fn general(number: f64, precision: usize, alternative: bool) -> String {
    let rounded = format!("{number:.*e}", (precision - 1).min(MOST_DIGITS));
    let exponent: i64 = rounded.split_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
    let small = exponent < -4 || exponent >= precision as i64;
    let text = if small {
        exponential(number, precision - 1, alternative)
    } else {
        fixed(number, (precision as i64 - 1 - exponent).max(0) as usize, alternative)
    };
    if alternative || !text.contains('.') {
        return text;
    }
    let (digits, tail) = text.find('e').map_or((&text[..], ""), |at| text.split_at(at));
    format!("{}{tail}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// `0x1.8p+1`, as C writes it.
fn hexadecimal(number: f64, precision: Option<usize>, alternative: bool) -> String {
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let mut fraction = bits & ((1 << 52) - 1);
    let (mut lead, mut exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => {
            // A subnormal number is normalized.
            let shift = fraction.leading_zeros() as i64 - 11;
            fraction = (fraction << shift) & ((1 << 52) - 1);
            (1u64, -1022 - shift)
        }
        _ => (1, exponent - 1023),
    };
    let digits = match precision {
        None => format!("{fraction:013x}").trim_end_matches('0').to_owned(),
        Some(precision) if precision >= 13 => format!("{fraction:013x}{}", "0".repeat(precision - 13)),
        Some(precision) => {
            let dropped = 52 - 4 * precision as u32;
            let (kept, rest, half) = (fraction >> dropped, fraction & ((1 << dropped) - 1), 1u64 << (dropped - 1));
            let odd = if precision == 0 { lead & 1 } else { kept & 1 };
            let up = rest > half || rest == half && odd == 1;
            let kept = kept + u64::from(up);
            lead += kept >> (4 * precision);
            let kept = kept & ((1 << (4 * precision)) - 1);
            if lead == 2 {
                (lead, exponent) = (1, exponent + 1);
            }
            if precision == 0 { String::new() } else { format!("{kept:0precision$x}") }
        }
    };
    let point = if digits.is_empty() && !alternative { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{lead:x}{point}{digits}p{sign}{}", exponent.abs())
}
