//! Renaming keys.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

fn started(encoding: &str) -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut client = Client::offering(&root, options(), json!({}), encoding);
    client.settle();
    (folder, client)
}

/// The texts of files after a rename; those that are not open are as they are saved.
fn renamed(
    client: &mut Client,
    name: &str,
    part: &str,
    to: &str,
    open: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, String> {
    let text = |name: &str| {
        open.get(name).cloned().unwrap_or_else(|| std::fs::read_to_string(client.root.join(name)).unwrap())
    };
    let mut context = client.at(name, &text(name), part);
    context["newName"] = to.into();
    let root = uri(&client.root);
    let id = client.ask("textDocument/rename", context);
    let answer = client.answer(id);
    if let Some(message) = answer["error"]["message"].as_str() {
        return Err(message.to_owned());
    }
    let text = |name: &str| {
        open.get(name).cloned().unwrap_or_else(|| std::fs::read_to_string(client.root.join(name)).unwrap())
    };
    let below = |uri: &str| uri.strip_prefix(&root).unwrap().trim_start_matches('/').to_owned();
    let result = &answer["result"];
    let mut after = BTreeMap::new();
    for (uri, edits) in result["changes"].as_object().into_iter().flatten() {
        let name = below(uri);
        after.insert(name.clone(), client.edited(&text(&name), edits));
    }
    for change in result["documentChanges"].as_array().into_iter().flatten() {
        let name = below(change["textDocument"]["uri"].as_str().unwrap());
        let version = if open.contains_key(&name) { json!(1) } else { Value::Null };
        assert_eq!(change["textDocument"]["version"], version, "{name}");
        after.insert(name.clone(), client.edited(&text(&name), &change["edits"]));
    }
    Ok(after)
}

#[test]
fn renaming_a_key_changes_all_its_references() {
    for encoding in ["utf-16", "utf-8"] {
        let (_folder, mut client) = started(encoding);
        let common = "motd: '\u{1f600} %{lookup(\"site\")} \u{e9} %{alias(''site.x'')}' # site\r\nsite: \u{1f600}\r\nlookup_options:\r\n  'site': {merge: first}\r\n";
        let role = "{\"site\": 1, a: '\u{1f600}%{lookup(\"sites\")}'}\n";
        let code = "class web::service {\n  $x = '\u{1f600}' $y = lookup('site.x', Any)\n  notify { 'website': }\n}\n";
        let mut open = BTreeMap::new();
        for (name, text) in
            [("data/common.yaml", common), ("data/roles/web.yaml", role), ("modules/web/manifests/service.pp", code)]
        {
            client.open(name, text);
            open.insert(name.to_owned(), text.to_owned());
        }
        client.settle();
        let expected = |text: &str| {
            let quoted = text.replace("(\"site\")", "(\"web::place\")").replace("(''site.x'')", "(''web::place.x'')");
            let code = quoted.replace("('site.x'", "('web::place.x'");
            code.replace("\nsite:", "\nweb::place:")
                .replace("'site':", "'web::place':")
                .replace("\"site\":", "\"web::place\":")
        };
        let expected: BTreeMap<String, String> =
            open.iter().map(|(name, text)| (name.clone(), expected(text))).collect();
        for (name, part) in [
            ("data/common.yaml", "\nsi|te: "),
            ("data/common.yaml", "lookup(\"si|te"),
            ("data/common.yaml", "(''site|.x"),
            ("data/common.yaml", "'sit|e': {"),
            ("data/roles/web.yaml", "{\"s|ite"),
            ("modules/web/manifests/service.pp", "lookup('s|ite"),
        ] {
            let after = renamed(&mut client, name, part, "web::place", &open);
            assert_eq!(after.as_ref(), Ok(&expected), "{encoding} {part}");
            let prepared = client.at(name, &open[name], part);
            let prepared = client.request("textDocument/prepareRename", prepared);
            let edit = json!([{"range": prepared["range"], "newText": "<>"}]);
            let marked = client.edited(&open[name], &edit);
            assert!(
                marked.contains(
                    &part
                        .replace("site", "<>")
                        .replace("si|te", "<>")
                        .replace("sit|e", "<>")
                        .replace("s|ite", "<>")
                        .replace("<>|", "<>")
                ),
                "{marked}"
            );
            assert_eq!(prepared["placeholder"], "site");
        }
        client.end();
    }
}

#[test]
fn a_parameter_is_renamed_with_its_variable_and_its_data() {
    let (_folder, mut client) = started("utf-16");
    let open = BTreeMap::new();
    let init = "modules/web/manifests/init.pp";
    let after = renamed(&mut client, init, "{ 'port' => $po|rt", "number", &open).unwrap();
    let names: Vec<&str> = after.keys().map(String::as_str).collect();
    assert_eq!(names, ["data/common.yaml", "data/nodes/web01.yaml", "data/roles/web.yaml", init]);
    assert!(after["data/common.yaml"].contains("\nweb::number: 80\n"), "{after:?}");
    let code = &after[init];
    assert!(code.contains("$number = 80") && code.contains("{ 'port' => $number }"), "{code}");
    assert!(code.contains("port => $number,"), "{code}");
    let by_data = renamed(&mut client, "data/roles/web.yaml", "web::po|rt", "web::number", &open);
    assert_eq!(by_data, Ok(after));
    client.end();
}

#[test]
fn an_unsafe_rename_is_refused_with_the_reason() {
    let (_folder, mut client) = started("utf-16");
    let mut open = BTreeMap::new();
    let mut refused = |client: &mut Client, common: &str, part: &str, to: &str| {
        if open.is_empty() {
            client.open("data/common.yaml", common)
        } else {
            client.replace("data/common.yaml", 1, common)
        }
        open.insert("data/common.yaml".to_owned(), common.to_owned());
        client.settle();
        renamed(client, "data/common.yaml", part, to, &open).unwrap_err()
    };
    let used = refused(&mut client, "a: 1\nb: 2\n", "|a: 1", "b");
    assert!(used.contains("data/common.yaml already has the key 'b'"), "{used}");
    let bad = refused(&mut client, "a: 1\n", "|a: 1", "x'y");
    assert!(bad.contains("cannot be the name of a key"), "{bad}");
    // The options of the pattern would not be those of the new name any more.
    client.open("data/roles/web.yaml", "deep_a: {x: 1}\n");
    let changed =
        refused(&mut client, "lookup_options:\n  '^deep_': {merge: deep}\ndeep_a: {y: 2}\n", "dee|p_a: {y", "flat_a");
    assert!(changed.contains("'flat_a'") && changed.contains("not be the one of the old name"), "{changed}");
    assert!(changed.contains("role=web"), "{changed}");
    // Another file may have the key, but nobody can tell.
    client.replace("data/roles/web.yaml", 2, "a: [\n");
    let unread = refused(&mut client, "a: 1\n", "|a: 1", "b");
    assert!(unread.contains("data/roles/web.yaml cannot be read and may have the key 'a'"), "{unread}");
    client.replace("data/roles/web.yaml", 3, "web::port: 1\n");
    // Something has the name that cannot be understood.
    client.open("modules/web/manifests/new.pp", "class web::new {\n  $x = web::find('a_key')\n}\n");
    let message = refused(&mut client, "a_key: 1\n", "|a_key: 1", "b");
    assert!(message.contains("modules/web/manifests/new.pp:2 still uses 'a_key'"), "{message}");
    let nothing = refused(&mut client, "a: x\n", "|x", "b");
    assert!(nothing.contains("only keys of the data"), "{nothing}");
    client.end();
}

#[test]
fn a_variable_is_renamed_in_its_scope() {
    let (_folder, mut client) = started("utf-16");
    let name = "modules/web/manifests/service.pp";
    let code = "class web::service {\r\n  # \u{1f600} dir of it\r\n  $dir = '\u{1f600}'\r\n  [1].each |$i, $dir = 2| { notice(\"${i} ${dir}\") }\r\n  [1].each |$j| { notice(\"\u{1f600} $dir ${dir} ${dir[0]} ${ dir }\", $dir) }\r\n  if $dir { $path = \"${dir}\" } else { $path = 1 }\r\n  notice($path)\r\n}\r\n";
    let site = "modules/web/manifests/site.pp";
    let other = "# $web::service::dir\ndefine web::site (Integer $port) {\n  notice(\"${web::service::dir}/x ${port}\", $::web::service::dir)\n}\n";
    let template = "modules/web/templates/conf.epp";
    let epp = "<%- | Integer $port | -%>\n<% $lines = 2 -%>\nport <%= $port %> <%= \"${lines}\" %> <%= $web::service::dir %>\n";
    let mut open = BTreeMap::new();
    for (name, text) in [(name, code), (site, other), (template, epp)] {
        client.open(name, text);
        open.insert(name.to_owned(), text.to_owned());
    }
    client.settle();
    for part in ["$di|r = '", "\u{1f600} $di|r ", "${di|r[0]", "$dir|)"] {
        let after =
            renamed(&mut client, name, part, "$folder", &open).unwrap_or_else(|reason| panic!("{part}: {reason}"));
        let expected = code
            .replace("$dir = '", "$folder = '")
            .replace("$dir ${dir} ${dir[0]} ${ dir }\", $dir", "$folder ${folder} ${folder[0]} ${ folder }\", $folder")
            .replace("if $dir { $path = \"${dir}\"", "if $folder { $path = \"${folder}\"");
        assert_eq!(after[name], expected, "{part}");
        assert_eq!(after[site], other.replace("service::dir}", "service::folder}").replace("dir)", "folder)"));
        assert_eq!(after[template], epp.replace("service::dir", "service::folder"));
        assert_eq!(after.len(), 3);
    }
    let after = renamed(&mut client, name, "$d|ir = 2", "x", &open).unwrap();
    let expected = code.replace("$dir = 2", "$x = 2").replace("${i} ${dir}", "${i} ${x}");
    assert_eq!(after, BTreeMap::from([(name.to_owned(), expected)]));
    let after = renamed(&mut client, name, "$pa|th)", "file", &open).unwrap();
    assert_eq!(after[name], code.replace("$path", "$file"));
    let after = renamed(&mut client, template, "$lin|es", "count", &open).unwrap();
    assert_eq!(after[template], epp.replace("lines", "count"));
    let prepared = client.at(name, code, "${di|r[0]");
    let prepared = client.request("textDocument/prepareRename", prepared);
    assert_eq!(prepared["placeholder"], "dir");
    client.end();
}

#[test]
fn a_variable_that_is_read_elsewhere_is_not_renamed() {
    let (_folder, client) = started("utf-16");
    let root = client.root.clone();
    std::fs::write(root.join("modules/web/templates/a.erb"), "<%= @dir %> <%= scope['web::service::seen'] %>\n")
        .unwrap();
    std::fs::write(
        root.join("modules/web/manifests/child.pp"),
        "class web::child inherits web::service { notice($old) }\n",
    )
    .unwrap();
    std::fs::write(root.join("data/common.yaml"), "a: '%{web::service::told} %{here}'\n").unwrap();
    client.end();
    let mut client = Client::new(&root);
    client.settle();
    let name = "modules/web/manifests/service.pp";
    for (body, part, to, reason) in [
        ("$dir = 1 $x = template('web/a.erb')", "$d|ir", "folder", "a.erb may see it"),
        ("$seen = 1", "$s|een", "folder", "a.erb may see it"),
        ("$old = 1", "$o|ld", "new", "child.pp may inherit it"),
        ("$fresh = 1", "$f|resh", "old", "child.pp may inherit it"),
        ("$told = 1", "$t|old", "x", "interpolates it"),
        ("$here = 1 $x = lookup('a')", "$h|ere", "y", "interpolates it"),
        ("$dir = 1 $x = getvar('dir')", "$d|ir", "folder", "a string around has its name"),
        ("$dir = 1 $taken = 2", "$d|ir", "taken", "line 1 has a variable '$taken'"),
        ("$dir = 1", "$d|ir", "facts", "cannot be the name"),
        ("$dir = 1", "$d|ir", "Big", "cannot be the name"),
        ("if $a { $dir = 1 } notice($dir)", "$d|ir =", "folder", "line 1 may read another variable"),
        ("notice($free)", "$f|ree", "folder", "it is not set here"),
        ("$dir = 1 $x = $facts['os'] [1].each |$q| { notice($x) $x = 2 }", "($|x)", "y", "may read another variable"),
        ("notify { 'web::service::word': } $word = 1", "$w|ord", "y", "which cannot be changed"),
    ] {
        let code = format!("class web::service {{ {body} }}\n");
        let open = BTreeMap::from([(name.to_owned(), code.clone())]);
        client.open(name, &code);
        client.settle();
        let refused = renamed(&mut client, name, part, to, &open).unwrap_err();
        assert!(refused.contains(reason), "{body}: {refused}");
        client.close(name);
    }
    for (code, part, reason) in [
        ("$top = 1\n", "$t|op", "every file can see"),
        ("node x { $n = 1 }\n", "$|n", "every class of the node"),
        ("define web::d($p) { notice($p) }\n", "$|p)", "passed by its name"),
    ] {
        let open = BTreeMap::from([("manifests/site.pp".to_owned(), code.to_owned())]);
        client.open("manifests/site.pp", code);
        client.settle();
        let refused = renamed(&mut client, "manifests/site.pp", part, "y", &open).unwrap_err();
        assert!(refused.contains(reason), "{code}: {refused}");
        client.close("manifests/site.pp");
    }
    client.end();
}

#[test]
fn keys_are_renamed_with_the_paths_of_directives() {
    let (_folder, mut client) = started("utf-16");
    let name = "docs/paths.yaml";
    let text = "base:\n  sizes: {small: 1}\n  big: 2\nweb:\n  +/base/sizes:\n  own: 3\ndb:\n  inner: {x: 1}\n  copy:\n    +../inner:\n";
    client.open(name, text);
    let open = BTreeMap::from([(name.to_owned(), text.to_owned())]);
    let after = renamed(&mut client, name, "base:", "defaults", &open).unwrap();
    assert_eq!(after[name], text.replace("base", "defaults"));
    // The name in a path stands for the key, too, and so do relative paths.
    let after = renamed(&mut client, name, "+/base/si|zes", "measures", &open).unwrap();
    assert_eq!(after[name], text.replace("sizes", "measures"));
    let after = renamed(&mut client, name, "inner: {", "middle", &open).unwrap();
    assert_eq!(after[name], text.replace("inner", "middle"));
    // A key that is merged into another map would have its new name there as well.
    let refusal = renamed(&mut client, name, "sm|all", "tiny", &open).unwrap_err();
    assert!(refusal.contains("differ in more than the name"), "{refusal}");
    let refusal = renamed(&mut client, name, "sizes: {", "a/b", &open).unwrap_err();
    assert!(refusal.contains("cannot be a part"), "{refusal}");
    let expression = text.replace("own: 3", "own: {eval: '::base::big'}");
    client.replace(name, 2, &expression);
    let open = BTreeMap::from([(name.to_owned(), expression)]);
    let refusal = renamed(&mut client, name, "base:", "defaults", &open).unwrap_err();
    assert!(refusal.contains("line 6 has an expression"), "{refusal}");
    client.end();
}

#[test]
fn variables_of_a_folder_of_hcl_are_renamed_together() {
    let (_folder, mut client) = started("utf-16");
    let root = client.root.clone();
    std::fs::create_dir_all(root.join("stack")).unwrap();
    let variables = "variable \"region\" {\n  default = \"x\"\n}\n";
    let main = "locals {\n  place = \"in ${var.region}\"\n}\noutput \"a\" {\n  value = local.place\n}\n";
    std::fs::write(root.join("stack/variables.hcl"), variables).unwrap();
    std::fs::write(root.join("stack/main.hcl"), main).unwrap();
    let none = BTreeMap::new();
    client.open_saved("stack/main.hcl");
    let open = BTreeMap::from([("stack/main.hcl".to_owned(), main.to_owned())]);
    let after = renamed(&mut client, "stack/main.hcl", "var.reg|ion", "area", &open).unwrap();
    assert_eq!(after["stack/variables.hcl"], variables.replace("region", "area"));
    assert_eq!(after["stack/main.hcl"], main.replace("region", "area"));
    let after = renamed(&mut client, "stack/main.hcl", "local.pl|ace", "where", &open).unwrap();
    assert_eq!(after["stack/main.hcl"], main.replace("place", "where"));
    std::fs::write(root.join("stack/x.tpl"), "[[ var \"region\" . ]]\n").unwrap();
    let refusal = renamed(&mut client, "stack/variables.hcl", "variable \"reg|ion", "area", &none).unwrap_err();
    assert!(refusal.contains("x.tpl may name it"), "{refusal}");
    client.end();
}
