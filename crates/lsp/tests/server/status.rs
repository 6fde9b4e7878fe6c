//! The status: what was not judged, and the node whose answers are shown; and the order of actions.

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

fn with(files: &[(&str, &str)], wishes: Value) -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut client = Client::with(&root, options(), wishes);
    client.settle();
    (folder, client)
}

#[test]
fn the_status_counts_unjudged_files() {
    let job = "variable \"image\" {}\njob \"j\" {\n  datacenters = [var.image]\n}\n";
    let (_folder, mut client) = with(&[("notes.txt", "nothing\n"), ("jobs/open.nomad.hcl", job)], json!({}));
    let all = client.request("hieratic/notJudged", json!({}));
    let groups = all["groups"].as_array().unwrap();
    assert!(
        groups.iter().any(|group| group["reason"] == "no language that is checked" && group["isGap"] == false),
        "{all}"
    );
    let mut statuses = client.notifications.iter().filter(|one| one["method"] == "hieratic/status");
    let last = statuses.next_back().unwrap()["params"].clone();
    let words = last["notJudged"].as_array().unwrap();
    assert!(words.iter().any(|words| words.as_str().unwrap().contains("no language")), "{last}");
    assert!(last["files"].as_u64().unwrap() > 5, "{last}");
    let one = json!({"textDocument": {"uri": uri(&client.path("notes.txt"))}});
    let one = client.request("hieratic/notJudged", one);
    assert_eq!((one["groups"][0]["count"].as_u64(), one["groups"].as_array().map(Vec::len)), (Some(1), Some(1)));
    let judged = json!({"textDocument": {"uri": uri(&client.path("manifests/site.pp"))}});
    assert_eq!(client.request("hieratic/notJudged", judged)["groups"], json!([]));
    client.end();
}

#[test]
fn hovers_name_a_node_of_the_files_of_facts() {
    let facts = [
        ("facts/db01.json", r#"{"role": "db", "networking": {"fqdn": "db01"}}"#),
        ("facts/web09.json", r#"{"role": "web"}"#),
    ];
    let (_folder, mut client) = with(&facts, json!({"facts": ["facts"]}));
    // Of two nodes, one reads this file.
    let text = client.open_saved("data/roles/web.yaml");
    let hover = client.hover("data/roles/web.yaml", &text, "web::po|rt");
    assert!(hover.contains("the node web09"), "{hover}");
    let text = client.open_saved("data/common.yaml");
    let hover = client.hover("data/common.yaml", &text, "facts.ro|le");
    assert!(hover.contains("db01") && !hover.contains("any.node.invalid"), "{hover}");
    client.end();
}

#[test]
fn no_hover_shows_an_invented_name() {
    let (_folder, mut client) = with(&[], json!({}));
    let text = "a: '%{trusted.certname}'\n";
    client.open("data/common.yaml", text);
    let hover = client.hover("data/common.yaml", text, "trusted.cert|name");
    assert!(hover.contains("Not known") && !hover.contains("invalid"), "{hover}");
    client.end();
}

#[test]
fn menus_begin_with_the_likely_action() {
    let manifest = "class web::facts {\n  $a = $facts['operatingsystem']\n  $b = $facts['osfamily']\n}\n";
    let name = "modules/web/manifests/facts.pp";
    let (_folder, mut client) = with(&[(name, manifest)], json!({}));
    let text = client.open_saved(name);
    client.settle();
    let at = client.at(name, &text, "'operating|system'");
    let range = json!({"start": at["position"], "end": at["position"]});
    let context = json!({"textDocument": at["textDocument"], "range": range, "context": {"diagnostics": []}});
    let found = client.request("textDocument/codeAction", context);
    assert_eq!(
        (found[0]["kind"].as_str(), found[0]["isPreferred"].as_bool()),
        (Some("quickfix"), Some(true)),
        "{found}"
    );
    let last = found.as_array().unwrap().last().unwrap();
    assert_eq!(last["kind"], "source.fixAll", "{found}");
    client.end();
}

#[test]
fn mistakes_in_code_are_shown_while_typing_with_fixes() {
    let (_folder, mut client) = with(&[], json!({}));
    let name = "modules/web/manifests/more.pp";
    let text = "class web::more {\n  file { '/x': ensure => file, ownr => 'root' }\n  include web::servce\n}\n";
    client.open(name, "class web::more {\n}\n");
    client.settle();
    client.replace(name, 2, text);
    client.settle();
    let found = client.diagnostics(name);
    let codes: Vec<(&str, u64)> = found.iter().map(|(code, line, _)| (code.as_str(), *line)).collect();
    assert!(codes.contains(&("unknown-attribute", 2)) && codes.contains(&("unknown-class", 3)), "{found:?}");
    let at = client.at(name, text, "own|r");
    let range = json!({"start": at["position"], "end": at["position"]});
    let context = json!({"textDocument": at["textDocument"], "range": range, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", context);
    assert_eq!(actions[0]["title"], "Change to 'owner'", "{actions}");
    let edits = &actions[0]["edit"]["changes"][uri(&client.path(name))];
    assert_eq!(client.edited(text, edits), text.replace("ownr", "owner"));
    // They go at once with the mistake, and stay while the code cannot be parsed.
    client.replace(name, 3, &text.replace("ownr", "owner"));
    client.settle();
    assert!(!client.diagnostics(name).iter().any(|(code, ..)| code == "unknown-attribute"));
    client.end();
}

#[test]
fn style_is_judged_on_request_and_fixed_at_once() {
    let (_folder, mut client) = with(&[], json!({"style": "puppet-lint"}));
    let name = "modules/web/manifests/styled.pp";
    let text = "# Styled.\nclass web::styled {\n  $a = \"plain\"\n  notice($a)\n}\n";
    client.open(name, text);
    client.settle();
    let found = client.diagnostics(name);
    assert!(found.iter().any(|(_, line, message)| *line == 3 && message.contains("double quoted")), "{found:?}");
    let at = client.at(name, text, "class");
    let range = json!({"start": at["position"], "end": at["position"]});
    let context = json!({"textDocument": at["textDocument"], "range": range, "context": {"diagnostics": [], "only": ["source.fixAll"]}});
    let actions = client.request("textDocument/codeAction", context);
    let action = actions.as_array().unwrap().iter().find(|one| one["title"] == "Fix the style of this file");
    let edits = &action.unwrap_or_else(|| panic!("{actions}"))["edit"]["changes"][uri(&client.path(name))];
    assert_eq!(client.edited(text, edits), text.replace("\"plain\"", "'plain'"));
    client.end();
}
