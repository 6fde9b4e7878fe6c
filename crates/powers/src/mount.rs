//! [`Mount`]: a folder of the disk in whose place a [`Tree`] is read, and how paths lead through it.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::denied::is_absence;
use crate::files::Stat;
use crate::mounted::Faults;
use crate::tree::{Known, Tree};

/// A tree in the place of a folder.
#[derive(Debug)]
pub(crate) struct Mount {
    pub(crate) root: PathBuf,
    pub(crate) tree: Arc<dyn Tree>,
    /// The record of read errors, if the owner of the tree wants one.
    pub(crate) faults: Option<Arc<Faults>>,
    /// A memo table of resolved names. A tree does not change while it is mounted.
    known: Mutex<HashMap<PathBuf, Arc<Followed>>>,
}

/// The target of a path, all links followed.
#[derive(Debug)]
pub(crate) enum Followed {
    /// To something in the tree, under this name.
    Inside { name: PathBuf, stat: Stat, is_patched: bool },
    /// A link leads to this path outside of the tree.
    Outside(PathBuf),
    /// To nothing.
    Nowhere { is_patched: bool, loops: bool },
    /// To something that cannot be read, which is not the same as nothing.
    Broken(ErrorKind, String),
}

/// The number of links that a path may follow, as on Linux.
const MOST_LINKS: usize = 40;

impl Mount {
    pub(crate) fn new(root: PathBuf, tree: Arc<dyn Tree>, faults: Option<Arc<Faults>>) -> Mount {
        Mount { root, tree, faults, known: Mutex::default() }
    }

    /// The name of a plain path in the tree, if the path is in it.
    pub(crate) fn name(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.root).ok().map(Path::to_path_buf)
    }

    /// Follows a name to its end.
    pub(crate) fn follow(&self, name: &Path) -> Arc<Followed> {
        self.folder(name, MOST_LINKS)
    }

    fn follow_within(&self, name: &Path, links: usize) -> Arc<Followed> {
        let (Some(parent), Some(last)) = (name.parent(), name.file_name()) else {
            return Arc::new(self.end(PathBuf::new(), false, links));
        };
        let folder = self.folder(parent, links);
        let Followed::Inside { name: around, stat, is_patched } = &*folder else {
            return match &*folder {
                Followed::Outside(path) => Arc::new(Followed::Outside(path.join(last))),
                _ => folder,
            };
        };
        if !stat.is_folder() {
            return Arc::new(Followed::Nowhere { is_patched: *is_patched, loops: false });
        }
        Arc::new(self.end(around.join(last), *is_patched, links))
    }

    /// Like [`follow_within`](Self::follow_within), for a name that is resolved often: the result is cached.
    fn folder(&self, name: &Path, links: usize) -> Arc<Followed> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(name) {
            return known.clone();
        }
        let found = self.follow_within(name, links);
        // A result that depends on the links before it is not cached: the same name may resolve on another path.
        if !matches!(&*found, Followed::Nowhere { loops: true, .. }) {
            known().insert(name.to_path_buf(), found.clone());
        }
        found
    }

    /// Resolves a name whose folder is already resolved.
    fn end(&self, name: PathBuf, was_patched: bool, links: usize) -> Followed {
        let is_patched = was_patched || self.tree.is_patched(&name);
        match self.tree.entry(&name) {
            Ok(Known::Is(stat)) => Followed::Inside { name, stat, is_patched },
            Ok(Known::Link(target)) if links > 0 => {
                let whole = self.root.join(name.parent().unwrap_or(Path::new(""))).join(&target);
                let whole = lexically(&whole);
                match self.name(&whole) {
                    Some(inside) => match &*self.follow_within(&inside, links - 1) {
                        Followed::Inside { name, stat, is_patched: more } => {
                            Followed::Inside { name: name.clone(), stat: stat.clone(), is_patched: is_patched || *more }
                        }
                        Followed::Outside(path) => Followed::Outside(path.clone()),
                        Followed::Nowhere { is_patched: more, loops } => {
                            Followed::Nowhere { is_patched: is_patched || *more, loops: *loops }
                        }
                        Followed::Broken(kind, message) => Followed::Broken(*kind, message.clone()),
                    },
                    None => Followed::Outside(whole),
                }
            }
            Ok(Known::Link(_)) => Followed::Nowhere { is_patched, loops: true },
            Err(error) if is_absence(&error) => Followed::Nowhere { is_patched, loops: false },
            Err(error) => Followed::Broken(error.kind(), error.to_string()),
        }
    }

    /// Returns whether an entry has this name. A dangling link counts.
    pub(crate) fn is_named(&self, name: &Path) -> bool {
        let (Some(parent), Some(last)) = (name.parent(), name.file_name()) else { return true };
        match &*self.folder(parent, MOST_LINKS) {
            // An unreadable entry has a name, too.
            Followed::Inside { name: around, .. } => match self.tree.entry(&around.join(last)) {
                Ok(_) => true,
                Err(error) => !is_absence(&error),
            },
            Followed::Broken(..) => true,
            Followed::Outside(_) | Followed::Nowhere { .. } => false,
        }
    }
}

/// The error of a path that leads nowhere.
pub(crate) fn nowhere(loops: bool) -> io::Error {
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
