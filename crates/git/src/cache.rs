//! [`Cache`]: a cache of objects that are read repeatedly.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use crate::folder::Folder;
use crate::id::Id;
use crate::objects::{ObjectHeader, ObjectKind};

/// The size of each cache of objects in bytes.
const CACHE_BYTES: usize = 16 << 20;
/// The size of the largest object that is cached.
const MAX_ENTRY_BYTES: usize = 1 << 20;
/// The overhead of an entry in bytes.
const ENTRY_OVERHEAD: usize = 128;
/// The size of the cache of headers in bytes.
const HEADER_BYTES: usize = 4 << 20;

/// The kind and the bytes of an object.
type Content = (ObjectKind, Arc<[u8]>);

/// Objects that were read of late: by their names, and by their places in packs.
#[derive(Debug)]
pub(crate) struct Cache {
    objects: GenerationalCache<Id, Content>,
    bases: GenerationalCache<(u64, u64), Content>,
    headers: GenerationalCache<Id, ObjectHeader>,
    folders: GenerationalCache<Id, Arc<Folder>>,
}

/// Two generations: when the younger one is full, it takes the place of the elder.
#[derive(Debug)]
struct GenerationalCache<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    /// The size of the young generation in bytes, and the largest one.
    size: usize,
    most: usize,
}

impl<K: Hash + Eq + Copy, V: Clone> GenerationalCache<K, V> {
    fn new(bytes: usize) -> GenerationalCache<K, V> {
        GenerationalCache { young: HashMap::new(), old: HashMap::new(), size: 0, most: bytes / 2 }
    }

    /// Returns the value of a key. `size` says how many bytes a value has.
    fn get(&mut self, key: K, size: impl FnOnce(&V) -> usize) -> Option<V> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.remove(&key)?;
        self.insert(key, known.clone(), size(&known));
        Some(known)
    }

    fn insert(&mut self, key: K, value: V, size: usize) {
        let size = size + ENTRY_OVERHEAD;
        if size > MAX_ENTRY_BYTES {
            return;
        }
        if self.size + size > self.most {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        if let Entry::Vacant(entry) = self.young.entry(key) {
            entry.insert(value);
            self.size += size;
        }
    }
}

impl Default for Cache {
    fn default() -> Cache {
        Cache {
            objects: GenerationalCache::new(CACHE_BYTES),
            bases: GenerationalCache::new(CACHE_BYTES),
            headers: GenerationalCache::new(HEADER_BYTES),
            folders: GenerationalCache::new(CACHE_BYTES),
        }
    }
}

impl Cache {
    pub(crate) fn object(&mut self, id: Id) -> Option<(ObjectKind, Arc<[u8]>)> {
        self.objects.get(id, |(_, bytes)| bytes.len())
    }

    pub(crate) fn insert_object(&mut self, id: Id, kind: ObjectKind, bytes: Arc<[u8]>) {
        let size = bytes.len();
        self.objects.insert(id, (kind, bytes), size);
    }

    /// The object at an offset of a pack. The first number is the id of the pack.
    pub(crate) fn base(&mut self, at: (u64, u64)) -> Option<(ObjectKind, Arc<[u8]>)> {
        self.bases.get(at, |(_, bytes)| bytes.len())
    }

    pub(crate) fn insert_base(&mut self, at: (u64, u64), kind: ObjectKind, bytes: Arc<[u8]>) {
        let size = bytes.len();
        self.bases.insert(at, (kind, bytes), size);
    }

    /// The header of an object.
    pub(crate) fn header(&mut self, id: Id) -> Option<ObjectHeader> {
        self.headers.get(id, |_| 0)
    }

    pub(crate) fn insert_header(&mut self, id: Id, header: ObjectHeader) {
        self.headers.insert(id, header, 0);
    }

    /// The names of a tree.
    pub(crate) fn folder(&mut self, id: Id) -> Option<Arc<Folder>> {
        self.folders.get(id, |folder| folder.memory)
    }

    pub(crate) fn insert_folder(&mut self, id: Id, folder: Arc<Folder>) {
        let size = folder.memory;
        self.folders.insert(id, folder, size);
    }
}
