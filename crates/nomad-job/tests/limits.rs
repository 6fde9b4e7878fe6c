//! Whatever a job says, it ends soon and takes bounded memory.

use hieratic_budget::{Budget, Limits};
use hieratic_nomad_job::{Job, Options};

fn small() -> Budget {
    Budget::new(Limits { steps: 300_000, bytes: 4_000_000, ..Limits::default() })
}

/// What is said of a job with these locals, and a meta value.
fn job(locals: &str, value: &str) -> Result<Job, String> {
    let text = format!(
        "locals {{\n{locals}\n}}\njob \"a\" {{\n  meta {{\n    v = {value}\n  }}\n  group \"g\" {{\n    task \"t\" {{\n      \
         driver = \"raw_exec\"\n    }}\n  }}\n}}\n"
    );
    let options = Options { budget: small(), ..Options::default() };
    Job::parse(text.into_bytes(), &options).map_err(|failure| failure.to_string())
}

/// Locals each of which is made of the one before.
fn chain(first: &str, next: impl Fn(&str) -> String) -> String {
    let mut locals = format!("v0 = {first}\n");
    for at in 1..60 {
        locals += &format!("v{at} = {}\n", next(&format!("local.v{}", at - 1)));
    }
    locals
}

#[test]
fn growing_values_reach_the_limit() {
    let doubled = chain("\"x\"", |before| format!("\"${{{before}}}${{{before}}}\""));
    let shared = chain("[1]", |before| format!("[{before}, {before}]"));
    let objects = chain("{}", |before| format!("{{ a = {before}, b = {before} }}"));
    let replaced = chain("\"xxxx\"", |before| format!("replace({before}, \"x\", \"xx\")"));
    let joined = chain("\"x\"", |before| format!("join({before}, [{before}, {before}])"));
    let directives = chain("\"x\"", |before| format!("\"%{{ for a in [1, 2] }}${{{before}}}%{{ endfor }}\""));
    let merged = chain("{}", |before| format!("merge({{ a = {before} }}, {{ b = {before} }})"));
    let many = "v0 = range(1000)";
    let cases = [
        (doubled.as_str(), "local.v59"),
        (&shared, "jsonencode(local.v59)"),
        (&shared, "local.v58 == local.v59 ? 1 : 2"),
        (&shared, "length(flatten(local.v59))"),
        (&objects, "jsonencode(local.v59)"),
        (&replaced, "local.v59"),
        (&joined, "local.v59"),
        (&directives, "local.v59"),
        (&merged, "jsonencode(local.v59)"),
        (many, "length([for a in local.v0 : [for b in local.v0 : [for c in local.v0 : 1]]])"),
        (
            many,
            "\"%{ for a in local.v0 }%{ for b in local.v0 }%{ for c in local.v0 }x%{ endfor }%{ endfor }%{ endfor }\"",
        ),
        (many, "length({ for a in local.v0 : \"a\" => [for b in local.v0 : \"xxxxxxxxxxxxxxxxxxxxxxxx\"]... })"),
        (many, "length(setproduct(local.v0, local.v0))"),
        // What is too much is not tried again.
        (many, "try(length([for a in local.v0 : [for b in local.v0 : [for c in local.v0 : 1]]]), 1)"),
        (many, "can([for a in local.v0 : [for b in local.v0 : [for c in local.v0 : 1]]])"),
        ("", "bcrypt(\"a\", 30)"),
    ];
    for (locals, value) in cases {
        let failure = match job(locals, value) {
            Ok(_) => panic!("{value} is within the limits: {locals}"),
            Err(failure) => failure,
        };
        assert!(failure.contains("Limit reached") && failure.contains("--limit"), "{value}: {failure}");
    }
}

#[test]
fn nested_dynamic_blocks_cost_steps() {
    let text = "locals {\n  n = range(1000)\n}\njob \"a\" {\n  dynamic \"group\" {\n    for_each = local.n\n    labels = [\"g${group.value}\"]\n    \
                content {\n      dynamic \"task\" {\n        for_each = local.n\n        labels = [\"t${task.value}\"]\n        content {\n          \
                driver = \"raw_exec\"\n        }\n      }\n    }\n  }\n}\n";
    let options = Options { budget: small(), ..Options::default() };
    let failure = Job::parse(text.as_bytes().to_vec(), &options).unwrap_err();
    assert!(failure.to_string().contains("Limit reached"), "{failure}");
}

#[test]
fn duplicate_locals_that_refer_to_each_other_cost_steps() {
    let text = "locals {\n  a = [local.a]\n}\n".repeat(3_000) + "job \"a\" {\n}\n";
    let options = Options { budget: small(), ..Options::default() };
    let failure = Job::parse(text.into_bytes(), &options).unwrap_err();
    assert!(failure.to_string().contains("Limit reached"), "{failure}");
}

#[test]
fn a_flat_sum_of_any_length_has_a_value() {
    let sum = |terms: usize| "1".to_owned() + &" + 1".repeat(terms - 1);
    assert!(job("", &sum(5_000)).is_ok());
    assert!(job("", &sum(100_000)).is_ok());
}
