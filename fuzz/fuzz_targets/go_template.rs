#![no_main]
//! Go's templates: they are read or refused with a place, and rendered with sprig's functions.

use hieratic_budget::{Budget, Limits};
use hieratic_go_template::{Fault, Functions, Rendering, Syntax, Value, parse, render, sprig};

struct Sprig;

impl Functions for Sprig {
    fn call(&self, name: &str, arguments: &[Value], _: &Rendering<'_>) -> Option<Result<Value, Fault>> {
        sprig::call(name, arguments)
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let budget = Budget::new(Limits { steps: 100_000, bytes: 16 << 20, ..Limits::default() });
    let known = |name: &str| sprig::is_function(name);
    let syntax = Syntax { functions: Some(&known), ..Syntax::default() };
    match parse("t", text, &syntax, &budget) {
        Err(error) => assert!(error.span.first() <= text.len()),
        Ok(templates) => {
            let rendering =
                Rendering { templates: &templates, functions: &Sprig, is_strict: false, no_value: "", budget: &budget };
            let _ = render("t", &Value::map([("a".to_owned(), Value::Int(1))]), &rendering);
        }
    }
});
