//! Values for other programs: files of variables, the data source `external` of Terraform, external node classifiers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const DATA: &str = r#"
lookup_options:
  password: {convert_to: Sensitive}
classes: [ntp, "profile::base"]
parameters: {site: a, port: 80}
trusted: {cost_center: "7"}
password: not told
web::port: 80
web::names: ["a ${b}", "it's\n\"x\""]
web::limits: {cpu: 1.5, "mem ory": null}
web_port: 81
role::text: "for %{facts.role}"
"#;

fn site() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let hiera =
        "version: 5\nhierarchy:\n  - {name: Role, path: '%{facts.role}.yaml'}\n  - {name: All, path: common.yaml}\n";
    write("hiera.yaml", hiera);
    write("data/common.yaml", DATA);
    write("data/web.yaml", "classes: [nginx]\nweb::port: 8080\n");
    write("data/maps.yaml", "classes: {ntp: {servers: [a]}, nginx: null}\n");
    write("data/wrong.yaml", "classes: ntp\n");
    write("facts/web01.yaml", "role: web\n");
    folder
}

fn run(site: &Path, arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(site).env("XDG_CONFIG_HOME", "/nowhere");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn chosen_keys_are_files_of_variables() {
    let site = site();
    let lookup = |format: &str, keys: &[&str]| {
        let flags = ["--node", "web01", "--fact", "role=web", "--format", format];
        let (out, reported, status) = run(site.path(), &[&["lookup"], keys, &flags[..]].concat(), "");
        assert_eq!((reported.as_str(), status), ("", Some(0)), "{format}");
        out
    };
    let keys = ["web::port", "web::names", "web::limits", "role::text"];
    assert_eq!(
        lookup("tfvars", &keys),
        "web_port = 8080\nweb_names = [\"a $${b}\", \"it's\\n\\\"x\\\"\"]\nweb_limits = {\n  \"cpu\" = 1.5\n  \"mem ory\" = null\n}\nrole_text = \"for web\"\n"
    );
    let read: Value = serde_json::from_str(&lookup("tfvars.json", &keys)).unwrap();
    assert_eq!(read["web_limits"], json!({ "cpu": 1.5, "mem ory": null }));
    assert_eq!(lookup("env", &keys[..2]), "WEB_PORT='8080'\nWEB_NAMES='[\"a ${b}\",\"it'\\''s\\n\\\"x\\\"\"]'\n");
    assert_eq!(
        lookup("dotenv", &keys[..2]),
        "WEB_PORT='8080'\nWEB_NAMES=\"[\\\"a \\${b}\\\",\\\"it's\\\\n\\\\\\\"x\\\\\\\"\\\"]\"\n"
    );
    assert_eq!(lookup("properties", &["web::port", "role::text"]), "web.port=8080\nrole.text=for web\n");
    assert_eq!(
        lookup("toml", &["web::port", "web::names"]),
        "\"web::port\" = 8080\n\"web::names\" = [\"a ${b}\", \"\"\"\nit's\n\"x\"\"\"\"]\n"
    );
    // A shell reads what it was given.
    let assignments = lookup("env", &["web::names"]);
    let shell = Command::new("sh").args(["-c", &format!("{assignments}printf %s \"$WEB_NAMES\"")]).output().unwrap();
    assert_eq!(String::from_utf8(shell.stdout).unwrap(), "[\"a ${b}\",\"it's\\n\\\"x\\\"\"]");
}

#[test]
fn a_file_of_variables_is_whole_or_not_there() {
    let site = site();
    for (arguments, message) in [
        (&["web::port", "no::such", "--format", "env"][..], "no::such"),
        (&["web::port", "web_port", "--format", "tfvars"], "would have the same name, web_port"),
        (&["web::limits", "--format", "toml"], "TOML has no such value"),
        (&["password", "--format", "tfvars"], "the value of 'password' is secret"),
        (&["--all", "--format", "env"], "the value of 'password' is secret"),
        (&["web::port", "--format", "tfvars", "--explain"], "is a format of values"),
        (&["web::port", "--format", "ini"], "for files of variables tfvars, tfvars.json, env"),
    ] {
        let (out, reported, status) = run(site.path(), &[&["lookup"], arguments, &["--node", "n"]].concat(), "");
        assert!(out.is_empty() && reported.contains(message) && status == Some(1), "{arguments:?}: {out}{reported}");
    }
    let reported = run(site.path(), &["lookup", "password", "--format", "env", "--reveal", "--node", "n"], "");
    assert_eq!(reported, ("PASSWORD='not told'\n".to_owned(), String::new(), Some(0)));
}

#[test]
fn terraform_is_answered_in_strings() {
    let site = site();
    let ask = |query: &Value, flags: &[&str]| {
        let (out, reported, status) = run(site.path(), &[&["external"], flags].concat(), &query.to_string());
        assert_eq!((reported.as_str(), status), ("", Some(0)), "{query}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let single = ask(&json!({ "key": "web::port", "node": "web01", "fact.role": "web" }), &[]);
    assert_eq!(single, json!({ "value": "8080", "json": "8080" }));
    let text = ask(&json!({ "key": "role::text", "node": "a", "facts": "{\"role\": \"db\"}" }), &[]);
    assert_eq!(text, json!({ "value": "for db", "json": "\"for db\"" }));
    let several = json!({ "keys": "web::port, web::limits", "node": "web01" });
    let expected = json!({ "web::port": "8080", "web::limits": "{\"cpu\":1.5,\"mem ory\":null}" });
    assert_eq!(ask(&several, &["--facts", "facts"]), expected);
    assert_eq!(
        ask(&json!({ "keys": "[\"classes\"]", "merge": "first", "node": "web01" }), &["--facts", "facts"]),
        json!({ "classes": "[\"nginx\"]" })
    );
    assert_eq!(ask(&json!({ "key": "no::such", "default": "x" }), &["--node", "n"])["value"], json!("x"));
    assert_eq!(ask(&json!({ "key": "password" }), &["--node", "n", "--reveal"])["value"], json!("not told"));
    for (query, message) in [
        ("", "the query is empty"),
        ("{", "is not JSON"),
        ("{\"key\": \"a\", \"node\": \"\"}", "the name of the node is empty"),
        ("{\"key\": \"a\", \"environment\": \"../../etc\"}", "an environment cannot have the name '../../etc'"),
        ("{\"key\": \"a\", \"fact.a=b\": \"c\"}", "the fact 'a=b' has an equals sign in its name"),
        ("{\"key\": \"a\", \"fact.a..b\": \"c\"}", "the fact 'a..b' has an empty part"),
        ("{\"key\": \"a\", \"fact.os\": \"b\", \"fact.os.family\": \"c\"}", "'os' and 'os.family' exclude each other"),
        ("{\"key\": \"a\", \"fact.os.family\": \"c\", \"fact.os\": \"b\"}", "'os' and 'os.family' exclude each other"),
        ("[]", "not an object of strings"),
        ("{}", "names no key"),
        ("{\"key\": 1}", "'key' of the query is not a string"),
        ("{\"key\": \"a\", \"keys\": \"b\"}", "`key` and `keys`"),
        ("{\"keys\": \" \"}", "is empty"),
        ("{\"keys\": \"[1]\"}", "not a list of strings"),
        ("{\"kye\": \"a\"}", "unknown name 'kye'"),
        ("{\"key\": \"a\", \"facts\": \"[]\"}", "'facts' of the query is not an object"),
        ("{\"key\": \"a\", \"merge\": \"deeper\"}", "deeper"),
        ("{\"key\": \"password\"}", "is secret"),
        ("{\"key\": \"no::such\"}", "no::such"),
        ("{\"key\": \"web::prot\"}", "did you mean one of 'web::port', 'web_port'?"),
    ] {
        let (out, reported, status) = run(site.path(), &["external", "--node", "n"], query);
        assert!(out.is_empty() && reported.contains(message) && status == Some(1), "{query}: {out}{reported}");
    }
}

#[test]
fn a_server_gets_classes_and_parameters() {
    let site = site();
    let enc = |arguments: &[&str]| run(site.path(), &[&["enc"], arguments].concat(), "");
    let (out, reported, status) =
        enc(&["web01", "--facts", "facts", "--parameters", "parameters", "--agent-environment", "test"]);
    let expected =
        "---\nclasses:\n- nginx\n- ntp\n- profile::base\nparameters:\n  site: a\n  port: 80\nenvironment: test\n";
    assert_eq!((out.as_str(), reported.as_str(), status), (expected, "", Some(0)));
    let (out, ..) = enc(&["n", "--fact", "role=maps"]);
    assert_eq!(out, "---\nclasses:\n  ntp:\n    servers:\n    - a\n  nginx:\n");
    assert_eq!(enc(&["n", "--trusted-external", "trusted"]).0, "{\"cost_center\":\"7\"}\n");
    for (arguments, message) in [
        (&["n", "--fact", "role=wrong"][..], "has to be a list of names, or a hash, but it is a string"),
        (&["n", "--classes", "web::port"], "it is a number"),
        (&["n", "--classes", "no::such"], "no::such"),
        (&["n", "--classes", "clases"], "did you mean 'classes'?"),
        (&["n", "--classes", "password"], "is secret"),
        (&["n", "--trusted-external", "classes"], "has to be a hash"),
        (&["n", "--node", "m"], "--node cannot be used with enc"),
    ] {
        let (out, reported, status) = enc(arguments);
        assert!(out.is_empty() && reported.contains(message) && status == Some(1), "{arguments:?}: {out}{reported}");
    }
}
