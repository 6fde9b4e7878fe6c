//! A tree in which one read fails after the other: no verb makes of it that something is not there. Each ends with an
//! error, or with the answer that it has where nothing fails.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::budget::{Budget, Limits};
use hieratic::catalog::Classification;
use hieratic::explain::Explain;
use hieratic::sandbox::{DirEntry, Memory, Mounted, Patched, Tree, TreeEntry};
use hieratic::{Compiler, Environment, Facts, Query, Redactor, Settings, Value};
use hieratic_impact::{Diff, Options, Subject, compare_answers};

/// Files of which the read with a number fails.
#[derive(Debug)]
struct Failing {
    files: Memory,
    reads: Arc<AtomicUsize>,
    fails: usize,
}

impl Failing {
    fn read<T>(&self, read: io::Result<T>) -> io::Result<T> {
        if self.reads.fetch_add(1, Ordering::Relaxed) == self.fails {
            Err(io::Error::other("the disk is broken"))
        } else {
            read
        }
    }
}

impl Tree for Failing {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        self.read(self.files.entry(path))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Failing::read(self, self.files.read(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.read(self.files.list(path))
    }
}

const ROOT: &str = "/control-repo-in-memory";

const HIERA: &str = "
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: Node, path: 'nodes/%{facts.name}.yaml'}
  - {name: More, glob: 'more/*.yaml'}
  - {name: Roles, mapped_paths: [facts.roles, role, 'roles/%{role}.yaml']}
  - {name: Common, paths: [common.yaml, common.json]}
";

fn files() -> Memory {
    [
        ("hiera.yaml", HIERA),
        ("environment.conf", "modulepath = modules\nmanifest = manifests\n"),
        ("data/nodes/a.yaml", "port: 1\n"),
        ("data/more/b.yaml", "port: 2\nlist: [2]\nlookup_options: {list: {merge: unique}}\n"),
        ("data/roles/web.yaml", "port: 3\nlist: [3]\nprofile::size: 3\n"),
        ("data/common.yaml", "port: 4\nlist: [4]\nalias: \"%{alias('list')}\"\n"),
        ("data/common.json", "{\"list\": [5], \"profile::size\": 5}"),
        ("manifests/site.pp", "include profile\n"),
        ("manifests/other.pp", "notify { 'other': }\n"),
        ("modules/profile/manifests/init.pp", "class profile(Integer $size, $more = 1) {\n  contain profile::part\n  file { '/a': content => epp('profile/a.epp') }\n  if find_file('profile/b') { notify { 'found': } }\n}\n"),
        ("modules/profile/manifests/part.pp", "class profile::part { notify { file('profile/b'): } }\n"),
        ("modules/profile/templates/a.epp", "<%= $profile::size %>\n"),
        ("modules/profile/files/b", "b"),
        ("modules/profile/functions/f.pp", "function profile::f() { 1 }\n"),
        ("modules/profile/hiera.yaml", "version: 5\nhierarchy: [{name: Own, path: own.yaml}]\n"),
        ("modules/profile/data/own.yaml", "profile::more: 7\n"),
        ("modules/profile/metadata.json", "{\"name\": \"a-profile\", \"version\": \"1.0.0\"}"),
    ]
    .into_iter()
    .collect()
}

fn settings(tree: Mounted) -> Settings {
    Settings {
        environment_dir: Some(ROOT.into()),
        confdir: Some(Path::new(ROOT).join("no-confdir")),
        codedir: Some(Path::new(ROOT).join("no-codedir")),
        tree: Some(tree),
        ..Settings::default()
    }
}

fn facts() -> Facts {
    let mut facts = Facts::named("a");
    facts.set("name", "a");
    facts.set("roles", ["db", "web"].into_iter().map(Value::from).collect::<Value>());
    facts
}

/// The result of a command, or any error.
type Answer = Result<String, String>;

/// A verb, as the command and the service ask for it.
type Verb = fn(&Settings) -> Answer;

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn lookup(settings: &Settings) -> Answer {
    let node = Environment::open(settings).map_err(message)?.node(&facts()).map_err(message)?;
    let mut answers = String::new();
    for key in ["port", "list", "alias", "profile::size", "profile::more", "nothing"] {
        match node.lookup_redacted(&Query::new(key)) {
            Ok(value) => answers.push_str(&format!("{key}: {value:?}\n")),
            Err(error) if error.code() == hieratic::Node::NOT_FOUND => answers.push_str(&format!("{key}: none\n")),
            Err(error) => return Err(message(error)),
        }
    }
    Ok(answers)
}

fn everything(settings: &Settings) -> Answer {
    let environment = Environment::open(settings).map_err(message)?;
    let node = environment.node(&facts()).map_err(message)?;
    let all = environment.everything(&node, &Query::new(""), true, &|_| true).map_err(message)?;
    match all.errors.first() {
        Some(error) => Err(message(&error.error)),
        None => Ok(format!("{:?}", all.values)),
    }
}

fn explain(settings: &Settings) -> Answer {
    let node = Environment::open(settings).map_err(message)?.node(&facts()).map_err(message)?;
    let (answer, explanation) = node.explain(&Query::new("list"), Explain::default());
    answer.map(|value| format!("{value:?}\n{explanation}")).map_err(message)
}

fn survey(settings: &Settings) -> Answer {
    let node = Environment::open(settings).map_err(message)?.node(&facts()).map_err(message)?;
    let surveys = node.survey("port").map_err(message)?;
    Ok(surveys.iter().map(|one| format!("{} {} {:?}\n", one.level, one.exists, one.location)).collect())
}

fn catalog(settings: &Settings) -> Answer {
    let environment = Environment::open(settings).map_err(message)?;
    let compilation = Compiler::limited(&environment, Limits::default()).compile(facts(), &Classification::default());
    let catalog = compilation.catalog.map_err(message)?;
    Ok(catalog
        .resources
        .iter()
        .map(|resource| format!("{} {:?}\n", resource.reference(), resource.parameters.len()))
        .collect())
}

fn check(settings: &Settings) -> Answer {
    let mut options = hieratic_lint::Options::for_paths([ROOT]);
    options.settings = settings.clone();
    options.nodes = vec![facts()];
    options.unused = true;
    let report = hieratic_lint::audit(&options, &());
    let findings = report.findings.iter().map(|finding| finding.diagnostic.message.clone());
    let findings: BTreeSet<String> = findings.collect();
    let is_unread = findings.iter().any(|finding| finding.contains("the disk is broken"));
    if is_unread { Err("a file cannot be read".to_owned()) } else { Ok(format!("{} {findings:#?}", report.files)) }
}

/// The changes of a node; the tree of the settings is the head.
fn diff(settings: &Settings) -> Answer {
    let head_tree = settings.tree.clone().unwrap();
    let old: Memory = [("data/nodes/a.yaml", "port: 9\n")].into_iter().collect();
    let changed: Vec<PathBuf> = ["data/nodes/a.yaml", "data/roles/web.yaml"].map(PathBuf::from).into();
    let base_tree = Mounted::new(ROOT, Patched::new(head_tree.tree().clone(), Arc::new(old), changed.clone()));
    let base_settings = Settings { tree: Some(base_tree.clone()), ..settings.clone() };
    let head = Environment::open(settings).map_err(message)?;
    let base = Environment::open_beside(&base_settings, &head).map_err(message)?;
    let changed: BTreeSet<PathBuf> = changed.iter().map(|path| Path::new(ROOT).join(path)).collect();
    let options = Options {
        changed: &changed,
        selects_key: &|_| true,
        limits: Limits::default(),
        most_details: 100,
        most_variants: 10,
        conceal: true,
        parent_budget: Some(&Budget::default()),
        progress: &(),
    };
    let subjects = [Subject::new(facts())];
    let report =
        compare_answers(Diff { base: &base, head: &head }, &subjects, &options, &Redactor::new(head.secrets(), false));
    let findings = hieratic_lint::new_findings(
        [&base_settings, settings],
        [&base, &head],
        &Vec::from_iter(changed),
        &[facts()],
        &Default::default(),
    );
    // As `Sides::whole` does.
    if let Some(error) = base_tree.fault().or_else(|| head_tree.fault()) {
        return Err(error);
    }
    let findings: Vec<&str> = findings.iter().map(|finding| &*finding.diagnostic.message).collect();
    Ok(format!("{:?} {:?} {findings:?}", report.groups, report.broken))
}

#[test]
fn an_unreadable_file_is_not_a_missing_file() {
    let verbs: [(&str, Verb); 7] = [
        ("lookup", lookup),
        ("lookup --all", everything),
        ("lookup --explain", explain),
        ("lookup --why", survey),
        ("catalog", catalog),
        ("check", check),
        ("diff", diff),
    ];
    for (name, verb) in verbs {
        let run = |fails: usize| {
            let reads = Arc::new(AtomicUsize::new(0));
            let tree = Failing { files: files(), reads: reads.clone(), fails };
            let answer = verb(&settings(Mounted::new(ROOT, tree)));
            (answer, reads.load(Ordering::Relaxed))
        };
        let (right, count) = run(usize::MAX);
        let right = right.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(count > 10, "{name} reads {count} times");
        for fails in 0..count {
            if let (Ok(answer), _) = run(fails) {
                assert_eq!(answer, right, "{name}, where read {fails} of {count} fails");
            }
        }
    }
}
