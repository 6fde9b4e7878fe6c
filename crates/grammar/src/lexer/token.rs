//! [`Token`]: one word of the language.

use hieratic_regexp::Regexp;
use hieratic_value::Str;

use crate::ast::Extent;

/// One word of the language with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Extent,
    /// The name, text or number, where the kind has one.
    pub text: Option<Str>,
    /// The place of what a kind has beside its text, in the lexer's list of such things.
    pub extra: u32,
}

/// What words there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The end of the text.
    End,
    /// A fault; what follows was not read.
    Error,
    Name,
    Word,
    ClassRef,
    Variable,
    Number,
    String,
    DqPre,
    DqMid,
    DqPost,
    Regexp,
    Heredoc,
    Other,
    // Words that the language keeps.
    Case,
    Class,
    Default,
    Define,
    If,
    Elsif,
    Else,
    Inherits,
    Node,
    And,
    Or,
    Undef,
    True,
    False,
    In,
    Unless,
    Function,
    Type,
    Attr,
    Private,
    Plan,
    Apply,
    // Signs.
    LBrack,
    ListStart,
    RBrack,
    LBrace,
    SelBrace,
    RBrace,
    LParen,
    WsLParen,
    RParen,
    Equals,
    Appends,
    Deletes,
    IsEqual,
    NotEqual,
    Match,
    NoMatch,
    GreaterEqual,
    GreaterThan,
    LessEqual,
    LessThan,
    FArrow,
    PArrow,
    LShift,
    LlCollect,
    LCollect,
    RShift,
    RrCollect,
    RCollect,
    Plus,
    Minus,
    Div,
    Times,
    Modulo,
    Not,
    Dot,
    Pipe,
    At,
    AtAt,
    Colon,
    Comma,
    Semic,
    QMark,
    Tilde,
    InEdge,
    InEdgeSub,
    OutEdge,
    OutEdgeSub,
    // Templates.
    EppStart,
    EppEnd,
    EppEndTrim,
    RenderString,
    RenderExpr,
}

impl Kind {
    /// The text of words that always have the same.
    pub fn fixed(self) -> Option<&'static str> {
        Some(match self {
            Kind::Case => "case",
            Kind::Class => "class",
            Kind::Default => "default",
            Kind::Define => "define",
            Kind::If => "if",
            Kind::Elsif => "elsif",
            Kind::Else => "else",
            Kind::Inherits => "inherits",
            Kind::Node => "node",
            Kind::And => "and",
            Kind::Or => "or",
            Kind::Undef => "undef",
            Kind::True => "true",
            Kind::False => "false",
            Kind::In => "in",
            Kind::Unless => "unless",
            Kind::Function => "function",
            Kind::Type => "type",
            Kind::Attr => "attr",
            Kind::Private => "private",
            Kind::Plan => "plan",
            Kind::Apply => "apply",
            Kind::LBrack | Kind::ListStart => "[",
            Kind::RBrack => "]",
            Kind::LBrace | Kind::SelBrace => "{",
            Kind::RBrace => "}",
            Kind::LParen | Kind::WsLParen => "(",
            Kind::RParen => ")",
            Kind::Equals => "=",
            Kind::Appends => "+=",
            Kind::Deletes => "-=",
            Kind::IsEqual => "==",
            Kind::NotEqual => "!=",
            Kind::Match => "=~",
            Kind::NoMatch => "!~",
            Kind::GreaterEqual => ">=",
            Kind::GreaterThan => ">",
            Kind::LessEqual => "<=",
            Kind::LessThan => "<",
            Kind::FArrow => "=>",
            Kind::PArrow => "+>",
            Kind::LShift => "<<",
            Kind::LlCollect => "<<|",
            Kind::LCollect => "<|",
            Kind::RShift => ">>",
            Kind::RrCollect => "|>>",
            Kind::RCollect => "|>",
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Div => "/",
            Kind::Times => "*",
            Kind::Modulo => "%",
            Kind::Not => "!",
            Kind::Dot => ".",
            Kind::Pipe => "|",
            Kind::At => "@",
            Kind::AtAt => "@@",
            Kind::Colon => ":",
            Kind::Comma => ",",
            Kind::Semic => ";",
            Kind::QMark => "?",
            Kind::Tilde => "~",
            Kind::InEdge => "->",
            Kind::InEdgeSub => "~>",
            Kind::OutEdge => "<-",
            Kind::OutEdgeSub => "<~",
            Kind::EppEnd => "%>",
            Kind::EppEndTrim => "-%>",
            _ => return None,
        })
    }

    /// Whether it is one of the words that the language keeps.
    pub fn is_keyword(self) -> bool {
        self as u8 >= Kind::Case as u8 && self as u8 <= Kind::Apply as u8
    }

    /// Whether it can be the name of an attribute.
    pub fn is_attribute_keyword(self) -> bool {
        self.is_keyword() && !matches!(self, Kind::True | Kind::False)
    }
}

impl Token {
    /// The text as messages show it.
    pub fn shown(&self, regexps: &[Regexp]) -> String {
        match (self.kind, &self.text) {
            (Kind::Regexp, _) => match regexps.get(self.extra as usize) {
                // Ruby's `to_s` of a regular expression.
                Some(regexp) => format!("(?-mix:{})", regexp.source()),
                None => String::new(),
            },
            (_, Some(text)) => text.to_string(),
            (kind, None) => kind.fixed().unwrap_or_default().to_owned(),
        }
    }
}
