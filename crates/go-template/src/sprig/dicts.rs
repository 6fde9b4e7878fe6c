//! Maps. A function that changes a map in place in Go returns the changed map here, and leaves the caller's map
//! unchanged.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::convert::string;
use super::{count, exactly, text_of, wrong_type};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "dict" => Ok(dict(arguments)),
        "get" => exactly::<2>(arguments)
            .and_then(|[map, key]| Ok(map_of(map)?.get(text_of(key)?).cloned().unwrap_or_else(|| "".into()))),
        "hasKey" => {
            exactly::<2>(arguments).and_then(|[map, key]| Ok(Value::Bool(map_of(map)?.contains_key(text_of(key)?))))
        }
        "keys" => keys(arguments),
        "values" => exactly::<1>(arguments).and_then(|[map]| Ok(Value::list(map_of(map)?.values().cloned().collect()))),
        "pick" => picked(arguments, true),
        "omit" => picked(arguments, false),
        "pluck" => pluck(arguments),
        "merge" | "mustMerge" => merged(arguments, false),
        "mergeOverwrite" | "mustMergeOverwrite" => merged(arguments, true),
        "dig" => dig(arguments),
        // They change the map that other expressions hold as well.
        "set" | "unset" => Err(Fault::NotHere(name.to_owned())),
        _ => return None,
    })
}

fn map_of(value: &Value) -> Result<&BTreeMap<String, Value>, Fault> {
    match value {
        Value::Map(entries) => Ok(entries),
        other => Err(wrong_type("map[string]interface {}", other)),
    }
}

fn dict(arguments: &[Value]) -> Value {
    let entry = |pair: &[Value]| Some((string(pair.first()?), pair.get(1).cloned().unwrap_or_else(|| "".into())));
    Value::map(arguments.chunks(2).filter_map(entry))
}

/// The keys of all maps. The reference has them in any order; here they are sorted.
fn keys(arguments: &[Value]) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for map in arguments {
        all.extend(map_of(map)?.keys().map(|key| Value::from(key.as_str())));
    }
    Ok(Value::list(all))
}

fn picked(arguments: &[Value], is_pick: bool) -> Result<Value, Fault> {
    let (map, keys) = arguments.split_first().ok_or_else(|| count(arguments, 1))?;
    let keys = keys.iter().map(text_of).collect::<Result<Vec<&str>, Fault>>()?;
    let selected = map_of(map)?.iter().filter(|(key, _)| keys.contains(&key.as_str()) == is_pick);
    Ok(Value::map(selected.map(|(key, value)| (key.clone(), value.clone()))))
}

fn pluck(arguments: &[Value]) -> Result<Value, Fault> {
    let (key, maps) = arguments.split_first().ok_or_else(|| count(arguments, 1))?;
    let key = text_of(key)?;
    let mut found = Vec::new();
    for map in maps {
        found.extend(map_of(map)?.get(key).cloned());
    }
    Ok(Value::list(found))
}

fn merged(arguments: &[Value], overwrites: bool) -> Result<Value, Fault> {
    let (first, others) = arguments.split_first().ok_or_else(|| count(arguments, 1))?;
    let mut all = map_of(first)?.clone();
    for other in others {
        // The first map itself has nothing to add: the reference has changed it by then.
        if matches!((first, other), (Value::Map(first), Value::Map(other)) if Arc::ptr_eq(first, other)) {
            continue;
        }
        merge_into(&mut all, map_of(other)?, overwrites);
    }
    Ok(Value::map(all))
}

/// Adds entries; those that are there stay, unless they are empty or the others win.
fn merge_into(map: &mut BTreeMap<String, Value>, other: &BTreeMap<String, Value>, overwrites: bool) {
    for (key, value) in other {
        match (map.get_mut(key), value) {
            (Some(Value::Map(inner)), Value::Map(more)) => {
                let mut entries = BTreeMap::clone(inner);
                stacker::maybe_grow(64 << 10, 1 << 20, || merge_into(&mut entries, more, overwrites));
                map.insert(key.clone(), Value::map(entries));
            }
            (Some(known), _) if known.is_true() && !overwrites => {}
            _ => {
                map.insert(key.clone(), value.clone());
            }
        }
    }
}

/// A value in nested maps, or a default.
fn dig(arguments: &[Value]) -> Result<Value, Fault> {
    if arguments.len() < 3 {
        return Err(Fault::error("dig needs at least three arguments"));
    }
    let (map, rest) = arguments.split_last().ok_or_else(|| count(arguments, 3))?;
    let (default, keys) = rest.split_last().ok_or_else(|| count(arguments, 3))?;
    let mut value = map.clone();
    for (index, key) in keys.iter().enumerate() {
        let Some(inner) = map_of(&value)?.get(text_of(key)?).cloned() else { return Ok(default.clone()) };
        if index + 1 < keys.len() && !matches!(inner, Value::Map(_)) {
            return Err(wrong_type("map[string]interface {}", &inner));
        }
        value = inner;
    }
    Ok(value)
}
