//! The kind of a file, by its name and its content.

use hieratic_hcl1::{File, Item, Value};

use crate::kind::Kind;
use crate::notation::Shape;
use crate::rules::config_entry;

/// An item at the root of a file.
#[derive(Clone, Debug)]
pub struct RootItem {
    /// The name in small letters.
    pub name: String,
    /// The number of labels.
    pub labels: usize,
    /// Whether it is a block, an object, or a list of objects.
    pub is_object: bool,
    /// The value, if it is a string.
    pub text: Option<String>,
    /// The names in a block.
    pub inner: Vec<String>,
}

impl Kind {
    /// Returns the kind of a file, or `None` if it may belong to another program.
    pub fn recognize(path: &str, file: &File) -> Option<Kind> {
        let entries = entries(&file.items).iter().map(|item| entry(file, item)).collect::<Option<Vec<RootItem>>>()?;
        if entries.iter().any(is_kind_of_entry) && has_fields_of_entry(file, &entries) {
            return Some(Kind::ConsulConfigEntry);
        }
        let is_open = !path.to_ascii_lowercase().ends_with(".json");
        let is_certain = |kind: &Kind| KINDS_OF_JSON.contains(kind) && is_of_kind(path, *kind, &entries);
        Kind::of_items(path, &entries).filter(|kind| is_open || is_certain(kind))
    }

    /// Returns the kind of a file by the items at its root, for files that HCL1 cannot read.
    pub fn of_items(path: &str, entries: &[RootItem]) -> Option<Kind> {
        // An agent of Vault has no storage.
        let has_storage = ["storage", "backend"].iter().any(|name| has(entries, name, true));
        let is_foreign = |entry: &RootItem| is_foreign(entry) && !(entry.name == "cache" && has_storage);
        if entries.is_empty() || entries.iter().any(is_foreign) {
            return None;
        }
        let path = path.to_ascii_lowercase();
        // It has plugins, too.
        if path.contains("tflint") {
            return None;
        }
        specification(&path, entries)
            .or_else(|| policy(&path, entries))
            .or_else(|| agent(&path, entries))
            .or_else(|| is_of_services(entries).then_some(Kind::ConsulAgent))
    }
}

/// The kinds that documents with the extension of JSON may have. A document of another kind may belong to any program.
const KINDS_OF_JSON: [Kind; 8] = [
    Kind::NomadAgent,
    Kind::NomadPolicy,
    Kind::CsiVolume,
    Kind::HostVolume,
    Kind::ConsulAgent,
    Kind::ConsulPolicy,
    Kind::VaultServer,
    Kind::VaultPolicy,
];

/// Returns whether something besides its path marks a document of JSON as one of a kind.
fn is_of_kind(path: &str, kind: Kind, entries: &[RootItem]) -> bool {
    // Packages and schemas have these. Of the agents, only Nomad's has a name.
    let is_foreign = |entry: &RootItem| {
        matches!(entry.name.as_str(), "$schema" | "dependencies" | "scripts" | "version")
            || entry.name == "name" && kind != Kind::NomadAgent
    };
    match AGENTS.iter().find(|agent| agent.kind == kind) {
        Some(_) if entries.iter().any(is_foreign) => false,
        Some(_) if kind == Kind::ConsulAgent && is_of_services(entries) => true,
        Some(agent) => {
            let is_named = path.to_ascii_lowercase().contains(agent.hint) && agent.count_known(entries) > 1;
            // Names such as `server` and `client` occur anywhere.
            let is_certain = match kind {
                Kind::NomadAgent => has(entries, "data_dir", false),
                Kind::VaultServer => has(entries, "listener", true) && has(entries, "storage", true),
                _ => agent.count_known(entries) > 2,
            };
            agent.is_marked(entries) && (is_named || is_certain)
        }
        None => true,
    }
}

/// The items that are looked at. The first of very many tell the kind.
fn entries(items: &[Item]) -> &[Item] {
    items.get(..10_000).unwrap_or(items)
}

fn entry(file: &File, item: &Item) -> Option<RootItem> {
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
    Some(RootItem {
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
fn is_kind_of_entry(entry: &RootItem) -> bool {
    let has_kind = entry.name == "kind" && !entry.is_object && entry.labels == 0;
    has_kind && entry.text.as_deref().is_some_and(config_entry::is_near_kind)
}

/// Whether half of the items are those of an entry's kind. An entry whose kind is misspelled has a name.
fn has_fields_of_entry(file: &File, entries: &[RootItem]) -> bool {
    let schema = Kind::ConsulConfigEntry.schema();
    let Some(root) = config_entry::root(file).and_then(|root| schema.get(&root)) else {
        return entries.iter().any(|entry| entry.name == "name" && !entry.is_object);
    };
    let is_known = |entry: &&RootItem| root.fields.iter().any(|field| field.is_named(&entry.name, false));
    entries.iter().filter(is_known).count() * 2 > entries.len()
}

/// Whether only files of other programs have such an item at the root.
fn is_foreign(entry: &RootItem) -> bool {
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

fn has(entries: &[RootItem], name: &str, is_object: bool) -> bool {
    entries.iter().any(|entry| entry.name == name && entry.is_object == is_object)
}

/// A volume, a namespace, a quota or a variable.
fn specification(path: &str, entries: &[RootItem]) -> Option<Kind> {
    let has_block = |name: &str| has(entries, name, true);
    let has_argument = |name: &str| has(entries, name, false);
    let knows = |kind: Kind| entries.iter().filter(|entry| is_known(kind, entry)).count() * 2 > entries.len();
    if has_block("limit") && (has_argument("name") || knows(Kind::NomadQuota)) {
        return Some(Kind::NomadQuota);
    }
    if has_block("items") && (has_argument("path") || path.contains(".nv.") || knows(Kind::NomadVariable)) {
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

fn policy(path: &str, entries: &[RootItem]) -> Option<Kind> {
    let rules = |entry: &RootItem| entry.inner.iter().any(|name| matches!(name.as_str(), "policy" | "capabilities"));
    if entries.iter().all(|entry| entry.name == "path" && entry.is_object || entry.name == "name") {
        return has(entries, "path", true).then_some(Kind::VaultPolicy);
    }
    let is_named = |name: &str, labels: bool| {
        entries.iter().any(|entry| entry.name == name && entry.is_object && (entry.labels > 0) == labels)
    };
    let has_rules_in = |name: &str| entries.iter().any(|entry| entry.name == name && rules(entry));
    let nomad = ["namespace", "node_pool", "host_volume"].iter().any(|name| is_named(name, true) || has_rules_in(name))
        || ["agent", "node", "operator", "quota", "plugin", "sentinel"].iter().any(|name| {
            entries.iter().any(|entry| entry.name == *name && entry.is_object && entry.labels == 0 && rules(entry))
        });
    let of_consul = |entry: &RootItem| {
        let is_prefix = entry.name.ends_with("_prefix") && entry.is_object;
        let is_rule =
            matches!(entry.name.as_str(), "agent" | "key" | "node" | "service" | "session" | "event" | "query");
        is_prefix
            || is_rule && entry.labels > 0 && rules(entry)
            || matches!(entry.name.as_str(), "operator" | "keyring" | "mesh" | "peering" | "acl") && !entry.is_object
    };
    let consul = entries.iter().filter(|entry| of_consul(entry)).count();
    let known = |kind: Kind| entries.iter().filter(|entry| is_known(kind, entry)).count();
    let is_half = |kind: Kind| known(kind) * 2 >= entries.len();
    if consul > 0 && (known(Kind::ConsulPolicy) * 2 > entries.len() || !nomad && is_half(Kind::ConsulPolicy)) {
        return Some(Kind::ConsulPolicy);
    }
    let has_rules = entries.iter().any(rules) || path.contains("policy") || path.contains("policies");
    (nomad && has_rules && is_half(Kind::NomadPolicy)).then_some(Kind::NomadPolicy)
}

/// Whether the root of a kind knows an entry, and writes it like this.
fn is_known(kind: Kind, entry: &RootItem) -> bool {
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
fn is_of_services(entries: &[RootItem]) -> bool {
    let has = |entry: &RootItem, names: &[&str]| entry.inner.iter().any(|name| names.contains(&name.as_str()));
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
fn is_server_or_client(entry: &RootItem) -> bool {
    let is_named = matches!(entry.name.as_str(), "server" | "client") && entry.is_object && entry.labels == 0;
    is_named && entry.inner.iter().any(|name| name == "enabled")
}

/// The configuration of an agent. Some of its parts must be those of one program only.
/// The arguments or blocks that mark the configuration of a program's agent.
struct AgentMarks {
    kind: Kind,
    /// The part of a path that names the program.
    hint: &'static str,
    marks: &'static [&'static str],
    /// Whether the marks are blocks.
    is_object: bool,
}

const AGENTS: [AgentMarks; 3] = [
    AgentMarks {
        kind: Kind::NomadAgent,
        hint: "nomad",
        marks: &["client", "server", "plugin", "advertise", "audit", "rpc"],
        is_object: true,
    },
    AgentMarks {
        kind: Kind::ConsulAgent,
        hint: "consul",
        marks: &[
            "server",
            "client_addr",
            "node_name",
            "retry_join",
            "bootstrap_expect",
            "encrypt",
            "primary_datacenter",
        ],
        is_object: false,
    },
    AgentMarks {
        kind: Kind::VaultServer,
        hint: "vault",
        marks: &["listener", "storage", "seal", "backend", "service_registration"],
        is_object: true,
    },
];

impl AgentMarks {
    fn is_marked(&self, entries: &[RootItem]) -> bool {
        self.marks.iter().any(|mark| has(entries, mark, self.is_object))
    }

    fn count_known(&self, entries: &[RootItem]) -> usize {
        entries.iter().filter(|entry| is_known(self.kind, entry)).count()
    }
}

fn agent(path: &str, entries: &[RootItem]) -> Option<Kind> {
    let mut best: Option<(usize, Kind)> = None;
    for agent in &AGENTS {
        let known = agent.count_known(entries);
        let has_mark = agent.is_marked(entries);
        let is_hinted = path.contains(agent.hint);
        let is_sure = agent.kind == Kind::NomadAgent && entries.iter().any(is_server_or_client);
        if is_sure || (has_mark || is_hinted) && known * 2 > entries.len() {
            let score = known * 4 + usize::from(is_hinted) * 3 + usize::from(has_mark) * 2;
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, agent.kind));
            }
        }
    }
    best.map(|(_, kind)| kind)
}
