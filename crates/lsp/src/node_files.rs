//! [`NodeFiles`]: the files that nodes read, which change only with the hierarchy.
//!
//! The globs of the hierarchy are expanded for each node, which takes longer than all other work for lenses. The result
//! is therefore cached until a file is added or removed, a configuration changes, or other nodes are chosen.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::Environment;
use hieratic::value::collections::HashMap;
use hieratic_lint::{Hierarchy, View};

use crate::node_choice::NodeChoice;
use crate::snapshot::Snapshot;

/// The maximum number of nodes whose files are listed.
const MAX_NODES: usize = 64;

/// The files that the nodes of the files of facts read in an environment.
#[derive(Debug)]
pub(crate) struct NodeFiles {
    /// The index of each node's facts, and the files that it reads, the most specific first.
    nodes: Vec<(usize, Vec<PathBuf>)>,
}

/// The files of nodes, with their dependencies.
struct CachedNodeFiles {
    hierarchy: Hierarchy,
    chosen: Arc<NodeChoice>,
    files: Arc<NodeFiles>,
}

/// The files of nodes by the folder of their environment.
#[derive(Clone, Default)]
pub(crate) struct NodeFilesCache(Arc<Mutex<HashMap<PathBuf, CachedNodeFiles>>>);

impl NodeFiles {
    /// The files of all nodes in an environment, which is opened with its unsaved files if they are not known yet.
    pub(crate) fn of(snapshot: &Snapshot, view: &View, environment: &OnceCell<Environment>) -> Arc<NodeFiles> {
        let open = || environment.get_or_init(|| snapshot.environment(view));
        // The session does not know a file that was opened a moment ago. A level may read it.
        let is_new = |path: &PathBuf| path.starts_with(view.root()) && view.file(path).is_none();
        let is_checked = snapshot.analysis_of(view.root()).is_some_and(|analysis| {
            let mut opened = snapshot.documents.keys().filter(|path| !analysis.documents.contains_key(*path));
            !opened.any(is_new)
        });
        if !is_checked {
            return Arc::new(NodeFiles::read(snapshot, open()));
        }
        let hierarchy = view.hierarchy();
        if let Some(known) = snapshot.node_files.get(view, &hierarchy, &snapshot.chosen) {
            return known;
        }
        let files = Arc::new(NodeFiles::read(snapshot, open()));
        let cached = CachedNodeFiles { hierarchy, chosen: snapshot.chosen.clone(), files: files.clone() };
        snapshot.node_files.insert(view, cached);
        files
    }

    fn read(snapshot: &Snapshot, environment: &Environment) -> NodeFiles {
        let facts = snapshot.chosen.nodes.iter().enumerate().take(MAX_NODES);
        let nodes = facts.filter_map(|(index, facts)| {
            // A node that cannot be looked up reads nothing. The check reports why.
            let sources = environment.node(facts).ok()?.sources().ok()?;
            Some((index, sources))
        });
        NodeFiles { nodes: nodes.collect() }
    }

    /// The nodes that read a file, with all files that they read.
    pub(crate) fn reading(&self, path: &Path) -> impl Iterator<Item = (usize, &[PathBuf])> {
        let reads = self.nodes.iter().filter(move |(_, sources)| sources.iter().any(|source| source == path));
        reads.map(|(index, sources)| (*index, sources.as_slice()))
    }
}

impl NodeFilesCache {
    fn get(&self, view: &View, hierarchy: &Hierarchy, chosen: &Arc<NodeChoice>) -> Option<Arc<NodeFiles>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.get(view.root())?;
        let is_same = known.hierarchy.is_same(hierarchy) && Arc::ptr_eq(&known.chosen, chosen);
        is_same.then(|| known.files.clone())
    }

    fn insert(&self, view: &View, files: CachedNodeFiles) {
        // Every change is one insertion, so the table is consistent after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(view.root().to_owned(), files);
    }
}
