//! [`Token`]: a word, a sign or a part of a string, with its position.

use hieratic_diagnostics::Span;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::Str;

/// A token of the source.
#[derive(Clone, Debug)]
pub(crate) struct Token<'s> {
    /// Its kind.
    pub kind: SyntaxKind,
    /// Its first byte in the source, also for tokens inside a heredoc.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// Its content, if the kind does not determine it.
    pub payload: Payload<'s>,
}

/// The content of a token.
#[derive(Clone, Debug)]
pub(crate) enum Payload<'s> {
    /// No more than its kind.
    None,
    /// A name, a number as written, a variable without its dollar, or a piece of a string, borrowed from the source.
    /// Only the parser knows whether it must be copied.
    Piece(&'s str),
    /// Content that differs from the source.
    Text(Str),
    /// A compiled regular expression.
    Regexp(Regexp),
}

impl<'s> Token<'s> {
    pub fn new(kind: SyntaxKind, start: u32, end: u32, payload: Payload<'s>) -> Token<'s> {
        Token { kind, start, end, payload }
    }

    pub fn extent(&self) -> Span {
        Span { start: self.start, end: self.end }
    }

    /// Returns the token's text. The text of a keyword is constant.
    pub fn text(&self) -> &str {
        match &self.payload {
            Payload::Piece(text) => text,
            Payload::Text(text) => text,
            _ => self.kind.text(),
        }
    }

    /// Takes the token's text, and leaves its kind and position.
    pub fn take(&mut self) -> Token<'s> {
        let payload = std::mem::replace(&mut self.payload, Payload::None);
        Token { payload, kind: self.kind, start: self.start, end: self.end }
    }

    /// Converts the token to one that does not borrow from the source.
    pub fn owned<'o>(self) -> Token<'o> {
        let payload = match self.payload {
            Payload::None => Payload::None,
            Payload::Piece(text) => Payload::Text(Str::from(text)),
            Payload::Text(text) => Payload::Text(text),
            Payload::Regexp(regexp) => Payload::Regexp(regexp),
        };
        Token { payload, kind: self.kind, start: self.start, end: self.end }
    }

    /// Returns the token as messages show it.
    pub fn shown(&self) -> String {
        match &self.payload {
            Payload::Regexp(regexp) => format!("(?-mix:{})", slashes_escaped(regexp.source())),
            _ => self.text().to_string(),
        }
    }
}

/// Declares the kinds of tokens, with their text if it is constant.
macro_rules! kinds {
    ($($name:ident $text:literal,)*) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum SyntaxKind {
            $($name,)*
        }

        impl SyntaxKind {
            /// Returns the constant text of the kind. It is empty for kinds without one.
            pub fn text(self) -> &'static str {
                match self {
                    $(SyntaxKind::$name => $text,)*
                }
            }
        }
    };
}

kinds! {
    // Words and literals.
    Name "", Word "", ClassRef "", Number "", Variable "", String "", Regexp "",
    // A string with interpolations: before the first, between two, after the last.
    TextStart "", TextMiddle "", TextEnd "",
    // `@(...)`; the tokens of its text follow.
    Heredoc "",
    // Brackets. A `[` after whitespace starts a list, one after an operand starts an access; a `(` that is the first on
    // its line starts an expression, any other a call; a `{` after `?` starts the entries of a selector.
    LeftBracket "[", ListStart "[", RightBracket "]", LeftBrace "{", SelectorBrace "{", RightBrace "}",
    LeftParen "(", LineParen "(", RightParen ")",
    // Operators and punctuation.
    Equals "=", Appends "+=", Deletes "-=", IsEqual "==", NotEqual "!=", Match "=~", NoMatch "!~",
    GreaterEqual ">=", Greater ">", LessEqual "<=", Less "<", FatArrow "=>", PlusArrow "+>",
    LeftShift "<<", RightShift ">>", ExportedStart "<<|", ExportedEnd "|>>", CollectStart "<|", CollectEnd "|>",
    Plus "+", Minus "-", Divide "/", Times "*", Modulo "%", Not "!", Dot ".", Pipe "|", At "@", AtAt "@@",
    Colon ":", Comma ",", Semicolon ";", Question "?", Tilde "~",
    InEdge "->", InEdgeSub "~>", OutEdge "<-", OutEdgeSub "<~",
    // Keywords.
    Case "case", Class "class", Default "default", Define "define", If "if", Elsif "elsif", Else "else",
    Inherits "inherits", Node "node", And "and", Or "or", Undef "undef", False "false", True "true", In "in",
    Unless "unless", Function "function", Type "type", Attr "attr", Private "private",
    // Keywords where tasks are enabled.
    Plan "plan", Apply "apply",
    // Templates.
    EppStart "", RenderString "", RenderExpr "", EppEnd "%>", EppEndTrim "-%>",
    // A character that means nothing.
    Other "",
    // The end of the text, or of its readable part: the lexer holds the reason.
    End "", Error "",
}

impl SyntaxKind {
    /// Returns the kind of a keyword, or `None` for other words.
    pub fn keyword(word: &str, tasks: bool) -> Option<SyntaxKind> {
        Some(match word {
            "case" => SyntaxKind::Case,
            "class" => SyntaxKind::Class,
            "default" => SyntaxKind::Default,
            "define" => SyntaxKind::Define,
            "if" => SyntaxKind::If,
            "elsif" => SyntaxKind::Elsif,
            "else" => SyntaxKind::Else,
            "inherits" => SyntaxKind::Inherits,
            "node" => SyntaxKind::Node,
            "and" => SyntaxKind::And,
            "or" => SyntaxKind::Or,
            "undef" => SyntaxKind::Undef,
            "false" => SyntaxKind::False,
            "true" => SyntaxKind::True,
            "in" => SyntaxKind::In,
            "unless" => SyntaxKind::Unless,
            "function" => SyntaxKind::Function,
            "type" => SyntaxKind::Type,
            "attr" => SyntaxKind::Attr,
            "private" => SyntaxKind::Private,
            "plan" if tasks => SyntaxKind::Plan,
            "apply" if tasks => SyntaxKind::Apply,
            _ => return None,
        })
    }

    /// Returns whether the kind is a keyword that may name an attribute: all but `true` and `false`.
    pub fn is_keyword(self) -> bool {
        matches!(
            self,
            SyntaxKind::Case
                | SyntaxKind::Class
                | SyntaxKind::Default
                | SyntaxKind::Define
                | SyntaxKind::If
                | SyntaxKind::Elsif
                | SyntaxKind::Else
                | SyntaxKind::Inherits
                | SyntaxKind::Node
                | SyntaxKind::And
                | SyntaxKind::Or
                | SyntaxKind::Undef
                | SyntaxKind::In
                | SyntaxKind::Unless
                | SyntaxKind::Function
                | SyntaxKind::Type
                | SyntaxKind::Attr
                | SyntaxKind::Private
                | SyntaxKind::Plan
                | SyntaxKind::Apply
        )
    }

    /// Returns whether a single token of this kind is an operand.
    pub fn is_simple(self) -> bool {
        matches!(
            self,
            SyntaxKind::Name
                | SyntaxKind::ClassRef
                | SyntaxKind::Variable
                | SyntaxKind::String
                | SyntaxKind::Word
                | SyntaxKind::Number
                | SyntaxKind::True
                | SyntaxKind::False
                | SyntaxKind::Undef
                | SyntaxKind::Default
                | SyntaxKind::Regexp
                | SyntaxKind::Attr
                | SyntaxKind::Private
                | SyntaxKind::RenderString
        )
    }

    /// Returns whether an expression can begin with the token.
    pub fn starts_expression(self) -> bool {
        matches!(
            self,
            SyntaxKind::Name
                | SyntaxKind::Word
                | SyntaxKind::ClassRef
                | SyntaxKind::Number
                | SyntaxKind::Variable
                | SyntaxKind::String
                | SyntaxKind::Regexp
                | SyntaxKind::TextStart
                | SyntaxKind::Heredoc
                | SyntaxKind::LeftBracket
                | SyntaxKind::ListStart
                | SyntaxKind::LeftBrace
                | SyntaxKind::LeftParen
                | SyntaxKind::LineParen
                | SyntaxKind::Minus
                | SyntaxKind::Times
                | SyntaxKind::Not
                | SyntaxKind::Case
                | SyntaxKind::Class
                | SyntaxKind::Default
                | SyntaxKind::Define
                | SyntaxKind::If
                | SyntaxKind::Node
                | SyntaxKind::Undef
                | SyntaxKind::False
                | SyntaxKind::True
                | SyntaxKind::Unless
                | SyntaxKind::Function
                | SyntaxKind::Type
                | SyntaxKind::Attr
                | SyntaxKind::Private
                | SyntaxKind::Plan
                | SyntaxKind::Apply
                | SyntaxKind::RenderString
                | SyntaxKind::RenderExpr
                | SyntaxKind::At
                | SyntaxKind::AtAt
        )
    }

    /// Returns whether a `/` after the token starts a regular expression; after an operand it divides.
    pub fn before_regexp(self) -> bool {
        !matches!(
            self,
            SyntaxKind::RightParen
                | SyntaxKind::RightBracket
                | SyntaxKind::ExportedEnd
                | SyntaxKind::CollectEnd
                | SyntaxKind::Name
                | SyntaxKind::ClassRef
                | SyntaxKind::Number
                | SyntaxKind::String
                | SyntaxKind::True
                | SyntaxKind::False
                | SyntaxKind::TextStart
                | SyntaxKind::TextMiddle
                | SyntaxKind::TextEnd
                | SyntaxKind::Heredoc
                | SyntaxKind::Regexp
                | SyntaxKind::Variable
                | SyntaxKind::Word
        )
    }
}

/// A pattern as Ruby shows it, between slashes or not: with a backslash before each slash.
fn slashes_escaped(pattern: &str) -> String {
    let mut shown = String::with_capacity(pattern.len());
    let mut escaped = false;
    for c in pattern.chars() {
        if c == '/' && !escaped {
            shown.push('\\');
        }
        shown.push(c);
        escaped = c == '\\' && !escaped;
    }
    shown
}
