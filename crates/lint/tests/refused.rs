//! Mistakes in code that the reference refuses, and others that it does not: `conformance/analysis`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hieratic_diagnostics::Severity;
use hieratic_lint::{Options, audit};
use serde_json::Value;

/// Cases that are refused, and are not found.
const NOT_SEEN: &[&str] = &[
    // Data can have the value.
    "attribute-missing-of-class",
    "class-parameter-missing",
    // The module of the agent's type, or of the template, is missing in the recording.
    "template-module",
    // Code elsewhere decides, or the number of times that a block runs.
    "class-main",
    "type-in-other-file",
    "override-elsewhere",
    "new-unknown-type",
    "title-in-loop",
    // The string of a fact may look like a number.
    "fact-number",
    // A block may be one of an iteration.
    "break-inclass-with",
    // The source of a resource type can have providers besides those in files.
    "provider-module",
    // A template without a list of parameters sees the variables of what renders it.
    "epp-strict-n",
    // The elements of a list are not compared with the patterns of a resource type.
    "pattern-list-['a','B']",
    // A string is computed.
    "interpolated-reference",
    // A type of resources has no title.
    "alias-to-resource",
    // Code may fail on purpose.
    "fail",
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The findings in the main manifest of a case, with their severities and messages.
fn findings(case: &Value, modules: &Path) -> Vec<(Severity, String)> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    copy(modules, &root.join("modules"));
    write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    write("data/common.yaml", "{}\n");
    write("environment.conf", "modulepath = modules\n");
    write("manifests/site.pp", case["code"].as_str().unwrap());
    for (name, text) in case["files"].as_object().into_iter().flatten() {
        write(name, text.as_str().unwrap());
    }
    let report = audit(&Options::for_paths([&root]), &());
    let describe = |finding: &hieratic_lint::Finding| {
        (finding.severity(), format!("{}: {}", finding.rule.id(), finding.diagnostic.message))
    };
    report.findings.iter().map(describe).collect()
}

#[test]
fn mistakes_that_the_reference_refuses_are_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/analysis");
    let text = fs::read_to_string(root.join("refused.jsonl")).unwrap();
    let (mut missed, mut seen, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap().to_owned();
        let found = findings(&case, &root.join("modules"));
        if case["refused"].is_null() {
            let is_error = |(severity, _): &&(Severity, String)| *severity == Severity::Error;
            wrong.extend(found.iter().filter(is_error).map(|(_, message)| format!("{name}: {message}")));
        } else if found.iter().any(|(severity, _)| *severity != Severity::Note) {
            seen += 1;
        } else {
            missed.insert(name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let expected: BTreeSet<String> = NOT_SEEN.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(missed, expected, "{seen} are seen");
}
