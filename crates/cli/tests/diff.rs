//! `hieratic diff`: every kind of change, every format, and what cannot be compared.

#![cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hieratic_testing::skipped;

struct Site(tempfile::TempDir);

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: N, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: R, path: 'roles/%{facts.role}.yaml'}\n  - {name: C, path: common.yaml}\n";

impl Site {
    /// A repository of git with one commit; none, with a word, where git is not installed.
    fn new() -> Option<Site> {
        if Command::new("git").arg("--version").output().is_err() {
            skipped("git is not installed");
            return None;
        }
        let site = Site(tempfile::tempdir().unwrap());
        site.git(&["init", "-q", "-b", "main"]);
        site.write("hiera.yaml", HIERA);
        site.write("data/common.yaml", "who: all\nlist: [a, b, c]\nport: 80\nurl: \"http://x:%{lookup('port')}/\"\n");
        site.write("data/roles/web.yaml", "who: web\nlist: [c, a, d]\n");
        site.write("facts/web01.yaml", "role: web\n");
        site.write("facts/web02.yaml", "role: web\n");
        site.write("facts/db01.yaml", "role: db\n");
        site.write("modules/ntp/manifests/init.pp", "class ntp (Integer $port = 123) { }\n");
        site.write(".gitignore", "facts\n");
        site.commit("One");
        Some(site)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        assert!(
            Command::new("git").current_dir(self.path()).args(identity).args(arguments).status().unwrap().success()
        );
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn output(&self, arguments: &[&str]) -> Output {
        output(self.path(), &[&["diff"], arguments].concat())
    }

    /// Everything that a command prints, with the names of commits left out, and how it ends.
    fn run(&self, arguments: &[&str]) -> String {
        let (answer, messages, status) = printed(self.path(), &[&["diff"], arguments].concat());
        let mut text = answer + &messages;
        if status != Some(0) {
            text.push_str(&format!("(exit status {})\n", status.unwrap()));
        }
        let mut shown = String::new();
        for part in text.split_inclusive('(') {
            let hex = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
            match hex {
                12 => shown.push_str(&format!("COMMIT{}", &part[12..])),
                _ => shown.push_str(part),
            }
        }
        shown
    }
}

/// Runs a command in a folder, without the settings of the person at the keyboard.
fn output(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", "/nowhere").output().unwrap()
}

/// Everything that a command prints in a folder, which is called `{root}`, and how it ends.
fn printed(folder: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = output(folder, arguments);
    let root = folder.canonicalize().unwrap().display().to_string();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&root, "{root}");
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// A page without the style of all pages, and without what it says of itself: the time is always another.
fn unstyled(text: &str) -> String {
    let text = text.replace(hieratic_report::pages::STYLE, "(the style of all pages)\n");
    match (text.find("<footer"), text.find("</footer>")) {
        (Some(start), Some(end)) => format!("{}{}", &text[..start], &text[end + "</footer>\n".len()..]),
        _ => text,
    }
}

#[test]
fn the_working_tree_is_compared_with_head() {
    let Some(site) = Site::new() else { return };
    let nothing = site.run(&["--facts", "facts"]);
    assert_eq!(nothing, "No values change: 3 nodes, HEAD (COMMIT) -> the working tree\n");
    site.write("data/roles/web.yaml", "who: web\nlist: [c, a, e]\nonly: 1\n");
    site.write("data/common.yaml", "who: all\nlist: [a, b, c]\nport: 8080\nurl: \"http://x:%{lookup('port')}/\"\n");
    site.write("data/nodes/db01.yaml", "who: db01\n");
    site.write("modules/ntp/manifests/init.pp", "class ntp (String $port = '123', Boolean $new) { }\n");
    insta::assert_snapshot!(site.run(&["--facts", "facts"]));
    insta::assert_snapshot!("made_up_nodes", site.run(&[]));
    insta::assert_snapshot!("markdown", site.run(&["--facts", "facts", "--format", "markdown"]));
    insta::assert_snapshot!("html", unstyled(&site.run(&["--facts", "facts", "--format", "html"])));
    insta::assert_snapshot!("github", site.run(&["--facts", "facts", "--format", "github"]));
    insta::assert_snapshot!("json", site.run(&["--facts", "facts", "--format", "json"]));
}

#[test]
fn nodes_and_keys_are_chosen() {
    let Some(site) = Site::new() else { return };
    site.write("data/common.yaml", "who: everybody\nport: 81\n");
    let keys = |arguments: &[&str]| {
        let all = [&["--facts", "facts", "--format", "json"], arguments].concat();
        let output = site.output(&all);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let summary = &json["summary"];
        (
            summary["nodes"].as_u64().unwrap(),
            summary["changed_nodes"].as_u64().unwrap(),
            summary["changed_keys"].as_u64().unwrap(),
        )
    };
    assert_eq!(keys(&[]), (3, 3, 4));
    assert_eq!(keys(&["--key", "who"]), (3, 1, 1));
    assert_eq!(keys(&["--where", "facts.role == 'web'", "--key", "who"]), (2, 0, 0));
    assert_eq!(keys(&["--where", "$facts['role'] == 'db'"]), (1, 1, 4));
    assert_eq!(keys(&["--node", "web01", "--key", "port"]), (1, 1, 1));
    insta::assert_snapshot!(site.run(&["--facts", "facts", "--where", "nope("]));
}

#[test]
fn levels_that_nothing_has_are_errors() {
    let Some(site) = Site::new() else { return };
    let of = |level: &str| site.run(&["--facts", "facts", "--without-level", level]);
    assert_eq!(of("R"), "No values change: 3 nodes, HEAD (COMMIT) -> the working tree\n");
    assert!(of("Common").starts_with("Error: no hierarchy has a level 'Common'\n"), "{}", of("Common"));
    // A level that the change removes was there.
    site.write("hiera.yaml", &HIERA.replace("  - {name: R, path: 'roles/%{facts.role}.yaml'}\n", ""));
    assert!(!of("R").contains("Error"), "{}", of("R"));
    let (_, messages, status) = printed(site.path(), &["history", "who", "--node", "web01", "--without-level", "Nope"]);
    assert!(status == Some(0) && messages.contains("no hierarchy has a level 'Nope'"), "{messages}");
}

#[test]
fn keys_that_nothing_has_are_reported() {
    let Some(site) = Site::new() else { return };
    let nothing = "No values change: 3 nodes, HEAD (COMMIT) -> the working tree\n";
    let of = |key: &str| site.run(&["--facts", "facts", "--key", key]);
    // Unchanged keys of data and parameters of classes are there.
    for key in ["who", "p*", "ntp::port"] {
        assert_eq!(of(key), nothing, "{key}");
    }
    let warning = "Warning: no key of the data and no class parameter matches 'prt'\nhelp: did you mean 'port'?\n";
    assert_eq!(of("prt"), format!("{nothing}{warning}"));
    assert!(of("ntp::q*").contains("matches 'ntp::q*'"), "{}", of("ntp::q*"));
    // A key that the change removes was there.
    site.write("data/common.yaml", "who: all\n");
    assert!(!of("list").contains("Warning"), "{}", of("list"));
}

#[test]
fn revisions_are_compared_without_a_checkout() {
    let Some(site) = Site::new() else { return };
    site.git(&["checkout", "-q", "-b", "feature"]);
    site.write("hiera.yaml", &HIERA.replace("  - {name: R, path: 'roles/%{facts.role}.yaml'}\n", ""));
    site.commit("No roles");
    site.git(&["checkout", "-q", "main"]);
    site.write("data/common.yaml", "who: nobody\n");
    site.commit("Nobody");
    let facts = |range: &str| site.run(&[range, "--facts", "facts", "--key", "who"]);
    insta::assert_snapshot!("two_dots", facts("main..feature"));
    insta::assert_snapshot!("three_dots", facts("main...feature"));
    insta::assert_snapshot!("one_revision", facts("HEAD~1"));
    site.git(&["checkout", "-q", "feature"]);
    assert!(facts("main...").contains("the levels of hiera.yaml"), "{}", facts("main..."));
    insta::assert_snapshot!("no_revision", facts("nope"));
}

#[test]
fn derived_nodes_are_described_by_their_files() {
    let Some(site) = Site::new() else { return };
    site.write(
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: N, path: 'nodes/%{fqdn}.yaml'}\n  - {name: S, path: 'sites/%{site}/%{role}.yaml'}\n  - {name: C, path: common.yaml}\n",
    );
    let limits = "lookup_options: {limits: {merge: deep}}\nlimits: {files: 10}\n";
    site.write("data/common.yaml", limits);
    site.write("data/nodes/web01.example.com.yaml", "limits: {cpus: 2}\n");
    site.write("data/sites/a/web.yaml", "limits: {cpus: 3}\nwho: a\n");
    site.write("data/sites/b/web.yaml", "limits: {cpus: 4}\nwho: b\n");
    site.write("data/sites/b/db.yaml", "who: c\n");
    site.commit("Two");
    // The values differ around the change on each node; the change is listed once.
    site.write("data/common.yaml", &limits.replace("10", "20"));
    site.write("data/sites/a/web.yaml", "limits: {cpus: 3}\nwho: x\n");
    site.write("data/sites/b/db.yaml", "who: x\n");
    site.write("data/nodes/web01.example.com.yaml", "limits: {cpus: 5}\n");
    insta::assert_snapshot!(site.run(&[]));
    let json: serde_json::Value = serde_json::from_slice(&site.output(&["--format", "json"]).stdout).unwrap();
    assert_eq!(
        json["groups"][0]["nodes"]["names"],
        serde_json::json!(["role=db and site=b", "role=web and site=a", "role=web and site=b", "any other node"])
    );
}

#[test]
fn lists_are_compared_by_their_kind() {
    let Some(site) = Site::new() else { return };
    let options = "lookup_options: {set: {merge: unique}, deep: {merge: deep}}\n";
    let common = |text: &str| site.write("data/common.yaml", &format!("{options}{text}"));
    common(
        "set: [a, b]\ndeep: {users: [{name: root, id: 0}, {name: jo, id: 7}], hosts: [x, y]}\nlist: [a, b, c, d]\n\
         named: [{name: one, port: 1}, {name: two, port: 2}]\nempty: []\nnothing: ~\nkeys: {0: a, 1: b}\norder: [a, b]\n",
    );
    site.write("data/roles/web.yaml", "set: [z]\ndeep: {hosts: [w]}\n");
    site.commit("Lists");
    common(
        "set: [b, c]\ndeep: {users: [{name: jo, id: 8}, {name: root, id: 0}], hosts: [y, x, v]}\nlist: [x, b, c, d, a]\n\
         named: [{name: zero, port: 0}, {name: one, port: 1}, {name: two, port: 22}]\nempty: [1]\nnothing: 'null'\n\
         keys: {0: b, 1: a}\norder: [b, a]\nnew: {a: [1, ~], 'b c': {}}\n",
    );
    insta::assert_snapshot!(site.run(&["--facts", "facts"]));
    insta::assert_snapshot!("lists_markdown", site.run(&["--facts", "facts", "--format", "markdown"]));
    insta::assert_snapshot!("lists_json", site.run(&["--facts", "facts", "--format", "json"]));
    let (page, _, _) = printed(site.path(), &["diff", "--facts", "facts", "--format", "html"]);
    assert!(!page.contains("=&gt;") && !page.contains("nil") && page.contains("hosts[]: v"), "{page}");
    let (compared, _, _) = printed(site.path(), &["compare", "web01", "db01", "--facts", "facts"]);
    insta::assert_snapshot!("lists_of_nodes", compared);
}

#[test]
fn reports_link_to_the_forge() {
    let Some(site) = Site::new() else { return };
    site.git(&["remote", "add", "origin", "git@github.com:acme/control.git"]);
    site.write("data/common.yaml", "who: all\nlist: [a, b, c]\nport: 81\nurl: u\nnew: 1\n");
    let markdown = ["--facts", "facts", "--format", "markdown"];
    // The lines of the working tree are not at the forge.
    let dirty = site.run(&markdown);
    assert!(!dirty.contains("/blob/"), "{dirty}");
    site.commit("Two");
    let links = site.run(&[&["HEAD~1"], markdown.as_slice()].concat());
    assert!(
        links.contains("](https://github.com/acme/control/blob/") && links.contains("data/common.yaml#L3)"),
        "{links}"
    );
    let revisions = site.run(&[&["HEAD~1..HEAD"], markdown.as_slice()].concat());
    assert_eq!(links.matches("/blob/").count(), revisions.matches("/blob/").count());
}

#[test]
fn long_reports_name_their_omissions() {
    let Some(site) = Site::new() else { return };
    let keys = |value: &str| (0..3000).map(|index| format!("key_{index}: {value}{index}\n")).collect::<String>();
    site.write("data/common.yaml", &keys("a"));
    site.commit("Many");
    site.write("data/common.yaml", &keys("b"));
    let text = site.run(&["--facts", "facts", "--format", "markdown"]);
    assert!(text.len() < 60_500, "{}", text.len());
    let end = text.lines().last().unwrap();
    assert!(
        end.starts_with("Not shown here, because a comment has a limit: ") && end.contains("`hieratic diff`"),
        "{end}"
    );
    let terminal = site.run(&["--facts", "facts"]);
    assert!(terminal.contains("and 2950 more keys") && terminal.contains("key_2999"), "{terminal:.2000}");
}

#[test]
fn rules_facts_and_folders_are_changes_too() {
    let Some(site) = Site::new() else { return };
    site.write("data/common.yaml", "lookup_options: {list: {merge: unique}}\nwho: all\nlist: [a, b, c]\nport: 80\nurl: \"http://x:%{lookup('port')}/\"\n");
    insta::assert_snapshot!("rule", site.run(&["--facts", "facts"]));
    site.commit("Two");
    site.write("before/web01.yaml", "role: db\n");
    site.write("before/web02.yaml", "role: web\n");
    insta::assert_snapshot!("facts", site.run(&["--facts", "facts", "--base-facts", "before", "--key", "who"]));
    let other = tempfile::tempdir().unwrap();
    fs::create_dir_all(other.path().join("data")).unwrap();
    fs::write(other.path().join("hiera.yaml"), HIERA).unwrap();
    fs::write(other.path().join("data/common.yaml"), "port: 79\n").unwrap();
    let against = site.run(&["--facts", "facts", "--key", "port", "--against", other.path().to_str().unwrap()]);
    assert!(
        against.contains("\n\nall 3 nodes\n  port\n    - 79  # data/common.yaml:1\n    + 80  # data/common.yaml:4\n"),
        "{against}"
    );
}

#[test]
fn each_failure_is_reported_once() {
    let Some(site) = Site::new() else { return };
    site.write("data/roles/web.yaml", "who: [\n");
    insta::assert_snapshot!(site.run(&["--facts", "facts"]));
    site.write("hiera.yaml", "version: 5\nhierarchy: 1\n");
    insta::assert_snapshot!("hierarchy", site.run(&["--facts", "facts", "--exit-code"]));
    site.git(&["checkout", "-q", "--", "."]);
    site.git(&["checkout", "-q", "-b", "other"]);
    site.write("data/common.yaml", "who: one\n");
    site.commit("Other");
    site.git(&["checkout", "-q", "main"]);
    site.write("data/common.yaml", "who: two\n");
    site.commit("Main");
    let merge = ["-c", "user.name=A", "-c", "user.email=a@example.com", "merge", "-q", "other"];
    let merged = Command::new("git").current_dir(site.path()).args(merge).output().unwrap();
    assert!(!merged.status.success());
    let conflict = site.run(&["--facts", "facts"]);
    assert!(conflict.contains("data/common.yaml has an unresolved merge conflict"), "{conflict}");
}

#[test]
fn values_that_mention_facts_are_listed_once() {
    let Some(site) = Site::new() else { return };
    for number in 10..30 {
        site.write(&format!("facts/app{number}.yaml"), "role: app\n");
    }
    site.write("data/roles/app.yaml", "url: 'http://%{trusted.certname}/'\n");
    site.commit("Apps");
    site.write("data/roles/app.yaml", "url: 'https://%{trusted.certname}/'\n");
    insta::assert_snapshot!("different_on_each_node", site.run(&["--facts", "facts"]));
    let few = site.run(&["--facts", "facts", "--where", "$trusted['certname'] =~ /app1[0-3]/"]);
    assert_eq!(few.matches("    + https://").count(), 4, "{few}");
}

#[test]
fn gates_decide_the_exit_status() {
    let Some(site) = Site::new() else { return };
    let status = |arguments: &[&str]| site.output(&[&["--facts", "facts"], arguments].concat()).status.code().unwrap();
    assert_eq!(status(&["--exit-code"]), 0);
    site.write("data/common.yaml", "who: everybody\n");
    assert_eq!((status(&[]), status(&["--exit-code"])), (0, 1));
    assert_eq!((status(&["--fail-if", "nodes > 2"]), status(&["--fail-if", "nodes > 3"])), (1, 0));
    assert_eq!((status(&["--fail-if", "keys>=4"]), status(&["--fail-if", "failures > 0"])), (1, 0));
    assert_eq!(status(&["--fail-if", "nodes"]), 2);
    assert_eq!(status(&["nope"]), 2);
}

#[test]
fn a_file_that_was_unreadable_before_is_no_new_finding() {
    let Some(site) = Site::new() else { return };
    fs::create_dir_all(site.path().join("modules/ntp/templates")).unwrap();
    fs::write(site.path().join("modules/ntp/templates/a.erb"), b"\x99").unwrap();
    site.commit("A file that is no text");
    site.write("data/common.yaml", "ntp::port: high\n");
    let reported = site.run(&["--facts", "facts"]);
    // Everything else is checked.
    assert!(reported.contains("[parameter-type]") && !reported.contains("a.erb"), "{reported}");
    fs::write(site.path().join("modules/ntp/templates/b.erb"), b"\x99").unwrap();
    let reported = site.run(&["--facts", "facts"]);
    assert!(reported.matches("b.erb").count() == 2 && !reported.contains("a.erb"), "{reported}");
}

#[test]
fn an_element_that_moves_and_changes_is_shown_with_both() {
    let Some(site) = Site::new() else { return };
    site.write("data/common.yaml", "list:\n  - {name: web, port: 80}\n  - {name: db, port: 1}\n");
    site.commit("List");
    site.write("data/common.yaml", "list:\n  - {name: db, port: 1}\n  - {name: web, port: 81}\n");
    let reported = site.run(&["--facts", "facts"]);
    for line in ["  [1]: {name: web, port: 81} (moved from [0])", "- [1].port: 80", "+ [1].port: 81"] {
        assert!(reported.contains(line), "{line} in {reported}");
    }
}

#[test]
fn many_changes_of_a_key_are_one_row() {
    let Some(site) = Site::new() else { return };
    let write = |count: usize, ending: &str| {
        for number in 1..=count {
            site.write(&format!("facts/n{number}.yaml"), "role: x\n");
            site.write(&format!("data/nodes/n{number}.yaml"), &format!("own: {number}{ending}\n"));
        }
    };
    write(5, "");
    site.commit("Nodes");
    write(3, "0");
    let few = site.run(&["--facts", "facts", "--format", "markdown"]);
    assert_eq!(few.matches("| `own` |").count(), 3, "{few}");
    write(5, "0");
    let many = site.run(&["--facts", "facts", "--format", "markdown"]);
    assert!(many.matches("| `own`").count() == 1 && many.contains("| `own`<br>and 4 other changes |"), "{many}");
    let json: serde_json::Value = serde_json::from_str(&site.run(&["--facts", "facts", "--format", "json"])).unwrap();
    let row = &json["overview"]["keys"][0];
    assert!(row["others"] == 4 && row["nodes"] == 5 && row["places"].as_array().unwrap().len() == 5, "{row}");
    // The details have all of them.
    (1..=5).for_each(|number| assert!(many.contains(&format!("+ {number}0")), "{many}"));
}

#[test]
fn secrets_change_without_a_value() {
    let Some(site) = Site::new() else { return };
    let options = "lookup_options: {word: {convert_to: Sensitive}}\n";
    site.write("data/common.yaml", &format!("{options}word: xyzzy-before\n"));
    site.commit("Secret");
    site.write("data/common.yaml", &format!("{options}word: xyzzy-after\n"));
    for format in ["text", "markdown", "json", "html", "github"] {
        let reported = site.run(&["--facts", "facts", "--format", format]);
        assert!(reported.contains("word") && !reported.contains("xyzzy"), "{reported}");
    }
    assert!(site.run(&["--facts", "facts", "--reveal"]).contains("xyzzy-after"));
}

#[test]
fn hostile_texts_stay_texts() {
    let Some(site) = Site::new() else { return };
    site.write(
        "data/common.yaml",
        "\"</pre><script>alert(1)</script>\": \"`````\\n::error::x\\n@everybody <b>\"\nport: \"\\e[31m::set-output name=x::y\"\n",
    );
    let github = site.run(&["--facts", "facts", "--format", "github"]);
    assert!(
        github
            .lines()
            .all(|line| !line.starts_with("::") || line.starts_with("::notice ") || line.starts_with("::error title=")),
        "{github}"
    );
    let html = site.run(&["--facts", "facts", "--format", "html"]);
    assert!(!html.contains("<script>") && !html.contains('\u{1b}'), "{html}");
    let markdown = site.run(&["--facts", "facts", "--format", "markdown"]);
    insta::assert_snapshot!(markdown);
}

#[test]
fn history_names_the_commits_that_changed_an_answer() {
    let Some(site) = Site::new() else { return };
    site.write("README", "nothing that a lookup reads\n");
    site.commit("Words");
    site.write("data/roles/web.yaml", "who: web\nport: 8080\n");
    site.commit("Web servers listen on 8080");
    site.git(&["checkout", "-q", "-b", "side"]);
    site.write("data/nodes/web01.yaml", "port: 443\n");
    site.commit("An own port");
    site.git(&["checkout", "-q", "main"]);
    site.write("data/roles/web.yaml", "who: web\nport: 8080\nother: 1\n");
    site.commit("Something else");
    site.git(&["merge", "-q", "--no-ff", "-m", "Merge the port", "side"]);
    site.git(&["mv", "data/common.yaml", "data/all.yaml"]);
    site.write("hiera.yaml", &HIERA.replace("common.yaml", "all.yaml"));
    site.commit("Another name");
    let history = |arguments: &[&str]| {
        let (answer, messages, _) = printed(site.path(), &[&["history"], arguments, &["--facts", "facts"]].concat());
        let text = answer + &messages;
        let shown = |line: &str| match line.split_once(' ') {
            Some((commit, rest)) if commit.len() == 12 && commit.bytes().all(|b| b.is_ascii_hexdigit()) => {
                format!("COMMIT DATE{}", &rest[10..])
            }
            _ => line.to_owned(),
        };
        text.lines().map(shown).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("history", history(&["port", "--node", "web01"]));
    // A file and its level were renamed together: no answer changed.
    insta::assert_snapshot!("history_of_another_node", history(&["port", "--node", "db01"]));
    assert_eq!(history(&["port", "--node", "web01", "--at", "HEAD~2"]), "--- 8080");
    assert_eq!(history(&["port", "--node", "web01", "--at", "HEAD"]), "--- 443");
    assert_eq!(history(&["port", "--node", "web01", "-n", "1"]).matches("COMMIT").count(), 1);
    let between = ["port", "--node", "web01", "--since", "2000-01-01", "--until", "2099-12-31"];
    assert_eq!(history(&between), history(&["port", "--node", "web01"]));
    assert_eq!(history(&["port", "--node", "web01", "--since", "2099-01-01"]), "No commit changed port");
    assert!(history(&["port", "--node", "web01", "--until", "1999-12-31"]).contains("no commit is that old"));
    assert!(history(&["port", "--node", "web01", "--since", "soon"]).contains("a day is written as 2026-01-31"));
    assert_eq!(history(&["nope", "--node", "web01"]), "No commit changed nope: it has no value in any of them");
    let json = history(&["port", "--node", "web01", "--render-as", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["summary"], "Merge the port");
    assert_eq!(json[0]["parts"][0]["after"]["origin"], "data/nodes/web01.yaml:1");
    site.write("manifests/site.pp", "file { '/etc/x': content => \"a\\nport ${lookup('port')}\\nb\\n\" }\n");
    site.commit("A file");
    site.write("data/roles/web.yaml", "port: 81\n");
    site.git(&["rm", "-q", "data/nodes/web01.yaml"]);
    site.commit("Another port");
    insta::assert_snapshot!("history_of_a_resource", history(&["File[/etc/x]", "--node", "web01"]));
    let content = history(&["File[/etc/x]", "--node", "web01", "--at", "HEAD", "--render-as", "json"]);
    assert_eq!(content, r#"{"content":"a\nport 81\nb\n"}"#);
    insta::assert_snapshot!("history_at_nothing", history(&["port", "--node", "web01", "--at", "nope"]));
}

#[test]
fn current_findings_are_part_of_the_answer() {
    let Some(site) = Site::new() else { return };
    site.write("data/common.yaml", "who: all\nntp::port: 5\nntp::prot: 6\n");
    site.commit("Two");
    // A finding that only moves is not new.
    site.write("data/common.yaml", "\n\nwho: all\nntp::port: 5\nntp::prot: 6\n");
    let reported = site.run(&["--facts", "facts"]);
    assert!(reported.contains("No values change: 3 nodes"), "{reported}");
    site.write("data/common.yaml", "who: all\nntp::port: five\nntp::prot: 6\n");
    site.write("modules/ntp/manifests/server.pp", "class ntp::server { $x = }\n");
    for format in ["text", "json", "markdown", "github"] {
        let reported = site.run(&["--facts", "facts", "--format", format]);
        insta::assert_snapshot!(format!("findings_as_{format}"), reported);
    }
    assert!(site.run(&["--facts", "facts", "--format", "html"]).contains("New findings of"));
    let without = site.run(&["--facts", "facts", "--no-findings"]);
    assert!(!without.contains("new findings"), "{without}");
    let gate = |condition: &str| site.output(&["--facts", "facts", "--fail-if", condition]).status.code();
    assert_eq!((gate("findings > 1"), gate("findings > 2")), (Some(1), Some(0)));
    // The type of a parameter can make a value wrong that nobody touched.
    site.git(&["checkout", "-q", "."]);
    std::fs::remove_file(site.path().join("modules/ntp/manifests/server.pp")).unwrap();
    site.write("modules/ntp/manifests/init.pp", "class ntp (String $port = '123') { }\n");
    insta::assert_snapshot!("findings_of_a_type", site.run(&["--facts", "facts"]));
    // What was wrong before is not told when it is cured.
    site.write("modules/ntp/manifests/init.pp", "class ntp (Integer $port = 123, Integer $prot = 1) { }\n");
    let reported = site.run(&["--facts", "facts"]);
    assert!(!reported.contains("new finding"), "{reported}");
}

#[test]
fn bare_repositories_are_compared_by_their_revisions() {
    let Some(site) = Site::new() else { return };
    site.git(&["tag", "v1"]);
    site.write("data/roles/web.yaml", "who: web\nlist: [c, a, d]\nport: 8080\n");
    site.commit("Two");
    let bare = tempfile::tempdir().unwrap();
    let folder = bare.path().join("site.git");
    site.git(&["clone", "-q", "--bare", ".", folder.to_str().unwrap()]);
    let facts = site.path().join("facts");
    let run = |verb: &str, arguments: &[&str], folder: &Path| {
        let all = [&[verb], arguments, &["--facts", facts.to_str().unwrap()]].concat();
        let output = output(folder, &all);
        String::from_utf8(output.stdout).unwrap() + std::str::from_utf8(&output.stderr).unwrap()
    };
    assert_eq!(run("diff", &["v1..main"], &folder), run("diff", &["v1..main"], site.path()));
    assert!(run("diff", &["v1...main"], &folder).contains("2 keys change on 2 of 3 nodes"));
    assert!(run("diff", &[], &folder).contains("name both sides: BASE..HEAD"));
    let history = run("history", &["port", "--node", "web01"], &folder);
    assert!(history.contains("Two") && history.contains("+ 8080"), "{history}");
    // From elsewhere, by name.
    let named = ["v1..main", "--environment-dir", folder.to_str().unwrap()];
    assert!(run("diff", &named, site.path()).contains("2 keys change on 2 of 3 nodes"));
}

#[test]
fn bare_repositories_have_environments() {
    let hiera = "version: 5\nhierarchy:\n  - name: a\n    path: a.yaml\n";
    let Some(site) = Site::new() else { return };
    site.git(&["rm", "-q", "-r", "."]);
    for name in ["production", "staging"] {
        site.write(&format!("environments/{name}/hiera.yaml"), hiera);
        site.write(&format!("environments/{name}/data/a.yaml"), &format!("k: {name}\n"));
    }
    site.commit("Two");
    site.write("environments/staging/data/a.yaml", "k: 2\n");
    site.commit("Three");
    let bare = tempfile::tempdir().unwrap();
    let folder = bare.path().join("site.git");
    site.git(&["clone", "-q", "--bare", ".", folder.to_str().unwrap()]);
    let run = |arguments: &[&str]| {
        let output = output(&folder, arguments);
        String::from_utf8(output.stdout).unwrap() + std::str::from_utf8(&output.stderr).unwrap()
    };
    let reported = run(&["diff", "main~1..main", "--fact", "a=b"]);
    assert!(reported.contains("1 key changes") && reported.contains("in environment staging"), "{reported}");
    let reported = run(&["history", "k", "--node", "n"]);
    assert!(reported.contains("+ production") && reported.contains("not of staging"), "{reported}");
    let reported = run(&["history", "k", "--node", "n", "--environment", "staging"]);
    assert!(reported.contains("+ staging") && reported.contains("+ 2"), "{reported}");
    let of_revision = ["lookup", "k", "--node", "n", "--environment", "staging", "--revision", "main~1"];
    assert_eq!(run(&of_revision), "--- staging\n");
}

/// The code of a site with a service that a file restarts.
const NGINX: &str = "class nginx (Integer $port = 80, Hash $limits = {}, Sensitive[String] $key = Sensitive('xyzzy')) {
  package { 'nginx': ensure => '1.22' }
  file { '/etc/nginx.conf': content => epp('nginx/conf.epp', { port => $port }), notify => Service['nginx'] }
  file { '/etc/nginx.key': content => $key }
  service { 'nginx': ensure => running }
}
";

fn with_catalogs(site: &Site) {
    site.write(
        "manifests/site.pp",
        "if $facts['role'] == 'web' { include nginx }\nnotify { \"on ${facts['role']}\": }\n",
    );
    site.write("modules/nginx/manifests/init.pp", NGINX);
    site.write(
        "modules/nginx/templates/conf.epp",
        "<%- | $port | -%>\nuser www;\nworkers 4;\nlisten <%= $port %>;\nlog on;\n",
    );
    site.commit("Catalogs");
}

#[test]
fn catalogs_are_compared() {
    let Some(site) = Site::new() else { return };
    with_catalogs(&site);
    let nothing = site.run(&["--facts", "facts", "--catalogs"]);
    assert_eq!(nothing, "No values and no catalogs change: 3 nodes, HEAD (COMMIT) -> the working tree\n");
    site.write("data/roles/web.yaml", "who: web\nlist: [c, a, d]\nnginx::port: 8080\nnginx::limits: {a: {b: 1}}\n");
    let manifest = NGINX.replace("1.22", "1.24").replace("'xyzzy'", "'plugh'").replace(
        "  service {",
        "  exec { '/bin/check': refreshonly => true, subscribe => File['/etc/nginx.conf'] }\n  service {",
    );
    site.write("modules/nginx/manifests/init.pp", &manifest);
    site.write("manifests/site.pp", "if $facts['role'] == 'web' { include nginx }\n");
    for format in ["text", "json", "markdown", "html", "github"] {
        let reported = site.run(&["--facts", "facts", "--catalogs", "--format", format]);
        assert!(!reported.contains("xyzzy") && !reported.contains("plugh"), "{reported}");
        insta::assert_snapshot!(format!("catalogs_as_{format}"), unstyled(&reported));
    }
    let gate = |condition: &str| site.output(&["--facts", "facts", "--catalogs", "--fail-if", condition]).status.code();
    assert_eq!((gate("resources > 6"), gate("resources > 60")), (Some(1), Some(0)));
    assert!(site.run(&["--facts", "facts", "--catalogs", "--reveal"]).contains("plugh"));
}

#[test]
fn catalogs_that_fail_are_listed_once() {
    let Some(site) = Site::new() else { return };
    with_catalogs(&site);
    site.write("modules/nginx/manifests/init.pp", &NGINX.replace("ensure => running", "require => File['/nope']"));
    insta::assert_snapshot!("catalogs_that_fail", site.run(&["--facts", "facts", "--catalogs"]));
    site.write(
        "modules/nginx/manifests/init.pp",
        &NGINX.replace("ensure => running", "before => Package['nginx'], require => Package['nginx']"),
    );
    insta::assert_snapshot!("catalogs_with_a_cycle", site.run(&["--facts", "facts", "--catalogs"]));
    // What fails on both sides is no change.
    site.commit("Broken");
    site.write("modules/nginx/templates/conf.epp", "<%- | $port | -%>\nlisten <%= $port %>;\n");
    let reported = site.run(&["--facts", "facts", "--catalogs"]);
    assert!(reported.contains("not compared: the catalogs of 2 nodes"), "{reported}");
}

#[test]
fn programs_print_the_same_for_both_sides_of_a_comparison() {
    let Some(site) = Site::new() else { return };
    // The process ID differs in each run.
    let code = |message: &str| {
        let runs = "[1, 2].map |$_| { generate('/bin/sh', '-c', 'printf $$') }.join(' ')";
        format!("$of_two = {runs}\nnotify {{ 'n': message => \"{message} ${{of_two}}\" }}\n")
    };
    site.write("manifests/site.pp", &code("a"));
    site.commit("Programs");
    site.write("modules/ntp/manifests/nothing.pp", "class ntp::nothing { }\n");
    let compare = ["--facts", "facts", "--catalogs", "--allow-programs"];
    assert!(site.run(&compare).starts_with("No values and no catalogs change"));
    site.write("manifests/site.pp", &code("b"));
    let reported = site.run(&compare);
    let numbers = |word: &str| -> Vec<&str> {
        let value =
            reported.lines().find_map(|line| line.split_once(&format!("message: {word} "))?.1.split_once("  #"));
        value.map_or(Vec::new(), |(numbers, _)| numbers.split(' ').collect())
    };
    let (before, after) = (numbers("a"), numbers("b"));
    assert!(before.len() == 2 && before == after && before[0] != before[1], "{reported}");
}

#[test]
fn a_link_to_what_only_the_server_has_is_absent_on_both_sides() {
    let Some(site) = Site::new() else { return };
    site.write(
        "hiera.yaml",
        &HIERA.replace("  - {name: C,", "  - {name: P, path: private/secrets.yaml}\n  - {name: C,"),
    );
    std::os::unix::fs::symlink("/nowhere/private", site.path().join("data/private")).unwrap();
    site.commit("Two");
    site.write("data/roles/web.yaml", "who: web\nlist: [c, a, d]\nport: 81\n");
    let nodes = ["HEAD", "--facts", "facts", "--no-findings"];
    let (worktree, status) = (site.run(&nodes), site.output(&nodes).status);
    assert!(worktree.contains("port") && !worktree.contains("link") && !worktree.contains("Lookups"), "{worktree}");
    site.commit("Three");
    let (answer, _, of_commits) = printed(site.path(), &["diff", "HEAD~1..HEAD", "--facts", "facts", "--no-findings"]);
    assert!(answer.contains("port") && !answer.contains("link"), "{answer}");
    assert_eq!(status.code(), of_commits);
}

#[test]
fn a_revision_answers_as_its_checkout_does() {
    let Some(site) = Site::new() else { return };
    site.write("manifests/site.pp", "node default { include ntp\n file { '/etc/who': content => lookup('who') } }\n");
    site.write("modules/ntp/templates/conf.epp", "port <%= lookup('port') %>\n");
    site.write("modules/ntp/manifests/old.pp", "class ntp::old { $x = }\n");
    site.write("documents/main.yaml", "base:\n  a: 1\nheir:\n  +/base:\n  +?include: more.yaml\n+include: more.yaml\n");
    site.write("documents/more.yaml", "more: {b: 2}\n");
    site.write(
        "documents/secret.nomad",
        "job \"a\" {\n  datacenters = [file(\"${abspath(\".\")}/documents/dc\")]\n}\n",
    );
    site.write("documents/plain.nomad", "job \"a\" {\n  datacenters = [file(\"documents/dc\")]\n}\n");
    site.write("documents/dc", "dc1");
    site.write("documents/t.j2", "{% include 'part.j2' %} of {{ lookup('hiera', 'who') }}\n");
    site.write("documents/part.j2", "part\n");
    site.write("code.pp", "notice(lookup('list', {merge => unique}))\n");
    // Errors show the line as it was then.
    site.write("data/roles/broken.yaml", "again: \"%{lookup('again')}\"\nnumber: eighty eight\n");
    site.write("data/roles/syntax.yaml", "list: [a,\n");
    site.write("modules/ntp/functions/refuse.pp", "function ntp::refuse() {\n  fail('no')\n}\n");
    site.write("documents/tree.yaml", "a: 1\nb:\n  eval:\n    template: \"{{ nope.x }}\"\n");
    site.commit("Two");
    let folder = tempfile::tempdir().unwrap();
    let checkout = folder.path().join("control");
    site.git(&["clone", "-q", ".", checkout.to_str().unwrap()]);
    // What a revision has that the working tree does not have, and the other way round.
    for gone in
        ["data/roles/web.yaml", "documents/more.yaml", "documents/part.j2", "modules/ntp/manifests/old.pp", "code.pp"]
    {
        fs::remove_file(site.path().join(gone)).unwrap();
    }
    site.write("data/common.yaml", "who: nobody\n");
    site.write("data/nodes/web01.yaml", "who: web01\n");
    site.write("modules/ntp/templates/conf.epp", "no port\n");
    site.write("modules/ntp/manifests/init.pp", "class ntp { fail('now') }\n");
    site.write("documents/dc", "dc2");
    site.write("documents/main.yaml", "a: 1\n");
    for changed in ["data/roles/broken.yaml", "data/roles/syntax.yaml"] {
        site.write(changed, "# one\n# two\n# three\n");
    }
    site.write("modules/ntp/functions/refuse.pp", "# one\n# two\n# three\nfunction ntp::refuse() { 1 }\n");
    site.write("documents/tree.yaml", "x: 1\n# two\n# three\n# four\n");
    site.write("documents/t.j2", "{{ nothing }}\n");
    site.commit("Three");
    site.write("data/common.yaml", "who: [\n");
    let commands: [&[&str]; 21] = [
        &["lookup", "again", "--node", "web01", "--fact", "role=broken"],
        &["lookup", "number", "--node", "web01", "--fact", "role=broken", "--type", "Integer"],
        &["lookup", "list", "--node", "web01", "--fact", "role=syntax"],
        &["eval", "-e", "ntp::refuse()", "--node", "web01"],
        &["eval", "--language", "unfurl", "--tree", "documents/tree.yaml", "-e", ".::b"],
        &["lookup", "who", "--node", "web01", "--fact", "role=web"],
        &["lookup", "url", "--node", "web01", "--explain"],
        &["lookup", "list", "--node", "web01", "--fact", "role=web", "--why"],
        &["lookup", "--all", "--node", "web01", "--fact", "role=web", "--origins"],
        &["lookup", "nosuch", "--node", "web01"],
        &["compare", "web01", "db01"],
        &["catalog", "web01", "--render-as", "s"],
        &["eval", "-e", "lookup('url')", "--node", "web01"],
        &["eval", "code.pp", "--node", "web01", "--fact", "role=web"],
        &["render", "modules/ntp/templates/conf.epp", "--node", "web01"],
        &["render", "documents/t.j2", "--node", "web01"],
        &["expand", "documents/main.yaml", "--origins"],
        &["check", "--message-format", "github"],
        &["check", "modules", "data", "--message-format", "github"],
        &["job", "documents/plain.nomad"],
        &["job", "documents"],
    ];
    for command in commands {
        let then = printed(&checkout, command);
        let now = printed(site.path(), &[command, &["--revision", "HEAD~1"]].concat());
        assert_eq!(now, then, "{command:?}");
        assert_ne!(now, printed(site.path(), command), "{command:?} says the same of both states");
    }
    // Through a link to the repository, too.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(site.path(), &link).unwrap();
    for revision in ["HEAD~1", "HEAD"] {
        let arguments = ["lookup", "who", "--node", "web01", "--environment-dir", link.to_str().unwrap()];
        let (answer, ..) = printed(folder.path(), &[&arguments[..], &["--revision", revision]].concat());
        assert_eq!(answer, if revision == "HEAD" { "--- web01\n" } else { "--- all\n" });
    }
    let refused = |arguments: &[&str]| {
        let (answer, message, status) = printed(site.path(), arguments);
        assert_eq!((answer.as_str(), status), ("", Some(2)), "{arguments:?}");
        message
    };
    assert!(refused(&["lookup", "who", "--revision", "nosuch"]).contains("nosuch"));
    let outside = checkout.join("documents/main.yaml");
    assert!(
        refused(&["check", "data", outside.to_str().unwrap(), "--revision", "HEAD"])
            .contains("is not in the repository")
    );
    let (_, message, status) = printed(folder.path(), &["lookup", "who", "--revision", "HEAD"]);
    assert!(message.contains("is not in a git repository") && status == Some(2), "{message}");
}

#[test]
fn catalogs_are_compared_with_data_of_other_systems() {
    let Some(site) = Site::new() else { return };
    let code = |message: &str| {
        format!(
            "$all = puppetdb_query('nodes[certname] {{}}')\nNotify <<| |>>\nclass told ($x) {{ notify {{ \"{message}\": }} }}\n"
        )
    };
    site.write("manifests/site.pp", &code("${x} ${role_of_enc} ${all.length}"));
    site.commit("Catalogs");
    site.write("manifests/site.pp", &code("${x} of ${role_of_enc}, ${all.length}"));
    site.write("enc/web01.yaml", "classes: {told: {x: first}}\nparameters: {role_of_enc: front}\n");
    site.write("enc/web02.yaml", "classes: {told: {x: second}}\nparameters: {role_of_enc: back}\n");
    site.write(
        "exported/db01.json",
        "{\"name\": \"db01\", \"resources\": [{\"type\": \"Notify\", \"title\": \"of db01\", \"exported\": true}]}",
    );
    site.write(
        "answers.json",
        "[{\"query\": \"nodes[certname] {}\", \"answer\": [{\"certname\": \"a\"}, {\"certname\": \"b\"}]}]",
    );
    let inputs = ["--enc", "enc", "--exported", "exported", "--puppetdb-answers", "answers.json"];
    let arguments = [&["--facts", "facts", "--catalogs"], &inputs[..]].concat();
    insta::assert_snapshot!("catalogs_with_inputs", site.run(&arguments));
    // One file is for all nodes.
    let all =
        site.run(&["--facts", "facts", "--catalogs", "--enc", "enc/web01.yaml", "--puppetdb-answers", "answers.json"]);
    assert!(all.contains("first of front, 2"), "{all}");
    let refused = site.run(&["--facts", "facts", "--enc", "enc"]);
    assert!(refused.contains("--enc, --exported, --puppetdb-answers and --server-facts are for catalogs"), "{refused}");
}
