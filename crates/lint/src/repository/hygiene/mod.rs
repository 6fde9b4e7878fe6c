//! Finds data that can be removed without changing an answer, and other obstacles to maintaining data.
//!
//! Every finding is proved: for the given nodes or, without any, for every possible node. Sources that cannot be
//! checked (code that answers, missing folders, variables that manifests set) may have any value. A key that they can
//! reach is not judged.

mod chain;
mod defaults;
mod findings;
mod levels;
mod lookup_paths;
mod merged;
mod needed;
mod options;
mod removable;
mod secrets;
mod undefined;

pub(super) use findings::{Sizes, shorter};
pub(crate) use needed::Needed;

use std::path::PathBuf;

use hieratic::{Facts, Settings};
use lookup_paths::ReadSets;
use removable::{Reason, removable};

use super::nodes::SampleNodes;
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules::{self, Rule};
use crate::run::code_of;

/// Everything that hygiene finds.
pub(super) fn check(repository: &Repository, code: &Code, known: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    if !options.hygiene {
        return Vec::new();
    }
    let read_sets = ReadSets::new(repository, known, options);
    let mut findings = findings::to_findings(
        repository,
        code,
        &read_sets,
        &removable(repository, code, &read_sets, &repository.needed),
    );
    findings.extend(options::check(repository, &read_sets, &repository.needed));
    findings.extend(levels::check(repository, known, options));
    findings.extend(undefined::check(repository, code, &read_sets));
    findings.extend(secrets::check(repository));
    findings
}

/// A removable entry of data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The file, absolute.
    pub file: PathBuf,
    /// The key.
    pub key: String,
    /// The code of the rule that found it.
    pub rule: &'static str,
}

/// The entries of data that are removable in all of these environments of a repository: each alone, and all of them
/// together. Without nodes, they are removable for every possible node.
///
/// # Errors
/// Why an environment cannot be read.
pub fn removable_entries(environments: &[&Settings], nodes: &[Facts]) -> Result<Vec<Entry>, String> {
    let mut opened = Vec::new();
    for settings in environments {
        let repository = Repository::open(settings, &()).map_err(|finding| finding.diagnostic.message.clone())?;
        let code =
            code_of(&repository, &mut Default::default()).map_err(|finding| finding.diagnostic.message.clone())?;
        opened.push((repository, code, (*settings).clone()));
    }
    let options =
        |settings: &Settings| Options { settings: settings.clone(), nodes: nodes.to_vec(), ..Options::default() };
    let all: Vec<(&Repository, &Code)> = opened.iter().map(|(repository, code, _)| (repository, code)).collect();
    let needed = match environments.first() {
        Some(first) => Needed::by(&all, &options(first)),
        None => Needed::default(),
    };
    let mut entries = Vec::new();
    for (repository, code, settings) in &opened {
        let options = options(settings);
        let known = SampleNodes::new(repository, &options.nodes);
        let read_sets = ReadSets::new(repository, &known, &options);
        let entry = |one: removable::Removable| Entry {
            file: repository.files[one.file].path.clone(),
            key: one.key,
            rule: rule(one.reason).id(),
        };
        entries.extend(removable(repository, code, &read_sets, &needed).into_iter().map(entry));
    }
    entries.sort();
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
