//! The options of the driver podman.
//!
//! Source: <https://developer.hashicorp.com/nomad/plugins/drivers/podman>.

use super::forms;
use super::schema::DriverOption as Opt;

const AUTH: &[Opt] = &[Opt::text("password"), Opt::flag("tls_verify"), Opt::text("username")];

const LOGGING: &[Opt] = &[Opt::text("driver").one_of(&["journald", "nomad"]), Opt::text_map("options")];

pub(super) const PODMAN: &[Opt] = &[
    Opt::text("apparmor_profile"),
    Opt::text("arch"),
    Opt::texts("args"),
    Opt::block("auth", AUTH),
    Opt::flag("auth_soft_fail"),
    Opt::texts("cap_add"),
    Opt::texts("cap_drop"),
    Opt::text("command"),
    Opt::integer_within("cpu_cfs_period", 0, i64::MAX),
    Opt::flag("cpu_hard_limit"),
    Opt::texts("devices"),
    Opt::any("entrypoint"),
    Opt::texts("extra_hosts").in_form(forms::extra_host),
    Opt::flag("force_pull"),
    Opt::text("hostname"),
    Opt::text("image").required(),
    Opt::text("image_pull_timeout").in_form(forms::duration),
    Opt::flag("init"),
    Opt::text("init_path"),
    Opt::text("ipc_mode").in_form(forms::podman_ipc_mode),
    Opt::text("ipv4_address"),
    Opt::text("ipv6_address"),
    Opt::text_map("labels"),
    Opt::block("logging", LOGGING),
    Opt::text("memory_reservation").in_form(forms::memory_size),
    Opt::text("memory_swap").in_form(forms::memory_size),
    Opt::integer("memory_swappiness"),
    Opt::text("network_mode"),
    Opt::integer_within("oom_score_adj", -32_768, 32_767),
    Opt::text("os"),
    Opt::integer("pids_limit"),
    Opt::number_map("port_map"),
    Opt::texts("ports"),
    Opt::flag("privileged"),
    Opt::flag("readonly_rootfs"),
    Opt::texts("security_opt").in_form(forms::security),
    Opt::texts("selinux_opts"),
    Opt::text("shm_size").in_form(forms::memory_size),
    Opt::text("socket"),
    Opt::texts("static_ips"),
    Opt::text("static_mac"),
    Opt::text_map("sysctl"),
    Opt::texts("tmpfs"),
    Opt::flag("tty"),
    Opt::text_map("ulimit").in_form(forms::resource_limit),
    Opt::text("userns"),
    Opt::text("variant"),
    Opt::texts("volumes"),
    Opt::text("working_dir"),
];
