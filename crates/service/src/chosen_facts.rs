//! [`ChosenFacts`]: the facts that the hierarchy or the user chose to distinguish nodes, in contrast to facts that
//! merely differ, such as addresses.

use std::collections::BTreeSet;

use hieratic::sandbox::Files;

use crate::Service;
use crate::fleet::{Index, NodeId};
use crate::problem::Problem;

/// The facts about the role, the location and the system of a node.
const USUAL: [&str; 40] = [
    "role",
    "roles",
    "profile",
    "site",
    "location",
    "datacenter",
    "dc",
    "region",
    "zone",
    "rack",
    "country",
    "env",
    "environment",
    "agent_specified_environment",
    "stage",
    "tier",
    "cluster",
    "group",
    "app",
    "application",
    "service",
    "team",
    "owner",
    "customer",
    "tenant",
    "project",
    "product",
    "vendor",
    "kernel",
    "virtual",
    "is_virtual",
    "architecture",
    "osfamily",
    "operatingsystem",
    "operatingsystemrelease",
    "operatingsystemmajrelease",
    "lsbdistcodename",
    "productname",
    "domain",
    "type",
];

/// The facts below these names are chosen, too.
const USUAL_BELOW: [&str; 3] = ["os.", "extensions.", "pp_"];

/// The names that differ on every node: they explain no difference.
const NAMES: [&str; 5] = ["fqdn", "hostname", "certname", "clientcert", "networking."];

/// The largest configuration that is searched for facts, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The facts that people chose.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenFacts {
    /// The facts in the paths of the hierarchy, in their order.
    pub(crate) of_hierarchy: Vec<String>,
}

impl ChosenFacts {
    /// Reads the facts that the hierarchy of an environment interpolates.
    pub(crate) fn new(service: &Service, environment: &str) -> Result<ChosenFacts, Problem> {
        let (opened, _) = service.nodes.environments.get(environment)?;
        let root = &opened.environment.layers().environment.root;
        let file = root.join("hiera.yaml");
        let files: Files = Files::below([root]).with_largest(MAX_BYTES);
        // An environment without a configuration chooses no facts there.
        let text = files.read_text(&file).unwrap_or_default();
        Ok(ChosenFacts { of_hierarchy: facts_in(&text) })
    }

    /// Returns the facts of an index that people chose, with their values and nodes. A name has many values, and is judged once.
    pub(crate) fn select<'i>(&self, index: &'i Index) -> Vec<(&'i str, &'i str, &'i [NodeId])> {
        let mut last: Option<(&str, bool)> = None;
        let is_chosen = |(name, ..): &(&'i str, &str, &[NodeId])| match last {
            Some((known, is_chosen)) if known == *name => is_chosen,
            _ => {
                let is_chosen = self.is_chosen(name);
                last = Some((name, is_chosen));
                is_chosen
            }
        };
        index.facts().filter(is_chosen).collect()
    }

    /// Returns whether people chose a fact.
    pub(crate) fn is_chosen(&self, name: &str) -> bool {
        if NAMES.iter().any(|own| name == *own || own.ends_with('.') && name.starts_with(own)) {
            return false;
        }
        USUAL.contains(&name)
            || USUAL_BELOW.iter().any(|begin| name.starts_with(begin))
            || self.of_hierarchy.iter().any(|known| known == name)
    }
}

/// Returns the facts that a configuration interpolates, in their order, each once.
fn facts_in(text: &str) -> Vec<String> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for rest in text.split("%{").skip(1) {
        let Some((inside, _)) = rest.split_once('}') else { continue };
        let name = inside.trim().trim_matches('\'').trim_matches('"').trim_start_matches("::");
        let name = name.strip_prefix("facts.").or_else(|| name.strip_prefix("trusted.extensions.")).unwrap_or(name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let is_fact = !name.is_empty() && !name.starts_with("trusted.") && name.chars().all(is_name);
        if is_fact && !NAMES.contains(&name) && seen.insert(name.to_string()) {
            found.push(name.to_string());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_hierarchy_are_found_once() {
        let text = "path: 'nodes/%{trusted.certname}.yaml'\npaths: ['%{facts.role}/%{facts.os.family}', '%{::role}', '%{lookup(\"x\")}', '%{']";
        assert_eq!(facts_in(text), ["role", "os.family"]);
        assert_eq!(facts_in("%{trusted.extensions.pp_role} %{::fqdn}"), ["pp_role"]);
    }

    #[test]
    fn addresses_and_names_are_not_chosen() {
        let chosen = ChosenFacts { of_hierarchy: vec!["building".into(), "fqdn".into()] };
        for name in ["role", "os.family", "building", "site"] {
            assert!(chosen.is_chosen(name), "{name}");
        }
        for name in ["ipaddress", "networking.ip", "fqdn", "macaddress", "uptime", "uuid", "rolex"] {
            assert!(!chosen.is_chosen(name), "{name}");
        }
    }
}
