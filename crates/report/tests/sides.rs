//! Two states of a repository, opened.

use std::path::Path;

use hieratic::sandbox::Memory;
use hieratic::{Facts, Limits, Redactor, Settings};
use hieratic_impact::{Answer, Diff, Subject};
use hieratic_report::{Nodes, Options, Sides};

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
