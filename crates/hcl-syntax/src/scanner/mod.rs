//! The scanner splits bytes into tokens, one at a time.
//!
//! Expressions, quoted strings, heredocs and templates each have their tokens and can be nested: `${` in a string
//! begins an expression, and its closing brace returns to the string. For any input, every byte except blanks is part
//! of a token (<https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#lexical-elements>).

mod characters;
mod identifier_table;
#[cfg(test)]
mod tests;
mod text;
mod token;

pub(crate) use characters::{encoded_length, identifier_length};
pub(crate) use token::{Token, TokenKind};

/// The byte order mark of UTF-8, which is skipped at the start of a source.
pub(crate) const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// The mode of the scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Bodies and expressions.
    Main,
    /// Between quotes.
    Quoted,
    /// A heredoc.
    Heredoc,
    /// A template without quotes.
    Bare,
}

/// A heredoc that is open.
#[derive(Debug)]
struct Heredoc {
    marker: std::ops::Range<usize>,
    /// Whether a closing marker may follow.
    start_of_line: bool,
}

/// Scans the tokens of a source.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    state: Mode,
    /// The enclosing modes.
    outer: Vec<Mode>,
    heredocs: Vec<Heredoc>,
    /// The number of open braces; negative after unmatched closing braces.
    braces: i64,
    /// At which number of braces a sequence of a template ends, the innermost last.
    sequences: Vec<i64>,
    /// The line end after a closing marker, which is the next token.
    pending: Option<Token>,
    /// The offset from which on no comment is terminated.
    endless_comment: usize,
    /// Tokens that are invalid in every context.
    pub(crate) invalid: Vec<Token>,
}

impl<'a> Scanner<'a> {
    /// Begins with an expression or body, or with a template.
    pub(crate) fn new(bytes: &'a [u8], template: bool) -> Self {
        Scanner {
            bytes,
            at: if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 },
            state: if template { Mode::Bare } else { Mode::Main },
            outer: Vec::new(),
            heredocs: Vec::new(),
            braces: 0,
            sequences: Vec::new(),
            pending: None,
            endless_comment: usize::MAX,
            invalid: Vec::new(),
        }
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Token {
        let token = match self.state {
            Mode::Main => self.main(),
            Mode::Quoted => self.quoted(),
            Mode::Heredoc => self.heredoc(),
            Mode::Bare => self.bare(),
        };
        if token.kind.is_invalid() {
            self.invalid.push(token);
        }
        token
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Makes a token of that length in bytes.
    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at += length;
        Token { kind, start: start as u32, end: self.at as u32 }
    }

    /// The rest, which cannot be understood.
    fn rest(&mut self, kind: TokenKind) -> Token {
        self.token(kind, self.bytes.len() - self.at)
    }

    fn enter(&mut self, state: Mode) {
        self.outer.push(self.state);
        self.state = state;
    }

    fn leave(&mut self) {
        // Only states that were entered are left.
        self.state = self.outer.pop().unwrap_or(Mode::Main);
    }

    fn main(&mut self) -> Token {
        if let Some(token) = self.pending.take() {
            self.at = token.end as usize;
            return token;
        }
        while let Some(b' ' | b'\t') = self.peek(0) {
            self.at += 1;
        }
        let Some(first) = self.peek(0) else { return self.token(TokenKind::Eof, 0) };
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length = identifier_length(&self.bytes[self.at..]);
                self.token(TokenKind::Identifier, length)
            }
            b'0'..=b'9' => self.number(),
            b'\n' => self.token(TokenKind::Newline, 1),
            b'"' => {
                let token = self.token(TokenKind::OpenQuote, 1);
                self.enter(Mode::Quoted);
                token
            }
            b'{' => {
                self.braces += 1;
                self.token(TokenKind::OpenBrace, 1)
            }
            b'}' => self.close_brace(),
            b'#' => self.line_comment(),
            0x80.. => self.beyond_ascii(),
            _ => self.symbol(first),
        }
    }

    fn close_brace(&mut self) -> Token {
        let ends = self.sequences.last() == Some(&self.braces);
        self.braces -= 1;
        if ends {
            self.sequences.pop();
            self.leave();
        }
        self.token(if ends { TokenKind::SequenceEnd } else { TokenKind::CloseBrace }, 1)
    }

    /// `~}` ends a sequence even outside of one, so that the parser can report it.
    fn close_trimming(&mut self) -> Token {
        if self.sequences.last() == Some(&self.braces) {
            self.sequences.pop();
            self.leave();
        }
        self.braces -= 1;
        self.token(TokenKind::SequenceEnd, 2)
    }

    fn symbol(&mut self, first: u8) -> Token {
        let second = self.peek(1);
        let (kind, length) = match (first, second) {
            (b'=', Some(b'=')) => (TokenKind::EqualEqual, 2),
            (b'=', Some(b'>')) => (TokenKind::FatArrow, 2),
            (b'=', _) => (TokenKind::Equal, 1),
            (b'!', Some(b'=')) => (TokenKind::NotEqual, 2),
            (b'!', _) => (TokenKind::Bang, 1),
            (b'>', Some(b'=')) => (TokenKind::GreaterEqual, 2),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'<', Some(b'=')) => (TokenKind::LessEqual, 2),
            (b'<', Some(b'<')) => return self.open_heredoc().unwrap_or_else(|| self.token(TokenKind::Less, 1)),
            (b'<', _) => (TokenKind::Less, 1),
            (b'&', Some(b'&')) => (TokenKind::And, 2),
            (b'&', _) => (TokenKind::Ampersand, 1),
            (b'|', Some(b'|')) => (TokenKind::Or, 2),
            (b'|', _) => (TokenKind::Pipe, 1),
            (b':', Some(b':')) => (TokenKind::DoubleColon, 2),
            (b':', _) => (TokenKind::Colon, 1),
            (b'.', Some(b'.')) if self.peek(2) == Some(b'.') => (TokenKind::Ellipsis, 3),
            (b'.', _) => (TokenKind::Dot, 1),
            (b'~', Some(b'}')) => return self.close_trimming(),
            (b'~', _) => (TokenKind::Tilde, 1),
            (b'/', Some(b'/')) => return self.line_comment(),
            (b'/', Some(b'*')) => return self.block_comment().unwrap_or_else(|| self.token(TokenKind::Slash, 1)),
            (b'/', _) => (TokenKind::Slash, 1),
            (b'\r', Some(b'\n')) => (TokenKind::Newline, 2),
            (b'[', _) => (TokenKind::OpenBracket, 1),
            (b']', _) => (TokenKind::CloseBracket, 1),
            (b'(', _) => (TokenKind::OpenParen, 1),
            (b')', _) => (TokenKind::CloseParen, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'?', _) => (TokenKind::Question, 1),
            (b'^', _) => (TokenKind::Caret, 1),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b'`', _) => (TokenKind::Backtick, 1),
            (b'\'', _) => (TokenKind::Apostrophe, 1),
            _ => (TokenKind::Invalid, 1),
        };
        self.token(kind, length)
    }

    fn beyond_ascii(&mut self) -> Token {
        let rest = &self.bytes[self.at..];
        match identifier_length(rest) {
            0 => match encoded_length(rest) {
                Some(length) => self.token(TokenKind::Invalid, length),
                None => self.token(TokenKind::BadUtf8, 1),
            },
            length => self.token(TokenKind::Identifier, length),
        }
    }

    /// Digits, points and exponents in any order that begins with a digit and does not end with a point; whether it is a
    /// number shows when it is read.
    fn number(&mut self) -> Token {
        let (mut length, mut ahead) = (1, 1);
        loop {
            match self.peek(ahead) {
                Some(b'0'..=b'9') => {
                    ahead += 1;
                    length = ahead;
                }
                Some(b'.') => ahead += 1,
                Some(b'e' | b'E') => {
                    let sign = usize::from(matches!(self.peek(ahead + 1), Some(b'+' | b'-')));
                    if !matches!(self.peek(ahead + 1 + sign), Some(b'0'..=b'9')) {
                        return self.token(TokenKind::Number, length);
                    }
                    ahead += 2 + sign;
                    length = ahead;
                }
                _ => return self.token(TokenKind::Number, length),
            }
        }
    }

    fn line_comment(&mut self) -> Token {
        match memchr::memchr(b'\n', &self.bytes[self.at..]) {
            Some(length) => self.token(TokenKind::Newline, length + 1),
            None => self.rest(TokenKind::Comment),
        }
    }

    /// Scans a terminated comment. The start of an unterminated one is an operator.
    fn block_comment(&mut self) -> Option<Token> {
        let start = self.at + 2;
        if start >= self.endless_comment {
            return None;
        }
        let Some(length) = memchr::memmem::find(&self.bytes[start..], b"*/") else {
            self.endless_comment = start;
            return None;
        };
        Some(self.token(TokenKind::Comment, length + 4))
    }

    /// `<<MARKER` or `<<-MARKER` at the end of a line.
    fn open_heredoc(&mut self) -> Option<Token> {
        let dash = usize::from(self.peek(2) == Some(b'-'));
        let start = self.at + 2 + dash;
        let length = identifier_length(&self.bytes[start..]);
        let end = start + length;
        let line_end = match (self.bytes.get(end), self.bytes.get(end + 1)) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => return None,
        };
        if length == 0 {
            return None;
        }
        self.heredocs.push(Heredoc { marker: start..end, start_of_line: true });
        let token = self.token(TokenKind::OpenHeredoc, end + line_end - self.at);
        self.enter(Mode::Heredoc);
        Some(token)
    }
}
