//! Groups, and the policies of jobs, groups and tasks.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/group>.

use super::Kind::{Any, Keyed, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Int, Integer, Text, Uint};
use super::identity::CONSUL;
use super::network::NETWORK_RESOURCE;
use super::placement::{AFFINITY, CONSTRAINT, SPREAD};
use super::service::SERVICE;
use super::task::TASK;
use super::volumes::VOLUME_REQUEST;
use super::{BodyRule, Struct, block, label, optional, unwritten};

/// A `group` block.
pub static TASK_GROUP: Struct = Struct::new(
    "TaskGroup",
    &[
        label("Name", "name", Maybe(Text)),
        optional("Count", "count", Maybe(Integer)),
        block("Constraints", "constraint", Many(&CONSTRAINT)),
        block("Affinities", "affinity", Many(&AFFINITY)),
        block("Tasks", "task", Many(&TASK)),
        block("Spreads", "spread", Many(&SPREAD)),
        block("Volumes", "volume", Keyed(&VOLUME_REQUEST)),
        block("RestartPolicy", "restart", One(&RESTART_POLICY)),
        block("Disconnect", "disconnect", One(&DISCONNECT_STRATEGY)),
        block("ReschedulePolicy", "reschedule", One(&RESCHEDULE_POLICY)),
        block("EphemeralDisk", "ephemeral_disk", One(&EPHEMERAL_DISK)),
        block("Update", "update", One(&UPDATE_STRATEGY)),
        block("Migrate", "migrate", One(&MIGRATE_STRATEGY)),
        block("Networks", "network", Many(&NETWORK_RESOURCE)),
        block("Meta", "meta", Map(Text)),
        block("Services", "service", Many(&SERVICE)),
        optional("ShutdownDelay", "shutdown_delay", Maybe(Duration)),
        optional("MaxRunDuration", "max_run_duration", Maybe(Duration)),
        optional("StopAfterClientDisconnect", "stop_after_client_disconnect", Maybe(Duration)),
        optional("MaxClientDisconnect", "max_client_disconnect", Maybe(Duration)),
        block("Scaling", "scaling", One(&SCALING_POLICY)),
        block("Consul", "consul", One(&CONSUL)),
        optional("PreventRescheduleOnLost", "prevent_reschedule_on_lost", Maybe(Bool)),
    ],
)
.read_as(BodyRule::Group);

/// An `ephemeral_disk` block.
pub static EPHEMERAL_DISK: Struct = Struct::new(
    "EphemeralDisk",
    &[
        optional("Sticky", "sticky", Maybe(Bool)),
        optional("Migrate", "migrate", Maybe(Bool)),
        optional("SizeMB", "size", Maybe(Integer)),
    ],
);

/// An `update` block.
pub static UPDATE_STRATEGY: Struct = Struct::new(
    "UpdateStrategy",
    &[
        optional("Stagger", "stagger", Maybe(Duration)),
        optional("MaxParallel", "max_parallel", Maybe(Integer)),
        optional("HealthCheck", "health_check", Maybe(Text)),
        optional("MinHealthyTime", "min_healthy_time", Maybe(Duration)),
        optional("HealthyDeadline", "healthy_deadline", Maybe(Duration)),
        optional("ProgressDeadline", "progress_deadline", Maybe(Duration)),
        optional("Canary", "canary", Maybe(Integer)),
        optional("AutoRevert", "auto_revert", Maybe(Bool)),
        optional("AutoPromote", "auto_promote", Maybe(Bool)),
    ],
);

/// A `migrate` block.
pub static MIGRATE_STRATEGY: Struct = Struct::new(
    "MigrateStrategy",
    &[
        optional("MaxParallel", "max_parallel", Maybe(Integer)),
        optional("HealthCheck", "health_check", Maybe(Text)),
        optional("MinHealthyTime", "min_healthy_time", Maybe(Duration)),
        optional("HealthyDeadline", "healthy_deadline", Maybe(Duration)),
    ],
);

/// A `reschedule` block.
pub static RESCHEDULE_POLICY: Struct = Struct::new(
    "ReschedulePolicy",
    &[
        optional("Attempts", "attempts", Maybe(Integer)),
        optional("Interval", "interval", Maybe(Duration)),
        optional("Delay", "delay", Maybe(Duration)),
        optional("DelayFunction", "delay_function", Maybe(Text)),
        optional("MaxDelay", "max_delay", Maybe(Duration)),
        optional("Unlimited", "unlimited", Maybe(Bool)),
    ],
);

/// A `restart` block.
pub static RESTART_POLICY: Struct = Struct::new(
    "RestartPolicy",
    &[
        optional("Interval", "interval", Maybe(Duration)),
        optional("Attempts", "attempts", Maybe(Integer)),
        optional("Delay", "delay", Maybe(Duration)),
        optional("Mode", "mode", Maybe(Text)),
        optional("RenderTemplates", "render_templates", Maybe(Bool)),
    ],
);

/// A `disconnect` block.
pub static DISCONNECT_STRATEGY: Struct = Struct::new(
    "DisconnectStrategy",
    &[
        optional("LostAfter", "lost_after", Maybe(Duration)),
        optional("StopOnClientAfter", "stop_on_client_after", Maybe(Duration)),
        optional("Replace", "replace", Maybe(Bool)),
        optional("Reconcile", "reconcile", Maybe(Text)),
    ],
);

/// A `scaling` block.
pub static SCALING_POLICY: Struct = Struct::new(
    "ScalingPolicy",
    &[
        optional("Min", "min", Maybe(Int(64))),
        optional("Max", "max", Maybe(Int(64))),
        block("Policy", "policy", Any),
        optional("Enabled", "enabled", Maybe(Bool)),
        optional("Type", "type", Plain(Text)),
        unwritten("ID", Plain(Text)),
        unwritten("Namespace", Plain(Text)),
        unwritten("Target", Map(Text)),
        unwritten("CreateIndex", Plain(Uint(64))),
        unwritten("ModifyIndex", Plain(Uint(64))),
    ],
);
