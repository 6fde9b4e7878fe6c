//! [`Token`]: a part of a manifest, with its neighbors.

use std::borrow::Cow;
use std::ops::Range;

use crate::kind::Kind;

/// The id of a token. It does not change when the token is moved.
pub type Id = usize;

/// A part of a manifest.
///
/// Puppet-lint keeps tokens in an array and, in addition, as a list with neighbors. Its fixes change one or both, so
/// both are needed for the same result.
#[derive(Clone, Debug)]
pub struct Token<'s> {
    /// The kind.
    pub kind: Kind,
    /// The content, without quotes, `$` and the signs of comments.
    pub value: Cow<'s, str>,
    /// The text as written, of comments, heredocs and variables in strings.
    pub raw: Option<Cow<'s, str>>,
    /// The line as puppet-lint counts.
    pub line: i64,
    /// The column as puppet-lint counts. In strings with interpolations it can be wrong.
    pub column: i64,
    /// The byte range in the source. It is empty for an added token.
    pub span: Range<usize>,
    /// The next token.
    pub next: Option<Id>,
    /// The previous token.
    pub prev: Option<Id>,
    /// The next token that is code. Tokens that are not code have none.
    pub next_code: Option<Id>,
    /// The previous token that is code. Tokens that are not code have none.
    pub prev_code: Option<Id>,
}

impl<'s> Token<'s> {
    /// Creates a token that is not yet in a list.
    pub fn new(kind: Kind, value: impl Into<Cow<'s, str>>) -> Token<'s> {
        Token {
            kind,
            value: value.into(),
            raw: None,
            line: 0,
            column: 0,
            span: 0..0,
            next: None,
            prev: None,
            next_code: None,
            prev_code: None,
        }
    }

    /// Returns whether the token is a single space.
    pub fn is_single_space(&self) -> bool {
        self.kind == Kind::Whitespace && self.value == " "
    }
}

/// The three parts of which a token is written.
pub(crate) type TokenText<'t> = [&'t str; 3];

/// A token of a list as written in a manifest. Strings know from their neighbors whether a brace is to be written.
pub(crate) fn written<'t>(tokens: &'t [Token<'_>], id: Id) -> TokenText<'t> {
    let token = &tokens[id];
    let (value, raw) = (&*token.value, token.raw.as_deref());
    match token.kind {
        Kind::String => ["\"", value, "\""],
        Kind::Sstring => ["'", value, "'"],
        Kind::DqPre => ["\"", value, suffix(tokens, token)],
        Kind::DqPost => [prefix(tokens, token), value, "\""],
        Kind::DqMid | Kind::HeredocMid => [prefix(tokens, token), value, suffix(tokens, token)],
        Kind::Variable => {
            let is_enclosed = |before: Id| {
                matches!(tokens[before].kind, Kind::DqPre | Kind::DqMid | Kind::HeredocPre | Kind::HeredocMid)
            };
            match token.prev_code {
                Some(before) if is_enclosed(before) => ["", raw.unwrap_or(value), ""],
                _ => ["$", value, ""],
            }
        }
        Kind::UnencVariable => ["$", value, ""],
        Kind::Comment => ["#", value, ""],
        Kind::SlashComment => ["//", value, ""],
        Kind::Regex => ["/", value, "/"],
        Kind::HeredocOpen => ["@(", value, ")"],
        Kind::MlComment | Kind::Heredoc => ["", raw.unwrap_or(value), ""],
        Kind::HeredocPre => [value, suffix(tokens, token), ""],
        Kind::HeredocPost => [prefix(tokens, token), raw.unwrap_or(value), ""],
        _ => [value, "", ""],
    }
}

fn suffix(tokens: &[Token<'_>], token: &Token<'_>) -> &'static str {
    let is_unenclosed = |next: Id| {
        use Kind::*;
        matches!(tokens[next].kind, UnencVariable | DqMid | DqPost | HeredocMid | HeredocPost)
    };
    if token.next.is_some_and(is_unenclosed) { "" } else { "${" }
}

fn prefix(tokens: &[Token<'_>], token: &Token<'_>) -> &'static str {
    let is_unenclosed = |before: Id| {
        use Kind::*;
        matches!(tokens[before].kind, UnencVariable | DqPre | DqMid | HeredocPre | HeredocMid)
    };
    if token.prev.is_some_and(is_unenclosed) { "" } else { "}" }
}
