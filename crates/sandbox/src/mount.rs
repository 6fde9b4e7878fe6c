//! [`Mount`]: a [`Tree`] in the place of a folder, and the resolution of paths in it.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::denied::is_absence;
use crate::files::{Stat, strip_folder};
use crate::mounted::ReadErrors;
use crate::tree::{Tree, TreeEntry};

/// A tree in the place of a folder.
#[derive(Debug)]
pub(crate) struct Mount {
    pub(crate) root: PathBuf,
    pub(crate) tree: Arc<dyn Tree>,
    /// The record of read errors, if the owner of the tree wants one.
    pub(crate) faults: Option<Arc<ReadErrors>>,
    /// A memo table of resolved names. A tree does not change while it is mounted.
    resolved: Mutex<HashMap<PathBuf, Arc<ResolvedPath>>>,
}

/// The target of a path, all links followed.
#[derive(Debug)]
pub(crate) enum ResolvedPath {
    /// To something in the tree, under this name.
    Inside { name: PathBuf, stat: Stat, is_patched: bool },
    /// A link leads to this path outside of the tree.
    Outside(PathBuf),
    /// To nothing.
    Missing { is_patched: bool, loops: bool },
    /// To something that cannot be read, which is not the same as nothing.
    Unreadable(ErrorKind, String),
}

/// The number of links that a path may follow, as on Linux.
pub(crate) const MAX_LINKS: usize = 40;

impl Mount {
    pub(crate) fn new(root: PathBuf, tree: Arc<dyn Tree>, faults: Option<Arc<ReadErrors>>) -> Mount {
        Mount { root, tree, faults, resolved: Mutex::default() }
    }

    /// The name of a plain path in the tree, if the path is in it.
    pub(crate) fn name(&self, path: &Path) -> Option<PathBuf> {
        strip_folder(path, &self.root)
    }

    /// Follows a name to its end.
    pub(crate) fn resolve(&self, name: &Path) -> Arc<ResolvedPath> {
        self.resolve_cached(name, MAX_LINKS)
    }

    fn resolve_uncached(&self, name: &Path, links: usize) -> Arc<ResolvedPath> {
        let (Some(parent), Some(last)) = (name.parent(), name.file_name()) else {
            return Arc::new(self.resolve_entry(PathBuf::new(), false, links));
        };
        let folder = self.resolve_cached(parent, links);
        let ResolvedPath::Inside { name: outer, stat, is_patched } = &*folder else {
            return match &*folder {
                ResolvedPath::Outside(path) => Arc::new(ResolvedPath::Outside(path.join(last))),
                _ => folder,
            };
        };
        if !stat.is_folder() {
            return Arc::new(ResolvedPath::Missing { is_patched: *is_patched, loops: false });
        }
        Arc::new(self.resolve_entry(outer.join(last), *is_patched, links))
    }

    /// Like [`follow_within`](Self::follow_within), for a name that is resolved often: the result is cached.
    fn resolve_cached(&self, name: &Path, links: usize) -> Arc<ResolvedPath> {
        let known = || self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(name) {
            return known.clone();
        }
        let found = self.resolve_uncached(name, links);
        // A result that depends on the links before it is not cached: the same name may resolve on another path.
        if !matches!(&*found, ResolvedPath::Missing { loops: true, .. }) {
            known().insert(name.to_path_buf(), found.clone());
        }
        found
    }

    /// Resolves a name whose folder is already resolved.
    fn resolve_entry(&self, name: PathBuf, was_patched: bool, links: usize) -> ResolvedPath {
        let is_patched = was_patched || self.tree.is_patched(&name);
        match self.tree.entry(&name) {
            Ok(TreeEntry::Stat(stat)) => ResolvedPath::Inside { name, stat, is_patched },
            Ok(TreeEntry::Link(target)) if links > 0 => {
                let whole = self.root.join(name.parent().unwrap_or(Path::new(""))).join(&target);
                let whole = lexically(&whole);
                match self.name(&whole) {
                    Some(inside) => match &*self.resolve_uncached(&inside, links - 1) {
                        ResolvedPath::Inside { name, stat, is_patched: more } => ResolvedPath::Inside {
                            name: name.clone(),
                            stat: stat.clone(),
                            is_patched: is_patched || *more,
                        },
                        ResolvedPath::Outside(path) => ResolvedPath::Outside(path.clone()),
                        ResolvedPath::Missing { is_patched: more, loops } => {
                            ResolvedPath::Missing { is_patched: is_patched || *more, loops: *loops }
                        }
                        ResolvedPath::Unreadable(kind, message) => ResolvedPath::Unreadable(*kind, message.clone()),
                    },
                    None => ResolvedPath::Outside(whole),
                }
            }
            Ok(TreeEntry::Link(_)) => ResolvedPath::Missing { is_patched, loops: true },
            Err(error) if is_absence(&error) => ResolvedPath::Missing { is_patched, loops: false },
            Err(error) => ResolvedPath::Unreadable(error.kind(), error.to_string()),
        }
    }

    /// Returns whether an entry has this name. A dangling link counts.
    pub(crate) fn is_named(&self, name: &Path) -> bool {
        let (Some(parent), Some(last)) = (name.parent(), name.file_name()) else { return true };
        match &*self.resolve_cached(parent, MAX_LINKS) {
            // An unreadable entry has a name, too.
            ResolvedPath::Inside { name: outer, .. } => match self.tree.entry(&outer.join(last)) {
                Ok(_) => true,
                Err(error) => !is_absence(&error),
            },
            ResolvedPath::Unreadable(..) => true,
            ResolvedPath::Outside(_) | ResolvedPath::Missing { .. } => false,
        }
    }
}

/// The error of a path that leads nowhere.
pub(crate) fn missing_error(loops: bool) -> io::Error {
    if loops { io::Error::other("too many levels of symbolic links") } else { ErrorKind::NotFound.into() }
}

/// A path without `.` and `..`, by its text.
fn lexically(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
