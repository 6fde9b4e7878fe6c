//! Services of tasks.

use std::collections::{BTreeMap, BTreeSet};

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashSet;

use super::super::network;
use super::check::Check;
use super::service::{Service, Services};
use crate::block::Block;
use crate::go::text::{list, quoted_ascii};
use crate::report::Report;

/// The names of the services that refer to a port, by its label.
type Ports<'a> = BTreeMap<String, BTreeSet<&'a str>>;

/// Checks the services of a task.
pub(in crate::rules) fn check_task(group: &Block<'_>, task: &Block<'_>, services: &[Service], report: &mut Report) {
    let mut ports = Ports::new();
    let mut known = HashSet::default();
    for (at, (block, service)) in task.blocks("Services").zip(services).enumerate() {
        report.list(
            || format!("service[{at}] {} validation failed: ", quoted_ascii(&service.name)),
            |report| service.check(&block, false, report),
        );
        let mode = block.text("AddressMode");
        only_in_groups(&block, "service", "services defined in a \"group\" block", service, report);
        let port = block.text("PortLabel");
        // The reference compares the concatenation of name and port.
        if !known.insert(format!("{}{port}", service.name)) {
            report.add(block.path(), format!("service {} is duplicate", quoted(&service.name)));
        }
        if !port.is_empty() && (mode != "driver" || port.parse::<i64>().is_err()) {
            ports.entry(port.to_owned()).or_default().insert(&service.name);
        }
        if block.block("Connect").is_written() {
            let message = format!(
                "service {} cannot have \"connect\" block, only services defined in a \"group\" block can",
                quoted(&service.name)
            );
            report.add(block.at("Connect"), message);
        }
        checks(&block, service, &mut ports, report);
    }
    missing_ports(group, task, &ports, report);
}

/// Two address modes are only valid for groups.
fn only_in_groups(block: &Block<'_>, subject: &str, others: &str, service: &Service, report: &mut Report) {
    let mode = block.text("AddressMode");
    if matches!(mode, "alloc" | "alloc_ipv6") {
        let message = format!(
            "{subject} {} cannot use address_mode=\"{mode}\", only {others} can use this mode",
            quoted(&service.name)
        );
        report.add(block.at("AddressMode"), message);
    }
}

fn checks<'a>(owner: &Block<'_>, service: &'a Service, ports: &mut Ports<'a>, report: &mut Report) {
    let mut known = HashSet::default();
    for inner in owner.blocks("Checks") {
        let check = Check::new(service, owner, &inner, false);
        if !known.insert(check.name()) {
            report.add(inner.path(), format!("check {} is duplicate", quoted(&check.name())));
        }
        only_in_groups(&inner, "check", "checks defined in a \"group\" service block", service, report);
        if !check.requires_port() {
            continue;
        }
        let name = || quoted(&check.name());
        let Some(port) = filled(port_of(&inner)).or(filled(port_of(owner))) else {
            report.add(inner.at("PortLabel"), format!("check {} is missing a port", name()));
            continue;
        };
        match (port.parse::<i64>(), inner.text("AddressMode")) {
            (Ok(..=0), "driver") => {
                let number = port.parse::<i64>().unwrap_or_default();
                report.add(inner.at("PortLabel"), format!("check {} has invalid numeric port {number}", name()));
            }
            (Ok(_), "driver") => {}
            (Ok(number), _) => {
                let message = format!(
                    "check {} cannot use a numeric port {number} without setting address_mode=\"driver\"",
                    name()
                );
                report.add(inner.at("PortLabel"), message);
            }
            (Err(_), _) => {
                ports.entry(port.to_owned()).or_default().insert(&service.name);
            }
        }
    }
}

fn port_of<'a>(block: &Block<'a>) -> &'a str {
    block.text("PortLabel")
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Ports that services refer to, but that neither the first network of the group nor those of the task have.
fn missing_ports(group: &Block<'_>, task: &Block<'_>, ports: &Ports<'_>, report: &mut Report) {
    let resources = task.block("Resources");
    let mut labels = HashSet::default();
    for network in group.blocks("Networks").take(1) {
        labels.extend(network::ports(&network).map(|port| port.text("Label").to_owned()));
    }
    for network in resources.blocks("Networks") {
        labels.extend(network::ports(&network).map(|port| port.text("Label").to_owned()));
    }
    for (port, services) in ports.iter().filter(|(port, _)| !labels.contains(*port)) {
        let names: Vec<&str> = services.iter().copied().collect();
        let message = format!("port label {} referenced by services {} does not exist", quoted(port), names.join(", "));
        report.add(task.at("Services"), message);
    }
}

/// Checks that the service of a proxy's task is a service of the group with a side-car.
pub(in crate::rules) fn check_proxy(
    group: &Block<'_>,
    services: &Services,
    task: &Block<'_>,
    expected: &str,
    report: &mut Report,
) {
    let with_sidecar: Vec<&str> = group
        .blocks("Services")
        .zip(&services.of_group)
        .filter(|(block, _)| block.block("Connect").block("SidecarService").is_written())
        .map(|(_, service)| &*service.name)
        .collect();
    if with_sidecar.contains(&expected) {
        return;
    }
    let expected = quoted(expected);
    let message = if with_sidecar.is_empty() {
        format!("No Connect services in task group with Connect proxy ({expected})")
    } else {
        format!(
            "Connect proxy service name ({expected}) not found in Connect services from task group: {}",
            list(&with_sidecar)
        )
    };
    report.add(task.at("Kind"), message);
}
