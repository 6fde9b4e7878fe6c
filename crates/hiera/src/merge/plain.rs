//! Merging shared values: unchanged parts are not copied.

use hieratic_value::collections::FixedState;
use hieratic_value::{Hash, HashBuilder, Value};
use indexmap::IndexSet;

use super::mergeable::assert_mergeable;
use super::strategy::{Deep, Strategy, StrategyKind};
use super::{objects, sort};
use crate::Error;
use crate::object::{Mark, Object};

type Set = IndexSet<Value, FixedState>;

/// The only value, which some strategies still change.
pub(crate) fn single(strategy: &Strategy, value: Value) -> Value {
    match (strategy.kind(), &value) {
        (StrategyKind::Unique, Value::Array(elements)) => {
            elements.iter().cloned().collect::<Set>().into_iter().collect()
        }
        _ => value,
    }
}

/// The first of several values.
pub(crate) fn first(strategy: &Strategy, value: Value) -> Value {
    match strategy.kind() {
        StrategyKind::Unique => flattened(value).into(),
        _ => value,
    }
}

/// Two values as one; the first has the higher priority.
pub(crate) fn merge(strategy: &Strategy, e1: Value, e2: Value) -> Result<Value, Error> {
    assert_mergeable(strategy.kind(), &e1, &e2)?;
    match strategy.kind() {
        StrategyKind::Default | StrategyKind::First => Ok(e1),
        StrategyKind::Unique => {
            let union: Set = flattened(e1).into_iter().chain(flattened(e2)).collect();
            Ok(union.into_iter().collect())
        }
        StrategyKind::Hash => Ok(match (e1, e2) {
            (Value::Hash(e1), Value::Hash(e2)) => over(&e1, e2),
            (e1, _) => e1,
        }),
        StrategyKind::Deep(options) | StrategyKind::UnconstrainedDeep(options) => deep(options, e1, e2),
        StrategyKind::ReverseDeep(options) => deep(options, e2, e1),
    }
}

/// The pairs of one hash laid over another's: the order is the lower's, then what only the higher has.
fn over(higher: &Hash, lower: Hash) -> Value {
    let mut map = lower.into_map();
    for (key, value) in higher {
        map.insert(key.clone(), value.clone());
    }
    Hash::from(map).into()
}

fn flattened(value: Value) -> Vec<Value> {
    fn flatten(out: &mut Vec<Value>, elements: &[Value]) {
        for element in elements {
            match element {
                Value::Array(inner) => flatten(out, inner),
                other => out.push(other.clone()),
            }
        }
    }
    match value {
        Value::Array(elements) => {
            let mut out = Vec::with_capacity(elements.len());
            flatten(&mut out, &elements);
            out
        }
        other => vec![other],
    }
}

fn deep(options: &Deep, source: Value, dest: Value) -> Result<Value, Error> {
    if options.knockout.is_some() {
        // Removals depend on which objects are the same ones, so they need objects.
        let (source, dest) = (Object::marked(&source, &Mark::default()), Object::marked(&dest, &Mark::default()));
        return Ok(objects::deep(options, &source, &dest)?.to_value());
    }
    merge_over(options, &source, &dest)
}

/// The deep merge without knockouts: `source` has the higher priority.
fn merge_over(options: &Deep, source: &Value, dest: &Value) -> Result<Value, Error> {
    if source.is_undef() {
        return Ok(dest.clone());
    }
    if !dest.is_truthy() {
        return Ok(source.clone());
    }
    match (source, dest) {
        (Value::Hash(source), Value::Hash(dest)) => {
            let mut map = dest.clone().into_map();
            for (key, value) in source {
                let merged = match map.get(key) {
                    Some(below) if below.is_truthy() => merge_over(options, value, below)?,
                    _ => with_itself(options, value)?,
                };
                map.insert(key.clone(), merged);
            }
            Ok(Hash::from(map).into())
        }
        (Value::Hash(source), dest) => {
            // The first pair replaces the lower value by the whole source; the others are then merged with themselves.
            if source.is_empty() {
                return Ok(dest.clone());
            }
            let mut map = HashBuilder::with_capacity_and_hasher(source.len(), FixedState);
            for (index, (key, value)) in source.iter().enumerate() {
                let value = if index == 0 { value.clone() } else { with_itself(options, value)? };
                map.insert(key.clone(), value);
            }
            Ok(Hash::from(map).into())
        }
        (Value::Array(source), Value::Array(dest)) => {
            let both_hashes = |elements: &[Value]| elements.iter().all(|element| matches!(element, Value::Hash(_)));
            let mut merged: Vec<Value> = if options.merge_hash_arrays && both_hashes(source) && both_hashes(dest) {
                let nothing = Value::Hash(Hash::default());
                let mut list = Vec::with_capacity(source.len().max(dest.len()));
                for (index, below) in dest.iter().enumerate() {
                    list.push(merge_over(options, source.get(index).unwrap_or(&nothing), below)?);
                }
                list.extend(source.iter().skip(dest.len()).cloned());
                list
            } else {
                dest.iter().chain(source.iter()).cloned().collect::<Set>().into_iter().collect()
            };
            if options.sort_merged_arrays {
                sort::sort(&mut merged, Value::clone)?;
            }
            Ok(merged.into())
        }
        _ => Ok(source.clone()),
    }
}

/// Returns a value without a lower counterpart as the reference returns it: merged with itself, which sorts and
/// deduplicates its arrays.
fn with_itself(options: &Deep, value: &Value) -> Result<Value, Error> {
    match value {
        Value::Hash(_) | Value::Array(_) => merge_over(options, value, value),
        scalar => Ok(scalar.clone()),
    }
}
