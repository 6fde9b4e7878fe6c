//! [`Cache`]: objects that are read again and again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use crate::id::Id;
use crate::objects::Kind;

/// The size of each cache in bytes.
const LARGEST: usize = 8 << 20;
/// The size of the largest object that is cached.
const LARGEST_OF_ONE: usize = 1 << 20;
/// The overhead of an entry in bytes.
const OF_ONE: usize = 128;

/// Objects that were read of late: by their names, and by their places in packs.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    objects: Recent<Id>,
    bases: Recent<(u64, u64)>,
}

/// Two generations: when the younger one is full, it takes the place of the elder.
#[derive(Debug)]
struct Recent<K> {
    young: HashMap<K, (Kind, Arc<[u8]>)>,
    old: HashMap<K, (Kind, Arc<[u8]>)>,
    size: usize,
}

impl<K> Default for Recent<K> {
    fn default() -> Self {
        Recent { young: HashMap::new(), old: HashMap::new(), size: 0 }
    }
}

impl<K: Hash + Eq + Copy> Recent<K> {
    fn get(&mut self, key: K) -> Option<(Kind, Arc<[u8]>)> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let (kind, bytes) = self.old.remove(&key)?;
        self.insert(key, kind, bytes.clone());
        Some((kind, bytes))
    }

    fn insert(&mut self, key: K, kind: Kind, bytes: Arc<[u8]>) {
        let size = bytes.len() + OF_ONE;
        if size > LARGEST_OF_ONE {
            return;
        }
        if self.size + size > LARGEST / 2 {
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
    pub(crate) fn object(&mut self, id: Id) -> Option<(Kind, Arc<[u8]>)> {
        self.objects.get(id)
    }

    pub(crate) fn insert_object(&mut self, id: Id, kind: Kind, bytes: Arc<[u8]>) {
        self.objects.insert(id, kind, bytes);
    }

    /// The object at an offset of a pack. The first number is the id of the pack.
    pub(crate) fn base(&mut self, at: (u64, u64)) -> Option<(Kind, Arc<[u8]>)> {
        self.bases.get(at)
    }

    pub(crate) fn insert_base(&mut self, at: (u64, u64), kind: Kind, bytes: Arc<[u8]>) {
        self.bases.insert(at, kind, bytes);
    }
}
