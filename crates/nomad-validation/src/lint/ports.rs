//! Ports that services and checks name.

use hieratic_nomad::record::Data;
use rustc_hash::FxHashSet;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;

/// Ports that no network of the group has. A number is taken as it is, and a text in braces becomes known when the job runs.
pub(super) fn check(group: &Block<'_>, found: &mut Vec<Finding>) {
    let mut labels: FxHashSet<String> = FxHashSet::default();
    for network in group.blocks("Networks") {
        labels.extend(labels_of(&network).map(str::to_owned));
    }
    for task in group.blocks("Tasks") {
        let resources = task.block("Resources");
        for network in resources.blocks("Networks") {
            labels.extend(labels_of(&network).map(str::to_owned));
        }
    }
    services(group, &labels, found);
    for task in group.blocks("Tasks") {
        services(&task, &labels, found);
    }
}

fn labels_of<'a>(network: &Block<'a>) -> impl Iterator<Item = &'a str> {
    let ports = network.list("ReservedPorts").iter().chain(network.list("DynamicPorts"));
    ports.filter_map(|port| match &port.value {
        Data::Record(record) => record.text("Label").map(|label| &**label),
        _ => None,
    })
}

fn services(owner: &Block<'_>, labels: &FxHashSet<String>, found: &mut Vec<Finding>) {
    for service in owner.blocks("Services") {
        port(&service, labels, found);
        for check in service.blocks("Checks") {
            port(&check, labels, found);
        }
    }
}

fn port(block: &Block<'_>, labels: &FxHashSet<String>, found: &mut Vec<Finding>) {
    let label = block.text("PortLabel");
    let is_known = label.is_empty() || label.contains("${") || labels.contains(label);
    if is_known || label.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    let spot = block.at("PortLabel");
    found.push(remark(format!("no network of the group has a port \"{label}\""), spot.path(), spot.range()));
}
