//! Networks and their ports.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/network>.

use super::Kind::{List, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Integer, Text};
use super::{Struct, block, label, optional};

/// A `network` block.
pub static NETWORK_RESOURCE: Struct = Struct::new(
    "NetworkResource",
    &[
        optional("Mode", "mode", Plain(Text)),
        optional("Device", "device", Plain(Text)),
        optional("CIDR", "cidr", Plain(Text)),
        optional("IP", "ip", Plain(Text)),
        block("DNS", "dns", One(&DNS_CONFIG)),
        block("ReservedPorts", "reserved_ports", Many(&PORT)),
        block("DynamicPorts", "port", Many(&PORT)),
        optional("Hostname", "hostname", Plain(Text)),
        optional("MBits", "mbits", Maybe(Integer)),
        block("CNI", "cni", One(&CNI_CONFIG)),
    ],
);

/// A `dns` block.
pub static DNS_CONFIG: Struct = Struct::new(
    "DNSConfig",
    &[
        optional("Servers", "servers", List(Text)),
        optional("Searches", "searches", List(Text)),
        optional("Options", "options", List(Text)),
    ],
);

/// A `port` or `reserved_ports` block.
pub static PORT: Struct = Struct::new(
    "Port",
    &[
        label("Label", "", Plain(Text)),
        optional("Value", "static", Plain(Integer)),
        optional("To", "to", Plain(Integer)),
        optional("HostNetwork", "host_network", Plain(Text)),
        optional("IgnoreCollision", "ignore_collision", Plain(Bool)),
    ],
);

/// A `cni` block.
pub static CNI_CONFIG: Struct = Struct::new("CNIConfig", &[optional("Args", "args", Map(Text))]);
