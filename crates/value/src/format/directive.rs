//! [`Directive`]: the part of a format from `%` to its letter.

use super::arguments::ValueOrder;
use super::round_half::{self, Digits};
use super::{Field, FormatError, Number, Values, number};

/// The part between the percent sign and the letter.
#[derive(Default)]
pub(super) struct Directive {
    space: bool,
    sharp: bool,
    plus: bool,
    minus: bool,
    zero: bool,
    width: Option<usize>,
    /// The precision, if there is a dot. A negative precision counts as none.
    precision: Option<Option<usize>>,
}

const INCOMPLETE: &str = "incomplete format specifier; use %% (double %) instead";

/// The bytes that a directive costs in addition to its field.
const DIRECTIVE_BYTES: usize = 16;

/// An error before it is one of the language.
type Refused<T> = Result<T, FormatError>;

fn refuse<T>(message: impl Into<String>) -> Refused<T> {
    Err(FormatError::Argument(message.into()))
}

impl Directive {
    /// Reads a directive after its percent sign, writes the formatted value, and returns the rest of the format.
    pub(super) fn write_next<'f, V: Values>(
        text: &'f str,
        order: &mut ValueOrder,
        values: &mut V,
        out: &mut String,
    ) -> Result<&'f str, V::Error> {
        if text.is_empty() {
            return Err(values.error(FormatError::Argument(INCOMPLETE.into())));
        }
        let mut directive = Directive::default();
        let mut rest = text;
        let mut value: Option<V::Value> = None;
        let mut name: Option<&str> = None;
        loop {
            // The end of the format counts as a zero byte, as in Ruby.
            let c = rest.chars().next().unwrap_or('\0');
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            match c {
                ' ' | '#' | '+' | '-' | '0' => {
                    directive.flag(c).map_err(|error| values.error(error))?;
                    rest = after;
                }
                '1'..='9' => {
                    let (number, after) = digits(rest, "width").map_err(|error| values.error(error))?;
                    if let Some(after) = after.strip_prefix('$') {
                        if value.is_some() {
                            let message = format!("value given twice - {number}$");
                            return Err(values.error(FormatError::Argument(message)));
                        }
                        value = Some(order.numbered(number, values)?);
                        rest = after;
                    } else {
                        directive.set_width(number, V::MAX_WIDTH).map_err(|error| values.error(error))?;
                        rest = after;
                    }
                }
                '<' | '{' => {
                    let Some(end) = rest.find(if c == '<' { '>' } else { '}' }) else {
                        let message = "malformed name - unmatched parenthesis".into();
                        return Err(values.error(FormatError::Argument(message)));
                    };
                    let written = &rest[..=end];
                    if let Some(first) = name {
                        let message = format!("named{written} after <{first}>");
                        return Err(values.error(FormatError::Argument(message)));
                    }
                    let found = order.named(written, values)?;
                    rest = &rest[end + 1..];
                    if c == '{' {
                        let text = values.text(&found)?;
                        directive.charge(c, values)?;
                        directive.write_text(&text, out);
                        return Ok(rest);
                    }
                    (name, value) = (Some(&written[1..end]), Some(found));
                }
                '*' => {
                    directive.check_width().map_err(|error| values.error(error))?;
                    let (width, after) = asterisk(after, order, values)?;
                    directive.minus |= width < 0;
                    let width = bounded(width.unsigned_abs(), "width", V::MAX_WIDTH);
                    directive.width = Some(width.map_err(|error| values.error(error))?);
                    rest = after;
                }
                '.' => {
                    if directive.precision.is_some() {
                        return Err(values.error(FormatError::Argument("precision given twice".into())));
                    }
                    if let Some(after) = after.strip_prefix('*') {
                        let (precision, after) = asterisk(after, order, values)?;
                        let precision = match u64::try_from(precision) {
                            Ok(precision) => Some(
                                bounded(precision, "precision", V::MAX_WIDTH).map_err(|error| values.error(error))?,
                            ),
                            // A negative precision counts as none.
                            Err(_) => None,
                        };
                        directive.precision = Some(precision);
                        rest = after;
                    } else {
                        let read = digits(after, "precision").and_then(|(precision, after)| {
                            Ok((bounded(precision as u64, "precision", V::MAX_WIDTH)?, after))
                        });
                        let (precision, after) = read.map_err(|error| values.error(error))?;
                        directive.precision = Some(Some(precision));
                        rest = after;
                    }
                }
                '%' | '\n' | '\0' => {
                    if !directive.is_plain() {
                        return Err(values.error(FormatError::Argument("invalid format character - %".into())));
                    }
                    out.push('%');
                    // A line end is not consumed.
                    return Ok(if c == '%' { after } else { rest });
                }
                'c' | 's' | 'p' | 'd' | 'i' | 'o' | 'x' | 'X' | 'b' | 'B' | 'u' | 'f' | 'g' | 'G' | 'e' | 'E' | 'a'
                | 'A' => {
                    let value = match value {
                        Some(value) => value,
                        None => order.next(values)?,
                    };
                    directive.charge(c, values)?;
                    directive.write(c, &value, values, out)?;
                    return Ok(after);
                }
                _ if c.is_control() => {
                    return Err(values.error(FormatError::Argument("malformed format string".into())));
                }
                _ => {
                    let message = format!("malformed format string - %{c}");
                    return Err(values.error(FormatError::Argument(message)));
                }
            }
        }
    }

    fn flag(&mut self, c: char) -> Refused<()> {
        if self.width.is_some() {
            return refuse("flag after width");
        }
        if self.precision.is_some() {
            return refuse("flag after precision");
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

    fn check_width(&self) -> Refused<()> {
        if self.width.is_some() {
            return refuse("width given twice");
        }
        if self.precision.is_some() {
            return refuse("width after precision");
        }
        Ok(())
    }

    fn set_width(&mut self, width: usize, most: usize) -> Refused<()> {
        self.check_width()?;
        self.width = Some(bounded(width as u64, "width", most)?);
        Ok(())
    }

    fn is_plain(&self) -> bool {
        let flags = self.space || self.sharp || self.plus || self.minus || self.zero;
        !flags && self.width.is_none() && self.precision.is_none()
    }

    /// Charges the field before it is written.
    fn charge<V: Values>(&self, letter: char, values: &mut V) -> Result<(), V::Error> {
        // The precision cuts a string, and adds digits to a number.
        let precision = if matches!(letter, 's' | 'p' | 'c' | '{') { None } else { self.precision.flatten() };
        let field = self.width.unwrap_or(0).saturating_add(precision.unwrap_or(0));
        values.charge(field.saturating_add(DIRECTIVE_BYTES))
    }

    fn write<V: Values>(
        &self,
        letter: char,
        value: &V::Value,
        values: &mut V,
        out: &mut String,
    ) -> Result<(), V::Error> {
        match letter {
            's' => {
                let text = values.text(value)?;
                self.write_text(&text, out);
            }
            'p' => {
                let text = values.inspected(value)?;
                self.write_text(&text, out);
            }
            'c' => {
                let character = character(value, values)?;
                self.pad(&character, out);
            }
            'f' | 'g' | 'G' | 'e' | 'E' | 'a' | 'A' => match (letter, values.number(value)?) {
                ('f', Number::Integer(number)) => self.write_whole(&number.to_string(), out),
                (_, Number::Integer(number)) => {
                    // A decimal number always parses as a float; it is infinite if it is out of range.
                    self.write_float(letter, number.to_string().parse().unwrap_or(f64::INFINITY), out);
                }
                (_, Number::Float(number)) => self.write_float(letter, number, out),
            },
            _ => {
                let letter = if matches!(letter, 'i' | 'u') { 'd' } else { letter };
                let number = values.integer(value)?;
                out.push_str(&number::integer(&self.field(letter), &number));
            }
        }
        Ok(())
    }

    fn write_float(&self, letter: char, number: f64, out: &mut String) {
        let number = round_half::settled(number, self.places(letter));
        out.push_str(&number::float(&self.field(letter), number));
    }

    fn field(&self, letter: char) -> Field {
        Field {
            letter,
            space: self.space,
            alternative: self.sharp,
            plus: self.plus,
            minus: self.minus,
            zero: self.zero,
            width: self.width.filter(|width| *width > 0),
            precision: self.precision.flatten(),
        }
    }

    /// Returns the number of digits that a float is rounded to.
    fn places(&self, letter: char) -> Digits {
        let precision = self.precision.flatten().unwrap_or(6);
        // A precision is bounded.
        let precision = i32::try_from(precision).unwrap_or(i32::MAX);
        match letter {
            'f' => Digits::Fraction(precision),
            'e' | 'E' => Digits::Significant(precision.saturating_add(1)),
            'g' | 'G' => Digits::Significant(precision.max(1)),
            // Hexadecimal digits are exact.
            _ => Digits::Significant(0),
        }
    }

    /// Writes a string in its field, cut to the precision.
    fn write_text(&self, text: &str, out: &mut String) {
        match self.precision.flatten() {
            Some(precision) => {
                let end = text.char_indices().nth(precision).map_or(text.len(), |(at, _)| at);
                self.pad(&text[..end], out);
            }
            None => self.pad(text, out),
        }
    }

    fn pad(&self, text: &str, out: &mut String) {
        let padding = " ".repeat(self.width.unwrap_or(0).saturating_sub(text.chars().count()));
        let (before, after) = if self.minus { ("", &*padding) } else { (&*padding, "") };
        out.extend([before, text, after]);
    }

    /// Writes `%f` of an integer with all its digits.
    fn write_whole(&self, text: &str, out: &mut String) {
        let digits = text.strip_prefix('-');
        let sign = match (digits, self.plus, self.space) {
            (Some(_), ..) => "-",
            (None, true, _) => "+",
            (None, _, true) => " ",
            _ => "",
        };
        let digits = digits.unwrap_or(text);
        let precision = self.precision.flatten().unwrap_or(6);
        let fraction = if precision > 0 { format!(".{}", "0".repeat(precision)) } else { String::new() };
        let length = sign.len() + digits.len() + fraction.len();
        let fill = self.width.unwrap_or(0).saturating_sub(length);
        let (spaces, zeros, after) = match (self.minus, self.zero) {
            (true, _) => (0, 0, fill),
            (false, true) => (0, fill, 0),
            _ => (fill, 0, 0),
        };
        out.extend([&*" ".repeat(spaces), sign, &*"0".repeat(zeros), digits, &*fraction, &*" ".repeat(after)]);
    }
}

/// Splits off leading digits, possibly none.
fn digits<'f>(text: &'f str, subject: &str) -> Refused<(usize, &'f str)> {
    let Some(end) = text.find(|c: char| !c.is_ascii_digit()) else {
        return refuse("malformed format string - %*[0-9]");
    };
    let number = match &text[..end] {
        "" => 0,
        digits => match digits.parse::<i32>().ok().and_then(|number| usize::try_from(number).ok()) {
            Some(number) => number,
            None => return too_big(subject),
        },
    };
    Ok((number, &text[end..]))
}

fn too_big<T>(subject: &str) -> Refused<T> {
    refuse(format!("{subject} too big"))
}

fn bounded(number: u64, subject: &str, most: usize) -> Refused<usize> {
    match usize::try_from(number) {
        Ok(number) if number <= most => Ok(number),
        _ => too_big(subject),
    }
}

/// Returns the number for an asterisk, from the next value or from a numbered one.
fn asterisk<'f, V: Values>(after: &'f str, order: &mut ValueOrder, values: &mut V) -> Result<(i64, &'f str), V::Error> {
    let (index, rest) = digits(after, "width").map_err(|error| values.error(error))?;
    let (value, after) = match rest.strip_prefix('$') {
        Some(rest) => (order.numbered(index, values)?, rest),
        None => (order.next(values)?, after),
    };
    Ok((values.count(&value)?, after))
}

/// Returns the character of a code point, or the only character of a string.
fn character<V: Values>(value: &V::Value, values: &mut V) -> Result<String, V::Error> {
    match values.string(value) {
        Some(text) if text.chars().count() == 1 => Ok(text),
        Some(_) => Err(values.error(FormatError::Argument("%c requires a character".into()))),
        None => {
            let found = u32::try_from(values.count(value)?).ok().and_then(char::from_u32);
            found.map(String::from).ok_or_else(|| values.error(FormatError::Argument("invalid character".into())))
        }
    }
}
