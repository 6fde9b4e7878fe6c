//! What templates with errors in them are worth, as keys of objects show it.

use hieratic_hcl_eval::{Context, File, Functions};
use hieratic_hcl_types::{Text, Type, Value};

/// The summaries of what is wrong with an expression in HCL's JSON syntax.
fn faults(text: &str) -> Vec<String> {
    let functions = Functions::new().with_expression_functions();
    let variables = [(Text::from("ns"), Value::Null(Type::String)), (Text::from("s"), Value::string(""))];
    let context = Context::new().with_variables(variables).with_functions(&functions);
    let file = File::json_expression("case.hcl", text);
    assert!(!file.problems().has_errors(), "{}", file.problems());
    let (_, problems) = file.expression().unwrap().value(&context);
    problems.iter().map(|problem| problem.summary.to_string()).collect()
}

/// As HCL v2.20.2 answers: behind an error, a template adds nothing to its string.
#[test]
fn a_template_ends_before_an_error() {
    let (null, twice) = ("Invalid template interpolation value", "Duplicate object attribute");
    assert_eq!(faults(r#"{"${s}": 1, "${ns}x": 2}"#), [null, twice]);
    assert_eq!(faults(r#"{"${ns}x": 1, "x": 2}"#), [null]);
    assert_eq!(faults(r#"{"x": 1, "${ns}x": 2}"#), [null]);
    assert_eq!(faults(r#"{"x": 1, "x${ns}y${1}": 2}"#), [null, twice]);
    assert_eq!(
        faults(r#"{"${ns}${ns}": 1, "${ns}": 2, "${s}${ns}": 3}"#),
        [null, null, "Invalid object key expression", null, twice]
    );
}
