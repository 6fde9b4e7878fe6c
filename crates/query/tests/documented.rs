//! The page about queries: its columns are those of the tables, and its examples are true.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::path::Path;

use hieratic_query::Format;
use support::{example, printed, table};

fn page(name: &str) -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// The command that a block begins with, the query of it, and its other words.
fn command(block: &str) -> Option<(&str, &str, &str)> {
    let rest = block.strip_prefix("$ hieratic query ")?;
    let quote = rest.chars().next()?;
    let (sql, more) = rest[1..].split_once(quote)?;
    let more = more.lines().next().unwrap_or_default();
    let length = block.len() - rest.len() + 1 + sql.len() + 1 + more.len();
    Some((&block[..length], sql, more))
}

/// What a command of a page prints.
fn output(sql: &str, more: &str) -> String {
    let engine = example();
    if more.contains("--explain") {
        return engine.explain(sql).unwrap();
    }
    let format = more.split("--format ").nth(1).and_then(|rest| rest.split(' ').next());
    let format = format.map_or(Format::Table, |name| name.parse().unwrap());
    printed(&engine, sql, format).unwrap().replace('\r', "")
}

/// Compares the examples of a page, or renews them with `HIERATIC_UPDATE=1`.
#[test]
fn examples_are_true() {
    let (path, text) = page("query.md");
    let mut rows = String::new();
    let mut blocks = 0;
    for (index, part) in text.split("\n```").enumerate() {
        if index > 0 {
            rows.push_str("\n```");
        }
        let (kind, block) = part.split_once('\n').unwrap_or((part, ""));
        match command(block) {
            Some((command, sql, more)) if index % 2 == 1 && kind == "text" => {
                blocks += 1;
                rows.push_str(&format!("{kind}\n{command}\n{}", output(sql, more).trim_end()));
            }
            _ => rows.push_str(part),
        }
    }
    assert!(blocks > 4, "{blocks} examples");
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        fs::write(path, &rows).unwrap();
    } else {
        assert_eq!(text, rows, "run the test with HIERATIC_UPDATE=1 and read the difference");
    }
}

#[test]
fn columns_are_documented() {
    let (_, text) = page("query.md");
    let engine = example();
    let columns = printed(
        &engine,
        "select table_name, column_name from information_schema.columns where table_schema = 'main'
         order by table_name, ordinal_position",
        Format::Csv,
    );
    let mut documented = Vec::new();
    let mut table = "";
    let mut add = |table: &str, line: &str| {
        let Some((names, _)) = line.strip_prefix("| `").and_then(|row| row.split_once(" |")) else { return };
        documented.extend(names.split(", ").map(|name| format!("{table},{}", name.trim_matches('`'))));
    };
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### `") {
            table = name.trim_end_matches('`');
        } else if line.starts_with("## ") {
            table = "";
        }
        if !table.is_empty() {
            add(table, line);
        }
    }
    let (_, contract) = page("table.md");
    contract.lines().take_while(|line| *line != "## What a file says of its run").for_each(|line| add("lookups", line));
    documented.extend(["lookups,text".to_owned(), "lookups,number".to_owned()]);
    documented.sort_by_key(|row| row.split(',').next().unwrap().to_owned());
    assert_eq!(documented, columns.unwrap().lines().skip(1).map(str::to_owned).collect::<Vec<_>>());
}

#[test]
fn tables_describe_themselves() {
    let engine = example();
    // DataFusion lists tables in any order.
    let shown = table(&engine, "show tables");
    let (head, rows) = shown.lines().partition::<Vec<&str>, _>(|line| !line.starts_with("hieratic"));
    let rows: std::collections::BTreeSet<&str> = rows.into_iter().collect();
    let tables: Vec<&str> = head.into_iter().chain(rows).collect();
    insta::assert_snapshot!(format!("{}\n\n{}", tables.join("\n"), table(&engine, "describe lookups")));
}

/// The help of the command has examples, which only builds with SQL can answer.
#[test]
fn examples_of_the_help_have_answers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/examples.rs");
    let source = fs::read_to_string(source).unwrap().replace("\\\"", "\"");
    let (_, help) = source.split_once("const QUERY").unwrap();
    let (help, _) = help.split_once("pub(crate) const").unwrap();
    let engine = example();
    let mut count = 0;
    for part in help.split("  hieratic query ").skip(1) {
        let block = format!("$ hieratic query {part}");
        let Some((_, sql, _)) = command(&block) else { continue };
        count += 1;
        printed(&engine, sql, Format::Ndjson).unwrap_or_else(|fault| panic!("{sql}: {fault}"));
        engine.explain(sql).unwrap();
    }
    assert!(count > 4, "{count} examples");
}
