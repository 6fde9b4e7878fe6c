//! Searches over all nodes: the values that contain some words, and the values of one key.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::budget::Budget;
use hieratic::value::ErasedSort as _;
use hieratic::value::ids::IndexVec;
use hieratic_report::{part_path, truncate};
use serde_json::Value as Json;

use crate::Service;
use crate::api::types::{
    FindResponse, FoundFact, FoundFile, FoundKey, FoundNodes, FoundOnNode, FoundValue, GroupRow, GroupUseRow,
    HierarchyResponse, LevelRow, SpreadResponse, SpreadValue,
};
use crate::chosen_facts::ChosenFacts;
use crate::fleet::{Index, NodeId, TemplateSearch, Value};
use crate::levels::{self, GroupId, GroupUse, Groups, LevelUse};
use crate::lookups;
use crate::nodes::{NodeSelector, exhausted};
use crate::problem::Problem;
use crate::words::Words;

/// The maximum number of node names that represent many nodes.
const EXAMPLE_NODES: usize = 3;

/// The maximum length of a value in a list, in characters.
const MAX_VALUE_LENGTH: usize = 300;

/// Finds keys, values, nodes, files and facts that hold all words.
pub(crate) fn find(
    index: &Index,
    environment: &str,
    text: &str,
    limit: usize,
    file: &dyn Fn(&std::path::Path) -> String,
    budget: &Budget,
) -> Result<FindResponse, Problem> {
    let words = Words::new(text)?;
    let mut found = FindResponse {
        environment: environment.into(),
        q: text.into(),
        nodes: index.all,
        read: index.nodes_read(),
        complete: index.is_complete(),
        found_keys: Vec::new(),
        found_values: Vec::new(),
        found_on_nodes: Vec::new(),
        found_nodes: Vec::new(),
        found_files: Vec::new(),
        found_facts: Vec::new(),
        more: false,
    };
    if words.as_slice().is_empty() {
        return Ok(found);
    }
    let mut more = false;
    let seek = TemplateSearch::new(index, &words, budget)?;
    for rows in index.keys() {
        budget.steps(rows.len() as u64).map_err(exhausted)?;
        let Some(key) = rows.first().map(|row| &row.key) else { continue };
        if words.are_in(&[key]) {
            if found.found_keys.len() < limit {
                let (values, nodes) = index.count(rows, budget)?;
                found.found_keys.push(FoundKey { key: key.to_string(), values, nodes });
            } else {
                more = true;
            }
        }
        // That there are more is known already.
        if more && found.found_values.len() == limit {
            continue;
        }
        for one in seek.values(rows, budget)? {
            more |= !pushed(&mut found.found_values, limit, || value(index, key, &one, &words, file));
        }
    }
    for name in index.nodes.iter().filter(|name| words.are_in(&[name])) {
        more |= !pushed(&mut found.found_nodes, limit, || name.clone());
    }
    for read in index.files() {
        budget.step().map_err(exhausted)?;
        let name = file(&read.path);
        if words.are_in(&[&name]) {
            let nodes = || some(index, &index.readers_of(read));
            more |= !pushed(&mut found.found_files, limit, || FoundFile { file: name, nodes: nodes() });
        }
    }
    for (name, text, nodes) in index.facts() {
        budget.step().map_err(exhausted)?;
        if words.are_in(&[name, text]) {
            let fact =
                || FoundFact { fact: name.into(), value: truncate(text, MAX_VALUE_LENGTH), nodes: some(index, nodes) };
            more |= !pushed(&mut found.found_facts, limit, fact);
        }
    }
    found.found_on_nodes = on_nodes(index, &words, limit, file, budget)?;
    more |= found.found_on_nodes.len() == limit;
    found.more = more;
    Ok(found)
}

/// The maximum number of groups of nodes that match the same words.
const MAX_MASKS: usize = 8;

/// The maximum number of nodes of a group whose answers are searched.
const MAX_NODES_OF_MASK: usize = 50;

/// Finds keys on nodes: some words are in the name of the node, or are the value of a fact of it, and the others in the key or the value.
fn on_nodes(
    index: &Index,
    words: &Words,
    limit: usize,
    file: &dyn Fn(&std::path::Path) -> String,
    budget: &Budget,
) -> Result<Vec<FoundOnNode>, Problem> {
    let words = words.as_slice();
    if words.len() < 2 {
        return Ok(Vec::new());
    }
    budget.steps((index.nodes.len() * words.len()) as u64).map_err(exhausted)?;
    let mut masks: IndexVec<NodeId, u32> = index.nodes.map(|name| {
        let name = name.to_lowercase();
        words.iter().enumerate().fold(0, |mask, (at, word)| mask | u32::from(name.contains(word.as_str())) << at)
    });
    for (_, value, nodes) in index.facts() {
        budget.step().map_err(exhausted)?;
        let is_value = |word: &String| value.len() == word.len() && value.eq_ignore_ascii_case(word);
        if let Some(at) = words.iter().position(is_value) {
            budget.steps(nodes.len() as u64).map_err(exhausted)?;
            nodes.iter().for_each(|node| masks[*node] |= 1 << at);
        }
    }
    let all = (1_u32 << words.len()) - 1;
    let mut groups: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for (node, mask) in masks.entries().filter(|(_, mask)| **mask != 0 && **mask != all) {
        groups.entry(*mask).or_default().push(node);
    }
    // The nodes that match most words, and of these the fewest, are the most probable results.
    let mut groups: Vec<(u32, Vec<NodeId>)> = groups.into_iter().collect();
    groups.sort_erased_by_key(|(mask, nodes)| (std::cmp::Reverse(mask.count_ones()), nodes.len()));
    let mut found = Vec::new();
    for (mask, mut nodes) in groups.into_iter().take(MAX_MASKS) {
        nodes.truncate(MAX_NODES_OF_MASK);
        let rest: Vec<&str> =
            words.iter().enumerate().filter(|(at, _)| mask & 1 << at == 0).map(|(_, word)| word.as_str()).collect();
        let rest = Words::new(&rest.join(" "))?;
        for rows in index.keys() {
            budget.step().map_err(exhausted)?;
            let Some(key) = rows.first().map(|row| &row.key) else { continue };
            let is_key = rest.are_in(&[key]);
            for one in index.values_on(rows, &nodes, budget)? {
                if !is_key && !rest.find(key, &one.text) {
                    continue;
                }
                found.push(FoundOnNode {
                    key: key.to_string(),
                    value: around(&one.text, rest.as_slice()),
                    places: one.positions.iter().map(|(path, line)| format!("{}:{line}", file(path))).collect(),
                    nodes: some(index, &one.nodes),
                });
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
    }
    Ok(found)
}

/// Narrows values that were found to the part that holds the words, with its own lines, by asking some of their nodes.
/// Keys on a node get the line of that node: others may have an equal value from another file.
///
/// A value that has changed since the index was made stays as it was found.
pub(crate) fn locate_parts(service: &Service, found: &mut FindResponse, budget: &Budget) -> Result<(), Problem> {
    let words = Words::new(&found.q)?;
    let environment = found.environment.clone();
    // Each node is asked once for all of its values: its files are verified each time. A value in one place is asked of one node.
    let mut of_nodes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, one) in found.found_values.iter().enumerate() {
        let count = if one.places.len() > 1 { one.nodes.examples.len() } else { 1 };
        for node in one.nodes.examples.iter().take(count) {
            of_nodes.entry(node.clone()).or_default().push(index);
        }
    }
    let mut on_nodes: BTreeMap<String, Vec<&mut FoundOnNode>> = BTreeMap::new();
    for one in &mut found.found_on_nodes {
        if let Some(node) = one.nodes.examples.first() {
            on_nodes.entry(node.clone()).or_default().push(one);
        }
    }
    for (node, keys) in on_nodes {
        let places = service.nodes.ask(&environment, &NodeSelector::Stored(node), budget, &|subject| {
            let name = |file: &Path| crate::page::FileLinks::new(subject.root).file(file);
            let place = |one: &&mut FoundOnNode| {
                let (file, line) = lookups::matching_place(subject, &one.key, words.as_slice())?;
                Some(format!("{}:{line}", name(&file)))
            };
            keys.iter().map(place).collect::<Vec<_>>()
        });
        // As below.
        let Ok(places) = places else { continue };
        for (one, place) in keys.into_iter().zip(places) {
            one.places = place.into_iter().collect();
        }
    }
    let mut parts: BTreeMap<(usize, String), LocatedPart> = BTreeMap::new();
    for (node, values) in of_nodes {
        let located = service.nodes.ask(&environment, &NodeSelector::Stored(node.clone()), budget, &|subject| {
            let name = |file: &Path| crate::page::FileLinks::new(subject.root).file(file);
            let part = |index: &usize| {
                let part = lookups::matching_part(subject, &found.found_values.get(*index)?.key, words.as_slice())?;
                let place = part.place.map(|(file, line)| format!("{}:{line}", name(&file)));
                Some(LocatedPart { path: part.path, text: part.text, place })
            };
            values.iter().map(part).collect::<Vec<_>>()
        });
        // If a node cannot be read now, its previous results stay.
        let Ok(located) = located else { continue };
        let of_values = values.iter().zip(located).filter_map(|(index, part)| Some(((*index, node.clone()), part?)));
        parts.extend(of_values);
    }
    for (index, one) in found.found_values.iter_mut().enumerate() {
        let of_examples = one.nodes.examples.iter().filter_map(|node| parts.get(&(index, node.clone())));
        let located: Vec<&LocatedPart> = of_examples.collect();
        let Some(first) = located.first() else { continue };
        let mut places: Vec<String> = Vec::new();
        let of_parts = located.iter().filter(|part| part.path == first.path).filter_map(|part| part.place.clone());
        // The lines of a whole value are those of the index, too.
        let is_whole = first.path.is_empty() && first.place.as_ref().is_none_or(|place| one.places.contains(place));
        for place in of_parts.chain(is_whole.then(|| one.places.clone()).into_iter().flatten()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        one.places = places;
        one.value = around(&first.text, words.as_slice());
        one.part = (!first.path.is_empty()).then(|| part_path(&first.path));
    }
    Ok(())
}

/// The part of a value that holds the words, on one node.
struct LocatedPart {
    /// The keys and indexes that lead to it.
    path: Vec<hieratic::Value>,
    text: String,
    /// Its file and line.
    place: Option<String>,
}

/// Makes something and adds it to a list, if that has room for it; whether it had.
fn pushed<T>(list: &mut Vec<T>, limit: usize, one: impl FnOnce() -> T) -> bool {
    let has_room = list.len() < limit;
    if has_room {
        list.push(one());
    }
    has_room
}

fn value(
    index: &Index,
    key: &str,
    value: &Value,
    words: &Words,
    file: &dyn Fn(&std::path::Path) -> String,
) -> FoundValue {
    FoundValue {
        key: key.into(),
        value: around(&value.text, words.as_slice()),
        part: None,
        places: value.positions.iter().map(|(path, line)| format!("{}:{line}", file(path))).collect(),
        nodes: some(index, &value.nodes),
    }
}

/// Returns the number of nodes, and the names of some.
fn some(index: &Index, nodes: &[NodeId]) -> FoundNodes {
    let examples = nodes.iter().take(EXAMPLE_NODES).map(|node| index.nodes[*node].clone()).collect();
    FoundNodes { count: nodes.len(), examples }
}

/// Returns the offset and the length of the first word in a string. Non-ASCII letters are only found in lower case.
pub(crate) fn first(text: &str, words: &[String]) -> Option<(usize, usize)> {
    // ASCII case conversion keeps the offsets.
    let lower = text.to_ascii_lowercase();
    let found = words.iter().filter(|word| !word.is_empty()).filter_map(|word| Some((lower.find(word)?, word.len())));
    found.min_by_key(|(start, length)| (*start, std::cmp::Reverse(*length)))
}

/// The number of characters shown before the word that was found, if the value is truncated.
const CONTEXT_BEFORE: usize = 80;

/// A value, cut around the first word that is in it if it is long.
fn around(text: &str, words: &[String]) -> String {
    let found = first(text, words).map_or(0, |(start, _)| text[..start].chars().count());
    if text.chars().count() <= MAX_VALUE_LENGTH || found < MAX_VALUE_LENGTH - CONTEXT_BEFORE {
        return truncate(text, MAX_VALUE_LENGTH);
    }
    let rest: String = text.chars().skip(found - CONTEXT_BEFORE).collect();
    format!("…{}", truncate(&rest, MAX_VALUE_LENGTH))
}

/// Returns the values of a key on all nodes, the most frequent first, with the facts that distinguish their nodes from
/// the others.
pub(crate) fn spread(
    index: &Index,
    environment: &str,
    key: &str,
    file: &dyn Fn(&std::path::Path) -> String,
    chosen: &ChosenFacts,
    budget: &Budget,
) -> Result<SpreadResponse, Problem> {
    let mut members = index.values(key, budget)?;
    members.sort_erased_by_key(|value| std::cmp::Reverse(value.nodes.len()));
    budget.steps(index.nodes.len() as u64).map_err(exhausted)?;
    let without = index.nodes_without(members.iter().flat_map(|value| &value.nodes));
    let groups = members.len() + usize::from(!without.is_empty());
    // That exactly some nodes have a fact is only known when all were read.
    let describes = index.is_complete() && (2..=MAX_DESCRIBED).contains(&groups);
    let facts = || index.facts().filter(|(name, ..)| chosen.is_chosen(name));
    let described = |nodes: &[NodeId]| {
        if describes { describe_nodes(facts(), index.nodes.len(), nodes, budget) } else { Ok(None) }
    };
    let mut values = Vec::new();
    for Value { text, is_error, positions, nodes } in members {
        budget.steps(nodes.len() as u64).map_err(exhausted)?;
        values.push(SpreadValue {
            value: (!is_error).then(|| serde_json::from_str(&text).unwrap_or(Json::Null)),
            error: is_error.then(|| text.to_string()),
            places: positions.iter().map(|(path, line)| format!("{}:{line}", file(path))).collect(),
            distinguished_by: described(&nodes)?,
            nodes: nodes.iter().map(|node| index.nodes[*node].clone()).collect(),
        });
    }
    Ok(SpreadResponse {
        environment: environment.into(),
        key: key.into(),
        nodes: index.all,
        read: index.nodes_read(),
        complete: index.is_complete(),
        values,
        without_distinguished_by: described(&without)?,
        without: without.iter().map(|node| index.nodes[*node].clone()).collect(),
    })
}

/// Returns the contribution of the levels on all nodes, and on the groups of a fact.
pub(crate) fn hierarchy(
    index: &Index,
    environment: &str,
    by: Option<&str>,
    budget: &Budget,
) -> Result<HierarchyResponse, Problem> {
    let groups = match by {
        Some(fact) => levels::groups(index, fact)?,
        None => Groups::new(),
    };
    let uses = levels::map(index, &groups, budget)?;
    let of_group = |one: GroupUse| GroupUseRow { nodes: one.nodes, keys: one.keys, highest: one.highest };
    let level = |(level, uses): (&LevelUse, IndexVec<GroupId, GroupUse>)| LevelRow {
        module: level.module.clone(),
        level: level.level.clone(),
        nodes: level.nodes,
        files: level.files,
        keys: level.keys(),
        highest: level.highest(),
        skipped: level.skipped.clone(),
        groups: uses.into_iter().map(of_group).collect(),
    };
    Ok(HierarchyResponse {
        environment: environment.into(),
        nodes: index.all,
        read: index.nodes_read(),
        complete: index.is_complete(),
        by: by.map(String::from),
        levels: index.levels.iter().zip(uses).map(level).collect(),
        groups: groups.into_iter().map(|group| GroupRow { value: group.value, nodes: group.nodes.len() }).collect(),
    })
}

/// The most groups for which distinguishing facts are computed.
const MAX_DESCRIBED: usize = 20;

/// The maximum number of facts in a description.
const MAX_COMBINED_FACTS: usize = 3;

/// The maximum number of facts that are tried in combination.
const MAX_TRIED_FACTS: usize = 40;

/// The maximum length of a fact value in a description, in bytes.
const MAX_FACT_LENGTH: usize = 80;

/// A fact with its value, and the nodes that have it, sorted.
type Fact<'f> = (&'f str, &'f str, &'f [NodeId]);

/// The facts that exactly some of all nodes have in common, if a few do: the smallest description that fits. The nodes are sorted.
fn describe_nodes<'f>(
    facts: impl Iterator<Item = Fact<'f>>,
    all: usize,
    nodes: &[NodeId],
    budget: &Budget,
) -> Result<Option<String>, Problem> {
    if nodes.is_empty() || nodes.len() == all {
        return Ok(None);
    }
    let is_short = |value: &str| value.len() <= MAX_FACT_LENGTH && !value.contains(char::is_control);
    // Elements of lists would match any group.
    let is_plain = |name: &str, value: &str| {
        is_short(value) && !value.starts_with(['[', '{']) && !name.split('.').any(|part| part.parse::<u32>().is_ok())
    };
    let mut shared: Vec<Fact<'f>> = Vec::new();
    for fact in facts {
        budget.step().map_err(exhausted)?;
        let (name, value, with) = fact;
        if (nodes.len()..all).contains(&with.len()) && are_among(nodes, with) && is_plain(name, value) {
            budget.steps(with.len() as u64).map_err(exhausted)?;
            shared.push(fact);
        }
    }
    shared.sort_erased_by_key(|(name, _, with)| (with.len(), name.matches('.').count(), name.len()));
    shared.truncate(MAX_TRIED_FACTS);
    let Some((first, others)) = shared.split_first() else { return Ok(None) };
    let mut chosen = vec![first];
    let mut rest: Vec<NodeId> = first.2.to_vec();
    while rest.len() > nodes.len() && chosen.len() < MAX_COMBINED_FACTS {
        let left = |fact: &&Fact<'f>| rest.iter().filter(|node| fact.2.binary_search(node).is_ok()).count();
        budget.steps((rest.len() * others.len()) as u64).map_err(exhausted)?;
        let Some(best) = others.iter().min_by_key(left) else { break };
        if left(&best) == rest.len() {
            break;
        }
        rest.retain(|node| best.2.binary_search(node).is_ok());
        chosen.push(best);
    }
    if rest.len() != nodes.len() {
        return Ok(None);
    }
    // One that the others make unnecessary is left out.
    for fact in chosen.clone() {
        let without: Vec<&Fact<'f>> = chosen.iter().copied().filter(|other| other.0 != fact.0).collect();
        let Some((first, others)) = without.split_first() else { break };
        let has = |node: &&NodeId| others.iter().all(|fact| fact.2.binary_search(node).is_ok());
        if first.2.iter().filter(has).count() == nodes.len() {
            chosen = without;
        }
    }
    let pairs: Vec<String> = chosen.iter().map(|(name, value, _)| format!("{name} = {value}")).collect();
    Ok(Some(pairs.join(", ")))
}

/// Returns whether one sorted list of nodes is a subset of another.
fn are_among(nodes: &[NodeId], others: &[NodeId]) -> bool {
    // Mostly they are not, and the ends and the middle show it.
    let is_there = |node: &NodeId| others.binary_search(node).is_ok();
    let middle = nodes.get(nodes.len() / 2);
    [nodes.first(), middle, nodes.last()].into_iter().flatten().all(is_there) && nodes.iter().all(is_there)
}

#[cfg(test)]
mod tests {
    use hieratic::value::ids::Id as _;

    use super::*;
    use crate::words::words;

    #[test]
    fn the_smallest_description_that_fits_is_found() {
        let ids = |nodes: &[usize]| -> Vec<NodeId> {
            nodes.iter().map(|index| NodeId::from_index(*index).unwrap()).collect()
        };
        let facts = [
            ("host", "3", ids(&[2])),
            ("list", "[1]", ids(&[0, 4])),
            ("os.family", "Debian", ids(&[0, 1, 2, 3, 4])),
            ("role", "db", ids(&[2, 3, 4])),
            ("role", "web", ids(&[0, 1])),
            ("site", "a", ids(&[0, 2])),
            ("site", "b", ids(&[1, 3, 4])),
            ("x.0.y", "1", ids(&[0, 4])),
        ];
        let of = |nodes: &[usize]| {
            let facts = facts.iter().map(|(name, value, nodes)| (*name, *value, nodes.as_slice()));
            describe_nodes(facts, 5, &ids(nodes), &Budget::default()).unwrap()
        };
        assert_eq!(of(&[0, 1, 2, 3, 4]), None);
        assert_eq!(of(&[0, 1]).as_deref(), Some("role = web"));
        assert_eq!(of(&[3, 4]).as_deref(), Some("role = db, site = b"));
        assert_eq!(of(&[2]).as_deref(), Some("host = 3"));
        assert_eq!(of(&[0, 4]), None);
    }

    #[test]
    fn a_long_value_is_cut_around_the_match() {
        let text = format!("{}Port{}", "é".repeat(400), "ö".repeat(400));
        let shown = around(&text, &words("port"));
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("éPortö"), "{shown}");
        assert_eq!(shown.chars().count(), MAX_VALUE_LENGTH + 2);
        assert_eq!(around("a Port", &words("port")), "a Port");
        assert_eq!(around(&text, &words("nothing")), truncate(&text, MAX_VALUE_LENGTH));
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        assert_eq!(truncate("é", MAX_VALUE_LENGTH), "é");
        assert_eq!(truncate(&"é".repeat(400), MAX_VALUE_LENGTH).chars().count(), MAX_VALUE_LENGTH + 1);
    }
}
