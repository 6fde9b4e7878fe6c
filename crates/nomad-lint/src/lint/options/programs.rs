//! The options of drivers that run programs and machines: exec, exec2, java, qemu, raw_exec.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-declare/task-driver> and
//! <https://developer.hashicorp.com/nomad/plugins/drivers/exec2>.

use super::forms;
use super::schema::DriverOption as Opt;

/// The values of `pid_mode` and `ipc_mode`.
const ISOLATION: &[&str] = &["host", "private"];

pub(super) const EXEC: &[Opt] = &[
    Opt::texts("args"),
    Opt::texts("cap_add").in_form(forms::capability).since(1, 1, 0),
    Opt::texts("cap_drop").in_form(forms::capability).since(1, 1, 0),
    Opt::text("command").required(),
    Opt::text("ipc_mode").one_of(ISOLATION).since(1, 0, 4),
    Opt::text("pid_mode").one_of(ISOLATION).since(1, 0, 4),
    Opt::text("work_dir").in_form(forms::absolute_path).since(1, 9, 2),
];

pub(super) const EXEC2: &[Opt] =
    &[Opt::texts("args"), Opt::text("command").required(), Opt::integer("oom_score_adj"), Opt::texts("unveil")];

pub(super) const JAVA: &[Opt] = &[
    Opt::texts("args"),
    Opt::texts("cap_add").in_form(forms::capability).since(1, 1, 0),
    Opt::texts("cap_drop").in_form(forms::capability).since(1, 1, 0),
    Opt::text("class"),
    Opt::text("class_path"),
    Opt::text("ipc_mode").one_of(ISOLATION).since(1, 0, 4),
    Opt::text("jar_path"),
    Opt::texts("jvm_options"),
    Opt::text("pid_mode").one_of(ISOLATION).since(1, 0, 4),
    Opt::text("work_dir").in_form(forms::absolute_path).since(1, 9, 2),
];

pub(super) const QEMU: &[Opt] = &[
    Opt::text("accelerator"),
    Opt::texts("args"),
    Opt::text("drive_interface")
        .one_of(&["floppy", "ide", "mtd", "none", "pflash", "scsi", "sd", "virtio"])
        .since(1, 3, 4),
    Opt::text("emulator").since(1, 11, 1),
    Opt::flag("graceful_shutdown"),
    Opt::flag("guest_agent").since(1, 3, 2),
    Opt::text("image_path").required(),
    Opt::text("machine_type").since(1, 11, 1),
    Opt::number_map("port_map"),
];

pub(super) const RAW_EXEC: &[Opt] = &[
    Opt::texts("args"),
    Opt::text_map("cgroup_v1_override").since(1, 8, 0),
    Opt::text("cgroup_v2_override").since(1, 8, 0),
    Opt::text("command").required(),
    Opt::texts("denied_envvars").since(1, 10, 0),
    Opt::integer("oom_score_adj").since(1, 8, 1),
    Opt::text("work_dir").in_form(forms::absolute_path).since(1, 9, 2),
];
