//! Each feature, for each language that has it.

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

fn started() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut client = Client::new(&root);
    client.settle();
    (folder, client)
}

fn with_facts() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("facts")).unwrap();
    std::fs::write(root.join("facts/web01.json"), r#"{"role": "web", "os": {"family": "Debian"}}"#).unwrap();
    std::fs::write(root.join("facts/db01.json"), r#"{"role": "db", "os": {"family": "Debian"}}"#).unwrap();
    let mut client = Client::with(&root, options(), json!({"facts": ["facts"], "node": "web01"}));
    client.settle();
    (folder, client)
}

#[test]
fn a_valid_repository_has_no_findings() {
    let (_folder, client) = started();
    assert!(client.shown.values().all(|all| *all == json!([])), "{:?}", client.shown);
    client.end();
}

#[test]
fn every_language_has_diagnostics_with_pages() {
    let (_folder, mut client) = started();
    for (name, text, code, line) in [
        ("modules/web/manifests/init.pp", "class web {\n  $a = [\n}\n", "syntax-error", 3),
        ("modules/web/templates/conf.epp", "<% if { %>\n", "syntax-error", 2),
        ("data/common.yaml", "a: 1\na: 2\n", "duplicate-key", 2),
        ("data/roles/web.yaml", "web::mode: medium\n", "parameter-type", 1),
        ("hiera.yaml", "version: 9\n", "", 1),
        ("x.json", "{\"a\": }", "data-syntax", 1),
        ("jobs/web.nomad.hcl", "job \"web\" {\n  grp \"g\" {}\n}\n", "", 2),
        ("docs/ensemble.yaml", "a:\n  +/nowhere:\n", "", 2),
        ("t.j2", "{% if %}", "", 1),
    ] {
        client.open(name, text);
        client.settle();
        let all = client.shown.get(&client.path(name)).cloned().unwrap_or_default();
        let one = all.get(0).unwrap_or_else(|| panic!("{name} has a finding"));
        assert!(code.is_empty() || one["code"] == code, "{name}: {one}");
        assert_eq!(one["range"]["start"]["line"].as_u64().unwrap() + 1, line, "{name}: {one}");
        assert_eq!(one["source"], "hieratic");
        let page = one["codeDescription"]["href"].as_str().unwrap();
        assert!(page.contains("/docs/findings/") && page.ends_with(".md"), "{page}");
        client.close(name);
    }
    client.settle();
    assert!(client.shown.values().all(|all| *all == json!([])), "{:?}", client.shown);
    client.end();
}

#[test]
fn hover_on_data_shows_value_levels_and_parameter() {
    let (_folder, mut client) = with_facts();
    let text = client.open_saved("data/common.yaml");
    let port = client.hover("data/common.yaml", &text, "web::p|ort: 80");
    for part in [
        "Integer[1, 65535]",
        "The port to listen on.",
        "8443",
        "the node web01",
        "data/nodes/web01.yaml:1",
        "data/roles/web.yaml:1",
    ] {
        assert!(port.contains(part), "{part} in {port}");
    }
    let options = client.hover("data/common.yaml", &text, "web::o|ptions:\n  workers");
    assert!(
        options.contains("merge `deep`") && options.contains("workers: 4") && options.contains("log: info"),
        "{options}"
    );
    let inner = client.hover("data/common.yaml", &text, "log|: info");
    assert!(inner.contains("web::options.log") && inner.contains("info"), "{inner}");
    let fact = client.hover("data/common.yaml", &text, "facts.r|ole}, ");
    assert!(fact.contains("facts.role") && fact.contains("web"), "{fact}");
    let lookup = client.hover("data/common.yaml", &text, "lookup(\"s|ite");
    assert!(lookup.contains("\u{1f600} home"), "{lookup}");
    client.end();
}

#[test]
fn hover_uses_unsaved_changes() {
    let (_folder, mut client) = with_facts();
    let text = client.open_saved("data/common.yaml");
    client.open("data/nodes/web01.yaml", "web::port: 9999\n");
    let port = client.hover("data/common.yaml", &text, "web::p|ort: 80");
    assert!(port.contains("9999") && !port.contains("8443"), "{port}");
    client.end();
}

#[test]
fn secrets_stay_redacted() {
    let (folder, client) = started();
    let keys = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys");
    let root = folder.path();
    std::fs::create_dir(root.join("keys")).unwrap();
    for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
        std::fs::copy(keys.join(name), root.join("keys").join(name)).unwrap();
    }
    client.end();
    let hierarchy = "version: 5\nhierarchy:\n  - name: Common\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n    options:\n      pkcs7_private_key: keys/private_key.pkcs7.pem\n      pkcs7_public_key: keys/public_key.pkcs7.pem\n";
    std::fs::write(root.join("hiera.yaml"), hierarchy).unwrap();
    let text = format!(
        "lookup_options:\n  token:\n    convert_to: Sensitive\ntoken: swordfish\nuses: 'a %{{lookup(\"token\")}} b'\npassword: {}\n",
        encrypted(&keys),
    );
    std::fs::write(root.join("data/common.yaml"), &text).unwrap();
    let mut client = Client::new(&root.canonicalize().unwrap());
    client.settle();
    client.open("data/common.yaml", &text);
    for part in ["to|ken: swordfish", "us|es:", "pass|word:", "lookup(\"to|ken"] {
        let message = client.hover("data/common.yaml", &text, part);
        assert!(!message.is_empty(), "{part}");
        let is_own_text = part.starts_with("us") || part.starts_with("lookup");
        assert!(is_own_text || !message.contains("swordfish"), "{part}: {message}");
        assert!(!message.contains("hunter2"), "{part}: {message}");
    }
    client.end();
}

/// `hunter2`, encrypted for the keys of the tests.
fn encrypted(keys: &std::path::Path) -> String {
    let public = std::fs::read_to_string(keys.join("public_key.pkcs7.pem")).unwrap();
    hieratic::eyaml::encrypt_text("hunter2", &public).unwrap()
}

#[test]
fn keys_values_and_interpolations_complete() {
    let (_folder, mut client) = with_facts();
    let text = "web::po\nweb::mode: \nweb::options:\n  \nweb::tls: t\nlookup_options:\n  web::options:\n    merge: \nx: '%{facts.}'\ny: '%{lookup(\"si\")}'\n";
    client.open("data/nodes/db01.yaml", text);
    client.settle();
    assert!(client.complete("data/nodes/db01.yaml", text, "web::po|\n").contains(&"web::port".to_owned()));
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "web::mode: |\n"), ["fast", "slow"]);
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "options:\n  |\n"), ["workers", "log"]);
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "web::tls: t|\n"), ["true", "false"]);
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "merge: |\n"), ["first", "unique", "hash", "deep"]);
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "facts.|}"), ["facts.os", "facts.role"]);
    assert_eq!(client.complete("data/nodes/db01.yaml", text, "lookup(\"si|"), ["site"]);
    client.end();
}

#[test]
fn definitions_connect_data_and_code() {
    let (_folder, mut client) = started();
    let text = client.open_saved("data/common.yaml");
    let at = client.places("textDocument/definition", "data/common.yaml", &text, "web::p|ort");
    assert_eq!(at, ["modules/web/manifests/init.pp:6"]);
    let at = client.places("textDocument/definition", "data/common.yaml", &text, "lookup(\"s|ite");
    assert_eq!(at, ["data/common.yaml:10"]);
    let at = client.places("textDocument/references", "data/common.yaml", &text, "web::p|ort: 80");
    assert_eq!(
        at,
        ["data/common.yaml:4", "data/nodes/web01.yaml:1", "data/roles/web.yaml:1", "modules/web/manifests/init.pp:6"]
    );
    let at = client.places("textDocument/references", "data/common.yaml", &text, "m|otd:");
    assert_eq!(at, ["data/common.yaml:9", "modules/web/manifests/init.pp:19"]);
    let manifest = client.open_saved("modules/web/manifests/init.pp");
    let name = "modules/web/manifests/init.pp";
    assert_eq!(client.places("textDocument/definition", name, &manifest, "lookup('m|otd"), ["data/common.yaml:9"]);
    client.end();
}

#[test]
fn hints_and_lenses_show_effective_values() {
    let (_folder, mut client) = with_facts();
    let text = client.open_saved("data/common.yaml");
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let document = json!({"uri": uri(&client.path("data/common.yaml"))});
    let hints = client.request("textDocument/inlayHint", json!({"textDocument": document, "range": whole}));
    let message: Vec<(u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["position"]["line"].as_u64().unwrap() + 1, one["label"].as_str().unwrap()))
        .collect();
    assert_eq!(message[0], (4, "overridden by data/nodes/web01.yaml:1"));
    assert_eq!(message[1].0, 6);
    assert!(message[1].1.contains("overridden by data/roles/web.yaml:3"), "{message:?}");
    let lenses = client.request("textDocument/codeLens", json!({"textDocument": document}));
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|one| one["command"]["title"].as_str().unwrap()).collect();
    assert!(titles[0].starts_with("1 node sees this value · in 2 other files"), "{titles:?}");
    assert!(titles.iter().any(|title| title.contains("looked up by data once")), "{titles:?}");
    assert!(text.contains("site"));
    client.end();
}

#[test]
fn the_node_can_be_chosen() {
    let (_folder, mut client) = with_facts();
    let run = |client: &mut Client, arguments: Value| {
        client.request("workspace/executeCommand", json!({"command": "hieratic.chooseNode", "arguments": arguments}))
    };
    let status = run(&mut client, json!([]));
    assert_eq!((&status["node"], &status["nodes"]), (&json!("web01"), &json!(["db01", "web01"])));
    let text = client.open_saved("data/common.yaml");
    assert!(client.hover("data/common.yaml", &text, "web::p|ort: 80").contains("8443"));
    run(&mut client, json!(["db01"]));
    let hover = client.hover("data/common.yaml", &text, "web::p|ort: 80");
    assert!(hover.contains("the node db01") && hover.contains("\n80\n"), "{hover}");
    assert!(client.notifications.iter().any(|one| one["params"]["node"] == "db01"));
    run(&mut client, json!([null]));
    let id = client.ask("workspace/executeCommand", json!({"command": "hieratic.chooseNode", "arguments": ["../x y"]}));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    client.end();
}

#[test]
fn hover_on_code_shows_signatures_and_values() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/manifests/init.pp";
    let text = client.open_saved(name);
    let site = client.open_saved("manifests/site.pp");
    let class = client.hover("manifests/site.pp", &site, "include w|eb");
    assert!(class.contains("class web (") && class.contains("Serves pages.") && class.contains("8443"), "{class}");
    let port = client.hover(name, &text, "=> $po|rt })");
    assert!(port.contains("The port to listen on.") && port.contains("8443"), "{port}");
    let define = client.hover(name, &text, "web::s|ite {");
    assert!(define.contains("define web::site") && define.contains("Its port."), "{define}");
    let function = client.hover(name, &text, "loo|kup('motd'");
    assert!(function.contains("lookup("), "{function}");
    let attribute = client.hover(name, &text, "ens|ure  =>");
    assert!(attribute.contains("ensure"), "{attribute}");
    let variable = client.hover(name, &text, "file { $fi|le");
    assert!(variable.contains("$file = '/etc/web.conf'"), "{variable}");
    client.end();
}

#[test]
fn code_completes() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/manifests/new.pp";
    let text = "class web::new (\n  Integer $size = 1,\n) {\n  $other = $siz\n  include web::s\n  file { '/a':\n    ens\n  }\n  web::site { 'x':\n    po\n  }\n  class { 'web': mo\n  }\n  $facts['os']['f']\n  $x = web::dou\n  $y = $other.ma\n  Web::Po\n  lookup('si')\n}\n";
    client.open(name, text);
    client.settle();
    let has = |client: &mut Client, part: &str, label: &str| {
        let found = client.complete(name, text, part);
        assert!(found.iter().any(|one| one == label), "{label} at {part}: {found:?}");
    };
    has(&mut client, "= $siz|\n", "$size");
    has(&mut client, "include web::s|\n", "web::service");
    has(&mut client, "    ens|\n", "ensure");
    has(&mut client, "    po|\n", "port");
    has(&mut client, "'web': mo|\n", "mode");
    has(&mut client, "['os']['f|']", "family");
    has(&mut client, "web::dou|\n", "web::double");
    has(&mut client, "$other.ma|\n", "map");
    has(&mut client, "Web::Po|\n", "Web::Port");
    has(&mut client, "lookup('si|')", "site");
    client.end();
}

#[test]
fn calls_show_their_signatures() {
    let (_folder, mut client) = started();
    let name = "modules/web/manifests/new.pp";
    let text = "class web::new {\n  $x = web::double(1)\n  $y = lookup('a', String, )\n}\n";
    client.open(name, text);
    let at = client.at(name, text, "web::double(|1");
    let help = client.request("textDocument/signatureHelp", at);
    assert_eq!(help["signatures"][0]["label"], "web::double(Integer $x) >> Integer");
    let at = client.at(name, text, "String, |)");
    let help = client.request("textDocument/signatureHelp", at);
    assert_eq!(help["activeParameter"], 2, "{help}");
    client.end();
}

#[test]
fn code_leads_to_definitions_and_references() {
    let (_folder, mut client) = started();
    let name = "modules/web/manifests/init.pp";
    let text = client.open_saved(name);
    let mut defined = |part: &str| client.places("textDocument/definition", name, &text, part);
    assert_eq!(defined("web::s|ite {"), ["modules/web/manifests/site.pp:3"]);
    assert_eq!(defined("include web::s|ervice"), ["modules/web/manifests/service.pp:1"]);
    assert_eq!(defined("file { $fi|le"), ["modules/web/manifests/init.pp:11"]);
    assert_eq!(defined("epp('we|b/conf"), ["modules/web/templates/conf.epp:1"]);
    assert_eq!(defined("=> $po|rt })"), ["modules/web/manifests/init.pp:6"]);
    let site = client.open_saved("manifests/site.pp");
    let at = client.places("textDocument/references", "manifests/site.pp", &site, "include w|eb");
    assert_eq!(at, ["manifests/site.pp:2", "modules/web/manifests/init.pp:5"]);
    let at = client.places("textDocument/references", name, &text, "web::s|ite {");
    assert_eq!(at, ["modules/web/manifests/init.pp:16", "modules/web/manifests/site.pp:3"]);
    client.end();
}

#[test]
fn jobs_have_hovers_and_completions() {
    let (_folder, mut client) = started();
    let name = "jobs/web.nomad.hcl";
    let text = client.open_saved(name);
    assert!(client.hover(name, &text, "dri|ver =").contains("What runs the task"));
    assert!(client.hover(name, &text, "gro|up \"g").contains("same client"));
    assert!(client.hover(name, &text, "var.im|age").contains("nginx"));
    assert_eq!(client.places("textDocument/definition", name, &text, "var.im|age"), ["jobs/web.nomad.hcl:1"]);
    let text = text.replace("config {", "k\n      config {");
    client.replace(name, 2, &text);
    let labels = client.complete(name, &text, "      k|\n");
    assert!(labels.contains(&"kill_timeout".to_owned()), "{labels:?}");
    let labels = client.complete(name, &text, "var.|image");
    assert_eq!(labels, ["image"]);
    client.end();
}

#[test]
fn directives_show_their_results() {
    let (_folder, mut client) = started();
    let name = "docs/ensemble.yaml";
    let text = client.open_saved(name);
    let hover = client.hover(name, &text, "+/def|aults");
    assert!(hover.contains("ensemble.yaml:2") || hover.contains("ensemble.yaml:1"), "{hover}");
    assert!(hover.contains("Adds `mem`") && hover.contains("Is overridden in `cpu`"), "{hover}");
    let at = client.places("textDocument/definition", name, &text, "+/def|aults");
    assert_eq!(at.len(), 1, "{at:?}");
    let labels = client.complete(name, &text, "+/def|aults");
    assert_eq!(labels, ["+/defaults"]);
    let expanded = client.request("hieratic/expand", json!({"textDocument": {"uri": uri(&client.path(name))}}));
    assert!(expanded.as_str().unwrap().contains("web:\n  cpu: 8\n  mem: 4"), "{expanded}");
    client.end();
}

#[test]
fn symbols_folds_links_and_selections_have_exact_ranges() {
    let (_folder, mut client) = started();
    let name = "modules/web/manifests/init.pp";
    let text = client.open_saved(name);
    let document = json!({"textDocument": {"uri": uri(&client.path(name))}});
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "web");
    let inner: Vec<&str> =
        symbols[0]["children"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(inner, ["$port", "$mode", "$options", "$tls", "file $file", "web::site 'main'"]);
    // A file that cannot be parsed keeps its symbols.
    client.replace(name, 2, "class web {\n  $a = [\n");
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "web");
    client.replace(name, 3, &text);
    let folds = client.request("textDocument/foldingRange", document.clone());
    assert!(folds.as_array().unwrap().iter().any(|one| one["kind"] == "comment" && one["endLine"] == 3), "{folds}");
    let links = client.request("textDocument/documentLink", document);
    assert!(links[0]["target"].as_str().unwrap().ends_with("modules/web/templates/conf.epp"), "{links}");
    let at = client.at(name, &text, "ens|ure");
    let selected = client.request(
        "textDocument/selectionRange",
        json!({"textDocument": at["textDocument"], "positions": [at["position"]]}),
    );
    let mut depth = 0;
    let mut part = &selected[0];
    while part.is_object() {
        depth += 1;
        part = &part["parent"];
    }
    assert!(depth >= 4, "{selected}");
    let data = client.open_saved("data/common.yaml");
    assert!(data.contains("web::options"));
    let document = json!({"textDocument": {"uri": uri(&client.path("data/common.yaml"))}});
    let symbols = client.request("textDocument/documentSymbol", document);
    assert_eq!(symbols[3]["name"], "web::options");
    assert_eq!(symbols[3]["children"][0]["name"], "workers");
    let found = client.request("workspace/symbol", json!({"query": "web::s"}));
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["web::service", "web::site"]);
    client.end();
}

#[test]
fn tokens_are_exact_with_emoji_and_carriage_returns() {
    let (_folder, mut client) = started();
    let name = "data/roles/db.yaml";
    let text = "a\u{1f600}: x\r\nb: '\u{1f600} %{facts.os}'\r\n";
    client.open(name, text);
    client.settle();
    let document = json!({"textDocument": {"uri": uri(&client.path(name))}});
    let tokens = client.request("textDocument/semanticTokens/full", document);
    let data: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    // The keys, and the interpolation behind a character of two units.
    assert_eq!(data, [0, 0, 3, 5, 0, 1, 0, 1, 5, 0, 0, 7, 11, 12, 0]);
    let hover = client.hover(name, text, "facts.o|s");
    assert!(hover.contains("facts.os"), "{hover}");
    client.end();
}

#[test]
fn formatting_is_that_of_the_references() {
    let (_folder, mut client) = started();
    let options = json!({"tabSize": 2, "insertSpaces": true});
    client.open("jobs/web.nomad.hcl", "a=1\nbb   = 2\n");
    let document = json!({"uri": uri(&client.path("jobs/web.nomad.hcl"))});
    let edits = client.request("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert_eq!(edits[0]["newText"], "a  = 1\nbb = 2\n");
    client.replace("jobs/web.nomad.hcl", 2, "a = {\n");
    let id = client.ask("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("errors"));
    client.end();
}

#[test]
fn fixes_are_offered_and_fit() {
    let (_folder, mut client) = started();
    let name = "data/common.yaml";
    let text = "a: '%{osfamily}'\nmode: 0644\non: yes\n";
    client.open(name, text);
    client.settle();
    assert_eq!(client.diagnostics(name)[0].0, "legacy-fact");
    let actions = |client: &mut Client, part: &str| -> Vec<Value> {
        let at = client.at(name, text, part);
        let range = json!({"start": at["position"], "end": at["position"]});
        let context = json!({"textDocument": at["textDocument"], "range": range, "context": {"diagnostics": []}});
        client.request("textDocument/codeAction", context).as_array().unwrap().clone()
    };
    let found = actions(&mut client, "osfam|ily");
    let edit = &found[0]["edit"]["changes"][uri(&client.path(name))][0];
    assert_eq!(edit["newText"], "facts.os.family");
    assert_eq!(edit["range"]["start"], json!({"line": 0, "character": 6}));
    let titles = |found: &[Value]| -> Vec<String> {
        found.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
    };
    let found = titles(&actions(&mut client, "06|44"));
    assert!(
        found.iter().any(|title| title.contains("the string '0644' (unquoted, it is the number 420)")),
        "{found:?}"
    );
    assert!(found.iter().any(|title| title.starts_with("Copy 'mode' to ")), "{found:?}");
    let found = titles(&actions(&mut client, "y|es"));
    assert!(found.iter().any(|title| title == "Write 'yes' as true"), "{found:?}");
    // The key is read as true, which no lookup finds.
    assert!(!found.iter().any(|title| title.starts_with("Copy")), "{found:?}");
    client.end();
}
