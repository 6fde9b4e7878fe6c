//! The command as a user meets it: what the recorded cases do not show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A control repository in a folder of its own.
struct Repository(tempfile::TempDir);

/// What a command printed.
struct Output {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

const HIERA: &str =
    "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n  - {name: C, path: c.yaml}\n";

impl Repository {
    fn new(files: &[(&str, &str)]) -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        for (name, text) in files {
            repository.write(name, text.as_bytes());
        }
        repository
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn lookup(&self, arguments: &[&str]) -> Output {
        self.run(&[&["lookup", "--confdir", "/no-such-folder", "--node", "web01.example.com"], arguments].concat())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output =
            Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(self.path()).output().unwrap();
        let text = |bytes: &[u8]| {
            String::from_utf8_lossy(bytes).replace(&self.path().canonicalize().unwrap().display().to_string(), "{root}")
        };
        Output { status: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

#[test]
fn inside_a_control_repository_no_path_is_needed() {
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/b.yaml", "k: v\n")]);
    let output = repository.lookup(&["k"]);
    assert_eq!((output.status, output.stdout.as_str()), (Some(0), "--- v\n"), "{}", output.stderr);
}

#[test]
fn origins_go_through_every_merge() {
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "h:\n  x:\n    one: 1\nl: [a]\nt: '%{lookup(\"l.0\")}!'\nal: '%{alias(\"h\")}'\n"),
        ("data/b.yaml", "h:\n  x:\n    two: 2\n  y: [p]\nl: [b, a]\n"),
        ("data/c.yaml", "lookup_options:\n  h: {merge: deep}\n  l: {merge: unique}\nh:\n  y: [q]\n"),
    ]);
    insta::assert_snapshot!(repository.lookup(&["h", "--origins"]).stdout, @r#"
    h.y.0 = "q"  # data/c.yaml:5
    h.y.1 = "p"  # data/b.yaml:4
    h.x.two = 2  # data/b.yaml:3
    h.x.one = 1  # data/a.yaml:3
    "#);
    insta::assert_snapshot!(repository.lookup(&["l", "t", "al", "--each", "--origins"]).stdout, @r#"
    l.0 = "a"     # data/a.yaml:4
    l.1 = "b"     # data/b.yaml:5
    t = "a!"      # data/a.yaml:5
    al.y.0 = "q"  # data/c.yaml:5
    al.y.1 = "p"  # data/b.yaml:4
    al.x.two = 2  # data/b.yaml:3
    al.x.one = 1  # data/a.yaml:3
    "#);
    insta::assert_snapshot!(repository.lookup(&["l", "--origins", "--render-as", "json"]).stdout, @r#"{"value":["a","b"],"origins":[{"path":[0],"value":"a","file":"{root}/data/a.yaml","line":4,"column":5},{"path":[1],"value":"b","file":"{root}/data/b.yaml","line":5,"column":5}]}"#);
}

#[test]
fn a_key_that_is_missing_is_helped() {
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/b.yaml", "ntp::servers: []\n")]);
    let output = repository.lookup(&["ntp::server"]);
    assert_eq!((output.status, output.stdout.as_str()), (Some(1), ""));
    for part in ["did not find a value for the name 'ntp::server'", "did you mean 'ntp::servers'?", "  data/b.yaml"] {
        assert!(output.stderr.contains(part), "{part}\n{}", output.stderr);
    }
}

#[test]
fn all_and_each_answer_more_than_one_key() {
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "b: 1\n"),
        ("data/b.yaml", "a.x: '%{lookup(\"b\")}'\nb: 2\n"),
    ]);
    assert_eq!(repository.lookup(&["--all", "--render-as", "json"]).stdout, "{\"a.x\":\"1\",\"b\":1}\n");
    let each = repository.lookup(&["b", "nope", "--each"]);
    assert_eq!((each.status, each.stdout.as_str()), (Some(1), "---\nb: 1\n"));
    assert!(each.stderr.contains("'nope'"));
    assert_eq!(repository.lookup(&["nope", "b"]).stdout, "--- 1\n");
}

#[test]
fn a_lost_knockout_is_named_and_a_strict_one_is_not_lost() {
    let options = "lookup_options:\n  l:\n    merge: {strategy: deep, knockout_prefix: '--'}\nl: [x, z]\n";
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "l: ['--x']\n"),
        ("data/b.yaml", "l: [y]\n"),
        ("data/c.yaml", options),
    ]);
    let output = repository.lookup(&["l"]);
    assert_eq!(output.stdout, "---\n- x\n- z\n- \"y\"\n");
    assert!(output.stderr.contains("The knockout '--x' of key 'l' was lost"), "{}", output.stderr);
    let strict = repository.lookup(&["l", "--strict-knockout"]);
    assert_eq!((strict.stdout.as_str(), strict.stderr.as_str()), ("---\n- z\n- \"y\"\n", ""));
    repository.write("data/c.yaml", options.replace("'--'}", "'--', strict_knockout: true}").as_bytes());
    assert_eq!(repository.lookup(&["l"]).stdout, "---\n- z\n- \"y\"\n");
}

#[test]
fn secrets_stay_out_of_explanations_and_errors() {
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        (
            "data/a.yaml",
            "lookup_options:\n  s: {convert_to: Sensitive}\n  bad: {convert_to: 'Sensitive[Integer]'}\ns: hunter2\nbad: hunter2\n",
        ),
    ]);
    for render in ["s", "json", "yaml"] {
        let hidden = repository.lookup(&["s", "--explain", "--render-as", render]);
        assert!(
            !hidden.stdout.contains("hunter2") && hidden.stdout.contains("Sensitive [value redacted]"),
            "{}",
            hidden.stdout
        );
        let shown = repository.lookup(&["s", "--explain", "--reveal", "--render-as", render]);
        assert!(shown.stdout.contains("hunter2"), "{}", shown.stdout);
    }
    let bad = repository.lookup(&["bad"]);
    assert!(bad.status == Some(1) && !bad.stderr.contains("hunter2"), "{}", bad.stderr);
    let typed = repository.lookup(&["s", "--type", "Enum[a]"]);
    assert!(typed.status == Some(1) && !typed.stderr.contains("hunter2"), "{}", typed.stderr);
}

#[test]
fn an_executable_answers_as_a_back_end() {
    let script = "#!/bin/sh\nwhile read -r line; do\n  id=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n  case \"$line\" in\n    *'\"key\":\"gone\"'*|*lookup_options*) echo \"{\\\"id\\\":$id,\\\"not_found\\\":true}\";;\n    *'\"key\":\"late\"'*) exec sleep 20;;\n    *'\"key\":\"bad\"'*) echo \"{\\\"id\\\":$id,\\\"error\\\":\\\"no such luck\\\"}\";;\n    *) echo \"{\\\"id\\\":$id,\\\"value\\\":\\\"from %{trusted.certname}\\\"}\";;\n  esac\ndone\n";
    let repository = Repository::new(&[
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: V, lookup_key: vault, options: {mount: kv}}\n"),
        ("hieratic.yaml", "version: 1\nbackends:\n  vault: {command: [sh, vault.sh], timeout: 1, interpolate: true}\n"),
        ("vault.sh", script),
    ]);
    let refused = repository.lookup(&["k"]);
    assert!(refused.status == Some(1) && refused.stderr.contains("--allow-programs"), "{}", refused.stderr);
    assert_eq!(repository.lookup(&["k", "--allow-programs"]).stdout, "--- from web01.example.com\n");
    assert_eq!(repository.lookup(&["gone", "--allow-programs"]).status, Some(1));
    let bad = repository.lookup(&["bad", "--allow-programs"]);
    assert!(bad.status == Some(1) && bad.stderr.contains("backend 'vault': no such luck"), "{}", bad.stderr);
    let late = repository.lookup(&["late", "--allow-programs"]);
    assert!(late.status == Some(1) && late.stderr.contains("no answer within 1 s"), "{}", late.stderr);
}

#[test]
fn bad_input_ends_in_a_clear_error_with_its_place() {
    let deep = format!("k: {}1{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let bomb: String = std::iter::once("a0: &a0 [x, x]\n".to_string())
        .chain((1..40).map(|n| format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1)))
        .chain(std::iter::once("k: 1\n".to_string()))
        .collect();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("data/a.yaml", b"k: [1\nx: 2\n".to_vec(), "a.yaml"),
        ("data/a.yaml", b"k: \xff\xfe\n".to_vec(), "a.yaml"),
        ("data/a.yaml", deep.into_bytes(), "a.yaml"),
        ("data/a.yaml", bomb.into_bytes(), "a.yaml"),
        ("data/a.yaml/x", b"".to_vec(), "Is a directory"),
        ("hiera.yaml", b"version: 5\nhierarchy:\n  - nme: A\n".to_vec(), "unrecognized key 'nme'"),
        ("hiera.yaml", b"version: [\n".to_vec(), "hiera.yaml"),
        ("facts.json", b"{\"a\": }".to_vec(), "facts.json"),
        ("facts.json", b"[1]".to_vec(), "only accepts yaml and json files"),
    ];
    for (file, bytes, expected) in cases {
        let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/b.yaml", "k: 2\n")]);
        repository.write(file, &bytes);
        let facts = repository.path().join("facts.json");
        let mut arguments = vec!["k"];
        if facts.exists() {
            arguments.extend(["--facts", "facts.json"]);
        }
        let output = repository.lookup(&arguments);
        assert_eq!(output.status, Some(1), "{file}: {expected}: {}", output.stdout);
        assert!(
            output.stderr.contains(expected) && output.stderr.contains("rror"),
            "{file}: {expected}\n{}",
            output.stderr
        );
        assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    }
}

#[test]
fn values_that_name_each_other_end() {
    let mut chain: String = (0..1200).map(|n| format!("k{n}: '%{{lookup(\"k{}\")}}'\n", n + 1)).collect();
    chain.push_str("k1200: end\nd0: '0123456789'\n");
    for n in 1..40 {
        chain.push_str(&format!("d{n}: '%{{lookup(\"d{}\")}}%{{lookup(\"d{}\")}}'\n", n - 1, n - 1));
    }
    chain.push_str("loop: '%{lookup(\"pool\")}'\npool: '%{lookup(\"loop\")}'\n");
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/a.yaml", &chain)]);
    assert_eq!(repository.lookup(&["k1100"]).stdout, "--- end\n");
    for (key, expected) in [("k0", "deep"), ("d39", "lookup"), ("loop", "Recursive lookup detected in [loop, pool]")] {
        let output = repository.lookup(&[key]);
        assert!(output.status == Some(1) && output.stderr.contains(expected), "{key}: {}", output.stderr);
    }
}

#[test]
fn messages_are_data_for_tools() {
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/a.yaml", "k: [1\n")]);
    let output = repository.lookup(&["k", "--message-format", "json"]);
    let line: serde_json::Value = serde_json::from_str(output.stderr.lines().next().unwrap()).unwrap();
    assert_eq!((line["severity"].as_str(), line["code"].as_str()), (Some("error"), Some("data-syntax")));
    assert!(line["labels"][0]["file"].as_str().unwrap().ends_with("data/a.yaml"), "{line}");
}

#[test]
fn strict_makes_an_unknown_variable_an_error() {
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/a.yaml", "k: 'x%{netwrking}'\n")]);
    for flags in [["--strict", "warning"], ["--puppet-version", "7"]] {
        let lenient = repository.lookup(&[&["k"], &flags[..]].concat());
        assert_eq!(lenient.stdout, "--- x\n");
        assert!(lenient.stderr.contains("Warning: Undefined variable 'netwrking'"), "{}", lenient.stderr);
    }
    assert_eq!(repository.lookup(&["k", "--strict", "off"]).stderr, "");
    for flags in [&[][..], &["--strict", "error"], &["--puppet-version", "7", "--strict", "error"]] {
        let strict = repository.lookup(&[&["k"], flags].concat());
        assert!(strict.status == Some(1) && strict.stderr.contains("did you mean 'networking'?"), "{}", strict.stderr);
    }
}

#[test]
fn strict_variables_hold_for_functions_that_are_back_ends() {
    let function =
        "function environment::d(Hash $options, Puppet::LookupContext $context) {\n  { 'a' => \"x${nosuch}\" }\n}\n";
    let repository = Repository::new(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: F, data_hash: 'environment::d'}\n  - {name: A, path: a.yaml}\n",
        ),
        ("functions/environment/d.pp", function),
        ("data/a.yaml", "b: 'x%{nosuch}'\n"),
        ("other.conf", "[main]\nstrict_variables = true\n"),
    ]);
    let lenient = ["a", "--puppet-version", "7"];
    assert_eq!(repository.lookup(&lenient).stdout, "--- x\n");
    assert_eq!(repository.lookup(&["a", "--no-strict_variables", "--strict", "warning"]).stdout, "--- x\n");
    let strict = repository.lookup(&["a"]);
    assert!(strict.stderr.contains("Unknown variable: 'nosuch'"), "{}", strict.stderr);
    for flags in [&["--strict_variables"][..], &["--config", "other.conf"]] {
        let strict = repository.lookup(&[&lenient, flags].concat());
        assert!(strict.stderr.contains("Unknown variable: 'nosuch'"), "{}", strict.stderr);
        assert_eq!(strict.status, Some(1));
    }
    assert_eq!(
        repository.lookup(&[&lenient, &["--strict_variables", "--no-strict_variables"][..]].concat()).stdout,
        "--- x\n"
    );
    assert_eq!(
        repository.lookup(&[&lenient, &["--config", "other.conf", "--no-strict_variables"][..]].concat()).stdout,
        "--- x\n"
    );
}

#[test]
fn a_function_of_the_environment_is_taken_from_its_own_folder_first() {
    let function = |text: &str| format!("function environment::d() {{ '{text}' }}\n");
    let mut files = vec![("functions/d.pp", function("beside")), ("functions/environment/d.pp", function("own"))];
    for expected in ["'own'\n", "'beside'\n"] {
        let texts: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
        let repository = Repository::new(&texts);
        assert_eq!(repository.run(&["eval", "-e", "environment::d()", "--environment-dir", "."]).stdout, expected);
        files.pop();
    }
}

#[test]
fn variables_in_data_are_not_strict() {
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/a.yaml", "k: 'x%{nosuch}'\n")]);
    assert_eq!(repository.lookup(&["k", "--strict_variables", "--strict", "warning"]).stdout, "--- x\n");
}

#[test]
fn the_global_layer_can_be_left_out() {
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "k: environment\n"),
        ("global/hiera.yaml", HIERA),
        ("global/data/a.yaml", "k: global\n"),
    ]);
    let global = ["k", "--hiera_config", "global/hiera.yaml"];
    assert_eq!(repository.lookup(&global).stdout, "--- global\n");
    let without = [&global[..], &["--data_binding_terminus", "none"]].concat();
    assert_eq!(repository.lookup(&without).stdout, "--- environment\n");
    let explained = repository.lookup(&[&without[..], &["--explain"]].concat());
    assert!(!explained.stdout.contains("Global"), "{}", explained.stdout);
}

#[test]
fn an_alias_of_nothing_comes_from_where_it_is_written() {
    let data = "k: \"%{alias('nosuch')}\"\nl: [1, \"%{alias('nosuch')}\"]\n";
    let repository = Repository::new(&[("hiera.yaml", HIERA), ("data/a.yaml", data)]);
    assert_eq!(repository.lookup(&["k", "--origins"]).stdout, "k = \"\"  # data/a.yaml:1\n");
    assert!(repository.lookup(&["l", "--origins"]).stdout.contains("l.1 = \"\"  # data/a.yaml:2\n"));
}

#[cfg(unix)]
#[test]
fn facter_tells_the_facts_of_this_machine_even_if_it_fails() {
    use std::os::unix::fs::PermissionsExt as _;
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "k: 'from %{role}'\n"),
        ("bin/facter", "#!/bin/sh\necho 'Permission denied' >&2\necho '{\"role\": \"facter\"}'\nexit 1\n"),
    ]);
    let facter = repository.path().join("bin/facter");
    fs::set_permissions(&facter, fs::Permissions::from_mode(0o755)).unwrap();
    let lookup = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
            .args(["lookup", "--confdir", "/no-such-folder", "k"])
            .args(arguments)
            .env("PATH", repository.path().join("bin"))
            .current_dir(repository.path())
            .output()
            .unwrap();
        // Pipes and files hold no note on what is asked.
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(lookup(&[]), ("--- from facter\n".into(), String::new()));
    assert_eq!(lookup(&["--node", "web01.example.com", "--strict", "off"]).0, "--- 'from '\n");
    fs::write(&facter, "#!/bin/sh\necho oops\n").unwrap();
    assert_eq!(lookup(&["--strict", "off"]).0, "--- 'from '\n");
}

/// Facter runs dozens of programs: only the verb that answers for this machine asks it. What judges, compares or rewrites never does.
#[cfg(unix)]
#[test]
fn no_other_verb_runs_a_program_for_facts() {
    use std::os::unix::fs::PermissionsExt as _;
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("environment.conf", "modulepath = modules\n"),
        ("data/a.yaml", "p::x: 1\n"),
        ("modules/p/manifests/init.pp", "class p($x) { }\n"),
        ("manifests/site.pp", "include p\n"),
        ("t.epp", "<%= $facts['role'] %>\n"),
        ("bin/facter", "#!/bin/sh\necho run >> \"$LOG\"\necho '{\"role\": \"facter\"}'\n"),
    ]);
    let path = repository.path();
    fs::set_permissions(path.join("bin/facter"), fs::Permissions::from_mode(0o755)).unwrap();
    let has_git = crate::git::init(path) && crate::git::commit(path, "one");
    let log = path.join(".git/log-of-facter");
    fs::create_dir_all(path.join(".git")).unwrap();
    let requested = |arguments: &[&str]| {
        let _ = fs::remove_file(&log);
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
            .args(arguments)
            .args(["--confdir", "/no-such-folder"])
            .env("PATH", path.join("bin"))
            .env("LOG", &log)
            .current_dir(path)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        (log.exists(), output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (ran, succeeded, reported) = requested(&["lookup", "p::x"]);
    assert!(ran && succeeded, "{reported}");
    let mut verbs: Vec<&[&str]> = vec![
        &["catalog"],
        &["eval", "-e", "1"],
        &["render", "t.epp"],
        &["repl"],
        &["schema"],
        &["types"],
        &["types", "--fact", "a=b"],
        &["refactor", "dedupe"],
        &["refactor", "rename", "p::x", "p::y"],
        &["refactor", "rename", "p::x", "p::y", "--fact", "a=b"],
        &["compare", "a.example.com", "b.example.com"],
        &["affected", "data/a.yaml"],
        &["affected", "data/a.yaml", "--fact", "a=b"],
    ];
    if has_git {
        verbs.extend::<[&[&str]; 3]>([&["diff", "HEAD"], &["diff", "HEAD", "--fact", "a=b"], &["history", "p::x"]]);
    }
    for arguments in verbs {
        let (ran, succeeded, reported) = requested(arguments);
        assert!(succeeded, "{arguments:?}: {reported}");
        assert!(!ran, "{arguments:?} ran facter");
    }
}

#[test]
fn several_facts_files_and_single_facts_are_laid_over_each_other() {
    let repository = Repository::new(&[
        ("hiera.yaml", HIERA),
        ("data/a.yaml", "k: '%{a}-%{b}-%{facts.os.family}-%{trusted.certname}-%{v}'\n"),
        ("one.json", "{\"a\": 1, \"b\": 1}"),
        ("two.yaml", "b: 2\n"),
    ]);
    let arguments = ["k", "--facts", "one.json", "--facts", "two.yaml", "--fact", "os.family=Suse", "--var", "v=3"];
    assert_eq!(repository.lookup(&arguments).stdout, "--- 1-2-Suse-web01.example.com-3\n");
}

#[test]
fn decrypted_values_stay_out_of_explanations_and_errors() {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hiera/config-eyaml");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
            .args([
                "lookup",
                "--confdir",
                "/no-such-folder",
                "--environmentpath",
                "environments",
                "--facts",
                "facts.json",
            ])
            .args(["--node", "web01.example.com"])
            .args(arguments)
            .current_dir(&scenario)
            .output()
            .unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    for key in ["pw", "quoted", "intext", "folded", "h", "interp", "via", "al", "two", "l", "mh", "sens", "h.pw"] {
        assert!(run(&[key, "--reveal", "--explain"]).contains("s3cret") || key == "interp", "{key}");
        for render in ["s", "json", "yaml"] {
            let shown = run(&[key, "--explain", "--render-as", render]);
            assert!(!shown.contains("s3cret") && !shown.contains("prod-secret"), "{key}: {shown}");
        }
        let shown = run(&[key, "--type", "Enum[x]"]);
        assert!(!shown.contains("s3cret") && shown.contains("rror"), "{key}: {shown}");
    }
}

/// In builds without SQL. The program is a shell's script here, which shows what it is given.
#[cfg(all(unix, not(feature = "query")))]
#[test]
fn a_program_beside_the_command_answers_queries() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let built = Path::new(env!("CARGO_BIN_EXE_hieratic"));
    let folder = tempfile::tempdir_in(built.parent().unwrap()).unwrap();
    let command = folder.path().join("hieratic");
    fs::hard_link(built, &command).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let program = |folder: &Path, mode: u32| {
        let path = folder.join("hieratic-query");
        fs::write(&path, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let query = || {
        let output = Command::new(&command)
            .args(["query", "select 1", "--limit", "steps=9"])
            .current_dir(elsewhere.path())
            .env("PATH", format!("{}:/usr/bin:/bin", elsewhere.path().display()))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };

    // Neither the working directory nor `PATH` is searched.
    program(elsewhere.path(), 0o755);
    let (status, printed, message) = query();
    assert_eq!((status, printed.as_str()), (Some(2), ""));
    assert!(message.contains("this build has no SQL") && message.contains("the package hieratic-query"), "{message}");

    let beside = program(folder.path(), 0o755);
    assert_eq!(query(), (Some(7), "<query><select 1><--limit><steps=9>".to_owned(), String::new()));

    program(folder.path(), 0o644);
    let (status, printed, message) = query();
    assert_eq!((status, printed.as_str()), (Some(1), ""));
    assert!(message.contains("cannot run") && message.contains("hieratic-query"), "{message}");

    // A link back to a build without SQL is not followed.
    fs::remove_file(&beside).unwrap();
    symlink("hieratic", &beside).unwrap();
    assert_eq!(query().0, Some(2));
}
