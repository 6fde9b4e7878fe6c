//! HOCON, HCL as data, `hiera.yaml`, templates in Jinja2 and Ruby: what each of them has in an editor.

use std::path::Path;
use std::sync::Arc;

use hieratic_lsp::{Inventory, ServerOptions};
use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n  - name: Hocon\n    data_hash: hocon_data\n    path: 'hocon/%{facts.role}.conf'\n  - name: Hcl\n    data_hash: hcl_data\n    path: 'site.hcl'\n  - name: Json\n    data_hash: json_data\n    path: 'site.json'\n  - name: Common\n    path: common.yaml\n",
    ),
    (
        "data/hocon/web.conf",
        "# Web.\n\"web::port\" : 8080\n\"web::options\" {\n  workers = 4 # \u{1f600}\n}\n\"motd\" : \"\u{1f600} %{lookup('site')}\"\n",
    ),
    ("data/site.hcl", "site = \"from hcl %%{facts.role}\"\nlimits = { files = 10, names = [\"a\"] }\n"),
    ("data/site.json", "{\n  \"web::tls\": true\n}\n"),
    (
        "modules/web/manifests/init.pp",
        "# @summary Serves pages.\n#\n# @param port The port to listen on.\nclass web (\n  Integer[1, 65535] $port = 80,\n  Enum['fast', 'slow'] $mode = 'slow',\n  Struct[{workers => Integer, Optional[log] => String}] $options = { workers => 1 },\n  Boolean $tls = false,\n) {\n  $count = $options['workers'] + 1\n  $names = ['a', 'b'].map |$one| { \"${one}!\" }\n  file { '/etc/web.conf':\n    content => template('web/conf.erb'),\n  }\n  include web::service\n}\n",
    ),
    (
        "modules/web/templates/conf.erb",
        "<%# What pages are served from. -%>\n<% if @tls -%>\n\u{1f600} port <%= @port %> <%= scope['web::mode'] %>\n<% @names.each do |name| -%>\nname <%= name %>\n<% end -%>\n<% end -%>\n<%= scope.call_function('template', ['web/other.erb']) %>\n",
    ),
    ("modules/web/templates/other.erb", "count <%= @count %>\n"),
    (
        "templates/page.j2",
        "{# The page. #}\n{% extends \"base.j2\" %}\n{% macro link(url, text='\u{1f600}') %}\n<a href=\"{{ url }}\">{{ text | upper }}</a>\n{% endmacro %}\n{% block body %}\n{% for item in items if item is defined %}\n{{ loop.index }}: {{ link(item.url) }}\n{% endfor %}\n{% set total = items | length %}\n{{ total }}\n{% endblock %}\n",
    ),
    ("templates/base.j2", "{% block body %}{% endblock %}\n"),
];

fn started(wishes: Value, options: ServerOptions) -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in FILES {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::create_dir(root.join("facts")).unwrap();
    std::fs::write(root.join("facts/web01.json"), r#"{"role": "web"}"#).unwrap();
    let mut client = Client::with(&root, options, wishes);
    client.settle();
    (folder, client)
}

fn with_facts() -> (tempfile::TempDir, Client) {
    started(json!({"facts": ["facts"], "node": "web01"}), options())
}

/// The names of symbols, those inside of others behind them.
fn names(symbols: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for one in symbols.as_array().into_iter().flatten() {
        found.push(one["name"].as_str().unwrap().to_owned());
        found.extend(names(&one["children"]).into_iter().map(|name| format!("  {name}")));
    }
    found
}

fn of_document(client: &mut Client, method: &str, name: &str) -> Value {
    let document = json!({"textDocument": {"uri": uri(&client.path(name))}});
    client.request(method, document)
}

/// The kinds of tokens with the words that they are.
fn tokens(client: &mut Client, name: &str, text: &str) -> Vec<(u64, String)> {
    let answer = of_document(client, "textDocument/semanticTokens/full", name);
    let numbers: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut line, mut column) = (0_usize, 0_usize);
    let mut found = Vec::new();
    for token in numbers.chunks(5) {
        let number = |at: usize| usize::try_from(token[at]).unwrap();
        line += number(0);
        column = if number(0) == 0 { column + number(1) } else { number(1) };
        let units: Vec<u16> = lines[line].encode_utf16().collect();
        found.push((token[3], String::from_utf16(&units[column..column + number(2)]).unwrap()));
    }
    found
}

/// Links as what is linked and the file that it leads to.
fn links(client: &mut Client, name: &str) -> Vec<String> {
    let answer = of_document(client, "textDocument/documentLink", name);
    let root = uri(&client.root);
    let target = |link: &Value| link["target"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
    answer.as_array().unwrap().iter().map(target).collect()
}

#[test]
fn hocon_has_the_features_of_yaml() {
    let (_folder, mut client) = with_facts();
    let name = "data/hocon/web.conf";
    let text = client.open_saved(name);
    client.settle();
    assert_eq!(client.diagnostics(name), []);
    let hover = client.hover(name, &text, "web::p|ort");
    for part in ["Integer[1, 65535]", "The port to listen on.", "8080", "data/hocon/web.conf:2", "data/common.yaml"] {
        assert!(hover.contains(part), "{part} in {hover}");
    }
    let site = client.hover(name, &text, "lookup('si|te')");
    assert!(site.contains("from hcl web"), "{site}");
    let symbols = of_document(&mut client, "textDocument/documentSymbol", name);
    assert_eq!(names(&symbols), ["web::port", "web::options", "  workers", "motd"]);
    let places = client.places("textDocument/definition", name, &text, "web::p|ort");
    assert_eq!(places, ["modules/web/manifests/init.pp:5"]);
    let places = client.places("textDocument/references", name, &text, "web::p|ort");
    assert!(places.contains(&"data/hocon/web.conf:2".to_owned()), "{places:?}");
    assert!(places.contains(&"data/common.yaml:4".to_owned()), "{places:?}");
    let folds = of_document(&mut client, "textDocument/foldingRange", name);
    assert!(folds.as_array().unwrap().iter().any(|fold| fold["startLine"] == 2 && fold["endLine"] == 3), "{folds}");
    let colored = tokens(&mut client, name, &text);
    for expected in [(11, "# Web."), (7, "\"web::port\""), (9, "8080"), (11, "# \u{1f600}"), (12, "%{lookup('site')}")]
    {
        assert!(colored.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {colored:?}");
    }
    let at = client.at(name, &text, "workers = |4");
    let parameters = json!({"textDocument": at["textDocument"], "positions": [at["position"]]});
    let grown = client.request("textDocument/selectionRange", parameters);
    assert_eq!(grown[0]["range"]["start"], json!({"line": 3, "character": 12}));
    assert!(grown[0]["parent"]["parent"].is_object());
    client.end();
}

#[test]
fn completion_follows_braces() {
    let (_folder, mut client) = with_facts();
    let name = "data/hocon/web.conf";
    for (text, expected) in [
        ("\"web::po|", vec!["web::port"]),
        ("\"web::options\" {\n  wor|", vec!["workers"]),
        ("\"web::mode\" : |", vec!["fast", "slow"]),
        ("\"web::options\" { workers = 1 }\n\"web::tls\" = t|", vec!["true"]),
        ("a = \"%{facts.ro|", vec!["facts.role"]),
    ] {
        let plain = text.replace('|', "");
        client.open(name, &plain);
        assert_eq!(client.complete(name, &plain, text), expected, "{text}");
        client.close(name);
    }
    let name = "data/site.json";
    for (text, expected) in [
        ("{\"web::po|", vec!["web::port"]),
        ("{\"web::options\": {\"wor|", vec!["workers"]),
        ("{\"web::mode\": \"f|", vec!["fast"]),
        ("{\"web::tls\": |", vec!["true", "false"]),
    ] {
        let plain = text.replace('|', "");
        client.open(name, &plain);
        assert_eq!(client.complete(name, &plain, text), expected, "{text}");
        client.close(name);
    }
    client.end();
}

#[test]
fn hcl_as_data_has_values() {
    let (_folder, mut client) = with_facts();
    let name = "data/site.hcl";
    let text = client.open_saved(name);
    let hover = client.hover(name, &text, "si|te =");
    assert!(hover.contains("from hcl web") && hover.contains("data/site.hcl"), "{hover}");
    assert!(client.hover(name, &text, "fi|les").contains("10"));
    assert!(client.hover(name, &text, "facts.ro|le").contains("web"));
    let symbols = of_document(&mut client, "textDocument/documentSymbol", name);
    assert_eq!(names(&symbols), ["site", "limits"]);
    let colored = tokens(&mut client, name, &text);
    for expected in [(5, "site"), (12, "%{facts.role}"), (9, "10"), (5, "files")] {
        assert!(colored.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {colored:?}");
    }
    let places = client.places("textDocument/references", name, &text, "si|te =");
    assert!(places.contains(&"data/common.yaml:10".to_owned()), "{places:?}");
    client.end();
}

#[test]
fn hierarchy_configurations_have_hovers() {
    let (_folder, mut client) = with_facts();
    let name = "hiera.yaml";
    let text = client.open_saved(name);
    assert!(client.hover(name, &text, "hier|archy").contains("most specific first"));
    assert!(client.hover(name, &text, "hocon_d|ata").contains("HOCON"));
    assert!(client.hover(name, &text, "facts.ro|le").contains("web"));
    let path = client.hover(name, &text, "'hoc|on/");
    assert!(path.contains("hocon/web.conf") && path.contains("the node web01"), "{path}");
    let changed = format!("{text}  - name: New\n    da\n");
    client.replace(name, 2, &changed);
    let found = client.complete(name, &changed, "    da|\n");
    assert_eq!(found, ["datadir", "data_hash", "data_dig"]);
    let changed = format!("{text}  - name: New\n    data_hash: j\n");
    client.replace(name, 3, &changed);
    assert_eq!(client.complete(name, &changed, "data_hash: j|\n"), ["json_data"]);
    client.end();
}

#[test]
fn templates_have_findings_while_one_types() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/templates/conf.erb";
    let text = client.open_saved(name);
    client.settle();
    let of_variables = |client: &Client, name: &str| {
        let found = client.diagnostics(name).into_iter().filter(|(code, ..)| code == "unset-variable");
        found.map(|(_, line, message)| (line, message)).collect::<Vec<_>>()
    };
    assert_eq!(of_variables(&client, name), []);
    let typed = format!("{text}<%= @nope %>\n<%= scope['web::nope'] %>\n");
    client.replace(name, 2, &typed);
    client.settle();
    let found = of_variables(&client, name);
    assert!(
        matches!(&found[..], [(_, one), (_, other)] if one.contains("@nope") && other.contains("$nope")),
        "{found:?}"
    );
    client.replace(name, 3, &text);
    client.settle();
    assert_eq!(of_variables(&client, name), []);
    let name = "modules/web/templates/new.epp";
    client.open(name, "<%- | Integer $port | -%>\n<%= $port %> <%= $server_group %> <%= uppcase('a') %>\n");
    client.settle();
    let found = client.diagnostics(name);
    assert!(found.iter().any(|(code, ..)| code == "unset-variable"), "{found:?}");
    assert!(found.iter().any(|(code, ..)| code == "undefined-function"), "{found:?}");
    client.end();
}

#[test]
fn erb_templates_know_the_class_that_renders_them() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/templates/conf.erb";
    let text = client.open_saved(name);
    let port = client.hover(name, &text, "@po|rt");
    for part in ["Integer[1, 65535] $port = 80", "The port to listen on.", "8080", "class `web`"] {
        assert!(port.contains(part), "{part} in {port}");
    }
    assert!(client.hover(name, &text, "web::mo|de").contains("Enum['fast', 'slow']"));
    assert!(client.hover(name, &text, "@na|mes").contains("map"));
    assert!(client.hover(name, &text, "'temp|late'").contains("template"));
    assert_eq!(client.places("textDocument/definition", name, &text, "@po|rt"), ["modules/web/manifests/init.pp:5"]);
    assert_eq!(
        client.places("textDocument/definition", name, &text, "web::mo|de"),
        ["modules/web/manifests/init.pp:6"]
    );
    assert_eq!(
        client.places("textDocument/definition", name, &text, "web/oth|er.erb"),
        ["modules/web/templates/other.erb:1"]
    );
    assert_eq!(links(&mut client, name), ["/modules/web/templates/other.erb"]);
    let symbols = of_document(&mut client, "textDocument/documentSymbol", name);
    assert_eq!(names(&symbols), ["if @tls", "  @names.each do |name|"]);
    let folds = of_document(&mut client, "textDocument/foldingRange", name);
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(1, 6), (3, 5)]);
    let colored = tokens(&mut client, name, &text);
    for expected in [(0, "if"), (6, "@port"), (8, "'web::mode'"), (0, "end"), (3, "each")] {
        assert!(colored.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {colored:?}");
    }
    let changed = format!("{text}<%= @mo %>");
    client.replace(name, 2, &changed);
    assert_eq!(client.complete(name, &changed, "<%= @mo| %>"), ["@mode"]);
    // The class knows its templates.
    let class = "modules/web/manifests/init.pp";
    let code = client.open_saved(class);
    let places = client.places("textDocument/references", class, &code, "$po|rt");
    assert!(places.contains(&"modules/web/templates/conf.erb:3".to_owned()), "{places:?}");
    client.end();
}

#[test]
fn jinja_names_of_a_template_are_resolved() {
    let (_folder, mut client) = with_facts();
    let name = "templates/page.j2";
    let text = client.open_saved(name);
    assert!(client.hover(name, &text, "up|per").contains("upper case"));
    assert!(client.hover(name, &text, "defi|ned").contains("value is defined\n```\n\nTests whether"));
    assert!(client.hover(name, &text, "loop.in|dex").contains("from 1"));
    assert!(client.hover(name, &text, "{{ li|nk(").contains("macro link(url"));
    assert_eq!(client.places("textDocument/definition", name, &text, "{{ li|nk("), ["templates/page.j2:3"]);
    assert_eq!(client.places("textDocument/definition", name, &text, "{{ tot|al"), ["templates/page.j2:10"]);
    assert_eq!(client.places("textDocument/definition", name, &text, "ba|se.j2"), ["templates/base.j2:1"]);
    assert_eq!(
        client.places("textDocument/references", name, &text, "{{ tot|al"),
        ["templates/page.j2:10", "templates/page.j2:11"]
    );
    assert_eq!(links(&mut client, name), ["/templates/base.j2"]);
    let symbols = of_document(&mut client, "textDocument/documentSymbol", name);
    let expected =
        ["macro link(url, text='\u{1f600}')", "block body", "  for item in items if item is defined", "  total"];
    assert_eq!(names(&symbols), expected);
    let colored = tokens(&mut client, name, &text);
    for expected in
        [(11, "{# The page. #}"), (0, "macro"), (3, "upper"), (8, "'\u{1f600}'"), (6, "item"), (0, "endblock")]
    {
        assert!(colored.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {colored:?}");
    }
    for (version, typed, expected) in [
        (2, "{{ x | dict2", vec!["dict2items"]),
        (3, "{% if x is defi", vec!["defined"]),
        (4, "{% for y in x %}{% end", vec!["endfor"]),
        (5, "{{ loop.revindex", vec!["revindex", "revindex0"]),
        (6, "{{ tot", vec!["total"]),
        (7, "{{ lookup('inv", vec!["inventory_hostnames"]),
    ] {
        client.replace(name, version, &format!("{text}{typed}"));
        let end = json!({"line": text.matches('\n').count(), "character": typed.len()});
        let context = json!({"textDocument": {"uri": uri(&client.path(name))}, "position": end});
        let answer = client.request("textDocument/completion", context);
        let labels: Vec<&str> =
            answer["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert_eq!(labels, expected, "{typed}");
    }
    client.end();
}

#[test]
fn expressions_have_types() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/manifests/init.pp";
    let text = client.open_saved(name);
    client.settle();
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let context = json!({"textDocument": {"uri": uri(&client.path(name))}, "range": whole});
    let hints = client.request("textDocument/inlayHint", context);
    let labels: Vec<&str> = hints.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap()).collect();
    assert_eq!(labels, [": Integer", ": Array[String]"]);
    assert!(client.hover(name, &text, "$coun|t =").contains("Type: `Integer`"));
    assert!(client.hover(name, &text, "] |+ 1").contains("Type: `Integer`"));
    client.end();
}

/// An inventory as a PuppetDB has it.
struct FakePuppetDb;

impl Inventory for FakePuppetDb {
    fn names(&self) -> Result<Vec<String>, String> {
        Ok(vec!["db01".to_owned(), "web09".to_owned()])
    }

    fn facts(&self, node: &str) -> Result<Option<hieratic::Facts>, String> {
        match node {
            "broken" => Err("PuppetDB does not answer".to_owned()),
            "web09" => {
                let facts = hieratic::Facts::read(br#"{"role": "web"}"#, Path::new("facts.json"));
                Ok(Some(hieratic::Facts::new(Some(node), facts.map_err(|error| error.to_string())?)))
            }
            _ => Ok(None),
        }
    }
}

#[test]
fn nodes_come_from_an_inventory() {
    let options = ServerOptions { inventory: Some(Arc::new(FakePuppetDb)), ..options() };
    let (_folder, mut client) = started(json!({"facts": ["facts"]}), options);
    let listed = client.request("workspace/executeCommand", json!({"command": "hieratic.chooseNode", "arguments": []}));
    assert_eq!((&listed["node"], &listed["nodes"]), (&Value::Null, &json!(["db01", "web01", "web09"])));
    let chosen = json!({"command": "hieratic.chooseNode", "arguments": ["web09"]});
    assert_eq!(client.request("workspace/executeCommand", chosen)["node"], "web09");
    let text = client.open_saved("data/hocon/web.conf");
    assert!(client.hover("data/hocon/web.conf", &text, "web::p|ort").contains("the node web09"));
    let id = client.ask("workspace/executeCommand", json!({"command": "hieratic.chooseNode", "arguments": ["broken"]}));
    assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("does not answer"));
    client.end();
}

#[test]
fn long_answers_come_in_parts() {
    let (_folder, mut client) = with_facts();
    let name = "modules/web/manifests/service.pp";
    let text = client.open_saved(name);
    let mut context = client.at(name, &text, "web::serv|ice");
    let whole = client.request("textDocument/references", context.clone());
    context["partialResultToken"] = json!("parts");
    context["workDoneToken"] = json!(7);
    client.notifications.clear();
    assert_eq!(client.request("textDocument/references", context), json!([]));
    let of = |token: Value| {
        let all = client
            .notifications
            .iter()
            .filter(move |one| one["method"] == "$/progress" && one["params"]["token"] == token);
        all.map(|one| one["params"]["value"].clone()).collect::<Vec<Value>>()
    };
    let parts: Vec<Value> = of(json!("parts")).into_iter().flat_map(|part| part.as_array().unwrap().clone()).collect();
    assert_eq!(Value::from(parts), whole);
    assert_eq!(of(json!(7)).iter().map(|one| one["kind"].clone()).collect::<Vec<_>>(), ["begin", "end"]);
    client.end();
}

#[test]
fn huge_templates_and_data_are_answered() {
    let (_folder, mut client) = with_facts();
    for (name, text) in [
        ("huge.j2", "{% set a = b | c %}{% if a %}{{ a }}".repeat(20_000)),
        ("open.j2", "{{ a {% b ".repeat(50_000)),
        ("huge.erb", "<% if @a -%><%= @b.each do |c| %>\n".repeat(20_000)),
        ("data/hocon/huge.conf", "a { b = [{c = \"%{d}\"}], ".repeat(20_000)),
        ("data/huge.json", "{\"a\": [".repeat(50_000)),
        ("data/huge.hcl", "a \"b\" {\n".repeat(20_000)),
        ("manifests/huge.pp", "$a = $b + [1, { 'c' => $a }]\n".repeat(5_000)),
    ] {
        client.open(name, &text);
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "documentLink", "codeLens"] {
            of_document(&mut client, &format!("textDocument/{method}"), name);
        }
        for (line, character) in [(0, 8), (10, 12)] {
            let place = json!({"line": line, "character": character});
            let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99_999, "character": 0}});
            let context = json!({"textDocument": {"uri": uri(&client.path(name))}, "position": place, "positions": [place], "range": whole});
            for method in ["hover", "completion", "definition", "documentHighlight", "selectionRange", "inlayHint"] {
                client.request(&format!("textDocument/{method}"), context.clone());
            }
        }
        client.close(name);
    }
    client.settle();
    client.end();
}
