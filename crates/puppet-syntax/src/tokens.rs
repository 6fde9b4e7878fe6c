//! [`tokens`]: the tokens of source text for editors, whether it can be parsed or not.

use crate::Options;
use crate::lexer::Lexer;
use crate::token::SyntaxKind;
use hieratic_diagnostics::Span;

/// The kind of a token, for highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A reserved word.
    Keyword,
    /// A bare word: the name of a function, a class, a resource type or an attribute, or a string.
    Name,
    /// A word that begins with an upper-case letter.
    TypeName,
    /// A number.
    Number,
    /// A variable with its dollar.
    Variable,
    /// A string without interpolations, with its quotes; the text of a heredoc.
    String,
    /// A part of a string with interpolations: before, between or after them.
    StringPart,
    /// A regular expression with its slashes.
    Regexp,
    /// `@(END)`.
    Heredoc,
    /// A bracket, brace or parenthesis, and the bars of a collector.
    Bracket,
    /// Any other sign.
    Sign,
    /// A comment.
    Comment,
    /// Text of a template, and the marks around its code.
    Template,
}

/// A token and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its position.
    pub span: Span,
}

/// Returns the tokens of source text in order, comments included. After a lexical error, lexing resumes on the next
/// line.
///
/// ```
/// use hieratic_puppet_syntax::{Options, TokenKind, tokens};
///
/// let text = "include a # b\n$x = 'unclosed\nfile";
/// let found: Vec<_> = tokens(text, &Options::default())
///     .into_iter()
///     .map(|token| (token.kind, &text[token.span.range()]))
///     .collect();
/// assert_eq!(found[1], (TokenKind::Name, "a"));
/// assert_eq!(found[2], (TokenKind::Comment, "# b"));
/// assert_eq!(found.last(), Some(&(TokenKind::Name, "file")));
/// ```
pub fn tokens(text: &str, options: &Options) -> Vec<Token> {
    let mut found = Vec::new();
    if u32::try_from(text.len()).is_err() {
        return found;
    }
    let mut from = 0;
    let mut epp = options.epp;
    while from < text.len() {
        let rest = &text[from..];
        let lexer = if epp { Lexer::template(rest, options.tasks) } else { Lexer::new(rest, options.tasks) };
        let end = read(lexer, rest, from, &mut found);
        if end >= text.len() {
            break;
        }
        // After an error there is code, even in a template, up to the end of its tag.
        epp = false;
        from = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    }
    found
}

/// Reads tokens up to the end or an error, and returns that position in the whole source.
fn read(mut lexer: Lexer<'_>, text: &str, offset: usize, found: &mut Vec<Token>) -> usize {
    let mut after = 0;
    loop {
        lexer.next();
        let token = &lexer.token;
        let (start, end) = (token.start as usize, token.end as usize);
        let is_end = matches!(token.kind, SyntaxKind::End | SyntaxKind::Error);
        // Queued tokens may precede those that were read already, as the text of a heredoc does.
        if start > after {
            comments(text, after, start, offset, found);
        }
        if is_end {
            let error = lexer.error().map(|error| error.span.first());
            return offset
                + if token.kind == SyntaxKind::End {
                    text.len()
                } else {
                    error.unwrap_or(start).max(after).min(text.len())
                };
        }
        // The parts of a string include their quotes and the delimiters of interpolations.
        let closes = matches!(token.kind, SyntaxKind::TextMiddle | SyntaxKind::TextEnd) && text[..start].ends_with('}');
        if end > start || closes {
            let kind = kind(token.kind, &text[start..]);
            found.push(Token { kind, span: extent(offset + start - usize::from(closes), offset + end) });
        }
        after = after.max(end);
    }
}

fn extent(start: usize, end: usize) -> Span {
    // The length of the text was looked at.
    Span { start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::try_from(end).unwrap_or(u32::MAX) }
}

/// The comments between two tokens.
fn comments(text: &str, from: usize, to: usize, offset: usize, found: &mut Vec<Token>) {
    let Some(between) = text.get(from..to) else { return };
    let mut at = 0;
    while let Some(start) = between[at..].find(['#', '/']).map(|start| at + start) {
        let rest = &between[start..];
        let length = if rest.starts_with('#') {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else {
            at = start + 1;
            continue;
        };
        let length = rest[..length].trim_end_matches('\r').len();
        found.push(Token {
            kind: TokenKind::Comment,
            span: extent(offset + from + start, offset + from + start + length),
        });
        at = start + length.max(1);
    }
}

fn kind(kind: SyntaxKind, text: &str) -> TokenKind {
    use SyntaxKind::*;
    match kind {
        Name | Word => TokenKind::Name,
        ClassRef => TokenKind::TypeName,
        Number => TokenKind::Number,
        Variable if text.starts_with('$') => TokenKind::Variable,
        // In an interpolation, a word alone is a variable.
        Variable => TokenKind::Variable,
        String => TokenKind::String,
        TextStart | TextMiddle | TextEnd => TokenKind::StringPart,
        Regexp => TokenKind::Regexp,
        Heredoc => TokenKind::Heredoc,
        LeftBracket | ListStart | RightBracket | LeftBrace | SelectorBrace | RightBrace | LeftParen | LineParen
        | RightParen | ExportedStart | ExportedEnd | CollectStart | CollectEnd => TokenKind::Bracket,
        EppStart | RenderString | RenderExpr | EppEnd | EppEndTrim => TokenKind::Template,
        other if other.is_keyword() || matches!(other, True | False) => TokenKind::Keyword,
        _ => TokenKind::Sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, epp: bool) -> Vec<(TokenKind, &str)> {
        let found = tokens(text, &Options { epp, tasks: false });
        found.iter().map(|token| (token.kind, &text[token.span.range()])).collect()
    }

    #[test]
    fn tokens_stand_where_they_are_written() {
        use TokenKind::*;
        assert_eq!(
            read("class a::b($c = \"x${d}y\") { /* e */ }", false),
            [
                (Keyword, "class"),
                (Name, "a::b"),
                (Bracket, "("),
                (Variable, "$c"),
                (Sign, "="),
                (StringPart, "\"x${"),
                (Variable, "d"),
                (StringPart, "}y\""),
                (Bracket, ")"),
                (Bracket, "{"),
                (Comment, "/* e */"),
                (Bracket, "}"),
            ],
        );
        assert_eq!(read("# only\r\n", false), [(Comment, "# only")]);
        let template = read("a <%= $b %> c", true);
        assert!(template.contains(&(Variable, "$b")), "{template:?}");
    }

    #[test]
    fn any_text_has_an_end() {
        for text in ["'", "\"${", "@(END)", "@(END)\n", "$", "<%", "\u{feff}a", "a\0b", "\"\u{1f600}", "{{{", "/", "1x"]
        {
            for epp in [false, true] {
                for token in tokens(text, &Options { epp, tasks: true }) {
                    assert!(text.get(token.span.range()).is_some(), "{text}");
                }
            }
        }
    }
}
