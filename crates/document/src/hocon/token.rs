//! [`Token`]: the words of HOCON.

use std::fmt;
use std::rc::Rc;

use hieratic_value::Value;

use crate::Position;

/// A token and its position.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// The line that the gem knows the token by; it knows none for punctuation.
    pub line: Option<i64>,
    pub at: Position,
    /// The bytes of the source that it is.
    pub span: std::ops::Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
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
    /// A problem of which the gem cannot even tell the line.
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
    /// The text that this contributes to a concatenation.
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
        matches!(self.kind, Kind::Text(_) | Kind::Literal(_) | Kind::Substitution { .. })
    }

    /// Text that is nothing but space.
    pub fn is_blank_text(&self) -> bool {
        matches!(&self.kind, Kind::Text(text) if text.chars().all(char::is_whitespace))
    }
}

/// As messages show it.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::End => f.write_str("end of file"),
            Kind::Comma => f.write_str("','"),
            Kind::Equals => f.write_str("'='"),
            Kind::Colon => f.write_str("':'"),
            Kind::OpenCurly => f.write_str("'{'"),
            Kind::CloseCurly => f.write_str("'}'"),
            Kind::OpenSquare => f.write_str("'['"),
            Kind::CloseSquare => f.write_str("']'"),
            Kind::PlusEquals => f.write_str("'+='"),
            Kind::Newline => f.write_str("NEWLINE"),
            Kind::Whitespace(text) => write!(f, "'{text}' (WHITESPACE)"),
            Kind::Comment(text) => write!(f, "'#{text}' (COMMENT)"),
            Kind::Text(text) => write!(f, "'{text}'"),
            Kind::Literal(Literal::Null) => f.write_str("'' (NULL)"),
            Kind::Literal(Literal::Boolean(value)) => write!(f, "'{value}' (BOOLEAN)"),
            Kind::Literal(Literal::Number { value, .. }) => write!(f, "'{}' (NUMBER)", value.to_text()),
            Kind::Literal(Literal::String(text)) => write!(f, "'{text}' (STRING)"),
            // The gem means to show the expression, and shows the buffer that it wrote it to.
            Kind::Substitution { .. } => f.write_str("'${#<StringIO>}'"),
            Kind::Problem { what, message } => write!(f, "'{what}' ({message})"),
            Kind::Unreportable(message) => f.write_str(message),
        }
    }
}
