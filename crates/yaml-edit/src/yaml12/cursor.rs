//! The position of the scanner in the source.

use hieratic_source::Position;

/// A place in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// In bytes.
    pub at: usize,
    /// In characters.
    pub index: usize,
    /// From 0.
    pub line: u32,
    /// In characters, from 0.
    pub column: u32,
}

impl Mark {
    /// The place as people count.
    pub(super) fn position(self) -> Position {
        Position { line: self.line.saturating_add(1), column: self.column.saturating_add(1) }
    }
}

/// Walks through a source that may not contain the character 0 (see [`unprintable`]), so that 0 can represent its end.
pub(super) struct Cursor<'t> {
    text: &'t str,
    mark: Mark,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, mark: Mark::default() }
    }

    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    pub(super) fn column(&self) -> i64 {
        i64::from(self.mark.column)
    }

    /// The text from a place to here.
    pub(super) fn since(&self, from: Mark) -> &'t str {
        self.text.get(from.at..self.mark.at).unwrap_or_default()
    }

    /// The rest of the source.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.mark.at..).unwrap_or_default()
    }

    /// The byte at an offset from here; 0 after the end.
    pub(super) fn byte(&self, further: usize) -> u8 {
        self.text.as_bytes().get(self.mark.at + further).copied().unwrap_or(0)
    }

    /// The character here; 0 after the end.
    pub(super) fn character(&self) -> char {
        self.rest().chars().next().unwrap_or('\0')
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.mark.at >= self.text.len()
    }

    /// Returns whether a line, or the source, ends at an offset from here.
    pub(super) fn is_line_end(&self, further: usize) -> bool {
        let bytes = self.text.as_bytes().get(self.mark.at + further..).unwrap_or_default();
        is_line_end(bytes)
    }

    /// Returns whether a line end, a blank or a tab is at an offset from here.
    pub(super) fn is_gap(&self, further: usize) -> bool {
        matches!(self.byte(further), b' ' | b'\t') || self.is_line_end(further)
    }

    /// Steps over bytes of a kind that is ASCII and no line break.
    pub(super) fn skip(&mut self, kind: impl Fn(u8) -> bool) {
        let count = self.rest().bytes().take_while(|byte| kind(*byte)).count();
        self.forward(count);
    }

    /// Steps over a number of bytes, which are whole characters and no line breaks.
    pub(super) fn forward(&mut self, bytes: usize) {
        let passed = self.rest().get(..bytes).unwrap_or_default();
        let (characters, unseen) = if passed.is_ascii() {
            (bytes, 0)
        } else {
            // A byte order mark has no width.
            (passed.chars().count(), passed.matches('\u{feff}').count())
        };
        self.mark.at += bytes;
        self.mark.index += characters;
        self.mark.column = self.mark.column.saturating_add(u32::try_from(characters - unseen).unwrap_or(u32::MAX));
    }

    /// Skips the rest of a line.
    pub(super) fn forward_to_line_end(&mut self) {
        let rest = self.rest().as_bytes();
        let mut length = 0;
        while length < rest.len() && !is_line_end(&rest[length..]) {
            length += 1;
        }
        self.forward(length);
    }

    /// Skips a line break and returns its value in a scalar. Returns `None` if there is no line break.
    ///
    /// For columns, only a line feed and a carriage return begin a line.
    pub(super) fn line_break(&mut self) -> Option<char> {
        let (bytes, meaning) = match self.character() {
            '\r' if self.byte(1) == b'\n' => (2, '\n'),
            '\r' | '\n' => (1, '\n'),
            next_line @ '\u{85}' => (next_line.len_utf8(), '\n'),
            separator @ ('\u{2028}' | '\u{2029}') => (separator.len_utf8(), separator),
            _ => return None,
        };
        if matches!(self.byte(0), b'\r' | b'\n') {
            self.mark.at += bytes;
            self.mark.index += bytes;
            self.mark.line = self.mark.line.saturating_add(1);
            self.mark.column = 0;
        } else {
            self.forward(bytes);
        }
        Some(meaning)
    }

    /// Returns whether a separate `---` or `...` is here.
    pub(super) fn is_document_mark(&self) -> bool {
        let rest = self.rest();
        (rest.starts_with("---") || rest.starts_with("...")) && self.is_gap(3)
    }
}

fn is_line_end(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [b'\n' | b'\r', ..] | [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

/// The first character that no document may have, and the number of characters before it.
pub(super) fn unprintable(text: &str) -> Option<(usize, char)> {
    let is_printable = |c: char| {
        matches!(c,
            '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}'
            | '\u{10000}'..)
    };
    // The bytes of most sources prove that they are printable.
    if text.bytes().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')) {
        return None;
    }
    text.chars().enumerate().find(|(_, c)| !is_printable(*c))
}
