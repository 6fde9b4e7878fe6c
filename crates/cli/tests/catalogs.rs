//! What `catalog` and `check --catalogs` take from the command line: manifests, code, classifiers, and what a server adds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// An environment with a node, and files beside it that the command line can name.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new(files: &[(&str, &str)]) -> Site {
        let facts = r#"{"fqdn": "vm.x", "hostname": "vm", "domain": "x", "clientcert": "vm"}"#;
        let own = [("repo/hiera.yaml", "version: 5\nhierarchy: []\n"), ("facts/vm.json", facts)];
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in own.iter().chain(files) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Site { folder }
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("repo")
    }

    fn run(&self, arguments: &[&str]) -> RunOutput {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> RunOutput {
        run_in(&self.repository(), arguments, input)
    }

    fn catalog(&self, arguments: &[&str]) -> RunOutput {
        self.run(&[&["catalog", "vm"], arguments].concat())
    }

    fn check(&self, arguments: &[&str]) -> RunOutput {
        self.run(&[&["check", "--catalogs", "--facts", "../facts"], arguments].concat())
    }
}

/// The status, the output and the messages of a command.
struct RunOutput {
    status: i32,
    output: String,
    messages: String,
}

fn run_in(folder: &Path, arguments: &[&str], input: &str) -> RunOutput {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(folder).env("HOME", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read it may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    RunOutput { status: status.code().unwrap(), output: text(stdout), messages: text(stderr) }
}

/// The message of the resource `Notify[a]`.
fn notified(reported: &RunOutput) -> String {
    let catalog: Value = serde_json::from_str(&reported.output).unwrap_or_else(|_| panic!("{}", reported.messages));
    let resources = catalog["resources"].as_array().unwrap();
    let notify = resources.iter().find(|resource| resource["title"] == "a").unwrap();
    notify["parameters"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_manifest_is_read_wherever_the_command_line_names_it() {
    let site = Site::new(&[("other/site.pp", "fail('from elsewhere')\n"), ("other/secret.txt", "hidden\n")]);
    for manifest in ["../other/site.pp", "../other"] {
        let reported = site.catalog(&["--manifest", manifest]);
        assert!(reported.status == 1 && reported.messages.contains("from elsewhere"), "{}", reported.messages);
        let reported = site.check(&["--manifest", manifest]);
        assert!(reported.status == 1 && reported.output.contains("from elsewhere [catalog]"), "{}", reported.output);
    }
    // Inside of the environment it is a file as well, which the environment need not name.
    let inside = Site::new(&[
        ("repo/manifests/site.pp", "notify { 'a': message => 'site' }\n"),
        ("repo/other.pp", "notify { 'a': message => 'other' }\n"),
        ("repo/fails.pp", "fail('from inside')\n"),
    ]);
    let whole = inside.repository().join("other.pp");
    for (manifest, message) in
        [("manifests/site.pp", "site"), ("other.pp", "other"), (whole.to_str().unwrap(), "other")]
    {
        assert_eq!(notified(&inside.catalog(&["--manifest", manifest])), message);
    }
    let reported = inside.check(&["--manifest", "fails.pp", "--select", "catalog"]);
    assert!(reported.status == 1 && reported.output.contains("from inside [catalog]"), "{}", reported.output);
    // Nothing else beside it is read.
    let secret = site.folder.path().canonicalize().unwrap().join("other/secret.txt");
    let code = format!("notify {{ 'a': message => file('{}') }}\n", secret.display());
    fs::write(site.folder.path().join("other/site.pp"), code).unwrap();
    let reported = site.catalog(&["--manifest", "../other/site.pp"]);
    assert!(reported.status == 1 && !reported.output.contains("hidden"), "{}", reported.output);
    for verb in [&["catalog", "vm"][..], &["check", "--catalogs", "--facts", "../facts"]] {
        let reported = site.run(&[verb, &["--manifest", "../nope.pp"]].concat());
        assert!(reported.status != 0 && reported.messages.contains("nope.pp"), "{}", reported.messages);
    }
}

#[test]
fn code_comes_from_standard_input_and_from_a_flag() {
    let site = Site::new(&[("repo/manifests/site.pp", "notify { 'a': message => 'own' }\n")]);
    assert_eq!(notified(&site.catalog(&[])), "own");
    let code = "notify { 'a': message => 'given' }";
    assert_eq!(notified(&site.catalog(&["--code", code])), "given");
    assert_eq!(notified(&site.catalog(&["-e", code])), "given");
    for input in ["-", "/dev/stdin"] {
        assert_eq!(notified(&site.run_with(&["catalog", "vm", "--manifest", input], code)), "given");
    }
    let reported = site.catalog(&["-e", "fail('x')"]);
    assert!(
        reported.status == 1 && reported.messages.contains(" --> /command-line/manifest.pp:1:1"),
        "{}",
        reported.messages
    );
    let reported = site.run_with(&["check", "--catalogs", "--facts", "../facts", "--manifest", "-"], "fail('x')");
    assert!(
        reported.status == 1 && reported.output.contains(" --> /standard-input/manifest.pp:1:1"),
        "{}",
        reported.output
    );
    // The flag of another verb is none of this one, and no other flag.
    let reported = site.run(&["check", "--code", "x"]);
    assert!(reported.status == 2 && reported.messages.contains("--codedir"), "{}", reported.messages);
}

#[test]
fn a_server_adds_its_name() {
    let code = "notify { 'a': message => \"${servername}|${server_facts['servername']}\" }\n";
    let site = Site::new(&[("m.pp", code), ("server.yaml", "servername: puppet.x\nserverip: 10.0.0.1\n")]);
    for version in ["7", "8"] {
        let with = |more: &[&str]| {
            notified(&site.catalog(&[&["--puppet-version", version, "--manifest", "../m.pp"], more].concat()))
        };
        let (name, same) = with(&[]).split_once('|').map(|(one, other)| (one.to_owned(), one == other)).unwrap();
        assert!(!name.is_empty() && same, "{name}");
        assert_eq!(with(&["--server-facts", "../server.yaml"]), "puppet.x|puppet.x");
    }
    // Its addresses are only those that are given: the network is not asked.
    fs::write(site.folder.path().join("ip.pp"), "notify { 'a': message => \"${server_facts['serverip']}\" }\n")
        .unwrap();
    let address = |more: &[&str]| notified(&site.catalog(&[&["--manifest", "../ip.pp"], more].concat()));
    assert_eq!((address(&[]).as_str(), &*address(&["--server-facts", "../server.yaml"])), ("", "10.0.0.1"));
    let reported = site.check(&["--manifest", "../m.pp", "--select", "catalog"]);
    assert_eq!((reported.status, reported.messages.as_str()), (0, ""), "{}", reported.output);
    fs::write(site.folder.path().join("list.yaml"), "[1]\n").unwrap();
    let reported = site.catalog(&["--manifest", "../ip.pp", "--server-facts", "../list.yaml"]);
    assert!(reported.messages.contains("the --server-facts flag is no hash"), "{}", reported.messages);
    let reported = site.run(&["check", "--server-facts", "../server.yaml"]);
    assert!(reported.status == 2 && reported.messages.contains("add --catalogs"), "{}", reported.messages);
}

#[test]
fn code_sees_the_version_and_the_settings_of_the_server() {
    let code = "notify { 'a': message => \"${serverversion[0]} ${settings::statedir} ${settings::runinterval} \
                ${inline_template('<%= Puppet[:vardir] %> <%= Puppet[:runinterval] + 1 %> <%= Puppet.version[0] %>')}\" }\n";
    let conf = "[main]\nvardir = /from/conf\nruninterval = 10m\n";
    let site = Site::new(&[("m.pp", code), ("conf/puppet.conf", conf), ("none/x", "")]);
    let with = |version: &str, more: &[&str]| {
        notified(&site.catalog(&[&["--puppet-version", version, "--manifest", "../m.pp"], more].concat()))
    };
    let packages = "/opt/puppetlabs/puppet/cache";
    assert_eq!(with("7", &["--confdir", "../none"]), format!("7 {packages}/state 1800 {packages} 1801 7"));
    assert_eq!(with("8", &["--confdir", "../conf"]), "8 /from/conf/state 600 /from/conf 601 8");
    let given = ["--confdir", "../conf", "--setting", "vardir=/given", "--setting", "statedir=$vardir/own"];
    assert_eq!(with("8", &given), "8 /given/own 600 /given 601 8");
    assert_eq!(with("8", &["--confdir", "../conf", "--vardir", "/v"]), "8 /v/state 600 /v 601 8");
    let reported = site.catalog(&["--setting", "strict=off"]);
    assert!(reported.status == 2 && reported.messages.contains("the flag --strict"), "{}", reported.messages);
    let reported = site.catalog(&["--setting", "vardir"]);
    assert!(
        reported.status == 2 && reported.messages.contains("expected the name of a setting"),
        "{}",
        reported.messages
    );
}

#[test]
fn a_check_compiles_the_classes_of_classifiers() {
    let site = Site::new(&[
        ("repo/modules/m/manifests/init.pp", "class m { fail('in m') }\n"),
        ("enc/vm.yaml", "classes: [m]\n"),
        ("elsewhere.yaml", "classes: [m]\nenvironment: other\n"),
    ]);
    let reported = site.check(&[]);
    assert!(
        reported.status == 0 && reported.output.contains("Notice: The catalog has no classes"),
        "{}",
        reported.output
    );
    let reported = site.check(&["--enc", "../enc"]);
    let is_there = reported.output.contains("in m (file: ")
        && reported.output.contains("\n --> modules/m/manifests/init.pp:1:11\n");
    assert!(reported.status == 1 && is_there, "{}", reported.output);
    // A node of another environment is none of this one, if the name of this one is known.
    let reported = site.check(&["--enc", "../elsewhere.yaml", "--environment", "production"]);
    assert_eq!(reported.status, 0, "{}", reported.output);
}

#[test]
fn a_folder_of_manifests_is_compiled_without_a_configuration() {
    let site = Site::new(&[
        ("plain/manifests/site.pp", "include m\n"),
        ("plain/modules/m/manifests/init.pp", "class m { fail('q') }\n"),
        ("empty/README.md", "nothing\n"),
    ]);
    let root = site.folder.path().canonicalize().unwrap();
    let arguments = ["check", "--catalogs", "--facts", "../facts"];
    let plain = run_in(&root.join("plain"), &arguments, "");
    assert!(plain.status == 1 && plain.output.contains("q [catalog]"), "{}", plain.output);
    let empty = run_in(&root.join("empty"), &arguments, "");
    assert!(empty.status == 2 && empty.messages.contains("no catalog was compiled"), "{}", empty.messages);
}

#[test]
fn messages_of_code_are_objects_of_json() {
    let site = Site::new(&[("m.pp", "warning('hi') notice('there') notify { 'x': message => $nope }\n")]);
    let reported = site.catalog(&["--message-format", "json", "--puppet-version", "7", "--manifest", "../m.pp"]);
    let lines: Vec<Value> = reported.messages.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let short: Vec<(&str, &str)> =
        lines.iter().map(|line| (line["severity"].as_str().unwrap(), line["message"].as_str().unwrap())).collect();
    assert_eq!(
        short,
        [
            ("warning", "Scope(Class[main]): hi"),
            ("note", "Scope(Class[main]): there"),
            ("warning", "Unknown variable: 'nope'.")
        ]
    );
    assert_eq!(lines[2]["labels"][0]["column"], 56);
    let reported =
        site.run(&["catalog", "--all", "--facts", "../facts", "--message-format", "json", "-e", "fail('x')"]);
    assert!(
        reported.status == 1 && reported.messages.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
        "{}",
        reported.messages
    );
}
