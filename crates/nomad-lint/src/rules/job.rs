//! The job without its groups.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/job>.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashMap;

use super::{Scope, group, parameterized, periodic, placement};
use crate::block::Block;
use crate::report::Report;

/// The maximum length of the descriptions of a job and of its versions, in bytes.
const MAX_DESCRIPTION: usize = 1000;

/// Checks the job.
pub(super) fn check(scope: &Scope<'_>, report: &mut Report) {
    let job = scope.job;
    if job.given_text("Region") == Some("") && !job.block("Multiregion").is_written() {
        report.add(job.at("Region"), "Missing job region");
    }
    names(scope, report);
    kind(scope, report);
    for (at, _) in job.texts("Datacenters").enumerate().filter(|(_, name)| name.is_empty()) {
        report.add(job.at_item("Datacenters", at), "Job datacenter must be non-empty string");
    }
    if job.list("TaskGroups").is_empty() {
        report.add(job.at("TaskGroups"), "Missing job task groups");
    }
    placement::constraints(job, report);
    placement::affinities(scope, job, report);
    placement::spreads(scope, job, report);
    descriptions(job, report);
    groups(scope, report);
    if let Some(block) = job.written("Periodic") {
        periodic::check(scope, &block, report);
    }
    if let Some(block) = job.written("ParameterizedJob") {
        parameterized::check(scope, &block, report);
    }
    if let Some(block) = job.written("Multiregion")
        && !block.list("Regions").is_empty()
    {
        report.add(block.path(), "Multiregion jobs are unlicensed.");
    }
}

fn names(scope: &Scope<'_>, report: &mut Report) {
    let job = scope.job;
    let id = job.text("ID");
    if id.is_empty() {
        report.add(job.at("ID"), "Missing job ID");
    } else if id.contains(' ') {
        report.add(job.at("ID"), "Job ID contains a space");
    } else if id.contains('\0') {
        report.add(job.at("ID"), "Job ID contains a null character");
    }
    if scope.name.is_empty() {
        report.add(job.at("Name"), "Missing job name");
    } else if scope.name.contains('\0') {
        report.add(job.at("Name"), "Job Name contains a null character");
    }
}

fn kind(scope: &Scope<'_>, report: &mut Report) {
    match scope.kind.0 {
        "_core" | "service" | "batch" | "system" | "sysbatch" => {}
        "" => report.add(scope.job.at("Type"), "Missing job type"),
        other => report.add(scope.job.at("Type"), format!("Invalid job type: {}", quoted(other))),
    }
}

fn descriptions(job: &Block<'_>, report: &mut Report) {
    for (field, subject) in [("UI", "UI description"), ("VersionTag", "Tagged version description")] {
        let block = job.block(field);
        let length = block.text("Description").len();
        if length > MAX_DESCRIPTION {
            let message = format!("{subject} must be under {MAX_DESCRIPTION} characters, currently {length}");
            report.add(block.at("Description"), message);
        }
    }
}

fn groups(scope: &Scope<'_>, report: &mut Report) {
    let mut known = HashMap::default();
    for (at, group) in scope.job.blocks("TaskGroups").enumerate() {
        let (name, number) = (group.text("Name"), at + 1);
        if name.is_empty() {
            report.add(group.at("Name"), format!("Job task group {number} missing name"));
        } else if let Some(first) = known.get(name) {
            report.add(group.at("Name"), format!("Job task group {number} redefines '{name}' from group {first}"));
        } else {
            known.insert(name.to_owned(), number);
        }
        if group.number("ShutdownDelay") < 0 {
            report.add(group.at("ShutdownDelay"), "ShutdownDelay must be a positive value");
        }
        let count = group::count(&group);
        if scope.kind.is_system() && count > 1 {
            let message =
                format!("Job task group {name} has count {count}. Count cannot exceed 1 with system scheduler");
            report.add(group.at("Count"), message);
        }
    }
    for group in scope.job.blocks("TaskGroups") {
        report.list(
            || format!("Task group {} validation failed: ", group.text("Name")),
            |report| group::check(scope, &group, report),
        );
    }
}
