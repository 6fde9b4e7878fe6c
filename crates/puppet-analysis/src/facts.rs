//! The structure of facts that every node has.

/// The members of structured facts, for those whose members are the same on every node. A member that some nodes lack is among
/// them.
const MEMBERS: &[(&str, &[&str])] = &[
    ("os", &["architecture", "distro", "family", "hardware", "macosx", "name", "release", "selinux", "windows"]),
    ("os.release", &["branch", "full", "major", "minor", "patch", "patchlevel", "update"]),
    ("os.distro", &["codename", "description", "id", "release", "specification"]),
    ("os.distro.release", &["full", "major", "minor"]),
    ("os.selinux", &["config_mode", "config_policy", "current_mode", "enabled", "enforced", "policy_version"]),
    (
        "networking",
        &[
            "dhcp",
            "domain",
            "fqdn",
            "hostname",
            "interfaces",
            "ip",
            "ip6",
            "mac",
            "mtu",
            "netmask",
            "netmask6",
            "network",
            "network6",
            "primary",
            "scope6",
        ],
    ),
    ("processors", &["cores", "count", "extensions", "isa", "models", "physicalcount", "speed", "threads"]),
    ("memory", &["swap", "system"]),
    ("identity", &["gid", "group", "privileged", "uid", "user"]),
    ("system_uptime", &["days", "hours", "seconds", "uptime"]),
    ("load_averages", &["1m", "15m", "5m"]),
    ("ruby", &["platform", "sitedir", "version"]),
];

/// The members of a structured fact whose name is written with dots; `None` if they differ between nodes.
pub(crate) fn members(fact: &str) -> Option<&'static [&'static str]> {
    MEMBERS.iter().find(|(known, _)| *known == fact).map(|(_, members)| *members)
}

/// The members of `$trusted`.
pub(crate) const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
/// The members of `$server_facts`.
pub(crate) const SERVER_FACTS: [&str; 5] = ["environment", "serverip", "serverip6", "servername", "serverversion"];
