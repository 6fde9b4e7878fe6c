//! Repositories of several environments, and what verbs about a change say of what they did not look at.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hieratic_testing::skipped;
use serde_json::Value as Json;

pub(super) struct Site(tempfile::TempDir);

impl Site {
    /// A repository of git with these files in one commit; none, with a word, where git is not installed.
    pub(super) fn of(files: &[(&str, &str)]) -> Option<Site> {
        if Command::new("git").arg("--version").output().is_err() {
            skipped("git is not installed");
            return None;
        }
        let site = Site(tempfile::tempdir().unwrap());
        site.git(&["init", "-q", "-b", "main"]);
        for (name, text) in files {
            site.write(name, text);
        }
        site.commit("One");
        Some(site)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        let git = Command::new("git").current_dir(self.path()).args(identity).args(arguments).status();
        assert!(git.unwrap().success(), "{arguments:?}");
    }

    pub(super) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    pub(super) fn output(&self, arguments: &[&str]) -> Output {
        output(self.path(), arguments)
    }

    /// Everything that a command prints, with the names of commits left out, and how it ends.
    pub(super) fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let root = self.path().canonicalize().unwrap().display().to_string();
        let text = String::from_utf8(output.stdout).unwrap() + std::str::from_utf8(&output.stderr).unwrap();
        let text = text.replace(&root, "{root}");
        let is_commit = |word: &str| word.len() == 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let words = text.split_inclusive(['(', ')', ' ', '\n']);
        let shown = words.map(|word| {
            let bare = word.trim_end_matches(['(', ')', ' ', '\n']);
            if is_commit(bare) { word.replace(bare, "COMMIT") } else { word.to_owned() }
        });
        format!("{}[{}]", shown.collect::<String>(), output.status.code().unwrap())
    }

    pub(super) fn json(&self, arguments: &[&str]) -> Json {
        let output = self.output(&[arguments, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", "/nowhere").output().unwrap()
}

const SHARED: &str = "version: 5
defaults: {datadir: ../../data, data_hash: yaml_data}
hierarchy:
  - {name: Own, datadir: data, path: own.yaml}
  - {name: Environment, path: 'env/%{environment}.yaml'}
  - {name: Role, path: 'roles/%{facts.role}.yaml'}
  - {name: Common, path: common.yaml}
";

/// Three environments with data of their own and data that all of them read.
fn shared() -> Option<Site> {
    Site::of(&[
        ("environments/production/hiera.yaml", SHARED),
        ("environments/production/data/own.yaml", "own: 1\n"),
        ("environments/qa/hiera.yaml", SHARED),
        ("environments/qa/data/own.yaml", "own: 1\n"),
        ("environments/staging/hiera.yaml", SHARED),
        ("data/common.yaml", "a: 1\nb: 1\n"),
        ("data/env/qa.yaml", "c: 1\n"),
        ("data/roles/web.yaml", "b: 2\n"),
    ])
}

#[test]
fn every_environment_is_compared() {
    let Some(site) = shared() else { return };
    assert!(site.run(&["diff"]).starts_with("No values change: 2 nodes"), "{}", site.run(&["diff"]));
    site.write("data/common.yaml", "a: 2\nb: 1\n");
    site.write("data/env/qa.yaml", "c: 2\n");
    site.write("environments/production/data/own.yaml", "own: 2\n");
    site.write("environments/qa/data/own.yaml", "own: 2\n");
    site.write("environments/next/hiera.yaml", SHARED);
    site.git(&["rm", "-q", "-r", "environments/staging"]);
    insta::assert_snapshot!("text", site.run(&["diff"]));
    insta::assert_snapshot!("markdown", site.run(&["diff", "--format", "markdown"]));
    insta::assert_snapshot!("github", site.run(&["diff", "--format", "github"]));
    insta::assert_snapshot!("json", site.run(&["diff", "--format", "json"]));
    assert!(site.run(&["diff", "--format", "html"]).contains("The environment <code>next</code> is new"));
    let narrowed = site.run(&["diff", "--environment", "qa"]);
    assert!(narrowed.contains("3 keys change on 2 of 2 nodes") && !narrowed.contains("in environment"), "{narrowed}");
    // Inside of an environment, that one is meant.
    let inside = output(&site.path().join("environments/qa"), &["diff"]);
    assert_eq!(String::from_utf8_lossy(&inside.stdout).matches("own.yaml").count(), 2);
    // The settings only name the one that is meant where one has to be.
    site.write("hieratic.toml", "environment = \"qa\"\n");
    assert!(site.run(&["diff"]).contains("environment production"));
}

#[test]
fn parameters_change_where_their_manifest_is_loaded() {
    let class = "class m(Integer $p = 1) { }\n";
    let manifests = ["a", "b", "c"].map(|name| format!("environments/{name}/modules/m/manifests/init.pp"));
    let [a, b, c] = &manifests;
    let shared = "modules/shared/manifests/init.pp";
    let conf = "modulepath = modules:../../modules\n";
    let Some(site) = Site::of(&[
        (a, class),
        (b, class),
        (c, class),
        (shared, "class shared { }\n"),
        ("environments/a/environment.conf", conf),
        ("environments/b/environment.conf", conf),
        ("environments/c/environment.conf", conf),
    ]) else {
        return;
    };
    site.write(a, "class m(String $p = '1') { }\n");
    site.write(b, "class m(String $p = '1') { }\n");
    site.write(c, "class m(Integer $p = 1, $q = 3) { }\n");
    site.write(shared, "class shared($x = 1) { }\n");
    let reported = site.run(&["diff", "--node", "n1"]);
    assert!(reported.contains("m::p in environment a ") && reported.contains("m::p in environment b "), "{reported}");
    assert!(reported.contains("m::q in environment c"), "{reported}");
    assert!(reported.contains("shared::x in all 3 environments"), "{reported}");
}

#[test]
fn folders_of_environments_are_compared() {
    let Some(site) = shared() else { return };
    let other = tempfile::tempdir().unwrap();
    let target = other.path().join("site");
    site.git(&["clone", "-q", ".", target.to_str().unwrap()]);
    site.write("environments/qa/data/own.yaml", "own: 2\n");
    site.write("data/common.yaml", "a: 2\nb: 1\n");
    let reported = site.run(&["diff", "--against", target.to_str().unwrap()]);
    assert!(
        reported.contains("all 2 nodes in all 3 environments\n  a\n    - 1  # data/common.yaml:1\n    + 2"),
        "{reported}"
    );
    assert!(
        reported.contains("in environment qa\n  own\n    - 1  # environments/qa/data/own.yaml:1\n    + 2"),
        "{reported}"
    );
}

#[test]
fn a_history_says_whose_it_is() {
    let hiera = "version: 5\nhierarchy:\n  - name: a\n    path: a.yaml\n";
    let Some(site) = Site::of(&[
        ("environments/production/hiera.yaml", hiera),
        ("environments/production/data/a.yaml", "k: 1\n"),
        ("environments/staging/hiera.yaml", hiera),
        ("environments/staging/data/a.yaml", "k: 2\n"),
    ]) else {
        return;
    };
    let reported = site.run(&["history", "k", "--node", "n"]);
    let note = "this is the history of the environment production, not of staging";
    assert!(reported.contains("+ 1") && reported.contains(note), "{reported}");
    let reported = site.run(&["history", "k", "--node", "n", "--environment", "staging"]);
    assert!(reported.contains("+ 2") && !reported.contains("the history is"), "{reported}");
}

#[test]
fn the_only_environment_is_the_default() {
    let Some(site) =
        Site::of(&[("environments/blue/hiera.yaml", "version: 5\n"), ("environments/blue/data/common.yaml", "a: 1\n")])
    else {
        return;
    };
    site.write("environments/blue/data/common.yaml", "a: 2\n");
    let reported = site.run(&["diff"]);
    assert!(reported.contains("1 key changes on 1 of 1 node") && !reported.contains("in environment"), "{reported}");
}

#[test]
fn a_folder_has_the_environments_that_it_has_data_for() {
    let hiera =
        "version: 5\nhierarchy:\n  - {name: E, path: 'env/%{environment}.yaml'}\n  - {name: C, path: common.yaml}\n";
    let Some(site) = Site::of(&[
        ("hiera.yaml", hiera),
        ("data/common.yaml", "a: 1\nb: \"%{lookup('a')}\"\n"),
        ("data/env/production.yaml", "c: 1\n"),
    ]) else {
        return;
    };
    site.write("data/env/production.yaml", "c: 2\n");
    let alone = site.run(&["diff"]);
    assert!(alone.contains("1 key changes on 1 of 1 node") && !alone.contains("in environment"), "{alone}");
    site.write("data/env/qa.yaml", "a: 2\n");
    let reported = site.run(&["diff"]);
    assert!(
        reported.contains("any other node in environment qa\n  a\n    - 1  # data/common.yaml:1\n    + 2"),
        "{reported}"
    );
    assert!(reported.contains("  b\n    - '1'") && reported.contains("in environment production\n  c\n"), "{reported}");
    let affected = site.run(&["affected", "data/env/qa.yaml"]);
    assert!(affected.starts_with("any other node in environment qa\n  a\n  b\n"), "{affected}");
    // What keeps every answer in production need not keep those of others.
    let moved = site.run(&["refactor", "move", "a", "--to", "data/common.yaml", "--from", "data/env/qa.yaml"]);
    assert!(moved.contains("data/common.yaml"), "{moved}");
    let moved = site.run(&["refactor", "move", "c", "--to", "data/common.yaml"]);
    assert!(moved.contains("the key has no value, and would have one") && moved.contains("environment qa"), "{moved}");
    // Data for an environment that has no folder is left out, and said to be.
    let Some(site) = shared() else { return };
    site.write("data/env/elsewhere.yaml", "c: 1\n");
    let reported = site.run(&["diff", "--strict-coverage"]);
    assert!(
        reported.contains("not compared: the data of the environment elsewhere, which has no folder here"),
        "{reported}"
    );
    assert!(reported.ends_with("[1]"), "{reported}");
}

#[test]
fn a_file_reaches_nodes_in_every_environment_that_reads_it() {
    let Some(site) = shared() else { return };
    let mut reported = String::new();
    for arguments in [
        "data/common.yaml",
        "data/env/qa.yaml",
        "environments/qa/data/own.yaml",
        "data/roles/web.yaml --environment staging",
        "--level Role --format json",
        "data/env/qa.yaml --why-not x",
    ] {
        let all: Vec<&str> = ["affected"].into_iter().chain(arguments.split(' ')).collect();
        reported.push_str(&format!("$ affected {arguments}\n{}\n\n", site.run(&all)));
    }
    insta::assert_snapshot!(reported);
}

/// The answers of every node in every environment, each asked for by itself.
fn answers(folder: &Path, nodes: &[&str]) -> BTreeMap<(String, String, String), Json> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder.join("environments")).unwrap() {
        let environment = entry.unwrap().file_name().into_string().unwrap();
        for node in nodes {
            let facts = format!("facts/{node}.yaml");
            let arguments = [
                "lookup",
                "--all",
                "--environment",
                &environment,
                "--facts",
                &facts,
                "--node",
                node,
                "--render-as",
                "json",
            ];
            let output = output(folder, &arguments);
            let values: BTreeMap<String, Json> = serde_json::from_slice(&output.stdout).unwrap_or_default();
            for (key, value) in values {
                all.insert((environment.clone(), (*node).to_owned(), key), value);
            }
        }
    }
    all
}

#[test]
fn all_environments_are_compared_as_each_by_itself() {
    let nodes = ["web01", "web02", "db01"];
    // A plain generator, so that a failure can be run again.
    let mut seed = 7_u64;
    let mut next = move |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    for round in 0..12 {
        let files = ["data/common.yaml", "data/env/qa.yaml", "data/env/staging.yaml", "data/roles/web.yaml"];
        let own = ["production", "qa", "staging"].map(|name| format!("environments/{name}/data/own.yaml"));
        let files: Vec<&str> = files.into_iter().chain(own.iter().map(String::as_str)).collect();
        let mut text = || -> String {
            let values = ["1", "2", "[1, 2]", "\"%{lookup('a')}\"", "\"%{environment}\"", "\"%{facts.role}\""];
            let mut keys = ["a", "b", "c", "d"].into_iter().filter(|_| next(3) > 0).collect::<Vec<_>>();
            keys.dedup();
            keys.into_iter()
                .map(|key| format!("{key}: {}\n", values[next(if key == "a" { 2 } else { values.len() })]))
                .collect()
        };
        let Some(site) = shared() else { return };
        site.write(".gitignore", "facts\n");
        for (node, role) in [("web01", "web"), ("web02", "web"), ("db01", "db")] {
            site.write(&format!("facts/{node}.yaml"), format!("role: {role}\n"));
        }
        for file in &files {
            site.write(file, text());
        }
        site.commit("Two");
        let before = answers(site.path(), &nodes);
        for file in files.iter().skip(round % 3).step_by(2) {
            site.write(file, text());
        }
        let after = answers(site.path(), &nodes);
        let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let expected: BTreeSet<(String, String, String)> =
            names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect();
        let reported = site.json(&["diff", "--facts", "facts"]);
        let texts = |json: &Json| -> Vec<String> {
            json.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let mut found = BTreeSet::new();
        for group in reported["groups"].as_array().unwrap() {
            for change in group["changes"].as_array().unwrap() {
                for environment in texts(&group["environments"]) {
                    for node in texts(&group["nodes"]["names"]) {
                        let key = change["key"].as_str().unwrap().to_owned();
                        let is_new = found.insert((environment.clone(), node, key));
                        assert!(is_new, "round {round}: told twice: {change} in {environment}");
                    }
                }
            }
        }
        assert_eq!(found, expected, "round {round}");
        // Whatever changes is among what the changed files reach.
        let changed: Vec<&str> = files.iter().skip(round % 3).step_by(2).copied().collect();
        let reached = site.json(&[&["affected"], changed.as_slice(), &["--facts", "facts"]].concat());
        let is_reached = |(environment, node, key): &(String, String, String)| {
            reached["groups"].as_array().unwrap().iter().any(|group| {
                texts(&group["environments"]).contains(environment)
                    && texts(&group["nodes"]).contains(node)
                    && (group["any"] == true || texts(&group["keys"]).contains(key))
            })
        };
        // What the file no longer has was reached before it changed.
        for change in expected.iter().filter(|change| after.contains_key(*change)) {
            let is_new_value = is_reached(change);
            let was_there = before.contains_key(change);
            assert!(is_new_value || was_there, "round {round}: {change:?} in {reached}");
        }
    }
}

/// A site whose files come from modules.
fn with_files() -> Option<Site> {
    let site = Site::of(&[
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", "{}\n"),
        (
            "manifests/site.pp",
            "file { '/x': source => 'puppet:///modules/web/x' }
file { '/y': source => ['puppet:///modules/web/y.none', 'puppet:///modules/web/y'], notify => Service['y'] }
file { '/d': ensure => directory, recurse => true, ignore => '*.bak', source => 'puppet:///modules/web/d' }
file { '/z': source => 'puppet:///private/z' }
service { 'y': ensure => running }
",
        ),
        ("modules/web/manifests/init.pp", "class web { }\n"),
        ("modules/web/files/x", "one\ntwo\nthree\n"),
        ("modules/web/files/y", "y\n"),
        ("modules/web/files/d/a/b", "b\n"),
        ("modules/web/files/d/c.bak", "c\n"),
        ("facts/n1.yaml", "role: web\n"),
    ])?;
    Some(site)
}

#[test]
fn the_content_behind_a_source_is_compared() {
    let Some(site) = with_files() else { return };
    let catalogs = |more: &[&str]| site.run(&[&["diff", "--facts", "facts", "--catalogs"], more].concat());
    assert!(catalogs(&[]).contains("No values and no catalogs change: 1 node"), "{}", catalogs(&[]));
    site.write("modules/web/files/x", "one\n2\nthree\n");
    site.write("modules/web/files/y", b"y\0\xff");
    site.write("modules/web/files/d/a/b", "B\n");
    site.write("modules/web/files/d/c.bak", "C\n");
    site.write("modules/web/files/d/new", "new\n");
    insta::assert_snapshot!("sources", catalogs(&[]));
    insta::assert_snapshot!("sources_not_compared", site.run(&["diff", "--facts", "facts"]));
    // A mount that the repository has.
    site.write("fileserver.conf", "[private]\n  path /etc/puppetlabs/code/mounts/private\n  allow *\n");
    site.write("mounts/private/z", "z\n");
    let reported = catalogs(&[]);
    assert!(reported.contains("+ content: \"z\\n\"  # mounts/private/z"), "{reported}");
    // The first of the sources that is there gives the file.
    site.write("modules/web/files/y.none", "first\n");
    assert!(catalogs(&[]).contains("+ content: \"first\\n\"  # modules/web/files/y.none"), "{}", catalogs(&[]));
    fs::remove_file(site.path().join("modules/web/files/x")).unwrap();
    assert!(catalogs(&[]).contains("its source is missing"), "{}", catalogs(&[]));
    site.commit("Two");
    let history = site.run(&["history", "File[/y]", "--facts", "facts", "--node", "n1"]);
    assert!(history.contains("+ content: \"first\\n\"") && history.contains("Two"), "{history}");
}

#[test]
fn changes_of_resources_are_ignored_as_rules_say() {
    let Some(site) = with_files() else { return };
    site.write("modules/web/files/x", "1\n");
    site.write(
        "manifests/site.pp",
        "file { '/x': source => 'puppet:///modules/web/x', mode => '0600' }\nnotify { 'new': tag => 'quiet' }\n",
    );
    let resources = |more: &[&str]| {
        let reported = site.json(&[&["diff", "--facts", "facts", "--catalogs"], more].concat());
        let groups = reported["catalogs"].as_array().unwrap().iter();
        let changes = groups.flat_map(|group| group["changes"].as_array().unwrap().clone());
        let mut shown: Vec<String> = changes
            .map(|change| {
                let parts = change["parts"].as_array().unwrap().iter();
                let mut names: Vec<&str> = parts.map(|part| part["path"][0].as_str().unwrap()).collect();
                names.dedup();
                format!("{} {}", change["resource"].as_str().unwrap(), names.join(" "))
            })
            .filter(|change| !change.contains("/y") && !change.contains("/d") && !change.contains("/z"))
            .filter(|change| !change.starts_with("Service"))
            .collect();
        shown.sort();
        (shown, reported["ignored"].clone())
    };
    let (all, none) = resources(&[]);
    assert_eq!(all, ["File[/x] mode content", "Notify[new] tag"]);
    assert!(none.is_null());
    let (left, ignored) = resources(&["--ignore", "File[/x]::mode", "--ignore-tags", "quiet"]);
    assert_eq!((left, ignored), (vec!["File[/x] content".to_owned()], serde_json::json!(["File[/x]", "Notify[new]"])));
    assert_eq!(resources(&["--ignore", "file[*]", "--ignore-attr", "mode"]).0, ["Notify[new] tag"]);
    assert_eq!(resources(&["--ignore-attr", "mode", "--ignore-attr", "content"]).0, ["Notify[new] tag"]);
    site.write("hieratic.toml", "[diff]\nignore = [\"Notify[n*]\"]\n");
    assert_eq!(resources(&[]).0, ["File[/x] mode content"]);
    // A flag wins over the settings.
    assert_eq!(resources(&["--ignore", "File[/x]"]).0, ["Notify[new] tag"]);
    assert!(site.run(&["diff", "--facts", "facts", "--ignore", "File[/x]"]).contains("add --catalogs"));
    assert!(site.run(&["diff", "--catalogs", "--ignore", "File"]).contains("names no resources to ignore"));
    let reported = site.run(&["diff", "--facts", "facts", "--catalogs"]);
    assert!(reported.contains("ignored: changes of 1 resource: Notify[new]\n"), "{reported}");
}

#[test]
fn uncompared_parts_are_counted() {
    let Some(site) = with_files() else { return };
    let status = |more: &[&str]| site.output(&[&["diff", "--facts", "facts"], more].concat()).status.code();
    assert_eq!(status(&["--strict-coverage"]), Some(0));
    site.write("manifests/site.pp", "notice('x')\n");
    site.write("modules/web/templates/a.epp", "x");
    site.write("modules/web/templates/b.erb", "x");
    site.write("modules/web/lib/puppet/functions/x.rb", "x");
    site.write("README.md", "x");
    for format in ["text", "markdown", "json", "html", "github"] {
        let reported = site.run(&["diff", "--facts", "facts", "--format", format]);
        let counted = "1 manifest, 2 templates, 1 file of Ruby (--catalogs)";
        let plain = reported.replace("\\(", "(").replace("&#45;", "-");
        assert!(plain.contains(counted), "{format}: {reported}");
    }
    assert_eq!((status(&[]), status(&["--strict-coverage"])), (Some(0), Some(1)));
    site.write("hieratic.toml", "[diff]\nstrict-coverage = true\n");
    assert_eq!(status(&[]), Some(1));
}

#[test]
fn failures_on_both_sides_are_not_unchanged() {
    let Some(site) = Site::of(&[("hiera.yaml", "version: 5\nhierarchy: 1\n"), ("data/common.yaml", "a: 1\n")]) else {
        return;
    };
    for text in ["a: 1\n", "a: 2\n"] {
        site.write("data/common.yaml", text);
        let reported = site.run(&["diff"]);
        assert!(reported.contains("not compared: the lookups of 1 node, which fail on both sides: "), "{reported}");
        assert!(reported.contains("Nothing is compared") && !reported.contains("No values change"), "{reported}");
    }
    assert_eq!(site.output(&["diff", "--strict-coverage"]).status.code(), Some(1));
    site.write("hiera.yaml", "version: 5\n");
    site.write("data/common.yaml", "lookup_options: {a: {convert_to: Integer}}\na: x\nb: \"%{lookup('a')}\"\n");
    site.commit("Two");
    site.write("data/common.yaml", "lookup_options: {a: {convert_to: Integer}}\na: x\nb: \"%{lookup('a')}!\"\n");
    let reported = site.run(&["diff"]);
    assert!(reported.contains("not compared: 1 key that fails on both sides with the same message: b\n"), "{reported}");
}

#[test]
fn files_that_fail_all_lookups_on_both_sides_are_not_unchanged() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Nodes, path: '%{trusted.certname}.yaml'}\n  - {name: Common, path: common.yaml}\n";
    let files = [("hiera.yaml", hiera), ("data/common.yaml", "a: [1\n"), ("data/unread.yaml", "x: 1\n")];
    let Some(site) = Site::of(&files) else { return };
    let nothing = |path: &str, text: &str| {
        site.write(path, text);
        let reported = site.run(&["diff", "--node", "web01"]);
        assert!(reported.starts_with("Nothing is compared, since all lookups fail on both sides"), "{reported}");
        assert!(reported.contains("did not find expected ',' or ']'"), "{reported}");
    };
    nothing("data/unread.yaml", "x: 2\n");
    nothing("data/common.yaml", "a: [1\nb: 2\n");
    nothing("data/web01.yaml", "b: 1\n");
    // Another node, whose file is the fault, does not hide it.
    site.write("data/common.yaml", "a: 1\n");
    site.write("data/web01.yaml", "b: [1\n");
    site.write("data/web02.yaml", "b: 1\n");
    site.commit("Two");
    site.write("data/web02.yaml", "b: 2\n");
    site.write("data/web01.yaml", "b: [1\nc: 2\n");
    for node in ["web01", "web02"] {
        site.write(&format!("facts/{node}.json"), "{}");
    }
    let reported = site.run(&["diff", "--facts", "facts"]);
    assert!(reported.contains("not compared: the lookups of 1 node, which fail on both sides: "), "{reported}");
    assert!(reported.starts_with("1 key changes on 1 of 2 nodes"), "{reported}");
}

#[test]
fn questions_about_nothing_are_errors() {
    let Some(site) = Site::of(&[
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common data, path: common.yaml}\n"),
        ("data/common.yaml", "a: 1\nb: 2\n"),
        ("data/empty.yaml", ""),
    ]) else {
        return;
    };
    let mut reported = String::new();
    for arguments in [
        "data/common.yaml:2",
        "data/common.yaml:3",
        "data/common.yaml:999",
        "data/empty.yaml:1",
        "data:1",
        "--level Comon",
        "--level X",
        "hiera.yaml:9",
    ] {
        let all: Vec<&str> = ["affected"].into_iter().chain(arguments.split(' ')).collect();
        reported.push_str(&format!("$ affected {arguments}\n{}\n\n", site.run(&all)));
    }
    insta::assert_snapshot!(reported);
}

#[test]
fn no_hierarchy_is_no_answer() {
    let files = [
        ("environment.conf", "modulepath = site\nenvironment_data_provider = none\n"),
        ("hieradata/common.yaml", "b: 1\n"),
        ("site/site/manifests/init.pp", "class site { }\n"),
    ];
    let Some(site) = Site::of(&files) else { return };
    site.write("hieradata/common.yaml", "b: 2\n");
    site.commit("Two");
    let affected = || site.run(&["affected", "hieradata/common.yaml"]);
    let has = |reported: &str, reason: &str| {
        assert!(reported.contains("no hierarchy reads the data of ") && reported.contains(reason), "{reported}");
        assert!(!reported.contains("No keys are affected") && !reported.ends_with("[0]"), "{reported}");
    };
    has(&affected(), "environment_data_provider = none");
    has(&site.run(&["history", "b"]), "environment_data_provider = none");
    let diff = site.run(&["diff", "HEAD~1"]);
    assert!(diff.contains("not compared: data: no hiera.yaml"), "{diff}");
    site.write("environment.conf", "modulepath = site\n");
    has(&affected(), "no hiera.yaml reads hieradata/");
    site.write("hiera.yml", "version: 5\n");
    has(&affected(), "hiera.yml is not read");
    // A clone without a checkout has no environment at all.
    let clone = tempfile::tempdir().unwrap();
    let target = clone.path().join("site");
    site.git(&["clone", "-q", "--no-checkout", ".", target.to_str().unwrap()]);
    for arguments in [&["diff"][..], &["affected", "--level", "x"], &["history", "b"]] {
        let output = output(&target, arguments);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(reported.contains("is not in a control repository") && reported.contains("git checkout"), "{reported}");
        assert!(!output.status.success());
    }
}

const ENCRYPTED: &str = "ENC[PKCS7,MIIBhgYJKoZIhvcNAQcDoIIBdzCCAXMCAQAxggEuMIIBKgIBADAUMAACEEmwOX6YSW1JzMpXcP08CDAwCwYJKoZIhvcNAQEBBIIBABV+zHH0H7IYU00/Q7lTI2NhigjPJlCVm6nKY8Dra8fswkSSWsHiZJwr8JYttqkv0+hnUy0N675LiGBsIuC6znyovOFbXsOED6lZYwsSVfwkr0DDLo+yp+1XaU1pMAW6flpc4UfQbiGLNsCGCmCb1fp40dmnYc+nDyici9Tk4aONwzrRzpuXtd5TWSQOi8h8RdigUGtzWSBaXT1rZJGcdKNzwGBzB1gLRxut7hOvuWVSM3xZrVNqJJ1hKU9pUcv2KAPj5FT1ZOmVoHNUHF2Ba0Eas7I0jp1bnu+IqbUqSfVMSKFEd3krkm0o+OmR4F8FRg/n/mZUZ/rid1Zyu8jhnokwPAYJKoZIhvcNAQcBMB0GCWCGSAFlAwQBKgQQna1PTUzIjSbqU/WYWZoUgoAQSLvzrt/XLql/cpo3jYTBMA==]";

#[test]
fn encrypted_values_are_changed_without_a_key() {
    let hiera = "version: 5
hierarchy:
  - name: Secrets
    lookup_key: eyaml_lookup_key
    paths: [first.yaml, common.yaml]
    options: {pkcs7_private_key: /nonexistent/k.pem, pkcs7_public_key: /nonexistent/p.pem}
";
    let data = format!("old: \"{ENCRYPTED}\"\nmentions: \"x %{{lookup('old')}}\"\n");
    let Some(site) = Site::of(&[
        ("hiera.yaml", hiera),
        ("data/common.yaml", &data),
        ("manifests/site.pp", "notice(lookup(\"old\"))\n"),
    ]) else {
        return;
    };
    for (old, new) in [("old", "new"), ("old", "a::much::longer_name"), ("old", "o")] {
        let reported = site.run(&["refactor", "rename", old, new]);
        assert!(reported.contains("No other answer of 1 node") && reported.ends_with("[0]"), "{reported}");
    }
    let moved = site.run(&["refactor", "move", "old", "--to", "data/first.yaml"]);
    assert!(moved.contains("answer of 1 node") && moved.ends_with("[0]"), "{moved}");
}

#[test]
fn shared_data_is_changed_for_all_environments() {
    let Some(site) = shared() else { return };
    site.write("environments/qa/manifests/site.pp", "notice(lookup('a'))\n");
    site.commit("Code");
    insta::assert_snapshot!("rename_shared", site.run(&["refactor", "rename", "a", "z"]));
    // The named environment shares the key with the others.
    insta::assert_snapshot!("rename_shared_of_one", site.run(&["refactor", "rename", "a", "z", "-E", "production"]));
    // Data of its own is changed alone.
    let own = site.run(&["refactor", "rename", "own", "mine", "-E", "qa"]);
    assert!(own.contains("environments/qa/data/own.yaml") && !own.contains("production/data"), "{own}");
    let all = site.run(&["refactor", "rename", "own", "mine"]);
    assert!(all.contains("environments/qa/data/own.yaml") && all.contains("environments/production/data/own.yaml"));
    // What is no change for one environment can be one for another.
    let level = SHARED.replace("  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n", "");
    site.write("environments/staging/hiera.yaml", &level);
    site.write("data/roles/web.yaml", "b: 1\n");
    let moved = site.run(&["refactor", "move", "a", "--to", "data/roles/web.yaml", "-E", "production"]);
    assert!(moved.contains("the value would be missing") && moved.contains("staging"), "{moved}");
    let deduped = site.run(&["refactor", "dedupe"]);
    assert!(deduped.contains("data/roles/web.yaml") && deduped.contains("in 3 environments"), "{deduped}");
    // Without `common.yaml`, staging needs the value.
    site.write("environments/staging/hiera.yaml", SHARED.replace("  - {name: Common, path: common.yaml}\n", ""));
    let kept = site.run(&["refactor", "dedupe"]);
    assert!(kept.contains("Nothing to change"), "{kept}");
}

#[test]
fn facts_of_some_nodes_prove_little() {
    let Some(site) = Site::of(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: R, path: 'roles/%{facts.role}.yaml'}\n  - {name: C, path: common.yaml}\n",
        ),
        ("data/common.yaml", "a: 1\nb: 1\n"),
        ("data/roles/web.yaml", "a: 1\n"),
        ("data/roles/db.yaml", "b: 2\n"),
        ("facts/web01.yaml", "role: web\n"),
        ("facts/db01.yaml", "role: db\n"),
    ]) else {
        return;
    };
    let part = site.run(&["refactor", "dedupe", "--facts", "facts/web01.yaml"]);
    assert!(part.contains("the facts cover a part of the data: of 3 data files, 2 are read by the 1 node"), "{part}");
    for arguments in [&["refactor", "dedupe", "--facts", "facts"][..], &["refactor", "dedupe"]] {
        let reported = site.run(arguments);
        assert!(!reported.contains("cover a part") && reported.contains("1 entry can be removed"), "{reported}");
    }
}

#[test]
fn a_clone_without_large_files_answers_from_the_others() {
    let Some(site) = Site::of(&[
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n"),
        ("data/common.yaml", "port: 80\n"),
    ]) else {
        return;
    };
    // A file that no answer reads, and a data file: both are too large for the clone.
    site.write("modules/a/files/a.bin", "x".repeat(5000));
    site.commit("Two");
    site.write("data/common.yaml", "port: 81\n");
    site.write("modules/a/files/a.bin", "y".repeat(5000));
    site.commit("Three");
    site.write("data/common.yaml", format!("port: 82\n# {}\n", "z".repeat(5000)));
    site.commit("Four");
    site.write("data/common.yaml", "port: 83\n");
    site.commit("Five");
    site.git(&["config", "uploadpack.allowFilter", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let from = format!("file://{}", site.path().display());
    site.git(&["clone", "-q", "--filter=blob:limit=1k", &from, clone.to_str().unwrap()]);
    let diff = |revisions: &str| output(&clone, &["diff", revisions]);
    let known = diff("HEAD~3..HEAD");
    assert!(known.status.success(), "{known:?}");
    assert!(String::from_utf8_lossy(&known.stdout).contains("- 80"), "{known:?}");
    // Data that are missing are an error, with the file and what brings it.
    let missing = diff("HEAD~1..HEAD");
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    let message = String::from_utf8_lossy(&missing.stderr);
    assert!(message.contains("data/common.yaml") && message.contains("partial clone"), "{message}");
}
