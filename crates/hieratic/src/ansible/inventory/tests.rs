//! Inventories as Ansible reads them.

use super::*;

fn inventory(name: &str, text: &str, more: &[(&str, &str)]) -> Inventory {
    let folder = tempfile::tempdir().expect("a folder").keep();
    std::fs::write(folder.join(name), text).expect("a file");
    for (name, text) in more {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    Inventory::read(&folder.join(name), None, &Files::below([&folder]), &Vault::default()).expect("an inventory")
}

/// As ansible-inventory 2.15.9 lists them.
#[test]
fn groups_and_variables_are_those_of_ansible() {
    let text = "alone\n[web]\nweb[01:02].x:2222 a=1 b='x y' c=[1,2] # more\n[db]\ndb-[a:b]\n[all:vars]\na=0\nd=all\n\
                [prod:children]\nweb\ndb\n[prod:vars]\nd=prod\ne=prod\n[web:vars]\ne=web\n";
    let files = [
        ("group_vars/all.yml", "d: file\nf: all\n"),
        ("group_vars/web/x.yml", "f: web\n"),
        ("host_vars/web01.x.yml", "f: host\n"),
    ];
    let inventory = inventory("hosts", text, &files);
    let vars = inventory.variables("web01.x").expect("variables");
    let shown = |name: &str| vars.get(name).map(|value| value.inspect()).unwrap_or_default();
    assert_eq!(
        ["a", "b", "c", "d", "e", "f"].map(shown),
        ["1", "\"x y\"", "[1, 2]", "\"file\"", "\"web\"", "\"host\""]
    );
    assert_eq!(shown("ansible_port"), "2222");
    assert_eq!(shown("group_names"), "[\"prod\", \"web\"]");
    assert_eq!(inventory.groups().get("prod").map(|hosts| hosts.as_array().map_or(0, <[_]>::len)), Some(4));
    assert_eq!(inventory.groups().get("ungrouped").map(Value::inspect).as_deref(), Some("[\"alone\"]"));
}

#[test]
fn inventories_of_yaml_nest() {
    let text = "all:\n  hosts: {h1: {a: 1}}\n  children:\n    web:\n      hosts: {h2: }\n      vars: {b: 2}\n";
    let inventory = inventory("hosts.yml", text, &[]);
    assert_eq!(inventory.variables("h2").expect("variables").get("b"), Some(&2.into()));
    assert_eq!(inventory.hosts().collect::<Vec<_>>(), ["h1", "h2"]);
}

#[test]
fn keys_of_groups_without_a_meaning_are_listed() {
    let text = "all:\n  host: {h1: }\n  children:\n    web:\n      hosts: {h2: }\n      var: {a: 1}\n";
    let known = inventory("hosts.yaml", text, &[]);
    let skipped = known.skipped().iter().map(|skipped| (&*skipped.group, &*skipped.key));
    assert_eq!(skipped.collect::<Vec<_>>(), [("all", "host"), ("web", "var")]);
}

#[test]
fn a_folder_has_several_inventories() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("a/hosts", "[web]\nh1 a=1\n"),
        ("b.yml", "web: {hosts: {h2: {}, h1: {b: 2}}}\n"),
        ("c.ini", "h3\n"),
        ("README.md", "text\n"),
        ("group_vars/web.yml", "c: 3\n"),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let readable = Files::below([folder.path()]);
    let inventory = Inventory::read(folder.path(), None, &readable, &Vault::default()).expect("an inventory");
    assert_eq!(inventory.hosts().collect::<Vec<_>>(), ["h1", "h2"]);
    let vars = inventory.variables("h1").expect("variables");
    let shown = |name: &str| vars.get(name).map(|value| value.to_text().to_string()).unwrap_or_default();
    assert_eq!(["a", "b", "c"].map(shown), ["1", "2", "3"]);
    assert!(shown("inventory_file").ends_with("a/hosts"));
    assert!(shown("inventory_dir").ends_with("a"));
}

#[test]
fn a_range_may_begin_the_line_of_a_host() {
    let known = inventory("hosts", "[1:2].ex n=1\n[web:hosts] # the first\n[a:b]x\n", &[]);
    assert_eq!(known.hosts().collect::<Vec<_>>(), ["1.ex", "2.ex", "ax", "bx"]);
    let folder = tempfile::tempdir().expect("a folder");
    let known = inventory("hosts", "[::1]:22\nh1\nh[1:2]:0033 a=1\n", &[]);
    let port = |host: &str| known.variables(host).unwrap().get("ansible_port").cloned();
    assert_eq!((port("::1"), port("h1"), port("h2")), (Some(22.into()), None, Some(33.into())));
    for text in ["[my web]\nh\n", "[web]x]\n", "[web:]\nh\n"] {
        assert!(refusal(folder.path(), text).contains("section"), "{text}");
    }
}

#[test]
fn without_an_inventory_there_are_the_variables_of_all() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("group_vars")).expect("a folder");
    std::fs::write(folder.path().join("group_vars/all.yml"), "a: 1\n").expect("a file");
    let readable = Files::below([folder.path()]);
    let inventory = Inventory::implicit(folder.path(), &readable, &Vault::default()).expect("an inventory");
    let vars = inventory.variables("localhost").expect("variables");
    assert_eq!(vars.get("a"), Some(&1.into()));
    assert_eq!(vars.get("inventory_file"), None);
    assert_eq!(vars.get("ansible_connection"), Some(&"local".into()));
}

#[test]
fn programs_are_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(refusal(folder.path(), "#!/bin/sh\necho\n").contains("is a program"));
    for (name, text, message) in [
        ("hosts.toml", "[web.hosts]\nh1 = {}\n", "is TOML"),
        ("hosts.yml", "plugin: a.b.constructed\n", "configures the plugin 'a.b.constructed'"),
        ("secret", "$ANSIBLE_VAULT;1.1;AES256\n3435\n", "cannot be decrypted"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        let read = Inventory::read(&file, None, &Files::below([folder.path()]), &Vault::default());
        let shown = read.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(shown.contains(message), "{shown}");
    }
}

fn refusal(folder: &Path, text: &str) -> String {
    let file = folder.join("hosts");
    std::fs::write(&file, text).expect("a file");
    let read = Inventory::read(&file, None, &Files::below([folder]), &Vault::default());
    let variables = read.and_then(|inventory| {
        let host = inventory.hosts().next().expect("a host").to_owned();
        inventory.variables(&host)
    });
    variables.map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn files_of_other_groups_need_not_be_read() {
    let files = [("group_vars/db.yml", "$ANSIBLE_VAULT;1.1;AES256\n3030\n"), ("group_vars/web.yml", "a: 1\n")];
    let inventory = inventory("hosts", "[web]\nw\n[db]\nd\n", &files);
    assert_eq!(inventory.variables("w").expect("variables").get("a"), Some(&1.into()));
    assert!(inventory.variables("d").is_err_and(|error| error.to_string().contains("no password was given")));
}

#[test]
fn multiplying_results_are_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let hosts = "a[1:60000]\nb[1:60000]\n";
    assert!(refusal(folder.path(), hosts).contains("there are more than 100000 hosts"));
    let groups: String = (0..300).map(|at| format!("[g{at}:children]\ng{}\n", at + 1)).collect();
    let nested = format!("{groups}[g300]\na[1:50000]\n");
    assert!(refusal(folder.path(), &nested).contains("more than 10000000 variables and members"));
}

#[cfg(unix)]
#[test]
fn links_that_lead_round_in_circles_have_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = folder.path().join("group_vars/web");
    std::fs::create_dir_all(&web).expect("a folder");
    for name in ["one", "two"] {
        std::os::unix::fs::symlink(".", web.join(name)).expect("a link");
    }
    assert!(refusal(folder.path(), "[web]\na\n").contains("there are more than 10000 files"));
}

#[test]
fn a_group_is_not_in_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hosts");
    std::fs::write(&file, "[a:children]\nb\n[b:children]\na\n").expect("a file");
    let read = Inventory::read(&file, None, &Files::below([folder.path()]), &Vault::default());
    assert!(read.is_err_and(|error| error.to_string().contains("is in itself")));
}
