//! Whether a node still sees the files as they are: for those who keep nodes and answer again and again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::glob;
use crate::node::Node;
use crate::stamp::{Sighting, Stamp};

/// Whether a node sees the files as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// All that the node has looked at is as it was then: its answers come from one state of the files.
    Current,
    /// So it is, but some of it had changed only just before the node looked, and may have been in the middle of it.
    Unsettled,
    /// Something has changed since, or is not there any more, and that only just now: whoever changes it may be in the
    /// middle of it.
    Changing,
    /// Something has changed since: a new node would see something else, and what this one reads from now on may not fit
    /// what it has read.
    Changed,
}

/// Something that a node has looked at.
#[derive(Debug)]
enum Look {
    Path { path: Arc<Path>, sighting: Sighting },
    Pattern { pattern: String, found: Vec<PathBuf> },
}

/// Everything that somebody has looked at in the file system, and what was there.
#[derive(Debug, Default)]
pub struct Looks {
    all: Mutex<Vec<Look>>,
    count: AtomicUsize,
}

impl Looks {
    /// Looks at a path, and notes what is there. It has to be done before the file is read.
    pub fn look(&self, path: &Path) {
        self.note(&path.into(), &Sighting::of(path));
    }

    /// Whether everything is as it was, and had been so for a while.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outcome = Freshness::Current;
        for look in all.iter() {
            match look {
                Look::Path { path, sighting } => {
                    // What is there still is what was there most of the time; nothing else needs to be known then.
                    if Stamp::of(path) != sighting.stamp {
                        if Sighting::of(path).age < settle {
                            return Freshness::Changing;
                        }
                        outcome = Freshness::Changed;
                    } else if sighting.age < settle && outcome == Freshness::Current {
                        outcome = Freshness::Unsettled;
                    }
                }
                Look::Pattern { pattern, found } => {
                    if glob::files(pattern) != *found {
                        outcome = Freshness::Changed;
                    }
                }
            }
        }
        outcome
    }

    /// The paths that are not as they were.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = all.iter().filter_map(|look| match look {
            Look::Path { path, sighting } if Stamp::of(path) != sighting.stamp => Some(path.clone()),
            _ => None,
        });
        changed.collect()
    }

    /// Notes a path with what was seen there.
    pub(crate) fn note(&self, path: &Arc<Path>, sighting: &Sighting) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().any(|look| {
            matches!(look, Look::Path { path: of, sighting: then }
                if of == path && then.stamp == sighting.stamp && then.age <= sighting.age)
        });
        if !known {
            all.push(Look::Path { path: path.clone(), sighting: sighting.clone() });
        }
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Notes which files a pattern found.
    pub(crate) fn note_pattern(&self, pattern: &str, found: &[PathBuf]) {
        let look = Look::Pattern { pattern: pattern.into(), found: found.to_vec() };
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(look);
        self.count.fetch_add(1, Ordering::Release);
    }
}

impl Node {
    /// How many times the node has looked at the file system. As long as the number stays the same, everything was
    /// answered from what the node had seen before.
    pub fn looks(&self) -> usize {
        self.looks.count.load(Ordering::Acquire)
    }

    /// The files that the node has looked at and that are not as they were.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        self.looks.changed()
    }

    /// Whether all that the node has looked at is as it was then, and had been so for a while.
    ///
    /// The outcome [`Freshness::Current`] proves that everything that the node has read was there at one moment: after
    /// it had been read last, and before this was asked.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        self.looks.freshness(settle)
    }
}
