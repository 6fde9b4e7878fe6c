//! Catalogs that are not compiled a second time, because they are made of nothing that changed, are the same: on random
//! changes of a repository in which code, templates, files, functions, types and data have a part in them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hieratic::catalog::{CATALOG_LIMITS, Classification};
use hieratic::sandbox::{Memory, Mounted, Patched, Tree};
use hieratic::{Compiler, Environment, Facts, Hash, Redactor, Settings, Value};
use hieratic_impact::{CatalogOptions, CatalogReport, Diff, Subject, Trees, compare_catalogs};
use proptest::prelude::*;

const ROOT: &str = "/repository";

type Texts = BTreeMap<String, String>;

/// The files of the repository, each with its possible contents. The first is the one before the change.
const FILES: &[(&str, &[&str])] = &[
    (
        "hiera.yaml",
        &[
            "version: 5\nhierarchy:\n- {name: role, path: 'role/%{role}.yaml'}\n- {name: set, path: 'set/%{kind}.yaml'}\n\
             - {name: common, path: common.yaml}\n",
            "version: 5\nhierarchy:\n- {name: common, path: common.yaml}\n",
        ],
    ),
    (
        "manifests/site.pp",
        &[
            "$kind = $facts['role'] ? { 'web' => 'front', default => 'back' }\ninclude \"profile::${facts['role']}\"\n",
            "$kind = 'none'\ninclude \"profile::${facts['role']}\"\n",
        ],
    ),
    ("manifests/zz.pp", &["", "notify { 'more': }\n"]),
    (
        "data/common.yaml",
        &["profile::web::port: 80\nprofile::db::size: 1\n", "profile::web::port: 81\nprofile::db::size: 1\n"],
    ),
    ("data/role/web.yaml", &["{}\n", "profile::web::port: 82\n"]),
    ("data/set/back.yaml", &["{}\n", "profile::db::size: 7\n"]),
    (
        "modules/profile/manifests/web.pp",
        &[
            "class profile::web(Integer $port) {\n  file { '/web': content => epp('profile/web.epp', {port => $port}) }\n}\n",
            "class profile::web(Integer $port) {\n  file { '/web': content => 'x' }\n}\n",
        ],
    ),
    (
        "modules/profile/manifests/db.pp",
        &[
            "class profile::db(Profile::Size $size) {\n  profile::thing { 'a': text => profile::double($size) }\n  \
             file { '/f': content => file('profile/none', 'profile/f') }\n}\n",
            "class profile::db($size) { }\n",
        ],
    ),
    (
        "modules/profile/manifests/mail.pp",
        &[
            "class profile::mail {\n  $all = $facts['role']\n  if defined('profile::extra') { include profile::extra }\n}\n",
        ],
    ),
    ("modules/profile/manifests/extra.pp", &["", "class profile::extra { notify { 'extra': } }\n"]),
    (
        "modules/profile/manifests/thing.pp",
        &[
            "define profile::thing($text) { notify { \"t-${name}\": message => \"${text}\" } }\n",
            "define profile::thing($text) { notify { \"u-${name}\": message => \"${text}\" } }\n",
        ],
    ),
    ("modules/profile/templates/web.epp", &["listen <%= $port %>;\n", "listen <%= $port %>; # new\n"]),
    ("modules/profile/templates/other.epp", &["", "unused\n"]),
    ("modules/profile/files/f", &["f\n", "g\n"]),
    ("modules/profile/files/none", &["", "found\n"]),
    (
        "modules/profile/functions/double.pp",
        &["function profile::double($n) { $n * 2 }\n", "function profile::double($n) { $n * 3 }\n"],
    ),
    ("modules/profile/types/size.pp", &["type Profile::Size = Integer\n", "type Profile::Size = Integer[5]\n"]),
    ("modules/other/manifests/init.pp", &["class other { }\n", "class other { notify { 'other': } }\n"]),
    ("README.md", &["one\n", "two\n"]),
];

fn texts(which: &[usize]) -> Texts {
    let chosen = FILES.iter().zip(which.iter().chain(std::iter::repeat(&0)));
    let text =
        |(path, texts): &(&str, &[&str]), which: usize| Some(((*path).to_owned(), (*texts.get(which)?).to_owned()));
    // A file without content does not exist.
    chosen.filter_map(|(file, which)| text(file, *which)).filter(|(_, text)| !text.is_empty()).collect()
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

fn subjects() -> Vec<Subject> {
    let subject = |(name, role): (&str, &str)| {
        let facts = [("role", Value::from(role))].into_iter().collect::<Hash>();
        Subject { name: name.into(), base: Facts::new(Some(name), facts), head: None }
    };
    [("web1", "web"), ("db1", "db"), ("mail1", "mail"), ("web2", "web")].map(subject).into()
}

/// The comparison: with what both states are, nodes that are not touched are compiled once.
fn compared(base: &Texts, head: &Texts, skips: bool) -> CatalogReport {
    let changed: Vec<PathBuf> =
        base.keys().chain(head.keys()).filter(|path| base.get(*path) != head.get(*path)).map(PathBuf::from).collect();
    let head: Arc<dyn Tree> = Arc::new(memory(head));
    let base: Arc<dyn Tree> = Arc::new(Patched::new(head.clone(), Arc::new(memory(base)), changed));
    let trees = Trees { root: ROOT.into(), base: base.clone(), head: head.clone() };
    let head = Environment::open(&settings(head)).unwrap();
    let base = Environment::open_beside(&settings(base), &head).unwrap();
    let compilers = Diff { base: &base, head: &head }.map(|side| Compiler::limited(side, CATALOG_LIMITS));
    let nothing = Classification::default();
    let (ignore, redactor) = (hieratic_impact::Ignore::default(), Redactor::default());
    let options = CatalogOptions { classified: &|_| &nothing, ignore: &ignore, redactor: &redactor, progress: &() };
    compare_catalogs(compilers.as_ref(), skips.then_some(&trees), &subjects(), &options)
}

fn describe(report: &CatalogReport) -> String {
    format!("{:#?} {:#?} {}", report.groups, report.broken, report.failing)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn catalogs_that_are_compiled_once_are_equal(
        base in prop::collection::vec(prop_oneof![5 => Just(0_usize), 1 => Just(1_usize)], FILES.len()),
        changes in prop::collection::vec((0..FILES.len(), 0..3_usize), 1..3),
    ) {
        let mut head = base.clone();
        for (file, text) in changes {
            head[file] = text;
        }
        let (base, head) = (texts(&base), texts(&head));
        prop_assert_eq!(describe(&compared(&base, &head, true)), describe(&compared(&base, &head, false)));
    }
}

/// The number of nodes that are compiled once if one file has its other content.
fn untouched(path: &str) -> usize {
    let mut which = vec![0; FILES.len()];
    let before = texts(&which);
    which[FILES.iter().position(|(file, _)| *file == path).unwrap()] = 1;
    let report = compared(&before, &texts(&which), true);
    assert_eq!(report.failing, 0);
    report.untouched
}

#[test]
fn nodes_that_a_change_cannot_reach_are_compiled_once() {
    for (path, nodes) in [
        ("README.md", 4),
        ("modules/other/manifests/init.pp", 4),
        ("modules/profile/templates/web.epp", 2),
        ("modules/profile/files/f", 3),
        ("modules/profile/files/none", 3),
        ("modules/profile/manifests/extra.pp", 3),
        ("data/role/web.yaml", 2),
        ("data/set/back.yaml", 3),
        ("manifests/site.pp", 0),
        ("manifests/zz.pp", 0),
        ("hiera.yaml", 0),
    ] {
        assert_eq!(untouched(path), nodes, "{path}");
    }
}
