//! Random repositories whose environments share data: pruning changes no answer in any environment, and a proof agrees
//! with the slow comparison of all answers.

use std::collections::BTreeMap;

use hieratic::sandbox::{Memory, Mounted};
use hieratic::{Environment, Facts, Hash, Limits, Node, Query, Redactor, Settings, Value};
use hieratic_refactor::{Plan, prune, rename};
use proptest::prelude::*;

use super::refactor::cases;

const ROOT: &str = "/repository";
const KEYS: [&str; 4] = ["a", "b", "old", "fresh"];
const ENVIRONMENTS: [&str; 3] = ["production", "qa", "staging"];

type Texts = BTreeMap<String, String>;

/// The levels that an environment may have. Files outside of the environment are shared.
const LEVELS: [&str; 6] = [
    "{name: Own, path: own.yaml}",
    "{name: Role, datadir: ../../data, path: 'roles/%{facts.role}.yaml'}",
    "{name: Environment, datadir: ../../data, path: 'env/%{environment}.yaml'}",
    "{name: Other, datadir: ../qa/data, path: own.yaml}",
    "{name: All, datadir: ../../data, glob: 'all/*.yaml'}",
    "{name: Common, datadir: ../../data, path: common.yaml}",
];

const FILES: [&str; 10] = [
    "data/common.yaml",
    "data/roles/web.yaml",
    "data/roles/db.yaml",
    "data/env/production.yaml",
    "data/env/qa.yaml",
    "data/all/one.yaml",
    "data/all/two.yaml",
    "environments/production/data/own.yaml",
    "environments/qa/data/own.yaml",
    "environments/staging/data/own.yaml",
];

const VALUES: [&str; 8] =
    ["1", "2", "[1]", "[1, 2]", "{x: 1}", "{x: 1, y: 2}", "\"%{lookup('a')}\"", "\"%{environment} %{alias('b')}\""];

fn repository() -> impl Strategy<Value = Texts> {
    let levels = prop::sample::subsequence(LEVELS.to_vec(), 1..=LEVELS.len());
    let environment = levels.prop_map(|levels| {
        let levels: Vec<String> = levels.iter().map(|level| format!("  - {level}\n")).collect();
        format!("version: 5\nhierarchy:\n{}", levels.concat())
    });
    let environments = prop::collection::vec(environment, 2..=3);
    let entries = prop::collection::btree_map(
        prop::sample::select(vec!["a", "b", "old"]),
        prop::sample::select(VALUES.to_vec()),
        0..3,
    );
    let options = prop::option::weighted(0.3, prop::sample::select(vec!["unique", "deep", "hash", "first"]));
    let file = (entries, options).prop_map(|(entries, merge)| {
        let mut text: String = entries.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
        if let Some(merge) = merge {
            text.push_str(&format!("lookup_options:\n  a: {{merge: {merge}}}\n"));
        }
        text
    });
    let files = prop::collection::btree_map(prop::sample::select(FILES.to_vec()), file, 1..7);
    (environments, files).prop_map(|(environments, files)| {
        let mut texts: Texts = files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
        for (name, hiera) in ENVIRONMENTS.iter().zip(environments) {
            texts.insert(format!("environments/{name}/hiera.yaml"), hiera);
        }
        texts
    })
}

fn settings(texts: &Texts) -> Settings {
    let mut memory = Memory::default();
    for (path, text) in texts {
        memory.insert(path, text.as_bytes().to_vec());
    }
    let mut settings = Settings {
        environmentpath: Some(std::path::PathBuf::from(format!("{ROOT}/environments")).into()),
        hiera_config: Some("/nowhere/hiera.yaml".into()),
        codedir: Some("/nowhere".into()),
        confdir: Some("/nowhere".into()),
        tree: Some(Mounted::new(ROOT, memory)),
        ..Settings::default()
    };
    settings.permissions.outside = true;
    settings
}

fn nodes() -> Vec<Facts> {
    let node =
        |name: &str, role: &str| Facts::new(Some(name), [("role", Value::from(role))].into_iter().collect::<Hash>());
    vec![node("web01", "web"), node("db01", "db"), node("app01", "app")]
}

fn applied(texts: &Texts, plan: &Plan) -> Texts {
    let mut after = texts.clone();
    for (path, change) in plan.changes() {
        after.insert(path.strip_prefix(ROOT).unwrap().display().to_string(), change.after.clone());
    }
    after
}

/// Every answer of these nodes in every environment, as text.
fn answers(texts: &Texts, nodes: &[Facts], name_of: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut all = Vec::new();
    for name in ENVIRONMENTS {
        if !texts.contains_key(&format!("environments/{name}/hiera.yaml")) {
            continue;
        }
        let own = Settings { environment: Some(name.to_owned()), ..settings(texts) };
        let environment = Environment::open(&own).unwrap();
        for facts in nodes {
            let node = environment.node(facts).unwrap();
            for key in KEYS {
                all.push(match node.lookup(&Query::new(&name_of(key))) {
                    Ok(value) => value.inspect(),
                    Err(error) if error.code() == Node::NOT_FOUND => "missing".to_owned(),
                    Err(error) => error.to_string(),
                });
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_that_no_environment_needs_are_pruned(texts in repository(), with_nodes in any::<bool>()) {
        let known = if with_nodes { nodes() } else { Vec::new() };
        let Ok(pruned) = prune(&settings(&texts), &known, false) else { return Ok(()) };
        let after = applied(&texts, &pruned.plan);
        let same = |key: &str| key.to_owned();
        prop_assert_eq!(answers(&texts, &nodes(), &same), answers(&after, &nodes(), &same), "{:?}", after);
        let proof = pruned.plan.proof(&settings(&texts), &nodes(), Limits::default(), &Redactor::default(), &()).unwrap();
        prop_assert!(proof.holds(), "{:?}", proof);
    }

    #[test]
    fn a_key_is_renamed_in_all_environments(texts in repository()) {
        let Ok(plan) = rename(&settings(&texts), "old", "fresh") else { return Ok(()) };
        let after = applied(&texts, &plan);
        let swapped = |key: &str| match key {
            "old" => "fresh".to_owned(),
            "fresh" => "old".to_owned(),
            other => other.to_owned(),
        };
        let before = answers(&texts, &nodes(), &|key| key.to_owned());
        // Messages of faults name the key.
        prop_assume!(!before.iter().any(|answer| answer.contains("old")));
        let proof = plan.proof(&settings(&texts), &nodes(), Limits::default(), &Redactor::default(), &()).unwrap();
        prop_assert_eq!(before == answers(&after, &nodes(), &swapped), proof.holds(), "{:?} {:?}", after, proof);
    }
}
