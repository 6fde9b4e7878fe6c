//! Compares `compare` with looking up everything on both sides, on random repositories with random changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hieratic::budget::Budget;
use hieratic::sandbox::{Memory, Mounted, Patched, Tree};
use hieratic::{Environment, Facts, Hash, Limits, Redactor, Settings, Value};
use hieratic_impact::{Answer, Diff, Options, RepositoryPart, Subject, affected, compare_answers};
use proptest::prelude::*;

const ROOT: &str = "/repository";

type Texts = BTreeMap<String, String>;

/// The keys of all data, and one that nothing has.
const KEYS: [&str; 8] = ["a", "b", "c", "m::a", "m::b", "n::a", "secret", "nothing"];

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[0-9]{1,2}".prop_map(|text| text),
        2 => "[a-z]{1,3}".prop_map(|text| format!("'{text}'")),
        1 => Just("~".to_owned()),
        1 => Just("'--x'".to_owned()),
        2 => (
            prop::sample::select(vec!["", "v-", "w"]),
            prop::sample::select(vec!["%{role}", "%{facts.site}", "%{trusted.certname}", "%{nope}"]),
            prop::sample::select(vec!["", "-v", "%{role}"]),
        )
            .prop_map(|(before, variable, after)| format!("'{before}{variable}{after}'")),
        1 => prop::sample::select(KEYS.to_vec()).prop_map(|key| format!("\"x-%{{lookup('{key}')}}-%{{trusted.certname}}\"")),
        2 => prop::sample::select(KEYS.to_vec()).prop_map(|key| format!("\"%{{lookup('{key}')}}\"")),
        1 => prop::sample::select(KEYS.to_vec()).prop_map(|key| format!("\"%{{alias('{key}')}}\"")),
        1 => prop::sample::select(KEYS.to_vec()).prop_map(|key| format!("\"%{{hiera('{key}.x')}}\"")),
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => scalar(),
        2 => prop::collection::vec(scalar(), 0..3).prop_map(|all| format!("[{}]", all.join(", "))),
        2 => prop::collection::vec((prop::sample::select(vec!["x", "y"]), scalar()), 1..3).prop_map(|all| {
            let pairs: BTreeMap<_, _> = all.into_iter().collect();
            format!("{{{}}}", pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", "))
        }),
    ]
}

fn options() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        Just("{merge: unique}"),
        Just("{merge: hash}"),
        Just("{merge: deep}"),
        Just("{merge: first}"),
        Just("{merge: {strategy: deep, knockout_prefix: '--'}}"),
        Just("{convert_to: String}"),
        Just("{convert_to: Sensitive}"),
        Just("{convert_to: 'M::Port'}"),
    ];
    let name = prop::sample::select(vec!["a", "b", "c", "m::a", "'^[ab]$'", "'^m::'", "'^.*a$'"]);
    prop::collection::btree_map(name, one, 0..3).prop_map(|all| {
        let all: Vec<String> = all.iter().map(|(name, options)| format!("  {name}: {options}\n")).collect();
        if all.is_empty() { String::new() } else { format!("lookup_options:\n{}", all.concat()) }
    })
}

fn file() -> impl Strategy<Value = String> {
    (
        prop::collection::btree_map(prop::sample::select(KEYS[..7].to_vec()), value(), 0..5),
        prop::option::weighted(0.3, options()),
    )
        .prop_map(|(pairs, options)| {
            let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
            format!("---\n{}{}", pairs.concat(), options.unwrap_or_default())
        })
        .prop_flat_map(|text| {
            // Files with many keys are looked at once for all nodes that read them.
            let filled = text.clone() + &FILLER.iter().map(|name| format!("{name}: 0\n")).collect::<String>();
            prop_oneof![12 => Just(text), 8 => Just(filled), 1 => Just("a: [\n".to_owned()), 1 => Just(String::new())]
        })
}

/// Keys that are not looked up.
static FILLER: LazyLock<Vec<String>> = LazyLock::new(|| (0..150).map(|index| format!("filler_{index}")).collect());

/// The levels of a hierarchy, in some order.
fn hierarchy(levels: &'static [&'static str]) -> impl Strategy<Value = String> {
    let levels = prop::sample::subsequence(levels.to_vec(), 1..=levels.len()).prop_shuffle();
    levels.prop_map(|levels| {
        format!("version: 5\ndefaults: {{datadir: data, data_hash: yaml_data}}\nhierarchy:\n{}", levels.concat())
    })
}

const LEVELS: [&str; 6] = [
    "- {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n",
    "- {name: role, path: 'role/%{role}.yaml'}\n",
    "- {name: site, path: 'site/%{facts.site}.yaml'}\n",
    "- {name: some, globs: ['more/*.yaml']}\n",
    "- {name: mapped, mapped_paths: [facts.tags, tag, 'tag/%{tag}.yaml']}\n",
    "- {name: common, paths: [common.yaml, other.yaml]}\n",
];
const MODULE: [&str; 2] = ["- {name: os, path: '%{role}.yaml'}\n", "- {name: common, path: common.yaml}\n"];

const FILES: [&str; 14] = [
    "data/nodes/web1.yaml",
    "data/nodes/db1.yaml",
    "data/role/web.yaml",
    "data/role/db.yaml",
    "data/site/x.yaml",
    "data/site/y.yaml",
    "data/more/one.yaml",
    "data/more/two.yaml",
    "data/tag/red.yaml",
    "data/tag/blue.yaml",
    "data/common.yaml",
    "data/other.yaml",
    "modules/m/data/common.yaml",
    "modules/m/data/web.yaml",
];

const TYPES: &str = "modules/m/types/port.pp";

fn types() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["Integer", "String", "Array", "Optional[Float]"])
        .prop_map(|kind| format!("type M::Port = {kind}\n"))
}

fn texts() -> impl Strategy<Value = Texts> {
    let files = prop::collection::btree_map(prop::sample::select(FILES.to_vec()), file(), 2..9);
    let module = prop::option::weighted(0.8, hierarchy(&MODULE));
    let conf = prop::option::weighted(0.1, Just("modulepath = other\n".to_owned()));
    (files, hierarchy(&LEVELS), module, conf, types()).prop_map(|(files, hierarchy, module, conf, types)| {
        let mut texts: Texts = files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
        texts.insert("hiera.yaml".into(), hierarchy);
        texts.insert("modules/m/manifests/init.pp".into(), "class m {}\n".into());
        texts.extend(module.map(|text| ("modules/m/hiera.yaml".into(), text)));
        texts.extend(conf.map(|text| ("environment.conf".into(), text)));
        texts.insert(TYPES.into(), types);
        texts
    })
}

/// A change of a repository: files with new content, or without.
fn change() -> impl Strategy<Value = Vec<(String, Option<String>)>> {
    let data = (prop::sample::select(FILES.to_vec()), prop::option::weighted(0.8, file()))
        .prop_map(|(path, text)| (path.to_owned(), text));
    let levels = hierarchy(&LEVELS).prop_map(|text| ("hiera.yaml".to_owned(), Some(text)));
    let module =
        prop::option::weighted(0.7, hierarchy(&MODULE)).prop_map(|text| ("modules/m/hiera.yaml".to_owned(), text));
    let conf = prop::option::of(Just("modulepath = other\n".to_owned()))
        .prop_map(|text| ("environment.conf".to_owned(), text));
    let types = types().prop_map(|text| (TYPES.to_owned(), Some(text)));
    prop::collection::vec(prop_oneof![8 => data, 2 => levels, 1 => module, 1 => conf, 1 => types], 1..4)
}

fn memory(texts: &Texts) -> Memory {
    texts.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect()
}

fn settings(tree: Arc<dyn Tree>) -> Settings {
    Settings {
        environment_dir: Some(ROOT.into()),
        hiera_config: Some("/nowhere/hiera.yaml".into()),
        codedir: Some("/nowhere".into()),
        confdir: Some("/nowhere".into()),
        positions: true,
        once: true,
        tree: Some(Mounted::shared(ROOT, tree)),
        ..Settings::default()
    }
}

fn node(name: &str, facts: &[(&str, Value)]) -> Facts {
    Facts::new(Some(name), facts.iter().cloned().collect::<Hash>())
}

fn nodes() -> Vec<Facts> {
    let tags = |tags: &[&str]| Value::from(tags.iter().map(|tag| Value::from(*tag)).collect::<Vec<_>>());
    vec![
        node("web1", &[("role", "web".into()), ("site", "x".into()), ("tags", tags(&["red"]))]),
        node("web2", &[("role", "web".into()), ("site", "x".into()), ("tags", tags(&["red"]))]),
        node("web3", &[("role", "web".into()), ("site", "y".into()), ("tags", tags(&["blue", "red"]))]),
        node("db1", &[("role", "db".into()), ("site", "x".into())]),
        node("db2", &[("role", "db".into()), ("site", "y".into()), ("tags", tags(&[]))]),
    ]
}

/// Answers as text. Hashes with the same pairs are equal, whatever their order.
fn told_as(answers: &Diff<Answer>) -> String {
    fn sorted(value: &Value) -> String {
        match value {
            Value::Hash(hash) => {
                let mut pairs: Vec<String> =
                    hash.iter().map(|(key, value)| format!("{}: {}", key.inspect(), sorted(value))).collect();
                pairs.sort();
                format!("{{{}}}", pairs.join(", "))
            }
            Value::Array(all) => format!("[{}]", all.iter().map(sorted).collect::<Vec<_>>().join(", ")),
            other => format!("{other:?}"),
        }
    }
    let text = |answer: &Answer| match answer {
        Answer::Value(value) => sorted(value),
        other => format!("{other:?}"),
    };
    format!("{} -> {}", text(&answers.base), text(&answers.head))
}

type KeyChanges = BTreeSet<(String, String, String)>;

/// Looks everything up on both sides.
fn slowly(base: &Texts, head: &Texts, nodes: &[(Facts, Facts)]) -> (KeyChanges, BTreeSet<String>) {
    let open = |texts: &Texts| Environment::open(&settings(Arc::new(memory(texts)))).unwrap();
    let (base, head) = (open(base), open(head));
    let mut reported = KeyChanges::new();
    let mut broken = BTreeSet::new();
    for (before, now) in nodes {
        let (one, other) = (base.node(before).unwrap(), head.node(now).unwrap());
        let name = now.node().unwrap().to_owned();
        let faults = |node: &hieratic::Node| match node.dependencies(&hieratic::budget::Budget::default()) {
            Ok(dependencies) => {
                dependencies.places.iter().filter_map(|place| place.fault.clone()).collect::<BTreeSet<_>>()
            }
            Err(error) => BTreeSet::from([error.to_string().into()]),
        };
        // Options that cannot be used fail every key of their layer.
        let options = |node: &hieratic::Node| {
            ["nobody", "m::nobody"].map(|key| match Answer::look_up(node, key, Budget::default()) {
                Answer::Error(text) if !text.contains("Unable to parse") => Some(text),
                _ => None,
            })
        };
        let broken_options = [options(&one), options(&other)];
        if broken_options[0] != broken_options[1] {
            broken.insert(name.clone());
        }
        if faults(&one) != faults(&other) {
            broken.insert(name.clone());
        }
        for key in KEYS {
            let answers = [&one, &other].map(|node| Answer::look_up(node, key, Budget::default()));
            let is_of_data = |answer: &Answer| {
                let Answer::Error(text) = answer else { return false };
                let is_of_options = broken_options[0] != broken_options[1]
                    && broken_options.iter().flatten().any(|reason| reason.as_ref() == Some(text));
                text.contains("Unable to parse") || is_of_options
            };
            if answers[0] != answers[1] && !answers.iter().any(is_of_data) {
                let [base, head] = answers;
                reported.insert((name.clone(), key.to_owned(), told_as(&Diff { base, head })));
            }
        }
    }
    (reported, broken)
}

fn quickly(base: &Texts, head: &Texts, nodes: &[(Facts, Facts)]) -> (KeyChanges, BTreeSet<String>) {
    quickly_of(base, head, nodes, usize::MAX)
}

/// Compares with at most `most_variants` answers that only differ in facts. Beyond that, the answers are left out.
fn quickly_of(
    base: &Texts,
    head: &Texts,
    nodes: &[(Facts, Facts)],
    most_variants: usize,
) -> (KeyChanges, BTreeSet<String>) {
    let changed: BTreeSet<PathBuf> =
        base.keys().chain(head.keys()).filter(|path| base.get(*path) != head.get(*path)).map(PathBuf::from).collect();
    let head_tree: Arc<dyn Tree> = Arc::new(memory(head));
    let base_tree = Patched::new(head_tree.clone(), Arc::new(memory(base)), changed.clone());
    let head = Environment::open(&settings(head_tree)).unwrap();
    let base = Environment::open_beside(&settings(Arc::new(base_tree)), &head).unwrap();
    let subjects: Vec<Subject> = nodes
        .iter()
        .map(|(before, now)| Subject {
            name: now.node().unwrap().to_owned(),
            base: before.clone(),
            head: (Value::from(before.facts().clone()) != Value::from(now.facts().clone())).then(|| now.clone()),
        })
        .collect();
    let changed: BTreeSet<PathBuf> = changed.iter().map(|path| Path::new(ROOT).join(path)).collect();
    let limits = Limits::default();
    let options = Options {
        changed: &changed,
        selects_key: &|key| KEYS.contains(&key),
        limits,
        most_details: 1000,
        most_variants,
        conceal: false,
        parent_budget: None,
        progress: &(),
    };
    let report = compare_answers(Diff { base: &base, head: &head }, &subjects, &options, &Redactor::default());
    let mut reported = KeyChanges::new();
    for group in &report.groups {
        for change in &group.changes {
            let is_order = matches!(&change.answers, Diff { base: Answer::Value(_), head: Answer::Value(_) });
            assert!(!change.parts.is_empty() || is_order, "{}: nothing differs", change.key);
            for node in &group.nodes {
                let answers = if change.varies { VARIES.to_owned() } else { told_as(&change.answers) };
                reported.insert((subjects[*node].name.clone(), change.key.to_string(), answers));
            }
        }
    }
    let broken = report.broken.iter().flat_map(|broken| broken.nodes.iter().map(|node| subjects[*node].name.clone()));
    (reported, broken.collect())
}

fn applied(base: &Texts, change: &[(String, Option<String>)]) -> Texts {
    let mut head = base.clone();
    for (path, text) in change {
        match text {
            Some(text) => _ = head.insert(path.clone(), text.clone()),
            None => _ = head.remove(path),
        }
    }
    head
}

/// The answers of changes that differ by node.
const VARIES: &str = "varies";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_change_is_missed_and_none_invented(base in texts(), change in change()) {
        let head = applied(&base, &change);
        let nodes: Vec<(Facts, Facts)> = nodes().into_iter().map(|facts| (facts.clone(), facts)).collect();
        prop_assert_eq!(quickly(&base, &head, &nodes), slowly(&base, &head, &nodes));
    }

    #[test]
    fn changes_that_differ_by_node_touch_the_same_nodes(base in texts(), change in change(), most in 1..3_usize) {
        let head = applied(&base, &change);
        let nodes: Vec<(Facts, Facts)> = nodes().into_iter().map(|facts| (facts.clone(), facts)).collect();
        let (changes, broken) = quickly_of(&base, &head, &nodes, most);
        let (expected, expected_broken) = slowly(&base, &head, &nodes);
        let places = |changes: &KeyChanges| -> Vec<(String, String)> {
            changes.iter().map(|(node, key, _)| (node.clone(), key.clone())).collect()
        };
        prop_assert_eq!((places(&changes), broken), (places(&expected), expected_broken));
        prop_assert!(changes.iter().all(|one| one.2 == VARIES || expected.contains(one)));
    }

    #[test]
    fn other_facts_are_changes_too(
        base in texts(),
        change in prop::option::of(change()),
        which in 0..5_usize,
        fact in prop::sample::select(vec![("role", "db"), ("site", "y"), ("site", "z"), ("unused", "x")]),
    ) {
        let head = applied(&base, &change.unwrap_or_default());
        let mut nodes: Vec<(Facts, Facts)> = nodes().into_iter().map(|facts| (facts.clone(), facts)).collect();
        nodes[which].1.set(fact.0, fact.1);
        prop_assert_eq!(quickly(&base, &head, &nodes), slowly(&base, &head, &nodes));
    }

    #[test]
    fn changed_keys_were_affected(base in texts(), change in change()) {
        let head = applied(&base, &change);
        let nodes: Vec<(Facts, Facts)> = nodes().into_iter().map(|facts| (facts.clone(), facts)).collect();
        let (changes, broken) = quickly(&base, &head, &nodes);
        let parts: Vec<RepositoryPart> =
            change.iter().map(|(path, _)| RepositoryPart::File(Path::new(ROOT).join(path), None)).collect();
        let reached = [&base, &head].map(|texts| reached(texts, &parts));
        for (node, key, changes) in changes.iter().filter(|(node, ..)| !broken.contains(node)) {
            let is_reached = |(keys, any): &(BTreeSet<(String, String)>, BTreeSet<String>)| {
                any.contains(node) || keys.contains(&(node.clone(), key.clone()))
            };
            prop_assert!(reached.iter().any(is_reached), "{node} {key}: {changes}");
        }
    }
}

/// The keys of nodes that parts can reach, and the nodes of which they may reach any.
fn reached(texts: &Texts, parts: &[RepositoryPart]) -> (BTreeSet<(String, String)>, BTreeSet<String>) {
    let environment = Environment::open(&settings(Arc::new(memory(texts)))).unwrap();
    let nodes = nodes();
    let name = |index: usize| nodes[index].node().unwrap().to_owned();
    let found = affected(&environment, &nodes, parts, Limits::default(), &());
    let mut keys = BTreeSet::new();
    let mut any: BTreeSet<String> = found.broken.iter().map(|(index, _)| name(*index)).collect();
    for group in &found.groups {
        for index in &group.nodes {
            keys.extend(group.keys.reached.iter().map(|key| (name(*index), key.to_string())));
            any.extend(group.keys.any.then(|| name(*index)));
            let of_modules = KEYS
                .iter()
                .filter(|key| group.keys.any_of.iter().any(|module| key.starts_with(&format!("{module}::"))));
            keys.extend(of_modules.map(|key| (name(*index), (*key).to_owned())));
        }
    }
    (keys, any)
}

/// A single value of a level is not merged; one of two values is, and cannot be.
#[test]
fn nodes_with_different_numbers_of_sources_are_separate_classes() {
    let hiera = |levels: &str| format!("version: 5\nhierarchy:\n- {{name: some, path: one.yaml}}\n{levels}");
    let base: Texts = [
        ("data/one.yaml", "---\nm::a: {x: 1}\nlookup_options:\n  m::a: {merge: unique}\n".to_owned()),
        ("data/tag/red.yaml", "---\nm::a: {x: ~}\n".to_owned()),
        ("hiera.yaml", hiera("")),
    ]
    .map(|(path, text)| (path.to_owned(), text))
    .into();
    let level = "- {name: mapped, mapped_paths: [facts.tags, tag, 'tag/%{tag}.yaml']}\n";
    let head = applied(&base, &[("hiera.yaml".to_owned(), Some(hiera(level)))]);
    let nodes: Vec<(Facts, Facts)> = nodes().into_iter().map(|facts| (facts.clone(), facts)).collect();
    let (reported, broken) = slowly(&base, &head, &nodes);
    let answers: BTreeSet<&str> = reported.iter().map(|(_, _, answers)| answers.as_str()).collect();
    assert_eq!(answers.len(), 2, "{reported:?}");
    assert_eq!(quickly(&base, &head, &nodes), (reported, broken));
}
