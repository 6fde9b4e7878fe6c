//! The formats of strings that drivers check when they start a task. For an invalid string, each function returns the
//! expected format.

use std::net::IpAddr;

use hieratic_hcl_types::go::duration;

/// A length of time such as `5m`.
pub(super) fn duration(text: &str) -> Option<&'static str> {
    (!text.is_empty() && duration::parse(text).is_err()).then_some("a length of time such as \"5m\"")
}

/// An address of the internet.
pub(super) fn address(text: &str) -> Option<&'static str> {
    // Go's parser accepts a zone after an IPv6 address.
    let plain = text.split_once('%').filter(|(before, _)| before.contains(':')).map_or(text, |(before, _)| before);
    (!text.is_empty() && plain.parse::<IpAddr>().is_err()).then_some("an IP address")
}

/// An absolute path.
pub(super) fn absolute_path(text: &str) -> Option<&'static str> {
    // Tasks on Windows have paths such as `C:\x`.
    let is_absolute = text.starts_with(['/', '\\']) || text.as_bytes().get(1) == Some(&b':');
    (!text.is_empty() && !is_absolute).then_some("an absolute path")
}

/// The permissions of a device.
pub(super) fn device_permissions(text: &str) -> Option<&'static str> {
    (!text.bytes().all(|byte| matches!(byte, b'r' | b'w' | b'm'))).then_some("the letters r, w and m")
}

/// The limit of a resource.
pub(super) fn resource_limit(text: &str) -> Option<&'static str> {
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let (soft, hard) = text.split_once(':').unwrap_or((text, text));
    (!is_number(soft) || !is_number(hard)).then_some("a number, or two of them as \"soft:hard\"")
}

/// A size of memory in podman.
pub(super) fn memory_size(text: &str) -> Option<&'static str> {
    let digits = text.strip_suffix(['b', 'k', 'm', 'g']);
    let is_size = digits.is_some_and(|digits| digits.parse::<i64>().is_ok());
    (!text.is_empty() && !is_size).then_some("a whole number with the unit b, k, m or g, such as \"512m\"")
}

/// An option of security in docker: `name=value`, or `name:value` as before.
pub(super) fn security(text: &str) -> Option<&'static str> {
    (text != "no-new-privileges" && !text.contains(['=', ':'])).then_some("\"name=value\" or \"no-new-privileges\"")
}

/// A folder of the host with its place in the container.
pub(super) fn bind(text: &str) -> Option<&'static str> {
    (!text.contains(':')).then_some("\"source:destination\"")
}

/// A host with its address.
pub(super) fn extra_host(text: &str) -> Option<&'static str> {
    let is_pair = text.split_once(':').is_some_and(|(host, address)| !host.is_empty() && !address.is_empty());
    (!is_pair).then_some("\"host:address\"")
}

/// The namespace for the communication between processes in podman.
pub(super) fn podman_ipc_mode(text: &str) -> Option<&'static str> {
    let is_known = matches!(text, "" | "host" | "private" | "shareable" | "none")
        || ["container:", "ns:", "task:"].iter().any(|prefix| text.starts_with(prefix));
    (!is_known).then_some("host, private, shareable, none, container:ID, ns:PATH or task:NAME")
}

/// A namespace in docker that can be that of another container.
pub(super) fn docker_pid_mode(text: &str) -> Option<&'static str> {
    (!matches!(text, "" | "host") && !text.starts_with("container:")).then_some("host or container:NAME")
}

/// The namespace for the communication between processes in docker.
pub(super) fn docker_ipc_mode(text: &str) -> Option<&'static str> {
    let is_known = matches!(text, "" | "host" | "private" | "shareable" | "none") || text.starts_with("container:");
    (!is_known).then_some("host, private, shareable, none or container:NAME")
}

/// A capability of Linux, in any case and with or without its prefix.
pub(super) fn capability(text: &str) -> Option<&'static str> {
    /// Source: capabilities(7).
    const CAPABILITIES: [&str; 41] = [
        "audit_control",
        "audit_read",
        "audit_write",
        "block_suspend",
        "bpf",
        "checkpoint_restore",
        "chown",
        "dac_override",
        "dac_read_search",
        "fowner",
        "fsetid",
        "ipc_lock",
        "ipc_owner",
        "kill",
        "lease",
        "linux_immutable",
        "mac_admin",
        "mac_override",
        "mknod",
        "net_admin",
        "net_bind_service",
        "net_broadcast",
        "net_raw",
        "perfmon",
        "setfcap",
        "setgid",
        "setpcap",
        "setuid",
        "sys_admin",
        "sys_boot",
        "sys_chroot",
        "sys_module",
        "sys_nice",
        "sys_pacct",
        "sys_ptrace",
        "sys_rawio",
        "sys_resource",
        "sys_time",
        "sys_tty_config",
        "syslog",
        "wake_alarm",
    ];
    let small = text.trim().to_ascii_lowercase();
    let name = small.strip_prefix("cap_").unwrap_or(&small);
    (!name.is_empty() && name != "all" && !CAPABILITIES.contains(&name))
        .then_some("a capability of Linux such as \"net_bind_service\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_the_drivers() {
        type Form = fn(&str) -> Option<&'static str>;
        let cases: [(Form, &[&str], &[&str]); 13] = [
            (duration, &["", "5m", "1h30m", "1.5s"], &["5", "5 m", "5d"]),
            (address, &["", "10.0.0.1", "::1", "fe80::1%eth0"], &["10.0.0", "10.0.0.1/8", "host"]),
            (absolute_path, &["", "/a", "C:\\a"], &["a", "./a"]),
            (device_permissions, &["", "r", "rwm"], &["rx", "R"]),
            (resource_limit, &["1", "1:2", "-1"], &["", "a", "1:", ":1", "1:2:3"]),
            (memory_size, &["", "512m", "1g", "1b"], &["512", "m", "512M", "512MB", "1.5g"]),
            (security, &["no-new-privileges", "seccomp=unconfined", "label:disable"], &["", "seccomp"]),
            (bind, &["a:/b", "a:/b:ro", ":"], &["a", "/a", ""]),
            (extra_host, &["a:1.2.3.4", "a:::1"], &["a", ":1", "a:"]),
            (podman_ipc_mode, &["", "host", "ns:/x"], &["hosts", "container"]),
            (docker_pid_mode, &["", "host", "container:a"], &["private", "hos"]),
            (docker_ipc_mode, &["", "none", "container:a"], &["privat"]),
            (capability, &["NET_ADMIN", "cap_net_raw", "ALL", "CAP_SYS_TIME"], &["net_admn", "root"]),
        ];
        for (form, good, bad) in cases {
            for text in good {
                assert_eq!(form(text), None, "{text}");
            }
            for text in bad {
                assert!(form(text).is_some(), "{text}");
            }
        }
    }
}
