//! [`JsonTree`]: a parsed JSON document whose values are converted on first use.
//!
//! Files of variables can be large, and a template uses little of them. The tree has one small node for each value,
//! which refers to the document. Numbers follow Python's `json`: integers have any size, and floats that are too large
//! are infinite.

mod parser;

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hieratic_value::collections::HashSet;
use hieratic_value::{Rich, Str, Value};

use crate::objects::Key;

pub(crate) use parser::{Rejected, parse_json};

/// The number of strings that are shared. Rows of a table repeat a few; more would only cost memory.
const MOST_SHARED: usize = 1_024;

/// The length of the longest string that is shared.
const LONGEST_SHARED: usize = 32;

/// The most entries of an object that are searched one by one; others are converted to hash tables.
const LINEAR_SEARCH_LIMIT: usize = 64;

/// The start of keys that have a meaning for Ansible.
pub(crate) const TAG_START: &str = "__ansible_";

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    True,
    False,
    /// An integer of few digits, as Python prints it.
    Small,
    /// Another number.
    Number,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    List,
    Object,
}

/// A value.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The start in the document; of a list or an object, the index of the first node in it.
    start: u32,
    /// The number of bytes, items or entries. An entry has two nodes.
    size: u32,
}

/// A JSON document.
pub struct JsonTree {
    text: String,
    /// The nodes in lists and objects, those of each in sequence.
    nodes: Vec<Node>,
    /// Whether a string may be a template of Ansible.
    may_have_templates: bool,
    /// Whether an object may have a key with a meaning for Ansible.
    may_have_tags: bool,
}

impl fmt::Debug for JsonTree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "JsonTree({} nodes)", self.nodes.len())
    }
}

/// A value of a document.
#[derive(Clone, Debug)]
pub struct Json {
    tree: Arc<JsonTree>,
    node: Node,
}

/// A value of a document, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct JsonView<'t> {
    tree: &'t Arc<JsonTree>,
    node: Node,
}

impl Json {
    /// Borrows the value.
    pub(crate) fn view(&self) -> JsonView<'_> {
        JsonView { tree: &self.tree, node: self.node }
    }
}

impl<'t> JsonView<'t> {
    /// Returns the value with a share of the document.
    pub(crate) fn own(self) -> Json {
        Json { tree: self.tree.clone(), node: self.node }
    }

    /// Returns whether the value is a list.
    pub(crate) fn is_list(self) -> bool {
        self.node.kind == Kind::List
    }

    /// Returns whether the value is an object.
    pub(crate) fn is_object(self) -> bool {
        self.node.kind == Kind::Object
    }

    /// The number of items or entries.
    pub(crate) fn count(self) -> usize {
        if self.is_list() || self.is_object() { self.node.size as usize } else { 0 }
    }

    /// The item of a list, or the value of an entry.
    pub(crate) fn at(self, at: usize) -> Option<JsonView<'t>> {
        let places = if self.is_object() { 2 * at + 1 } else { at };
        if at < self.count() { self.node_at(places) } else { None }
    }

    /// The key of an entry.
    pub(crate) fn key_at(self, at: usize) -> Option<Cow<'t, str>> {
        if at < self.count() && self.is_object() { self.node_at(2 * at)?.as_str() } else { None }
    }

    fn node_at(self, places: usize) -> Option<JsonView<'t>> {
        let node = *self.tree.nodes.get(self.node.start as usize + places)?;
        Some(JsonView { tree: self.tree, node })
    }

    /// Returns whether the keys of the object are few enough to be searched one by one.
    pub(crate) fn is_small(self) -> bool {
        self.count() <= LINEAR_SEARCH_LIMIT
    }

    /// The place of a key.
    pub(crate) fn find(self, key: &Key) -> Option<usize> {
        if !self.is_object() {
            return None;
        }
        let is_at = |at: usize| at < self.count() && self.node_at(2 * at).is_some_and(|known| known.is_text(&key.text));
        let hint = key.hint.load(Ordering::Relaxed);
        if is_at(hint) {
            return Some(hint);
        }
        let at = (0..self.count()).find(|at| is_at(*at))?;
        key.hint.store(at, Ordering::Relaxed);
        Some(at)
    }

    fn is_text(self, text: &str) -> bool {
        match self.node.kind {
            Kind::Plain => self.text() == text,
            // An escape is at most six times as long as what it means.
            Kind::Escaped => self.node.size as usize / 6 <= text.len() && unescape(self.text()) == text,
            _ => false,
        }
    }

    /// The source of a scalar: a string without its quotes.
    fn text(self) -> &'t str {
        let start = self.node.start as usize;
        self.tree.text.get(start..start + self.node.size as usize).unwrap_or_default()
    }

    /// The string.
    pub(crate) fn as_str(self) -> Option<Cow<'t, str>> {
        match self.node.kind {
            Kind::Plain => Some(Cow::Borrowed(self.text())),
            Kind::Escaped => Some(Cow::Owned(unescape(self.text()))),
            _ => None,
        }
    }

    /// The source of an integer of few digits, which is as Python prints it.
    pub(crate) fn digits(self) -> Option<&'t str> {
        (self.node.kind == Kind::Small).then(|| self.text())
    }

    /// The value, if it is neither a list nor an object.
    pub(crate) fn scalar(self) -> Option<Value> {
        Some(match self.node.kind {
            Kind::Null => Value::Undef,
            Kind::True => Value::Boolean(true),
            Kind::False => Value::Boolean(false),
            Kind::Small | Kind::Number => number(self.text()),
            Kind::Plain => Value::from(self.text()),
            Kind::Escaped => Value::from(unescape(self.text())),
            Kind::List | Kind::Object => return None,
        })
    }

    /// Returns whether a string in the value satisfies a condition that only templates satisfy.
    pub(crate) fn has_template(self, is_template: fn(&str) -> bool) -> bool {
        if !self.tree.may_have_templates {
            return false;
        }
        match self.node.kind {
            Kind::Plain | Kind::Escaped => self.as_str().is_some_and(|text| is_template(&text)),
            Kind::List | Kind::Object => self.values().any(|inner| inner.has_template(is_template)),
            _ => false,
        }
    }

    /// Returns whether an object of the document may have a key that begins with [`TAG_START`].
    pub(crate) fn may_have_tags(self) -> bool {
        self.tree.may_have_tags
    }

    /// Converts the value to the data model.
    pub(crate) fn to_data(self) -> Value {
        self.data(&SharedStrings::default())
    }

    /// The items of a list, or the values of an object.
    pub(crate) fn values(self) -> impl Iterator<Item = JsonView<'t>> {
        (0..self.count()).filter_map(move |at| self.at(at))
    }

    /// The keys of an object.
    pub(crate) fn keys(self) -> impl Iterator<Item = Cow<'t, str>> {
        (0..self.count()).filter_map(move |at| self.key_at(at))
    }

    fn data(self, shared: &SharedStrings) -> Value {
        match self.node.kind {
            Kind::List => self.values().map(|item| item.data(shared)).collect(),
            Kind::Object => {
                let keys = self.keys().map(|key| Value::String(shared.share(&key)));
                Value::Hash(keys.zip(self.values().map(|value| value.data(shared))).collect())
            }
            Kind::Plain => Value::String(shared.share(self.text())),
            _ => self.scalar().unwrap_or_default(),
        }
    }
}

/// Converts the source of a number, as Python's `json` does.
fn number(text: &str) -> Value {
    if let Ok(number) = text.parse() {
        return Value::Integer(number);
    }
    match text.parse() {
        Ok(whole) => Rich::BigInteger(whole).into(),
        // The parser accepts only what is a float otherwise.
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

/// Replaces the escapes of a string that the parser accepted.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let mut letters = behind.chars();
        let letter = match letters.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let unit = |text: &str| text.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let first = unit(letters.as_str()).unwrap_or_default();
                letters = letters.as_str().get(4..).unwrap_or_default().chars();
                let second = if (0xD800..0xDC00).contains(&first) {
                    let second = letters.as_str().strip_prefix("\\u").and_then(unit);
                    letters = letters.as_str().get(6..).unwrap_or_default().chars();
                    second
                } else {
                    None
                };
                let code = second.map_or(first, |second| 0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF));
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            Some(other) => other,
            None => break,
        };
        out.push(letter);
        rest = letters.as_str();
    }
    out.push_str(rest);
    out
}

/// The keys and short strings so far: equal ones share their memory.
#[derive(Default)]
struct SharedStrings(RefCell<HashSet<Str>>);

impl SharedStrings {
    fn share(&self, text: &str) -> Str {
        if text.len() > LONGEST_SHARED {
            return text.into();
        }
        let mut shared = self.0.borrow_mut();
        if let Some(known) = shared.get(text) {
            return known.clone();
        }
        let shared_text = Str::from(text);
        if shared.len() < MOST_SHARED {
            shared.insert(shared_text.clone());
        }
        shared_text
    }
}
