//! [`RecentChanges`]: the lines of data that the latest commits changed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hieratic::budget::Budget;
use hieratic::dependencies::SourceData;
use hieratic::sandbox::Files;

use crate::Service;
use crate::blame::{LineOrigin, blame};
use crate::history;

/// The number of commits that are recent.
const MAX_COMMITS: usize = 10;

/// The maximum number of files that are looked at for a page.
const MAX_FILES: usize = 60;

/// The time for all files of a page. Files that are left have no marks, and are looked at for the next page.
const MAX_TIME: Duration = Duration::from_millis(60);

/// The maximum number of files whose changes are cached.
const MAX_CACHED: usize = 2000;

/// The largest file that is looked at, in bytes.
const MAX_BYTES: u64 = 512 << 10;

/// A change of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecentChange {
    /// The day of the commit; `None` if there is none yet.
    pub(crate) day: Option<String>,
    /// The author and the message of the commit.
    pub(crate) words: String,
}

/// The changed lines of a file, counted from 1.
type ChangedLines = HashMap<u32, RecentChange>;

/// The changed lines of some files.
#[derive(Default)]
pub(crate) struct RecentChanges {
    files: HashMap<PathBuf, Arc<ChangedLines>>,
}

/// Identifies a version of a file at a state of the repository.
type VersionKey = (PathBuf, u64);

/// The changed lines that were found before.
#[derive(Default)]
pub(crate) struct RecentCache(Mutex<HashMap<VersionKey, Arc<ChangedLines>>>);

impl RecentChanges {
    /// Returns the latest change of a key of a file: of its line, or of a line of its value.
    pub(crate) fn of_key(&self, path: &Path, data: &SourceData, key: &str) -> Option<&RecentChange> {
        let changed = self.files.get(path).filter(|changed| !changed.is_empty())?;
        let first = data.line_of(key)?;
        let mut lines: Vec<u32> = changed.keys().copied().filter(|line| *line >= first).collect();
        lines.sort_unstable();
        lines
            .into_iter()
            .find(|line| data.key_at(*line).is_some_and(|at| &**at == key))
            .and_then(|line| changed.get(&line))
    }
}

/// Returns the lines of some files that the latest commits changed, or that are not committed. Without a repository, there are none: the
/// marks are an addition to a page, which says all it has to without them.
pub(crate) fn changes<'f>(
    service: &Service,
    environment: &str,
    files: impl Iterator<Item = &'f Path>,
    budget: &Budget,
) -> RecentChanges {
    let mut found = RecentChanges::default();
    let Ok((opened, _)) = service.nodes.environments.get(environment) else { return found };
    let Ok(repository) = history::repository(service, environment, &opened, budget) else { return found };
    let Ok(head) = repository.commit("HEAD") else { return found };
    let readable = Files::below([repository.root()]).with_largest(MAX_BYTES);
    let until = Instant::now() + MAX_TIME;
    for path in files.take(MAX_FILES) {
        let real = history::real_path(path);
        let Ok(relative) = real.strip_prefix(repository.root()) else { continue };
        let Ok(text) = readable.read_text(&real) else { continue };
        let mut hasher = DefaultHasher::new();
        (head.to_string(), &text).hash(&mut hasher);
        let key = (real.clone(), hasher.finish());
        let known = service.recent.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let lines = match known {
            Some(lines) => lines,
            None if Instant::now() >= until => continue,
            None => {
                let Ok(blamed) = blame(&repository, relative, &text, MAX_COMMITS, until) else { continue };
                let change = |origin: &LineOrigin| match origin {
                    LineOrigin::Uncommitted => {
                        Some(RecentChange { day: None, words: "This line is not committed.".into() })
                    }
                    // Before the first commit was nothing, so that nothing changed.
                    LineOrigin::Commit(index) => {
                        blamed.commits.get(*index).filter(|one| !one.is_first).map(|one| RecentChange {
                            day: Some(one.author.day()),
                            words: format!("{}: {}", one.author.name, one.author.summary),
                        })
                    }
                    LineOrigin::Older => None,
                };
                let changed = (1..).zip(&blamed.lines).filter_map(|(line, origin)| Some((line, change(origin)?)));
                let lines: Arc<ChangedLines> = Arc::new(changed.collect());
                // The changes of a file that was not finished in time are not known.
                if Instant::now() < until {
                    let mut cache = service.recent.0.lock().unwrap_or_else(PoisonError::into_inner);
                    if cache.len() >= MAX_CACHED {
                        cache.clear();
                    }
                    cache.insert(key, lines.clone());
                }
                lines
            }
        };
        found.files.insert(path.to_owned(), lines);
    }
    found
}
