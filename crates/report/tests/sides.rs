//! Two states of a repository, opened.

use std::path::Path;

use hieratic::sandbox::Memory;
use hieratic::{Facts, Limits, Redactor, Settings};
use hieratic_impact::{Answer, Diff, Subject};
use hieratic_report::{Head, Nodes, Options, Sides, compare};

fn settings(root: &Path) -> Settings {
    Settings {
        environment_dir: Some(root.into()),
        confdir: Some(root.join("no-confdir")),
        codedir: Some(root.join("no-codedir")),
        once: true,
        ..Settings::default()
    }
}

/// The answers of both sides to the only key that changes.
fn changed_answers(sides: &Sides) -> Diff<Answer> {
    let limits = Limits::default();
    let options = Options {
        selects_key: &|_| true,
        limits,
        most_details: 0,
        most_variants: usize::MAX,
        conceal: false,
        parent_budget: None,
        progress: &(),
        findings: None,
        jobs: None,
        catalogs: None,
    };
    let open = sides.open(limits).unwrap();
    let nodes = Nodes { subjects: vec![Subject::new(Facts::named("a"))], are_synthetic: false };
    let report = open.compare_answers(&nodes, &options, &Redactor::default());
    let changes: Vec<_> = report.groups.into_iter().flat_map(|group| group.changes).collect();
    let [change] = <[_; 1]>::try_from(changes).unwrap();
    change.answers
}

/// Each side sees its own files, whichever of them is a patch of the other.
#[test]
fn both_sides_have_their_own_files() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, port) in [(&old, "port: 1\n"), (&new, "port: 2\n")] {
        let hiera = "version: 5\nhierarchy: [{name: C, path: common.yaml}]\n";
        std::fs::write(folder.path().join("hiera.yaml"), hiera).unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        std::fs::write(folder.path().join("data/common.yaml"), port).unwrap();
    }
    let expected = Diff { base: Answer::Value(1.into()), head: Answer::Value(2.into()) };
    let folders = Sides::from_folders(settings(new.path()), new.path().to_owned(), old.path());
    assert_eq!(changed_answers(&folders), expected);
    let edits: Memory = [("data/common.yaml", "port: 2\n")].into_iter().collect();
    let edited = Sides::from_edits(settings(old.path()), old.path(), edits, ["data/common.yaml".into()]);
    assert_eq!(changed_answers(&edited), expected);
}

/// Runs git in a folder; false if it is not installed.
fn git(folder: &Path, arguments: &[&str]) -> bool {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let mut command = std::process::Command::new("git");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(folder).args(identity).args(arguments);
    match command.status() {
        Ok(status) => status.success(),
        Err(_) => {
            hieratic_testing::skipped("git is not installed");
            false
        }
    }
}

/// The report of a comparison, as text.
fn report(sides: &Sides) -> String {
    let limits = Limits::default();
    let options = Options {
        selects_key: &|_| true,
        limits,
        most_details: 100,
        most_variants: 10,
        conceal: false,
        parent_budget: None,
        progress: &(),
        findings: Some(&|_| true),
        jobs: None,
        catalogs: None,
    };
    let open = sides.open(limits).map_err(|error| error.error).unwrap();
    let nodes = ["a", "b"].map(|name| Subject::new(Facts::named(name))).to_vec();
    let report = compare(&open, &Nodes { subjects: nodes, are_synthetic: false }, &options, &Redactor::default());
    report.unwrap().to_text(false, Some(200))
}

/// What is kept between the comparisons of a commit with files that are edited does not change any of them.
#[test]
fn edits_are_compared_as_if_each_were_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let hiera = "version: 5\nhierarchy:\n  - {name: N, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: C, path: common.yaml}\n";
    write("hiera.yaml", hiera);
    write("environment.conf", "modulepath = modules\n");
    write("data/nodes/a.yaml", "p::port: 1\n");
    write("data/common.yaml", "p::port: 80\np::name: x\nlist: [1]\n");
    write("modules/p/manifests/init.pp", "class p(Integer $port, String $name) { notify { $name: } }\n");
    write("modules/q/manifests/init.pp", "class q { include p }\n");
    if !git(&root, &["init", "-q", "-b", "main"]) {
        return;
    }
    assert!(git(&root, &["add", "-A"]) && git(&root, &["commit", "-q", "-m", "first"]));
    let repository = hieratic_git::Repository::open(&root).unwrap();
    let new = || Sides::from_revisions(settings(&root), &repository, "HEAD", Head::WorkingTree, false).unwrap();
    let mut sides = new().caching();
    report(&sides);
    let (mut updates, mut seen) = (0, Vec::new());
    for (name, text) in [
        ("data/nodes/a.yaml", Some("p::port: 2\n")),
        ("data/nodes/a.yaml", Some("p::port: '2'\n")),
        ("data/common.yaml", Some("p::port: 80\np::nmae: x\np::name: y\nlist: [1]\n")),
        ("modules/q/manifests/init.pp", Some("class q { include p\n notice($nowhere::x) }\n")),
        // A definition that others use.
        ("modules/p/manifests/init.pp", Some("class p(Integer $port) { }\n")),
        ("modules/q/manifests/init.pp", Some("class q { include p }\n")),
        ("data/nodes/a.yaml", None),
        ("hiera.yaml", Some("version: 5\nhierarchy: [{name: C, path: common.yaml}]\n")),
        ("hiera.yaml", Some(hiera)),
        ("data/nodes/a.yaml", Some("p::port: 3\n")),
        ("data/nodes/b.yaml", Some("p::port: 4\n")),
        ("data/common.yaml", Some("p::port: 80\np::name: x\nlist: [2]\n")),
    ] {
        let path = match text {
            Some(text) => write(name, text),
            None => {
                std::fs::remove_file(root.join(name)).unwrap();
                root.join(name)
            }
        };
        sides = match sides.update(settings(&root), &repository, &[path]).unwrap() {
            Some(updated) => {
                updates += 1;
                updated
            }
            None => new().caching(),
        };
        let known = report(&sides);
        assert_eq!(known, report(&new()), "{name}: {text:?}");
        seen.push(known);
    }
    // One file is new.
    assert_eq!(updates, 11);
    seen.dedup();
    assert_eq!(seen.len(), 12, "{seen:?}");
}
