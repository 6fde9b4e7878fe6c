//! Gateways of Consul's mesh.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/gateway>.

use hieratic_hcl_types::quoted;

use crate::block::{Block, FieldPath};
use crate::report::Report;

/// The first error, with its subject.
type CheckResult<'a> = Result<(), (FieldPath<'a>, String)>;

/// Reports errors at once, because their subject does not outlive the check.
struct Reporter<'a> {
    report: &'a mut Report,
}

impl Reporter<'_> {
    /// Reports an error, and returns whether there was none.
    fn report(&mut self, outcome: CheckResult<'_>) -> bool {
        match outcome {
            Ok(()) => true,
            Err((field, message)) => {
                self.report.add(field, message);
                false
            }
        }
    }
}

/// Checks a `gateway` block. Only the first error is reported.
pub(super) fn check(block: &Block<'_>, report: &mut Report) {
    let mut reporter = Reporter { report };
    let all_well = block.written("Proxy").is_none_or(|proxy| reporter.proxy(&proxy))
        && block.written("Ingress").is_none_or(|ingress| reporter.ingress(&ingress))
        && block.written("Terminating").is_none_or(|terminating| reporter.terminating(&terminating));
    let kinds = ["Ingress", "Terminating", "Mesh"].iter().filter(|kind| block.has(kind)).count();
    if all_well && kinds != 1 {
        reporter.report.add(block.path(), "One Consul Gateway Configuration must be set");
    }
}

fn require<'a>(holds: bool, field: FieldPath<'a>, message: impl Into<String>) -> CheckResult<'a> {
    if holds { Ok(()) } else { Err((field, message.into())) }
}

impl Reporter<'_> {
    fn proxy(&mut self, block: &Block<'_>) -> bool {
        let discovery = require(
            matches!(block.text("EnvoyDNSDiscoveryType"), "" | "STRICT_DNS" | "LOGICAL_DNS"),
            block.at("EnvoyDNSDiscoveryType"),
            "Consul Gateway Proxy Envoy DNS Discovery type must be STRICT_DNS or LOGICAL_DNS",
        );
        self.report(discovery)
            && block.labelled("EnvoyGatewayBindAddresses").all(|(_, address)| self.report(bind_address(&address)))
    }

    fn ingress(&mut self, block: &Block<'_>) -> bool {
        let listeners = require(
            !block.list("Listeners").is_empty(),
            block.at("Listeners"),
            "Consul Ingress Gateway requires at least one listener",
        );
        self.report(listeners)
            && block.blocks("Listeners").filter(Block::is_written).all(|listener| self.listener(&listener))
    }

    fn listener(&mut self, block: &Block<'_>) -> bool {
        let protocol = block.filled_text("Protocol").unwrap_or("tcp");
        self.report(listener(block, protocol))
            && block
                .blocks("Services")
                .filter(Block::is_written)
                .all(|service| self.report(ingress_service(&service, protocol)))
    }

    fn terminating(&mut self, block: &Block<'_>) -> bool {
        let services = require(
            !block.list("Services").is_empty(),
            block.at("Services"),
            "Consul Terminating Gateway requires at least one service",
        );
        self.report(services)
            && block.blocks("Services").filter(Block::is_written).all(|service| self.report(linked_service(&service)))
    }
}

fn bind_address<'b>(block: &'b Block<'_>) -> CheckResult<'b> {
    let port = block.number("Port");
    require(!block.text("Address").is_empty(), block.at("Address"), "Consul Gateway Bind Address must be set")?;
    // Nomad chooses the port for -1.
    require(port > 0 || port == -1, block.at("Port"), "Consul Gateway Bind Address must set valid Port")
}

fn listener<'b>(block: &'b Block<'_>, protocol: &str) -> CheckResult<'b> {
    require(block.number("Port") > 0, block.at("Port"), "Consul Ingress Listener requires valid Port")?;
    let message =
        format!("Consul Ingress Listener requires protocol of tcp, http, http2, grpc, got {}", quoted(protocol));
    require(matches!(protocol, "tcp" | "http" | "http2" | "grpc"), block.at("Protocol"), message)?;
    let message = "Consul Ingress Listener requires one or more services";
    require(!block.list("Services").is_empty(), block.at("Services"), message)
}

fn ingress_service<'b>(block: &'b Block<'_>, protocol: &str) -> CheckResult<'b> {
    let name = block.text("Name");
    let has_hosts = !block.list("Hosts").is_empty();
    require(!name.is_empty(), block.at("Name"), "Consul Ingress Service requires a name")?;
    if protocol != "tcp" {
        let message = "Consul Ingress Service with a wildcard \"*\" service name can not also specify hosts";
        return require(!(name == "*" && has_hosts), block.at("Hosts"), message);
    }
    let message = "Consul Ingress Service doesn't support wildcard name for \"tcp\" protocol";
    require(name != "*", block.at("Name"), message)?;
    let message = "Consul Ingress Service doesn't support associating hosts to a service for the \"tcp\" protocol";
    require(!has_hosts, block.at("Hosts"), message)
}

fn linked_service<'b>(block: &'b Block<'_>) -> CheckResult<'b> {
    let [name, authority, certificate, key, server] =
        ["Name", "CAFile", "CertFile", "KeyFile", "SNI"].map(|field| !block.text(field).is_empty());
    require(name, block.at("Name"), "Consul Linked Service requires Name")?;
    let message = "Consul Linked Service TLS requires CAFile";
    require(authority || !certificate && !key, block.at("CAFile"), message)?;
    let message = "Consul Linked Service TLS Cert and Key must both be set";
    require(certificate == key, block.at(if certificate { "KeyFile" } else { "CertFile" }), message)?;
    require(authority || !server, block.at("SNI"), "Consul Linked Service TLS SNI requires CAFile")
}
