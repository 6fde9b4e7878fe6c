//! Jobs that are launched at times.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/periodic>.

use hieratic_hcl_types::quoted;

use super::Scope;
use crate::block::Block;
use crate::report::Report;
use crate::{cron, zones};

/// The type of specification that the reference's tests use.
const FOR_TESTS: &str = "_internal_test";

/// Checks a `periodic` block.
pub(super) fn check(scope: &Scope<'_>, block: &Block<'_>, report: &mut Report) {
    if block.given_flag("Enabled") == Some(false) {
        return;
    }
    if !scope.kind.ends() {
        report.add(block.path(), "Periodic can only be used with \"batch\" or \"sysbatch\" scheduler");
    }
    report.bare_list(|report| times(block, report));
}

fn times(block: &Block<'_>, report: &mut Report) {
    let one = block.filled_text("Spec");
    let several = block.texts("Specs");
    match (one, several.len()) {
        (Some(_), 1..) => report.add(block.at("Spec"), "Only cron or crons may be used"),
        (None, 0) => report.add(block.path(), "Must specify a spec"),
        _ => {}
    }
    let zone = block.text("TimeZone");
    if let Err(error) = zones::check(zone) {
        report.add(block.at("TimeZone"), format!("Invalid time zone {}: {error}", quoted(zone)));
    }
    let invalid = |spec: &str, error: &str| format!("Invalid cron spec {}: {error}", quoted(spec));
    match block.given_text("SpecType").unwrap_or("cron") {
        "cron" => {
            if let Some((spec, Err(error))) = one.map(|spec| (spec, cron::check(spec))) {
                report.add(block.at("Spec"), invalid(spec, &error));
            }
            for (at, spec) in several.enumerate() {
                if let Err(error) = cron::check(spec) {
                    report.add(block.at_item("Specs", at), invalid(spec, &error));
                }
            }
        }
        FOR_TESTS => {}
        other => {
            report.add(block.at("SpecType"), format!("Unknown periodic specification type {}", quoted(other)));
        }
    }
}
