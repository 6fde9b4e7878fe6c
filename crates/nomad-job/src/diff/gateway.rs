//! Gateways of Consul's mesh, as a server compares them.

use hieratic_hcl_types::go::duration::{self, SECOND};

use super::block::{Block, BlockPart, CompareRule, FlatFields};
use super::read::{add_map, block, flat, inner, of_fields, one, records, text, text_or, texts};
use super::task::config;
use crate::record::{Data, Record};

/// The protocol of a listener that names none.
const DEFAULT_PROTOCOL: &str = "tcp";

/// The time to connect of a proxy that names none.
const DEFAULT_TIMEOUT: i64 = 5 * SECOND;

/// A `gateway` block.
pub(super) fn gateway(own: &Record) -> Block {
    let own = Some(own);
    let parts = vec![
        one(inner(own, "Proxy").map(proxy)),
        one(inner(own, "Ingress").map(ingress)),
        one(inner(own, "Terminating").map(terminating)),
        one(inner(own, "Mesh").map(|_| block("Mesh", FlatFields::new()))),
    ];
    Block { parts, ..block("Gateway", FlatFields::new()) }
}

fn proxy(own: &Record) -> Block {
    let timeout = match own.get("ConnectTimeout").map(|datum| &datum.value) {
        Some(Data::Int(nanoseconds)) => *nanoseconds,
        _ => DEFAULT_TIMEOUT,
    };
    let timeout = duration::display(timeout).to_string();
    let own = Some(own);
    let rows = [
        ("EnvoyDNSDiscoveryType", "EnvoyDNSDiscoveryType", ""),
        ("EnvoyGatewayBindTaggedAddresses", "EnvoyGatewayBindTaggedAddresses", "false"),
        ("EnvoyGatewayNoDefaultBind", "EnvoyGatewayNoDefaultBind", "false"),
    ];
    let fields = flat(own, &rows);
    let parts = vec![one(Some(bind_addresses(own))), one(config(own))];
    Block { parts, of_both: vec![("ConnectTimeout", timeout)], ..block("Proxy", fields) }
}

/// The addresses that a proxy listens at, by name. The reference shows the block of a new proxy even if it is empty.
fn bind_addresses(own: Option<&Record>) -> Block {
    let mut fields = FlatFields::new();
    if let Some(Data::Map(entries)) = own.and_then(|own| own.get("EnvoyGatewayBindAddresses")).map(|datum| &datum.value)
    {
        for (name, item) in entries {
            let Data::Record(address) = &item.value else { continue };
            let host = text_or(Some(address), "Address", "");
            let port = text_or(Some(address), "Port", "0");
            let host = if host.contains(':') { format!("[{host}]") } else { host };
            fields.insert(name.to_string(), format!("{host}:{port}"));
        }
    }
    Block { rule: CompareRule::Filled, ..block("EnvoyGatewayBindAddresses", fields) }
}

fn ingress(own: &Record) -> Block {
    let own = Some(own);
    let listeners = records(own, "Listeners").into_iter().map(listener).collect();
    let parts = vec![one(inner(own, "TLS").map(tls)), BlockPart::Keyed(listeners)];
    Block { parts, ..block("Ingress", FlatFields::new()) }
}

fn listener(own: &Record) -> Block {
    let own = Some(own);
    let mut fields = flat(own, &[("Port", "Port", "0")]);
    let protocol = text_or(own, "Protocol", DEFAULT_PROTOCOL);
    let key = format!("{protocol}/{}", fields["Port"]);
    fields.insert("Protocol".to_owned(), protocol);
    let services = records(own, "Services").into_iter().map(ingress_service).collect();
    Block { key, parts: vec![BlockPart::Keyed(services)], ..block("Listener", fields) }
}

fn ingress_service(own: &Record) -> Block {
    let key = text_or(Some(own), "Name", "");
    let own = Some(own);
    let mut fields = flat(own, &[("Name", "Name", "")]);
    for name in ["MaxConnections", "MaxPendingRequests", "MaxConcurrentRequests"] {
        fields.extend(text(own, name).map(|value| (name.to_owned(), value)));
    }
    let parts = vec![
        BlockPart::Set("Hosts", texts(own, "Hosts")),
        one(inner(own, "TLS").map(tls)),
        one(inner(own, "RequestHeaders").map(|own| headers("RequestHeaders", own))),
        one(inner(own, "ResponseHeaders").map(|own| headers("ResponseHeaders", own))),
    ];
    Block { key, parts, ..block("ConsulIngressService", fields) }
}

fn tls(own: &Record) -> Block {
    let own = Some(own);
    let rows = [
        ("Enabled", "Enabled", "false"),
        ("TLSMaxVersion", "TLSMaxVersion", ""),
        ("TLSMinVersion", "TLSMinVersion", ""),
    ];
    let sds = [("CertResource", "CertResource", ""), ("ClusterName", "ClusterName", "")];
    let parts = vec![
        BlockPart::Set("CipherSuites", texts(own, "CipherSuites")),
        one(inner(own, "SDS").map(|own| of_fields("SDS", flat(Some(own), &sds)))),
    ];
    Block { parts, ..block("TLS", flat(own, &rows)) }
}

fn headers(name: &'static str, own: &Record) -> Block {
    let own = Some(own);
    let mut fields = FlatFields::new();
    add_map(&mut fields, own, "Add");
    add_map(&mut fields, own, "Set");
    Block { parts: vec![BlockPart::Set("Remove", texts(own, "Remove"))], ..block(name, fields) }
}

fn terminating(own: &Record) -> Block {
    let service = |own: &Record| {
        let key = text_or(Some(own), "Name", "");
        let rows = ["CAFile", "CertFile", "KeyFile", "Name", "SNI"].map(|name| (name, name, ""));
        Block { key, ..block("Service", flat(Some(own), &rows)) }
    };
    let services = records(Some(own), "Services").into_iter().map(service).collect();
    Block { parts: vec![BlockPart::Keyed(services)], ..block("Terminating", FlatFields::new()) }
}
