//! For the viewers of code scanners: SARIF 2.1.0.
//!
//! See <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use serde_json::{Value, json as object};

use super::json::labels;
use crate::{Code, Diagnostic, Severity};

/// Writes a log of messages; `codes` explains the codes that they use, as far as it knows them.
pub fn sarif(diagnostics: &[Diagnostic], codes: &[Code], version: &str) -> String {
    let mut ids: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids
        .iter()
        .map(|id| match codes.iter().find(|code| code.id == *id) {
            Some(code) => object!({
                "id": id,
                "shortDescription": {"text": code.title},
                "fullDescription": {"text": code.explanation},
            }),
            None => object!({"id": id}),
        })
        .collect();
    let results: Vec<Value> = diagnostics.iter().map(|diagnostic| result(diagnostic, &ids)).collect();
    object!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "hieratic", "version": version, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
    .to_string()
}

fn result(diagnostic: &Diagnostic, ids: &[&str]) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let locations: Vec<Value> = labels(diagnostic)
        .into_iter()
        .map(|label| {
            let mut region = serde_json::Map::new();
            for (from, to) in
                [("line", "startLine"), ("column", "startColumn"), ("end_line", "endLine"), ("end_column", "endColumn")]
            {
                if !label[from].is_null() {
                    region.insert(to.into(), label[from].clone());
                }
            }
            object!({"physicalLocation": {"artifactLocation": {"uri": label["file"]}, "region": region}})
        })
        .collect();
    let text = std::iter::once(&diagnostic.message)
        .chain(&diagnostic.notes)
        .chain(&diagnostic.help)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n");
    object!({
        "ruleId": diagnostic.code,
        "ruleIndex": ids.iter().position(|id| *id == diagnostic.code),
        "level": level,
        "message": {"text": text},
        "locations": locations,
    })
}
