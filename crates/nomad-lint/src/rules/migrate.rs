//! The `migrate` block: the migration of allocations from a draining node.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/migrate>.

use hieratic_hcl_types::quoted;

use super::Scope;
use crate::block::Block;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, MINUTE, SECOND};

/// Checks the `migrate` block of a group over that of its job.
pub(super) fn check(scope: &Scope<'_>, group: &Block<'_>, report: &mut Report) {
    let of_job = scope.job.block("Migrate");
    let block = group.block("Migrate").with_fallback(&of_job);
    if !block.is_written() && !of_job.is_written() {
        return;
    }
    if !scope.kind.is_service() {
        report.add(block.path(), format!("Job type {} does not allow migrate block", quoted(scope.kind.0)));
        return;
    }
    let parallel = block.given_number("MaxParallel").unwrap_or(1);
    if parallel < 0 {
        report.add(block.at("MaxParallel"), format!("MaxParallel must be >= 0 but found {parallel}"));
    }
    match block.given_text("HealthCheck").unwrap_or("checks") {
        "checks" | "task_states" => {}
        "" if parallel > 0 => report.add(block.at("HealthCheck"), "Missing HealthCheck"),
        "" => {}
        other => report.add(block.at("HealthCheck"), format!("Invalid HealthCheck: {}", quoted(other))),
    }
    let healthy = block.given_number("MinHealthyTime").unwrap_or(10 * SECOND);
    let deadline = block.given_number("HealthyDeadline").unwrap_or(5 * MINUTE);
    for (field, length) in [("MinHealthyTime", healthy), ("HealthyDeadline", deadline)] {
        if length < 0 {
            report.add(block.at(field), format!("{field} is {} and must be >= 0", duration::display(length)));
        }
    }
    if healthy > deadline {
        report.add(block.at("MinHealthyTime"), "MinHealthyTime must be less than HealthyDeadline");
    }
}
