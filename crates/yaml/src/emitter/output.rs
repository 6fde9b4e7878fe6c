//! The output and its current column: the functions of libyaml that write indicators and indentation.

/// A document as far as it has been written.
pub(super) struct Output {
    text: String,
    /// Characters in the last line.
    pub(super) column: usize,
    /// A line is folded at the first space after this column.
    pub(super) width: usize,
    /// The last character separates what comes before from what comes next.
    pub(super) after_space: bool,
    /// The last line has only spaces and the indicators `-`, `?` and `:`.
    pub(super) in_indentation: bool,
}

impl Output {
    pub(super) fn new(width: usize) -> Output {
        Output { text: String::new(), column: 0, width, after_space: true, in_indentation: true }
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether the line is so long that it is folded at the next space.
    pub(super) fn is_full(&self) -> bool {
        self.column > self.width
    }

    /// Begins a new line, unless this one is still within its indentation, and indents it.
    pub(super) fn indent(&mut self, indent: usize) {
        if !self.in_indentation || self.column > indent || self.column == indent && !self.after_space {
            self.line_break('\n');
        }
        if self.column < indent {
            self.text.extend(std::iter::repeat_n(' ', indent - self.column));
            self.column = indent;
        }
        self.after_space = true;
        self.in_indentation = true;
    }

    /// Writes an indicator of YAML, separated from the token before it. `indents` means that the next node may continue
    /// from here as from the beginning of the line.
    pub(super) fn indicator(&mut self, indicator: &str, indents: bool) {
        self.separate();
        self.attached(indicator, indents);
    }

    /// One of YAML's own signs directly after what comes before it.
    pub(super) fn attached(&mut self, indicator: &str, indents: bool) {
        self.put(indicator);
        self.after_space = false;
        self.in_indentation &= indents;
    }

    /// A space, unless there is one.
    pub(super) fn separate(&mut self) {
        if !self.after_space {
            self.put(" ");
        }
    }

    /// Part of a line.
    pub(super) fn put(&mut self, text: &str) {
        self.column += if text.len() == 1 { 1 } else { text.chars().count() };
        self.text.push_str(text);
    }

    /// Part of a line whose characters the caller counts.
    pub(super) fn put_counted(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn line_break(&mut self, c: char) {
        self.text.push(c);
        self.column = 0;
    }

    /// A character as an escape sequence: <https://yaml.org/spec/1.1/#id872840>.
    pub(super) fn escape(&mut self, c: char) {
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => return self.escape_code(u32::from(c)),
        };
        self.text.extend(['\\', short]);
        self.column += 2;
    }

    fn escape_code(&mut self, code: u32) {
        let (letter, digits) = match code {
            ..0x100 => ('x', 2),
            0x100..0x10000 => ('u', 4),
            _ => ('U', 8),
        };
        self.text.extend(['\\', letter]);
        let digit = |at: u32| char::from_digit(code >> (4 * at) & 0xf, 16).unwrap_or('0').to_ascii_uppercase();
        self.text.extend((0..digits).rev().map(digit));
        self.column += 2 + digits as usize;
    }
}
