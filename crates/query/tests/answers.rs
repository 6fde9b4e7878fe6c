//! Answers of queries, held against a plain loop of lookups.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use hieratic::facts::FactsFolder;
use hieratic::{Environment, Node, Permissions, Query, Redactor, Settings};
use hieratic_query::Format;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use support::{engine, examples, fleet, printed};

/// A row of `lookups` as a loop of lookups finds it.
#[derive(Clone, Debug)]
struct ExpectedRow {
    node: String,
    key: String,
    value: Option<Json>,
    is_error: bool,
}

/// Asks each node for each of its keys, one after the other.
fn loop_of_lookups(root: &Path, facts: &Path) -> Vec<ExpectedRow> {
    let settings = Settings { environment_dir: Some(root.to_owned()), once: true, ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let redactor = Redactor::new(environment.secrets(), false);
    let folder = FactsFolder::new(facts, &Permissions::default());
    let mut found = Vec::new();
    for file in folder.all().unwrap() {
        let facts = folder.node(&file).unwrap();
        let node: Node = environment.node(&facts).unwrap();
        for key in node.keys().unwrap() {
            let quoted = hieratic::lookup::quoted_key(&key);
            let answer = node.lookup_redacted(&Query { names: vec![&quoted], ..Query::default() });
            let value = match &answer {
                Ok(value) => {
                    let text = hieratic_output::json(&redactor.marked(value)).unwrap();
                    Some(serde_json::from_str(&text).unwrap())
                }
                Err(error) if error.code() == Node::NOT_FOUND => continue,
                Err(_) => None,
            };
            let name = facts.node().unwrap().to_owned();
            found.push(ExpectedRow { node: name, key: key.to_string(), value, is_error: answer.is_err() });
        }
    }
    found
}

/// A condition in SQL, and what it says of a row: true, false, or neither.
#[derive(Clone, Debug)]
enum Condition {
    Node(&'static str, Vec<u8>),
    Key(&'static str, Vec<u8>),
    Text(String),
    Number(&'static str, i64),
    Errs,
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    fn sql(&self) -> String {
        let list = |prefix: &str, numbers: &[u8]| {
            numbers.iter().map(|number| format!("'{prefix}{number}'")).collect::<Vec<_>>().join(", ")
        };
        let on = |column: &str, prefix: &str, how: &str, numbers: &[u8]| match how {
            "in" => format!("{column} in ({})", list(prefix, numbers)),
            "not in" => format!("{column} not in ({})", list(prefix, numbers)),
            "like" => format!("{column} like '{prefix}{}%'", numbers[0]),
            "upper" => format!("upper({column}) = upper('{prefix}{}')", numbers[0]),
            operator => format!("{column} {operator} '{prefix}{}'", numbers[0]),
        };
        match self {
            Condition::Node(how, numbers) => on("node", "n", how, numbers),
            Condition::Key(how, numbers) => on("key", "k", how, numbers),
            Condition::Text(text) => format!("text = '{text}'"),
            Condition::Number(operator, number) => format!("number {operator} {number}"),
            Condition::Errs => "error is not null".to_owned(),
            Condition::Not(inner) => format!("not ({})", inner.sql()),
            Condition::And(one, other) => format!("({}) and ({})", one.sql(), other.sql()),
            Condition::Or(one, other) => format!("({}) or ({})", one.sql(), other.sql()),
        }
    }

    fn holds(&self, row: &ExpectedRow) -> Option<bool> {
        let on = |text: &str, prefix: &str, how: &str, numbers: &[u8]| {
            let named: Vec<String> = numbers.iter().map(|number| format!("{prefix}{number}")).collect();
            match how {
                "in" => named.iter().any(|name| name == text),
                "not in" => named.iter().all(|name| name != text),
                "like" => text.starts_with(&named[0]),
                "<" => text < named[0].as_str(),
                ">=" => text >= named[0].as_str(),
                "<>" => text != named[0],
                _ => text == named[0],
            }
        };
        match self {
            Condition::Node(how, numbers) => Some(on(&row.node, "n", how, numbers)),
            Condition::Key(how, numbers) => Some(on(&row.key, "k", how, numbers)),
            Condition::Text(text) => row.value.as_ref()?.as_str().map(|value| value == text),
            Condition::Number(operator, number) => row.value.as_ref()?.as_f64().map(|value| match *operator {
                ">" => value > *number as f64,
                _ => value == *number as f64,
            }),
            Condition::Errs => Some(row.is_error),
            Condition::Not(inner) => inner.holds(row).map(|holds| !holds),
            Condition::And(one, other) => match (one.holds(row), other.holds(row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Condition::Or(one, other) => match (one.holds(row), other.holds(row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    let how = || prop::sample::select(vec!["=", "<>", "in", "not in", "like", "<", ">=", "upper"]);
    let numbers = || prop::collection::vec(0u8..14, 1..4);
    let leaf = prop_oneof![
        3 => (how(), numbers()).prop_map(|(how, numbers)| Condition::Node(how, numbers)),
        3 => (how(), numbers()).prop_map(|(how, numbers)| Condition::Key(how, numbers)),
        1 => prop::sample::select(vec!["x", "z0", "1"]).prop_map(|text| Condition::Text(text.to_owned())),
        1 => (prop::sample::select(vec!["=", ">"]), 0i64..3).prop_map(|(how, number)| Condition::Number(how, number)),
        1 => Just(Condition::Errs),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(inner.into())),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| Condition::And(one.into(), other.into())),
            (inner.clone(), inner).prop_map(|(one, other)| Condition::Or(one.into(), other.into())),
        ]
    })
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

/// The rows of a query, as values of JSON on lines.
fn rows(engine: &hieratic_query::Engine, sql: &str) -> Vec<String> {
    printed(engine, sql, Format::Ndjson).unwrap().lines().map(str::to_owned).collect()
}

fn check(engine: &hieratic_query::Engine, all: &[ExpectedRow], condition: &Condition, origins: bool) {
    let columns = if origins { "node, key, value, secret" } else { "node, key, value" };
    let requested = rows(engine, &format!("select {columns} from lookups where {}", condition.sql()));
    let requested = requested.iter().map(|line| {
        let row: Json = serde_json::from_str(line).unwrap();
        let value = row["value"].as_str().map(|text| serde_json::from_str::<Json>(text).unwrap());
        json!([row["node"], row["key"], value]).to_string()
    });
    let expected = all.iter().filter(|row| condition.holds(row) == Some(true));
    let expected = expected.map(|row| json!([row.node, row.key, row.value]).to_string());
    assert_eq!(sorted(requested.collect()), sorted(expected.collect()), "{}", condition.sql());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn queries_equal_a_loop_of_lookups(
        seed in 0u64..1_000,
        conditions in prop::collection::vec((condition(), any::<bool>()), 1..6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fleet(&root, seed, 13);
        let all = loop_of_lookups(&root, &root.join("facts"));
        let engine = engine(&root, &root.join("facts"));
        for (condition, origins) in &conditions {
            check(&engine, &all, condition, *origins);
        }
    }
}

#[test]
fn the_example_has_the_rows_of_a_loop_of_lookups() {
    let (root, facts) = (examples("control-repo"), examples("facts"));
    let all = loop_of_lookups(&root, &facts);
    assert!(all.len() > 5, "{all:?}");
    check(&engine(&root, &facts), &all, &Condition::Errs, true);
    check(&engine(&root, &facts), &all, &Condition::Not(Condition::Errs.into()), false);
}

#[test]
fn joins_and_groups_are_those_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path(), 7, 40);
    let facts = folder.path().join("facts");
    let all = loop_of_lookups(folder.path(), &facts);
    let engine = engine(folder.path(), &facts);
    let role = |node: &str| std::fs::read_to_string(facts.join(format!("{node}.yaml"))).unwrap()[6..8].to_owned();
    let mut expected: Vec<String> = all
        .iter()
        .filter(|row| role(&row.node) == "r1" && row.key.as_str() < "k4")
        .map(|row| format!("{{\"node\":\"{}\",\"key\":\"{}\"}}", row.node, row.key))
        .collect();
    expected.sort();
    assert!(!expected.is_empty());
    for sql in [
        "select l.node, key from lookups l join facts f using (node) where f.path = 'role' and f.text = 'r1' and key < 'k4'",
        "select node, key from lookups where node in (select node from facts where path = 'role' and text = 'r1') and key < 'k4'",
        "select l.node, l.key from facts f, lookups l where l.node = f.node and f.path = 'role' and f.value = '\"r1\"' and l.key < 'k4'",
    ] {
        assert_eq!(sorted(rows(&engine, sql)), expected, "{sql}");
    }
    let counted = rows(&engine, "select count(*) as rows, count(distinct node) as nodes from lookups");
    let nodes: std::collections::BTreeSet<&str> = all.iter().map(|row| row.node.as_str()).collect();
    assert_eq!(counted, [format!("{{\"rows\":{},\"nodes\":{}}}", all.len(), nodes.len())]);
}
