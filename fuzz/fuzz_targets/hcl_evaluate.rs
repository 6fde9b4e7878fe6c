#![no_main]
//! An expression, a template, a body and a value of HCL's JSON, evaluated: there is a value or there are errors with their places,
//! and the report can be written. With the reference beside it, both say the same.

use hieratic::hcl::{HclKind, HclInput, evaluate_hcl, hcl_functions};

#[path = "reference.rs"]
mod reference;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // What makes gigabytes out of a few letters is asked for.
    if text.len() > 4096 || text.contains("setproduct") || text.contains("indent") || text.contains("bcrypt") {
        return;
    }
    // The reference reads files from here as well.
    let functions = hcl_functions(Some("files/".into()));
    let kinds = [
        ("expr", HclKind::Expression),
        ("template", HclKind::Template),
        ("body", HclKind::Body),
        ("json_expr", HclKind::JsonExpression),
    ];
    for (name, kind) in kinds {
        let question = HclInput { kind, name: "case.hcl".into(), text: text.into(), ..HclInput::default() };
        let answer = evaluate_hcl(&question, &functions);
        assert_eq!(answer.value.is_none(), answer.problems.has_errors());
        let report = answer.report();
        let _ = report.to_string();
        // Identifiers of random numbers are random, and other files are there for the reference.
        if !["uuid", "file", "path"].iter().any(|name| text.contains(name)) {
            reference::compare(name, text, &report);
        }
    }
});
