//! Judges files: reads lines of JSON with `file` and `text`, and adds the kind and the findings.

#![expect(clippy::unwrap_used, reason = "a program for developers")]

use std::io::BufRead;

use hieratic_budget::Budget;
use hieratic_hcl1::{Dialect, parse};
use hieratic_nomad_schema::{Kind, check};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let mut case: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = case["text"].as_str().unwrap().to_owned();
        let name = case["file"].as_str().unwrap_or_default().to_owned();
        let budget = Budget::default();
        let read = parse(text.as_bytes(), Dialect::Nomad, &budget);
        case["syntax"] = serde_json::json!(read.as_ref().err().map(ToString::to_string));
        if let Ok(file) = read {
            let given =
                case["kind"].as_str().and_then(|kind| Kind::ALL.into_iter().find(|one| format!("{one:?}") == kind));
            let kind = given.or_else(|| Kind::recognize(&name, &file));
            case["kind"] = serde_json::json!(kind.map(|kind| format!("{kind:?}")));
            if let Some(kind) = kind {
                let strict = kind.parse(&text, &budget);
                case["syntax"] = serde_json::json!(strict.as_ref().err().map(ToString::to_string));
                let findings = strict.map(|file| check(kind, &file, &budget).unwrap()).unwrap_or_default();
                case["refused"] =
                    serde_json::json!(case["syntax"].is_string() || findings.iter().any(|finding| finding.is_refused));
                let texts: Vec<String> = findings
                    .iter()
                    .map(|finding| {
                        let line = text.as_bytes()[..finding.span.first().min(text.len())]
                            .iter()
                            .filter(|b| **b == b'\n')
                            .count()
                            + 1;
                        let help = finding.help.as_deref().unwrap_or_default();
                        format!("{line}: {}{} ({help})", if finding.is_refused { "! " } else { "" }, finding.message)
                    })
                    .collect();
                case["findings"] = serde_json::json!(texts);
            }
        }
        println!("{case}");
    }
}
