//! The parser.
//!
//! The gem's parser is a set of state machines that call each other, and its messages contain the line of the C file in
//! which one of them failed. The machines of arrays and documents raise errors themselves; an invalid object makes the
//! surrounding machine fail at the start of the object. [`JsonError`] makes this distinction.

use hieratic_source::Cursor;
use hieratic_value::{Rich, Value};

use super::{MAX_DEPTH, string};
use crate::number::{self, MAX_DIGITS, TooLong};
use crate::position_sink::{EntryPositions, PositionSink, TrackedHash};
use crate::{Error, Position};

/// The lines of the gem's source at which it raises an error, as its messages report them.
mod line {
    pub const NAN: u32 = 225;
    pub const INFINITY: u32 = 232;
    pub const MINUS_INFINITY: u32 = 249;
    pub const ARRAY: u32 = 451;
    pub const SURROGATE: u32 = 521;
    pub const TEXT: u32 = 859;
}

pub(super) fn read<T: PositionSink>(source: &[u8]) -> Result<(Value, T::Node), Error> {
    let mut reader =
        JsonReader::<T> { source, lines: Cursor::new(source), failed_at: None, tracks: std::marker::PhantomData };
    reader.text().map_err(|stop| match stop {
        JsonError::Error(error) => *error,
        JsonError::At(at) => reader.unexpected(line::TEXT, at),
    })
}

/// The reason why reading stops.
enum JsonError {
    /// No value can be read here. The caller decides whether that is an error.
    At(usize),
    /// An error that nothing around it changes.
    Error(Box<Error>),
}

type JsonResult<T> = Result<T, JsonError>;

struct JsonReader<'s, T> {
    source: &'s [u8],
    lines: Cursor<'s>,
    /// The position at which an object failed, which the gem does not report.
    failed_at: Option<usize>,
    tracks: std::marker::PhantomData<T>,
}

/// A value, its positions, and the offset at which the input continues.
type ParsedValue<T> = (Value, <T as PositionSink>::Node, usize);

impl<T: PositionSink> JsonReader<'_, T> {
    fn text(&mut self) -> JsonResult<(Value, T::Node)> {
        let start = self.ignore(0)?;
        let (value, node, end) = self.value(start, 0)?;
        let end = self.ignore(end)?;
        if end < self.source.len() {
            return Err(JsonError::At(end));
        }
        Ok((value, node))
    }

    fn value(&mut self, at: usize, depth: usize) -> JsonResult<ParsedValue<T>> {
        let rest = &self.source[at.min(self.source.len())..];
        let (value, length) = match rest {
            [b'{', ..] => return self.object(at, depth + 1),
            [b'[', ..] => return self.array(at, depth + 1),
            [b'"', ..] => {
                let end = string::end(self.source, at).ok_or(JsonError::At(at))?;
                (self.string(at, end)?, end - at)
            }
            [b'-' | b'0'..=b'9', ..] => self.number(at)?,
            [b'n', b'u', b'l', b'l', ..] => (Value::Undef, 4),
            [b't', b'r', b'u', b'e', ..] => (Value::Boolean(true), 4),
            [b'f', b'a', b'l', b's', b'e', ..] => (Value::Boolean(false), 5),
            [b'N', b'a', b'N', ..] => return self.fail(line::NAN, at, Some(at)),
            // The gem shows one character too many.
            [b'I', b'n', b'f', b'i', b'n', b'i', b't', b'y', ..] => {
                return self.fail(line::INFINITY, at, at.checked_sub(1));
            }
            _ => return Err(JsonError::At(at)),
        };
        let node = T::scalar(self.position(at));
        Ok((value, node, at + length))
    }

    fn array(&mut self, start: usize, depth: usize) -> JsonResult<ParsedValue<T>> {
        self.check_depth(start, depth)?;
        let (mut elements, mut nodes) = (Vec::new(), Vec::new());
        let position = self.position(start);
        match self.elements(start + 1, depth, &mut elements, &mut nodes) {
            Ok(end) => Ok((Value::from(elements), T::array(position, nodes.into_iter()), end)),
            Err(JsonError::At(at)) => Err(JsonError::Error(Box::new(self.unexpected(line::ARRAY, at)))),
            Err(error) => Err(error),
        }
    }

    fn elements(
        &mut self,
        at: usize,
        depth: usize,
        elements: &mut Vec<Value>,
        nodes: &mut Vec<T::Node>,
    ) -> JsonResult<usize> {
        let mut at = self.ignore(at)?;
        if self.source.get(at) == Some(&b']') {
            return Ok(at + 1);
        }
        loop {
            let (element, node, end) = self.value(at, depth)?;
            elements.push(element);
            nodes.push(node);
            at = self.ignore(end)?;
            match self.source.get(at) {
                Some(b',') => at = self.ignore(at + 1)?,
                Some(b']') => return Ok(at + 1),
                _ => return Err(JsonError::At(at)),
            }
        }
    }

    fn object(&mut self, start: usize, depth: usize) -> JsonResult<ParsedValue<T>> {
        self.check_depth(start, depth)?;
        let mut hash = TrackedHash::<T>::with_capacity(0);
        let position = self.position(start);
        match self.entries(start + 1, depth, &mut hash) {
            Ok(end) => {
                let (value, node) = hash.finish(position);
                Ok((value, node, end))
            }
            Err(JsonError::At(at)) => {
                self.failed_at.get_or_insert(at);
                Err(JsonError::At(start))
            }
            Err(error) => Err(error),
        }
    }

    fn entries(&mut self, at: usize, depth: usize, hash: &mut TrackedHash<T>) -> JsonResult<usize> {
        let mut at = self.ignore(at)?;
        if self.source.get(at) == Some(&b'}') {
            return Ok(at + 1);
        }
        loop {
            if self.source.get(at) != Some(&b'"') {
                return Err(JsonError::At(at));
            }
            let end = string::end(self.source, at).ok_or(JsonError::At(at))?;
            let key = self.string(at, end)?;
            let key_position = self.position(at);
            at = self.ignore(end)?;
            if self.source.get(at) != Some(&b':') {
                return Err(JsonError::At(at));
            }
            at = self.ignore(at + 1)?;
            let (value, node, end) = self.value(at, depth)?;
            hash.insert(key, value, EntryPositions { key: key_position, value: node });
            at = self.ignore(end)?;
            match self.source.get(at) {
                Some(b',') => at = self.ignore(at + 1)?,
                Some(b'}') => return Ok(at + 1),
                _ => return Err(JsonError::At(at)),
            }
        }
    }

    fn string(&mut self, start: usize, end: usize) -> JsonResult<Value> {
        let bytes = match string::unescape(self.source, start + 1, end - 1) {
            Ok(bytes) => bytes,
            Err(string::Incomplete(shown)) => {
                let message = format!("{}: incomplete surrogate pair at '{}'", line::SURROGATE, self.excerpt(shown));
                let error = Error::new(message).at(self.lines.position(start));
                return Err(JsonError::Error(Box::new(error)));
            }
        };
        Ok(match std::str::from_utf8(&bytes) {
            Ok(text) => Value::from(text),
            Err(_) => Rich::Binary(bytes.into_owned()).into(),
        })
    }

    /// A number and its length: a float where one can be read, otherwise the integer that it begins with.
    fn number(&mut self, start: usize) -> JsonResult<(Value, usize)> {
        let rest = &self.source[start..];
        if rest.starts_with(b"-Infinity") {
            return self.fail(line::MINUS_INFINITY, start, Some(start));
        }
        let negative = rest[0] == b'-';
        let sign = usize::from(negative);
        let digits = |at: usize| rest[at.min(rest.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole = match rest.get(sign) {
            // After a zero no digit may follow.
            Some(b'0') if digits(sign) == 1 => sign + 1,
            Some(b'1'..=b'9') => sign + digits(sign),
            _ => return Err(JsonError::At(start)),
        };
        if let Some(end) = float_end(rest, whole, digits) {
            let text = String::from_utf8_lossy(&rest[..end]);
            // Every such text is a float to Rust too.
            return Ok((Value::Float(text.parse().unwrap_or(f64::NAN)), end));
        }
        match number::integer(negative, &rest[sign..whole], 10) {
            Ok(value) => Ok((value, whole)),
            Err(TooLong) => {
                let message = format!("an integer has more than {MAX_DIGITS} digits");
                Err(JsonError::Error(Box::new(Error::new(message).at(self.lines.position(start)))))
            }
        }
    }

    /// Skips space and comments.
    fn ignore(&self, mut at: usize) -> JsonResult<usize> {
        loop {
            match self.source.get(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'/') => at = self.comment(at)?,
                _ => return Ok(at),
            }
        }
    }

    fn comment(&self, at: usize) -> JsonResult<usize> {
        let end = self.source.len();
        let body = &self.source[(at + 2).min(end)..];
        let length = match self.source.get(at + 1) {
            Some(b'*') => body.windows(2).position(|two| two == b"*/").map(|length| length + 2),
            // A comment must end with its line; the end of the text does not do.
            Some(b'/') => body.iter().position(|&byte| byte == b'\n').map(|length| length + 1),
            Some(_) => return Err(JsonError::At(at + 1)),
            None => None,
        };
        length.map(|length| at + 2 + length).ok_or(JsonError::At(end))
    }

    fn check_depth(&mut self, at: usize, depth: usize) -> JsonResult<()> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        let error = Error::new(format!("nesting of {depth} is too deep")).at(self.lines.position(at));
        Err(JsonError::Error(Box::new(error)))
    }

    fn fail<V>(&mut self, line: u32, at: usize, shown: Option<usize>) -> JsonResult<V> {
        let text = shown.map(|shown| self.excerpt(shown)).unwrap_or_default();
        let error = Error::new(format!("{line}: unexpected token at '{text}'")).at(self.lines.position(at));
        let error = error.with_reason("NaN and Infinity are not valid JSON");
        Err(JsonError::Error(Box::new(error.with_hint("JSON does not have this number; write null or a string"))))
    }

    fn unexpected(&mut self, line: u32, at: usize) -> Error {
        let error = Error::new(format!("{line}: unexpected token at '{}'", self.excerpt(at)));
        // The position of the failed object is more useful than the beginning of those around it.
        let at = self.failed_at.unwrap_or(at);
        let error = error.at(self.lines.position(at));
        let before = self.source[..at.min(self.source.len())].trim_ascii_end().last();
        let error = error.with_reason(match (self.source.get(at), before) {
            (None, None) => "The file is empty".to_owned(),
            (None, _) => "The file ends too early".to_owned(),
            (Some(b'"'), Some(b':' | b',' | b'[' | b'{')) => "A string is not valid".to_owned(),
            (Some(b'-' | b'0'..=b'9'), Some(b':' | b',' | b'[')) => "A number is not valid".to_owned(),
            _ => format!("Unexpected {}", self.token(at)),
        });
        match (self.source.get(at), before) {
            (Some(b'}' | b']'), Some(b',')) => error.with_hint("remove the comma after the last element"),
            (Some(b'\''), _) => error.with_hint("use double quotes"),
            (Some(b'#'), _) => error.with_hint("comments are written // or /* */"),
            (Some(b'"' | b'{' | b'[' | b'0'..=b'9'), Some(b'"' | b'}' | b']' | b'0'..=b'9')) => {
                error.with_hint("write a comma between elements, and a colon after a key")
            }
            (Some(b'"'), Some(b':' | b',' | b'[' | b'{')) => {
                error.with_hint("close it on its line; write a line break as \\n, a tab as \\t and a backslash as \\\\")
            }
            (Some(b'0'), _) => error.with_hint("write the number without leading zeros, or as a string"),
            (Some(b'A'..=b'Z' | b'a'..=b'z' | b'_'), Some(b'{')) => error.with_hint("write keys in double quotes"),
            (Some(b'A'..=b'Z' | b'a'..=b'z' | b'_'), Some(b':' | b'[' | b',')) => {
                error.with_hint("write strings in double quotes; the only words are true, false and null")
            }
            (None, None) => error.with_hint("write {} for no keys"),
            (None, _) => error.with_hint("unexpected end: close brackets, quotes and comments"),
            (Some(0xef), None) => error.with_hint("save the file without a byte order mark"),
            _ => error,
        }
    }

    /// The word or the character at a place, as a message names it.
    fn token(&self, at: usize) -> String {
        let rest = &self.source[at.min(self.source.len())..];
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let word = rest.iter().take(LONGEST_WORD).take_while(is_word).count();
        match (word, String::from_utf8_lossy(&rest[..word.max(rest.len().min(4))]).chars().next()) {
            (0, Some('\'')) => "single quote".to_owned(),
            (0, Some(character)) if character.is_control() => "control character".to_owned(),
            (0, Some(character)) => format!("'{character}'"),
            _ => format!("'{}'", String::from_utf8_lossy(&rest[..word])),
        }
    }

    /// The rest of the text as a message shows it: up to the first zero byte.
    fn excerpt(&self, at: usize) -> String {
        let rest = &self.source[at.min(self.source.len())..];
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    fn position(&mut self, at: usize) -> Position {
        if size_of::<T::Node>() == 0 { Position::START } else { self.lines.position(at) }
    }
}

/// The number of characters of a word that a message shows.
const LONGEST_WORD: usize = 40;

/// The end of a float whose integral part ends at `whole`. Returns `None` if it is not a float, or if more of a number
/// follows.
fn float_end(rest: &[u8], whole: usize, digits: impl Fn(usize) -> usize) -> Option<usize> {
    let mut end = whole;
    if rest.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent == 0 {
            return None;
        }
        end += 1 + sign + exponent;
    }
    if end == whole || matches!(rest.get(end), Some(b'0'..=b'9' | b'e' | b'E' | b'.' | b'-')) {
        return None;
    }
    Some(end)
}
