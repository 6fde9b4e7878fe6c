//! Questions about all nodes: what holds some words, and what a key is on each of them.

use hieratic_changes::{Description, NodeFacts};
use hieratic_powers::Budget;
use serde_json::Value as Json;

use crate::api::types::{
    FindResponse, FoundFact, FoundFile, FoundKey, FoundNodes, FoundValue, GroupRow, GroupUseRow, HierarchyResponse,
    LevelRow, SpreadResponse, SpreadValue,
};
use crate::fleet::{Index, Row, fact_hashes};
use crate::levels::{self, Group, GroupUse, LevelUse};
use crate::nodes::exhausted;
use crate::problem::Problem;

/// How many names stand for many nodes.
const EXAMPLES: usize = 3;

/// How many words a search may have.
const MOST_WORDS: usize = 16;

/// How long a value is shown in a list, in characters.
const SHOWN: usize = 300;

/// A search in words: all of them have to be there, in any case of letters.
struct Words(Vec<String>);

impl Words {
    fn new(text: &str) -> Result<Words, Problem> {
        let words = words(text);
        if words.len() > MOST_WORDS {
            return Err(Problem::bad_request(format!("a search may have {MOST_WORDS} words, got {}", words.len())));
        }
        Ok(Words(words))
    }

    /// Whether every word is in one of some texts.
    fn are_in(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }

    /// Whether some word is in a text.
    fn touch(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().any(|word| text.contains(word))
    }
}

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
        read: index.read(),
        complete: index.is_complete(),
        found_keys: Vec::new(),
        found_values: Vec::new(),
        found_nodes: Vec::new(),
        found_files: Vec::new(),
        found_facts: Vec::new(),
        more: false,
    };
    if words.0.is_empty() {
        return Ok(found);
    }
    let mut more = false;
    let mut last = None;
    for row in &index.rows {
        budget.step().map_err(exhausted)?;
        if last != Some(&row.key) {
            last = Some(&row.key);
            if words.are_in(&[&row.key]) {
                more |= !pushed(&mut found.found_keys, limit, || {
                    let values = index.values(&row.key);
                    let nodes = values.iter().map(|row| index.count_of(row)).sum();
                    FoundKey { key: row.key.to_string(), values: values.len(), nodes }
                });
            }
        }
        if !row.is_fault && words.touch(&row.text) && words.are_in(&[&row.key, &row.text]) {
            more |= !pushed(&mut found.found_values, limit, || value(index, row, &words, file));
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
            let fact = || FoundFact { fact: name.into(), value: shortened(text), nodes: some(index, nodes) };
            more |= !pushed(&mut found.found_facts, limit, fact);
        }
    }
    found.more = more;
    Ok(found)
}

/// Makes something and adds it to a list, if that has room for it; whether it had.
fn pushed<T>(list: &mut Vec<T>, limit: usize, one: impl FnOnce() -> T) -> bool {
    let has_room = list.len() < limit;
    if has_room {
        list.push(one());
    }
    has_room
}

fn value(index: &Index, row: &Row, words: &Words, file: &dyn Fn(&std::path::Path) -> String) -> FoundValue {
    FoundValue {
        key: row.key.to_string(),
        value: around(&row.text, &words.0),
        places: row.places.iter().map(|(path, line)| format!("{}:{line}", file(path))).collect(),
        nodes: some(index, &index.nodes_of(row)),
    }
}

/// How many nodes there are, and the names of some.
fn some(index: &Index, nodes: &[u32]) -> FoundNodes {
    let examples = nodes.iter().take(EXAMPLES).map(|node| index.node(*node).to_string()).collect();
    FoundNodes { count: nodes.len(), examples }
}

/// The words of a search.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// Where the first of some words is in a text, and how long it is there. Of letters that are no ASCII, only lower case is found.
pub(crate) fn first(text: &str, words: &[String]) -> Option<(usize, usize)> {
    // The bytes of the lower case are where those of the text are.
    let lower = text.to_ascii_lowercase();
    let found = words.iter().filter(|word| !word.is_empty()).filter_map(|word| Some((lower.find(word)?, word.len())));
    found.min_by_key(|(start, length)| (*start, std::cmp::Reverse(*length)))
}

/// How much of a value is shown before the word that was found, in characters, if not all of it can be.
const BEFORE: usize = 80;

/// A value, cut around the first word that is in it if it is long.
fn around(text: &str, words: &[String]) -> String {
    let found = first(text, words).map_or(0, |(start, _)| text[..start].chars().count());
    if text.chars().count() <= SHOWN || found < SHOWN - BEFORE {
        return shortened(text);
    }
    let rest: String = text.chars().skip(found - BEFORE).collect();
    format!("…{}", shortened(&rest))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The values that a key has on all nodes, the most frequent first, with what tells their nodes from the others.
pub(crate) fn spread(
    index: &Index,
    environment: &str,
    key: &str,
    file: &dyn Fn(&std::path::Path) -> String,
    budget: &Budget,
) -> Result<SpreadResponse, Problem> {
    let rows = index.values(key);
    let mut members: Vec<(&Row, Vec<u32>)> = rows.iter().map(|row| (row, index.nodes_of(row))).collect();
    members.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    budget.steps(index.nodes.len() as u64).map_err(exhausted)?;
    let mut with = vec![false; index.nodes.len()];
    for node in members.iter().flat_map(|(_, nodes)| nodes) {
        if let Some(with) = with.get_mut(*node as usize) {
            *with = true;
        }
    }
    let without: Vec<usize> = (0..with.len()).filter(|node| !with[*node]).collect();
    let groups = members.len() + usize::from(!without.is_empty());
    let describes = (2..=MOST_DESCRIBED).contains(&groups);
    let hashes = if describes { fact_hashes(index) } else { Vec::new() };
    let known: Vec<&hieratic::Hash> = hashes.iter().collect();
    let facts = NodeFacts::of(&known, &[]);
    let told = |nodes: &[usize]| match describes && !nodes.is_empty() {
        true => described(&facts, nodes),
        false => None,
    };
    let mut values = Vec::new();
    for (row, nodes) in members {
        budget.steps(nodes.len() as u64).map_err(exhausted)?;
        let numbers: Vec<usize> = nodes.iter().map(|node| *node as usize).collect();
        values.push(SpreadValue {
            value: (!row.is_fault).then(|| serde_json::from_str(&row.text).unwrap_or(Json::Null)),
            error: row.is_fault.then(|| row.text.to_string()),
            places: row.places.iter().map(|(path, line)| format!("{}:{line}", file(path))).collect(),
            distinguished_by: told(&numbers),
            nodes: nodes.iter().map(|node| index.node(*node).to_string()).collect(),
        });
    }
    Ok(SpreadResponse {
        environment: environment.into(),
        key: key.into(),
        nodes: index.all,
        read: index.read(),
        complete: index.is_complete(),
        values,
        without_distinguished_by: told(&without),
        without: without.iter().filter_map(|node| index.nodes.get(*node).cloned()).collect(),
    })
}

/// What the levels are good for on all nodes, and on the groups that a fact makes of them.
pub(crate) fn hierarchy(
    index: &Index,
    environment: &str,
    by: Option<&str>,
    budget: &Budget,
) -> Result<HierarchyResponse, Problem> {
    let groups: Vec<Group> = by.map(|fact| levels::groups(index, fact)).unwrap_or_default();
    let uses = match groups.is_empty() {
        true => vec![Vec::new(); index.levels.len()],
        false => levels::map(index, &groups, budget)?,
    };
    let of_group = |one: GroupUse| GroupUseRow { nodes: one.nodes, keys: one.keys, highest: one.highest };
    let level = |(level, uses): (&LevelUse, Vec<GroupUse>)| LevelRow {
        module: level.module.clone(),
        level: level.level.clone(),
        nodes: level.nodes,
        files: level.files,
        keys: level.keys,
        highest: level.highest,
        groups: uses.into_iter().map(of_group).collect(),
    };
    Ok(HierarchyResponse {
        environment: environment.into(),
        nodes: index.all,
        read: index.read(),
        complete: index.is_complete(),
        by: by.map(String::from),
        levels: index.levels.iter().zip(uses).map(level).collect(),
        groups: groups.into_iter().map(|group| GroupRow { value: group.value, nodes: group.nodes.len() }).collect(),
    })
}

/// The most groups for which distinguishing facts are computed.
const MOST_DESCRIBED: usize = 20;

/// The facts that exactly some nodes have alike, if a few do.
fn described(facts: &NodeFacts, nodes: &[usize]) -> Option<String> {
    match facts.describe(nodes) {
        Description::Where(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            Some(pairs.join(", "))
        }
        Description::All | Description::Named => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_to_be_somewhere() {
        let words = Words::new("  Port 8080 ").ok();
        let has = |texts: &[&str]| words.as_ref().is_some_and(|words| words.are_in(texts));
        assert!(has(&["web::port", "8080"]) && !has(&["web::port", "80"]) && !has(&["web", "8080"]));
        assert!(Words::new(&"a ".repeat(17)).is_err());
    }

    #[test]
    fn a_long_value_is_cut_around_what_was_found() {
        let text = format!("{}Port{}", "é".repeat(400), "ö".repeat(400));
        let shown = around(&text, &words("port"));
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("éPortö"), "{shown}");
        assert_eq!(shown.chars().count(), SHOWN + 2);
        assert_eq!(around("a Port", &words("port")), "a Port");
        assert_eq!(around(&text, &words("nothing")), shortened(&text));
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        assert_eq!(shortened("é"), "é");
        assert_eq!(shortened(&"é".repeat(400)).chars().count(), SHOWN + 1);
    }
}
