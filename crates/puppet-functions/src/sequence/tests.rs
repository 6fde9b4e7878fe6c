//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_puppet_types::infer;
use hieratic_value::Value;
use proptest::prelude::*;

use super::*;
use crate::testing::{TestHost, kind, list};

fn elements(value: &Value) -> String {
    Value::from(iterate(value).unwrap().collect::<Vec<_>>()).inspect()
}

#[test]
fn everything_that_can_be_iterated_over() {
    for (value, expected) in [
        (list([1, 2]), "[1, 2]"),
        (crate::testing::hash([("a", 1)]), r#"[["a", 1]]"#),
        (Value::from("aé"), r#"["a", "é"]"#),
        (Value::from(3), "[0, 1, 2]"),
        (Value::from(0), "[]"),
        (kind("Integer[3, 5]"), "[3, 4, 5]"),
        (kind("Enum[b, a]"), r#"["a", "b"]"#),
    ] {
        assert_eq!(elements(&value), expected);
    }
    for value in
        [Value::from(-1), Value::from(1.5), Value::Undef, Value::from(true), kind("Integer[1]"), kind("String")]
    {
        assert!(iterate(&value).is_none(), "{value:?}");
    }
}

#[test]
fn ends_of_integers_do_not_overflow() {
    let range = kind("Integer[9223372036854775806, default]");
    assert!(iterate(&range).is_none());
    let sequence = Sequence { kind: SequenceKind::Range(Range::up_to(i64::MAX)), element: None };
    let steps = sequence.step(usize::MAX);
    assert_eq!(steps.walk().count(), 1);
    assert_eq!(steps.step(usize::MAX).walk().count(), 1);
}

#[test]
fn iterators_are_values_with_types() {
    let reversed = |value: Value| Sequence::from_value(&value).unwrap().typed().reversed().unwrap().into_value();
    let backward = reversed(list([1, 2]));
    assert_eq!(backward.to_text(), "Iterator[Integer]-Value");
    let content = backward.extended::<Opaque>().unwrap();
    assert_eq!(content.kind.to_string(), "Iterator[Variant[Integer[1, 1], Integer[2, 2]]]");
    let kind_of = |value: Value| value.extended::<Opaque>().unwrap().kind.to_string();
    assert_eq!(kind_of(reversed(list::<Value>([]))), "Iterator[Unit]");
    assert_eq!(kind_of(reversed(Value::from("abc"))), "Iterator[String[1, 1]]");
    assert_eq!(kind_of(reversed(kind("Enum[a, b]"))), "Iterator[Enum['a', 'b']]");
    let stepped = Sequence::from_value(&kind("Integer[0, 10]")).unwrap().typed().step(3).into_value();
    assert_eq!(kind_of(stepped.clone()), "Iterator[Integer[0, 9]]");
    let found = iterator_elements(&mut TestHost::default(), &stepped).unwrap().unwrap();
    assert_eq!(Value::from(found), list([0, 3, 6, 9]));
    assert!(iterator_elements(&mut TestHost::default(), &list([1])).unwrap().is_none());
    assert_eq!(infer(&Value::from(1)).to_string(), "Integer[1, 1]");
}

#[test]
fn an_iterator_can_be_walked_again() {
    let value = Sequence::from_value(&list([1, 2])).unwrap().typed().reversed().unwrap().into_value();
    assert_eq!(elements(&value), "[2, 1]");
    assert_eq!(elements(&value), "[2, 1]");
}

#[test]
fn steps_and_turns_chain() {
    let range = || Sequence::from_value(&kind("Integer[1, 10]")).unwrap();
    let shown = |sequence: Sequence| Value::from(sequence.collect().unwrap()).inspect();
    assert_eq!(shown(range().step(3).reversed().unwrap()), "[10, 7, 4, 1]");
    assert_eq!(shown(range().reversed().unwrap().step(4)), "[10, 6]");
    let array = || Sequence::from_value(&list(1..10)).unwrap();
    assert_eq!(shown(array().step(2).step(2)), "[1, 5, 9]");
    assert_eq!(shown(array().step(2).reversed().unwrap()), "[9, 7, 5, 3, 1]");
    assert_eq!(shown(array().reversed().unwrap().step(4)), "[9, 5, 1]");
}

#[test]
fn too_many_elements_for_an_array_are_refused() {
    let sequence = Sequence::from_value(&kind("Integer[1, 1000000000000]")).unwrap();
    let Err(Flow::Error(error)) = sequence.collect() else { panic!("it was collected") };
    assert_eq!(error.message, "more than 8388608 elements cannot be made into an array");
}

proptest! {
    #[test]
    fn a_stepped_range_is_a_stepped_array(from in -20i64..20, length in 0i64..30, step in 1usize..9) {
        let range = Type::integer(Some(from), Some(from + length)).unwrap().into_value();
        let expected: Vec<Value> = (from..=from + length).step_by(step).map(Value::from).collect();
        let stepped = Sequence::from_value(&range).unwrap().step(step);
        prop_assert_eq!(stepped.collect().unwrap(), expected.clone());
        let array = Sequence::from_value(&Value::from(Sequence::from_value(&range).unwrap().collect().unwrap())).unwrap().step(step);
        prop_assert_eq!(array.collect().unwrap(), expected.clone());
        let mut backward = expected;
        backward.reverse();
        prop_assert_eq!(stepped.reversed().unwrap().collect().unwrap(), backward);
    }
}
