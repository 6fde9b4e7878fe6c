//! Ports that services, checks and names of variables refer to.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/runtime-environment-settings#network-related-variables>.

use hieratic_hcl_eval::Span;
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::{Data, Datum, Record};
use hieratic_value::collections::HashSet;

use super::names::words;
use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Prefixes of variables that end with the label of a port.
const PORT_PREFIXES: &[&str] = &[
    "NOMAD_ADDR_",
    "NOMAD_ALLOC_ADDR_",
    "NOMAD_ALLOC_INTERFACE_",
    "NOMAD_ALLOC_IP_",
    "NOMAD_ALLOC_PORT_",
    "NOMAD_HOST_ADDR_",
    "NOMAD_HOST_IP_",
    "NOMAD_HOST_PORT_",
    "NOMAD_IP_",
    "NOMAD_PORT_",
];

/// The prefix of ports that a server adds for Consul's mesh, in variables.
const MESH_PREFIX: &str = "connect_";

/// The prefix of their labels in services and checks.
const MESH_LABEL_PREFIX: &str = "connect-";

/// Reports ports that no network of the group has. Numbers are accepted, and so are references, which are resolved when
/// the job runs.
pub(super) fn check(job: &Job, group: &Block<'_>, found: &mut Vec<Finding>) {
    let mut labels: HashSet<String> = HashSet::default();
    for network in group.blocks("Networks") {
        labels.extend(labels_of(&network).map(str::to_owned));
    }
    for task in group.blocks("Tasks") {
        let resources = task.block("Resources");
        for network in resources.blocks("Networks") {
            labels.extend(labels_of(&network).map(str::to_owned));
        }
    }
    services(group, &labels, found);
    for task in group.blocks("Tasks") {
        services(&task, &labels, found);
        options(job, &task, &labels, found);
    }
    PortVariables::new(job, group, &labels).check(found);
}

fn labels_of<'a>(network: &Block<'a>) -> impl Iterator<Item = &'a str> {
    let ports = network.list("ReservedPorts").iter().chain(network.list("DynamicPorts"));
    ports.filter_map(|port| match &port.value {
        Data::Record(record) => record.text("Label").map(|label| &**label),
        _ => None,
    })
}

fn services(owner: &Block<'_>, labels: &HashSet<String>, found: &mut Vec<Finding>) {
    for service in owner.blocks("Services") {
        port(&service, labels, found);
        for check in service.blocks("Checks") {
            port(&check, labels, found);
        }
    }
}

fn port(block: &Block<'_>, labels: &HashSet<String>, found: &mut Vec<Finding>) {
    let label = block.text("PortLabel");
    let is_known =
        label.is_empty() || label.contains("${") || label.starts_with(MESH_LABEL_PREFIX) || labels.contains(label);
    if is_known || label.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    let field = block.at("PortLabel");
    found.push(remark(
        Rule::Port,
        format!("no network of the group has a port \"{label}\""),
        field.path(),
        field.range(),
    ));
}

/// The labels in the options `ports` and `port_map` of a driver.
fn options(job: &Job, task: &Block<'_>, labels: &HashSet<String>, found: &mut Vec<Finding>) {
    if !matches!(task.text("Driver"), "docker" | "podman" | "qemu") {
        return;
    }
    let config = task.at("Config");
    for (name, datum) in task.map("Config") {
        let labelled: Vec<(&str, &Datum)> = match (&**name, &datum.value) {
            ("ports", Data::List(items)) => items.iter().filter_map(|item| Some((text(item)?, item))).collect(),
            ("port_map", Data::List(items)) => items.iter().flat_map(keys).collect(),
            _ => continue,
        };
        for (label, used) in labelled {
            if labels.contains(label) || label.contains("${") {
                continue;
            }
            let near = near_label(label, labels);
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            let message = format!("no network of the group has a port \"{label}\"{near}");
            let path = format!("{}[\"{name}\"]", config.path());
            let place = job.place(used).or_else(|| job.place(datum)).or_else(|| config.range());
            found.push(remark(Rule::Port, message, path, place));
        }
    }
}

/// The number of labels of a group that are compared with a misspelled one: each misspelled label with each of them.
const MAX_LABELS: usize = 200;

/// The first label that is nearly the same.
fn near_label<'l>(label: &str, labels: &'l HashSet<String>) -> Option<&'l str> {
    if labels.len() > MAX_LABELS {
        return None;
    }
    let mut sorted: Vec<&str> = labels.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    hieratic_hcl_syntax::suggestion(label, sorted)
}

fn text(datum: &Datum) -> Option<&str> {
    match &datum.value {
        Data::Text(text) => Some(text),
        _ => None,
    }
}

fn keys(datum: &Datum) -> Vec<(&str, &Datum)> {
    match &datum.value {
        Data::Map(entries) => entries.iter().map(|(key, value)| (&**key, value)).collect(),
        _ => Vec::new(),
    }
}

/// The variables in whose names Nomad replaces the hyphens of a label. Others keep them.
const CLEANED_PREFIXES: [&str; 4] = ["NOMAD_ADDR_", "NOMAD_HOST_PORT_", "NOMAD_IP_", "NOMAD_PORT_"];

/// Names of variables in the strings of a group.
struct PortVariables<'a> {
    job: &'a Job,
    group: &'a Block<'a>,
    /// The labels, in the form of names of variables.
    labels: HashSet<String>,
    /// The names of the tasks, in that form.
    tasks: HashSet<String>,
    /// The reported labels: a string often contains all variables of a port.
    reported: HashSet<String>,
}

impl<'a> PortVariables<'a> {
    fn new(job: &'a Job, group: &'a Block<'a>, labels: &HashSet<String>) -> Self {
        let labels = labels.iter().map(|label| as_variable(label)).collect();
        let tasks = group.blocks("Tasks").map(|task| as_variable(task.text("Name"))).collect();
        Self { job, group, labels, tasks, reported: HashSet::default() }
    }

    /// Returns whether the end of a name is a label, or one after the name of a task: without a network of the group,
    /// each task sees the ports of the others under their names.
    fn knows(&self, suffix: &str) -> bool {
        let is_of_task = |(at, _): (usize, &str)| {
            let (task, label) = (&suffix[..at], &suffix[at + 1..]);
            self.labels.contains(label) && self.tasks.contains(task)
        };
        self.labels.contains(suffix) || suffix.match_indices('_').any(is_of_task)
    }

    fn check(&mut self, found: &mut Vec<Finding>) {
        let Some(record) = self.group.record() else { return };
        self.record(record, self.group.path().path(), found);
    }

    fn record(&mut self, record: &Record, path: String, found: &mut Vec<Finding>) {
        for (field, datum) in record.entries() {
            let path = format!("{path}.{}", field.name);
            self.datum(datum, None, &path, found);
        }
    }

    fn datum(&mut self, datum: &Datum, outer: Option<Span>, path: &str, found: &mut Vec<Finding>) {
        let place = datum.place.or(outer);
        match &datum.value {
            Data::Text(text) => self.text(text, place, path, found),
            Data::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.datum(item, place, &format!("{path}[{at}]"), found);
                }
            }
            Data::Map(entries) => {
                for (key, value) in entries {
                    self.datum(value, place, &format!("{path}[{}]", hieratic_hcl_types::quoted(key)), found);
                }
            }
            Data::Record(record) => self.record(record, path.to_owned(), found),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, place: Option<Span>, path: &str, found: &mut Vec<Finding>) {
        for name in words(text) {
            let beginning = PORT_PREFIXES.iter().find(|beginning| name.starts_with(**beginning));
            let Some((beginning, label)) = beginning.and_then(|known| Some((*known, name.strip_prefix(*known)?)))
            else {
                continue;
            };
            // Only the variables and the metadata of a task are filled in before the names lose their hyphens.
            let is_early = path.contains(".Env[") || path.contains(".Meta[");
            let is_exact = !label.contains('-') || is_early;
            let label = as_variable(label);
            if label.is_empty() || label.starts_with(MESH_PREFIX) {
                continue;
            }
            if self.knows(&label) {
                if !is_exact && CLEANED_PREFIXES.contains(&beginning) && self.reported.insert(label.clone()) {
                    let message = format!("there is no variable {name} here: Nomad writes _ in place of -");
                    let place = place.map(|place| self.job.range(place));
                    let mut finding = remark(Rule::Port, message, path.to_owned(), place);
                    finding.help = Some(format!("write {beginning}{label}"));
                    found.push(finding);
                }
                continue;
            }
            if self.reported.insert(label.clone()) {
                let near = near_label(&label, &self.labels);
                let near = near.map_or_else(String::new, |near| format!("; did you mean {beginning}{near}?"));
                let message =
                    format!("no network of the group has a port \"{label}\", as the variable {name} presumes{near}");
                let place = place.map(|place| self.job.range(place));
                found.push(remark(Rule::Port, message, path.to_owned(), place));
            }
        }
    }
}

/// The form of a label in the name of a variable.
fn as_variable(label: &str) -> String {
    label.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}
