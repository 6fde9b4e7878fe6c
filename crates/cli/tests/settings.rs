//! Settings files: what they fill in, and what a repository cannot do with one.

#![cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::Command;

struct Site {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: N, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: R, path: 'roles/%{facts.role}.yaml'}\n  - {name: C, path: common.yaml}\n";

impl Site {
    fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        site.write("hiera.yaml", HIERA);
        site.write("data/common.yaml", "who: all\nlist: [a, b, c]\nport: 80\n");
        site.write("data/roles/web.yaml", "who: web\nlist: [c, a, d]\n");
        site.write("facts/web01.yaml", "role: web\n");
        site.write("facts/any-name.yaml", "networking: {fqdn: web02}\nrole: web\n");
        site
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn user(&self, text: &str) {
        let folder = self.home.path().join("hieratic");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// Everything that a command prints, and how it ends.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(arguments).current_dir(self.folder.path()).env("XDG_CONFIG_HOME", self.home.path());
        let output = command.output().unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        text.push_str(std::str::from_utf8(&output.stderr).unwrap());
        if !output.status.success() {
            text.push_str(&format!("(exit status {})\n", output.status.code().unwrap()));
        }
        let shown = |path: &Path| path.canonicalize().unwrap().display().to_string();
        text.replace(&shown(self.folder.path()), "{root}").replace(&shown(self.home.path()), "{home}")
    }
}

#[test]
fn facts_are_a_file_or_a_folder() {
    let site = Site::new();
    assert_eq!(site.run(&["lookup", "who", "--facts", "facts", "--node", "web01"]), "--- web\n");
    assert_eq!(site.run(&["lookup", "who", "--facts", "facts", "--node", "web02"]), "--- web\n");
    let text = site.run(&["lookup", "who", "--facts", "facts", "--node", "web0"]);
    assert!(text.contains("facts has no facts of the node web0") && text.contains("did you mean 'web01'?"), "{text}");
    let text = site.run(&["lookup", "who", "--facts", "facts"]);
    assert!(text.contains("no node is named") && text.contains("--node any-name"), "{text}");
    assert_eq!(site.run(&["eval", "-e", "lookup('who')", "--facts", "facts", "--node", "web01"]), "'web'\n");
}

#[test]
fn the_repository_says_where_facts_are() {
    let site = Site::new();
    site.write("hieratic.toml", "facts = \"facts\"\n");
    assert_eq!(site.run(&["lookup", "who", "--node", "web01"]), "--- web\n");
    // A flag wins.
    assert_eq!(
        site.run(&["lookup", "who", "--node", "web01", "--facts", "facts/any-name.yaml", "--fact", "role=x"]),
        "--- all\n"
    );
    let text = site.run(&["lookup", "who", "--node", "db01"]);
    assert_eq!(text, "--- all\nNotice: facts has no facts of db01: using only the name\n");
    let text = site.run(&["check"]);
    assert!(text.contains("for 2 nodes"), "{text}");
    fs::create_dir(site.folder.path().join("deep")).unwrap();
    let deep = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["lookup", "who", "--node", "web01"])
        .current_dir(site.folder.path().join("deep"))
        .env("XDG_CONFIG_HOME", site.home.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(deep.stdout).unwrap(), "--- web\n");
}

#[test]
fn data_that_is_elsewhere_on_servers_is_read_here() {
    let site = Site::new();
    let there = "version: 5\ndefaults: {data_hash: yaml_data, datadir: /no/such/srv/hiera}\nhierarchy:\n  - {name: C, path: common.yaml}\n";
    site.write("hiera.yaml", there);
    assert!(site.run(&["lookup", "who", "--node", "a"]).contains("did not find"));
    assert_eq!(
        site.run(&[
            "lookup",
            "who",
            "--node",
            "a",
            "--datadir",
            "/no/such/srv=data/..",
            "--datadir",
            "/no/such/srv/hiera=data"
        ]),
        "--- all\n"
    );
    site.write("hieratic.toml", "[datadirs]\n\"/no/such/srv/hiera\" = \"data\"\n");
    assert_eq!(site.run(&["lookup", "who", "--node", "a"]), "--- all\n");
    let text = site.run(&["check"]);
    assert!(!text.contains("missing-datadir"), "{text}");
}

#[test]
fn the_repository_wins_over_the_user_and_both_are_shown() {
    let site = Site::new();
    site.user("facts = \"/srv/facts\"\n[puppetdb]\nurl = \"https://puppetdb:8081\"\nca = \"~/ca.pem\"\n[check]\nignore = [\"legacy-fact\"]\n");
    site.write("hieratic.toml", "facts = \"facts\"\nlink = \"https://forge/{path}#L{line}\"\n");
    let text = site.run(&["config"]);
    for line in [
        "facts = [\"{root}/facts\"]  # hieratic.toml:1",
        "link = \"https://forge/{path}#L{line}\"  # hieratic.toml:2",
        "ignore = [\"legacy-fact\"]  # {home}/hieratic/config.toml:6",
        "url = \"https://puppetdb:8081\"  # {home}/hieratic/config.toml:3",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    // What is printed is a file of settings again.
    let parsed: toml_edit::DocumentMut = text.parse().unwrap();
    assert_eq!(parsed["puppetdb"]["url"].as_str(), Some("https://puppetdb:8081"));
    let json: serde_json::Value = serde_json::from_str(&site.run(&["config", "--render-as", "json"])).unwrap();
    assert_eq!(json["settings"]["facts"]["line"], 1);
    assert_eq!(json["settings"]["environment"], serde_json::Value::Null);
    let page = site.run(&["lookup", "who", "--node", "web01", "--why", "--render-as", "html"]);
    assert!(page.contains("href=\"https://forge/data/roles/web.yaml#L1\""), "{page}");
}

#[test]
fn a_repository_leads_nowhere_and_gives_no_powers() {
    let site = Site::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("web01.yaml"), "role: MARK\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), site.folder.path().join("link")).unwrap();
    let absolute = format!("facts = \"{}\"\n", outside.path().display());
    for (text, refused) in [
        (absolute.as_str(), "leads out of the repository"),
        ("facts = \"../x\"\n", "leads out of the repository"),
        ("facts = \"link\"\n", "leads out of the repository"),
        ("modulepath = [\"/\"]\n", "leads out of the repository"),
        ("modulepath = \"modules:/etc\"\n", "it contains a colon"),
        ("datadirs = { \"/x=/etc\" = \"data\" }\n", "is not a folder of hiera.yaml"),
        ("hiera_config = \"/etc/hiera.yaml\"\n", "leads out of the repository"),
        ("datadirs = { \"/x\" = \"../../\" }\n", "leads out of the repository"),
        ("[check]\nbaseline = \"/etc/passwd\"\n", "leads out of the repository"),
        ("[puppetdb]\nurl = \"http://evil\"\n", "a repository cannot set 'puppetdb.url'"),
        ("trusted = [\"/\"]\n", "a repository cannot set 'trusted'"),
        ("link = \"javascript:alert(1)//{path}\"\n", "is a URL"),
        ("fact = \"facts\"\n", "did you mean 'facts'?"),
        ("facts = 1\n", "is a path, or a list of paths"),
        ("strict = \"loud\"\n", "is one of off, warning, error"),
        ("facts = \n", "invalid TOML"),
    ] {
        site.write("hieratic.toml", text);
        for verb in [&["lookup", "who", "--node", "web01"][..], &["check"], &["eval", "-e", "1"], &["config"]] {
            let reported = site.run(verb);
            assert!(reported.contains(refused) && reported.contains("hieratic.toml:"), "{text}{verb:?}: {reported}");
            assert!(reported.contains("(exit status") && !reported.contains("MARK"), "{reported}");
        }
    }
    fs::remove_file(site.folder.path().join("hieratic.toml")).unwrap();
    std::os::unix::fs::symlink("/proc/self/environ", site.folder.path().join("hieratic.toml")).unwrap();
    let reported = site.run(&["lookup", "who"]);
    assert!(reported.contains("cannot be read") && !reported.contains("PATH="), "{reported}");
}

#[test]
fn a_setting_of_the_user_says_where_its_path_begins() {
    let site = Site::new();
    site.user("facts = \"facts\"\n");
    let reported = site.run(&["lookup", "who"]);
    assert!(reported.contains("is not an absolute path") && reported.contains("~/"), "{reported}");
}

#[test]
fn verbose_lists_the_inputs() {
    let site = Site::new();
    site.write("hieratic.toml", "facts = \"facts\"\n");
    let reported = site.run(&["lookup", "who", "--node", "web01", "-v"]);
    for part in ["environment 'production' in {root}", "facts: {root}/facts/web01.yaml", "settings: hieratic.toml"] {
        assert!(reported.replace("facts: facts/", "facts: {root}/facts/").contains(part), "{part}: {reported}");
    }
}

#[test]
fn two_nodes_are_compared() {
    let site = Site::new();
    let reported = site.run(&["compare", "web01", "db01", "--facts", "facts/web01.yaml", "--exit-code"]);
    assert_eq!(reported, "--- web01\n+++ db01\n0 keys differ, 3 are equal\n");
    site.write("facts/db01.yaml", "role: db\n");
    let reported = site.run(&["compare", "web01", "db01", "--facts", "facts", "--exit-code"]);
    assert_eq!(
        reported,
        "--- web01\n+++ db01\nlist\n- [1]: d  # data/roles/web.yaml:2\n+ [1]: b  # data/common.yaml:2\n  \
         [2]: c (moved from [0])  # data/common.yaml:2\nwho\n- web  # data/roles/web.yaml:1\n+ all  # data/common.yaml:1\n2 keys differ, 1 is equal\n(exit status 1)\n"
    );
    let json = site.run(&["compare", "web01", "db01", "--facts", "facts", "--key", "wh*", "--render-as", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["differ"][0]["parts"][0]["right"]["value"], "all");
    assert_eq!(json["equal"], 0);
    // The same elements in another order differ, too.
    site.write("data/roles/db.yaml", "list: [d, c, a]\nwho: web\n");
    let reported = site.run(&["compare", "web01", "db01", "--facts", "facts", "--key", "list"]);
    assert!(reported.contains("\n  [0]: d (moved from [2])  # data/roles/db.yaml:1\n"), "{reported}");
    for misuse in [&["compare", "web01"][..], &["compare", "a", "b", "--node", "c"]] {
        let reported = site.run(misuse);
        assert!(reported.contains("help:") && reported.contains("(exit status 1)"), "{reported}");
    }
}

/// A repository that somebody stands in says nothing about an environment that is elsewhere.
#[test]
fn a_repository_speaks_for_its_own_environment_alone() {
    let mine = Site::new();
    let stranger = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = stranger.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let trap = stranger.path().join("PWNED");
    write("hieratic.toml", "hiera_config = \"g/hiera.yaml\"\nmodulepath = \"modules\"\n");
    write("g/hiera.yaml", "version: 5\nhierarchy: [{name: P, lookup_key: pwn}]\n");
    write(
        "g/hieratic.yaml",
        &format!("version: 1\nbackends: {{pwn: {{command: [sh, -c, 'id > {}; cat > /dev/null']}}}}\n", trap.display()),
    );
    write("modules/evil/functions/f.pp", "function evil::f() { 'EVIL' }\n");
    fs::create_dir(stranger.path().join(".git")).unwrap();
    let environments = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(mine.folder.path(), environments.path().join("production")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(arguments).current_dir(stranger.path()).env("XDG_CONFIG_HOME", mine.home.path());
        let output = command.output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    let path = environments.path().display().to_string();
    for flags in [&["--environmentpath", &path][..], &["--environment-dir", &mine.folder.path().display().to_string()]]
    {
        let reported = run(&[&["lookup", "who", "--node", "a"], flags].concat());
        assert_eq!(reported, "--- all\n");
        let reported = run(&[&["eval", "-e", "evil::f()", "--node", "a"], flags].concat());
        assert!(reported.contains("Unknown function"), "{reported}");
    }
    // Nor does a module with a repository of its own speak for the environment around it.
    let module = mine.folder.path().join("modules/m");
    fs::create_dir_all(module.join(".git")).unwrap();
    fs::write(module.join("hieratic.toml"), "modulepath = \".\"\nenvironment = \"other\"\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["lookup", "who", "--node", "a", "-v"])
        .current_dir(&module)
        .env("XDG_CONFIG_HOME", mine.home.path())
        .output()
        .unwrap();
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(reported.contains("environment 'production'"), "{reported}");
    assert!(!trap.exists());
}

/// What a repository says in its settings is no command to a system that runs the tests.
#[test]
fn settings_of_a_stranger_are_quoted() {
    let site = Site::new();
    site.write("hieratic.toml", "environment = \"p\\n::error title=x::FAKE\\u007f\"\n\n[check]\nignore = [\"\"\"a\n##vso[task.complete]\"\"\"]\n");
    let reported = site.run(&["config"]);
    assert!(!reported.lines().any(|line| line.starts_with("::") || line.contains("##vso[")), "{reported}");
    assert!(reported.parse::<toml_edit::DocumentMut>().is_ok(), "{reported}");
}

#[test]
fn the_version_is_that_of_the_flag_the_environment_the_settings_or_8() {
    let site = Site::new();
    site.write("data/common.yaml", "who: 'x%{nobody}'\n");
    let run = |variable: Option<&str>, flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(["lookup", "who", "--node", "a"]).args(flags).current_dir(site.folder.path());
        command.env("XDG_CONFIG_HOME", site.home.path()).env_remove("HIERATIC_PUPPET_VERSION");
        command.envs(variable.map(|version| ("HIERATIC_PUPPET_VERSION", version)));
        let output = command.output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    // Unknown variables are nothing in 7, and an error in 8.
    let (seven, eight) = ((0, "--- x\n".to_owned()), (1, String::new()));
    assert_eq!(run(None, &[]), eight);
    assert_eq!(run(None, &["--puppet-version", "7"]), seven);
    assert_eq!(run(Some("7"), &[]), seven);
    assert_eq!(run(Some("7"), &["--puppet-version", "8"]), eight);
    site.write("hieratic.toml", "puppet_version = \"7\"\n");
    assert_eq!(run(None, &[]), seven);
    assert_eq!(run(Some("8"), &[]), eight);
    assert_eq!(run(None, &["--puppet-version", "8"]), eight);
    // The repository decides how strict its answers are; flags decide before it.
    site.write("puppet.conf", "[main]\nstrict = error\n");
    assert_eq!(run(None, &[]), eight);
    assert_eq!(run(None, &["--strict", "warning"]), seven);
    site.write("puppet.conf", "[main]\nstrict = warning\n");
    assert_eq!(run(None, &["--puppet-version", "8"]), seven);
    for wrong in ["\"6\"", "6", "[\"7\"]"] {
        site.write("hieratic.toml", &format!("puppet_version = {wrong}\n"));
        assert_eq!(run(None, &[]), (2, String::new()), "{wrong}");
    }
    site.write("hieratic.toml", "");
    assert_eq!(run(Some("6"), &[]), (2, String::new()));
}
