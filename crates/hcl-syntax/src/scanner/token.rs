//! Tokens.

use crate::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    OpenQuote,
    CloseQuote,
    /// `<<MARKER` with its line end.
    OpenHeredoc,
    CloseHeredoc,
    Star,
    Slash,
    Plus,
    Minus,
    Percent,
    Equal,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Bang,
    Dot,
    Comma,
    DoubleColon,
    Ellipsis,
    FatArrow,
    Question,
    Colon,
    /// `${`, `${~`
    Interpolation,
    /// `%{`, `%{~`
    Directive,
    /// `}`, `~}`
    SequenceEnd,
    /// A quoted literal, which may contain escapes.
    QuotedText,
    /// A literal of a heredoc or of a standalone template.
    PlainText,
    Number,
    Identifier,
    /// A comment within a line, or at the end of the source; the parser does not see it.
    Comment,
    /// A line end, or a comment up to and with one.
    Newline,
    /// The end of the source, returned repeatedly.
    Eof,
    Ampersand,
    Pipe,
    Tilde,
    Caret,
    Apostrophe,
    Backtick,
    Semicolon,
    /// A character that the language does not use.
    Invalid,
    /// A byte that is not UTF-8.
    BadUtf8,
    /// Line ends in quotes.
    QuotedNewline,
}

impl TokenKind {
    /// The other one of a pair; of the end of a sequence the interpolation.
    pub(crate) fn opposite(self) -> Option<TokenKind> {
        Some(match self {
            TokenKind::OpenBrace => TokenKind::CloseBrace,
            TokenKind::OpenBracket => TokenKind::CloseBracket,
            TokenKind::OpenParen => TokenKind::CloseParen,
            TokenKind::OpenQuote => TokenKind::CloseQuote,
            TokenKind::OpenHeredoc => TokenKind::CloseHeredoc,
            TokenKind::CloseBrace => TokenKind::OpenBrace,
            TokenKind::CloseBracket => TokenKind::OpenBracket,
            TokenKind::CloseParen => TokenKind::OpenParen,
            TokenKind::CloseQuote => TokenKind::OpenQuote,
            TokenKind::CloseHeredoc => TokenKind::OpenHeredoc,
            TokenKind::Directive | TokenKind::Interpolation => TokenKind::SequenceEnd,
            TokenKind::SequenceEnd => TokenKind::Interpolation,
            _ => return None,
        })
    }

    /// Returns whether a token of this kind is invalid in every context.
    pub(crate) fn is_invalid(self) -> bool {
        self as u8 >= TokenKind::Ampersand as u8
    }
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Token {
    pub(crate) fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}
