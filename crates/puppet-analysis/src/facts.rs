//! The structure of facts that every node has.

use hieratic_puppet_syntax::ast::{Expr, Node, Variable};

use crate::names::{is_one_edit, plain, written_name};

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

/// The structured fact with this member that a name is a misspelling of.
pub(crate) fn near_fact_with(name: &str, member: &str) -> Option<&'static str> {
    let is_near = |fact: &str| !fact.contains('.') && is_one_edit(name.as_bytes(), fact.as_bytes());
    MEMBERS.iter().find(|(fact, members)| is_near(fact) && members.contains(&member)).map(|(fact, _)| *fact)
}

/// The facts of every node.
pub(crate) fn common_facts() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().map(|(fact, _)| *fact).chain(TYPES.iter().map(|(fact, _)| *fact)).filter(|fact| !fact.contains('.'))
}

/// The types of facts that have the same type on every node that has them.
const TYPES: &[(&str, &str)] = &[
    ("facterversion", "String"),
    ("fips_enabled", "Boolean"),
    ("is_virtual", "Boolean"),
    ("kernel", "String"),
    ("kernelmajversion", "String"),
    ("kernelrelease", "String"),
    ("kernelversion", "String"),
    ("memory.system.total", "String"),
    ("memory.system.total_bytes", "Integer"),
    ("networking.domain", "String"),
    ("networking.fqdn", "String"),
    ("networking.hostname", "String"),
    ("networking.ip", "String"),
    ("networking.ip6", "String"),
    ("networking.mac", "String"),
    ("networking.mtu", "Integer"),
    ("networking.netmask", "String"),
    ("networking.network", "String"),
    ("networking.primary", "String"),
    ("os.architecture", "String"),
    ("os.distro.codename", "String"),
    ("os.distro.id", "String"),
    ("os.distro.release.full", "String"),
    ("os.distro.release.major", "String"),
    ("os.family", "String"),
    ("os.hardware", "String"),
    ("os.name", "String"),
    ("os.release.full", "String"),
    ("os.release.major", "String"),
    ("os.release.minor", "String"),
    ("os.selinux.enabled", "Boolean"),
    ("processors.count", "Integer"),
    ("processors.physicalcount", "Integer"),
    ("puppetversion", "String"),
    ("ruby.version", "String"),
    ("system_uptime.days", "Integer"),
    ("system_uptime.hours", "Integer"),
    ("system_uptime.seconds", "Integer"),
    ("timezone", "String"),
    ("virtual", "String"),
];

/// The type of a fact that an expression names.
pub(crate) fn fact_type(expr: &Expr) -> Option<&'static str> {
    let path = fact_path(expr)?;
    TYPES.binary_search_by(|(name, _)| (*name).cmp(&*path)).ok().map(|at| TYPES[at].1)
}

/// The name with dots of `$facts['os']['release']`.
pub(crate) fn fact_path(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Access { left, keys } => {
            let [key] = &keys[..] else { return None };
            let name = written_name(key)?;
            match &left.node {
                Node::Variable(Variable::Local(root)) if &**root == "facts" => Some(name.to_string()),
                Node::Variable(Variable::Qualified(root)) if plain(root) == "facts" => Some(name.to_string()),
                _ => Some(format!("{}.{name}", fact_path(left)?)),
            }
        }
        _ => None,
    }
}

/// The members of `$trusted`.
pub(crate) const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
/// The members of `$server_facts`.
pub(crate) const SERVER_FACTS: [&str; 5] = ["environment", "serverip", "serverip6", "servername", "serverversion"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_sorted() {
        assert!(TYPES.is_sorted());
    }
}
