//! Vault, Consul, secrets and identities of workloads.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/identity>.

use super::Kind::{Any, List, Map, Maybe, Plain};
use super::Scalar::{Bool, Duration, Text};
use super::{Struct, block, label, optional};

/// A `vault` block.
pub static VAULT: Struct = Struct::new(
    "Vault",
    &[
        optional("Policies", "policies", List(Text)),
        optional("Role", "role", Plain(Text)),
        optional("Namespace", "namespace", Maybe(Text)),
        optional("Cluster", "cluster", Plain(Text)),
        optional("Env", "env", Maybe(Bool)),
        optional("DisableFile", "disable_file", Maybe(Bool)),
        optional("ChangeMode", "change_mode", Maybe(Text)),
        optional("ChangeSignal", "change_signal", Maybe(Text)),
        optional("AllowTokenExpiration", "allow_token_expiration", Maybe(Bool)),
    ],
);

/// A `consul` block.
pub static CONSUL: Struct = Struct::new(
    "Consul",
    &[
        optional("Namespace", "namespace", Plain(Text)),
        optional("Cluster", "cluster", Plain(Text)),
        optional("Partition", "partition", Plain(Text)),
    ],
);

/// A `secret` block.
pub static SECRET: Struct = Struct::new(
    "Secret",
    &[
        label("Name", "name", Plain(Text)),
        optional("Provider", "provider", Plain(Text)),
        optional("Path", "path", Plain(Text)),
        block("Config", "config", Any),
        block("Env", "env", Map(Text)),
    ],
);

/// An `identity` block.
pub static WORKLOAD_IDENTITY: Struct = Struct::new(
    "WorkloadIdentity",
    &[
        optional("Name", "name", Plain(Text)),
        optional("Audience", "aud", List(Text)),
        optional("ChangeMode", "change_mode", Plain(Text)),
        optional("ChangeSignal", "change_signal", Plain(Text)),
        optional("Env", "env", Plain(Bool)),
        optional("File", "file", Plain(Bool)),
        optional("Filepath", "filepath", Plain(Text)),
        optional("ServiceName", "service_name", Plain(Text)),
        optional("TTL", "ttl", Plain(Duration)),
        optional("ExtraClaims", "extra_claims", List(Text)),
    ],
);
