//! The `scaling` block: the bounds for scaling a group.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/scaling>.

use super::{Scope, group};
use crate::block::Block;
use crate::report::Report;

/// Checks the `scaling` block of a group. Those of tasks are not checked by the reference.
pub(super) fn check(scope: &Scope<'_>, group: &Block<'_>, block: &Block<'_>, report: &mut Report) {
    let count = group::count(group);
    let min = block.given_number("Min").unwrap_or(count);
    // A missing maximum is below every minimum.
    let max = block.given_number("Max").unwrap_or(-1);
    let mut error =
        |field: &'static str, message: &str| report.add(block.at(field), format!("Scaling policy invalid: {message}"));
    match block.filled_text("Type").unwrap_or("horizontal") {
        "horizontal" => {
            if scope.job.text("ID").is_empty() {
                error("Target", "missing target job");
            }
            if group.text("Name").is_empty() {
                error("Target", "missing target group");
            }
        }
        other => error("Type", &format!("scaling policy type \"{other}\" is not valid")),
    }
    if max < 0 {
        error("Max", "maximum count must be specified and non-negative");
    } else if max < min {
        error("Max", "maximum count must not be less than minimum count");
    }
    if min < 0 {
        error("Min", "minimum count must be specified and non-negative");
    }
    if max < count {
        error("Max", "task group count must not be greater than maximum count in scaling policy");
    }
    let several_regions = scope.job.block("Multiregion");
    let set_by_region = !several_regions.list("Regions").is_empty()
        && count == 0
        && scope.job.given_text("Region").unwrap_or("global") == "global";
    if count < min && !set_by_region {
        error("Min", "task group count must not be less than minimum count in scaling policy");
    }
}
