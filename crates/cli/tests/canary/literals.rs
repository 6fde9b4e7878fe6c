//! What equals a secret by coincidence, where texts are searched: literals of code stay, and no structure changes.

use std::fs;

use serde_json::{Value as Json, json};

use crate::repository::run;

const COVER: &str = "Sensitive [value redacted]";
const NOTE: &str = "note: text that equals a secret was redacted";

const DATA: &str =
    "lookup_options: {'^s': {convert_to: Sensitive}}\ns1: root\ns2: '15432'\ns3: hunter-Tw0-long\nopen: root\n";

const CODE: &str = r#"
$secret = lookup('s1')
$plain = $secret.unwrap
$number = lookup('s2').unwrap
class profile::root($owner = 'root') {
  file { '/root/.x': owner => $owner, group => $plain, mode => "${owner}", content => "user root\n" }
}
include profile::root
user { 'root': password => $secret, comment => $plain, groups => ['root', $plain, 'ro'] }
define d($h) { }
d { 'x': h => {'root' => 'root', 'list' => [$plain, 'root', 15432]} }
d { 'y': h => {"${plain}" => 1, "${number}" => 2, 'a' => 3} }
d { 'z': h => {$secret => 1, 'a' => 3} }
notify { 'copied': message => 'hunter-Tw0-long', withpath => lookup('s3').unwrap }
notify { 'data': message => lookup('open') }
$shut = 'prod'
notify { 'shut': message => Sensitive($shut) }
notify { "for ${plain}": }
"#;

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("data")).unwrap();
    fs::create_dir_all(root.join("manifests")).unwrap();
    fs::write(root.join("hiera.yaml"), "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n").unwrap();
    fs::write(root.join("data/common.yaml"), DATA).unwrap();
    fs::write(root.join("manifests/site.pp"), CODE).unwrap();
    folder
}

/// Returns the output of the command as JSON, and its messages.
fn run_json(arguments: &[&str]) -> (Json, String) {
    let folder = repository();
    let arguments = [arguments, &["--node", "n", "--environment-dir", "."]].concat();
    let output = run(folder.path(), &arguments, None);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    (serde_json::from_slice(&output.stdout).unwrap(), message)
}

#[test]
fn literals_of_code_stay_in_catalogs() {
    let (catalog, message) = run_json(&["catalog"]);
    assert_eq!(message.matches(NOTE).count(), 1, "{message}");
    let parameters = |kind: &str, title: &str| -> Json {
        let all = catalog["resources"].as_array().unwrap();
        let found = all.iter().find(|one| one["type"] == kind && one["title"] == title);
        found.unwrap_or_else(|| panic!("{kind}[{title}] in {catalog}"))["parameters"].clone()
    };
    assert_eq!(
        parameters("File", "/root/.x"),
        json!({"owner": "root", "group": COVER, "mode": COVER, "content": "user root\n"})
    );
    assert_eq!(
        parameters("User", "root"),
        json!({"password": COVER, "comment": COVER, "groups": ["root", COVER, "ro"]})
    );
    assert_eq!(parameters("D", "x"), json!({"h": {"root": "root", "list": [COVER, "root", COVER]}}));
    assert_eq!(parameters("D", "y"), json!({"h": {COVER: 1, format!("{COVER} (2)"): 2, "a": 3}}));
    assert_eq!(parameters("D", "z"), json!({"h": COVER}));
    assert_eq!(parameters("Class", "Profile::Root"), json!({"owner": "root"}));
    // A secret that is no word was copied into the code, and nobody knows where an open value has come from.
    assert_eq!(parameters("Notify", "copied"), json!({"message": COVER, "withpath": COVER}));
    assert_eq!(parameters("Notify", "data"), json!({"message": COVER}));
    assert_eq!(parameters("Notify", "shut"), json!({"message": COVER}));
    parameters("Notify", &format!("for {COVER}"));
}

#[test]
fn searching_loses_no_entry() {
    let code = "$s = lookup('s1').unwrap $n = lookup('s2').unwrap \
                [{'root' => 1, \"${n}\" => 2, 'b' => [$s, 15432, 'ro'], 15432 => 3}, {'root' => 1}]";
    for language in [&["eval", "-e", code, "--render-as", "json"][..], &["eval", "-e", code, "--render-as", "report"]] {
        let (answer, message) = run_json(language);
        let value = if answer.is_array() { answer } else { answer["json"].clone() };
        assert_eq!(value[0].as_object().unwrap().len(), 4, "{value}");
        assert_eq!(value[0]["b"], json!([COVER, COVER, "ro"]));
        assert_eq!(value[1], json!({COVER: 1}));
        assert_eq!(message.matches(NOTE).count(), 1, "{message}");
    }
    let hcl = "{ (hiera(\"open\")) = 1, \"a\" = hiera(\"s2\"), \"15432\" = 15432, \"x\" = hiera(\"s1\") }";
    let (value, _) = run_json(&["eval", "--language", "hcl", "-e", hcl, "--render-as", "json"]);
    assert_eq!(value.as_object().unwrap().len(), 4, "{value}");
    // What holds no secret says nothing.
    let (_, message) = run_json(&["eval", "-e", "[lookup('s1'), 'other']", "--render-as", "json"]);
    assert!(!message.contains(NOTE), "{message}");
}
