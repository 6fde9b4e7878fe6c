//! Volumes of groups, and their mounts in tasks.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/volume>.

use super::Kind::{List, Maybe, One, Plain};
use super::Scalar::{Bool, Text};
use super::{Struct, block, label, optional};

/// A `volume` block.
pub static VOLUME_REQUEST: Struct = Struct::new(
    "VolumeRequest",
    &[
        label("Name", "name", Plain(Text)),
        optional("Type", "type", Plain(Text)),
        optional("Source", "source", Plain(Text)),
        optional("ReadOnly", "read_only", Plain(Bool)),
        optional("Sticky", "sticky", Plain(Bool)),
        optional("AccessMode", "access_mode", Plain(Text)),
        optional("AttachmentMode", "attachment_mode", Plain(Text)),
        block("MountOptions", "mount_options", One(&CSI_MOUNT_OPTIONS)),
        optional("PerAlloc", "per_alloc", Plain(Bool)),
    ],
);

/// A `mount_options` block.
pub static CSI_MOUNT_OPTIONS: Struct = Struct::new(
    "CSIMountOptions",
    &[optional("FSType", "fs_type", Plain(Text)), optional("MountFlags", "mount_flags", List(Text))],
);

/// A `volume_mount` block.
pub static VOLUME_MOUNT: Struct = Struct::new(
    "VolumeMount",
    &[
        optional("Volume", "volume", Maybe(Text)),
        optional("Destination", "destination", Maybe(Text)),
        optional("ReadOnly", "read_only", Maybe(Bool)),
        optional("PropagationMode", "propagation_mode", Maybe(Text)),
        optional("SELinuxLabel", "selinux_label", Maybe(Text)),
    ],
);
