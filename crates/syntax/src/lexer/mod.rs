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
use crate::token::{Kind, Payload, Token};
use epp::Mode;
use heredoc::Map;
use strings::Escapes;

/// Why the text cannot be read on.
type Fault = Box<Problem>;

/// The result of reading one token.
enum Read {
    /// A token: [`Lexer::token`].
    Token,
    /// Whitespace, a comment, or queued tokens instead of a single one.
    Nothing,
    /// The tokens of a string, which are in the queue.
    Queued,
}

/// The range that a search matched; empty if it did not match.
#[derive(Clone, Copy, Default)]
struct Matched {
    start: usize,
    end: usize,
    /// The number of bytes at the end that closed a string; 0 for other searches. Of these the reference only remembers
    /// the last character and the backslashes after it.
    closing: usize,
}

/// The maximum nesting depth of strings in interpolations.
const DEEPEST: u32 = 100;

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
    fault: Option<Fault>,
    /// The number of open braces.
    braces: i64,
    /// The token before.
    after: Kind,
    /// The start of the current line. Like in the reference, newlines in strings, comments and templates do not count.
    line: usize,
    /// The position after the next newline if the text of a heredoc has to be skipped.
    jump: Option<usize>,
    /// The last match. The reference shows it in the message about an unclosed string.
    matched: Matched,
    tasks: bool,
    /// The kind of content at the current position in a template; `None` in a manifest.
    mode: Option<Mode>,
    /// Whether a template tag is open.
    tag_open: bool,
    /// The positions of the text of a heredoc in the source.
    map: Option<&'s Map<'s>>,
    /// The number of strings around this text.
    depth: u32,
    /// The escape sequences of the text of a heredoc.
    escapes: Escapes,
    /// Whether a backslash prevents interpolation of a dollar in the text of a heredoc.
    escaped_dollar: bool,
}

impl<'s> Lexer<'s> {
    /// A lexer of a manifest.
    pub fn new(text: &'s str, tasks: bool) -> Lexer<'s> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            position: 0,
            token: Token::new(Kind::End, 0, 0, Payload::None),
            queue: VecDeque::new(),
            warnings: Vec::new(),
            fault: None,
            braces: 0,
            after: Kind::End,
            line: 0,
            jump: None,
            matched: Matched::default(),
            tasks,
            mode: None,
            tag_open: false,
            map: None,
            depth: 0,
            escapes: Escapes::NONE,
            escaped_dollar: false,
        }
    }

    /// A lexer of a template.
    pub fn template(text: &'s str, tasks: bool) -> Lexer<'s> {
        let mut lexer = Lexer::new(text, tasks);
        lexer.mode = Some(Mode::Text);
        lexer.push(Kind::EppStart, 0, 0, Payload::None);
        if let Err(fault) = lexer.template_text(false) {
            lexer.fail(fault);
        }
        lexer
    }

    /// Reads the next token; at the end, and behind what cannot be read, the same one again and again.
    pub fn next(&mut self) {
        loop {
            if let Some(token) = self.queue.pop_front() {
                self.after = token.kind;
                self.token = token;
                return;
            }
            if self.fault.is_some() {
                return self.set(Kind::Fault, self.position, self.position, Payload::None);
            }
            self.skip_space();
            if self.position >= self.bytes.len() {
                if self.tag_open {
                    let fault = self.problem(
                        codes::EPP_UNBALANCED_TAG,
                        "Unbalanced epp tag, reached <eof> without closing tag.".into(),
                    );
                    self.fail(fault);
                    continue;
                }
                return self.set(Kind::End, self.position, self.position, Payload::None);
            }
            match self.read() {
                Ok(Read::Token) => {
                    self.after = self.token.kind;
                    return;
                }
                Ok(_) => {}
                Err(fault) => self.fail(fault),
            }
        }
    }

    /// Why the text cannot be read on.
    pub fn fault(&self) -> Option<&Problem> {
        self.fault.as_deref()
    }

    /// The warnings so far, which are given away.
    pub fn take_warnings(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.warnings)
    }

    fn fail(&mut self, fault: Fault) {
        self.queue.clear();
        self.fault = Some(fault);
    }

    /// Reads the token at the current position, which is before the end.
    fn read(&mut self) -> Result<Read, Fault> {
        let start = self.position;
        let (kind, length) = match self.bytes[start] {
            b' ' | b'\t' | b'\r' => {
                self.skip_blanks();
                return Ok(Read::Nothing);
            }
            b'\n' => {
                self.position = self.jump.take().unwrap_or(start + 1);
                self.line = self.position;
                return Ok(Read::Nothing);
            }
            b'a'..=b'z' | b'_' => return Ok(self.word()),
            b'A'..=b'Z' => return self.class_reference(1, codes::ILLEGAL_CLASS_REFERENCE, "Illegal class reference"),
            b'$' => return Ok(self.variable()),
            b'\'' => return self.single_quoted(),
            b'"' => return self.interpolated(true),
            b'0'..=b'9' => return self.number(),
            b'#' => {
                self.advance_over(start..self.line_end(start));
                return Ok(Read::Nothing);
            }
            b',' => (Kind::Comma, 1),
            b'.' => (Kind::Dot, 1),
            b'[' if self.after_blank(start) => (Kind::ListStart, 1),
            b'[' => (Kind::LeftBracket, 1),
            b']' => (Kind::RightBracket, 1),
            b'(' if self.first_on_line(start) => (Kind::LineParen, 1),
            b'(' => (Kind::LeftParen, 1),
            b')' => (Kind::RightParen, 1),
            b'{' => {
                self.braces += 1;
                (if self.after == Kind::Question { Kind::SelectorBrace } else { Kind::LeftBrace }, 1)
            }
            b'}' => {
                self.braces -= 1;
                (Kind::RightBrace, 1)
            }
            b';' => (Kind::Semicolon, 1),
            b'?' => (Kind::Question, 1),
            b'*' => (Kind::Times, 1),
            b'%' => {
                if self.mode.is_some() && self.peek(1) == b'>' {
                    return self.tag_end(2, false);
                }
                (Kind::Modulo, 1)
            }
            b'@' => match self.peek(1) {
                b'@' => (Kind::AtAt, 2),
                b'(' => return self.heredoc(),
                _ => (Kind::At, 1),
            },
            b'|' => match (self.peek(1), self.peek(2)) {
                (b'>', b'>') => (Kind::ExportedEnd, 3),
                (b'>', _) => (Kind::CollectEnd, 2),
                _ => (Kind::Pipe, 1),
            },
            b'=' => match self.peek(1) {
                b'=' => (Kind::IsEqual, 2),
                b'>' => (Kind::FatArrow, 2),
                b'~' => (Kind::Match, 2),
                _ => (Kind::Equals, 1),
            },
            b'+' => match self.peek(1) {
                b'=' => (Kind::Appends, 2),
                b'>' => (Kind::PlusArrow, 2),
                _ => (Kind::Plus, 1),
            },
            b'-' => match (self.peek(1), self.peek(2)) {
                (b'%', b'>') if self.mode.is_some() => return self.tag_end(3, true),
                (b'>', _) => (Kind::InEdge, 2),
                (b'=', _) => (Kind::Deletes, 2),
                _ => (Kind::Minus, 1),
            },
            b'!' => match self.peek(1) {
                b'=' => (Kind::NotEqual, 2),
                b'~' => (Kind::NoMatch, 2),
                _ => (Kind::Not, 1),
            },
            b'~' => match self.peek(1) {
                b'>' => (Kind::InEdgeSub, 2),
                _ => (Kind::Tilde, 1),
            },
            b'/' => return self.slash(),
            b'<' => match (self.peek(1), self.peek(2)) {
                (b'<', b'|') => (Kind::ExportedStart, 3),
                (b'<', _) => (Kind::LeftShift, 2),
                (b'=', _) => (Kind::LessEqual, 2),
                (b'|', _) => (Kind::CollectStart, 2),
                (b'-', _) => (Kind::OutEdge, 2),
                (b'~', _) => (Kind::OutEdgeSub, 2),
                _ => (Kind::Less, 1),
            },
            b'>' => match self.peek(1) {
                b'>' => (Kind::RightShift, 2),
                b'=' => (Kind::GreaterEqual, 2),
                _ => (Kind::Greater, 1),
            },
            b':' if self.peek(1) == b':' => return self.qualified(),
            b':' => (Kind::Colon, 1),
            _ => {
                self.skip_blanks();
                if self.position > start {
                    return Ok(Read::Nothing);
                }
                (Kind::Other, self.text[start..].chars().next().map_or(1, char::len_utf8))
            }
        };
        self.position = start + length;
        Ok(self.read_as(kind, start, self.position, Payload::None))
    }

    /// The byte some bytes ahead; 0 behind the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Moves behind a piece of text that a search found.
    fn advance_over(&mut self, found: Range<usize>) {
        self.position = found.end;
        self.matched = Matched { start: found.start, end: found.end, closing: 0 };
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
                    at = self.jump.take().unwrap_or(at + 1);
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
        self.matched = Matched { start, end, closing: 0 };
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

    /// The place in the source of a byte of this text.
    fn global(&self, at: usize) -> u32 {
        match self.map {
            None => at as u32,
            Some(map) => map.global(at),
        }
    }

    fn make(&self, kind: Kind, start: usize, end: usize, payload: Payload<'s>) -> Token<'s> {
        Token::new(kind, self.global(start), self.global(end), payload)
    }

    #[inline(always)]
    fn set(&mut self, kind: Kind, start: usize, end: usize, payload: Payload<'s>) {
        let (start, end) = (self.global(start), self.global(end));
        self.token.kind = kind;
        self.token.start = start;
        self.token.end = end;
        self.token.payload = payload;
    }

    /// A token was read.
    #[inline(always)]
    fn read_as(&mut self, kind: Kind, start: usize, end: usize, payload: Payload<'s>) -> Read {
        self.set(kind, start, end, payload);
        Read::Token
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, payload: Payload<'s>) {
        let token = self.make(kind, start, end, payload);
        self.queue.push_back(token);
    }

    /// A problem at the position.
    fn problem(&self, issue: Code, message: String) -> Fault {
        self.problem_at(issue, message, self.position)
    }

    /// A problem at a byte.
    fn problem_at(&self, issue: Code, message: String, at: usize) -> Fault {
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

/// For each byte whether it belongs to a word: one look instead of four comparisons.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    word
};
