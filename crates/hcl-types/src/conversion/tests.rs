#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use crate::{AttributeType, ObjectType, Type, Value, conversion, convert, unify};

fn text(text: &str) -> Value {
    Value::string(text)
}

#[test]
fn primitive_values_convert_to_and_from_strings() {
    assert_eq!(convert(&Value::from(15), &Type::String).unwrap().as_str(), Some("15"));
    assert_eq!(convert(&text("true"), &Type::Bool).unwrap().as_bool(), Some(true));
    assert_eq!(convert(&text("TRUE"), &Type::Bool).unwrap_err().message.matches("lowercase").count(), 1);
    assert_eq!(convert(&text("x"), &Type::Number).unwrap_err().message, "a number is required");
    assert_eq!(convert(&Value::TRUE, &Type::Number).unwrap_err().message, "number required, but have bool");
}

#[test]
fn a_tuple_becomes_a_list_of_the_common_element_type() {
    let mixed = Value::tuple(vec![Value::from(1), text("a"), Value::TRUE]);
    let list = convert(&mixed, &Type::list(Type::Dynamic)).unwrap();
    assert_eq!(list.ty(), Type::list(Type::String));
    let nested = Value::tuple(vec![Value::from(1), Value::tuple(vec![])]);
    let error = convert(&nested, &Type::list(Type::Dynamic)).unwrap_err();
    assert_eq!(error.message, "all list elements must have the same type");
}

#[test]
fn sets_are_sorted_and_distinct() {
    let tuple = Value::tuple(vec![text("b"), text("a"), text("b")]);
    let set = convert(&tuple, &Type::set(Type::String)).unwrap();
    assert_eq!(set.to_json().unwrap().to_string(), r#"["a","b"]"#);
}

#[test]
fn optional_attributes_may_be_missing() {
    let attribute = |name: &str, optional| AttributeType { name: name.into(), ty: Type::String, optional };
    let ty = Type::Object(std::sync::Arc::new(ObjectType::new([attribute("a", false), attribute("b", true)])));
    let object = Value::object(vec![("a".into(), Value::from(1)), ("c".into(), Value::TRUE)]);
    let converted = convert(&object, &ty).unwrap();
    assert_eq!(converted.to_json().unwrap().to_string(), r#"{"a":"1","b":null}"#);
    let error = convert(&Value::object(vec![]), &ty).unwrap_err();
    assert_eq!(error.message, "attribute \"a\" is required");
}

#[test]
fn errors_have_the_path_of_the_part() {
    let list = Value::tuple(vec![text("1"), text("x")]);
    let error = convert(&list, &Type::list(Type::Number)).unwrap_err();
    assert_eq!(error.path.len(), 1);
}

#[test]
fn unification_prefers_the_general_type() {
    let types = [Type::Number, Type::String];
    assert_eq!(unify(&types).unwrap().ty, Type::String);
    assert!(unify(&[Type::Number, Type::Bool]).is_none());
    assert!(unify(&[]).is_none());
}

#[test]
fn an_object_unified_as_a_map_converts_inner_objects_as_maps() {
    let object = |name: &str, value| Value::object(vec![(name.into(), value)]);
    let inner = object("b", object("b", Value::from(0)));
    let set = Value::set(inner.ty(), vec![inner]);
    let empty = Value::set(Type::object(Vec::new()), Vec::new());
    let chosen = Value::object(vec![("a".into(), set), ("b".into(), empty)]);
    let other = Type::map(Type::list(Type::object(Vec::new())));
    let unified = unify(&[chosen.ty(), other.clone()]).unwrap();
    assert_eq!(unified.ty, other);
    let converted = unified.convert(&chosen).unwrap();
    assert_eq!((converted.ty(), converted.to_json().unwrap().to_string()), (other, r#"{"a":[{}],"b":[]}"#.to_owned()));
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::Bool), Just(Type::Number), Just(Type::String)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Type::tuple),
            prop::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|map| Type::object(map.into_iter().map(|(name, ty)| (name.into(), ty)))),
        ]
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z0-9]{0,3}".prop_map(Value::string),
        Just(Value::NULL),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::tuple),
            prop::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|map| Value::object(map.into_iter().map(|(name, value)| (name.into(), value)).collect())),
        ]
    })
}

proptest! {
    /// A converted value has the target type, and converting it again changes nothing.
    #[test]
    fn a_converted_value_has_the_target_type(value in any_value(), ty in any_type()) {
        if let Ok(converted) = convert(&value, &ty) {
            prop_assert!(converted.is_of(&ty), "{converted:?} is not of {}", ty.constraint());
            prop_assert!(convert(&converted, &ty).unwrap().same(&converted));
        }
    }

    /// All types convert to the type that they have in common.
    #[test]
    fn values_convert_to_the_unified_type(types in prop::collection::vec(any_type(), 1..4)) {
        if let Some(unified) = unify(&types) {
            for ty in &types {
                prop_assert!(*ty == unified.ty || conversion(ty, &unified.ty).is_some());
            }
        }
    }

    /// A value conforms to its own type, and equals itself.
    #[test]
    fn a_value_conforms_to_its_type(value in any_value()) {
        prop_assert!(value.is_of(&value.ty()));
        prop_assert!(value.same(&value));
        prop_assert_eq!(value.equals(&value), Some(true));
        prop_assert_eq!(value.is_of(&Type::Dynamic), matches!(value, Value::Null(Type::Dynamic)));
    }

    /// Values round-trip through JSON.
    #[test]
    fn values_round_trip_through_json(value in any_value()) {
        let back = Value::from_json(&value.to_json().unwrap());
        prop_assert!(back.same(&value));
    }
}

#[test]
fn tuples_among_lists_are_converted_twice() {
    let expected = Type::list(Type::list(Type::String));
    let tuple = |items: Vec<Value>| Value::tuple(items.into_iter().map(|item| Value::tuple(vec![item])).collect());
    let mixed = tuple(vec![Value::from(1), text("a")]);
    let unified = unify(&[mixed.ty(), expected.clone()]).unwrap();
    assert_eq!(unified.ty, expected);
    let error = unified.convert(&mixed).unwrap_err();
    assert_eq!(error.message, "element types must all match for conversion to list");
    let texts = tuple(vec![text("a"), text("b")]);
    assert_eq!(unify(&[texts.ty(), expected.clone()]).unwrap().convert(&texts).unwrap().ty(), expected);
}
