//! Histories: what skips commits finds the same as looking at each of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use hieratic::hiera::KeyRecord;
use hieratic::lookup::Origin;
use hieratic::sandbox::Mounted;
use hieratic::{Environment, Facts, Node, Query, Redactor, Settings};
use hieratic_git::{Commit, Error, Reads, Repository};
use hieratic_impact::{Arrays, Diff, differences_of_leaves, leaves};
use hieratic_report::{AnswerAtCommit, CommitLook, HistoryEntry, HistorySearch, ReadData, history};
use hieratic_testing::skipped;

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

/// A state of a repository: the text of each file, as lines.
type Files = BTreeMap<String, Vec<String>>;

const LINES: [&str; 24] = [
    "a: 1",
    "a: 2",
    "a: {x: 1}",
    "b: one",
    "b: \"%{lookup('a')}\"",
    "c: [1, 2]",
    "c: [2, 3]",
    "deep: {x: {y: 1}}",
    "deep: {x: {z: 2}}",
    "deep: {x: {z: \"%{facts.role}\"}}",
    "lookup_options: {deep: {merge: deep}, c: {merge: unique}}",
    "lookup_options: {a: {convert_to: String}}",
    "# a comment",
    "",
    "text: |\n  of two\n  lines",
    "e: 'a\n  b'",
    "f: &f 1",
    "g: *f",
    "h: [1,\n2]",
    "b: \"%{alias('c')}\"",
    "m: \"%{lookup('text')}\"",
    "'a': 3",
    "? q\n: 1",
    "wrong: [",
];

const HIERARCHIES: [&str; 3] = [
    "version: 5\nhierarchy:\n  - {name: R, path: 'r/%{facts.role}.yaml'}\n  - {name: G, glob: 'g/*.yaml'}\n  - {name: C, path: common.yaml}\n",
    "version: 5\nhierarchy:\n  - {name: C, path: common.yaml}\n  - {name: G, glob: 'g/*.yaml'}\n",
    "version: 5\nhierarchy:\n  - {name: G, globs: ['g/*.yaml', 'r/*.yaml']}\n  - {name: J, data_hash: json_data, path: c.json}\n  - {name: C, path: common.yaml}\n",
];

/// Changes one thing.
fn change(files: &mut Files, numbers: &mut Numbers) {
    // Modules come and go: one that keys ask for, and another one.
    const MODULES: [&str; 3] = ["asked", "other", "more"];
    const NAMES: [&str; 5] =
        ["data/common.yaml", "data/r/web.yaml", "data/g/1.yaml", "data/g/2.yaml", "data/r/db.yaml"];
    match numbers.below(15) {
        0 => drop(files.insert("hiera.yaml".into(), vec![HIERARCHIES[numbers.below(3)].into()])),
        1 => drop(files.remove(NAMES[1 + numbers.below(4)])),
        2 => drop(files.insert("data/c.json".into(), vec![format!("{{\"a\": {}}}", numbers.below(3))])),
        3..6 => {
            let module = MODULES[numbers.below(3)];
            let [hiera, data] = ["hiera.yaml", "data/c.yaml"].map(|name| format!("modules/{module}/{name}"));
            if files.remove(&data).is_some() {
                files.remove(&hiera);
            } else {
                files.insert(data, vec![format!("{module}::x: {}", numbers.below(3))]);
                files.insert(hiera, vec!["version: 5\nhierarchy: [{name: C, path: c.yaml}]".into()]);
            }
        }
        _ => {
            let lines = files.entry(NAMES[numbers.below(5)].into()).or_default();
            let line = LINES[numbers.below(LINES.len())].to_owned();
            let at = numbers.below(lines.len() + 1);
            match numbers.below(3) {
                0 if at < lines.len() => drop(lines.remove(at)),
                1 if at < lines.len() => lines[at] = line,
                _ => lines.insert(at, line),
            }
        }
    }
}

/// Writes a repository with so many commits, each with another change.
fn write(folder: &Path, commits: usize, numbers: &mut Numbers) {
    let mut files: Files = [("hiera.yaml".into(), vec![HIERARCHIES[0].into()])].into();
    let mut stream = String::new();
    for number in 0..commits {
        change(&mut files, numbers);
        let seconds = 1_700_000_000 + number;
        let _ = write!(stream, "commit refs/heads/main\ncommitter A <a@b> {seconds} +0000\ndata 1\nc\ndeleteall\n");
        for (name, lines) in &files {
            let text = lines.join("\n") + "\n";
            let _ = write!(stream, "M 100644 inline {name}\ndata {}\n{text}\n", text.len());
        }
    }
    let git = |arguments: &[&str]| {
        Command::new("git")
            .args(arguments)
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap()
    };
    assert!(git(&["init", "-q", "-b", "main"]).wait().unwrap().success());
    let mut import = git(&["fast-import", "--quiet"]);
    import.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
}

fn facts() -> Facts {
    let mut facts = Facts::named("web01.example.com");
    facts.merge(&[("role", hieratic::Value::from("web"))].into_iter().collect());
    facts
}

/// The answer at a commit, with what it depends on, as the command line looks it up.
fn look(
    repository: &Repository,
    commit: Commit,
    key: &str,
    reads: Option<Arc<Reads>>,
    last: Option<&RefCell<Option<Environment>>>,
) -> CommitLook {
    let tree = repository.tree(commit).unwrap();
    let tree = match reads {
        Some(reads) => tree.recording(reads),
        None => tree,
    };
    let tree = Mounted::new(repository.root(), tree);
    let settings = Settings { tree: Some(tree), positions: true, once: true, ..Settings::new(repository.root()) };
    let opened = match last.and_then(|last| last.borrow().clone()) {
        Some(last) => Environment::open_after(&settings, &last),
        None => Environment::open(&settings),
    };
    let environment = match opened {
        Ok(environment) => environment,
        Err(error) => return CommitLook { answer: Some(Err(error.to_string())), ..CommitLook::default() },
    };
    let redactor = Redactor::new(environment.secrets(), false);
    let requested = Arc::new(KeyRecord::default());
    let node = environment.node(&facts()).unwrap().recording_keys(requested.clone());
    let requested = || ReadData::new(&node, &requested, repository.root());
    let look = match node.lookup_traced(&Query::new(key)) {
        Ok(answer) => CommitLook {
            answer: Some(Ok(leaves(&answer.value, &redactor))),
            requested: requested(),
            ..CommitLook::default()
        },
        Err(error) if error.code() == Node::NOT_FOUND => CommitLook { requested: requested(), ..CommitLook::default() },
        Err(error) => CommitLook { answer: Some(Err(error.to_string())), ..CommitLook::default() },
    };
    if let Some(last) = last {
        last.replace(Some(environment));
    }
    look
}

fn shown(entry: &HistoryEntry) -> String {
    entry.to_value(&|origin: &Origin| origin.to_string()).inspect()
}

/// The commits that change an answer, by looking at each.
fn each_commit(repository: &Repository, first: Commit, key: &str) -> Vec<String> {
    let at = |commit: Commit| -> AnswerAtCommit { look(repository, commit, key, None, None).answer };
    let mut entries = Vec::new();
    for step in repository.history(first) {
        let step = step.unwrap();
        let (base, head) = (step.parent.and_then(at), at(step.commit));
        let answers = Diff { base: base.as_ref(), head: head.as_ref() };
        let parts = differences_of_leaves(answers, Arrays::Sequences);
        if !parts.is_empty() {
            let author = repository.author(step.commit).unwrap();
            let is_answered = answers.map(|answer| answer.is_some());
            entries.push(shown(&HistoryEntry { commit: step.commit, author, parts, is_answered }));
        }
    }
    entries
}

#[test]
fn skipping_commits_changes_no_result() {
    if Command::new("git").arg("--version").output().is_err() {
        return skipped("git is not installed");
    }
    let mut looks = 0;
    let mut commits = 0;
    for seed in 1..=3 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        write(&root, 40, &mut numbers);
        let repository = Repository::open(&root).unwrap();
        let first = repository.commit("main").unwrap();
        for key in ["a", "b", "c", "deep", "m", "never", "asked::x"] {
            let last = RefCell::default();
            let count = RefCell::new(0);
            let walk = HistorySearch {
                repository: &repository,
                at: &|commit, reads| {
                    *count.borrow_mut() += 1;
                    Ok::<_, Error>(look(&repository, commit, key, Some(reads), Some(&last)))
                },
                continues: &|_, _| Ok(true),
                found: &|_| (),
                failed: &|error| error,
            };
            let found: Vec<String> = history(first, &walk).unwrap().entries.iter().map(shown).collect();
            assert_eq!(found, each_commit(&repository, first, key), "{key} {seed}");
            looks += *count.borrow();
            commits += 40;
        }
    }
    // The test would prove nothing if each commit was looked at.
    assert!(looks * 4 < commits * 3, "{looks} of {commits}");
}
