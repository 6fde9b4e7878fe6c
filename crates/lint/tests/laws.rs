//! Laws: a clean repository has no findings, faults are found wherever they are put, fingerprints hold when lines move.
use crate::support;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hieratic_lint::{Baseline, Options, audit};
use proptest::prelude::*;
use support::{HIERA, found, write};

/// Data that is right: every class has its parameters, every key that is looked up is there.
#[derive(Clone, Debug)]
struct Clean {
    classes: BTreeMap<String, BTreeMap<String, Parameter>>,
    nodes: Vec<String>,
}

#[derive(Clone, Debug)]
enum Parameter {
    Integer(i32),
    Text(String),
    List(Vec<String>),
    /// A literal that has the value of the key `base::name`.
    LookedUp,
    Fact,
}

fn parameter() -> impl Strategy<Value = Parameter> {
    prop_oneof![
        any::<i32>().prop_map(Parameter::Integer),
        "[ -~]{0,12}".prop_filter("no interpolation", |text| !text.contains("%{")).prop_map(Parameter::Text),
        proptest::collection::vec("[a-z]{1,6}", 0..4).prop_map(Parameter::List),
        Just(Parameter::LookedUp),
        Just(Parameter::Fact),
    ]
}

fn clean() -> impl Strategy<Value = Clean> {
    let parameters = proptest::collection::btree_map("p[a-z]{2,6}", parameter(), 1..5);
    let classes = proptest::collection::btree_map("c[a-z]{2,6}", parameters, 1..4);
    (classes, proptest::collection::vec("n[a-z]{1,8}", 0..3)).prop_map(|(classes, nodes)| Clean { classes, nodes })
}

impl Clean {
    fn files(&self) -> Vec<(String, String)> {
        let mut data = String::from("base::name: base\nbase::copy: \"%{alias('base::name')}\"\n");
        let mut files = vec![(HIERA.0.to_owned(), HIERA.1.to_owned())];
        for (class, parameters) in &self.classes {
            let mut declared = String::new();
            for (name, value) in parameters {
                let (kind, text) = match value {
                    Parameter::Integer(number) => ("Integer", number.to_string()),
                    Parameter::Text(text) => ("String", format!("'{}'", text.replace('\'', "''"))),
                    Parameter::List(items) => ("Array[String]", format!("['{}']", items.join("', '"))),
                    Parameter::LookedUp => ("String", "\"%{lookup('base::name')}\"".to_owned()),
                    Parameter::Fact => ("String", "\"%{facts.os.family}\"".to_owned()),
                };
                writeln!(declared, "  {kind} ${name},").unwrap();
                writeln!(data, "{class}::{name}: {text}").unwrap();
            }
            let manifest = format!("class {class} (\n{declared}) {{\n  notice(lookup('base::copy'))\n}}\n");
            files.push((format!("modules/{class}/manifests/init.pp"), manifest));
        }
        files.push(("data/common.yaml".into(), data));
        files.extend(self.nodes.iter().map(|node| (format!("data/nodes/{node}.yaml"), "base::name: own\n".into())));
        files
    }
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_clean_repository_has_no_findings(clean in clean()) {
        let files = clean.files();
        prop_assert_eq!(found(&borrowed(&files)), Vec::<String>::new());
    }

    #[test]
    fn a_mistake_is_found_wherever_it_is(clean in clean(), at in any::<prop::sample::Index>(), fault in 0usize..3) {
        let mut files = clean.files();
        let (_, data) = files.iter_mut().find(|(name, _)| name == "data/common.yaml").unwrap();
        let mut lines: Vec<&str> = data.lines().collect();
        let (line, rule) = [
            ("base::name: again", "duplicate-key"),
            ("base::other: \"%{lookup('nowhere')}\"", "unknown-key"),
            ("base::loop: \"%{lookup('base::loop')}\"", "lookup-cycle"),
        ][fault];
        lines.insert(at.index(lines.len() + 1), line);
        let text = lines.join("\n");
        *data = text;
        let found = found(&borrowed(&files));
        prop_assert!(found.len() == 1 && found[0].starts_with(rule), "{:?}", found);
    }

    #[test]
    fn no_text_makes_the_check_fail(text in "[ -~\n\\[\\]{}:%'\"&*|>-]{0,80}") {
        for name in ["data/common.yaml", "hiera.yaml", "manifests/site.pp", "templates/a.j2", "a.hcl", "a.json"] {
            let mut files = vec![HIERA, ("data/common.yaml", "a: 1\n")];
            files.retain(|(known, _)| *known != name);
            files.push((name, &text));
            found(&files);
        }
    }
}

#[test]
fn fingerprints_hold_when_lines_move() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let data = "a: 1\na: 2\nb: \"%{lookup('nope')}\"\n";
    write(&root, &[HIERA, ("data/common.yaml", data)]);
    let before = audit(&Options::for_paths([&root]), &()).findings;
    let baseline = Baseline::read(&Baseline::write(&before, None)).unwrap();
    write(&root, &[("data/common.yaml", &format!("# moved\n\nz: 1\n{data}a: 3\n"))]);
    let after = audit(&Options::for_paths([&root]), &()).findings;
    let new: Vec<_> = after.iter().filter(|finding| !baseline.accepts(finding)).map(|finding| finding.line()).collect();
    assert_eq!((before.len(), new), (2, vec![Some(7)]));
    assert_eq!(baseline.gone(&after, &|_, _| true), 0);
    assert_eq!(baseline.gone(&[], &|_, _| true), 2);
}
