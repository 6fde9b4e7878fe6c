//! Numbers, and what looks like one but is none.

use super::token::Kind;
use super::{Lexer, Step, is_word, word_length};

impl Lexer<'_, '_> {
    pub(super) fn number(&mut self) -> Step {
        let start = self.at;
        if let Some(length) = number_length(&self.bytes[start..]) {
            let text = &self.text[start..start + length];
            self.refuse(text, start)?;
            self.at += length;
            self.push(Kind::Number, start, Some(text.into()));
            return Ok(());
        }
        let end = start + word_length(&self.bytes[start..]);
        // A fraction that is wrong makes the whole number wrong.
        let mut from = start;
        if start > 1 && self.bytes[start - 1] == b'.' {
            while from > 0 && (from == start || self.bytes[from - 1].is_ascii_digit()) {
                from -= if from == start { 1 } else { 0 };
                if from > 0 && self.bytes[from - 1].is_ascii_digit() {
                    from -= 1;
                } else {
                    break;
                }
            }
            if from == start - 1 {
                from = start;
            }
        }
        let text = &self.text[from..end];
        self.refuse(text, from)?;
        Err(self.fault("illegal-number", format!("Illegal number '{text}'"), from + 1))
    }

    /// Says what is wrong with a number.
    fn refuse(&self, text: &str, at: usize) -> Step {
        let bytes = text.as_bytes();
        let (message, issue) = if text.starts_with("0x") || text.starts_with("0X") {
            if bytes.len() > 2 && bytes[2..].iter().all(u8::is_ascii_hexdigit) {
                return Ok(());
            }
            (format!("Not a valid hex number {text}"), "invalid-hex-number")
        } else if bytes.len() > 1 && bytes[0] == b'0' && bytes[1] != b'.' {
            if bytes[1..].iter().all(|byte| (b'0'..=b'7').contains(byte)) {
                return Ok(());
            }
            (format!("Not a valid octal number {text}"), "invalid-octal-number")
        } else if bytes.iter().position(|byte| !byte.is_ascii_digit()).is_some_and(|at| matches!(bytes[at], b'e' | b'E' | b'.')) {
            if decimal_length(bytes) == Some(bytes.len()) {
                return Ok(());
            }
            (format!("Not a valid decimal number {text}"), "invalid-decimal-number")
        } else {
            if bytes.iter().all(u8::is_ascii_digit) {
                return Ok(());
            }
            (format!("Illegal number '{text}'"), "illegal-number")
        };
        Err(self.fault(issue, message, at))
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len())
}

/// The length of the number at the start of a text; none if what is there is no number by itself.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let ends = |length: usize| !bytes.get(length).is_some_and(|byte| is_word(*byte));
    if bytes.starts_with(b"0x") || bytes.starts_with(b"0X") {
        let length = 2 + bytes[2..].iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(bytes.len() - 2);
        if length > 2 && ends(length) {
            return Some(length);
        }
    }
    let whole = digits(bytes);
    let fraction = fraction_length(&bytes[whole..]);
    let with_exponent = |length: usize| exponent_length(&bytes[length..]).map(|more| length + more);
    let candidates = [
        with_exponent(whole + fraction),
        Some(whole + fraction),
        with_exponent(whole),
        Some(whole),
    ];
    candidates.into_iter().flatten().find(|length| ends(*length))
}

fn fraction_length(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(b'.') => match digits(&bytes[1..]) {
            0 => 0,
            length => 1 + length,
        },
        _ => 0,
    }
}

fn exponent_length(bytes: &[u8]) -> Option<usize> {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return None;
    }
    let sign = usize::from(bytes.get(1) == Some(&b'-'));
    match digits(&bytes[1 + sign..]) {
        0 => None,
        length => Some(1 + sign + length),
    }
}

/// The length of a decimal number with fraction and exponent.
fn decimal_length(bytes: &[u8]) -> Option<usize> {
    let whole = digits(bytes);
    let length = whole + fraction_length(&bytes[whole..]);
    Some(length + exponent_length(&bytes[length..]).unwrap_or(0)).filter(|_| whole > 0)
}
