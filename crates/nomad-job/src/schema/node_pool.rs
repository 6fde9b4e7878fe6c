//! The file of a node pool.
//!
//! The fields are documented at <https://developer.hashicorp.com/nomad/docs/other-specifications/node-pool>.

use super::Kind::{Map, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Named, Text};
use super::{Struct, block, label, optional};

/// A file of a node pool.
pub static NODE_POOL_FILE: Struct = Struct::new("nodePoolSpec", &[block("NodePool", "node_pool", One(&NODE_POOL))]);

/// A `node_pool` block.
pub static NODE_POOL: Struct = Struct::new(
    "NodePool",
    &[
        label("Name", "name", Plain(Text)),
        optional("Description", "description", Plain(Text)),
        block("Meta", "meta", Map(Text)),
        optional("NodeIdentityTTL", "node_identity_ttl", Plain(Duration)),
        block("SchedulerConfiguration", "scheduler_config", One(&NODE_POOL_SCHEDULER)),
    ],
);

/// A `scheduler_config` block.
pub static NODE_POOL_SCHEDULER: Struct = Struct::new(
    "NodePoolSchedulerConfiguration",
    &[
        optional("SchedulerAlgorithm", "scheduler_algorithm", Plain(Named("SchedulerAlgorithm"))),
        optional("MemoryOversubscriptionEnabled", "memory_oversubscription_enabled", Maybe(Bool)),
    ],
);
