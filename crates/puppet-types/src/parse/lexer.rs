//! The tokens of a type string.

use std::ops::Range;

use hieratic_source::Position;

use crate::Error;

/// A token and its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A name in capital letters.
    Reference,
    /// A name or bare word in lower case.
    Word,
    /// A reserved word.
    Keyword,
    Number,
    /// A string without interpolation.
    Text(String),
    /// A string with interpolation, which no type can have.
    Interpolated,
    /// The source of a regular expression.
    Regexp(String),
    Variable,
    /// `[` directly after its operand.
    Bracket,
    /// `[` after a space: the start of a list, never of parameters.
    ListStart,
    CloseBracket,
    Brace,
    CloseBrace,
    Parenthesis,
    CloseParenthesis,
    Comma,
    Arrow,
    Minus,
    /// A binary operator.
    Operator,
    /// A token that types do not use.
    Other,
    End,
}

const KEYWORDS: [&str; 20] = [
    "case", "class", "default", "define", "if", "elsif", "else", "inherits", "node", "and", "or", "undef", "false",
    "true", "in", "unless", "function", "type", "attr", "private",
];

/// The operators, the longest first.
const OPERATORS: [&str; 25] = [
    "<<|", "|>>", "<<", ">>", "==", "!=", "=~", "!~", "<=", ">=", "->", "~>", "<-", "<~", "+=", "-=", "<", ">", "=",
    "+", "*", "/", "%", ".", "?",
];

/// Splits a type string into tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Whether the last token can be a dividend, so that a slash does not begin a regular expression.
    after_operand: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { text, position: 0, after_operand: false }
    }

    pub fn next(&mut self) -> Result<Token, Error> {
        let spaced = self.skip_space()? || self.position == 0;
        let start = self.position;
        let kind = self.kind(spaced)?;
        self.after_operand = matches!(
            kind,
            TokenKind::Reference
                | TokenKind::Word
                | TokenKind::Number
                | TokenKind::Text(_)
                | TokenKind::Interpolated
                | TokenKind::Regexp(_)
                | TokenKind::Variable
                | TokenKind::CloseBracket
                | TokenKind::CloseParenthesis
        ) || kind == TokenKind::Keyword
            && matches!(&self.text[start..self.position], "true" | "false");
        Ok(Token { kind, span: start..self.position })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// Skips whitespace and comments; returns whether there was any.
    fn skip_space(&mut self) -> Result<bool, Error> {
        let start = self.position;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if trimmed.starts_with('#') {
                self.position += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let length = comment.find("*/").ok_or_else(|| {
                    let at = place(self.text, self.position);
                    Error::at(format!("Unclosed multiline comment {at}"), self.position).expecting("`*/`")
                })?;
                self.position += length + 4;
            } else {
                return Ok(self.position > start);
            }
        }
    }

    fn kind(&mut self, spaced: bool) -> Result<TokenKind, Error> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        let after_colons = rest.strip_prefix("::").and_then(|rest| rest.chars().next());
        match (first, after_colons) {
            ('A'..='Z', _) | (':', Some('A'..='Z')) => return self.reference(),
            ('a'..='z' | '_', _) | (':', Some('a'..='z' | '_')) => return Ok(self.word()),
            ('0'..='9', _) => return self.number(),
            ('\'', _) => return self.single_quoted(),
            ('"', _) => return self.double_quoted(),
            ('$', _) => {
                let name = rest[1..].find(|c: char| c != ':' && !is_word(c)).map_or(rest.len(), |end| end + 1);
                self.position += name;
                return Ok(TokenKind::Variable);
            }
            ('/', _) if !self.after_operand => {
                if let Some(source) = self.regexp() {
                    return Ok(TokenKind::Regexp(source));
                }
            }
            _ => {}
        }
        if rest.starts_with("=>") {
            self.position += 2;
            return Ok(TokenKind::Arrow);
        }
        let long = OPERATORS.into_iter().find(|operator| operator.len() > 1 && rest.starts_with(operator));
        if let Some(operator) = long {
            self.position += operator.len();
            return Ok(TokenKind::Operator);
        }
        self.position += first.len_utf8();
        Ok(match first {
            '[' if spaced => TokenKind::ListStart,
            '[' => TokenKind::Bracket,
            ']' => TokenKind::CloseBracket,
            '{' => TokenKind::Brace,
            '}' => TokenKind::CloseBrace,
            '(' => TokenKind::Parenthesis,
            ')' => TokenKind::CloseParenthesis,
            ',' => TokenKind::Comma,
            '-' => TokenKind::Minus,
            first if OPERATORS.iter().any(|operator| operator.len() == 1 && operator.starts_with(first)) => {
                TokenKind::Operator
            }
            _ => TokenKind::Other,
        })
    }

    /// Takes the segments of a name as long as each begins as it has to.
    fn segments(&mut self, begins: impl Fn(char) -> bool, part: impl Fn(char) -> bool) {
        loop {
            let rest = self.rest();
            let segment = rest.strip_prefix("::").unwrap_or(rest);
            if !segment.starts_with(&begins) {
                return;
            }
            let length = segment.find(|c| !part(c)).unwrap_or(segment.len());
            // A name does not end in a dash: what follows is something else.
            let length = segment[..length].trim_end_matches('-').len();
            self.position += rest.len() - segment.len() + length;
            if !self.rest().starts_with("::") {
                return;
            }
        }
    }

    fn reference(&mut self) -> Result<TokenKind, Error> {
        let qualified = self.rest().starts_with("::");
        self.segments(|c| c.is_ascii_uppercase(), is_word);
        if !self.rest().starts_with("::") {
            return Ok(TokenKind::Reference);
        }
        let (subject, offset) = if qualified {
            ("Illegal fully qualified class reference", self.position + 3)
        } else {
            ("Illegal class reference", self.position + 1)
        };
        let offset = offset.min(self.text.len());
        Err(Error::at(format!("{subject} {}", place(self.text, offset)), offset).expecting("a name in capital letters"))
    }

    fn word(&mut self) -> TokenKind {
        let start = self.position;
        self.segments(|c| c.is_ascii_lowercase() || c == '_', |c| is_word(c) || c == '-');
        if KEYWORDS.contains(&&self.text[start..self.position]) { TokenKind::Keyword } else { TokenKind::Word }
    }

    /// See [numbers](https://www.puppet.com/docs/puppet/8/lang_data_number.html).
    fn number(&mut self) -> Result<TokenKind, Error> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let hex = bytes.starts_with(b"0x") || bytes.starts_with(b"0X");
        let mut length = if hex {
            2 + bytes[2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
        } else {
            let mut length = digits(0);
            if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
                length += 1 + digits(length + 1);
            }
            if matches!(bytes.get(length), Some(b'e' | b'E')) {
                let sign = usize::from(bytes.get(length + 1) == Some(&b'-'));
                let exponent = digits(length + 1 + sign);
                if exponent > 0 {
                    length += 1 + sign + exponent;
                }
            }
            length
        };
        let whole = !rest[length..].starts_with(is_word);
        if !whole {
            length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        }
        let number = &rest[..length];
        let all = |text: &str, valid: fn(u8) -> bool| !text.is_empty() && text.bytes().all(valid);
        let problem = if hex {
            (!all(&number[2..], |byte| byte.is_ascii_hexdigit())).then(|| format!("Not a valid hex number {number}"))
        } else if number.len() > 1 && number.starts_with('0') && !number.starts_with("0.") {
            (!all(&number[1..], |byte| matches!(byte, b'0'..=b'7')))
                .then(|| format!("Not a valid octal number {number}"))
        } else if !whole && number[digits(0)..].starts_with(['e', 'E', '.']) {
            Some(format!("Not a valid decimal number {number}"))
        } else {
            (!whole).then(|| format!("Illegal number '{number}'"))
        };
        if let Some(problem) = problem {
            return Err(Error::at(format!("{problem} {}", place(self.text, self.position)), self.position));
        }
        self.position += length;
        Ok(TokenKind::Number)
    }

    /// Returns the bytes before a closing quote, or `None` if the quote is missing.
    fn quoted(&self, quote: u8) -> Option<usize> {
        let bytes = self.rest().as_bytes();
        let mut index = 1;
        loop {
            match bytes.get(index)? {
                b'\\' => index += 2,
                byte if *byte == quote => return Some(index),
                _ => index += 1,
            }
        }
    }

    fn unclosed(&self, quote: &str) -> Error {
        let offset = self.position + 1;
        let followed: String = self.text[offset..].chars().take(5).collect();
        let followed = if followed.is_empty() { "<eof>".into() } else { format!("{followed}...") };
        let followed = followed.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
        let message = format!("Unclosed quote after {quote} followed by '{followed}' {}", place(self.text, offset));
        Error::at(message, offset).expecting("a closing quote")
    }

    fn single_quoted(&mut self) -> Result<TokenKind, Error> {
        let end = self.quoted(b'\'').ok_or_else(|| self.unclosed("\"'\""))?;
        let mut text = String::new();
        let mut characters = self.rest()[1..end].chars().peekable();
        while let Some(c) = characters.next() {
            text.push(match (c, characters.peek()) {
                ('\\', Some('\\' | '\'')) => characters.next().unwrap_or(c),
                _ => c,
            });
        }
        self.position += end + 1;
        Ok(TokenKind::Text(text))
    }

    fn double_quoted(&mut self) -> Result<TokenKind, Error> {
        let end = self.quoted(b'"').ok_or_else(|| self.unclosed("'\"'"))?;
        let source = &self.rest()[1..end];
        self.position += end + 1;
        Ok(unescape(source).map_or(TokenKind::Interpolated, TokenKind::Text))
    }

    fn regexp(&mut self) -> Option<String> {
        let end = self.quoted(b'/')?;
        let source = self.rest()[1..end].replace("\\/", "/");
        self.position += end + 1;
        Some(source)
    }
}

/// Returns the value of a string in double quotes, or `None` if it contains an interpolation.
fn unescape(source: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '$' if rest.starts_with(|c: char| c == '{' || c == ':' || is_word(c)) => return None,
            '\\' => {
                let Some(escaped) = rest.chars().next() else { break };
                if escaped == 'u'
                    && let Some((c, length)) = unicode(&rest[1..])
                {
                    text.push(c);
                    rest = &rest[1 + length..];
                    continue;
                }
                rest = &rest[escaped.len_utf8()..];
                match escaped {
                    '\\' | '$' | '\'' | '"' => text.push(escaped),
                    'r' => text.push('\r'),
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    's' => text.push(' '),
                    '\n' => {}
                    '\r' if rest.starts_with('\n') => rest = &rest[1..],
                    other => {
                        text.push('\\');
                        text.push(other);
                    }
                }
            }
            c => text.push(c),
        }
    }
    Some(text)
}

/// Returns the character of `\uXXXX` or `\u{X}`, and its number of bytes after the `u`.
fn unicode(rest: &str) -> Option<(char, usize)> {
    let (digits, length) = match rest.strip_prefix('{') {
        Some(inner) => {
            let end = inner.find('}').filter(|end| (1..=6).contains(end))?;
            (&inner[..end], end + 2)
        }
        None => (rest.get(..4)?, 4),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, length))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns line and column of an offset in the form of messages.
pub(super) fn place(text: &str, offset: usize) -> String {
    let Position { line, column } = Position::at_offset(text.as_bytes(), offset);
    format!("(line: {line}, column: {column})")
}
