//! The resources that a task requests from its node.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/resources>.

use super::Kind::{List, Many, Maybe, One, Plain};
use super::Scalar::{Integer, Text, Uint};
use super::network::NETWORK_RESOURCE;
use super::placement::{AFFINITY, CONSTRAINT};
use super::{Struct, block, label, optional};

/// A `resources` block.
pub static RESOURCES: Struct = Struct::new(
    "Resources",
    &[
        optional("CPU", "cpu", Maybe(Integer)),
        optional("Cores", "cores", Maybe(Integer)),
        optional("MemoryMB", "memory", Maybe(Integer)),
        optional("MemoryMaxMB", "memory_max", Maybe(Integer)),
        optional("DiskMB", "disk", Maybe(Integer)),
        block("Networks", "network", Many(&NETWORK_RESOURCE)),
        block("Devices", "device", Many(&REQUESTED_DEVICE)),
        block("NUMA", "numa", One(&NUMA_RESOURCE)),
        optional("SecretsMB", "secrets", Maybe(Integer)),
        optional("IOPS", "iops", Maybe(Integer)),
    ],
);

/// A `device` block.
pub static REQUESTED_DEVICE: Struct = Struct::new(
    "RequestedDevice",
    &[
        label("Name", "", Plain(Text)),
        optional("Count", "count", Maybe(Uint(64))),
        block("Constraints", "constraint", Many(&CONSTRAINT)),
        block("Affinities", "affinity", Many(&AFFINITY)),
    ],
);

/// A `numa` block.
pub static NUMA_RESOURCE: Struct = Struct::new(
    "NUMAResource",
    &[optional("Affinity", "affinity", Plain(Text)), optional("Devices", "devices", List(Text))],
);
