//! [`parse_json`]: a parser of JSON, as Python's `json`.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hieratic_value::collections::HashMap;

use super::{Json, JsonTree, Kind, NEXT_SHAPE, Node, PLACE_BITS, Shape, TAG_START, unescape};

/// The deepest nesting of lists and objects.
const MAX_DEPTH: usize = 128;

/// The most digits of an integer: Python converts no more.
const MAX_DIGITS: usize = 4_300;

/// The most digits that always fit into 64 bits.
const SMALL_DIGITS: usize = 18;

/// The number of bytes for each node that records have at least. A table of nodes that grows is copied, and memory that
/// is never touched costs nothing.
const BYTES_PER_NODE: usize = 6;

/// The most keys of an object that are compared with each other to find a repeated one.
const FEW_KEYS: usize = 8;

/// The reason why a string is not JSON. The caller reads it as YAML then, which reports the error with its place.
#[derive(Debug, PartialEq, Eq)]
struct NotJson;

/// A string that is not JSON.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// The string.
    pub text: String,
    /// The number of bytes that were read.
    pub at: usize,
}

/// Parses JSON. Of a key that is repeated in an object, the last value counts.
pub(crate) fn parse_json(text: String) -> Result<Json, Rejected> {
    // Nodes have short indices.
    if text.len() >> PLACE_BITS > 0 {
        return Err(Rejected { text, at: 0 });
    }
    let nodes = Vec::with_capacity(text.len() / BYTES_PER_NODE);
    let mut parser = Parser { text: &text, nodes, ..Parser::default() };
    match parser.document() {
        Ok(node) => {
            let Parser { nodes, keys, may_have_templates, may_have_tags, .. } = parser;
            let first_shape = NEXT_SHAPE.fetch_add(keys.len() as u64, Ordering::Relaxed);
            Ok(Json {
                tree: Arc::new(JsonTree { text, nodes, keys, first_shape, may_have_templates, may_have_tags }),
                node,
            })
        }
        Err(NotJson) => {
            let at = parser.at.min(text.len());
            Err(Rejected { text, at })
        }
    }
}

/// The state of a parse.
#[derive(Default)]
struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
    keys: Vec<Node>,
    /// The nodes in lists and objects that are not closed yet.
    open: Vec<Node>,
    /// The keys of objects that are not closed yet, without those that have the keys of the object before.
    open_keys: Vec<Node>,
    /// The last object at each depth.
    last: Vec<KnownKeys>,
    may_have_templates: bool,
    may_have_tags: bool,
}

/// The keys of an object.
#[derive(Clone, Copy, Default)]
struct KnownKeys {
    shape: Shape,
    count: usize,
}

/// The bytes that end a run of ordinary ones in a string: those that end the string, begin an escape or may begin a
/// template, and those that are not allowed.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        stops[byte] = true;
        byte += 1;
    }
    stops[b'"' as usize] = true;
    stops[b'\\' as usize] = true;
    stops[b'{' as usize] = true;
    stops
};

impl Parser<'_> {
    fn document(&mut self) -> Result<Node, NotJson> {
        let node = self.value(0)?;
        self.skip_white();
        if self.at == self.text.len() { Ok(node) } else { Err(NotJson) }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_white(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, NotJson> {
        self.skip_white();
        match self.byte() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.list(depth + 1),
            Some(b't') => self.word("true", Kind::True),
            Some(b'f') => self.word("false", Kind::False),
            Some(b'n') => self.word("null", Kind::Null),
            // Python reads these as floats.
            Some(b'N') => self.word("NaN", Kind::Number),
            Some(b'I') => self.word("Infinity", Kind::Number),
            _ => Err(NotJson),
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Node, NotJson> {
        let start = self.at;
        self.at += word.len();
        if self.text.get(start..self.at) == Some(word) { Ok(self.node(kind, start)) } else { Err(NotJson) }
    }

    /// A scalar from a position to the current one.
    fn node(&self, kind: Kind, start: usize) -> Node {
        Node::new(kind, start, self.at - start)
    }

    fn string(&mut self) -> Result<Node, NotJson> {
        self.at += 1;
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut kind = Kind::Plain;
        self.may_have_templates |= self.byte() == Some(b'#');
        loop {
            while !STOPS[usize::from(*bytes.get(self.at).ok_or(NotJson)?)] {
                self.at += 1;
            }
            match self.byte() {
                Some(b'"') => {
                    let node = self.node(kind, start);
                    self.at += 1;
                    return Ok(node);
                }
                Some(b'{') => {
                    self.at += 1;
                    self.may_have_templates |= matches!(self.byte(), Some(b'{' | b'%' | b'#' | b'\\'));
                }
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    self.escape()?;
                }
                _ => return Err(NotJson),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NotJson> {
        self.at += 2;
        match self.text.as_bytes().get(self.at - 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => match self.unit()? {
                0xD800..0xDC00 => {
                    self.at += 2;
                    let is_pair = self.text.get(self.at - 2..self.at) == Some("\\u");
                    if is_pair && (0xDC00..0xE000).contains(&self.unit()?) { Ok(()) } else { Err(NotJson) }
                }
                0xDC00..0xE000 => Err(NotJson),
                code => {
                    self.may_have_templates |= code < 0x80;
                    Ok(())
                }
            },
            _ => Err(NotJson),
        }
    }

    fn unit(&mut self) -> Result<u32, NotJson> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(NotJson)?;
        self.at += 4;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_number).ok_or(NotJson)
    }

    fn number(&mut self) -> Result<Node, NotJson> {
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        let first = self.byte();
        if first == Some(b'I') {
            self.word("Infinity", Kind::Number)?;
            return Ok(self.node(Kind::Number, start));
        }
        let digits = self.digits()?;
        if first == Some(b'0') && digits > 1 {
            return Err(NotJson);
        }
        let mut is_whole = true;
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
            is_whole = false;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
            is_whole = false;
        }
        if is_whole && digits > MAX_DIGITS {
            return Err(NotJson);
        }
        // `-0` is `0`.
        let is_small = is_whole && digits <= SMALL_DIGITS && (first != Some(b'0') || self.at == start + 1);
        Ok(self.node(if is_small { Kind::Small } else { Kind::Number }, start))
    }

    /// Skips digits, at least one, and returns how many there are.
    fn digits(&mut self) -> Result<usize, NotJson> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        if self.at == start { Err(NotJson) } else { Ok(self.at - start) }
    }

    fn list(&mut self, depth: usize) -> Result<Node, NotJson> {
        let mark = self.begin(depth)?;
        if self.byte() == Some(b']') {
            return Ok(self.end(Kind::List, mark));
        }
        loop {
            let item = self.value(depth)?;
            self.open.push(item);
            self.skip_white();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b']') => return Ok(self.end(Kind::List, mark)),
                _ => return Err(NotJson),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Node, NotJson> {
        let mark = self.begin(depth)?;
        if self.byte() == Some(b'}') {
            self.at += 1;
            return Ok(Node::new(Kind::Object, 0, 0));
        }
        let last = self.last.get(depth).copied().unwrap_or_default();
        let key_mark = self.open_keys.len();
        let mut known = Some(0);
        loop {
            self.skip_white();
            if self.byte() != Some(b'"') {
                return Err(NotJson);
            }
            match known.filter(|at| self.skip_known_key(last, *at)) {
                Some(at) => known = Some(at + 1),
                None => {
                    self.open_known_keys(last, known.take());
                    let key = self.key()?;
                    self.open_keys.push(key);
                }
            }
            self.skip_white();
            if self.byte() != Some(b':') {
                return Err(NotJson);
            }
            self.at += 1;
            let value = self.value(depth)?;
            self.open.push(value);
            self.skip_white();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(NotJson),
            }
        }
        let shape = if known == Some(last.count) {
            last.shape
        } else {
            self.open_known_keys(last, known);
            self.drop_repeated(mark, key_mark);
            // There are fewer keys than bytes.
            let shape = Shape(self.keys.len() as u32);
            self.keys.extend(self.open_keys.drain(key_mark..));
            self.last.resize(self.last.len().max(depth + 1), KnownKeys::default());
            if let Some(last) = self.last.get_mut(depth) {
                *last = KnownKeys { shape, count: self.open.len() - mark };
            }
            shape
        };
        self.nodes.push(shape.into());
        let inside = self.end(Kind::Object, mark);
        Ok(Node::new(Kind::Object, inside.start() - 1, inside.size()))
    }

    fn key(&mut self) -> Result<Node, NotJson> {
        let key = self.string()?;
        self.may_have_tags |= key.size() >= TAG_START.len()
            && (key.kind() == Kind::Escaped
                || self.text.get(key.start()..).is_some_and(|text| text.starts_with(TAG_START)));
        Ok(key)
    }

    /// Skips the key that the last object of this depth has at an index, if it is the next one.
    #[inline]
    fn skip_known_key(&mut self, last: KnownKeys, at: usize) -> bool {
        let Some(key) = self.keys.get(last.shape.0 as usize + at).filter(|_| at < last.count) else { return false };
        let bytes = self.text.as_bytes();
        let (start, end) = (self.at + 1, self.at + 1 + key.size());
        // A key ends with a whole escape, so that the quote ends the string.
        let is_next =
            bytes.get(end) == Some(&b'"') && bytes.get(start..end) == bytes.get(key.start()..key.start() + key.size());
        if is_next {
            self.at = end + 1;
        }
        is_next
    }

    /// Copies the keys that are those of the last object of this depth, whose other keys are different.
    fn open_known_keys(&mut self, last: KnownKeys, known: Option<usize>) {
        let first = last.shape.0 as usize;
        let keys = self.keys.get(first..first + known.unwrap_or(0)).unwrap_or_default();
        self.open_keys.extend_from_slice(keys);
    }

    fn begin(&mut self, depth: usize) -> Result<usize, NotJson> {
        if depth > MAX_DEPTH {
            return Err(NotJson);
        }
        self.at += 1;
        self.skip_white();
        Ok(self.open.len())
    }

    /// Ends a list or an object whose nodes are open from a mark on.
    fn end(&mut self, kind: Kind, mark: usize) -> Node {
        self.at += 1;
        let start = self.nodes.len();
        let inside = self.open.get(mark..).unwrap_or_default();
        let size = inside.len();
        // Most are short.
        for node in inside {
            self.nodes.push(*node);
        }
        self.open.truncate(mark);
        Node::new(kind, start, size)
    }

    /// Removes repeated keys of the open object: the first place and the last value count.
    fn drop_repeated(&mut self, mark: usize, key_mark: usize) {
        let text = self.text;
        let key = |node: &Node| {
            let text = text.get(node.start()..node.start() + node.size()).unwrap_or_default();
            if node.kind() == Kind::Escaped { Cow::Owned(unescape(text)) } else { Cow::Borrowed(text) }
        };
        let keys = self.open_keys.get(key_mark..).unwrap_or_default();
        if keys.len() <= FEW_KEYS && keys.iter().all(|key| key.kind() == Kind::Plain) {
            let same = |one: &Node, other: &Node| one.size() == other.size() && key(one) == key(other);
            if !keys.iter().enumerate().any(|(at, known)| keys.iter().take(at).any(|other| same(known, other))) {
                return;
            }
        }
        let values = self.open.get(mark..).unwrap_or_default();
        let mut places = HashMap::default();
        let (mut kept_keys, mut kept): (Vec<Node>, Vec<Node>) = Default::default();
        for (name, value) in keys.iter().zip(values) {
            let place = *places.entry(key(name)).or_insert(kept.len());
            match kept.get_mut(place) {
                Some(known) => *known = *value,
                None => {
                    kept_keys.push(*name);
                    kept.push(*value);
                }
            }
        }
        self.open_keys.truncate(key_mark);
        self.open_keys.extend(kept_keys);
        self.open.truncate(mark);
        self.open.extend(kept);
    }
}

#[cfg(test)]
mod tests {
    use hieratic_value::Value;

    use super::super::number;
    use super::*;

    fn read_json(text: &str) -> Result<Value, NotJson> {
        parse_json(text.to_owned()).map(|json| json.view().to_data()).map_err(|_| NotJson)
    }

    #[test]
    fn numbers_are_those_of_python() {
        let read = |text: &str| read_json(text).unwrap();
        assert_eq!(read("-7"), Value::Integer(-7));
        assert_eq!(read("7.0"), Value::Float(7.0));
        assert_eq!(read("1e400"), Value::Float(f64::INFINITY));
        assert_eq!(read("-0"), Value::Integer(0));
        assert_eq!(read("0"), Value::Integer(0));
        assert_eq!(read("[Infinity, -Infinity]").to_text(), "[Infinity, -Infinity]");
        assert!(matches!(read("NaN"), Value::Float(number) if number.is_nan()));
        assert_eq!(read("9223372036854775807"), Value::Integer(i64::MAX));
        assert_eq!(read("123456789012345678901234567890").to_text(), "123456789012345678901234567890");
        for wrong in ["01", "-", "1.", ".5", "1e", "+1", "0x1", "- 1", "1e+", "-01", "00", "nan", "-NaN", "Inf"] {
            assert_eq!(read_json(wrong), Err(NotJson), "{wrong}");
        }
        assert!(read_json(&"1".repeat(MAX_DIGITS)).is_ok());
        assert!(read_json(&"1".repeat(MAX_DIGITS + 1)).is_err());
    }

    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        assert_eq!(read_json(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap().to_text(), r#"{"a"=>3, "b"=>2}"#);
        assert_eq!(read_json(r#"{"a": 1, "b": 2, "\u0061": [3]}"#).unwrap().to_text(), r#"{"a"=>[3], "b"=>2}"#);
        let many: Vec<String> = (0..100).map(|at| format!(r#""k{}": {at}"#, at % 60)).collect();
        let read = read_json(&format!("{{{}}}", many.join(", "))).unwrap();
        let hash = read.as_hash().unwrap();
        assert_eq!((hash.len(), hash.get("k0"), hash.get("k59")), (60, Some(&60.into()), Some(&59.into())));
    }

    #[test]
    fn objects_in_sequence_share_equal_keys() {
        let read = |text: &str| read_json(text).unwrap().to_text();
        let text = r#"[{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"a": 5}, {"a": 6, "b": 7, "c": 8}, {"b": 9, "a": 10}, {}, {"b": 1}]"#;
        assert_eq!(
            read(text),
            r#"[{"a"=>1, "b"=>2}, {"a"=>3, "b"=>4}, {"a"=>5}, {"a"=>6, "b"=>7, "c"=>8}, {"b"=>9, "a"=>10}, {}, {"b"=>1}]"#
        );
        let nested = r#"[{"a": {"a": 1, "x": {"a": 2}}, "b": 3}, {"a": {"a": 4, "a": 5}, "b": {"a": 6}}, {"ab": 7, "a\u0062": 8}]"#;
        assert_eq!(
            read(nested),
            r#"[{"a"=>{"a"=>1, "x"=>{"a"=>2}}, "b"=>3}, {"a"=>{"a"=>5}, "b"=>{"a"=>6}}, {"ab"=>8}]"#
        );
        let json = parse_json(r#"[{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"a": 5, "c": 6}]"#.to_owned()).unwrap();
        assert_eq!(json.tree.keys.len(), 4);
    }

    #[test]
    fn keys_are_found_in_objects_of_different_documents() {
        use crate::objects::Key;
        let documents = [r#"{"b": 1, "a": 2}"#, r#"{"a": 3, "b": 4}"#, r#"{"c": 5}"#]
            .map(|text| parse_json(text.to_owned()).unwrap());
        let key = Key::new("b".into(), false);
        for _ in 0..2 {
            let found = documents.each_ref().map(|json| json.view().find(&key));
            assert_eq!(found, [Some(0), Some(1), None]);
        }
    }

    #[test]
    fn text_behind_the_value_and_deep_nesting_are_errors() {
        assert!(read_json("{} x").is_err());
        assert!(read_json(&"[".repeat(100_000)).is_err());
        assert!(read_json(&format!("{}{}", "[".repeat(120), "]".repeat(120))).is_ok());
        assert!(read_json(&format!("{}{}", "[".repeat(129), "]".repeat(129))).is_err());
    }

    #[test]
    fn templates_are_found() {
        let is_template = |text: &str| text.contains("{{");
        for (text, found) in [
            (r#"{"a": "{{ b }}"}"#, true),
            (r#"{"a": ["x", {"b": "\u007b{ b }}"}]}"#, true),
            (r#"{"a": ["x", {"b": "{\u007b b }}"}]}"#, true),
            (r#"{"a": "{ b }"}"#, false),
            (r##"{"a": "#x", "b": "{% c %}"}"##, false),
        ] {
            assert_eq!(parse_json(text.to_owned()).unwrap().view().has_template(is_template), found, "{text}");
        }
    }

    fn plain(value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::Undef,
            serde_json::Value::Bool(truth) => Value::Boolean(*truth),
            serde_json::Value::Number(digits) => number(&digits.to_string()),
            serde_json::Value::String(text) => Value::from(&**text),
            serde_json::Value::Array(items) => items.iter().map(plain).collect(),
            serde_json::Value::Object(entries) => {
                Value::Hash(entries.iter().map(|(key, value)| (&**key, plain(value))).collect())
            }
        }
    }

    fn check(text: &str) {
        let theirs = serde_json::from_str(text).map(|value| plain(&value)).ok();
        assert_eq!(read_json(text).ok(), theirs, "{text}");
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
            r#"["\u+123"]"#,
            r#"["\x"]"#,
            "[\"a\nb\"]",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{a: 1}",
            "{\"a\" 1}",
            "[1 2]",
            "\"open",
            "\"\\",
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
            check(text);
        }
        assert_eq!(read_json(r#""\ud83d\ude00\u00e9\n""#), Ok(Value::from("\u{1f600}é\n")));
    }

    proptest::proptest! {
        #[test]
        fn random_documents_are_read_as_by_serde_json(text in r#"([\[\]{},: ]|"[a-c\\"/u{0-9é]{0,5}"|-?[0-9]{1,3}|[0-9.eE+-]{1,6}|true|null){0,20}"#) {
            check(&text);
        }

        #[test]
        fn random_strings_are_read_as_by_serde_json(text in r#""([ -~é😀]|\\[bfnrtu"/\\x]|\\u[0-9a-f]{4}|\\ud8[0-9a-f]{2}\\ud[c-f][0-9a-f]{2}){0,9}""#) {
            check(&text);
        }
    }
}
