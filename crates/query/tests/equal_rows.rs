//! Equal rows that are counted once, held against rows that are made one by one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use hieratic_query::{Engine, Format};
use support::{count, engine, fleet, printed, table};

/// A limit that no row reaches: below it, rows are not merged.
const ONE_BY_ONE: &str = "(select * from lookups limit 100000000)";

const MERGED: &[&str] = &[
    "select count(*) as n from lookups",
    "select count(*) as n from lookups where key = 'nosuch'",
    "select count(value) as n, count(error) as e, count(*) as all, count(1) as one from lookups",
    "select value, count(*) as n from lookups group by value order by n desc, value",
    "select value, count(*) as n from lookups where key = 'k1' group by value order by value",
    "select key, error, count(*) as n from lookups where error is not null group by all order by key, error",
    "select file, line, level, count(*) as n from lookups where key in ('k1', 'k3') group by all order by file, line, level",
    "select key, count(distinct value) as values, count(*) as n from lookups group by key order by key",
    "select key, min(value) as least, max(number) as most, mode(value) as mode, mode(integer) as i from lookups group by key order by key",
    "select mode(text) as t, mode(key) as k from lookups",
    "select count(*) filter (where value like '%1%') as n, count(value) filter (where key > 'k3') as m from lookups",
    "select upper(key) as u, length(value) as l, count(*) as n from lookups where length(value) > 1 group by all order by u, l",
    "select u, count(*) as n from (select upper(key) as u from lookups where value is not null) as x group by u order by u",
    "select count(distinct node) as n from lookups",
    "select node, count(*) as n from lookups group by node order by node",
    "select distinct node from lookups order by node",
    "select distinct module, level, secret from lookups order by module, level, secret",
    "select count(*) as n from lookups where node like 'n1%'",
    "select distinct node from lookups where node not in (select node from lookups where key = 'k1') order by node",
    "select node, count(*) as n from lookups where node in (select node from lookups where key = 'k1') group by node order by node",
    "select count(*) as n from lookups where key in (select key from lookups where error is not null)",
    "select key, count(*) as n from lookups group by key having count(distinct value) = 1
       and count(*) = (select count(distinct node) from lookups) order by key",
    "select facts->>'role' as role, count(*) as n from lookups group by role order by role",
];

/// Queries that need each row.
const SINGLE: &[&str] = &[
    "select key, sum(integer) as s, count(*) as n from lookups group by key order by key",
    "select avg(number) as a from lookups",
    "select node, value, count(*) as n from lookups group by all order by node, value, n",
    "select array_agg(value) as a from (select value from lookups where key = 'k1' order by value)",
    "select string_agg(value, ',' order by value) as a from lookups where key = 'k1'",
];

fn one_by_one(sql: &str) -> String {
    sql.replace("from lookups", &format!("from {ONE_BY_ONE}"))
}

fn merges(engine: &Engine, sql: &str) -> bool {
    engine.explain(sql).unwrap().contains("equal rows=counted")
}

#[test]
fn merged_rows_count_as_often_as_they_occur() {
    for seed in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        fleet(folder.path(), seed, 60);
        let engine = engine(folder.path(), &folder.path().join("facts"));
        for sql in MERGED {
            assert!(merges(&engine, sql), "{sql}\n{}", engine.explain(sql).unwrap());
            let single = one_by_one(sql);
            assert!(!merges(&engine, &single), "{single}");
            let expected = printed(&engine, &single, Format::Csv).unwrap();
            assert_eq!(printed(&engine, sql, Format::Csv).unwrap(), expected, "{seed}: {sql}");
        }
        for sql in SINGLE {
            assert!(!merges(&engine, sql), "{sql}");
            let expected = printed(&engine, &one_by_one(sql), Format::Csv).unwrap();
            assert_eq!(printed(&engine, sql, Format::Csv).unwrap(), expected, "{seed}: {sql}");
        }
    }
}

#[test]
fn an_aggregation_needs_a_row_for_each_answer() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path(), 3, 200);
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let all: usize = table(&engine, "select count(*) as n from lookups").lines().last().unwrap().parse().unwrap();
    let rows = |sql| count(&engine, sql, "LookupsExec", "output_rows");
    assert_eq!(rows("select sum(length(key)) as n from lookups"), all);
    let merged = rows("select level, count(*) as n from lookups group by level");
    assert!(merged * 4 < all, "{merged} of {all} rows");
    assert_eq!(rows("select distinct node from lookups"), 200);
}
