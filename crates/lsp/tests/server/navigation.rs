//! Definitions, references and calls: of functions, resource types and facts in Ruby, and of classes.

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

const FILES: &[(&str, &str)] = &[
    (
        "modules/net/lib/puppet/functions/net/reverse.rb",
        "# frozen_string_literal: true\n\n# Turns an address round.\nPuppet::Functions.create_function(:'net::reverse') do\n  dispatch :reverse do\n    param 'String[1]', :address\n    optional_param 'Integer', :parts\n    return_type 'String'\n  end\n\n  def reverse(address, parts = 4)\n    call_function('net::split', address).reverse\n  end\nend\n",
    ),
    ("modules/net/functions/split.pp", "function net::split(String $address) >> Array {\n  $address.split('[.]')\n}\n"),
    (
        "modules/net/lib/puppet/type/route.rb",
        "Puppet::Type.newtype(:route) do\n  ensurable\n  newparam(:name)\n  newproperty(:via) do\n    desc 'The gateway.'\n  end\nend\n",
    ),
    (
        "modules/net/lib/facter/rack.rb",
        "# The rack of the machine.\nFacter.add(:rack) do\n  setcode { 'r1' }\nend\n\nFacter.add('site.row') { setcode { 2 } }\n",
    ),
    (
        "modules/net/manifests/init.pp",
        "class net inherits net::base {\n  contain net::dns\n  class { 'net::ntp': }\n  net::zone { ['a', 'b']: }\n  route { 'default':\n    via => net::reverse('1.2.3.4'),\n  }\n  $rack = $facts['rack']\n  $text = \"in ${facts['rack']} of ${facts['site']['row']}\"\n}\n",
    ),
    ("modules/net/manifests/base.pp", "class net::base {\n}\n"),
    (
        "modules/net/manifests/dns.pp",
        "class net::dns {\n  net::zone { 'c': }\n  $parts = net::split($facts['rack'])\n}\n",
    ),
    ("modules/net/manifests/ntp.pp", "class net::ntp {\n}\n"),
    ("modules/net/manifests/zone.pp", "define net::zone {\n}\n"),
    ("data/roles/rack.yaml", "net::where: 'at %{facts.rack}'\nnet::other: 'at %{facts.racks}'\n"),
];

const MAIN: &str = "modules/net/manifests/init.pp";

fn started() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in FILES {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::create_dir_all(root.join("facts")).unwrap();
    std::fs::write(root.join("facts/web01.json"), r#"{"rack": "r7", "site": {"row": 3}, "role": "web"}"#).unwrap();
    let mut client = Client::with(&root, options(), json!({"facts": ["facts"]}));
    client.settle();
    (folder, client)
}

#[test]
fn functions_in_ruby_are_defined_where_their_name_is() {
    let (_folder, mut client) = started();
    let text = client.open_saved(MAIN);
    let found = client.places("textDocument/definition", MAIN, &text, "net::rev|erse");
    assert_eq!(found, ["modules/net/lib/puppet/functions/net/reverse.rb:4"]);
    let hover = client.hover(MAIN, &text, "net::rev|erse");
    assert!(hover.contains("net::reverse(String[1] $address, Optional[Integer] $parts) >> String"), "{hover}");
    assert!(hover.contains("Turns an address round."), "{hover}");
    let at = client.at(MAIN, &text, "net::reverse('1|");
    let help = client.request("textDocument/signatureHelp", at);
    assert_eq!(help["signatures"][0]["parameters"].as_array().unwrap().len(), 2);
    assert!(client.complete(MAIN, &text, "net::rev|erse").contains(&"net::reverse".to_owned()));
    client.end();
}

#[test]
fn resource_types_and_attributes_in_ruby_are_defined_where_their_names_are() {
    let (_folder, mut client) = started();
    let text = client.open_saved(MAIN);
    let found = client.places("textDocument/definition", MAIN, &text, "rou|te {");
    assert_eq!(found, ["modules/net/lib/puppet/type/route.rb:1"]);
    assert_eq!(
        client.places("textDocument/definition", MAIN, &text, "vi|a =>"),
        ["modules/net/lib/puppet/type/route.rb:4"]
    );
    client.end();
}

#[test]
fn facts_of_modules_have_definitions_values_and_references() {
    let (_folder, mut client) = started();
    let text = client.open_saved(MAIN);
    let found = client.places("textDocument/definition", MAIN, &text, "$facts['ra|ck']");
    assert_eq!(found, ["modules/net/lib/facter/rack.rb:2"]);
    assert_eq!(client.places("textDocument/definition", MAIN, &text, "['ro|w']"), ["modules/net/lib/facter/rack.rb:6"]);
    let hover = client.hover(MAIN, &text, "$facts['ra|ck']");
    assert!(hover.contains("The rack of the machine.") && hover.contains("r7") && hover.contains("web01"), "{hover}");
    let found = client.places("textDocument/references", MAIN, &text, "$facts['ra|ck']");
    assert_eq!(
        found,
        [
            "data/roles/rack.yaml:1",
            "modules/net/manifests/dns.pp:3",
            "modules/net/manifests/init.pp:8",
            "modules/net/manifests/init.pp:9"
        ]
    );
    client.end();
}

#[test]
fn variables_are_found_at_their_end_and_in_parents() {
    let (_folder, mut client) = started();
    let text = "class net::base inherits net::params2 {\n  $a = 1\n  notice(\"x ${a} $a y\", $inherited)\n}\n";
    client.open("modules/net/manifests/params2.pp", "class net::params2 {\n  $inherited = 1\n}\n");
    client.open("modules/net/manifests/base.pp", text);
    client.settle();
    for place in ["${a|}", " $a| y"] {
        let found = client.places("textDocument/definition", "modules/net/manifests/base.pp", text, place);
        assert_eq!(found, ["modules/net/manifests/base.pp:2"], "{place}");
    }
    let found = client.places("textDocument/definition", "modules/net/manifests/base.pp", text, "inher|ited");
    assert_eq!(found, ["modules/net/manifests/params2.pp:2"]);
    let hover = client.hover("modules/net/manifests/base.pp", text, "inher|ited");
    assert!(hover.contains("$inherited = 1"), "{hover}");
    client.end();
}

#[test]
fn ruby_refers_to_functions() {
    let (_folder, mut client) = started();
    let name = "modules/net/functions/split.pp";
    let text = client.open_saved(name);
    let found = client.places("textDocument/references", name, &text, "net::spl|it");
    assert_eq!(
        found,
        [
            "modules/net/functions/split.pp:1",
            "modules/net/lib/puppet/functions/net/reverse.rb:12",
            "modules/net/manifests/dns.pp:3"
        ]
    );
    client.end();
}

/// The names in an answer about calls, with the lines of the calls, counted from 1.
fn calls(answer: &Value, side: &str) -> Vec<(String, Vec<u64>)> {
    let all = answer.as_array().unwrap().iter();
    let mut found: Vec<_> = all
        .map(|call| {
            let lines = call["fromRanges"].as_array().unwrap().iter();
            let lines = lines.map(|range| range["start"]["line"].as_u64().unwrap() + 1).collect();
            (call[side]["name"].as_str().unwrap().to_owned(), lines)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn calls_lead_from_one_definition_to_another() {
    let (_folder, mut client) = started();
    let text = client.open_saved(MAIN);
    let at = client.at(MAIN, &text, "net::zo|ne");
    let items = client.request("textDocument/prepareCallHierarchy", at);
    assert_eq!((items[0]["name"].as_str(), items[0]["detail"].as_str()), (Some("net::zone"), Some("define")));
    let incoming = client.request("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(calls(&incoming, "from"), [("net".to_owned(), vec![4]), ("net::dns".to_owned(), vec![2])]);
    let at = client.at(MAIN, &text, "class n|et ");
    let items = client.request("textDocument/prepareCallHierarchy", at);
    let outgoing = client.request("callHierarchy/outgoingCalls", json!({"item": items[0]}));
    let names: Vec<String> = calls(&outgoing, "to").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["net::base", "net::dns", "net::ntp", "net::zone"]);
    // Nothing calls from a variable.
    let at = client.at(MAIN, &text, "$ra|ck");
    assert_eq!(client.request("textDocument/prepareCallHierarchy", at), Value::Null);
    client.end();
}

#[test]
fn the_graph_of_classes_shows_uses() {
    let (_folder, mut client) = started();
    client.open_saved(MAIN);
    let edges = |graph: &Value| -> Vec<String> {
        let all = graph["edges"].as_array().unwrap().iter();
        let word = |edge: &Value, key: &str| edge[key].as_str().unwrap().to_owned();
        all.map(|edge| format!("{} {} {}", word(edge, "from"), word(edge, "kind"), word(edge, "to"))).collect()
    };
    let document = json!({"textDocument": {"uri": uri(&client.path("modules/net/manifests/dns.pp"))}});
    let graph = client.request("hieratic/classGraph", document);
    assert_eq!(edges(&graph), ["net include net::dns", "net::dns declare net::zone"]);
    let kinds: Vec<_> = graph["nodes"].as_array().unwrap().iter().map(|node| node["kind"].clone()).collect();
    assert_eq!(kinds, ["class", "class", "define"]);
    assert!(graph["dot"].as_str().unwrap().contains("\"net\" -> \"net::dns\";"), "{graph}");
    let whole = json!({"command": "hieratic.graph", "arguments": []});
    let graph = client.request("workspace/executeCommand", whole);
    let all = edges(&graph);
    for edge in
        ["manifests/site.pp include web", "net inherit net::base", "net declare net::ntp", "web declare web::site"]
    {
        assert!(all.iter().any(|one| one == edge), "{edge}: {all:?}");
    }
    client.end();
}

#[test]
fn references_to_resources_lead_to_their_declarations() {
    let (_folder, mut client) = started();
    let other = "class net::use {\n  Net::Zone['a'] -> Net::Zone['c']\n  notify { ['x', 'y']: require => Route['default'], }\n  \
                 Enum['a'] $z = 'a'\n  $w = Notify['y']\n}\n";
    client.open("modules/net/manifests/use.pp", other);
    let path = "modules/net/manifests/use.pp";
    let mut place = |at: &str| client.places("textDocument/definition", path, other, at);
    assert_eq!(place("Zone['a|'] ->"), ["modules/net/manifests/init.pp:4"]);
    assert_eq!(place("Zone['c|']"), ["modules/net/manifests/dns.pp:2"]);
    assert_eq!(place("Route['def|ault']"), ["modules/net/manifests/init.pp:5"]);
    assert_eq!(place("Notify['y|']"), ["modules/net/manifests/use.pp:3"]);
    assert_eq!(place("Enum['a|']"), Vec::<String>::new());
    let typed = "class net::use {\n  notify { 'x': }\n  notify { 'y': require =>  }\n}\n";
    client.replace(path, 8, typed);
    let labels = client.complete(path, typed, "require => | }");
    assert_eq!(labels.first().map(String::as_str), Some("Notify['x']"), "{labels:?}");
    client.replace(path, 9, other);
    let hover = client.hover(path, other, "Route['def|ault']");
    assert!(hover.contains("route { 'default':\n    via => net::reverse('1.2.3.4')"), "{hover}");
    let text = client.open_saved("modules/net/manifests/dns.pp");
    let found = client.places("textDocument/references", "modules/net/manifests/dns.pp", &text, "'c|'");
    assert_eq!(found, ["modules/net/manifests/dns.pp:2", "modules/net/manifests/use.pp:2"]);
}
