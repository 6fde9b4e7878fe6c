//! Tokens of literals: between quotes, in heredocs, and in standalone templates.

use super::characters::encoded_length;
use super::{Mode, Scanner, Token, TokenKind};

/// The meaning of a byte within a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Plain,
    /// `$`, `%`
    Sign,
    LineEnd,
    Quote,
    Backslash,
    BeyondAscii,
}

static CLASSES: [ByteClass; 256] = {
    let mut table = [ByteClass::Plain; 256];
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = ByteClass::BeyondAscii;
        byte += 1;
    }
    table[b'$' as usize] = ByteClass::Sign;
    table[b'%' as usize] = ByteClass::Sign;
    table[b'\r' as usize] = ByteClass::LineEnd;
    table[b'\n' as usize] = ByteClass::LineEnd;
    table[b'"' as usize] = ByteClass::Quote;
    table[b'\\' as usize] = ByteClass::Backslash;
    table
};

impl Scanner<'_> {
    pub(super) fn quoted(&mut self) -> Token {
        let Some(first) = self.peek(0) else { return self.token(TokenKind::Eof, 0) };
        match CLASSES[first as usize] {
            ByteClass::Quote => {
                self.leave();
                self.token(TokenKind::CloseQuote, 1)
            }
            ByteClass::Sign => match self.sequence(first) {
                Some(token) => token,
                None => match self.escaped_sequence(first) {
                    0 if self.peek(1).is_none() => self.token(TokenKind::Invalid, 1),
                    0 => self.token(TokenKind::QuotedText, 1),
                    length => self.token(TokenKind::QuotedText, length),
                },
            },
            ByteClass::LineEnd => {
                let line_ends = self.bytes[self.at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                self.token(TokenKind::QuotedNewline, line_ends)
            }
            ByteClass::Plain | ByteClass::Backslash | ByteClass::BeyondAscii => match self.quoted_run() {
                0 if first == b'\\' => self.token(TokenKind::Invalid, 1),
                0 => self.token(TokenKind::BadUtf8, 1),
                length => self.token(TokenKind::QuotedText, length),
            },
        }
    }

    /// The length of a literal with escapes.
    fn quoted_run(&self) -> usize {
        let bytes = &self.bytes[self.at..];
        let mut length = 0;
        loop {
            match bytes.get(length).map(|byte| CLASSES[*byte as usize]) {
                Some(ByteClass::Plain) => length += 1,
                Some(ByteClass::Backslash) => match bytes.get(length + 1) {
                    None | Some(b'\r' | b'\n') => return length,
                    Some(_) => match encoded_length(&bytes[length + 1..]) {
                        Some(more) => length += 1 + more,
                        None => return length,
                    },
                },
                Some(ByteClass::BeyondAscii) => match encoded_length(&bytes[length..]) {
                    Some(more) => length += more,
                    None => return length,
                },
                _ => return length,
            }
        }
    }

    pub(super) fn heredoc(&mut self) -> Token {
        let Some(first) = self.peek(0) else { return self.token(TokenKind::Eof, 0) };
        if CLASSES[first as usize] == ByteClass::Sign {
            return match self.sequence(first).or_else(|| self.plain_sign(first)) {
                Some(token) => token,
                None => self.rest(TokenKind::Invalid),
            };
        }
        let length = self.plain_run();
        match self.line_end(length) {
            0 if length > 0 => self.in_line(length),
            0 if first == b'\r' => self.rest(TokenKind::Invalid),
            0 => self.token(TokenKind::BadUtf8, 1),
            line_end => self.line(length, line_end),
        }
    }

    pub(super) fn bare(&mut self) -> Token {
        let Some(first) = self.peek(0) else { return self.token(TokenKind::Eof, 0) };
        if CLASSES[first as usize] == ByteClass::Sign {
            return match self.sequence(first).or_else(|| self.plain_sign(first)) {
                Some(token) => token,
                None => self.rest(TokenKind::PlainText),
            };
        }
        let length = self.plain_run();
        match self.line_end(length) {
            0 if length == 0 && first == b'\r' => self.rest(TokenKind::PlainText),
            0 if length == 0 => self.token(TokenKind::BadUtf8, 1),
            line_end => self.token(TokenKind::PlainText, length + line_end),
        }
    }

    /// The length of a literal without escapes.
    fn plain_run(&self) -> usize {
        let bytes = &self.bytes[self.at..];
        let mut length = 0;
        loop {
            match bytes.get(length).map(|byte| CLASSES[*byte as usize]) {
                Some(ByteClass::Plain | ByteClass::Quote | ByteClass::Backslash) => length += 1,
                Some(ByteClass::BeyondAscii) => match encoded_length(&bytes[length..]) {
                    Some(more) => length += more,
                    None => return length,
                },
                _ => return length,
            }
        }
    }

    /// The length of the line end at an offset; 0 if there is no line end.
    fn line_end(&self, ahead: usize) -> usize {
        match (self.peek(ahead), self.peek(ahead + 1)) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 0,
        }
    }

    /// `${` and `%{`, with or without `~`.
    fn sequence(&mut self, sign: u8) -> Option<Token> {
        if self.peek(1) != Some(b'{') {
            return None;
        }
        let length = if self.peek(2) == Some(b'~') { 3 } else { 2 };
        let token = self.token(if sign == b'$' { TokenKind::Interpolation } else { TokenKind::Directive }, length);
        self.braces += 1;
        self.sequences.push(self.braces);
        self.not_at_start_of_line();
        self.enter(Mode::Main);
        Some(token)
    }

    /// The length of `$${`, `$${~` and the like; 0 if the bytes do not begin with one.
    fn escaped_sequence(&self, sign: u8) -> usize {
        match (self.peek(1), self.peek(2), self.peek(3)) {
            (Some(second), Some(b'{'), Some(b'~')) if second == sign => 4,
            (Some(second), Some(b'{'), _) if second == sign => 3,
            _ => 0,
        }
    }

    /// Scans a sign that begins no sequence, in a literal without quotes. `None` at the end of the source.
    ///
    /// The token is the sign alone, or the sign and the byte after it if a line ends there: the reference has such
    /// tokens.
    fn plain_sign(&mut self, sign: u8) -> Option<Token> {
        let escape = self.escaped_sequence(sign);
        if escape > 0 {
            return Some(match self.line_end(escape) {
                0 => self.in_line(escape),
                line_end => self.line(escape, line_end),
            });
        }
        self.peek(1)?;
        let length = if matches!(self.peek(2), Some(b'\r' | b'\n')) { 2 } else { 1 };
        Some(self.in_line(length))
    }

    /// Makes a literal without a line end.
    fn in_line(&mut self, length: usize) -> Token {
        if self.state == Mode::Heredoc {
            self.not_at_start_of_line();
        }
        self.token(TokenKind::PlainText, length)
    }

    fn not_at_start_of_line(&mut self) {
        if let Some(heredoc) = self.heredocs.last_mut() {
            heredoc.start_of_line = false;
        }
    }

    /// Makes a literal with its line end, or the closing marker of a heredoc.
    fn line(&mut self, length: usize, line_end: usize) -> Token {
        if self.state == Mode::Heredoc
            && let Some(heredoc) = self.heredocs.last_mut()
        {
            let text = &self.bytes[self.at..self.at + length];
            let marker = &self.bytes[heredoc.marker.clone()];
            if heredoc.start_of_line && length >= marker.len() && is_marker(text, marker) {
                self.heredocs.pop();
                let token = self.token(TokenKind::CloseHeredoc, length);
                self.leave();
                self.pending =
                    Some(Token { kind: TokenKind::Newline, start: token.end, end: token.end + line_end as u32 });
                return token;
            }
            heredoc.start_of_line = true;
        }
        self.token(TokenKind::PlainText, length + line_end)
    }
}

/// Returns whether a line consists only of the marker and blanks.
fn is_marker(line: &[u8], marker: &[u8]) -> bool {
    // Most lines show at once that they are not.
    let Some(first) = line.iter().find(|byte| !matches!(byte, b' ' | b'\t')) else { return false };
    if first.is_ascii() && Some(first) != marker.first() && !first.is_ascii_whitespace() && *first != 0x0B {
        return false;
    }
    String::from_utf8_lossy(line).trim().as_bytes() == marker
}
