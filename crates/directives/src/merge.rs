//! Merging of maps.
//!
//! The map's own keys come first and override the others. Maps merge deeply, and missing items are appended to lists.
//! The key `+%` of a map selects another strategy (<https://docs.unfurl.run/yaml-merge-directives.html>):
//!
//! | `+%` | does |
//! |---|---|
//! | `merge` | merges, also a map in a list with the map at the same index |
//! | `whiteout` | removes the key |
//! | `nullout` | sets it to null |
//! | `error` | forbids merging two maps |
//! | anything else | replaces |

use std::collections::BTreeSet;

use hieratic_value::Value;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_yaml_edit::tree::{Content, Entry, Item, Map, Node};

use crate::equality::EqualityIndex;

/// The key that selects the merge strategy of a map.
pub(crate) const STRATEGY: &str = "+%";

/// The error for two maps that must not be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The key of both maps.
    pub key: String,
}

impl std::fmt::Display for Forbidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "merging {} is not allowed, +%: error was set", self.key)
    }
}

impl std::error::Error for Forbidden {}

/// Merges `base` under `own`: a map with the keys of `own`, then the keys of `base` that it lacks.
///
/// ```
/// use hieratic_directives::merge;
/// use hieratic_yaml_edit::tree;
///
/// let base = tree::parse("{a: 1, m: {x: 1}, l: [1, 2]}", 0, "base")?;
/// let own = tree::parse("{m: {y: 2}, l: [3, 1]}", 1, "own")?;
/// assert_eq!(merge(&base, &own)?.to_value().inspect(), r#"{"m"=>{"y"=>2, "x"=>1}, "l"=>[1, 2, 3], "a"=>1}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If one of the two is not a map, `own` is the result. `+%` at the top level of either is removed and has no effect,
/// because it applies to the value of a key. Nested `+%` stay, because another map may be merged over the result.
pub fn merge(base: &Node, own: &Node) -> Result<Node, Forbidden> {
    merge_counted(base, own, &mut 0)
}

/// Merges, and adds the number of entries and items of the result to `built`.
pub(crate) fn merge_counted(base: &Node, own: &Node, built: &mut usize) -> Result<Node, Forbidden> {
    let (Some(base_map), Some(own_map)) = (base.as_map(), own.as_map()) else { return Ok(own.clone()) };
    let mut entries: Vec<Entry> = Vec::with_capacity(base_map.len() + own_map.len());
    let mut removed: HashSet<&Value> = HashSet::default();
    *built += base_map.len() + own_map.len();
    for entry in own_map.entries() {
        if entry.name() == Some(STRATEGY) {
            continue;
        }
        match over(base_map.entry(&entry.key), entry, built)? {
            MergeResult::Own => entries.push(entry.clone()),
            MergeResult::Other(node) => entries.push(Entry { item: Item::new(node), ..entry.clone() }),
            MergeResult::Base => {}
            MergeResult::Neither => drop(removed.insert(&entry.key)),
        }
    }
    let own_keys = Map::new(entries);
    let missing = base_map.entries().iter().filter(|entry| {
        entry.name() != Some(STRATEGY) && own_keys.position(&entry.key).is_none() && !removed.contains(&entry.key)
    });
    let missing: Vec<Entry> = missing.cloned().collect();
    let mut entries = own_keys.into_entries();
    entries.extend(missing);
    Ok(own.with_content(Content::Map(Map::new(entries))))
}

/// The result of merging an own key.
enum MergeResult {
    /// The own value is unchanged.
    Own,
    /// The merged value.
    Other(Node),
    /// The value of the base, at its position after the own keys.
    Base,
    /// The key disappears, from the base as well.
    Neither,
}

fn over(base: Option<&Entry>, own: &Entry, built: &mut usize) -> Result<MergeResult, Forbidden> {
    let base = base.map(Entry::node);
    let node = own.node();
    if let Some(list) = node.as_list() {
        return Ok(match base.and_then(Node::as_list) {
            Some(base) => MergeResult::Other(merge_lists(base, node, list, built)?),
            None => MergeResult::Own,
        });
    }
    let own_map = node.as_map();
    if own_map.is_none() && !node.is_null() {
        return Ok(MergeResult::Own);
    }
    // Null counts as an empty map.
    let mut strategy = own_map.and_then(strategy_of);
    if let Some((base, base_map)) = base.and_then(|base| Some((base, base.as_map()?))) {
        strategy = strategy.or_else(|| strategy_of(base_map));
        match strategy {
            None | Some(Strategy::Merge) => {
                return Ok(match own_map {
                    Some(map) if !map.is_empty() => MergeResult::Other(merge_counted(base, node, built)?),
                    _ => MergeResult::Base,
                });
            }
            Some(Strategy::Error) => return Err(Forbidden { key: own.key.to_text() }),
            _ => {}
        }
    }
    Ok(match strategy {
        Some(Strategy::Whiteout) => MergeResult::Neither,
        Some(Strategy::Nullout) => MergeResult::Other(node.with_content(Content::Scalar(Value::Undef))),
        _ => MergeResult::Own,
    })
}

/// A merge strategy: the value of `+%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Merge,
    Whiteout,
    Nullout,
    Error,
    Replace,
    /// An unknown strategy, which replaces as well.
    Unknown,
}

/// The strategies by their names.
const NAMED: [(&str, Strategy); 5] = [
    ("merge", Strategy::Merge),
    ("whiteout", Strategy::Whiteout),
    ("nullout", Strategy::Nullout),
    ("error", Strategy::Error),
    ("replace", Strategy::Replace),
];

/// The names of the strategies.
pub(crate) fn strategy_names() -> [&'static str; 5] {
    NAMED.map(|(name, _)| name)
}

/// Returns the strategy of a map; `None` without one, or if it is falsy in Python.
pub(crate) fn strategy_of(map: &Map) -> Option<Strategy> {
    strategy_named(map.get(STRATEGY)?.node())
}

/// The strategy that the value of `+%` means.
pub(crate) fn strategy_named(value: &Node) -> Option<Strategy> {
    match value.content() {
        Content::Scalar(Value::String(text)) if text.is_empty() => None,
        Content::Scalar(Value::String(text)) => {
            let known = NAMED.iter().find(|(name, _)| **name == **text);
            Some(known.map_or(Strategy::Unknown, |(_, strategy)| *strategy))
        }
        Content::Scalar(Value::Undef | Value::Boolean(false) | Value::Integer(0)) => None,
        Content::Scalar(_) => Some(Strategy::Unknown),
        Content::List(items) => (!items.is_empty()).then_some(Strategy::Unknown),
        Content::Map(map) => (!map.is_empty()).then_some(Strategy::Unknown),
    }
}

/// The base's items, then own ones that are not there yet.
fn merge_lists(base: &[Item], own: &Node, own_list: &[Item], built: &mut usize) -> Result<Node, Forbidden> {
    *built += base.len() + own_list.len();
    let mut merged = MergedList::new(base);
    for (index, item) in own_list.iter().enumerate() {
        if let Some(map) = item.node().as_map() {
            if strategy_of(map) == Some(Strategy::Merge) {
                match merged.items.get(index) {
                    Some(there) => merged.replace(index, merge_counted(there.node(), item.node(), built)?),
                    None => merged.push(item),
                }
                continue;
            }
            // A map with one key merges with the map that has the same single key.
            if let [only] = map.entries()
                && let Some(at) = merged.with_only(&only.key)
                && let Some(there) = merged.items.get(at)
            {
                merged.replace(at, merge_counted(there.node(), item.node(), built)?);
                continue;
            }
        }
        if merged.known.find(&merged.items, Item::node, item.node()).is_none() {
            merged.push(item);
        }
    }
    Ok(own.with_content(Content::List(merged.items)))
}

/// A list that is being merged, with an index of its items.
struct MergedList {
    items: Vec<Item>,
    known: EqualityIndex,
    /// The indexes of maps with a single key, computed on first use; an item may have changed since.
    single: Option<HashMap<Value, BTreeSet<usize>>>,
}

impl MergedList {
    fn new(base: &[Item]) -> MergedList {
        MergedList { items: base.to_vec(), known: EqualityIndex::default(), single: None }
    }

    /// The first map that has this key and no other.
    fn with_only(&mut self, key: &Value) -> Option<usize> {
        let single = self.single.get_or_insert_with(|| {
            let mut single: HashMap<Value, BTreeSet<usize>> = HashMap::default();
            for (at, item) in self.items.iter().enumerate() {
                if let Some(key) = only_key(item.node()) {
                    single.entry(key.clone()).or_default().insert(at);
                }
            }
            single
        });
        let places = single.get_mut(key)?;
        loop {
            let at = *places.first()?;
            if self.items.get(at).and_then(|item| only_key(item.node())) == Some(key) {
                return Some(at);
            }
            places.pop_first();
        }
    }

    fn push(&mut self, item: &Item) {
        self.note(self.items.len(), item.node());
        self.items.push(item.clone());
    }

    fn replace(&mut self, at: usize, node: Node) {
        self.note(at, &node);
        if let Some(item) = self.items.get_mut(at) {
            *item = Item::new(node);
        }
    }

    fn note(&mut self, at: usize, node: &Node) {
        self.known.put(at, node);
        if let Some(single) = &mut self.single
            && let Some(key) = only_key(node)
        {
            single.entry(key.clone()).or_default().insert(at);
        }
    }
}

/// The key of a map that has only one.
fn only_key(node: &Node) -> Option<&Value> {
    match node.as_map()?.entries() {
        [only] => Some(&only.key),
        _ => None,
    }
}

/// Removes the remains of `+%`: maps that were to be removed or set to null and did not merge, and the key itself. `+%:
/// merge` stays if the result is merged further.
pub(crate) fn without_strategies(node: &Node, keeps_merge: bool) -> Node {
    if !node.has_plus_keys() {
        return node.clone();
    }
    match node.content() {
        Content::Scalar(_) => node.clone(),
        Content::List(items) => {
            let kept = items.iter().filter(|item| strategy(item.node()) != Some(Strategy::Whiteout));
            let kept = kept.map(|item| {
                replaced(item, |node| match strategy(node) {
                    Some(Strategy::Nullout) => node.with_content(Content::Scalar(Value::Undef)),
                    _ => without_strategies(node, keeps_merge),
                })
            });
            node.with_content(Content::List(kept.collect()))
        }
        Content::Map(map) => {
            let kept = map.entries().iter().filter(|entry| {
                let gone = matches!(strategy(entry.node()), Some(Strategy::Whiteout | Strategy::Nullout));
                let stays = entry.name() != Some(STRATEGY)
                    || keeps_merge && strategy_named(entry.node()) == Some(Strategy::Merge);
                !gone && stays
            });
            let without = |node: &Node| without_strategies(node, keeps_merge);
            let kept = kept.map(|entry| Entry { item: replaced(&entry.item, without), ..entry.clone() });
            node.with_content(Content::Map(Map::new(kept.collect())))
        }
    }
}

fn strategy(node: &Node) -> Option<Strategy> {
    node.as_map().and_then(strategy_of)
}

/// An item with its node replaced, or the same if the node stays.
pub(crate) fn replaced(item: &Item, replace: impl FnOnce(&Node) -> Node) -> Item {
    let node = replace(item.node());
    if node.is(item.node()) { item.clone() } else { Item::new(node) }
}
