//! Files beside what Nomad, Consul and Vault make of them. `HIERATIC_NOMAD_SCHEMA` names a file with more cases.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_nomad_schema::{Kind, check};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/nomad-schema");
    let own = ["nomad.jsonl", "specifications.jsonl", "consul.jsonl", "entries.jsonl", "vault.jsonl"]
        .map(|name| folder.join(name));
    let files = own.into_iter().chain(std::env::var_os("HIERATIC_NOMAD_SCHEMA").map(PathBuf::from));
    files
        .flat_map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()
        })
        .collect()
}

/// Why a file is refused, if it is.
fn refusal(kind: Kind, text: &str) -> Option<String> {
    let budget = Budget::default();
    match kind.parse(text, &budget) {
        Err(error) => Some(error.to_string()),
        Ok(file) => {
            let findings = check(kind, &file, &budget).unwrap();
            findings.into_iter().find(|finding| finding.is_refused).map(|finding| finding.message)
        }
    }
}

#[test]
fn texts_are_refused_as_by_their_programs() {
    let cases = cases();
    let mut different = Vec::new();
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let kind = match case["kind"].as_str().unwrap() {
            "policy" => Kind::NomadPolicy,
            "agent" => Kind::NomadAgent,
            name => Kind::ALL.into_iter().find(|kind| format!("{kind:?}") == name).unwrap(),
        };
        let refusal = refusal(kind, text);
        if refusal.is_some() != case["error"].is_string() {
            different.push(format!("{text}\n  expected {}\n  got {refusal:?}", case["error"]));
        }
    }
    assert!(cases.len() > 100);
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), cases.len(), different.join("\n"));
}
