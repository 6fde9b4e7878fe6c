//! Detects changes of the files that a node has read, for callers that reuse nodes.

use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hieratic_budget::Budget;
use hieratic_sandbox::Files;
use hieratic_value::collections::FixedState;
use indexmap::IndexMap;

use crate::file_id::{FileId, Observation};
use crate::glob::{self, Match};

/// The state of the files that a node has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// All observed files are unchanged: the answers come from one consistent state.
    Current,
    /// All observed files are unchanged, but one had changed just before it was observed, so that the change may have been in progress.
    Unsettled,
    /// A file changed or disappeared a moment ago: the change may still be in progress.
    Changing,
    /// A file changed: a new node reads other data, and later reads of this node may be inconsistent with its earlier
    /// ones.
    Changed,
}

/// A log of the file system accesses of a node, with the state of each file at that time.
#[derive(Debug, Default)]
pub struct AccessLog {
    all: Mutex<AccessRecords>,
    count: AtomicUsize,
    /// Roughly how many bytes all of it takes, here and in the levels of a node.
    weight: AtomicU64,
}

#[derive(Debug, Default)]
struct AccessRecords {
    /// The observations of each path; several if it changed in between.
    paths: IndexMap<Arc<Path>, PathRecord, FixedState>,
    /// The results of globs.
    patterns: Vec<Search>,
}

/// A glob, the files it may see, and the matches.
type Search = (Files, String, Arc<[Match]>);

/// A path with the files through which it was accessed.
#[derive(Debug)]
struct PathRecord {
    files: Files,
    observations: Vec<Observation>,
}

impl AccessLog {
    /// Records the state of a path outside of the sandbox, such as a path on the command line. Call it before reading
    /// the file.
    pub fn look(&self, path: &Path) {
        self.look_in(&Files::anywhere(), path);
    }

    /// Records the state of a path, as seen through the given files.
    pub fn look_in(&self, files: &Files, path: &Path) {
        self.record(files, &path.into(), &Observation::read(files, path));
    }

    /// Returns the last observation of a path, or observes it now if there is none. A caller that reads the file
    /// several times for one node therefore sees one state of it.
    pub(crate) fn last_observation(&self, files: &Files, path: &Path) -> Observation {
        if let Some(seen) = self.all().paths.get(path).and_then(|seen| seen.observations.last()) {
            return seen.clone();
        }
        let observation = Observation::read(files, path);
        self.record(files, &path.into(), &observation);
        observation
    }

    /// Returns whether all observed files are unchanged, and have been unchanged for `settle`.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        self.freshness_within(settle, &Budget::default())
    }

    /// Like [`freshness`](Self::freshness), with a budget for repeating the globs. If it is exhausted, the result is
    /// [`Freshness::Changed`].
    pub fn freshness_within(&self, settle: Duration, budget: &Budget) -> Freshness {
        let all = self.all();
        let mut outcome = Freshness::Current;
        for (path, PathRecord { files, observations: sightings }) in &all.paths {
            // Mostly the file is unchanged; then the stamp alone decides.
            let now = FileId::read(files, path);
            for observation in sightings {
                if now != observation.file_id {
                    if Observation::read(files, path).age < settle {
                        return Freshness::Changing;
                    }
                    outcome = Freshness::Changed;
                } else if observation.age < settle && outcome == Freshness::Current {
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

    /// Returns the paths that have changed.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        let all = self.all();
        let changed = all.paths.iter().filter(|(path, PathRecord { files, observations: sightings })| {
            let now = FileId::read(files, path);
            sightings.iter().any(|observation| observation.file_id != now)
        });
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// Records an observation of a path.
    pub(crate) fn record(&self, files: &Files, path: &Arc<Path>, observation: &Observation) {
        let mut all = self.all();
        self.weight.fetch_add(size_of_record(path), Ordering::Relaxed);
        let seen = all.paths.entry(path.clone());
        let known =
            &mut seen.or_insert_with(|| PathRecord { files: files.clone(), observations: Vec::new() }).observations;
        if !known.iter().any(|then| then.file_id == observation.file_id && then.age <= observation.age) {
            known.push(observation.clone());
        }
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Notes which files a pattern found.
    pub(crate) fn record_glob(&self, files: &Files, pattern: &str, found: &Arc<[Match]>) {
        self.weight.fetch_add(
            pattern.len() as u64 + found.iter().map(|one| size_of_record(&one.path)).sum::<u64>(),
            Ordering::Relaxed,
        );
        self.all().patterns.push((files.clone(), pattern.into(), found.clone()));
        self.count.fetch_add(1, Ordering::Release);
    }

    /// The number of recorded accesses.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// The approximate size in bytes.
    pub(crate) fn weight(&self) -> u64 {
        self.weight.load(Ordering::Relaxed)
    }

    fn all(&self) -> MutexGuard<'_, AccessRecords> {
        // Each record is added atomically, so a poisoned lock is harmless.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The approximate memory of a recorded path, which may also be a location of a level, in bytes.
fn size_of_record(path: &Path) -> u64 {
    2 * path.as_os_str().len() as u64 + 512
}
