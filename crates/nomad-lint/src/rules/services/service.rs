//! Services with their defaults, and the rules for a single service.

use std::borrow::Cow;

use hieratic_hcl_types::quoted;

use super::super::Scope;
use super::check::Check;
use super::connect;
use crate::block::Block;
use crate::references;
use crate::report::Report;
use crate::rule::Rule;

/// The maximum length of the name of a service, in bytes.
const MAX_NAME: usize = 63;

/// The services of a group and its tasks.
pub(in crate::rules) struct Services {
    /// Those of the group.
    pub(in crate::rules) of_group: Vec<Service>,
    /// Those of each task.
    pub(in crate::rules) of_tasks: Vec<Vec<Service>>,
}

/// The properties of a service that are not directly in its block.
pub(in crate::rules) struct Service {
    /// Its name, with the references to the job, the group and the task replaced.
    pub(in crate::rules) name: String,
    /// The task that it belongs to; empty for a service of the group that names none.
    pub(in crate::rules) task: String,
}

/// The owner of a service.
struct ServiceOwner<'a> {
    job: &'a str,
    group: &'a str,
    task: Option<&'a str>,
}

impl Services {
    /// The services of a group.
    pub(in crate::rules) fn new(scope: &Scope<'_>, group: &Block<'_>) -> Self {
        let owner = ServiceOwner { job: scope.name, group: group.text("Name"), task: None };
        let all = |block: &Block<'_>, owner: &ServiceOwner<'_>| {
            block.blocks("Services").map(|service| owner.service(&service)).collect()
        };
        let of_tasks =
            group.blocks("Tasks").map(|task| all(&task, &ServiceOwner { task: Some(task.text("Name")), ..owner }));
        Self { of_group: all(group, &owner), of_tasks: of_tasks.collect() }
    }
}

impl ServiceOwner<'_> {
    fn service(&self, block: &Block<'_>) -> Service {
        // The reference uses this name for the group instead of a task, and so confuses it with a task of that name.
        let owner = self.task.unwrap_or("group");
        let base = || format!("{}-{}-{owner}", self.job, self.group);
        let name = match block.text("Name") {
            "" if self.task.is_some() => Cow::Owned(base()),
            "" => Cow::Owned(format!("{}-{}", self.job, self.group)),
            name => Cow::Borrowed(name),
        };
        let name = references::replace(&name, |reference| {
            Some(match reference {
                "JOB" => self.job.to_owned(),
                "TASKGROUP" => self.group.to_owned(),
                "TASK" => owner.to_owned(),
                "BASE" => base(),
                _ => return None,
            })
        });
        let task = match block.text("TaskName") {
            "" if owner != "group" => owner,
            task => task,
        };
        Service { name, task: task.to_owned() }
    }
}

/// The registry of the service.
pub(super) fn provider<'a>(block: &Block<'a>) -> &'a str {
    block.filled_text("Provider").unwrap_or("consul")
}

impl Service {
    /// Checks the service without regard to others.
    pub(super) fn check(&self, block: &Block<'_>, of_group: bool, report: &mut Report) {
        if !is_name(&references::replace(&self.name, |_| Some("ENV-VAR".to_owned()))) {
            let message = format!(
                "Service name must be valid per RFC 1123 and can contain only alphanumeric characters or dashes and must be \
                 no longer than {MAX_NAME} characters: {}",
                quoted(&self.name)
            );
            report.add(block.at("Name"), message);
        }
        match block.text("AddressMode") {
            "" | "auto" => {}
            "host" | "driver" | "alloc" | "alloc_ipv6" => {
                if !block.text("Address").is_empty() {
                    report.add(block.at("AddressMode"), "Service address_mode must be \"auto\" if address is set");
                }
            }
            other => {
                let message =
                    format!("Service address_mode must be \"auto\", \"host\", or \"driver\"; not {}", quoted(other));
                report.add(block.at("AddressMode"), message);
            }
        }
        match block.text("OnUpdate") {
            "" | "require_healthy" | "ignore_warnings" | "ignore" => {}
            other => {
                let message = format!(
                    "Service on_update must be \"require_healthy\", \"ignore_warnings\", or \"ignore\"; not {}",
                    quoted(other)
                );
                report.add(block.at("OnUpdate"), message);
            }
        }
        match provider(block) {
            "consul" => self.check_in_consul(block, of_group, report),
            "nomad" => self.check_in_nomad(block, of_group, report),
            other => {
                let message = format!("Service provider must be \"consul\", or \"nomad\"; not {}", quoted(other));
                report.add(block.at("Provider"), message);
            }
        }
        if let Some(identity) = block.written("Identity")
            && identity.list("Audience").is_empty()
        {
            report.add(identity.at("Audience"), "Service identity must provide at least one target aud value");
        }
    }

    fn check_in_consul(&self, block: &Block<'_>, of_group: bool, report: &mut Report) {
        let connect = block.block("Connect");
        for inner in block.blocks("Checks") {
            let check = Check::new(self, block, &inner, of_group);
            if check.lacks_port(block) {
                self.report_port(&check, report);
            } else if inner.text("Type") == "tcp" && connect.block("SidecarService").is_written() {
                let message =
                    format!("Check {} invalid: tcp checks are not valid for Connect enabled services", check.name());
                report.add(inner.at("Type"), message);
            } else {
                check.check_in_consul(report);
            }
        }
        match block.text("Kind") {
            "" | "api-gateway" | "ingress-gateway" | "mesh-gateway" | "terminating-gateway" => {}
            _ => {
                let message = format!("Service {} kind must be one of consul service kind or empty", self.name);
                report.add(block.at("Kind"), message);
            }
        }
        if !connect.is_written() {
            return;
        }
        connect::check(&connect, report);
        if connect.flag("Native") {
            for (field, subject, is_missing) in
                [("TaskName", "task", self.task.is_empty()), ("PortLabel", "port", block.text("PortLabel").is_empty())]
            {
                if is_missing {
                    let message = format!("Service {} is Connect Native and requires setting the {subject}", self.name);
                    // A server infers the task if the group has only one.
                    let is_added =
                        subject == "task" && block.around().is_some_and(|group| group.list("Tasks").len() == 1);
                    let rule = if is_added { Rule::AddedByServer } else { Rule::Job };
                    report.add_as(rule, block.at(field), message);
                }
            }
        }
    }

    fn check_in_nomad(&self, block: &Block<'_>, of_group: bool, report: &mut Report) {
        for inner in block.blocks("Checks") {
            let check = Check::new(self, block, &inner, of_group);
            if check.lacks_port(block) {
                self.report_port(&check, report);
            } else {
                check.check_in_nomad(report);
            }
        }
        if block.block("Connect").is_written() {
            report.add(block.at("Connect"), "Service with provider nomad cannot include Connect blocks");
        }
    }

    fn report_port(&self, check: &Check<'_>, report: &mut Report) {
        let message = format!(
            "Check {} invalid: check requires a port but neither check nor service {} have a port",
            check.name(),
            crate::go::text::quoted_ascii(&self.name)
        );
        report.add(check.block.at("PortLabel"), message);
    }
}

/// Checks a DNS label. The reference folds case by Unicode rules, so it accepts two letters beyond ASCII as `k` and
/// `s`.
fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '\u{212a}' | '\u{17f}');
    text.chars().count() <= MAX_NAME
        && text.chars().all(|letter| is_letter(letter) || letter == '-')
        && text.starts_with(is_letter)
        && text.ends_with(is_letter)
}
