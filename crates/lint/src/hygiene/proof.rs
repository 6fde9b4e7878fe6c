//! The notes of findings of hygiene: the nodes of the proof, and the number of removable bytes.

use hieratic::value::collections::HashMap;
use hieratic::yaml_edit::tree::{Item, Reading};

use super::lookup_paths::ReadSets;
use crate::workspace::data::{DataFile, LOOKUP_OPTIONS};
use crate::workspace::list;

/// The verb for one or several files that override a value below.
pub(crate) fn overrides(files: usize) -> &'static str {
    if files == 1 { "overrides it" } else { "override it" }
}

/// For whom something was proved.
pub(crate) fn proof(read_sets: &ReadSets, nodes: &[usize]) -> String {
    let text = if read_sets.are_given() {
        for_nodes(read_sets, nodes)
    } else {
        "proved for every node, whatever its facts".to_owned()
    };
    if read_sets.unchecked_levels.is_empty() {
        return text;
    }
    let unseen: Vec<&str> = read_sets.unchecked_levels.iter().map(String::as_str).collect();
    format!("{text}; levels that could not be seen: {}", list(&unseen))
}

fn for_nodes(read_sets: &ReadSets, nodes: &[usize]) -> String {
    let names: Vec<&str> = nodes.iter().filter_map(|node| read_sets.nodes.get(*node)).map(String::as_str).collect();
    let word = if read_sets.nodes.len() == 1 { "node" } else { "nodes" };
    let mut text = format!(
        "proved for the {} {word} given; {} of them read it: {}",
        read_sets.nodes.len(),
        names.len(),
        list(&names)
    );
    if !read_sets.unchecked_nodes.is_empty() {
        let unseen: Vec<&str> = read_sets.unchecked_nodes.iter().map(String::as_str).collect();
        text.push_str(&format!("; not seen: {}", list(&unseen)));
    }
    text
}

/// The lengths of the entries of files. Each file is parsed once.
#[derive(Default)]
pub(crate) struct Sizes {
    keys: HashMap<usize, Option<HashMap<String, usize>>>,
    options: HashMap<usize, Option<HashMap<String, usize>>>,
}

impl Sizes {
    /// The length of the entry of a key in bytes, its lines included; `None` if that is unknown.
    pub(crate) fn entry_size(&mut self, index: usize, file: &DataFile, key: &str) -> Option<usize> {
        self.keys.entry(index).or_insert_with(|| entries(file.source.text(), &[])).as_ref()?.get(key).copied()
    }

    /// The length of the entry of a key in `lookup_options`, in bytes; `None` if that is unknown.
    pub(crate) fn size_of_options(&mut self, index: usize, file: &DataFile, name: &str) -> Option<usize> {
        let options = || entries(file.source.text(), &[LOOKUP_OPTIONS]);
        self.options.entry(index).or_insert_with(options).as_ref()?.get(name).copied()
    }
}

/// The length of a level of a hierarchy in bytes, its lines included.
pub(crate) fn size_of_level(text: &str, name: &str) -> Option<usize> {
    let root = hieratic::yaml_edit::tree::parse_as(text, 0, "", Reading::Ruby).ok()?;
    let levels = root.as_map()?.get("hierarchy")?.node();
    if levels.is_flow() {
        return None;
    }
    let is_it = |item: &&Item| item.node().as_map().and_then(|level| level.get("name")?.node().as_str()) == Some(name);
    let mut found = levels.as_list()?.iter().filter(is_it);
    let (Some(only), None) = (found.next(), found.next()) else { return None };
    let span = only.span();
    length(text, span.first(), span.behind())
}

/// The bytes of all entries of a hash in block style, which a path of keys leads to.
fn entries(text: &str, path: &[&str]) -> Option<HashMap<String, usize>> {
    let root = hieratic::yaml_edit::tree::parse_as(text, 0, "", Reading::Ruby).ok()?;
    let mut node = &root;
    for key in path {
        node = node.as_map()?.get(key)?.node();
    }
    if node.is_flow() {
        return None;
    }
    let written = node.as_map()?.entries().iter().filter(|entry| !entry.merged);
    let entry = |entry: &hieratic::yaml_edit::tree::Entry| {
        let end = entry.item.span().behind().max(entry.key_span.behind());
        Some((entry.name()?.to_owned(), length(text, entry.key_span.first(), end)?))
    };
    Some(written.filter_map(entry).collect())
}

/// The bytes of the lines of a part.
fn length(text: &str, start: usize, end: usize) -> Option<usize> {
    let start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let inside = text.get(start..end)?.trim_end();
    let rest = text.get(start + inside.len()..)?;
    Some(inside.len() + rest.find('\n').map_or(rest.len(), |at| at + 1))
}

/// A note on the bytes that a removal saves.
pub(crate) fn shorter(bytes: usize) -> String {
    format!("without it, the file is {bytes} bytes shorter")
}
