//! Error recovery: skips tokens until parsing can continue.

use super::Parser;
use crate::scanner::{Token, TokenKind};

impl Parser<'_> {
    /// Skips past the token `end`, over balanced pairs of it, and returns that token or the end of the source.
    pub(crate) fn recover(&mut self, end: TokenKind) -> Token {
        let start = end.opposite();
        self.recovery = true;
        let mut nested = 0u32;
        loop {
            let token = self.read();
            let kind = match token.kind {
                TokenKind::Directive if end == TokenKind::SequenceEnd => TokenKind::Interpolation,
                kind => kind,
            };
            if Some(kind) == start {
                nested += 1;
            } else if kind == end {
                if nested == 0 {
                    return token;
                }
                nested -= 1;
            } else if kind == TokenKind::Eof {
                return token;
            }
        }
    }

    /// Skips past the next balanced pair that begins with `start`.
    pub(crate) fn recover_over(&mut self, start: TokenKind) {
        loop {
            let kind = self.read().kind;
            if kind == start || kind == TokenKind::Eof {
                break;
            }
        }
        if let Some(end) = start.opposite() {
            self.recover(end);
        }
    }

    /// Skips past the end of an item of a body: the next line end outside of balanced pairs.
    pub(crate) fn recover_after_item(&mut self) {
        self.recovery = true;
        let mut open: Vec<TokenKind> = Vec::new();
        loop {
            let kind = self.read().kind;
            match kind {
                TokenKind::Newline if open.is_empty() => return,
                TokenKind::Eof => return,
                TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::OpenParen
                | TokenKind::OpenQuote
                | TokenKind::OpenHeredoc
                | TokenKind::Interpolation
                | TokenKind::Directive => open.push(kind),
                TokenKind::CloseBrace
                | TokenKind::CloseBracket
                | TokenKind::CloseParen
                | TokenKind::CloseQuote
                | TokenKind::CloseHeredoc
                | TokenKind::SequenceEnd => {
                    // Whatever was opened within the pair ends with it; without a pair, everything does.
                    while open.pop().is_some_and(|opener| opener.opposite() != Some(kind)) {}
                }
                _ => {}
            }
        }
    }
}
