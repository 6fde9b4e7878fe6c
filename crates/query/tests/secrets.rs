//! Secrets are redacted before SQL sees them: no column shows them, and no condition tells what they are.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use hieratic::Limits;
use hieratic_query::{Engine, Format};
use support::{open_fleet, printed, table, write};

const PLAIN: &str = "correct-horse-battery-staple";

fn repository(root: &Path) {
    write(root, "hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    let options = "lookup_options:\n  '^secret.*': {convert_to: Sensitive}\n";
    let data = format!("{options}secret: {PLAIN}\nsecret_port: 54321\nsecrets: {{inner: {PLAIN}}}\nopen: 1\n");
    write(root, "data/common.yaml", &data);
    write(root, "facts/n1.yaml", "role: web\n");
}

fn engine(root: &Path, reveal: bool) -> Engine {
    Engine::new(open_fleet(root, &root.join("facts"), reveal), Limits::default()).unwrap()
}

#[test]
fn no_column_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), false);
    for format in [Format::Table, Format::Ndjson, Format::Csv, Format::Json] {
        for table in ["nodes", "facts", "lookups", "levels", "files", "findings"] {
            let text = printed(&engine, &format!("select * from {table}"), format).unwrap();
            assert!(!text.contains("staple") && !text.contains("54321"), "{table}: {text}");
        }
        let untraced = printed(&engine, "select key, value, text, integer, number from lookups", format).unwrap();
        assert!(!untraced.contains("staple") && !untraced.contains("54321"), "{untraced}");
    }
    let secrets = "select key, text, integer, secret from lookups order by key";
    insta::assert_snapshot!(table(&engine, secrets));
}

#[test]
fn no_condition_reveals_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), false);
    for condition in [
        "value like '%staple%'",
        "text like 'c%'",
        "text = 'correct-horse-battery-staple'",
        "length(text) = 28",
        "value = '\"correct-horse-battery-staple\"'",
        "integer = 54321",
        "number > 50000",
        "regexp_like(value, 'horse')",
        "strpos(value, 'battery') > 0",
    ] {
        for columns in ["key", "key, secret"] {
            let rows = printed(&engine, &format!("select {columns} from lookups where {condition}"), Format::Csv);
            assert_eq!(rows.unwrap().lines().count(), 1, "{columns} {condition}");
        }
    }
    let order = "select max(text) from lookups where key = 'secret'";
    assert!(!table(&engine, order).contains("staple"));
    let cast = printed(&engine, "select cast(text as int) from lookups where key = 'secret'", Format::Csv).unwrap_err();
    assert!(!cast.to_string().contains("staple"), "{cast}");
}

#[test]
fn revealed_secrets_are_values_like_others() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), true);
    let rows =
        table(&engine, "select key, secret from lookups where text like '%staple' or integer = 54321 order by key");
    assert_eq!(rows, "key          secret\n-----------  ------\nsecret       true\nsecret_port  true\n");
}
