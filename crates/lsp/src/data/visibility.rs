//! [`VisibleValues`]: how many nodes see the value that a file has for a key.
//!
//! Two nodes see the same values of a key if the files that can have it are the same in their hierarchies, and no
//! interpolation is involved. So most keys of a large file need one or two lookups instead of one for each node.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::value::collections::HashMap;
use hieratic::{Node, Query};
use hieratic_lint::{DataFile, LOOKUP_OPTIONS, View, has_interpolation};

use crate::document::Document;
use crate::keys::Keys;
use crate::snapshot::{Analysis, Snapshot};

/// The maximum number of nodes that are looked up for each key.
const MAX_NODES: usize = 64;

/// A file in the hierarchies of nodes: its index among the files of the environment, or a larger number for one that
/// was not checked yet.
type FileId = usize;

/// Counts the nodes that see values of a file.
pub(super) struct VisibleValues<'s> {
    view: &'s View,
    file: &'s DataFile,
    nodes: Vec<ReadingNode>,
    /// The files that were edited since the check, by their ids.
    edited: HashMap<FileId, Arc<Document>>,
    /// Those of them that have an interpolation anywhere.
    interpolating: Vec<Arc<Document>>,
    /// The files that may have options for keys.
    with_options: Vec<FileId>,
    /// Whether an interpolation may change options.
    has_dynamic_options: bool,
}

/// A node that reads the file.
struct ReadingNode {
    node: Node,
    /// All files that it reads, the most specific first.
    files: Vec<FileId>,
}

impl<'s> VisibleValues<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, view: &'s View, analysis: &Analysis, file: &'s DataFile) -> Self {
        let environment = snapshot.environment(view);
        let mut unchecked: HashMap<PathBuf, FileId> = HashMap::default();
        let mut nodes = Vec::new();
        for facts in snapshot.chosen.nodes.iter().take(MAX_NODES) {
            // A node that cannot be looked up sees nothing. The check reports why.
            let Ok(node) = environment.node(facts) else { continue };
            let Ok(sources) = node.sources() else { continue };
            if sources.iter().any(|source| source == file.path()) {
                let files = sources.iter().map(|path| file_id(view, &mut unchecked, path)).collect();
                nodes.push(ReadingNode { node, files });
            }
        }
        let mut values = VisibleValues {
            view,
            file,
            nodes,
            edited: HashMap::default(),
            interpolating: Vec::new(),
            with_options: Vec::new(),
            has_dynamic_options: false,
        };
        for (path, document) in snapshot.documents.iter() {
            let is_checked = analysis.documents.get(path).is_some_and(|checked| Arc::ptr_eq(checked, document));
            if !is_checked && (view.file(path).is_some() || unchecked.contains_key(path)) {
                values.edited.insert(file_id(view, &mut unchecked, path), document.clone());
                values.interpolating.extend(document.text.contains("%{").then(|| document.clone()));
            }
        }
        // A file of the disk that was not checked yet can have everything.
        values.has_dynamic_options = unchecked.values().any(|id| !values.edited.contains_key(id));
        values.add_options();
        values
    }

    fn add_options(&mut self) {
        for (id, file) in self.view.files().iter().enumerate() {
            if !self.edited.contains_key(&id)
                && let Some(options) = file.content().0.get(LOOKUP_OPTIONS)
            {
                self.with_options.push(id);
                self.has_dynamic_options |= has_interpolation(options);
            }
        }
        for (id, document) in &self.edited {
            if document.text.contains(LOOKUP_OPTIONS) {
                self.with_options.push(*id);
                self.has_dynamic_options |= entry(document, LOOKUP_OPTIONS).is_none_or(|entry| entry.contains("%{"));
            }
        }
        self.with_options.sort_unstable();
    }

    /// Returns how many nodes see the value of the file for a key, which these files had when they were checked, in the
    /// order of their ids.
    pub(super) fn count_nodes(&self, key: &str, having: &[FileId]) -> usize {
        let quoted = hieratic::lookup::quoted_key(key);
        if self.has_dynamic_options || !self.view.reads_plain_files_only(key) || self.is_dynamic(key, having) {
            return self.nodes.iter().filter(|reading| self.sees(&reading.node, &quoted)).count();
        }
        let mut known: HashMap<Vec<FileId>, bool> = HashMap::default();
        let mut count = 0;
        for reading in &self.nodes {
            let can_have = |id: &&FileId| {
                having.binary_search(id).is_ok()
                    || self.edited.contains_key(*id)
                    || self.with_options.binary_search(id).is_ok()
            };
            let files: Vec<FileId> = reading.files.iter().filter(can_have).copied().collect();
            let sees = *known.entry(files).or_insert_with(|| self.sees(&reading.node, &quoted));
            count += usize::from(sees);
        }
        count
    }

    /// Returns whether an interpolation may change which value of a key a node sees.
    fn is_dynamic(&self, key: &str, having: &[FileId]) -> bool {
        let checked = having.iter().filter(|id| !self.edited.contains_key(*id));
        let mut values = checked.filter_map(|id| self.view.files().get(*id)?.content().0.get(key));
        values.any(has_interpolation)
            || self.interpolating.iter().any(|document| entry(document, key).is_some_and(|entry| entry.contains("%{")))
    }

    /// Returns whether a node sees the value of the file for a key, or a part of it.
    fn sees(&self, node: &Node, quoted: &str) -> bool {
        node.why(&Query::new(quoted)).layers.iter().any(|layer| {
            let is_own =
                matches!(&layer.place, Some(hieratic::lookup::Origin::File { file: at, .. }) if **at == *self.file.path());
            let is_kept =
                layer.parts.is_empty() || layer.parts.iter().any(|part| part.fate == hieratic::explain::PartStatus::Kept);
            is_own && is_kept
        })
    }
}

/// Returns the id of a file that a hierarchy names.
fn file_id(view: &View, unchecked: &mut HashMap<PathBuf, FileId>, path: &Path) -> FileId {
    let files = view.files();
    if let Ok(index) = files.binary_search_by(|file| file.path().cmp(path)) {
        return index;
    }
    let next = files.len() + unchecked.len();
    *unchecked.entry(path.to_owned()).or_insert(next)
}

/// The text of the entry of a key in an edited document; the whole text if an alias may lead out of the entry.
fn entry<'d>(document: &'d Document, key: &str) -> Option<&'d str> {
    let keys: &Keys = document.keys();
    if !keys.is_whole {
        return Some(&document.text);
    }
    let (index, ..) = keys.top().find(|(_, name, ..)| *name == key)?;
    let entry = document.slice(keys.whole(index));
    Some(if entry.contains('*') { &document.text } else { entry })
}
