//! Numbers, and errors for invalid ones.

use super::{LexError, Lexer, ReadResult, is_word};
use crate::codes;
use crate::token::{Payload, SyntaxKind};

impl<'s> Lexer<'s> {
    /// Reads a number; the current position is its first digit.
    pub(super) fn number(&mut self) -> Result<ReadResult, LexError> {
        let start = self.position;
        match self.number_end(start) {
            Some(end) => {
                let text: &'s str = &self.text[start..end];
                self.advance_over(start..end);
                self.check_number(text, start)?;
                Ok(self.read_as(SyntaxKind::Number, start, end, Payload::Piece(text)))
            }
            None => Err(self.illegal_number(start)),
        }
    }

    /// Returns the end of the longest number that starts at a byte, if it is also the end of a word.
    fn number_end(&self, start: usize) -> Option<usize> {
        let digits = |at: usize| {
            let rest = self.bytes.get(at..).unwrap_or(&[]);
            at + rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
        };
        let ends_here = |at: usize| match self.bytes.get(at) {
            None => true,
            Some(byte) if byte.is_ascii() => !is_word(*byte),
            Some(_) => self.text.get(at..).and_then(|rest| rest.chars().next()).is_none_or(|c| !c.is_alphanumeric()),
        };
        if let [b'0', b'x' | b'X', rest @ ..] = &self.bytes[start..] {
            let hexadecimal = rest.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(rest.len());
            let end = start + 2 + hexadecimal;
            return (hexadecimal > 0 && ends_here(end)).then_some(end);
        }
        let exponent = |at: usize| {
            let marked = matches!(self.bytes.get(at), Some(b'e' | b'E'));
            let first = at + 1 + usize::from(self.bytes.get(at + 1) == Some(&b'-'));
            let end = digits(first);
            (marked && end > first).then_some(end)
        };
        let whole = digits(start);
        let fraction = match self.bytes.get(whole) {
            Some(b'.') if digits(whole + 1) > whole + 1 => Some(digits(whole + 1)),
            _ => None,
        };
        [fraction.and_then(exponent), fraction, exponent(whole), Some(whole)]
            .into_iter()
            .flatten()
            .find(|end| ends_here(*end))
    }

    /// Checks that a number follows the rules of the language.
    fn check_number(&self, text: &str, at: usize) -> Result<(), LexError> {
        let bytes = text.as_bytes();
        let (issue, message, fine) = match bytes {
            [b'0', b'x' | b'X', rest @ ..] => {
                let fine = !rest.is_empty() && rest.iter().all(u8::is_ascii_hexdigit);
                (codes::INVALID_HEX_NUMBER, format!("Not a valid hex number {text}"), fine)
            }
            [b'0', second, ..] if *second != b'.' => {
                let fine = bytes.iter().all(|byte| (b'0'..=b'7').contains(byte));
                (codes::INVALID_OCTAL_NUMBER, format!("Not a valid octal number {text}"), fine)
            }
            _ => {
                let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
                match bytes.get(digits) {
                    Some(b'e' | b'E' | b'.') => {
                        let message = format!("Not a valid decimal number {text}");
                        (codes::INVALID_DECIMAL_NUMBER, message, is_decimal(bytes))
                    }
                    rest => (codes::ILLEGAL_NUMBER, format!("Illegal number '{text}'"), rest.is_none()),
                }
            }
        };
        if fine { Ok(()) } else { Err(self.problem_at(issue, message, at)) }
    }

    /// Returns the error for digits that are not a number. The message includes the word characters around them.
    fn illegal_number(&mut self, start: usize) -> LexError {
        let rest = &self.bytes[start..];
        let end = start + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        let mut first = start;
        if start > 1 && self.bytes[start - 1] == b'.' {
            // After a dot, this may be the fraction of an invalid decimal number.
            let before = &self.bytes[..start - 1];
            let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                first = start - 1 - digits;
            }
        }
        let text = &self.text[first..end];
        if let Err(error) = self.check_number(text, first) {
            return error;
        }
        self.problem_at(codes::ILLEGAL_NUMBER, format!("Illegal number '{text}'"), first + 1)
    }
}

/// Returns whether the bytes are a decimal number with a fraction, an exponent, or both.
fn is_decimal(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = &bytes[digits(bytes)..];
    if let [b'.', fraction @ ..] = rest {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}
