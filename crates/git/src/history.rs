//! [`Step`]: the commits along the first parents.

use crate::commit::{CommitObject, CommitText};
use crate::error::Error;
use crate::id::Id;
use crate::repository::{Commit, Repository};

/// A commit in a history. [`Repository::change_of_reads`] compares it with its first parent.
#[derive(Clone, Debug)]
pub struct Step {
    /// The commit.
    pub commit: Commit,
    /// The first parent, if the repository has it.
    pub parent: Option<Commit>,
    /// The time of the commit, in seconds since 1970.
    pub seconds: i64,
    /// The folders of the parent and of the commit.
    pub(crate) base: Option<Id>,
    pub(crate) head: Id,
    /// Whether the parents are missing because the history is shallow.
    pub is_cut_off: bool,
}

/// The author, the time and the message of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The name.
    pub name: String,
    /// The email address.
    pub mail: String,
    /// The time, in seconds since 1970.
    pub seconds: i64,
    /// The first line of the message.
    pub summary: String,
}

impl Author {
    /// Returns the day of the commit, in UTC, as `2026-01-31`.
    pub fn day(&self) -> String {
        day(self.seconds)
    }
}

/// The steps of a commit that do not count: two folders with ten thousand names.
const STEPS_OF_COMMIT: u64 = 40_000;

impl Repository {
    /// Returns a commit and its ancestors along the first parents, newest first. The cost of each commit is returned to
    /// the budget up to a limit, so that long histories can be read completely, and commits with decompression bombs
    /// cannot.
    pub fn history(&self, from: Commit) -> impl Iterator<Item = Result<Step, Error>> + '_ {
        let mut next = Some((from, None));
        std::iter::from_fn(move || {
            let (commit, object) = next.take()?;
            let step = self.as_one_commit(|| self.step(commit, object));
            Some(step.map(|(step, parent)| {
                next = step.parent.map(|commit| (commit, parent));
                step
            }))
        })
    }

    /// Returns the oldest ancestor of a commit along the first parents. Returns `None` if the history is shallow.
    ///
    /// # Errors
    /// A commit cannot be read.
    pub fn first_commit(&self, of: Commit) -> Result<Option<Commit>, Error> {
        let mut at = of.0;
        loop {
            self.budget().step()?;
            let (written, parents) = self.as_one_commit(|| {
                let written = self.commit_object(at)?;
                let parents = self.parents(at, &written)?;
                Ok((written, parents))
            })?;
            let Some(parent) = parents.first() else {
                return Ok(written.parents.is_empty().then_some(Commit(at)));
            };
            at = *parent;
        }
    }

    /// Returns the author of a commit.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn author(&self, commit: Commit) -> Result<Author, Error> {
        let CommitText { author, message } = self.commit_text(commit.0)?;
        let summary = message.lines().next().unwrap_or_default().to_owned();
        Ok(Author { name: author.name, mail: author.mail, seconds: author.seconds, summary })
    }

    /// Does the work of one commit of a history, and gives back what it costs up to some steps.
    pub(crate) fn as_one_commit<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let (steps, bytes) = (self.budget().used(), self.budget().used_bytes());
        let done = work()?;
        let steps = self.budget().used().saturating_sub(steps).min(STEPS_OF_COMMIT);
        let bytes = self.budget().used_bytes().saturating_sub(bytes);
        self.budget().give_back(steps, usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(done)
    }

    /// A step, and the commit before it. The object of the commit is read if it is not known.
    fn step(&self, commit: Commit, known: Option<CommitObject>) -> Result<(Step, Option<CommitObject>), Error> {
        self.budget().check()?;
        let written = match known {
            Some(known) => known,
            None => self.commit_object(commit.0)?,
        };
        let is_cut_off = self.is_cut_off(commit.0)? && !written.parents.is_empty();
        let parent = self.parents(commit.0, &written)?.first().copied();
        let before = parent.map(|parent| self.commit_object(parent)).transpose()?;
        let step = Step {
            commit,
            parent: parent.map(Commit),
            seconds: written.committed,
            base: before.as_ref().map(|before| before.tree),
            head: written.tree,
            is_cut_off,
        };
        Ok((step, before))
    }
}

/// Returns the day of a time in seconds since 1970, in UTC, as `2026-01-31`.
///
/// The calculation uses years that begin in March; see
/// <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
pub fn day(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{:02}", of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, text) in
            [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_795_305_600, "2026-11-22"), (-1, "1969-12-31")]
        {
            assert_eq!(day(seconds), text);
        }
    }
}
