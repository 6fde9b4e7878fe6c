//! What is shown on request: plain texts of secrets, what expressions of jobs are worth, and variables that nothing reads.

use std::path::Path;
use std::sync::Arc;

use hieratic_lsp::ServerOptions;
use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

fn with_keys() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys");
    std::fs::create_dir(root.join("keys")).unwrap();
    for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
        std::fs::copy(keys.join(name), root.join("keys").join(name)).unwrap();
    }
    let keys = root.join("keys").display().to_string();
    let hierarchy = format!(
        "version: 5\nhierarchy:\n  - name: Common\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n    options:\n      pkcs7_private_key: {keys}/private_key.pkcs7.pem\n      pkcs7_public_key: {keys}/public_key.pkcs7.pem\n  - name: Roles\n    data_hash: yaml_data\n    path: 'roles/%{{facts.role}}.yaml'\n"
    );
    std::fs::write(root.join("hiera.yaml"), hierarchy).unwrap();
    let mut client = Client::with(&root, options(), json!({}));
    client.settle();
    (folder, client)
}

fn actions(client: &mut Client, name: &str, text: &str, part: &str) -> Vec<Value> {
    let at = client.at(name, text, part);
    let range = json!({"start": at["position"], "end": at["position"]});
    let context = json!({"textDocument": at["textDocument"], "range": range, "context": {"diagnostics": []}});
    client.request("textDocument/codeAction", context).as_array().unwrap().clone()
}

fn titled<'a>(actions: &'a [Value], title: &str) -> Option<&'a Value> {
    actions.iter().find(|one| one["title"].as_str().unwrap().starts_with(title))
}

#[test]
fn a_value_is_encrypted_in_place_and_decrypted_on_request() {
    let (_folder, mut client) = with_keys();
    let name = "data/common.yaml";
    let text = "# \u{1f600}\r\na:\r\n  b: ['x', hunter2, 3]\r\n  c: |\r\n    many\r\n    lines\r\nd: plain # kept\r\n";
    client.open(name, text);
    client.settle();
    for (part, path, rest) in [
        ("hun|ter2", "a.b.1", text.replace("hunter2", "@")),
        ("m|any", "a.c", text.replace("|\r\n    many\r\n    lines\r\nd", "@\r\nd")),
        ("pl|ain", "d", text.replace("plain", "@")),
    ] {
        let found = actions(&mut client, name, text, part);
        let action = titled(&found, "Encrypt").unwrap_or_else(|| panic!("{part}: {found:?}"));
        assert_eq!(action["title"], format!("Encrypt the value of '{path}'"));
        let edits = &action["edit"]["changes"][uri(&client.path(name))];
        let after = client.edited(text, edits);
        let start = after.find("ENC[PKCS7,").unwrap();
        let end = start + after[start..].find(']').unwrap() + 1;
        let quoted = |text: &str| text.replace("\"@\"", "@").replace("\r\n", "\n");
        assert_eq!(quoted(&format!("{}@{}", &after[..start], &after[end..])), quoted(&rest), "{part}");
        // What was encrypted is what is shown.
        client.replace(name, 2, &after);
        client.settle();
        let found = actions(&mut client, name, &after, "ENC[PK|CS7");
        assert!(titled(&found, "Encrypt").is_none(), "{found:?}");
        let command = titled(&found, "Show the decrypted value").unwrap()["command"].clone();
        client.notifications.clear();
        let context = json!({"command": command["command"], "arguments": command["arguments"]});
        let answer = client.request("workspace/executeCommand", context);
        assert_eq!(answer, Value::Null);
        let shown = &client.notifications[0];
        assert_eq!(shown["method"], "window/showMessage");
        let plain = ["hunter2", "many\nlines", "plain"].into_iter().find(|plain| shown["params"]["message"] == **plain);
        assert!(plain.is_some_and(|plain| plain.starts_with(&part.replace('|', "")[..2])), "{shown}");
        client.replace(name, 3, text);
        client.settle();
    }
    // A number would become a string, and other levels decrypt nothing.
    assert!(titled(&actions(&mut client, name, text, "|3]"), "Encrypt").is_none());
    client.open("data/roles/web.yaml", "d: plain\n");
    client.settle();
    assert!(titled(&actions(&mut client, "data/roles/web.yaml", "d: plain\n", "pl|ain"), "Encrypt").is_none());
    client.end();
}

/// Settings with an entry for all jobs.
struct OneEntry;

impl hieratic_lsp::FolderSettings for OneEntry {
    fn jobs(&self, folder: &Path) -> Result<hieratic_lint::JobValues, String> {
        let set = hieratic_lint::JobSet {
            folder: folder.to_owned(),
            files: vec!["*.nomad.hcl".to_owned()],
            var_files: vec![folder.join("jobs/prod.vars.hcl")],
            name: Some("production".to_owned()),
            arguments: vec!["tag=v2".to_owned(), "other=1".to_owned()],
            ..hieratic_lint::JobSet::default()
        };
        Ok(hieratic_lint::JobValues { sets: vec![set], ..hieratic_lint::JobValues::default() })
    }
}

#[test]
fn entries_of_the_settings_give_values_to_jobs() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    std::fs::write(root.join("jobs/prod.vars.hcl"), "image = \"nginx:2\"\n").unwrap();
    let options = ServerOptions { settings: Arc::new(OneEntry), ..options() };
    let mut client = Client::with(&root, options, json!({}));
    let name = "jobs/web.nomad.hcl";
    let text = "variable \"image\" {}\nvariable \"tag\" {}\nvariable \"count\" {\n  type = number\n}\njob \"web\" {\n  group \"g\" {\n    count = var.count\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = \"${var.image}:${var.tag}\"\n      }\n    }\n  }\n}\n";
    client.open(name, text);
    client.settle();
    let image = client.hover(name, text, "im|age = ");
    assert!(image.contains("nginx:2:v2") && image.contains("With the entry `production` of [[jobs]]."), "{image}");
    let mut at = client.at(name, text, "variable \"im|age");
    at["newName"] = json!("picture");
    let id = client.ask("textDocument/rename", at);
    let answer = client.answer(id);
    let values = &answer["result"]["changes"][uri(&client.path("jobs/prod.vars.hcl"))];
    assert_eq!(client.edited("image = \"nginx:2\"\n", values), "picture = \"nginx:2\"\n");
    client.end();
}

#[test]
fn expressions_of_jobs_show_their_values() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    std::fs::write(root.join("jobs/prod.vars.hcl"), "image = \"nginx:2\"\nother = 1\n").unwrap();
    let mut client = Client::with(&root, options(), json!({"variableFiles": ["jobs/prod.vars.hcl"]}));
    let name = "jobs/web.nomad.hcl";
    let text = "variable \"image\" {\n  default = \"nginx\"\n}\nvariable \"tag\" {}\nlocals {\n  full = \"\u{1f600} ${upper(var.image)}\"\n}\njob \"web\" {\n  group \"g\" {\n    count = 1 + 2\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = local.full\n        args  = [var.tag, \"${node.unique.name}\"]\n      }\n    }\n  }\n}\n";
    client.open(name, text);
    client.settle();
    let image = client.hover(name, text, "upper(var.im|age");
    assert!(image.contains("default = \"nginx\"") && image.contains("nginx:2"), "{image}");
    assert!(image.contains("With the chosen variable file."), "{image}");
    let full = client.hover(name, text, "local.fu|ll");
    assert!(full.contains("\u{1f600} NGINX:2"), "{full}");
    let count = client.hover(name, text, "cou|nt = 1");
    assert!(count.contains("number") && count.contains("3"), "{count}");
    let computed = client.hover(name, text, "1 +| 2");
    assert!(computed.contains("\n3\n"), "{computed}");
    let args = client.hover(name, text, "ar|gs  =");
    assert!(args.contains("a variable has no value"), "{args}");
    let driver = client.hover(name, text, "driver = \"do|cker");
    assert_eq!(driver, "");
    // Other files, while the server runs.
    let choose = |files: Value| json!({"command": "hieratic.chooseVariables", "arguments": [files]});
    let chosen = client.request("workspace/executeCommand", choose(json!([])));
    assert_eq!(chosen, json!({"files": []}));
    let full = client.hover(name, text, "local.fu|ll");
    assert!(full.contains("\u{1f600} NGINX\n") && full.contains("With the defaults of variables."), "{full}");
    client.request("workspace/executeCommand", choose(json!(["/etc/passwd"])));
    let full = client.hover(name, text, "local.fu|ll");
    assert!(full.contains("No value with the chosen variable file") && !full.contains("root:"), "{full}");
    client.end();
}

#[test]
fn an_unused_variable_is_faded() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut client = Client::new(&root);
    let name = "modules/web/manifests/site.pp";
    client.open(name, "define web::site(Integer $port) {\n  $a = 1\n  [1].each |$j| { notice(1) }\n}\n");
    client.settle();
    let all = client.shown.get(&client.path(name)).cloned().unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 2, "{all:?}");
    for (one, start, end) in [(&all[0], [1, 2], [1, 4]), (&all[1], [2, 12], [2, 14])] {
        assert_eq!(one["code"], "unused-variable");
        assert_eq!((&one["severity"], &one["tags"]), (&json!(4), &json!([1])));
        let place = |[line, character]: [u32; 2]| json!({"line": line, "character": character});
        assert_eq!(one["range"], json!({"start": place(start), "end": place(end)}), "{one}");
    }
    client.end();
}

#[test]
fn legacy_facts_in_code_are_replaced() {
    let (_folder, mut client) = with_keys();
    let name = "modules/web/manifests/new.pp";
    let text = "class web::new {\n  notice('\u{1f600}', $::osfamily, $facts['fqdn'])\n  notice(\"${::osfamily} $::hostname ${facts['uptime_days']}\")\n  notice($::environment, $osfamily)\n}\n";
    client.open(name, text);
    client.settle();
    let found: Vec<_> = client.diagnostics(name).into_iter().map(|(code, line, _)| (code, line)).collect();
    // Each fact is told where it is first.
    // Agents of Puppet 8 do not send `osfamily`, so that no scope sets the variable.
    let expected =
        [("legacy-fact", 2), ("legacy-fact", 2), ("legacy-fact", 3), ("legacy-fact", 3), ("unset-variable", 4)];
    assert_eq!(found, expected.map(|(code, line)| (code.to_owned(), line)));
    for (part, modern, written) in [
        ("$::os|family,", "['os']['family']", "$facts['os']['family'], $facts['fqdn']"),
        ("$facts['f|qdn']", "['networking']['fqdn']", "$facts['networking']['fqdn'])"),
        ("${::os|family}", "['os']['family']", "\"${facts['os']['family']} $::"),
        ("$::host|name", "['networking']['hostname']", " ${facts['networking']['hostname']} ${"),
        ("${facts['up|time_days']}", "['system_uptime']['days']", " ${facts['system_uptime']['days']}\")"),
    ] {
        let found = actions(&mut client, name, text, part);
        let title = if part == "${::os|family}" { format!("Write $facts{modern}") } else { "Fix: '".to_owned() };
        let action = titled(&found, &title).unwrap_or_else(|| panic!("{part}: {found:?}"));
        assert_eq!(found.iter().filter(|one| one["kind"] == "quickfix").count(), 1);
        let edits = &action["edit"]["changes"][uri(&client.path(name))];
        let after = client.edited(text, edits);
        assert!(after.contains(written), "{part}: {after}");
    }
    for part in ["$::envi|ronment", "$os|family)"] {
        assert!(titled(&actions(&mut client, name, text, part), "Write $facts").is_none(), "{part}");
    }
    client.end();
}

#[test]
fn a_key_is_copied_to_another_level_of_the_chosen_node() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let config = std::fs::read_to_string(root.join("hiera.yaml")).unwrap();
    let json = "  - name: Sites\n    data_hash: json_data\n    path: 'sites/%{facts.site}.json'\n  - name: Unknown\n    path: 'x/%{facts.unknown}.yaml'\n  - name: Common";
    std::fs::write(root.join("hiera.yaml"), config.replace("  - name: Common", json)).unwrap();
    std::fs::create_dir_all(root.join("facts")).unwrap();
    std::fs::write(root.join("facts/db9.yaml"), "certname: db9\nrole: web\nsite: berlin\n").unwrap();
    for encoding in ["utf-8", "utf-16"] {
        let wishes = json!({"facts": ["facts"], "node": "db9"});
        let mut client = Client::offering(&root, options(), wishes, encoding);
        client.settle();
        let name = "data/common.yaml";
        let text = "c: 1\n# \u{1f600}\na::b: # kept\n  - 0x10\n";
        client.open(name, text);
        client.settle();
        let found = actions(&mut client, name, text, "a::|b");
        let titles: Vec<&str> = found.iter().map(|one| one["title"].as_str().unwrap()).collect();
        let copies = titles.iter().filter(|title| title.starts_with("Copy")).copied().collect::<Vec<_>>();
        if encoding == "utf-16" {
            // The client can create no files.
            assert_eq!(copies, ["Copy 'a::b' to data/roles/web.yaml", "Copy 'a::b' to data/nodes/web01.yaml"]);
            let edits = &found.last().unwrap()["edit"]["changes"][uri(&client.path("data/nodes/web01.yaml"))];
            let after = client.edited("web::port: 8443\n", edits);
            assert_eq!(after, "web::port: 8443\n# \u{1f600}\na::b: # kept\n  - 0x10\n");
            client.end();
            continue;
        }
        assert_eq!(
            copies,
            [
                "Copy 'a::b' to data/nodes/db9.yaml, a new file",
                "Copy 'a::b' to data/roles/web.yaml",
                "Copy 'a::b' to data/sites/berlin.json, a new file",
                "Copy 'a::b' to data/nodes/web01.yaml",
            ]
        );
        for (path, expected) in [
            ("data/nodes/db9.yaml", "---\n# \u{1f600}\na::b: # kept\n  - 0x10\n"),
            ("data/sites/berlin.json", "{\"a::b\": [16]}\n"),
        ] {
            let action = titled(&found, &format!("Copy 'a::b' to {path}")).unwrap();
            assert!(action["edit"].is_null());
            let resolved = client.request("codeAction/resolve", action.clone());
            let changes = &resolved["edit"]["documentChanges"];
            assert_eq!(changes[0]["kind"], "create");
            assert_eq!(changes[0]["uri"], uri(&client.path(path)));
            assert_eq!(changes[1]["textDocument"]["version"], Value::Null);
            assert_eq!(client.edited("", &changes[1]["edits"]), expected);
        }
        // A client cannot make the server write elsewhere.
        let mut action = titled(&found, "Copy").unwrap().clone();
        action["data"]["to"] = json!("/tmp/elsewhere.yaml");
        let id = client.ask("codeAction/resolve", action);
        assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("cannot get"));
        // From JSON, a value is written as YAML.
        client.open("data/sites/berlin.json", "{\"d\": {\"e\": \"yes\"}}\n");
        client.settle();
        let found = actions(&mut client, "data/sites/berlin.json", "{\"d\": {\"e\": \"yes\"}}\n", "\"|d");
        let action = titled(&found, "Copy 'd' to data/roles/web.yaml").unwrap();
        let resolved = client.request("codeAction/resolve", action.clone());
        let before = std::fs::read_to_string(root.join("data/roles/web.yaml")).unwrap();
        let after = client.edited(&before, &resolved["edit"]["documentChanges"][0]["edits"]);
        assert_eq!(after, before + "d:\n  e: 'yes'\n");
        client.end();
    }
}

#[test]
fn a_key_is_hoisted_if_no_answer_changes() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut client = Client::offering(&root, options(), json!({}), "utf-8");
    client.settle();
    let (web, node) = ("data/roles/web.yaml", "data/nodes/web01.yaml");
    client.open(web, "web::port: 80\nsafe: 1\nmore: 2\n");
    client.open(node, "safe: 1\n");
    client.open("data/common.yaml", "safe: 1\nweb::port: 80\nmore: 3\n");
    client.settle();
    let text = "web::port: 80\nsafe: 1\nmore: 2\n";
    let found = actions(&mut client, web, text, "sa|fe");
    let action = titled(&found, "Hoist 'safe'").unwrap();
    let resolved = client.request("codeAction/resolve", action.clone());
    let changes = resolved["edit"]["documentChanges"].as_array().unwrap();
    let names: Vec<&str> = changes.iter().map(|one| one["textDocument"]["uri"].as_str().unwrap()).collect();
    assert_eq!(names, [uri(&client.path(node)), uri(&client.path(web))]);
    assert_eq!(client.edited(text, &changes[1]["edits"]), "web::port: 80\nmore: 2\n");
    // The files do not agree.
    let found = actions(&mut client, web, text, "mo|re");
    assert!(titled(&found, "Hoist").is_none());
    // An answer changes: nodes with no file of these have none now.
    client.replace("data/common.yaml", 2, "web::port: 80\n");
    client.settle();
    let found = actions(&mut client, web, text, "sa|fe");
    let id = client.ask("codeAction/resolve", titled(&found, "Hoist 'safe'").unwrap().clone());
    let message = client.answer(id)["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("was not hoisted") && message.contains("would have one"), "{message}");
    client.end();
}
