//! [`Key`]: a lookup key with its path into the value.
//!
//! `a.b.0` digs into the value of `a`: segments are separated by dots, quoted where they contain one, and integers
//! index arrays. See <https://www.puppet.com/docs/puppet/8/hiera_automatic.html#access_hash_array_elements_keysubkey_notation>.

use std::fmt;
use std::hash::BuildHasher;

use hieratic_value::collections::FixedState;
use hieratic_value::{Str, Value};
use indexmap::map::raw_entry_v1::RawEntryApiV1;

use crate::Error;
use crate::codes;
use crate::interner::KeyId;

/// The reserved key that holds options for other keys.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A key of a hash.
    Name(Str),
    /// An index of an array, or an integer key of a hash.
    Index(i64),
}

impl Segment {
    /// Converts the segment to the key of a hash.
    pub fn to_value(&self) -> Value {
        match self {
            Segment::Name(name) => Value::String(name.clone()),
            Segment::Index(index) => Value::Integer(*index),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Name(name) => out.write_str(name),
            Segment::Index(index) => write!(out, "{index}"),
        }
    }
}

/// A lookup key: the key of the data, and the path to dig into its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    text: Str,
    root: Str,
    segments: Box<[Segment]>,
    /// The end of the module's name in the root, if the root is qualified.
    module: Option<usize>,
    /// The hash of the root as a key of data. It is computed once because many tables are searched.
    hash: u64,
    /// The [id](crate::interner::KeyInterner) of the root, if it is known.
    id: Option<KeyId>,
}

impl Key {
    /// Parses a key.
    ///
    /// ```
    /// use hieratic_hiera::Key;
    /// let key = Key::parse("ntp::servers.'a.b'.0")?;
    /// assert_eq!(&**key.root(), "ntp::servers");
    /// assert_eq!(key.module(), Some("ntp"));
    /// assert_eq!(key.segments().len(), 2);
    /// # Ok::<(), hieratic_hiera::Error>(())
    /// ```
    ///
    /// # Errors
    /// Quotes are unbalanced, a segment is empty, or the first segment is an integer.
    pub fn parse(text: &str) -> Result<Key, Error> {
        let text: Str = text.into();
        let (root, segments) = match split(&text)? {
            None => (text.clone(), Box::default()),
            Some(mut all) => match all.remove(0) {
                Segment::Name(root) => (root, all.into_boxed_slice()),
                Segment::Index(index) => {
                    let message = format!("undefined method `index' for {index}:Integer");
                    return Err(Error::fatal(codes::KEY_SYNTAX, message)
                        .help("a key cannot begin with a number and a dot; quote it: `'1'.a`"));
                }
            },
        };
        // A root that begins with the colons is its own module, by the reference's arithmetic.
        let colons = root.as_bytes().windows(2).position(|pair| pair == b"::");
        let module = colons.map(|end| if end == 0 { root.len() } else { end });
        let (root, hash) = with_hash(root);
        Ok(Key { text, root, segments, module, hash, id: None })
    }

    /// The key that holds the options of other keys.
    pub(crate) fn lookup_options() -> Key {
        let text: Str = LOOKUP_OPTIONS.into();
        let (root, hash) = with_hash(text.clone());
        Key { root, text, segments: Box::default(), module: None, hash, id: None }
    }

    /// Returns the key as it was parsed.
    pub fn text(&self) -> &Str {
        &self.text
    }

    /// Returns the key of the data, without the path.
    pub fn root(&self) -> &Str {
        &self.root
    }

    /// Returns the path into the value.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Sets the id of the root.
    pub(crate) fn with_id(self, id: KeyId) -> Key {
        Key { id: Some(id), ..self }
    }

    pub(crate) fn id(&self) -> Option<KeyId> {
        self.id
    }

    /// Returns the module that a qualified key (`module::name`) belongs to.
    pub fn module(&self) -> Option<&str> {
        self.module.map(|end| &self.root[..end])
    }
}

/// Returns a string with its hash as a key of data.
fn with_hash(text: Str) -> (Str, u64) {
    // Moved in and out again: counting a reference takes as long as the hash.
    let value = Value::String(text);
    let hash = FixedState.hash_one(&value);
    (if let Value::String(text) = value { text } else { Str::default() }, hash)
}

/// Returns the hash of a string as a key of data.
pub(crate) fn hash_of(text: &str) -> u64 {
    with_hash(text.into()).1
}

/// Returns the position of a key's root in a table.
pub(crate) fn position<V>(map: &indexmap::IndexMap<Value, V, FixedState>, key: &Key) -> Option<usize> {
    position_of(map, &key.root, key.hash)
}

/// Returns the position of a string with a known hash in a table.
pub(crate) fn position_of<V>(map: &indexmap::IndexMap<Value, V, FixedState>, text: &str, hash: u64) -> Option<usize> {
    map.raw_entry_v1().index_from_hash(hash, |other: &Value| matches!(other, Value::String(other) if **other == *text))
}

/// Splits a string into segments. `None` if it has no dot and no quote, so that all of it is one segment.
pub(crate) fn split(text: &str) -> Result<Option<Vec<Segment>>, Error> {
    if !text.bytes().any(|byte| matches!(byte, b'\'' | b'"' | b'.')) {
        return Ok(None);
    }
    let malformed = || {
        Error::lookup(codes::KEY_SYNTAX, format!("Syntax error in key: '{text}'"))
            .help("separate segments with single dots; quote segments that contain a dot or a quote: `a.'b.c'`")
    };
    let mut segments = Vec::new();
    let mut rest = text;
    loop {
        let count = segment_length(rest);
        if count == 0 {
            return Err(malformed());
        }
        segments.push(segment(&rest[..count]));
        rest = &rest[count..];
        if rest.is_empty() {
            return Ok(Some(segments));
        }
        rest = rest.strip_prefix('.').ok_or_else(malformed)?;
    }
}

/// Returns the length in bytes of the first segment: a quoted string with space around it, or everything up to the next
/// dot or quote.
fn segment_length(text: &str) -> usize {
    let trimmed = text.trim_start_matches(is_space);
    let space = text.len() - trimmed.len();
    for quote in ['"', '\''] {
        if let Some(inside) = trimmed.strip_prefix(quote)
            && let Some(end) = inside.find(quote)
            && end > 0
        {
            let after = &inside[end + 1..];
            let space_after = after.len() - after.trim_start_matches(is_space).len();
            return space + 1 + end + 1 + space_after;
        }
    }
    text.find(['\'', '"', '.']).unwrap_or(text.len())
}

/// Returns whether Ruby's `\s` matches.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}')
}

fn segment(text: &str) -> Segment {
    let text = strip(text);
    if text.starts_with(['"', '\'']) && text.len() >= 2 {
        return Segment::Name(text[1..text.len() - 1].into());
    }
    let digits = text.strip_prefix(':').unwrap_or(text);
    let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // With a colon in front, Ruby's `to_i` returns 0. An index beyond 64 bits is out of every array's range.
        let number = if text.starts_with(':') { 0 } else { text.parse().unwrap_or(i64::MAX) };
        return Segment::Index(number);
    }
    Segment::Name(text.into())
}

/// Ruby's `strip`: removes whitespace and null characters at both ends.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(|c| is_space(c) || c == '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, Error> {
        Ok(split(text)?.map_or(vec![text.into()], |all| all.iter().map(|segment| format!("{segment:?}")).collect()))
    }

    #[test]
    fn segments_are_split_at_dots_outside_quotes() {
        assert_eq!(names("a b"), Ok(vec!["a b".into()]));
        assert_eq!(names("a.b"), Ok(vec![r#"Name("a")"#.into(), r#"Name("b")"#.into()]));
        assert_eq!(names("a.'b.c' . 1"), Ok(vec![r#"Name("a")"#.into(), r#"Name("b.c")"#.into(), "Index(1)".into()]));
        assert_eq!(
            names("a.\"1\".+1.-2.01"),
            Ok(vec![
                r#"Name("a")"#.into(),
                r#"Name("1")"#.into(),
                "Index(1)".into(),
                "Index(-2)".into(),
                "Index(1)".into()
            ])
        );
    }

    #[test]
    fn dots_and_quotes_that_do_not_fit_are_errors() {
        for text in ["a.", ".a", "a..b", ".", "'a", "a'b'", "''", "a.''", "'a'b"] {
            assert_eq!(names(text).unwrap_err().to_string(), format!("Syntax error in key: '{text}'"));
        }
    }

    #[test]
    fn a_root_is_found_by_the_hash_of_its_key() {
        let names = ["a", "profile::web::port", "", "1", "lookup_options"];
        for count in 0..names.len() {
            let map: hieratic_value::Map =
                names[..count].iter().map(|name| (Value::from(*name), Value::Undef)).collect();
            for (index, name) in names.iter().enumerate() {
                let (root, hash) = with_hash((*name).into());
                let key = Key { text: root.clone(), root, segments: Box::default(), module: None, hash, id: None };
                assert_eq!(position(&map, &key), (index < count).then_some(index), "{name}");
            }
        }
        assert_eq!(Key::lookup_options(), Key::parse(LOOKUP_OPTIONS).unwrap());
    }

    #[test]
    fn a_qualified_root_names_its_module() {
        assert_eq!(Key::parse("::x").map(|key| key.module().map(String::from)), Ok(Some("::x".into())));
        assert_eq!(Key::parse("a::b::c").map(|key| key.module().map(String::from)), Ok(Some("a".into())));
    }

    #[test]
    fn a_root_is_no_integer() {
        assert_eq!(Key::parse("1.a").unwrap_err().to_string(), "undefined method `index' for 1:Integer");
    }
}
