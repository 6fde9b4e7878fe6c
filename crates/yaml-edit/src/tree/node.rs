//! [`Node`]: a value of a document, with its position.

use std::sync::{Arc, OnceLock};

use hieratic_source::Span;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Value};

use super::Itself;

/// A value of a document, shared by reference count.
#[derive(Clone, Debug)]
pub struct Node(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    content: Content,
    anchor: Option<Box<str>>,
    source: u32,
    span: Span,
    flow: bool,
    plain: bool,
    directives: bool,
    anchors: bool,
    size: u64,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub enum Content {
    /// A scalar.
    Scalar(Value),
    /// A list.
    List(Vec<Item>),
    /// A map.
    Map(Map),
}

/// An occurrence of a node. A node with aliases has several.
#[derive(Clone, Debug)]
pub struct Item {
    node: Node,
    span: Span,
    alias: bool,
}

impl Item {
    /// Creates the occurrence of a node at its definition.
    pub fn new(node: Node) -> Item {
        let span = node.span();
        Item { node, span, alias: false }
    }

    /// Creates the occurrence of a node as an alias.
    pub fn alias(node: Node, span: Span) -> Item {
        Item { node, span, alias: true }
    }

    /// Returns the node.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Converts the occurrence to its node.
    pub fn into_node(self) -> Node {
        self.node
    }

    /// Returns the span of the occurrence: the node with its anchor and tag, or the alias.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns whether the occurrence is an alias.
    pub fn is_alias(&self) -> bool {
        self.alias
    }
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: Value,
    /// The span of the key.
    pub key_span: Span,
    /// The value.
    pub item: Item,
    /// Whether the entry comes from a merge key (`<<`), so that it is not written in this map.
    pub merged: bool,
}

impl Entry {
    /// Returns the key, if it is a string.
    pub fn name(&self) -> Option<&str> {
        self.key.as_str()
    }

    /// Returns the value.
    pub fn node(&self) -> &Node {
        self.item.node()
    }
}

/// From how many entries on a map finds its keys by a table: shorter ones are searched faster from end to end.
const INDEXED: usize = 12;

/// An ordered map: the entries that are written in it, then those of its merge keys.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<Entry>,
    /// An index of the keys, built for the first lookup: most maps of a large document are only walked.
    index: OnceLock<HashMap<Value, u32>>,
    merge_keys: Vec<MergeKey>,
}

/// A merge key (`<<`) that is written in a map.
#[derive(Clone, Debug)]
pub struct MergeKey {
    /// The span from the key to the end of its value.
    pub span: Span,
    /// Its value: a map or a list of maps, mostly by aliases.
    pub item: Item,
}

impl Map {
    /// Creates a map of entries. If several have the same key, the first one is found.
    pub fn new(entries: Vec<Entry>) -> Map {
        Map { entries, index: OnceLock::new(), merge_keys: Vec::new() }
    }

    pub(super) fn with_merge_keys(mut self, merge_keys: Vec<MergeKey>) -> Map {
        self.merge_keys = merge_keys;
        self
    }

    /// The table of the keys, if the map is long enough for one.
    fn index(&self) -> Option<&HashMap<Value, u32>> {
        (self.entries.len() >= INDEXED).then(|| {
            self.index.get_or_init(|| {
                let mut index = HashMap::with_capacity_and_hasher(self.entries.len(), Default::default());
                for (at, entry) in self.entries.iter().enumerate() {
                    index.entry(entry.key.clone()).or_insert(u32::try_from(at).unwrap_or(u32::MAX));
                }
                index
            })
        })
    }

    /// Returns the entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Converts the map to its entries.
    pub fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the merge keys (`<<: *a`) of the map, in the order of the source.
    pub fn merge_keys(&self) -> &[MergeKey] {
        &self.merge_keys
    }

    /// Returns the index of the entry of a key.
    pub fn position(&self, key: &Value) -> Option<usize> {
        match self.index() {
            Some(index) => index.get(key).map(|at| *at as usize),
            None => self.entries.iter().position(|entry| entry.key == *key),
        }
    }

    /// Returns the entry of a key.
    pub fn entry(&self, key: &Value) -> Option<&Entry> {
        self.position(key).and_then(|at| self.entries.get(at))
    }

    /// Returns the value of a string key.
    pub fn get(&self, key: &str) -> Option<&Item> {
        let found = match self.index() {
            Some(_) => self.entry(&Value::from(key)),
            None => self.entries.iter().find(|entry| entry.name() == Some(key)),
        };
        found.map(|entry| &entry.item)
    }
}

impl Node {
    pub(super) fn written(content: Content, written: NodeSource) -> Node {
        let NodeSource { anchor, source, span, flow, plain } = written;
        let SubtreeProperties { directives, anchors, size } = SubtreeProperties::from_content(&content);
        let anchors = anchors || anchor.is_some();
        Node(Arc::new(Inner { content, anchor, source, span, flow, plain, directives, anchors, size }))
    }

    /// Returns a node with other content and the position of this one. It has no anchor.
    pub fn with_content(&self, content: Content) -> Node {
        let (source, span, flow) = (self.0.source, self.0.span, self.0.flow);
        Node::written(content, NodeSource { anchor: None, source, span, flow, plain: false })
    }

    /// Creates a node without a position from plain data.
    pub fn from_value(value: &Value) -> Node {
        let nowhere =
            || NodeSource { anchor: None, source: u32::MAX, span: Span::default(), flow: false, plain: false };
        let content = match value {
            Value::Array(elements) => {
                Content::List(elements.iter().map(|element| Item::new(Node::from_value(element))).collect())
            }
            Value::Hash(hash) => Content::Map(Map::new(
                hash.iter()
                    .map(|(key, value)| Entry {
                        key: key.clone(),
                        key_span: Span::default(),
                        item: Item::new(Node::from_value(value)),
                        merged: false,
                    })
                    .collect(),
            )),
            scalar => Content::Scalar(scalar.clone()),
        };
        Node::written(content, nowhere())
    }

    /// Returns the content of the node.
    pub fn content(&self) -> &Content {
        &self.0.content
    }

    /// Returns the map, or `None` for other nodes.
    pub fn as_map(&self) -> Option<&Map> {
        match self.content() {
            Content::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the items of a list, or `None` for other nodes.
    pub fn as_list(&self) -> Option<&[Item]> {
        match self.content() {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the scalar, or `None` for other nodes.
    pub fn as_scalar(&self) -> Option<&Value> {
        match self.content() {
            Content::Scalar(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the string, or `None` for other nodes.
    pub fn as_str(&self) -> Option<&str> {
        self.as_scalar().and_then(Value::as_str)
    }

    /// Returns whether the node is null.
    pub fn is_null(&self) -> bool {
        self.as_scalar().is_some_and(Value::is_undef)
    }

    /// Returns the anchor of the node.
    pub fn anchor(&self) -> Option<&str> {
        self.0.anchor.as_deref()
    }

    /// Returns the id of its source, which was passed to [`parse`](super::parse).
    pub fn source(&self) -> u32 {
        self.0.source
    }

    /// Returns the span of the node with its anchor and tag, without comments after it.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns whether the node is a flow collection.
    pub fn is_flow(&self) -> bool {
        self.0.flow
    }

    /// Returns whether the node is a plain scalar.
    pub fn is_plain(&self) -> bool {
        self.0.plain
    }

    /// Returns whether the node contains a key that begins with `+`, at any depth.
    pub fn has_plus_keys(&self) -> bool {
        self.0.directives
    }

    /// Returns whether the node, or a node inside it, has an anchor.
    pub fn has_anchors(&self) -> bool {
        self.0.anchors
    }

    /// Returns the number of nodes in this node, including itself. Shared nodes count at every occurrence.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Returns whether both are the same node, and not only equal.
    pub fn is(&self, other: &Node) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns an id that is unique among all existing nodes.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns the node as the key of a table.
    pub fn itself(&self) -> Itself {
        Itself(self.clone())
    }

    /// Converts the node to plain data. Shared nodes are converted once.
    pub fn to_value(&self) -> Value {
        self.value(&mut HashMap::default())
    }

    fn value(&self, known: &mut HashMap<Itself, Value>) -> Value {
        if let Content::Scalar(value) = self.content() {
            return value.clone();
        }
        let is_shared = Arc::strong_count(&self.0) > 1;
        if let Some(value) = known.get(&self.itself()).filter(|_| is_shared) {
            return value.clone();
        }
        let value: Value = match self.content() {
            Content::Scalar(value) => value.clone(),
            Content::List(items) => items.iter().map(|item| item.node().value(known)).collect(),
            Content::Map(map) => {
                let entries = map.entries().iter();
                entries.map(|entry| (entry.key.clone(), entry.node().value(known))).collect::<Hash>().into()
            }
        };
        if is_shared {
            known.insert(self.itself(), value.clone());
        }
        value
    }
}

/// The way in which a node is written.
pub(super) struct NodeSource {
    pub anchor: Option<Box<str>>,
    pub source: u32,
    pub span: Span,
    pub flow: bool,
    pub plain: bool,
}

/// Properties of the whole subtree of a node.
struct SubtreeProperties {
    directives: bool,
    anchors: bool,
    size: u64,
}

impl SubtreeProperties {
    fn from_content(content: &Content) -> SubtreeProperties {
        let mut all = SubtreeProperties { directives: false, anchors: false, size: 1 };
        match content {
            Content::Scalar(_) => {}
            Content::List(items) => items.iter().for_each(|item| all.add(item.node())),
            Content::Map(map) => {
                for entry in map.entries() {
                    all.add(entry.node());
                    all.directives |= entry.name().is_some_and(|name| name.starts_with('+'));
                }
            }
        }
        all
    }

    fn add(&mut self, node: &Node) {
        self.directives |= node.has_plus_keys();
        self.anchors |= node.has_anchors();
        self.size = self.size.saturating_add(node.size());
    }
}
