//! Removes the removable entries of random repositories, and checks that no answer changes, and that no entry was
//! missed that the rules describe.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::sandbox::{Memory, Mounted};
use hieratic::{Environment, Facts, Hash, Node, Query, Settings, Value};
use hieratic_lint::{Entry, removable_entries};
use proptest::prelude::*;

const ROOT: &str = "/repository";
/// Options in the lowest file, so that all nodes merge.
const MERGED: [&str; 7] = [
    "unique",
    "hash",
    "deep",
    "{strategy: deep, sort_merged_arrays: true}",
    "{strategy: deep, knockout_prefix: '--'}",
    "{strategy: deep, merge_hash_arrays: true}",
    "first",
];
const KEYS: [&str; 4] = ["a", "b", "c", "m::a"];
const FILES: [&str; 9] = [
    "data/nodes/web1.yaml",
    "data/nodes/db1.yaml",
    "data/role/web.yaml",
    "data/role/db.yaml",
    "data/site/x.yaml",
    "data/more/one.yaml",
    "data/more/two.yaml",
    "data/common.yaml",
    "modules/m/data/common.yaml",
];
const LEVELS: [&str; 5] = [
    "- {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n",
    "- {name: role, path: 'role/%{role}.yaml'}\n",
    "- {name: site, path: 'site/%{facts.site}.yaml'}\n",
    "- {name: some, globs: ['more/*.yaml']}\n",
    "- {name: common, path: common.yaml}\n",
];

/// Files by name, each with the lines of its keys.
type Repository = BTreeMap<String, BTreeMap<String, String>>;

fn value() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "1",
        "2",
        "'x'",
        "[1, 2]",
        "[2]",
        "{x: 1}",
        "{x: 1, y: 2}",
        "{y: 2, x: 1}",
        "\"%{role}\"",
        "\"%{lookup('c')}\"",
    ])
    .prop_map(str::to_owned)
}

fn options() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "{a: {merge: unique}}",
        "{'^[ab]$': {merge: first}}",
        "{b: {merge: deep}}",
        "{b: {merge: hash}, a: {merge: {strategy: deep, sort_merged_arrays: true}}}",
        "{a: {merge: {strategy: deep, knockout_prefix: '--'}}}",
        "{'^[abc]$': {merge: unique}}",
        "{c: {convert_to: String}}",
    ])
    .prop_map(str::to_owned)
}

fn repository() -> impl Strategy<Value = (Repository, String)> {
    let keys = prop::collection::btree_map(prop::sample::select(KEYS.to_vec()).prop_map(str::to_owned), value(), 0..4);
    let file = (keys, prop::option::weighted(0.15, options())).prop_map(|(mut keys, options)| {
        keys.extend(options.map(|options| ("lookup_options".to_owned(), options)));
        keys
    });
    let files = prop::collection::btree_map(prop::sample::select(FILES.to_vec()).prop_map(str::to_owned), file, 2..9);
    let levels = prop::sample::subsequence(LEVELS.to_vec(), 2..=LEVELS.len()).prop_shuffle();
    let levels = levels.prop_map(|levels| {
        format!("version: 5\ndefaults: {{datadir: data, data_hash: yaml_data}}\nhierarchy:\n{}", levels.concat())
    });
    // A module only has options of its keys.
    let files = files.prop_map(|mut files| {
        if let Some(keys) = files.get_mut("modules/m/data/common.yaml") {
            keys.remove("lookup_options");
        }
        files
    });
    (files, levels)
}

/// Repositories in which all nodes merge a key, and whether nodes are given.
fn merged() -> impl Strategy<Value = ((Repository, String), bool)> {
    let hashes = [
        "{x: 1}",
        "{y: 2}",
        "{x: 1, y: 2}",
        "{y: 2, x: 1}",
        "{x: {p: 1}}",
        "{x: {p: 1, q: [1, 2]}}",
        "{x: {q: [2]}}",
        "{}",
    ];
    let arrays = ["[1]", "[2]", "[1, 2]", "[2, 1]", "['--1']", "[]", "1", "[1, 1]"];
    let values = prop::sample::select(vec![hashes.to_vec(), arrays.to_vec()]);
    let files = values.prop_flat_map(|values| {
        let file = prop::sample::select(FILES[..8].to_vec()).prop_map(str::to_owned);
        prop::collection::btree_map(file, prop::sample::select(values).prop_map(str::to_owned), 2..8)
    });
    let levels = prop::sample::subsequence(LEVELS[..4].to_vec(), 1..=4).prop_shuffle();
    (files, levels, prop::sample::select(MERGED.to_vec()), any::<bool>()).prop_map(|(files, levels, merge, given)| {
        let mut repository: Repository =
            files.into_iter().map(|(file, value)| (file, BTreeMap::from([("a".to_owned(), value)]))).collect();
        let options = format!("{{a: {{merge: {merge}}}}}");
        repository.entry("data/common.yaml".to_owned()).or_default().insert("lookup_options".to_owned(), options);
        let levels = levels.concat() + LEVELS[4];
        let hiera = format!("version: 5\ndefaults: {{datadir: data, data_hash: yaml_data}}\nhierarchy:\n{levels}");
        ((repository, hiera), given)
    })
}

fn text(keys: &BTreeMap<String, String>) -> String {
    keys.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

fn settings((files, hiera): &(Repository, String)) -> Settings {
    let mut memory = Memory::default();
    let mut insert = |path: &str, text: &str| memory.insert(path, text.as_bytes().to_vec());
    insert("hiera.yaml", hiera);
    insert("modules/m/hiera.yaml", "version: 5\nhierarchy:\n- {name: common, path: common.yaml}\n");
    insert("modules/m/manifests/init.pp", "class m {}\n");
    for (path, keys) in files {
        insert(path, &text(keys));
    }
    Settings {
        environment_dir: Some(ROOT.into()),
        hiera_config: Some("/nowhere/hiera.yaml".into()),
        codedir: Some("/nowhere".into()),
        confdir: Some("/nowhere".into()),
        tree: Some(Mounted::new(ROOT, memory)),
        ..Settings::default()
    }
}

fn node(name: &str, facts: &[(&str, &str)]) -> Facts {
    Facts::new(Some(name), facts.iter().map(|(name, value)| (*name, Value::from(*value))).collect::<Hash>())
}

fn nodes() -> Vec<Facts> {
    vec![
        node("web1", &[("role", "web"), ("site", "x")]),
        node("web2", &[("role", "web"), ("site", "y")]),
        node("db1", &[("role", "db"), ("site", "x")]),
        node("db2", &[("role", "db"), ("site", "y")]),
        node("other", &[("role", "other"), ("site", "z")]),
    ]
}

/// Every answer of every node, as text.
fn answers(repository: &(Repository, String), nodes: &[Facts]) -> Vec<String> {
    let environment = Environment::open(&settings(repository)).unwrap();
    let answer = |node: &Node, key: &str| match node.lookup(&Query::new(key)) {
        Ok(value) => value.inspect(),
        Err(error) => format!("error: {error}"),
    };
    nodes
        .iter()
        .flat_map(|facts| {
            let node = environment.node(facts).unwrap();
            KEYS.iter().map(|key| answer(&node, key)).collect::<Vec<_>>()
        })
        .collect()
}

fn without(repository: &(Repository, String), entries: &[(String, String)]) -> (Repository, String) {
    let mut changed = repository.clone();
    for (file, key) in entries {
        changed.0.get_mut(file).unwrap().remove(key).unwrap();
    }
    changed
}

fn removable(repository: &(Repository, String), nodes: &[Facts]) -> Vec<(String, String)> {
    let name = |entry: Entry| (entry.file.strip_prefix(Path::new(ROOT)).unwrap().display().to_string(), entry.key);
    removable_entries(&[&settings(repository)], nodes).unwrap().into_iter().map(name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_removable_entries_are_found(repository in repository()) {
        let nodes = nodes();
        let before = answers(&repository, &nodes);
        let mut cleaned = repository.clone();
        // A removed entry can make another one removable, which the next run finds.
        for _ in 0..10 {
            let removed = removable(&cleaned, &nodes);
            for entry in &removed {
                prop_assert_eq!(&answers(&without(&cleaned, std::slice::from_ref(entry)), &nodes), &before, "{:?} alone", entry);
            }
            cleaned = without(&cleaned, &removed);
            prop_assert_eq!(&answers(&cleaned, &nodes), &before, "{:?}", removed);
            if removed.is_empty() {
                break;
            }
        }
        // A rule is about uninterpolated values, of keys that are not merged, in files that a node reads.
        let has_options = |key: &str| {
            let all: String = cleaned.0.values().filter_map(|keys| keys.get("lookup_options")).cloned().collect();
            all.contains(&format!("{key}: {{merge")) || all.contains("'^")
        };
        let environment = Environment::open(&settings(&cleaned)).unwrap();
        let read: Vec<String> = nodes
            .iter()
            .flat_map(|facts| environment.node(facts).unwrap().sources().unwrap())
            .map(|path| path.strip_prefix(ROOT).unwrap().display().to_string())
            .collect();
        for (file, keys) in cleaned.0.iter().filter(|(file, _)| file.starts_with("data/") && read.contains(file)) {
            for key in keys.keys().filter(|key| KEYS.contains(&key.as_str()) && !has_options(key)) {
                let of_key = cleaned.0.values().filter_map(|keys| keys.get(key));
                if of_key.into_iter().any(|value| value.contains("%{")) {
                    continue;
                }
                let less = without(&cleaned, &[(file.clone(), key.clone())]);
                prop_assert_ne!(&answers(&less, &nodes), &before, "{} of {} could go, too", key, file);
            }
        }
    }

    #[test]
    fn values_that_add_nothing_to_merges_are_removable((repository, given) in merged()) {
        let nodes = if given { nodes() } else { Vec::new() };
        let before = answers(&repository, &self::nodes());
        let removed = removable(&repository, &nodes);
        for entry in &removed {
            let less = without(&repository, std::slice::from_ref(entry));
            prop_assert_eq!(&answers(&less, &self::nodes()), &before, "{:?} alone", entry);
        }
        prop_assert_eq!(&answers(&without(&repository, &removed), &self::nodes()), &before, "{:?}", removed);
        // Nothing is missed where every node reads the same strategy and no value is marked.
        let options = repository.0.get("data/common.yaml").and_then(|keys| keys.get("lookup_options")).cloned();
        if !given || options.is_none_or(|options| options.contains("knockout") || options.contains("merge_hash")) {
            return Ok(());
        }
        let removed: Vec<&(String, String)> = removed.iter().collect();
        for file in repository.0.keys().filter(|file| file.starts_with("data/")) {
            let entry = (file.clone(), "a".to_owned());
            let is_read = nodes.iter().any(|facts| {
                let environment = Environment::open(&settings(&repository)).unwrap();
                environment.node(facts).unwrap().sources().unwrap().contains(&Path::new(ROOT).join(file))
            });
            let is_one = repository.0.get(file).is_some_and(|keys| keys.contains_key("a"));
            if is_one && is_read && removed.is_empty() && before.iter().all(|answer| !answer.starts_with("error")) {
                prop_assert_ne!(&answers(&without(&repository, &[entry]), &self::nodes()), &before, "{} could go", file);
            }
        }
    }

    #[test]
    fn entries_removable_for_every_node_are_removable_for_given_nodes(repository in repository()) {
        let removed = removable(&repository, &[]);
        let nodes = nodes();
        prop_assert_eq!(answers(&without(&repository, &removed), &nodes), answers(&repository, &nodes), "{:?}", removed);
    }
}

/// The number of cases; an environment variable can raise it.
fn cases() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}
