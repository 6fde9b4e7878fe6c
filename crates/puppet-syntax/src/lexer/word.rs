//! Names, bare words, references to types, and variables.

use hieratic_diagnostics::Code;

use super::{LexError, Lexer, ReadResult, SearchMatch, scan};
use crate::codes;
use crate::token::{Payload, SyntaxKind};

impl<'s> Lexer<'s> {
    /// Reads a word that begins with a lower-case letter or `_`: a keyword, a name, or a bare word.
    pub(super) fn word(&mut self) -> ReadResult {
        let start = self.position;
        let (end, kind) = self.word_from(start);
        self.advance_over(start..end);
        let text: &'s str = &self.text[start..end];
        if kind == SyntaxKind::Name
            && let Some(keyword) = SyntaxKind::keyword(text, self.tasks)
        {
            return self.read_as(keyword, start, end, Payload::None);
        }
        self.read_as(kind, start, end, Payload::Piece(text))
    }

    /// Returns the end of a word, and whether it is a name: its segments begin with a letter and have no hyphens.
    fn word_from(&self, start: usize) -> (usize, SyntaxKind) {
        let bytes = self.bytes;
        let mut kind = SyntaxKind::Name;
        let mut end = start;
        loop {
            if bytes[end] == b'_' {
                kind = SyntaxKind::Word;
            }
            end += scan::word(&bytes[end..]);
            // A segment may hold hyphens but not end with one.
            let mut at = end;
            while bytes.get(at) == Some(&b'-') {
                at += 1;
                let more = scan::word(&bytes[at..]);
                if more > 0 {
                    kind = SyntaxKind::Word;
                    at += more;
                    end = at;
                }
            }
            match bytes.get(end..end + 3) {
                Some([b':', b':', b'a'..=b'z' | b'_']) => end += 2,
                _ => return (end, kind),
            }
        }
    }

    /// Reads a name or a reference that begins with `::`.
    pub(super) fn qualified(&mut self) -> Result<ReadResult, LexError> {
        let start = self.position;
        match self.peek(2) {
            b'A'..=b'Z' => self.class_reference(
                3,
                codes::ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE,
                "Illegal fully qualified class reference",
            ),
            b'a'..=b'z' | b'_' => {
                let (end, kind) = self.word_from(start + 2);
                self.advance_over(start..end);
                Ok(self.read_as(kind, start, end, Payload::Piece(&self.text[start..end])))
            }
            _ => {
                self.position += 2;
                Err(self.problem(codes::ILLEGAL_FULLY_QUALIFIED_NAME, "Illegal fully qualified name".into()))
            }
        }
    }

    /// Reads a word with an upper-case letter at the start of each segment. As in the reference, an error is reported
    /// some bytes after it.
    pub(super) fn class_reference(
        &mut self,
        after: usize,
        issue: Code,
        message: &'static str,
    ) -> Result<ReadResult, LexError> {
        let start = self.position;
        let mut end = start;
        loop {
            match self.bytes.get(end..) {
                Some([b':', b':', b'A'..=b'Z', ..]) => end += 2,
                Some([b'A'..=b'Z', ..]) => {}
                _ => break,
            }
            end += scan::word(&self.bytes[end..]);
        }
        self.advance_over(start..end);
        if self.bytes[end..].starts_with(b"::") {
            self.position = (end + after).min(self.bytes.len());
            return Err(self.problem(issue, message.into()));
        }
        Ok(self.read_as(SyntaxKind::ClassRef, start, end, Payload::Piece(&self.text[start..end])))
    }

    /// Reads `$` and a name. A missing name is empty, which is an error later.
    pub(super) fn variable(&mut self) -> ReadResult {
        let start = self.position;
        match self.variable_end(start + 1) {
            Some(end) => {
                self.advance_over(start..end);
                self.read_as(SyntaxKind::Variable, start, end, Payload::Piece(&self.text[start + 1..end]))
            }
            None => {
                self.position = start + 1;
                self.matched = SearchMatch::default();
                self.read_as(SyntaxKind::Variable, start, start + 1, Payload::Piece(""))
            }
        }
    }

    /// Returns the end of the variable name that starts at a byte, or `None` if there is no name.
    pub(super) fn variable_end(&self, start: usize) -> Option<usize> {
        let word_end = |start: usize| {
            let length = scan::word(self.bytes.get(start..).unwrap_or_default());
            (length > 0).then_some(start + length)
        };
        let qualified = self.bytes.get(start..).is_some_and(|rest| rest.starts_with(b"::"));
        let mut end = word_end(if qualified { start + 2 } else { start })?;
        while self.bytes[end..].starts_with(b"::") {
            match word_end(end + 2) {
                Some(next) => end = next,
                None => break,
            }
        }
        Some(end)
    }
}
