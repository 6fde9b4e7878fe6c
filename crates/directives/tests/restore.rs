//! The law of restoring: a restored document expands to the changed one, and keeps what did not change.

#[path = "../../yaml-edit/tests/edit/choices.rs"]
pub mod choices;
#[path = "restore/documents.rs"]
mod directives;
#[path = "../../yaml-edit/tests/edit/documents.rs"]
mod documents;
pub mod law;
pub mod mutation;

use choices::Choices;
use directives::{Directives, TwoFiles};
use hieratic_directives::RestoreOptions;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::RngSeed;

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

/// The number of cases; the variable sets a larger one for a thorough run.
fn cases() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1000)
}

/// A fixed seed, except in a thorough run. One in about 50,000 documents still loses a comment, if an anchor is removed
/// with its map.
fn seed() -> RngSeed {
    if std::env::var_os("HIERATIC_CASES").is_some() { RngSeed::Random } else { RngSeed::Fixed(1) }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(), rng_seed: seed(), max_shrink_iters: 60_000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn a_restored_document_expands_to_the_changed_one(document in bytes(200), change in bytes(40)) {
        let text = documents::document(&mut Choices::new(&document), &mut Directives);
        let report = law::check(&text, &mut TwoFiles, &RestoreOptions::default(), |data| mutation::changed(&mut Choices::new(&change), data).0);
        // Parts that do not depend on the change keep their bytes, and a comment is removed only with its entry.
        if let Some(fault) = report.and_then(|report| report.fault.or(report.comment).or(report.moved)) {
            prop_assert!(false, "{fault}");
        }
    }
}

/// Small changes keep the directives: all but a few that have lost their targets, or the maps that held them.
#[test]
fn small_changes_keep_the_directives() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut drawn, mut with, mut fewer, mut plain) = (0, 0, 0, 0);
    while with < cases() {
        drawn += 1;
        let (document, change) = (bytes(200), bytes(40)).new_tree(&mut runner).unwrap().current();
        let text = documents::document(&mut Choices::new(&document), &mut Directives);
        let mut changes = 0;
        let reported = law::check(&text, &mut TwoFiles, &RestoreOptions::default(), |data| {
            let (changed, count) = mutation::changed(&mut Choices::new(&change), data);
            changes = count;
            changed
        });
        let Some(reported) =
            reported.filter(|reported| reported.before > 0 && reported.fault.is_none() && changes == 1)
        else {
            continue;
        };
        with += 1;
        fewer += u32::from(!reported.lost.is_empty());
        plain += u32::from(reported.plain && !reported.lost.is_empty());
    }
    eprintln!(
        "{drawn} drawn, {with} small changes of documents with directives, {fewer} lose some without need, {plain} all"
    );
    assert!(fewer * 100 <= with, "{fewer} of {with} lose directives without need");
    assert!(plain * 500 <= with, "{plain} of {with} are written anew");
}

/// Real documents keep the laws, with directives at their end that refer to their own keys: those of this repository, or of the folders
/// that the variable `HIERATIC_DOCUMENTS` names.
#[test]
fn real_documents_are_restored() {
    let here =
        format!("{root}/examples:{root}/conformance/hiera", root = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folders = std::env::var("HIERATIC_DOCUMENTS").unwrap_or(here);
    let mut waiting: Vec<std::path::PathBuf> = folders.split(':').map(Into::into).collect();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut documents, mut restored, mut faults) = (0, 0, Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() && !path.is_symlink() {
            let mut entries: Vec<_> =
                std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            entries.sort();
            waiting.extend(entries);
            continue;
        }
        let is_yaml = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !is_yaml || text.len() > 20_000 {
            continue;
        }
        documents += 1;
        for _ in 0..2 {
            let (choice, change) = (bytes(20), bytes(40)).new_tree(&mut runner).unwrap().current();
            let text = with_directives(&mut Choices::new(&choice), &text);
            let reported = law::check(&text, &mut TwoFiles, &RestoreOptions::default(), |data| {
                mutation::changed(&mut Choices::new(&change), data).0
            });
            restored += u32::from(reported.is_some());
            if let Some(error) = reported.and_then(|reported| reported.fault.or(reported.comment).or(reported.moved)) {
                faults.push(format!("=== {}\n{error}", path.display()));
            }
        }
    }
    eprintln!("{documents} documents, {restored} restored");
    assert!(restored > 50, "only {restored} of {documents} can be expanded");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// A document with a few entries at its end that refer to its keys.
fn with_directives(choices: &mut Choices, text: &str) -> String {
    let keys: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(key, _)| key)
        .filter(|key| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .collect();
    let mut out = format!("{}\n", text.trim_end_matches('\n'));
    for at in 0..choices.below(4) {
        let Some(key) = choices.of_any(&keys) else { break };
        out += &match choices.below(4) {
            0 => format!("use{at}:  # from {key}\n  +/{key}:\n  own: 1 # own\n"),
            1 => format!("use{at}:\n  - +/{key}:\n  - last  # one\n"),
            2 => format!("use{at}: {{+?/{key}: }}\n"),
            _ => format!("# uses {key}\nuse{at}:\n  inner:\n    +/{key}: raw\n    own: {{a: 1}}\n"),
        };
    }
    out
}

/// A reference to a place that becomes null is removed, and one to another place stays.
#[test]
fn references_to_other_places_stay() {
    let text =
        "on: {push: 1}\njobs: {t: 1}\nuse0: {inner: {+/jobs: raw, own: 1}}\nuse1: {inner: {+/on: raw, own: 1}}\n";
    let reported = law::check(text, &mut TwoFiles, &RestoreOptions::default(), |data| {
        let entries = data.as_hash().unwrap().iter().map(|(key, value)| {
            let is_changed = key.as_str() == Some("on");
            (key.clone(), if is_changed { hieratic_value::Value::Undef } else { value.clone() })
        });
        entries.collect::<hieratic_value::Hash>().into()
    });
    let reported = reported.unwrap();
    assert_eq!((reported.fault, reported.comment, reported.moved, reported.lost), (None, None, None, Vec::new()));
}

/// A map of a merge key that hides a key brings nothing, and one that gets a key brings it.
#[test]
fn values_from_merge_keys_are_not_repeated() {
    let text =
        "a: &a {x: 1}\nb: &b {y: 2}\nc: &c\n  <<: *a\n  q: 1\nuse:\n  <<: [*c, *b]\n  z: 3\nother:\n  <<: [*b, *a]\n";
    let document = law::parse(text).unwrap();
    let restored = |changed: &str| {
        let changed = hieratic_yaml::parse(changed.as_bytes(), &hieratic_yaml::Options::new("c.yaml"));
        let options = RestoreOptions::default();
        hieratic_directives::restore(&document, &changed.unwrap(), &mut TwoFiles, &options).unwrap().text
    };
    assert_eq!(
        restored(
            "{a: {x: 1, k: 5}, b: {y: 2}, c: {x: 1, q: 1}, use: {x: 1, q: 1, y: 2, z: 3}, other: {y: 2, x: 1, k: 5}}"
        ),
        "a: &a {x: 1, k: 5}\nb: &b {y: 2}\nc: &c\n  k:\n    +%: whiteout\n  <<: *a\n  q: 1\nuse:\n  <<: [*c, *b]\n  z: 3\n\
         other:\n  <<: [*b, *a]\n"
    );
}

fn restored(text: &str, changed: &str) -> String {
    let options = hieratic_yaml::Options::new("changed.yaml");
    let changed = hieratic_yaml::parse(changed.as_bytes(), &options).unwrap();
    let document = law::parse(text).unwrap();
    hieratic_directives::restore(&document, &changed, &mut TwoFiles, &RestoreOptions::default()).unwrap().text
}

/// In the reference program, a map with an unresolved optional reference is not a map. So the reference is removed with
/// its target, whether an anchor or `+&` names that.
#[test]
fn optional_references_are_removed_with_named_targets() {
    for name in ["&n {x: 1}", "{+&: n, x: 1}"] {
        let text = format!("a: {{l: 1.0, +?*n: }}\nb:\n  k: {name}\n");
        assert_eq!(restored(&text, "{a: {l: 1.0, x: 1}, b: {}}"), "a: {l: 1.0, x: 1}\nb: {}\n");
        assert_eq!(restored(&text, "{a: {l: 1.0}, b: {}}"), "a: {l: 1.0}\nb: {}\n");
        assert_eq!(restored(&text, "{a: {l: 2.0, x: 1}, b: {k: {x: 1}}}"), text.replace("1.0", "2.0"));
    }
}

/// The reference program expands a document again if a directive refers to a key that another one brings in, and then
/// does not find maps that are hidden in a map with directives.
#[test]
fn hidden_maps_resolve_through_inherited_references() {
    // `/d/k` is there by `+/b` alone.
    let text = "a: {m: 1}\nb: {k: {x: 1}, o: [1, 2]}\nc:\n  n:\n    +/d/k:\nd:\n  +/b:\n  m: 3\n";
    let changed = "{a: {m: 1}, b: {k: {x: 1}, o: [1, 2]}, c: {n: {x: 1}}, d: {k: {x: 1}, o: [2], m: 3}}";
    let hidden = "hidden:\n  +%: whiteout\n  base:\n    +/b:\n    o:\n      +%: whiteout\n";
    let expected = text.replace("  +/b:\n  m: 3\n", "  +/hidden/base:\n  o:\n  - 2\n  m: 3\n");
    assert_eq!(restored(text, changed), format!("{expected}{hidden}"));
    // A key of that name is there, and a map below a list.
    let text = format!("hidden: 1\n{text}e: [{{+/b: }}]\n");
    let changed = "{hidden: 1, a: {m: 1}, b: {k: {x: 1}, o: [1, 2]}, c: {n: {x: 1}}, d: {k: {x: 1}, o: [1, 2], m: 3}, e: [{k: {x: 1}, o: [1]}]}";
    let with_list = restored(&text, changed);
    assert!(with_list.contains("e: [{+/hidden-2/base: null, o: [1]}]\nhidden-2:\n"), "{with_list}");
    // If directives refer to own keys, the hidden map is next to them, but not below a list.
    let text = text.replace("+/d/k", "+/b/k");
    assert_eq!(restored(&text, changed), with_list.replace("+/d/k", "+/b/k"));
    let changed = "{hidden: 1, a: {m: 1}, b: {k: {x: 1}, o: [1, 2]}, c: {n: {x: 1}}, d: {k: {x: 1}, o: [1], m: 3}, e: [{k: {x: 1}, o: [1, 2]}]}";
    let beside = restored(&text, changed);
    assert!(beside.contains("d:\n  +/d/hidden-2/base:\n  hidden-2:\n"), "{beside}");
    // The keys that another directive brought into the target are removed with it.
    let text = "f:\n  +?/a/l:\n  k: 1\nb: {l: {x: [1, 2]}}\na:\n  +/b:\n  l: {y: 1}\n";
    let changed = "{f: {x: [1], y: 1, k: 1}, b: {l: {x: [1, 2]}}, a: null}";
    assert!(!restored(text, changed).contains("+?"), "{}", restored(text, changed));
}
