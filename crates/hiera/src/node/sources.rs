//! [`Sources`]: the files of a layer that a node's lookups search, in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use hieratic_value::define_ids;
use hieratic_value::ids::{Id as _, IndexVec};
use smallvec::SmallVec;

use super::shared::Shared;
use crate::key::Key;
use crate::shared_index::{IndexEntry, SharedFileId, SharedIndex, SharedIndexes};
use crate::source::{Data, Entry, SourceId};

/// The minimum number of lookups of a node before an index is built for it.
const LOOKUPS: usize = 64;

/// The number of keys per lookup at which an index pays off: inserting a key takes a small fraction of a lookup that
/// searches a few files. Of many files, it takes as long as searching two.
const KEYS_A_LOOKUP: usize = 8;
const FILES_A_KEY: usize = 2;

define_ids! {
    /// The id of a file among the files of a layer.
    pub(crate) struct FileId: "files of a layer";
}

/// The files of a layer that lookups search, in order.
#[derive(Debug)]
pub(crate) struct Sources {
    files: IndexVec<FileId, Source>,
    /// The number of locations in the layer.
    locations: u64,
    /// Whether the files are complete: not if an error or another backend follows the last.
    pub(crate) is_complete: bool,
    /// The number of lookups left before an index is built: fewer would not pay for it.
    lookups: AtomicUsize,
    together: OnceLock<Option<IndexedFiles>>,
}

/// A file with data.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) data: Arc<Data>,
    /// The level, the location, the count of each, and the layer: they determine the steps of a merge.
    pub(super) place: u64,
    /// The number of locations that a lookup has searched after the level of this file.
    pub(crate) searched: u64,
    /// Whether other nodes read it, too.
    pub(super) is_shared: bool,
}

/// A table of the files that other nodes read, too.
#[derive(Debug)]
pub(crate) struct IndexedFiles {
    common: Arc<SharedIndex>,
    /// These files in the list of all.
    shared: IndexVec<SharedFileId, FileId>,
    /// The other files.
    own: Box<[FileId]>,
}

/// A file that has a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit<'n> {
    pub(crate) data: &'n Arc<Data>,
    pub(crate) entry: &'n Entry,
    /// The position of the key in the file.
    pub(crate) at: usize,
    pub(crate) place: u64,
    pub(crate) recorded_keys: u64,
}

/// The files that have a key.
pub(crate) enum KeyHits<'n> {
    /// The entry in the index of shared files, and the other files that have the key, with the positions of the key.
    Table {
        sources: &'n Sources,
        together: &'n IndexedFiles,
        shared_entry: Option<&'n IndexEntry>,
        own: SmallVec<[(FileId, usize); 2]>,
    },
    /// There is no index: the files are not searched yet.
    Unknown(&'n Sources),
}

impl<'n> KeyHits<'n> {
    /// Returns whether no file has the key.
    pub(crate) fn is_none(&self) -> bool {
        match self {
            KeyHits::Table { shared_entry, own, .. } => shared_entry.is_none() && own.is_empty(),
            KeyHits::Unknown(sources) => sources.files.is_empty(),
        }
    }

    /// The key of common files, if no other file has it.
    pub(crate) fn only_shared(&self) -> Option<&'n IndexEntry> {
        match self {
            KeyHits::Table { shared_entry, own, .. } if own.is_empty() => *shared_entry,
            _ => None,
        }
    }

    /// The first common file with the key, and where the key is in it.
    pub(crate) fn first_shared(&self) -> Option<(&'n Source, usize)> {
        let KeyHits::Table { sources, together, shared_entry, .. } = self else { return None };
        let location = shared_entry.as_ref()?.locations.first()?;
        Some((&sources.files[together.shared[location.file]], location.at.index()))
    }

    /// Visits the files that have the key, in their order.
    pub(crate) fn visit(self, key: &Key, visit: &mut dyn FnMut(Hit<'n>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut visit = |hit: Option<Hit<'n>>| hit.map_or(ControlFlow::Continue(()), &mut *visit);
        match self {
            KeyHits::Unknown(sources) => {
                sources.files.iter().try_for_each(|file| visit(file.at(key, file.data.position(key))))
            }
            KeyHits::Table { sources, together, shared_entry, own: mut hits } => {
                for location in shared_entry.into_iter().flat_map(|shared_entry| &shared_entry.locations) {
                    hits.push((together.shared[location.file], location.at.index()));
                }
                hits.sort_unstable();
                hits.into_iter().try_for_each(|(file, at)| visit(sources.files[file].at(key, Some(at))))
            }
        }
    }
}

impl Sources {
    /// Creates the list of files of a layer with this number of locations.
    pub(super) fn new(
        files: IndexVec<FileId, Source>,
        locations: u64,
        are_all: bool,
        commons: &SharedIndexes,
    ) -> Sources {
        let common = files.iter().filter(|file: &&Source| file.is_shared);
        let keys: usize = common.map(|file| file.data.keys().len()).sum();
        let mut sources = Sources {
            lookups: AtomicUsize::new(LOOKUPS.max(keys / KEYS_A_LOOKUP.max(files.len() / FILES_A_KEY))),
            files,
            locations,
            is_complete: are_all,
            together: OnceLock::new(),
        };
        if !sources.is_worthwhile() {
            sources.together = OnceLock::from(None);
        } else if let Some(common) = commons.known(&sources.name()) {
            sources.together = OnceLock::from(sources.with(common));
        }
        sources
    }

    /// The number of locations that a complete lookup searches.
    pub(crate) fn locations(&self) -> u64 {
        self.locations
    }

    /// Finds the files that have a key.
    pub(crate) fn find(&self, shared: &Shared, key: &Key) -> KeyHits<'_> {
        let Some(together) = self.indexed(shared) else { return KeyHits::Unknown(self) };
        let position = |file: &FileId| Some((*file, self.files[*file].data.position(key)?));
        let own = together.own.iter().filter_map(position).collect();
        let id = shared.store.numbers().id_of(key);
        KeyHits::Table { sources: self, together, shared_entry: id.and_then(|id| together.common.get(id)), own }
    }

    fn indexed(&self, shared: &Shared) -> Option<&IndexedFiles> {
        if let Some(known) = self.together.get() {
            return known.as_ref();
        }
        // Two threads may count at once; it is enough to know roughly.
        if let Some(fewer) = self.lookups.load(Ordering::Relaxed).checked_sub(1) {
            self.lookups.store(fewer, Ordering::Relaxed);
            return None;
        }
        let files: Vec<_> = self.common().map(|file| &file.data).collect();
        let result = shared.commons.get_or_build(&self.name(), &files, shared.store.numbers());
        self.together.get_or_init(|| result.and_then(|common| self.with(common))).as_ref()
    }

    /// Combines an index with the other files. The index is that of this list's [name](Self::name), so it has exactly
    /// its shared files. `None` if they are too many for an index.
    fn with(&self, common: Arc<SharedIndex>) -> Option<IndexedFiles> {
        let (shared, own): (Vec<_>, Vec<_>) = self.files.entries().partition(|(_, file)| file.is_shared);
        let shared = IndexVec::from_elements(shared.into_iter().map(|(id, _)| id)).ok()?;
        Some(IndexedFiles { common, shared, own: own.into_iter().map(|(id, _)| id).collect() })
    }

    fn common(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|file| file.is_shared)
    }

    /// Returns whether an index would save searches.
    fn is_worthwhile(&self) -> bool {
        self.common().nth(1).is_some()
    }

    /// Returns the identity of the shared files and their places.
    fn name(&self) -> Vec<(SourceId, u64)> {
        self.common().map(|file| (file.data.id(), file.place)).collect()
    }
}

impl Source {
    fn at<'n>(&'n self, key: &Key, at: Option<usize>) -> Option<Hit<'n>> {
        let at = at?;
        let entry = self.data.entry_at(key, at)?;
        Some(Hit { data: &self.data, entry, at, place: self.place, recorded_keys: self.searched })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::path::Path;

    use hieratic_value::{Hash, Value};

    use super::*;
    use crate::layers::Layer;
    use crate::{EnvironmentLayer, Layers, Node, Query, Rules, Scope};

    fn shared(root: &Path, has_global_layer: bool) -> Arc<Shared> {
        let environment = EnvironmentLayer {
            name: "production".into(),
            root: root.to_owned(),
            data_provider: None,
            datadirs: Vec::new(),
        };
        let layers = Layers {
            global_config: root.join("etc/none.yaml"),
            environment,
            modules: Default::default(),
            codedir: root.to_owned(),
        };
        Arc::new(Shared::new(layers, false).with_global_layer(has_global_layer))
    }

    fn node(shared: &Arc<Shared>, name: &str) -> Node {
        let facts: Hash = [(Value::from("name"), Value::from(name))].into_iter().collect();
        let scope = Scope::new(facts, Hash::default(), Hash::default(), Hash::default(), Hash::default());
        Node::new(shared.clone(), scope, Rules::default())
    }

    fn has_table(node: &Node) -> bool {
        let provider = node.provider(Layer::Environment).unwrap().unwrap();
        provider.sources.get().unwrap().together.get().is_some_and(Option::is_some)
    }

    #[test]
    fn files_that_nodes_have_in_common_get_a_table_until_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("data")).unwrap();
        let levels =
            "[{name: Node, path: '%{name}.yaml'}, {name: Site, path: site.yaml}, {name: Common, path: common.yaml}]";
        fs::write(root.join("hiera.yaml"), format!("version: 5\nhierarchy: {levels}\n")).unwrap();
        fs::write(root.join("data/site.yaml"), "list: [1]\nlookup_options: {list: {merge: unique}}\n").unwrap();
        fs::write(root.join("data/common.yaml"), "list: [2]\nplain: x\nown: common\n").unwrap();
        fs::write(root.join("data/n7.yaml"), "own: 7\nlist: [7]\n").unwrap();
        let settle = || std::thread::sleep(std::time::Duration::from_millis(40));
        settle();
        let shared = shared(root, false);
        let answers = |node: &Node| {
            let one = |key: &str| node.lookup(&Query::new(key)).unwrap().inspect();
            let all: Vec<String> =
                (0..100).map(|_| format!("{} {} {}", one("list"), one("plain"), one("own"))).collect();
            assert!(all.iter().all(|answers| *answers == all[0]));
            all[0].clone()
        };
        for number in 0..10 {
            let node = node(&shared, &format!("n{number}"));
            let expected = if number == 7 { "[7, 1, 2] \"x\" 7" } else { "[1, 2] \"x\" \"common\"" };
            assert_eq!(answers(&node), expected);
            // The first node reads files that no other has read before.
            assert_eq!(has_table(&node), number > 0, "node {number}");
        }
        fs::write(root.join("data/common.yaml"), "list: [3]\nplain: y\nown: common\n").unwrap();
        settle();
        let changed = node(&shared, "n1");
        assert_eq!(answers(&changed), "[1, 3] \"y\" \"common\"");
        assert!(!has_table(&changed));
    }

    #[test]
    fn merges_of_common_files_are_kept_with_their_keys_whatever_layers_are_empty() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("data")).unwrap();
        let levels = "[{name: Site, path: site.yaml}, {name: Common, path: common.yaml}]";
        fs::write(root.join("hiera.yaml"), format!("version: 5\nhierarchy: {levels}\n")).unwrap();
        fs::write(root.join("data/site.yaml"), "list: [1]\nlookup_options: {list: {merge: unique}}\n").unwrap();
        fs::write(root.join("data/common.yaml"), "list: [2]\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(40));
        for has_global_layer in [false, true] {
            let shared = shared(root, has_global_layer);
            let kept = |name: &str| {
                let node = node(&shared, name);
                for _ in 0..100 {
                    assert_eq!(node.lookup(&Query::new("list")).unwrap().inspect(), "[1, 2]");
                }
                let sources = node.provider(Layer::Environment).unwrap().unwrap().sources.get().unwrap();
                let found = sources.find(&shared, &Key::parse("list").unwrap());
                found.only_shared().and_then(|entry| entry.cached(1)).is_some()
            };
            assert_eq!((kept("n1"), kept("n2")), (false, true), "{has_global_layer}");
        }
    }
}
