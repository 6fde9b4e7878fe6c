//! [`VisibleValues`]: how many nodes see the value that a file has for a key.
//!
//! Without interpolations and merges, a node sees the value of the first file of its hierarchy with the key, so no
//! lookup is needed. For other keys, two nodes see the same value if the files that can define the key are equal in
//! their hierarchies: most keys need one or two lookups instead of one for each node.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Environment, Node, Query, Value};
use hieratic_lint::{DataFile, LOOKUP_OPTIONS, View, has_interpolation};

use crate::document::Document;
use crate::keys::{Keys, Name};
use crate::node_files::NodeFiles;
use crate::snapshot::{Analysis, Snapshot};

/// A file in the hierarchies of nodes: its index among the files of the environment, or a larger number for one that
/// was not checked yet.
type FileId = usize;

/// Counts the nodes that see values of a file.
pub(super) struct VisibleValues<'s> {
    snapshot: &'s Snapshot,
    view: &'s View,
    file: &'s DataFile,
    /// The id of the file.
    own: FileId,
    nodes: Vec<ReadingNode>,
    /// The environment with the unsaved files, opened for the first lookup.
    environment: OnceCell<Environment>,
    /// The files that were edited since the check, by their ids.
    edited: HashMap<FileId, EditedFile>,
    /// Those of them that have an interpolation anywhere.
    interpolating: Vec<Arc<Document>>,
    options: MergeOptions,
}

/// A file that was edited since the check.
struct EditedFile {
    document: Arc<Document>,
    /// Its keys.
    keys: HashSet<String>,
}

/// The keys for which files may have a merge strategy other than `first`.
#[derive(Default)]
struct MergeOptions {
    /// The files that may have options for keys.
    files: Vec<FileId>,
    exact: HashSet<String>,
    patterns: Vec<Regexp>,
    /// Whether any key may be merged: an interpolation may change options, or they cannot be read.
    are_dynamic: bool,
}

/// A node that reads the file.
struct ReadingNode {
    /// The index of its facts.
    facts: usize,
    /// All files that it reads, the most specific first.
    files: Vec<FileId>,
    /// The rank of each of them.
    ranks: HashMap<FileId, usize>,
    /// Whether a file of it cannot be parsed, which lookups report.
    is_broken: bool,
    /// The node, opened for its first lookup; `None` if it cannot be opened.
    node: OnceCell<Option<Node>>,
}

impl<'s> VisibleValues<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, view: &'s View, analysis: &Analysis, file: &'s DataFile) -> Self {
        let mut unchecked: HashMap<PathBuf, FileId> = HashMap::default();
        let own = file_id(view, &mut unchecked, file.path());
        let mut nodes = Vec::new();
        let environment = OnceCell::new();
        for (facts, sources) in NodeFiles::of(snapshot, view, &environment).reading(file.path()) {
            let files: Vec<FileId> = sources.iter().map(|path| file_id(view, &mut unchecked, path)).collect();
            let mut ranks = HashMap::default();
            for (rank, id) in files.iter().enumerate() {
                ranks.entry(*id).or_insert(rank);
            }
            nodes.push(ReadingNode { facts, files, ranks, is_broken: false, node: OnceCell::new() });
        }
        let mut values = VisibleValues {
            snapshot,
            view,
            file,
            own,
            nodes,
            environment,
            edited: HashMap::default(),
            interpolating: Vec::new(),
            options: MergeOptions::default(),
        };
        for (path, document) in snapshot.documents.iter() {
            let is_checked = analysis.documents.get(path).is_some_and(|checked| Arc::ptr_eq(checked, document));
            if !is_checked && (view.file(path).is_some() || unchecked.contains_key(path)) {
                let keys = document.keys().top().map(|(_, key, ..)| key.to_owned()).collect();
                let edited = EditedFile { document: document.clone(), keys };
                values.edited.insert(file_id(view, &mut unchecked, path), edited);
                values.interpolating.extend(document.text.contains("%{").then(|| document.clone()));
            }
        }
        // A file of the disk that was not checked yet can have everything.
        values.options.are_dynamic = unchecked.values().any(|id| !values.edited.contains_key(id));
        values.add_options();
        values.find_broken();
        values
    }

    fn add_options(&mut self) {
        for (id, file) in self.view.files().iter().enumerate() {
            if !self.edited.contains_key(&id)
                && let Some(options) = file.content().0.get(LOOKUP_OPTIONS)
            {
                self.options.add(id, options);
            }
        }
        for (id, EditedFile { document, .. }) in &self.edited {
            if document.text.contains(LOOKUP_OPTIONS) {
                self.options.add_written(*id, document);
            }
        }
        self.options.files.sort_unstable();
    }

    fn find_broken(&mut self) {
        let VisibleValues { nodes, view, edited, .. } = self;
        let is_broken = |id: &FileId| match edited.get(id) {
            Some(file) => !file.document.keys().is_whole,
            None => view.files().get(*id).is_some_and(|file| !file.is_readable()),
        };
        for reading in nodes {
            reading.is_broken = reading.files.iter().any(is_broken);
        }
    }

    /// Returns how many nodes see the value of the file for a key, which these files had when they were checked, in the
    /// order of their ids.
    pub(super) fn count_nodes(&self, key: &str, having: &[FileId]) -> usize {
        let quoted = hieratic::lookup::quoted_key(key);
        if self.options.are_dynamic || !self.view.reads_plain_files_only(key) || self.is_dynamic(key, having) {
            return self.nodes.iter().filter(|reading| self.sees(reading, &quoted)).count();
        }
        // A module's data is read only for keys of the module.
        let is_plain = having.iter().all(|id| self.is_searched(*id, key));
        if is_plain && !self.options.may_merge(key) {
            let edited: Vec<FileId> =
                self.edited.iter().filter(|(_, file)| file.keys.contains(key)).map(|(id, _)| *id).collect();
            let is_first = |reading: &ReadingNode| {
                let checked = having.iter().filter(|id| !self.edited.contains_key(*id));
                let ranked = checked.chain(&edited).filter_map(|id| Some((reading.ranks.get(id)?, id)));
                ranked.min().is_some_and(|(_, id)| *id == self.own)
            };
            let sees = |reading: &&ReadingNode| {
                if reading.is_broken { self.sees(reading, &quoted) } else { is_first(reading) }
            };
            return self.nodes.iter().filter(sees).count();
        }
        let mut known: HashMap<Vec<FileId>, bool> = HashMap::default();
        let mut count = 0;
        for reading in &self.nodes {
            // A file that cannot be parsed makes the lookups of its nodes fail.
            if reading.is_broken {
                count += usize::from(self.sees(reading, &quoted));
                continue;
            }
            let can_have = |id: &&FileId| {
                having.binary_search(id).is_ok()
                    || self.edited.contains_key(*id)
                    || self.options.files.binary_search(id).is_ok()
            };
            let files: Vec<FileId> = reading.files.iter().filter(can_have).copied().collect();
            let sees = *known.entry(files).or_insert_with(|| self.sees(reading, &quoted));
            count += usize::from(sees);
        }
        count
    }

    /// Returns whether a lookup of a key asks a file that a node reads.
    fn is_searched(&self, id: FileId, key: &str) -> bool {
        let module = self.view.files().get(id).and_then(|file| self.view.module_of(file));
        module.is_none_or(|module| key.split_once("::").is_some_and(|(first, _)| first == module))
    }

    /// Returns whether an interpolation may change which value of a key a node sees.
    fn is_dynamic(&self, key: &str, having: &[FileId]) -> bool {
        let checked = having.iter().filter(|id| !self.edited.contains_key(*id));
        let mut values = checked.filter_map(|id| self.view.files().get(*id)?.content().0.get(key));
        values.any(has_interpolation)
            || self.interpolating.iter().any(|document| entry(document, key).is_some_and(|entry| entry.contains("%{")))
    }

    /// Returns whether a node sees the value of the file for a key, or a part of it.
    fn sees(&self, reading: &ReadingNode, quoted: &str) -> bool {
        let environment = self.environment.get_or_init(|| self.snapshot.environment(self.view));
        // A node that cannot be opened sees nothing. The check reports why.
        let open = || environment.node(self.snapshot.chosen.nodes.get(reading.facts)?).ok();
        let Some(node) = reading.node.get_or_init(open) else { return false };
        node.why(&Query::new(quoted)).layers.iter().any(|layer| {
            let is_own =
                matches!(&layer.place, Some(hieratic::lookup::Origin::File { file: at, .. }) if **at == *self.file.path());
            let is_kept =
                layer.parts.is_empty() || layer.parts.iter().any(|part| part.status == hieratic::explain::PartStatus::Kept);
            is_own && is_kept
        })
    }
}

impl MergeOptions {
    /// Adds the options of a checked file.
    fn add(&mut self, id: FileId, options: &Value) {
        self.files.push(id);
        self.are_dynamic |= has_interpolation(options);
        let Some(options) = options.as_hash() else { return };
        for (key, value) in options.iter() {
            let merge = value.as_hash().and_then(|hash| hash.get("merge"));
            if merge.is_none_or(|merge| merge.as_str() == Some("first")) {
                continue;
            }
            if let Some(key) = key.as_str() {
                self.add_key(key);
            }
        }
    }

    /// Adds the options of a file that is being edited: of every key that it lists.
    fn add_written(&mut self, id: FileId, document: &Document) {
        self.files.push(id);
        self.are_dynamic |= entry(document, LOOKUP_OPTIONS).is_none_or(|entry| entry.contains("%{"));
        let keys = document.keys();
        let Some((top, ..)) = keys.top().find(|(_, name, ..)| *name == LOOKUP_OPTIONS) else { return };
        for (_, child) in keys.children(top) {
            if let Name::Key(key, _) = &child.name {
                self.add_key(key);
            }
        }
    }

    fn add_key(&mut self, key: &str) {
        if !key.starts_with('^') {
            self.exact.insert(key.to_owned());
            return;
        }
        match Regexp::new(key) {
            Ok(pattern) => self.patterns.push(pattern),
            // Lookups report the pattern.
            Err(_) => self.are_dynamic = true,
        }
    }

    /// Returns whether a key may have a merge strategy. A pattern that exhausts its budget may match.
    fn may_merge(&self, key: &str) -> bool {
        let budget = hieratic::budget::Budget::default();
        self.exact.contains(key)
            || self.patterns.iter().any(|pattern| pattern.is_match_within(key, &budget).unwrap_or(true))
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
