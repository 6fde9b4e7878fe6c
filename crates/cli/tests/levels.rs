//! Levels that are not asked, what answers for them, and what else `lookup` tells beside its answer.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::folder::folder_of as site;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", "/nowhere");
    command
}

/// What the command prints on standard output, and on standard error.
fn run(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = command(folder, arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

const LOOKUP: [&str; 5] = ["lookup", "--confdir", "/no-such-folder", "--node", "web01.example.com"];

fn lookup(folder: &TempDir, arguments: &[&str]) -> (String, String) {
    run(folder.path(), &[&LOOKUP[..], arguments].concat())
}

const VAULT: &str = "version: 5\nhierarchy:\n  - {name: Vault, lookup_key: hiera_vault, options: {address: \"%{nope}\"}}\n  - {name: Custom, data_hash: hiera_custom}\n  - {name: Common, path: common.yaml}\n";

#[test]
fn levels_of_other_systems_are_skipped() {
    let site = site(&[("hiera.yaml", VAULT), ("data/common.yaml", "a: 1\nb: \"%{lookup('secret')}x\"\n")]);
    let (answer, reported) = lookup(&site, &["a"]);
    assert_eq!(answer, "--- 1\n");
    assert!(
        reported.contains("The level 'Vault' was not asked: hiera_vault reads the data of another system"),
        "{reported}"
    );
    assert!(reported.contains("The level 'Custom' was not asked"), "{reported}");
    let (answer, reported) = lookup(&site, &["secret"]);
    assert_eq!(answer, "");
    assert!(reported.contains("whether the key exists is not known here: the levels 'Vault'"), "{reported}");
    // A default, and the rest of a string, are answers, and are told to be uncertain.
    for arguments in [&["secret", "--default", "d"][..], &["b"], &["--all"], &["a", "--each"], &["a", "--why"]] {
        let (answer, reported) = lookup(&site, arguments);
        assert!(
            !answer.is_empty() && reported.contains("[level-not-asked]") || reported.contains("was not asked"),
            "{reported}"
        );
    }
    let (_, reported) = run(site.path(), &["eval", "--node", "n", "-e", "lookup('secret')"]);
    assert!(reported.contains("not known here") && reported.contains("was not asked"), "{reported}");
    let (explained, _) = lookup(&site, &["a", "--explain"]);
    assert!(explained.contains("Not asked: hiera_vault reads the data of another system"), "{explained}");
    let (_, reported) = lookup(&site, &["a", "--message-format", "json"]);
    assert!(reported.contains(r#""code":"level-not-asked""#), "{reported}");
    // What a level further up answers does not depend on it.
    fs::write(
        site.path().join("hiera.yaml"),
        VAULT
            .replace("  - {name: Vault", "  - {name: Top, path: common.yaml}\n  - {name: Vault")
            .replace("{name: Common, path", "{name: Last, path"),
    )
    .unwrap();
    assert_eq!(lookup(&site, &["a"]), ("--- 1\n".into(), String::new()));
}

#[test]
fn a_file_or_nothing_answers_for_a_function() {
    let files = [
        ("hiera.yaml", VAULT),
        ("data/common.yaml", "a: 1\n"),
        (
            "hieratic.yaml",
            "version: 1\nbackends:\n  hiera_vault: {file: vault.yaml, secret: true}\n  hiera_custom: {file: none.json}\n",
        ),
        ("vault.yaml", "secret: \"s-%{facts.clientcert}\"\nh: {x: 1}\n"),
    ];
    let site = site(&files);
    assert_eq!(lookup(&site, &["secret"]), ("--- s-web01.example.com\n".into(), String::new()));
    assert_eq!(lookup(&site, &["h.x"]).0, "--- 1\n");
    let (origins, _) = lookup(&site, &["secret", "--origins"]);
    assert!(origins.contains("redacted") && origins.contains("vault.yaml:1"), "{origins}");
    let (_, reported) = lookup(&site, &["nothing"]);
    assert!(!reported.contains("not asked"), "{reported}");
    for (settings, error) in [
        ("{file: a.yaml, command: x}", "'command' is for executables"),
        ("{file: 5}", "'file' cannot be 5"),
        ("{file: a.yaml, secret: 1}", "'secret' cannot be 1"),
        ("{secret: true}", "expected a `command` or a `file`"),
    ] {
        fs::write(site.path().join("hieratic.yaml"), format!("version: 1\nbackends:\n  hiera_vault: {settings}\n"))
            .unwrap();
        let (_, reported) = lookup(&site, &["a"]);
        assert!(reported.contains(error), "{reported}");
    }
}

#[test]
fn levels_are_left_out_by_name() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Top, path: top.yaml}\n  - {name: Common, path: common.yaml}\n";
    let site = site(&[("hiera.yaml", hiera), ("data/top.yaml", "a: top\n"), ("data/common.yaml", "a: common\n")]);
    let (answer, reported) = lookup(&site, &["a", "--without-level", "Top"]);
    assert_eq!(answer, "--- common\n");
    assert!(reported.contains("The level 'Top' was not asked: it was left out"), "{reported}");
    let (answer, reported) = lookup(&site, &["a", "--without-level", "Tpo"]);
    assert!(
        answer.is_empty() && reported.contains("no hierarchy has a level 'Tpo'") && reported.contains("'Top'"),
        "{reported}"
    );
    // The service would refuse the address.
    let serve = ["serve", "--listen", "0.0.0.0:0"];
    for verb in [&["catalog", "--node", "n"][..], &["compare", "n", "m"], &["eval", "-e", "1"], &["check", "."], &serve]
    {
        let (_, reported) = run(site.path(), &[verb, &["--without-level", "Tpo"]].concat());
        assert!(reported.contains("no hierarchy has a level 'Tpo'"), "{verb:?}: {reported}");
    }
    // Outside of any environment there is nothing to misspell.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("a.pp"), "$a = 1\n").unwrap();
    let (_, reported) = run(elsewhere.path(), &["check", "a.pp", "--without-level", "Tpo"]);
    assert!(!reported.contains("Tpo"), "{reported}");
    let (checked, reported) = run(site.path(), &["check", ".", "--without-level", "Top"]);
    assert!(
        checked.contains("left out by --without-level") && !reported.contains("no hierarchy"),
        "{checked}{reported}"
    );
    fs::write(site.path().join("hieratic.toml"), "without-levels = [\"Top\"]\n").unwrap();
    assert_eq!(run(site.path(), &["lookup", "--node", "n", "a"]).0, "--- common\n");
    // A setting is for all environments.
    fs::write(site.path().join("hieratic.toml"), "without-levels = [\"Top\", \"Elsewhere\"]\n").unwrap();
    let (_, reported) = run(site.path(), &["check", "."]);
    assert!(!reported.contains("no hierarchy has a level"), "{reported}");
    let (checked, _) = run(site.path(), &["check", "."]);
    assert!(checked.contains("left out by --without-level"), "{checked}");
}

#[test]
fn decrypted_values_can_be_sensitive_and_have_defaults() {
    let keys = tempfile::tempdir().unwrap();
    run(keys.path(), &["secret", "createkeys"]);
    let (encrypted, _) = run(keys.path(), &["secret", "encrypt", "-s", "pa55word", "-o", "string"]);
    let data = format!(
        "pw: {encrypted}\nurl: \"db://%{{lookup('pw')}}@h\"\nlist: [a, \"{}\"]\nplain: open\n",
        encrypted.trim()
    );
    let level = |options: &str| {
        format!(
            "version: 5\nhierarchy:\n  - name: S\n    lookup_key: eyaml_lookup_key\n    path: s.eyaml\n    options: {{pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem{options}}}\n"
        )
    };
    let site = site(&[("hiera.yaml", &level(", sensitive: true")), ("data/s.eyaml", &data)]);
    let code = |code: &str| run(site.path(), &["eval", "--node", "n", "-e", code]).0;
    let kinds = "[pw, url, list, plain].map |$k| { type(lookup($k), generalized) }";
    super::support::copy(&keys.path().join("keys"), &site.path().join("keys"));
    assert_eq!(code(kinds).trim(), "[Sensitive[String], Sensitive[String], Sensitive[Array[String]], String]");
    assert_eq!(code("lookup(url).unwrap == 'db://pa55word@h'").trim(), "true");
    fs::write(site.path().join("hiera.yaml"), level("")).unwrap();
    assert_eq!(code(kinds).trim(), "[String, String, Array[String[1, 8]], String]");
    fs::write(site.path().join("hieratic.toml"), "sensitive-secrets = true\n").unwrap();
    assert!(code(kinds).starts_with("[Sensitive[String], "));
    // Without the key.
    fs::remove_dir_all(site.path().join("keys")).unwrap();
    fs::write(site.path().join("hiera.yaml"), level(", decryption_default: {none: here}")).unwrap();
    let (answer, reported) = lookup(&site, &["list", "--render-as", "json"]);
    assert_eq!(answer.trim(), r#"["a",{"none":"here"}]"#);
    assert!(reported.contains("A value was not decrypted") && reported.contains("s.eyaml:4"), "{reported}");
}

#[test]
fn missing_keys_are_reported_briefly() {
    let keys: String = (0..200).map(|n| format!("profile::key_{n}: {n}\n")).collect();
    let site = site(&[("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"), ("data/c.yaml", &keys)]);
    let names: Vec<String> = (0..100).map(|n| format!("profile::keys_{n}")).collect();
    let arguments: Vec<&str> = ["--each"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let (_, reported) = lookup(&site, &arguments);
    assert_eq!(reported.matches("did not find a value").count(), 100);
    assert_eq!(reported.matches("looked in").count(), 1, "{reported}");
    assert_eq!(reported.matches("did you mean").count(), 20);
}

#[test]
fn an_unknown_variable_is_reported_with_its_place() {
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("data/c.yaml", "a: 1\nb: {c: \"%{nope}\"}\n"),
    ];
    let site = site(&files);
    let (_, reported) = lookup(&site, &["b", "--puppet-version", "7"]);
    assert!(
        reported.starts_with("Warning: Undefined variable 'nope'; \n") && reported.contains("data/c.yaml:2:8"),
        "{reported}"
    );
    let (_, reported) = lookup(&site, &["b", "--puppet-version", "7", "--message-format", "json"]);
    assert!(reported.contains(r#""line":2,"column":8"#), "{reported}");
    let (_, reported) = lookup(&site, &["b", "--explain", "--puppet-version", "7"]);
    assert!(reported.contains("The first interpolation that gave an empty string: '%{nope}'"), "{reported}");
}

#[test]
fn removed_functions_have_successors() {
    let folder = tempfile::tempdir().unwrap();
    for (code, advice) in [
        ("validate_array([1])", "give the parameter the type `Array`"),
        ("is_hash({})", "`$value =~ Hash`"),
        ("has_key({}, 'a')", "`'key' in $hash`"),
    ] {
        let (_, reported) = run(folder.path(), &["eval", "-e", code]);
        assert!(reported.contains("stdlib 9 removed") && reported.contains(advice), "{reported}");
    }
}

#[test]
fn a_watched_answer_comes_again() {
    let site = site(&[("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"), ("data/c.yaml", "a: 1\n")]);
    let arguments = [&LOOKUP[..], &["a", "--watch"]].concat();
    let mut child = command(site.path(), &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert_eq!(next(), "--- 1");
    // The first write may come before the files are looked at: its time then is the file's.
    std::thread::sleep(std::time::Duration::from_millis(300));
    fs::write(site.path().join("data/c.yaml"), "a: 22\n").unwrap();
    assert_eq!(next(), "--- 22");
    fs::write(site.path().join("data/c.yaml"), "a: 333\n").unwrap();
    assert_eq!(next(), "--- 333");
    child.kill().unwrap();
    child.wait().unwrap();
}
