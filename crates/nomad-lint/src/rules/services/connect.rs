//! Services in Consul's mesh.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/connect>.

use hieratic_hcl_types::quoted;

use super::gateway;
use crate::block::Block;
use crate::go::{address, number};
use crate::report::Report;

/// Checks a `connect` block. Only the first error is reported.
pub(super) fn check(block: &Block<'_>, report: &mut Report) {
    let sidecar = block.block("SidecarService");
    let gateway = block.block("Gateway");
    let proxy = sidecar.block("Proxy");
    if let Some(transparent) = proxy.written("TransparentProxy")
        && transparent_proxy(&transparent, report)
    {
        return;
    }
    let ways = [sidecar.is_written(), block.flag("Native"), gateway.is_written()];
    if ways.iter().filter(|way| **way).count() != 1 {
        let message = "Consul Connect must be exclusively native, make use of a sidecar, or represent a Gateway";
        report.add(block.path(), message);
    } else if gateway.is_written() {
        gateway::check(&gateway, report);
    }
}

/// Checks a `transparent_proxy` block, and returns whether it has errors. Several errors form a list, a single one does
/// not.
fn transparent_proxy(block: &Block<'_>, report: &mut Report) -> bool {
    let networks = block.texts("ExcludeOutboundCIDRs").enumerate().filter_map(|(at, network)| {
        let error = address::check_network(network).err()?;
        let message = format!("could not parse transparent proxy excluded outbound CIDR as network prefix: {error}");
        Some((block.at_item("ExcludeOutboundCIDRs", at), message))
    });
    let own = block
        .filled_text("UID")
        .and_then(user)
        .map(|error| (block.at("UID"), format!("transparent proxy block has invalid UID field: {error}")));
    let excluded = block.texts("ExcludeUIDs").enumerate().filter_map(|(at, id)| {
        let message = format!("transparent proxy block has invalid ExcludeUIDs field: {}", user(id)?);
        Some((block.at_item("ExcludeUIDs", at), message))
    });
    let mut faults: Vec<_> = networks.chain(own).chain(excluded).collect();
    match faults.pop() {
        None => return false,
        Some((field, message)) if faults.is_empty() => report.add(field, message),
        Some(last) => report.bare_list(|report| {
            for (field, message) in faults.into_iter().chain([last]) {
                report.add(field, message);
            }
        }),
    }
    true
}

/// The error in a user id.
fn user(id: &str) -> Option<String> {
    let error = number::unsigned(id, 10, u16::MAX.into()).err()?;
    Some(format!("invalid user ID {}: {}", quoted(id), error.reason()))
}
