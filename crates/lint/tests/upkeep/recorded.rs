//! Compares the nodes for which promises are broken with the reference. Recorded by
//! `conformance/recorders/promises/record.rb`.

use std::collections::{BTreeMap, BTreeSet};

use hieratic_fleet::nodes_of;
use hieratic_lint::{Options, audit};
use serde_json::Value as Json;

use crate::support::write;

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{facts.node}.yaml'}\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n";
const NODES: [(&str, &str); 3] = [
    ("facts/db01.yaml", "{node: db01, role: db, site: x}\n"),
    ("facts/web01.yaml", "{node: web01, role: web, site: x}\n"),
    ("facts/web02.yaml", "{node: web02, role: web, site: y}\n"),
];

/// The nodes for which promises are broken, with the words if there are any.
type Broken = BTreeMap<String, BTreeSet<(String, String)>>;

/// The recorded result; of promises about several nodes only that they are broken.
fn recorded(case: &Json) -> Broken {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let pairs = |list: &Json| list.as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect();
    case["broken"].as_object().unwrap().iter().map(|(name, list)| (name.clone(), pairs(list))).collect()
}

fn found(case: &Json) -> Broken {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    write(&root, &[("hiera.yaml", HIERA)]);
    write(&root, &NODES);
    for part in ["files", "promises"] {
        for (path, text) in case[part].as_object().unwrap() {
            write(&root, &[(path, text.as_str().unwrap())]);
        }
    }
    let mut options = Options::for_paths([&root]);
    options.nodes =
        nodes_of(&[root.join("facts")], &[], Default::default(), &Default::default()).unwrap().unique().unwrap();
    let mut broken = Broken::new();
    for finding in audit(&options, &()).findings {
        assert_ne!(finding.rule.id(), "invalid-promise", "{}: {case}", finding.diagnostic.message);
        if finding.rule.id() != "broken-promise" {
            continue;
        }
        let (name, message) = finding.diagnostic.message.split_once(": ").unwrap();
        let of = broken.entry(name.to_owned()).or_default();
        let is_across = |words: &str| message.contains(words);
        if ["nodes have the same value", "nodes have", "differs from the value", "add up to"].into_iter().any(is_across)
        {
            of.insert(("some".to_owned(), String::new()));
            continue;
        }
        let nodes = finding.diagnostic.notes.iter().find_map(|note| note.split_once(" of 3 nodes: ")).unwrap().1;
        let words = if name.starts_with("function") && message != "it does not hold" { message } else { "" };
        of.extend(nodes.split(", ").map(|node| (node.to_owned(), words.to_owned())));
    }
    broken
}

#[test]
fn recorded_promises_are_broken() {
    let cases = include_str!("../../../../conformance/promises/cases.jsonl");
    let (mut count, mut broken) = (0, 0);
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let expected = recorded(&case);
        assert_eq!(found(&case), expected, "{}", serde_json::to_string_pretty(&case).unwrap());
        count += 1;
        broken += expected.len();
    }
    assert!(count >= 100 && broken > count, "{count} cases, {broken} broken promises");
}
