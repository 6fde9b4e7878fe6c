//! Networks of a group and their ports.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/network>.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::{HashMap, HashSet};

use crate::block::Block;
use crate::domains;
use crate::report::Report;

/// The greatest number of a port.
const MAX_PORT: i64 = 65_535;

/// The used ports, by the network of their node.
#[derive(Default)]
struct UsedPorts {
    labels: HashSet<String>,
    numbers: HashMap<(String, i64), String>,
}

/// The ports of a network: first those with a number, then those whose number the scheduler chooses.
pub(super) fn ports<'b>(network: &'b Block<'b>) -> impl Iterator<Item = Block<'b>> {
    network.blocks("ReservedPorts").chain(network.blocks("DynamicPorts"))
}

/// Checks the networks of a group and those of its tasks.
pub(super) fn check(group: &Block<'_>, report: &mut Report) {
    let mut used_ports = UsedPorts::default();
    let mut arguments = HashSet::default();
    for network in group.blocks("Networks") {
        for port in ports(&network) {
            used_ports.take_label(&port, true, report);
            let owner = || format!("taskgroup network:{}", port.text("Label"));
            used_ports.take_number(&port, port.flag("IgnoreCollision"), owner, report);
            mapping(&network, &port, report);
        }
        plugin_arguments(&network, &mut arguments, report);
        let host = network.text("Hostname");
        if !host.is_empty() && !host.contains("${") && !domains::is_name(host) {
            report.add(network.at("Hostname"), "Hostname is not a valid DNS name");
        }
    }
    for task in group.blocks("Tasks") {
        let resources = task.block("Resources");
        for network in resources.blocks("Networks") {
            for port in ports(&network) {
                used_ports.take_label(&port, false, report);
                let owner = || format!("{}:{}", task.text("Name"), port.text("Label"));
                used_ports.take_number(&port, false, owner, report);
            }
        }
    }
}

impl UsedPorts {
    /// Only labels of the group's networks are reserved; those of tasks must differ from them.
    fn take_label(&mut self, port: &Block<'_>, of_group: bool, report: &mut Report) {
        let label = port.text("Label");
        if self.labels.contains(label) {
            report.add(port.path(), format!("Port label {label} already in use by taskgroup network"));
        } else if of_group {
            self.labels.insert(label.to_owned());
        }
    }

    fn take_number(
        &mut self,
        port: &Block<'_>,
        may_collide: bool,
        owner: impl FnOnce() -> String,
        report: &mut Report,
    ) {
        let number = port.number("Value");
        if number == 0 {
            return;
        }
        let network = port.filled_text("HostNetwork").unwrap_or("default");
        let key = (network.to_owned(), number);
        if let Some(other) = self.numbers.get(&key) {
            if !may_collide {
                report.add(port.at("Value"), format!("Static port {number} already reserved by {other}"));
            }
        } else if number > MAX_PORT {
            let message = format!("Port {} ({number}) cannot be greater than {MAX_PORT}", port.text("Label"));
            report.add(port.at("Value"), message);
        } else {
            self.numbers.insert(key, owner());
        }
    }
}

/// Checks the target that a port of the group is mapped to.
fn mapping(network: &Block<'_>, port: &Block<'_>, report: &mut Report) {
    let to = port.number("To");
    let label = || quoted(port.text("Label"));
    if to < -1 {
        report.add(port.at("To"), format!("Port {} cannot be mapped to negative value {to}", label()));
    } else if to > MAX_PORT {
        let message = format!("Port {} cannot be mapped to a port ({to}) greater than {MAX_PORT}", label());
        report.add(port.at("To"), message);
    }
    let mode = network.text("Mode");
    if port.flag("IgnoreCollision") && !matches!(mode, "" | "host") {
        let message =
            format!("Port {} collision may not be ignored on non-host network mode {}", label(), quoted(mode));
        report.add(port.at("IgnoreCollision"), message);
    }
}

/// The arguments for the network's plugin are passed on as one string, separated by semicolons.
fn plugin_arguments(network: &Block<'_>, known: &mut HashSet<String>, report: &mut Report) {
    let block = network.block("CNI");
    for (key, value) in block.text_map("Args") {
        if !known.insert(key.to_owned()) {
            report.add(block.at("Args"), format!("duplicate CNI arg {}", quoted(key)));
        }
        for (subject, text) in [("key", key), ("value", value)] {
            if text.contains(';') {
                report.add(block.at("Args"), format!("invalid ';' character in CNI arg {subject} {}", quoted(text)));
            }
        }
    }
}
