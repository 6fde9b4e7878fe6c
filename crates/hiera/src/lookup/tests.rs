#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hieratic_value::{Hash, Value};

use crate::{EnvironmentLayer, Layers, ModuleLayer, Node, PartStatus, Query, Rules, Scope, Shared, Why};

/// A repository with a module `m`.
fn node(files: &[(&str, &str)]) -> (tempfile::TempDir, Node) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let node = open(folder.path());
    (folder, node)
}

fn open(root: &Path) -> Node {
    let environment = EnvironmentLayer {
        name: "production".into(),
        root: root.to_owned(),
        data_provider: None,
        datadirs: Vec::new(),
    };
    let layers = Layers {
        global_config: root.join("none.yaml"),
        environment,
        modules: [("m".into(), ModuleLayer::new(root.join("modules/m")))].into_iter().collect(),
        codedir: root.to_owned(),
    };
    let nothing = Hash::default;
    let scope = Scope::new(nothing(), nothing(), nothing(), nothing(), nothing());
    Node::new(Arc::new(Shared::new(layers, true)), scope, Rules::default())
}

const TWO_LEVELS: &str = "version: 5\nhierarchy: [{name: high, path: high.yaml}, {name: low, path: low.yaml}]\n";
const KNOCKOUTS: &str = "lookup_options: {list: {merge: {strategy: deep, knockout_prefix: '--'}}}\n";

#[test]
fn the_knockouts_of_a_key_see_no_values_of_the_keys_inside() {
    let high = format!("{KNOCKOUTS}list: ['--a', \"%{{lookup('m::x')}}\"]\n");
    let of_module = "version: 5\nhierarchy: [{name: d, path: d.yaml}]\n";
    let of_defaults = "version: 5\nhierarchy: []\ndefault_hierarchy: [{name: d, path: d.yaml}]\n";
    for configuration in [of_module, of_defaults] {
        let (_folder, node) = node(&[
            ("hiera.yaml", TWO_LEVELS),
            ("data/high.yaml", &high),
            ("data/low.yaml", "list: [a, b]\n"),
            ("modules/m/hiera.yaml", configuration),
            ("modules/m/data/d.yaml", "m::x: one\nlookup_options: {'m::x': {merge: first}}\n"),
        ]);
        let query = Query { strict_knockout: true, ..Query::new("list") };
        assert_eq!(node.lookup(&query).unwrap().inspect(), r#"["b", "one"]"#, "{configuration}");
    }
}

/// The status of each part of each level, with the value of the part.
fn parts(why: &Why) -> Vec<(String, PartStatus)> {
    let parts = why.layers.iter().flat_map(|layer| &layer.parts);
    parts.map(|part| (part.value.to_value().inspect(), part.status.clone())).collect()
}

#[test]
fn reasons_follow_the_rules_of_their_query() {
    let (_folder, node) = node(&[
        ("hiera.yaml", TWO_LEVELS),
        ("data/high.yaml", "list: ['--a']\nother: \"%{lookup('x')}\"\n"),
        ("data/low.yaml", "list: [a, b]\nx: of the data\n"),
    ]);
    let strategy = [("strategy", Value::from("deep")), ("knockout_prefix", "--".into())];
    let knockouts = crate::Strategy::parse(&strategy.into_iter().collect::<Hash>().into()).unwrap();
    let query = Query { strict_knockout: true, merge: Some(knockouts), ..Query::new("list") };
    let why = node.why(&query);
    assert_eq!(why.answer.as_ref().unwrap().value.to_value().inspect(), r#"["b"]"#);
    assert!(matches!(
        parts(&why).as_slice(),
        [(_, PartStatus::Knockout(_)), (_, PartStatus::Removed(_)), (_, PartStatus::Kept)]
    ));

    let overrides: Hash = [("x", Value::from("of the query"))].into_iter().collect();
    let why = node.why(&Query { overrides, ..Query::new("other") });
    assert_eq!(why.answer.as_ref().unwrap().value.to_value(), Value::from("of the query"));
    assert_eq!(parts(&why), [(r#""of the query""#.to_owned(), PartStatus::Kept)]);
}

#[test]
fn the_error_of_a_strategy_is_the_whole_reason() {
    let (_folder, node) = node(&[("hiera.yaml", TWO_LEVELS), ("data/low.yaml", "x: 1\n")]);
    let error = crate::Strategy::parse(&"none".into()).unwrap_err();
    let why = node.why(&Query { merge_fault: Some(error.clone()), ..Query::new("x") });
    assert_eq!(why.answer.unwrap_err().to_string(), error.to_string());
    assert!(why.layers.is_empty());
}

#[test]
fn kept_answers_of_a_chain_are_those_of_a_new_node() {
    // Longer than lookups may be nested.
    const LENGTH: usize = 620;
    let link = |index: usize| format!("k{}: \"%{{lookup('k{index}')}}\"\n", index + 1);
    let chain: String = (0..LENGTH).map(link).collect();
    let (folder, node) = node(&[("hiera.yaml", TWO_LEVELS), ("data/low.yaml", &format!("k0: end\n{chain}"))]);
    let failure = |error: &crate::Error| format!("{error} {:?}", error.help_text());
    let indexes = [0, 20, 7, 300, 498, 499, 250, 500, 501, 600, 620, 13];
    for conceal in [false, true] {
        let answers = |node: &Node, index: usize| {
            let name = format!("k{index}");
            let query = Query { conceal, ..Query::new(&name) };
            let plain = node.lookup(&query).map_or_else(|error| failure(&error), |value| value.inspect());
            let traced = node.lookup_traced(&query).map_or_else(
                |error| failure(&error),
                |answer| format!("{} from {:?}", answer.value.to_value().inspect(), answer.value.origin()),
            );
            [plain, traced]
        };
        let alone: Vec<[String; 2]> = indexes.iter().map(|index| answers(&open(folder.path()), *index)).collect();
        let together: Vec<[String; 2]> = indexes.iter().map(|index| answers(&node, *index)).collect();
        assert_eq!(together, alone);
        let plain: Vec<&String> = alone.iter().map(|[plain, _]| plain).collect();
        assert!(plain.iter().any(|answer| *answer == "\"end\"") && plain.iter().any(|one| one.contains("nested")));
    }
}

#[test]
fn the_keys_that_lookups_ask_for_are_recorded() {
    let text = "a: \"%{lookup('b.c')}\"\nb: {c: 1}\nother: 1\n";
    let (_folder, node) = node(&[("hiera.yaml", TWO_LEVELS), ("data/low.yaml", text)]);
    let recorded_keys = Arc::new(crate::KeyRecord::default());
    let node = node.recording_keys(recorded_keys.clone());
    assert!(node.lookup_traced(&Query::new("a")).is_ok());
    let mut keys: Vec<String> = recorded_keys.keys().iter().map(ToString::to_string).collect();
    keys.sort();
    assert_eq!(keys, ["a", "b", "lookup_options"]);
    let files = node.yaml_files().unwrap();
    let names: Vec<&str> = files.files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
    assert_eq!(names, ["high.yaml", "low.yaml"]);
}

#[test]
fn lookups_that_conceal_secrets_search_for_options_once() {
    let files: Vec<(String, String)> =
        (0..50).map(|n| (format!("data/d/{n}.yaml"), format!("k{n}: [{n}]\n"))).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push((
        "hiera.yaml",
        "version: 5\nhierarchy: [{name: first, path: first.yaml}, {name: all, glob: 'd/*.yaml'}]\n",
    ));
    files.push(("data/first.yaml", "lookup_options: {'^k': {merge: unique}}\nk1: [own]\nother::k: 1\n"));
    let (_folder, node) = node(&files);
    let steps = |key: &str, conceal: bool| {
        let budget = hieratic_budget::Budget::default();
        let answer = node.lookup_traced(&Query { conceal, budget: budget.clone(), ..Query::new(key) }).unwrap();
        (answer.value.to_value().inspect(), budget.used())
    };
    let (first, searched) = steps("k1", true);
    assert_eq!(first, r#"["own", 1]"#);
    let (again, known) = steps("k1", true);
    assert_eq!(again, first);
    assert!(known < searched, "{known} steps after {searched}");
    assert_eq!(steps("k1", false).0, first);
    // The options of a module that does not exist are those of keys without one.
    assert!(steps("other::k", true).1 < searched - known);
}
