//! Writes JSON token by token, with the layout and the escapes of any of the references.
//!
//! Ruby, Python and Go use different separators, line breaks, escapes and formats of numbers. A [`Layout`] sets all of
//! these except the format of numbers, which the caller passes to [`JsonWriter::word`].
//!
//! ```
//! use hieratic_json::write::{Escapes, JsonWriter, Layout};
//!
//! let go = Layout { escapes: Escapes::Html, key: ": ".into(), ..Layout::COMPACT }.with_lines("  ");
//! let mut writer = JsonWriter::new(String::new(), &go);
//! writer.begin_object();
//! writer.key("a<b");
//! writer.begin_array();
//! writer.word("1e+21");
//! writer.string("x");
//! writer.end();
//! writer.key("none");
//! writer.begin_array();
//! writer.end();
//! writer.end();
//! assert_eq!(writer.into_output(), "{\n  \"a\\u003cb\": [\n    1e+21,\n    \"x\"\n  ],\n  \"none\": []\n}");
//! ```

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The characters that are escaped in addition to quotes, backslashes and control characters below U+0020.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// No others.
    Required,
    /// Also the other control characters of Unicode.
    Controls,
    /// All characters beyond ASCII, those beyond the basic plane as two surrogates.
    Ascii,
    /// The characters that HTML or JavaScript would interpret: `<`, `>`, `&` and the two line separators.
    Html,
}

/// The separators, line breaks and escapes of JSON.
#[derive(Clone, Debug)]
pub struct Layout<'l> {
    /// The characters of strings that are escaped.
    pub escapes: Escapes,
    /// The separator of the items of a collection.
    pub item: Cow<'l, str>,
    /// The separator of a key and its value.
    pub key: Cow<'l, str>,
    /// The line break before each item of an array, and before its end.
    pub array_break: Cow<'l, str>,
    /// The line break before each entry of an object, and before its end.
    pub object_break: Cow<'l, str>,
    /// The indentation after each line break, once per level.
    pub indent: Cow<'l, str>,
    /// The line break before closing brackets.
    pub ends: Ends,
}

/// The line break before closing brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// An empty collection has nothing between its brackets. Others have a line break and an indentation.
    Closed,
    /// As Ruby's `JSON.generate`: an empty object has a line break, an empty array two. Without a line break there is
    /// no indentation.
    Open,
    /// As Ruby's `JSON.pretty_generate`: as [`Ends::Open`], with an indentation even without a line break.
    Indented,
}

impl Layout<'static> {
    /// Everything on one line, without spaces.
    pub const COMPACT: Layout<'static> = Layout {
        escapes: Escapes::Required,
        item: Cow::Borrowed(","),
        key: Cow::Borrowed(":"),
        array_break: Cow::Borrowed(""),
        object_break: Cow::Borrowed(""),
        indent: Cow::Borrowed(""),
        ends: Ends::Closed,
    };
}

impl<'l> Layout<'l> {
    /// Returns the layout with each item and entry on a separate line.
    pub fn with_lines(self, indent: impl Into<Cow<'l, str>>) -> Layout<'l> {
        Layout { array_break: "\n".into(), object_break: "\n".into(), indent: indent.into(), ..self }
    }
}

/// The target of a writer.
pub trait Output {
    /// Appends a string.
    fn put(&mut self, text: &str);
}

impl Output for String {
    fn put(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl Output for Vec<u8> {
    fn put(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}

/// An output as the target of `write!`.
struct Displayed<'o, O>(&'o mut O);

impl<O: Output> fmt::Write for Displayed<'_, O> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.put(text);
        Ok(())
    }
}

/// Writes JSON token by token. The caller must follow the grammar: every entry of an object is a key and a value, and
/// every collection is ended.
#[derive(Debug)]
pub struct JsonWriter<'l, O> {
    out: O,
    layout: &'l Layout<'l>,
    open: Vec<Open>,
    /// Whether a key is written, so that its value is next.
    is_after_key: bool,
}

/// A collection that is being written.
#[derive(Clone, Copy, Debug)]
struct Open {
    is_object: bool,
    is_empty: bool,
}

impl<'l, O: Output> JsonWriter<'l, O> {
    /// Creates a writer that appends to an output.
    pub fn new(out: O, layout: &'l Layout<'l>) -> JsonWriter<'l, O> {
        JsonWriter { out, layout, open: Vec::new(), is_after_key: false }
    }

    /// Returns the number of open collections.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the output so far. The caller may remove parts that are complete.
    pub fn output(&mut self) -> &mut O {
        &mut self.out
    }

    /// Returns the output.
    pub fn into_output(self) -> O {
        self.out
    }

    /// Writes a number with its `Display` format.
    pub fn number(&mut self, number: impl fmt::Display) {
        self.begin_value();
        // Writing to an output does not fail.
        let _ = write!(Displayed(&mut self.out), "{number}");
    }

    /// Writes an already formatted value: a number, `null`, `true` or `false`.
    pub fn word(&mut self, word: &str) {
        self.begin_value();
        self.out.put(word);
    }

    /// Writes a string as a value.
    pub fn string(&mut self, text: &str) {
        self.begin_value();
        quote(&mut self.out, text, self.layout.escapes);
    }

    /// Begins an array.
    pub fn begin_array(&mut self) {
        self.begin_value();
        self.out.put("[");
        self.open.push(Open { is_object: false, is_empty: true });
    }

    /// Begins an object.
    pub fn begin_object(&mut self) {
        self.begin_value();
        self.out.put("{");
        self.open.push(Open { is_object: true, is_empty: true });
    }

    /// Writes the key of the next value.
    pub fn key(&mut self, text: &str) {
        self.begin_key();
        quote(&mut self.out, text, self.layout.escapes);
        self.end_key();
    }

    /// Ends the innermost collection.
    pub fn end(&mut self) {
        let Some(Open { is_object, is_empty }) = self.open.pop() else { return };
        let line_break = self.line_break(is_object);
        let ends = self.layout.ends;
        if ends != Ends::Closed && is_empty && !is_object {
            self.out.put(line_break);
        }
        if !(is_empty && ends == Ends::Closed) {
            self.out.put(line_break);
            if !line_break.is_empty() || ends == Ends::Indented {
                self.indent();
            }
        }
        self.out.put(if is_object { "}" } else { "]" });
    }

    /// Writes the text before a key.
    pub(crate) fn begin_key(&mut self) {
        self.begin_item();
    }

    /// Writes the text between a key and its value.
    pub(crate) fn end_key(&mut self) {
        self.out.put(&self.layout.key);
        self.is_after_key = true;
    }

    fn begin_value(&mut self) {
        if !std::mem::take(&mut self.is_after_key) {
            self.begin_item();
        }
    }

    /// Separates an item from the one before, and indents it.
    fn begin_item(&mut self) {
        let Some(top) = self.open.last_mut() else { return };
        let is_object = top.is_object;
        if !std::mem::take(&mut top.is_empty) {
            self.out.put(&self.layout.item);
        }
        self.out.put(self.line_break(is_object));
        self.indent();
    }

    fn line_break(&self, is_object: bool) -> &'l str {
        if is_object { &self.layout.object_break } else { &self.layout.array_break }
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len() {
            self.out.put(&self.layout.indent);
        }
    }
}

impl JsonWriter<'_, Vec<u8>> {
    /// Writes bytes as a string. Bytes that are not UTF-8 are written unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.begin_value();
        self.quote_bytes(bytes);
    }

    /// Writes bytes as the key of the next value. Bytes that are not UTF-8 are written unchanged.
    pub fn key_bytes(&mut self, bytes: &[u8]) {
        self.begin_key();
        self.quote_bytes(bytes);
        self.end_key();
    }

    fn quote_bytes(&mut self, bytes: &[u8]) {
        self.out.push(b'"');
        for chunk in bytes.utf8_chunks() {
            escape(&mut self.out, chunk.valid(), self.layout.escapes);
            self.out.extend_from_slice(chunk.invalid());
        }
        self.out.push(b'"');
    }
}

/// Appends a string in quotes.
pub fn quote(out: &mut impl Output, text: &str, escapes: Escapes) {
    out.put("\"");
    escape(out, text, escapes);
    out.put("\"");
}

/// Returns a string in quotes.
///
/// ```
/// use hieratic_json::write::{Escapes, quoted};
///
/// assert_eq!(quoted("a\"\té", Escapes::Required), r#""a\"\té""#);
/// assert_eq!(quoted("é😀", Escapes::Ascii), r#""\u00e9\ud83d\ude00""#);
/// ```
pub fn quoted(text: &str, escapes: Escapes) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(&mut out, text, escapes);
    out
}

/// Adds a string without its quotes.
fn escape(out: &mut impl Output, text: &str, escapes: Escapes) {
    // Most text has nothing to escape, and is copied at once.
    let (mut copied, mut from) = (0, 0);
    while let Some(at) = first_candidate(text.as_bytes(), from, escapes) {
        // A candidate is a byte of ASCII or the first one of a character, so that no slice cuts one.
        let Some(letter) = text[at..].chars().next() else { break };
        from = at + letter.len_utf8();
        if is_escaped(letter, escapes) {
            out.put(&text[copied..at]);
            copied = from;
            put_escape(out, letter);
        }
    }
    out.put(&text[copied..]);
}

fn is_escaped(letter: char, escapes: Escapes) -> bool {
    let is_required = letter < ' ' || matches!(letter, '"' | '\\');
    is_required
        || match escapes {
            Escapes::Required => false,
            Escapes::Controls => letter.is_control(),
            Escapes::Ascii => !letter.is_ascii(),
            Escapes::Html => matches!(letter, '<' | '>' | '&' | '\u{2028}' | '\u{2029}'),
        }
}

fn put_escape(out: &mut impl Output, letter: char) {
    out.put(match letter {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        letter => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // An output takes everything: writing to it cannot fail.
                let _ = write!(Displayed(out), "\\u{unit:04x}");
            }
            return;
        }
    });
}

/// The index of the first byte from an index on that may begin a character that is escaped.
fn first_candidate(bytes: &[u8], from: usize, escapes: Escapes) -> Option<usize> {
    let required = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    match escapes {
        Escapes::Required => find(bytes, from, required),
        // Control characters beyond ASCII begin with this byte.
        Escapes::Controls => find(bytes, from, |byte| required(byte) | (byte == 0x7f) | (byte == 0xc2)),
        Escapes::Ascii => find(bytes, from, |byte| required(byte) | (byte >= 0xc0)),
        Escapes::Html => {
            find(bytes, from, |byte| required(byte) | (byte == b'<') | (byte == b'>') | (byte == b'&') | (byte == 0xe2))
        }
    }
}

fn find(bytes: &[u8], from: usize, accepts: impl Fn(u8) -> bool) -> Option<usize> {
    /// As many bytes as are looked at with one instruction.
    const TOGETHER: usize = 16;
    let rest = bytes.get(from..)?;
    let plain =
        rest.chunks_exact(TOGETHER).take_while(|chunk| !chunk.iter().fold(false, |any, byte| any | accepts(*byte)));
    let skipped = plain.count() * TOGETHER;
    rest.get(skipped..)?.iter().position(|byte| accepts(*byte)).map(|at| from + skipped + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_by_each_policy() {
        let text = "a\"\\/<>&\n\r\t\u{8}\u{c}\u{1}\u{7f}\u{85}é€\u{2028}\u{2029}😀";
        for (escapes, expected) in [
            (Escapes::Required, "\"a\\\"\\\\/<>&\\n\\r\\t\\b\\f\\u0001\u{7f}\u{85}é€\u{2028}\u{2029}😀\""),
            (Escapes::Controls, "\"a\\\"\\\\/<>&\\n\\r\\t\\b\\f\\u0001\\u007f\\u0085é€\u{2028}\u{2029}😀\""),
            (
                Escapes::Ascii,
                "\"a\\\"\\\\/<>&\\n\\r\\t\\b\\f\\u0001\u{7f}\\u0085\\u00e9\\u20ac\\u2028\\u2029\\ud83d\\ude00\"",
            ),
            (Escapes::Html, "\"a\\\"\\\\/\\u003c\\u003e\\u0026\\n\\r\\t\\b\\f\\u0001\u{7f}\u{85}é€\\u2028\\u2029😀\""),
        ] {
            assert_eq!(quoted(text, escapes), expected, "{escapes:?}");
        }
    }

    #[test]
    fn the_first_byte_to_escape_is_found_at_every_offset() {
        for length in 0..70 {
            assert_eq!(first_candidate("é".repeat(length).as_bytes(), 0, Escapes::Required), None);
            for at in 0..length {
                for escaped in [0, 0x1f, b'"', b'\\'] {
                    let mut bytes = vec![0x7f; length];
                    bytes[length - 1] = b'"';
                    bytes[at] = escaped;
                    for from in [0, at / 2, at] {
                        assert_eq!(
                            first_candidate(&bytes, from, Escapes::Required),
                            Some(at),
                            "{length} {at} {escaped}"
                        );
                    }
                }
            }
        }
    }

    /// `[1, [], {}, {"a": [2, 3]}]`
    fn sample(layout: &Layout<'_>) -> String {
        let mut writer = JsonWriter::new(String::new(), layout);
        writer.begin_array();
        writer.word("1");
        writer.begin_array();
        writer.end();
        writer.begin_object();
        writer.end();
        writer.begin_object();
        writer.key("a");
        writer.begin_array();
        writer.word("2");
        writer.word("3");
        writer.end();
        writer.end();
        assert_eq!(writer.depth(), 1);
        writer.end();
        writer.into_output()
    }

    #[test]
    fn layouts_are_those_of_the_references() {
        assert_eq!(sample(&Layout::COMPACT), r#"[1,[],{},{"a":[2,3]}]"#);
        let python = Layout { item: ", ".into(), key: ": ".into(), ..Layout::COMPACT };
        assert_eq!(sample(&python), r#"[1, [], {}, {"a": [2, 3]}]"#);
        let go = Layout { key: ": ".into(), ..Layout::COMPACT }.with_lines("  ");
        let lines = "[\n  1,\n  [],\n  {},\n  {\n    \"a\": [\n      2,\n      3\n    ]\n  }\n]";
        assert_eq!(sample(&go), lines);
        let ruby = Layout { ends: Ends::Open, ..go };
        assert_eq!(sample(&ruby), lines.replace("[]", "[\n\n  ]").replace("{}", "{\n  }"));
        // What Ruby 3.1 prints for `JSON.generate(..., indent: "  ")`, and for `JSON.pretty_generate` with empty breaks.
        let no_breaks = Layout { indent: "  ".into(), ends: Ends::Open, ..Layout::COMPACT };
        assert_eq!(sample(&no_breaks), r#"[  1,  [],  {},  {    "a":[      2,      3]}]"#);
        let pretty = Layout { ends: Ends::Indented, ..no_breaks };
        assert_eq!(sample(&pretty), r#"[  1,  [  ],  {  },  {    "a":[      2,      3    ]  }]"#);
    }

    #[test]
    fn bytes_that_are_no_text_go_out_as_they_are() {
        let mut writer = JsonWriter::new(Vec::new(), &Layout::COMPACT);
        writer.begin_object();
        writer.key_bytes(b"\xff\"");
        writer.bytes(b"\xff\0a");
        writer.end();
        assert_eq!(writer.into_output(), b"{\"\xff\\\"\":\"\xff\\u0000a\"}");
    }
}
