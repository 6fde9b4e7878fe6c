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
pub(super) fn gateway(record: &Record) -> Block {
    let record = Some(record);
    let parts = vec![
        one(inner(record, "Proxy").map(proxy)),
        one(inner(record, "Ingress").map(ingress)),
        one(inner(record, "Terminating").map(terminating)),
        one(inner(record, "Mesh").map(|_| block("Mesh", FlatFields::new()))),
    ];
    Block { parts, ..block("Gateway", FlatFields::new()) }
}

fn proxy(record: &Record) -> Block {
    let timeout = match record.get("ConnectTimeout").map(|datum| &datum.value) {
        Some(Data::Int(nanoseconds)) => *nanoseconds,
        _ => DEFAULT_TIMEOUT,
    };
    let timeout = duration::display(timeout).to_string();
    let record = Some(record);
    let rows = [
        ("EnvoyDNSDiscoveryType", "EnvoyDNSDiscoveryType", ""),
        ("EnvoyGatewayBindTaggedAddresses", "EnvoyGatewayBindTaggedAddresses", "false"),
        ("EnvoyGatewayNoDefaultBind", "EnvoyGatewayNoDefaultBind", "false"),
    ];
    let fields = flat(record, &rows);
    let parts = vec![one(Some(bind_addresses(record))), one(config(record))];
    Block { parts, of_both: vec![("ConnectTimeout", timeout)], ..block("Proxy", fields) }
}

/// The addresses that a proxy listens at, by name. The reference shows the block of a new proxy even if it is empty.
fn bind_addresses(record: Option<&Record>) -> Block {
    let mut fields = FlatFields::new();
    if let Some(Data::Map(entries)) =
        record.and_then(|record| record.get("EnvoyGatewayBindAddresses")).map(|datum| &datum.value)
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

fn ingress(record: &Record) -> Block {
    let record = Some(record);
    let listeners = records(record, "Listeners").into_iter().map(listener).collect();
    let parts = vec![one(inner(record, "TLS").map(tls)), BlockPart::Keyed(listeners)];
    Block { parts, ..block("Ingress", FlatFields::new()) }
}

fn listener(record: &Record) -> Block {
    let record = Some(record);
    let mut fields = flat(record, &[("Port", "Port", "0")]);
    let protocol = text_or(record, "Protocol", DEFAULT_PROTOCOL);
    let key = format!("{protocol}/{}", fields["Port"]);
    fields.insert("Protocol".to_owned(), protocol);
    let services = records(record, "Services").into_iter().map(ingress_service).collect();
    Block { key, parts: vec![BlockPart::Keyed(services)], ..block("Listener", fields) }
}

fn ingress_service(record: &Record) -> Block {
    let key = text_or(Some(record), "Name", "");
    let record = Some(record);
    let mut fields = flat(record, &[("Name", "Name", "")]);
    for name in ["MaxConnections", "MaxPendingRequests", "MaxConcurrentRequests"] {
        fields.extend(text(record, name).map(|value| (name.to_owned(), value)));
    }
    let parts = vec![
        BlockPart::Set("Hosts", texts(record, "Hosts")),
        one(inner(record, "TLS").map(tls)),
        one(inner(record, "RequestHeaders").map(|record| headers("RequestHeaders", record))),
        one(inner(record, "ResponseHeaders").map(|record| headers("ResponseHeaders", record))),
    ];
    Block { key, parts, ..block("ConsulIngressService", fields) }
}

fn tls(record: &Record) -> Block {
    let record = Some(record);
    let rows = [
        ("Enabled", "Enabled", "false"),
        ("TLSMaxVersion", "TLSMaxVersion", ""),
        ("TLSMinVersion", "TLSMinVersion", ""),
    ];
    let sds = [("CertResource", "CertResource", ""), ("ClusterName", "ClusterName", "")];
    let parts = vec![
        BlockPart::Set("CipherSuites", texts(record, "CipherSuites")),
        one(inner(record, "SDS").map(|record| of_fields("SDS", flat(Some(record), &sds)))),
    ];
    Block { parts, ..block("TLS", flat(record, &rows)) }
}

fn headers(name: &'static str, record: &Record) -> Block {
    let record = Some(record);
    let mut fields = FlatFields::new();
    add_map(&mut fields, record, "Add");
    add_map(&mut fields, record, "Set");
    Block { parts: vec![BlockPart::Set("Remove", texts(record, "Remove"))], ..block(name, fields) }
}

fn terminating(record: &Record) -> Block {
    let service = |record: &Record| {
        let key = text_or(Some(record), "Name", "");
        let rows = ["CAFile", "CertFile", "KeyFile", "Name", "SNI"].map(|name| (name, name, ""));
        Block { key, ..block("Service", flat(Some(record), &rows)) }
    };
    let services = records(Some(record), "Services").into_iter().map(service).collect();
    Block { parts: vec![BlockPart::Keyed(services)], ..block("Terminating", FlatFields::new()) }
}
