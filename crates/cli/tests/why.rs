//! `hieratic lookup KEY --why`: how an answer came about, in one screen.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::git;

struct Repository(tempfile::TempDir);

impl Repository {
    fn with(files: &[(&str, &str)]) -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = repository.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        repository
    }

    fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn run(&self, environment: &[(&str, &str)], arguments: &[&str]) -> (String, bool) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command
            .args(["lookup", "--why", "--node", "web01.example.com", "--confdir", "/none"])
            .arg("--environment-dir")
            .arg(self.root())
            .args(arguments)
            .current_dir(self.root())
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "100")
            .envs(environment.iter().copied());
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (text.replace(&self.root().display().to_string(), "{root}"), output.status.success())
    }

    fn why(&self, arguments: &[&str]) -> String {
        self.run(&[], arguments).0
    }
}

fn repository() -> Repository {
    Repository::with(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: Node\n    path: node.yaml\n  - name: Gone\n    path: gone.yaml\n  \
             - name: Role\n    path: role.yaml\n  - name: Common\n    path: common.yaml\n",
        ),
        (
            "data/node.yaml",
            "first: node\nlist: [n, c]\nhash: {a: 1, only_node: x}\ndeep:\n  web: {port: 1, deep: {x: 1}}\n\
             knock: [--c, --none, n]\nlost: [--c]\nalias: \"%{alias('other')}\"\ninterpolated: \"is %{lookup('other')}\"\n\
             '<b>&key': \"<script>alert(1)</script>\"\n",
        ),
        ("data/role.yaml", "first: role\nlist: [r]\nlost: [r]\nempty: {}\n"),
        (
            "data/common.yaml",
            "lookup_options:\n  list: {merge: unique}\n  hash: {merge: hash}\n  deep: {merge: deep}\n  \
             '^(knock|lost)$': {merge: {strategy: deep, knockout_prefix: '--'}}\n  secret: {convert_to: Sensitive}\n  \
             number: {convert_to: [String, '%x']}\nfirst: common\nlist: [c, d]\nhash: {a: 2, b: 3}\ndeep:\n  web: {port: 2, \
             host: h}\n  db: {port: 5, name: n}\nknock: [c, d]\nlost: [c]\nother: [1, 2]\nsecret: hunter2\nnumber: 255\n",
        ),
    ])
}

#[test]
fn pictures_show_the_gains_and_losses_of_each_level() {
    let repository = repository();
    let mut reported = String::new();
    for arguments in [
        &["first"][..],
        &["list"],
        &["hash"],
        &["deep"],
        &["deep.web"],
        &["deep.db.name"],
        &["knock"],
        &["lost"],
        &["lost", "--strict-knockout"],
        &["alias"],
        &["interpolated"],
        &["number"],
        &["secret"],
        &["secret", "--reveal"],
        &["fist"],
        &["fist", "--default", "x"],
        &["first", "--merge", "unique"],
        &["first", "--type", "Integer"],
        &["nothing", "first"],
        &["first", "number", "--each"],
        &["empty"],
    ] {
        writeln!(reported, "$ --why {}\n{}", arguments.join(" "), repository.why(arguments)).unwrap();
    }
    insta::assert_snapshot!(reported);
}

#[test]
fn tools_get_data() {
    let repository = repository();
    insta::assert_snapshot!(repository.why(&["knock", "--render-as", "yaml"]));
    let (json, found) = repository.run(&[], &["list", "--render-as", "json"]);
    let data: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(found);
    assert_eq!(data["layers"].as_array().unwrap().len(), 3);
    assert_eq!(data["layers"][2]["line"], 9);
    assert_eq!(data["merge"]["chosen_by"], "lookup_options");
    let (json, found) = repository.run(&[], &["none", "--render-as", "json"]);
    let data: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(!found);
    assert_eq!(data["error"]["code"], "key-not-found");
}

#[test]
fn pages_are_complete_and_escaped() {
    let repository = repository();
    let (page, found) = repository.run(&[], &["deep", "--render-as", "html"]);
    assert!(found);
    let (before, rest) = page.split_once("Made ").unwrap();
    let page_without_time = format!("{before}Made (time){}", &rest[rest.find("</span>").unwrap()..]);
    insta::assert_snapshot!(page_without_time.replace(hieratic_report::pages::STYLE, "(the style of all pages)\n"));
    let (page, _) = repository.run(&[], &["<b>&key", "--render-as", "html"]);
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    assert!(!page.contains("http"), "a page needs nothing else: {page}");
}

#[test]
fn pages_name_the_revision_that_the_files_have() {
    let repository = repository();
    if !git::init(&repository.root()) {
        return;
    }
    git::git(&repository.root(), &["remote", "add", "origin", "git@github.com:acme/control.git"]);
    let page = || repository.run(&[], &["deep", "--render-as", "html"]).0;
    // Places lead to the forge while the files are those of the commit.
    let clean = page();
    assert!(clean.contains("Revision <strong>main (") && !clean.contains("not committed"), "{clean}");
    assert!(clean.contains("href=\"https://github.com/acme/control/blob/"), "{clean}");
    assert!(clean.contains("/data/common.yaml#L11\" rel=\"noreferrer\">data/common.yaml:11</a>"), "{clean}");
    fs::write(repository.root().join("data/role.yaml"), "deep: {web: {port: 3}}\n").unwrap();
    let changed = page();
    assert!(changed.contains(") with changes that are not committed</strong>"), "{changed}");
    assert!(!changed.contains("href="), "{changed}");
    // A page of a revision names that one.
    git::git(&repository.root(), &["tag", "v1"]);
    let (tagged, _) = repository.run(&[], &["deep", "--revision", "v1", "--render-as", "html"]);
    assert!(tagged.contains("Revision <strong>v1 (") && tagged.contains("/data/common.yaml#L11\""), "{tagged}");
    // The level keeps its number in the hierarchy, and what it lost is struck through.
    assert!(changed.contains("<span class=\"ln\">3</span></span> Role"), "{changed}");
    assert!(changed.contains("<code class=\"lost\">- web.port: 3</code>"), "{changed}");
}

#[test]
fn secrets_are_covered_in_every_form() {
    let repository = repository();
    for format in ["s", "html", "json", "yaml"] {
        let (reported, _) = repository.run(&[], &["secret", "--render-as", format]);
        assert!(!reported.contains("hunter2"), "{format}: {reported}");
        let (reported, _) = repository.run(&[], &["secret", "--render-as", format, "--reveal"]);
        assert!(reported.contains("hunter2"), "{format}: {reported}");
    }
}

#[test]
fn the_terminal_decides_how_a_picture_looks() {
    let repository = repository();
    let (plain, _) = repository.run(&[("LC_ALL", "C")], &["knock"]);
    assert!(plain.is_ascii(), "{plain}");
    insta::assert_snapshot!(plain);
    let (narrow, _) = repository.run(&[("COLUMNS", "44")], &["deep"]);
    assert!(narrow.lines().all(|line| line.chars().count() <= 44), "{narrow}");
    let (colored, _) = repository.run(&[], &["knock", "--color", "always"]);
    assert!(colored.contains("\u{1b}[32m"), "{colored}");
    let (uncolored, _) = repository.run(&[("NO_COLOR", "1")], &["knock"]);
    assert!(!uncolored.contains('\u{1b}'), "{uncolored}");
}

#[test]
fn a_hierarchy_of_34_paths_fits_in_25_lines() {
    let mut hiera = String::from("version: 5\nhierarchy:\n");
    let mut files: Vec<(String, String)> = Vec::new();
    for level in 0..34 {
        writeln!(hiera, "  - name: L{level}\n    path: l{level}.yaml").unwrap();
        let mut data = String::from("---\n");
        // A few levels have the key, all of them, or none.
        if level % 6 == 0 {
            writeln!(data, "some: {{a{level}: 1, b: {level}, c: [{level}, 'x{level}', '--x{}']}}", level + 6).unwrap();
        }
        writeln!(data, "all: {{k{level}: {level}, same: {level}}}").unwrap();
        if level == 33 {
            let deep = "{merge: {strategy: deep, knockout_prefix: '--'}}";
            writeln!(data, "lookup_options: {{some: {deep}, all: {deep}}}").unwrap();
        }
        if level % 5 != 4 {
            files.push((format!("data/l{level}.yaml"), data));
        }
    }
    files.push(("hiera.yaml".into(), hiera));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let repository = Repository::with(&files);
    for key in ["some", "all", "none"] {
        let reported = repository.run(&[], &[key]).0;
        let picture = reported.lines().take_while(|line| !line.starts_with("Warning")).count();
        assert!(picture <= 25, "{key}: {picture} lines\n{reported}");
    }
    insta::assert_snapshot!(repository.run(&[], &["all"]).0);
}

#[test]
fn a_fleet_is_answered_in_rows() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: All, path: common.yaml}\n",
    );
    write("data/common.yaml", "lookup_options: {all: {merge: unique}}\nport: 80\nall: [a]\nbad: \"%{nosuch('x')}\"\n");
    write("data/roles/web.yaml", "port: 8080\nall: [b]\n");
    write("facts/web01.yaml", "role: web\n");
    write("facts/db01.yaml", "role: db\n");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.arg("lookup").args(arguments).current_dir(folder.path()).env("XDG_CONFIG_HOME", "/nowhere");
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    let (rows, _, status) = run(&["port", "all", "--nodes", "facts"]);
    assert_eq!(
        rows,
        "{\"node\":\"db01\",\"key\":\"all\",\"value\":[\"a\"],\"file\":\"data/common.yaml\",\"level\":\"All\",\"layer\":\"environment\",\"line\":3}\n\
         {\"node\":\"db01\",\"key\":\"port\",\"value\":80,\"file\":\"data/common.yaml\",\"level\":\"All\",\"layer\":\"environment\",\"line\":2}\n\
         {\"node\":\"web01\",\"key\":\"all\",\"value\":[\"b\",\"a\"],\"merge\":\"unique\",\"contributions\":[{\"part\":\"0\",\"file\":\"data/roles/web.yaml\",\"line\":2,\"level\":\"Role\"},{\"part\":\"1\",\"file\":\"data/common.yaml\",\"line\":3,\"level\":\"All\"}]}\n\
         {\"node\":\"web01\",\"key\":\"port\",\"value\":8080,\"file\":\"data/roles/web.yaml\",\"level\":\"Role\",\"layer\":\"environment\",\"line\":1}\n"
    );
    assert_eq!(status, Some(0));
    // What fails has a row, and the command says so.
    let (rows, messages, status) =
        run(&["--all", "--nodes", "facts", "--output", "out.csv", "--where", "facts.role == 'db'"]);
    assert_eq!((rows.as_str(), status), ("", Some(1)));
    assert_eq!(messages, "1 lookup failed: its row has an error\n");
    let csv = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.contains("\r\ndb01,port,,80,,80,,,,data/common.yaml,2,All,environment,,,false,\r\n"), "{csv}");
    for (arguments, message) in [
        (&["--nodes", "facts"][..], "No keys were given"),
        (&["port", "--nodes", "facts", "--output", "out.txt"], "format of out.txt is not known"),
        (&["port", "--nodes", "facts", "--render-as", "json"], "--format ndjson"),
        (&["port", "--nodes", "facts", "--where", "facts.role == 'x'"], "no node is left"),
        (&["port", "--nodes", "facts", "--shard", "3/2"], "expected I/N"),
        (&["port", "--nodes", "facts", "--node", "web01"], "cannot be used with"),
        (&["port", "--nodes", "nothing"], "nothing"),
        (&["port", "--nodes", "facts", "--output", "nothing/out.csv"], "nothing/out.csv cannot be written"),
    ] {
        let (rows, messages, status) = run(arguments);
        assert!(rows.is_empty() && messages.contains(message) && status != Some(0), "{arguments:?}: {messages}");
    }
    // No part of a file is left behind.
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
