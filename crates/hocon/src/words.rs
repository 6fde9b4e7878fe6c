//! [`words`]: the tokens of a source with their positions, for editors and incomplete input.

use std::ops::Range;

use super::token::{Literal, TokenKind};
use super::tokenizer::Tokenizer;

/// The kind of a word of HOCON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// `{`
    OpenMap,
    /// `}`
    CloseMap,
    /// `[`
    OpenList,
    /// `]`
    CloseList,
    /// `:`, `=` or `+=`
    Separator,
    /// `,`
    Comma,
    /// The end of a line.
    Newline,
    /// A comment.
    Comment,
    /// An unquoted string.
    Text,
    /// A quoted string, with its quotes.
    Quoted,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
    /// `${path}`
    Substitution,
    /// Input that no parser accepts, such as an unclosed quote.
    Fault,
}

/// A word with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The kind of the word.
    pub kind: WordKind,
    /// The byte range of the word.
    pub span: Range<usize>,
}

/// Returns all words of a source, without whitespace. An error is a word as well: parsing continues after it if
/// possible.
///
/// ```
/// use hieratic_hocon::{WordKind, words};
///
/// let found = words("web { port = 80 # https\n");
/// let kinds: Vec<WordKind> = found.iter().map(|word| word.kind).collect();
/// use WordKind::*;
/// assert_eq!(kinds, [Text, OpenMap, Text, Separator, Number, Comment, Newline]);
/// ```
pub fn words(text: &str) -> Vec<Word> {
    let mut tokens = Tokenizer::new(text);
    let mut found = Vec::new();
    // A fatal error leaves nothing to parse after it.
    while let Ok(token) = tokens.next() {
        let kind = match &token.kind {
            TokenKind::End => break,
            TokenKind::Whitespace(_) => continue,
            TokenKind::Text(_) if token.is_blank_text() => continue,
            TokenKind::Comma => WordKind::Comma,
            TokenKind::Equals | TokenKind::Colon | TokenKind::PlusEquals => WordKind::Separator,
            TokenKind::OpenCurly => WordKind::OpenMap,
            TokenKind::CloseCurly => WordKind::CloseMap,
            TokenKind::OpenSquare => WordKind::OpenList,
            TokenKind::CloseSquare => WordKind::CloseList,
            TokenKind::Newline => WordKind::Newline,
            TokenKind::Comment(_) => WordKind::Comment,
            TokenKind::Text(_) => WordKind::Text,
            TokenKind::Literal(Literal::String(_)) => WordKind::Quoted,
            TokenKind::Literal(Literal::Number { .. }) => WordKind::Number,
            TokenKind::Literal(Literal::Null | Literal::Boolean(_)) => WordKind::Literal,
            TokenKind::Substitution { .. } => WordKind::Substitution,
            TokenKind::Problem { .. } | TokenKind::Unreportable(_) => WordKind::Fault,
        };
        let start = token.span.start;
        // Space before an error is not part of it.
        let blank = text.get(token.span.clone()).map_or(0, |word| word.len() - word.trim_start_matches(' ').len());
        let start = if kind == WordKind::Fault { start + blank } else { start };
        found.push(Word { kind, span: start..token.span.end });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<(WordKind, &str)> {
        words(text).into_iter().map(|word| (word.kind, &text[word.span])).collect()
    }

    #[test]
    fn words_have_their_places() {
        use WordKind::*;
        let text = "\"a::b\" : [1, \u{1f600} x],\r\nc.d += ${?e.f} // no\n";
        assert_eq!(
            words_of(text),
            [
                (Quoted, "\"a::b\""),
                (Separator, ":"),
                (OpenList, "["),
                (Number, "1"),
                (Comma, ","),
                (Text, "\u{1f600}"),
                (Text, "x"),
                (CloseList, "]"),
                (Comma, ","),
                (Newline, "\n"),
                (Text, "c.d"),
                (Separator, "+="),
                (Substitution, "${?e.f}"),
                (Comment, "// no"),
                (Newline, "\n"),
            ]
        );
    }

    #[test]
    fn a_fault_is_a_word_and_reading_goes_on() {
        let kinds: Vec<WordKind> = words("a = \"open\nb = 1\n").into_iter().map(|word| word.kind).collect();
        assert!(kinds.contains(&WordKind::Fault) && kinds.ends_with(&[WordKind::Number, WordKind::Newline]));
        for text in ["$", "${", "\"", "\"\"\"", "+", "a = `", "\\", "${a", "\"\\u12", "a = 1e999"] {
            let _ = words(text);
        }
    }
}
