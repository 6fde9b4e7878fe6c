//! [`history`]: the commits that changed an answer.

use std::sync::Arc;

use hieratic::lookup::Origin;
use hieratic::{Hash, Value};
use hieratic_git::{Author, Commit, Error, Reads, ReadsChange, Repository, Step};
use hieratic_impact::{Arrays, Diff, Leaf, Part, PartValue, differences_of_leaves};

use crate::unread::{ReadData, UnreadContents};

/// The answer at a commit: the leaves of the value, or the message of an error. `None` if the key has no value there.
pub type AnswerAtCommit = Option<Result<Vec<Leaf>, String>>;

/// The answer at a commit, with its dependencies.
#[derive(Default)]
pub struct CommitLook {
    /// The answer.
    pub answer: AnswerAtCommit,
    /// The meaning of its arrays.
    pub arrays: Arrays,
    /// The keys that the lookup has read, if it depends on nothing else in these data files. An error can depend on
    /// more, because its message may name other keys.
    pub requested: Option<ReadData>,
}

/// A commit that changed the answer.
pub struct HistoryEntry {
    /// The commit.
    pub commit: Commit,
    /// The author, date and message of the commit.
    pub author: Author,
    /// The parts that differ between the answers before and after the commit.
    pub parts: Vec<Part>,
    /// Whether there was an answer before and after the commit.
    pub is_answered: Diff<bool>,
}

/// The commits that changed an answer, newest first.
#[derive(Default)]
pub struct History {
    /// The commits.
    pub entries: Vec<HistoryEntry>,
    /// The commit at which to continue, if there are older ones.
    pub next: Option<Commit>,
    /// Whether older commits exist that a shallow clone lacks.
    pub is_cut_off: bool,
}

/// Decides before a commit, from the entries so far, whether to continue a search.
pub type Continue<'w, E> = dyn Fn(&Step, &[HistoryEntry]) -> Result<bool, E> + 'w;

/// The inputs of [`history`].
pub struct HistorySearch<'w, E> {
    /// The repository of the commits.
    pub repository: &'w Repository,
    /// Computes the answer at a commit. All reads must be recorded with
    /// [`Revision::recording`](hieratic_git::Revision::recording): commits that do not change what was read are
    /// skipped.
    pub at: &'w dyn Fn(Commit, Arc<Reads>) -> Result<CommitLook, E>,
    /// Returns whether to continue with an older commit.
    pub continues: &'w Continue<'w, E>,
    /// Called with each entry as soon as it is found.
    pub found: &'w dyn Fn(&HistoryEntry),
    /// Converts an error of git.
    pub failed: &'w dyn Fn(Error) -> E,
}

/// Searches for the commits that changed an answer, from `first` along the first parents. The search includes at least
/// `first`, so that each continuation makes progress.
///
/// # Errors
/// A commit cannot be read, or one of the functions of the search fails.
pub fn history<E>(first: Commit, walk: &HistorySearch<'_, E>) -> Result<History, E> {
    let mut history = History::default();
    let mut contents = UnreadContents::default();
    let mut now = Moment::look(walk, first)?;
    for step in walk.repository.history(first) {
        let step = step.map_err(walk.failed)?;
        if !(walk.continues)(&step, &history.entries)? && step.commit != first {
            history.next = Some(step.commit);
            break;
        }
        if step.is_cut_off {
            history.is_cut_off = true;
            break;
        }
        if now.is_kept(walk.repository, &step, &mut contents).map_err(walk.failed)? {
            continue;
        }
        let before = match step.parent {
            Some(parent) => Moment::look(walk, parent)?,
            None => Moment::default(),
        };
        let parts = now.differences(&before);
        if !parts.is_empty() {
            if now.has_moved {
                now = Moment::look(walk, step.commit)?;
            }
            let author = walk.repository.author(step.commit).map_err(walk.failed)?;
            let is_answered = now.answers(&before).map(|answer| answer.is_some());
            let entry = HistoryEntry { commit: step.commit, author, parts: now.differences(&before), is_answered };
            (walk.found)(&entry);
            history.entries.push(entry);
        }
        now = before;
    }
    Ok(history)
}

/// The answer at the commit that a search has reached.
#[derive(Default)]
struct Moment {
    look: CommitLook,
    /// The reads that it needed.
    reads: Arc<Reads>,
    /// Whether commits were passed that left the answer as it is and may have moved its lines.
    has_moved: bool,
}

impl Moment {
    fn look<E>(walk: &HistorySearch<'_, E>, commit: Commit) -> Result<Moment, E> {
        let reads = Arc::new(Reads::default());
        let look = (walk.at)(commit, reads.clone())?;
        Ok(Moment { look, reads, has_moved: false })
    }

    /// Returns whether a commit surely leaves the answer as it is.
    fn is_kept(&mut self, repository: &Repository, step: &Step, contents: &mut UnreadContents) -> Result<bool, Error> {
        let is_kept = match (repository.change_of_reads(step, &self.reads)?, &mut self.look.requested) {
            (ReadsChange::Nothing, _) => return Ok(true),
            (ReadsChange::Contents(changed), Some(data)) => {
                let is_kept = contents.are_unread(repository, &changed, data)?;
                // A lookup at the parent also reads the files that the commit removes.
                for removed in changed.files.iter().filter(|one| is_kept && one.head.is_none()) {
                    self.reads.record_file(&removed.path);
                    data.add_file(&removed.path);
                }
                is_kept
            }
            (ReadsChange::Contents(_) | ReadsChange::More, _) => false,
        };
        self.has_moved |= is_kept;
        Ok(is_kept)
    }

    fn answers<'m>(&'m self, before: &'m Moment) -> Diff<Option<&'m Result<Vec<Leaf>, String>>> {
        Diff { base: before.look.answer.as_ref(), head: self.look.answer.as_ref() }
    }

    fn differences(&self, before: &Moment) -> Vec<Part> {
        let answers = self.answers(before);
        // Of an answer that is new or gone, the other side says nothing.
        let arrays = match (answers.base, answers.head) {
            (None, _) => self.look.arrays,
            (_, None) => before.look.arrays,
            _ => Arrays::of_both(Diff { base: before.look.arrays, head: self.look.arrays }),
        };
        differences_of_leaves(answers, arrays)
    }
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

impl HistoryEntry {
    /// Returns the commit as data, as `history --render-as json` prints it. `origin` formats origins.
    pub fn to_value(&self, origin: &dyn Fn(&Origin) -> String) -> Value {
        let side = |found: &Option<PartValue>| match found {
            None => Value::Undef,
            Some(found) => {
                let name = if found.is_error { "error" } else { "value" };
                let mut pairs = vec![(name, found.value.clone())];
                pairs.extend(found.origin.as_ref().map(|from| ("origin", Value::from(origin(from)))));
                hash(pairs)
            }
        };
        let part = |part: &Part| {
            let path = |path: &[Value]| -> Value { path.iter().cloned().collect() };
            let mut pairs = vec![("path", path(&part.path))];
            pairs.extend(part.moved_from.as_ref().map(|from| ("moved_from", path(from))));
            pairs.extend([("before", side(&part.values.base)), ("after", side(&part.values.head))]);
            hash(pairs)
        };
        let Author { name, mail, summary, .. } = &self.author;
        let pairs: Hash = [
            ("commit", self.commit.to_string().into()),
            ("author", name.as_str().into()),
            ("mail", mail.as_str().into()),
            ("date", self.author.day().into()),
            ("summary", summary.as_str().into()),
            ("parts", self.parts.iter().map(part).collect()),
        ]
        .into_iter()
        .collect();
        pairs.into()
    }
}
