//! Aliases that lose their node.
//!
//! An alias refers to the last node with its anchor before it. If a change removes this node, or moves it after the
//! alias, the first remaining alias becomes the node, with its anchor and its old content. The other aliases then refer
//! to it.

use hieratic_value::Value;
use hieratic_value::collections::HashMap;

use super::entries::EntryChanges;
use super::text::Splice;
use super::{Change, MapChange, Slot};
use crate::tree::{Content, Entry, Item, Map, Node};
use crate::write::{self, Style};

/// The replacements that give every alias a node again.
pub(super) fn restore_aliases(text: &str, root: &Node, change: &Change) -> Vec<Splice> {
    if !text.contains('*') && !text.contains("<<") {
        return Vec::new();
    }
    let mut walk = Walk { text, names: HashMap::default(), splices: Vec::new(), written: Vec::new() };
    walk.item(&Item::new(root.clone()), Some(change));
    walk.splices
}

/// Like [`restore_aliases`], without anchors that no alias would name.
pub(super) fn restore_used_anchors(text: &str, root: &Node, change: &Change) -> Vec<Splice> {
    let mut walk = Walk { text, names: HashMap::default(), splices: Vec::new(), written: Vec::new() };
    walk.item(&Item::new(root.clone()), Some(change));
    for written in walk.written.iter().filter(|written| !written.is_named) {
        walk.splices[written.splice].text.drain(..written.marks);
    }
    walk.splices
}

/// Walks through the future document.
struct Walk<'t> {
    text: &'t str,
    names: HashMap<String, AnchoredNode>,
    splices: Vec<Splice>,
    /// The aliases that become nodes with anchors.
    written: Vec<RestoredNode>,
}

/// An alias that becomes its node.
struct RestoredNode {
    /// The number of the replacement.
    splice: usize,
    /// The length of its anchor in bytes.
    marks: usize,
    /// The position of the node.
    start: u32,
    /// Whether an alias names it.
    is_named: bool,
}

/// The node of a name at the current position of the walk.
#[derive(Clone, Copy)]
struct AnchoredNode {
    /// The position of the node. No two nodes with anchors have the same one.
    start: u32,
    /// Whether it is still a map.
    is_map: bool,
    /// Whether another node has replaced it.
    replaced: bool,
}

impl Walk<'_> {
    fn item(&mut self, item: &Item, change: Option<&Change>) {
        let node = item.node();
        if item.is_alias() {
            if change.is_none() {
                self.alias(item);
            }
            return;
        }
        match (node.content(), change) {
            (_, Some(Change::Replace(_))) => {}
            (Content::Map(map), Some(Change::Map(change))) => self.map(map, change),
            (Content::Map(map), _) => self.map(map, &MapChange::default()),
            (Content::List(items), Some(Change::List(slots))) => {
                for slot in slots {
                    if let Slot::Old(at, change) = slot
                        && let Some(item) = items.get(*at)
                    {
                        self.item(item, change.as_ref());
                    }
                }
            }
            (Content::List(items), _) => items.iter().for_each(|item| self.item(item, None)),
            (Content::Scalar(_), _) => {}
        }
        if let Some(name) = node.anchor() {
            let (is_map, replaced) = match change {
                Some(Change::Replace(value)) => (value.as_hash().is_some(), true),
                _ => (node.as_map().is_some(), false),
            };
            self.names.insert(name.to_owned(), AnchoredNode { start: node.span().start, is_map, replaced });
        }
    }

    fn map(&mut self, map: &Map, change: &MapChange) {
        let entries = EntryChanges::from_change(change);
        let mut merges = map.merge_keys().iter().peekable();
        for (at, entry) in map.entries().iter().enumerate().filter(|(_, entry)| !entry.merged) {
            while let Some(merge) = merges.next_if(|merge| merge.span.start < entry.key_span.start) {
                self.merge(&merge.item);
            }
            if !entries.is_removed(at) {
                self.key(entry, entries.value(at).is_some());
                self.item(&entry.item, entries.value(at));
            }
        }
        merges.for_each(|merge| self.merge(&merge.item));
    }

    /// The value of a merge key, which has to be a map or a list of maps.
    fn merge(&mut self, item: &Item) {
        match item.node().as_list() {
            Some(items) if !item.is_alias() => items.iter().for_each(|item| self.merge(item)),
            _ if !item.is_alias() => self.item(item, None),
            _ => {
                let named = self.anchored_node(item.node());
                match named {
                    Some(AnchoredNode { is_map: false, .. }) if item.node().as_map().is_some() => self.write(item, ""),
                    _ => self.alias(item),
                }
            }
        }
    }

    /// A key with an anchor, or one that is an alias itself, or one that looks like a merge key.
    fn key(&mut self, entry: &Entry, changes: bool) {
        let written = self.text.get(entry.key_span.range()).unwrap_or_default();
        if entry.name() == Some("<<")
            && let Some(marks) = written.strip_suffix("<<")
        {
            // It is not a merge key as long as its value is not a map. The tag is for readers that see no difference in
            // quotes.
            if changes || self.names_replaced_node(&entry.item) {
                let tag = if marks.contains('!') { "" } else { "!!str " };
                self.splices.push(Splice { range: entry.key_span.range(), text: format!("{marks}{tag}'<<'") });
            }
        }
        // An alias, or a collection that may have some.
        if written.starts_with(['*', '[', '{', '-', '?']) {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            let names = written.split('*').skip(1).map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default());
            let is_there = |name: &str| self.names.get(name).is_some_and(|named| !named.replaced);
            let is_collection = matches!(entry.key, Value::Array(_) | Value::Hash(_));
            if (is_collection || written.starts_with('*')) && !names.into_iter().all(is_there) {
                let text = write::scalar(&entry.key, &Style::Flow);
                self.splices.push(Splice { range: entry.key_span.range(), text });
            }
            return;
        }
        let marks = written.split([' ', '\t', '\r', '\n']).take_while(|word| word.starts_with(['&', '!']));
        for name in marks.filter_map(|mark| mark.strip_prefix('&')) {
            let named = AnchoredNode { start: entry.key_span.start, is_map: false, replaced: false };
            self.names.insert(name.to_owned(), named);
        }
    }

    /// Returns whether an alias, or one in a list, names a replaced node.
    fn names_replaced_node(&self, item: &Item) -> bool {
        match item.node().as_list() {
            _ if item.is_alias() => self.anchored_node(item.node()).is_some_and(|named| named.replaced),
            Some(items) => items.iter().any(|item| item.is_alias() && self.names_replaced_node(item)),
            None => false,
        }
    }

    /// The entry for the name of a node, if it still denotes that node.
    fn anchored_node(&self, node: &Node) -> Option<AnchoredNode> {
        let named = self.names.get(node.anchor()?).copied()?;
        (named.start == node.span().start).then_some(named)
    }

    fn alias(&mut self, item: &Item) {
        let node = item.node();
        let Some(name) = node.anchor() else { return };
        let start = node.span().start;
        if self.anchored_node(node).is_some() {
            // It is written once: the last one counts, should it be written again.
            if let Some(written) = self.written.iter_mut().rfind(|written| written.start == start) {
                written.is_named = true;
            }
            return;
        }
        let marks = format!("&{name} ");
        self.written.push(RestoredNode { splice: self.splices.len(), marks: marks.len(), start, is_named: false });
        self.write(item, &marks);
        let named = AnchoredNode { start: node.span().start, is_map: node.as_map().is_some(), replaced: false };
        self.names.insert(name.to_owned(), named);
    }

    fn write(&mut self, item: &Item, marks: &str) {
        let value = write::scalar(&item.node().to_value(), &Style::Flow);
        self.splices.push(Splice { range: item.span().range(), text: format!("{marks}{value}") });
    }
}
