//! Laws of merging, for random maps.

use hieratic_directives::merge;
use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::Node;
use proptest::prelude::*;

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undef),
        any::<bool>().prop_map(Value::from),
        (-3i64..9).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ]
}

fn map_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(("[a-e]", value), 0..5)
        .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (Value::from(key), value)).collect::<Hash>().into())
}

fn map() -> impl Strategy<Value = Value> {
    let value = scalar().prop_recursive(3, 24, 5, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from), map_of(inner)]
    });
    map_of(value)
}

fn merged(base: &Value, own: &Value) -> Value {
    merge(&Node::from_value(base), &Node::from_value(own)).unwrap().to_value()
}

fn keys(value: &Value) -> Vec<String> {
    value.as_hash().unwrap().keys().map(Value::to_text).collect()
}

proptest! {
    #[test]
    fn an_empty_map_changes_nothing(map in map()) {
        let empty = Value::Hash(Hash::default());
        prop_assert_eq!(&merged(&map, &empty), &map);
        prop_assert_eq!(&merged(&empty, &map), &map);
    }

    #[test]
    fn own_keys_come_first_and_all_are_kept(base in map(), own in map()) {
        let result = keys(&merged(&base, &own));
        let (base_keys, own_keys) = (keys(&base), keys(&own));
        prop_assert!(base_keys.iter().chain(&own_keys).all(|key| result.contains(key)));
        prop_assert_eq!(result.len(), base_keys.iter().chain(&own_keys).collect::<std::collections::HashSet<_>>().len());
        let moved = |key: &&String| {
            // An own null or empty map yields to a map, at the position of that map.
            let base = base.as_hash().unwrap().get(key).cloned().unwrap_or_default();
            let own = own.as_hash().unwrap().get(key).cloned().unwrap_or_default();
            base.as_hash().is_some() && (own.is_undef() || own.as_hash().is_some_and(Hash::is_empty))
        };
        let stay: Vec<&String> = own_keys.iter().filter(|key| !moved(key)).collect();
        prop_assert_eq!(result.iter().take(stay.len()).collect::<Vec<_>>(), stay);
    }

    #[test]
    fn own_scalars_win(base in map(), own in map()) {
        let result = merged(&base, &own);
        for (key, value) in own.as_hash().unwrap().iter() {
            if !matches!(value, Value::Hash(_) | Value::Array(_) | Value::Undef) {
                prop_assert_eq!(result.as_hash().unwrap().get_value(key), Some(value));
            }
        }
    }

    #[test]
    fn merging_is_idempotent(base in map(), own in map()) {
        // Maps with one key in lists are not held to that: two of them may merge with the same map of the base.
        prop_assume!(!has_single_keys(&base) && !has_single_keys(&own));
        let once = merged(&base, &own);
        prop_assert!(same(&merged(&once, &own), &once), "{} {}", once.inspect(), merged(&once, &own).inspect());
    }

    #[test]
    fn lists_never_shrink(base in map(), own in map()) {
        let result = merged(&base, &own);
        for (key, value) in base.as_hash().unwrap().iter() {
            let own = own.as_hash().unwrap().get_value(key);
            if let (Value::Array(base), Some(Value::Array(_))) = (value, own) {
                let result = result.as_hash().unwrap().get_value(key).unwrap().as_array().unwrap();
                prop_assert!(result.len() >= base.len());
            }
        }
    }
}

/// Returns whether a list has a map with a single key.
fn has_single_keys(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements
            .iter()
            .any(|element| element.as_hash().is_some_and(|hash| hash.len() == 1) || has_single_keys(element)),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_single_keys(value)),
        _ => false,
    }
}

/// Equality without the order of keys.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Hash(one), Value::Hash(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get_value(key).is_some_and(|other| same(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other))
        }
        _ => one == other,
    }
}
