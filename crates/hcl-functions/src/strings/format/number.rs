//! Formats numbers (<https://pkg.go.dev/math/big#Float.Format>, <https://pkg.go.dev/math/big#Int.Format>).

use hieratic_hcl_types::{Number, Precision};

use super::scan::Verb;

/// The smallest width and precision that the reference does not accept in a verb.
const TOO_LARGE: usize = 10_000_010;

/// The shortest form that reads back, with an exponent where it is large or small.
pub(super) fn general(number: &Number) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    match digits(number, 'g', None) {
        Some(digits) => format!("{sign}{digits}"),
        None => number.to_string(),
    }
}

/// Formats a whole number in the base of the verb.
pub(super) fn append_whole(verb: &Verb<'_>, number: &Number, to: &mut String) -> Result<(), String> {
    if let Some(message) = overflow_output(verb, "*big.Int", || number.to_digits(10).unwrap_or_default()) {
        to.push_str(&message);
        return Ok(());
    }
    let base = match verb.letter {
        'b' => 2,
        'o' => 8,
        'x' | 'X' => 16,
        _ => 10,
    };
    let digits = number.absolute().to_digits(base).unwrap_or_default();
    let digits = if verb.letter == 'X' { digits.to_uppercase() } else { digits };
    if verb.precision == Some(0) && number.is_zero() {
        return Ok(());
    }
    let sign = sign(verb, number.is_negative() && !number.is_zero());
    let prefix = match verb.letter {
        'b' if verb.sharp => "0b",
        'o' if verb.sharp => "0",
        'x' if verb.sharp => "0x",
        'X' if verb.sharp => "0X",
        _ => "",
    };
    let zeros = verb.precision.map_or(0, |precision| precision.saturating_sub(digits.len()));
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let missing = verb.width.map_or(0, |width| width.saturating_sub(length));
    let (left, zeros, right) = match (verb.minus, verb.zero && verb.precision.is_none()) {
        (true, _) => (0, zeros, missing),
        (false, true) => (0, zeros + missing, 0),
        (false, false) => (missing, zeros, 0),
    };
    fill(to, ' ', left);
    to.push_str(sign);
    to.push_str(prefix);
    fill(to, '0', zeros);
    to.push_str(&digits);
    fill(to, ' ', right);
    Ok(())
}

/// Formats any number, with or without an exponent as the verb requires.
pub(super) fn append_float(verb: &Verb<'_>, number: &Number, to: &mut String) -> Result<(), String> {
    if let Some(message) = overflow_output(verb, "*big.Float", || general(number)) {
        to.push_str(&message);
        return Ok(());
    }
    let precision = match verb.letter {
        'g' | 'G' => verb.precision,
        _ => Some(verb.precision.unwrap_or(6)),
    };
    let infinite = number.is_infinite();
    let digits = digits(number, verb.letter, precision).unwrap_or_else(|| "Inf".into());
    let sign = match sign(verb, number.is_negative()) {
        "" if infinite => "+",
        // Infinities always have a plus; a space replaces it.
        "+" if infinite && verb.space => " ",
        sign => sign,
    };
    let missing = verb.width.map_or(0, |width| width.saturating_sub(sign.len() + digits.len()));
    let zero = verb.zero && !infinite;
    if !zero && !verb.minus {
        fill(to, ' ', missing);
    }
    to.push_str(sign);
    if zero {
        fill(to, '0', missing);
    }
    to.push_str(&digits);
    if !zero && verb.minus {
        fill(to, ' ', missing);
    }
    Ok(())
}

/// The output of the reference for a width or precision that is too large.
fn overflow_output(verb: &Verb<'_>, kind: &str, value: impl FnOnce() -> String) -> Option<String> {
    let large = |size: Option<usize>| size.is_some_and(|size| size >= TOO_LARGE);
    (large(verb.width) || large(verb.precision)).then(|| format!("%!(NOVERB)%!(EXTRA {kind}={})", value()))
}

fn sign(verb: &Verb<'_>, negative: bool) -> &'static str {
    match (negative, verb.plus, verb.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn fill(to: &mut String, letter: char, count: usize) {
    to.extend(std::iter::repeat_n(letter, count));
}

/// The digits that a verb shows.
fn digits_precision(letter: char, precision: Option<usize>) -> Precision {
    match (letter, precision) {
        (_, None) => Precision::Shortest,
        ('e' | 'E', Some(after)) => Precision::Significant(after.saturating_add(1)),
        ('g' | 'G', Some(most)) => Precision::Significant(most.max(1)),
        (_, Some(after)) => Precision::Fraction(after),
    }
}

/// The cost in steps of the digits that a verb prints.
pub(super) fn digits_cost(verb: &Verb<'_>, number: &Number) -> u64 {
    number.digits_cost(match verb.letter {
        'b' | 'd' | 'o' | 'x' | 'X' => Precision::Fraction(0),
        'e' | 'E' | 'f' => digits_precision(verb.letter, Some(verb.precision.unwrap_or(6))),
        letter => digits_precision(letter, verb.precision.filter(|_| matches!(letter, 'g' | 'G'))),
    })
}

/// Formats a number without its sign; `None` if it is infinite.
fn digits(number: &Number, letter: char, precision: Option<usize>) -> Option<String> {
    let (digits, point) = number.digits(digits_precision(letter, precision))?;
    // The length of a string always fits.
    let length = digits.len() as i64;
    Some(match letter {
        'e' | 'E' => exponential(&digits, point, precision.unwrap_or(digits.len().saturating_sub(1)), letter),
        'g' | 'G' => {
            let significant = precision.map_or(length, |most| most.max(1) as i64);
            // From this exponent on numbers have one.
            let threshold = match precision {
                None => 6,
                Some(_) if significant > length && length >= point => length,
                Some(_) => significant,
            };
            let exponent = point - 1;
            if exponent < -4 || exponent >= threshold {
                let shown = significant.min(length) - 1;
                exponential(&digits, point, usize::try_from(shown).unwrap_or(0), if letter == 'g' { 'e' } else { 'E' })
            } else {
                let shown = if significant > point { length } else { significant };
                plain(&digits, point, usize::try_from(shown - point).unwrap_or(0))
            }
        }
        _ => plain(&digits, point, precision.unwrap_or(0)),
    })
}

/// Formats `0.digits × 10^point` with `after` digits after the point.
fn plain(digits: &str, point: i64, after: usize) -> String {
    let digit = |index: i64| usize::try_from(index).ok().and_then(|index| digits.as_bytes().get(index)).copied();
    let mut text = String::with_capacity(after + 8);
    if point > 0 {
        text.extend((0..point).map(|index| char::from(digit(index).unwrap_or(b'0'))));
    } else {
        text.push('0');
    }
    if after > 0 {
        text.push('.');
        text.extend((0..after as i64).map(|index| char::from(digit(point + index).unwrap_or(b'0'))));
    }
    text
}

fn exponential(digits: &str, point: i64, after: usize, letter: char) -> String {
    let (first, rest) = if digits.is_empty() { ("0", "") } else { digits.split_at(1) };
    let rest = rest.get(..after.min(rest.len())).unwrap_or(rest);
    let mut text = String::from(first);
    if after > 0 {
        text.push('.');
        text.push_str(rest);
        fill(&mut text, '0', after - rest.len());
    }
    let exponent = if digits.is_empty() { 0 } else { point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("{letter}{sign}{:02}", exponent.abs()));
    text
}
