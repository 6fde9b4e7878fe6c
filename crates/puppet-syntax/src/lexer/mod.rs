//! [`Lexer`] splits source text into [`Token`]s, one at a time, when the parser requests one. Each token overwrites the
//! one before: passing tokens by value would take as long as lexing them.
//!
//! The tokens equal those of the reference's lexer, including its quirks: which bracket follows whitespace, where a
//! slash starts a regular expression, and that a string with interpolations is lexed to its end before its first token
//! is returned, so that errors in the string come before errors inside its interpolations.

mod epp;
mod heredoc;
mod number;
mod regexp;
mod scan;
mod strings;
mod word;

use std::collections::VecDeque;
use std::ops::Range;

use hieratic_diagnostics::{Code, Span};

use crate::Problem;
use crate::codes;
use crate::token::{Payload, SyntaxKind, Token};
use epp::TemplateMode;
use heredoc::HeredocMap;
use strings::Escapes;

/// The reason why the text cannot be read on.
type LexError = Box<Problem>;

/// The result of reading one token.
enum ReadResult {
    /// A token: [`Lexer::token`].
    Token,
    /// Whitespace, a comment, or queued tokens instead of a single one.
    Nothing,
    /// The tokens of a string, which are in the queue.
    Queued,
}

/// The range that a search matched; empty if it did not match.
#[derive(Clone, Copy, Default)]
struct SearchMatch {
    start: usize,
    end: usize,
    /// The number of bytes at the end that closed a string; 0 for other searches. Of these the reference only remembers
    /// the last character and the backslashes after it.
    closing: usize,
}

/// The maximum nesting depth of strings in interpolations.
const MAX_STRING_DEPTH: u32 = 100;

pub(crate) struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    position: usize,
    /// The token that was read last.
    pub token: Token<'s>,
    /// Tokens that were read ahead.
    queue: VecDeque<Token<'s>>,
    /// Warnings that the parser has not taken yet.
    warnings: Vec<Problem>,
    /// The error that ended the tokens.
    error: Option<LexError>,
    /// The number of open braces.
    braces: i64,
    /// The previous token.
    after: SyntaxKind,
    /// The start of the current line. Like in the reference, newlines in strings, comments and templates do not count.
    line: usize,
    /// The position after the next newline if the text of a heredoc has to be skipped.
    resume_after_line: Option<usize>,
    /// The last match. The reference shows it in the message about an unclosed string.
    matched: SearchMatch,
    tasks: bool,
    /// The kind of content at the current position in a template; `None` in a manifest.
    mode: Option<TemplateMode>,
    /// Whether a template tag is open.
    tag_open: bool,
    /// The positions of the text of a heredoc in the source.
    map: Option<&'s HeredocMap<'s>>,
    /// The number of strings around this text.
    depth: u32,
    /// The escape sequences of the text of a heredoc.
    escapes: Escapes,
    /// Whether a backslash prevents interpolation of a dollar in the text of a heredoc.
    escaped_dollar: bool,
}

impl<'s> Lexer<'s> {
    /// Creates a lexer of a manifest.
    pub fn new(text: &'s str, tasks: bool) -> Lexer<'s> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            position: 0,
            token: Token::new(SyntaxKind::End, 0, 0, Payload::None),
            queue: VecDeque::new(),
            warnings: Vec::new(),
            error: None,
            braces: 0,
            after: SyntaxKind::End,
            line: 0,
            resume_after_line: None,
            matched: SearchMatch::default(),
            tasks,
            mode: None,
            tag_open: false,
            map: None,
            depth: 0,
            escapes: Escapes::NONE,
            escaped_dollar: false,
        }
    }

    /// Creates a lexer of a template.
    pub fn template(text: &'s str, tasks: bool) -> Lexer<'s> {
        let mut lexer = Lexer::new(text, tasks);
        lexer.mode = Some(TemplateMode::Text);
        lexer.push(SyntaxKind::EppStart, 0, 0, Payload::None);
        if let Err(error) = lexer.template_text(false) {
            lexer.fail(error);
        }
        lexer
    }

    /// Advances to the next token. At the end and after an error, it stays at the last token.
    pub fn next(&mut self) {
        loop {
            if let Some(token) = self.queue.pop_front() {
                self.after = token.kind;
                self.token = token;
                return;
            }
            if self.error.is_some() {
                return self.set(SyntaxKind::Error, self.position, self.position, Payload::None);
            }
            self.skip_space();
            if self.position >= self.bytes.len() {
                if self.tag_open {
                    let error = self.problem(
                        codes::EPP_UNBALANCED_TAG,
                        "Unbalanced epp tag, reached <eof> without closing tag.".into(),
                    );
                    self.fail(error);
                    continue;
                }
                return self.set(SyntaxKind::End, self.position, self.position, Payload::None);
            }
            match self.read() {
                Ok(ReadResult::Token) => {
                    self.after = self.token.kind;
                    return;
                }
                Ok(_) => {}
                Err(error) => self.fail(error),
            }
        }
    }

    /// Returns the error that ended the lexing.
    pub fn error(&self) -> Option<&Problem> {
        self.error.as_deref()
    }

    /// Takes the warnings so far.
    pub fn take_warnings(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.warnings)
    }

    fn fail(&mut self, error: LexError) {
        self.queue.clear();
        self.error = Some(error);
    }

    /// Reads the token at the current position, which is before the end.
    fn read(&mut self) -> Result<ReadResult, LexError> {
        let start = self.position;
        let (kind, length) = match self.bytes[start] {
            b' ' | b'\t' | b'\r' => {
                self.skip_blanks();
                return Ok(ReadResult::Nothing);
            }
            b'\n' => {
                self.position = self.resume_after_line.take().unwrap_or(start + 1);
                self.line = self.position;
                return Ok(ReadResult::Nothing);
            }
            b'a'..=b'z' | b'_' => return Ok(self.word()),
            b'A'..=b'Z' => return self.class_reference(1, codes::ILLEGAL_CLASS_REFERENCE, "Illegal class reference"),
            b'$' => return Ok(self.variable()),
            b'\'' => return self.single_quoted(),
            b'"' => return self.interpolated(true),
            b'0'..=b'9' => return self.number(),
            b'#' => {
                self.advance_over(start..self.line_end(start));
                return Ok(ReadResult::Nothing);
            }
            b',' => (SyntaxKind::Comma, 1),
            b'.' => (SyntaxKind::Dot, 1),
            b'[' if self.after_blank(start) => (SyntaxKind::ListStart, 1),
            b'[' => (SyntaxKind::LeftBracket, 1),
            b']' => (SyntaxKind::RightBracket, 1),
            b'(' if self.first_on_line(start) => (SyntaxKind::LineParen, 1),
            b'(' => (SyntaxKind::LeftParen, 1),
            b')' => (SyntaxKind::RightParen, 1),
            b'{' => {
                self.braces += 1;
                (if self.after == SyntaxKind::Question { SyntaxKind::SelectorBrace } else { SyntaxKind::LeftBrace }, 1)
            }
            b'}' => {
                self.braces -= 1;
                (SyntaxKind::RightBrace, 1)
            }
            b';' => (SyntaxKind::Semicolon, 1),
            b'?' => (SyntaxKind::Question, 1),
            b'*' => (SyntaxKind::Times, 1),
            b'%' => {
                if self.mode.is_some() && self.peek(1) == b'>' {
                    return self.tag_end(2, false);
                }
                (SyntaxKind::Modulo, 1)
            }
            b'@' => match self.peek(1) {
                b'@' => (SyntaxKind::AtAt, 2),
                b'(' => return self.heredoc(),
                _ => (SyntaxKind::At, 1),
            },
            b'|' => match (self.peek(1), self.peek(2)) {
                (b'>', b'>') => (SyntaxKind::ExportedEnd, 3),
                (b'>', _) => (SyntaxKind::CollectEnd, 2),
                _ => (SyntaxKind::Pipe, 1),
            },
            b'=' => match self.peek(1) {
                b'=' => (SyntaxKind::IsEqual, 2),
                b'>' => (SyntaxKind::FatArrow, 2),
                b'~' => (SyntaxKind::Match, 2),
                _ => (SyntaxKind::Equals, 1),
            },
            b'+' => match self.peek(1) {
                b'=' => (SyntaxKind::Appends, 2),
                b'>' => (SyntaxKind::PlusArrow, 2),
                _ => (SyntaxKind::Plus, 1),
            },
            b'-' => match (self.peek(1), self.peek(2)) {
                (b'%', b'>') if self.mode.is_some() => return self.tag_end(3, true),
                (b'>', _) => (SyntaxKind::InEdge, 2),
                (b'=', _) => (SyntaxKind::Deletes, 2),
                _ => (SyntaxKind::Minus, 1),
            },
            b'!' => match self.peek(1) {
                b'=' => (SyntaxKind::NotEqual, 2),
                b'~' => (SyntaxKind::NoMatch, 2),
                _ => (SyntaxKind::Not, 1),
            },
            b'~' => match self.peek(1) {
                b'>' => (SyntaxKind::InEdgeSub, 2),
                _ => (SyntaxKind::Tilde, 1),
            },
            b'/' => return self.slash(),
            b'<' => match (self.peek(1), self.peek(2)) {
                (b'<', b'|') => (SyntaxKind::ExportedStart, 3),
                (b'<', _) => (SyntaxKind::LeftShift, 2),
                (b'=', _) => (SyntaxKind::LessEqual, 2),
                (b'|', _) => (SyntaxKind::CollectStart, 2),
                (b'-', _) => (SyntaxKind::OutEdge, 2),
                (b'~', _) => (SyntaxKind::OutEdgeSub, 2),
                _ => (SyntaxKind::Less, 1),
            },
            b'>' => match self.peek(1) {
                b'>' => (SyntaxKind::RightShift, 2),
                b'=' => (SyntaxKind::GreaterEqual, 2),
                _ => (SyntaxKind::Greater, 1),
            },
            b':' if self.peek(1) == b':' => return self.qualified(),
            b':' => (SyntaxKind::Colon, 1),
            _ => {
                self.skip_blanks();
                if self.position > start {
                    return Ok(ReadResult::Nothing);
                }
                (SyntaxKind::Other, self.text[start..].chars().next().map_or(1, char::len_utf8))
            }
        };
        self.position = start + length;
        Ok(self.read_as(kind, start, self.position, Payload::None))
    }

    /// Returns the byte `ahead` bytes after the current one; 0 after the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Moves past a piece of text that a search found.
    fn advance_over(&mut self, found: Range<usize>) {
        self.position = found.end;
        self.matched = SearchMatch { start: found.start, end: found.end, closing: 0 };
    }

    /// Skips blanks, line ends and comments between tokens that are read one by one. (Those in strings are left to
    /// [`Lexer::read`], which remembers its match, because only there a message may show it.)
    fn skip_space(&mut self) {
        let bytes = self.bytes;
        let mut at = self.position;
        loop {
            at += scan::spaces(bytes.get(at..).unwrap_or_default());
            match bytes.get(at) {
                Some(b'\n') => {
                    at = self.resume_after_line.take().unwrap_or(at + 1);
                    self.line = at;
                }
                Some(b'#') => at = self.line_end(at),
                Some(b'\t' | b'\r') => at += 1,
                _ => break,
            }
        }
        self.position = at;
    }

    /// Returns the position of the newline that ends the line of a byte.
    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |length| at + length)
    }

    /// Skips blanks, but not newlines.
    fn skip_blanks(&mut self) {
        let start = self.position;
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                Some(b' ' | b'\t' | b'\r') => end += 1,
                Some(0x80..) => match self.text.get(end..).and_then(|rest| rest.chars().next()) {
                    Some(c) if is_wide_blank(c) => end += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.position = end;
        self.matched = SearchMatch { start, end, closing: 0 };
    }

    /// Returns whether a byte is at the start, or after a blank or a line end.
    fn after_blank(&self, at: usize) -> bool {
        match at.checked_sub(1).map(|before| self.bytes[before]) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => true,
            Some(0x80..) => self.text.get(..at).and_then(|text| text.chars().next_back()).is_some_and(is_wide_blank),
            Some(_) => false,
        }
    }

    /// Returns whether only blanks precede a byte on its line.
    fn first_on_line(&self, at: usize) -> bool {
        let before = self.text.get(self.line..at).unwrap_or("x");
        before.chars().all(|c| matches!(c, ' ' | '\t' | '\r') || is_wide_blank(c))
    }

    /// Returns the position in the source of a byte of this text.
    fn global(&self, at: usize) -> u32 {
        match self.map {
            None => at as u32,
            Some(map) => map.global(at),
        }
    }

    fn make(&self, kind: SyntaxKind, start: usize, end: usize, payload: Payload<'s>) -> Token<'s> {
        Token::new(kind, self.global(start), self.global(end), payload)
    }

    #[inline(always)]
    fn set(&mut self, kind: SyntaxKind, start: usize, end: usize, payload: Payload<'s>) {
        let (start, end) = (self.global(start), self.global(end));
        self.token.kind = kind;
        self.token.start = start;
        self.token.end = end;
        self.token.payload = payload;
    }

    /// Sets the current token.
    #[inline(always)]
    fn read_as(&mut self, kind: SyntaxKind, start: usize, end: usize, payload: Payload<'s>) -> ReadResult {
        self.set(kind, start, end, payload);
        ReadResult::Token
    }

    fn push(&mut self, kind: SyntaxKind, start: usize, end: usize, payload: Payload<'s>) {
        let token = self.make(kind, start, end, payload);
        self.queue.push_back(token);
    }

    /// Creates a problem at the current position.
    fn problem(&self, issue: Code, message: String) -> LexError {
        self.problem_at(issue, message, self.position)
    }

    /// Creates a problem at a byte.
    fn problem_at(&self, issue: Code, message: String, at: usize) -> LexError {
        let start = self.global(at.min(self.bytes.len()));
        let end = start.saturating_add(1).min(self.global(self.bytes.len()));
        Box::new(Problem::error(issue, message, Span { start, end }))
    }

    /// Returns the text at the current position as messages show it.
    fn followed_by(&self) -> String {
        let rest = self.text.get(self.position..).unwrap_or("");
        if rest.is_empty() {
            return "<eof>".into();
        }
        let shown: String = rest.chars().take(5).collect();
        format!("{shown}...").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
    }
}

/// Returns whether Ruby treats a character outside of ASCII as a blank.
fn is_wide_blank(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Returns whether a byte belongs to a word.
#[inline]
fn is_word(byte: u8) -> bool {
    WORD[byte as usize]
}

/// A table of the bytes that belong to words: one access replaces four comparisons.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    word
};
