//! Random changes of a tree, and what they make of its data, worked out apart from the text.

use std::collections::HashMap;

use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{Content, Item, Map, Node};
use hieratic_yaml_edit::{Added, Change, MapChange, Slot};

use super::choices::Choices;

/// A new value.
pub fn value(choices: &mut Choices, depth: usize) -> Value {
    let texts = [
        "w",
        "yes",
        "a: b",
        "# no",
        "two\nlines\n",
        "two\nlines",
        "",
        " x",
        "{{ a }}",
        "é",
        "- a",
        "1",
        "'",
        "&a",
        "*a",
        "x: [",
        "\ttab\n",
    ];
    match choices.below(if depth == 0 { 8 } else { 13 }) {
        0 => Value::Integer(7),
        1 => Value::Boolean(true),
        2 => Value::Undef,
        3 => Value::Float(2.5),
        4..=7 => Value::from(choices.choose(&texts)),
        8 => Value::Array(Vec::new().into()),
        9 => Value::Hash(Hash::default()),
        10 => (0..1 + choices.below(3)).map(|_| value(choices, depth - 1)).collect(),
        _ => {
            let count = 1 + choices.below(3);
            let pairs: Hash =
                (0..count).map(|_| (choices.choose(&["x", "y", "n 1", "é", "k"]), value(choices, depth - 1))).collect();
            pairs.into()
        }
    }
}

/// A change of a node.
pub fn change(choices: &mut Choices, node: &Node) -> Change {
    match node.content() {
        Content::Map(map) if !choices.chance(12) => Change::Map(map_change(choices, map)),
        Content::List(items) if !choices.chance(12) => Change::List(list_change(choices, items)),
        _ => Change::Replace(value(choices, 2)),
    }
}

fn map_change(choices: &mut Choices, map: &Map) -> MapChange {
    let mut new = MapChange::default();
    let added = |choices: &mut Choices, after: Option<usize>, change: &mut MapChange| {
        if !choices.chance(12) {
            return;
        }
        let key = Value::from(choices.choose(&["n", "new key", "x", "é", "yes", "k", "12"]));
        let own = map.entries().iter().any(|entry| entry.key == key && !entry.merged);
        if !own && change.added.iter().all(|added| added.key != key) {
            change.added.push(Added { after, key, value: value(choices, 2) });
        }
    };
    added(choices, None, &mut new);
    for (at, entry) in map.entries().iter().enumerate() {
        if !entry.merged {
            match choices.below(10) {
                7 | 8 => new.values.push((at, self::change(choices, entry.node()))),
                9 => new.removed.push(at),
                _ => {}
            }
        }
        added(choices, Some(at), &mut new);
    }
    new
}

fn list_change(choices: &mut Choices, items: &[Item]) -> Vec<Slot> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    if choices.chance(20) && order.len() > 1 {
        let (from, to) = (choices.below(order.len()), choices.below(order.len()));
        let moved = order.remove(from);
        order.insert(to, moved);
    }
    let mut slots = Vec::new();
    let new = |choices: &mut Choices, slots: &mut Vec<Slot>| {
        if choices.chance(12) {
            slots.push(Slot::New(value(choices, 2)));
        }
    };
    new(choices, &mut slots);
    for at in order {
        match choices.below(10) {
            7 | 8 => slots.push(Slot::Old(at, Some(change(choices, items[at].node())))),
            9 => {}
            _ => slots.push(Slot::Old(at, None)),
        }
        new(choices, &mut slots);
    }
    slots
}

/// What a document has after a change, where an alias shows what the node that it names has become.
pub fn data(root: &Node, change: &Change) -> Value {
    Model { now: HashMap::new(), names: HashMap::new() }.item(&Item::new(root.clone()), Some(change))
}

struct Model {
    /// What nodes with an anchor, and those in them, have become.
    now: HashMap<usize, Value>,
    /// Which node a name stands for at this place of the text.
    names: HashMap<String, usize>,
}

impl Model {
    fn item(&mut self, item: &Item, change: Option<&Change>) -> Value {
        let node = item.node();
        if item.is_alias() {
            return match change {
                None => self.alias(node),
                Some(Change::Replace(value)) => value.clone(),
                // What is written in the place of the alias has nothing of the node's later changes.
                Some(change) => Model { now: HashMap::new(), names: HashMap::new() }.plain(node, change),
            };
        }
        let value = match (node.content(), change) {
            (_, Some(Change::Replace(value))) => value.clone(),
            (Content::Map(map), change) => {
                let nothing = MapChange::default();
                let change = match change {
                    Some(Change::Map(change)) => change,
                    _ => &nothing,
                };
                self.map(map, change)
            }
            (Content::List(items), Some(Change::List(slots))) => slots
                .iter()
                .map(|slot| match slot {
                    Slot::Old(at, change) => self.item(&items[*at], change.as_ref()),
                    Slot::New(value) => value.clone(),
                })
                .collect(),
            (Content::List(items), _) => items.iter().map(|item| self.item(item, None)).collect(),
            (Content::Scalar(value), _) => value.clone(),
        };
        if let Some(name) = node.anchor() {
            self.names.insert(name.to_owned(), node.identity());
        }
        self.now.insert(node.identity(), value.clone());
        value
    }

    /// What an alias shows: what its node has become, or what it was if the node does not stand before it any more.
    fn alias(&mut self, node: &Node) -> Value {
        let name = node.anchor().unwrap_or_default();
        if self.names.get(name) == Some(&node.identity()) {
            return self.now.get(&node.identity()).cloned().unwrap_or_else(|| node.to_value());
        }
        let value = node.to_value();
        self.names.insert(name.to_owned(), node.identity());
        self.now.insert(node.identity(), value.clone());
        value
    }

    fn map(&mut self, map: &Map, change: &MapChange) -> Value {
        let mut out: Vec<(Value, Value)> = Vec::new();
        // Merge keys come in the order of the text.
        let mut merges: Vec<(u32, Value)> = Vec::new();
        let mut waiting = map.merge_keys().iter().peekable();
        let merge =
            |model: &mut Self,
             until: u32,
             merges: &mut Vec<(u32, Value)>,
             waiting: &mut std::iter::Peekable<std::slice::Iter<'_, hieratic_yaml_edit::tree::MergeKey>>| {
                while let Some(key) = waiting.next_if(|key| key.span.start < until) {
                    let mut one = |item: &Item| {
                        let named = model.item(item, None);
                        // A merge key needs maps: where one has become something else, it brings in what it was.
                        let value = if named.as_hash().is_some() { named } else { item.node().to_value() };
                        merges.push((key.span.start, value));
                    };
                    match key.item.node().content() {
                        Content::List(items) if !key.item.is_alias() => items.iter().for_each(one),
                        _ => one(&key.item),
                    }
                }
            };
        let added = |after: Option<usize>, out: &mut Vec<(Value, Value)>| {
            let here = change.added.iter().filter(|added| added.after == after);
            out.extend(here.map(|added| (added.key.clone(), added.value.clone())));
        };
        added(None, &mut out);
        for (at, entry) in map.entries().iter().enumerate() {
            if !entry.merged {
                merge(self, entry.key_span.start, &mut merges, &mut waiting);
            }
            if !entry.merged && !change.removed.contains(&at) {
                let changed = change.values.iter().find(|(index, _)| *index == at).map(|(_, change)| change);
                out.push((entry.key.clone(), self.item(&entry.item, changed)));
            }
            added(Some(at), &mut out);
        }
        merge(self, u32::MAX, &mut merges, &mut waiting);
        for (_, merged) in merges {
            let Value::Hash(merged) = merged else { continue };
            for (key, value) in merged.iter() {
                if !out.iter().any(|(known, _)| known == key) {
                    out.push((key.clone(), value.clone()));
                }
            }
        }
        out.into_iter().collect::<Hash>().into()
    }

    /// A change of plain data.
    fn plain(&mut self, node: &Node, change: &Change) -> Value {
        match (node.content(), change) {
            (_, Change::Replace(value)) => value.clone(),
            (Content::Map(map), Change::Map(change)) => {
                let mut out: Vec<(Value, Value)> = Vec::new();
                let added = |after: Option<usize>, out: &mut Vec<(Value, Value)>| {
                    let here = change.added.iter().filter(|added| added.after == after);
                    for added in here {
                        out.retain(|(key, _)| *key != added.key);
                        out.push((added.key.clone(), added.value.clone()));
                    }
                };
                added(None, &mut out);
                for (at, entry) in map.entries().iter().enumerate() {
                    let is_added = change.added.iter().any(|added| added.key == entry.key);
                    if !change.removed.contains(&at) && !is_added {
                        let changed = change.values.iter().find(|(index, _)| *index == at);
                        let value = changed
                            .map_or_else(|| entry.node().to_value(), |(_, change)| self.plain(entry.node(), change));
                        out.push((entry.key.clone(), value));
                    }
                    added(Some(at), &mut out);
                }
                out.into_iter().collect::<Hash>().into()
            }
            (Content::List(items), Change::List(slots)) => slots
                .iter()
                .map(|slot| match slot {
                    Slot::New(value) => value.clone(),
                    Slot::Old(at, None) => items[*at].node().to_value(),
                    Slot::Old(at, Some(change)) => self.plain(items[*at].node(), change),
                })
                .collect(),
            _ => node.to_value(),
        }
    }
}
