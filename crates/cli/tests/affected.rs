//! `hieratic affected`, and nodes from PuppetDB.

#![cfg(unix)]

use std::fs;
use std::process::Command;

const FILES: [(&str, &str); 10] = [
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Nodes, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Roles, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
    ),
    ("data/common.yaml", "port: 1\nlist: [a]\nwho: all\nlookup_options:\n  list: {merge: unique}\n"),
    ("data/roles/web.yaml", "list: [w]\nport: 80\n"),
    ("data/nodes/db01.yaml", "who: \"%{lookup('port')}\"\n"),
    ("facts/web01.yaml", "role: web\n"),
    ("facts/web02.yaml", "role: web\n"),
    ("facts/db01.yaml", "role: db\n"),
    ("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - {name: Defaults, path: d.yaml}\n"),
    ("modules/m/data/d.yaml", "m::a: 1\nnot_of_m: 2\n"),
    ("modules/m/manifests/init.pp", "class m (Integer $a) { }\n"),
];

fn site() -> tempfile::TempDir {
    let site = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = site.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    site
}

/// What the command prints, on both streams, and its status.
fn run(site: &tempfile::TempDir, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(site.path()).env("XDG_CONFIG_HOME", "/nowhere");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + std::str::from_utf8(&output.stderr).unwrap();
    format!("{text}[{}]", output.status.code().unwrap())
}

#[test]
fn parts_reach_keys_of_nodes() {
    let site = site();
    let mut reported = String::new();
    for arguments in [
        "data/common.yaml",
        "data/common.yaml:1",
        "data/common.yaml:5",
        "data/roles/web.yaml:2",
        "data/roles",
        "--level Roles",
        "hiera.yaml",
        "hiera.yaml:4",
        "modules/m",
        "modules/m/manifests/init.pp",
        "facts/db01.yaml",
        "data/roles/web.yaml --format nodes",
        "data/common.yaml --format keys",
        "data/common.yaml:1 --format json",
        "data/common.yaml --where facts.role=='db'",
        "data/common.yaml --where facts.role=='x'",
        "data/roles/web.yaml --why-not db01",
        "data/roles/web.yaml --why-not web01",
        "data/common.yaml:1 --why-not web01",
        "README --why-not web01",
        "nope.yaml",
        "data/common.yaml:0",
    ] {
        let mut all = vec!["affected"];
        all.extend(arguments.split(' '));
        all.extend(["--facts", "facts"]);
        reported.push_str(&format!("$ affected {arguments}\n{}\n\n", run(&site, &all)));
    }
    insta::assert_snapshot!(reported);
    let made_up = run(&site, &["affected", "data/roles/web.yaml"]);
    assert!(made_up.contains("made up from the hierarchy"), "{made_up}");
    assert!(run(&site, &["affected"]).ends_with("[2]"));
}

/// PuppetDB with an inventory; the address.
fn puppetdb(inventory: &'static str) -> String {
    crate::puppetdb::puppetdb(move |path| match path.split('?').next().unwrap_or_default() {
        "/pdb/query/v4/inventory" => inventory,
        "/pdb/query/v4/nodes/db01/facts" => r#"[{"certname": "db01", "name": "role", "value": "db"}]"#,
        _ => "[]",
    })
}

#[test]
fn links_are_followed_to_their_targets() {
    let site = site();
    std::os::unix::fs::symlink("web01.yaml", site.path().join("data/nodes/web02.yaml")).unwrap();
    fs::write(site.path().join("data/nodes/web01.yaml"), "own: 1\n").unwrap();
    for file in ["data/nodes/web01.yaml", "data/nodes/web02.yaml"] {
        let reported = run(&site, &["affected", file, "--facts", "facts", "--format", "nodes"]);
        assert_eq!(reported, "web01\nweb02\n[0]", "{file}");
    }
}

#[test]
fn nodes_come_from_puppetdb() {
    let site = site();
    let url = puppetdb(
        r#"[{"certname": "db01", "timestamp": "x", "facts": {"role": "db"}, "trusted": {}},
            {"certname": "web01", "facts": {"role": "web"}}, {"certname": "web02", "facts": {"role": "web"}}]"#,
    );
    let from_files = run(&site, &["affected", "data/common.yaml", "--facts", "facts"]);
    assert_eq!(run(&site, &["affected", "data/common.yaml", "--puppetdb", &url]), from_files);
    let one = run(&site, &["affected", "data/common.yaml", "--puppetdb", &url, "--node", "db01", "--format", "nodes"]);
    assert_eq!(one, "db01\n[0]");
    let missing = run(&site, &["affected", "data/common.yaml", "--puppetdb", &url, "--node", "x"]);
    assert!(missing.contains("has no facts of x") && missing.ends_with("[2]"), "{missing}");
    let broken = puppetdb(r#"[{"certname": "db01"}]"#);
    let refused = run(&site, &["affected", "data/common.yaml", "--puppetdb", &broken]);
    assert!(refused.contains("missing field `facts`") && refused.ends_with("[2]"), "{refused}");
    let away = run(&site, &["affected", "data/common.yaml", "--puppetdb", "http://u:s3cret@127.0.0.1:9"]);
    assert!(away.contains("cannot query PuppetDB") && !away.contains("s3cret"), "{away}");
}

#[test]
fn catalogs_collect_exported_resources_from_puppetdb() {
    let site = site();
    fs::create_dir_all(site.path().join("manifests")).unwrap();
    let code = "Notify <<| tag == 'told' |>>\n@@notify { \"of ${trusted['certname']}\": tag => 'told' }\n\
        $all = puppetdb_query('nodes[certname] {}')\nnotify { \"${all.length} nodes, ${facts['role']}\": }\n";
    fs::write(site.path().join("manifests/site.pp"), code).unwrap();
    let url = crate::puppetdb::puppetdb(|path| {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match path {
            "/pdb/query/v4/resources" if query.contains("Notify") => {
                r#"[{"certname": "db01", "resource": "5f", "type": "Notify", "title": "of db01", "exported": true, "tags": ["told", "notify"],
                     "file": "/x.pp", "line": 3, "environment": "production", "parameters": {"tag": "told", "loglevel": "debug"}},
                    {"certname": "web01", "resource": "6f", "type": "Notify", "title": "old", "exported": true, "tags": ["told"],
                     "file": null, "line": null, "environment": "production", "parameters": {}},
                    {"certname": "db01", "resource": "7f", "type": "Notify", "title": "other", "exported": true, "tags": [],
                     "file": null, "line": null, "environment": "production", "parameters": {}}]"#
            }
            "/pdb/query/v4" if query == "query=nodes%5Bcertname%5D%20%7B%7D" => {
                r#"[{"certname": "db01"}, {"certname": "web01"}]"#
            }
            "/pdb/query/v4/nodes/web01/facts" => r#"[{"certname": "web01", "name": "role", "value": "web"}]"#,
            "/pdb/query/v4/inventory" => {
                r#"[{"certname": "db01", "facts": {"role": "db"}}, {"certname": "web01", "facts": {"role": "web"}}]"#
            }
            _ => "{}",
        }
    });
    let one = run(&site, &["catalog", "web01", "--puppetdb", &url, "--origins"]);
    for part in [
        "Notify[of db01].loglevel = \"debug\"",
        "# exported by db01, /x.pp:3",
        "Notify[of web01].tag",
        "Notify[2 nodes, web]",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    // What the node has exported before does not count, nor what has not the tag.
    assert!(!one.contains("Notify[old]") && !one.contains("Notify[other]") && one.ends_with("[0]"), "{one}");
    let all = run(&site, &["catalog", "--all", "--puppetdb", &url]);
    assert_eq!(all.matches("\"of db01\"").count(), 2, "{all}");
    // Files come first.
    fs::create_dir(site.path().join("none")).unwrap();
    let files =
        run(&site, &["catalog", "web01", "--puppetdb", &url, "--exported", "none", "--facts", "facts/web01.yaml"]);
    assert!(!files.contains("of db01") && files.ends_with("[0]"), "{files}");
    let odd = crate::puppetdb::puppetdb(|path| {
        if path.contains("/facts") { r#"[{"certname": "web01", "name": "role", "value": 1}]"# } else { "{}" }
    });
    let refused = run(&site, &["catalog", "web01", "--puppetdb", &odd]);
    assert!(refused.contains("its answer is not a list of resources") && refused.ends_with("[1]"), "{refused}");
}

#[test]
fn lookups_of_many_nodes_take_them_from_puppetdb() {
    let site = site();
    let url =
        puppetdb(r#"[{"certname": "db01", "facts": {"role": "db"}}, {"certname": "web01", "facts": {"role": "web"}}]"#);
    let lookup = |more: &[&str]| run(&site, &[&["lookup", "port", "--environment-dir", "."], more].concat());
    fs::remove_file(site.path().join("facts/web02.yaml")).unwrap();
    let from_files = lookup(&["--nodes", "facts"]);
    assert!(from_files.contains("\"web01\"") && from_files.ends_with("[0]"), "{from_files}");
    assert_eq!(lookup(&["--puppetdb", &url]), from_files);
    assert!(
        lookup(&["--puppetdb", &url, "--shard", "1/1", "--where", "facts.role == 'db'"])
            .starts_with("{\"node\":\"db01\"")
    );
    // Files and PuppetDB together. A node that both have is answered once, with the facts that came first.
    fs::create_dir(site.path().join("more")).unwrap();
    fs::write(site.path().join("more/web02.yaml"), "role: web\n").unwrap();
    assert_eq!(lookup(&["--puppetdb", &url, "--nodes", "more"]).lines().count(), 4);
    let reported = lookup(&["--puppetdb", &url, "--nodes", "facts"]);
    assert!(reported.starts_with(from_files.trim_end_matches("[0]")) && reported.ends_with("[1]"), "{reported}");
    assert!(reported.contains("the node db01 came before"), "{reported}");
    assert!(lookup(&["--puppetdb", &url, "--node", "db01"]).contains("cannot be used with"));
    assert!(lookup(&["--output", "x.csv"]).contains("required"));
    // Without all its nodes, a file is not written.
    let broken = puppetdb(r#"[{"certname": "db01", "facts": {"role": "db"}}, {"certname": "web01"}]"#);
    let reported = lookup(&["--puppetdb", &broken, "--output", "x.csv"]);
    assert!(reported.contains("missing field `facts`") && reported.ends_with("[1]"), "{reported}");
    assert!(!site.path().join("x.csv").exists());
    // With its progress kept, the facts are, too, but only all of them.
    let reported = lookup(&["--puppetdb", &broken, "--output", "x.ndjson", "--resume"]);
    assert!(reported.contains("missing field `facts`") && reported.ends_with("[1]"), "{reported}");
    assert!(!site.path().join("x.ndjson.part/facts.ndjson").exists());
    assert_eq!(lookup(&["--puppetdb", &url, "--output", "x.ndjson", "--resume"]), "[0]");
    let rows = fs::read_to_string(site.path().join("x.ndjson")).unwrap();
    assert_eq!(rows + "[0]", lookup(&["--puppetdb", &url]));
    assert!(!site.path().join("x.ndjson.part").exists());
}

#[test]
fn diff_asks_puppetdb_for_its_nodes() {
    let (before, site) = (site(), site());
    fs::write(site.path().join("data/roles/web.yaml"), "list: [w]\nport: 81\n").unwrap();
    let url =
        puppetdb(r#"[{"certname": "web01", "facts": {"role": "web"}}, {"certname": "db01", "facts": {"role": "db"}}]"#);
    let reported = run(&site, &["diff", "--against", before.path().to_str().unwrap(), "--puppetdb", &url]);
    assert!(
        reported.contains("web01") && reported.contains("+ 81") && reported.contains("1 key changes on 1 of 2 nodes"),
        "{reported}"
    );
}

#[test]
fn a_misspelled_file_is_suggested() {
    let site = site();
    let reported = run(&site, &["affected", "data/comon.yaml", "--facts", "facts"]);
    assert!(reported.contains("did you mean 'data/common.yaml'?") && reported.ends_with("[2]"), "{reported}");
    let reported = run(&site, &["affected", "dat/common.yaml", "--facts", "facts"]);
    assert!(reported.contains("or --level NAME") && reported.ends_with("[2]"), "{reported}");
}

#[test]
fn a_folder_with_a_folder_that_cannot_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let site = site();
    let closed = site.path().join("data/roles");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&closed).is_ok() {
        hieratic_testing::skipped("this user may read everything");
        return;
    }
    let reported = run(&site, &["affected", "data", "--facts", "facts"]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(reported.contains("data/roles cannot be read") && reported.ends_with("[2]"), "{reported}");
}
