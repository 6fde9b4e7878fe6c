//! The properties of merging: shared values and objects merge alike, and the invariants of each strategy.

use hieratic_value::{Hash, Value};
use proptest::prelude::{Just, Strategy as Generator, any, prop_assert_eq, prop_oneof, proptest};

use super::objects::merge;
use super::plain;
use super::strategy::Strategy;
use crate::object::{Mark, Object};

fn deep(options: &[(&str, Value)]) -> Strategy {
    let options: Hash = [("strategy", Value::from("deep"))].into_iter().chain(options.iter().cloned()).collect();
    Strategy::parse(&options.into()).unwrap()
}

fn tree() -> impl Generator<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Undef),
        any::<bool>().prop_map(Value::from),
        (0i64..4).prop_map(Value::from),
        "[a-c]".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-c]", inner), 0..4)
                .prop_map(|pairs| pairs.into_iter().collect::<Hash>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn shared_values_and_objects_merge_alike(e1 in tree(), e2 in tree(), e3 in tree(), hashes: bool, sort: bool) {
        let deep = deep(&[("merge_hash_arrays", hashes.into()), ("sort_merged_arrays", sort.into())]);
        let object = |value: &Value| Object::marked(value, &Mark::default());
        let by_objects = merge(&deep, &object(&e1), &object(&e2)).and_then(|two| merge(&deep, &two, &object(&e3)));
        let by_values = plain::merge(&deep, e1, e2).and_then(|two| plain::merge(&deep, two, e3));
        prop_assert_eq!(by_values, by_objects.map(|object| object.to_value()));
    }

    #[test]
    fn a_hash_merge_keeps_every_key_and_the_higher_value(
        e1 in proptest::collection::hash_map("[a-d]", 0i64..9, 0..4),
        e2 in proptest::collection::hash_map("[a-d]", 0i64..9, 0..4),
    ) {
        let hash = |pairs: &std::collections::HashMap<String, i64>| {
            Value::from(pairs.iter().map(|(k, v)| (k.as_str(), Value::from(*v))).collect::<Hash>())
        };
        let merged = plain::merge(&crate::Strategy::hash(), hash(&e1), hash(&e2)).unwrap();
        let merged = merged.as_hash().unwrap();
        for key in e1.keys().chain(e2.keys()) {
            let expected = e1.get(key).or_else(|| e2.get(key)).copied();
            prop_assert_eq!(merged.get(key).cloned(), expected.map(Value::from));
        }
    }

    #[test]
    fn a_unique_merge_has_every_element_once(e1 in proptest::collection::vec(0i64..6, 0..8), e2 in proptest::collection::vec(0i64..6, 0..8)) {
        let list = |items: &[i64]| items.iter().map(|item| Value::from(*item)).collect::<Value>();
        let unique = Strategy::parse(&"unique".into()).unwrap();
        let merged = plain::merge(&unique, list(&e1), list(&e2)).unwrap();
        let mut expected: Vec<i64> = Vec::new();
        for item in e1.iter().chain(&e2) {
            if !expected.contains(item) {
                expected.push(*item);
            }
        }
        prop_assert_eq!(merged, list(&expected));
    }
}
