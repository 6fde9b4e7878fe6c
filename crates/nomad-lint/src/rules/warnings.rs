//! Warnings about accepted jobs: deprecated features, and probable mistakes.
//!
//! Source of the rules: the upgrade guides below <https://developer.hashicorp.com/nomad/docs/upgrade> and the
//! descriptions of the blocks.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashSet;

use super::identity::{self, Identity};
use super::services::{Service, Services};
use super::{Scope, group, update};
use crate::block::Block;
use crate::report::Report;
use crate::rule::Rule;

/// Checks the job for warnings.
pub(super) fn check(scope: &Scope<'_>, report: &mut Report) {
    let job = scope.job;
    let job_update = job.block("Update");
    let services: Vec<Services> = job.blocks("TaskGroups").map(|group| Services::new(scope, &group)).collect();
    let (mut some_promote, mut all_promote) = (false, true);
    for (group, services) in job.blocks("TaskGroups").zip(&services) {
        let update = update::effective_block(scope, &group, &job_update);
        report.list(
            || format!("Group {} has warnings: ", quoted(group.text("Name"))),
            |report| check_group(&group, update.as_ref(), services, report),
        );
        if let Some(update) = &update {
            let promotes = update.flag("AutoPromote");
            some_promote |= promotes;
            all_promote &= promotes || update.number("Canary") == 0;
        }
    }
    for (group, services) in job.blocks("TaskGroups").zip(&services) {
        shutdown_delays(&group, services, report);
    }
    if some_promote && !all_promote {
        let message = "auto_promote must be true for all groups to enable automatic promotion";
        report.add(job.at("TaskGroups"), message);
    }
    let periodic = job.block("Periodic");
    if !periodic.text("Spec").is_empty() {
        let message = "cron is deprecated and may be removed in a future release. Use crons instead";
        report.add_as(Rule::Deprecated, periodic.at("Spec"), message);
    }
}

fn check_group(group: &Block<'_>, update: Option<&Block<'_>>, services: &Services, report: &mut Report) {
    let count = group::count(group);
    if let Some(update) = update {
        let parallel = update::max_parallel(update);
        if count > 1 && parallel > count {
            let message = format!(
                "Update max parallel count is greater than task group count ({parallel} > {count}). A destructive change \
                 would result in the simultaneous replacement of all allocations."
            );
            report.add(update.at("MaxParallel"), message);
        }
    }
    if let Some(network) = group.blocks("Networks").next()
        && network.number("MBits") > 0
    {
        let message = "mbits has been deprecated as of Nomad 0.12.0. Please remove mbits from the network block";
        report.add_as(Rule::Deprecated, network.at("MBits"), message);
    }
    identities_of_services(group, &services.of_group, report);
    for (task, services) in group.blocks("Tasks").zip(&services.of_tasks) {
        report.list(
            || format!("Task {} has warnings: ", quoted(task.text("Name"))),
            |report| check_task(&task, services, report),
        );
    }
}

fn check_task(task: &Block<'_>, services: &[Service], report: &mut Report) {
    let resources = task.block("Resources");
    if resources.number("IOPS") != 0 {
        let message = "IOPS has been deprecated as of Nomad 0.9.0. Please remove IOPS from resource block.";
        report.add_as(Rule::Deprecated, resources.at("IOPS"), message);
    }
    if !resources.list("Networks").is_empty() {
        let message = "task network resources have been deprecated as of Nomad 0.12.0. Please configure networking via \
                       group network block.";
        report.add_as(Rule::Deprecated, resources.at("Networks"), message);
    }
    for (at, template) in task.blocks("Templates").enumerate().filter(|(_, block)| block.number("VaultGrace") != 0) {
        let message = format!(
            "Template[{at}] VaultGrace has been deprecated as of Nomad 0.11 and ignored since Vault 0.5. Please remove \
             VaultGrace / vault_grace from template block."
        );
        report.add_as(Rule::Deprecated, template.at("VaultGrace"), message);
    }
    identities_of_services(task, services, report);
    for identity in identity::of_task(task).1 {
        let prefix = format!("Identity[{}]", identity.name());
        report.bare_list(|report| identity.warn(&prefix, report));
    }
}

fn identities_of_services(owner: &Block<'_>, services: &[Service], report: &mut Report) {
    for (block, service) in owner.blocks("Services").zip(services) {
        if let Some(identity) = block.written("Identity") {
            let prefix = format!("Service {}:", quoted(&service.name));
            Identity::of_service(identity).warn(&prefix, report);
        }
    }
}

/// Reports services whose tasks are stopped while requests may still arrive.
fn shutdown_delays(group: &Block<'_>, services: &Services, report: &mut Report) {
    let name = || quoted(group.text("Name"));
    let mut referenced = HashSet::default();
    let mut is_group_concerned = false;
    for (block, service) in group.blocks("Services").zip(&services.of_group) {
        if service.task.is_empty() {
            // A described side-car always has a delay, possibly zero.
            is_group_concerned |= !block.block("Connect").has("SidecarTask");
        } else {
            referenced.insert(&*service.task);
        }
    }
    let mut is_delayed = group.number("ShutdownDelay") > 0;
    for task in group.blocks("Tasks") {
        let delay = task.number("ShutdownDelay");
        let shown = || quoted(task.text("Name"));
        if referenced.contains(task.text("Name")) && delay == 0 {
            let message = format!(
                "group {} references task {} in a service definition, but the task has no shutdown_delay set",
                name(),
                shown()
            );
            report.add_as(Rule::ShutdownDelay, task.at("ShutdownDelay"), message);
        }
        if delay > 0 {
            is_delayed = true;
        } else if !task.list("Services").is_empty() {
            let message =
                format!("task {} in group {} defines services, but has no shutdown_delay set", shown(), name());
            report.add_as(Rule::ShutdownDelay, task.at("ShutdownDelay"), message);
        }
    }
    if is_group_concerned && !is_delayed {
        let message = format!(
            "group {} defines services, but neither the group nor any of its tasks have shutdown_delay set",
            name()
        );
        report.add_as(Rule::ShutdownDelay, group.at("ShutdownDelay"), message);
    }
}
