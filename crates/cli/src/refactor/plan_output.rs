//! Plans and proofs as people read them.

use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::shown_node;
use hieratic_refactor::{Plan, Proof, PrunePlan};
use hieratic_report::LineDiff;

use crate::codes;
use crate::fleet::Fleet;
use crate::output;
use crate::report::Reporter;

/// The maximum number of nodes that are named for a changed answer.
const MAX_NAMES: usize = 5;

/// Returns a plan as a unified diff that `patch` and `git apply` accept.
pub(crate) fn diff(plan: &Plan) -> String {
    let mut out = String::new();
    for (path, change) in plan.changes() {
        let shown = plan.shown(path);
        let before = change.before.as_deref().unwrap_or_default();
        let old = if change.before.is_some() { format!("a/{shown}") } else { "/dev/null".to_owned() };
        let new = if plan.removes(path) { "/dev/null".to_owned() } else { format!("b/{shown}") };
        out.push_str(&LineDiff::new(before, &change.after).unified(&old, &new));
    }
    out
}

/// Reports the parts that could not be changed.
pub(super) fn warnings(plan: &Plan, reporter: &Reporter) {
    for warning in &plan.warnings {
        let finding = Diagnostic::new(Severity::Warning, codes::NOT_CHANGED, warning.clone());
        reporter.diagnostic(&finding.help("review it, and change it by hand"));
    }
}

/// Reports the remaining manual steps.
pub(super) fn notes(plan: &Plan, reporter: &Reporter) {
    for note in &plan.notes {
        reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::NOT_CHANGED, note.clone()));
    }
}

/// Reports the result of the proof.
pub(super) fn proof(proof: &Proof, fleet: &Fleet, reporter: &Reporter) {
    let nodes = output::counted(proof.nodes, "node");
    let whose = if fleet.are_derived { " made up from the paths of the hierarchy" } else { "" };
    let among = match proof.environments {
        0 | 1 => String::new(),
        count => format!(" in {}", output::counted(count, "environment")),
    };
    for (name, reason) in &proof.unchecked {
        let message = format!("the environment {name} cannot be opened, so its answers are not compared: {reason}");
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
    }
    for (reason, nodes) in &proof.failing {
        let message =
            format!("{} cannot be looked up, before and after: {reason}", output::counted(nodes.len(), "node"));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
    }
    if !proof.failing_keys.is_empty() {
        let mut names: Vec<&str> = proof.failing_keys.iter().take(MAX_NAMES).map(String::as_str).collect();
        if proof.failing_keys.len() > MAX_NAMES {
            names.push("...");
        }
        let verb = if proof.failing_keys.len() == 1 { "fails" } else { "fail" };
        let count = output::counted(proof.failing_keys.len(), "key");
        let message = format!("{count} {verb} before and after with the same message: {}", names.join(", "));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
    }
    if proof.holds() {
        let other = if proof.is_whole() && proof.failing_keys.is_empty() { "" } else { "other " };
        reporter.log_line(&format!("No {other}answer of {nodes}{whose}{among} changes"), "", false);
        return;
    }
    for surprise in &proof.unexpected {
        let names = surprise.nodes.iter().filter_map(|node| fleet.nodes.get(*node));
        let mut names: Vec<String> = names.map(shown_node).collect();
        let more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let key = if surprise.key.is_empty() { String::new() } else { format!("{}: ", surprise.key) };
        let within = match surprise.environments.as_slice() {
            [] => String::new(),
            [only] => format!(" in environment {only}"),
            all => format!(" in environments {}", all.join(", ")),
        };
        let message = format!("{key}{} on {}{more}{within}", surprise.what, names.join(", "));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::ANSWER_CHANGES, message));
    }
    let count = output::counted(proof.unexpected.len(), "answer");
    let verb = if proof.unexpected.len() == 1 { "changes" } else { "change" };
    reporter.log_line(&format!("{count} of {nodes}{whose}{among} {verb}"), "", false);
}

/// Reports the removed values, and those that cannot be removed.
pub(super) fn pruned(pruned: &PrunePlan, reporter: &Reporter) {
    for (entry, reason) in &pruned.skipped {
        let message = format!("'{}' in {} could be removed, but {reason}", entry.key, pruned.plan.shown(&entry.file));
        reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::NOT_CHANGED, message));
    }
    let count = match pruned.entries.len() {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    reporter.log_line(&format!("{count} can be removed"), "", false);
}

/// Warns where facts of some nodes are given, and others read data, too: what only these need goes as well.
pub(super) fn coverage([read, all]: [usize; 2], fleet: &Fleet, reporter: &Reporter) {
    if fleet.are_derived || read >= all {
        return;
    }
    let (nodes, verb) = (output::counted(fleet.nodes.len(), "node"), if read == 1 { "is" } else { "are" });
    let message = format!(
        "the facts cover a part of the data: of {}, {read} {verb} read by the {nodes}",
        output::counted(all, "data file")
    );
    let finding = Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message);
    reporter.diagnostic(
        &finding.help("pass the facts of all nodes; without facts, only data that no node can need is removed"),
    );
}
