//! [`Tokenizer`]: splits a source into tokens.
//!
//! <https://github.com/lightbend/config/blob/main/HOCON.md>, as implemented by the gem hocon 1.3.1.

use std::rc::Rc;

use hieratic_source::Cursor;
use hieratic_value::{BigInt, Rich, Value};

use super::MAX_DEPTH;
use super::error::{HoconError, HoconResult};
use super::token::{Literal, Token, TokenKind};
use hieratic_json::number::{self, MAX_DIGITS, TooLong};

/// Characters that end text without quotes.
const RESERVED: &str = "$\"{}[]:=,+#`^?!@*&\\";

pub(super) struct Tokenizer<'s> {
    source: &'s str,
    offset: usize,
    /// The line as the gem counts it.
    line: i64,
    lines: Cursor<'s>,
    space: Space,
    queue: std::collections::VecDeque<Token>,
    /// The nesting depth of substitutions.
    depth: usize,
}

/// Space that was skipped: between simple values it is text, elsewhere it is nothing.
#[derive(Default)]
struct Space {
    text: String,
    after_simple: bool,
}

impl Space {
    /// Decides how the space before a token is represented.
    fn before(&mut self, next: &Token) -> Option<TokenKind> {
        let simple = next.is_simple();
        let between = simple && self.after_simple;
        self.after_simple = simple;
        if self.text.is_empty() {
            return None;
        }
        let text: Rc<str> = std::mem::take(&mut self.text).into();
        Some(if between { TokenKind::Text(text) } else { TokenKind::Whitespace(text) })
    }
}

/// The reason why there is no token.
enum TokenError {
    /// A token that describes the problem.
    Problem(TokenKind),
    HoconError(HoconError),
}

impl From<HoconError> for TokenError {
    fn from(failure: HoconError) -> Self {
        TokenError::HoconError(failure)
    }
}

fn problem(subject: impl Into<Rc<str>>, message: impl Into<Rc<str>>) -> TokenError {
    TokenError::Problem(TokenKind::Problem { what: subject.into(), message: message.into() })
}

/// A character as a message shows it; the gem shows the end of the text as minus one.
fn describe_char(c: Option<char>) -> String {
    c.map_or_else(|| "-1".to_string(), String::from)
}

impl<'s> Tokenizer<'s> {
    pub fn new(source: &'s str) -> Self {
        Tokenizer {
            source,
            offset: 0,
            line: 1,
            lines: Cursor::new(source.as_bytes()),
            space: Space::default(),
            queue: Default::default(),
            depth: 0,
        }
    }

    /// Returns the next token. After the end, it returns the end again.
    ///
    /// One token is read ahead, as in the gem: its errors are reported before those of the parser.
    pub fn next(&mut self) -> HoconResult<Token> {
        if self.queue.is_empty() {
            self.fill()?;
        }
        let Some(token) = self.queue.pop_front() else {
            return Ok(self.token(TokenKind::End, self.offset));
        };
        if self.queue.is_empty() && !matches!(token.kind, TokenKind::End) {
            self.fill()?;
        }
        Ok(token)
    }

    fn fill(&mut self) -> HoconResult<()> {
        let mut space = std::mem::take(&mut self.space);
        let start = self.offset;
        let token = self.pull(&mut space);
        self.space = space;
        let token = match token {
            Ok(token) => token,
            Err(TokenError::Problem(kind)) => {
                let token = self.token(kind, start);
                self.queue.push_back(token);
                return Ok(());
            }
            Err(TokenError::HoconError(failure)) => return Err(failure),
        };
        if let Some(kind) = self.space.before(&token) {
            let space = self.token(kind, start);
            self.queue.push_back(space);
        }
        self.queue.push_back(token);
        Ok(())
    }

    fn token(&mut self, kind: TokenKind, start: usize) -> Token {
        self.token_of_line(kind, start, self.line)
    }

    fn token_of_line(&mut self, kind: TokenKind, start: usize, line: i64) -> Token {
        let has_line = !matches!(
            kind,
            TokenKind::End
                | TokenKind::Comma
                | TokenKind::Equals
                | TokenKind::Colon
                | TokenKind::OpenCurly
                | TokenKind::CloseCurly
                | TokenKind::OpenSquare
                | TokenKind::CloseSquare
                | TokenKind::PlusEquals
        );
        let at = self.lines.position(start);
        Token { kind, line: has_line.then_some(line), at, span: start..self.offset }
    }

    fn read(&mut self) -> Option<char> {
        let c = self.source[self.offset..].chars().next()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    fn put_back(&mut self, c: Option<char>) {
        self.offset -= c.map_or(0, char::len_utf8);
    }

    fn peek(&self) -> Option<char> {
        self.source[self.offset..].chars().next()
    }

    /// Returns whether a comment begins with the last character.
    fn begins_comment(&self, c: char) -> bool {
        c == '#' || c == '/' && self.peek() == Some('/')
    }

    fn pull(&mut self, space: &mut Space) -> Result<Token, TokenError> {
        let c = loop {
            match self.read() {
                Some(c) if c != '\n' && c.is_whitespace() => space.text.push(c),
                c => break c,
            }
        };
        let start = self.offset - c.map_or(0, char::len_utf8);
        let Some(c) = c else { return Ok(self.token(TokenKind::End, start)) };
        let line = self.line;
        let kind = match c {
            '\n' => {
                self.line += 1;
                return Ok(self.token_of_line(TokenKind::Newline, start, line));
            }
            c if self.begins_comment(c) => self.comment(c),
            '"' => self.quoted()?,
            '$' => self.substitution()?,
            ':' => TokenKind::Colon,
            ',' => TokenKind::Comma,
            '=' => TokenKind::Equals,
            '{' => TokenKind::OpenCurly,
            '}' => TokenKind::CloseCurly,
            '[' => TokenKind::OpenSquare,
            ']' => TokenKind::CloseSquare,
            '+' => match self.read() {
                Some('=') => TokenKind::PlusEquals,
                c => {
                    let c = describe_char(c);
                    let message = format!("'+' not followed by =, '{c}' not allowed after '+'");
                    return Err(problem(c, message));
                }
            },
            '0'..='9' | '-' => self.number(start)?,
            c if RESERVED.contains(c) => {
                return Err(problem(
                    describe_char(Some(c)),
                    format!("Reserved character '{c}' is not allowed outside quotes"),
                ));
            }
            c => {
                self.put_back(Some(c));
                self.unquoted()
            }
        };
        Ok(self.token(kind, start))
    }

    fn comment(&mut self, first: char) -> TokenKind {
        if first == '/' {
            self.read();
        }
        let rest = &self.source[self.offset..];
        let text = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.offset += text.len();
        TokenKind::Comment(text.into())
    }

    /// Text without quotes, and the words for null and booleans wherever they begin such text.
    fn unquoted(&mut self) -> TokenKind {
        let start = self.offset;
        loop {
            let c = self.read();
            match c {
                Some(c) if !RESERVED.contains(c) && !c.is_whitespace() && !self.begins_comment(c) => {}
                c => {
                    self.put_back(c);
                    return TokenKind::Text(self.source[start..self.offset].into());
                }
            }
            match &self.source[start..self.offset] {
                "true" => return TokenKind::Literal(Literal::Boolean(true)),
                "false" => return TokenKind::Literal(Literal::Boolean(false)),
                "null" => return TokenKind::Literal(Literal::Null),
                _ => {}
            }
        }
    }

    fn number(&mut self, start: usize) -> Result<TokenKind, TokenError> {
        while matches!(self.peek(), Some('0'..='9' | 'e' | 'E' | '+' | '-' | '.')) {
            self.read();
        }
        let text = &self.source[start..self.offset];
        let value = if text.contains(['.', 'e', 'E']) {
            match number::float(text) {
                Some(number) if number.is_infinite() => {
                    let message = if number < 0.0 { "-Infinity" } else { "Infinity" };
                    return Err(HoconError::plain(self.lines.position(start), message).into());
                }
                // A whole number becomes an integer.
                Some(number) if number.fract() == 0.0 => Some(Value::from(Rich::BigInteger(whole(number)))),
                number => number.map(Value::Float),
            }
        } else {
            match integer(text) {
                Ok(value) => value,
                Err(TooLong) => {
                    let message = format!("an integer has more than {MAX_DIGITS} digits");
                    return Err(HoconError::limit(self.lines.position(start), message).into());
                }
            }
        };
        match value {
            Some(value) => {
                let float = matches!(value, Value::Float(_));
                Ok(TokenKind::Literal(Literal::Number { value, text: text.into(), float }))
            }
            // The missing space is the gem's.
            None if text.contains('+') => Err(problem("+", "Reserved character '+'is not allowed outside quotes")),
            None => Ok(TokenKind::Text(text.into())),
        }
    }

    fn quoted(&mut self) -> Result<TokenKind, TokenError> {
        let mut text = String::new();
        loop {
            match self.read() {
                None => return Err(problem("-1", "End of input but string quote was still open")),
                Some('"') => break,
                Some('\\') => self.escape(&mut text)?,
                Some(c) if c.is_control() => {
                    let message =
                        format!("JSON does not allow unescaped {c} in quoted strings, use a backslash escape");
                    return Err(problem(describe_char(Some(c)), message));
                }
                Some(c) => text.push(c),
            }
        }
        if text.is_empty() && self.peek() == Some('"') {
            self.read();
            return self.triple_quoted();
        }
        Ok(TokenKind::Literal(Literal::String(text.into())))
    }

    /// Up to three quotes, of which more may stand: the last three end it.
    fn triple_quoted(&mut self) -> Result<TokenKind, TokenError> {
        let start = self.offset;
        let mut quotes = 0;
        loop {
            match self.read() {
                Some('"') => quotes += 1,
                c if quotes >= 3 => {
                    self.put_back(c);
                    return Ok(TokenKind::Literal(Literal::String(self.source[start..self.offset - 3].into())));
                }
                None => return Err(problem("-1", "End of input but triple-quoted string was still open")),
                Some(c) => {
                    quotes = 0;
                    self.line += i64::from(c == '\n');
                }
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), TokenError> {
        let Some(c) = self.read() else {
            return Err(problem("", "End of input but backslash in string had nothing after it"));
        };
        let unescaped = match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(text),
            '\n' => return Err(unreportable("newline")),
            '\t' => return Err(unreportable("tab")),
            c if c.is_control() => {
                let message = format!("invalid value for Integer(): {}", Value::from(String::from(c)).inspect());
                return Err(HoconError::plain(self.lines.position(self.offset - 1), message).into());
            }
            c => return Err(unreportable(c.encode_utf8(&mut [0; 4]))),
        };
        text.push(unescaped);
        Ok(())
    }

    /// Four characters, read as leniently as Ruby's `String#hex` reads them.
    fn unicode_escape(&mut self, text: &mut String) -> Result<(), TokenError> {
        let start = self.offset;
        for _ in 0..4 {
            if self.read().is_none() {
                return Err(problem("-1", "End of input but expecting 4 hex digits for \\uXXXX escape"));
            }
        }
        let digits = &self.source[start..self.offset];
        let (negative, code) = hex(digits);
        let at = self.lines.position(start);
        match char::from_u32(code) {
            _ if negative && code > 0 => Err(HoconError::plain(at, "pack(U): value out of range").into()),
            // The message of the gem.
            Some('_') => Err(problem(digits, format!("Malformed hex digits after \\u escape in string: '{digits}'"))),
            Some(c) => {
                text.push(c);
                Ok(())
            }
            None => {
                let message = format!("the escape \\u{digits} is half of a surrogate pair, which is not a character");
                let failure = HoconError::limit(at, message).with_hint("write the character itself");
                Err(failure.into())
            }
        }
    }

    fn substitution(&mut self) -> Result<TokenKind, TokenError> {
        let c = self.read();
        if c != Some('{') {
            let c = describe_char(c);
            let message = format!("'$' not followed by {{, '{c}' not allowed after '$'");
            return Err(problem(c, message));
        }
        let optional = self.peek() == Some('?');
        if optional {
            self.read();
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(super::too_deep(self.lines.position(self.offset)).into());
        }
        let mut space = Space::default();
        let mut expression = Vec::new();
        loop {
            let start = self.offset;
            let token = self.pull(&mut space)?;
            match token.kind {
                TokenKind::CloseCurly => break,
                TokenKind::End => return Err(problem("end of file", "Substitution ${ was not closed with a }")),
                _ => {}
            }
            if let Some(kind) = space.before(&token) {
                let blank = self.token(kind, start);
                expression.push(blank);
            }
            expression.push(token);
        }
        self.depth -= 1;
        Ok(TokenKind::Substitution { optional, expression: expression.into() })
    }
}

/// A malformed escape: the gem fails while it builds the message.
fn unreportable(problem: &str) -> TokenError {
    let inspected = Value::from(problem).inspect();
    TokenError::Problem(TokenKind::Unreportable(
        format!("undefined method `line_number' for {inspected}:String").into(),
    ))
}

/// Ruby's `Integer(text)` for digits and signs; a leading zero means base 8.
fn integer(text: &str) -> Result<Option<Value>, TooLong> {
    let (negative, digits) = number::sign(text);
    let bytes = digits.as_bytes();
    let valid = match bytes {
        [] => false,
        [b'0', rest @ ..] => rest.iter().all(|digit| matches!(digit, b'0'..=b'7')),
        _ => bytes.iter().all(u8::is_ascii_digit),
    };
    if !valid {
        return Ok(None);
    }
    let radix = if bytes[0] == b'0' { 8 } else { 10 };
    number::integer(negative, bytes, radix).map(Some)
}

/// A float without a fraction as an integer, exactly.
fn whole(number: f64) -> BigInt {
    let bits = number.abs().to_bits();
    let exponent = (bits >> 52) as i32 - 1075;
    if exponent < 0 {
        // Below 2^53, where the cast is exact.
        return BigInt::from(number as i64);
    }
    let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52) << exponent;
    if number < 0.0 { -mantissa } else { mantissa }
}

/// Ruby's `String#hex`: parses a prefix of the string, which is zero if it has no digits.
fn hex(text: &str) -> (bool, u32) {
    let text = text.trim_start_matches(|c: char| matches!(c, ' ' | '\t'..='\r'));
    let (negative, digits) = number::sign(text);
    let digits = match digits.as_bytes() {
        [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => &digits[2..],
        _ => digits,
    };
    let mut code = 0;
    let mut after_digit = false;
    for c in digits.chars() {
        match c.to_digit(16) {
            Some(digit) => {
                code = code << 4 | digit;
                after_digit = true;
            }
            None if c == '_' && after_digit => after_digit = false,
            None => break,
        }
    }
    (negative, code)
}
