//! Restoring writes what depends on the change, and nothing else: neither other entries nor comments.

use hieratic_directives::{Document, LocalFiles, Options, RestoreOptions, expand, restore};
use hieratic_value::Value;

fn read(text: &str) -> Document {
    Document::parse(text, "main.yaml", ".".as_ref()).unwrap()
}

fn expanded(text: &str) -> Value {
    expand(&read(text), &mut LocalFiles::below(".".as_ref()), &Options::default()).unwrap().to_value()
}

/// Restores a document for changed data, which is written as YAML, and checks the law.
fn restored(text: &str, changed: &str) -> String {
    let changed = read(changed).root().to_value();
    let mut files = LocalFiles::below(".".as_ref());
    let restored = restore(&read(text), &changed, &mut files, &RestoreOptions::default()).unwrap().text;
    assert_eq!(expanded(&restored), changed, "{restored}");
    restored
}

#[test]
fn a_directive_in_a_merged_list_stays() {
    let text = "base: {l: [x]}\nother: 1\nuse: {l: [{+/base/l: }], +/base: }  # why\n";
    let changed = "{base: {l: [x]}, other: 2, use: {l: [x]}}";
    assert_eq!(restored(text, changed), text.replace("other: 1", "other: 2"));
}

#[test]
fn leaving_out_a_list_keeps_other_inherited_keys() {
    let text = "y: {q: 1}\ndefaults:\n  tags: [a]\nweb:\n  +/defaults:  # all\n  +/y:\n  name: w\nshop:\n  +/web:\n  +/defaults:\n  +?include: none.yaml\n";
    let changed =
        "{y: {q: 1}, defaults: {tags: [a, b]}, web: {tags: [a], q: 1, name: w}, shop: {tags: [a], q: 1, name: w}}";
    assert_eq!(
        restored(text, changed),
        "y: {q: 1}\ndefaults:\n  tags: [a, b]\nweb:\n  # all\n  +/web/hidden/base:\n  hidden:\n    +%: whiteout\n    base:\n      +/defaults:\n      tags:\n        +%: whiteout\n  +/y:\n  tags:\n  - a\n  name: w\nshop:\n  +/shop/hidden-2/base:\n  hidden-2:\n    +%: whiteout\n    base:\n      +/web:\n      +/defaults:\n      tags:\n        +%: whiteout\n  +?include: none.yaml\n  tags:\n  - a\n"
    );
}

#[test]
fn an_anchored_value_changes_once() {
    let text = "base: &b\n  cpu: 1 # cores\n  mem: 2\nweb:\n  +*b:\n  name: w\n";
    assert_eq!(restored(text, "{base: {cpu: 5, mem: 2}, web: {cpu: 5, mem: 2, name: w}}"), text.replace("1 #", "5 #"));
}

#[test]
fn an_optional_reference_is_removed_with_its_target() {
    let text = "base: {cpu: 1}\nweb:\n  +?/base:\n  name: w\nother:\n  +?/none:\n  x: 1\n";
    let changed = "{web: {cpu: 1, name: w}, other: {x: 1}}";
    assert_eq!(restored(text, changed), "web:\n  cpu: 1\n  name: w\nother:\n  +?/none:\n  x: 1\n");
}

#[test]
fn comments_stay_with_their_entries() {
    for (text, changed, expected) in [
        ("l:\n- 1  # one\n- 2\n", "{l: [{a: 1, b: 2}, 2]}", "l:\n- a: 1  # one\n  b: 2\n- 2\n"),
        ("s: | # block\n  text\n", "{s: v}", "s: v # block\n"),
        ("s: | # block\n  text\n", "{s: {a: 1}}", "s: # block\n  a: 1\n"),
        ("s: # one\n  # two\n  v # three\n", "{s: {a: 1}}", "s: # one # two # three\n  a: 1\n"),
        ("1:\n  +x: v # c\n", "{1: {+x: w}}", "1:\n  +x: w # c\n"),
        (
            "d: {t: [a, b]}\nw: { # w\n  +/d: , # beside\n  x: 1}\n",
            "{d: {t: [a, b]}, w: {t: [b], x: 1}}",
            "d: {t: [a, b]}\nw: { # w\n  \n# beside\n+/w/hidden/base: null, hidden: {+%: whiteout, base: {+/d: null, t: {+%: whiteout}}}, t: [b], x: 1}\n",
        ),
        (
            "d: {t: [a, b]}\nw:\n  +/d: raw # c\n",
            "{d: {t: [a, b]}, w: {t: []}}",
            "d: {t: [a, b]}\nw:\n  # c\n  +/w/hidden/base:\n  hidden:\n    +%: whiteout\n    base:\n      +/d: raw\n      t:\n        +%: whiteout\n  t: []\n",
        ),
    ] {
        assert_eq!(restored(text, changed), expected);
    }
}

#[test]
fn a_target_may_resolve_in_its_own_place() {
    let text = "base: {t: 1}\none: {k: {+.../base: }}\ntwo: {a: {+.../one: }}\nthree: {e: {+/two: }}\n";
    let three = expanded(text).as_hash().and_then(|all| all.get("three")).map(Value::inspect);
    assert_eq!(three.as_deref(), Some(r#"{"e"=>{"a"=>{"k"=>{"t"=>1}}}}"#));
}
