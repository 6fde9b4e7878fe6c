//! The `disconnect` block: the behavior while a node cannot be reached.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/disconnect>.

use super::Scope;
use crate::block::Block;
use crate::report::Report;

/// Checks a `disconnect` block.
pub(super) fn check(scope: &Scope<'_>, block: &Block<'_>, report: &mut Report) {
    let stop_after = block.given_number("StopOnClientAfter");
    let lost_after = block.number("LostAfter");
    if let Some(stop_after) = stop_after {
        if stop_after < 0 {
            report.add(block.at("StopOnClientAfter"), "stop_after cannot be a negative duration");
        }
        if !scope.kind.is_service() && !scope.kind.is_batch() {
            let message = "stop_after can only be used with service or batch job types";
            report.add(block.at("StopOnClientAfter"), message);
        }
    }
    if lost_after < 0 {
        report.add(block.at("LostAfter"), "lost_after cannot be a negative duration");
    }
    if stop_after.is_some() && lost_after != 0 {
        report.add(block.at("LostAfter"), "Disconnect cannot be configured with both lost_after and stop_after");
    }
    match block.text("Reconcile") {
        "" | "best_score" | "longest_running" | "keep_original" | "keep_replacement" => {}
        other => report.add(block.at("Reconcile"), format!("reconcile option is invalid: {other}")),
    }
}
