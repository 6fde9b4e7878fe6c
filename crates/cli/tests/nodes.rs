//! `--nodes` of verbs other than `lookup`: facts from all formats, and rows of `eval` and `job`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

const HIERA: &str =
    "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: All, path: common.yaml}\n";

const JOB: &str = "job \"web\" {\n  group \"g\" {\n    count = hiera(\"count\")\n    task \"t\" {\n      driver = \"docker\"\n    }\n  }\n}\n";

/// A repository with three nodes, as a folder and as lines.
fn site() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("hiera.yaml", HIERA);
    write("data/common.yaml", "count: 1\nport: 80\n");
    write("data/roles/web.yaml", "count: 3\nport: 8080\n");
    write("web.nomad.hcl", JOB);
    let mut lines = String::new();
    for (node, role) in [("db01", "db"), ("web01", "web"), ("web02", "web")] {
        write(&format!("facts/{node}.yaml"), &format!("role: {role}\n"));
        lines.push_str(&json!({ "certname": node, "facts": { "role": role } }).to_string());
        lines.push('\n');
    }
    write("fleet.ndjson", &lines);
    folder
}

fn run(site: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(site).env("XDG_CONFIG_HOME", "/nowhere");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn eval_has_a_row_for_each_node_in_every_language() {
    let site = site();
    let eval = |more: &[&str]| run(site.path(), &[&["eval", "--environment-dir", "."], more].concat());
    let expected = |name: &str| {
        let row = |node: &str, port: i64| json!({ "node": node, "value": [name, port] });
        vec![row("db01", 80), row("web01", 8080), row("web02", 8080)]
    };
    for nodes in ["facts", "fleet.ndjson"] {
        for code in [
            &["-e", "['it', lookup('port')]"][..],
            &["--language", "hcl", "-e", "[\"it\", hiera(\"port\")]"],
            &["--language", "unfurl", "--kind", "map", "-e", "[it, {eval: {lookup: {hiera: port}}}]"],
        ] {
            let (out, messages, status) = eval(&[code, &["--nodes", nodes]].concat());
            assert_eq!((rows(&out), messages.as_str(), status), (expected("it"), "", Some(0)), "{code:?}");
        }
    }
    // Variables and facts of flags hold for all nodes, parts make the whole, and a condition chooses.
    let with_flags = ["-e", "[$x, $facts['zone'], $facts['role']]", "--var", "x=1", "--fact", "zone=a"];
    let (out, ..) = eval(&[&with_flags[..], &["--nodes", "facts", "--where", "facts.role == 'db'"]].concat());
    assert_eq!(rows(&out), [json!({ "node": "db01", "value": [1, "a", "db"] })]);
    let part = |shard: &str| rows(&eval(&["-e", "1", "--nodes", "facts", "--shard", shard]).0);
    let mut parts = [part("1/2"), part("2/2")].concat();
    parts.sort_by_key(|row| row["node"].to_string());
    assert_eq!(parts, rows(&eval(&["-e", "1", "--nodes", "facts"]).0));
}

#[test]
fn rows_that_fail_say_why_and_where() {
    let site = site();
    let eval = |more: &[&str]| run(site.path(), &[&["eval", "--environment-dir", "."], more].concat());
    let code = "if $facts['role'] == 'db' {\n  fail('no')\n}\n1";
    let (out, messages, status) = eval(&["-e", code, "--nodes", "facts", "--output", "out.ndjson"]);
    assert_eq!((out.as_str(), messages.as_str(), status), ("", "1 row has an error instead of a value\n", Some(1)));
    let written = rows(&fs::read_to_string(site.path().join("out.ndjson")).unwrap());
    assert_eq!(written[0], json!({ "node": "db01", "error": written[0]["error"], "line": 2, "column": 3 }));
    assert!(written[0]["error"].as_str().unwrap().contains("no"), "{written:?}");
    assert_eq!(written[1..], [json!({ "node": "web01", "value": 1 }), json!({ "node": "web02", "value": 1 })]);
    let (out, _, status) = eval(&["--language", "hcl", "-e", "1 + nosuch()", "--nodes", "facts"]);
    assert!(rows(&out).iter().all(|row| row["error"].as_str().unwrap().contains("nosuch")), "{out}");
    assert_eq!((rows(&out)[0]["line"].as_i64(), status), (Some(1), Some(1)));
    // A broken line and a duplicate node have no row; both are reported with their lines.
    let lines = "{\"certname\":\"a\",\"facts\":{}}\n{\"certname\":\n{\"certname\":\"a\",\"facts\":{\"x\":1}}\n";
    fs::write(site.path().join("broken.ndjson"), lines).unwrap();
    let (out, messages, status) = eval(&["-e", "1", "--nodes", "broken.ndjson"]);
    assert_eq!((rows(&out), status), (vec![json!({ "node": "a", "value": 1 })], Some(1)));
    assert!(messages.contains("broken.ndjson:2: ") && messages.contains("broken.ndjson:3: the node a came before"));
    for (more, message) in [
        (&["--nodes", "facts", "--output", "out.csv"][..], "rows are NDJSON"),
        (&["--nodes", "facts", "--node", "web01"], "cannot be used with"),
        (&["--nodes", "facts", "--render-as", "json"], "cannot be used with"),
        (&["--nodes", "facts", "--catalog"], "hieratic catalog --all"),
        (&["--nodes", "facts", "--where", "facts.role == 'x'"], "no node is left"),
        (&["--nodes", "nothing"], "nothing"),
        (&["--shard", "1/2"], "required"),
    ] {
        let (out, messages, status) = eval(&[&["-e", "1"], more].concat());
        assert!(out.is_empty() && messages.contains(message) && status != Some(0), "{more:?}: {messages}");
    }
}

#[test]
fn secrets_are_covered_in_rows() {
    let site = site();
    let code = "[Sensitive('hunter2-hunter2'), 'x']";
    let eval = |more: &[&str]| run(site.path(), &[&["eval", "-e", code, "--environment-dir", "."], more].concat()).0;
    let redacted = eval(&["--nodes", "facts"]);
    assert!(!redacted.contains("hunter2") && redacted.lines().count() == 3, "{redacted}");
    assert!(eval(&["--nodes", "facts", "--reveal"]).contains("hunter2-hunter2"));
}

#[test]
fn jobs_have_the_data_of_each_node() {
    let site = site();
    let job = |more: &[&str]| run(site.path(), &[&["job", "web.nomad.hcl", "--environment-dir", "."], more].concat());
    let (out, messages, status) = job(&["--nodes", "fleet.ndjson"]);
    assert_eq!((messages.as_str(), status), ("", Some(0)));
    let found: Vec<(Value, Value)> =
        rows(&out).into_iter().map(|row| (row["node"].clone(), row["job"]["TaskGroups"][0]["Count"].clone())).collect();
    let expected = [("db01", 1), ("web01", 3), ("web02", 3)];
    assert_eq!(found, expected.map(|(node, count)| (json!(node), json!(count))));
    // Each is the job that its node alone has.
    let (alone, ..) = job(&["--facts", "fleet.ndjson", "--node", "web02"]);
    assert_eq!(rows(&out)[2]["job"], serde_json::from_str::<Value>(&alone).unwrap()["Job"]);
    // `--output` has a file here, and is the reference's flag without a value elsewhere.
    assert_eq!(job(&["--nodes", "facts", "--output", "jobs.ndjson"]).2, Some(0));
    assert_eq!(fs::read_to_string(site.path().join("jobs.ndjson")).unwrap(), out);
    let reference = run(site.path(), &["job", "-output", "--environment-dir", ".", "--node", "db01", "web.nomad.hcl"]);
    assert!(reference.0.contains("\"Count\": 1"), "{}", reference.0);
    fs::write(site.path().join("data/roles/web.yaml"), "count: many\n").unwrap();
    let (out, messages, status) = job(&["--nodes", "facts"]);
    assert_eq!((status, messages.as_str()), (Some(1), "2 rows have an error instead of a job\n"));
    let out = rows(&out);
    assert!(out[0].get("job").is_some() && out[1]["error"].as_str().unwrap().contains("web.nomad.hcl:3"), "{out:?}");
    let (_, messages, status) = job(&["--nodes", "facts", "--validate"]);
    assert!(messages.contains("--validate applies to a single job") && status == Some(1), "{messages}");
}

#[test]
fn other_verbs_take_facts_in_all_formats() {
    let site = site();
    let same = |arguments: &[&str]| {
        let with = |flag: &str, facts: &str| run(site.path(), &[arguments, &[flag, facts]].concat());
        let from_folder = with("--facts", "facts");
        assert_eq!(with("--nodes", "fleet.ndjson"), from_folder, "{arguments:?}");
        assert_eq!(with("--nodes", "facts"), from_folder, "{arguments:?}");
        from_folder
    };
    let affected = same(&["affected", "data/roles/web.yaml", "--format", "nodes"]);
    assert_eq!(affected.0, "web01\nweb02\n");
    fs::write(site.path().join("data/roles/gone.yaml"), "port: 1\n").unwrap();
    let (found, ..) = same(&["check", "--all-nodes", "--quiet"]);
    assert!(found.contains("gone.yaml"), "{found}");
    // A node of a file of many is named as one of a folder is.
    let one = |facts: &str, node: &str| {
        run(site.path(), &["lookup", "port", "--environment-dir", ".", "--facts", facts, "--node", node])
    };
    assert_eq!(one("fleet.ndjson", "web01").0, one("facts", "web01").0);
    assert!(one("fleet.ndjson", "nosuch").1.contains("fleet.ndjson has no facts of the node nosuch"));
    let twice = fs::read_to_string(site.path().join("fleet.ndjson")).unwrap().repeat(2);
    fs::write(site.path().join("twice.ndjson"), twice).unwrap();
    let (_, messages, status) = run(site.path(), &["affected", "data/common.yaml", "--nodes", "twice.ndjson"]);
    assert!(messages.contains("twice.ndjson:4: the node db01 came before") && status == Some(1), "{messages}");
    // Every verb treats them alike: the first facts answer, the other place is reported, and the status is 1.
    for arguments in [
        &["lookup", "port", "--environment-dir", ".", "--nodes"][..],
        &["eval", "-e", "1", "--nodes"],
        &["affected", "data/common.yaml", "--nodes"],
        &["types", "--nodes"],
        &["refactor", "dedupe", "--nodes"],
        &["check", ".", "--facts"],
        &["catalog", "--all", "--environment-dir", ".", "--facts"],
    ] {
        let (_, messages, status) = run(site.path(), &[arguments, &["twice.ndjson"]].concat());
        let repeated = messages.matches(" came before; its other facts are used").count();
        assert_eq!((repeated, status), (3, Some(1)), "{arguments:?}: {messages}");
    }
    let one = |facts: &str| {
        run(site.path(), &["lookup", "port", "--environment-dir", ".", "--node", "db01", "--facts", facts])
    };
    let (answer, messages, status) = one("twice.ndjson");
    assert!(messages.contains("twice.ndjson:4: the node db01 came before"), "{messages}");
    assert_eq!((answer, status), (one("fleet.ndjson").0, Some(1)));
    fs::write(site.path().join("facts/db01.yaml"), "role: other").unwrap();
    fs::write(site.path().join("facts/db01.json"), r#"{"role": "db"}"#).unwrap();
    let (_, messages, status) = one("facts");
    assert!(messages.contains("facts/db01.yaml: the node db01 came before") && status == Some(1), "{messages}");
}

#[test]
fn a_fact_that_no_node_has_is_an_error() {
    let site = site();
    let lookup = |more: &[&str]| run(site.path(), &[&["lookup", "--environment-dir", "."], more].concat());
    for (arguments, status, message) in [
        (&["prot", "--nodes", "facts"][..], 1, "no node has a value for the key 'prot'\nhelp: did you mean 'port'?"),
        (&["x*", "port", "--nodes", "facts"], 1, "no node has a key that matches 'x*'"),
        (&["port.a", "--nodes", "facts"], 1, "name 'port', and take the part from its value"),
        (&["prot", "--nodes", "facts", "--shard", "1/2"], 0, "no node of this part has 'prot'"),
        (
            &["port", "--nodes", "facts", "--where", "facts.rol == 'web'"],
            1,
            "no node has the fact 'rol'; did you mean 'role'?",
        ),
        (&["port", "--nodes", "facts", "--where", "facts.role =="], 1, "--where cannot be read"),
        (&["port", "--nodes", "facts", "--where", "facts.role == 'x'"], 1, "no node is left"),
        (&["port", "--nodes", "facts", "--where", "!facts.rol"], 0, "Warning: --where: no node has the fact 'rol'"),
        (&["port", "count", "--nodes", "facts", "-v"], 0, "port: 3 of 3 nodes"),
    ] {
        let (_, messages, found) = lookup(arguments);
        assert!(messages.contains(message) && found == Some(status), "{arguments:?}: {messages}");
    }
    for verb in [&["eval", "-e", "1"][..], &["affected", "data/common.yaml"], &["types"]] {
        let (_, messages, status) = run(site.path(), &[verb, &["--nodes", "facts", "--where", "facts.rol"]].concat());
        assert!(messages.contains("no node has the fact 'rol'") && status != Some(0), "{verb:?}: {messages}");
    }
}

#[test]
fn a_fact_of_rows_that_no_node_has_is_a_warning() {
    let site = site();
    let lookup = |facts: &[&str]| {
        let named: Vec<&str> = facts.iter().flat_map(|fact| ["--fact", *fact]).collect();
        run(site.path(), &[&["lookup", "port", "--environment-dir", ".", "--nodes", "facts"], &named[..]].concat())
    };
    let (out, told, status) = lookup(&["role"]);
    assert_eq!((rows(&out)[1]["facts"].clone(), told.as_str(), status), (json!({ "role": "web" }), "", Some(0)));
    let (out, told, status) = lookup(&["role", "rol", "it's \\ odd"]);
    assert_eq!((rows(&out)[1]["facts"].clone(), status), (json!({ "role": "web" }), Some(0)));
    assert!(told.contains("Warning: --fact: no node has the fact 'rol'; did you mean 'role'?"), "{told}");
    assert!(told.contains("--fact: no node has the fact 'it's \\ odd'"), "{told}");
}

#[test]
fn lookups_that_fail_for_both_nodes_are_not_equal() {
    let site = site();
    fs::write(site.path().join("data/common.yaml"), "port: 80\nbroken: \"%{alias('a')} b\"\n").unwrap();
    let (compared, reported, status) = run(site.path(), &["compare", "a", "b", "--environment-dir", "."]);
    assert!(compared.ends_with("0 keys differ, 1 is equal, 1 fails on both sides\n"), "{compared}");
    assert!(reported.contains("broken fails on both sides: ") && status == Some(1), "{reported}");
    let (json, _, _) = run(site.path(), &["compare", "a", "b", "--environment-dir", ".", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["equal"], &json["failed"][0]["key"]), (&json!(1), &json!("broken")));
    // At a limit, nothing is known about any value.
    let (compared, _, status) =
        run(site.path(), &["compare", "a", "b", "--environment-dir", ".", "--limit", "steps=0"]);
    assert!(compared.contains("0 are equal") && status == Some(1), "{compared}");
}

#[test]
fn a_part_of_the_names_of_a_node_is_enough_where_its_facts_are_found_by_its_name() {
    let site = site();
    fs::write(site.path().join("facts/web03.json"), r#"{"role": "web", "clientcert": "web03", "hostname": "w"}"#)
        .unwrap();
    fs::write(site.path().join("more.ndjson"), r#"{"certname": "web03", "facts": {"role": "web", "hostname": "w"}}"#)
        .unwrap();
    let lookup = |facts: &str| {
        run(site.path(), &["lookup", "port", "--environment-dir", ".", "--node", "web03", "--facts", facts])
    };
    for facts in ["facts", "more.ndjson"] {
        let (found, reported, _) = lookup(facts);
        assert!(found.contains("8080"), "{found}{reported}");
    }
    // A file for `puppet lookup` has all of them, or none.
    assert!(lookup("facts/web03.json").1.contains("they must all be overridden"));
}

#[test]
fn values_that_consist_of_others_have_a_strategy() {
    let site = site();
    fs::write(
        site.path().join("data/common.yaml"),
        "lookup_options: {list: {merge: unique}}\nlist: [a]\nsame: \"%{alias('list')}\"\nport: 80\n",
    )
    .unwrap();
    fs::write(site.path().join("data/roles/web.yaml"), "list: [b]\n").unwrap();
    let (text, _, _) = run(site.path(), &["lookup", "list", "same", "--nodes", "facts", "--environment-dir", "."]);
    let strategies: Vec<(String, Option<String>)> = rows(&text)
        .into_iter()
        .filter(|row| row["node"] == "web01")
        .map(|row| (row["key"].as_str().unwrap().to_owned(), row["merge"].as_str().map(str::to_owned)))
        .collect();
    let expected = [("list", "unique"), ("same", "first")].map(|(key, merge)| (key.to_owned(), Some(merge.to_owned())));
    assert_eq!(strategies, expected);
}
