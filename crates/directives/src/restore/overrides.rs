//! Computes the keys next to a directive that produce the target value by merging.

use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{Content, Entry, Item, Map, Node, Span};

use super::comparison::{KeyLookup, same, target_value};
use crate::codes;
use crate::data::strategy;
use crate::merge::{STRATEGY, merge, without_strategies};
use crate::{Failure, PlusKey};

/// An inherited list that has to lose items or to change their order, which merging cannot do.
pub(super) struct ShrinkingList {
    /// The path of the list below the map that inherits it.
    pub(super) path: Vec<Value>,
}

/// Returns the value that merges with `base` to `target`.
pub(super) fn over(base: &Node, target: &Value) -> Result<Value, ShrinkingList> {
    match (base.content(), target) {
        (Content::Map(base), Value::Hash(target)) => {
            let mut own: Vec<(Value, Value)> = Vec::new();
            for entry in base.entries().iter().filter(|entry| entry.name() != Some(STRATEGY)) {
                match target_value(target, &entry.key) {
                    None => own.push((entry.key.clone(), strategy("whiteout"))),
                    Some(target) if shows(entry.node(), target) => {}
                    Some(target) => {
                        let value = over(entry.node(), target).map_err(|shrinks| shrinks.below(&entry.key))?;
                        own.push((entry.key.clone(), value));
                    }
                }
            }
            let keys = KeyLookup::new(base);
            let new = target.iter().filter(|(key, _)| keys.position(key).is_none());
            own.extend(new.map(|(key, value)| (key.clone(), value.clone())));
            Ok(own.into_iter().collect::<Hash>().into())
        }
        (Content::Map(_), Value::Undef) => Ok(strategy("nullout")),
        (Content::List(_), Value::Array(elements)) => {
            longer(base, target, elements).ok_or(ShrinkingList { path: Vec::new() })
        }
        _ => Ok(target.clone()),
    }
}

/// Returns whether an inherited node is the wanted value after its temporary strategies are removed.
pub(super) fn shows(node: &Node, target: &Value) -> bool {
    same(&without_strategies(node, true), target)
}

/// Returns the list that merges with an inherited one to `target`: the appended items, the changes of single items, or
/// the whole list.
fn longer(base: &Node, target: &Value, elements: &[Value]) -> Option<Value> {
    let items = base.as_list()?;
    let rest = elements.get(items.len()..).map(|rest| rest.iter().cloned().collect::<Value>());
    let gives = |own: &Value| merged(base, &Node::from_value(own)).is_some_and(|result| shows(&result, target));
    rest.filter(&gives)
        .or_else(|| by_index(items, elements).filter(&gives))
        .or_else(|| Some(target.clone()).filter(&gives))
}

/// Returns a list whose items merge with the inherited ones by index, followed by the appended items.
fn by_index(items: &[Item], elements: &[Value]) -> Option<Value> {
    let (there, after) = elements.split_at_checked(items.len())?;
    let mut own: Vec<Value> = Vec::new();
    let mut needed = 0;
    for (item, target) in items.iter().zip(there) {
        let stays = shows(item.node(), target);
        let changes = match (item.node().content(), target) {
            (Content::Map(_), _) if stays => Hash::default(),
            // An existing item is not appended again.
            _ if stays => {
                own.push(target.clone());
                continue;
            }
            (Content::Map(_), Value::Hash(_)) => match over(item.node(), target).ok()? {
                Value::Hash(changes) => changes,
                _ => return None,
            },
            _ => return None,
        };
        let pairs = changes.iter().map(|(key, value)| (key.clone(), value.clone()));
        own.push(std::iter::once((STRATEGY.into(), "merge".into())).chain(pairs).collect::<Hash>().into());
        if !stays {
            needed = own.len();
        }
    }
    own.truncate(needed);
    own.extend(after.iter().cloned());
    Some(own.into_iter().collect())
}

/// Merges two values of the same key; `None` if the key is removed or must not be merged.
pub(super) fn merged(base: &Node, own: &Node) -> Option<Node> {
    let result = merge(&keyed(base.clone()), &keyed(own.clone())).ok()?;
    result.as_map()?.get("key").map(|item| item.node().clone())
}

fn keyed(node: Node) -> Node {
    let entry = Entry { key: "key".into(), key_span: Span::default(), item: Item::new(node.clone()), merged: false };
    node.with_content(Content::Map(Map::new(vec![entry])))
}

impl ShrinkingList {
    pub(super) fn below(mut self, key: &Value) -> ShrinkingList {
        self.path.insert(0, key.clone());
        self
    }
}

/// A base without some of its lists.
pub(super) fn without(base: &Node, path: &[Value]) -> Node {
    let (Some((key, rest)), Some(map)) = (path.split_first(), base.as_map()) else { return base.clone() };
    let kept = map.entries().iter().filter(|entry| !rest.is_empty() || entry.key != *key).map(|entry| {
        if entry.key == *key {
            return Entry { item: Item::new(without(entry.node(), rest)), ..entry.clone() };
        }
        entry.clone()
    });
    base.with_content(Content::Map(Map::new(kept.collect())))
}

/// The own value that leaves lists out: `{a: {list: {+%: whiteout}}}`.
pub(super) fn whiteouts(paths: &[Vec<Value>]) -> Vec<(Value, Value)> {
    let mut out: Vec<(Value, Value)> = Vec::new();
    for path in paths {
        let Some((key, rest)) = path.split_first() else { continue };
        if out.iter().any(|(known, _)| known == key) {
            continue;
        }
        if rest.is_empty() {
            out.push((key.clone(), strategy("whiteout")));
            continue;
        }
        let below = paths.iter().filter(|path| path.first() == Some(key)).map(|path| path[1..].to_vec());
        let below = whiteouts(&below.collect::<Vec<_>>());
        out.push((key.clone(), below.into_iter().collect::<Hash>().into()));
    }
    out
}

/// Refuses keys that would be read as directives and were none before.
pub(super) fn check_keys(changed: &Value, before: &Node) -> Result<(), Failure> {
    match changed {
        Value::Array(elements) => {
            let items = before.as_list().unwrap_or_default();
            for (at, element) in elements.iter().enumerate() {
                let before = items.get(at).map_or_else(nothing, |item| item.node().clone());
                check_keys(element, &before)?;
            }
            Ok(())
        }
        Value::Hash(hash) => {
            for (key, value) in hash.iter() {
                let known = before.as_map().and_then(|map| map.entry(key)).map(|entry| entry.node().clone());
                // An entry that expanded documents can contain may also be added to one.
                let stays = key.as_str() == Some(STRATEGY) && value.as_str() == Some("merge");
                if known.is_none() && !stays && key.as_str().is_some_and(is_special) {
                    let key = key.to_text();
                    return Err(Failure::plain(
                        codes::DIRECTIVE_AS_DATA,
                        &format!("the key '{key}' of the changed document looks like a directive"),
                        "the changed document is plain data; write directives into the original",
                    ));
                }
                check_keys(value, &known.unwrap_or_else(nothing))?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn nothing() -> Node {
    Node::from_value(&Value::Undef)
}

/// Returns whether a key has a meaning in the expansion.
pub(super) fn is_special(key: &str) -> bool {
    key.starts_with('+') && !matches!(PlusKey::parse(key), Ok(PlusKey::Plain))
}
