//! The `restart` block: the number and delay of restarts on the same node.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/restart>.

use hieratic_hcl_types::quoted;

use super::Scope;
use crate::block::Block;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, HOUR, MINUTE, SECOND};

/// The shortest interval in which restarts are counted.
const MIN_INTERVAL: i64 = 5 * SECOND;

/// Checks the `restart` block of a group, written or not. Those of tasks are not checked by the reference.
pub(super) fn check(scope: &Scope<'_>, block: &Block<'_>, report: &mut Report) {
    let (attempts, interval) = if scope.kind.is_updated() { (2, 30 * MINUTE) } else { (3, 24 * HOUR) };
    let attempts = block.given_number("Attempts").unwrap_or(attempts);
    let interval = block.given_number("Interval").unwrap_or(interval);
    let delay = block.given_number("Delay").unwrap_or(15 * SECOND);
    let mode = block.given_text("Mode").unwrap_or("fail");
    if !matches!(mode, "delay" | "fail") {
        report.add(block.at("Mode"), format!("Unsupported restart mode: {}", quoted(mode)));
    }
    if attempts == 0 && mode != "fail" {
        let message = format!("Restart policy {} with {attempts} attempts is ambiguous", quoted(mode));
        report.add(block.at("Attempts"), message);
    }
    if interval < MIN_INTERVAL {
        let message = format!(
            "Interval can not be less than {} (got {})",
            duration::display(MIN_INTERVAL),
            duration::display(interval)
        );
        report.add(block.at("Interval"), message);
    }
    // The reference counts with 64 bits, too.
    if attempts.wrapping_mul(delay) > interval {
        let message = format!(
            "Nomad can't restart the TaskGroup {attempts} times in an interval of {} with a delay of {}",
            duration::display(interval),
            duration::display(delay)
        );
        report.add(block.at("Attempts"), message);
    }
}
