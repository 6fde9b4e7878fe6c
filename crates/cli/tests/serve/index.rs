//! The answers of all nodes are those of lookups, whatever the nodes share.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::service::Repository;
use crate::until::until;

#[test]
fn answers_of_all_nodes_are_those_of_lookups() {
    let common = "lookup_options:\n  '^list': {merge: unique}\n  hidden: {convert_to: Sensitive}\n  number: {convert_to: Integer}\n\
                  plain: 1\nurl: 'http://%{facts.ip}:%{lookup(\"port\")}/%{facts.role}'\nport: 80\nsee: 'at %{lookup(\"url\")}'\n\
                  list: [a, '%{facts.role}']\nhash: {ip: '%{facts.ip}'}\nhidden: 'pw %{facts.ip}'\nnumber: '%{facts.count}'\n\
                  missing: 'x%{facts.none}x'\nquoted: 'q%{facts.text}q'\nalias: '%{alias(\"list\")}'\nbroken: '%{lookup(\"nowhere\")}'\n\
                  trusted: '%{trusted.certname}'\n";
    let mut files: Vec<(String, String)> = vec![
        ("environments/production/data/common.yaml".into(), common.into()),
        ("environments/production/data/roles/web.yaml".into(), "list: [w]\nport: 81\nweb: '%{facts.ip}'\n".into()),
        // Options of a role change what the same files answer.
        (
            "environments/production/data/roles/db.yaml".into(),
            "lookup_options: {plain: {convert_to: String}}\nlist: [d]\n".into(),
        ),
    ];
    let nodes: Vec<String> = (0..24).map(|number| format!("n{number}")).collect();
    for (number, node) in nodes.iter().enumerate() {
        let role = ["web", "db", "other"][number % 3];
        let text = if number % 5 == 0 { "\"\\Σ\n" } else { "plain" };
        let count = if number % 7 == 0 { json!("not a number") } else { json!(number) };
        let facts = json!({"role": role, "ip": format!("10.0.0.{number}"), "count": count, "text": text});
        files.push((format!("facts/{node}.json"), facts.to_string()));
        if number % 2 == 0 {
            let own = ["port: 9000\n", "list: [own]\nplain: 2\n", "own: '%{facts.ip}'\nurl: fixed\n"][number % 3];
            files.push((format!("environments/production/data/nodes/{node}.yaml"), own.into()));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let repository = Repository::new(&files);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    let keys = [
        "plain", "url", "port", "see", "list", "hash", "hidden", "number", "missing", "quoted", "alias", "broken",
        "trusted", "web", "own",
    ];
    let mut compared = 0;
    for key in keys {
        let spread = service.get(&format!("/v1/keys/{key}/values")).json();
        let mut of_nodes: BTreeMap<String, (Value, Value)> = BTreeMap::new();
        for one in spread["values"].as_array().unwrap() {
            for node in one["nodes"].as_array().unwrap() {
                of_nodes.insert(node.as_str().unwrap().into(), (one["value"].clone(), one["error"].clone()));
            }
        }
        for node in &nodes {
            let answer = service.lookup(node, key).json()["answers"][0].clone();
            let expected = match (answer["found"] == true, answer["error"]["code"].as_str()) {
                (true, _) => Some((answer["value"].clone(), Value::Null)),
                (false, Some("key-not-found")) => None,
                (false, _) => Some((Value::Null, answer["error"]["message"].clone())),
            };
            assert_eq!(of_nodes.get(node), expected.as_ref(), "{key} on {node}: {spread}");
            compared += 1;
        }
        // A search finds what is within, and across, what is inserted.
        for (node, (value, _)) in &of_nodes {
            if let Some(text) = value.as_str().filter(|text| text.starts_with("http://")) {
                let found = service.get(&format!("/v1/find?q={text}")).json();
                let found = found["values"].as_array().unwrap().iter().any(|one| one["key"] == key);
                assert!(found, "{text} of {node} is not found");
            }
        }
    }
    assert_eq!(compared, keys.len() * nodes.len());
}

#[test]
fn a_search_names_the_part_that_it_finds() {
    let text =
        "hash: {0: {at: 10.0.0.7}, ports: [80, 10.0.0.8]}\nlist: [10.0.0.9, {name: 10.0.0.10}]\nplain: 10.0.0.11\n";
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", text),
        ("facts/n1.json", "{\"role\": \"web\"}"),
    ]);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    for (words, part, title) in [
        ("10.0.0.7", json!("0.at"), "hash › 0.at"),
        ("10.0.0.8", json!("ports[1]"), "hash › ports[1]"),
        ("10.0.0.9", json!("[0]"), "list[0]"),
        ("10.0.0.10", json!("[1].name"), "list[1].name"),
        ("10.0.0.11", Value::Null, "plain"),
    ] {
        let found = service.get(&format!("/v1/find?q={words}")).json();
        assert_eq!(found["values"][0]["part"], part, "{words}: {found}");
        let shown = service.get(&format!("/suggest?q={words}")).json();
        assert!(shown.as_array().unwrap().iter().any(|one| one["title"] == title), "{words}: {shown}");
    }
}

#[test]
fn an_index_without_nodes_is_complete() {
    let repository = Repository::new(&[("environments/production/data/common.yaml", "a: 1\n")]);
    let service = repository.serve(&[]);
    until("nothing is left to read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    let page = service.get("/find?q=a").text;
    assert!(page.contains("No node is known") && !page.contains("data-pending"), "{page}");
}

#[test]
fn a_search_finds_the_line_of_a_block() {
    let text = "block: |\n  first\n  second 10.1.0.1\n\n  third 10.1.0.2\nfilled: |\n  one\n  on %{role} 10.1.0.3\nquoted: \"a\\nb 10.1.0.4\"\n";
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", text),
        ("facts/n1.json", "{\"role\": \"web\"}"),
    ]);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    for (words, value, line) in [
        ("10.1.0.1", "second 10.1.0.1", 3),
        ("10.1.0.2", "third 10.1.0.2", 5),
        // The file does not have this line, or has it within another one: the line of the key is right.
        ("10.1.0.3", "on web 10.1.0.3", 6),
        ("10.1.0.4", "b 10.1.0.4", 9),
    ] {
        let found = service.get(&format!("/v1/find?q={words}")).json();
        assert_eq!(found["values"][0]["value"], json!(json!(value).to_string()), "{words}: {found}");
        assert_eq!(found["values"][0]["places"], json!([format!("data/common.yaml:{line}")]), "{words}: {found}");
    }
}

#[test]
fn a_node_is_the_first_result_for_a_part_of_its_name() {
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", "api::url: https://api.bgo.example.com\n"),
        ("facts/bgo-api-01.json", "{\"role\": \"web\"}"),
    ]);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    let shown = service.get("/suggest?q=api+bgo").json();
    assert_eq!((&shown[0]["kind"], &shown[0]["title"]), (&json!("node"), &json!("bgo-api-01")), "{shown}");
}

#[test]
fn a_level_outside_of_the_repository_may_be_of_use() {
    let hierarchy = "version: 5\nhierarchy:\n  - {name: Private, datadir: /nonexistent/hieratic, path: a.yaml}\n  - {name: Unread, path: none.yaml}\n  - {name: Common, path: common.yaml}\n";
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", hierarchy),
        ("environments/production/data/common.yaml", "a: 1\n"),
        ("facts/n1.json", "{\"role\": \"web\"}"),
    ]);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    let page = service.get("/hierarchy").text;
    assert!(page.contains("not in this repository") && page.contains("<strong>1 level</strong> never wins"), "{page}");
    let level = service.get("/level?level=Private").text;
    assert!(level.contains("nobody here knows") && !level.contains("the level can go"), "{level}");
    let home = service.get("/").text;
    assert!(home.contains("<strong>1</strong> of 3 levels never wins"), "{home}");
}

#[test]
fn a_key_on_a_node_has_the_place_of_that_node() {
    let repository = Repository::new(&[
        ("environments/production/data/nodes/a.yaml", "port: 80\nlist: [x]\n"),
        ("environments/production/data/nodes/b.yaml", "\nport: 80\nlist: [x]\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
        ("facts/web-b.json", "{}"),
    ]);
    let service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    for (words, place) in
        [("port a", "data/nodes/a.yaml:1"), ("port b", "data/nodes/b.yaml:2"), ("list b", "data/nodes/b.yaml:3")]
    {
        let found = service.get(&format!("/v1/find?q={}", words.replace(' ', "+"))).json();
        assert_eq!(found["on_nodes"][0]["places"], json!([place]), "{words}: {found}");
    }
}
