//! Gateways of the service mesh.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/gateway>.

use super::Kind::{Any, Keyed, List, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Integer, Text, Uint};
use super::{Struct, block, label, optional};

/// A `gateway` block.
pub static CONSUL_GATEWAY: Struct = Struct::new(
    "ConsulGateway",
    &[
        block("Proxy", "proxy", One(&CONSUL_GATEWAY_PROXY)),
        block("Ingress", "ingress", One(&CONSUL_INGRESS_CONFIG_ENTRY)),
        block("Terminating", "terminating", One(&CONSUL_TERMINATING_CONFIG_ENTRY)),
        block("Mesh", "mesh", One(&CONSUL_MESH_CONFIG_ENTRY)),
    ],
);

/// A `proxy` block.
pub static CONSUL_GATEWAY_PROXY: Struct = Struct::new(
    "ConsulGatewayProxy",
    &[
        optional("ConnectTimeout", "connect_timeout", Maybe(Duration)),
        optional("EnvoyGatewayBindTaggedAddresses", "envoy_gateway_bind_tagged_addresses", Plain(Bool)),
        block("EnvoyGatewayBindAddresses", "envoy_gateway_bind_addresses", Keyed(&CONSUL_GATEWAY_BIND_ADDRESS)),
        optional("EnvoyGatewayNoDefaultBind", "envoy_gateway_no_default_bind", Plain(Bool)),
        optional("EnvoyDNSDiscoveryType", "envoy_dns_discovery_type", Plain(Text)),
        block("Config", "config", Any),
    ],
);

/// An `envoy_gateway_bind_addresses` block.
pub static CONSUL_GATEWAY_BIND_ADDRESS: Struct = Struct::new(
    "ConsulGatewayBindAddress",
    &[
        label("Name", "", Plain(Text)),
        optional("Address", "address", Plain(Text)),
        optional("Port", "port", Plain(Integer)),
    ],
);

/// An `ingress` block.
pub static CONSUL_INGRESS_CONFIG_ENTRY: Struct = Struct::new(
    "ConsulIngressConfigEntry",
    &[
        block("TLS", "tls", One(&CONSUL_GATEWAY_TLS_CONFIG)),
        block("Listeners", "listener", Many(&CONSUL_INGRESS_LISTENER)),
    ],
);

/// A `tls` block.
pub static CONSUL_GATEWAY_TLS_CONFIG: Struct = Struct::new(
    "ConsulGatewayTLSConfig",
    &[
        optional("Enabled", "enabled", Plain(Bool)),
        optional("TLSMinVersion", "tls_min_version", Plain(Text)),
        optional("TLSMaxVersion", "tls_max_version", Plain(Text)),
        optional("CipherSuites", "cipher_suites", List(Text)),
        block("SDS", "sds", One(&CONSUL_GATEWAY_TLSSDS_CONFIG)),
    ],
);

/// A `sds` block.
pub static CONSUL_GATEWAY_TLSSDS_CONFIG: Struct = Struct::new(
    "ConsulGatewayTLSSDSConfig",
    &[optional("ClusterName", "cluster_name", Plain(Text)), optional("CertResource", "cert_resource", Plain(Text))],
);

/// A `listener` block.
pub static CONSUL_INGRESS_LISTENER: Struct = Struct::new(
    "ConsulIngressListener",
    &[
        optional("Port", "port", Plain(Integer)),
        optional("Protocol", "protocol", Plain(Text)),
        block("Services", "service", Many(&CONSUL_INGRESS_SERVICE)),
    ],
);

/// A `service` block.
pub static CONSUL_INGRESS_SERVICE: Struct = Struct::new(
    "ConsulIngressService",
    &[
        optional("Name", "name", Plain(Text)),
        optional("Hosts", "hosts", List(Text)),
        block("TLS", "tls", One(&CONSUL_GATEWAY_TLS_CONFIG)),
        block("RequestHeaders", "request_headers", One(&CONSUL_HTTP_HEADER_MODIFIERS)),
        block("ResponseHeaders", "response_headers", One(&CONSUL_HTTP_HEADER_MODIFIERS)),
        optional("MaxConnections", "max_connections", Maybe(Uint(32))),
        optional("MaxPendingRequests", "max_pending_requests", Maybe(Uint(32))),
        optional("MaxConcurrentRequests", "max_concurrent_requests", Maybe(Uint(32))),
    ],
);

/// A `request_headers` or `response_headers` block.
pub static CONSUL_HTTP_HEADER_MODIFIERS: Struct = Struct::new(
    "ConsulHTTPHeaderModifiers",
    &[block("Add", "add", Map(Text)), block("Set", "set", Map(Text)), optional("Remove", "remove", List(Text))],
);

/// A `terminating` block.
pub static CONSUL_TERMINATING_CONFIG_ENTRY: Struct =
    Struct::new("ConsulTerminatingConfigEntry", &[block("Services", "service", Many(&CONSUL_LINKED_SERVICE))]);

/// A `service` block.
pub static CONSUL_LINKED_SERVICE: Struct = Struct::new(
    "ConsulLinkedService",
    &[
        optional("Name", "name", Plain(Text)),
        optional("CAFile", "ca_file", Plain(Text)),
        optional("CertFile", "cert_file", Plain(Text)),
        optional("KeyFile", "key_file", Plain(Text)),
        optional("SNI", "sni", Plain(Text)),
    ],
);

/// A `mesh` block.
pub static CONSUL_MESH_CONFIG_ENTRY: Struct = Struct::new("ConsulMeshConfigEntry", &[]);
