//! Strings that are not addresses.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/network#dns-parameters> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/upstreams>.

use std::net::IpAddr;

use hieratic_hcl_types::quoted;

use super::remark;
use crate::block::{Block, FieldPath};
use crate::finding::Finding;
use crate::rule::Rule;

/// Reports name servers and addresses to listen at that are not addresses of the internet.
pub(super) fn check(group: &Block<'_>, found: &mut Vec<Finding>) {
    for network in group.blocks("Networks") {
        let dns = network.block("DNS");
        for (at, server) in dns.texts("Servers").enumerate() {
            report(server, "a name server", &dns.at_item("Servers", at), found);
        }
    }
    for service in group.blocks("Services") {
        let connect = service.block("Connect");
        let sidecar = connect.block("SidecarService");
        let proxy = sidecar.block("Proxy");
        report(proxy.text("LocalServiceAddress"), "local_service_address", &proxy.at("LocalServiceAddress"), found);
        for upstream in proxy.blocks("Upstreams") {
            let address = upstream.text("LocalBindAddress");
            report(address, "local_bind_address", &upstream.at("LocalBindAddress"), found);
        }
    }
}

fn report(address: &str, problem: &str, field: &FieldPath<'_>, found: &mut Vec<Finding>) {
    if address.is_empty() || address.contains("${") || address.parse::<IpAddr>().is_ok() {
        return;
    }
    // Templates of addresses are evaluated by the client.
    if address.contains("{{") {
        return;
    }
    let message = format!("{} is not an IP address, which {problem} has to be", quoted(address));
    found.push(remark(Rule::Address, message, field.path(), field.range()));
}
