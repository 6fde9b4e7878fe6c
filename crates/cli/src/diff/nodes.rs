//! The compared nodes, with their facts on both sides.

use std::collections::BTreeMap;

use hieratic::{Environment, Error, Facts, Settings, Value};
use hieratic_impact::Subject;
use hieratic_report::{Nodes, Sides};

use super::DiffArguments;
use crate::fleet::{Fleet, nodes_of_files};
use crate::report::Reporter;

/// The nodes that the flags select; by default those that the hierarchies of either side of any environment describe.
pub(super) fn subjects(
    arguments: &DiffArguments,
    sides: &[&Sides],
    head: &Environment,
    reporter: &Reporter,
) -> Result<Nodes, Error> {
    let place = &arguments.place;
    let limits = arguments.limits.limits();
    let settings: Vec<Settings> = sides.iter().flat_map(|sides| sides.both_settings(limits)).collect();
    let Fleet { nodes, are_derived: are_synthetic } = Fleet::load(&arguments.fleet, place, &settings, head, reporter)?;
    let mut before: BTreeMap<String, Facts> = BTreeMap::new();
    if !arguments.base_facts.is_empty() {
        for facts in nodes_of_files(place, &arguments.base_facts, reporter)? {
            before.insert(facts.node().unwrap_or_default().to_owned(), facts);
        }
    }
    let is_other = |one: &Facts, other: &Facts| Value::from(one.facts().clone()) != Value::from(other.facts().clone());
    let subject = |now: Facts| {
        let name = now.node().unwrap_or_default().to_owned();
        match before.remove(&name) {
            Some(base) if is_other(&base, &now) => Subject { name, base, head: Some(now) },
            _ => Subject { name, base: now, head: None },
        }
    };
    Ok(Nodes { subjects: nodes.into_iter().map(subject).collect(), are_synthetic })
}
