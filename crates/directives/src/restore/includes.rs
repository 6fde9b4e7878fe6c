//! Writes changes of included values into the included files.
//!
//! A file is changed only if all its includes need the same change, and only in its plain values: a value that another
//! directive or the including map affects becomes an override in the including file.

use std::path::{Path, PathBuf};

use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{Content, Item, Map, Node};
use hieratic_yaml_edit::{self as edit, Change, MapChange, Slot};

use super::comparison::{same, target_value};
use super::plan::{self, Planner};
use crate::expand::{Applied, Expanded, Options, ResolvedTarget};
use crate::{Document, Failure, File, Files, ReadFault, expand};

/// A file that changes.
pub(super) struct FileChange {
    pub(super) identity: String,
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// Files of which some have changed, though not yet on the disk.
pub(super) struct OverlayFiles<'f> {
    pub(super) files: &'f mut dyn Files,
    pub(super) texts: &'f [FileChange],
}

impl Files for OverlayFiles<'_> {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let mut file = self.files.read(name, folder)?;
        if let Some(change) = self.texts.iter().find(|change| change.identity == file.identity) {
            file.text.clone_from(&change.text);
        }
        Ok(file)
    }
}

/// The changes of included files.
pub(super) fn changes(
    document: &Document,
    changed: &Value,
    files: &mut dyn Files,
    options: &Options,
) -> Result<Vec<FileChange>, Failure> {
    let expanded = expand(document, files, options)?;
    let mut by_file: HashMap<u32, Vec<Option<String>>> = HashMap::default();
    for applied in expanded.applied() {
        if let Some((source, text)) = changed_text(document, &expanded, applied, changed) {
            by_file.entry(source).or_default().push(text);
        }
    }
    let mut found = Vec::new();
    for (source, texts) in by_file {
        let Some(file) = expanded.sources().get(source) else { continue };
        let Some((identity, true)) = file.identity.clone() else { continue };
        if let Some(Some(text)) = texts.first()
            && texts.iter().all(|other| other.as_ref() == Some(text))
            && text != file.source.text()
        {
            let path = PathBuf::from(file.source.name());
            found.push(FileChange { identity, path, text: text.clone() });
        }
    }
    found.sort_erased_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Returns the text of a file that one of its including places wants; `None` if it depends on more than the file.
fn changed_text(
    document: &Document,
    expanded: &Expanded,
    applied: &Applied,
    changed: &Value,
) -> Option<(u32, Option<String>)> {
    let written = applied.written.as_ref()?;
    let file = expanded.sources().get(written.source()).filter(|_| written.source() != 0)?;
    let source = written.source();
    let text = || {
        let container = node_at(document.root(), &applied.path)?.as_map()?;
        let was = node_at(expanded.root(), &applied.path)?;
        let Value::Hash(target) = value_at(changed, &applied.path)? else { return None };
        let others = expanded.applied().iter().filter(|other| other.path == applied.path && other.key != applied.key);
        let others: Vec<&Node> = others
            .filter_map(|other| match &other.found {
                ResolvedTarget::Target(node, _) => Some(node),
                _ => None,
            })
            .collect();
        let change = difference(written.as_map()?, Some(container), &others, target, was)?;
        let change = below(&file.root, written, change)?;
        Some(edit::apply(file.source.text(), &file.root, &change))
    };
    Some((source, text().or_else(|| Some(file.source.text().to_owned()))))
}

/// Returns the change of a map in a file, for the keys that no other source affects.
fn difference(map: &Map, own: Option<&Map>, others: &[&Node], target: &Hash, was: &Node) -> Option<Change> {
    let mut change = MapChange::default();
    for (index, entry) in map.entries().iter().enumerate() {
        let plain = !entry.merged
            && entry.name().is_some_and(|name| !name.starts_with('+'))
            && !entry.node().has_plus_keys()
            && !entry.item.is_alias();
        if !plain {
            continue;
        }
        let over = own.and_then(|own| own.entry(&entry.key)).map(|over| over.node());
        let beside = others.iter().filter_map(|other| other.as_map()?.entry(&entry.key)).map(|other| other.node());
        let beside: Vec<&Node> = beside.collect();
        let after = target_value(target, &entry.key);
        if over.is_some() || !beside.is_empty() {
            // Others have a part in it: in a map, they may have none in some of its keys.
            let without_directives = |map: &Map| map.entries().iter().all(|entry| plan::directive(entry).is_none());
            let is_map = |node: &&Node| node.as_map().is_some_and(without_directives);
            let before = was.as_map().and_then(|map| map.entry(&entry.key));
            if let (Some(inner), Some(Value::Hash(target)), Some(was)) = (entry.node().as_map(), after, before)
                && over.iter().chain(&beside).all(is_map)
                && let Some(inner) = difference(inner, over.and_then(Node::as_map), &beside, target, was.node())
            {
                change.values.push((index, inner));
            }
            continue;
        }
        match after {
            None => change.removed.push(index),
            Some(after) if same(entry.node(), after) => {}
            Some(after) => {
                if let Some(inner) = Planner::plan_plain(entry.node(), after) {
                    change.values.push((index, inner));
                }
            }
        }
    }
    (!change.values.is_empty() || !change.removed.is_empty()).then_some(Change::Map(change))
}

/// The change of a file of which only a part was included.
fn below(root: &Node, part: &Node, change: Change) -> Option<Change> {
    if root.is(part) {
        return Some(change);
    }
    match root.content() {
        Content::Scalar(_) => None,
        Content::List(items) => {
            let at = items.iter().position(|item| holds(item.node(), part))?;
            let inner = below(items.get(at)?.node(), part, change)?;
            let mut slots: Vec<Slot> = (0..items.len()).map(|index| Slot::Old(index, None)).collect();
            *slots.get_mut(at)? = Slot::Old(at, Some(inner));
            Some(Change::List(slots))
        }
        Content::Map(map) => {
            let at = map.entries().iter().position(|entry| !entry.merged && holds(entry.node(), part))?;
            let inner = below(map.entries().get(at)?.node(), part, change)?;
            Some(Change::Map(MapChange { values: vec![(at, inner)], ..MapChange::default() }))
        }
    }
}

fn holds(node: &Node, part: &Node) -> bool {
    node.is(part)
        || match node.content() {
            Content::Scalar(_) => false,
            Content::List(items) => items.iter().any(|item| holds(item.node(), part)),
            Content::Map(map) => map.entries().iter().any(|entry| holds(entry.node(), part)),
        }
}

fn node_at<'n>(root: &'n Node, path: &[Value]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, segment| match (node.content(), segment) {
        (Content::Map(map), key) => map.entry(key).map(|entry| entry.node()),
        (Content::List(items), Value::Integer(at)) => items.get(usize::try_from(*at).ok()?).map(Item::node),
        _ => None,
    })
}

fn value_at<'v>(root: &'v Value, path: &[Value]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, segment| match (value, segment) {
        (Value::Hash(hash), key) => target_value(hash, key),
        (Value::Array(elements), Value::Integer(at)) => elements.get(usize::try_from(*at).ok()?),
        _ => None,
    })
}
