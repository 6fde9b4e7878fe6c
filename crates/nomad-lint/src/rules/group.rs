//! Groups of tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/group>.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashMap;

use super::services::Services;
use super::{
    Scope, disconnect, migrate, network, placement, reschedule, restart, scaling, services, task, update, volumes,
};
use crate::block::Block;
use crate::report::Report;
use crate::rule::Rule;

/// The default disk size of a group, in megabytes.
const DEFAULT_DISK: i64 = 300;

/// The smallest disk, in megabytes.
const MIN_DISK: i64 = 10;

/// The number of allocations of the group: its count, or the minimum of its scaling policy.
pub(super) fn count(group: &Block<'_>) -> i64 {
    group.given_number("Count").or_else(|| group.block("Scaling").given_number("Min")).unwrap_or(1)
}

/// The size of the group's disk, in megabytes.
pub(super) fn disk_size(group: &Block<'_>) -> i64 {
    group.block("EphemeralDisk").given_number("SizeMB").unwrap_or(DEFAULT_DISK)
}

/// Returns whether a server adds tasks to a group: a proxy for each service that is in Consul's mesh by a gateway or a
/// side-car.
fn has_tasks_of_server(group: &Block<'_>) -> bool {
    let has_proxy = |service: Block<'_>| {
        let connect = service.block("Connect");
        connect.block("Gateway").is_written() || connect.block("SidecarService").is_written()
    };
    !group.list("Networks").is_empty() && group.blocks("Services").any(has_proxy)
}

/// Checks a `group` block.
pub(super) fn check(scope: &Scope<'_>, group: &Block<'_>, report: &mut Report) {
    let job_update = scope.job.block("Update");
    let update = update::effective_block(scope, group, &job_update);
    let services = Services::new(scope, group);
    name(group, report);
    if count(group) < 0 {
        report.add(group.at("Count"), "Task group count can't be negative");
    }
    if group.list("Tasks").is_empty() {
        let rule = if has_tasks_of_server(group) { Rule::AddedByServer } else { Rule::Job };
        report.add_as(rule, group.at("Tasks"), "Missing tasks for task group");
    }
    if let Some(block) = group.written("Disconnect") {
        disconnect::check(scope, &block, report);
    }
    run_duration(scope, group, report);
    placement::constraints(group, report);
    placement::affinities(scope, group, report);
    restart::check(scope, &group.block("RestartPolicy"), report);
    placement::spreads(scope, group, report);
    reschedule::check(scope, group, report);
    disk(group, report);
    if let Some(update) = &update {
        update::check(scope, update, report);
    }
    migrate::check(scope, group, report);
    tasks(group, report);
    volumes::check_requests(scope, group, update.as_ref().map_or(0, |update| update.number("Canary")), report);
    report.list(|| "Task group network validation failed: ".to_owned(), |report| network::check(group, report));
    report.list(
        || "Task group service validation failed: ".to_owned(),
        |report| services::check_group(group, &services, report),
    );
    report.list(
        || "Task group service check validation failed: ".to_owned(),
        |report| services::check_scripts(group, &services, report),
    );
    if let Some(block) = group.written("Scaling") {
        report.list(
            || "Task group scaling policy validation failed: ".to_owned(),
            |report| scaling::check(scope, group, &block, report),
        );
    }
    for (at, task) in group.blocks("Tasks").enumerate() {
        report.list(
            || format!("Task {} validation failed: ", task.text("Name")),
            |report| {
                let surroundings = task::TaskContext { group, update: update.as_ref(), services: &services };
                task::check(scope, &surroundings, at, &task, report);
            },
        );
    }
}

fn name(group: &Block<'_>, report: &mut Report) {
    let name = group.text("Name");
    if name.is_empty() {
        report.add(group.at("Name"), "Missing task group name");
    } else if name.contains('\0') {
        report.add(group.at("Name"), "Task group name contains null character");
    }
}

fn run_duration(scope: &Scope<'_>, group: &Block<'_>, report: &mut Report) {
    let Some(length) = group.given_number("MaxRunDuration") else { return };
    if length <= 0 {
        report.add(group.at("MaxRunDuration"), "MaxRunDuration must be greater than zero");
    }
    if !scope.kind.ends() {
        let message = format!("Job type {} does not allow max_run_duration", quoted(scope.kind.0));
        report.add(group.at("MaxRunDuration"), message);
    }
}

fn disk(group: &Block<'_>, report: &mut Report) {
    let size = disk_size(group);
    if size < MIN_DISK {
        let message = format!("minimum DiskMB value is {MIN_DISK}; got {size}");
        report.add(group.block("EphemeralDisk").at("SizeMB"), message);
    }
}

/// Checks that the tasks do not conflict with each other.
fn tasks(group: &Block<'_>, report: &mut Report) {
    let mut known = HashMap::default();
    let mut leaders = 0;
    for (at, task) in group.blocks("Tasks").enumerate() {
        let (name, number) = (task.text("Name"), at + 1);
        if name.is_empty() {
            report.add(task.at("Name"), format!("Task {number} missing name"));
        } else if let Some(first) = known.get(name) {
            report.add(task.at("Name"), format!("Task {number} redefines '{name}' from task {first}"));
        } else {
            known.insert(name.to_owned(), number);
        }
        leaders += u32::from(task.flag("Leader"));
    }
    if leaders > 1 {
        report.add(group.at("Tasks"), "Only one task may be marked as leader");
    }
}
