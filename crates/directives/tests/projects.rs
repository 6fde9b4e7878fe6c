//! Replays projects on which the program itself was run (`conformance/directives/cli.jsonl`), as documents.

use crate::cases::{InMemory, lines, to_json};
use hieratic_directives::{Document, Options, expand};
use serde_json::{Map, Value as Json};

#[test]
fn every_project_has_the_recorded_repositories() {
    let cases = lines("directives/cli.jsonl");
    assert_eq!(cases.len(), 8);
    for case in &cases {
        let text = case["files"]["unfurl.yaml"].as_str().unwrap();
        let expanded = Document::parse(text, "unfurl.yaml", "/d".as_ref())
            .and_then(|document| expand(&document, &mut InMemory(&case["files"]), &Options::default()));
        let id = case["id"].as_str().unwrap();
        let expanded = match expanded {
            Ok(expanded) => to_json(&expanded.to_value()),
            Err(failure) => {
                let recorded = case["error"].as_str().unwrap();
                assert!(recorded.ends_with(failure.message()), "{id}: {failure}\n{recorded}");
                continue;
            }
        };
        assert!(case["error"].is_null(), "{id}");
        let environments = expanded["environments"].as_object().unwrap().iter();
        let repositories: Map<String, Json> = environments
            .filter(|(_, environment)| environment["repositories"].is_object())
            .map(|(name, environment)| (name.clone(), environment["repositories"].clone()))
            .collect();
        assert_eq!(Json::Object(repositories), case["repositories"], "{id}");
    }
}
