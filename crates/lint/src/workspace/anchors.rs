//! Entries of data with a YAML anchor. If one of them is removed, its aliases elsewhere in the file are invalid.
//!
//! See [anchors and aliases](https://yaml.org/spec/1.1/#id863390).

use hieratic::value::collections::HashSet;
use hieratic::yaml_edit::tree::{self, Reading};

use super::data::DataFile;

/// The keys of the entries of a file that hold an anchor.
pub(crate) fn keys_with_anchors(file: &DataFile) -> HashSet<String> {
    let text = file.source.text();
    if !text.contains('&') {
        return HashSet::default();
    }
    // A file that cannot be read has no entries to remove.
    let Ok(root) = tree::parse_as(text, 0, "", Reading::Ruby) else { return HashSet::default() };
    let entries = root.as_map().map(|map| map.entries()).unwrap_or_default();
    let holding = entries.iter().filter(|entry| !entry.merged && entry.node().has_anchors());
    holding.filter_map(|entry| entry.name().map(str::to_owned)).collect()
}
