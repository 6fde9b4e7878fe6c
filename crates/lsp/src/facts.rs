//! Facts and other variables that every node has, as completions.

use std::collections::BTreeMap;

use hieratic::{Hash, Value};
use lsp_types::{CompletionItem, CompletionItemKind};

use crate::data::markdown::short;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The facts of Facter that most nodes have, with their documentation. They are proposed if the facts of no chosen node
/// are known.
const COMMON_FACTS: [(&str, &str); 40] = [
    ("os.name", "the operating system: Debian, RedHat"),
    ("os.family", "the family of the operating system"),
    ("os.release.major", "the major version of the operating system"),
    ("os.release.full", "the version of the operating system"),
    ("os.architecture", "the architecture: amd64, x86_64"),
    ("os.distro.codename", "the code name of the distribution"),
    ("os.distro.id", "the name of the distribution"),
    ("os.selinux.enabled", "whether SELinux is enabled"),
    ("networking.fqdn", "the full name of the machine"),
    ("networking.hostname", "the name of the machine without its domain"),
    ("networking.domain", "the domain of the machine"),
    ("networking.ip", "the address of the primary interface"),
    ("networking.ip6", "the IPv6 address of the primary interface"),
    ("networking.mac", "the hardware address of the primary interface"),
    ("networking.netmask", "the mask of the primary interface"),
    ("networking.network", "the network of the primary interface"),
    ("networking.primary", "the name of the primary interface"),
    ("networking.interfaces", "all interfaces"),
    ("processors.count", "the number of logical processors"),
    ("processors.physicalcount", "the number of processors"),
    ("processors.models", "the models of the processors"),
    ("memory.system.total", "the memory of the machine"),
    ("memory.system.total_bytes", "the memory of the machine in bytes"),
    ("memory.swap.total", "the swap space of the machine"),
    ("dmi.manufacturer", "the maker of the machine"),
    ("dmi.product.name", "the model of the machine"),
    ("dmi.product.serial_number", "the serial number of the machine"),
    ("dmi.bios.version", "the version of the firmware"),
    ("kernel", "the kernel: Linux, windows"),
    ("kernelrelease", "the release of the kernel"),
    ("kernelversion", "the version of the kernel"),
    ("kernelmajversion", "the major version of the kernel"),
    ("virtual", "the virtualization of the machine, or physical"),
    ("is_virtual", "whether the machine is virtual"),
    ("timezone", "the time zone"),
    ("ruby.version", "the version of Ruby"),
    ("facterversion", "the version of Facter"),
    ("mountpoints", "the mounted file systems"),
    ("disks", "the disks"),
    ("system_uptime.seconds", "how long the machine has been running, in seconds"),
];

/// The trusted facts, with their documentation.
const TRUSTED_FACTS: [(&str, &str); 6] = [
    ("authenticated", "how the request was authenticated: remote, local"),
    ("certname", "the name of the node's certificate"),
    ("domain", "the domain of the certificate's name"),
    ("extensions", "the extensions of the certificate"),
    ("external", "data of a command of the server"),
    ("hostname", "the first part of the certificate's name"),
];

/// The variables under which all of this is found.
const ROOTS: [(&str, &str); 4] = [
    ("facts", "the facts of the node"),
    ("trusted", "data of the node's certificate"),
    ("server_facts", "facts that the server adds"),
    ("environment", "the name of the environment"),
];

/// Completes variables and their members after typed text with dots, as in interpolations: `facts.os.na`.
pub(crate) fn members(snapshot: &Snapshot, document: &Document, typed: &str) -> Vec<CompletionItem> {
    let _ = document;
    let (path, last) = typed.rsplit_once('.').map_or(("", typed), |(path, last)| (path, last));
    let made = |(name, detail): (String, String)| CompletionItem {
        label: if path.is_empty() { name.clone() } else { format!("{path}.{name}") },
        kind: Some(CompletionItemKind::VARIABLE),
        detail: Some(detail),
        filter_text: Some(if path.is_empty() { name } else { format!("{path}.{name}") }),
        ..CompletionItem::default()
    };
    let keys: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
    below(snapshot, &keys).into_iter().filter(|(name, _)| name.starts_with(last)).map(made).collect()
}

/// Returns the members of the variable under a path of keys, with their values or documentation.
pub(crate) fn below(snapshot: &Snapshot, path: &[&str]) -> BTreeMap<String, String> {
    let pairs =
        |all: &[(&str, &str)]| all.iter().map(|(name, docs)| ((*name).to_owned(), (*docs).to_owned())).collect();
    match path.split_first() {
        None => {
            let mut roots: BTreeMap<String, String> = pairs(&ROOTS);
            if let Some(facts) = &snapshot.chosen.facts {
                roots.extend(listed(facts.facts()));
            }
            roots
        }
        Some((&"trusted", [])) => pairs(&TRUSTED_FACTS),
        Some((&"facts", rest)) => fact_members(snapshot, rest),
        _ => match &snapshot.chosen.facts {
            Some(_) => fact_members(snapshot, path),
            None => BTreeMap::new(),
        },
    }
}

fn fact_members(snapshot: &Snapshot, path: &[&str]) -> BTreeMap<String, String> {
    let known = snapshot.chosen.facts.as_ref().filter(|facts| !facts.facts().is_empty());
    if let Some(facts) = known {
        let mut hash = facts.facts();
        for part in path {
            match hash.get(part).and_then(Value::as_hash) {
                Some(inner) => hash = inner,
                None => return BTreeMap::new(),
            }
        }
        return listed(hash);
    }
    let prefix: String = path.iter().map(|part| format!("{part}.")).collect();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, docs) in COMMON_FACTS.iter().filter_map(|(name, docs)| Some((name.strip_prefix(&*prefix)?, docs))) {
        match name.split_once('.') {
            None => found.insert(name.to_owned(), (*docs).to_owned()),
            Some((first, _)) => {
                Some(found.entry(first.to_owned()).or_insert_with(|| "structured fact".to_owned()).clone())
            }
        };
    }
    found
}

fn listed(hash: &Hash) -> BTreeMap<String, String> {
    let pairs = hash.iter().filter_map(|(name, value)| Some((name.as_str()?.to_owned(), short(value))));
    pairs.collect()
}
