//! What is refused, and what is said of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use hieratic::Limits;
use hieratic::diagnostics::{Code, render};
use hieratic_query::{Engine, Fault, Format, Kind};
use support::{example, examples, open_fleet, printed};

const CODE: Code = Code::new("query", "A test");

fn fault(engine: &Engine, sql: &str) -> Fault {
    match printed(engine, sql, Format::Ndjson) {
        Ok(rows) => panic!("{sql} has rows: {rows}"),
        Err(fault) => fault,
    }
}

/// What a person sees.
fn message(engine: &Engine, sql: &str) -> String {
    let fault = fault(engine, sql);
    let text = render::human(&fault.diagnostic(CODE, sql), &render::Style::default());
    format!("{:?}: {sql}\n{text}\n", fault.kind)
}

#[test]
fn statements_that_do_more_than_ask_are_refused() {
    let engine = example();
    let statements = [
        "create external table t stored as csv location '/etc/passwd'",
        "create table t as select * from lookups",
        "create or replace view v as select 1",
        "create schema s",
        "create function f(x int) returns int return x",
        "copy (select * from lookups) to '/tmp/lookups.csv'",
        "copy lookups to 'lookups.parquet'",
        "insert into lookups values ('a')",
        "update lookups set value = '1'",
        "delete from lookups",
        "truncate table lookups",
        "drop table lookups",
        "alter table lookups add column x int",
        "set datafusion.execution.batch_size = 1",
        "reset datafusion.execution.batch_size",
        "show all",
        "prepare p as select 1",
        "execute p",
        "begin",
        "analyze table lookups",
        "vacuum",
        "load data inpath '/etc/passwd' into table lookups",
        "select * into t from lookups",
        "explain copy lookups to 'lookups.parquet'",
        "explain analyze insert into lookups values ('a')",
        "with recursive t as (select 1 as n union all select n + 1 from t) select * from t",
        "select 1; select 2",
    ];
    for statement in statements {
        let fault = fault(&engine, statement);
        assert!(matches!(fault.kind, Kind::Refused | Kind::Syntax), "{statement}: {:?} {fault}", fault.kind);
    }
    insta::assert_snapshot!(statements.map(|statement| message(&engine, statement)).join("\n"));
}

#[test]
fn files_and_addresses_are_no_tables() {
    let engine = example();
    let file = examples("control-repo").join("data/common.yaml");
    for table in ["/etc/passwd", &file.display().to_string(), "https://example.com/a.csv", "a.parquet", "s3://a/b.csv"]
    {
        for sql in [format!("select * from '{table}'"), format!("select * from \"{table}\"")] {
            assert_eq!(fault(&engine, &sql).kind, Kind::Name, "{sql}");
        }
    }
    for sql in [
        "select * from read_csv('/etc/passwd')",
        "select * from read_parquet('a')",
        "select getenv('HOME')",
        "select * from lookups, read_json('/etc/passwd')",
        "select @@version",
    ] {
        assert!(printed(&engine, sql, Format::Csv).is_err(), "{sql}");
    }
}

#[test]
fn errors_name_their_place_and_a_suggestion() {
    let engine = example();
    let faults = [
        "",
        "select",
        "select key form lookups where",
        "select * from lookup",
        "select * from hieratic.main.nodez",
        "select * from nothing_like_it",
        "select kye, value from lookups",
        "select l.filename from lookups l",
        "select node from lookups join facts on lookups.key = facts.path",
        "select uper(key) from lookups",
        "select key,\n       lenth(value)\nfrom lookups",
        "select sum(text) from lookups",
        "select key from lookups where number = [1]",
        "select 1 / 0",
        "select cast(text as int) from lookups where text is not null",
        "select * from lookups where cast(key as int) = 1",
        "select * from nodes order by 7",
        "select key, count(*) from lookups",
        "select (select key from lookups) from nodes",
    ];
    insta::assert_snapshot!(faults.map(|sql| message(&engine, sql)).join("\n"));
}

#[test]
fn queries_end_at_their_limits() {
    let (root, facts) = (examples("control-repo"), examples("facts"));
    let limits = |change: &str| {
        let mut limits = Limits::default();
        limits.set(change).unwrap();
        Engine::new(open_fleet(&root, &facts, false), limits).unwrap()
    };
    let tables = |count: u32| (0..count).map(|index| format!("lookups t{index}")).collect::<Vec<_>>().join(", ");
    let endless = &format!("select count(*) from {}", tables(12));
    let slow = fault(&limits("time=1"), endless);
    assert_eq!((slow.kind, slow.to_string().as_str()), (Kind::Limit, "the query takes longer than 1 seconds"));
    let large = fault(
        &limits("bytes=1000000"),
        &format!("select count(distinct concat(t0.key, t1.key, t2.key, t3.key, t4.key, t5.key)) from {}", tables(6)),
    );
    assert_eq!(large.kind, Kind::Limit, "{large}");
    let engine = example();
    let many = vec!["select node from lookups"; 65].join(" union all ");
    assert_eq!(fault(&engine, &many).to_string(), "the query reads more than 64 tables");
    let long = format!("select '{}'", "x".repeat(128 << 10));
    assert_eq!(fault(&engine, &long).kind, Kind::Limit);
    let deep = format!("select {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(fault(&engine, &deep).kind, Kind::Syntax);
    for chain in [vec!["key = 'a'"; 9_000].join(" or "), vec!["1"; 60_000].join("+")] {
        let fault = fault(&engine, &format!("select key from lookups where {chain}"));
        assert_eq!(fault.to_string(), "expressions nest deeper than 1000 levels");
    }
    let wide = vec!["key = 'site::domain'"; 990].join(" or ");
    let rows = printed(&engine, &format!("select key from lookups where {wide}"), Format::Csv).unwrap();
    assert_eq!(rows, "key\r\nsite::domain\r\n");
}

#[test]
fn failed_nodes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.yaml"), "role: web\n").unwrap();
    std::fs::write(folder.path().join("bad.yaml"), "role: [\n").unwrap();
    let engine = support::engine(&examples("control-repo"), folder.path());
    let rows = printed(&engine, "select node from lookups where key = 'site::domain'", Format::Csv).unwrap();
    assert_eq!(rows, "node\r\ngood\r\n");
    let faults = engine.fleet().faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].place.ends_with("bad.yaml"), "{faults:?}");
}

#[test]
fn a_fleet_without_nodes_says_so() {
    let mut fleet = open_fleet(&examples("control-repo"), &examples("facts"), false);
    fleet.nodes = Box::new(|| Err("no nodes are named".to_owned()));
    let engine = Engine::new(fleet, Limits::default()).unwrap();
    assert_eq!(fault(&engine, "select * from lookups").to_string(), "no nodes are named");
    assert!(printed(&engine, "select * from files", Format::Csv).is_ok());
}
