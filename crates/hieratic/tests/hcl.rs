//! Replays the recorded answers of HCL: value, type, and the first error with its place, and the summaries of the others.

use std::path::{Path, PathBuf};

use hieratic::hcl::{HclInput, HclKind, evaluate_hcl, hcl_functions, hcl_type};
use hieratic::hcl_types::{Text, Value};
use libtest_mimic::{Failed, Trial};
use serde_json::Value as Json;

/// Cases that are answered otherwise on purpose: the id, and why. See `docs/differences.md`.
const DIFFERENT: &[(&str, &str)] = &[];

/// What the text of a case may be.
const KINDS: &[(&str, HclKind)] = &[
    ("expr", HclKind::Expression),
    ("template", HclKind::Template),
    ("body", HclKind::Body),
    ("json_expr", HclKind::JsonExpression),
];

/// One test for each case. They run in the folder of the cases.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hcl");
    let mut trials = Vec::new();
    for folder in [root.clone(), root.join("recorded")] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        // What is wrong with the syntax alone is replayed with all its diagnostics beside the parser.
        files.retain(|file| file.extension().is_some_and(|name| name == "jsonl") && !file.ends_with("parse.jsonl"));
        // Whoever records many cases replays them without keeping them.
        if let Some(path) = std::env::var_os("HIERATIC_HCL_CASES") {
            files = vec![path.into()];
        }
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for line in text.lines() {
                let case: Json = serde_json::from_str(line).unwrap();
                if KINDS.iter().all(|(name, _)| case.get(*name).is_none()) {
                    // Jobs are replayed beside the crate that reads them.
                    continue;
                }
                let name = case["id"].as_str().unwrap().to_owned();
                trials.push(Trial::test(name, move || replay(&case)));
            }
        }
    }
    // Messages name files as they were named to the recorder.
    std::env::set_current_dir(&root).unwrap();
    trials
}

fn replay(case: &Json) -> Result<(), Failed> {
    let id = case["id"].as_str().unwrap();
    let (kind, text) =
        KINDS.iter().find_map(|(name, kind)| Some((*kind, case.get(*name)?.as_str()?.to_owned()))).unwrap();
    let variables = case["vars"].as_object().unwrap().iter().map(|(name, given)| {
        let ty = hcl_type(given["type"].as_str().unwrap()).unwrap();
        (Text::from(name.as_str()), Value::from_json_as(&given["value"], &ty).unwrap())
    });
    let question = HclInput {
        kind,
        name: "case.hcl".into(),
        text: text.clone().into(),
        variables: variables.collect(),
        ..HclInput::default()
    };
    let report = evaluate_hcl(&question, &hcl_functions(Some("files/".into()))).report();
    let crashed = case.get("crash").is_some_and(|crash| *crash == Json::Bool(true));
    let differs = if crashed {
        report["error"].is_null()
    } else {
        ["value", "type", "error", "special"]
            .iter()
            .any(|field| report.get(*field).unwrap_or(&Json::Null) != case.get(*field).unwrap_or(&Json::Null))
    };
    let excused = DIFFERENT.iter().find(|(different, _)| *different == id);
    match (differs, excused) {
        (false, None) | (true, Some(_)) => Ok(()),
        (false, Some(_)) => Err(format!("{id} is answered as recorded, but is listed as different").into()),
        (true, None) => Err(format!("{text}\n  got {report}\n want {case}").into()),
    }
}
