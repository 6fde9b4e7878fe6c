//! Consul service mesh: side-cars, proxies, upstreams.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/connect>.

use super::Kind::{Any, List, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Integer, Text, Uint};
use super::gateway::CONSUL_GATEWAY;
use super::identity::WORKLOAD_IDENTITY;
use super::resources::RESOURCES;
use super::task::LOG_CONFIG;
use super::volumes::VOLUME_MOUNT;
use super::{Struct, block, optional, unwritten};

/// A `connect` block.
pub static CONSUL_CONNECT: Struct = Struct::new(
    "ConsulConnect",
    &[
        optional("Native", "native", Plain(Bool)),
        block("Gateway", "gateway", One(&CONSUL_GATEWAY)),
        block("SidecarService", "sidecar_service", One(&CONSUL_SIDECAR_SERVICE)),
        block("SidecarTask", "sidecar_task", One(&SIDECAR_TASK)),
    ],
);

/// A `sidecar_service` block.
pub static CONSUL_SIDECAR_SERVICE: Struct = Struct::new(
    "ConsulSidecarService",
    &[
        optional("Tags", "tags", List(Text)),
        optional("Port", "port", Plain(Text)),
        block("Proxy", "proxy", One(&CONSUL_PROXY)),
        optional("DisableDefaultTCPCheck", "disable_default_tcp_check", Plain(Bool)),
        block("Meta", "meta", Map(Text)),
    ],
);

/// A `proxy` block.
pub static CONSUL_PROXY: Struct = Struct::new(
    "ConsulProxy",
    &[
        optional("LocalServiceAddress", "local_service_address", Plain(Text)),
        optional("LocalServicePort", "local_service_port", Plain(Integer)),
        block("Expose", "expose", One(&CONSUL_EXPOSE_CONFIG)),
        unwritten("ExposeConfig", One(&CONSUL_EXPOSE_CONFIG)),
        block("Upstreams", "upstreams", Many(&CONSUL_UPSTREAM)),
        block("TransparentProxy", "transparent_proxy", One(&CONSUL_TRANSPARENT_PROXY)),
        block("Config", "config", Any),
    ],
);

/// An `expose` block.
pub static CONSUL_EXPOSE_CONFIG: Struct = Struct::new(
    "ConsulExposeConfig",
    &[block("Paths", "path", Many(&CONSUL_EXPOSE_PATH)), unwritten("Path", Many(&CONSUL_EXPOSE_PATH))],
);

/// A `path` block.
pub static CONSUL_EXPOSE_PATH: Struct = Struct::new(
    "ConsulExposePath",
    &[
        optional("Path", "path", Plain(Text)),
        optional("Protocol", "protocol", Plain(Text)),
        optional("LocalPathPort", "local_path_port", Plain(Integer)),
        optional("ListenerPort", "listener_port", Plain(Text)),
    ],
);

/// An `upstreams` block.
pub static CONSUL_UPSTREAM: Struct = Struct::new(
    "ConsulUpstream",
    &[
        optional("DestinationName", "destination_name", Plain(Text)),
        optional("DestinationNamespace", "destination_namespace", Plain(Text)),
        optional("DestinationPeer", "destination_peer", Plain(Text)),
        optional("DestinationPartition", "destination_partition", Plain(Text)),
        optional("DestinationType", "destination_type", Plain(Text)),
        optional("LocalBindPort", "local_bind_port", Plain(Integer)),
        optional("Datacenter", "datacenter", Plain(Text)),
        optional("LocalBindAddress", "local_bind_address", Plain(Text)),
        optional("LocalBindSocketPath", "local_bind_socket_path", Plain(Text)),
        optional("LocalBindSocketMode", "local_bind_socket_mode", Plain(Text)),
        block("MeshGateway", "mesh_gateway", One(&CONSUL_MESH_GATEWAY)),
        block("Config", "config", Any),
    ],
);

/// A `mesh_gateway` block.
pub static CONSUL_MESH_GATEWAY: Struct = Struct::new("ConsulMeshGateway", &[optional("Mode", "mode", Plain(Text))]);

/// A `transparent_proxy` block.
pub static CONSUL_TRANSPARENT_PROXY: Struct = Struct::new(
    "ConsulTransparentProxy",
    &[
        optional("UID", "uid", Plain(Text)),
        optional("OutboundPort", "outbound_port", Plain(Uint(16))),
        optional("ExcludeInboundPorts", "exclude_inbound_ports", List(Text)),
        optional("ExcludeOutboundPorts", "exclude_outbound_ports", List(Uint(16))),
        optional("ExcludeOutboundCIDRs", "exclude_outbound_cidrs", List(Text)),
        optional("ExcludeUIDs", "exclude_uids", List(Text)),
        optional("NoDNS", "no_dns", Plain(Bool)),
    ],
);

/// A `sidecar_task` block.
pub static SIDECAR_TASK: Struct = Struct::new(
    "SidecarTask",
    &[
        optional("Name", "name", Plain(Text)),
        optional("Driver", "driver", Plain(Text)),
        optional("User", "user", Plain(Text)),
        block("Config", "config", Any),
        block("Env", "env", Map(Text)),
        block("Resources", "resources", One(&RESOURCES)),
        block("Meta", "meta", Map(Text)),
        optional("KillTimeout", "kill_timeout", Maybe(Duration)),
        block("LogConfig", "logs", One(&LOG_CONFIG)),
        optional("ShutdownDelay", "shutdown_delay", Maybe(Duration)),
        optional("KillSignal", "kill_signal", Plain(Text)),
        block("VolumeMounts", "volume_mount", Many(&VOLUME_MOUNT)),
        block("Identities", "identity", Many(&WORKLOAD_IDENTITY)),
    ],
);
