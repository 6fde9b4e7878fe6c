//! Whether a node still sees the files as they are: for those who keep nodes and answer again and again.

use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hieratic_hash::FixedState;
use hieratic_powers::{Budget, Files};
use indexmap::IndexMap;

use crate::glob::{self, Match};
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
    /// Roughly how many bytes all of it takes, here and in the levels of a node.
    weight: AtomicU64,
}

#[derive(Debug, Default)]
struct All {
    /// What was seen at each path; more than one thing if it changed in between.
    paths: IndexMap<Arc<Path>, Seen, FixedState>,
    /// What patterns found.
    patterns: Vec<Search>,
}

/// A pattern that was searched for among the files that may be seen, and what was found.
type Search = (Files, String, Arc<[Match]>);

/// A path, and as what it was looked at.
#[derive(Debug)]
struct Seen {
    files: Files,
    sightings: Vec<Sighting>,
}

impl Looks {
    /// Looks at a path that the machine or its user named, and notes what is there. It has to be done before the file is read.
    pub fn look(&self, path: &Path) {
        self.look_in(&Files::anywhere(), path);
    }

    /// The same with the files that may be seen.
    pub fn look_in(&self, files: &Files, path: &Path) {
        self.note(files, &path.into(), &Sighting::of(files, path));
    }

    /// What was seen at a path when it was looked at last, or now if that is the first time: whoever reads the file again and again for
    /// the same node sees one state of it.
    pub(crate) fn seen_in(&self, files: &Files, path: &Path) -> Sighting {
        if let Some(seen) = self.all().paths.get(path).and_then(|seen| seen.sightings.last()) {
            return seen.clone();
        }
        let sighting = Sighting::of(files, path);
        self.note(files, &path.into(), &sighting);
        sighting
    }

    /// Whether everything is as it was, and had been so for a while.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        self.freshness_within(settle, &Budget::default())
    }

    /// The same, with what searching for patterns again is taken from; if that is not enough, something may have changed.
    pub fn freshness_within(&self, settle: Duration, budget: &Budget) -> Freshness {
        let all = self.all();
        let mut outcome = Freshness::Current;
        for (path, Seen { files, sightings }) in &all.paths {
            // What is there still is what was there most of the time; nothing else needs to be known then.
            let now = Stamp::of(files, path);
            for sighting in sightings {
                if now != sighting.stamp {
                    if Sighting::of(files, path).age < settle {
                        return Freshness::Changing;
                    }
                    outcome = Freshness::Changed;
                } else if sighting.age < settle && outcome == Freshness::Current {
                    outcome = Freshness::Unsettled;
                }
            }
        }
        for (files, pattern, found) in &all.patterns {
            let Ok(now) = glob::files(pattern, pattern, files, budget) else { return Freshness::Changed };
            if now != *found {
                outcome = Freshness::Changed;
            }
        }
        outcome
    }

    /// The paths that are not as they were.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        let all = self.all();
        let changed = all.paths.iter().filter(|(path, Seen { files, sightings })| {
            let now = Stamp::of(files, path);
            sightings.iter().any(|sighting| sighting.stamp != now)
        });
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// Notes a path with what was seen there.
    pub(crate) fn note(&self, files: &Files, path: &Arc<Path>, sighting: &Sighting) {
        let mut all = self.all();
        self.weight.fetch_add(weight_of(path), Ordering::Relaxed);
        let seen = all.paths.entry(path.clone());
        let known = &mut seen.or_insert_with(|| Seen { files: files.clone(), sightings: Vec::new() }).sightings;
        if !known.iter().any(|then| then.stamp == sighting.stamp && then.age <= sighting.age) {
            known.push(sighting.clone());
        }
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Notes which files a pattern found.
    pub(crate) fn note_pattern(&self, files: &Files, pattern: &str, found: &Arc<[Match]>) {
        self.weight.fetch_add(
            pattern.len() as u64 + found.iter().map(|one| weight_of(&one.path)).sum::<u64>(),
            Ordering::Relaxed,
        );
        self.all().patterns.push((files.clone(), pattern.into(), found.clone()));
        self.count.fetch_add(1, Ordering::Release);
    }

    /// How many times somebody has looked.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// How many bytes all of it takes, roughly.
    pub(crate) fn weight(&self) -> u64 {
        self.weight.load(Ordering::Relaxed)
    }

    fn all(&self) -> MutexGuard<'_, All> {
        // Whatever is being noted is noted whole or not at all.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Roughly what a path costs that is noted, and that may be a location of a level.
fn weight_of(path: &Path) -> u64 {
    2 * path.as_os_str().len() as u64 + 512
}
