//! Tokens of JSON, with the errors of <https://pkg.go.dev/encoding/json#Decoder.Token>.

use std::borrow::Cow;

use crate::strings::quoted_byte;

/// A token. Commas and colons are not returned as tokens.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'s> {
    Null,
    Bool(bool),
    Number(&'s str),
    Text(Cow<'s, str>),
    ArrayStart,
    ArrayEnd,
    ObjectStart,
    ObjectEnd,
}

/// The position in the grammar, which determines the tokens that may follow.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Top,
    ArrayStart,
    ArrayValue,
    ArrayComma,
    ObjectStart,
    ObjectKey,
    ObjectColon,
    ObjectValue,
    ObjectComma,
}

impl State {
    fn value_allowed(self) -> bool {
        matches!(self, State::Top | State::ArrayStart | State::ArrayValue | State::ObjectValue)
    }

    /// The state after a value.
    fn after_value(self) -> State {
        match self {
            State::ArrayStart | State::ArrayValue => State::ArrayComma,
            State::ObjectValue => State::ObjectComma,
            other => other,
        }
    }

    fn context(self) -> &'static str {
        match self {
            State::Top | State::ArrayStart | State::ArrayValue | State::ObjectValue => {
                " looking for beginning of value"
            }
            State::ArrayComma => " after array element",
            State::ObjectKey => " looking for beginning of object key string",
            State::ObjectColon => " after object key",
            State::ObjectComma => " after object key:value pair",
            State::ObjectStart => "",
        }
    }
}

pub(super) struct Tokens<'s> {
    source: &'s str,
    at: usize,
    state: State,
    outer: Vec<State>,
}

type TokenResult<T> = Result<T, String>;

/// The error for an incomplete string or number at the end.
const CUT: &str = "unexpected EOF";

fn unexpected<T>(byte: u8, context: &str) -> TokenResult<T> {
    Err(format!("invalid character {}{context}", quoted_byte(byte)))
}

impl<'s> Tokens<'s> {
    pub fn new(source: &'s str) -> Self {
        Self { source, at: 0, state: State::Top, outer: Vec::new() }
    }

    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// Returns whether a token other than a closing bracket follows.
    pub fn more(&mut self) -> bool {
        self.peek().is_some_and(|byte| byte != b']' && byte != b'}')
    }

    pub fn next(&mut self) -> TokenResult<Token<'s>> {
        loop {
            let Some(byte) = self.peek() else { return Err("EOF".into()) };
            let state = self.state;
            match (byte, state) {
                (b'[' | b'{', state) if state.value_allowed() => {
                    self.at += 1;
                    self.outer.push(state);
                    let array = byte == b'[';
                    self.state = if array { State::ArrayStart } else { State::ObjectStart };
                    return Ok(if array { Token::ArrayStart } else { Token::ObjectStart });
                }
                (b']', State::ArrayStart | State::ArrayComma) | (b'}', State::ObjectStart | State::ObjectComma) => {
                    self.at += 1;
                    self.state = self.outer.pop().unwrap_or(State::Top).after_value();
                    return Ok(if byte == b']' { Token::ArrayEnd } else { Token::ObjectEnd });
                }
                (b':', State::ObjectColon) => self.state = State::ObjectValue,
                (b',', State::ArrayComma) => self.state = State::ArrayValue,
                (b',', State::ObjectComma) => self.state = State::ObjectKey,
                (b'"', State::ObjectStart | State::ObjectKey) => {
                    let key = self.text()?;
                    self.state = State::ObjectColon;
                    return Ok(Token::Text(key));
                }
                (b'[' | b'{' | b']' | b'}' | b':' | b',', _) => return unexpected(byte, state.context()),
                (byte, state) if !state.value_allowed() => return unexpected(byte, state.context()),
                (byte, state) => {
                    let token = match byte {
                        b'"' => Token::Text(self.text()?),
                        b'-' | b'0'..=b'9' => Token::Number(self.number()?),
                        b't' => self.word("true", Token::Bool(true))?,
                        b'f' => self.word("false", Token::Bool(false))?,
                        b'n' => self.word("null", Token::Null)?,
                        byte => return unexpected(byte, " looking for beginning of value"),
                    };
                    self.state = state.after_value();
                    return Ok(token);
                }
            }
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str, token: Token<'s>) -> TokenResult<Token<'s>> {
        for expected in word.bytes() {
            match self.byte() {
                Some(byte) if byte == expected => self.at += 1,
                Some(byte) => {
                    return unexpected(byte, &format!(" in literal {word} (expecting '{}')", char::from(expected)));
                }
                None => return Err(CUT.into()),
            }
        }
        Ok(token)
    }

    fn number(&mut self) -> TokenResult<&'s str> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits(" in numeric literal")?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits(" after decimal point in numeric literal")?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits(" in exponent of numeric literal")?;
        }
        Ok(self.source.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self, context: &str) -> TokenResult<()> {
        match self.byte() {
            Some(b'0'..=b'9') => {}
            Some(byte) => return unexpected(byte, context),
            None => return Err(CUT.into()),
        }
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        Ok(())
    }

    fn text(&mut self) -> TokenResult<Cow<'s, str>> {
        self.at += 1;
        let start = self.at;
        let mut text: Option<String> = None;
        let mut copied = start;
        loop {
            match self.byte() {
                None => return Err(CUT.into()),
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = text.get_or_insert_default();
                    text.push_str(self.source.get(copied..self.at).unwrap_or_default());
                    self.at += 1;
                    text.push(self.escape()?);
                    copied = self.at;
                }
                Some(byte) if byte < b' ' => return unexpected(byte, " in string literal"),
                Some(_) => self.at += 1,
            }
        }
        let rest = self.source.get(copied..self.at).unwrap_or_default();
        self.at += 1;
        Ok(match text {
            None => Cow::Borrowed(rest),
            Some(text) => Cow::Owned(text + rest),
        })
    }

    /// Decodes an escape, from after its backslash.
    fn escape(&mut self) -> TokenResult<char> {
        let Some(byte) = self.byte() else { return Err(CUT.into()) };
        self.at += 1;
        Ok(match byte {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'"' | b'\\' | b'/' => char::from(byte),
            b'u' => {
                let high = self.hexadecimal()?;
                if let Some(letter) = char::from_u32(high) {
                    return Ok(letter);
                }
                self.low_half(high)?
            }
            byte => return unexpected(byte, " in string escape code"),
        })
    }

    /// Reads the second half of a surrogate pair. Half a pair is replaced.
    fn low_half(&mut self, high: u32) -> TokenResult<char> {
        let before = self.at;
        if high < 0xDC00 && self.source.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
            self.at += 2;
            let low = self.hexadecimal()?;
            if (0xDC00..0xE000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hexadecimal(&mut self) -> TokenResult<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(byte) = self.byte() else { return Err(CUT.into()) };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return unexpected(byte, " in \\u hexadecimal character escape");
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}
