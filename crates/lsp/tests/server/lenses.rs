//! Lenses: how many nodes see a value, before and after edits.

use serde_json::json;

use crate::client::{Client, options, uri};
use crate::repository::create;

const COMMON: &str = "lookup_options:\n  c:\n    merge: deep\n  d:\n    convert_to: Integer\n  '^p_':\n    merge: unique\na: 1\nb: 2\nc: {x: 1}\nd: '4'\np_list: [1]\ni: '%{lookup(\"b\")}'\nn: ~\n";
const WEB: &str = "a: 10\nc: {y: 2}\nd: '5'\np_list: [2]\ni: 6\n";

fn started() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in [
        ("data/common.yaml", COMMON),
        ("data/roles/web.yaml", WEB),
        ("data/nodes/db01.yaml", "n: 7\n"),
        ("facts/web01.json", r#"{"role": "web"}"#),
        ("facts/app01.json", r#"{"role": "web"}"#),
        ("facts/db01.json", r#"{"role": "db"}"#),
    ] {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), text).unwrap();
    }
    let mut client = Client::with(&root, options(), json!({"facts": ["facts"]}));
    client.settle();
    (folder, client)
}

/// For each key of a file, how many nodes see its value.
fn counts(client: &mut Client, name: &str, text: &str) -> String {
    let context = json!({"textDocument": {"uri": uri(&client.path(name))}});
    let lenses = client.request("textDocument/codeLens", context);
    let counted = lenses.as_array().unwrap().iter().map(|lens| {
        let line = usize::try_from(lens["range"]["start"]["line"].as_u64().unwrap()).unwrap();
        let key = text.lines().nth(line).unwrap().split(':').next().unwrap();
        let title = lens["command"]["title"].as_str().unwrap();
        let count = if title.starts_with("no known node") { "0" } else { title.split(' ').next().unwrap() };
        format!("{key}={count}")
    });
    counted.collect::<Vec<_>>().join(" ")
}

#[test]
fn nodes_see_the_value_of_the_first_file_and_parts_of_merged_ones() {
    let (_folder, mut client) = started();
    client.open("data/common.yaml", COMMON);
    client.open("data/roles/web.yaml", WEB);
    client.settle();
    assert_eq!(counts(&mut client, "data/common.yaml", COMMON), "a=1 b=3 c=3 d=1 p_list=3 i=1 n=2");
    assert_eq!(counts(&mut client, "data/roles/web.yaml", WEB), "a=2 c=2 d=2 p_list=2 i=2");
    client.end();
}

#[test]
fn unsaved_files_count_at_once_and_after_their_check() {
    let (_folder, mut client) = started();
    client.open("data/common.yaml", COMMON);
    client.open("data/roles/web.yaml", WEB);
    client.settle();
    let edited = WEB.replace("a: 10\n", "b: 20\n").replace("c:", "lookup_options: {a: {merge: unique}}\nc:");
    client.replace("data/roles/web.yaml", 2, &edited);
    for _ in 0..2 {
        assert_eq!(counts(&mut client, "data/common.yaml", COMMON), "a=3 b=1 c=3 d=1 p_list=3 i=1 n=2");
        client.settle();
    }
    // A file that cannot be parsed hides the values from its nodes.
    client.replace("data/roles/web.yaml", 3, "a: [\n");
    for _ in 0..2 {
        assert_eq!(counts(&mut client, "data/common.yaml", COMMON), "a=1 b=1 c=1 d=1 p_list=1 i=1 n=0");
        client.settle();
    }
    // A file that did not exist is in the hierarchy of its node.
    client.replace("data/roles/web.yaml", 4, WEB);
    client.open("data/nodes/web01.yaml", "b: 3\n");
    for _ in 0..2 {
        assert_eq!(counts(&mut client, "data/common.yaml", COMMON), "a=1 b=2 c=3 d=1 p_list=3 i=1 n=2");
        client.settle();
    }
    client.end();
}
