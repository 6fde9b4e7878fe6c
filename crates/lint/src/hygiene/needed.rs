//! [`Needed`]: entries of shared data that are removable in one environment and needed in another.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use super::lookup_paths::ReadSets;
use super::removable::{self, removable};
use crate::options::Options;
use crate::workspace::anchors::keys_with_anchors;
use crate::workspace::nodes::SampleNodes;
use crate::workspace::{Code, Workspace};

/// The number of rounds after which every entry that environments share stays.
const MOST_ROUNDS: usize = 8;

/// The entries that must stay, by file and key: those that another environment needs, and those with an anchor that
/// aliases use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed(Arc<HashMap<PathBuf, HashSet<String>>>);

impl Needed {
    /// Returns whether an entry must stay.
    pub(crate) fn has(&self, file: &Path, key: &str) -> bool {
        self.0.get(file).is_some_and(|keys| keys.contains(key))
    }

    /// The entries that must stay, so that each environment can remove the same entries.
    ///
    /// Which entries are removable depends on the other removed entries. So an entry that one environment needs is
    /// excluded in all of them, and the computation is repeated until they agree. The remaining entries are proved
    /// removable in each environment separately.
    pub(crate) fn by(workspaces: &[(&Workspace, &Code)], options: &Options) -> Needed {
        let mut needed = Needed::default();
        let entries = Arc::make_mut(&mut needed.0);
        for file in workspaces.iter().flat_map(|(workspace, _)| &workspace.files) {
            let keys = keys_with_anchors(file);
            if !keys.is_empty() {
                entries.entry(file.path.clone()).or_default().extend(keys);
            }
        }
        let mut readers: HashMap<&Path, Vec<usize>> = HashMap::default();
        for (index, (workspace, _)) in workspaces.iter().enumerate() {
            for file in &workspace.files {
                readers.entry(&file.path).or_default().push(index);
            }
        }
        readers.retain(|_, of| of.len() > 1);
        if readers.is_empty() {
            return needed;
        }
        let known: Vec<SampleNodes<'_>> =
            workspaces.iter().map(|(workspace, _)| SampleNodes::new(workspace, &options.nodes)).collect();
        let read_sets: Vec<ReadSets> = workspaces
            .iter()
            .zip(&known)
            .map(|((workspace, _), known)| ReadSets::new(workspace, known, options))
            .collect();
        for round in 0.. {
            let goes: Vec<HashSet<(PathBuf, String)>> = workspaces
                .par_iter()
                .zip(&read_sets)
                .map(|((workspace, code), read_sets)| {
                    let all = removable(workspace, code, read_sets, &needed)
                        .into_iter()
                        .chain(removable::options(workspace, read_sets, &needed));
                    let shared = all.map(|one| (workspace.files[one.file].path.clone(), one.key));
                    shared.filter(|(file, _)| readers.contains_key(file.as_path())).collect()
                })
                .collect();
            let is_disputed = |(file, key): &&(PathBuf, String)| {
                let entry = (file.clone(), key.clone());
                round >= MOST_ROUNDS || readers[file.as_path()].iter().any(|reader| !goes[*reader].contains(&entry))
            };
            let disputed: Vec<&(PathBuf, String)> = goes.iter().flatten().filter(is_disputed).collect();
            if disputed.is_empty() {
                break;
            }
            let entries = Arc::make_mut(&mut needed.0);
            for (file, key) in disputed {
                entries.entry(file.clone()).or_default().insert(key.clone());
            }
        }
        needed
    }
}
