//! The kind of a file, by its name and its content.

use hieratic_hcl1::{File, Item, Value};

use crate::kind::Kind;
use crate::notation::Shape;
use crate::rules::config_entry;

/// An item at the root.
struct Entry {
    name: String,
    labels: usize,
    is_object: bool,
    /// The value, if it is a string.
    text: Option<String>,
    inner: Vec<String>,
}

impl Kind {
    /// Returns the kind of a file, or `None` if it may belong to another program.
    pub fn recognize(path: &str, file: &File) -> Option<Kind> {
        let entries = entries(&file.items)?;
        let entries = entries.iter().map(|item| entry(file, item)).collect::<Option<Vec<Entry>>>()?;
        if entries.iter().any(is_kind_of_entry) && has_fields_of_entry(file, &entries) {
            return Some(Kind::ConsulConfigEntry);
        }
        if entries.is_empty() || entries.iter().any(is_foreign) {
            return None;
        }
        let path = path.to_ascii_lowercase();
        specification(&path, &entries)
            .or_else(|| policy(&path, &entries))
            .or_else(|| agent(&path, &entries))
            .or_else(|| is_of_services(&entries).then_some(Kind::ConsulAgent))
    }
}

/// The items that are looked at: all of them, unless there are very many.
fn entries(items: &[Item]) -> Option<&[Item]> {
    (items.len() <= 10_000).then_some(items)
}

fn entry(file: &File, item: &Item) -> Option<Entry> {
    // A name that cannot be read belongs to no kind.
    let name = |item: &Item| file.name(item.keys.first()?).ok();
    let object = match &item.value {
        Value::Object(object) => Some(object),
        Value::List(list) => list.values.iter().find_map(|value| match value {
            Value::Object(object) => Some(object),
            _ => None,
        }),
        Value::Literal(_) => None,
    };
    let inner = object.map(|object| object.items.iter().take(100).filter_map(name).collect());
    Some(Entry {
        name: name(item)?.to_ascii_lowercase(),
        labels: item.keys.len().saturating_sub(1),
        is_object: object.is_some(),
        text: match &item.value {
            // A string that cannot be read is reported by the check.
            Value::Literal(literal) => file.name(&literal.token).ok(),
            _ => None,
        },
        inner: inner.unwrap_or_default(),
    })
}

/// Whether an item names the kind of an entry of Consul's configuration. Other names of kinds belong to other programs.
fn is_kind_of_entry(entry: &Entry) -> bool {
    let has_kind = entry.name == "kind" && !entry.is_object && entry.labels == 0;
    has_kind && entry.text.as_deref().is_some_and(config_entry::is_near_kind)
}

/// Whether half of the items are those of an entry's kind. An entry whose kind is misspelled has a name.
fn has_fields_of_entry(file: &File, entries: &[Entry]) -> bool {
    let schema = Kind::ConsulConfigEntry.schema();
    let Some(root) = config_entry::root(file).and_then(|root| schema.get(&root)) else {
        return entries.iter().any(|entry| entry.name == "name" && !entry.is_object);
    };
    let is_known = |entry: &&Entry| root.fields.iter().any(|field| field.is_named(&entry.name, false));
    entries.iter().filter(is_known).count() * 2 > entries.len()
}

/// Whether only files of other programs have such an item at the root.
fn is_foreign(entry: &Entry) -> bool {
    let name = entry.name.as_str();
    let of_any = [
        "job",
        "terraform",
        "locals",
        "resource",
        "module",
        "provider",
        "output",
        "build",
        "packer",
        "include",
        "inputs",
        "remote_state",
        "dependency",
        "dependencies",
        "generate",
        "auto_auth",
        "template",
        "exec",
        "app",
        "project",
        "target",
        "group",
        "function",
        "variables",
        "moved",
        "data",
        "node_pool_spec",
        "dynamic_application_sizing",
        "policy_eval",
        "cache",
        "api_proxy",
        "env_template",
        "template_config",
        "strategy",
        "apm",
        "controller",
        "worker",
        "scheduler",
        "terragrunt_version_constraint",
        // consul-template and envconsul.
        "syslog",
        "deduplicate",
        "wait",
        "prefix",
        "secret",
    ];
    of_any.contains(&name) && entry.is_object || matches!(name, "variable" | "source") && entry.labels > 0
}

fn has(entries: &[Entry], name: &str, is_object: bool) -> bool {
    entries.iter().any(|entry| entry.name == name && entry.is_object == is_object)
}

/// A volume, a namespace, a quota or a variable.
fn specification(path: &str, entries: &[Entry]) -> Option<Kind> {
    let has_block = |name: &str| has(entries, name, true);
    let has_argument = |name: &str| has(entries, name, false);
    let knows = |kind: Kind| entries.iter().filter(|entry| is_known(kind, entry)).count() * 2 > entries.len();
    if has_block("limit") && (has_argument("name") || knows(Kind::NomadQuota)) {
        return Some(Kind::NomadQuota);
    }
    if has_block("items") && (has_argument("path") || knows(Kind::NomadVariable)) {
        return Some(Kind::NomadVariable);
    }
    let is_volume = has_block("capability") || has_argument("plugin_id") || has_argument("external_id");
    if is_volume && (has_argument("id") || has_argument("name")) {
        let given = entries.iter().find(|entry| entry.name == "type").and_then(|entry| entry.text.as_deref());
        let is_of_host = ["node_id", "node_pool", "host_path", "capacity"].iter().any(|name| has_argument(name));
        let is_host = match given {
            Some("host") => true,
            Some("csi") => false,
            _ => is_of_host || has_block("constraint"),
        };
        return Some(if is_host { Kind::HostVolume } else { Kind::CsiVolume });
    }
    let of_namespace = ["capabilities", "node_pool_config"].iter().any(|name| has_block(name));
    let is_namespace =
        of_namespace || path.contains("namespace") && (has_argument("description") || has_argument("quota"));
    (has_argument("name") && is_namespace && knows(Kind::NomadNamespace)).then_some(Kind::NomadNamespace)
}

fn policy(path: &str, entries: &[Entry]) -> Option<Kind> {
    let rules = |entry: &Entry| entry.inner.iter().any(|name| matches!(name.as_str(), "policy" | "capabilities"));
    if entries.iter().all(|entry| entry.name == "path" && entry.is_object || entry.name == "name") {
        return has(entries, "path", true).then_some(Kind::VaultPolicy);
    }
    let is_named = |name: &str, labels: bool| {
        entries.iter().any(|entry| entry.name == name && entry.is_object && (entry.labels > 0) == labels)
    };
    let nomad = ["namespace", "node_pool", "host_volume"].iter().any(|name| is_named(name, true))
        || ["agent", "node", "operator", "quota", "plugin", "sentinel"].iter().any(|name| {
            entries.iter().any(|entry| entry.name == *name && entry.is_object && entry.labels == 0 && rules(entry))
        });
    let of_consul = |entry: &Entry| {
        let is_prefix = entry.name.ends_with("_prefix") && entry.is_object;
        let is_rule =
            matches!(entry.name.as_str(), "agent" | "key" | "node" | "service" | "session" | "event" | "query");
        is_prefix
            || is_rule && entry.labels > 0 && rules(entry)
            || matches!(entry.name.as_str(), "operator" | "keyring" | "mesh" | "peering" | "acl") && !entry.is_object
    };
    let consul = entries.iter().filter(|entry| of_consul(entry)).count();
    let known = |kind: Kind| entries.iter().filter(|entry| is_known(kind, entry)).count();
    if consul > 0 && known(Kind::ConsulPolicy) * 2 > entries.len() {
        return Some(Kind::ConsulPolicy);
    }
    let has_rules = entries.iter().any(rules) || path.contains("policy") || path.contains("policies");
    (nomad && has_rules && known(Kind::NomadPolicy) * 2 > entries.len()).then_some(Kind::NomadPolicy)
}

/// Whether the root of a kind knows an entry, and writes it like this.
fn is_known(kind: Kind, entry: &Entry) -> bool {
    let root = kind.schema().get(kind.root());
    let field = root.and_then(|root| root.fields.iter().find(|field| field.name == entry.name));
    field.is_some_and(|field| match field.shape {
        Shape::Any => true,
        Shape::Map | Shape::Block(_) | Shape::Blocks(_) => entry.is_object && entry.labels == 0,
        Shape::Labelled(_) | Shape::Table(_) => entry.is_object,
        _ => !entry.is_object,
    })
}

/// Whether a file has nothing but services and checks, which agents of Consul read from their folder.
fn is_of_services(entries: &[Entry]) -> bool {
    let has = |entry: &Entry, names: &[&str]| entry.inner.iter().any(|name| names.contains(&name.as_str()));
    entries.iter().all(|entry| {
        let is_block = entry.is_object && entry.labels == 0;
        is_block
            && match entry.name.as_str() {
                "service" | "services" => {
                    has(entry, &["name"])
                        && has(
                            entry,
                            &["port", "check", "checks", "connect", "address", "id", "kind", "proxy", "socket_path"],
                        )
                }
                "check" | "checks" => has(entry, &["http", "tcp", "ttl", "args", "grpc", "udp", "script", "h2ping"]),
                _ => false,
            }
    })
}

/// Whether a block is one that only an agent of Nomad has: `server { enabled`.
fn is_server_or_client(entry: &Entry) -> bool {
    let is_named = matches!(entry.name.as_str(), "server" | "client") && entry.is_object && entry.labels == 0;
    is_named && entry.inner.iter().any(|name| name == "enabled")
}

/// The configuration of an agent. Some of its parts must be those of one program only.
fn agent(path: &str, entries: &[Entry]) -> Option<Kind> {
    let all = [
        (Kind::NomadAgent, "nomad", ["client", "server", "plugin", "advertise", "audit", "rpc"].as_slice(), true),
        (
            Kind::ConsulAgent,
            "consul",
            ["server", "client_addr", "node_name", "retry_join", "bootstrap_expect", "encrypt", "primary_datacenter"]
                .as_slice(),
            false,
        ),
        (
            Kind::VaultServer,
            "vault",
            ["listener", "storage", "seal", "backend", "service_registration"].as_slice(),
            true,
        ),
    ];
    let mut best: Option<(usize, Kind)> = None;
    for (kind, hint, marks, is_object) in all {
        let known = entries.iter().filter(|entry| is_known(kind, entry)).count();
        let has_mark = marks.iter().any(|mark| has(entries, mark, is_object));
        let is_hinted = path.contains(hint);
        let is_sure = kind == Kind::NomadAgent && entries.iter().any(is_server_or_client);
        if is_sure || (has_mark || is_hinted) && known * 2 > entries.len() {
            let score = known * 4 + usize::from(is_hinted) * 3 + usize::from(has_mark) * 2;
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, kind));
            }
        }
    }
    best.map(|(_, kind)| kind)
}
