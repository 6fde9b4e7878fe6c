//! Parses Python literals, as `ast.literal_eval` does: <https://docs.python.org/3/library/ast.html#ast.literal_eval>.

use hieratic_python_values::{decode, parse_float, parse_int};
use indexmap::IndexMap;
use minijinja::Value;
use num_bigint::BigInt;

use super::kind;
use crate::objects::{Big, Dict, List, Tuple};

/// The maximum nesting depth of brackets, which is Python's own limit.
const MAX_DEPTH: usize = 90;

/// Parses a literal: numbers, strings, bytes, `True`, `False`, `None`, lists, tuples and dictionaries of them.
///
/// Returns `None` for everything else, including complex numbers and sets.
pub fn parse(text: &str) -> Option<Value> {
    parse_as(text, false)
}

/// Like [`parse`], but also accepts the names of JSON: `true`, `false`, `null`.
pub fn parse_with_json(text: &str) -> Option<Value> {
    parse_as(text, true)
}

fn parse_as(text: &str, knows_json: bool) -> Option<Value> {
    let at = text.len() - code(text)?.len();
    let mut reader = Reader { text, at, depth: 0, knows_json };
    let value = reader.top()?;
    ends(reader.rest()).then_some(value)
}

/// Skips leading blank lines and comments. Returns `None` if nothing else follows, or if the first other line is
/// indented, which makes the literal invalid.
fn code(mut text: &str) -> Option<&str> {
    if text.contains('\0') {
        return None;
    }
    loop {
        let line = text.trim_start_matches(BLANKS);
        match line.chars().next()? {
            '\n' | '\r' => text = line.get(1..)?,
            '#' => text = line.get(line.find(['\n', '\r'])?..)?,
            _ => return (column(text.get(..text.len() - line.len())?) == 0).then_some(line),
        }
    }
}

/// Whitespace within a line.
const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// Returns the indentation of blanks in Python's tokenizer: a form feed resets it.
fn column(blanks: &str) -> usize {
    blanks.rsplit('\u{c}').next().map_or(0, str::len)
}

/// Returns whether a string has only comments and blank lines. The last line must not be indented, unless it has a
/// comment.
fn ends(text: &str) -> bool {
    let lines = text.split(['\n', '\r']);
    let mut last = 0;
    for (at, line) in lines.enumerate() {
        let rest = line.trim_start_matches(BLANKS);
        if !(rest.is_empty() || rest.starts_with('#')) {
            return false;
        }
        last = if at == 0 || !rest.is_empty() { 0 } else { column(line) };
    }
    last == 0
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    knows_json: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Skips whitespace and comments; newlines only inside brackets, where they do not end the expression.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                Some(' ' | '\t' | '\u{c}') => self.at += 1,
                Some('\n' | '\r') if self.depth > 0 => self.at += 1,
                Some('\\') if rest.starts_with("\\\n") && rest.len() > 2 => self.at += 2,
                Some('#') => self.at += rest.find('\n').unwrap_or(rest.len()),
                _ => return,
            }
        }
    }

    fn skip(&mut self, letter: char) -> bool {
        let there = self.rest().starts_with(letter);
        self.at += if there { letter.len_utf8() } else { 0 };
        there
    }

    /// A literal, or several with commas between them, which are a tuple.
    fn top(&mut self) -> Option<Value> {
        let (items, is_tuple) = self.items(None)?;
        Self::tuple_or_item(items, is_tuple)
    }

    fn tuple_or_item(mut items: Vec<Value>, is_tuple: bool) -> Option<Value> {
        if is_tuple { Some(Tuple::value(items)) } else { items.pop() }
    }

    /// Literals up to a bracket, or to the end; whether there was a comma.
    fn items(&mut self, end: Option<char>) -> Option<(Vec<Value>, bool)> {
        let mut items = Vec::new();
        let mut commas = false;
        loop {
            self.space();
            match end {
                Some(end) if self.skip(end) => return Some((items, commas)),
                None if !items.is_empty() && self.rest().starts_with(['\n', '\r']) => return Some((items, commas)),
                None if !items.is_empty() && self.rest().is_empty() => return Some((items, commas)),
                _ => {}
            }
            items.push(self.value()?);
            self.space();
            if self.skip(',') {
                commas = true;
                continue;
            }
            return match end {
                Some(end) => self.skip(end).then_some((items, commas)),
                None => Some((items, commas)),
            };
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn value(&mut self) -> Option<Value> {
        let first = self.rest().chars().next()?;
        match first {
            '(' => {
                self.at += 1;
                let (items, commas) = self.nested(|reader| reader.items(Some(')')))?;
                let is_tuple = commas || items.is_empty();
                Self::tuple_or_item(items, is_tuple)
            }
            '[' => {
                self.at += 1;
                self.nested(|reader| reader.items(Some(']'))).map(|(items, _)| List::value(items))
            }
            '{' => {
                self.at += 1;
                self.nested(Reader::dict)
            }
            '-' | '+' => {
                self.at += 1;
                self.space();
                let value = self.number()?;
                match first {
                    '-' => super::arithmetic::negative(&value).ok(),
                    _ => Some(value),
                }
            }
            '0'..='9' | '.' => self.number(),
            _ => self.word_or_text(),
        }
    }

    fn dict(&mut self) -> Option<Value> {
        let mut entries = IndexMap::new();
        loop {
            self.space();
            if self.skip('}') {
                return Some(Dict::value(entries));
            }
            let key = self.value()?;
            kind::hashable(&key).ok()?;
            self.space();
            if !self.skip(':') {
                return None;
            }
            self.space();
            let value = self.value()?;
            entries.insert(key, value);
            self.space();
            if !self.skip(',') {
                return self.skip('}').then(|| Dict::value(entries));
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let rest = self.rest();
        let prefix = rest.get(..2).map(str::to_ascii_lowercase);
        if let Some("0x" | "0o" | "0b") = prefix.as_deref() {
            let length = rest.find(|letter: char| !(letter == '_' || letter.is_ascii_alphanumeric()));
            let text = rest.get(..length.unwrap_or(rest.len()))?;
            self.at += text.len();
            return parse_int(text, 0).map(|number| Big::value(&number));
        }
        let mut length = 0;
        let mut is_float = false;
        let mut letters = rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '0'..='9' | '_' => {}
                '.' if !is_float => is_float = true,
                'e' | 'E' if !rest.get(..at)?.contains(['e', 'E']) => {
                    is_float = true;
                    letters.next_if(|(_, sign)| matches!(sign, '+' | '-'));
                }
                _ => break,
            }
            length = letters.peek().map_or(rest.len(), |(next, _)| *next);
        }
        let text = rest.get(..length)?;
        // A letter or a second point after a number makes it invalid.
        if rest.get(length..)?.starts_with(|next: char| next == '.' || next == '_' || next.is_alphanumeric()) {
            return None;
        }
        self.at += length;
        let digits = text.replace('_', "");
        if parse_float(text.trim_matches('.')).is_none() && parse_float(text).is_none() {
            return None;
        }
        if is_float {
            return digits.parse().ok().map(|number: f64| Value::from(number));
        }
        let zeros = text.starts_with('0') && digits.bytes().any(|digit| digit != b'0');
        if zeros || digits.len() > 4300 {
            return None;
        }
        BigInt::parse_bytes(digits.as_bytes(), 10).map(|number| Big::value(&number))
    }

    fn word_or_text(&mut self) -> Option<Value> {
        let rest = self.rest();
        let word = rest.split(|letter: char| !(letter == '_' || letter.is_alphanumeric())).next()?;
        let after = rest.get(word.len()..)?;
        if after.starts_with(['\'', '"']) && is_text_prefix(word) {
            return self.text();
        }
        self.at += word.len();
        match word {
            "True" => Some(Value::from(true)),
            "False" => Some(Value::from(false)),
            "None" => Some(Value::from(())),
            "true" if self.knows_json => Some(Value::from(true)),
            "false" if self.knows_json => Some(Value::from(false)),
            "null" if self.knows_json => Some(Value::from(())),
            _ => None,
        }
    }

    /// Parses adjacent string literals, which are concatenated.
    fn text(&mut self) -> Option<Value> {
        let mut out = String::new();
        let mut bytes: Option<bool> = None;
        loop {
            let rest = self.rest();
            let word = rest.split(['\'', '"']).next()?;
            if !is_text_prefix(word) || word.len() == rest.len() {
                break;
            }
            let is_bytes = word.contains(['b', 'B']);
            if bytes.is_some_and(|bytes| bytes != is_bytes) {
                return None;
            }
            bytes = Some(is_bytes);
            self.at += word.len();
            let inner = self.quoted()?;
            if word.contains(['r', 'R']) {
                out.push_str(inner)
            } else {
                out.push_str(&decode(inner).ok()?)
            }
            self.space();
        }
        match bytes? {
            false => Some(Value::from(out)),
            true if out.chars().all(|letter| u32::from(letter) < 256) => {
                // Every character was just found to be a byte.
                Some(Value::from_bytes(out.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect()))
            }
            true => None,
        }
    }

    /// Returns the characters between quotes.
    fn quoted(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let quote = rest.get(..1)?;
        let triple = rest.get(..3).filter(|start| *start == quote.repeat(3));
        let delimiter = triple.unwrap_or(quote);
        let inner = rest.get(delimiter.len()..)?;
        let mut escaped = false;
        for (at, letter) in inner.char_indices() {
            if escaped {
                escaped = false;
            } else if letter == '\\' {
                escaped = true;
            } else if letter == '\n' && triple.is_none() {
                return None;
            } else if inner.get(at..)?.starts_with(delimiter) {
                self.at += at + 2 * delimiter.len();
                return inner.get(..at);
            }
        }
        None
    }
}

/// Returns whether a word is a prefix of string literals.
fn is_text_prefix(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "" | "r" | "u" | "b" | "br" | "rb")
}

#[cfg(test)]
mod tests {
    use super::super::repr;
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<String> {
        parse(text).map(|value| repr(&value).expect("literals have a text"))
    }

    #[test]
    fn literals_are_parsed() {
        let cases = [
            ("5", "5"),
            ("-5", "-5"),
            ("1_000", "1000"),
            ("1e3", "1000.0"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("0x1F", "31"),
            ("[1, 'a',]", "[1, 'a']"),
            ("1, 2", "(1, 2)"),
            ("()", "()"),
            ("(1)", "1"),
            ("{'a': (1,), 2: None}", "{'a': (1,), 2: None}"),
            ("'a' \"b\"", "'ab'"),
            ("r'\\n'", "'\\\\n'"),
            ("b'\\x00'", "b'\\x00'"),
            ("5 # five", "5"),
            ("[1,\n 2]", "[1, 2]"),
            ("\n\n1", "1"),
            (" # one\n1 # two\n\n", "1"),
            (" \u{c}1", "1"),
            ("1\n # c", "1"),
            ("1\n \n", "1"),
            ("123456789012345678901234567890123456789012345", "123456789012345678901234567890123456789012345"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_strings_are_not_literals() {
        for text in [
            "",
            " 5",
            "\n [1]",
            "1\n ",
            "1 # c\n\t",
            "1\\\n",
            "\u{c} 1",
            "true",
            "007",
            "1.2.3",
            "--5",
            "a",
            "f'a'",
            "1 2",
            "[1",
            "{1}",
            "'a",
            "5a",
            "1-2",
            "_1",
            "1__0",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn random_strings_never_panic(text in ".*", brackets in "[\\[\\](){},:'\"0-9a-z. -]*") {
            parse(&text);
            parse(&brackets);
        }
    }
}
