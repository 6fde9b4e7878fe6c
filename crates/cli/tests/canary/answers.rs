//! What the service answers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::git;
use crate::holds_secret;
use crate::keys::{FAULTS, VALUES};
use crate::repository::Repository;
use crate::service::{Answer, Service};

const NODE: &str = "web01.example.com";

fn served(flags: &[&str]) -> (Repository, Service) {
    let repository = Repository::new();
    let folder = repository.folder();
    fs::create_dir(folder.join("facts")).unwrap();
    for name in [NODE, "web02.example.com"] {
        fs::write(folder.join(format!("facts/{name}.json")), "{\"word\": \"w\"}").unwrap();
    }
    commits(folder);
    // Files that were written only just now are waited for.
    std::thread::sleep(std::time::Duration::from_millis(60));
    let (environments, facts) = (folder.join("environments"), folder.join("facts"));
    let mut all = vec!["--environmentpath", environments.to_str().unwrap(), "--facts", facts.to_str().unwrap()];
    // Unknown variables are in the data on purpose; under 8 they are errors.
    all.extend(["--allow-programs", "--puppet-version", "7"]);
    all.extend(flags);
    let service = Service::start(folder, &all);
    (repository, service)
}

/// Makes the folder a repository in whose past all secrets that are not encrypted were readable, and others are now.
fn commits(folder: &Path) {
    let file = |name: &str| folder.join("environments/production").join(name);
    let plain = fs::read_to_string(file("data/plain.yaml")).unwrap();
    let encrypted = fs::read(file("data/top.eyaml")).unwrap();
    fs::write(file("data/plain.yaml"), plain.replace("lookup_options:", "no_options:")).unwrap();
    fs::remove_file(file("data/top.eyaml")).unwrap();
    if !git::init(folder) {
        return;
    }
    fs::write(file("data/plain.yaml"), &plain).unwrap();
    fs::write(file("data/top.eyaml"), encrypted).unwrap();
    git::commit(folder, "secret");
    fs::write(file("data/plain.yaml"), plain.replace("y-canarybird", "y-canarybird-z") + "one_more: 1\n").unwrap();
}

/// A request: the address, and what is sent there, if anything is.
type Request = (String, Option<Value>);

/// Everything that can be asked of a key.
fn about(key: &str) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    let keys = json!([key]);
    for more in [
        json!({}),
        json!({"origins": true}),
        json!({"merge": "deep", "origins": true}),
        json!({"merge": {"strategy": "deep", "knockout_prefix": "--"}, "strict_knockout": true}),
        json!({"merge": "unique"}),
        json!({"merge": "hash"}),
        json!({"type": "Integer"}),
        json!({"type": "Struct[{a => Enum[b]}]", "origins": true}),
        json!({"default": "nothing", "type": "Boolean"}),
    ] {
        let mut body = json!({"node": NODE, "keys": keys});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        requests.push(("/v1/lookup".into(), Some(body)));
    }
    requests.push(("/v1/lookup".into(), Some(json!({"facts": {"word": "x"}, "node": NODE, "keys": keys}))));
    requests.push(("/v1/explain".into(), Some(json!({"node": NODE, "key": key}))));
    requests.push(("/v1/explain".into(), Some(json!({"node": NODE, "key": key, "merge": "deep"}))));
    requests.push(("/v1/explain".into(), Some(json!({"node": NODE, "key": key, "only_options": true}))));
    for path in [
        format!("/v1/nodes/{NODE}/layers/{key}"),
        format!("/key?node={NODE}&key={key}"),
        format!("/key?node={NODE}&key={key}&environment=other"),
        format!("/v1/nodes/{NODE}/keys?search={key}"),
        format!("/node?node={NODE}&search={key}"),
        format!("/spread?key={key}"),
        format!("/spread?key={key}&environment=other"),
        format!("/v1/keys/{key}/values"),
        format!("/find?q={key}"),
        format!("/history?node={NODE}&key={key}"),
        format!("/v1/history?node={NODE}&key={key}"),
    ] {
        requests.push((path, None));
    }
    requests
}

/// What can be asked of everything.
fn about_all() -> Vec<Request> {
    let every: Vec<&str> = VALUES.iter().chain(FAULTS).copied().collect();
    let mut requests = vec![
        ("/v1/lookup".into(), Some(json!({"node": NODE, "keys": every}))),
        ("/v1/lookup".into(), Some(json!({"node": NODE, "keys": every, "origins": true}))),
        ("/v1/lookup".into(), Some(json!({"node": NODE, "keys": []}))),
        ("/v1/lookup".into(), Some(json!({"node": NODE, "keys": ["a..b"]}))),
    ];
    for path in [
        "/",
        "/?search=web",
        "/healthz",
        "/v1/environments",
        "/v1/nodes",
        "/v1/openapi.json",
        "/no/such",
        &format!("/v1/nodes/{NODE}/keys"),
        &format!("/node?node={NODE}"),
        &format!("/v1/nodes/{NODE}/facts"),
        &format!("/node?node={NODE}&facts=a"),
        "/find?q=a",
        "/find?q=redacted&environment=other",
        "/v1/find?q=a&limit=1000",
        "/v1/find?q=e&limit=1000&environment=other",
        "/script.js",
        "/hierarchy",
        "/v1/hierarchy",
        "/hierarchy?by=word",
        "/v1/hierarchy?by=word&environment=other",
        "/v1/findings?limit=10000",
        "/v1/findings?limit=10000&environment=other",
        &format!("/v1/findings?node={NODE}"),
        "/findings",
        "/findings?environment=other&severity=warning",
        &format!("/findings?node={NODE}"),
        "/finding",
        "/finding?rule=parameter-type",
        &format!("/compare?left={NODE}"),
        &format!("/compare?left={NODE}&right=web02.example.com"),
        &format!("/compare?left={NODE}&left_environment=production&right_environment=other"),
        &format!("/compare?left={NODE}&left_environment=other&right_environment=production"),
        "/changes",
        "/v1/changes",
        "/changes?base=HEAD~1&head=HEAD",
        "/v1/changes?base=HEAD~1&head=HEAD",
        "/v1/changes?base=HEAD&head=HEAD~1",
        "/v1/changes?base=HEAD~1&environment=other",
        &format!("/changes?base=HEAD~1&node={NODE}"),
        "/metrics",
    ] {
        requests.push((path.into(), None));
    }
    requests
}

fn ask(service: &Service, (path, body): &Request) -> Answer {
    match body {
        Some(body) => service.post(path, &body.to_string()),
        None => service.get(path),
    }
}

fn with_reveal((path, body): &Request, reveal: bool) -> Request {
    let mut body = body.clone().unwrap();
    body["reveal"] = reveal.into();
    (path.clone(), Some(body))
}

/// The requests that are answered with a part of a secret.
fn leaks(service: &Service, requests: &[Request]) -> Vec<String> {
    let mut leaks = Vec::new();
    for request in requests {
        let answer = ask(service, request);
        if answer.status >= 500 || holds_secret(&answer.text) {
            leaks.push(format!("{request:?}: {}\n{}", answer.status, answer.text));
        }
    }
    leaks
}

fn assert_none(leaks: &[String], of: usize) {
    assert!(leaks.is_empty(), "{} of {of}\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn no_answer_holds_a_secret() {
    let (_repository, service) = served(&[]);
    let mut requests: Vec<Request> = VALUES.iter().chain(FAULTS).flat_map(|key| about(key)).collect();
    // Once more when everything is known.
    requests.extend(about_all());
    requests.extend(VALUES.iter().flat_map(|key| about(key)));
    assert_none(&leaks(&service, &requests), requests.len());
    let revealing = with_reveal(&about("line")[0], true);
    let refused = ask(&service, &revealing);
    assert!(refused.status == 403 && !holds_secret(&refused.text), "{}", refused.text);
    assert!(!holds_secret(&service.stderr()), "{}", service.stderr());
}

#[test]
fn those_who_may_and_ask_are_answered() {
    let (_repository, service) = served(&["--reveal"]);
    let mut requests: Vec<Request> = VALUES.iter().chain(FAULTS).flat_map(|key| about(key)).collect();
    let sent: Vec<Request> =
        requests.iter().filter(|(_, body)| body.is_some()).map(|request| with_reveal(request, false)).collect();
    requests.extend(sent);
    requests.extend(about_all());
    assert_none(&leaks(&service, &requests), requests.len());
    let mut hidden = Vec::new();
    for key in VALUES {
        for request in about(key).iter().take(2) {
            let answer = ask(&service, &with_reveal(request, true));
            if !holds_secret(&answer.text) {
                hidden.push(format!("{request:?}: {}\n{}", answer.status, answer.text));
            }
        }
    }
    assert_none(&hidden, VALUES.len() * 2);
    assert!(!holds_secret(&service.stderr()), "{}", service.stderr());
}
