//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use hieratic_value::Value;

use crate::testing::{block, call, hash, kind, list, one, shown, stop, two};
use crate::{Block, Flow, iterate};

fn integer(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        other => panic!("{other:?}"),
    }
}

/// Returns a block of the given type that records its arguments.
fn recorder(kind: &str) -> (Block, Arc<Mutex<Vec<Value>>>) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let kept = calls.clone();
    let block = block(kind, move |arguments| {
        kept.lock().unwrap().push(Value::from(arguments.to_vec()));
        Ok(Value::Undef)
    });
    (block, calls)
}

fn calls(function: &str, arguments: &[Value], kind: &str) -> String {
    let (block, calls) = recorder(kind);
    let result = shown(function, arguments, Some(block));
    let calls = Value::from(calls.lock().unwrap().clone()).inspect();
    format!("{calls} -> {result}")
}

#[test]
fn each_gives_the_receiver() {
    assert_eq!(calls("each", &[list(["a", "b"])], "Callable[2,2]"), r#"[[0, "a"], [1, "b"]] -> ["a", "b"]"#);
    assert_eq!(calls("each", &[hash([("a", 1)])], "Callable[2,2]"), r#"[["a", 1]] -> {"a"=>1}"#);
    assert_eq!(calls("each", &[hash([("a", 1)])], "Callable[1,1]"), r#"[[["a", 1]]] -> {"a"=>1}"#);
    assert_eq!(calls("each", &[Value::from(3)], "Callable[1,1]"), "[[0], [1], [2]] -> 3");
    assert_eq!(calls("each", &[list([list([1, 2])])], "Callable[2,2]"), "[[0, [1, 2]]] -> [[1, 2]]");
}

#[test]
fn a_stop_ends_an_endless_iteration_at_once() {
    let endless = kind("Integer[1, 1000000000000]");
    for function in ["each", "map", "filter", "all", "any", "step", "index"] {
        let both = [endless.clone(), Value::from(2)];
        let arguments = if function == "step" { &both[..] } else { &both[..1] };
        let result = call(function, arguments, Some(block("Callable[1,1]", |_| stop())));
        assert!(result.is_ok(), "{function}");
    }
    assert_eq!(
        shown(
            "map",
            &[list([1, 2, 3])],
            Some(block("Callable[1,1]", |arguments| match integer(&arguments[0]) {
                2 => stop(),
                number => Ok(Value::from(number)),
            }))
        ),
        "[1]"
    );
    assert_eq!(shown("reduce", &[list([3, 1])], Some(block("Callable[2,2]", |_| stop()))), "3");
    assert_eq!(shown("all", &[Value::from(3)], Some(block("Callable[1,1]", |_| stop()))), "true");
    assert_eq!(shown("any", &[Value::from(3)], Some(block("Callable[1,1]", |_| stop()))), "false");
}

#[test]
fn some_functions_let_a_stop_pass() {
    for (function, receiver) in [
        ("filter", hash([("a", 1)])),
        ("all", list([1])),
        ("any", list([1])),
        ("index", list([1])),
        ("group_by", list([1])),
        ("partition", list([1])),
        ("with", Value::from(1)),
        ("then", Value::from(1)),
    ] {
        let result = call(function, &[receiver], Some(block("Callable[1,1]", |_| stop())));
        assert!(matches!(result, Err(Flow::Break(_))), "{function}");
    }
}

#[test]
fn map_filter_and_reduce() {
    assert_eq!(shown("map", &[list([1, 2])], Some(one(|x| Value::from(integer(x) * 2)))), "[2, 4]");
    assert_eq!(shown("map", &[hash([("a", 1)])], Some(two(|k, v| list([v.clone(), k.clone()])))), r#"[[1, "a"]]"#);
    let even = || Some(one(|x| Value::from(integer(x) % 2 == 0)));
    assert_eq!(shown("filter", &[kind("Integer[1, 6]")], even()), "[2, 4, 6]");
    let first = Some(two(|_, v| Value::from(integer(v) == 1)));
    assert_eq!(shown("filter", &[hash([("a", 1), ("b", 2)])], first), r#"{"a"=>1}"#);
    let sum = || Some(two(|memo, x| Value::from(integer(memo) + integer(x))));
    assert_eq!(shown("reduce", &[list([1, 2, 3])], sum()), "6");
    assert_eq!(shown("reduce", &[list([1, 2, 3]), Value::from(10)], sum()), "16");
    assert_eq!(shown("reduce", &[list::<Value>([])], sum()), "nil");
    assert_eq!(shown("reduce", &[list([1])], sum()), "1");
}

#[test]
fn groups_and_parts() {
    let odd = || Some(one(|x| Value::from(integer(x) % 2)));
    assert_eq!(shown("group_by", &[list([1, 2, 3])], odd()), "{1=>[1, 3], 0=>[2]}");
    assert_eq!(shown("group_by", &[list([7, 8])], Some(two(|i, _| i.clone()))), "{0=>[7], 1=>[8]}");
    let by_value = || Some(two(|_, v| Value::from(integer(v) == 1)));
    let pairs = hash([("a", 1), ("b", 2)]);
    assert_eq!(shown("group_by", std::slice::from_ref(&pairs), by_value()), r#"{true=>[["a", 1]], false=>[["b", 2]]}"#);
    assert_eq!(shown("partition", &[pairs], by_value()), r#"[[["a", 1]], [["b", 2]]]"#);
    let second = Some(two(|i, _| Value::from(integer(i) == 1)));
    assert_eq!(shown("partition", &[list([1, 2, 3])], second), "[[2], [1, 3]]");
}

#[test]
fn slices() {
    assert_eq!(shown("slice", &[list([1, 2, 3]), Value::from(2)], None), "[[1, 2], [3]]");
    assert_eq!(shown("slice", &[hash([("a", 1), ("b", 2)]), Value::from(2)], None), r#"[[["a", 1], ["b", 2]]]"#);
    let numbers = [list([1, 2, 3]), Value::from(2)];
    assert_eq!(calls("slice", &numbers, "Callable[2,2]"), "[[1, 2], [3, nil]] -> [1, 2, 3]");
    assert_eq!(calls("slice", &numbers, "Callable[1,1]"), "[[[1, 2]], [[3]]] -> [1, 2, 3]");
    assert_eq!(calls("slice", &numbers, "Callable[0,default]"), "[[1, 2], [3, nil]] -> [1, 2, 3]");
    let pairs = [hash([("a", 1)]), Value::from(2)];
    assert_eq!(calls("slice", &pairs, "Callable[2,2]"), r#"[[["a", 1], []]] -> {"a"=>1}"#);
    assert_eq!(
        calls("slice", &numbers, "Callable[0,0]"),
        "[] -> ERR slice(): block must define at least one parameter. Block has 0."
    );
    assert_eq!(
        calls("slice", &numbers, "Callable[3,3]"),
        "[] -> ERR slice(): block must define one parameter, or the same number of parameters as the given size of the slice \
         (2). Block has 3; a, b, c"
    );
}

#[test]
fn turns_and_steps_with_a_block() {
    assert_eq!(calls("reverse_each", &[list([1, 2])], "Callable[1,1]"), "[[2], [1]] -> nil");
    assert_eq!(calls("step", &[list([1, 2, 3, 4]), Value::from(3)], "Callable[1,1]"), "[[1], [4]] -> nil");
    let nested = [list([list([1, 2]), list([3]), Value::Undef, hash([("a", 1)])]), Value::from(1)];
    assert_eq!(calls("step", &nested, "Callable[0,default]"), r#"[[1, 2], [3], [], [["a", 1]]] -> nil"#);
}

#[test]
fn indices() {
    assert_eq!(shown("index", &[list([1, 2]), Value::from(2)], None), "1");
    assert_eq!(shown("index", &[list([1.0, 2.0]), Value::from(2)], None), "1");
    assert_eq!(shown("index", &[hash([("a", 1)]), Value::from(1)], None), r#""a""#);
    assert_eq!(shown("index", &[Value::from("aéc"), Value::from("c")], None), "2");
    assert_eq!(shown("index", &[Value::from("abc")], Some(one(|c| Value::from(c.as_str() == Some("b"))))), "1");
    assert_eq!(shown("index", &[hash([("a", 1)])], Some(one(|v| Value::from(integer(v) == 1)))), r#""a""#);
    assert_eq!(shown("index", &[list([1])], Some(one(|_| Value::from(false)))), "nil");
}

fn tree(options: Value) -> String {
    let nested = list([Value::from(1), list([2]), hash([("a", list::<Value>([]))])]);
    match call("tree_each", &[nested, options], None) {
        Ok(iterator) => Value::from(iterate(&iterator).unwrap().collect::<Vec<_>>()).inspect(),
        Err(Flow::Error(error)) => error.message,
        Err(other) => format!("{other:?}"),
    }
}

#[test]
fn trees() {
    assert_eq!(
        tree(hash([("include_root", false)])),
        r#"[[[0], 1], [[1], [2]], [[1, 0], 2], [[2], {"a"=>[]}], [[2, "a"], []]]"#
    );
    assert_eq!(
        tree(hash([("include_root", Value::from(false)), ("order", Value::from("breadth_first"))])),
        r#"[[[0], 1], [[1], [2]], [[2], {"a"=>[]}], [[1, 0], 2], [[2, "a"], []]]"#
    );
    assert_eq!(tree(hash([("include_containers", false)])), "[[[0], 1], [[1, 0], 2]]");
    assert_eq!(
        tree(hash([("include_values", false), ("include_containers", false)])),
        "Options 'include_containers' and 'include_values' cannot both be false"
    );
    let (block, calls) = recorder("Callable[2,2]");
    let result = call("tree_each", &[list([1])], Some(block)).unwrap();
    assert_eq!(result, list([1]));
    assert_eq!(Value::from(calls.lock().unwrap().clone()).inspect(), "[[[], [1]], [[0], 1]]");
}

#[test]
fn once_or_not_at_all() {
    assert_eq!(calls("with", &[Value::from(1), Value::from(2)], "Callable[2,2]"), "[[1, 2]] -> nil");
    assert_eq!(calls("then", &[Value::Undef], "Callable[1,1]"), "[] -> nil");
    assert_eq!(calls("then", &[Value::from(1)], "Callable[1,1]"), "[[1]] -> nil");
    assert_eq!(calls("lest", &[Value::Undef], "Callable[0,0]"), "[[]] -> nil");
    assert_eq!(calls("lest", &[Value::from(1)], "Callable[0,0]"), "[] -> 1");
}
