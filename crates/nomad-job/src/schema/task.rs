//! Tasks and their blocks.
//!
//! The fields are documented below <https://developer.hashicorp.com/nomad/docs/job-specification/task>.

use super::Kind::{Any, List, Many, Map, Maybe, One, Plain};
use super::Scalar::{Bool, Duration, Integer, Named, Text};
use super::group::{RESTART_POLICY, SCALING_POLICY};
use super::identity::{CONSUL, SECRET, VAULT, WORKLOAD_IDENTITY};
use super::placement::{AFFINITY, CONSTRAINT};
use super::resources::RESOURCES;
use super::service::SERVICE;
use super::volumes::VOLUME_MOUNT;
use super::{BodyRule, Struct, block, label, optional, required, unwritten};

/// A `task` block.
pub static TASK: Struct = Struct::new(
    "Task",
    &[
        label("Name", "name", Plain(Text)),
        optional("Driver", "driver", Plain(Text)),
        optional("User", "user", Plain(Text)),
        block("Lifecycle", "lifecycle", One(&TASK_LIFECYCLE)),
        block("Config", "config", Any),
        block("Constraints", "constraint", Many(&CONSTRAINT)),
        block("Affinities", "affinity", Many(&AFFINITY)),
        block("Env", "env", Map(Text)),
        block("Services", "service", Many(&SERVICE)),
        block("Resources", "resources", One(&RESOURCES)),
        block("RestartPolicy", "restart", One(&RESTART_POLICY)),
        block("Meta", "meta", Map(Text)),
        optional("KillTimeout", "kill_timeout", Maybe(Duration)),
        block("LogConfig", "logs", One(&LOG_CONFIG)),
        block("Artifacts", "artifact", Many(&TASK_ARTIFACT)),
        block("Vault", "vault", One(&VAULT)),
        block("Consul", "consul", One(&CONSUL)),
        block("Templates", "template", Many(&TEMPLATE)),
        block("DispatchPayload", "dispatch_payload", One(&DISPATCH_PAYLOAD_CONFIG)),
        block("VolumeMounts", "volume_mount", Many(&VOLUME_MOUNT)),
        block("CSIPluginConfig", "csi_plugin", One(&TASK_CSI_PLUGIN_CONFIG)).unless_empty(),
        optional("Leader", "leader", Plain(Bool)),
        optional("ShutdownDelay", "shutdown_delay", Plain(Duration)),
        optional("KillSignal", "kill_signal", Plain(Text)),
        optional("Kind", "kind", Plain(Text)),
        block("ScalingPolicies", "scaling", Many(&SCALING_POLICY)),
        block("Secrets", "secret", Many(&SECRET)),
        unwritten("Identity", One(&WORKLOAD_IDENTITY)),
        block("Identities", "identity", Many(&WORKLOAD_IDENTITY)),
        block("Actions", "action", Many(&ACTION)),
        block("Schedule", "schedule", One(&TASK_SCHEDULE)),
    ],
)
.read_as(BodyRule::Task);

/// A `lifecycle` block.
pub static TASK_LIFECYCLE: Struct =
    Struct::new("TaskLifecycle", &[required("Hook", "hook", Plain(Text)), optional("Sidecar", "sidecar", Plain(Bool))]);

/// A `logs` block.
pub static LOG_CONFIG: Struct = Struct::new(
    "LogConfig",
    &[
        optional("MaxFiles", "max_files", Maybe(Integer)),
        optional("MaxFileSizeMB", "max_file_size", Maybe(Integer)),
        optional("Enabled", "enabled", Maybe(Bool)),
        optional("Disabled", "disabled", Maybe(Bool)),
    ],
);

/// An `artifact` block.
pub static TASK_ARTIFACT: Struct = Struct::new(
    "TaskArtifact",
    &[
        optional("GetterSource", "source", Maybe(Text)),
        block("GetterOptions", "options", Map(Text)),
        block("GetterHeaders", "headers", Map(Text)),
        optional("GetterMode", "mode", Maybe(Text)),
        optional("GetterInsecure", "insecure", Maybe(Bool)),
        optional("RelativeDest", "destination", Maybe(Text)),
        optional("Chown", "chown", Plain(Bool)),
    ],
);

/// A `template` block.
pub static TEMPLATE: Struct = Struct::new(
    "Template",
    &[
        optional("SourcePath", "source", Maybe(Text)),
        optional("DestPath", "destination", Maybe(Text)),
        optional("EmbeddedTmpl", "data", Maybe(Text)),
        optional("ChangeMode", "change_mode", Maybe(Text)),
        block("ChangeScript", "change_script", One(&CHANGE_SCRIPT)),
        optional("ChangeSignal", "change_signal", Maybe(Text)),
        optional("Once", "once", Maybe(Bool)),
        optional("Splay", "splay", Maybe(Duration)),
        optional("Perms", "perms", Maybe(Text)),
        optional("Uid", "uid", Maybe(Integer)),
        optional("Gid", "gid", Maybe(Integer)),
        optional("LeftDelim", "left_delimiter", Maybe(Text)),
        optional("RightDelim", "right_delimiter", Maybe(Text)),
        optional("Envvars", "env", Maybe(Bool)),
        optional("VaultGrace", "vault_grace", Maybe(Duration)),
        block("Wait", "wait", One(&WAIT_CONFIG)),
        optional("ErrMissingKey", "error_on_missing_key", Maybe(Bool)),
    ],
);

/// A `change_script` block.
pub static CHANGE_SCRIPT: Struct = Struct::new(
    "ChangeScript",
    &[
        optional("Command", "command", Maybe(Text)),
        optional("Args", "args", List(Text)),
        optional("Timeout", "timeout", Maybe(Duration)),
        optional("FailOnError", "fail_on_error", Maybe(Bool)),
        optional("RunOnFirstRender", "run_on_first_render", Maybe(Bool)),
    ],
);

/// A `wait` block.
pub static WAIT_CONFIG: Struct =
    Struct::new("WaitConfig", &[optional("Min", "min", Maybe(Duration)), optional("Max", "max", Maybe(Duration))]);

/// A `dispatch_payload` block.
pub static DISPATCH_PAYLOAD_CONFIG: Struct =
    Struct::new("DispatchPayloadConfig", &[optional("File", "file", Plain(Text))]);

/// A `csi_plugin` block.
pub static TASK_CSI_PLUGIN_CONFIG: Struct = Struct::new(
    "TaskCSIPluginConfig",
    &[
        optional("ID", "id", Plain(Text)),
        optional("Type", "type", Plain(Named("api.CSIPluginType"))),
        optional("MountDir", "mount_dir", Plain(Text)),
        optional("StagePublishBaseDir", "stage_publish_base_dir", Plain(Text)),
        optional("HealthTimeout", "health_timeout", Plain(Duration)),
    ],
);

/// An `action` block.
pub static ACTION: Struct = Struct::new(
    "Action",
    &[
        label("Name", "name", Plain(Text)),
        required("Command", "command", Plain(Text)),
        optional("Args", "args", List(Text)),
    ],
);

/// A `schedule` block.
pub static TASK_SCHEDULE: Struct = Struct::new("TaskSchedule", &[block("Cron", "cron", One(&TASK_SCHEDULE_CRON))]);

/// A `cron` block.
pub static TASK_SCHEDULE_CRON: Struct = Struct::new(
    "TaskScheduleCron",
    &[
        optional("Start", "start", Plain(Text)),
        optional("End", "end", Plain(Text)),
        optional("Timezone", "timezone", Plain(Text)),
    ],
);
