//! Values on pages and in reports are YAML: none is written as Ruby or Puppet write it.

use std::process::Command;

use crate::git::{commit, init};
use crate::service::{Repository, Service};
use crate::until::until;

const COMMON: &str = "environments/production/data/common.yaml";

/// Values of all types, within each other; `CHANGED` is replaced.
const DATA: &str = "lookup_options: {merged: {merge: unique}, whole: {merge: deep}}
scalar: CHANGED
nothing: null
list: [null, {name: one, port: 1, more: [null, {x: CHANGED}]}, [], {}]
named: [{name: a, v: CHANGED}, {name: b, v: null}]
merged: [common, {a: CHANGED, b: null}]
whole: {deep: {list: [1, null], text: \"CHANGED\\nmore\\n\", empty: {}}, other: null}
";

/// The ways of Ruby and Puppet to write a hash or nothing.
const FOREIGN: [&str; 6] = ["=>", "=&gt;", "nil", "undef", "#<", ":name"];

/// A repository whose last commit changes all values; none without git.
fn repository() -> Option<Repository> {
    let repository = Repository::new(&[
        (COMMON, &DATA.replace("CHANGED", "before")),
        ("environments/production/data/roles/web.yaml", "merged: [web, {c: null}]\nwhole: {deep: {list: [null, 2]}}\n"),
        ("facts/web01.json", "{\"role\": \"web\"}"),
        ("facts/db01.json", "{\"role\": \"db\"}"),
    ]);
    init(repository.path()).then_some(())?;
    repository.write(COMMON, &DATA.replace("CHANGED", "null"));
    commit(repository.path(), "Remove values");
    Some(repository)
}

/// Checks the part of a page that it alone has, or all of a report.
fn assert_yaml(name: &str, text: &str) {
    let own = text.split_once("<main").map_or(text, |(_, own)| own);
    for foreign in FOREIGN {
        assert!(!own.contains(foreign), "{foreign} in {name}: {text}");
    }
}

#[test]
fn pages_write_values_as_yaml() {
    let Some(repository) = repository() else { return };
    let service: Service = repository.serve(&[]);
    until("all nodes are read", || (service.get("/v1/find?q=a").json()["complete"] == true).then_some(()));
    let mut pages: Vec<String> = ["scalar", "nothing", "list", "named", "merged", "whole"]
        .iter()
        .flat_map(|key| {
            let of_node = format!("node=web01&key={key}");
            [format!("/key?{of_node}"), format!("/history?{of_node}"), format!("/spread?key={key}")]
        })
        .collect();
    pages.extend(
        [
            "/",
            "/node?node=web01",
            "/find?q=a",
            "/compare?left=web01&right=db01",
            "/compare?left=web01&left_revision=HEAD~1&right=web01",
            "/changes?base=HEAD~1&head=HEAD",
        ]
        .map(String::from),
    );
    for page in pages {
        let shown = || {
            let answer = service.get(&page);
            assert_eq!(answer.status, 200, "{page}: {}", answer.text);
            (!answer.text.contains("data-pending")).then_some(answer.text)
        };
        assert_yaml(&page, &until("the page is complete", shown));
    }
}

#[test]
fn reports_write_values_as_yaml() {
    let Some(repository) = repository() else { return };
    let facts = ["--facts", "facts/web01.json"];
    let changes = ["diff", "HEAD~1..HEAD", "--facts", "facts"];
    let mut reports: Vec<Vec<&str>> =
        ["text", "markdown", "html"].map(|format| [&changes[..], &["--format", format]].concat()).into();
    for key in ["list", "merged", "whole"] {
        reports.push([&["lookup", key, "--why"], &facts[..]].concat());
        reports.push([&["lookup", key, "--why", "--full"], &facts[..]].concat());
        reports.push([&["lookup", key, "--why", "--format", "html"], &facts[..]].concat());
        reports.push([&["history", key], &facts[..]].concat());
    }
    for report in reports {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(&report).args(["--environment-dir", "environments/production"]);
        let output = command.current_dir(repository.path()).env("XDG_CONFIG_HOME", "/nowhere").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.is_empty(), "{report:?}: {}", String::from_utf8_lossy(&output.stderr));
        // Only the part with values: the style of a page in one file is not.
        let body = text.split_once("</style>").map_or(&*text, |(_, body)| body);
        assert_yaml(&format!("{report:?}"), body);
    }
}
