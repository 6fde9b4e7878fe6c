//! [`audit_upgrade`]: the findings for the current version of Puppet, and those that another version adds.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic::value::collections::HashSet;
use hieratic_diagnostics::Severity;

use crate::finding::Finding;
use crate::new_findings::findings_beyond;
use crate::options::Options;
use crate::rules;
use crate::run::{Report, audit};
use hieratic::budget::Progress;

/// Checks with the current version and with the target version. A finding that only the target has receives a note.
///
/// `target` are the options with the target version, and with the settings that depend on it.
pub fn audit_upgrade(options: &Options, target: &Options, progress: &dyn Progress) -> Report {
    let mut report = audit(options, progress);
    let target = &Options { upgrade: true, ..target.clone() };
    let mut later = audit(target, progress);
    // A comment that is useless now may be needed for the target.
    let is_useless = |finding: &Finding| finding.rule.id() == rules::UNUSED_IGNORE.id();
    let useless_later: HashSet<&str> =
        later.findings.iter().filter(|finding| is_useless(finding)).map(|finding| &*finding.fingerprint).collect();
    report.findings.retain(|finding| !is_useless(finding) || useless_later.contains(&*finding.fingerprint));

    keep_one_of_removed(&mut report.findings, &mut later.findings);

    let [now, then] = [options, target].map(|options| options.settings.puppet_version);
    let note = format!("this holds in version {then} of Puppet and OpenVox, not in version {now}");
    let mut new = findings_beyond(&report.findings, later.findings);
    new.retain(|finding| !is_useless(finding));
    // The same version may be prepared for, too.
    // A call that is refused today holds in both.
    let is_new = |finding: &&mut Finding| {
        now != then && (finding.rule.id() != rules::REMOVED_FUNCTION.id() || finding.severity() != Severity::Error)
    };
    for finding in new.iter_mut().filter(is_new) {
        Arc::make_mut(&mut finding.diagnostic).notes.push(note.clone());
    }
    report.findings.append(&mut new);
    report.findings.sort_by_cached_key(Finding::order);
    let not_judged: BTreeSet<_> = report.not_judged.iter().chain(&later.not_judged).cloned().collect();
    report.not_judged = not_judged.into_iter().collect();
    report
}

/// Drops the findings of calls of undefined functions that are calls of removed ones, too: those name the successor. Calls
/// that are refused today stay errors.
fn keep_one_of_removed(now: &mut Vec<Finding>, later: &mut Vec<Finding>) {
    let is_undefined = |finding: &Finding| finding.rule.id() == rules::UNDEFINED_FUNCTION.id();
    let removed: HashSet<Place> =
        later.iter().filter(|finding| finding.rule.id() == rules::REMOVED_FUNCTION.id()).filter_map(place).collect();
    let is_both = |finding: &Finding| is_undefined(finding) && place(finding).is_some_and(|at| removed.contains(&at));
    let refused: HashSet<Place> = now
        .iter()
        .filter(|finding| is_both(finding) && finding.severity() == Severity::Error)
        .filter_map(place)
        .collect();
    now.retain(|finding| !is_both(finding));
    later.retain(|finding| !is_both(finding));
    for finding in later.iter_mut().filter(|finding| finding.rule.id() == rules::REMOVED_FUNCTION.id()) {
        if place(finding).is_some_and(|at| refused.contains(&at)) {
            Arc::make_mut(&mut finding.diagnostic).severity = Severity::Error;
        }
    }
}

/// The file and the position of a finding.
type Place = (String, u32);

fn place(finding: &Finding) -> Option<Place> {
    let (source, span) = finding.primary()?;
    Some((source.name().to_owned(), span.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::PuppetVersion;

    #[test]
    fn a_removed_function_has_one_finding() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, text) in [
            ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n"),
            ("environment.conf", "modulepath = modules\n"),
            ("modules/m/manifests/init.pp", "class m ($x) {\n  notice(is_string($x))\n}\n"),
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let options = Options::for_paths([&root]);
        let mut target = options.clone();
        target.settings.puppet_version = PuppetVersion::V8;
        let report = audit_upgrade(&options, &target, &());
        let found: Vec<(&str, Severity)> = report
            .findings
            .iter()
            .filter(|finding| finding.line() == Some(2))
            .map(|finding| (finding.rule.id(), finding.severity()))
            .collect();
        // Without stdlib, the call is refused today, too.
        assert_eq!(found, [("removed-function", Severity::Error)]);
    }
}
