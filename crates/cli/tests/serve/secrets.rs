//! Secrets are covered, unless both sides say otherwise.

use serde_json::json;

use crate::service::Repository;

const CANARY: &str = "canary-3f9c";

fn repository() -> Repository {
    let data = format!(
        "secret: {CANARY}\nnested: {{deep: [{CANARY}]}}\nalias: \"%{{alias('secret')}}\"\ntext: \"in %{{lookup('secret')}}\"\n\
         typed: {CANARY}\nlookup_options:\n  secret: {{convert_to: Sensitive}}\n  nested: {{convert_to: Sensitive, merge: deep}}\n  \
         alias: {{convert_to: Sensitive}}\n"
    );
    Repository::new(&[("environments/production/data/common.yaml", &data), ("facts/n.json", "{}")])
}

#[test]
fn nothing_secret_is_answered() {
    let repository = repository();
    let service = repository.serve(&[]);
    let keys = ["secret", "nested", "nested.deep", "nested.deep.0", "alias", "text"];
    for (origins, merge) in [(false, None), (true, None), (true, Some("unique")), (false, Some("deep"))] {
        let mut body = json!({"node": "n", "keys": keys, "origins": origins});
        if let Some(merge) = merge {
            body["merge"] = merge.into();
        }
        let answer = service.post("/v1/lookup", &body.to_string());
        assert_eq!(answer.status, 200);
        assert!(!answer.text.contains(CANARY), "{}", answer.text);
    }
    for key in keys {
        let explained = service.post("/v1/explain", &json!({"node": "n", "key": key}).to_string());
        assert!(explained.status == 200 && !explained.text.contains(CANARY), "{key}: {}", explained.text);
        for path in [
            format!("/v1/nodes/n/layers/{key}"),
            format!("/key?node=n&key={key}"),
            format!("/spread?key={key}"),
            format!("/v1/keys/{key}/values"),
            format!("/find?q={key}"),
            "/compare?left=n".into(),
        ] {
            let answer = service.get(&path);
            // The key that nothing says is secret is there for comparison.
            let text = answer
                .text
                .replace(&format!("&quot;{CANARY}&quot;"), if path.contains("compare") { "" } else { CANARY });
            assert!(answer.status == 200 && !text.contains(CANARY), "{path}: {text}");
        }
    }
    let typed = json!({"node": "n", "keys": ["secret"], "type": "Integer"}).to_string();
    assert!(!service.post("/v1/lookup", &typed).text.contains(CANARY));
    assert_eq!(service.lookup("n", "typed").value(), json!(CANARY));
    assert!(service.stderr().starts_with("Serving ") && !service.stderr().contains(CANARY), "{}", service.stderr());
}

#[test]
fn findings_show_lines_without_secrets() {
    let data = format!(
        "secret: {CANARY}\nsecret: {CANARY}\nnested: {{deep: {CANARY}, deep: [{CANARY}]}}\nopen: word-1\nopen: word-2\n\
         lookup_options:\n  secret: {{convert_to: Sensitive}}\n  nested: {{convert_to: Sensitive, merge: deep}}\n"
    );
    let class = "class web(Integer $pw, Enum['a', 'b'] $mode) { }\n";
    // Only a lookup for a node with the role makes the password a secret.
    let role =
        format!("web::pw: {CANARY}\nweb::mode: {CANARY}\nlookup_options:\n  '^web': {{convert_to: Sensitive}}\n");
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", &data),
        ("environments/production/data/roles/web.yaml", &role),
        ("environments/production/data/nodes/other.yaml", &format!("web::pw: {CANARY}\nweb::mode: {CANARY}\n")),
        ("environments/production/data/stray/all.yaml", &format!("pw: {CANARY}\npw: {CANARY}\n")),
        ("environments/production/modules/web/manifests/init.pp", class),
        ("facts/n.json", "{\"role\": \"web\"}"),
    ]);
    let service = repository.serve(&[]);
    let all = service.get("/v1/findings?limit=10000").json();
    assert_eq!(all["complete"], true, "{all}");
    for path in
        ["/v1/findings?limit=10000", "/findings", "/findings?node=n", "/node?node=n", "/finding?rule=duplicate-key"]
            .into_iter()
            .chain(["/v1/findings?hygiene=true&limit=10000", "/findings?hygiene=true"])
    {
        let answer = service.get(path);
        assert!(answer.status == 200 && !answer.text.contains(CANARY), "{path}: {}", answer.text);
    }
    // There are findings about the secrets, and the lines of others are shown.
    let of = |line: u64| {
        let found = all["findings"].as_array().unwrap();
        let is_it =
            |one: &&serde_json::Value| one["place"]["file"] == "data/common.yaml" && one["place"]["line"] == line;
        found.iter().find(is_it).unwrap_or_else(|| panic!("{line}: {all}")).clone()
    };
    assert!(of(2)["place"]["text"].is_null() && of(3)["place"]["text"].is_null(), "{all}");
    assert_eq!(of(5)["place"]["text"], "open: word-2", "{all}");
}

#[test]
fn secrets_are_shown_to_those_who_may_and_ask() {
    let repository = repository();
    let service = repository.serve(&["--reveal"]);
    assert!(!service.lookup("n", "secret").text.contains(CANARY));
    let ask = |reveal: bool| json!({"node": "n", "keys": ["secret"], "reveal": reveal}).to_string();
    assert!(!service.post("/v1/lookup", &ask(false)).text.contains(CANARY));
    assert_eq!(service.post("/v1/lookup", &ask(true)).value(), json!(CANARY));
    let explain = json!({"node": "n", "key": "secret", "reveal": true}).to_string();
    assert!(service.post("/v1/explain", &explain).text.contains(CANARY));
}
