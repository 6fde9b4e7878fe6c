//! What is asked and answered.

use serde_json::json;

use crate::service::{Repository, example};

#[test]
fn malformed_requests_are_distinguished() {
    let (_folder, service) = example(&[]);
    for (body, detail) in [
        ("", "the request cannot be read: EOF"),
        ("[", "the request cannot be read: EOF"),
        (r#"{"node": "a"}"#, "missing field `keys`"),
        (r#"{"node": "a", "keys": []}"#, "expected 1 to 1000 keys, got 0"),
        (r#"{"node": "a", "keyz": []}"#, "unknown field `keyz`"),
        (r#"{"keys": ["a"]}"#, "the node is missing"),
        (r#"{"node": "../a", "keys": ["a"]}"#, "'../a' is not a valid node name"),
        (r#"{"node": "a", "keys": ["a"], "variables": {}}"#, "require `facts`"),
        (r#"{"facts": {}, "keys": ["a"], "merge": "sideways"}"#, "sideways"),
        (r#"{"facts": {}, "keys": ["a"], "type": "Integr["}"#, "`type` is not a valid type"),
        (r#"{"facts": {"facts": 1}, "keys": ["a"]}"#, "reserved variable name"),
    ] {
        let answer = service.post("/v1/lookup", body);
        assert!(answer.status == 400 || answer.status == 422, "{body}: {}", answer.text);
        assert_eq!(answer.heads["content-type"], "application/problem+json");
        assert!(answer.text.contains(detail), "{body}: {}", answer.text);
    }
    assert_eq!(service.get("/v1/lookup").status, 405);
    assert_eq!(service.get("/no/such").status, 404);
    assert_eq!(service.get("/v1/nodes?search=a&limit=x").status, 400);
    let unknown = service.post("/v1/lookup", r#"{"environment": "other", "facts": {}, "keys": ["a"]}"#);
    assert_eq!(unknown.status, 404, "{}", unknown.text);
}

#[test]
fn names_of_environments_lead_nowhere_else() {
    let repository = Repository::new(&[("environments/production/data/common.yaml", "k: 1\n")]);
    let service = repository.serve(&[]);
    for name in ["../production", "/", "", "Production", "no_such"] {
        let body = json!({"environment": name, "facts": {}, "keys": ["k"]}).to_string();
        assert_eq!(service.post("/v1/lookup", &body).status, 404, "{name}");
    }
}

#[test]
fn facts_of_strangers_do_not_lead_out_of_the_data() {
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", "k: 1\n"),
        ("environments/production/data/roles/web.yaml", "k: 2\n"),
        ("secret.yaml", "k: plain\n"),
    ]);
    let service = repository.serve(&[]);
    let ask = |role: &str| {
        service.post("/v1/lookup", &json!({"facts": {"role": role}, "node": "n", "keys": ["k"]}).to_string())
    };
    assert_eq!(ask("web").value(), json!(2));
    for role in ["../../../../secret", "web/../../../../../secret", "../roles/web"] {
        let answer = ask(role);
        assert!(!answer.text.contains("plain"), "{role}: {}", answer.text);
        assert_eq!(answer.json()["answers"][0]["error"]["code"], "path-escapes", "{role}");
    }
}

#[test]
fn answers_name_the_skipped_levels() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Top, path: top.yaml}\n  - {name: Vault, lookup_key: hiera_vault}\n  - {name: Common, path: common.yaml}\n";
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", hiera),
        ("environments/production/data/top.yaml", "high: 1\n"),
        ("environments/production/data/common.yaml", "low: 2\n"),
    ]);
    let service = repository.serve(&["--without-level", "Top"]);
    let body = json!({"facts": {}, "node": "n", "keys": ["low", "high"]}).to_string();
    let answers = service.post("/v1/lookup", &body).json()["answers"].clone();
    let levels = |at: usize| -> Vec<&str> {
        answers[at]["not_asked"].as_array().unwrap().iter().map(|level| level["level"].as_str().unwrap()).collect()
    };
    assert_eq!((&answers[0]["value"], levels(0)), (&json!(2), vec!["Top", "Vault"]));
    assert_eq!((&answers[1]["found"], levels(1)), (&json!(false), vec!["Top", "Vault"]));
    // A level below the one that answers was not needed.
    let service = repository.serve(&[]);
    let answers = service.post("/v1/lookup", &body).json()["answers"].clone();
    assert_eq!(answers[0]["not_asked"][0]["reason"], "hiera_vault reads the data of another system");
    assert!(answers[1].get("not_asked").is_none(), "{answers}");
}

#[test]
fn values_keep_their_kinds() {
    let data = "big: 123456789012345678901234567890\nfloat: 1.5\nnothing: ~\nnested: {a: [1, {b: true}]}\n";
    let repository = Repository::new(&[("environments/production/data/common.yaml", data)]);
    let service = repository.serve(&[]);
    let body = json!({"facts": {}, "node": "n", "keys": ["big", "float", "nothing", "nested", "nested.a.1.b"]});
    let answer = service.post("/v1/lookup", &body.to_string());
    assert!(answer.text.contains(r#""value":123456789012345678901234567890}"#), "{}", answer.text);
    let values: Vec<_> = answer.json()["answers"].as_array().unwrap().iter().map(|one| one["value"].clone()).collect();
    assert_eq!(values[1..], [json!(1.5), json!(null), json!({"a": [1, {"b": true}]}), json!(true)]);
}

#[test]
fn errors_of_data_are_reported_with_their_place() {
    let repository = Repository::new(&[("environments/production/data/common.yaml", "a: 1\nb: [\n")]);
    let service = repository.serve(&[]);
    let answer = service.post("/v1/lookup", r#"{"facts": {}, "node": "n", "keys": ["a"]}"#).json();
    let error = &answer["answers"][0]["error"];
    assert_eq!(error["code"], "data-syntax", "{answer}");
    assert!(error["file"].as_str().unwrap().ends_with("data/common.yaml") && error["line"].is_u64(), "{answer}");
}

#[test]
fn lists_go_on_where_they_ended() {
    let repository = Repository::new(&[]);
    for number in 0..25 {
        repository.write(&format!("facts/n{number:02}.json"), "{}");
    }
    repository.write("facts/README", "no facts");
    let service = repository.serve(&[]);
    let (mut names, mut after) = (Vec::new(), String::new());
    loop {
        let page = service.get(&format!("/v1/nodes?limit=10{after}")).json();
        names.extend(page["nodes"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_string()));
        after = format!("&after={}", names.last().unwrap());
        if page["more"] == json!(false) {
            break;
        }
    }
    assert_eq!(names, (0..25).map(|number| format!("n{number:02}")).collect::<Vec<_>>());
}

#[test]
fn the_summary_counts_the_lookups() {
    let (_folder, service) = example(&[]);
    service.lookup("web01.example.com", "profile::web::port");
    service.lookup("web01.example.com", "no::such");
    let text = service.get("/metrics").text;
    for line in [
        "hieratic_lookups_total{outcome=\"found\"} 1",
        "hieratic_lookups_total{outcome=\"not_found\"} 1",
        "hieratic_http_requests_total{route=\"/v1/lookup\",status=\"200\"} 2",
        "hieratic_kept_nodes 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
}
