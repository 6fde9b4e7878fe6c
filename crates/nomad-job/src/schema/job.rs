//! The job and the blocks that occur once in it.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/job>.

use super::Kind::{Bytes, List, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Int, Integer, Text, Uint};
use super::group::{MIGRATE_STRATEGY, RESCHEDULE_POLICY, TASK_GROUP, UPDATE_STRATEGY};
use super::placement::{AFFINITY, CONSTRAINT, SPREAD};
use super::{Struct, block, label, optional, unwritten};

/// A `job` block.
pub static JOB: Struct = Struct::new(
    "Job",
    &[
        optional("Region", "region", Maybe(Text)),
        optional("Namespace", "namespace", Maybe(Text)),
        optional("ID", "id", Maybe(Text)),
        optional("Name", "name", Maybe(Text)),
        optional("Type", "type", Maybe(Text)),
        optional("Priority", "priority", Maybe(Integer)),
        optional("AllAtOnce", "all_at_once", Maybe(Bool)),
        optional("Datacenters", "datacenters", List(Text)),
        optional("NodePool", "node_pool", Maybe(Text)),
        block("Constraints", "constraint", Many(&CONSTRAINT)),
        block("Affinities", "affinity", Many(&AFFINITY)),
        block("TaskGroups", "group", Many(&TASK_GROUP)),
        block("Update", "update", One(&UPDATE_STRATEGY)),
        block("Multiregion", "multiregion", One(&MULTIREGION)),
        block("Spreads", "spread", Many(&SPREAD)),
        block("Periodic", "periodic", One(&PERIODIC_CONFIG)),
        block("ParameterizedJob", "parameterized", One(&PARAMETERIZED_JOB_CONFIG)),
        block("Reschedule", "reschedule", One(&RESCHEDULE_POLICY)),
        block("Migrate", "migrate", One(&MIGRATE_STRATEGY)),
        block("Meta", "meta", Map(Text)),
        block("UI", "ui", One(&JOB_UI_CONFIG)),
        unwritten("Stop", Maybe(Bool)),
        unwritten("ParentID", Maybe(Text)),
        unwritten("Dispatched", Plain(Bool)),
        unwritten("DispatchIdempotencyToken", Maybe(Text)),
        unwritten("Payload", Bytes),
        unwritten("ConsulNamespace", Maybe(Text)),
        unwritten("VaultNamespace", Maybe(Text)),
        unwritten("NomadTokenID", Maybe(Text)),
        unwritten("Status", Maybe(Text)),
        unwritten("StatusDescription", Maybe(Text)),
        unwritten("Stable", Maybe(Bool)),
        unwritten("Version", Maybe(Uint(64))),
        unwritten("SubmitTime", Maybe(Int(64))),
        unwritten("CreateIndex", Maybe(Uint(64))),
        unwritten("ModifyIndex", Maybe(Uint(64))),
        unwritten("JobModifyIndex", Maybe(Uint(64))),
        unwritten("VersionTag", One(&JOB_VERSION_TAG)),
    ],
);

/// A `multiregion` block.
pub static MULTIREGION: Struct = Struct::new(
    "Multiregion",
    &[block("Strategy", "strategy", One(&MULTIREGION_STRATEGY)), block("Regions", "region", Many(&MULTIREGION_REGION))],
);

/// A `strategy` block.
pub static MULTIREGION_STRATEGY: Struct = Struct::new(
    "MultiregionStrategy",
    &[optional("MaxParallel", "max_parallel", Maybe(Integer)), optional("OnFailure", "on_failure", Maybe(Text))],
);

/// A `region` block.
pub static MULTIREGION_REGION: Struct = Struct::new(
    "MultiregionRegion",
    &[
        label("Name", "", Plain(Text)),
        optional("Count", "count", Maybe(Integer)),
        optional("Datacenters", "datacenters", List(Text)),
        optional("NodePool", "node_pool", Plain(Text)),
        block("Meta", "meta", Map(Text)),
    ],
);

/// A `periodic` block.
pub static PERIODIC_CONFIG: Struct = Struct::new(
    "PeriodicConfig",
    &[
        optional("Enabled", "enabled", Maybe(Bool)),
        optional("Spec", "cron", Maybe(Text)),
        optional("Specs", "crons", List(Text)),
        unwritten("SpecType", Maybe(Text)),
        optional("ProhibitOverlap", "prohibit_overlap", Maybe(Bool)),
        optional("TimeZone", "time_zone", Maybe(Text)),
    ],
);

/// A `parameterized` block.
pub static PARAMETERIZED_JOB_CONFIG: Struct = Struct::new(
    "ParameterizedJobConfig",
    &[
        optional("Payload", "payload", Plain(Text)),
        optional("MetaRequired", "meta_required", List(Text)),
        optional("MetaOptional", "meta_optional", List(Text)),
    ],
);

/// A `ui` block.
pub static JOB_UI_CONFIG: Struct = Struct::new(
    "JobUIConfig",
    &[optional("Description", "description", Plain(Text)), block("Links", "link", Many(&JOB_UI_LINK))],
);

/// A `link` block.
pub static JOB_UI_LINK: Struct =
    Struct::new("JobUILink", &[optional("Label", "label", Plain(Text)), optional("URL", "url", Plain(Text))]);

/// Set only by the server.
pub static JOB_VERSION_TAG: Struct = Struct::new(
    "JobVersionTag",
    &[unwritten("Name", Plain(Text)), unwritten("Description", Plain(Text)), unwritten("TaggedTime", Plain(Int(64)))],
);
