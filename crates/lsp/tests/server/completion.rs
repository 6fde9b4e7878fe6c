//! Completion by what the engine knows: values, attributes, functions, files, titles, facts.

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

const MANIFEST: &str = "modules/profile/manifests/base.pp";

fn started(wishes: Value) -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in [
        ("modules/profile/templates/motd.epp", "hello\n"),
        ("modules/profile/templates/deep/more.epp", "hello\n"),
        ("modules/profile/files/key.pub", "key\n"),
        (
            "modules/profile/manifests/motd.pp",
            "class profile::motd {\n  $count = 1 + 2\n  file { ['/etc/motd', '/etc/issue']: ensure => file }\n}\n",
        ),
        (
            "modules/profile/lib/puppet/type/vhost.rb",
            "Puppet::Type.newtype(:vhost) do\n  ensurable\n  newparam(:name)\n  newproperty(:mode) do\n    newvalues(:on, :off)\n  end\nend\n",
        ),
        ("facts/web01.json", r#"{"os": {"family": "Debian", "release": {"major": "12"}}, "role": "web"}"#),
    ] {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut client = Client::with(&root, options(), wishes);
    client.settle();
    (folder, client)
}

/// The labels of completions in a class with some lines; `|` is the cursor.
fn labels(client: &mut Client, lines: &str) -> Vec<String> {
    labels_in(client, MANIFEST, &format!("class profile::base {{\n{lines}\n}}\n"))
}

/// The labels of completions in a text that is not saved; `|` is the cursor.
fn labels_in(client: &mut Client, name: &str, text: &str) -> Vec<String> {
    client.open(name, &text.replacen('|', "", 1));
    let before = &text[..text.find('|').unwrap()];
    let position = json!({
        "line": before.matches('\n').count(),
        "character": before.len() - before.rfind('\n').map_or(0, |at| at + 1),
    });
    let document = json!({"uri": uri(&client.path(name))});
    let answer = client.request("textDocument/completion", json!({"textDocument": document, "position": position}));
    client.close(name);
    let items = answer["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn attributes_have_the_values_that_their_types_list() {
    let (_folder, mut client) = started(json!({}));
    let found = labels(&mut client, "  file { '/x': ensure => pre| }");
    assert_eq!(found, ["present"]);
    let found = labels(&mut client, "  file { '/x':\n    ensure => |\n  }");
    assert!(["present", "absent", "directory", "link"].iter().all(|value| found.iter().any(|one| one == value)));
    assert_eq!(labels(&mut client, "  file { '/x': ensure => 'dir| }"), ["directory"]);
    // Of a class with an Enum, of a defined type with other types, and of a type in Ruby.
    assert_eq!(labels(&mut client, "  class { 'web': mode => f| }"), ["fast"]);
    assert_eq!(labels(&mut client, "  class { 'web': mode => '| }"), ["fast", "slow"]);
    assert_eq!(labels(&mut client, "  class { 'web': tls => tr| }"), ["true"]);
    assert_eq!(labels(&mut client, "  vhost { 'a': mode => o| }"), ["on", "off"]);
    assert_eq!(labels(&mut client, "  vhost { 'a': ensure => '| }"), ["present", "absent"]);
    // A value that is not listed can be the result of a function.
    assert!(labels(&mut client, "  file { '/x': ensure => look| }").contains(&"lookup".to_owned()));
}

#[test]
fn a_value_in_code_is_quoted_where_it_is_a_string() {
    let (_folder, mut client) = started(json!({}));
    let text = "class profile::base {\n  class { 'web': mode => f }\n}\n";
    client.open(MANIFEST, text);
    let at = client.at(MANIFEST, text, "mode => f|");
    let items = client.request("textDocument/completion", at);
    assert_eq!(items["items"][0]["textEdit"]["newText"], "'fast'");
    client.end();
}

#[test]
fn attributes_that_a_resource_has_are_not_proposed_again() {
    let (_folder, mut client) = started(json!({}));
    let found = labels(&mut client, "  web::site { 'a':\n    |\n  }");
    assert!(found.contains(&"port".to_owned()), "{found:?}");
    let found = labels(&mut client, "  web::site { 'a':\n    port => 1,\n    |\n  }");
    assert!(!found.contains(&"port".to_owned()) && found.contains(&"require".to_owned()), "{found:?}");
    // Another resource of the same type has its own, and so has a hash in a value.
    let found = labels(&mut client, "  web::site { 'a': port => 1; 'b':\n    |\n  }");
    assert!(found.contains(&"port".to_owned()), "{found:?}");
    let found = labels(&mut client, "  web::site { 'a':\n    require => { port => 1 },\n    |\n  }");
    assert!(found.contains(&"port".to_owned()), "{found:?}");
    let found = labels(&mut client, "  file { '/x':\n    |\n    ensure => file,\n  }");
    assert!(!found.contains(&"ensure".to_owned()) && found.contains(&"mode".to_owned()), "{found:?}");
}

#[test]
fn facts_are_completed_by_their_structure() {
    for wishes in [json!({"facts": ["facts"], "node": "web01"}), json!({})] {
        let (_folder, mut client) = started(wishes);
        let found = labels(&mut client, "  $a = $facts['os']['|']");
        assert!(found.contains(&"family".to_owned()) && found.contains(&"release".to_owned()), "{found:?}");
        let found = labels(&mut client, "  $a = $facts['os']['release']['m|']");
        assert!(found.contains(&"major".to_owned()), "{found:?}");
        let found = labels(&mut client, "  $a = \"on ${facts['os']['|");
        assert!(found.contains(&"family".to_owned()), "{found:?}");
        client.end();
    }
}

#[test]
fn functions_that_read_facts_take_their_paths() {
    let (_folder, mut client) = started(json!({}));
    for text in
        ["$::facts['os']['|']", "$facts.dig('os', '|')", "getvar('facts.os.|')", "$facts.get('os.|')", "fact('os.|')"]
    {
        let found = labels(&mut client, &format!("  $a = {text}"));
        assert!(found.contains(&"family".to_owned()), "{text}: {found:?}");
    }
    client.end();
}

#[test]
fn types_of_the_resource_api_are_completed() {
    let (folder, mut client) = started(json!({}));
    let path = folder.path().join("modules/profile/lib/puppet/type/api.rb");
    let text = "Puppet::ResourceApi.register_type(\n  name: 'api',\n  attributes: {\n    name: { type: 'String', behaviour: :namevar },\n    color: { type: 'Optional[Enum[red, green]]' },\n  },\n)\n";
    std::fs::write(path, text).unwrap();
    assert_eq!(labels(&mut client, "  api { 'x': c| }"), ["color"]);
    assert_eq!(labels(&mut client, "  api { 'x': color => '| }"), ["green", "red"]);
    client.end();
}

#[test]
fn calls_of_templates_have_the_parameters_of_the_template() {
    let (folder, mut client) = started(json!({}));
    let path = folder.path().join("modules/profile/templates/page.epp");
    std::fs::write(path, "<%- | String $title_text, Integer $count = 1 | -%>\n").unwrap();
    let found = labels(&mut client, "  $a = epp('profile/page.epp', { | })");
    assert_eq!(found, ["title_text", "count"]);
    let found = labels(&mut client, "  $a = epp('profile/page.epp', { 'title_text' => 'x', | })");
    assert_eq!(found, ["count"]);
    let text = "class profile::base {\n  $a = epp('profile/page.epp', { title_text => 'x' })\n}\n";
    client.open(MANIFEST, text);
    let found = client.places("textDocument/definition", MANIFEST, text, "title|_text");
    assert_eq!(found, ["modules/profile/templates/page.epp:1"]);
    assert!(client.hover(MANIFEST, text, "title|_text").contains("String $title_text"));
    client.end();
}

#[test]
fn words_of_an_enum_are_proposed_where_it_is_compared() {
    let (_folder, mut client) = started(json!({}));
    for code in ["if $e == '|' { }", "case $e { '|': { } }", "$a = $e ? { '|' => 1 }"] {
        let text = format!("class profile::base (Enum['aa', 'bb'] $e) {{\n  {code}\n  notice('x')\n}}\n");
        assert_eq!(labels_in(&mut client, MANIFEST, &text), ["aa", "bb"], "{code}");
    }
    client.end();
}

#[test]
fn types_and_references_stand_where_they_can() {
    let (_folder, mut client) = started(json!({}));
    for text in ["class profile::base (|$x) { }\n", "function profile::f(Integer $x) >> |{ }\n"] {
        let found = labels_in(&mut client, MANIFEST, text);
        assert!(found.contains(&"Array".to_owned()) && !found.contains(&"lookup".to_owned()), "{text}: {found:?}");
    }
    let found = labels(&mut client, "  file { '/own': }\n  Package['a'] -> |");
    assert_eq!(found[0], "File['/own']");
    let found = labels(&mut client, "  notify { 'a': require => File[|] }");
    assert!(found.contains(&"/etc/motd".to_owned()), "{found:?}");
    let found = labels(&mut client, "  $a = $profile::motd::|");
    assert!(found.contains(&"$profile::motd::count".to_owned()), "{found:?}");
    client.end();
}

#[test]
fn strings_name_files_of_modules() {
    let (_folder, mut client) = started(json!({}));
    assert_eq!(labels(&mut client, "  file { '/x': content => epp('profile/|') }"), ["deep/", "motd.epp"]);
    assert_eq!(labels(&mut client, "  file { '/x': content => epp('profile/deep/m|') }"), ["more.epp"]);
    let modules = labels(&mut client, "  file { '/x': content => template('|') }");
    assert_eq!(modules, ["profile/", "web/"]);
    assert_eq!(labels(&mut client, "  file { '/x': source => 'puppet:///modules/|' }"), ["profile/"]);
    assert_eq!(labels(&mut client, "  file { '/x': source => 'puppet:///modules/profile/k|' }"), ["key.pub"]);
    assert_eq!(labels(&mut client, "  file { '/x': source => 'pup|' }"), ["puppet:///"]);
    assert_eq!(labels(&mut client, "  file { '/x': content => epp('profile/../../|') }"), [] as [&str; 0]);
}

#[test]
fn references_name_resources_that_are_declared() {
    let (_folder, mut client) = started(json!({}));
    let found = labels(&mut client, "  file { '/own': require => File['|'] }");
    assert_eq!(found, ["/etc/issue", "/etc/motd", "/own"]);
    assert_eq!(labels(&mut client, "  Exec['a'] -> Web::Site['m|']"), ["main"]);
    assert!(labels(&mut client, "  Class['web|']").contains(&"web::service".to_owned()));
}

#[test]
fn strings_contain_variables() {
    let (_folder, mut client) = started(json!({}));
    let found = labels(&mut client, "  $port = 1\n  $a = \"at ${po|\"");
    assert_eq!(found, ["port"]);
    let found = labels(&mut client, "  $port = 1\n  $a = \"at $po|\"");
    assert_eq!(found, ["$port"]);
    // Nothing is replaced in single quotes, and words of a string are no code.
    assert_eq!(labels(&mut client, "  $port = 1\n  $a = 'at $po|'"), [] as [&str; 0]);
    assert_eq!(labels(&mut client, "  $a = 'look|'"), [] as [&str; 0]);
    assert_eq!(labels(&mut client, "  # it's look|"), [] as [&str; 0]);
}

#[test]
fn the_text_of_a_template_is_no_code() {
    let (_folder, mut client) = started(json!({}));
    let name = "modules/profile/templates/new.epp";
    let text = "<%- | Integer $port | -%>\nIt's \"at <%= $po %> ensu\n";
    client.open(name, text);
    assert_eq!(client.complete(name, text, "$po|"), ["$port"]);
    assert_eq!(client.complete(name, text, "ensu|"), [] as [&str; 0]);
    client.end();
}

#[test]
fn functions_behind_a_dot_take_the_value_before_it() {
    let (_folder, mut client) = started(json!({}));
    let of_number = labels(&mut client, "  $n = 5\n  $a = $n.|");
    assert!(of_number.contains(&"abs".to_owned()), "{of_number:?}");
    assert!(of_number.contains(&"web::double".to_owned()), "{of_number:?}");
    assert!(!of_number.contains(&"upcase".to_owned()) || !of_number.contains(&"keys".to_owned()), "{of_number:?}");
    let of_hash = labels(&mut client, "  $h = { 'a' => 1 }\n  $a = $h.|");
    assert!(of_hash.contains(&"keys".to_owned()), "{of_hash:?}");
    assert!(!of_hash.contains(&"abs".to_owned()) && !of_hash.contains(&"web::double".to_owned()), "{of_hash:?}");
    // Nothing is known of this value.
    let of_any = labels(&mut client, "  $a = $unknown.ke|");
    assert_eq!(of_any, ["keys"]);
}

#[test]
fn jobs_have_the_values_that_nomad_accepts() {
    let (_folder, mut client) = started(json!({}));
    let name = "jobs/new.nomad.hcl";
    let mut labels = |line: &str| {
        let text = format!(
            "job \"j\" {{\n  group \"g\" {{\n    network {{\n      port \"http\" {{ to = 80 }}\n    }}\n    service {{\n      port = \"http\"\n    }}\n    task \"t\" {{\n{line}\n    }}\n  }}\n}}\n"
        );
        labels_in(&mut client, name, &text)
    };
    assert_eq!(labels("      driver = \"do|\""), ["docker"]);
    let drivers = labels("      driver = \"|\"");
    assert!(["exec", "java", "raw_exec"].iter().all(|driver| drivers.iter().any(|one| one == driver)), "{drivers:?}");
    assert!(!drivers.contains(&"var".to_owned()), "{drivers:?}");
    assert!(labels("      driver = do|").contains(&"docker".to_owned()));
    assert!(labels("      leader = t|").contains(&"true".to_owned()));
    assert_eq!(labels("      config { ports = [\"|\"] }"), ["http"]);
    assert!(labels("      user = \"${v|}\"").contains(&"var".to_owned()));
    // Blocks on one line.
    let of_port = labels("    }\n    network {\n      port \"x\" { | }");
    assert!(["static", "to"].iter().all(|name| of_port.iter().any(|one| one == name)), "{of_port:?}");
    assert!(labels("    }\n    network {\n      port \"x\" { st| }").contains(&"static".to_owned()));
    assert!(labels("      config { | }\n      driver = \"docker\"").contains(&"image".to_owned()));
    assert!(labels("      logs { disabled = t| }").contains(&"true".to_owned()));
    assert!(labels("      env { A = \"b\" }\n      | ").contains(&"driver".to_owned()));
    client.open(name, "job \"j\" {\n  type = \"sys\"\n}\n");
    let found = client.complete(name, "job \"j\" {\n  type = \"sys\"\n}\n", "\"sys|");
    assert_eq!(found, ["system", "sysbatch"]);
    client.end();
}

#[test]
fn ports_of_a_group_are_defined_by_its_network() {
    let (_folder, mut client) = started(json!({}));
    let name = "jobs/new.nomad.hcl";
    let text = "job \"j\" {\n  group \"g\" {\n    network {\n      port \"http\" {\n        to = 80\n      }\n    }\n    service {\n      port = \"http\"\n    }\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = \"a\"\n        ports = [\"http\"]\n      }\n    }\n  }\n}\n";
    client.open(name, text);
    assert_eq!(client.places("textDocument/definition", name, text, "ports = [\"ht|tp"), [format!("{name}:4")]);
    assert_eq!(client.places("textDocument/definition", name, text, "port = \"ht|tp"), [format!("{name}:4")]);
    let hover = client.hover(name, text, "ports = [\"ht|tp");
    assert!(hover.contains("to = 80"), "{hover}");
    client.end();
}

#[test]
fn functions_of_jobs_are_described() {
    let (_folder, mut client) = started(json!({}));
    let name = "jobs/new.nomad.hcl";
    let text = "job \"j\" {\n  meta {\n    a = upper(join(\",\", [\"a\"]))\n    b = \"${trimprefix(\"ab\", \"a\")}\"\n  }\n}\n";
    client.open(name, text);
    let hover = client.hover(name, text, "jo|in(");
    assert!(hover.contains("join(separator string, lists list(string)...) string"), "{hover}");
    assert!(client.hover(name, text, "trim|prefix").contains("Removes a prefix"));
    assert!(!client.hover(name, text, "\"a|\"]").contains("join"));
    let text = text.replace("upper(join(\",\", [\"a\"]))", "cidrs");
    client.replace(name, 2, &text);
    assert_eq!(client.complete(name, &text, "cidrs|"), ["cidrsubnet", "cidrsubnets"]);
}

#[test]
fn variables_of_jobs_are_renamed() {
    let (_folder, mut client) = started(json!({"variableFiles": ["jobs/web.vars"]}));
    std::fs::write(client.path("jobs/web.vars"), "image = \"nginx:1\"\n").unwrap();
    let name = "jobs/web.nomad.hcl";
    let text = "variable \"image\" {\n  default = \"nginx\"\n}\n\nlocals {\n  name = \"web\"\n}\n\n# var.image\njob \"web\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = \"${var.image}:${local.name}\"\n        other = var[\"image\"]\n      }\n    }\n  }\n}\n";
    client.open(name, text);
    let rename = |client: &mut Client, part: &str, to: &str| {
        let mut at = client.at(name, text, part);
        at["newName"] = json!(to);
        let id = client.ask("textDocument/rename", at);
        client.answer(id)
    };
    let answer = rename(&mut client, "variable \"im|age", "picture");
    let changes = &answer["result"]["changes"];
    let edited = client.edited(text, &changes[uri(&client.path(name))]);
    assert_eq!(
        edited,
        text.replace("variable \"image\"", "variable \"picture\"")
            .replace("${var.image}", "${var.picture}")
            .replace("var[\"image\"]", "var[\"picture\"]")
    );
    let values = client.edited("image = \"nginx:1\"\n", &changes[uri(&client.path("jobs/web.vars"))]);
    assert_eq!(values, "picture = \"nginx:1\"\n");
    let prepared = client.at(name, text, "local.na|me");
    assert_eq!(client.request("textDocument/prepareRename", prepared)["placeholder"], "name");
    let answer = rename(&mut client, "local.na|me", "title");
    assert_eq!(answer["result"]["changes"][uri(&client.path(name))].as_array().unwrap().len(), 2);
    for (part, to, reason) in
        [("var.im|age}", "1x", "cannot be the name"), ("dri|ver", "x", "only variables and locals")]
    {
        let answer = rename(&mut client, part, to);
        assert!(answer["error"]["message"].as_str().unwrap().contains(reason), "{answer}");
    }
    // A file that was not chosen may be for this job.
    std::fs::write(client.path("jobs/other.vars"), "image = \"other\"\n").unwrap();
    let answer = rename(&mut client, "variable \"im|age", "picture");
    assert!(answer["error"]["message"].as_str().unwrap().contains("other.vars"), "{answer}");
    client.end();
}

#[test]
fn templates_in_ruby_show_variables_that_classes_set() {
    let (_folder, mut client) = started(json!({}));
    let name = "modules/profile/templates/new.erb";
    let text = "<%= scope.lookupvar('profile::motd::count') %>\n";
    client.open(name, text);
    let hover = client.hover(name, text, "motd::co|unt");
    assert!(hover.contains("$count = 1 + 2") && hover.contains("Integer"), "{hover}");
    let places = client.places("textDocument/definition", name, text, "motd::co|unt");
    assert_eq!(places, ["modules/profile/manifests/motd.pp:2"]);
    client.end();
}

#[test]
fn findings_have_the_codes_of_check() {
    let (_folder, mut client) = started(json!({}));
    let name = "jobs/new.nomad.hcl";
    client.open(name, "variable \"image\" {\n  default = \"a\"\n}\n\njob \"j\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n      config {\n        image = var.imag\n      }\n    }\n  }\n}\n");
    client.settle();
    let found = client.diagnostics(name);
    assert_eq!(found.iter().map(|(code, line, _)| (code.as_str(), *line)).collect::<Vec<_>>(), [("job", 10)]);
    client.end();
}

#[test]
fn filters_of_jinja2_are_completed() {
    let (_folder, mut client) = started(json!({}));
    let name = "templates/new.j2";
    let text = "{{ name | upp }} {{ names | jo\n";
    client.open(name, text);
    assert_eq!(client.complete(name, text, "upp|"), ["upper"]);
    assert!(client.complete(name, text, "jo|").contains(&"join".to_owned()));
    client.end();
}

/// The completions in an unsaved file, in the order in which an editor shows them; `|` is the cursor.
fn sorted_items(client: &mut Client, name: &str, text: &str) -> Vec<Value> {
    client.open(name, &text.replacen('|', "", 1));
    let before = &text[..text.find('|').unwrap()];
    let position = json!({
        "line": before.matches('\n').count(),
        "character": before.len() - before.rfind('\n').map_or(0, |at| at + 1),
    });
    let document = json!({"uri": uri(&client.path(name))});
    let answer = client.request("textDocument/completion", json!({"textDocument": document, "position": position}));
    client.close(name);
    let mut items = answer["items"].as_array().cloned().unwrap_or_default();
    let key = |item: &Value| item["sortText"].as_str().or(item["label"].as_str()).unwrap().to_owned();
    items.sort_by_key(key);
    items
}

#[test]
fn required_parameters_come_first_with_their_types() {
    let (_folder, mut client) = started(json!({}));
    let define = "define profile::vhost(\n  String $owner,\n  Integer[1] $port,\n  Boolean $ssl = true,\n) { }\n";
    client.open("modules/profile/manifests/vhost.pp", define);
    client.settle();
    let text = "class profile::base {\n  profile::vhost { 'a':\n    |\n  }\n}\n";
    let items = sorted_items(&mut client, MANIFEST, text);
    let labels: Vec<&str> = items.iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(labels[..4], ["all required parameters", "owner", "port", "ssl"]);
    assert_eq!(items[0]["textEdit"]["newText"], "owner => ${1:String},\nport  => ${2:Integer[1]},");
    assert_eq!(items[2]["detail"], "Integer[1] $port");
    // A parameter that is given is not required any more.
    let text = "class profile::base {\n  profile::vhost { 'a':\n    owner => 'x',\n    |\n  }\n}\n";
    let items = sorted_items(&mut client, MANIFEST, text);
    assert_eq!(items[0]["label"], "port");
    client.end();
}

#[test]
fn keywords_begin_snippets_with_the_name_of_the_file() {
    let (_folder, mut client) = started(json!({}));
    let name = "modules/profile/manifests/deep/new.pp";
    let items = sorted_items(&mut client, name, "cla|");
    let snippet = items.iter().find(|item| item["label"] == "class …").unwrap_or_else(|| panic!("{items:?}"));
    assert!(snippet["textEdit"]["newText"].as_str().unwrap().starts_with("class ${1:profile::deep::new} ("));
    let text = "class profile::base {\n  $a = [1, 2].ea|\n}\n";
    let items = sorted_items(&mut client, MANIFEST, text);
    assert_eq!(items[0]["textEdit"]["newText"], "each |\\$${1:item}| {\n  $0\n}");
    client.end();
}

#[test]
fn names_of_ruby_are_completed() {
    let (folder, mut client) = started(json!({}));
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in [
        (
            "modules/profile/lib/puppet/functions/profile/shout.rb",
            "Puppet::Functions.create_function(:'profile::shout') { }\n",
        ),
        ("modules/profile/lib/facter/rack.rb", "# The rack.\nFacter.add(:rack) { setcode { 1 } }\n"),
    ] {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), text).unwrap();
        let change = json!({"changes": [{"uri": uri(&root.join(name)), "type": 1}]});
        client.notify("workspace/didChangeWatchedFiles", change);
    }
    client.settle();
    assert_eq!(labels(&mut client, "  $a = profile::sh|"), ["profile::shout"]);
    assert!(labels(&mut client, "  $a = $facts['rac|']").contains(&"rack".to_owned()));
    assert!(labels(&mut client, "  vho|").contains(&"vhost".to_owned()));
    assert!(labels(&mut client, "  Exec['a'] -> Vho|").contains(&"Vhost".to_owned()));
    client.end();
}

#[test]
fn drivers_have_options_and_templates_have_functions() {
    let (_folder, mut client) = started(json!({}));
    let name = "jobs/new.nomad.hcl";
    let job = |driver: &str, line: &str| {
        format!(
            "job \"j\" {{\n  group \"g\" {{\n    task \"t\" {{\n      driver = \"{driver}\"\n{line}\n    }}\n  }}\n}}\n"
        )
    };
    let options =
        labels_in(&mut client, name, &job("docker", "      config {\n        image = \"a\"\n        |\n      }"));
    assert!(options.contains(&"network_mode".to_owned()) && !options.contains(&"image".to_owned()), "{options:?}");
    let options = labels_in(&mut client, name, &job("exec", "      config {\n        |\n      }"));
    assert!(options.contains(&"command".to_owned()) && !options.contains(&"network_mode".to_owned()), "{options:?}");
    let template =
        |line: &str| job("docker", &format!("      template {{\n        data = <<EOF\n{line}\nEOF\n      }}"));
    let found = labels_in(&mut client, name, &template("a = {{ keyO|"));
    assert_eq!(found, ["keyOrDefault"]);
    let found = labels_in(&mut client, name, &template("{{ with secret \"x\" }}{{ .Data.a }}{{ e|"));
    assert!(found.contains(&"end".to_owned()) && found.contains(&"env".to_owned()), "{found:?}");
    // Outside of an action, and in a string, there is no function.
    assert_eq!(labels_in(&mut client, name, &template("a = {{ env \"X\" }} ke|")), [] as [&str; 0]);
    assert_eq!(labels_in(&mut client, name, &template("a = {{ key \"ke|\" }}")), [] as [&str; 0]);
    let other = job(
        "docker",
        "      template {\n        left_delimiter = \"[[\"\n        right_delimiter = \"]]\"\n        data = <<EOF\n{{ x }} [[ keyE|\nEOF\n      }",
    );
    assert_eq!(labels_in(&mut client, name, &other), ["keyExists"]);
    let text = template("a = {{ keyOrDefault \"a\" \"b\" }}").replace('|', "");
    client.open(name, &text);
    assert!(client.hover(name, &text, "keyOr|Default").contains("Consul"));
    let text = job("docker", "      config {\n        ports = [\"http\"]\n      }");
    client.replace(name, 2, &text);
    assert!(client.hover(name, &text, "por|ts").contains("driver"));
    client.end();
}

#[test]
fn data_lists_classes_and_options_have_booleans() {
    let (_folder, mut client) = started(json!({}));
    let name = "data/common.yaml";
    let found = labels_in(&mut client, name, "classes:\n  - web::s|\n");
    assert!(found.contains(&"web::service".to_owned()), "{found:?}");
    let options = "lookup_options:\n  web::options:\n    merge:\n      strategy: deep\n      sort_merged_arrays: t|\n";
    assert_eq!(labels_in(&mut client, name, options), ["true", "false"]);
    client.end();
}
