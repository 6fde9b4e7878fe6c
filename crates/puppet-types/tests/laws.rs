//! Laws that hold for all types, values and texts.

use hieratic_puppet_types::{Key, Type, assert_instance, infer, infer_set, is_rich_data, new_instance, parse};
use hieratic_value::{Hash, Value};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Undef),
        any::<bool>().prop_map(Value::from),
        (-50i64..50).prop_map(Value::from),
        (-5.0..5.0f64).prop_map(Value::from),
        "[a-c']{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-c]{0,2}", inner), 0..4)
                .prop_map(|pairs| Value::from(pairs.into_iter().collect::<Hash>())),
        ]
    })
}

fn types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            Type::Any,
            Type::Undef,
            Type::Scalar,
            Type::ScalarData,
            Type::Numeric,
            Type::INTEGER,
            Type::FLOAT,
            Type::STRING,
            Type::BOOLEAN,
            Type::data(),
            Type::rich_data(),
            Type::Collection(None),
        ]),
        (0i64..5, 0i64..5).prop_filter_map("a range", |(from, more)| Type::integer(Some(from), Some(from + more))),
        (0usize..4).prop_map(Type::string_of_at_least),
        prop::collection::vec("[a-c]{1,2}", 1..3).prop_map(Type::enumeration),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::array),
            inner.clone().prop_map(|value| Type::hash(Type::STRING, value)),
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(Type::not_undef),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Type::tuple),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Type::variant),
            ("[a-c]", inner).prop_map(|(name, value)| Type::structure([(Key::optional(&name), value)])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_value_is_of_the_types_that_are_inferred(value in values()) {
        // Inference of one type for all elements overlooks `undef`, as the reference does.
        prop_assert!(infer(&value).is_instance(&value) || has_undef(&value));
        prop_assert!(infer_set(&value).is_instance(&value));
        prop_assert!(infer_set(&value).generalize().is_instance(&value));
    }

    #[test]
    fn data_is_rich_data_and_every_wide_type_takes_it(value in values()) {
        prop_assert!(is_rich_data(&value));
        prop_assert!(Type::data().is_instance(&value));
        prop_assert!(Type::data().is_assignable(&infer_set(&value)));
    }

    #[test]
    fn a_type_reads_back_as_it_was_written(one in types()) {
        prop_assert_eq!(parse(&one.to_string()).map(|read| read.to_string()), Ok(one.to_string()));
    }

    #[test]
    fn a_type_takes_itself(one in types()) {
        // The reference does not see that `NotUndef[Optional[X]]` takes itself.
        prop_assert!(one.is_assignable(&one) || one.to_string().contains("NotUndef"));
    }

    #[test]
    fn normal_types_take_the_same_values(one in types(), value in values()) {
        // The reference makes of an optional `NotUndef` the bare `Optional`, which takes nothing but `undef`.
        let text = one.to_string() + "]";
        prop_assume!(!["NotUndef]", "NotUndef,", "NotUndef}"].iter().any(|bare| text.contains(bare)));
        prop_assert_eq!(one.normalize().is_instance(&value), one.is_instance(&value));
    }

    #[test]
    fn a_check_fails_with_words_or_not_at_all(one in types(), value in values()) {
        let checked = assert_instance("Found value", &one, &value);
        prop_assert_eq!(checked.is_ok(), one.is_instance(&value));
        if let Err(mismatch) = checked {
            // The reference finds no words for an array of hashes with unnameable keys where structs should be.
            let message = mismatch.to_string();
            prop_assert!(message.is_empty() || message.trim_start().starts_with("Found value has wrong type,"));
        }
    }

    #[test]
    fn generated_values_have_the_type(one in types(), value in values()) {
        if let Ok(made) = new_instance(&one, &value, &[]) {
            prop_assert!(one.is_instance(&made));
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[A-Z]?[a-zIntegerS\\[\\]{}(),=>'\"/$#:\\\\0-9 .\n-]{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.offset().is_some_and(|offset| offset <= text.len()));
        }
    }

    #[test]
    fn no_characters_make_the_parser_panic(text in "\\PC{0,30}") {
        let _ = parse(&text);
    }
}

/// Whether `undef` is somewhere inside.
fn has_undef(value: &Value) -> bool {
    match value {
        Value::Undef => true,
        Value::Array(elements) => elements.iter().any(has_undef),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_undef(value)),
        _ => false,
    }
}
