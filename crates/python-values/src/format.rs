//! The parts of `%` and of `str.format` that do not depend on the type of values: format specifications, numbers and
//! widths.

use num_bigint::BigInt;

/// The maximum width and precision.
pub const WIDEST: usize = 1 << 16;

/// A format specification.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The character that pads to the width.
    pub fill: Option<char>,
    /// `<`, `>`, `^` or `=`.
    pub align: Option<char>,
    /// The sign of positive numbers.
    pub sign: Option<char>,
    /// Whether the alternate form is used: `#`.
    pub alternate: bool,
    /// The minimum width.
    pub width: usize,
    /// The separator of groups of digits.
    pub grouping: Option<char>,
    /// The number of digits after the point, or the maximum number of characters.
    pub precision: Option<usize>,
    /// The presentation type: `d`, `f`, `x` and others.
    pub kind: Option<char>,
}

/// A string that is consumed from the left.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The input that is not yet parsed.
    pub rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Returns the next character.
    #[allow(clippy::should_implement_trait, reason = "it is read by hand, never in a loop")]
    pub fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or("");
        Some(letter)
    }

    /// Consumes the next character if it matches.
    pub fn next_if(&mut self, is_accepted: impl Fn(char) -> bool) -> Option<char> {
        self.rest.chars().next().filter(|letter| is_accepted(*letter))?;
        self.next()
    }

    /// Consumes the input up to a character and returns the part before it. Returns `None` if the character does not
    /// follow.
    pub fn until(&mut self, letter: char) -> Option<&'a str> {
        let (before, after) = self.rest.split_once(letter)?;
        self.rest = after;
        Some(before)
    }

    /// Parses a number.
    ///
    /// # Errors
    ///
    /// The number is larger than [`WIDEST`].
    pub fn number(&mut self) -> Result<Option<usize>, String> {
        let length = self.rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        match digits.parse() {
            Ok(width) if width <= WIDEST => Ok(Some(width)),
            _ if digits.is_empty() => Ok(None),
            _ => Err(format!("the width {digits} is too large")),
        }
    }
}

/// Parses a format specification: <https://docs.python.org/3/library/string.html#formatspec>.
///
/// # Errors
///
/// The specification is invalid. The message is Python's.
pub fn parse_spec(spec: &str) -> Result<Spec, String> {
    let mut parsed = Spec::default();
    let mut reader = Reader { rest: spec };
    let mut letters = spec.chars();
    let (first, second) = (letters.next(), letters.next());
    let is_align = |letter: Option<char>| letter.is_some_and(|letter| "<>=^".contains(letter));
    if is_align(second) {
        parsed.fill = reader.next();
        parsed.align = reader.next();
    } else if is_align(first) {
        parsed.align = reader.next();
    }
    parsed.sign = reader.next_if(|letter| "+- ".contains(letter));
    reader.next_if(|letter| letter == 'z');
    parsed.alternate = reader.next_if(|letter| letter == '#').is_some();
    if reader.next_if(|letter| letter == '0').is_some() {
        parsed.fill = parsed.fill.or(Some('0'));
        parsed.align = parsed.align.or(Some('='));
    }
    parsed.width = reader.number()?.unwrap_or(0);
    parsed.grouping = reader.next_if(|letter| ",_".contains(letter));
    if reader.next_if(|letter| letter == '.').is_some() {
        parsed.precision = Some(reader.number()?.ok_or("Format specifier missing precision")?);
    }
    parsed.kind = reader.next();
    if !reader.rest.is_empty() {
        return Err("Invalid format specifier".to_owned());
    }
    Ok(parsed)
}

/// Returns the digits of an integer without its sign.
pub fn integer_digits(number: &BigInt, kind: char) -> String {
    let magnitude = number.magnitude();
    match kind {
        'x' => format!("{magnitude:x}"),
        'X' => format!("{magnitude:X}"),
        'o' => format!("{magnitude:o}"),
        'b' => format!("{magnitude:b}"),
        _ => magnitude.to_string(),
    }
}

/// Returns the prefix of an integer in the alternate form.
pub fn prefix(spec: &Spec, kind: char) -> String {
    match kind {
        'x' | 'X' | 'o' | 'b' if spec.alternate => format!("0{kind}"),
        _ => String::new(),
    }
}

/// Inserts separators between groups of digits.
pub fn grouped(digits: &str, separator: Option<char>, size: usize) -> String {
    let Some(separator) = separator else {
        return digits.into();
    };
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(size) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// Returns a number with its sign, padded to the width.
pub fn signed(negative: bool, prefix: &str, digits: &str, spec: &Spec) -> String {
    let sign = match (negative, spec.sign) {
        (true, _) => "-",
        (false, Some('+')) => "+",
        (false, Some(' ')) => " ",
        _ => "",
    };
    let head = format!("{sign}{prefix}");
    if spec.align == Some('=') {
        let fill = spec.fill.unwrap_or(' ');
        let missing = spec.width.saturating_sub(head.len() + digits.len());
        return format!("{head}{}{digits}", fill.to_string().repeat(missing));
    }
    padded(&format!("{head}{digits}"), spec.width, spec.fill.unwrap_or(' '), spec.align.unwrap_or('>'))
}

/// Formats a float.
pub fn float(number: f64, spec: &Spec) -> String {
    let kind = spec.kind.unwrap_or('r');
    let magnitude = number.abs();
    let digits = if !number.is_finite() {
        if number.is_nan() { "nan".to_string() } else { "inf".to_string() }
    } else {
        match kind.to_ascii_lowercase() {
            'f' => grouped_float(&fixed(magnitude, spec.precision.unwrap_or(6)), spec),
            '%' => {
                format!("{}%", grouped_float(&fixed(magnitude * 100.0, spec.precision.unwrap_or(6)), spec))
            }
            'e' => scientific(magnitude, spec.precision.unwrap_or(6)),
            'r' if spec.precision.is_none() => grouped_float(&crate::float(magnitude), spec),
            'r' => {
                let text = general(magnitude, spec.precision.unwrap_or(6), spec.alternate);
                let text = if text.contains(['.', 'e']) { text } else { format!("{text}.0") };
                grouped_float(&text, spec)
            }
            _ => grouped_float(&general(magnitude, spec.precision.unwrap_or(6), spec.alternate), spec),
        }
    };
    let digits = if kind.is_ascii_uppercase() { digits.to_ascii_uppercase() } else { digits };
    let negative = number.is_sign_negative() && !number.is_nan();
    signed(negative, "", &digits, spec)
}

fn grouped_float(digits: &str, spec: &Spec) -> String {
    let split = digits.find(['.', 'e']).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(split);
    format!("{}{rest}", grouped(whole, spec.grouping, 3))
}

/// The maximum number of decimals: all floats have only zeros after these. Rust itself supports at most 65,535.
const MOST_DIGITS: usize = 1100;

/// Formats a float with a number of decimals.
fn fixed(number: f64, precision: usize) -> String {
    let digits = precision.min(MOST_DIGITS);
    format!("{number:.digits$}{}", "0".repeat(precision - digits))
}

/// `1.5e+10`, with at least two digits in the exponent.
fn scientific(number: f64, precision: usize) -> String {
    let known = precision.min(MOST_DIGITS);
    let text = format!("{number:.known$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{}e{sign}{:02}", "0".repeat(precision - known), exponent.abs())
}

/// Formats a float with a number of significant digits, in the shorter of both notations.
fn general(number: f64, precision: usize, keep_zeros: bool) -> String {
    let precision = precision.max(1);
    let rounded = scientific(number, precision - 1);
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let power: i64 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if keep_zeros || !text.contains('.') {
            return text.to_string();
        }
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    let width = i64::try_from(precision).unwrap_or(i64::MAX);
    if power < -4 || power >= width {
        return format!("{}e{exponent}", trim(digits));
    }
    // The difference is not negative and not larger than a precision.
    let decimals = usize::try_from(width - 1 - power).unwrap_or(0);
    trim(&fixed(number, decimals))
}

/// Pads a string to a width.
pub fn padded(text: &str, width: usize, fill: char, align: char) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let (before, after) = match align {
        '>' | '=' => (missing, 0),
        '^' => (missing / 2, missing - missing / 2),
        _ => (0, missing),
    };
    let fill = fill.to_string();
    format!("{}{text}{}", fill.repeat(before), fill.repeat(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_format_as_in_python() {
        let written = |number: f64, spec: &str| float(number, &parse_spec(spec).expect("a specification"));
        assert_eq!(written(1234.5, ",.2f"), "1,234.50");
        assert_eq!(written(-0.00001, "g"), "-1e-05");
        assert_eq!(written(0.25, ".0%"), "25%");
        assert_eq!(written(1.5, "*^9"), "***1.5***");
        let spec = parse_spec("#06x").expect("a specification");
        assert_eq!(signed(false, &prefix(&spec, 'x'), &integer_digits(&255.into(), 'x'), &spec), "0x00ff");
        assert_eq!(parse_spec("5.").err().as_deref(), Some("Format specifier missing precision"));
    }
}
