//! Values as YAML, written as libyaml's emitter does (<https://pyyaml.org/wiki/LibYAML>): in blocks, texts in double quotes
//! or, if they have lines, as literal blocks.

use std::fmt::Write;

use hieratic_cty::Value;

/// Lines are folded at the first space behind this column.
const WIDTH: usize = 80;

/// The longest key that stands before a colon on one line.
const LONGEST_KEY: usize = 128;

/// A value as a document.
pub(super) fn encode(value: &Value) -> String {
    let mut emitter =
        Emitter { out: String::new(), column: 0, indent: None, whitespace: true, indention: true, open_ended: false };
    emitter.node(value, false);
    emitter.write_indent();
    if emitter.open_ended {
        emitter.indicator("...", true, false, false);
        emitter.write_indent();
    }
    emitter.out
}

struct Emitter {
    out: String,
    column: usize,
    /// None before the document.
    indent: Option<usize>,
    /// Whether the last character was a space or a break.
    whitespace: bool,
    /// Whether the line consists of indention and indicators of blocks so far.
    indention: bool,
    /// Whether the end of the document must be marked.
    open_ended: bool,
}

impl Emitter {
    /// A value; `in_mapping` if it is the key or the value of an entry.
    fn node(&mut self, value: &Value, in_mapping: bool) {
        match value {
            Value::Null(_) | Value::Unknown(_) => self.plain("null"),
            Value::Bool(true) => self.plain("true"),
            Value::Bool(false) => self.plain("false"),
            Value::Number(number) => self.plain(&number.to_string()),
            Value::String(text) => self.text(text),
            Value::Map(_) | Value::Object(_) => match value.as_entries().unwrap_or_default() {
                [] => self.empty("{", "}"),
                entries => {
                    let outer = self.increase_indent(false, false);
                    for (key, value) in entries {
                        self.entry(key, value);
                    }
                    self.indent = outer;
                }
            },
            Value::List(_) | Value::Set(_) | Value::Tuple(_) => match value.as_slice().unwrap_or_default() {
                [] => self.empty("[", "]"),
                items => {
                    let outer = self.increase_indent(false, in_mapping && !self.indention);
                    for item in items {
                        self.write_indent();
                        self.indicator("-", true, false, true);
                        self.node(item, false);
                    }
                    self.indent = outer;
                }
            },
        }
    }

    fn entry(&mut self, key: &str, value: &Value) {
        self.write_indent();
        if key.len() <= LONGEST_KEY && !key.contains(is_break) {
            self.double_quoted(key, false);
            self.indicator(":", false, false, false);
        } else {
            self.indicator("?", true, false, true);
            self.text(key);
            self.write_indent();
            self.indicator(":", true, false, true);
        }
        self.node(value, true);
    }

    fn empty(&mut self, open: &str, close: &str) {
        self.indicator(open, true, true, false);
        self.indicator(close, false, false, false);
    }

    fn increase_indent(&mut self, flow: bool, indentless: bool) -> Option<usize> {
        let outer = self.indent;
        self.indent = Some(match outer {
            None => {
                if flow {
                    2
                } else {
                    0
                }
            }
            Some(indent) if indentless => indent,
            Some(indent) => indent + 2,
        });
        outer
    }

    fn put(&mut self, letter: char) {
        self.out.push(letter);
        self.column += 1;
    }

    fn put_break(&mut self, letter: char) {
        self.out.push(letter);
        self.column = 0;
    }

    fn write_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        self.whitespace = true;
        self.indention = true;
    }

    fn indicator(&mut self, text: &str, needs_space: bool, is_space: bool, is_indention: bool) {
        if needs_space && !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|letter| self.put(letter));
        self.whitespace = is_space;
        self.indention &= is_indention;
        self.open_ended = false;
    }

    /// A word or number.
    fn plain(&mut self, text: &str) {
        if !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|letter| self.put(letter));
        self.whitespace = false;
        self.indention = false;
        // Only the document itself stands without an indent.
        self.open_ended |= self.indent.is_none();
    }

    fn text(&mut self, text: &str) {
        let outer = self.increase_indent(true, false);
        if text.contains('\n') && fits_block(text) {
            self.literal(text)
        } else {
            self.double_quoted(text, true)
        }
        self.indent = outer;
    }

    fn double_quoted(&mut self, text: &str, may_fold: bool) {
        self.indicator("\"", true, false, false);
        // With a byte order mark in front the reference takes all characters for one.
        let marked = text.starts_with('\u{feff}');
        let mut spaces = false;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            if letter == ' ' && !marked {
                let inside = at > 0 && next.is_some();
                if may_fold && !spaces && self.column > WIDTH && inside {
                    self.write_indent();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(' ');
                }
                spaces = true;
                continue;
            }
            spaces = false;
            if is_printable(letter) && !is_break(letter) && !matches!(letter, '"' | '\\') && !marked {
                self.put(letter);
            } else {
                escaped(letter).chars().for_each(|letter| self.put(letter));
            }
        }
        self.indicator("\"", false, false, false);
    }

    fn literal(&mut self, text: &str) {
        self.indicator("|", true, false, false);
        if text.starts_with(|letter| letter == ' ' || is_break(letter)) {
            self.indicator("2", false, false, false);
        }
        let mut from_end = text.chars().rev();
        let (last, before) = (from_end.next(), from_end.next());
        self.open_ended = false;
        if !last.is_some_and(is_break) {
            self.indicator("-", false, false, false);
        } else if before.is_none_or(is_break) {
            self.indicator("+", false, false, false);
            self.open_ended = false;
        }
        self.put_break('\n');
        self.indention = true;
        self.whitespace = true;
        let mut at_break = true;
        for letter in text.chars() {
            if is_break(letter) {
                self.put_break(letter);
                self.indention = true;
                at_break = true;
                continue;
            }
            if at_break {
                self.write_indent();
            }
            self.put(letter);
            self.indention = false;
            at_break = false;
        }
    }
}

/// Whether a text can be a block: all characters can be printed, and no line has spaces at its end.
fn fits_block(text: &str) -> bool {
    let mut before = None;
    for letter in text.chars() {
        if !is_printable(letter) || (is_break(letter) && before == Some(' ')) {
            return false;
        }
        before = Some(letter);
    }
    before != Some(' ')
}

fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(letter: char) -> bool {
    matches!(letter, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}')
}

fn escaped(letter: char) -> String {
    let code = letter as u32;
    let short = match letter {
        '\0' => "0",
        '\u{7}' => "a",
        '\u{8}' => "b",
        '\t' => "t",
        '\n' => "n",
        '\u{b}' => "v",
        '\u{c}' => "f",
        '\r' => "r",
        '\u{1b}' => "e",
        '"' => "\"",
        '\\' => "\\",
        '\u{85}' => "N",
        '\u{a0}' => "_",
        '\u{2028}' => "L",
        '\u{2029}' => "P",
        _ => "",
    };
    let mut text = format!("\\{short}");
    if short.is_empty() {
        // Writing to a string cannot fail.
        let _ = match code {
            0..=0xFF => write!(text, "x{code:02X}"),
            0x100..=0xFFFF => write!(text, "u{code:04X}"),
            _ => write!(text, "U{code:08X}"),
        };
    }
    text
}
