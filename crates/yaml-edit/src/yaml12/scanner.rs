//! Splits the source into tokens.
//!
//! Only the colon after a scalar, on the same line and within 1,024 characters, shows that it is a key. Tokens
//! therefore wait in a queue while the first of them may still be a key. If it is, a key token is inserted before it.

use std::collections::VecDeque;

use super::cursor::{Cursor, Mark};
use super::error::{Yaml12Error, describe_char};
use super::token::{Style, Token, TokenKind};

/// The limit of the distance between a key and its colon, in characters.
const KEY_LENGTH: usize = 1024;

pub(super) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    tokens: VecDeque<Token<'t>>,
    /// The number of tokens taken out of the queue.
    taken_count: usize,
    /// The brackets that are open.
    pub(super) flow: Vec<u8>,
    /// The column of the block that is open, -1 outside of all.
    pub(super) indent: i64,
    indents: Vec<i64>,
    /// Whether a key may begin here.
    pub(super) may_be_key: bool,
    /// The possible keys at each level of brackets, those from `first_key` on. Inner ones are newer.
    keys: Vec<Option<PossibleKey>>,
    first_key: usize,
    /// Whether the last token was a colon and only its line followed so far.
    behind_colon: bool,
    colon_line: u32,
    is_done: bool,
    /// Whether the document has the directive `%YAML 1.1`.
    pub(super) is_yaml11: bool,
}

/// Something that is a key if a colon follows.
#[derive(Clone, Copy)]
struct PossibleKey {
    token: usize,
    /// Whether it has to be a key, because it is in the column of the keys of the surrounding block.
    required: bool,
    mark: Mark,
}

type ScanResult<T> = Result<T, Yaml12Error>;

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner {
            cursor: Cursor::new(text),
            tokens: VecDeque::new(),
            taken_count: 0,
            flow: Vec::new(),
            indent: -1,
            indents: Vec::new(),
            may_be_key: true,
            keys: vec![None],
            first_key: 0,
            behind_colon: false,
            colon_line: 0,
            is_done: false,
            is_yaml11: false,
        }
    }

    /// The next token, which stays.
    pub(super) fn peek(&mut self) -> ScanResult<&Token<'t>> {
        while self.needs_more()? {
            self.fetch()?;
        }
        // The reference scans one token further, so that errors there are reported first.
        if !self.is_done && self.tokens.len() < 2 {
            self.fetch()?;
        }
        match self.tokens.front() {
            Some(token) => Ok(token),
            // The parser never reads after the end.
            None => Err(Yaml12Error::new("found unexpected end of stream", self.cursor.mark())),
        }
    }

    /// The next token, taken out.
    pub(super) fn take(&mut self) -> ScanResult<Token<'t>> {
        self.peek()?;
        self.taken_count += 1;
        let end = || Yaml12Error::new("found unexpected end of stream", self.cursor.mark());
        self.tokens.pop_front().ok_or_else(end)
    }

    fn needs_more(&mut self) -> ScanResult<bool> {
        if self.is_done {
            return Ok(false);
        }
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        let first = self.keys[self.first_key.min(self.keys.len())..].iter().flatten().next();
        Ok(first.is_some_and(|key| key.token == self.taken_count))
    }

    pub(super) fn push(&mut self, kind: TokenKind<'t>, start: Mark) {
        let end = self.cursor.mark();
        self.behind_colon = matches!(kind, TokenKind::Value);
        self.colon_line = end.line;
        self.tokens.push_back(Token { kind, start, end });
    }

    fn fetch(&mut self) -> ScanResult<()> {
        self.skip_to_token()?;
        self.drop_stale_keys()?;
        if self.flow.is_empty() {
            self.close_blocks(self.cursor.column());
        }
        let is_alone = self.cursor.is_gap(1);
        let at_margin = self.cursor.column() == 0;
        match self.cursor.byte(0) {
            0 if self.cursor.is_at_end() => self.stream_end(),
            b'%' if at_margin => self.directive(),
            b'-' | b'.' if at_margin && self.cursor.is_document_mark() => self.document_mark(),
            b'[' => self.open(b'[', TokenKind::FlowSequenceStart),
            b'{' => self.open(b'{', TokenKind::FlowMappingStart),
            b']' => self.close(TokenKind::FlowSequenceEnd),
            b'}' => self.close(TokenKind::FlowMappingEnd),
            b',' => {
                self.may_be_key = true;
                self.drop_key()?;
                self.indicator(TokenKind::FlowEntry);
                Ok(())
            }
            b'-' if is_alone => self.block_entry(),
            b'?' if is_alone || !self.flow.is_empty() => self.explicit_key(),
            b':' if self.is_value(is_alone) => self.value(),
            b'*' | b'&' => self.name(),
            b'!' => {
                self.note_key()?;
                self.may_be_key = false;
                self.tag()
            }
            b'|' | b'>' if self.flow.is_empty() => {
                self.may_be_key = true;
                self.drop_key()?;
                self.block_scalar()
            }
            b'\'' | b'"' => {
                self.note_key()?;
                self.may_be_key = false;
                self.quoted()
            }
            _ if self.is_plain(is_alone) => {
                self.note_key()?;
                self.may_be_key = false;
                self.plain()
            }
            _ => {
                let character = self.cursor.character();
                let problem = format!("found character {} that cannot start any token", describe_char(character));
                let mark = self.cursor.mark();
                Err(Yaml12Error::new(problem, mark).during("while scanning for the next token", mark))
            }
        }
    }

    /// Steps over blanks, line breaks and comments.
    fn skip_to_token(&mut self) -> ScanResult<()> {
        if self.cursor.mark().at == 0 && self.cursor.character() == '\u{feff}' {
            self.cursor.forward('\u{feff}'.len_utf8());
        }
        loop {
            self.cursor.skip(|byte| byte == b' ');
            if self.cursor.byte(0) == b'#' {
                self.behind_colon &= self.cursor.mark().line == self.colon_line;
                self.cursor.forward_to_line_end();
                while self.cursor.line_break().is_some() {}
                self.may_be_key |= self.flow.is_empty();
                self.drop_stale_keys()?;
            } else if self.cursor.line_break().is_some() {
                self.may_be_key |= self.flow.is_empty();
                // Empty lines, and the beginning of the line after them.
                if self.cursor.byte(0) == b'\n' {
                    self.behind_colon = false;
                    loop {
                        self.cursor.skip(|byte| matches!(byte, b' ' | b'\t'));
                        if self.cursor.line_break().is_none() {
                            break;
                        }
                    }
                    self.drop_stale_keys()?;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Drops tokens that cannot be keys any more. Outer ones are older and are dropped first.
    fn drop_stale_keys(&mut self) -> ScanResult<()> {
        let here = self.cursor.mark();
        while let Some(slot) = self.keys.get_mut(self.first_key) {
            if let Some(key) = slot {
                if key.mark.line == here.line && here.index - key.mark.index <= KEY_LENGTH {
                    break;
                }
                if key.required {
                    let mark = key.mark;
                    return Err(no_colon(mark, here));
                }
                *slot = None;
            }
            self.first_key += 1;
        }
        Ok(())
    }

    /// Records that the next token may be a key.
    pub(super) fn note_key(&mut self) -> ScanResult<()> {
        let required = self.flow.is_empty() && self.indent == self.cursor.column();
        if self.may_be_key {
            self.drop_key()?;
            let key = PossibleKey { token: self.taken_count + self.tokens.len(), required, mark: self.cursor.mark() };
            let level = self.flow.len();
            if let Some(slot) = self.keys.get_mut(level) {
                *slot = Some(key);
                self.first_key = self.first_key.min(level);
            }
        }
        Ok(())
    }

    /// Drops the possible key of this level.
    pub(super) fn drop_key(&mut self) -> ScanResult<()> {
        let here = self.cursor.mark();
        match self.keys.get_mut(self.flow.len()).and_then(Option::take) {
            Some(key) if key.required => Err(no_colon(key.mark, here)),
            _ => Ok(()),
        }
    }

    /// Ends the blocks that stand further right than a column.
    fn close_blocks(&mut self, column: i64) {
        let mark = self.cursor.mark();
        while self.indent > column {
            self.indent = self.indents.pop().unwrap_or(-1);
            self.tokens.push_back(Token { kind: TokenKind::BlockEnd, start: mark, end: mark });
            self.behind_colon = false;
        }
    }

    /// Returns whether a block begins at a column, which is then the innermost.
    fn opens_block(&mut self, column: i64) -> bool {
        if self.indent >= column {
            return false;
        }
        self.indents.push(self.indent);
        self.indent = column;
        true
    }

    fn stream_end(&mut self) -> ScanResult<()> {
        self.end_of_document()?;
        self.keys.truncate(1);
        self.first_key = 0;
        self.push(TokenKind::StreamEnd, self.cursor.mark());
        self.is_done = true;
        Ok(())
    }

    /// Everything that is in blocks ends.
    fn end_of_document(&mut self) -> ScanResult<()> {
        if self.flow.is_empty() {
            self.close_blocks(-1);
        }
        self.drop_key()?;
        self.may_be_key = false;
        Ok(())
    }

    fn directive(&mut self) -> ScanResult<()> {
        self.end_of_document()?;
        self.scan_directive()
    }

    fn document_mark(&mut self) -> ScanResult<()> {
        self.end_of_document()?;
        let start = self.cursor.mark();
        let kind = if self.cursor.byte(0) == b'-' { TokenKind::DocumentStart } else { TokenKind::DocumentEnd };
        self.cursor.forward(3);
        self.push(kind, start);
        Ok(())
    }

    fn indicator(&mut self, kind: TokenKind<'t>) {
        let start = self.cursor.mark();
        self.cursor.forward(1);
        self.push(kind, start);
    }

    fn open(&mut self, bracket: u8, kind: TokenKind<'t>) -> ScanResult<()> {
        self.note_key()?;
        self.flow.push(bracket);
        self.keys.push(None);
        self.may_be_key = true;
        self.indicator(kind);
        Ok(())
    }

    fn close(&mut self, kind: TokenKind<'t>) -> ScanResult<()> {
        self.drop_key()?;
        if self.flow.pop().is_some() {
            self.keys.pop();
            self.first_key = self.first_key.min(self.keys.len());
        }
        self.may_be_key = false;
        self.indicator(kind);
        Ok(())
    }

    fn block_entry(&mut self) -> ScanResult<()> {
        if self.flow.is_empty() {
            self.allowed("sequence entries are not allowed here")?;
            if self.opens_block(self.cursor.column()) {
                self.push(TokenKind::BlockSequenceStart, self.cursor.mark());
            }
        }
        self.may_be_key = true;
        self.drop_key()?;
        self.indicator(TokenKind::BlockEntry);
        Ok(())
    }

    fn allowed(&self, problem: &str) -> ScanResult<()> {
        if self.may_be_key { Ok(()) } else { Err(Yaml12Error::new(problem, self.cursor.mark())) }
    }

    fn explicit_key(&mut self) -> ScanResult<()> {
        if self.flow.is_empty() {
            self.allowed("mapping keys are not allowed here")?;
            if self.opens_block(self.cursor.column()) {
                self.push(TokenKind::BlockMappingStart, self.cursor.mark());
            }
        }
        self.may_be_key = self.flow.is_empty();
        self.drop_key()?;
        self.indicator(TokenKind::Key);
        Ok(())
    }

    /// Returns whether a colon separates a key and its value, and does not begin a scalar.
    fn is_value(&self, is_alone: bool) -> bool {
        match self.flow.last() {
            _ if is_alone => true,
            None => false,
            Some(_) if self.is_yaml11 => true,
            Some(b'[') => false,
            Some(_) => !self.behind_colon,
        }
    }

    fn value(&mut self) -> ScanResult<()> {
        let level = self.flow.len();
        if let Some(key) = self.keys.get_mut(level).and_then(Option::take) {
            let at = key.token - self.taken_count;
            let token = |kind| Token { kind, start: key.mark, end: key.mark };
            self.tokens.insert(at, token(TokenKind::Key));
            if self.flow.is_empty() && self.opens_block(i64::from(key.mark.column)) {
                self.tokens.insert(at, token(TokenKind::BlockMappingStart));
            }
            // No key directly after another.
            self.may_be_key = false;
        } else {
            if self.flow.is_empty() {
                self.allowed("mapping values are not allowed here")?;
                if self.opens_block(self.cursor.column()) {
                    self.push(TokenKind::BlockMappingStart, self.cursor.mark());
                }
            }
            self.may_be_key = self.flow.is_empty();
            self.drop_key()?;
        }
        self.indicator(TokenKind::Value);
        Ok(())
    }

    fn name(&mut self) -> ScanResult<()> {
        self.note_key()?;
        self.may_be_key = false;
        let start = self.cursor.mark();
        let is_alias = self.cursor.byte(0) == b'*';
        let subject = if is_alias { "while scanning an alias" } else { "while scanning an anchor" };
        self.cursor.forward(1);
        let from = self.cursor.mark();
        let rest = self.cursor.rest();
        let length = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
        self.cursor.forward(length);
        let name = self.cursor.since(from);
        let is_ended = matches!(self.cursor.byte(0), b',' | b'[' | b']' | b'{' | b'}') || self.cursor.is_gap(0);
        if name.is_empty() || !is_ended {
            let found = describe_char(self.cursor.character());
            let problem = format!("expected alphabetic or numeric character, but found {found}");
            return Err(Yaml12Error::new(problem, self.cursor.mark()).during(subject, start));
        }
        self.push(if is_alias { TokenKind::Alias(name) } else { TokenKind::Anchor(name) }, start);
        Ok(())
    }

    /// Returns whether a plain scalar may begin here.
    fn is_plain(&self, is_alone: bool) -> bool {
        match self.cursor.byte(0) {
            b'-' => !is_alone,
            b':' if !self.flow.is_empty() => !self.is_yaml11 && !matches!(self.cursor.byte(1), b' ' | b'\t'),
            b'?' | b':' => !is_alone && self.flow.is_empty(),
            b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`' => false,
            _ => !self.cursor.is_line_end(0),
        }
    }

    pub(super) fn scalar(&mut self, text: std::borrow::Cow<'t, str>, style: Style, start: Mark, end: Mark) {
        self.push(TokenKind::Scalar { text, style }, start);
        self.ends_at(end);
    }

    /// The last token ends before the text that has been read after it.
    pub(super) fn ends_at(&mut self, end: Mark) {
        if let Some(token) = self.tokens.back_mut() {
            token.end = end;
        }
    }
}

fn no_colon(from: Mark, here: Mark) -> Yaml12Error {
    Yaml12Error::new("could not find expected ':'", here).during("while scanning a simple key", from)
}

/// Returns whether a character may be in the name of an anchor.
fn is_in_name(c: char) -> bool {
    let is_visible =
        matches!(c, '!'..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..) && c != '\u{feff}';
    is_visible && !matches!(c, ',' | '[' | ']' | '{' | '}')
}
