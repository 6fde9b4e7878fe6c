//! Applies a [`Change`]: computes and applies the splices of the source.

mod aliases;
mod block;
mod entries;
mod flow;
mod open_end;
mod text;

use hieratic_value::collections::HashSet;
use hieratic_value::{Hash, Value};

use crate::tree::{self, Content, Item, Node};
use crate::write::{self, Style};
use entries::EntryChanges;
use text::{SourceStyle, Splice};

/// A change of a node.
#[derive(Clone, Debug)]
pub enum Change {
    /// The node is replaced by a value.
    Replace(Value),
    /// Entries of a map are changed.
    Map(MapChange),
    /// Items of a list are changed: the new list, in order.
    List(Vec<Slot>),
}

/// The changes of the entries of a map, by their indices among [`Map::entries`](crate::tree::Map::entries).
///
/// Entries that come from merge keys are not written in the map and cannot be changed there.
#[derive(Clone, Debug, Default)]
pub struct MapChange {
    /// The changed values.
    pub values: Vec<(usize, Change)>,
    /// The removed entries.
    pub removed: Vec<usize>,
    /// Those of the removed entries that are inserted elsewhere: the comments on their lines stay, on separate lines.
    pub moved: Vec<usize>,
    /// The added entries.
    pub added: Vec<Added>,
}

/// An added entry of a map.
#[derive(Clone, Debug)]
pub struct Added {
    /// The index of the entry before it. `None` for the beginning.
    pub after: Option<usize>,
    /// Its key.
    pub key: Value,
    /// Its value.
    pub value: Value,
}

/// An item of a changed list.
#[derive(Clone, Debug)]
pub enum Slot {
    /// An existing item by its old index, with an optional change. An item may move.
    Old(usize, Option<Change>),
    /// A new item.
    New(Value),
}

/// Writes a change into the source of a document.
///
/// `root` must be the tree of `text` from [`tree::parse`](crate::tree::parse). The result has the changed content. A
/// JSON document stays JSON.
pub fn apply(text: &str, root: &Node, change: &Change) -> String {
    let changed = prepared(text, root, aliases::restore_aliases(text, root, change), change);
    let Some((last, splice)) = open_end::find_open_end(text, root) else { return changed };
    if changed.ends_with(&text[last]) {
        return changed;
    }
    let mut splices = aliases::restore_aliases(text, root, change);
    splices.push(splice);
    prepared(text, root, splices, change)
}

/// Prepares a document for a change that removes nodes with aliases: the first alias of such a node is replaced by the
/// node, with its anchor if there are other aliases. The content of the document stays the same.
///
/// ```
/// use hieratic_yaml_edit::{self as edit, Change, MapChange};
/// use hieratic_yaml_edit::tree;
///
/// let text = "a: &both [1, 2] # two\nb: *both\n";
/// let root = tree::parse(text, 0, "main.yaml")?;
/// let without = Change::Map(MapChange { removed: vec![0], ..MapChange::default() });
/// assert_eq!(edit::detached(text, &root, &without), "a: &both [1, 2] # two\nb: [1, 2]\n");
/// # Ok::<(), hieratic_json::Error>(())
/// ```
pub fn detached(text: &str, root: &Node, change: &Change) -> String {
    let written = SourceStyle::new(text, root);
    written.with_its_breaks(written.with(0..text.len(), aliases::restore_used_anchors(text, root, change)))
}

/// Writes a change after replacements that do not change any value of the document.
fn prepared(text: &str, root: &Node, splices: Vec<Splice>, change: &Change) -> String {
    if splices.is_empty() {
        return write(text, root, change);
    }
    let prepared = SourceStyle::new(text, root).with(0..text.len(), splices);
    match tree::parse(&prepared, root.source(), "") {
        Ok(root) => write(&prepared, &root, change),
        // It reads as before; if not, it is better left alone.
        Err(_) => write(text, root, change),
    }
}

fn write(text: &str, root: &Node, change: &Change) -> String {
    let text = SourceStyle::new(text, root);
    let mut splices = Vec::new();
    let changed = match change {
        Change::Replace(value) => text.document(root, value),
        _ if text.is_empty_root(root, change) => text.document(root, &new_value(root, change)),
        _ => {
            text.change(&Item::new(root.clone()), change, &mut splices);
            text.with(0..text.len(), splices)
        }
    };
    text.with_its_breaks(changed)
}

impl SourceStyle<'_> {
    /// Returns whether nothing of the written root would be left.
    fn is_empty_root(&self, root: &Node, change: &Change) -> bool {
        !root.is_flow() && self.leaves_nothing(root, change)
    }

    /// Returns whether a collection in block style would lose all that is written in it: then it is rewritten.
    fn leaves_nothing(&self, node: &Node, change: &Change) -> bool {
        match (node.content(), change) {
            (Content::Map(map), Change::Map(change)) => {
                let entries = EntryChanges::from_change(change);
                // Comments of a moved entry may stay.
                let is_kept = |at: usize| !entries.is_removed(at) || entries.is_moved(at);
                let kept = |(at, entry): (usize, &tree::Entry)| !entry.merged && is_kept(at);
                !map.entries().iter().enumerate().any(kept) && map.merge_keys().is_empty()
            }
            (Content::List(_), Change::List(slots)) => !slots.iter().any(|slot| matches!(slot, Slot::Old(..))),
            _ => false,
        }
    }

    /// Adds the edits for a change of the node of an item. The code for the item handles [`Change::Replace`].
    fn change(&self, item: &Item, change: &Change, splices: &mut Vec<Splice>) {
        match (item.node().content(), change) {
            (Content::Map(map), Change::Map(change)) if item.node().is_flow() => {
                self.flow_map(item, map, change, splices)
            }
            (Content::Map(map), Change::Map(change)) => self.block_map(map, change, splices),
            (Content::List(items), Change::List(slots)) if item.node().is_flow() => {
                self.flow_list(item, items, slots, splices);
            }
            (Content::List(items), Change::List(slots)) => self.block_list(items, slots, splices),
            _ => {}
        }
    }

    /// A change that has to be written as a new value, because nothing that is written would stay or because the change
    /// does not fit the node.
    fn as_replacement(&self, item: &Item, change: &Change) -> Option<Value> {
        let fits = matches!(
            (item.node().content(), change),
            (Content::Map(_), Change::Map(_)) | (Content::List(_), Change::List(_))
        );
        match change {
            Change::Replace(value) => Some(value.clone()),
            _ if item.is_alias() || !fits => Some(new_value(item.node(), change)),
            _ if !item.node().is_flow() && self.leaves_nothing(item.node(), change) => {
                Some(new_value(item.node(), change))
            }
            _ => None,
        }
    }

    /// Returns whether an item of a list in brackets is a map without braces: `[a: 1]`.
    ///
    /// <https://yaml.org/spec/1.2.2/#example-single-pair-flow-mappings>
    fn is_single_pair(&self, item: &Item) -> bool {
        item.node().as_map().is_some() && item.node().is_flow() && !self.text[item.span().range()].ends_with('}')
    }

    /// A new value after a colon or dash, with the anchor of the one that it replaces.
    fn anchored(&self, item: &Item, new: String) -> String {
        match item.node().anchor().filter(|_| !item.is_alias()) {
            Some(name) => format!(" &{name}{new}"),
            None => new,
        }
    }

    /// A whole document that is written anew, below the comments at its head.
    fn document(&self, root: &Node, value: &Value) -> String {
        let head = &self.text[..self.head(root)];
        let has_mark = self.text[head.len()..]
            .strip_prefix("---")
            .is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace));
        let mark = if has_mark { "---\n" } else { "" };
        format!("{head}{mark}{}", write::document(value, &self.style(0, root.is_flow())))
    }

    /// Returns a string with the line breaks of this source.
    fn with_its_breaks(&self, changed: String) -> String {
        let has_lines_of_dos = self.text.contains("\r\n") && !self.text.replace("\r\n", "").contains(['\r', '\n']);
        if has_lines_of_dos { changed.replace("\r\n", "\n").replace('\n', "\r\n") } else { changed }
    }

    /// The style of a new value whose key or dash is in a column, inside of brackets or not.
    fn style(&self, indent: usize, flow: bool) -> Style {
        match (self.json, flow) {
            (true, _) => Style::Json,
            (false, true) => Style::Flow,
            (false, false) => Style::Block { indent, step: self.step, dash_indent: self.dash_indent },
        }
    }
}

/// The plain data that a change makes of a node.
fn new_value(node: &Node, change: &Change) -> Value {
    match (node.content(), change) {
        (_, Change::Replace(value)) => value.clone(),
        (Content::Map(map), Change::Map(change)) => {
            let mut out: Vec<(Value, Value)> = Vec::new();
            let entries = EntryChanges::from_change(change);
            let overridden: HashSet<&Value> = change.added.iter().map(|added| &added.key).collect();
            let added = |after: Option<usize>, out: &mut Vec<(Value, Value)>| {
                out.extend(entries.added(after).iter().map(|added| (added.key.clone(), added.value.clone())));
            };
            added(None, &mut out);
            for (at, entry) in map.entries().iter().enumerate() {
                let is_overridden = entry.merged && overridden.contains(&entry.key);
                if !entries.is_removed(at) && !is_overridden {
                    let changed = entries.value(at);
                    let value = changed.map_or_else(|| entry.node().to_value(), |to| new_value(entry.node(), to));
                    out.push((entry.key.clone(), value));
                }
                added(Some(at), &mut out);
            }
            let rest = EntryChanges::added_behind(change, map.len());
            out.extend(rest.map(|added| (added.key.clone(), added.value.clone())));
            out.into_iter().collect::<Hash>().into()
        }
        (Content::List(items), Change::List(slots)) => slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::New(value) => Some(value.clone()),
                Slot::Old(at, None) => items.get(*at).map(|item| item.node().to_value()),
                Slot::Old(at, Some(change)) => items.get(*at).map(|item| new_value(item.node(), change)),
            })
            .collect(),
        _ => node.to_value(),
    }
}
