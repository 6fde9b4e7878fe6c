//! The parts of an environment that could not be compared, in sentences.

use std::collections::BTreeSet;

use hieratic::{Environment, Redactor};
use hieratic_impact::{AnswerReport, CatalogReport, Diff};

use crate::counted;
use crate::report::MOST_NAMES;
use crate::sides::Sides;

/// The lookups and catalogs of an environment that could not be compared.
pub(crate) fn of_environment(
    answers: &AnswerReport,
    catalogs: Option<&CatalogReport>,
    environments: Diff<&Environment>,
    sides: &Sides,
    redactor: &Redactor,
) -> Vec<String> {
    let missing = environments.map(Environment::missing_hierarchy);
    let mut notes: Vec<String> = missing.both().map(|missing| format!("data: {}", missing.head)).into_iter().collect();
    notes.extend(of_answers(answers, sides, redactor));
    notes.extend(catalogs.map(|catalogs| of_catalogs(catalogs, sides, redactor)).unwrap_or_default());
    notes
}

/// Returns whether values may change that were not compared.
pub(crate) fn is_uncertain(answers: &AnswerReport, environments: Diff<&Environment>) -> bool {
    let has_no_hierarchy = environments.map(Environment::missing_hierarchy).both().is_some();
    has_no_hierarchy || !answers.failing.is_empty() || !answers.failing_keys.is_empty()
}

/// The nodes and keys whose lookups fail on both sides.
fn of_answers(answers: &AnswerReport, sides: &Sides, redactor: &Redactor) -> Vec<String> {
    let of_nodes = answers.failing.iter().map(|failing| {
        let reason = sides.without_root(failing.reasons.head.as_deref().unwrap_or_default());
        let count = counted(failing.nodes.len(), "node");
        format!("the lookups of {count}, which fail on both sides: {}", redactor.message(&reason))
    });
    let mut notes: Vec<String> = of_nodes.collect();
    let keys = &answers.failing_keys;
    if !keys.is_empty() {
        let shown = keys.iter().take(MOST_NAMES).map(|key| redactor.name(key).into_owned());
        let more = (keys.len() > MOST_NAMES).then(|| "...".to_owned());
        let names: Vec<String> = shown.chain(more).collect();
        let verb = if keys.len() == 1 { "fails" } else { "fail" };
        let count = counted(keys.len(), "key");
        notes.push(format!("{count} that {verb} on both sides with the same message: {}", names.join(", ")));
    }
    notes
}

/// The parts of catalogs that could not be compared.
fn of_catalogs(report: &CatalogReport, sides: &Sides, redactor: &Redactor) -> Vec<String> {
    let mut notes = Vec::new();
    if report.failing > 0 {
        let count = counted(report.failing, "node");
        notes.push(format!("the catalogs of {count}, which fail on both sides with the same message"));
    }
    let listed = |all: &BTreeSet<String>| {
        let shown = all.iter().take(MOST_NAMES).map(|name| sides.without_root(&redactor.text(name)));
        let more = (all.len() > MOST_NAMES).then(|| "...".to_owned());
        shown.chain(more).collect::<Vec<String>>().join(", ")
    };
    if !report.elsewhere.is_empty() {
        let count = counted(report.elsewhere.len(), "source");
        notes.push(format!("the content of {count} outside of the modules: {}", listed(&report.elsewhere)));
    }
    if !report.unread.is_empty() {
        let count = counted(report.unread.len(), "file");
        notes.push(format!("the content of {count} that cannot be read: {}", listed(&report.unread)));
    }
    notes
}
