//! [`SharedCatalogs`]: the catalogs of nodes whose compilations have read the same.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hieratic_puppet_eval::NodeReads;
use hieratic_value::collections::HashMap;

use super::Compilation;

/// The number of catalogs that are kept for further nodes, and their maximum size.
#[derive(Clone, Copy, Debug)]
struct Limits {
    count: usize,
    size: usize,
}

/// The limits of catalogs that no other node shares so far: where all nodes differ, memory does not grow with them.
const NEW: Limits = Limits { count: 64, size: 60_000 };

/// The limits of catalogs that several nodes share.
const SHARED: Limits = Limits { count: 64, size: 100_000 };

/// The number of answers in a record that count as one resource.
const ANSWERS_PER_RESOURCE: usize = 8;

/// The maximum number of catalogs whose data is looked up again for one node.
pub(crate) const MAX_CANDIDATES: usize = 4;

/// The compilation of a node, which others may share.
#[derive(Clone, Debug)]
pub struct SharedCompilation {
    /// The compilation. Its catalog has the name of the first node of the group; its variables are those of that node.
    pub compilation: Arc<Compilation>,
    /// The number of the group of nodes that share it, if there may be others.
    pub group: Option<usize>,
}

/// The values that a program computes from the catalogs of a compiler, once for each group of nodes that share one.
#[derive(Debug)]
pub struct GroupMemo<T>(RwLock<HashMap<usize, T>>);

impl<T> Default for GroupMemo<T> {
    fn default() -> GroupMemo<T> {
        GroupMemo(RwLock::default())
    }
}

impl<T: Clone> GroupMemo<T> {
    /// Returns the value for a compilation, and computes it for the first node of a group. Only values of small size belong
    /// here, because none is dropped.
    pub fn get(&self, shared: &SharedCompilation, compute: impl FnOnce(&Compilation) -> T) -> T {
        let Some(group) = shared.group else { return compute(&shared.compilation) };
        // Values are complete, even if a thread has panicked.
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&group) {
            return known.clone();
        }
        let value = compute(&shared.compilation);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(group, value.clone());
        value
    }
}

/// A catalog with everything that its compilation has read of the node.
#[derive(Debug)]
pub(crate) struct SharedCatalog {
    pub reads: NodeReads,
    pub compilation: Arc<Compilation>,
    pub group: usize,
    /// Whether it has read a file of code that has other content in another revision.
    pub has_read_other_code: bool,
    /// The number of its resources, with what its record takes.
    size: usize,
    /// Whether another node has shared it.
    is_shared: AtomicBool,
}

/// The catalogs of nodes of one compiler.
#[derive(Debug, Default)]
pub(crate) struct SharedCatalogs {
    all: RwLock<Vec<Arc<SharedCatalog>>>,
    /// The number of catalogs so far.
    count: AtomicUsize,
}

impl SharedCatalogs {
    /// Returns the catalogs for which a function returns true, up to a few.
    pub(crate) fn candidates(&self, accepts: impl Fn(&NodeReads) -> bool) -> Vec<Arc<SharedCatalog>> {
        // A list is complete at every moment, even if a thread has panicked.
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|one| accepts(&one.reads)).take(MAX_CANDIDATES).cloned().collect()
    }

    /// Returns the compilation of a catalog, which another node shares.
    pub(crate) fn share(&self, one: &SharedCatalog) -> SharedCompilation {
        one.is_shared.store(true, Ordering::Relaxed);
        SharedCompilation { compilation: one.compilation.clone(), group: Some(one.group) }
    }

    /// Keeps a compilation for further nodes.
    pub(crate) fn add(
        &self,
        reads: NodeReads,
        compilation: Compilation,
        has_read_other_code: bool,
    ) -> SharedCompilation {
        let compilation = Arc::new(compilation);
        let group = self.count.fetch_add(1, Ordering::Relaxed);
        let resources = compilation.catalog.as_ref().map_or(0, |catalog| catalog.resources.len());
        let size = resources + reads.len() / ANSWERS_PER_RESOURCE;
        let is_shared = AtomicBool::new(false);
        let compiled = compilation.clone();
        let new = SharedCatalog { reads, compilation: compiled, group, has_read_other_code, size, is_shared };
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::new(new));
        make_room(&mut all, group, false, NEW);
        make_room(&mut all, group, true, SHARED);
        SharedCompilation { compilation, group: Some(group) }
    }
}

/// Removes catalogs until those that are shared, or those that are not, are within limits. Which ones looks random: nodes
/// often alternate between roles, and the oldest catalog would be that of the next node.
fn make_room(all: &mut Vec<Arc<SharedCatalog>>, group: usize, is_shared: bool, limits: Limits) {
    let mut number = group as u64;
    loop {
        let alike = || all.iter().enumerate().filter(|(_, one)| one.is_shared.load(Ordering::Relaxed) == is_shared);
        let count = alike().count();
        if count <= limits.count && alike().map(|(_, one)| one.size).sum::<usize>() <= limits.size {
            return;
        }
        // The multiplier of Knuth's generator MMIX spreads numbers that follow each other.
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = (number >> 33) as usize % count.max(1);
        let Some((at, _)) = alike().nth(chosen) else { return };
        all.swap_remove(at);
    }
}
