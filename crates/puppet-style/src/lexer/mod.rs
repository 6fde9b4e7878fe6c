//! The lexer splits a manifest into the tokens of puppet-lint.
//!
//! The tokens are not those of the language: an interpolation is a separate token, so is an indentation, and `$a['b']`
//! is one variable. Rules and fixes depend on this, so the lexer equals that of puppet-lint.

mod columns;
mod strings;
mod words;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use hieratic_budget::Budget;
use memchr::{memchr, memmem};

use crate::failure::Failure;
use crate::kind::{Kind, PUNCTUATION, is_keyword};
use crate::token::{Id, Token};
use strings::{Part, PartKind};

/// The maximum nesting depth of strings in interpolations.
const DEPTH: usize = 40;

/// Splits a manifest into tokens.
///
/// # Errors
/// The text is not a token, or the budget is used up.
pub(crate) fn tokenize<'s>(source: &'s str, budget: &Budget) -> Result<Vec<Token<'s>>, Failure> {
    let mut heredocs = VecDeque::new();
    let mut lexer = Lexer::new(source, &mut heredocs, budget, 0);
    lexer.read(0..source.len())?;
    Ok(lexer.tokens)
}

/// The state of reading a manifest, or an interpolation in it.
struct Lexer<'s, 'q> {
    source: &'s str,
    tokens: Vec<Token<'s>>,
    /// The last token that is code.
    last_code: Option<Id>,
    line: i64,
    column: i64,
    /// The tags of heredocs whose text begins on the next line.
    heredocs: &'q mut VecDeque<&'s str>,
    budget: &'q Budget,
    depth: usize,
}

impl<'s, 'q> Lexer<'s, 'q> {
    fn new(source: &'s str, heredocs: &'q mut VecDeque<&'s str>, budget: &'q Budget, depth: usize) -> Self {
        Lexer { source, tokens: Vec::new(), last_code: None, line: 1, column: 1, heredocs, budget, depth }
    }

    /// Reads a part of the source.
    fn read(&mut self, range: Range<usize>) -> Result<(), Failure> {
        self.budget.steps(1 + range.len() as u64 / 8)?;
        let mut at = range.start;
        while at < range.end {
            let rest = &self.source[at..range.end];
            at += match self.known(rest, at) {
                Some(length) => length,
                None => self.other(rest, at)?,
            };
        }
        Ok(())
    }

    /// Reads a token that one pattern describes: whitespace, a name, a number or an operator.
    fn known(&mut self, rest: &'s str, at: usize) -> Option<usize> {
        let first = rest.as_bytes()[0];
        let (kind, length) = match first {
            b'a'..=b'z' | b'_' | b'0'..=b'9' | b'A'..=b'Z' => words::word(rest)?,
            b':' => words::word(rest).unwrap_or((Kind::Colon, 1)),
            b'$' | b'\'' | b'"' | b'@' | b'#' | b'/' | b'\r' | b'\n' => return None,
            b' ' | b'\t' | 0x0b | 0x0c | 0x80.. => match words::whitespace(rest) {
                0 => return None,
                length => (Kind::Whitespace, length),
            },
            _ => {
                let (text, kind) = PUNCTUATION.iter().find(|(text, _)| rest.starts_with(text))?;
                (*kind, text.len())
            }
        };
        self.push(kind, &rest[..length], None, at..at + length);
        Some(length)
    }

    /// Reads any other token. Returns its length, with that of all that belongs to it.
    fn other(&mut self, rest: &'s str, at: usize) -> Result<usize, Failure> {
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'$' => {
                let length = words::variable(&rest[1..]);
                if length == 0 {
                    return Err(self.error(None));
                }
                let (raw, span) = (&rest[..=length], at..at + 1 + length);
                self.push(Kind::Variable, &raw[1..], Some(raw.into()), span);
                Ok(1 + length)
            }
            b'\'' if memchr(b'\'', &bytes[1..]).is_some() => self.quoted(Kind::Sstring, b'\'', rest, at),
            b'"' => self.double_quoted(rest, at),
            b'@' => Ok(self.at_sign(rest, at)),
            b'#' => {
                let length = words::line_length(rest);
                self.push(Kind::Comment, &rest[1..length], None, at..at + length);
                Ok(length)
            }
            b'/' => self.slash(rest, at),
            b'\r' | b'\n' => self.newline(rest, at),
            _ => Err(self.error(None)),
        }
    }

    fn error(&self, reason: Option<&'static str>) -> Failure {
        Failure::Syntax { line: self.line, column: self.column, reason }
    }

    /// Reads text up to a delimiter that no backslash escapes.
    fn quoted(&mut self, kind: Kind, delimiter: u8, rest: &'s str, at: usize) -> Result<usize, Failure> {
        let length = words::delimited(&rest[1..], delimiter).ok_or(Failure::Unforeseen)?;
        self.push(kind, &rest[1..=length], None, at..at + length + 2);
        Ok(length + 2)
    }

    fn double_quoted(&mut self, rest: &'s str, at: usize) -> Result<usize, Failure> {
        let read = strings::string(self.source, at + 1..at + rest.len());
        let Some((parts, end)) = read else { return Err(self.error(Some("unterminated string"))) };
        self.string_parts(&parts, at..end)?;
        Ok(end - at)
    }

    /// Reads the beginning of a heredoc, or an at sign.
    fn at_sign(&mut self, rest: &'s str, at: usize) -> usize {
        let tag = rest.strip_prefix("@(").and_then(words::heredoc_tag);
        let Some(tag) = tag else {
            self.push(Kind::At, "@", None, at..at + 1);
            return 1;
        };
        self.heredocs.push_back(tag);
        self.push(Kind::HeredocOpen, tag, None, at..at + tag.len() + 3);
        tag.len() + 3
    }

    /// Reads a comment, a regular expression or a division.
    fn slash(&mut self, rest: &'s str, at: usize) -> Result<usize, Failure> {
        let bytes = rest.as_bytes();
        if rest.starts_with("//") {
            let length = words::line_length(rest);
            self.push(Kind::SlashComment, &rest[2..length], None, at..at + length);
            return Ok(length);
        }
        if rest.starts_with("/*")
            && let Some(end) = memmem::find(&bytes[2..], b"*/")
        {
            let raw = &rest[..end + 4];
            self.push(Kind::MlComment, words::comment_text(raw), Some(raw.into()), at..at + raw.len());
            return Ok(raw.len());
        }
        let is_possible = self.last_code.is_none_or(|last| self.tokens[last].kind.is_before_regex());
        if is_possible && memchr(b'/', &bytes[1..]).is_some() {
            return self.quoted(Kind::Regex, b'/', rest, at);
        }
        self.push(Kind::Div, "/", None, at..at + 1);
        Ok(1)
    }

    /// Reads the end of a line, with the indentation of the next one, or with a heredoc.
    fn newline(&mut self, rest: &'s str, at: usize) -> Result<usize, Failure> {
        let end = if rest.starts_with("\r\n") { 2 } else { 1 };
        self.push(Kind::Newline, &rest[..end], None, at..at + end);
        if let Some(tag) = self.heredocs.pop_front() {
            let (parts, after) = strings::heredoc(self.source, at + end..at + rest.len(), tag);
            self.heredoc_parts(&parts, at + end)?;
            return Ok(after - at);
        }
        let indent = words::whitespace(&rest[end..]);
        if indent > 0 {
            self.push(Kind::Indent, &rest[end..end + indent], None, at + end..at + end + indent);
        }
        Ok(end + indent)
    }

    /// The tokens of a string in double quotes, which is at a span.
    fn string_parts(&mut self, parts: &[Part], span: Range<usize>) -> Result<(), Failure> {
        match parts {
            [] => Ok(()),
            [part] => {
                self.push(Kind::String, &self.source[part.range.clone()], None, span);
                Ok(())
            }
            [first, middle @ .., last] => {
                let opening = span.start..first.range.end;
                self.push(Kind::DqPre, &self.source[first.range.clone()], None, opening);
                self.middle_parts(middle, Kind::DqMid)?;
                let closing = last.range.start..span.end;
                self.push(Kind::DqPost, &self.source[last.range.clone()], None, closing);
                Ok(())
            }
        }
    }

    /// The tokens of the text of a heredoc, which begins at an offset.
    fn heredoc_parts(&mut self, parts: &[Part], start: usize) -> Result<(), Failure> {
        let [parts @ .., end_tag] = parts else { return Ok(()) };
        let with_tag = |part: &Part, source: &'s str| -> Cow<'s, str> {
            if part.range.end == end_tag.range.start {
                return source[part.range.start..end_tag.range.end].into();
            }
            format!("{}{}", &source[part.range.clone()], &source[end_tag.range.clone()]).into()
        };
        match parts {
            [] => Err(Failure::Unforeseen),
            [part] => {
                let raw = with_tag(part, self.source);
                self.push(Kind::Heredoc, &self.source[part.range.clone()], Some(raw), start..end_tag.range.end);
                Ok(())
            }
            [first, middle @ .., last] => {
                self.push(Kind::HeredocPre, &self.source[first.range.clone()], None, first.range.clone());
                self.middle_parts(middle, Kind::HeredocMid)?;
                let raw = with_tag(last, self.source);
                let span = last.range.start..end_tag.range.end;
                self.push(Kind::HeredocPost, &self.source[last.range.clone()], Some(raw), span);
                Ok(())
            }
        }
    }

    /// The tokens between the first and the last part of a string.
    fn middle_parts(&mut self, parts: &[Part], text: Kind) -> Result<(), Failure> {
        for part in parts {
            let value = &self.source[part.range.clone()];
            match part.kind {
                PartKind::Interpolation => self.interpolation(part.range.clone())?,
                PartKind::Variable => {
                    let value = value.strip_prefix('$').unwrap_or(value);
                    self.push(Kind::UnencVariable, value, None, part.range.clone());
                }
                PartKind::Text | PartKind::EndTag => self.push(text, value, None, part.range.clone()),
            }
        }
        Ok(())
    }

    /// The tokens of the code in an interpolation.
    fn interpolation(&mut self, range: Range<usize>) -> Result<(), Failure> {
        if self.depth == DEPTH {
            return Err(self.error(Some("strings are nested too deeply")));
        }
        let mut inner = Lexer::new(self.source, self.heredocs, self.budget, self.depth + 1);
        inner.read(range)?;
        let tokens = inner.tokens;
        for (place, token) in tokens.into_iter().enumerate() {
            let is_data_type = token.kind == Kind::Type && token.value != "type";
            let is_name = token.kind == Kind::Name || is_keyword(token.kind, &token.value);
            let kind = if place == 0 && is_name && !is_data_type { Kind::Variable } else { token.kind };
            self.push(kind, token.value, token.raw, token.span);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
