//! [`Description`]: the nodes that a change affects, described by their facts.

use std::collections::BTreeMap;

use hieratic::value::ErasedSort as _;
use hieratic::value::{Hash, Value};

/// A description of a set of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Description {
    /// All nodes.
    All,
    /// The nodes with these values of facts, and no others.
    Where(Vec<(String, String)>),
    /// Nodes that a few facts cannot describe. They are listed by name.
    Named,
}

/// The facts that distinguish nodes, with the value of each node.
#[derive(Debug, Default)]
pub struct DistinguishingFacts {
    nodes: usize,
    /// By fact: the value of each node.
    values: BTreeMap<String, Vec<Option<String>>>,
}

/// The largest number of nodes of which all facts are used. For more nodes, only facts that hierarchies interpolate are
/// used.
const FEW: usize = 1000;
/// The most facts that are used.
const MOST_FACTS: usize = 500;
/// The most facts of a description.
const LONGEST: usize = 3;

impl DistinguishingFacts {
    /// Indexes the facts of nodes. The facts in `named`, such as `facts.os.family` or `role`, take precedence.
    pub fn new(nodes: &[&Hash], named: &[String]) -> DistinguishingFacts {
        let mut values: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
        for name in named {
            let name = name.trim_start_matches("::");
            let name = name.strip_prefix("facts.").unwrap_or(name);
            let of = |facts: &&Hash| dug(facts, name).and_then(text);
            values.insert(name.to_owned(), nodes.iter().map(of).collect());
        }
        if nodes.len() <= FEW {
            for (index, facts) in nodes.iter().enumerate() {
                for (name, value) in facts.iter().filter_map(|(name, value)| Some((name.as_str()?, value))) {
                    add(name, value, index, nodes.len(), 0, &mut values);
                }
            }
        }
        // A fact with one value on all nodes, or on none, distinguishes nothing.
        values.retain(|_, values| values.iter().any(|value| *value != values[0]));
        DistinguishingFacts { nodes: nodes.len(), values }
    }

    /// Returns the shortest description that fits exactly these nodes. `nodes` must be sorted and not empty.
    pub fn describe(&self, nodes: &[usize]) -> Description {
        if nodes.len() == self.nodes {
            return Description::All;
        }
        let Some(first) = nodes.first() else { return Description::Named };
        // The facts that these nodes have in common, each with all nodes that have that value.
        let mut shared: Vec<(&String, &String, Vec<usize>)> = Vec::new();
        for (name, values) in &self.values {
            let Some(value) = values.get(*first).and_then(Option::as_ref) else { continue };
            if nodes.iter().all(|node| values.get(*node).and_then(Option::as_ref) == Some(value)) {
                let all = (0..self.nodes).filter(|node| values[*node].as_ref() == Some(value)).collect();
                shared.push((name, value, all));
            }
        }
        shared.sort_erased_by_key(|(name, _, all)| (all.len(), name.matches('.').count(), name.len()));
        let Some((_, _, fewest)) = shared.first() else { return Description::Named };
        let mut rest = fewest.clone();
        let mut chosen = vec![0];
        while rest.len() > nodes.len() && chosen.len() < LONGEST {
            let left = |index: &usize| {
                let all = &shared[*index].2;
                rest.iter().filter(|node| all.binary_search(node).is_ok()).count()
            };
            let Some(best) = (1..shared.len()).filter(|index| !chosen.contains(index)).min_by_key(left) else { break };
            if left(&best) == rest.len() {
                break;
            }
            rest.retain(|node| shared[best].2.binary_search(node).is_ok());
            chosen.push(best);
        }
        if rest.len() != nodes.len() {
            return Description::Named;
        }
        // One that the others make unnecessary is left out.
        let fits = |chosen: &[usize]| {
            let has = |node: &usize| chosen.iter().all(|index| shared[*index].2.binary_search(node).is_ok());
            !chosen.is_empty() && (0..self.nodes).filter(has).count() == nodes.len()
        };
        for index in chosen.clone() {
            let without: Vec<usize> = chosen.iter().copied().filter(|other| *other != index).collect();
            if fits(&without) {
                chosen = without;
            }
        }
        chosen.sort_unstable();
        let pair = |index: &usize| (shared[*index].0.clone(), shared[*index].1.clone());
        Description::Where(chosen.iter().map(pair).collect())
    }
}

fn dug<'h>(facts: &'h Hash, path: &str) -> Option<&'h Value> {
    let mut parts = path.split('.');
    let mut value = facts.get(parts.next()?)?;
    for part in parts {
        value = value.as_hash()?.get(part)?;
    }
    Some(value)
}

/// A value that a person would write: short, on one line.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.len() <= 80 && !text.contains(|c: char| c.is_control()) => Some(text.to_string()),
        Value::Boolean(_) | Value::Integer(_) => Some(value.to_text()),
        _ => None,
    }
}

fn add(
    name: &str,
    value: &Value,
    index: usize,
    nodes: usize,
    depth: usize,
    values: &mut BTreeMap<String, Vec<Option<String>>>,
) {
    if let Value::Hash(hash) = value {
        if depth < 4 {
            for (key, value) in hash.iter().filter_map(|(key, value)| Some((key.as_str()?, value))) {
                add(&format!("{name}.{key}"), value, index, nodes, depth + 1, values);
            }
        }
        return;
    }
    let Some(text) = text(value) else { return };
    if values.len() >= MOST_FACTS && !values.contains_key(name) {
        return;
    }
    let of = values.entry(name.to_owned()).or_insert_with(|| vec![None; nodes]);
    of[index] = Some(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pairs: &[(&str, &str)]) -> Hash {
        pairs.iter().map(|(name, value)| (*name, Value::from(*value))).collect()
    }

    #[test]
    fn the_smallest_description_that_fits_is_found() {
        let nodes = [
            facts(&[("role", "web"), ("site", "a"), ("host", "1")]),
            facts(&[("role", "web"), ("site", "b"), ("host", "2")]),
            facts(&[("role", "db"), ("site", "a"), ("host", "3")]),
            facts(&[("role", "db"), ("site", "b"), ("host", "4")]),
            facts(&[("role", "db"), ("site", "b"), ("host", "5")]),
        ];
        let all: Vec<&Hash> = nodes.iter().collect();
        let facts = DistinguishingFacts::new(&all, &["role".into(), "::site".into()]);
        let is = |pairs: &[(&str, &str)]| {
            Description::Where(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
        };
        assert_eq!(facts.describe(&[0, 1, 2, 3, 4]), Description::All);
        assert_eq!(facts.describe(&[0, 1]), is(&[("role", "web")]));
        assert_eq!(facts.describe(&[3, 4]), is(&[("role", "db"), ("site", "b")]));
        assert_eq!(facts.describe(&[0, 4]), Description::Named);
        assert_eq!(facts.describe(&[2]), is(&[("host", "3")]));
    }
}
