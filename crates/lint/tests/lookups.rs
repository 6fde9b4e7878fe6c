//! Data that no lookup can answer: its findings and their positions. The reference fails in the same cases.
use crate::support::{self, HIERA};

use hieratic_fleet::nodes_of;
use hieratic_lint::{OmissionGroup, Options, audit};

/// The findings of some rules as `code file:line:column message`, without nodes or for one whose facts are known.
fn found(codes: &[&str], files: &[(&str, &str)], with_facts: bool) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    support::write(&root, &[&[HIERA], files].concat());
    let mut options = Options::for_paths([&root]);
    if with_facts {
        let facts = "{\"role\": \"db\", \"hostname\": \"web01\", \"domain\": \"example.com\", \"fqdn\": \"web01.example.com\", \
                     \"clientcert\": \"web01.example.com\"}";
        support::write(&root, &[("facts/web01.example.com.json", facts)]);
        options.nodes =
            nodes_of(&[root.join("facts")], &[], Default::default(), &Default::default()).unwrap().unique().unwrap();
    }
    let prefix = format!("{}/", root.display());
    let reported = audit(&options, &()).findings.into_iter().filter(|found| codes.contains(&found.rule.id()));
    reported
        .map(|found| {
            let label = found.diagnostic.labels.iter().find(|label| label.primary).unwrap();
            let at = label.source.start(label.span);
            let place = format!("{} {}:{}:{}", found.rule.id(), found.file(), at.line, at.column);
            format!("{place} {}", found.diagnostic.message).replace(&prefix, "")
        })
        .collect()
}

/// Returns the findings, which must be the same without nodes and with one.
fn always(codes: &[&str], files: &[(&str, &str)]) -> Vec<String> {
    let (made_up, given) = (found(codes, files, false), found(codes, files, true));
    assert_eq!(made_up, given);
    given
}

const FAILING: [&str; 1] = ["failing-lookup"];
const NODE: &str = "data/nodes/web01.example.com.yaml";
const NOTHING: [&str; 0] = [];

fn failing(common: &str, node: &str) -> Vec<String> {
    always(&FAILING, &[("data/common.yaml", common), (NODE, node)])
}

#[test]
fn values_that_cannot_be_merged() {
    assert_eq!(
        failing("lookup_options: {a: {merge: hash}}\na: [1]\n", "a: {x: 1}\n"),
        [
            "failing-lookup data/common.yaml:2:4 The lookup of 'a' fails: The second element of the merge has wrong type, expects a \
          Hash value, got Tuple"
        ]
    );
    let unique = "lookup_options: {b: {merge: unique}}\n";
    let reported = failing(&format!("{unique}b: {{y: 1}}\n"), "b: [1]\n");
    assert!(
        reported.len() == 1 && reported[0].starts_with("failing-lookup data/common.yaml:2:4 The lookup of 'b' fails"),
        "{reported:?}"
    );
    // A hash that is the highest value becomes an element, and one value alone is not merged.
    assert_eq!(failing(&format!("{unique}b: [1]\n"), "b: {y: 1}\n"), NOTHING);
    assert_eq!(failing("lookup_options: {a: {merge: hash}}\na: [1]\n", "c: 1\n"), NOTHING);
    // Which options count depends on the level, and so on the node.
    let other = "lookup_options: {b: {merge: first}}\nb: [1]\n";
    assert_eq!(failing(&format!("{unique}b: {{y: 1}}\n"), other), NOTHING);
}

#[test]
fn values_that_cannot_be_merged_if_a_level_is_missing() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Private, datadir: /srv/no-such-folder, path: private.yaml}\n  - {name: Node, path: \
                 'nodes/%{trusted.certname}.yaml'}\n  - {name: Common, path: common.yaml}\n";
    let reported = |common: &str, node: &str| {
        always(&FAILING, &[("hiera.yaml", hiera), ("data/common.yaml", common), (NODE, node)])
    };
    let merge = |name: &str| format!("lookup_options: {{a: {{merge: {name}}}}}\n");
    assert_eq!(
        reported(&format!("{}a: [1]\n", merge("hash")), "a: {x: 1}\n"),
        [
            "failing-lookup data/common.yaml:2:4 The lookup of 'a' fails: its merge takes hashes with string keys from every level"
        ]
    );
    assert_eq!(reported(&format!("{}a: {{x: 1}}\n", merge("unique")), "a: [1]\n"), NOTHING);
    assert_eq!(reported(&format!("{}a: {{x: 1}}\n", merge("hash")), "a: {y: 1}\n"), NOTHING);
    assert_eq!(reported(&format!("{}a: [1]\n", merge("deep")), "a: {y: 1}\n"), NOTHING);
    // The private level may have another value.
    assert_eq!(reported("lookup_options: {a: {convert_to: Integer}}\na: abc\n", "b: 1\n"), NOTHING);
}

#[test]
fn values_that_cannot_be_sorted() {
    let options = "lookup_options: {a: {merge: {strategy: deep, sort_merged_arrays: true}}}\n";
    let reported = failing(&format!("{options}a: [1, b]\n"), "a: [c, 2]\n");
    assert!(
        reported.len() == 1
            && reported[0].starts_with(&format!("failing-lookup {NODE}:1:4 The lookup of 'a' fails: comparison of")),
        "{reported:?}"
    );
    assert_eq!(failing(&format!("{options}a: [b]\n"), "a: [c]\n"), NOTHING);
}

#[test]
fn values_that_cannot_be_converted() {
    let options = "lookup_options: {a: {convert_to: Integer}}\n";
    assert_eq!(
        failing(&format!("{options}a: abc\n"), "b: 1\n"),
        [
            "failing-lookup data/common.yaml:2:4 The lookup of 'a' fails: The convert_to lookup_option for key 'a' raised error: \
          'new' The string 'abc' cannot be converted to Integer"
        ]
    );
    assert_eq!(failing(&format!("{options}a: '12'\n"), "b: 1\n"), NOTHING);
    // The type of a fact decides, so only a node that has the fact, or is known to lack it, gives a finding.
    let with_fact = format!("{options}a: '%{{facts.number}}'\n");
    let files = [("data/common.yaml", with_fact.as_str())];
    assert_eq!(found(&FAILING, &files, false), NOTHING);
    assert_eq!(found(&FAILING, &files, true).len(), 1);
}

#[test]
fn values_that_are_not_data() {
    let common = "a: {true: 1}\nb:\n  - {yes: 1}\nc: {[1]: x}\nd: {~: 1}\ne: :name\nf: {1: x, 1.5: y}\ng:\n  :k: z\nh: {'yes': 1}\n";
    assert_eq!(
        failing(common, "x: 1\n"),
        [
            "failing-lookup data/common.yaml:1:5 Every lookup of 'a' fails: a hash in it has the key true",
            "failing-lookup data/common.yaml:3:6 Every lookup of 'b' fails: a hash in it has the key true",
            "failing-lookup data/common.yaml:4:5 Every lookup of 'c' fails: a hash in it has the key [1]",
            "failing-lookup data/common.yaml:5:5 Every lookup of 'd' fails: a hash in it has the key null",
            "failing-lookup data/common.yaml:6:4 Every lookup of 'e' fails: :name is a symbol",
        ]
    );
}

#[test]
fn key_paths_that_do_not_exist() {
    let reported = failing(
        "a: \"%{lookup('b.c')}\"\nb: [1]\nd: \"x %{lookup('e.c')}\"\ne: text\nf: \"%{lookup('b.0')}\"\n",
        "x: 1\n",
    );
    assert_eq!(
        reported,
        [
            "failing-lookup data/common.yaml:1:5 '%{lookup('b.c')}' fails: 'c' selects a part of 'b', which is an array",
            "failing-lookup data/common.yaml:3:7 '%{lookup('e.c')}' fails: 'c' selects a part of 'e', which is a string",
        ]
    );
    // Another level has parts; on this node it is not the one that counts.
    let files = [("data/common.yaml", "a: \"%{lookup('b.c')}\"\nb: text\n"), ("data/roles/web.yaml", "b: {c: 1}\n")];
    assert_eq!(found(&FAILING, &files, false), NOTHING);
    assert_eq!(found(&FAILING, &files, true).len(), 1);
    let files = [("data/common.yaml", "a: \"%{lookup('b.c')}\"\nb: \"%{alias('d')}\"\nd: {c: 1}\n")];
    assert_eq!(always(&FAILING, &files), NOTHING);
}

#[test]
fn keys_that_no_lookup_finds() {
    let class = "class m::n(Integer $port = 1, $list = []) { lookup('::asked', { default_value => 1 }) }\n";
    let common = "'::m::n::port': 1\nm:n:port: 1\nM::n::port: 1\nm::n::list.first: 1\n'm::n::port ': 1\ntrue: 1\n80: x\n\
                  '::asked': 1\n'::data': \"%{lookup('::data2')}\"\n'::data2': 1\nhttp://a/: 1\nother:x: 1\nm::n::port: 1\n";
    let files = [("data/common.yaml", common), ("modules/m/manifests/n.pp", class)];
    assert_eq!(
        always(&["unanswered-key"], &files),
        [
            "unanswered-key data/common.yaml:1:1 No class parameter has the key '::m::n::port': their keys do not begin with '::'",
            "unanswered-key data/common.yaml:2:1 No class parameter has the key 'm:n:port': names are separated by '::'",
            "unanswered-key data/common.yaml:3:1 No class parameter has the key 'M::n::port': names of classes are in lower case",
            "unanswered-key data/common.yaml:4:1 No class parameter has the key 'm::n::list.first': a dot leads into the value of \
             another key",
            "unanswered-key data/common.yaml:5:1 No lookup finds the key 'm::n::port ', which begins or ends with a space",
            "unanswered-key data/common.yaml:6:1 No lookup finds the key true, which is not a string",
            "unanswered-key data/common.yaml:7:1 No lookup finds the key 80, which is not a string",
            "unanswered-key data/common.yaml:9:1 No class parameter has the key '::data': their keys do not begin with '::'",
        ]
    );
}

#[test]
fn knockouts_that_remove_nothing() {
    let reported = |options: &str, node: &str| {
        let common = format!("lookup_options: {{a: {{merge: {options}}}}}\na: {{x: 1, l: [1, b]}}\n");
        always(&["lost-knockout"], &[("data/common.yaml", &common), (NODE, node)])
    };
    let deep = "{strategy: deep, knockout_prefix: '--'}";
    let reason = "removes nothing and stays";
    assert_eq!(
        reported(deep, "a: {--x: 1, --none: 2}\n"),
        [format!(
            "lost-knockout {NODE}:1:5 The knockout '--x' of the key 'a' {reason}: a merge removes elements of arrays, and no keys of hashes"
        )]
    );
    assert_eq!(reported(deep, "a: {l: [--b]}\n"), NOTHING);
    assert_eq!(
        reported("deep", "a: {l: [--b, --c]}\n"),
        [format!(
            "lost-knockout {NODE}:1:9 The knockout '--b' of the key 'a' {reason}: the merge options have no knockout_prefix"
        )]
    );
    assert_eq!(reported("hash", "a: {--x: 1}\n").len(), 1);
    assert_eq!(reported("first", "a: {--x: 1}\n"), NOTHING);
}

#[test]
fn values_that_lose_their_type_in_a_string() {
    let common = "lookup_options: {s: {convert_to: Sensitive}, '^t': {convert_to: 'Sensitive[String]'}}\ns: pw\nt: pw\n\
                  a: \"x %{lookup('s')}\"\nb: \"%{alias('s')}\"\nc: \"%{hiera('t')}\"\n";
    assert_eq!(
        always(&["sensitive-interpolation"], &[("data/common.yaml", common)]),
        [
            "sensitive-interpolation data/common.yaml:4:7 '%{lookup('s')}' puts the text 'Sensitive [value redacted]' in the place of 's'",
            "sensitive-interpolation data/common.yaml:6:5 '%{hiera('t')}' puts the text 'Sensitive [value redacted]' in the place of 't'",
        ]
    );
    let common = "b: \"%{literal('%')}{Referer}i x\"\na: \"pre %{lookup('b')}\"\nc: \"%{alias('b')}\"\nd: \"%{lookup('e')}\"\n\
                  e: \"%{literal('%')}{role}\"\nf: \"%{lookup('g')}\"\ng: \"100%{literal('%')}\"\n";
    assert_eq!(
        always(&["empty-interpolation"], &[("data/common.yaml", common)]),
        [
            "empty-interpolation data/common.yaml:2:9 '%{lookup('b')}' interpolates 'b' again: '%{Referer}' in it comes out empty"
        ]
    );
}

#[test]
fn keys_whose_failure_depends_on_facts_are_counted() {
    let common = "lookup_options:\n  size: {convert_to: Integer}\n  users: {merge: hash}\n  rules: {merge: hash}\n\
                  size: '%{facts.size}'\nusers: '%{alias(people)}'\nrules: {a: '%{facts.size}'}\npeople: {}\n";
    let files = [("data/common.yaml", common)];
    assert_eq!(not_judged(&files, false), ["2 keys (merged or converted by unknown facts: --facts)"]);
    assert_eq!(not_judged(&files, true), [""; 0]);
}

/// The omissions, without the files that no rule is about.
fn not_judged(files: &[(&str, &str)], with_facts: bool) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    support::write(&root, &[&[HIERA], files].concat());
    let mut options = Options::for_paths([&root]);
    if with_facts {
        support::write(&root, &[("facts/web01.example.com.json", "{\"size\": \"4\"}")]);
        options.nodes =
            nodes_of(&[root.join("facts")], &[], Default::default(), &Default::default()).unwrap().unique().unwrap();
    }
    let report = audit(&options, &());
    let gaps: Vec<_> = report.not_judged.into_iter().filter(|omission| omission.reason.is_gap()).collect();
    OmissionGroup::group(&gaps).iter().map(OmissionGroup::words).collect()
}
