//! Finds the maps that differ from the target values after the smallest change.

use hieratic_value::Value;
use hieratic_value::collections::HashSet;
use hieratic_yaml_edit::tree::{Content, Node};

use super::comparison::{same, target_value};
use super::plan::directive;

/// Adds the maps with directives that are not as they are wanted, the innermost of them.
pub(super) fn differing(raw: &Node, is: &Node, target: &Value, found: &mut HashSet<Vec<Value>>) {
    if !search(raw, is, target, &mut Vec::new(), found) {
        found.insert(Vec::new());
    }
}

/// Searches for the maps that cause the differences. Returns whether all differences were attributed to a map.
fn search(raw: &Node, is: &Node, target: &Value, path: &mut Vec<Value>, found: &mut HashSet<Vec<Value>>) -> bool {
    if same(is, target) {
        return true;
    }
    match (raw.content(), is.content(), target) {
        (Content::Map(map), Content::Map(now), Value::Hash(hash)) => {
            let mut explained = true;
            let keys = now.entries().iter().map(|entry| &entry.key).chain(hash.keys());
            for key in keys {
                let (now, target) = (now.entry(key), target_value(hash, key));
                explained &= match (map.entry(key).filter(|entry| !entry.item.is_alias()), now, target) {
                    (_, Some(now), Some(target)) if same(now.node(), target) => true,
                    (Some(raw), Some(now), Some(target)) => {
                        path.push(key.clone());
                        let explained = search(raw.node(), now.node(), target, path, found);
                        path.pop();
                        explained
                    }
                    _ => false,
                };
            }
            if !explained && map.entries().iter().any(|entry| directive(entry).is_some()) {
                return found.insert(path.clone());
            }
            explained
        }
        (Content::List(items), Content::List(now), Value::Array(elements))
            if items.len() == now.len() && now.len() == elements.len() =>
        {
            let mut explained = true;
            for (at, ((raw, now), target)) in items.iter().zip(now).zip(elements.iter()).enumerate() {
                path.push(Value::from(at));
                explained &= search(raw.node(), now.node(), target, path, found);
                path.pop();
            }
            explained
        }
        _ => false,
    }
}

/// Adds the maps with directives that change; if those are known already, those that depend on the change, or else all.
pub(super) fn all_changed(
    raw: &Node,
    is: &Node,
    target: &Value,
    depends: &HashSet<Vec<Value>>,
    found: &mut HashSet<Vec<Value>>,
) {
    let before = found.len();
    search(raw, is, target, &mut Vec::new(), found);
    if found.len() > before {
        return;
    }
    let mut all = HashSet::default();
    collect(raw, &mut Vec::new(), &mut all);
    found.extend(all.iter().filter(|path| depends.contains(*path)).cloned());
    if found.len() == before {
        found.extend(all);
    }
}

fn collect(raw: &Node, path: &mut Vec<Value>, found: &mut HashSet<Vec<Value>>) {
    if !raw.has_plus_keys() {
        return;
    }
    match raw.content() {
        Content::Scalar(_) => {}
        Content::List(items) => {
            for (at, item) in items.iter().enumerate() {
                path.push(Value::from(at));
                collect(item.node(), path, found);
                path.pop();
            }
        }
        Content::Map(map) => {
            if map.entries().iter().any(|entry| directive(entry).is_some()) {
                found.insert(path.clone());
            }
            for entry in map.entries() {
                path.push(entry.key.clone());
                collect(entry.node(), path, found);
                path.pop();
            }
        }
    }
}
