//! Strings: quotes, escapes, and interpolation.

use std::borrow::Cow;

use hieratic_diagnostics::Severity;
use hieratic_diagnostics::{Code, Span};
use hieratic_value::Str;

use super::heredoc::HeredocMap;
use super::{LexError, Lexer, MAX_STRING_DEPTH, ReadResult, SearchMatch};
use crate::codes;
use crate::token::{Payload, SyntaxKind};

/// The characters that may follow a backslash, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escapes(u16);

impl Escapes {
    pub const NONE: Escapes = Escapes(0);
    pub const BACKSLASH: Escapes = Escapes(1);
    const DOLLAR: Escapes = Escapes(1 << 1);
    const SINGLE: Escapes = Escapes(1 << 2);
    const DOUBLE: Escapes = Escapes(1 << 3);
    const RETURN: Escapes = Escapes(1 << 4);
    const NEWLINE: Escapes = Escapes(1 << 5);
    const TAB: Escapes = Escapes(1 << 6);
    const SPACE: Escapes = Escapes(1 << 7);
    const UNICODE: Escapes = Escapes(1 << 8);
    const LINE: Escapes = Escapes(1 << 9);
    /// The escapes of a string in double quotes.
    const QUOTED: Escapes = Escapes((1 << 10) - 1);

    /// Returns the escape that a letter in `@(END/letters)` enables.
    pub fn of_letter(letter: char) -> Option<Escapes> {
        Some(match letter {
            't' => Escapes::TAB,
            'r' => Escapes::RETURN,
            'n' => Escapes::NEWLINE,
            's' => Escapes::SPACE,
            'u' => Escapes::UNICODE,
            '$' => Escapes::DOLLAR,
            'L' => Escapes::LINE,
            _ => return None,
        })
    }

    pub fn with(self, other: Escapes) -> Escapes {
        Escapes(self.0 | other.0)
    }

    fn has(self, other: Escapes) -> bool {
        self.0 & other.0 != 0
    }

    pub fn has_dollar(self) -> bool {
        self.has(Escapes::DOLLAR)
    }
}

/// The end of a piece of a string.
enum PieceEnd {
    /// The quote, or the end of a heredoc's text.
    End,
    /// `${`.
    Brace,
    /// `$` before anything else.
    Dollar,
}

impl<'s> Lexer<'s> {
    /// Reads a string in single quotes, in which only `\\` and `\'` are escapes.
    pub(super) fn single_quoted(&mut self) -> Result<ReadResult, LexError> {
        let start = self.position;
        self.position = start + 1;
        let Some((end, escapes)) = self.unescaped(start + 1, [b'\'', b'\'']) else {
            let message = format!("Unclosed quote after \"'\" followed by '{}'", self.followed_by());
            return Err(self.unclosed(start, message));
        };
        self.record_match(start + 1, end, 1);
        self.position = end + 1;
        let raw = &self.text[start + 1..end];
        let payload = if escapes { Payload::Text(unescape_single(raw).into()) } else { Payload::Piece(raw) };
        Ok(self.read_as(SyntaxKind::String, start, end + 1, payload))
    }

    /// Reads a string in double quotes, or the text of a heredoc to its end. A string without interpolations is one
    /// token; the tokens of others are queued.
    pub(super) fn interpolated(&mut self, quoted: bool) -> Result<ReadResult, LexError> {
        if self.depth >= MAX_STRING_DEPTH {
            let message = format!("Strings are nested more than {MAX_STRING_DEPTH} levels deep");
            return Err(self.problem(codes::NESTING_TOO_DEEP, message));
        }
        self.depth += 1;
        let read = self.segments(quoted);
        self.depth -= 1;
        read
    }

    fn segments(&mut self, quoted: bool) -> Result<ReadResult, LexError> {
        let opening = self.position;
        if quoted {
            self.advance_over(opening..opening + 1);
        }
        let mut start = opening;
        let mut kind = SyntaxKind::TextStart;
        loop {
            let (mut text, mut stop) = self.slurp(quoted, opening)?;
            let mut after = self.position;
            loop {
                match stop {
                    PieceEnd::End => {
                        let kind = if kind == SyntaxKind::TextStart { SyntaxKind::String } else { SyntaxKind::TextEnd };
                        let payload = piece(text);
                        if quoted && kind == SyntaxKind::String {
                            return Ok(self.read_as(kind, start, self.position, payload));
                        }
                        self.push(kind, start, self.position, payload);
                        return Ok(ReadResult::Queued);
                    }
                    PieceEnd::Brace => {
                        self.push(kind, start, self.position, piece(text));
                        let braces = self.braces;
                        self.braces += 1;
                        self.queue_until(braces)?;
                        break;
                    }
                    PieceEnd::Dollar => {
                        if let Some(end) = self.variable_end(self.position) {
                            let name = self.position..end;
                            self.push(kind, start, after - 1, piece(text));
                            self.push(SyntaxKind::Variable, after - 1, end, Payload::Piece(&self.text[name.clone()]));
                            self.advance_over(name);
                            break;
                        }
                        // A dollar without an interpolation is literal.
                        self.matched = SearchMatch::default();
                        let (more, next) = self.slurp(quoted, opening)?;
                        let joined = text.to_mut();
                        joined.push('$');
                        joined.push_str(&more);
                        stop = next;
                        after = self.position;
                    }
                }
            }
            kind = SyntaxKind::TextMiddle;
            start = self.position;
        }
    }

    /// Queues the tokens of an expression in a string, up to its closing brace or the end of the text. A single word,
    /// or one before `.` or `[`, is a variable.
    fn queue_until(&mut self, braces: i64) -> Result<(), LexError> {
        self.skip_blanks();
        let first = self.queue.len();
        while self.position < self.bytes.len() {
            match self.read()? {
                ReadResult::Token => {
                    let kind = self.token.kind;
                    self.after = kind;
                    if kind == SyntaxKind::RightBrace && self.braces == braces {
                        let count = self.queue.len() - first;
                        let followed = self.queue.get(first + 1).map(|token| token.kind);
                        if count == 1 || matches!(followed, Some(SyntaxKind::Dot | SyntaxKind::LeftBracket)) {
                            self.make_variable(first);
                        }
                        return Ok(());
                    }
                    let token = self.token.take();
                    self.queue.push_back(token);
                }
                ReadResult::Nothing => self.skip_blanks(),
                ReadResult::Queued => {}
            }
        }
        Ok(())
    }

    fn make_variable(&mut self, index: usize) {
        if let Some(token) = self.queue.get_mut(index)
            && (matches!(token.kind, SyntaxKind::Number | SyntaxKind::Name | SyntaxKind::Word)
                || token.kind.is_keyword())
            && !matches!(token.kind, SyntaxKind::Plan | SyntaxKind::Apply)
        {
            if let Payload::None = token.payload {
                token.payload = Payload::Piece(token.kind.text());
            }
            token.kind = SyntaxKind::Variable;
        }
    }

    /// Reads up to the next interpolation or the end, and resolves escapes. The position is then after the delimiter.
    fn slurp(&mut self, quoted: bool, opening: usize) -> Result<(Cow<'s, str>, PieceEnd), LexError> {
        let text: &'s str = self.text;
        let start = self.position;
        if !quoted {
            return self.slurp_heredoc(text, start);
        }
        let Some((end, escapes)) = self.unescaped(start, [b'"', b'$']) else {
            let last = self.matched_text();
            let last = if last == "'" { "\"'\"".to_string() } else { format!("'{last}'") };
            let message = format!("Unclosed quote after {last} followed by '{}'", self.followed_by());
            return Err(self.unclosed(opening, message));
        };
        let stop = match (self.bytes[end], self.bytes.get(end + 1)) {
            (b'"', _) => PieceEnd::End,
            (_, Some(b'{')) => PieceEnd::Brace,
            _ => PieceEnd::Dollar,
        };
        let length = if let PieceEnd::Brace = stop { 2 } else { 1 };
        self.record_match(start, end, length);
        self.position = end + length;
        let raw = &text[start..end];
        Ok((if escapes { self.resolve(raw, Escapes::QUOTED, Some(start))? } else { Cow::Borrowed(raw) }, stop))
    }

    fn slurp_heredoc(&mut self, text: &'s str, start: usize) -> Result<(Cow<'s, str>, PieceEnd), LexError> {
        let found = match self.map.is_some_and(HeredocMap::interpolates) {
            false => None,
            true if self.escaped_dollar => self.unescaped(start, [b'$', b'$']).map(|(end, _)| end),
            true => text[start..].find('$').map(|length| start + length),
        };
        let (end, length, stop) = match found {
            None => (text.len(), 0, PieceEnd::End),
            Some(at) if self.bytes.get(at + 1) == Some(&b'{') => (at, 2, PieceEnd::Brace),
            Some(at) => (at, 1, PieceEnd::Dollar),
        };
        self.record_match(start, end, length);
        self.position = end + length;
        Ok((self.resolve(&text[start..end], self.escapes, None)?, stop))
    }

    /// Returns the first unescaped occurrence of one of two bytes, and whether backslashes precede it. As in the
    /// reference, one at the very start is skipped if another follows directly (`''''` is a string with a quote).
    fn unescaped(&self, start: usize, [one, other]: [u8; 2]) -> Option<(usize, bool)> {
        let is_selected = |byte: u8| byte == one || byte == other;
        if self.bytes.get(start).is_some_and(|byte| is_selected(*byte)) {
            let rest = &self.bytes[start + 1..];
            let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
            if backslashes % 2 == 0 && rest.get(backslashes).is_some_and(|byte| is_selected(*byte)) {
                return Some((start + 1 + backslashes, backslashes > 0));
            }
        }
        let mut at = start;
        let mut escapes = false;
        loop {
            at += memchr::memchr3(one, other, b'\\', self.bytes.get(at..)?)?;
            if is_selected(self.bytes[at]) {
                return Some((at, escapes));
            }
            escapes = true;
            at += 2;
        }
    }

    /// Records the match of the reference's search: the character before, backslashes, and the end of the string.
    fn record_match(&mut self, start: usize, end: usize, length: usize) {
        self.matched = SearchMatch { start, end: end + length, closing: length };
    }

    /// Returns the last match, as the reference's search would have found it.
    #[cold]
    fn matched_text(&self) -> &'s str {
        let SearchMatch { start, end, closing } = self.matched;
        let first = if closing > 0 {
            let before = &self.bytes[start..end - closing];
            let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
            let first = end - closing - backslashes;
            self.text[start..first].chars().next_back().map_or(first, |c| first - c.len_utf8())
        } else {
            start
        };
        self.text.get(first..end).unwrap_or("")
    }

    fn unclosed(&self, opening: usize, message: String) -> LexError {
        let mut problem = self.problem(codes::UNCLOSED_QUOTE, message);
        problem.span.start = self.global(opening);
        problem.span.end = problem.span.start.saturating_add(1);
        problem
    }

    /// Resolves the escape sequences of a piece of a string. If `start`, the position of the piece, is given, an
    /// unknown sequence causes a warning. The warning underlines the sequence, but is reported at the current position,
    /// as in the reference.
    fn resolve(&mut self, raw: &'s str, escapes: Escapes, start: Option<usize>) -> Result<Cow<'s, str>, LexError> {
        if escapes == Escapes::NONE || !raw.contains('\\') {
            return Ok(Cow::Borrowed(raw));
        }
        let unicode = escapes.has(Escapes::UNICODE) && raw.contains("\\u");
        let raw = if unicode { Cow::Owned(self.resolve_unicode(raw)?) } else { Cow::Borrowed(raw) };
        let mut out = String::with_capacity(raw.len());
        let mut rest = &*raw;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            // The position of the backslash, unless an earlier replacement has shifted it.
            let place = start.map(|start| if unicode { None } else { Some(start + raw.len() - rest.len() - 1) });
            if let Some(after) = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) {
                if escapes.has(Escapes::LINE) {
                    rest = after;
                } else {
                    // The backslash and the line end are kept.
                    out.push('\\');
                    out.push_str(&rest[..rest.len() - after.len()]);
                    rest = after;
                    if let Some(place) = place {
                        self.warn_escape('\n', place);
                    }
                }
                continue;
            }
            let Some(c) = rest.chars().next().filter(|c| *c != '\r') else {
                out.push('\\');
                continue;
            };
            rest = &rest[c.len_utf8()..];
            let (escape, unescaped) = match c {
                '\\' => (Escapes::BACKSLASH, '\\'),
                '$' => (Escapes::DOLLAR, '$'),
                '\'' => (Escapes::SINGLE, '\''),
                '"' => (Escapes::DOUBLE, '"'),
                'r' => (Escapes::RETURN, '\r'),
                'n' => (Escapes::NEWLINE, '\n'),
                't' => (Escapes::TAB, '\t'),
                's' => (Escapes::SPACE, ' '),
                'u' => (Escapes::UNICODE, 'u'),
                _ => (Escapes::NONE, c),
            };
            if escapes.has(escape) && c != 'u' {
                out.push(unescaped);
                continue;
            }
            out.push('\\');
            out.push(c);
            if escapes.has(escape) {
                self.warn(codes::ILLEGAL_UNICODE_ESCAPE, NO_UNICODE.into());
            } else if let Some(place) = place {
                self.warn_escape(c, place);
            }
        }
        out.push_str(rest);
        Ok(Cow::Owned(out))
    }

    /// Replaces each `\uXXXX` and `\u{X}`. A backslash that results from it may start another escape sequence, as in
    /// the reference, which repeats the replacement until nothing changes.
    fn resolve_unicode(&self, raw: &str) -> Result<String, LexError> {
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        // Whether an odd number of backslashes precedes, and whether one more is pending.
        let (mut odd, mut pending) = (false, false);
        loop {
            let (c, tail) = match (pending, rest.chars().next()) {
                (true, _) => ('\\', rest),
                (false, Some(c)) => (c, &rest[c.len_utf8()..]),
                (false, None) => return Ok(out),
            };
            pending = false;
            if c == '\\'
                && !odd
                && let Some((digits, after)) = unicode_escape(tail)
            {
                let number = u32::from_str_radix(digits, 16).unwrap_or(u32::MAX);
                let Some(replaced) = char::from_u32(number) else {
                    let mut problem = self.problem(codes::INVALID_UNICODE, "invalid byte sequence in UTF-8".into());
                    problem.at = None;
                    return Err(problem);
                };
                rest = after;
                if replaced == '\\' {
                    pending = true;
                } else {
                    out.push(replaced);
                    odd = false;
                }
                continue;
            }
            out.push(c);
            odd = c == '\\' && !odd;
            rest = tail;
        }
    }

    fn warn_escape(&mut self, c: char, place: Option<usize>) {
        self.warn(codes::UNRECOGNIZED_ESCAPE, format!("Unrecognized escape sequence '\\{c}'"));
        let (Some(place), Some(warning)) = (place.map(|place| self.global(place)), self.warnings.last_mut()) else {
            return;
        };
        warning.span = Span { start: place, end: place.saturating_add(1 + c.len_utf8() as u32) };
    }

    fn warn(&mut self, issue: Code, message: String) {
        let mut problem = self.problem(issue, message);
        problem.severity = Severity::Warning;
        self.warnings.push(*problem);
    }
}

/// Returns the payload of a token with resolved escape sequences.
fn piece(text: Cow<'_, str>) -> Payload<'_> {
    match text {
        Cow::Borrowed(text) => Payload::Piece(text),
        Cow::Owned(text) => Payload::Text(Str::from(text)),
    }
}

/// The reference's message about a `\u` without digits.
const NO_UNICODE: &str =
    "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff";

/// Splits a string after `uXXXX` or `u{X}` at its start; returns the digits and the rest.
fn unicode_escape(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('u')?;
    if let Some(braced) = text.strip_prefix('{') {
        let length = braced.bytes().take(7).take_while(u8::is_ascii_hexdigit).count();
        let after = braced[length..].strip_prefix('}')?;
        return (1..=6).contains(&length).then(|| (&braced[..length], after));
    }
    let digits = text.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| (digits, &text[4..]))
}

/// Resolves the escapes of a string in single quotes.
fn unescape_single(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.chars().next() {
            Some(c @ ('\\' | '\'')) => {
                out.push(c);
                rest = &rest[1..];
            }
            _ => out.push('\\'),
        }
    }
    out.push_str(rest);
    out
}
