//! Files of node pools beside what `nomad node pool apply` makes of them.

use crate::support;

use hieratic_budget::Budget;
use hieratic_nomad_job::check_node_pool;
use serde_json::Value;
use support::conformance;

/// The place and the summary of a message.
fn head(message: &str) -> &str {
    message.split_once("; ").map_or(message, |(head, _)| head)
}

#[test]
fn node_pools_are_refused_as_by_nomad() {
    let recorded = std::fs::read_to_string(conformance().join("nomad/node_pools.jsonl")).unwrap();
    let (mut count, mut different) = (0, Vec::new());
    for line in recorded.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let problems = check_node_pool("a.nomad.hcl", text, &Budget::default());
        // A server refuses values that the command reads.
        let is_of_server = |message: &str| {
            ["Invalid name", "Description too", "Invalid scheduler"].iter().any(|one| message.contains(one))
        };
        let found = problems.iter().map(ToString::to_string).find(|message| !is_of_server(message));
        count += 1;
        if found.as_deref().map(head) != case["error"].as_str().map(head) {
            different.push(format!("{text}\n  expected {}\n  got {found:?}", case["error"]));
        }
    }
    assert!(count > 80, "{count}");
    assert!(different.is_empty(), "{} of {count} differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn a_server_refuses_names_and_values() {
    let long = "x".repeat(257);
    for (text, expected) in [
        ("node_pool \"a b\" {}", "Invalid name of a node pool"),
        ("node_pool \"default\" {}", "Invalid name of a node pool"),
        (&*format!("node_pool \"a\" {{\n  description = \"{long}\"\n}}"), "Description too long"),
        (
            "node_pool \"a\" {\n  scheduler_config {\n    scheduler_algorithm = \"bin\"\n  }\n}",
            "Invalid scheduler algorithm",
        ),
    ] {
        let problems = check_node_pool("a.hcl", text, &Budget::default());
        let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(
            matches!(found.as_slice(), [only] if only.contains(expected) && only.starts_with("a.hcl:")),
            "{found:?}"
        );
    }
    assert!(check_node_pool("a.hcl", "node_pool \"a-1_b\" {}", &Budget::default()).is_empty());
}
