//! [`JsonTree`]: a parsed JSON document whose values are converted on first use.
//!
//! Files of variables can be large, and a template uses little of them. The tree has one small node for each value,
//! which refers to the document. Objects in sequence that have the same keys share them, as the rows of a table do.
//! Numbers follow Python's `json`: integers have any size, and floats that are too large are infinite.

mod parser;

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
#[repr(u8)]
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

/// The kinds by their number, filled up to a power of two.
const KINDS: [Kind; 16] = {
    use Kind::{Escaped, False, List, Null, Number, Object, Plain, Small, True};
    [Null, True, False, Small, Number, Plain, Escaped, List, Object, Null, Null, Null, Null, Null, Null, Null]
};

/// A value: its kind, its start in the document, and its size in bytes. For a list, the start is the index of the first
/// node in it, and for an object that of its shape, which is followed by the nodes of its values; the size is the number
/// of items or entries.
///
/// A node has eight bytes, because large documents spend most of their time on memory.
#[derive(Clone, Copy)]
struct Node(u64);

/// The number of bits of a start and of a size. A document is shorter.
const PLACE_BITS: u32 = 28;

/// The keys of objects: the index of their first key. Each such object has it before its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape(u32);

impl Node {
    /// Creates a node. The start and the size are below the length of a document.
    #[inline(always)]
    fn new(kind: Kind, start: usize, size: usize) -> Node {
        Node((kind as u64) << (2 * PLACE_BITS) | (start as u64) << PLACE_BITS | size as u64)
    }

    #[inline(always)]
    fn kind(self) -> Kind {
        KINDS[(self.0 >> (2 * PLACE_BITS)) as usize % KINDS.len()]
    }

    #[inline(always)]
    fn start(self) -> usize {
        (self.0 >> PLACE_BITS) as usize & ((1 << PLACE_BITS) - 1)
    }

    #[inline(always)]
    fn size(self) -> usize {
        self.0 as usize & ((1 << PLACE_BITS) - 1)
    }
}

impl From<Shape> for Node {
    fn from(Shape(first): Shape) -> Node {
        Node(u64::from(first))
    }
}

impl From<Node> for Shape {
    fn from(Node(first): Node) -> Shape {
        // It was made of a shape.
        Shape(first as u32)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}({}, {})", self.kind(), self.start(), self.size())
    }
}

/// A JSON document.
pub struct JsonTree {
    text: String,
    /// The nodes in lists and objects, those of each in sequence.
    nodes: Vec<Node>,
    /// The keys of objects. Those of a shape are in sequence.
    keys: Vec<Node>,
    /// The number of the shape whose keys are the first ones. Shapes of all documents have different numbers.
    first_shape: u64,
    /// Whether a string may be a template of Ansible.
    may_have_templates: bool,
    /// Whether an object may have a key with a meaning for Ansible.
    may_have_tags: bool,
}

/// The number of the next document's first shape. No shape has the number 0.
static NEXT_SHAPE: AtomicU64 = AtomicU64::new(1);

/// The number of bits of an index that is stored with the number of a shape.
const INDEX_BITS: u32 = 16;

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
        self.node.kind() == Kind::List
    }

    /// Returns whether the value is an object.
    pub(crate) fn is_object(self) -> bool {
        self.node.kind() == Kind::Object
    }

    /// The number of items or entries.
    pub(crate) fn count(self) -> usize {
        if self.is_list() || self.is_object() { self.node.size() } else { 0 }
    }

    /// The item of a list, or the value of an entry.
    #[inline]
    pub(crate) fn at(self, at: usize) -> Option<JsonView<'t>> {
        let first = self.node.start() + usize::from(self.is_object());
        if at < self.count() { Some(self.with(*self.tree.nodes.get(first + at)?)) } else { None }
    }

    /// The key of an entry.
    pub(crate) fn key_at(self, at: usize) -> Option<Cow<'t, str>> {
        self.with(*self.own_keys().get(at)?).as_str()
    }

    /// Another value of the document.
    fn with(self, node: Node) -> JsonView<'t> {
        JsonView { tree: self.tree, node }
    }

    /// The shape of an object that is not empty.
    fn shape(self) -> Option<Shape> {
        let is_any = self.is_object() && self.node.size() > 0;
        if is_any { self.tree.nodes.get(self.node.start()).copied().map(Shape::from) } else { None }
    }

    /// The keys of an object.
    fn own_keys(self) -> &'t [Node] {
        let Some(Shape(first)) = self.shape() else { return &[] };
        self.tree.keys.get(first as usize..first as usize + self.node.size()).unwrap_or_default()
    }

    /// Returns whether the keys of the object are few enough to be searched one by one.
    pub(crate) fn is_small(self) -> bool {
        self.count() <= LINEAR_SEARCH_LIMIT
    }

    /// The place of a key.
    #[inline]
    pub(crate) fn find(self, key: &Key) -> Option<usize> {
        let Shape(first) = self.shape()?;
        let shape = self.tree.first_shape + u64::from(first);
        let found = key.found_in_shape.load(Ordering::Relaxed);
        if found >> INDEX_BITS == shape { Some(found as u16 as usize) } else { self.search(key, shape) }
    }

    fn search(self, key: &Key, shape: u64) -> Option<usize> {
        let at = self.own_keys().iter().position(|known| self.with(*known).is_text(&key.text))?;
        if let Ok(index) = u16::try_from(at) {
            key.found_in_shape.store(shape << INDEX_BITS | u64::from(index), Ordering::Relaxed);
        }
        Some(at)
    }

    fn is_text(self, text: &str) -> bool {
        match self.node.kind() {
            Kind::Plain => self.text() == text,
            // An escape is at most six times as long as what it means.
            Kind::Escaped => self.node.size() / 6 <= text.len() && unescape(self.text()) == text,
            _ => false,
        }
    }

    /// The source of a scalar: a string without its quotes.
    fn text(self) -> &'t str {
        let start = self.node.start();
        self.tree.text.get(start..start + self.node.size()).unwrap_or_default()
    }

    /// The string.
    pub(crate) fn as_str(self) -> Option<Cow<'t, str>> {
        match self.node.kind() {
            Kind::Plain => Some(Cow::Borrowed(self.text())),
            Kind::Escaped => Some(Cow::Owned(unescape(self.text()))),
            _ => None,
        }
    }

    /// The source of a string or an integer, if it is as Python prints it.
    #[inline]
    pub(crate) fn printed(self) -> Option<&'t str> {
        matches!(self.node.kind(), Kind::Plain | Kind::Small).then(|| self.text())
    }

    /// The source of an integer of few digits, which is as Python prints it.
    pub(crate) fn digits(self) -> Option<&'t str> {
        (self.node.kind() == Kind::Small).then(|| self.text())
    }

    /// The value, if it is neither a list nor an object.
    pub(crate) fn scalar(self) -> Option<Value> {
        Some(match self.node.kind() {
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
        match self.node.kind() {
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
        self.own_keys().iter().filter_map(move |key| self.with(*key).as_str())
    }

    fn data(self, shared: &SharedStrings) -> Value {
        match self.node.kind() {
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
