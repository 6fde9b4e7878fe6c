#![no_main]
//! An expression of Unfurl: what is read prints as what reads as the same; evaluating ends, the same each time.

use hieratic_budget::{Budget, Limits};
use hieratic_unfurl::{Context, Expression, Options, Tree};
use hieratic_value::{Hash, Value};

libfuzzer_sys::fuzz_target!(|input: (&str, &str)| {
    let (text, attribute) = input;
    let Ok(expression) = Expression::parse(text) else { return };
    let form = expression.to_string();
    assert_eq!(Expression::parse(&form).ok(), Some(expression.clone()), "{form}");
    let options = Options { budget: Budget::new(Limits { steps: 20_000, depth: 50, ..Limits::default() }), ..Options::default() };
    let Ok(tree) = Tree::new(&tree(attribute)) else { return };
    let Ok(context) = Context::new(tree, options).start("web") else { return };
    let told = |fault: hieratic_unfurl::Fault| fault.message;
    let matches = || context.resolve(&expression).map_err(told);
    assert_eq!(matches(), matches());
    let _ = context.resolve_one(&expression);
    let _ = context.map_value(&Value::from(vec![eval(text), Value::from(attribute)]));
});

fn eval(expression: &str) -> Value {
    [("eval", Value::from(expression))].into_iter().collect::<Hash>().into()
}

/// Two instances; an attribute is an expression, another a template or text.
fn tree(attribute: &str) -> Value {
    let user = |name: &str| [("name", Value::from(name)), ("age", 25.into())].into_iter().collect::<Hash>().into();
    let attributes: Hash = [
        ("a", eval(attribute)),
        ("b", Value::from(attribute)),
        ("users", Value::from(vec![user("ann"), user("bob")])),
        ("conf", [("a", Value::from(1)), ("b", true.into())].into_iter().collect::<Hash>().into()),
    ]
    .into_iter()
    .collect();
    let web: Hash = [("name", Value::from("web")), ("attributes", attributes.into())].into_iter().collect();
    [("name", Value::from("root")), ("children", Value::from(vec![web.into()]))].into_iter().collect::<Hash>().into()
}
