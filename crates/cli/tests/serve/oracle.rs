//! No answer depends on what a secret text is: two repositories that differ in such secrets alone answer alike. What collections that
//! are secret as a whole tell by their shape is not held here.

use serde_json::{Value, json};

use crate::service::{Repository, Service};

/// A repository whose secrets are these: what a back end of secrets answers, and what becomes Sensitive.
fn served(vault: &Value, hidden: &Value) -> (Repository, Service) {
    let repository = Repository::new(&[
        (
            "environments/production/hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: Vault, lookup_key: vault}\n  - {name: High, path: high.yaml}\n  \
             - {name: Common, path: common.yaml}\n  - {name: Hidden, path: hidden.yaml}\n",
        ),
        (
            "environments/production/hieratic.yaml",
            "version: 1\nbackends:\n  vault: {command: [./vault.sh], secret: true}\n",
        ),
        (
            "environments/production/data/high.yaml",
            "list: ['%{lookup(\"vault\")}', b, '--m']\nhash: {user: u, word: '%{alias(\"vault\")}'}\nvault: {a: [x]}\n",
        ),
        (
            "environments/production/data/common.yaml",
            "lookup_options:\n  hidden: {convert_to: Sensitive}\n  number: {convert_to: Integer}\n  array: {convert_to: \
             'Array[Integer]'}\nlist: [a, m, swordfish, '12345']\nhash: {user: v, word: [1], more: 1}\nvault: [m]\n\
             number: '%{lookup(\"vault\")}'\narray: ['%{lookup(\"vault\")}']\ntext: 'is %{lookup(\"vault\")}'\n\
             part: '%{lookup(\"vault.token\")}'\nguess: '%{facts.guess}'\nopen: 1\n",
        ),
        ("environments/production/data/hidden.yaml", &format!("hidden: {hidden}\n")),
        ("facts/n.json", "{\"guess\": \"swordfish\"}"),
    ]);
    let answer = vault.to_string().replace('\'', "");
    let script = format!(
        r#"#!/bin/sh
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
  case $line in
    *'"key":"vault"'*|*'"key": "vault"'*) printf '{{"id": %s, "value": %s}}\n' "$id" '{answer}' ;;
    *) printf '{{"id": %s, "not_found": true}}\n' "$id" ;;
  esac
done
"#
    );
    repository.write_program("environments/production/vault.sh", &script);
    let service = repository.serve(&["--allow-programs"]);
    (repository, service)
}

const KEYS: [&str; 17] = [
    "vault",
    "vault.token",
    "vault.0",
    "vault.x.y",
    "hidden",
    "hidden.deep",
    "hidden.0",
    "list",
    "list.0",
    "list.0.x",
    "hash",
    "hash.word.x",
    "number",
    "array",
    "text.x",
    "part",
    "guess",
];

fn questions() -> Vec<Value> {
    let mut all = Vec::new();
    for merge in [
        Value::Null,
        json!("unique"),
        json!("hash"),
        json!("deep"),
        json!({"strategy": "deep", "knockout_prefix": "s"}),
        json!({"strategy": "deep", "knockout_prefix": "--", "sort_merged_arrays": true, "merge_hash_arrays": true}),
    ] {
        for (origins, strict) in [(false, false), (true, true)] {
            all.push(json!({"node": "n", "keys": KEYS, "merge": merge, "origins": origins, "strict_knockout": strict}));
        }
    }
    for kind in [
        "Integer",
        "String[1,5]",
        "Pattern[/^s/]",
        "Hash",
        "Array",
        "Any",
        "Undef",
        "Sensitive[String[9]]",
        "Enum[swordfish]",
    ] {
        all.push(json!({"node": "n", "keys": KEYS, "type": kind, "default": "d"}));
    }
    // Guesses in every place where something is echoed.
    let facts = json!({"guess": "swordfish", "swordfish": "12345"});
    all.push(json!({"node": "n", "keys": ["swordfish", "swordfish..x", "12345.x", "no::swordfish", "a.'swordfish'"]}));
    all.push(json!({"facts": facts, "node": "swordfish", "keys": KEYS, "origins": true}));
    all
}

/// Everything that the service answers.
fn answers(repository: &Repository, service: &Service) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let root = repository.path().canonicalize().unwrap().display().to_string();
    let plain = repository.path().display().to_string();
    let mut add = |subject: String, status: u16, text: &str| {
        all.push((subject, format!("{status} {}", text.replace(&root, "ROOT").replace(&plain, "ROOT"))));
    };
    // What a page says does not depend on how far the service has read.
    crate::until::until("all nodes are read", || {
        (service.get("/v1/find?q=a").json()["complete"] == true).then_some(())
    });
    crate::until::until("all is checked", || (!service.get("/findings").text.contains("data-pending")).then_some(()));
    for question in questions() {
        let answer = service.post("/v1/lookup", &question.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text);
        add(question.to_string(), answer.status, &answer.text);
    }
    for key in KEYS.into_iter().chain(["swordfish", "12345"]) {
        for merge in [json!(null), json!("unique"), json!("deep"), json!({"strategy": "deep", "knockout_prefix": "s"})]
        {
            let question = json!({"node": "n", "key": key, "merge": merge}).to_string();
            let answer = service.post("/v1/explain", &question);
            add(format!("explain {question}"), answer.status, &answer.text);
        }
        for path in [
            format!("/v1/nodes/n/layers/{key}"),
            format!("/key?node=n&key={key}"),
            format!("/spread?key={key}"),
            format!("/v1/keys/{key}/values"),
            format!("/find?q={key}"),
            format!("/v1/find?q={key}&limit=1000"),
        ] {
            let answer = service.get(&path);
            add(path, answer.status, &answer.text);
        }
    }
    for path in [
        "/compare?left=n&right=n",
        "/v1/nodes/n/keys?search=sword",
        "/v1/nodes?search=swordfish",
        "/swordfish",
        "/find?q=redacted",
        "/find?q=sword+fish",
        "/v1/find?q=a&limit=1000",
        "/node?node=n&facts=swordfish",
        "/v1/findings?hygiene=true",
        "/findings?hygiene=true",
    ] {
        let answer = service.get(path);
        add(path.into(), answer.status, &answer.text);
    }
    // Numbers count outcomes.
    let numbers = service.get("/metrics").text;
    let mut lookups: Vec<&str> = numbers.lines().filter(|line| line.contains("_lookups_total")).collect();
    lookups.sort_unstable();
    add("metrics".into(), 200, &lookups.join("\n"));
    all
}

#[test]
fn no_answer_depends_on_a_secret() {
    let (repository, service) = served(&json!("swordfish"), &json!("12345"));
    let expected = answers(&repository, &service);
    for (vault, hidden) in
        [(json!("12345"), json!({"deep": ["swordfish"]})), (json!("b"), json!("b c")), (json!("b"), json!([]))]
    {
        let (repository, service) = served(&vault, &hidden);
        let found = answers(&repository, &service);
        for ((subject, expected), (_, found)) in expected.iter().zip(&found) {
            assert_eq!(found, expected, "with the secrets {vault} and {hidden}: {subject}");
        }
    }
}

#[test]
fn users_who_may_see_secrets_get_their_types() {
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", "lookup_options: {s: {convert_to: Sensitive}}\ns: abc\n"),
        ("facts/n.json", "{}"),
    ]);
    let service = repository.serve(&["--reveal", "--allow-programs"]);
    let ask = |kind: &str, reveal: bool| {
        let question = json!({"node": "n", "keys": ["s"], "type": kind, "reveal": reveal}).to_string();
        service.post("/v1/lookup", &question).json()["answers"][0]["error"]["code"].clone()
    };
    assert_eq!(ask("Sensitive[String]", true), json!(null));
    assert_eq!(ask("Integer", true), json!("value-type"));
    assert_eq!(ask("Integer", false), json!("type-not-told"));
    assert_eq!(ask("Sensitive[String]", false), json!("type-not-told"));
}
