//! Services and their checks.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/service>.

use super::Kind::{List, Many, Map, MapOfLists, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Integer, Text};
use super::connect::CONSUL_CONNECT;
use super::identity::WORKLOAD_IDENTITY;
use super::{Struct, block, optional};

/// A `service` block.
pub static SERVICE: Struct = Struct::new(
    "Service",
    &[
        optional("Name", "name", Plain(Text)),
        optional("Tags", "tags", List(Text)),
        optional("CanaryTags", "canary_tags", List(Text)),
        optional("EnableTagOverride", "enable_tag_override", Plain(Bool)),
        optional("PortLabel", "port", Plain(Text)),
        optional("AddressMode", "address_mode", Plain(Text)),
        optional("Address", "address", Plain(Text)),
        block("Checks", "check", Many(&SERVICE_CHECK)),
        block("CheckRestart", "check_restart", One(&CHECK_RESTART)),
        block("Connect", "connect", One(&CONSUL_CONNECT)),
        block("Meta", "meta", Map(Text)),
        block("CanaryMeta", "canary_meta", Map(Text)),
        block("TaggedAddresses", "tagged_addresses", Map(Text)),
        optional("TaskName", "task", Plain(Text)),
        optional("OnUpdate", "on_update", Plain(Text)),
        block("Identity", "identity", One(&WORKLOAD_IDENTITY)),
        block("Weights", "weights", One(&SERVICE_WEIGHTS)),
        optional("Provider", "provider", Plain(Text)),
        optional("Cluster", "cluster", Plain(Text)),
        optional("Kind", "kind", Plain(Text)),
    ],
);

/// A `check` block.
pub static SERVICE_CHECK: Struct = Struct::new(
    "ServiceCheck",
    &[
        optional("Name", "name", Plain(Text)),
        optional("Type", "type", Plain(Text)),
        optional("Command", "command", Plain(Text)),
        optional("Args", "args", List(Text)),
        optional("Path", "path", Plain(Text)),
        optional("Protocol", "protocol", Plain(Text)),
        optional("PortLabel", "port", Plain(Text)),
        optional("Expose", "expose", Plain(Bool)),
        optional("AddressMode", "address_mode", Plain(Text)),
        optional("Advertise", "advertise", Plain(Text)),
        optional("Interval", "interval", Plain(Duration)),
        optional("Timeout", "timeout", Plain(Duration)),
        optional("InitialStatus", "initial_status", Plain(Text)),
        optional("Notes", "notes", Plain(Text)),
        optional("TLSServerName", "tls_server_name", Plain(Text)),
        optional("TLSSkipVerify", "tls_skip_verify", Plain(Bool)),
        block("Header", "header", MapOfLists(Text)),
        optional("Method", "method", Plain(Text)),
        block("CheckRestart", "check_restart", One(&CHECK_RESTART)),
        optional("GRPCService", "grpc_service", Plain(Text)),
        optional("GRPCUseTLS", "grpc_use_tls", Plain(Bool)),
        optional("TaskName", "task", Plain(Text)),
        optional("SuccessBeforePassing", "success_before_passing", Plain(Integer)),
        optional("FailuresBeforeCritical", "failures_before_critical", Plain(Integer)),
        optional("FailuresBeforeWarning", "failures_before_warning", Plain(Integer)),
        optional("Body", "body", Plain(Text)),
        optional("OnUpdate", "on_update", Plain(Text)),
    ],
);

/// A `check_restart` block.
pub static CHECK_RESTART: Struct = Struct::new(
    "CheckRestart",
    &[
        optional("Limit", "limit", Plain(Integer)),
        optional("Grace", "grace", Maybe(Duration)),
        optional("IgnoreWarnings", "ignore_warnings", Plain(Bool)),
    ],
);

/// A `weights` block.
pub static SERVICE_WEIGHTS: Struct = Struct::new(
    "ServiceWeights",
    &[optional("Passing", "passing", Plain(Integer)), optional("Warning", "warning", Plain(Integer))],
);
