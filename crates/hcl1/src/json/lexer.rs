//! The tokens of the JSON syntax.

use hieratic_source::Span;

use crate::error::Error;
use crate::text::{END, Text, is_digit, is_letter, is_space};
use crate::token::{Token, TokenKind};

/// Reads tokens.
pub(super) struct Lexer<'t> {
    text: Text<'t>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Lexer { text: Text::new(bytes, true) }
    }

    pub(super) fn scan(&mut self) -> Result<Token, Error> {
        let mut letter = self.text.next()?;
        while is_space(letter) {
            letter = self.text.next()?;
        }
        self.text.begin();
        let kind = self.token_kind(letter)?;
        let place = self.text.start();
        Ok(Token { kind, place, span: Span::new(place.offset, self.text.offset()), is_json: true })
    }

    fn token_kind(&mut self, letter: char) -> Result<TokenKind, Error> {
        if is_letter(letter) {
            return self.word();
        }
        Ok(match letter {
            '0'..='9' => self.number(letter)?,
            END => TokenKind::End,
            '"' => self.string()?,
            '.' => {
                let digit = self.text.peek();
                if !digit.is_ascii_digit() {
                    return Ok(TokenKind::Period);
                }
                let letter = self.text.mantissa(digit)?;
                self.text.exponent(letter)?;
                TokenKind::Float
            }
            '[' => TokenKind::LeftBracket,
            ']' => TokenKind::RightBracket,
            '{' => TokenKind::LeftBrace,
            '}' => TokenKind::RightBrace,
            ',' => TokenKind::Comma,
            ':' => TokenKind::Colon,
            '-' if self.text.peek().is_ascii_digit() => {
                let digit = self.text.next()?;
                self.number(digit)?
            }
            '#' | '/' => return Err(self.text.error("illegal char").with_help("JSON has no comments")),
            _ => return self.text.fail("illegal char"),
        })
    }

    fn word(&mut self) -> Result<TokenKind, Error> {
        let mut letter = self.text.next()?;
        while is_letter(letter) || is_digit(letter) || letter == '-' {
            letter = self.text.next()?;
        }
        if letter != END {
            self.text.back();
        }
        match self.text.bytes.get(self.text.start().offset..self.text.offset()).unwrap_or_default() {
            b"true" | b"false" => Ok(TokenKind::Bool),
            b"null" => Ok(TokenKind::Null),
            _ => Err(self.text.token_error("illegal char").with_help("write a string in quotes")),
        }
    }

    fn number(&mut self, digit: char) -> Result<TokenKind, Error> {
        self.text.mantissa(digit)?;
        let after = self.text.offset();
        let letter = self.text.next()?;
        match letter {
            'e' | 'E' => self.text.exponent(letter)?,
            '.' => self.text.fraction_and_exponent()?,
            _ => {
                let length = after - self.text.start().offset;
                let signs = usize::from(self.text.bytes.get(self.text.start().offset) == Some(&b'-'));
                // The end of the text moves the position on, so that a zero there is refused as well.
                if digit == '0' && (length > 1 + signs || letter == END) {
                    return Err(self.text.token_error("numbers cannot start with 0"));
                }
                if letter != END {
                    self.text.back();
                }
                return Ok(TokenKind::Number);
            }
        }
        Ok(TokenKind::Float)
    }

    fn string(&mut self) -> Result<TokenKind, Error> {
        let mut braces = 0_usize;
        loop {
            match self.text.next()? {
                END | '\n' => return Err(self.text.token_error("literal not terminated")),
                '"' => return Ok(TokenKind::String),
                '$' if braces == 0 && self.text.peek() == '{' => {
                    braces += 1;
                    self.text.next()?;
                }
                '{' if braces > 0 => braces += 1,
                '}' if braces > 0 => braces -= 1,
                '\\' => self.escape()?,
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Error> {
        let letter = self.text.next()?;
        let (digit, base, count) = match letter {
            'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '"' => return Ok(()),
            '0'..='7' => (letter, 8, 3),
            'x' => (self.text.next()?, 16, 2),
            'u' => (self.text.next()?, 16, 4),
            'U' => (self.text.next()?, 16, 8),
            _ => return self.text.fail("illegal char escape"),
        };
        let mut letter = digit;
        for _ in 0..count {
            if !letter.is_digit(base) {
                return self.text.fail("illegal char escape");
            }
            letter = self.text.next()?;
        }
        if letter != END {
            self.text.back();
        }
        Ok(())
    }
}
