//! What is looked up for a query: the keys and nodes that it needs, and no others.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use support::{count, engine, table, write};

/// Forty nodes in two roles that all differ, and twenty keys.
fn repository(root: &Path) {
    write(
        root,
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
    );
    let keys: String = (0..18).map(|key| format!("site::k{key}: {key}\n")).collect();
    write(root, "data/common.yaml", &format!("{keys}other::name: '%{{facts.name}}'\n"));
    write(root, "data/roles/web.yaml", "other::port: 80\nsite::k1: 100\n");
    for node in 0..40 {
        let role = if node < 7 { "web" } else { "db" };
        write(
            root,
            &format!("facts/n{node:02}.yaml"),
            &format!("role: {role}\nname: name{node}\nrack: {}\n", node % 10),
        );
    }
}

#[test]
fn only_needed_keys_of_needed_nodes_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let requested =
        |sql: &str| (count(&engine, sql, "LookupsExec", "nodes_asked"), count(&engine, sql, "LookupsExec", "lookups"));
    // Each node is a class: data mentions its name.
    assert_eq!(requested("select * from lookups"), (40, 33 * 19 + 7 * 20));
    assert_eq!(requested("select value from lookups where key = 'site::k3'"), (40, 40));
    assert_eq!(requested("select value from lookups where key in ('site::k3', 'other::port')"), (40, 47));
    assert_eq!(requested("select value from lookups where key like 'other::%'"), (40, 47));
    assert_eq!(requested("select value from lookups where key = 'no::such'"), (40, 0));
    assert_eq!(requested("select value from lookups where node = 'n03' and key = 'site::k3'"), (1, 1));
    assert_eq!(
        requested("select value from lookups where node in ('n03', 'n30') and starts_with(key, 'other')"),
        (2, 3)
    );
    assert_eq!(requested("select value from lookups where node > 'n37' and upper(key) = 'SITE::K3'"), (2, 2));
    // A condition on the value needs the lookups, those on key and node do not.
    assert_eq!(requested("select node from lookups where number = 100 and key = 'site::k1'"), (40, 40));
    assert_eq!(
        requested("select node from lookups where (key = 'site::k1' or key = 'site::k2') and node <= 'n01'"),
        (2, 4)
    );
}

#[test]
fn joins_ask_only_nodes_of_the_other_side() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), &folder.path().join("facts"));
    for sql in [
        "select l.node, l.number from lookups l join facts f using (node) where f.path = 'role' and f.text = 'web' and key = 'site::k1'",
        "select node, number from lookups where node in (select node from facts where path = 'role' and text = 'web') and key = 'site::k1'",
        "select l.node, l.number from facts f join lookups l on l.node = f.node where f.path = 'role' and f.text = 'web' and key = 'site::k1'",
        "select node, number from lookups join nodes using (node) where key = 'site::k1' and lookups.node < 'n07'",
    ] {
        assert_eq!(count(&engine, sql, "LookupsExec", "nodes_asked"), 7, "{sql}");
        assert_eq!(count(&engine, sql, "LookupsExec", "lookups"), 7, "{sql}");
        assert_eq!(table(&engine, &format!("select count(*) as n from ({sql})")), "n\n-\n7\n", "{sql}");
    }
}

#[test]
fn equal_nodes_are_looked_up_once() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    write(folder.path(), "data/common.yaml", "site::k1: 1\nsite::k2: 2\n");
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let sql = "select value from lookups";
    assert_eq!(count(&engine, sql, "LookupsExec", "classes"), 2);
    assert_eq!(count(&engine, sql, "LookupsExec", "lookups"), 2 + 3);
    let classes = table(&engine, "select count(distinct class) as classes, count(*) as nodes from nodes");
    assert_eq!(classes, "classes  nodes\n-------  -----\n      2     40\n");
}

#[test]
fn plans_list_the_lookups() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let step = |sql: &str| {
        let plan = engine.explain(sql).unwrap();
        plan.lines().find(|line| line.contains("LookupsExec")).unwrap().trim().to_owned()
    };
    let plans = [
        "select key from lookups",
        "select value from lookups where key in ('a', 'b')",
        "select value, line from lookups where key like 'site::%' and node in ('n01', 'n02', 'nosuch')",
        "select value from lookups where node like 'n0%' limit 3",
        "select l.value from lookups l join facts f using (node) where f.path = 'role' and f.text = 'web'",
    ];
    insta::assert_snapshot!(plans.map(|sql| format!("{sql}\n    {}\n", step(sql))).join("\n"));
}

#[test]
fn a_limit_ends_the_work() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    for node in 40..3_000 {
        write(folder.path(), &format!("facts/n{node}.yaml"), &format!("name: name{node}\n"));
    }
    let engine = engine(folder.path(), &folder.path().join("facts"));
    let rows = table(&engine, "select node, key from lookups limit 30000");
    assert_eq!(rows.lines().count(), 30_002);
    let rows = table(&engine, "select node from lookups limit 5");
    assert_eq!(rows.lines().count(), 7);
}
