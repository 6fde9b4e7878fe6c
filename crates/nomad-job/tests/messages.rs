//! What the crate says about faulty jobs.

use std::fmt::Write;

use hieratic_nomad_job::{Job, Options, VariableFile};

/// Each job with what is said about it.
fn message(jobs: &[&str], options: &Options) -> String {
    let mut out = String::new();
    for source in jobs {
        let failure = Job::parse(*source, options).unwrap_err();
        let _ = write!(out, "{}\n--\n{failure}\n\n", source.trim_end());
    }
    out
}

fn options() -> Options {
    Options { path: "job.hcl".into(), ..Options::default() }
}

#[test]
fn blocks_and_arguments() {
    insta::assert_snapshot!(message(
        &[
            "",
            "job \"a\" {}\njob \"b\" {}\n",
            "job \"a\" {\n  gruop \"g\" {}\n  prioriti = 1\n}\n",
            "job \"a\" {\n  update {}\n  update {}\n}\n",
            "job \"a\" {\n  meta = { a = 1 }\n  meta {}\n}\n",
            "job \"a\" {\n  vault {}\n  vault {}\n}\n",
            "job \"a\" {\n  task \"t\" {\n    lifecycle {}\n  }\n}\n",
            "job \"a\" {\n  task \"t\" {\n    scaling \"disk\" {}\n    scaling \"cpu\" {}\n    scaling \"CPU\" {}\n  }\n}\n",
            "job \"a\" {\n  task \"t\" {\n    scaling \"mem\" { type = \"vertical_cpu\" }\n  }\n}\n",
            "job \"a\" {\n  group \"g\" {\n    scaling { type = \"up\" }\n  }\n}\n",
        ],
        &options()
    ));
}

#[test]
fn values() {
    insta::assert_snapshot!(message(
        &[
            "job \"a\" {\n  priority = \"x\"\n  datacenters = \"dc1\"\n  all_at_once = []\n}\n",
            "job \"a\" {\n  priority = 1.5\n}\n",
            "job \"a\" {\n  group \"g\" {\n    shutdown_delay = \"1d\"\n    max_run_duration = null\n  }\n}\n",
            "job \"a\" {\n  group \"g\" {\n    shutdown_delay = { a = [true] }\n  }\n}\n",
            "job \"a\" {\n  constraint { attribute = [] }\n  affinity { weight = \"w\" }\n}\n",
            "job \"a\" {\n  meta { a = {} }\n  meta_b {}\n}\n",
            "job \"a\" {\n  task \"t\" {\n    config { a = 1 + true }\n    env { B = null }\n  }\n}\n",
            "job \"a\" {\n  task \"t\" {\n    config { a = 1 + true }\n  }\n}\n",
        ],
        &options()
    ));
}

#[test]
fn variables() {
    let declared = "job \"a\" {}\nvariable \"n\" {\n  type = number\n  default = 1\n}\n";
    insta::assert_snapshot!(message(
        &[
            "variable \"x\" {}\nvariable \"x\" {}\njob \"a\" {}\n",
            "variable \"1x\" { default = 1 }\njob \"a\" {}\n",
            "variable \"x\" { type = any }\njob \"a\" {}\n",
            "variable \"x\" {\n  type = number\n  default = \"a\"\n}\njob \"a\" {}\n",
            "variables {\n  x = var.y\n}\njob \"a\" {}\n",
            "variable \"x\" {\n  default = 1\n  validation {\n    condition = true\n    error_message = \" \"\n  }\n}\njob \"a\" {}\n",
            "variable \"x\" {\n  default = 1\n  validation {\n    condition = var.x > 1\n    error_message = \"Greater.\"\n  }\n}\njob \"a\" {}\n",
            "locals {\n  a = local.b\n  b = local.a\n}\njob \"a\" {}\n",
        ],
        &options()
    ));
    let file = |text: &str| VariableFile { path: "a.vars".into(), content: Ok(text.into()) };
    let cases = [
        Options { arguments: vec!["m=1".into()], ..options() },
        Options { arguments: vec!["n=one".into()], ..options() },
        Options { environment: vec![("NOMAD_VAR_n".into(), "one".into())], ..options() },
        Options { files: vec![file("m = 1\n")], ..options() },
        Options { files: vec![file("n = []\n")], ..options() },
        Options { files: vec![file("variable \"n\" {}\n")], ..options() },
        Options { files: vec![file("n = \n")], ..options() },
        Options {
            files: vec![VariableFile { path: "b.vars".into(), content: Err("open b.vars: gone".into()) }],
            ..options()
        },
    ];
    let all: String = cases.iter().map(|options| message(&[declared], options)).collect();
    insta::assert_snapshot!("variable_values", all);
}

#[test]
fn warnings_do_not_prevent_a_job() {
    let options = Options { strict: false, arguments: vec!["m=1".into()], ..options() };
    let job = Job::parse("job \"a\" {}\n", &options).unwrap();
    assert_eq!(job.warnings().len(), 1);
    let file = VariableFile { path: "a.vars".into(), content: Ok("m = 1\n".into()) };
    let quiet = Options { allow_undeclared: true, files: vec![file], path: "job.hcl".into(), ..Options::default() };
    assert!(Job::parse("job \"a\" {}\n", &quiet).unwrap().warnings().is_empty());
}

#[test]
fn variables_have_their_assignments() {
    let options = Options {
        arguments: vec!["x=cli".into()],
        environment: vec![("NOMAD_VAR_x".into(), "env".into())],
        files: vec![VariableFile { path: "a.vars".into(), content: Ok("x = \"file\"\n".into()) }],
        ..options()
    };
    let source = "variable \"x\" {\n  default = \"d\"\n}\njob \"a\" {\n  type = var.x\n}\n";
    let job = Job::parse(source, &options).unwrap();
    let [variable] = job.variables() else { panic!("one variable") };
    let assignments: Vec<String> = variable
        .assignments
        .iter()
        .map(|given| {
            let place = given.place.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} {} {place}", given.from.name(), given.value.as_str().unwrap())
        })
        .collect();
    assert_eq!(assignments, ["default d job.hcl:2,13-16", "env env ", "varfile file a.vars:1,5-11", "cmd cli "]);
    assert_eq!(variable.winner().unwrap().value.as_str(), Some("cli"));
}
