//! [`prune`]: removes the data that hygiene proves to be useless.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::{Facts, Settings};
use hieratic_lint::{Entry, removable_entries, rules};

use crate::data::DataFile;
use crate::plan::{Plan, PlanError};

/// A plan that removes entries of data.
#[derive(Clone, Debug)]
pub struct PrunePlan {
    /// The plan.
    pub plan: Plan,
    /// The removed entries.
    pub entries: Vec<Entry>,
    /// The removable entries whose files cannot be changed, with the reason.
    pub skipped: Vec<(Entry, String)>,
}

/// Removes the entries that do not affect an answer of these nodes in any environment or, without nodes, of any node.
/// `only_repeated` keeps overridden entries. Comments stay.
///
/// # Errors
/// The repository cannot be read.
pub fn prune(settings: &Settings, nodes: &[Facts], only_repeated: bool) -> Result<PrunePlan, PlanError> {
    let mut plan = Plan::about(settings, &[])?;
    let is_selected = |entry: &&Entry| {
        if only_repeated {
            entry.rule == rules::REDUNDANT_VALUE.id()
        } else {
            // Without a value, a lookup finds none, although the class has its default.
            entry.rule != rules::REPEATS_DEFAULT.id()
        }
    };
    let found = removable_in_all(settings, &plan, nodes)?;
    let mut by_file: BTreeMap<PathBuf, Vec<Entry>> = BTreeMap::new();
    for entry in found.iter().filter(is_selected) {
        by_file.entry(entry.file.clone()).or_default().push(entry.clone());
    }
    let (mut removed, mut skipped) = (Vec::new(), Vec::new());
    for (path, entries) in by_file {
        let Some(text) = plan.text(&path)? else { continue };
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        match DataFile::read(&text).and_then(|file| file.without(&keys, false)) {
            Ok(changed) => {
                plan.set(&path, changed)?;
                removed.extend(entries);
            }
            Err(message) => skipped.extend(entries.into_iter().map(|entry| (entry, message.clone()))),
        }
    }
    Ok(PrunePlan { plan, entries: removed, skipped })
}

/// The entries that are removable in every environment that reads their files. If one is named, only those of its
/// files.
fn removable_in_all(settings: &Settings, plan: &Plan, nodes: &[Facts]) -> Result<Vec<Entry>, PlanError> {
    let all: Vec<&Settings> = plan.environments.iter().collect();
    let mut found =
        removable_entries(&all, nodes).map_err(|message| PlanError::new(message, "fix the repository first"))?;
    if settings.environment.is_some() {
        let own: BTreeSet<&Path> = plan.contents.data.iter().map(|file| file.path.as_path()).collect();
        found.retain(|entry| own.contains(entry.file.as_path()));
    }
    Ok(found)
}
