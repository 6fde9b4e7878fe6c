//! Secrets that are ordinary words: what is ours is never covered, or it would tell them.

use std::fs;

use serde_json::Value as Json;

use crate::repository::{Repository, run};

/// Words that stand in paths, keys, messages and formats, and numbers that are lines and counts.
const WORDS: &[&str] = &[
    "data",
    "prod",
    "production",
    "root",
    "value",
    "error",
    "line",
    "1",
    "10",
    "80",
    "file",
    "message",
    "severity",
    "labels",
    "plain",
    "yaml",
    "help",
    "string",
    "type",
    "true",
    "Job",
    "Name",
    "word",
    "path",
    "column",
    "origins",
    "key",
    "found",
    "layers",
    "merge",
    "node",
    "Error",
    "Evaluation",
    "Function",
    "text",
    "json",
    "common",
    "level",
    "place",
    "environment",
];

fn repository() -> Repository {
    let repository = Repository::new();
    let root = repository.root();
    let words: Vec<String> = WORDS.iter().map(|word| format!("\"{word}\"")).collect();
    let data = root.join("data/plain.yaml");
    let text = fs::read_to_string(&data).unwrap();
    fs::write(&data, format!("{text}open_words: [{}]\ncommon: {{data: {{a: 1}}, list: [x]}}\n", words.join(", ")))
        .unwrap();
    fs::write(root.join("plain.nomad.hcl"), "job \"j\" {\n  meta { a = hiera(\"open_words\")[0] }\n  group \"g\" {\n    task \"t\" { driver = \"docker\" }\n  }\n}\n").unwrap();
    repository
}

const COVER: &str = "Sensitive [value redacted]";

#[test]
fn messages_keep_their_words() {
    let repository = repository();
    // The words are met before something fails.
    let result = "$w = lookup('open_words').unwrap\n";
    for (code, reported) in [
        ("lookup('no::such::key')", "Function lookup() did not find a value for the name 'no::such::key'"),
        ("1 + {}", "Evaluation Error"),
        ("[1,2,3].no_such()", "Unknown function"),
        ("assert_type(Integer, true)", "expects an Integer value, got Boolean"),
    ] {
        let (_, message) = repository.ask(&["eval", "-e", &format!("{result}{code}")]);
        assert!(message.contains(reported), "{message}");
        // Only what is quoted is data.
        let outside: String = message.lines().filter(|line| !line.contains('|')).collect();
        assert!(!outside.contains(COVER), "{message}");
        let flags = ["eval", "-e", &format!("{result}{code}"), "--message-format", "json"];
        let (_, message) = repository.ask(&flags);
        let message: Json = serde_json::from_str(message.lines().last().unwrap()).unwrap();
        for key in ["severity", "code", "message", "labels", "notes", "help"] {
            assert!(message.get(key).is_some(), "{message}");
        }
        assert_eq!(message["severity"], "error");
        let labels = message["labels"].as_array().unwrap();
        assert!(labels.iter().all(|label| label["line"].is_number() && label["column"].is_number()), "{message}");
        assert!(!message["message"].as_str().unwrap().contains(COVER), "{message}");
    }
}

#[test]
fn messages_of_code_are_data() {
    let repository = repository();
    let result = "$w = lookup('open_words').unwrap\n";
    for code in ["fail(\"no ${w[1]} here\")", "fail($w[1])", "$w[1] + 1", "notice($w[1])", "warning(\"x ${w[1]}\")"] {
        let (_, message) = repository.ask(&["eval", "-e", &format!("{result}{code}")]);
        assert!(message.contains(COVER), "{message}");
        assert!(!message.contains("'prod'") && !message.contains(" prod "), "{message}");
    }
}

#[test]
fn reports_keep_their_keys() {
    let repository = repository();
    let code = "[lookup('open_words').unwrap, 'data', 80, { 'x' => 'my data' }]";
    let (report, _) = repository.ask(&["eval", "-e", code, "--render-as", "report"]);
    let report: Json = serde_json::from_str(&report).unwrap();
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["value", "string", "type", "json", "logs", "error"]);
    assert_eq!((&report["json"][1], &report["json"][2]), (&COVER.into(), &80.into()), "{report}");
    let requests = repository.root().join("words.jsonl");
    fs::write(&requests, "{\"code\": \"lookup('open_words').unwrap\"}\n{\"code\": \"1 + {}\"}\n").unwrap();
    let output =
        run(&repository.root(), &["eval", "--jsonl", "--node", "n", "--environment-dir", "."], Some("words.jsonl"));
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let report: Json = serde_json::from_str(line).unwrap();
        assert_eq!(report.as_object().unwrap().len(), 6, "{report}");
        assert!(report["error"].is_null() || report["error"]["line"].is_number(), "{report}");
    }
    let hcl = ["eval", "--language", "hcl", "-e", "[hiera(\"open_words\"), \"string\"]", "--render-as", "report"];
    let report: Json = serde_json::from_str(&repository.ask(&hcl).0).unwrap();
    assert!(report.get("type").is_some() && report["json"][1] == COVER, "{report}");
    assert!(report["type"].as_str().is_some_and(|text| !text.contains(COVER)), "{report}");
}

#[test]
fn origins_and_reasons_keep_their_paths() {
    let repository = repository();
    let keys = ["lookup", "open_words", "common", "no::key", "--each"];
    for way in
        [&["--origins"][..], &["--why"], &["--origins", "--render-as", "json"], &["--why", "--render-as", "json"]]
    {
        let (answer, message) = repository.ask(&[&keys[..], way].concat());
        assert!(answer.contains("data/plain.yaml"), "{answer}");
        if way.contains(&"json") {
            let answer: Json = serde_json::from_str(&answer).unwrap();
            assert!(!structure(&answer).contains(COVER), "{answer}");
        } else {
            for line in answer.lines().filter(|line| line.contains("plain.yaml")) {
                assert!(!line.split("# ").last().unwrap().contains(COVER), "{line}");
            }
        }
        assert!(!message.contains(COVER), "{message}");
    }
    let (answer, _) = repository.ask(&["lookup", "common", "open_words", "--explain"]);
    assert!(answer.contains("data/plain.yaml\"") && !answer.contains(&format!("data/{COVER}")), "{answer}");
    assert!(answer.contains("Searching for \"") && answer.contains("Original path: \"plain.yaml\""), "{answer}");
}

/// The keys of our formats and the paths in them.
fn structure(json: &Json) -> String {
    match json {
        Json::Object(pairs) => pairs
            .iter()
            .filter(|(key, _)| !["value", "path"].contains(&key.as_str()))
            .map(|(key, value)| format!("{key} {}", if key == "file" { value.to_string() } else { structure(value) }))
            .collect(),
        Json::Array(items) => items.iter().map(structure).collect(),
        _ => String::new(),
    }
}

#[test]
fn jobs_keep_their_fields() {
    let repository = repository();
    let (job, message) = repository.ask(&["job", "plain.nomad.hcl"]);
    let job: Json = serde_json::from_str(&job).unwrap_or_else(|_| panic!("{job}{message}"));
    assert_eq!(job["Job"]["Name"], "j", "{job}");
    assert_eq!(job["Job"]["Meta"]["a"], COVER, "{job}");
    assert!(!job["Job"].as_object().unwrap().keys().any(|key| key.contains(COVER)), "{job}");
    let (origins, _) = repository.ask(&["job", "plain.nomad.hcl", "--origins"]);
    assert!(origins.contains("Meta[\"a\"] = ") && origins.contains("plain.nomad.hcl:2"), "{origins}");
}
