//! [`Blame`]: the commit that last changed each line of a file.
//!
//! The lines of the file are traced back along the first parents: a line that a commit does not change belongs to an
//! older commit.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::http::StatusCode;
use hieratic::sandbox::{Tree, TreeEntry};
use hieratic_git::{Author, Commit, Reads, ReadsChange, Repository};
use hieratic_report::LineDiff;

use crate::history::failed;
use crate::problem::Problem;

/// The origin of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineOrigin {
    /// No commit has the line.
    Uncommitted,
    /// A commit, by its index.
    Commit(usize),
    /// A commit older than those that were looked at.
    Older,
}

/// A commit that changed some lines.
#[derive(Clone, Debug)]
pub(crate) struct BlamedCommit {
    pub(crate) commit: Commit,
    pub(crate) author: Author,
    /// Whether it is the first commit, before which there was nothing.
    pub(crate) is_first: bool,
}

/// The origins of the lines of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blame {
    pub(crate) commits: Vec<BlamedCommit>,
    /// For each line.
    pub(crate) lines: Vec<LineOrigin>,
}

/// A line whose origin is not known yet: its index in the version that was reached, and in the file.
#[derive(Clone, Copy)]
struct Pending {
    at: usize,
    line: usize,
}

/// Finds the origins of the lines of a file, whose path is relative to the root of the repository. It ends after some commits, and at some
/// time; the lines that are left are older.
pub(crate) fn blame(
    repository: &Repository,
    path: &Path,
    text: &str,
    most_commits: usize,
    until: Instant,
) -> Result<Blame, Problem> {
    let now: Vec<&str> = text.lines().collect();
    let mut blame = Blame { commits: Vec::new(), lines: vec![LineOrigin::Older; now.len()] };
    let mut pending: Vec<Pending> = (0..now.len()).map(|line| Pending { at: line, line }).collect();
    let first = repository.commit("HEAD").map_err(failed)?;
    let mut reads = Arc::new(Reads::default());
    let mut version = version(repository, first, path, &reads)?.unwrap_or_default();
    let (kept, changed) = divide(version.lines().collect(), now.clone(), &pending, until);
    changed.iter().for_each(|line| blame.lines[*line] = LineOrigin::Uncommitted);
    pending = kept;
    for (count, step) in repository.history(first).enumerate() {
        let step = step.map_err(failed)?;
        if pending.is_empty() || count >= most_commits || Instant::now() >= until || step.is_cut_off {
            break;
        }
        let before = match step.parent {
            Some(_) if matches!(repository.change_of_reads(&step, &reads).map_err(failed)?, ReadsChange::Nothing) => {
                continue;
            }
            Some(parent) => {
                reads = Arc::new(Reads::default());
                self::version(repository, parent, path, &reads)?.unwrap_or_default()
            }
            None => String::new(),
        };
        let (kept, changed) = divide(before.lines().collect(), version.lines().collect(), &pending, until);
        if !changed.is_empty() {
            let index = blame.commits.len();
            let author = repository.author(step.commit).map_err(failed)?;
            blame.commits.push(BlamedCommit { commit: step.commit, author, is_first: step.parent.is_none() });
            changed.iter().for_each(|line| blame.lines[*line] = LineOrigin::Commit(index));
        }
        (pending, version) = (kept, before);
    }
    Ok(blame)
}

/// Divides lines into those that an older version has, with their indexes there, and the others.
fn divide(old: Vec<&str>, new: Vec<&str>, pending: &[Pending], until: Instant) -> (Vec<Pending>, Vec<usize>) {
    // For each line of the new version, the line of the old one.
    let mut before: Vec<Option<usize>> = vec![None; new.len()];
    for (old, new) in LineDiff::of_lines(old, new, Some(until)).unchanged_lines() {
        before[new] = Some(old);
    }
    let (mut kept, mut changed) = (Vec::new(), Vec::new());
    for Pending { at, line } in pending {
        match before.get(*at).copied().flatten() {
            Some(at) => kept.push(Pending { at, line: *line }),
            None => changed.push(*line),
        }
    }
    (kept, changed)
}

/// The text of a file at a commit; `None` if it is not a file there, or not text.
fn version(
    repository: &Repository,
    commit: Commit,
    path: &Path,
    reads: &Arc<Reads>,
) -> Result<Option<String>, Problem> {
    let tree = repository.tree(commit).map_err(failed)?.recording(reads.clone());
    match tree.entry(path) {
        Ok(TreeEntry::Stat(stat)) if stat.is_file() => {}
        Ok(_) => return Ok(None),
        // A missing file is an older state without it. Every other reason is an error.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(unread(path, &error)),
    }
    let bytes = tree.read(path).map_err(|error| unread(path, &error))?;
    Ok(String::from_utf8(bytes).ok())
}

fn unread(path: &Path, error: &std::io::Error) -> Problem {
    let detail = format!("{} cannot be read in git: {error}", path.display());
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail).help("fetch the whole history of the repository")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::process::Command;
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_line_belongs_to_the_commit_that_wrote_it() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(folder.path()).args(["-c", "user.name=A", "-c", "user.email=a@b"]).args(arguments);
            command.output().is_ok_and(|output| output.status.success())
        };
        if !git(&["init", "-q", "-b", "main"]) {
            hieratic_testing::skipped("git is not installed");
            return;
        }
        let write = |text: &str| std::fs::write(folder.path().join("a.yaml"), text).unwrap();
        let commit =
            |message: &str| assert!(git(&["add", "-A"]) && git(&["commit", "-q", "--allow-empty", "-m", message]));
        write("a: 1\nb: 2\nc: 3\n");
        commit("first");
        write("a: 1\nb: 3\nc: 3\n");
        commit("second");
        commit("nothing");
        let now = "x: 0\na: 1\nb: 3\nc: 3\n";
        let repository = Repository::open(folder.path()).unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        let found = blame(&repository, Path::new("a.yaml"), now, 100, until).unwrap();
        let names: Vec<&str> = found
            .lines
            .iter()
            .map(|line| match line {
                LineOrigin::Uncommitted => "now",
                LineOrigin::Commit(index) => found.commits[*index].author.summary.as_str(),
                LineOrigin::Older => "older",
            })
            .collect();
        assert_eq!(names, ["now", "first", "second", "first"]);
        assert_eq!(found.commits.iter().map(|one| one.is_first).collect::<Vec<_>>(), [false, true]);
        // It ends after some commits.
        let found = blame(&repository, Path::new("a.yaml"), now, 2, until).unwrap();
        assert_eq!(found.lines[1..], [LineOrigin::Older, LineOrigin::Commit(0), LineOrigin::Older]);
    }
}
