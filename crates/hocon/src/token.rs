//! [`Token`]: the tokens of HOCON.

use std::fmt;
use std::rc::Rc;

use hieratic_value::Value;

use hieratic_source::Position;

/// A token and its position.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    /// The line that the gem knows the token by; it knows none for punctuation.
    pub line: Option<i64>,
    pub at: Position,
    /// The bytes of the source that it is.
    pub span: std::ops::Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum TokenKind {
    End,
    Comma,
    Equals,
    Colon,
    OpenCurly,
    CloseCurly,
    OpenSquare,
    CloseSquare,
    PlusEquals,
    Newline,
    /// Space that separates nothing.
    Whitespace(Rc<str>),
    Comment(Rc<str>),
    /// Text without quotes, space between simple values included.
    Text(Rc<str>),
    Literal(Literal),
    Substitution {
        optional: bool,
        expression: Rc<[Token]>,
    },
    /// A malformed token. The parser reports it if it meets it.
    Problem {
        what: Rc<str>,
        message: Rc<str>,
    },
    /// A problem for which the gem reports no line.
    Unreportable(Rc<str>),
}

/// A value that is a single word.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Null,
    Boolean(bool),
    /// A number and its text, and whether the gem keeps it as a float.
    Number {
        value: Value,
        text: Rc<str>,
        float: bool,
    },
    /// Text in quotes.
    String(Rc<str>),
}

impl Literal {
    /// Returns the text of the token in a concatenation.
    pub fn text(&self) -> Rc<str> {
        match self {
            Literal::Null => "null".into(),
            Literal::Boolean(true) => "true".into(),
            Literal::Boolean(false) => "false".into(),
            Literal::Number { text, .. } => text.clone(),
            Literal::String(text) => text.clone(),
        }
    }
}

impl Token {
    pub fn is_simple(&self) -> bool {
        matches!(self.kind, TokenKind::Text(_) | TokenKind::Literal(_) | TokenKind::Substitution { .. })
    }

    /// Returns whether the token is text that consists only of whitespace.
    pub fn is_blank_text(&self) -> bool {
        matches!(&self.kind, TokenKind::Text(text) if text.chars().all(char::is_whitespace))
    }
}

/// As messages show it.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TokenKind::End => f.write_str("end of file"),
            TokenKind::Comma => f.write_str("','"),
            TokenKind::Equals => f.write_str("'='"),
            TokenKind::Colon => f.write_str("':'"),
            TokenKind::OpenCurly => f.write_str("'{'"),
            TokenKind::CloseCurly => f.write_str("'}'"),
            TokenKind::OpenSquare => f.write_str("'['"),
            TokenKind::CloseSquare => f.write_str("']'"),
            TokenKind::PlusEquals => f.write_str("'+='"),
            TokenKind::Newline => f.write_str("NEWLINE"),
            TokenKind::Whitespace(text) => write!(f, "'{text}' (WHITESPACE)"),
            TokenKind::Comment(text) => write!(f, "'#{text}' (COMMENT)"),
            TokenKind::Text(text) => write!(f, "'{text}'"),
            TokenKind::Literal(Literal::Null) => f.write_str("'' (NULL)"),
            TokenKind::Literal(Literal::Boolean(value)) => write!(f, "'{value}' (BOOLEAN)"),
            TokenKind::Literal(Literal::Number { value, .. }) => write!(f, "'{}' (NUMBER)", value.to_text()),
            TokenKind::Literal(Literal::String(text)) => write!(f, "'{text}' (STRING)"),
            // The gem means to show the expression, and shows the buffer that it wrote it to.
            TokenKind::Substitution { .. } => f.write_str("'${#<StringIO>}'"),
            TokenKind::Problem { what: problem, message } => write!(f, "'{problem}' ({message})"),
            TokenKind::Unreportable(message) => f.write_str(message),
        }
    }
}
