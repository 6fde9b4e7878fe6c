//! The ten questions of `docs/table.md`, and the functions that they use.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use hieratic_query::{Format, Kind};
use support::{engine, example, examples, printed, table, write};

/// The questions as the guide has them, for the table `lookups`.
fn questions() -> Vec<String> {
    let guide = std::fs::read_to_string(examples("../docs/table.md")).unwrap();
    let (_, rest) = guide.split_once("## Ten questions").unwrap();
    let (_, rest) = rest.split_once("```sql\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let parts = block.split("\n-- ").map(|part| part.split_once('\n').unwrap().1);
    parts.map(|sql| sql.trim().trim_end_matches(';').replace("'fleet.parquet'", "lookups")).collect()
}

/// The example repository, with nodes in two roles. Two nodes have a port of their own.
fn fleet(root: &Path) {
    let copy = |from: &str| {
        let text = std::fs::read_to_string(examples("control-repo").join(from)).unwrap();
        write(root, from, &text);
    };
    ["hiera.yaml", "data/common.yaml", "data/roles/web.yaml"].into_iter().for_each(copy);
    let common = std::fs::read_to_string(root.join("data/common.yaml")).unwrap();
    write(root, "data/common.yaml", &format!("{common}broken::key: \"%{{lookup('no::such')}}\"\n"));
    for node in 0..30 {
        let role = if node % 3 == 0 { "web" } else { "db" };
        write(root, &format!("facts/n{node:02}.yaml"), &format!("role: {role}\nos: {{family: Debian}}\n"));
    }
    for node in ["n03", "n04"] {
        write(root, &format!("data/nodes/{node}.yaml"), "profile::web::port: 9090\nonly::here: 1\n");
    }
}

#[test]
fn the_ten_questions_have_answers() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let questions = questions();
    assert_eq!(questions.len(), 10);
    let expected = [
        "value,nodes\n80,28\n9090,2\n",
        "node,value\nn03,9090\nn04,9090\n",
        "file,line,level,nodes\ndata/common.yaml,16,Common,28\ndata/nodes/n03.yaml,1,Node,1\ndata/nodes/n04.yaml,1,Node,1\n",
        "key,error,nodes\n",
        "node\n",
        "file,nodes\ndata/common.yaml,10\ndata/roles/web.yaml,10\n",
        "role,value,nodes\ndb,80,19\ndb,9090,1\nweb,80,9\nweb,9090,1\n",
        "key,answers\nprofile::base::packages,2\nprofile::web::port,2\nprofile::web::vhosts,2\nbroken::key,1\nonly::here,1\nprofile::web::workers,1\nsite::contact,1\nsite::domain,1\n",
        "key\nbroken::key\nsite::contact\nsite::domain\n",
        "module,level,answers\nprofile,Common,68\nsite,Common,60\nbroken,Common,30\nprofile,Role,10\nprofile,Node,2\nonly,Node,2\n",
    ];
    for (sql, expected) in questions.iter().zip(expected) {
        let found = printed(&engine, sql, Format::Csv).unwrap_or_else(|fault| panic!("{sql}: {fault}"));
        // Rows with the same number are in any order.
        assert_eq!(sorted(&found), sorted(expected), "{sql}");
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn the_mode_is_the_most_frequent_value() {
    let engine = example();
    let mode = |values: &str| {
        let sql = format!("select mode(column1) as m from (values {values})");
        printed(&engine, &sql, Format::Ndjson).unwrap()
    };
    assert_eq!(mode("('a'), ('b'), ('b'), (null), (null), (null)"), "{\"m\":\"b\"}\n");
    // The smallest of several.
    assert_eq!(mode("('c'), ('b'), ('c'), ('b'), ('d')"), "{\"m\":\"b\"}\n");
    assert_eq!(mode("(10), (9), (10), (9)"), "{\"m\":9}\n");
    assert_eq!(mode("(1.5), (2.5), (2.5)"), "{\"m\":2.5}\n");
    assert_eq!(mode("(true), (false), (true)"), "{\"m\":true}\n");
    assert_eq!(printed(&engine, "select mode(line) as m from lookups where key = 'no'", Format::Csv).unwrap(), "m\n\n");
}

#[test]
fn json_has_parts() {
    let engine = example();
    let part = |expression: &str| {
        let sql = format!("select {expression} as p");
        printed(&engine, &sql, Format::Csv).unwrap().lines().nth(1).unwrap_or_default().to_owned()
    };
    let json = r#"'{"a": {"b": [1, "x", null]}, "c.d": "e"}'"#;
    assert_eq!(part(&format!("{json}->>'c.d'")), "e");
    assert_eq!(part(&format!("{json}->>'a.b.1'")), "x");
    assert_eq!(part(&format!("{json}->'a'->'b'->0")), "1");
    assert_eq!(part(&format!("{json}->'a'->'b'->>-2")), "x");
    assert_eq!(part(&format!("({json}->'c.d')")), "\"\"\"e\"\"\"");
    assert_eq!(part(&format!("({json}->>'nosuch') is null")), "true");
    assert_eq!(part(&format!("({json}->'a'->'b'->>2) is null")), "true");
    assert_eq!(part("(null->>'a') is null"), "true");
    let sql = "select unnest(from_json('[\"a\", {\"b\": 1}, null]', '[\"json\"]')) as p";
    assert_eq!(printed(&engine, sql, Format::Csv).unwrap(), "p\n\"\"\"a\"\"\"\n\"{\"\"b\"\":1}\"\nnull\n");
    let sql = "select unnest(from_json('[\"a\", 1]', '[\"varchar\"]')) as p";
    assert_eq!(printed(&engine, sql, Format::Csv).unwrap(), "p\na\n1\n");
    assert_eq!(part("from_json('{}', '[\"json\"]') is null"), "true");
}

#[test]
fn other_text_than_json_is_an_error() {
    let engine = example();
    let fault = |sql: &str| printed(&engine, sql, Format::Csv).unwrap_err();
    for (sql, message) in [
        ("select '{' ->> 'a'", "'{' is not JSON: EOF while parsing an object at line 1 column 1"),
        ("select from_json('x', '[\"json\"]')", "'x' is not JSON: expected value at line 1 column 1"),
        (
            "select from_json('[]', '{\"a\": \"json\"}')",
            "from_json does not know the structure {\"a\": \"json\"}: use '[\"json\"]' or '[\"varchar\"]'",
        ),
        (
            "select facts->>'role' = 'web' from lookups",
            "the step of ->> is a condition: write (json ->> 'key') in parentheses",
        ),
    ] {
        let fault = fault(sql);
        assert_eq!((fault.message.as_str(), fault.kind), (message, Kind::Failed), "{sql}");
    }
    assert!(table(&engine, "select facts->>'role' as role from lookups limit 1").contains("web"));
}
