//! [`new_findings`]: what a change brings that is wrong.

use std::path::{Path, PathBuf};

use hieratic::{Facts, Settings};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::comments::Ignores;
use crate::finding::{Finding, without_numbers};
use crate::options::Options;
use crate::repository::Repository;
use crate::run::{Unread, check, code_of};
use crate::walk::Kind;

/// The findings of the second state of a control repository that the first does not have: about the files that changed, and about what
/// others say of these. `changed` are the files that differ, absolute; `nodes` are those that are known, or none.
///
/// A finding that is only on another line now is not new. A state that cannot be opened has no findings here: looking up tells why.
pub fn new_findings(base: &Settings, head: &Settings, changed: &[PathBuf], nodes: &[Facts]) -> Vec<Finding> {
    let (before, now) = rayon::join(|| findings(base, changed, nodes), || findings(head, changed, nodes));
    let (Some(before), Some(now)) = (before, now) else { return Vec::new() };
    let mut known: FxHashMap<Subject, usize> = FxHashMap::default();
    for finding in &before {
        *known.entry(subject(finding)).or_default() += 1;
    }
    now.into_iter()
        .filter(|finding| match known.get_mut(&subject(finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

/// What a finding is about, wherever in its file it stands.
type Subject = (&'static str, String, String);

fn subject(finding: &Finding) -> Subject {
    (finding.rule.id(), finding.file().to_owned(), without_numbers(&finding.diagnostic.message))
}

/// What is wrong with a state; none if it cannot be opened.
fn findings(settings: &Settings, changed: &[PathBuf], nodes: &[Facts]) -> Option<Vec<Finding>> {
    let mut settings = settings.clone();
    settings.permissions.confined = true;
    let options = Options { strict: settings.puppet_version.strict(), nodes: nodes.to_vec(), ..Options::default() };
    let options = Options { settings, ..options };
    let repository = Repository::open(&options.settings, &()).ok()?;
    let data: FxHashSet<&Path> = repository.data().collect();
    let roots = [repository.root()];
    let mut findings: Vec<Finding> = changed
        .par_iter()
        .filter(|path| !data.contains(path.as_path()) && path.starts_with(&roots[0]))
        .filter(|path| repository.readable().is_file(path))
        .filter_map(|path| Some((path, Kind::of(path)?)))
        .flat_map_iter(|(path, kind)| {
            let file = Unread { path, kind, is_named: false, repositories: &roots };
            check(&file, repository.readable(), &options, None).findings
        })
        .collect();
    let code = code_of(&repository, &mut FxHashMap::default());
    findings.extend(repository.check(&code, &options, &()));
    findings.sort_by_cached_key(Finding::order);
    findings.retain(|finding| !Ignores::accept(finding));
    Some(findings)
}
