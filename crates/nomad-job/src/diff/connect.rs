//! The settings of services for Consul's mesh, as a server compares them.

use super::block::{Block, BlockPart, CompareRule, FlatFields};
use super::gateway::gateway;
use super::read::{add_hidden, add_map, block, flat, inner, of_fields, one, records, text, text_or, texts};
use super::service::written_identity;
use super::task::{config, logs, resources, volume_mounts};
use crate::record::Record;

/// A `connect` block.
pub(super) fn connect(record: &Record) -> Block {
    let record = Some(record);
    let parts = vec![
        one(inner(record, "SidecarService").map(sidecar)),
        one(inner(record, "SidecarTask").map(sidecar_task)),
        one(inner(record, "Gateway").map(gateway)),
    ];
    Block { parts, ..block("ConsulConnect", flat(record, &[("Native", "Native", "false")])) }
}

fn sidecar(record: &Record) -> Block {
    let record = Some(record);
    let mut fields =
        flat(record, &[("DisableDefaultTCPCheck", "DisableDefaultTCPCheck", "false"), ("Port", "Port", "")]);
    add_map(&mut fields, record, "Meta");
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, record, &["Tags"]);
    Block { hidden, parts: vec![one(inner(record, "Proxy").map(proxy))], ..block("SidecarService", fields) }
}

fn sidecar_task(record: &Record) -> Block {
    let record = Some(record);
    let rows = [("Driver", "Driver", ""), ("KillSignal", "KillSignal", ""), ("Name", "Name", ""), ("User", "User", "")];
    let mut fields = flat(record, &rows);
    add_map(&mut fields, record, "Env");
    add_map(&mut fields, record, "Meta");
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, record, &["KillTimeout", "ShutdownDelay"]);
    let parts = vec![
        one(config(record)),
        one(Some(resources(inner(record, "Resources")))),
        BlockPart::Keyed(records(record, "Identities").into_iter().map(written_identity).collect()),
        one(Some(of_fields("LogConfig", logs(inner(record, "LogConfig"))))),
        volume_mounts(record),
    ];
    Block { rule: CompareRule::Terse, hidden, parts, ..block("SidecarTask", fields) }
}

fn proxy(record: &Record) -> Block {
    let record = Some(record);
    let rows = [("LocalServiceAddress", "LocalServiceAddress", ""), ("LocalServicePort", "LocalServicePort", "0")];
    let parts = vec![
        BlockPart::Keyed(records(record, "Upstreams").into_iter().map(upstream).collect()),
        one(inner(record, "Expose").or_else(|| inner(record, "ExposeConfig")).map(expose)),
        BlockPart::Shown("TransparentProxy", inner(record, "TransparentProxy").map(transparent).map(Box::new)),
        one(config(record)),
    ];
    Block { parts, ..block("ConsulProxy", flat(record, &rows)) }
}

fn upstream(record: &Record) -> Block {
    let record = Some(record);
    let rows = [
        ("Datacenter", "Datacenter", ""),
        ("DestinationName", "DestinationName", ""),
        ("DestinationNamespace", "DestinationNamespace", ""),
        ("DestinationPartition", "DestinationPartition", ""),
        ("DestinationPeer", "DestinationPeer", ""),
        ("DestinationType", "DestinationType", ""),
        ("LocalBindAddress", "LocalBindAddress", ""),
        ("LocalBindPort", "LocalBindPort", "0"),
        ("LocalBindSocketMode", "LocalBindSocketMode", ""),
        ("LocalBindSocketPath", "LocalBindSocketPath", ""),
    ];
    let fields = flat(record, &rows);
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, record, &["Config"]);
    let key = format!("{}/{}", text_or(record, "Datacenter", ""), text_or(record, "DestinationName", ""));
    let mode = text(inner(record, "MeshGateway"), "Mode").unwrap_or_default();
    let gateway = of_fields("MeshGateway", FlatFields::from([("Mode".to_owned(), mode)]));
    Block { key, hidden, parts: vec![one(Some(gateway))], ..block("ConsulUpstreams", fields) }
}

fn expose(record: &Record) -> Block {
    let rows = [
        ("ListenerPort", "ListenerPort", ""),
        ("LocalPathPort", "LocalPathPort", "0"),
        ("Path", "Path", ""),
        ("Protocol", "Protocol", ""),
    ];
    let path = |record: &Record| {
        let fields = flat(Some(record), &rows);
        Block { key: format!("{fields:?}"), ..of_fields("Paths", fields) }
    };
    let paths = records(Some(record), "Paths").into_iter().chain(records(Some(record), "Path")).map(path).collect();
    Block { parts: vec![BlockPart::Keyed(paths)], ..block("Expose", FlatFields::new()) }
}

fn transparent(record: &Record) -> Block {
    let record = Some(record);
    let rows = [("NoDNS", "NoDNS", "false"), ("OutboundPort", "OutboundPort", "0"), ("UID", "UID", "")];
    let sets = ["ExcludeInboundPorts", "ExcludeOutboundPorts", "ExcludeOutboundCIDRs", "ExcludeUIDs"];
    let parts = sets.map(|name| BlockPart::QuietSet(name, texts(record, name))).into();
    Block { parts, ..block("TransparentProxy", flat(record, &rows)) }
}
