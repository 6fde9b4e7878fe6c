//! [`Kind`]: the kinds of tokens, which puppet-lint calls types.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of puppet-lint, and say all")]
pub enum Kind {
    Whitespace,
    Indent,
    Newline,
    Comment,
    SlashComment,
    MlComment,
    /// The name of a built-in data type, or the word `type`.
    Type,
    Classref,
    Number,
    FunctionName,
    Name,
    Variable,
    UnencVariable,
    /// A string in double quotes without interpolations.
    String,
    /// A string in single quotes.
    Sstring,
    DqPre,
    DqMid,
    DqPost,
    HeredocOpen,
    Heredoc,
    HeredocPre,
    HeredocMid,
    HeredocPost,
    Regex,
    Lbrack,
    Rbrack,
    Lbrace,
    Rbrace,
    Lparen,
    Rparen,
    IsEqual,
    Match,
    Farrow,
    Equals,
    Appends,
    Parrow,
    Plus,
    GreaterEqual,
    Rshift,
    GreaterThan,
    LessEqual,
    LlCollect,
    OutEdge,
    OutEdgeSub,
    Lcollect,
    Lshift,
    LessThan,
    NoMatch,
    NotEqual,
    Not,
    RrCollect,
    Rcollect,
    InEdge,
    InEdgeSub,
    Minus,
    Comma,
    Dot,
    Colon,
    Semic,
    Qmark,
    Backslash,
    Times,
    Modulo,
    Pipe,
    Div,
    At,
    Case,
    Class,
    Default,
    Define,
    Import,
    If,
    Elsif,
    Else,
    Inherits,
    Node,
    And,
    Or,
    Undef,
    False,
    True,
    In,
    Unless,
    Function,
    Attr,
    Private,
}

impl Kind {
    /// Returns whether tokens of this kind contain no code: whitespace and comments.
    pub fn is_formatting(self) -> bool {
        self.is_comment() || self.is_space()
    }

    /// Returns whether the kind is a comment.
    pub fn is_comment(self) -> bool {
        matches!(self, Kind::Comment | Kind::SlashComment | Kind::MlComment)
    }

    /// Returns whether the kind is whitespace: spaces, an indentation or the end of a line.
    pub fn is_space(self) -> bool {
        matches!(self, Kind::Whitespace | Kind::Indent | Kind::Newline)
    }

    /// Returns whether the kind is a variable, in code or in a string.
    pub fn is_variable(self) -> bool {
        matches!(self, Kind::Variable | Kind::UnencVariable)
    }

    /// Returns whether a regular expression can follow.
    pub(crate) fn is_before_regex(self) -> bool {
        use Kind::*;
        matches!(self, Node | Lbrace | Rbrace | Match | NoMatch | Comma | Lbrack | If | Elsif | Lparen | Equals)
    }

    /// The bracket that closes this one.
    pub(crate) fn closing(self) -> Option<Kind> {
        match self {
            Kind::Lbrace => Some(Kind::Rbrace),
            Kind::Lbrack => Some(Kind::Rbrack),
            Kind::Lparen => Some(Kind::Rparen),
            _ => None,
        }
    }

    /// The bracket that this one closes.
    pub(crate) fn opening(self) -> Option<Kind> {
        match self {
            Kind::Rbrace => Some(Kind::Lbrace),
            Kind::Rbrack => Some(Kind::Lbrack),
            Kind::Rparen => Some(Kind::Lparen),
            _ => None,
        }
    }
}

/// The kind of a reserved word.
pub(crate) fn keyword(word: &str) -> Option<Kind> {
    Some(match word {
        "case" => Kind::Case,
        "class" => Kind::Class,
        "default" => Kind::Default,
        "define" => Kind::Define,
        "import" => Kind::Import,
        "if" => Kind::If,
        "elsif" => Kind::Elsif,
        "else" => Kind::Else,
        "inherits" => Kind::Inherits,
        "node" => Kind::Node,
        "and" => Kind::And,
        "or" => Kind::Or,
        "undef" => Kind::Undef,
        "false" => Kind::False,
        "true" => Kind::True,
        "in" => Kind::In,
        "unless" => Kind::Unless,
        "function" => Kind::Function,
        "type" => Kind::Type,
        "attr" => Kind::Attr,
        "private" => Kind::Private,
        _ => return None,
    })
}

/// Returns whether a kind is that of a reserved word, given the text of the token.
pub(crate) fn is_keyword(kind: Kind, text: &str) -> bool {
    keyword(text) == Some(kind)
}

/// Returns whether a word is the name of a built-in data type.
pub(crate) fn is_type(word: &str) -> bool {
    const TYPES: [&str; 35] = [
        "Any",
        "Array",
        "Binary",
        "Boolean",
        "Callable",
        "CatalogEntry",
        "Class",
        "Collection",
        "Data",
        "Default",
        "Enum",
        "Error",
        "Float",
        "Hash",
        "Integer",
        "Iterable",
        "Iterator",
        "NotUndef",
        "Numeric",
        "Optional",
        "Pattern",
        "Regexp",
        "Resource",
        "RichData",
        "Runtime",
        "Scalar",
        "ScalarData",
        "SemVer",
        "SemVerRange",
        "Sensitive",
        "String",
        "Struct",
        "Tuple",
        "Type",
        "Undef",
    ];
    TYPES.contains(&word) || word == "Variant"
}

/// The operators and punctuation, the longer ones before those that they begin with.
pub(crate) const PUNCTUATION: &[(&str, Kind)] = &[
    ("[", Kind::Lbrack),
    ("]", Kind::Rbrack),
    ("{", Kind::Lbrace),
    ("}", Kind::Rbrace),
    ("(", Kind::Lparen),
    (")", Kind::Rparen),
    ("==", Kind::IsEqual),
    ("=~", Kind::Match),
    ("=>", Kind::Farrow),
    ("=", Kind::Equals),
    ("+=", Kind::Appends),
    ("+>", Kind::Parrow),
    ("+", Kind::Plus),
    (">=", Kind::GreaterEqual),
    (">>", Kind::Rshift),
    (">", Kind::GreaterThan),
    ("<=", Kind::LessEqual),
    ("<<|", Kind::LlCollect),
    ("<-", Kind::OutEdge),
    ("<~", Kind::OutEdgeSub),
    ("<|", Kind::Lcollect),
    ("<<", Kind::Lshift),
    ("<", Kind::LessThan),
    ("!~", Kind::NoMatch),
    ("!=", Kind::NotEqual),
    ("!", Kind::Not),
    ("|>>", Kind::RrCollect),
    ("|>", Kind::Rcollect),
    ("->", Kind::InEdge),
    ("~>", Kind::InEdgeSub),
    ("-", Kind::Minus),
    (",", Kind::Comma),
    (".", Kind::Dot),
    (":", Kind::Colon),
    (";", Kind::Semic),
    ("?", Kind::Qmark),
    ("\\", Kind::Backslash),
    ("*", Kind::Times),
    ("%", Kind::Modulo),
    ("|", Kind::Pipe),
];
