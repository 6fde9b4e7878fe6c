//! The settings of services for Consul's mesh, as a server compares them.

use super::block::{Block, BlockPart, CompareRule, FlatFields};
use super::gateway::gateway;
use super::read::{add_map, add_unseen, block, flat, inner, of_fields, one, records, text, text_or, texts};
use super::service::written_identity;
use super::task::{config, logs, resources, volume_mounts};
use crate::record::Record;

/// A `connect` block.
pub(super) fn connect(own: &Record) -> Block {
    let own = Some(own);
    let parts = vec![
        one(inner(own, "SidecarService").map(sidecar)),
        one(inner(own, "SidecarTask").map(sidecar_task)),
        one(inner(own, "Gateway").map(gateway)),
    ];
    Block { parts, ..block("ConsulConnect", flat(own, &[("Native", "Native", "false")])) }
}

fn sidecar(own: &Record) -> Block {
    let own = Some(own);
    let mut fields = flat(own, &[("DisableDefaultTCPCheck", "DisableDefaultTCPCheck", "false"), ("Port", "Port", "")]);
    add_map(&mut fields, own, "Meta");
    let mut unseen = FlatFields::new();
    add_unseen(&mut unseen, own, &["Tags"]);
    Block { unseen, parts: vec![one(inner(own, "Proxy").map(proxy))], ..block("SidecarService", fields) }
}

fn sidecar_task(own: &Record) -> Block {
    let own = Some(own);
    let rows = [("Driver", "Driver", ""), ("KillSignal", "KillSignal", ""), ("Name", "Name", ""), ("User", "User", "")];
    let mut fields = flat(own, &rows);
    add_map(&mut fields, own, "Env");
    add_map(&mut fields, own, "Meta");
    let mut unseen = FlatFields::new();
    add_unseen(&mut unseen, own, &["KillTimeout", "ShutdownDelay"]);
    let parts = vec![
        one(config(own)),
        one(Some(resources(inner(own, "Resources")))),
        BlockPart::Keyed(records(own, "Identities").into_iter().map(written_identity).collect()),
        one(Some(of_fields("LogConfig", logs(inner(own, "LogConfig"))))),
        volume_mounts(own),
    ];
    Block { rule: CompareRule::Terse, unseen, parts, ..block("SidecarTask", fields) }
}

fn proxy(own: &Record) -> Block {
    let own = Some(own);
    let rows = [("LocalServiceAddress", "LocalServiceAddress", ""), ("LocalServicePort", "LocalServicePort", "0")];
    let parts = vec![
        BlockPart::Keyed(records(own, "Upstreams").into_iter().map(upstream).collect()),
        one(inner(own, "Expose").or_else(|| inner(own, "ExposeConfig")).map(expose)),
        BlockPart::Shown("TransparentProxy", inner(own, "TransparentProxy").map(transparent).map(Box::new)),
        one(config(own)),
    ];
    Block { parts, ..block("ConsulProxy", flat(own, &rows)) }
}

fn upstream(own: &Record) -> Block {
    let own = Some(own);
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
    let fields = flat(own, &rows);
    let mut unseen = FlatFields::new();
    add_unseen(&mut unseen, own, &["Config"]);
    let key = format!("{}/{}", text_or(own, "Datacenter", ""), text_or(own, "DestinationName", ""));
    let mode = text(inner(own, "MeshGateway"), "Mode").unwrap_or_default();
    let gateway = of_fields("MeshGateway", FlatFields::from([("Mode".to_owned(), mode)]));
    Block { key, unseen, parts: vec![one(Some(gateway))], ..block("ConsulUpstreams", fields) }
}

fn expose(own: &Record) -> Block {
    let rows = [
        ("ListenerPort", "ListenerPort", ""),
        ("LocalPathPort", "LocalPathPort", "0"),
        ("Path", "Path", ""),
        ("Protocol", "Protocol", ""),
    ];
    let path = |own: &Record| {
        let fields = flat(Some(own), &rows);
        Block { key: format!("{fields:?}"), ..of_fields("Paths", fields) }
    };
    let paths = records(Some(own), "Paths").into_iter().chain(records(Some(own), "Path")).map(path).collect();
    Block { parts: vec![BlockPart::Keyed(paths)], ..block("Expose", FlatFields::new()) }
}

fn transparent(own: &Record) -> Block {
    let own = Some(own);
    let rows = [("NoDNS", "NoDNS", "false"), ("OutboundPort", "OutboundPort", "0"), ("UID", "UID", "")];
    let sets = ["ExcludeInboundPorts", "ExcludeOutboundPorts", "ExcludeOutboundCIDRs", "ExcludeUIDs"];
    let parts = sets.map(|name| BlockPart::QuietSet(name, texts(own, name))).into();
    Block { parts, ..block("TransparentProxy", flat(own, &rows)) }
}
