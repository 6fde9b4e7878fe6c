//! The examples of `docs/service.md`, held against the service and against its own description.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::git;
use crate::service::{Service, example, example_in, repository};

#[path = "../support/mod.rs"]
mod support;

/// The commits of the documents, which stand for those of the tests.
const COMMITS: [(&str, &str); 2] =
    [("v1", "4f06abb9d1c2b0a7e9d35c81f6a2047be1d9c380"), ("v2", "9b5b2e9c51f0d6b3a8e7204f1c95d83a6be0f742")];

/// The example repository as it is, in git with a commit before that: the port was another one.
struct Site(tempfile::TempDir);

impl Site {
    fn new() -> Site {
        let site = Site(tempfile::tempdir().unwrap());
        let root = site.root();
        support::copy(&repository(), &root);
        let file = root.join("data/common.yaml");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("web::port: 80", "web::port: 8000")).unwrap();
        if git::init(&root) {
            git::git(&root, &["tag", "v1"]);
            fs::write(&file, &text).unwrap();
            git::commit(&root, "Web servers listen on 80");
            git::git(&root, &["tag", "v2"]);
        }
        fs::write(&file, text).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60));
        site
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap().join("repo")
    }

    fn serve(&self) -> (tempfile::TempDir, Service) {
        example_in(&self.root(), &[])
    }

    /// A text of the documents as it is here.
    fn here(&self, text: &str) -> String {
        let mut text = text.replace("$REPO", &self.root().display().to_string());
        for (tag, commit) in COMMITS {
            if let Some(id) = self.commit(tag) {
                text = text.replace(commit, &id).replace(&commit[..12], &id[..12]);
            }
        }
        text
    }

    /// The commit of a tag; none where git is not installed.
    fn commit(&self, tag: &str) -> Option<String> {
        let output = Command::new("git").current_dir(self.root()).args(["rev-parse", tag]).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim().to_owned())
    }

    /// The examples that can be tried here.
    fn examples(&self) -> Vec<Example> {
        let is_git = self.commit("v1").is_some();
        let needs_git = |path: &str| ["/v1/changes", "/v1/history"].iter().any(|route| path.starts_with(route));
        examples(&|text| self.here(text)).into_iter().filter(|example| is_git || !needs_git(&example.path)).collect()
    }
}

struct Example {
    method: String,
    path: String,
    body: Option<String>,
    status: u16,
    answer: Option<Value>,
}

/// The examples: a request, an empty line, a status, and the answer unless it is too long to show.
fn examples(here: &dyn Fn(&str) -> String) -> Vec<Example> {
    let text = include_str!("../../../../docs/service.md");
    let blocks = text.split("```http\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks
        .map(|block| {
            let (request, answer) = block.split_once("\n\n").unwrap();
            let (first, body) = request.split_once('\n').map_or((request, None), |(first, body)| (first, Some(body)));
            let (method, path) = first.split_once(' ').unwrap();
            let (status, answer) = answer.split_once('\n').unwrap();
            let answer = here(answer.trim());
            Example {
                method: method.into(),
                path: path.into(),
                body: body.map(String::from),
                status: status.parse().unwrap(),
                answer: (!answer.is_empty()).then(|| serde_json::from_str(&answer).unwrap()),
            }
        })
        .collect()
}

fn ask(service: &Service, example: &Example) -> crate::service::Answer {
    match &example.body {
        Some(body) => service.post(&example.path, body),
        None => service.get(&example.path),
    }
}

#[test]
fn every_example_is_answered_as_it_says() {
    let site = Site::new();
    let (_folder, service) = site.serve();
    let examples = site.examples();
    assert!(examples.len() >= 10);
    for example in &examples {
        let answer = ask(&service, example);
        assert_eq!(answer.status, example.status, "{} {}: {}", example.method, example.path, answer.text);
        if let Some(expected) = &example.answer {
            assert_eq!(&answer.json(), expected, "{} {}", example.method, example.path);
        }
    }
}

/// The part of the description that speaks of an example's address and method.
fn operation<'d>(description: &'d Value, example: &Example) -> &'d Value {
    let path: Vec<&str> = example.path.split('?').next().unwrap().split('/').collect();
    let fits = |template: &str| {
        let template: Vec<&str> = template.split('/').collect();
        template.len() == path.len()
            && template.iter().zip(&path).all(|(part, given)| part.starts_with('{') || part == given)
    };
    let paths = description["paths"].as_object().unwrap();
    let (_, item) = paths.iter().find(|(template, _)| fits(template)).expect(&example.path);
    &item[example.method.to_lowercase()]
}

/// A schema that can look up the others by their names.
fn whole(description: &Value, schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["components"] = description["components"].clone();
    schema
}

#[test]
fn the_description_is_true_of_every_example() {
    let site = Site::new();
    let (_folder, service) = site.serve();
    let description = service.get("/v1/openapi.json").json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut described = std::collections::BTreeSet::new();
    let examples = site.examples();
    for example in &examples {
        let operation = operation(&description, example);
        described.insert(operation["operationId"].to_string());
        let check = |schema: &Value, instance: &Value| {
            let schema = whole(&description, schema);
            let validator = jsonschema::validator_for(&schema).unwrap();
            let faults: Vec<String> = validator.iter_errors(instance).map(|error| error.to_string()).collect();
            assert!(faults.is_empty(), "{} {}: {faults:?}\n{instance}", example.method, example.path);
        };
        if let Some(body) = &example.body {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            check(schema, &serde_json::from_str(body).unwrap());
        }
        let answer = ask(&service, example);
        let responses = &operation["responses"];
        let status = answer.status.to_string();
        let response = [status.as_str(), &format!("{}XX", &status[..1])]
            .into_iter()
            .find_map(|status| responses.get(status))
            .unwrap_or_else(|| panic!("{} of {} is not described", status, example.path));
        let kind = answer.heads["content-type"].to_str().unwrap().split(';').next().unwrap();
        check(&response["content"][kind]["schema"], &answer.json());
    }
    // The description has no example of itself, of the numbers, and of events, which have no end.
    let all: usize =
        description["paths"].as_object().unwrap().values().map(|item| item.as_object().unwrap().len()).sum();
    let without_git = if site.commit("v1").is_some() { 0 } else { 2 };
    assert_eq!(described.len() + 3 + without_git, all, "{described:?}");
}

#[test]
fn described_names_are_known_and_strict() {
    let (_folder, service) = example(&[]);
    let description = service.get("/v1/openapi.json").json();
    for (path, item) in description["paths"].as_object().unwrap() {
        // What has no end is read elsewhere, and so is what needs git.
        if ["/v1/events", "/v1/changes", "/v1/history"].contains(&path.as_str()) {
            continue;
        }
        let path = path.replace("{node}", "web01.example.com").replace("{key}", "profile::web::port");
        for method in item.as_object().unwrap().keys() {
            let status = match method.as_str() {
                "get" => service.get(&path).status,
                _ => service.post(&path, "{}").status,
            };
            assert!(status == 200 || method == "post" && status == 400, "{method} {path}: {status}");
        }
    }
    // Fields that are not described are refused by both.
    let lookup = &description["components"]["schemas"]["LookupRequest"];
    assert_eq!(lookup["additionalProperties"], false, "{lookup}");
}
