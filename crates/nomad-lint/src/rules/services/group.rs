//! Conflicts between the services of a group, and the rules for services of the group itself.

use std::collections::BTreeSet;

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashSet;

use super::check::Check;
use super::service::{Service, Services, provider};
use crate::block::Block;
use crate::go::text::list;
use crate::report::Report;

/// The services that were seen.
#[derive(Default)]
struct ServiceIndex {
    /// Owner, name and port.
    known: HashSet<[String; 3]>,
    /// The duplicate services, as they are printed.
    twice: BTreeSet<String>,
    providers: HashSet<String>,
}

/// Checks the services of a group, and those of its tasks together with them.
pub(in crate::rules) fn check_group(group: &Block<'_>, services: &Services, report: &mut Report) {
    let mut seen = ServiceIndex::default();
    for (task, of_task) in group.blocks("Tasks").zip(&services.of_tasks) {
        for (block, service) in task.blocks("Services").zip(of_task) {
            if service.task != task.text("Name") && !service.task.is_empty() {
                let message = format!(
                    "Service {} is invalid: may only specify task the service belongs to, got {}",
                    service.name,
                    quoted(&service.task)
                );
                report.add(block.at("TaskName"), message);
            }
            checks_of_task(service, &block, task.text("Name"), report);
            seen.add(&service.name, task.text("Name"), &block);
        }
    }
    let tasks: HashSet<&str> = group.blocks("Tasks").map(|task| task.text("Name")).collect();
    for (at, (block, service)) in group.blocks("Services").zip(&services.of_group).enumerate() {
        seen.add(&service.name, "group", &block);
        let found = report.list(
            || format!("Service[{at}] {} validation failed: ", service.name),
            |report| service.check(&block, true, report),
        );
        if !found {
            in_group(service, &block, &tasks, report);
        }
    }
    seen.report(group, report);
}

impl ServiceIndex {
    fn add(&mut self, name: &str, owner: &str, block: &Block<'_>) {
        let port = block.text("PortLabel");
        if !self.known.insert([owner, name, port].map(str::to_owned)) {
            let separator = if port.is_empty() { "" } else { ":" };
            self.twice.insert(format!("{owner}->{name}{separator}{port}"));
        }
        self.providers.insert(provider(block).to_owned());
    }

    fn report(&self, group: &Block<'_>, report: &mut Report) {
        if !self.twice.is_empty() {
            let shown: Vec<&str> = self.twice.iter().map(String::as_str).collect();
            report.add(group.at("Services"), format!("Services are not unique: {}", list(&shown)));
        }
        if self.providers.len() > 1 {
            let message = "Multiple service providers used: task group services must use the same provider";
            report.add(group.at("Services"), message);
        }
    }
}

/// Checks of a task's service run in the task.
fn checks_of_task(service: &Service, block: &Block<'_>, task: &str, report: &mut Report) {
    for inner in block.blocks("Checks") {
        let check = Check::new(service, block, &inner, false);
        if !check.task.is_empty() && check.task != task {
            let message = format!(
                "Check {} is invalid: may only specify task the check belongs to, got {}",
                check.name(),
                quoted(check.task)
            );
            report.add(inner.at("TaskName"), message);
        }
    }
}

/// The rules that apply only to services of the group itself.
fn in_group(service: &Service, block: &Block<'_>, tasks: &HashSet<&str>, report: &mut Report) {
    if block.text("AddressMode") == "driver" {
        let message = format!(
            "service {} cannot use address_mode=\"driver\", only services defined in a \"task\" block can use this mode",
            quoted(&service.name)
        );
        report.add(block.at("AddressMode"), message);
    }
    for inner in block.blocks("Checks") {
        let check = Check::new(service, block, &inner, true);
        if check.task.is_empty() {
            continue;
        }
        if inner.text("AddressMode") == "driver" {
            let message = format!(
                "Check {} invalid: cannot use address_mode=\"driver\", only checks defined in a \"task\" service block can \
                 use this mode",
                quoted(&service.name)
            );
            report.add(inner.at("AddressMode"), message);
        }
        if !tasks.contains(check.task) {
            let message = format!("Check {} invalid: refers to non-existent task {}", check.name(), check.task);
            report.add(inner.at("TaskName"), message);
        }
    }
}

/// Scripts of a group's services must run in a task.
pub(in crate::rules) fn check_scripts(group: &Block<'_>, services: &Services, report: &mut Report) {
    for (block, service) in group.blocks("Services").zip(&services.of_group) {
        if !service.task.is_empty() {
            continue;
        }
        for inner in block.blocks("Checks") {
            let check = Check::new(service, &block, &inner, true);
            if inner.text("Type") == "script" && check.task.is_empty() {
                let message = format!(
                    "Service [{}]->{} or Check {} must specify task parameter",
                    group.text("Name"),
                    service.name,
                    check.name()
                );
                report.add(inner.at("TaskName"), message);
            }
        }
    }
}
