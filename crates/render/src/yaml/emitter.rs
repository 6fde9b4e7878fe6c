//! Laying out YAML as libyaml 0.2.5 does, for one document of block collections.
//!
//! The ports of libyaml to Rust write characters beyond the basic plane as they are, where libyaml escapes them and
//! quotes the text, so they do not serve here.

use std::borrow::Cow;

use super::analysis::{Analysis, is_break, is_printable, is_space};

/// A line is folded at the first space behind this column.
const WIDTH: usize = 80;
const INDENT: usize = 2;
/// A key of more bytes does not share its line with the value.
const MAX_SIMPLE_KEY: usize = 128;

/// The style that a scalar should have, if it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// A scalar to be written.
pub(super) struct Piece<'t> {
    text: Cow<'t, str>,
    tag: Option<&'static str>,
    style: Style,
    /// Its type shows even if it must be quoted: it is a string.
    is_string: bool,
    analysis: Analysis,
}

impl<'t> Piece<'t> {
    /// The same, with a text of its own.
    pub(super) fn into_owned(self) -> Piece<'static> {
        Piece { text: Cow::Owned(self.text.into_owned()), ..self }
    }

    /// A scalar that is plain by itself: a number, a boolean, a symbol. If it must be quoted it gets the tag `!`.
    pub(super) fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        Piece::new(text.into(), None, Style::Plain, false)
    }

    /// A string.
    pub(super) fn string(text: &'t str, style: Style) -> Self {
        Piece::new(text.into(), None, style, true)
    }

    /// A scalar with a tag.
    pub(super) fn tagged(tag: &'static str, text: impl Into<Cow<'t, str>>, style: Style) -> Self {
        Piece::new(text.into(), Some(tag), style, true)
    }

    fn new(text: Cow<'t, str>, tag: Option<&'static str>, style: Style, is_string: bool) -> Self {
        let analysis = Analysis::of(&text);
        Piece { text, tag, style, is_string, analysis }
    }

    /// Whether the scalar as a key goes on one line with its value.
    pub(super) fn is_simple_key(&self) -> bool {
        !self.analysis.multiline && self.text.len() + self.tag.map_or(0, str::len) <= MAX_SIMPLE_KEY
    }

    /// The style that is possible.
    fn possible_style(&self, in_simple_key: bool) -> Style {
        let Analysis { plain, single_quoted, literal, .. } = self.analysis;
        match self.style {
            Style::Plain if plain && !(in_simple_key && self.text.is_empty()) => Style::Plain,
            Style::Plain | Style::SingleQuoted if single_quoted => Style::SingleQuoted,
            Style::Literal if literal && !in_simple_key => Style::Literal,
            _ => Style::DoubleQuoted,
        }
    }
}

/// Writes one document.
///
/// Before each node inside a collection comes [`item`](Emitter::item), [`key`](Emitter::key) or
/// [`value`](Emitter::value), and after all of them [`end_collection`](Emitter::end_collection).
pub(super) struct Emitter {
    out: String,
    /// Characters in the last line.
    column: usize,
    /// The last character separates what comes before from what comes next.
    after_space: bool,
    /// The last line has nothing but spaces and the indicators `-`, `?` and `:`.
    in_indentation: bool,
    /// The collections that are open, from the outermost.
    levels: Vec<Level>,
    /// The next node is a key that shares its line with the value.
    in_simple_key: bool,
    /// The next node is a key or a value.
    in_mapping: bool,
    /// The last literal scalar ends with empty lines, so that the end of the document has to be shown.
    open_ended: bool,
}

struct Level {
    indent: usize,
    /// The key that was written last shares its line with the value.
    simple_key: bool,
}

impl Emitter {
    pub(super) fn new() -> Emitter {
        Emitter {
            out: "---".into(),
            column: 3,
            after_space: false,
            in_indentation: false,
            levels: Vec::new(),
            in_simple_key: false,
            in_mapping: false,
            open_ended: false,
        }
    }

    /// Ends the document and gives its text.
    pub(super) fn finish(mut self) -> String {
        self.indent();
        if self.open_ended {
            self.out.push_str("...\n");
        }
        self.out
    }

    /// The next node is an element of an array.
    pub(super) fn item(&mut self) {
        self.indent();
        self.indicator("-", true);
        self.in_mapping = false;
        self.in_simple_key = false;
    }

    /// The next node is a key; `simple` if it goes on one line with its value.
    pub(super) fn key(&mut self, simple: bool) {
        self.indent();
        if !simple {
            self.indicator("?", true);
        }
        if let Some(level) = self.levels.last_mut() {
            level.simple_key = simple;
        }
        self.in_mapping = true;
        self.in_simple_key = simple;
    }

    /// The next node is the value of the last key.
    pub(super) fn value(&mut self) {
        if self.levels.last().is_some_and(|level| level.simple_key) {
            self.put(":");
            self.after_space = false;
            self.in_indentation = false;
        } else {
            self.indent();
            self.indicator(":", true);
        }
        self.in_mapping = true;
        self.in_simple_key = false;
    }

    /// An array with something in it.
    pub(super) fn start_sequence(&mut self, anchor: Option<usize>) {
        self.properties(anchor, None);
        // An array that is the value of a key is not indented.
        let indentless = self.in_mapping && !self.in_indentation;
        self.open(indentless);
    }

    /// A hash with something in it.
    pub(super) fn start_mapping(&mut self, anchor: Option<usize>, tag: Option<&str>) {
        self.properties(anchor, tag);
        self.open(false);
    }

    fn open(&mut self, indentless: bool) {
        let indent = match self.levels.last() {
            None => 0,
            Some(level) if indentless => level.indent,
            Some(level) => level.indent + INDENT,
        };
        self.levels.push(Level { indent, simple_key: false });
    }

    /// Ends the innermost array or hash.
    pub(super) fn end_collection(&mut self) {
        self.levels.pop();
    }

    /// `[]` or `{}`.
    pub(super) fn empty_collection(&mut self, anchor: Option<usize>, text: &str) {
        self.properties(anchor, None);
        self.indicator(text, false);
    }

    /// A reference to the collection with this anchor.
    pub(super) fn alias(&mut self, number: usize) {
        self.indicator(&format!("*{number}"), false);
        if self.in_simple_key {
            // Or else the colon would belong to the name.
            self.put(" ");
        }
    }

    /// A scalar.
    pub(super) fn scalar(&mut self, piece: &Piece<'_>) {
        let style = piece.possible_style(self.in_simple_key);
        let untyped = style != Style::Plain && !piece.is_string;
        self.properties(None, piece.tag.or(untyped.then_some("!")));
        // Lines after the first are indented more than the collection, except at the root.
        let indent = self.levels.last().map_or(INDENT, |level| level.indent + INDENT);
        self.levels.push(Level { indent, simple_key: false });
        match style {
            Style::Plain => self.plain(&piece.text),
            Style::SingleQuoted => self.single_quoted(&piece.text),
            Style::DoubleQuoted => self.double_quoted(&piece.text),
            Style::Literal => self.literal(&piece.text),
        }
        self.levels.pop();
    }

    fn properties(&mut self, anchor: Option<usize>, tag: Option<&str>) {
        if let Some(number) = anchor {
            self.indicator(&format!("&{number}"), false);
        }
        if let Some(tag) = tag {
            self.indicator(tag, false);
        }
    }

    fn plain(&mut self, text: &str) {
        if !text.is_empty() {
            self.separate();
        }
        let mut after_space = false;
        for (index, c) in text.char_indices() {
            let fold = is_space(c) && !after_space && !text[index + 1..].starts_with(' ');
            if fold && self.is_full() {
                self.indent();
            } else {
                self.write(c);
            }
            after_space = is_space(c);
        }
        self.after_space = false;
        self.in_indentation = false;
    }

    fn single_quoted(&mut self, text: &str) {
        self.indicator("'", false);
        let (mut after_space, mut after_break) = (false, false);
        for (index, c) in text.char_indices() {
            if is_space(c) {
                let inside = index > 0 && index + 1 < text.len();
                let fold = inside && !after_space && !text[index + 1..].starts_with(' ');
                if fold && self.is_full() {
                    self.indent();
                } else {
                    self.write(c);
                }
                after_space = true;
            } else if is_break(c) {
                if !after_break && c == '\n' {
                    self.line_break('\n');
                }
                self.line_break(c);
                self.in_indentation = true;
                after_break = true;
            } else {
                if after_break {
                    self.indent();
                }
                if c == '\'' {
                    self.write(c);
                }
                self.write(c);
                self.in_indentation = false;
                (after_space, after_break) = (false, false);
            }
        }
        if after_break {
            self.indent();
        }
        self.close_quote("'");
    }

    fn double_quoted(&mut self, text: &str) {
        self.indicator("\"", false);
        let mut after_space = false;
        for (index, c) in text.char_indices() {
            if is_space(c) {
                let inside = index > 0 && index + 1 < text.len();
                if inside && !after_space && self.is_full() {
                    self.indent();
                    if text[index + 1..].starts_with(' ') {
                        self.write('\\');
                    }
                } else {
                    self.write(c);
                }
                after_space = true;
            } else {
                if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                    self.put(&escape(c));
                } else {
                    self.write(c);
                }
                after_space = false;
            }
        }
        self.close_quote("\"");
    }

    fn literal(&mut self, text: &str) {
        self.indicator("|", false);
        if text.starts_with(|c| is_space(c) || is_break(c)) {
            // The indentation cannot be told from the first line.
            self.put(&INDENT.to_string());
        }
        let mut ends = text.chars().rev();
        self.open_ended = false;
        if !ends.next().is_some_and(is_break) {
            self.put("-");
        } else if ends.next().is_none_or(is_break) {
            self.put("+");
            self.open_ended = true;
        }
        self.line_break('\n');
        self.in_indentation = true;
        self.after_space = true;
        let mut after_break = true;
        for c in text.chars() {
            if is_break(c) {
                self.line_break(c);
                self.in_indentation = true;
                after_break = true;
            } else {
                if after_break {
                    self.indent();
                }
                self.write(c);
                self.in_indentation = false;
                after_break = false;
            }
        }
    }

    fn close_quote(&mut self, quote: &str) {
        self.put(quote);
        self.after_space = false;
        self.in_indentation = false;
    }

    /// Whether the line is so long that it is folded at the next space. A key on one line with its value never is.
    fn is_full(&self) -> bool {
        self.column > WIDTH && !self.in_simple_key
    }

    /// Begins a new line, unless this one is still within its indentation, and indents it.
    fn indent(&mut self) {
        let indent = self.levels.last().map_or(0, |level| level.indent);
        if !self.in_indentation || self.column > indent || self.column == indent && !self.after_space {
            self.line_break('\n');
        }
        while self.column < indent {
            self.write(' ');
        }
        self.after_space = true;
        self.in_indentation = true;
    }

    /// One of YAML's own signs, set apart from what comes before; `indents` if what comes next may go on from here as
    /// from the beginning of the line.
    fn indicator(&mut self, indicator: &str, indents: bool) {
        self.separate();
        self.put(indicator);
        self.after_space = false;
        self.in_indentation &= indents;
    }

    fn separate(&mut self) {
        if !self.after_space {
            self.write(' ');
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn write(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }
}

fn escape(c: char) -> String {
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
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        c => {
            return match u32::from(c) {
                code @ ..0x100 => format!("\\x{code:02X}"),
                code @ ..0x10000 => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
