//! JSON as values of the data model, built while the text is parsed.
//!
//! Files of variables can be large: a tree of `serde_json` in between would double the memory and most of the time, and
//! its numbers are strings first. Numbers follow Python's `json`: integers have any size, and floats that are too large
//! are infinite.

use std::borrow::Cow;

use hieratic_value::collections::HashSet;
use hieratic_value::{Hash, Rich, Str, Value};

/// The number of strings that are shared. Rows of a table repeat a few; more would only cost memory.
const MOST_SHARED: usize = 1_024;

/// The length of the longest string that is shared.
const LONGEST_SHARED: usize = 32;

/// The deepest nesting of lists and objects.
const MAX_DEPTH: usize = 128;

/// The reason why a string is not JSON. The caller reads it as YAML then, which reports the error with its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

/// Parses JSON. Of a key that is repeated in an object, the last value counts.
pub(crate) fn read_json(text: &str) -> Result<Value, NotJson> {
    let mut reader = Reader { text, at: 0, shared: HashSet::default() };
    reader.skip_white();
    let value = reader.value(0)?;
    reader.skip_white();
    if reader.at == text.len() { Ok(value) } else { Err(NotJson) }
}

/// The state of a parse.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The keys and short strings so far: equal ones share their memory.
    shared: HashSet<Str>,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Result<(), NotJson> {
        match self.peek() == Some(byte) {
            true => {
                self.at += 1;
                Ok(())
            }
            false => Err(NotJson),
        }
    }

    fn skip_white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, NotJson> {
        match self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            true => {
                self.at += word.len();
                Ok(value)
            }
            false => Err(NotJson),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, NotJson> {
        if depth > MAX_DEPTH {
            return Err(NotJson);
        }
        match self.peek() {
            Some(b'"') => {
                let text = self.string()?;
                Ok(Value::String(self.share(&text)))
            }
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b't') => self.word("true", Value::Boolean(true)),
            Some(b'f') => self.word("false", Value::Boolean(false)),
            Some(b'n') => self.word("null", Value::Undef),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(NotJson),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, NotJson> {
        self.take(b'[')?;
        let mut values = Vec::new();
        self.skip_white();
        if self.take(b']').is_ok() {
            return Ok(values.into_iter().collect());
        }
        loop {
            self.skip_white();
            values.push(self.value(depth + 1)?);
            self.skip_white();
            if self.take(b',').is_err() {
                self.take(b']')?;
                return Ok(values.into_iter().collect());
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, NotJson> {
        self.take(b'{')?;
        let mut pairs: Vec<(Str, Value)> = Vec::new();
        self.skip_white();
        if self.take(b'}').is_ok() {
            return Ok(Value::Hash(Hash::default()));
        }
        loop {
            self.skip_white();
            let key = self.string()?;
            let key = self.share(&key);
            self.skip_white();
            self.take(b':')?;
            self.skip_white();
            pairs.push((key, self.value(depth + 1)?));
            self.skip_white();
            if self.take(b',').is_err() {
                self.take(b'}')?;
                return Ok(Value::Hash(pairs.into_iter().collect()));
            }
        }
    }

    /// A string that shares its memory with an equal one before.
    fn share(&mut self, text: &str) -> Str {
        if text.len() > LONGEST_SHARED {
            return text.into();
        }
        if let Some(known) = self.shared.get(text) {
            return known.clone();
        }
        let made = Str::from(text);
        if self.shared.len() < MOST_SHARED {
            self.shared.insert(made.clone());
        }
        made
    }

    fn string(&mut self) -> Result<Cow<'t, str>, NotJson> {
        self.take(b'"')?;
        let text = self.text;
        let start = self.at;
        self.skip_plain();
        let plain = text.get(start..self.at).ok_or(NotJson)?;
        if self.take(b'"').is_ok() {
            return Ok(Cow::Borrowed(plain));
        }
        let mut out = plain.to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(out));
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                // A control character.
                _ => return Err(NotJson),
            }
            let start = self.at;
            self.skip_plain();
            out.push_str(text.get(start..self.at).ok_or(NotJson)?);
        }
    }

    /// Skips the characters of a string that stand for themselves.
    fn skip_plain(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len());
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        let byte = self.peek().ok_or(NotJson)?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.code()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return char::from_u32(first).ok_or(NotJson);
                }
                // A pair of surrogates is one character.
                self.take(b'\\')?;
                self.take(b'u')?;
                let second = self.code()?;
                let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400).ok_or(NotJson)?;
                return char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low).ok_or(NotJson);
            }
            _ => return Err(NotJson),
        })
    }

    fn code(&mut self) -> Result<u32, NotJson> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(NotJson)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotJson);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| NotJson)
    }

    fn number(&mut self) -> Result<Value, NotJson> {
        let start = self.at;
        // A sign need not be there.
        let _ = self.take(b'-');
        match self.digits() {
            0 => return Err(NotJson),
            1 => {}
            _ if self.text.get(start..).is_some_and(|text| text.trim_start_matches('-').starts_with('0')) => {
                return Err(NotJson);
            }
            _ => {}
        }
        let mut is_whole = true;
        if self.take(b'.').is_ok() {
            is_whole = false;
            if self.digits() == 0 {
                return Err(NotJson);
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(NotJson);
            }
        }
        let written = self.text.get(start..self.at).ok_or(NotJson)?;
        if !is_whole {
            return written.parse().map(Value::Float).map_err(|_| NotJson);
        }
        match written.parse() {
            Ok(number) => Ok(Value::Integer(number)),
            Err(_) => written.parse().map(|whole| Rich::BigInteger(whole).into()).map_err(|_| NotJson),
        }
    }

    /// Skips digits, and returns their number.
    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_python() {
        let read = |text: &str| read_json(text).unwrap();
        assert_eq!(read("-7"), Value::Integer(-7));
        assert_eq!(read("7.0"), Value::Float(7.0));
        assert_eq!(read("1e400"), Value::Float(f64::INFINITY));
        assert_eq!(read("-0"), Value::Integer(0));
        assert_eq!(read("123456789012345678901234567890").to_text(), "123456789012345678901234567890");
        for wrong in ["01", "-", "1.", ".5", "1e", "+1", "0x1", "- 1", "1e+", "NaN", "Infinity"] {
            assert_eq!(read_json(wrong), Err(NotJson), "{wrong}");
        }
    }

    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        assert_eq!(read_json(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap().to_text(), r#"{"a"=>3, "b"=>2}"#);
    }

    #[test]
    fn text_behind_the_value_and_deep_nesting_are_errors() {
        assert!(read_json("{} x").is_err());
        assert!(read_json(&"[".repeat(100_000)).is_err());
        assert!(read_json(&format!("{}{}", "[".repeat(120), "]".repeat(120))).is_ok());
    }

    #[test]
    fn strings_and_collections_are_those_of_serde_json() {
        for text in [
            r#" { "a" : [ ] , "b" : { } , "c" : [ true , false , null ] } "#,
            r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é""#,
            r#"["\ud83d"]"#,
            r#"["\ud83d\u0041"]"#,
            r#"["\ude00"]"#,
            r#"["\u00g0"]"#,
            r#"["\u00"]"#,
            r#"["\x"]"#,
            "[\"a\nb\"]",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{a: 1}",
            "{\"a\" 1}",
            "[1 2]",
            "\"open",
            "[",
            "{",
            "{\"a\":",
            "",
            " ",
            "tru",
            "nulll",
            "\u{feff}1",
            "'a'",
            "[1.5, -2.5e-3, 1E5]",
        ] {
            let ours = read_json(text).map(|value| value.inspect()).ok();
            let theirs: Option<serde_json::Value> = serde_json::from_str(text).ok();
            assert_eq!(ours.is_some(), theirs.is_some(), "{text}");
        }
        assert_eq!(read_json(r#""\ud83d\ude00\u00e9\n""#), Ok(Value::from("\u{1f600}é\n")));
    }
}
