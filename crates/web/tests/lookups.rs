//! Requests and answers of lookups.

use std::fs;

use hieratic_web::lookups::answer;

/// A control repository in a new folder.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let levels = "  - {name: Node, path: '%{trusted.certname}.yaml'}\n  - {name: Common, path: common.yaml}\n";
    write("hiera.yaml", &format!("version: 5\nhierarchy:\n{levels}"));
    write(
        "data/common.yaml",
        "port: 80\nlist: [a]\nname: '%{facts.role}'\nloop: \"%{lookup('loop')}\"\nvia: \"%{lookup('port')}\"\n",
    );
    write("data/web01.yaml", "port: 8080\nlist: [b]\n");
    folder
}

fn ask(request: &str) -> String {
    let folder = repository();
    answer(folder.path(), request.as_bytes()).replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn a_value_depends_on_the_node_and_its_facts() {
    assert_eq!(ask(r#"{"method": "lookup", "key": "port", "node": "web01"}"#), r#"{"value":8080}"#);
    assert_eq!(ask(r#"{"method": "lookup", "key": "port", "node": "db01"}"#), r#"{"value":80}"#);
    let of_role = r#"{"method": "lookup", "key": "name", "node": "db01", "facts": {"role": "db"}}"#;
    assert_eq!(ask(of_role), r#"{"value":"db"}"#);
}

#[test]
fn options_change_the_answer() {
    let merged = r#"{"method": "lookup", "key": "list", "node": "web01", "merge": "unique"}"#;
    assert_eq!(ask(merged), r#"{"value":["b","a"]}"#);
    let default = r#"{"method": "lookup", "key": "nothing", "node": "web01", "default": [1]}"#;
    assert_eq!(ask(default), r#"{"value":[1]}"#);
    let typed = ask(r#"{"method": "lookup", "key": "port", "node": "web01", "type": "String"}"#);
    assert!(typed.contains(r#""error""#) && typed.contains("String"), "{typed}");
}

#[test]
fn keys_and_reasons_are_reported() {
    let keys = ask(r#"{"method": "keys", "node": "web01"}"#);
    assert_eq!(keys, r#"{"value":["list","loop","name","port","via"]}"#);
    let why = ask(r#"{"method": "why", "key": "port", "node": "web01"}"#);
    assert!(why.contains(r#""level":"Node""#) && why.contains(r#""file":"FOLDER/data/web01.yaml","line":1"#), "{why}");
}

#[test]
fn failures_have_a_code_and_help() {
    let missing = ask(r#"{"method": "lookup", "key": "prot", "node": "web01"}"#);
    assert!(missing.starts_with(r#"{"error":{"code":"key-not-found","#), "{missing}");
    let endless = ask(r#"{"method": "lookup", "key": "loop", "node": "web01"}"#);
    assert!(endless.contains(r#""error""#), "{endless}");
    let limited = ask(r#"{"method": "lookup", "key": "via", "node": "web01", "limits": {"steps": 1}}"#);
    assert!(limited.contains("more than 1 steps"), "{limited}");
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    for (request, reason) in [
        ("", "not JSON"),
        ("[]", "is an object"),
        ("{}", "no 'method'"),
        (r#"{"method": "lookup"}"#, "no 'key'"),
        (r#"{"method": "write", "key": "a"}"#, "unknown method 'write'"),
        (r#"{"method": "lookup", "key": 1}"#, "'key' is not a string"),
        (r#"{"method": "lookup", "key": "a", "facts": []}"#, "'facts' is not an object"),
        (r#"{"method": "lookup", "key": "a", "shade": 1}"#, "no 'shade'"),
        (r#"{"method": "lookup", "key": "a", "limits": {"shade": 1}}"#, "shade"),
        (r#"{"method": "lookup", "key": "a", "type": "Integer["}"#, "'type'"),
    ] {
        let answer = ask(request);
        assert!(answer.starts_with(r#"{"error":"#) && answer.contains(reason), "{request}: {answer}");
    }
}
