//! The storage formats of git, compared with the output of git itself.

use std::process::Command;

use super::*;

impl TestRepository {
    /// The output of git.
    fn git_output(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").current_dir(self.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    fn open(&self) -> Repository {
        Repository::open(self.path()).unwrap()
    }

    /// A history with merges, tags, renamed folders and large files that differ little.
    fn grow(&self) {
        let mut text: String = (0..3000).map(|line| format!("key{line}: {}\n", line * 7919 % 1000)).collect();
        for number in 0..12 {
            text.push_str(&format!("more{number}: 1\n"));
            self.write("data/large.yaml", &text);
            self.write(&format!("data/nodes/{}.yaml", number % 5), &format!("a: {number}\n"));
            self.commit(&format!("Change {number}"));
            if number == 4 {
                self.git(&["tag", "light"]);
                self.git(&["tag", "-a", "v1.0", "-m", "One"]);
                self.git(&["checkout", "-q", "-b", "side/a"]);
                self.write("side", "1\n");
                self.commit("Aside");
                self.git(&["checkout", "-q", "main"]);
            }
        }
        self.git(&["merge", "-q", "--no-ff", "-m", "Merge", "side/a"]);
        self.git(&["tag", "-a", "v2.0", "v1.0", "-m", "A tag of a tag"]);
    }
}

/// Checks everything that is equal for loose objects and packs.
fn compared_with_git(sample: &TestRepository) {
    let repository = sample.open();
    let first = sample.git_output(&["rev-list", "--max-parents=0", "HEAD"]);
    for revision in [
        "HEAD",
        "@",
        "main",
        "side/a",
        "refs/heads/main",
        "heads/main",
        "light",
        "v1.0",
        "v2.0",
        "v1.0^{}",
        "v2.0^{commit}",
        "HEAD~3",
        "HEAD^",
        "HEAD^2",
        "HEAD^2~1^0",
        "HEAD~5^1",
        "main@{0}",
        "HEAD@{1}",
        "@{-1}",
        ":/Aside",
        "HEAD^{/Change 3}",
        &first,
        &first[..7],
        "@~2",
    ] {
        let ours = repository.commit(revision).unwrap_or_else(|error| panic!("{revision}: {error}"));
        let expression =
            if revision.starts_with(":/") { revision.to_owned() } else { format!("{revision}^{{commit}}") };
        assert_eq!(ours.to_string(), sample.git_output(&["rev-parse", &expression]), "{revision}");
    }
    let described = sample.git_output(&["describe", "HEAD"]);
    assert_eq!(repository.commit(&described).unwrap(), repository.commit("HEAD").unwrap(), "{described}");
    for revision in
        ["nope", "HEAD~99", "HEAD^3", "HEAD:data", "HEAD^{tree}", "0000000", "@{99}", "main@{u}", "", "HEAD~x"]
    {
        assert!(repository.commit(revision).is_err(), "{revision}");
    }
    for (base, head) in [("HEAD~9", "HEAD"), ("side/a", "main"), ("v1.0", "HEAD^2"), ("HEAD", &*first)] {
        let [one, other] = [base, head].map(|name| repository.commit(name).unwrap());
        let changed = names(&repository.changed(one, other).unwrap());
        let listed = sample.git_output(&["diff", "--no-renames", "--name-only", base, head]);
        assert_eq!(changed, listed.lines().collect::<Vec<_>>(), "{base} {head}");
        let common = repository.merge_base(one, other).unwrap();
        assert_eq!(common.to_string(), sample.git_output(&["merge-base", base, head]), "{base} {head}");
    }
    for revision in ["HEAD", "HEAD~4", "side/a"] {
        let tree = repository.tree(repository.commit(revision).unwrap()).unwrap();
        for path in sample.git_output(&["ls-tree", "-r", "--name-only", revision]).lines() {
            let text = String::from_utf8(tree.read(Path::new(path)).unwrap()).unwrap();
            assert_eq!(
                text.trim_end(),
                sample.git_output(&["show", &format!("{revision}:{path}")]),
                "{revision} {path}"
            );
            let TreeEntry::Stat(stat) = tree.entry(Path::new(path)).unwrap() else { panic!("{path}") };
            assert_eq!(stat.len, text.len() as u64);
        }
    }
    let ours: Vec<String> =
        repository.history(repository.commit("HEAD").unwrap()).map(|step| step.unwrap().commit.to_string()).collect();
    assert_eq!(ours, sample.git_output(&["rev-list", "--first-parent", "HEAD"]).lines().collect::<Vec<_>>());
    assert_eq!(repository.changed_in_worktree(repository.commit("HEAD").unwrap()).unwrap(), Changed::default());
}

#[test]
fn loose_and_packed_objects_match_git() {
    let Some(repository) = TestRepository::new() else { return };
    repository.grow();
    compared_with_git(&repository);
    repository.git(&["-c", "pack.writeReverseIndex=false", "repack", "-adfq", "--depth=50"]);
    repository.git(&["pack-refs", "--all"]);
    repository.git(&["prune-packed"]);
    compared_with_git(&repository);
    // Bases by names, in the first version of the index, and several packs.
    repository.git(&["-c", "pack.indexVersion=1", "-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"]);
    repository.write("later", "1\n");
    repository.commit("Later");
    repository.git(&["repack", "-dq"]);
    repository.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repository.git(&["checkout", "-q", "side/a"]);
    repository.git(&["checkout", "-q", "main"]);
    compared_with_git(&repository);
}

#[test]
fn all_versions_of_the_index_are_read() {
    let Some(sample) = TestRepository::new() else { return };
    sample.grow();
    for version in ["2", "3", "4"] {
        sample.git(&["update-index", "--index-version", version]);
        sample.write("new", "1\n");
        sample.git(&["add", "-N", "new"]);
        sample.write("data/nodes/0.yaml", "other\n");
        let repository = sample.open();
        let changed = repository.changed_in_worktree(repository.commit("HEAD").unwrap()).unwrap();
        assert_eq!(names(&changed), ["data/nodes/0.yaml", "new"], "{version}");
        std::fs::remove_file(sample.path().join("new")).unwrap();
        sample.git(&["reset", "-q", "--hard"]);
    }
    sample.git(&["update-index", "--split-index"]);
    let repository = sample.open();
    let error = repository.changed_in_worktree(repository.commit("HEAD").unwrap()).unwrap_err();
    assert!(error.message.contains("split") && error.help.contains("--no-split-index"), "{error:?}");
}

#[test]
fn a_sparse_working_tree_has_no_changes() {
    let Some(sample) = TestRepository::new() else { return };
    sample.grow();
    for cone in ["--no-sparse-index", "--sparse-index"] {
        sample.git(&["sparse-checkout", "set", "--cone", cone, "data/none"]);
        assert!(!sample.path().join("data/nodes").exists());
        let repository = sample.open();
        let changed =
            |revision: &str| repository.changed_in_worktree(repository.commit(revision).unwrap()).unwrap().paths.len();
        assert_eq!((changed("HEAD"), changed("HEAD~1")), (0, 1), "{cone}");
    }
}

#[test]
fn linked_working_trees_and_submodules_are_read() {
    let Some(sample) = TestRepository::new() else { return };
    sample.grow();
    let beside = tempfile::tempdir().unwrap();
    let linked = beside.path().join("linked");
    sample.git(&["worktree", "add", "-q", linked.to_str().unwrap(), "side/a"]);
    let repository = Repository::open(&linked).unwrap();
    assert_eq!(repository.commit("HEAD").unwrap(), sample.open().commit("side/a").unwrap());
    assert_eq!(repository.changed_in_worktree(repository.commit("HEAD").unwrap()).unwrap(), Changed::default());
    // The same file in another folder: nothing points back to it.
    let other = beside.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(linked.join(".git"), other.join(".git")).unwrap();
    let error = Repository::open(&other).unwrap_err();
    assert!(error.message.contains("leads to") && error.help.contains("outside of it allowed"), "{error:?}");
    assert!(Repository::open_within(&other, true, &Budget::default()).is_ok());
    sample.git(&["worktree", "add", "-q", "inside", "light"]);
    assert!(Repository::open(&sample.path().join("inside")).is_ok());
}

#[test]
fn a_bare_repository_and_a_shallow_one_are_read() {
    let Some(repository) = TestRepository::new() else { return };
    repository.grow();
    let beside = tempfile::tempdir().unwrap();
    let (bare, shallow) = (beside.path().join("bare.git"), beside.path().join("shallow"));
    let from = format!("file://{}", repository.path().display());
    repository.git(&["clone", "-q", "--bare", &from, bare.to_str().unwrap()]);
    repository.git(&["clone", "-q", "--depth=2", &from, shallow.to_str().unwrap()]);
    let bare = Repository::open(&bare).unwrap();
    assert!(bare.is_bare() && bare.commit("main").is_ok());
    let shallow = Repository::open(&shallow).unwrap();
    let steps: Vec<Step> = shallow.history(shallow.commit("HEAD").unwrap()).map(Result::unwrap).collect();
    assert_eq!(steps.iter().map(|step| step.is_cut_off).collect::<Vec<_>>(), [false, true]);
    let error = shallow.commit("HEAD~5").unwrap_err();
    assert!(error.help.contains("--unshallow"), "{error:?}");
}

#[test]
fn replaced_objects_are_replaced() {
    let Some(sample) = TestRepository::new() else { return };
    sample.grow();
    sample.git(&["replace", "HEAD~1", "HEAD~3"]);
    let repository = sample.open();
    let replaced = repository.author(repository.commit("HEAD~1").unwrap()).unwrap();
    assert_eq!(replaced.summary, sample.git_output(&["log", "-1", "--format=%s", "HEAD~1"]));
}
