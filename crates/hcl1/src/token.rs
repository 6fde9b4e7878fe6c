//! The tokens of both syntaxes.

use hieratic_source::Span;

/// A position in the source with normalized line ends (`\n`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The byte offset.
    pub offset: usize,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The start.
    pub place: Place,
    /// The span in the source with normalized line ends.
    pub span: Span,
    /// Whether the token is from JSON, which has other escapes.
    pub is_json: bool,
}

impl Token {
    pub(crate) const START: Token = Token {
        kind: TokenKind::Illegal,
        place: Place { offset: 0, line: 0, column: 0 },
        span: Span { start: 0, end: 0 },
        is_json: false,
    };
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The state before the first token.
    Illegal,
    /// The end of the file.
    End,
    /// A comment of any style.
    Comment,
    /// A name without quotes.
    Identifier,
    /// An integer.
    Number,
    /// A number with a point or an exponent.
    Float,
    /// `true` or `false`.
    Bool,
    /// A string in quotes.
    String,
    /// `<<EOF` up to its end.
    Heredoc,
    /// `null`, which only JSON has.
    Null,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `,`
    Comma,
    /// `.`
    Period,
    /// `=`
    Assign,
    /// `:`, which only JSON has.
    Colon,
    /// `+`
    Add,
    /// `-`
    Subtract,
}

impl TokenKind {
    /// The name that messages of the reference use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TokenKind::Illegal => "ILLEGAL",
            TokenKind::End => "EOF",
            TokenKind::Comment => "COMMENT",
            TokenKind::Identifier => "IDENT",
            TokenKind::Number => "NUMBER",
            TokenKind::Float => "FLOAT",
            TokenKind::Bool => "BOOL",
            TokenKind::String => "STRING",
            TokenKind::Heredoc => "HEREDOC",
            TokenKind::Null => "NULL",
            TokenKind::LeftBracket => "LBRACK",
            TokenKind::RightBracket => "RBRACK",
            TokenKind::LeftBrace => "LBRACE",
            TokenKind::RightBrace => "RBRACE",
            TokenKind::Comma => "COMMA",
            TokenKind::Period => "PERIOD",
            TokenKind::Assign => "ASSIGN",
            TokenKind::Colon => "COLON",
            TokenKind::Add => "ADD",
            TokenKind::Subtract => "SUB",
        }
    }
}
