//! Completion of facts and other variables that every node has.

use std::collections::BTreeMap;

use hieratic::{Facts, Hash, Value};
use hieratic_lint::View;
use lsp_types::{CompletionItem, CompletionItemKind};

use crate::code::ruby_index::RubyIndex;
use crate::data::markdown::{self, short};
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
    let to_item = |(name, detail): (String, String)| CompletionItem {
        label: if path.is_empty() { name.clone() } else { format!("{path}.{name}") },
        kind: Some(CompletionItemKind::VARIABLE),
        detail: Some(detail),
        filter_text: Some(if path.is_empty() { name } else { format!("{path}.{name}") }),
        ..CompletionItem::default()
    };
    let keys: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
    below(snapshot, &keys).into_iter().filter(|(name, _)| name.starts_with(last)).map(to_item).collect()
}

/// Describes a fact: its value for the shown node, its documentation, and the modules that resolve it.
pub(crate) fn describe(snapshot: &Snapshot, view: Option<&View>, path: &[String]) -> Option<String> {
    let name = path.join(".");
    let docs = COMMON_FACTS.iter().find(|(known, _)| *known == name).map(|(_, docs)| (*docs).to_owned());
    let index = view.map(|view| RubyIndex::of(snapshot, view));
    let of_module = path.first().and_then(|first| index.as_ref()?.facts.get(first)).and_then(|all| all.first());
    let facts = snapshot.chosen.shown_facts();
    let value = facts.and_then(|facts| {
        let mut parts = path.iter();
        let first = facts.facts().get(parts.next()?.as_str())?;
        parts.try_fold(first, |value, part| value.as_hash()?.get(part.as_str()))
    });
    let mut text = format!("**{name}**");
    text.extend(docs.map(|docs| format!("\n\nFact: {docs}.")));
    if let Some(fact) = of_module {
        let docs = if fact.docs.is_empty() { String::new() } else { format!("{}\n\n", fact.docs) };
        text.push_str(&format!("\n\n{docs}Resolved in {}.", fact.file.display()));
    }
    if let Some(value) = value {
        let who = facts.and_then(Facts::node).unwrap_or("the node");
        text.push_str(&format!("\n\n{}\n\nFor the node {who}.", markdown::block(value)));
    } else if let Some(who) = facts.filter(|facts| !facts.facts().is_empty()).and_then(Facts::node) {
        text.push_str(&format!("\n\nNot set for the node {who}."));
    } else if of_module.is_none() && !COMMON_FACTS.iter().any(|(known, _)| known.starts_with(&name)) {
        return None;
    }
    Some(text)
}

/// Returns the members of the variable under a path of keys, with their values or documentation.
pub(crate) fn below(snapshot: &Snapshot, path: &[&str]) -> BTreeMap<String, String> {
    let pairs =
        |all: &[(&str, &str)]| all.iter().map(|(name, docs)| ((*name).to_owned(), (*docs).to_owned())).collect();
    match path.split_first() {
        None => {
            let mut roots: BTreeMap<String, String> = pairs(&ROOTS);
            if let Some(facts) = snapshot.chosen.shown_facts() {
                roots.extend(listed(facts.facts()));
            }
            roots
        }
        Some((&"trusted", [])) => pairs(&TRUSTED_FACTS),
        Some((&"facts", rest)) => fact_members(snapshot, rest),
        _ => match snapshot.chosen.shown_facts() {
            Some(_) => fact_members(snapshot, path),
            None => BTreeMap::new(),
        },
    }
}

fn fact_members(snapshot: &Snapshot, path: &[&str]) -> BTreeMap<String, String> {
    let known = snapshot.chosen.shown_facts().filter(|facts| !facts.facts().is_empty());
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
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    if path.is_empty() {
        let views =
            snapshot.roots.iter().filter_map(|root| root.analysis.as_ref()).flat_map(|analysis| &analysis.views);
        for (name, facts) in views.flat_map(|view| RubyIndex::of(snapshot, view).facts.clone()) {
            let docs = facts.first().and_then(|fact| fact.docs.lines().next()).unwrap_or("fact of a module");
            found.insert(name, docs.to_owned());
        }
    }
    let prefix: String = path.iter().map(|part| format!("{part}.")).collect();
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
