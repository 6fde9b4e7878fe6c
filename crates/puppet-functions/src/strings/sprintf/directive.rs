//! [`Directive`]: the part of a format from `%` to its letter.

use hieratic_puppet_types::{StringFormats, convert_to_string_with};
use hieratic_value::{BigInt, Rich, Value};

use crate::{EvalError, ruby};

use super::arguments::Arguments;
use super::{MAX_WIDTH, error};

/// The part between the percent sign and the letter.
#[derive(Default)]
pub(super) struct Directive {
    space: bool,
    sharp: bool,
    plus: bool,
    minus: bool,
    zero: bool,
    width: Option<i64>,
    /// The precision, if there is a dot. A negative precision counts as none.
    precision: Option<Option<i64>>,
}

const INCOMPLETE: &str = "incomplete format specifier; use %% (double %) instead";

impl Directive {
    /// Reads a directive after its percent sign, writes the formatted value, and returns the rest of the format.
    pub(super) fn read<'f>(
        text: &'f str,
        arguments: &mut Arguments<'_>,
        out: &mut String,
    ) -> Result<&'f str, Box<EvalError>> {
        if text.is_empty() {
            return Err(error(INCOMPLETE));
        }
        let mut directive = Directive::default();
        let mut rest = text;
        let mut value: Option<&Value> = None;
        let mut name: Option<&str> = None;
        loop {
            // The end of the format counts as a zero byte, as in Ruby.
            let c = rest.chars().next().unwrap_or('\0');
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            match c {
                ' ' | '#' | '+' | '-' | '0' => {
                    directive.flag(c)?;
                    rest = after;
                }
                '1'..='9' => {
                    let (number, after) = number(rest, "width")?;
                    if let Some(after) = after.strip_prefix('$') {
                        if value.is_some() {
                            return Err(error(format!("value given twice - {number}$")));
                        }
                        value = Some(arguments.numbered(number)?);
                        rest = after;
                    } else {
                        directive.set_width(number)?;
                        rest = after;
                    }
                }
                '<' | '{' => {
                    let end = rest.find(if c == '<' { '>' } else { '}' });
                    let end = end.ok_or_else(|| error("malformed name - unmatched parenthesis"))?;
                    let written = &rest[..=end];
                    if let Some(first) = name {
                        return Err(error(format!("named{written} after <{first}>")));
                    }
                    let found = arguments.named(written)?;
                    rest = &rest[end + 1..];
                    if c == '{' {
                        directive.text(&found.to_text(), out);
                        return Ok(rest);
                    }
                    (name, value) = (Some(&written[1..end]), Some(found));
                }
                '*' => {
                    directive.check_width()?;
                    let (width, after) = asterisk(after, arguments)?;
                    directive.minus |= width < 0;
                    directive.width = Some(bounded(width.saturating_abs(), "width")?);
                    rest = after;
                }
                '.' => {
                    if directive.precision.is_some() {
                        return Err(error("precision given twice"));
                    }
                    if let Some(after) = after.strip_prefix('*') {
                        let (precision, after) = asterisk(after, arguments)?;
                        let precision = bounded(precision, "precision")?;
                        directive.precision = Some((precision >= 0).then_some(precision));
                        rest = after;
                    } else {
                        let (precision, after) = number(after, "precision")?;
                        directive.precision = Some(Some(bounded(precision, "precision")?));
                        rest = after;
                    }
                }
                '%' | '\n' | '\0' => {
                    if !directive.is_plain() {
                        return Err(error("invalid format character - %"));
                    }
                    out.push('%');
                    // A line end is not consumed.
                    return Ok(if c == '%' { after } else { rest });
                }
                'c' | 's' | 'p' | 'd' | 'i' | 'o' | 'x' | 'X' | 'b' | 'B' | 'u' | 'f' | 'g' | 'G' | 'e' | 'E' | 'a'
                | 'A' => {
                    let value = match value {
                        Some(value) => value,
                        None => arguments.next()?,
                    };
                    directive.write(c, value, out)?;
                    return Ok(after);
                }
                _ if c.is_control() => return Err(error("malformed format string")),
                _ => return Err(error(format!("malformed format string - %{c}"))),
            }
        }
    }

    fn flag(&mut self, c: char) -> Result<(), Box<EvalError>> {
        if self.width.is_some() {
            return Err(error("flag after width"));
        }
        if self.precision.is_some() {
            return Err(error("flag after precision"));
        }
        match c {
            ' ' => self.space = true,
            '#' => self.sharp = true,
            '+' => self.plus = true,
            '-' => self.minus = true,
            _ => self.zero = true,
        }
        Ok(())
    }

    fn check_width(&self) -> Result<(), Box<EvalError>> {
        if self.width.is_some() {
            return Err(error("width given twice"));
        }
        if self.precision.is_some() {
            return Err(error("width after precision"));
        }
        Ok(())
    }

    fn set_width(&mut self, width: i64) -> Result<(), Box<EvalError>> {
        self.check_width()?;
        self.width = Some(bounded(width, "width")?);
        Ok(())
    }

    fn is_plain(&self) -> bool {
        let flags = self.space || self.sharp || self.plus || self.minus || self.zero;
        !flags && self.width.is_none() && self.precision.is_none()
    }

    fn write(&self, letter: char, value: &Value, out: &mut String) -> Result<(), Box<EvalError>> {
        match letter {
            's' => self.text(&value.to_text(), out),
            'p' => self.text(&value.inspect(), out),
            'c' => self.padded(&character(value)?, out),
            'f' | 'g' | 'G' | 'e' | 'E' | 'a' | 'A' => match (letter, value) {
                ('f', Value::Integer(_)) => self.whole(value, out),
                ('f', _) if is_big(value) => self.whole(value, out),
                _ => {
                    let number = ruby::settled(float(value)?, self.places(letter));
                    self.number(letter, &Value::Float(number), out)?;
                }
            },
            _ => {
                let letter = if matches!(letter, 'i' | 'u') { 'd' } else { letter };
                self.number(letter, &integer(value)?, out)?;
            }
        }
        Ok(())
    }

    /// Returns the number of digits that a float is rounded to.
    fn places(&self, letter: char) -> ruby::Digits {
        let precision = self.precision.flatten().unwrap_or(6);
        // A precision is bounded.
        let precision = i32::try_from(precision).unwrap_or(i32::MAX);
        match letter {
            'f' => ruby::Digits::Fraction(precision),
            'e' | 'E' => ruby::Digits::Significant(precision.saturating_add(1)),
            'g' | 'G' => ruby::Digits::Significant(precision.max(1)),
            // Hexadecimal digits are exact.
            _ => ruby::Digits::Significant(0),
        }
    }

    /// Writes a string in its field, cut to the precision.
    fn text(&self, text: &str, out: &mut String) {
        match self.precision.flatten() {
            Some(precision) => {
                let count = usize::try_from(precision).unwrap_or(usize::MAX);
                let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
                self.padded(&text[..end], out);
            }
            None => self.padded(text, out),
        }
    }

    fn padded(&self, text: &str, out: &mut String) {
        let length = text.chars().count();
        let padding = " ".repeat(usize::try_from(self.width.unwrap_or(0)).unwrap_or(0).saturating_sub(length));
        let (before, after) = if self.minus { ("", &*padding) } else { (&*padding, "") };
        out.extend([before, text, after]);
    }

    /// Writes a number; the standard formats equal those of Ruby.
    fn number(&self, letter: char, number: &Value, out: &mut String) -> Result<(), Box<EvalError>> {
        let flags = [(self.space, ' '), (self.sharp, '#'), (self.plus, '+'), (self.minus, '-'), (self.zero, '0')];
        let mut format = String::from("%");
        format.extend(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag));
        if let Some(width) = self.width.filter(|width| *width > 0) {
            format.push_str(&width.to_string());
        }
        if let Some(precision) = self.precision.flatten() {
            format.push_str(&format!(".{precision}"));
        }
        format.push(letter);
        let text = convert_to_string_with(number, &StringFormats::single(&format));
        out.push_str(&text.map_err(|unsupported| error(unsupported.to_string()))?);
        Ok(())
    }

    /// Writes `%f` of an integer with all its digits.
    fn whole(&self, number: &Value, out: &mut String) {
        let text = number.inspect();
        let digits = text.strip_prefix('-');
        let sign = match (digits, self.plus, self.space) {
            (Some(_), ..) => "-",
            (None, true, _) => "+",
            (None, _, true) => " ",
            _ => "",
        };
        let digits = digits.unwrap_or(&text);
        let precision = usize::try_from(self.precision.flatten().unwrap_or(6)).unwrap_or(0);
        let fraction = if precision > 0 { format!(".{}", "0".repeat(precision)) } else { String::new() };
        let length = sign.len() + digits.len() + fraction.len();
        let fill = usize::try_from(self.width.unwrap_or(0)).unwrap_or(0).saturating_sub(length);
        let (spaces, zeros, after) = match (self.minus, self.zero) {
            (true, _) => (0, 0, fill),
            (false, true) => (0, fill, 0),
            _ => (fill, 0, 0),
        };
        out.extend([&*" ".repeat(spaces), sign, &*"0".repeat(zeros), digits, &*fraction, &*" ".repeat(after)]);
    }
}

/// Splits off leading digits, possibly none.
fn number<'f>(text: &'f str, what: &str) -> Result<(i64, &'f str), Box<EvalError>> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let end = end.ok_or_else(|| error("malformed format string - %*[0-9]"))?;
    let number = match &text[..end] {
        "" => 0,
        digits => digits.parse().ok().filter(|number| *number <= i64::from(i32::MAX)).ok_or_else(|| too_big(what))?,
    };
    Ok((number, &text[end..]))
}

fn too_big(what: &str) -> Box<EvalError> {
    error(format!("{what} too big"))
}

fn bounded(number: i64, what: &str) -> Result<i64, Box<EvalError>> {
    if number > MAX_WIDTH { Err(too_big(what)) } else { Ok(number) }
}

/// Returns the number for an asterisk, from the next value or from a numbered one.
fn asterisk<'f>(after: &'f str, arguments: &mut Arguments<'_>) -> Result<(i64, &'f str), Box<EvalError>> {
    let (index, behind) = number(after, "width")?;
    let (value, after) = match behind.strip_prefix('$') {
        Some(behind) => (arguments.numbered(index)?, behind),
        None => (arguments.next()?, after),
    };
    Ok((int(value)?, after))
}

/// The value as a number of 32 bits, as C would take it.
fn int(value: &Value) -> Result<i64, Box<EvalError>> {
    let number = match value {
        Value::Integer(number) => *number,
        Value::Float(number) if number.abs() < 9.0e18 => *number as i64,
        Value::Float(number) => {
            let shown = Directive { precision: Some(Some(10)), ..Directive::default() };
            let mut text = String::new();
            shown.number('g', &Value::Float(*number), &mut text)?;
            return Err(error(format!("float {text} out of range of integer")));
        }
        Value::Undef => return Err(error("no implicit conversion from nil to integer")),
        other => {
            let class = ruby::special_or_class(other);
            return Err(error(format!("no implicit conversion of {class} into Integer")));
        }
    };
    match i32::try_from(number) {
        Ok(_) => Ok(number),
        Err(_) => {
            let size = if number < 0 { "small" } else { "big" };
            Err(error(format!("integer {number} too {size} to convert to `int'")))
        }
    }
}

fn is_big(value: &Value) -> bool {
    matches!(value.as_rich(), Some(Rich::BigInteger(_)))
}

/// Returns the character of a code point, or the only character of a string.
fn character(value: &Value) -> Result<String, Box<EvalError>> {
    match value {
        Value::String(text) if text.chars().count() == 1 => Ok(text.to_string()),
        Value::String(_) => Err(error("%c requires a character")),
        other => {
            let found = u32::try_from(int(other)?).ok().and_then(char::from_u32);
            found.map(String::from).ok_or_else(|| error("invalid character"))
        }
    }
}

/// The value as Ruby's `%d` takes it.
fn integer(value: &Value) -> Result<Value, Box<EvalError>> {
    match value {
        Value::Integer(_) => Ok(value.clone()),
        Value::Float(number) => ruby::to_integer(*number).ok_or_else(|| error(Value::Float(*number).inspect())),
        Value::String(text) => {
            ruby::integer_of(text).ok_or_else(|| error(format!("invalid value for Integer(): {}", value.inspect())))
        }
        _ if is_big(value) => Ok(value.clone()),
        other => Err(error(format!("can't convert {} into Integer", ruby::special_or_class(other)))),
    }
}

/// The value as Ruby's `%f` takes it.
fn float(value: &Value) -> Result<f64, Box<EvalError>> {
    match value {
        Value::Float(number) => Ok(*number),
        Value::Integer(number) => Ok(*number as f64),
        Value::String(text) => ruby::float_of(text).ok_or_else(|| {
            // Ruby shows non-ASCII strings as bytes here.
            let shown =
                if text.is_ascii() { value.clone() } else { Value::from(Rich::Binary(text.as_bytes().to_vec())) };
            error(format!("invalid value for Float(): {}", shown.inspect()))
        }),
        _ if is_big(value) => Ok(big(value)),
        other => Err(error(format!("can't convert {} into Float", ruby::special_or_class(other)))),
    }
}

fn big(value: &Value) -> f64 {
    match value.as_rich() {
        Some(Rich::BigInteger(number)) => {
            // A decimal number always parses as a float; it is infinite if it is out of range.
            let number: &BigInt = number;
            number.to_string().parse().unwrap_or(f64::INFINITY)
        }
        _ => f64::NAN,
    }
}
