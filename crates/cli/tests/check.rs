//! What `check` prints about a control repository in every format, what it accepts, and its exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository with a fault of many kinds.
const FILES: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Node\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: Common\n    path: \
         common.yaml\n",
    ),
    (
        "data/common.yaml",
        "ntp::servers: a.example.com\nntp::port: 123\nntp::port: 124\nurl: \"https://%{lookup('hots')}/%{facts.site}\"\nhost: \
         www\nloop: \"%{lookup('loop')}\"\n",
    ),
    ("data/nodes/web01.example.com.yml", "host: web01\n"),
    ("manifests/site.pp", "include ntp\n$a += 1\n"),
    ("modules/ntp/manifests/init.pp", "class ntp (\n  Array[String] $servers,\n  Integer $port = 123,\n) { }\n"),
];

struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new(files: &[(&str, &str)]) -> Repository {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Repository { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn check(&self, arguments: &[&str]) -> Output {
        run(&self.path(), arguments)
    }

    /// Output, then messages, then the status unless it is 0.
    fn session(&self, arguments: &[&str]) -> String {
        let output = self.check(arguments);
        let mut text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        match output.status.code().unwrap() {
            0 => {}
            status => text.push_str(&format!("[status {status}]\n")),
        }
        text.replace(&self.path().display().to_string(), "{root}")
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.arg("check").args(arguments).current_dir(folder).env("HOME", folder).output().unwrap()
}

#[test]
fn findings_are_written_for_people() {
    insta::assert_snapshot!(Repository::new(FILES).session(&[]));
}

#[test]
fn findings_are_written_for_tools() {
    insta::assert_snapshot!(Repository::new(FILES).session(&["--message-format", "json"]));
}

#[test]
fn findings_are_written_for_workflows() {
    insta::assert_snapshot!(Repository::new(FILES).session(&["--message-format", "github"]));
}

#[test]
fn findings_are_written_for_code_scanners() {
    let output = Repository::new(FILES).check(&["--message-format", "sarif"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    // What SARIF 2.1.0 requires, and what code scanners ask for beyond it.
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "hieratic");
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string(), "{rule}");
        assert!(
            rule["fullDescription"]["text"].is_string() && rule["helpUri"].as_str().unwrap().ends_with(".md"),
            "{rule}"
        );
    }
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 6);
    for result in results {
        assert!(result["message"]["text"].is_string(), "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()), "{result}");
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.starts_with(['/', '.']), "{uri}");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1, "{result}");
        assert!(result["partialFingerprints"]["hieratic/v1"].is_string(), "{result}");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn rules_are_chosen() {
    let repository = Repository::new(FILES);
    insta::assert_snapshot!(repository.session(&["--select", "duplicate-key,lookup-cycle"]), @r###"
    Error: The key 'ntp::port' is duplicated; only the last value is used [duplicate-key]
     --> data/common.yaml:3:1
      |
    2 | ntp::port: 123
      | --------- this value is ignored
    3 | ntp::port: 124
      | ^^^^^^^^^ this value is used
    help: remove one of them, or merge both values

    Error: The key 'loop' looks itself up [lookup-cycle]
     --> data/common.yaml:6:8
      |
    6 | loop: "%{lookup('loop')}"
      |        ^^^^^^^^^^^^^^^^^
    help: write the value out in one of the places

    Checked 5 files: 2 errors
    [status 1]
    "###);
    assert_eq!(repository.session(&["--select", "unused-key"]), "Checked 5 files: nothing found\n");
}

#[test]
fn the_exit_status_follows_the_flag() {
    let repository = Repository::new(FILES);
    let status = |arguments: &[&str]| repository.check(arguments).status.code();
    assert_eq!(status(&["--select", "unknown-key"]), Some(0));
    assert_eq!(status(&["--select", "unknown-key", "--fail-on", "warning"]), Some(1));
    assert_eq!(status(&["--select", "unused-key", "--unused", "--fail-on", "warning"]), Some(0));
    assert_eq!(status(&["--select", "unused-key", "--unused", "--fail-on", "note"]), Some(1));
    assert_eq!(status(&["modules"]), Some(0));
    assert_eq!(status(&["data/common.yaml"]), Some(1));
}

#[test]
fn contradictory_flags_are_reported() {
    let repository = Repository::new(&[("a.yaml", "a: 1\n"), ("baseline.json", "[]")]);
    let mut all = String::new();
    for arguments in [
        &["--select", "duplicate-kye"] as &[&str],
        &["--all-nodes"],
        &["--facts", "gone.json"],
        &["--baseline", "gone.json"],
        &["--baseline", "baseline.json"],
        &["--write-baseline", "gone/baseline.json"],
    ] {
        all.push_str(&format!("$ check {}\n{}\n", arguments.join(" "), repository.session(arguments)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_baseline_accepts_known_findings() {
    let repository = Repository::new(FILES);
    let written = repository.session(&["--write-baseline", "baseline.json"]);
    assert!(written.starts_with("baseline.json accepts "), "{written}");
    let nothing =
        "Checked 6 files: nothing found, 6 in the baseline. Not judged: 1 folder (hidden: name it to check it)\n";
    assert_eq!(repository.session(&["--baseline", "baseline.json", "--fail-on", "note"]), nothing);
    let data = repository.path().join("data/common.yaml");
    let text = fs::read_to_string(&data).unwrap();
    fs::write(
        &data,
        format!("# one more line\n{}new: \"%{{lookup('nothing')}}\"\n", text.replace("ntp::port: 123\n", "")),
    )
    .unwrap();
    insta::assert_snapshot!(repository.session(&["--baseline", "baseline.json", "--fail-on", "note"]));
}

#[test]
fn only_the_given_paths_are_reported() {
    let repository = Repository::new(FILES);
    let text = repository.session(&["manifests", "modules"]);
    assert!(text.contains("manifests/site.pp") && !text.contains("--> data/"), "{text}");
    // The class elsewhere is known all the same.
    let text = repository.session(&["data/common.yaml"]);
    assert!(text.contains("[parameter-type]") && text.contains("modules/ntp/manifests/init.pp"), "{text}");
}

#[test]
fn ignored_files_are_left_out() {
    let repository =
        Repository::new(&[(".gitignore", "vendor/\n"), ("vendor/a.pp", "$a = \n"), ("b.pp", "notice(1)\n")]);
    fs::create_dir(repository.path().join(".git")).unwrap();
    let left_out = "Checked 1 file: nothing found. Not judged: 1 folder (ignored by git: --no-ignore)\n";
    assert_eq!(repository.session(&[]), left_out);
    assert!(repository.session(&["--no-ignore"]).contains("vendor/a.pp"));
    assert!(repository.session(&["vendor/a.pp"]).contains("vendor/a.pp"));
}

#[test]
fn nodes_come_from_files_folders_and_names() {
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n"),
        ("data/common.yaml", "a: '%{facts.site}'\n"),
        ("facts/a.yaml", "clientcert: a.example.com\nsite: x\n"),
        ("facts/b.json", "{\"clientcert\": \"b.example.com\"}"),
    ];
    let repository = Repository::new(&files);
    let reported = |arguments: &[&str]| repository.session(&[arguments, &["--fail-on", "warning", "--quiet"]].concat());
    assert_eq!(reported(&[]), "");
    assert_eq!(reported(&["--facts", "facts/a.yaml"]), "");
    assert!(reported(&["--facts", "facts"]).contains("is empty for b.example.com [empty-interpolation]"));
    assert_eq!(reported(&["--facts", "facts", "--node", "a.example.com"]), "");
    // Of a node without facts nothing is known to be missing.
    assert_eq!(reported(&["--node", "c.example.com"]), "");
}

#[test]
fn the_examples_are_clean() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for folder in ["control-repo", "unfurl", "nomad", "ci"] {
        let output = run(&examples.join(folder), &["--fail-on", "note", "-q"]);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success() && text.is_empty(), "{folder}: {text}");
    }
    // As docs/ci.md says.
    for nodes in [
        &["--facts", "../facts/web01.example.com.json"] as &[&str],
        &["--facts", "../facts", "--node", "web01.example.com"],
    ] {
        let output = run(&examples.join("control-repo"), &[nodes, &["--fail-on", "note", "-q"]].concat());
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success() && text.is_empty(), "{nodes:?}: {text}");
    }
}

/// A checkout in which much is not there.
const PARTIAL: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Private, datadir: /srv/no-such/private, path: common.yaml}\n  - {name: Vault, \
         lookup_key: hiera_vault}\n  - {name: Own, datadir: '/no-such/environments/%{environment}/hieradata', path: 'os/%{::osfamily}.yaml'}\n",
    ),
    (
        "hieradata/os/Debian.yaml",
        "a: '%{lookup(\"private\")}'\nlookup_options: {'^apache::': {merge: hash}}\nhost: '%{::fqdn} %{fqdn}'\n",
    ),
    ("hieradata/os/Debian.yml", "b: 1\n"),
    ("Puppetfile", "mod 'puppetlabs-apache', '1.0.0'\n"),
    ("manifests/site.pp", "$x = \"a\\/b\"\n"),
    ("plans/deploy.pp", "plan deploy(TargetSpec $targets) { run_task('x', $targets) }\n"),
    ("files/policy.pp", "\u{1}binary"),
    ("spec/fixtures/hiera.yaml", "version: 3\n"),
    ("spec/broken.pp", "class {"),
    ("spec/spec_helper.rb", "require 'rspec-puppet'\n"),
    ("vagrant/hiera.yaml", "version: 5\nhierarchy: [{name: V, datadir: ../hieradata, path: os/Debian.yml}]\n"),
];

#[test]
fn absent_modules_are_reported_once_and_not_judged() {
    insta::assert_snapshot!(Repository::new(PARTIAL).session(&[]));
}

#[test]
fn findings_are_counted() {
    let repository = Repository::new(FILES);
    insta::assert_snapshot!(
        repository.session(&["--statistics"]) + &repository.session(&["--statistics", "--message-format", "json"])
    );
}

#[test]
fn findings_with_safe_edits_are_fixed() {
    let repository = Repository::new(PARTIAL);
    let reported = repository.session(&["--fix", "--quiet"]);
    assert_eq!(reported, "");
    let text = |name: &str| fs::read_to_string(repository.path().join(name)).unwrap();
    assert!(text("hiera.yaml").contains("path: 'os/%{facts.os.family}.yaml'"));
    assert!(text("hieradata/os/Debian.yaml").ends_with("host: '%{facts.networking.fqdn} %{facts.networking.fqdn}'\n"));
    assert_eq!(text("manifests/site.pp"), "$x = \"a\\\\/b\"\n");
    let left = repository.session(&[]);
    assert!(left.contains("Checked 7 files: nothing found. Not judged: "), "{left}");
    assert!(left.contains("1 manifest (tests of a module: name it to check it)"), "{left}");
}

const STYLE: &[(&str, &str)] = &[
    (".puppet-lint.rc", "--no-documentation-check\n"),
    (
        "modules/m/manifests/init.pp",
        "class m {\n  file { \"/a\":\n    mode => \"644\",\n  }\n  notice(\"x\") # lint:ignore:double_quoted_strings\n}\n",
    ),
];

#[test]
fn style_is_judged_where_a_project_asks() {
    let repository = Repository::new(STYLE);
    let codes = |arguments: &[&str]| {
        let reported = repository.session(&[arguments, &["--quiet", "--format", "json"]].concat());
        let lines = reported.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        lines.map(|line| line["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(codes(&[]).is_empty());
    let found = ["double_quoted_strings", "file_mode", "double_quoted_strings"];
    assert_eq!(codes(&["--style"]), found);
    assert_eq!(codes(&["--style", "--ignore", "file_mode"]), [found[0], found[2]]);
    assert_eq!(codes(&["--style", "--select", "file_mode"]), [found[1]]);
    fs::write(repository.path().join("hieratic.toml"), "[check]\nstyle = \"vox-pupuli\"\n").unwrap();
    assert_eq!(codes(&[]), found);
    fs::write(repository.path().join(".puppet-lint.rc"), "--only-checks=documentation\n--fail-on-warnings\n").unwrap();
    assert_eq!(codes(&[]), ["documentation"]);
    assert!(repository.session(&["--quiet"]).ends_with("[status 1]\n"));
}

#[test]
fn style_is_fixed_behind_other_fixes() {
    let repository = Repository::new(STYLE);
    let reported = repository.session(&["--style", "--fix"]);
    assert!(reported.contains("Checked 1 file: nothing found, 3 fixed"), "{reported}");
    let text = fs::read_to_string(repository.path().join("modules/m/manifests/init.pp")).unwrap();
    let expected =
        "class m {\n  file { '/a':\n    mode => '0644',\n  }\n  notice(\"x\") # lint:ignore:double_quoted_strings\n}\n";
    assert_eq!(text, expected);
    // An edit of another rule comes first, and the style of its result is fixed.
    let both = "class m {\n  notice($facts['hostname'], \"x\")\n}\n";
    fs::write(repository.path().join("modules/m/manifests/init.pp"), both).unwrap();
    repository.session(&["--style", "--fix"]);
    let text = fs::read_to_string(repository.path().join("modules/m/manifests/init.pp")).unwrap();
    assert_eq!(text, "class m {\n  notice($facts['networking']['hostname'], 'x')\n}\n");
}

#[test]
fn upgrade_findings_belong_to_one_version() {
    let manifest = "class m($a) {\n  if is_array($a) { notice('1' + 1) }\n}\n";
    let repository = Repository::new(&[("modules/m/manifests/init.pp", manifest)]);
    assert!(!repository.session(&["--quiet"]).contains("is_array"));
    let reported = repository.session(&["--quiet", "--puppet-version", "7", "--target-version", "8"]);
    assert!(reported.contains("[removed-function]") && reported.contains("[string-arithmetic]"), "{reported}");
    assert!(reported.contains("this holds in version 8 of Puppet and OpenVox, not in version 7"), "{reported}");
    // The version in use can be prepared for, too.
    let same = repository.session(&["--quiet", "--target-version", "8"]);
    assert!(same.contains("[removed-function]") && !same.contains("this holds"), "{same}");
}

#[test]
fn pages_and_help_are_at_hand() {
    let hieratic = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/findings/legacy-fact.md")).unwrap();
    assert_eq!(hieratic(&["explain", "legacy-fact"]), (Some(0), page));
    let (status, list) = hieratic(&["explain"]);
    assert!(status == Some(0) && list.contains("duplicate-key") && list.lines().count() > 30, "{list}");
    let (status, refused) = hieratic(&["explain", "legacy-facts"]);
    assert!(status == Some(2) && refused.contains("did you mean 'legacy-fact'?"), "{refused}");
    assert_eq!(hieratic(&["help", "check"]), hieratic(&["check", "--help"]));
}

/// Options of a key are judged on their own beside those of a key that ends with its name.
#[test]
fn options_are_judged_beside_those_of_longer_names() {
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n"),
        ("data/a.yaml", "lookup_options:\n  app::port: {merge: hash}\napp::port: {x: 1}\n"),
        (
            "data/b.yaml",
            "lookup_options:\n  app::port: {merge: deep}\n  port: {merge: first}\n  port2: {merge: first}\napp::port: {y: 1}\nport: \
             1\nport2: 1\n",
        ),
        ("f.ndjson", "{\"certname\":\"n1\",\"facts\":{}}\n"),
    ];
    let reported = Repository::new(&files).session(&["--hygiene", "--facts", "f.ndjson"]);
    for (name, line) in [("app::port", 2), ("port", 3), ("port2", 4)] {
        assert!(
            reported.contains(&format!("options of '{name}'")) && reported.contains(&format!("data/b.yaml:{line}:3")),
            "{reported}"
        );
    }
}

/// A check whose messages are in its output.
fn merged(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" check \"$@\" 2>&1", env!("CARGO_BIN_EXE_hieratic")]).args(arguments);
    command.current_dir(folder).env("HOME", folder);
    command
}

/// A watched check, whose output is read run by run.
struct Watched {
    child: std::process::Child,
    lines: std::io::BufReader<std::process::ChildStdout>,
}

impl Watched {
    fn new(folder: &Path, arguments: &[&str]) -> Watched {
        let mut command = merged(folder, arguments);
        let mut child = command.arg("--watch").stdout(std::process::Stdio::piped()).spawn().unwrap();
        let lines = std::io::BufReader::new(child.stdout.take().unwrap());
        Watched { child, lines }
    }

    /// The output of the next run.
    fn next(&mut self) -> String {
        use std::io::BufRead as _;
        let mut text = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "it ended: {text}");
            if line.starts_with("Watching ") {
                return text;
            }
            text.push_str(&line);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watched_check_says_what_a_new_one_says() {
    let repository = Repository::new(FILES);
    let path = repository.path();
    let write = |name: &str, text: &str| {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        // In one step, as editors do.
        let new = path.join(".git/new");
        fs::create_dir_all(new.parent().unwrap()).unwrap();
        fs::write(&new, text).unwrap();
        fs::rename(new, file).unwrap();
    };
    write("facts/web01.example.com.yaml", "site: x\n");
    let arguments = ["--facts", "facts", "--hygiene", "--style=puppet-lint"];
    let mut watched = Watched::new(&path, &arguments);
    let anew = || String::from_utf8(merged(&path, &arguments).output().unwrap().stdout).unwrap();
    let first = watched.next();
    assert_eq!(first, anew());
    let mut last = first;
    let edits: [(&str, Option<&str>); 12] = [
        ("data/common.yaml", Some("ntp::servers: [a]\nntp::port: 5\nhost: www\nother: \"%{lookup('hots')}\"\n")),
        ("modules/ntp/manifests/init.pp", Some("class ntp (\n  Array[String] $servers,\n  String $port,\n) { }\n")),
        ("manifests/site.pp", Some("include ntp\ninclude unknown\n")),
        ("modules/unknown/manifests/init.pp", Some("class unknown {\n  $a = \"b\"\n}\n")),
        ("data/nodes/web01.example.com.yaml", Some("host: web01\nunread: [\n")),
        ("data/nodes/web01.example.com.yaml", Some("host: web01\nntp::port: x\n")),
        ("facts/web01.example.com.yaml", Some("site: y\nother: z\n")),
        ("hiera.yaml", Some("version: 5\nhierarchy:\n  - {name: C, path: common.yaml}\n")),
        (".puppet-lint.rc", Some("--no-double_quoted_strings-check\n")),
        ("modules/unknown/manifests/init.pp", None),
        ("data/common.yaml", Some("ntp::servers: [a]\nntp::servers: [b]\nhost: x\n")),
        ("data/common.yaml", None),
    ];
    for (name, text) in edits {
        match text {
            Some(text) => write(name, text),
            None => fs::remove_file(path.join(name)).unwrap(),
        }
        let next = watched.next();
        assert_eq!(next, anew(), "{name}: {text:?}");
        // Nothing is found by these facts.
        assert!(next != last || name.starts_with("facts"), "{name}: {text:?}");
        last = next;
    }
}
