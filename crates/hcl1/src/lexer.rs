//! The tokens of the native syntax.

use hieratic_source::Span;

use crate::error::Error;
use crate::text::{END, Text, is_digit, is_letter, is_space};
use crate::token::{Token, TokenKind};

/// Reads tokens. The first error ends reading: the reference refuses a file that has any.
pub(crate) struct Lexer<'t> {
    text: Text<'t>,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        Lexer { text: Text::new(bytes, false) }
    }

    pub(crate) fn bytes(&self) -> &'t [u8] {
        self.text.bytes
    }

    pub(crate) fn scan(&mut self) -> Result<Token, Error> {
        let mut letter = self.next()?;
        while is_space(letter) {
            letter = self.next()?;
        }
        self.text.begin();
        let kind = self.token_kind(letter)?;
        let place = self.text.start();
        Ok(Token { kind, place, span: Span::new(place.offset, self.text.offset()), is_json: false })
    }

    fn next(&mut self) -> Result<char, Error> {
        self.text.next()
    }

    fn token_kind(&mut self, letter: char) -> Result<TokenKind, Error> {
        if is_letter(letter) {
            return self.identifier();
        }
        Ok(match letter {
            '0'..='9' => self.number(letter)?,
            END => TokenKind::End,
            '"' => self.string()?,
            '#' | '/' => self.comment(letter)?,
            '.' => self.period()?,
            '<' => self.heredoc()?,
            '[' => TokenKind::LeftBracket,
            ']' => TokenKind::RightBracket,
            '{' => TokenKind::LeftBrace,
            '}' => TokenKind::RightBrace,
            ',' => TokenKind::Comma,
            '=' => TokenKind::Assign,
            '+' => TokenKind::Add,
            '-' if self.text.peek().is_ascii_digit() => {
                let digit = self.next()?;
                self.number(digit)?
            }
            '-' => TokenKind::Subtract,
            '\'' => return Err(self.text.error("illegal char").with_help("strings have double quotes: \"...\"")),
            ':' => return Err(self.text.error("illegal char").with_help("write = between a key and its value")),
            ';' => return Err(self.text.error("illegal char").with_help("an argument ends at its value: remove ;")),
            '\u{feff}' => {
                return Err(self.text.error("illegal char").with_help("remove the byte order mark at this place"));
            }
            _ => return self.text.fail("illegal char"),
        })
    }

    fn identifier(&mut self) -> Result<TokenKind, Error> {
        let mut letter = self.next()?;
        while is_letter(letter) || is_digit(letter) || letter == '-' || letter == '.' {
            letter = self.next()?;
        }
        if letter != END {
            self.text.back();
        }
        let word = self.text.bytes.get(self.text.start().offset..self.text.offset()).unwrap_or_default();
        Ok(if matches!(word, b"true" | b"false") { TokenKind::Bool } else { TokenKind::Identifier })
    }

    fn period(&mut self) -> Result<TokenKind, Error> {
        let digit = self.text.peek();
        if !digit.is_ascii_digit() {
            return Ok(TokenKind::Period);
        }
        let letter = self.text.mantissa(digit)?;
        self.text.exponent(letter)?;
        Ok(TokenKind::Float)
    }

    fn number(&mut self, digit: char) -> Result<TokenKind, Error> {
        if digit == '0' {
            return self.number_from_zero();
        }
        self.text.mantissa(digit)?;
        let letter = self.next()?;
        self.number_end(letter)
    }

    /// The kind of characters that may follow the digits of a number: `letter` is taken.
    fn number_end(&mut self, letter: char) -> Result<TokenKind, Error> {
        match letter {
            'e' | 'E' => self.text.exponent(letter)?,
            '.' => self.text.fraction_and_exponent()?,
            END => return Ok(TokenKind::Number),
            _ => {
                self.text.back();
                return Ok(TokenKind::Number);
            }
        }
        Ok(TokenKind::Float)
    }

    fn number_from_zero(&mut self) -> Result<TokenKind, Error> {
        let mut letter = self.next()?;
        if letter == 'x' || letter == 'X' {
            return self.hexadecimal();
        }
        let mut is_no_octal = false;
        while letter.is_ascii_digit() {
            letter = self.next()?;
            is_no_octal |= letter == '8' || letter == '9';
        }
        if is_no_octal && !matches!(letter, 'e' | 'E' | '.') {
            return Err(self.text.token_error("illegal octal number"));
        }
        self.number_end(letter)
    }

    fn hexadecimal(&mut self) -> Result<TokenKind, Error> {
        let mut letter = self.next()?;
        let has_digits = letter.is_ascii_hexdigit();
        while letter.is_ascii_hexdigit() {
            letter = self.next()?;
        }
        if !has_digits {
            return Err(self.text.token_error("illegal hexadecimal number"));
        }
        if letter != END {
            self.text.back();
        }
        Ok(TokenKind::Number)
    }

    /// A string, in which quotes within `${}` do not count.
    fn string(&mut self) -> Result<TokenKind, Error> {
        let mut braces = 0_usize;
        loop {
            let letter = self.next()?;
            match letter {
                END => return Err(self.unterminated()),
                '\n' if braces == 0 => return Err(self.unterminated()),
                '"' if braces == 0 => return Ok(TokenKind::String),
                '$' if braces == 0 && self.text.peek() == '{' => {
                    braces += 1;
                    self.next()?;
                }
                '{' if braces > 0 => braces += 1,
                '}' if braces > 0 => braces -= 1,
                '\\' => self.escape()?,
                _ => {}
            }
        }
    }

    fn unterminated(&self) -> Error {
        self.text
            .token_error("literal not terminated")
            .with_help("close the string with \" on its line, or write several lines as <<EOF")
    }

    fn escape(&mut self) -> Result<(), Error> {
        let letter = self.next()?;
        let (digit, base, count) = match letter {
            'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '"' => return Ok(()),
            '0'..='7' => (letter, 8, 3),
            'x' => (self.next()?, 16, 2),
            'u' => (self.next()?, 16, 4),
            'U' => (self.next()?, 16, 8),
            _ => return self.illegal_escape(),
        };
        let mut letter = digit;
        for _ in 0..count {
            if !letter.is_digit(base) {
                return self.illegal_escape();
            }
            letter = self.next()?;
            if letter == END {
                return self.illegal_escape();
            }
        }
        self.text.back();
        Ok(())
    }

    fn illegal_escape<T>(&self) -> Result<T, Error> {
        Err(self.text.error("illegal char escape").with_help("write a backslash as \\\\"))
    }

    fn comment(&mut self, letter: char) -> Result<TokenKind, Error> {
        match (letter, self.text.peek()) {
            ('/', '*') => self.block_comment()?,
            ('/', next) if next != '/' => {
                let error = self.text.error("expected '/' for comment");
                return Err(error.with_help("a comment begins with #, // or /*; put a string with / in quotes"));
            }
            _ => loop {
                match self.next()? {
                    '\n' => {
                        self.text.back();
                        break;
                    }
                    END => break,
                    _ => {}
                }
            },
        }
        Ok(TokenKind::Comment)
    }

    fn block_comment(&mut self) -> Result<(), Error> {
        self.next()?;
        let mut letter = self.next()?;
        loop {
            if letter == END {
                return Err(self.text.token_error("comment not terminated").with_help("end it with */"));
            }
            let before = letter;
            letter = self.next()?;
            if before == '*' && letter == '/' {
                return Ok(());
            }
        }
    }

    fn heredoc(&mut self) -> Result<TokenKind, Error> {
        if self.next()? != '<' {
            return self.text.fail("heredoc expected second '<', didn't see it");
        }
        let anchor = self.anchor()?;
        let bytes = self.text.bytes;
        loop {
            let start = self.text.offset();
            let rest = bytes.get(start..).unwrap_or_default();
            // Read the line, so that all its characters are checked.
            loop {
                match self.next()? {
                    '\n' => break,
                    END => {
                        let error = self.text.token_error("heredoc not terminated");
                        return Err(error.with_help("end it with a line that has only its marker"));
                    }
                    _ => {}
                }
            }
            let line = rest.get(..self.text.offset() - 1 - start).unwrap_or_default();
            if ends_heredoc(line, anchor) {
                return Ok(TokenKind::Heredoc);
            }
        }
    }

    /// The marker after `<<`, with its hyphen.
    fn anchor(&mut self) -> Result<&'t [u8], Error> {
        let start = self.text.offset();
        let mut letter = self.next()?;
        if letter == '-' {
            letter = self.next()?;
        }
        while is_letter(letter) || is_digit(letter) {
            letter = self.next()?;
        }
        if letter == END {
            return Err(self.text.token_error("heredoc not terminated"));
        }
        if letter == '\r' && self.text.peek() == '\n' {
            letter = self.next()?;
        }
        if letter != '\n' {
            let error = self.text.error("invalid characters in heredoc anchor");
            return Err(
                error.with_help("the marker has only letters and digits, and ends its line: no blanks, no quotes")
            );
        }
        let anchor = self.text.bytes.get(start..self.text.offset() - 1).unwrap_or_default();
        if matches!(anchor, [] | [b'-']) {
            return Err(self.text.token_error("zero-length heredoc anchor"));
        }
        Ok(anchor)
    }
}

/// Whether a line ends a heredoc. A line that is shorter than the marker with its hyphen does not, as in the reference.
fn ends_heredoc(line: &[u8], anchor: &[u8]) -> bool {
    if line.len() < anchor.len() {
        return false;
    }
    let marker = anchor.strip_prefix(b"-").unwrap_or(anchor);
    let is_blank = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ');
    let start = line.iter().position(|byte| !is_blank(byte)).unwrap_or(line.len());
    let text = line.get(start..).unwrap_or_default();
    text.strip_prefix(marker).is_some_and(|rest| rest.iter().all(|byte| *byte == b'\r'))
}
