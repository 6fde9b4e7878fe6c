//! Checks whose port is a number that belongs to no network.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/check#address_mode>.

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Reports checks of a group with its own network that connect to the node at a port of the allocation.
pub(super) fn check(group: &Block<'_>, found: &mut Vec<Finding>) {
    let has_own_network = group
        .blocks("Networks")
        .any(|network| network.text("Mode") == "bridge" || network.text("Mode").starts_with("cni/"));
    if !has_own_network {
        return;
    }
    let published: Vec<i64> = group
        .blocks("Networks")
        .flat_map(|network| network.blocks("ReservedPorts").map(|port| port.number("Value")).collect::<Vec<_>>())
        .collect();
    services(group, &published, found);
    for task in group.blocks("Tasks") {
        services(&task, &published, found);
    }
}

fn services(owner: &Block<'_>, published: &[i64], found: &mut Vec<Finding>) {
    for service in owner.blocks("Services") {
        for check in service.blocks("Checks") {
            let port = check.text("PortLabel");
            // A number without a mode is a port of the node. A port that the network publishes is intended.
            let is_local = matches!(check.text("AddressMode"), "" | "host");
            let connects = matches!(check.text("Type"), "http" | "tcp" | "grpc");
            let Ok(number) = port.parse::<i64>() else { continue };
            if !is_local || !connects || check.flag("Expose") || published.contains(&number) {
                continue;
            }
            let message =
                format!("the check connects to the node at the port {port}, which is one of the allocation's network");
            let field = check.at("PortLabel");
            let mut finding = remark(Rule::CheckPort, message, field.path(), field.range());
            let modes = if service.text("Provider") == "nomad" { "\"alloc\"" } else { "\"alloc\" or \"driver\"" };
            finding.help = Some(format!("write address_mode = {modes}, or the label of a port"));
            found.push(finding);
        }
    }
}
