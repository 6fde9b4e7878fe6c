//! Splats that the reference's version of the language cannot make a value of.

use hieratic_hcl_eval::{Context, File};
use hieratic_hcl_types::{Type, Value};

#[test]
fn a_splat_with_results_of_different_types_is_an_error() {
    let list = Value::list(Type::String, vec![Value::string("a"), Value::Null(Type::String)]);
    let context = Context::new().with_variables([("x".into(), list)]);
    let value = |text: &str| {
        let file = File::native_expression("a.hcl", text);
        file.expression().unwrap().value(&context)
    };
    let (_, problems) = value("x[*][*]");
    assert!(problems.to_string().starts_with("a.hcl:1,"), "{problems}");
    assert!(
        problems.to_string().contains("Invalid nested splat expressions; The second level of splat expression"),
        "{problems}"
    );
    assert_eq!(problems.len(), 1);
    let (value, problems) = value("x[*]");
    assert!(problems.is_empty() && value.ty() == Type::list(Type::String));
}
