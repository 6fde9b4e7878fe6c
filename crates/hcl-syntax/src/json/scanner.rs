//! Tokens of JSON. Anything that resembles a number, a word or a string is one token; the parser validates it.

use hieratic_source::is_prepended;

use crate::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    Equals,
    Keyword,
    String,
    Number,
    Eof,
    Invalid,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// Scans the tokens of a source.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether the scanner met an invalid character. It reads nothing after that.
    stopped: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, at: 0, stopped: false }
    }

    /// The next token. At the end, and after an invalid character, it returns the end token repeatedly.
    pub(super) fn next(&mut self) -> Token {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at)
            && !self.stopped
        {
            self.at += 1;
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(first) = rest.first().filter(|_| !self.stopped) else { return self.token(TokenKind::Eof, 0) };
        let count = |belongs: fn(&u8) -> bool| rest.iter().take_while(|byte| belongs(byte)).count();
        match first {
            b'{' => self.token(TokenKind::OpenBrace, 1),
            b'}' => self.token(TokenKind::CloseBrace, 1),
            b'[' => self.token(TokenKind::OpenBracket, 1),
            b']' => self.token(TokenKind::CloseBracket, 1),
            b',' => self.token(TokenKind::Comma, 1),
            b':' => self.token(TokenKind::Colon, 1),
            b'=' => self.token(TokenKind::Equals, 1),
            b'"' => self.token(TokenKind::String, string_length(rest)),
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                let length = count(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
                self.token(TokenKind::Number, length)
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = count(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
                self.token(TokenKind::Keyword, length)
            }
            _ => {
                self.stopped = true;
                self.token(TokenKind::Invalid, 1)
            }
        }
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at as u32;
        self.at += length;
        Token { kind, span: Span { start, end: self.at as u32 } }
    }
}

/// The length of the string at the start: up to its closing quote, or to a control character or the end.
pub(crate) fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    loop {
        match bytes.get(at) {
            None | Some(0..0x20) => return at,
            Some(b'"') if !follows_prepended(bytes, at) => return at + 1,
            Some(b'\\') if !follows_prepended(bytes, at) => {
                at += if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) { 2 } else { 1 };
            }
            Some(_) => at += 1,
        }
    }
}

/// Returns whether a quote or backslash is joined to the character before it, so that it has no meaning: the reference
/// scans grapheme clusters.
pub(crate) fn follows_prepended(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(at.saturating_sub(4)..at).unwrap_or_default();
    before.last().is_some_and(|byte| *byte >= 0x80)
        && before.utf8_chunks().last().is_some_and(|chunk| {
            chunk.invalid().is_empty() && chunk.valid().chars().next_back().is_some_and(is_prepended)
        })
}
