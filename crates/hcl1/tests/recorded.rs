//! Files beside what the parser, the printer and the decoder of HCL1 make of them. `HIERATIC_HCL1_NOMAD` and
//! `HIERATIC_HCL1_VAULT` name files with more cases.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_hcl1::{Dialect, format, parse};
use serde_json::Value;

fn cases(name: &str, more: &str) -> Vec<Value> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hcl1").join(name);
    let files = std::iter::once(own).chain(std::env::var_os(more).map(PathBuf::from));
    files
        .flat_map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()
        })
        .collect()
}

/// What differs from the reference.
fn difference(case: &Value, dialect: Dialect) -> Option<String> {
    let text = case["text"].as_str().unwrap();
    let expected = case["error"].as_str();
    let budget = Budget::default();
    match (parse(text.as_bytes(), dialect, &budget), expected) {
        (Err(_), Some(_)) => None,
        (Err(error), None) => Some(format!("refused: {error}")),
        (Ok(_), Some(expected)) => Some(format!("accepted, not {expected}")),
        (Ok(file), None) => {
            let formatted = format(&file, &budget).unwrap();
            let expected = case["formatted"].as_str()?;
            (!file.is_json && formatted != expected).then(|| format!("expected {expected:?}\n  got      {formatted:?}"))
        }
    }
}

fn replay(name: &str, more: &str, dialect: Dialect) {
    let cases = cases(name, more);
    assert!(!cases.is_empty());
    let different: Vec<String> = cases
        .iter()
        .filter_map(|case| difference(case, dialect).map(|difference| format!("{}\n  {difference}", case["text"])))
        .collect();
    let shown = different.iter().take(15).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {} differ:\n{shown}", different.len(), cases.len());
}

#[test]
fn texts_are_read_and_formatted_as_by_nomad() {
    replay("nomad.jsonl", "HIERATIC_HCL1_NOMAD", Dialect::Nomad);
}

#[test]
fn texts_are_read_and_formatted_as_by_vault() {
    replay("vault.jsonl", "HIERATIC_HCL1_VAULT", Dialect::Vault);
}
