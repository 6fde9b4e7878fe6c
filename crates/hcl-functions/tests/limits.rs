//! What functions make of little draws from the budget before it is made.

use hieratic_budget::{Budget, Exhausted, Limits};
use hieratic_hcl_functions::functions;
use hieratic_hcl_types::{CallError, Type, Value};

/// What a function says that may take so many steps and bytes.
fn called(limits: Limits, name: &str, arguments: &[Value]) -> Result<Value, CallError> {
    functions(None).get(name).unwrap().call_with_budget(&Budget::new(limits), arguments)
}

fn text(length: usize) -> Value {
    Value::string("x".repeat(length))
}

fn texts(count: usize, length: usize) -> Value {
    Value::list(Type::String, vec![text(length); count])
}

#[test]
fn results_above_the_limit_are_errors() {
    // A hundred and one times each: with the usual budget some of these would take all memory there is.
    let cases: Vec<(&str, Vec<Value>)> = vec![
        ("replace", vec![text(10_000), Value::string(""), text(10_000)]),
        ("replace", vec![text(10_000), Value::string("x"), text(10_000)]),
        ("regex_replace", vec![text(10_000), Value::string(""), text(10_000)]),
        ("regex_replace", vec![text(10_000), Value::string("(x*)"), Value::string("$1".repeat(1_000))]),
        ("indent", vec![10_000.into(), Value::string("\n".repeat(10_000))]),
        ("join", vec![text(10_000), texts(10_000, 1)]),
        ("split", vec![Value::string(""), text(1_000_000)]),
        ("format", vec![Value::string("%200000000d"), 1.into()]),
        ("formatlist", vec![Value::string("%9999s"), texts(10_000, 1)]),
        ("setproduct", vec![texts(1_000, 1), texts(1_000, 1)]),
        ("setproduct", vec![texts(1, 1); 200_000]),
    ];
    let limits = Limits { steps: 100_000, bytes: 1_000_000, ..Limits::default() };
    for (name, arguments) in cases {
        let error = called(limits, name, &arguments).unwrap_err();
        assert!(matches!(error, CallError::Limit { .. }), "{name}: {error}");
    }
}

#[test]
fn passwords_cost_steps() {
    let limits = Limits { steps: 100_000, ..Limits::default() };
    assert!(called(limits, "bcrypt", &[text(8), 4.into()]).is_ok());
    let error = called(limits, "bcrypt", &[text(8), 31.into()]).unwrap_err();
    assert!(matches!(error, CallError::Limit { limit: Exhausted::Steps(100_000), .. }));
}

#[test]
fn functions_cost_the_size_of_their_arguments() {
    for (name, arguments) in [
        ("upper", vec![text(100_000)]),
        ("replace", vec![text(100_000), Value::string("x"), Value::string("y")]),
        ("join", vec![Value::string(","), texts(1_000, 10)]),
        ("distinct", vec![texts(1_000, 10)]),
    ] {
        let limits = Limits { steps: 10_000, bytes: 500_000, ..Limits::default() };
        assert!(called(limits, name, &arguments).is_ok(), "{name}");
    }
}

#[test]
fn a_wide_csv_table_takes_linear_time() {
    let header: Vec<String> = (0..200_000).map(|at| format!("c{at}")).collect();
    let table = Value::string(format!("{0}\n{0}\n", header.join(",")));
    let rows = called(Limits::default(), "csvdecode", &[table]).unwrap();
    assert_eq!(rows.elements().next().and_then(Value::length), Some(200_000));
}
