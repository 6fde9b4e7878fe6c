//! Resolves plain scalars: YAML 1.1 as Psych 4 reads it.
//!
//! Psych's rules (documented in its `ScalarScanner`) are a list of regular expressions that are tried in turn. Here the
//! first byte decides which of them can match; it shows that most scalars are strings. Types of YAML 1.1:
//! <https://yaml.org/type/>.

use hieratic_value::{BigInt, Rich, Value};

use super::conversion_error::ConversionError;
use hieratic_json::number::{self, TooLong};

/// The type of a plain scalar.
#[derive(Debug, PartialEq)]
pub(super) enum Plain {
    /// A string, with the text as written.
    Text,
    /// Something else.
    Value(Value),
}

impl From<Value> for Plain {
    fn from(value: Value) -> Self {
        Plain::Value(value)
    }
}

/// Resolves a plain scalar. `symbols` decides whether Ruby's symbols are allowed.
pub(super) fn resolve(text: &str, symbols: bool) -> Result<Plain, ConversionError> {
    match text.as_bytes() {
        [] => Ok(Value::Undef.into()),
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => special(text),
        [b':', ..] => symbol(text, symbols),
        // The longest word has five characters, the longest character four bytes.
        [b'~' | b'n' | b'N' | b't' | b'T' | b'y' | b'Y' | b'o' | b'O' | b'f' | b'F', ..] if text.len() <= 20 => {
            Ok(word(text))
        }
        _ => Ok(Plain::Text),
    }
}

/// Null and booleans.
///
/// Psych looks for them line by line in scalars of up to five characters, as `^` and `$` are those of lines; a quoted
/// scalar with a tag can have several.
fn word(text: &str) -> Plain {
    if text == "~" {
        return Value::Undef.into();
    }
    if text.len() < 2 || text.chars().count() > 5 {
        return Plain::Text;
    }
    let mut found = None;
    let lines = text.split('\n').count();
    for (index, line) in text.split('\n').enumerate() {
        match line.as_bytes() {
            // Nothing is left after the last line break; an empty line elsewhere begins with its line break.
            [] if index + 1 == lines => {}
            [b'~' | b'n' | b'N' | b't' | b'T' | b'y' | b'Y' | b'o' | b'O' | b'f' | b'F', ..] => {
                let value = meaning(line);
                // Null is looked for first, then truth.
                if rank(&value) > rank(&found) {
                    found = value;
                }
            }
            _ => return Plain::Text,
        }
    }
    found.map_or(Plain::Text, Plain::Value)
}

fn rank(value: &Option<Value>) -> u8 {
    match value {
        Some(Value::Undef) => 3,
        Some(Value::Boolean(true)) => 2,
        Some(_) => 1,
        None => 0,
    }
}

fn meaning(word: &str) -> Option<Value> {
    const WORDS: [(&str, Value); 7] = [
        ("null", Value::Undef),
        ("yes", Value::Boolean(true)),
        ("true", Value::Boolean(true)),
        ("on", Value::Boolean(true)),
        ("no", Value::Boolean(false)),
        ("false", Value::Boolean(false)),
        ("off", Value::Boolean(false)),
    ];
    let folded;
    let word = if word.is_ascii() {
        word
    } else {
        // Ruby ignores case as Unicode folds it: the long s is an s, the ligature of two f is two f.
        folded = word.replace('\u{17f}', "s").replace('\u{fb00}', "ff");
        &folded
    };
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, value)| value.clone())
}

/// Text that begins with a colon.
fn symbol(text: &str, symbols: bool) -> Result<Plain, ConversionError> {
    let rest = &text[1..];
    if rest.is_empty() || text.contains('\n') {
        return Ok(Plain::Text);
    }
    if !symbols {
        return Err(ConversionError::class("Symbol"));
    }
    let quote = rest.as_bytes()[0];
    if matches!(quote, b'"' | b'\'') {
        // Up to the last quote of the same kind; what follows it is dropped.
        if let Some(end) = rest[1..].rfind(char::from(quote)) {
            let name = &rest[1..=end];
            return Ok(symbol_value(name.strip_prefix(':').unwrap_or(name)).into());
        }
    }
    Ok(symbol_value(rest).into())
}

/// A symbol of a name.
pub(super) fn symbol_value(name: &str) -> Value {
    Rich::Symbol(name.into()).into()
}

/// Text that begins with a digit, a sign or a point: a date, a number, or a string after all.
fn special(text: &str) -> Result<Plain, ConversionError> {
    if text.contains('\n') {
        return Ok(Plain::Text);
    }
    if let Some(small) = small_integer(text.as_bytes()) {
        return Ok(Value::Integer(small).into());
    }
    if is_time(text.as_bytes()) {
        return Err(ConversionError::class("Time"));
    }
    if is_date(text.as_bytes()) {
        return Err(ConversionError::class("Date"));
    }
    let (negative, unsigned) = number::sign(text);
    if unsigned.eq_ignore_ascii_case(".inf") {
        return Ok(Value::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }).into());
    }
    if text.eq_ignore_ascii_case(".nan") {
        return Ok(Value::Float(f64::NAN).into());
    }
    if let Some(parts) = base_60(unsigned) {
        return sexagesimal(text, negative, parts);
    }
    if is_float(unsigned.as_bytes()) {
        return float(text, unsigned);
    }
    integer(unsigned, negative)
}

/// The commonest numbers: up to 18 digits, no leading zero.
fn small_integer(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 || digits[0] == b'0' && digits.len() > 1 {
        return None;
    }
    let mut number = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -number } else { number })
}

/// Steps through bytes by their classes.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// Takes between `least` and `most` bytes of a kind; false when there are fewer.
    fn take(&mut self, least: usize, most: usize, kind: impl Fn(u8) -> bool) -> bool {
        let count = self.0.iter().take(most).take_while(|&&byte| kind(byte)).count();
        self.0 = &self.0[count..];
        count >= least
    }

    fn digits(&mut self, least: usize, most: usize) -> bool {
        self.take(least, most, |byte| byte.is_ascii_digit())
    }

    fn byte(&mut self, byte: u8) -> bool {
        self.take(1, 1, |other| other == byte)
    }

    fn spaces(&mut self) -> bool {
        self.take(1, usize::MAX, |byte| matches!(byte, b' ' | b'\t'..=b'\r'))
    }
}

/// <https://yaml.org/type/timestamp.html>, with a time.
fn is_time(bytes: &[u8]) -> bool {
    let mut rest = Cursor(bytes);
    rest.byte(b'-');
    if !(rest.digits(4, 4)
        && rest.byte(b'-')
        && rest.digits(1, 2)
        && rest.byte(b'-')
        && rest.digits(1, 2)
        && (rest.take(1, 1, |byte| matches!(byte, b'T' | b't')) || rest.spaces())
        && rest.digits(1, 2)
        && rest.byte(b':')
        && rest.digits(2, 2)
        && rest.byte(b':')
        && rest.digits(2, 2))
    {
        return false;
    }
    if rest.byte(b'.') {
        rest.digits(0, usize::MAX);
    }
    if rest.0.is_empty() {
        return true;
    }
    rest.spaces();
    if rest.byte(b'Z') {
        return rest.0.is_empty();
    }
    // An offset: its hours have one or two digits, its minutes two or none.
    rest.take(1, 1, |byte| matches!(byte, b'-' | b'+'))
        && match rest.0 {
            [hours @ .., b':', tens, ones] => {
                matches!(hours.len(), 1 | 2) && hours.iter().chain([tens, ones]).all(u8::is_ascii_digit)
            }
            [hours @ .., b':'] => matches!(hours.len(), 1 | 2) && hours.iter().all(u8::is_ascii_digit),
            digits => matches!(digits.len(), 1..=4) && digits.iter().all(u8::is_ascii_digit),
        }
}

/// A date alone. Impossible months and days do not count.
fn is_date(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|&byte| byte == b'-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    year.len() == 4
        && year.iter().all(u8::is_ascii_digit)
        && matches!(month, [b'1', b'0'..=b'2'] | [b'0', b'0'..=b'9'] | [b'0'..=b'9'])
        && matches!(day, [b'1' | b'2' | b'0', b'0'..=b'9'] | [b'3', b'0' | b'1'] | [b'0'..=b'9'])
}

/// The parts of a number to the base 60, each checked; the last may have a fraction.
struct Base60<'a> {
    whole: &'a str,
    rest: Vec<&'a str>,
    fraction: bool,
}

fn base_60(unsigned: &str) -> Option<Base60<'_>> {
    if !unsigned.contains(':') {
        return None;
    }
    let mut parts = unsigned.split(':');
    let whole = parts.next()?;
    if !whole.starts_with(|c: char| c.is_ascii_digit()) || !whole.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return None;
    }
    let mut rest: Vec<&str> = parts.by_ref().take(2).collect();
    if parts.next().is_some() {
        return None;
    }
    let last = rest.pop()?;
    let (seconds, fraction) = match last.split_once('.') {
        Some((seconds, digits)) if digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') => (seconds, true),
        Some(_) => return None,
        None => (last, false),
    };
    let sixty = |part: &str| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    if !rest.iter().all(|part| sixty(part)) || !sixty(seconds) {
        return None;
    }
    rest.push(last);
    Some(Base60 { whole, rest, fraction })
}

/// Hours, minutes and seconds; where the seconds are left out, Psych takes what there is for hours and minutes.
fn sexagesimal(text: &str, negative: bool, parts: Base60) -> Result<Plain, ConversionError> {
    if parts.fraction {
        let signed = &text[..text.len() - text.trim_start_matches(['-', '+']).len() + parts.whole.len()];
        let mut sum = number::leading_float(signed) * 3600.0;
        for (part, unit) in parts.rest.iter().zip([60.0, 1.0]) {
            sum += number::leading_float(part) * unit;
        }
        return Ok(Value::Float(sum).into());
    }
    let whole = number::leading_digits(parts.whole);
    let mut sum = number::big(negative, whole.as_bytes(), 10)? * 3600;
    for (part, unit) in parts.rest.iter().zip([60, 1]) {
        // At most two digits each.
        sum += BigInt::from(part.parse::<u8>().unwrap_or(0)) * unit;
    }
    Ok(Value::from(Rich::BigInteger(sum)).into())
}

/// <https://yaml.org/type/float.html>: there must be a point, and an exponent must have a sign.
fn is_float(unsigned: &[u8]) -> bool {
    let mut rest = Cursor(unsigned);
    if rest.0.first().is_some_and(u8::is_ascii_digit) {
        rest.take(0, usize::MAX, |byte| byte.is_ascii_digit() || matches!(byte, b'_' | b','));
    }
    if !rest.byte(b'.') {
        return false;
    }
    rest.digits(0, usize::MAX);
    if rest.0.is_empty() {
        return true;
    }
    rest.take(1, 1, |byte| matches!(byte, b'e' | b'E'))
        && rest.take(1, 1, |byte| matches!(byte, b'-' | b'+'))
        && rest.digits(1, usize::MAX)
        && rest.0.is_empty()
}

fn float(text: &str, unsigned: &str) -> Result<Plain, ConversionError> {
    if unsigned == "." {
        return Ok(Plain::Text);
    }
    let mut plain = text.replace([',', '_'], "");
    // A point with no digit after it is dropped.
    if let Some(point) = plain.find('.')
        && !plain[point + 1..].starts_with(|c: char| c.is_ascii_digit())
    {
        plain.remove(point);
    }
    match number::float(&plain) {
        Some(number) => Ok(Value::Float(number).into()),
        None => Err(ConversionError::invalid_number("Float", &plain)),
    }
}

/// <https://yaml.org/type/int.html>: base 2, 8, 16, or 10 with commas and underscores.
fn integer(unsigned: &str, negative: bool) -> Result<Plain, ConversionError> {
    let bytes = unsigned.as_bytes();
    let separator = |byte: &u8| matches!(byte, b'_' | b',');
    let (digits, radix) = match bytes {
        [b'0', b'b', digits @ ..]
            if !digits.is_empty() && digits.iter().all(|b| separator(b) || matches!(b, b'0' | b'1')) =>
        {
            (digits, 2)
        }
        [b'0', b'x', digits @ ..]
            if !digits.is_empty() && digits.iter().all(|b| separator(b) || b.is_ascii_hexdigit()) =>
        {
            (digits, 16)
        }
        [b'0', digits @ ..] if digits.iter().all(|b| separator(b) || matches!(b, b'0'..=b'7')) => (bytes, 8),
        [b'1'..=b'9', ..] if separated(bytes) => (bytes, 10),
        _ => return Ok(Plain::Text),
    };
    let digits: Vec<u8> = digits.iter().copied().filter(|byte| !separator(byte)).collect();
    if digits.is_empty() {
        let prefix = &unsigned[..2];
        let sign = if negative { "-" } else { "" };
        return Err(ConversionError::invalid_number("Integer", &format!("{sign}{prefix}")));
    }
    Ok(number::integer(negative, &digits, radix)?.into())
}

/// Digits, each comma and underscore between two of them.
fn separated(bytes: &[u8]) -> bool {
    let mut after_digit = false;
    for byte in bytes {
        match byte {
            b'0'..=b'9' => after_digit = true,
            b',' | b'_' if after_digit => after_digit = false,
            _ => return false,
        }
    }
    after_digit
}

impl From<TooLong> for ConversionError {
    fn from(_: TooLong) -> Self {
        ConversionError::limit(format!("an integer has more than {} digits", number::MAX_DIGITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        match resolve(text, true) {
            Ok(Plain::Text) => format!("text {text:?}"),
            Ok(Plain::Value(value)) => value.inspect(),
            Err(failure) => format!("! {}", failure.message("f.yaml")),
        }
    }

    #[test]
    fn plain_scalars_match_psych() {
        for (text, meaning) in [
            ("", "nil"),
            ("~", "nil"),
            ("nULL", "nil"),
            ("yes", "true"),
            ("On", "true"),
            ("oFF", "false"),
            ("ye\u{17f}", "true"),
            ("o\u{fb00}", "false"),
            ("y", "text \"y\""),
            ("nope", "text \"nope\""),
            ("no\nno", "false"),
            ("no\nx", "text \"no\\nx\""),
            ("yes\n", "true"),
            ("0", "0"),
            ("-0", "0"),
            ("0644", "420"),
            ("08", "text \"08\""),
            ("0o17", "text \"0o17\""),
            ("1,000", "1000"),
            ("1_000", "1000"),
            ("1__0", "text \"1__0\""),
            ("0x_f", "15"),
            ("+0x1F", "31"),
            ("-0b1_1", "-3"),
            ("0,", "0"),
            ("0x_", "! invalid value for Integer(): \"0x\""),
            ("12345678901234567890", "12345678901234567890"),
            ("1e3", "text \"1e3\""),
            ("1.5e+3", "1500.0"),
            ("1.e+5", "100000.0"),
            (".e+5", "! invalid value for Float(): \"e+5\""),
            (".5", "0.5"),
            ("1.", "1.0"),
            (".", "text \".\""),
            ("1,0.5", "10.5"),
            ("-.inf", "-Infinity"),
            ("+.Inf", "Infinity"),
            (".NaN", "NaN"),
            ("+.nan", "text \"+.nan\""),
            ("1:30", "5400"),
            ("-1:30:20", "-1780"),
            ("1:30.5", "5430.0"),
            ("1:60", "text \"1:60\""),
            (":", "text \":\""),
            ("::", ":\":\""),
            (":a", ":a"),
            (":'a':b", ":a"),
            ("2024-13-01", "text \"2024-13-01\""),
            ("2024-02-30", "! (f.yaml): Tried to load unspecified class: Date"),
            ("2024-2-3 10:00:00 +1:30", "! (f.yaml): Tried to load unspecified class: Time"),
            ("2024-2-3T10:00:00.Z", "! (f.yaml): Tried to load unspecified class: Time"),
            ("1.2.3.4", "text \"1.2.3.4\""),
        ] {
            assert_eq!(show(text), meaning, "{text:?}");
        }
    }

    #[test]
    fn symbols_may_be_refused() {
        let failure = resolve(":a", false).map_err(|failure| failure.message("f.yaml"));
        assert_eq!(failure, Err("(f.yaml): Tried to load unspecified class: Symbol".into()));
    }
}
