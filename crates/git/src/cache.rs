//! [`Cache`]: objects that are read again and again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use crate::id::Id;
use crate::objects::ObjectKind;

/// The size of each cache in bytes.
const CACHE_BYTES: usize = 8 << 20;
/// The size of the largest object that is cached.
const MAX_ENTRY_BYTES: usize = 1 << 20;
/// The overhead of an entry in bytes.
const ENTRY_OVERHEAD: usize = 128;

/// Objects that were read of late: by their names, and by their places in packs.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    objects: GenerationalCache<Id>,
    bases: GenerationalCache<(u64, u64)>,
}

/// Two generations: when the younger one is full, it takes the place of the elder.
#[derive(Debug)]
struct GenerationalCache<K> {
    young: HashMap<K, (ObjectKind, Arc<[u8]>)>,
    old: HashMap<K, (ObjectKind, Arc<[u8]>)>,
    size: usize,
}

impl<K> Default for GenerationalCache<K> {
    fn default() -> Self {
        GenerationalCache { young: HashMap::new(), old: HashMap::new(), size: 0 }
    }
}

impl<K: Hash + Eq + Copy> GenerationalCache<K> {
    fn get(&mut self, key: K) -> Option<(ObjectKind, Arc<[u8]>)> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let (kind, bytes) = self.old.remove(&key)?;
        self.insert(key, kind, bytes.clone());
        Some((kind, bytes))
    }

    fn insert(&mut self, key: K, kind: ObjectKind, bytes: Arc<[u8]>) {
        let size = bytes.len() + ENTRY_OVERHEAD;
        if size > MAX_ENTRY_BYTES {
            return;
        }
        if self.size + size > CACHE_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        if let Entry::Vacant(entry) = self.young.entry(key) {
            entry.insert((kind, bytes));
            self.size += size;
        }
    }
}

impl Cache {
    pub(crate) fn object(&mut self, id: Id) -> Option<(ObjectKind, Arc<[u8]>)> {
        self.objects.get(id)
    }

    pub(crate) fn insert_object(&mut self, id: Id, kind: ObjectKind, bytes: Arc<[u8]>) {
        self.objects.insert(id, kind, bytes);
    }

    /// The object at an offset of a pack. The first number is the id of the pack.
    pub(crate) fn base(&mut self, at: (u64, u64)) -> Option<(ObjectKind, Arc<[u8]>)> {
        self.bases.get(at)
    }

    pub(crate) fn insert_base(&mut self, at: (u64, u64), kind: ObjectKind, bytes: Arc<[u8]>) {
        self.bases.insert(at, kind, bytes);
    }
}
