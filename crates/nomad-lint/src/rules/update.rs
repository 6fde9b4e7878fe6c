//! The `update` block: the replacement of allocations when the job changes.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/update>.

use hieratic_hcl_types::quoted;

use super::Scope;
use crate::block::Block;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, MINUTE, SECOND};

/// The default number of allocations that are replaced at once.
const DEFAULT_PARALLEL: i64 = 1;

/// The `update` block of a group with that of its job as fallback. Services and system jobs always have one, unless
/// that of the job disables updates.
pub(super) fn effective_block<'b>(scope: &Scope<'_>, group: &'b Block<'b>, of_job: &'b Block<'b>) -> Option<Block<'b>> {
    let block = group.block("Update").with_fallback(of_job);
    let inherited = if of_job.is_written() { !turns_off(of_job) } else { scope.kind.is_updated() };
    (block.is_written() || inherited).then_some(block)
}

/// Returns whether every field is written with an empty value.
fn turns_off(block: &Block<'_>) -> bool {
    ["Stagger", "MaxParallel", "MinHealthyTime", "HealthyDeadline", "ProgressDeadline"]
        .iter()
        .all(|field| block.given_number(field) == Some(0))
        && block.given_text("HealthCheck") == Some("")
        && block.number("Canary") == 0
        && !block.flag("AutoRevert")
        && !block.flag("AutoPromote")
}

/// The number of allocations that are replaced at once.
pub(super) fn max_parallel(block: &Block<'_>) -> i64 {
    block.given_number("MaxParallel").unwrap_or(DEFAULT_PARALLEL)
}

/// The maximum time without progress of an update, in nanoseconds.
pub(super) fn progress_deadline(block: &Block<'_>) -> i64 {
    block.given_number("ProgressDeadline").unwrap_or(10 * MINUTE)
}

/// Checks an `update` block.
pub(super) fn check(scope: &Scope<'_>, block: &Block<'_>, report: &mut Report) {
    if !scope.kind.is_updated() {
        report.add(block.path(), format!("Job type {} does not allow update block", quoted(scope.kind.0)));
    }
    let health_check = block.given_text("HealthCheck").unwrap_or("checks");
    if !matches!(health_check, "checks" | "task_states" | "manual") {
        report.add(block.at("HealthCheck"), format!("Invalid health check given: {}", quoted(health_check)));
    }
    let (parallel, canaries) = (max_parallel(block), block.number("Canary"));
    for (field, subject, number) in [("MaxParallel", "Max parallel", parallel), ("Canary", "Canary count", canaries)] {
        if number < 0 {
            report.add(block.at(field), format!("{subject} can not be less than zero: {number} < 0"));
        }
    }
    if canaries == 0 && block.flag("AutoPromote") {
        report.add(block.at("AutoPromote"), "Auto Promote requires a Canary count greater than zero");
    }
    times(block, report);
}

fn times(block: &Block<'_>, report: &mut Report) {
    let healthy = block.given_number("MinHealthyTime").unwrap_or(10 * SECOND);
    let deadline = block.given_number("HealthyDeadline").unwrap_or(5 * MINUTE);
    let progress = progress_deadline(block);
    let stagger = block.given_number("Stagger").unwrap_or(30 * SECOND);
    let [healthy_text, deadline_text, progress_text, stagger_text] =
        [healthy, deadline, progress, stagger].map(duration::display);
    let mut error = |field, message: String| report.add(block.at(field), message);
    if healthy < 0 {
        error("MinHealthyTime", format!("Minimum healthy time may not be less than zero: {healthy_text}"));
    }
    if deadline <= 0 {
        error("HealthyDeadline", format!("Healthy deadline must be greater than zero: {deadline_text}"));
    }
    if progress < 0 {
        error("ProgressDeadline", format!("Progress deadline must be zero or greater: {progress_text}"));
    }
    if healthy >= deadline {
        let message =
            format!("Minimum healthy time must be less than healthy deadline: {healthy_text} > {deadline_text}");
        error("MinHealthyTime", message);
    }
    if progress != 0 && deadline >= progress {
        let message =
            format!("Healthy deadline must be less than progress deadline: {deadline_text} > {progress_text}");
        error("HealthyDeadline", message);
    }
    if stagger <= 0 {
        error("Stagger", format!("Stagger must be greater than zero: {stagger_text}"));
    }
}
