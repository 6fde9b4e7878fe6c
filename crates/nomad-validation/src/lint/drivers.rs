//! Options of the drivers that come with Nomad.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-declare/task-driver>.

use hieratic_hcl_syntax::suggestion;
use hieratic_nomad::Job;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;

/// The drivers with their options.
const DRIVERS: &[(&str, &[&str])] = &[
    (
        "docker",
        &[
            "advertise_ipv6_address",
            "args",
            "auth",
            "auth_soft_fail",
            "cap_add",
            "cap_drop",
            "cgroupns",
            "command",
            "container_exists_attempts",
            "cpu_cfs_period",
            "cpu_hard_limit",
            "cpuset_cpus",
            "devices",
            "dns_options",
            "dns_search_domains",
            "dns_servers",
            "entrypoint",
            "extra_hosts",
            "force_pull",
            "group_add",
            "healthchecks",
            "hostname",
            "image",
            "image_pull_timeout",
            "init",
            "interactive",
            "ipc_mode",
            "ipv4_address",
            "ipv6_address",
            "isolation",
            "labels",
            "load",
            "logging",
            "mac_address",
            "memory_hard_limit",
            "mount",
            "mounts",
            "network_aliases",
            "network_mode",
            "oom_score_adj",
            "pid_mode",
            "pids_limit",
            "port_map",
            "ports",
            "privileged",
            "readonly_rootfs",
            "runtime",
            "security_opt",
            "shm_size",
            "storage_opt",
            "sysctl",
            "tty",
            "ulimit",
            "userns_mode",
            "uts_mode",
            "volume_driver",
            "volumes",
            "work_dir",
        ],
    ),
    ("exec", &["args", "cap_add", "cap_drop", "command", "ipc_mode", "pid_mode", "work_dir"]),
    (
        "java",
        &[
            "args",
            "cap_add",
            "cap_drop",
            "class",
            "class_path",
            "ipc_mode",
            "jar_path",
            "jvm_options",
            "pid_mode",
            "work_dir",
        ],
    ),
    (
        "qemu",
        &[
            "accelerator",
            "args",
            "drive_interface",
            "emulator",
            "graceful_shutdown",
            "guest_agent",
            "image_path",
            "machine_type",
            "port_map",
        ],
    ),
    (
        "raw_exec",
        &["args", "cgroup_v1_override", "cgroup_v2_override", "command", "denied_envvars", "oom_score_adj", "work_dir"],
    ),
];

/// Options that the task's driver does not have.
pub(super) fn check(job: &Job, task: &Block<'_>, found: &mut Vec<Finding>) {
    let driver = task.text("Driver");
    let Some((_, options)) = DRIVERS.iter().find(|(name, _)| *name == driver) else { return };
    for (key, value) in task.map("Config") {
        if options.contains(&&**key) {
            continue;
        }
        let meant = suggestion(key, options.iter().copied());
        let meant = meant.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"));
        let path = format!("{}[{}]", task.at("Config").path(), hieratic_cty::quoted(key));
        found.push(remark(format!("the driver {driver} has no option \"{key}\"{meant}"), path, job.place(value)));
    }
}
