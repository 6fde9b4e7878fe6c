//! Replays the recorded answers of Unfurl through `hieratic eval --jsonl`.
//!
//! One test for each line of `conformance/directives/eval.jsonl` and `conformance/unfurl/expressions.jsonl`. The few
//! cases that differ on purpose are named in `DIFFERENT`; `crates/unfurl` tests what is answered there.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

/// Cases that are answered otherwise on purpose. See `docs/differences.md`.
const DIFFERENT: [&str; 5] =
    ["filter-bool-coerced", "path-empty", "path-into-string-index", "path-special-missing", "var-missing"];

/// One test for each case.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut cases: Vec<Value> = Vec::new();
    for file in ["directives/eval.jsonl", "unfurl/expressions.jsonl"] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        cases.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    let base = base();
    let reports = evaluate(&cases, base.path());
    let shown = base.path().display().to_string();
    let trials = cases.into_iter().zip(reports).map(|(case, report)| {
        let shown = shown.clone();
        Trial::test(case["id"].as_str().unwrap().to_owned(), move || compare(&case, &report, &shown))
    });
    trials.collect()
}

/// The base folder of all cases.
fn base() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for (name, mode) in [("corpus-tool", 0o755), ("corpus-plain", 0o644)] {
        std::fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }
    folder
}

/// One process answers all cases.
fn evaluate(cases: &[Value], base: &Path) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["eval", "--jsonl", "--reveal"])
        .current_dir(base)
        .env("PATH", base.join("bin"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = String::new();
    for case in cases {
        let mut request = json!({"language": "unfurl", "base": base});
        for key in ["expr", "tree", "start", "kind", "vars", "env"] {
            request[key] = case[key].clone();
        }
        requests.push_str(&format!("{request}\n"));
    }
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(requests.as_bytes()));
    let output = BufReader::new(child.stdout.take().unwrap());
    let reports = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    writer.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success());
    reports
}

fn compare(case: &Value, report: &Value, base: &str) -> Result<(), Failed> {
    let id = case["id"].as_str().unwrap();
    let failed = report["error"].is_object();
    if !DIFFERENT.contains(&id) && failed != case["error"].is_string() {
        return Err(format!("expected the error {}, got {}", case["error"], report["error"]).into());
    }
    if failed || DIFFERENT.contains(&id) {
        return Ok(());
    }
    let above = Path::new(base).parent().unwrap().display().to_string();
    let place = |recorded: &Value| -> Value {
        let text = recorded.to_string().replace("<BASE>/../", &format!("{above}/")).replace("<BASE>", base);
        serde_json::from_str(&text).unwrap()
    };
    let expected = place(&case["result"]);
    if report["json"] != expected {
        return Err(format!("expected {expected}, got {}", report["json"]).into());
    }
    if serde_json::from_str::<Value>(report["value"].as_str().unwrap()).unwrap() != expected {
        return Err(format!("the value as text is {}", report["value"]).into());
    }
    if case["kind"] == "expr" && report["one"] != place(&case["one"]) {
        return Err(format!("expected the one value {}, got {}", case["one"], report["one"]).into());
    }
    Ok(())
}
