use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_sandbox::{Files, Patched, Tree, TreeEntry};
use hieratic_testing::skipped;

use super::*;

mod forms;
#[cfg(unix)]
mod hostile;

/// A repository of git with a few commits, made by git; none where git is not installed.
pub(crate) struct TestRepository(tempfile::TempDir);

impl TestRepository {
    fn new() -> Option<TestRepository> {
        let repository = TestRepository(tempfile::tempdir().unwrap());
        if Command::new("git").arg("--version").output().is_err() {
            skipped("git is not installed");
            return None;
        }
        repository.git(&["init", "-q", "-b", "main"]);
        Some(repository)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, arguments: &[&str]) {
        let identity = [
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.com",
            "-c",
            "commit.gpgsign=false",
            "-c",
            "advice.nestedTag=false",
        ];
        let status = Command::new("git").current_dir(self.path()).args(identity).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }
}

fn names(changed: &Changed) -> Vec<String> {
    changed.paths.iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn a_revision_is_read_without_a_checkout() {
    let Some(sample) = TestRepository::new() else { return };
    sample.write("data/a.yaml", "a: 1\n");
    sample.write("b/c/d.yaml", "d: 1\n");
    std::os::unix::fs::symlink("../data/a.yaml", sample.path().join("b/link.yaml")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", sample.path().join("b/out.yaml")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", sample.path().join("b/private")).unwrap();
    sample.commit("One");
    std::fs::remove_dir_all(sample.path().join("b")).unwrap();
    sample.write("b", "a file\n");
    sample.write("data/a.yaml", "a: 2\n");
    sample.commit("Two");
    let repository = Repository::open(sample.path()).unwrap();
    let (one, two) = (repository.commit("HEAD~1").unwrap(), repository.commit("main").unwrap());
    let files = |commit| Files::below([sample.path()]).mounted(sample.path(), repository.tree(commit).unwrap());
    let text =
        |files: &Files, path: &str| files.read_text(&sample.path().join(path)).map_err(|error| error.to_string());
    assert_eq!(text(&files(one), "data/a.yaml").unwrap(), "a: 1\n");
    assert_eq!(text(&files(one), "b/link.yaml").unwrap(), "a: 1\n");
    assert!(text(&files(one), "b/out.yaml").unwrap_err().contains("leads out"));
    // As on the disk.
    let missing = files(one).read(&sample.path().join("b/private/a.yaml")).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    assert_eq!(text(&files(two), "b").unwrap(), "a file\n");
    assert!(!files(two).exists(&sample.path().join("b/c")));
    let listed = files(one).list(&sample.path().join("b")).unwrap();
    assert_eq!(listed.iter().map(|entry| &*entry.name).collect::<Vec<_>>(), ["c", "link.yaml", "out.yaml", "private"]);
    let changed = repository.changed(one, two).unwrap();
    assert_eq!(names(&changed), ["b", "b/c/d.yaml", "b/link.yaml", "b/out.yaml", "b/private", "data/a.yaml"]);
    // One side as a patch of the other is that side.
    let patched = Patched::new(
        std::sync::Arc::new(repository.tree(two).unwrap()),
        std::sync::Arc::new(repository.tree(one).unwrap()),
        changed.paths,
    );
    let plain = repository.tree(one).unwrap();
    for path in ["", "b", "b/c", "b/c/d.yaml", "b/link.yaml", "data", "data/a.yaml", "nope"] {
        let path = Path::new(path);
        assert_eq!(patched.entry(path).ok(), plain.entry(path).ok(), "{}", path.display());
        assert_eq!(patched.read(path).ok().is_some(), plain.read(path).ok().is_some(), "{}", path.display());
    }
}

#[test]
fn the_working_tree_is_compared_with_staged_and_untracked_files() {
    let Some(sample) = TestRepository::new() else { return };
    for name in ["same", "touched", "changed", "gone", "staged", "unstaged"] {
        sample.write(name, "1\n");
    }
    sample.write(".gitignore", "ignored\n");
    sample.commit("One");
    sample.write("touched", "1\n");
    sample.write("changed", "2\n");
    std::fs::remove_file(sample.path().join("gone")).unwrap();
    sample.write("staged", "2\n");
    sample.write("new", "1\n");
    sample.git(&["add", "staged"]);
    sample.git(&["rm", "-q", "--cached", "unstaged"]);
    sample.write("ignored", "1\n");
    sample.write("folder/untracked", "1\n");
    let repository = Repository::open(sample.path()).unwrap();
    let changed = repository.changed_in_worktree(repository.commit("HEAD").unwrap()).unwrap();
    assert_eq!(names(&changed), ["changed", "folder/untracked", "gone", "new", "staged"]);
}

#[test]
fn submodules_are_named_and_not_compared() {
    let Some(sample) = TestRepository::new() else { return };
    let Some(other) = TestRepository::new() else { return };
    other.write("a", "1\n");
    other.commit("One");
    sample.write("own", "1\n");
    sample.commit("One");
    let from = other.path().display().to_string();
    sample.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "modules/other"]);
    sample.commit("Two");
    let repository = Repository::open(sample.path()).unwrap();
    let with = |revision: &str| repository.changed_in_worktree(repository.commit(revision).unwrap()).unwrap();
    let note = "the submodule modules/other is at another commit: its content was not compared";
    assert_eq!(with("HEAD"), Changed::default());
    assert_eq!((names(&with("HEAD~1")), with("HEAD~1").notes), (vec![".gitmodules".to_owned()], vec![note.to_owned()]));
    sample.write("modules/other/b", "2\n");
    let inside: &[&str] = &["-C", "modules/other", "add", "-A"];
    sample.git(inside);
    sample.git(&["-C", "modules/other", "commit", "-q", "-m", "Three"]);
    assert_eq!((names(&with("HEAD")), with("HEAD").notes), (Vec::new(), vec![note.to_owned()]));
}

#[test]
fn history_follows_the_first_parents() {
    let Some(sample) = TestRepository::new() else { return };
    sample.write("a", "1\n");
    sample.commit("One");
    sample.git(&["checkout", "-q", "-b", "side"]);
    sample.write("b", "1\n");
    sample.commit("Side");
    sample.git(&["checkout", "-q", "main"]);
    sample.write("c", "1\n");
    sample.commit("Two");
    sample.git(&["merge", "-q", "--no-ff", "-m", "Merge", "side"]);
    let repository = Repository::open(sample.path()).unwrap();
    let steps: Vec<Step> = repository.history(repository.commit("HEAD").unwrap()).map(Result::unwrap).collect();
    let summaries: Vec<String> = steps.iter().map(|step| repository.author(step.commit).unwrap().summary).collect();
    assert_eq!(summaries, ["Merge", "Two", "One"]);
    let base = repository.merge_base(repository.commit("side").unwrap(), steps[1].commit).unwrap();
    assert_eq!(repository.author(base).unwrap().summary, "One");
    assert_eq!(repository.author(base).unwrap().name, "A");
}

/// Reads a file, looks for a missing one, and lists a folder, at a commit.
fn read_some(repository: &Repository, commit: Commit, read: &dyn Fn(&Revision)) -> Arc<Reads> {
    let reads = Arc::new(Reads::default());
    read(&repository.tree(commit).unwrap().recording(reads.clone()));
    reads
}

#[test]
fn commits_that_change_nothing_that_was_read_are_known() {
    let Some(sample) = TestRepository::new() else { return };
    sample.write("data/a.yaml", "1\n");
    sample.write("data/sub/b.yaml", "1\n");
    sample.write("other/c", "1\n");
    sample.commit("first");
    sample.write("data/a.yaml", "2\n");
    sample.commit("content of a.yaml");
    sample.write("data/sub/b.yaml", "2\n");
    sample.commit("content of b.yaml");
    sample.write("data/new.yaml", "1\n");
    sample.commit("name in data");
    sample.write("other/c", "2\n");
    sample.commit("content elsewhere");
    sample.write("data/more/c.yaml", "c: 1\n");
    sample.commit("folder in data");
    sample.git(&["rm", "-q", "-r", "data/sub"]);
    sample.write("data/sub", "a file\n");
    sample.commit("a file in the place of a folder");
    let repository = Repository::open(sample.path()).unwrap();
    let steps: Vec<Step> = repository.history(repository.commit("HEAD").unwrap()).map(Result::unwrap).collect();
    let changing = |read: &dyn Fn(&Revision)| -> Vec<String> {
        let reads = read_some(&repository, steps[0].commit, read);
        let changes = |step: &&Step| repository.change_of_reads(step, &reads).unwrap() != ReadsChange::Nothing;
        steps.iter().filter(changes).map(|step| repository.author(step.commit).unwrap().summary).collect()
    };
    let entry = |path: &'static str| move |revision: &Revision| drop(revision.entry(path.as_ref()));
    assert_eq!(changing(&|_| ()), ["first"]);
    assert_eq!(changing(&entry("data/a.yaml")), ["content of a.yaml", "first"]);
    assert_eq!(changing(&|revision| drop(revision.read("data/a.yaml".as_ref()))), ["content of a.yaml", "first"]);
    assert_eq!(changing(&entry("data/new.yaml")), ["name in data", "first"]);
    assert_eq!(changing(&entry("data/never.yaml")), ["first"]);
    assert_eq!(changing(&entry("data")), ["first"]);
    let of_sub = ["a file in the place of a folder", "content of b.yaml", "first"];
    assert_eq!(changing(&entry("data/sub/b.yaml")), of_sub);
    assert_eq!(changing(&entry("data/sub")), ["a file in the place of a folder", "first"]);
    let listed = ["a file in the place of a folder", "folder in data", "name in data", "first"];
    assert_eq!(changing(&|revision| drop(revision.list("data".as_ref()))), listed);
    assert_eq!(changing(&|revision| drop(revision.unnamed("other".as_ref()))), ["first"]);
    let reads = read_some(&repository, steps[0].commit, &|revision| drop(revision.entry("data/a.yaml".as_ref())));
    let contents = |step: &Step| match repository.change_of_reads(step, &reads).unwrap() {
        ReadsChange::Contents(changed) => {
            let text = |content: Option<ContentId>| {
                let bytes = content.map(|content| repository.read_content(content).unwrap().to_vec());
                String::from_utf8(bytes.unwrap_or_default()).unwrap()
            };
            changed.files.iter().map(|one| (one.path.clone(), text(one.base), text(one.head))).collect()
        }
        ReadsChange::Nothing | ReadsChange::More => Vec::new(),
    };
    let reads_list = read_some(&repository, steps[0].commit, &|revision| drop(revision.list("data".as_ref())));
    let listed = |summary: &str| {
        let is_it = |step: &&Step| repository.author(step.commit).unwrap().summary == summary;
        repository.change_of_reads(steps.iter().find(is_it).unwrap(), &reads_list).unwrap()
    };
    match listed("name in data") {
        ReadsChange::Contents(changed) => {
            let [one] = &changed.files[..] else { panic!("{changed:?}") };
            assert_eq!(
                (one.path.as_path(), one.base.is_none(), one.head.is_some()),
                ("data/new.yaml".as_ref(), true, true)
            );
            assert!(one.is_listed && !one.is_read, "{one:?}");
        }
        other => panic!("{other:?}"),
    }
    let folders = ChangedContents { folders: vec!["data/more".into()], ..ChangedContents::default() };
    assert_eq!(listed("folder in data"), ReadsChange::Contents(folders));
    assert_eq!(listed("a file in the place of a folder"), ReadsChange::More);
    let all: Vec<(PathBuf, String, String)> = steps.iter().flat_map(contents).collect();
    assert_eq!(all.len(), 1);
    assert!(all[0].0 == Path::new("data/a.yaml") && all[0].1 != all[0].2, "{all:?}");
}

#[test]
fn pointers_of_lfs_are_not_compared() {
    let Some(sample) = TestRepository::new() else { return };
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    sample.write("data/large.yaml", pointer);
    sample.write("data/small.yaml", "a: 1\n");
    sample.commit("One");
    sample.write("data/large.yaml", "a: 1\n");
    sample.write("data/small.yaml", "a: 2\n");
    let repository = Repository::open(sample.path()).unwrap();
    let head = repository.commit("HEAD").unwrap();
    let changed = repository.changed_in_worktree(head).unwrap();
    assert_eq!(names(&changed), ["data/large.yaml", "data/small.yaml"]);
    let disk = hieratic_sandbox::Disk::new(sample.path());
    let changed = changed.without_pointers(&repository.tree(head).unwrap(), &disk);
    assert_eq!(names(&changed), ["data/small.yaml"]);
    assert_eq!(changed.notes, ["data/large.yaml is a pointer of Git LFS: its content is not in the repository"]);
}

#[test]
fn missing_revisions_have_help() {
    let Some(sample) = TestRepository::new() else { return };
    sample.write("a", "1\n");
    sample.commit("One");
    let repository = Repository::open(sample.path()).unwrap();
    let error = repository.commit("nope").unwrap_err();
    assert!(error.message.contains("no revision 'nope'") && error.help.contains("git rev-parse"), "{error:?}");
    assert!(Repository::open(&sample.path().join("nope")).is_err());
}
