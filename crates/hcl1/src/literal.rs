//! The values of literals.

use crate::token::{Token, TokenKind};
use crate::tree::{File, Scalar};

impl File {
    /// Returns the value of a literal.
    ///
    /// # Errors
    /// The literal has no value. The parser of the reference accepts such a literal, and its decoder ends the process.
    pub fn scalar(&self, token: &Token) -> Result<Scalar, String> {
        let text = self.text(token);
        match token.kind {
            TokenKind::Bool => Ok(Scalar::Bool(text == "true")),
            TokenKind::Number => integer(text).map(Scalar::Integer),
            TokenKind::Float => match text.parse::<f64>() {
                Ok(float) if float.is_finite() => Ok(Scalar::Float(float)),
                _ => Err(format!("{text} is not a number")),
            },
            _ => self.name(token).map(Scalar::String),
        }
    }

    /// Returns the value of a key or a string literal.
    ///
    /// # Errors
    /// As [`scalar`](Self::scalar).
    pub fn name(&self, token: &Token) -> Result<String, String> {
        let text = self.text(token);
        match token.kind {
            TokenKind::String if token.is_json => unquote_json(text),
            TokenKind::String => unquote(text),
            TokenKind::Heredoc => heredoc(text),
            TokenKind::Null => Ok(String::new()),
            _ => Ok(text.to_owned()),
        }
        .map_err(|reason| format!("{reason}: {text}"))
    }
}

/// An integer of 64 bits, decimal, octal or hexadecimal.
fn integer(text: &str) -> Result<i64, String> {
    let is_negative = text.starts_with('-');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let lower = digits.to_ascii_lowercase();
    let (digits, base) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (digits.get(1..).unwrap_or_default(), 8),
        None => (digits, 10),
    };
    let magnitude = u64::from_str_radix(digits, base);
    let number = magnitude.ok().and_then(|magnitude| {
        if is_negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    });
    number.ok_or_else(|| format!("{text} is not an integer of 64 bits"))
}

/// A string in quotes. An interpolation stays unchanged.
fn unquote(text: &str) -> Result<String, &'static str> {
    let mut rest = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or("the string does not end")?;
    let mut bytes = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        if rest.starts_with("${") {
            let end = interpolation_end(rest).ok_or("the interpolation does not end")?;
            bytes.extend(rest.get(..end).unwrap_or_default().as_bytes());
            rest = rest.get(end..).unwrap_or_default();
            continue;
        }
        let (length, letter) = letter(rest, false)?;
        bytes.extend(letter.bytes());
        rest = rest.get(length..).unwrap_or_default();
    }
    String::from_utf8(bytes).map_err(|_| "its escapes are not UTF-8")
}

fn interpolation_end(text: &str) -> Option<usize> {
    let mut braces = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => braces += 1,
            '}' if braces == 1 => return Some(at + 1),
            '}' => braces -= 1,
            _ => {}
        }
    }
    None
}

fn unquote_json(text: &str) -> Result<String, &'static str> {
    let mut rest = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or("the string does not end")?;
    let mut bytes = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let (length, letter) = letter(rest, true)?;
        bytes.extend(letter.bytes());
        rest = rest.get(length..).unwrap_or_default();
    }
    String::from_utf8(bytes).map_err(|_| "its escapes are not UTF-8")
}

/// A character, or a byte of one.
enum Letter {
    Byte(u8),
    Character(char),
}

impl Letter {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Letter::Byte(byte) => vec![*byte],
            Letter::Character(letter) => letter.to_string().into_bytes(),
        }
    }
}

/// The first letter of a string, and the number of bytes that it is written with.
fn letter(text: &str, is_json: bool) -> Result<(usize, Letter), &'static str> {
    const SYNTAX: &str = "invalid syntax of a string";
    let mut letters = text.chars();
    let first = letters.next().ok_or(SYNTAX)?;
    if matches!(first, '"' | '\n') {
        return Err(SYNTAX);
    }
    if first != '\\' {
        return Ok((first.len_utf8(), Letter::Character(first)));
    }
    let escape = letters.next().ok_or(SYNTAX)?;
    let digits = |start: usize, count: usize, base: u32| -> Result<u32, &'static str> {
        let digits = text.get(start..start + count).ok_or(SYNTAX)?;
        u32::from_str_radix(digits, base).map_err(|_| SYNTAX)
    };
    let plain = match escape {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '"' => escape,
        'x' => return Ok((4, Letter::Byte(u8::try_from(digits(2, 2, 16)?).map_err(|_| SYNTAX)?))),
        'u' | 'U' => {
            let count = if escape == 'u' { 4 } else { 8 };
            let code = digits(2, count, 16)?;
            let letter = match char::from_u32(code) {
                Some(letter) => letter,
                // HCL's own function encodes a surrogate as what replaces it.
                None if !is_json && (0xd800..0xe000).contains(&code) => char::REPLACEMENT_CHARACTER,
                None => return Err(SYNTAX),
            };
            return Ok((2 + count, Letter::Character(letter)));
        }
        '0'..='7' => return Ok((4, Letter::Byte(u8::try_from(digits(1, 3, 8)?).map_err(|_| SYNTAX)?))),
        _ => return Err(SYNTAX),
    };
    Ok((2, Letter::Character(plain)))
}

/// The lines of a heredoc. With `<<-`, the blanks before its end are taken from every line.
fn heredoc(text: &str) -> Result<String, &'static str> {
    const SYNTAX: &str = "the heredoc has no lines";
    let first = text.find('\n').ok_or(SYNTAX)?;
    // The last line is taken to be as long as the marker: blanks before it are a part of the value.
    let slice =
        |extra: usize| text.len().checked_sub(first).and_then(|end| text.get(first + 1..end + extra)).ok_or(SYNTAX);
    if !text.starts_with("<<-") {
        return Ok(slice(1)?.to_owned());
    }
    let lines: Vec<&str> = slice(2)?.split('\n').collect();
    let blanks = lines.last().copied().unwrap_or_default();
    if !lines.iter().all(|line| line.starts_with(blanks)) {
        return Ok(slice(1)?.trim_end_matches([' ', '\t']).to_owned());
    }
    let mut unindented: Vec<&str> = lines.iter().map(|line| line.strip_prefix(blanks).unwrap_or(line)).collect();
    if let Some(last) = unindented.last_mut() {
        *last = "";
    }
    Ok(unindented.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_interpolations() {
        assert_eq!(unquote(r#""a\n${file("x\n")}\u00e9""#), Ok("a\n${file(\"x\\n\")}é".into()));
        assert_eq!(unquote_json(r#""a${\"}\x41""#), Ok("a${\"}A".into()));
        assert!(unquote("\"a\nb\"").is_err());
    }

    #[test]
    fn integers_have_prefixes() {
        assert_eq!(integer("0x1F"), Ok(31));
        assert_eq!(integer("-017"), Ok(-15));
        assert_eq!(integer("-9223372036854775808"), Ok(i64::MIN));
        assert!(integer("08").is_err() && integer("9223372036854775808").is_err());
    }

    #[test]
    fn heredocs_lose_their_blanks() {
        assert_eq!(heredoc("<<EOF\na\n  b\nEOF\n"), Ok("a\n  b\n".into()));
        assert_eq!(heredoc("<<EOF\na\n  EOF\n"), Ok("a\n  ".into()));
        assert_eq!(heredoc("<<-EOF\n  a\n    b\n  EOF\n"), Ok("a\n  b\n".into()));
        assert_eq!(heredoc("<<-EOF\n a\n  EOF\n"), Ok(" a\n".into()));
    }
}
