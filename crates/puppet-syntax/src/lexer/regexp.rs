//! Tokens that begin with a slash: a division, a multi-line comment, or a regular expression.

use hieratic_ruby_regexp::Regexp;

use super::{LexError, Lexer, ReadResult, SearchMatch};
use crate::codes;
use crate::token::{Payload, SyntaxKind};

impl<'s> Lexer<'s> {
    /// Reads a token that begins with `/`.
    pub(super) fn slash(&mut self) -> Result<ReadResult, LexError> {
        let start = self.position;
        if self.peek(1) == b'*' {
            return match self.text[start + 2..].find("*/") {
                Some(length) => {
                    self.advance_over(start..start + 2 + length + 2);
                    Ok(ReadResult::Nothing)
                }
                None => Err(self.problem(codes::UNCLOSED_MLCOMMENT, "Unclosed multiline comment".into())),
            };
        }
        if self.after.before_regexp() {
            self.matched = SearchMatch::default();
            if let Some(end) = self.regexp_end(start + 1) {
                let regexp = self.compile(start + 1, end)?;
                self.advance_over(start..end + 1);
                return Ok(self.read_as(SyntaxKind::Regexp, start, end + 1, Payload::Regexp(regexp)));
            }
        }
        self.position = start + 1;
        Ok(self.read_as(SyntaxKind::Divide, start, start + 1, Payload::None))
    }

    /// Returns the next unescaped slash.
    fn regexp_end(&self, start: usize) -> Option<usize> {
        let mut escaped = false;
        for (at, byte) in self.bytes.iter().enumerate().skip(start) {
            match byte {
                b'/' if !escaped => return Some(at),
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        None
    }

    /// Compiles the expression between two slashes. The reference reports compile errors without a position.
    fn compile(&self, start: usize, end: usize) -> Result<Regexp, LexError> {
        let pattern = &self.text[start..end];
        let compiled =
            if pattern.contains("\\/") { Regexp::new(&pattern.replace("\\/", "/")) } else { Regexp::new(pattern) };
        compiled.map_err(|error| {
            let mut problem = self.problem_at(codes::INVALID_REGEXP, error.to_string(), start);
            problem.span.end = self.global(end);
            problem.at = None;
            problem
        })
    }
}
