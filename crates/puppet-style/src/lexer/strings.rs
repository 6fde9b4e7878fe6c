//! Strings in double quotes and heredocs, as parts: text, interpolations, variables without braces.

use std::ops::Range;

use super::words::{is_word, variable_name};

/// The kind of a part of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Text,
    /// The code between `${` and `}`.
    Interpolation,
    /// A variable without braces.
    Variable,
    /// The line that ends a heredoc.
    EndTag,
}

/// A part of a string.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) range: Range<usize>,
}

/// The last thing that was added to the current part: some decisions depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Backslash,
    Other,
}

/// The state of reading a string.
struct Reader<'s> {
    source: &'s str,
    end: usize,
    at: usize,
    /// The beginning of the current part.
    start: usize,
    last: Last,
    /// The number of open braces of interpolations.
    open: usize,
    parts: Vec<Part>,
    /// The end of the backslashes that were seen last.
    backslashes_end: usize,
}

/// Reads a string in double quotes, from after the first quote. Returns its parts and the offset after it; `None` if
/// it does not end.
pub(super) fn string(source: &str, range: Range<usize>) -> Option<(Vec<Part>, usize)> {
    let mut reader = Reader::new(source, range);
    let is_empty = reader.at == reader.end;
    while reader.at < reader.end {
        if reader.starts_with("${") {
            reader.start_interpolation();
        } else if reader.open > 0 && reader.starts_with("{") {
            reader.read_char();
        } else if reader.starts_with("}") {
            reader.end_interpolation();
        } else if reader.is_at_variable() {
            reader.variable();
        } else if let Some(end) = reader.end_of_string() {
            reader.at = end;
            reader.last = Last::Other;
            if reader.open == 0 {
                reader.finish(PartKind::Text, end - 1);
                break;
            }
        } else if let Some(end) = reader.escaped_quote() {
            reader.at = end;
            reader.last = Last::Other;
        } else {
            reader.read_char();
        }
    }
    if reader.parts.is_empty() && !is_empty {
        return None;
    }
    Some((reader.parts, reader.at))
}

/// Reads the text of a heredoc. Returns its parts, the last of which is the line that ends it, and the offset after
/// it.
pub(super) fn heredoc(source: &str, range: Range<usize>, tag: &str) -> (Vec<Part>, usize) {
    let mut reader = Reader::new(source, range);
    let name = tag_name(tag);
    let has_interpolations = tag.starts_with('"');
    // Whitespace in front of this offset does not begin the line that ends the text.
    let mut no_end_before = 0;
    while reader.at < reader.end {
        if reader.at >= no_end_before
            && let Some(end) = reader.end_of_heredoc(name, &mut no_end_before)
        {
            reader.parts.push(Part { kind: PartKind::Text, range: reader.start..reader.at });
            reader.parts.push(Part { kind: PartKind::EndTag, range: reader.at..end });
            reader.at = end;
            if reader.open == 0 {
                break;
            }
        } else if has_interpolations && reader.starts_with("${") {
            reader.start_interpolation();
        } else if has_interpolations && reader.open > 0 && reader.starts_with("{") {
            reader.read_char();
        } else if has_interpolations && reader.is_at_variable() {
            reader.variable();
        } else if has_interpolations && reader.starts_with("}") {
            reader.end_interpolation();
        } else {
            reader.read_char();
        }
    }
    (reader.parts, reader.at)
}

/// The name in a tag such as `"END":json/$n`.
fn tag_name(tag: &str) -> &str {
    let name = tag.strip_prefix('"').filter(|rest| !rest.is_empty()).unwrap_or(tag);
    // The name has at least one character; a quote, a syntax or escapes end it.
    let first = name.chars().next().map_or(0, char::len_utf8);
    let rest = &name[first..];
    let ends = |(at, c): &(usize, char)| match c {
        '"' => matches!(rest[at + 1..].trim_start().chars().next(), None | Some(':' | '/')),
        ':' => rest.len() > at + 1,
        '/' => true,
        _ => rest[*at..].trim().is_empty(),
    };
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    name[..first + end].trim_end()
}

impl<'s> Reader<'s> {
    fn new(source: &'s str, range: Range<usize>) -> Reader<'s> {
        Reader {
            source,
            end: range.end,
            at: range.start,
            start: range.start,
            last: Last::Nothing,
            open: 0,
            parts: Vec::new(),
            backslashes_end: 0,
        }
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..self.end]
    }

    fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied().filter(|_| at < self.end)
    }

    fn next_char(&self) -> char {
        // The reader stops at the end.
        self.rest().chars().next().unwrap_or('\0')
    }

    fn read_char(&mut self) {
        let next = self.next_char();
        self.at += next.len_utf8();
        self.last = if next == '\\' { Last::Backslash } else { Last::Other };
        if self.open > 0 {
            match next {
                '{' => self.open += 1,
                '}' => self.open -= 1,
                _ => {}
            }
        }
    }

    /// Ends the current part in front of an offset. The next one begins where the reader is.
    fn finish(&mut self, kind: PartKind, end: usize) {
        self.parts.push(Part { kind, range: self.start..end });
        self.start = self.at;
        self.last = Last::Nothing;
    }

    fn start_interpolation(&mut self) {
        if self.last == Last::Backslash {
            return self.read_char();
        }
        let before = self.at;
        self.at += 2;
        if self.open == 0 {
            self.finish(PartKind::Text, before);
        } else {
            self.last = Last::Other;
        }
        self.open += 1;
    }

    fn end_interpolation(&mut self) {
        let before = self.at;
        self.at += 1;
        if self.open == 1 {
            self.finish(PartKind::Interpolation, before);
        } else {
            self.last = Last::Other;
        }
        self.open = self.open.saturating_sub(1);
    }

    /// The length of a variable with its dollar sign at an offset; 0 if there is none.
    fn variable_at(&self, at: usize) -> usize {
        let is_dollar = self.byte(at) == Some(b'$');
        let begins = |at: usize| self.byte(at).is_some_and(is_word);
        let is_scoped = self.byte(at + 1) == Some(b':') && self.byte(at + 2) == Some(b':');
        if !is_dollar || !(begins(at + 1) || is_scoped && begins(at + 3)) {
            return 0;
        }
        1 + variable_name(&self.source.as_bytes()[at + 1..self.end])
    }

    /// The first character that is not part of a variable at the reader, or is in front of it: nothing, or one that is no backslash.
    fn before_variable(&self) -> Option<usize> {
        if self.byte(self.at) == Some(b'$') && self.variable_at(self.at) > 0 {
            return Some(0);
        }
        let next = self.next_char();
        let length = next.len_utf8();
        (next != '\\' && self.byte(self.at + length) == Some(b'$') && self.variable_at(self.at + length) > 0)
            .then_some(length)
    }

    fn is_at_variable(&self) -> bool {
        self.open == 0 && self.last != Last::Backslash && self.before_variable().is_some()
    }

    fn variable(&mut self) {
        let Some(before) = self.before_variable() else { return };
        // A character in front of the dollar sign belongs to the text, but an end of line to the variable.
        let kept = if self.next_char() == '\n' { 0 } else { before };
        self.at += kept;
        let start = self.at;
        self.at += before - kept + self.variable_at(start + before - kept);
        let end = self.at;
        self.parts.push(Part { kind: PartKind::Text, range: self.start..start });
        self.start = start;
        self.finish(PartKind::Variable, end);
    }

    /// The offset after the backslashes at an offset.
    fn behind_backslashes(&mut self, at: usize) -> usize {
        if self.byte(at) != Some(b'\\') {
            return at;
        }
        if self.backslashes_end <= at {
            let rest = &self.source.as_bytes()[at..self.end];
            self.backslashes_end = at + rest.iter().take_while(|byte| **byte == b'\\').count();
        }
        self.backslashes_end
    }

    /// The offset after the quote that ends the string: at the reader, or one character later.
    fn end_of_string(&mut self) -> Option<usize> {
        let (here, next) = (self.at, self.next_char());
        let mut end_from = |at: usize| {
            let after = self.behind_backslashes(at);
            ((after - at).is_multiple_of(2) && self.byte(after) == Some(b'"')).then_some(after + 1)
        };
        end_from(here).or_else(|| if next == '\\' { None } else { end_from(here + next.len_utf8()) })
    }

    /// The offset after a quote that backslashes escape.
    fn escaped_quote(&mut self) -> Option<usize> {
        let after = self.behind_backslashes(self.at);
        (after > self.at && self.byte(after) == Some(b'"')).then_some(after + 1)
    }

    /// The offset after the line that ends a heredoc, if it begins at the reader.
    fn end_of_heredoc(&self, name: &str, no_end_before: &mut usize) -> Option<usize> {
        let rest = self.rest();
        let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
        let text = rest.strip_prefix('|').unwrap_or(rest);
        let spaces = text.trim_start_matches(is_space);
        let dashed = spaces.strip_prefix('-').unwrap_or(spaces).trim_start_matches(is_space);
        let end = dashed.strip_prefix(name).filter(|after| after.is_empty() || after.starts_with('\n'));
        if end.is_none() && rest.len() == text.len() {
            // Where whitespace begins, all of it was tried.
            *no_end_before = self.end - spaces.len();
        }
        end.map(|after| self.end - after.len())
    }
}
