//! The options of the driver docker.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-declare/task-driver/docker>.

use super::forms;
use super::schema::DriverOption as Opt;

const AUTH: &[Opt] = &[Opt::text("email"), Opt::text("password"), Opt::text("server_address"), Opt::text("username")];

const DEVICE: &[Opt] = &[
    Opt::text("cgroup_permissions").in_form(forms::device_permissions),
    Opt::text("container_path"),
    Opt::text("host_path"),
];

const LOGGING: &[Opt] = &[Opt::text_map("config"), Opt::text("driver"), Opt::text("type")];

const MOUNT: &[Opt] = &[
    Opt::block("bind_options", &[Opt::text("propagation")]),
    Opt::flag("readonly"),
    Opt::text("source"),
    Opt::text("target"),
    Opt::block("tmpfs_options", &[Opt::integer("mode"), Opt::integer("size")]),
    Opt::text("type").one_of(&["bind", "tmpfs", "volume"]),
    Opt::block(
        "volume_options",
        &[
            Opt::block("driver_config", &[Opt::text("name"), Opt::text_map("options")]),
            Opt::text_map("labels"),
            Opt::flag("no_copy"),
        ],
    ),
];

pub(super) const DOCKER: &[Opt] = &[
    Opt::flag("advertise_ipv6_address"),
    Opt::texts("args"),
    Opt::block("auth", AUTH),
    Opt::flag("auth_soft_fail"),
    Opt::texts("cap_add").in_form(forms::capability),
    Opt::texts("cap_drop"),
    Opt::text("cgroupns").one_of(&["host", "private"]).since(1, 10, 3),
    Opt::text("command"),
    Opt::integer_within("container_exists_attempts", 0, i64::MAX).since(1, 8, 1),
    Opt::integer("cpu_cfs_period"),
    Opt::flag("cpu_hard_limit"),
    Opt::text("cpuset_cpus"),
    Opt::blocks("devices", DEVICE),
    Opt::texts("dns_options"),
    Opt::texts("dns_search_domains"),
    Opt::texts("dns_servers"),
    Opt::texts("entrypoint"),
    Opt::texts("extra_hosts"),
    Opt::flag("force_pull"),
    Opt::texts("group_add").since(1, 5, 7),
    Opt::block("healthchecks", &[Opt::flag("disable")]).since(1, 3, 4),
    Opt::text("hostname"),
    Opt::text("image").required(),
    Opt::text("image_pull_timeout").in_form(forms::duration),
    Opt::flag("init").since(1, 2, 0),
    Opt::flag("interactive"),
    Opt::text("ipc_mode").in_form(forms::docker_ipc_mode),
    Opt::text("ipv4_address").in_form(forms::address),
    Opt::text("ipv6_address").in_form(forms::address),
    Opt::text("isolation").one_of(&["hyperv", "process"]).since(1, 5, 0),
    Opt::text_map("labels"),
    Opt::text("load"),
    Opt::block("logging", LOGGING),
    Opt::text("mac_address"),
    Opt::integer("memory_hard_limit"),
    Opt::blocks("mount", MOUNT),
    Opt::blocks("mounts", MOUNT),
    Opt::texts("network_aliases"),
    Opt::text("network_mode"),
    Opt::integer("oom_score_adj").since(1, 8, 1),
    Opt::text("pid_mode").in_form(forms::docker_pid_mode),
    Opt::integer("pids_limit"),
    Opt::number_map("port_map"),
    Opt::texts("ports"),
    Opt::flag("privileged"),
    Opt::flag("readonly_rootfs"),
    Opt::text("runtime"),
    Opt::texts("security_opt").in_form(forms::security),
    Opt::integer("shm_size"),
    Opt::text_block("storage_opt"),
    Opt::text_map("sysctl"),
    Opt::flag("tty"),
    Opt::text_map("ulimit").in_form(forms::resource_limit),
    Opt::text("userns_mode").one_of(&["host"]),
    Opt::text("uts_mode").one_of(&["host"]),
    Opt::text("volume_driver"),
    Opt::texts("volumes").in_form(forms::bind),
    Opt::text("work_dir"),
];
