//! Data that can be removed without changing an answer: the proofs of the rules of hygiene.
//!
//! Every finding is proved: for the given nodes or, without any, for every possible node. Sources that cannot be
//! checked (code of backends, missing folders, variables that manifests set) may have any value. Keys that they can
//! define are skipped.

mod chain;
mod defaults;
mod lookup_paths;
mod merged;
mod needed;
mod proof;
mod removable;

pub(crate) use chain::{ChainLink, chain_of};
pub(crate) use lookup_paths::{LevelFiles, Modules, ReadSets, SourceKind, configs};
pub(crate) use needed::Needed;
pub(crate) use proof::{Sizes, overrides, proof, shorter, size_of_level};
pub(crate) use removable::{Reason, Removable, options as removable_options, removable};

use std::path::PathBuf;

use hieratic::value::ErasedSort as _;
use hieratic::{Facts, Settings};

use crate::options::Options;
use crate::rules::{self, Rule};
use crate::run::code_of;
use crate::workspace::{Code, SampleNodes, Workspace};

/// A removable entry of data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The absolute path of the file.
    pub file: PathBuf,
    /// The key.
    pub key: String,
    /// The id of the rule.
    pub rule: &'static str,
}

/// Returns the entries of data that are removable in all environments of a repository, one by one and all together.
/// Without nodes, they are removable for every possible node.
///
/// # Errors
/// An environment cannot be read.
pub fn removable_entries(environments: &[&Settings], nodes: &[Facts]) -> Result<Vec<Entry>, String> {
    let mut opened = Vec::new();
    for settings in environments {
        let workspace = Workspace::open(settings, &()).map_err(|finding| finding.diagnostic.message.clone())?;
        let code =
            code_of(&workspace, &mut Default::default()).map_err(|finding| finding.diagnostic.message.clone())?;
        opened.push((workspace, code, (*settings).clone()));
    }
    let options =
        |settings: &Settings| Options { settings: settings.clone(), nodes: nodes.to_vec(), ..Options::default() };
    let all: Vec<(&Workspace, &Code)> = opened.iter().map(|(workspace, code, _)| (workspace, code)).collect();
    let needed = match environments.first() {
        Some(first) => Needed::by(&all, &options(first)),
        None => Needed::default(),
    };
    let mut entries = Vec::new();
    for (workspace, code, settings) in &opened {
        let options = options(settings);
        let known = SampleNodes::new(workspace, &options.nodes);
        let read_sets = ReadSets::new(workspace, &known, &options);
        let entry = |one: Removable| Entry {
            file: workspace.files[one.file].path.clone(),
            key: one.key,
            rule: rule(one.reason).id(),
        };
        entries.extend(removable(workspace, code, &read_sets, &needed).into_iter().map(entry));
    }
    entries.sort_erased();
    // Environments may have different reasons.
    entries.dedup_by(|left, right| left.file == right.file && left.key == right.key);
    Ok(entries)
}

fn rule(reason: Reason) -> &'static Rule {
    match reason {
        Reason::Shadowed => &rules::SHADOWED_VALUE,
        Reason::Redundant | Reason::Merged => &rules::REDUNDANT_VALUE,
        Reason::RepeatsDefault => &rules::REPEATS_DEFAULT,
    }
}
