//! Whether a node still sees the files as they are: for those who keep nodes and answer again and again.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

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

/// Everything that somebody has looked at in the file system, and what was there.
#[derive(Debug, Default)]
pub struct Looks {
    all: Mutex<All>,
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct All {
    /// What was seen at each path; more than one thing if it changed in between.
    paths: IndexMap<Arc<Path>, Vec<Sighting>, FxBuildHasher>,
    /// What patterns found.
    patterns: Vec<(String, Arc<[Arc<Path>]>)>,
}

impl Looks {
    /// Looks at a path, and notes what is there. It has to be done before the file is read.
    pub fn look(&self, path: &Path) {
        self.note(&path.into(), &Sighting::of(path));
    }

    /// Whether everything is as it was, and had been so for a while.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        let all = self.all();
        let mut outcome = Freshness::Current;
        for (path, sightings) in &all.paths {
            // What is there still is what was there most of the time; nothing else needs to be known then.
            let now = Stamp::of(path);
            for sighting in sightings {
                if now != sighting.stamp {
                    if Sighting::of(path).age < settle {
                        return Freshness::Changing;
                    }
                    outcome = Freshness::Changed;
                } else if sighting.age < settle && outcome == Freshness::Current {
                    outcome = Freshness::Unsettled;
                }
            }
        }
        for (pattern, found) in &all.patterns {
            let now = glob::files(pattern);
            if now.len() != found.len() || now.iter().zip(found.iter()).any(|(now, then)| now != &**then) {
                outcome = Freshness::Changed;
            }
        }
        outcome
    }

    /// The paths that are not as they were.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        let all = self.all();
        let changed = all.paths.iter().filter(|(path, sightings)| {
            let now = Stamp::of(path);
            sightings.iter().any(|sighting| sighting.stamp != now)
        });
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// Notes a path with what was seen there.
    pub(crate) fn note(&self, path: &Arc<Path>, sighting: &Sighting) {
        let mut all = self.all();
        let known = all.paths.entry(path.clone()).or_default();
        if !known.iter().any(|then| then.stamp == sighting.stamp && then.age <= sighting.age) {
            known.push(sighting.clone());
        }
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Notes which files a pattern found.
    pub(crate) fn note_pattern(&self, pattern: &str, found: &Arc<[Arc<Path>]>) {
        self.all().patterns.push((pattern.into(), found.clone()));
        self.count.fetch_add(1, Ordering::Release);
    }

    fn all(&self) -> MutexGuard<'_, All> {
        // Whatever is being noted is noted whole or not at all.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
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
