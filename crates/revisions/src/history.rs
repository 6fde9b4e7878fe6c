//! [`Step`]: the commits along the first parents, each with what it changed.

use std::path::PathBuf;

use gix::hash::ObjectId;

use crate::changed::{Changed, compare};
use crate::error::Error;
use crate::repository::{Commit, Repository};

/// A commit on the way back, and what it changed against its first parent.
#[derive(Clone, Debug)]
pub struct Step {
    /// The commit.
    pub commit: Commit,
    /// Its first parent, if it has one here.
    pub parent: Option<Commit>,
    /// What it changed.
    pub changed: Changed,
    /// Whether it has parents that are not here: the history is shallow.
    pub is_cut_off: bool,
}

/// Who made a commit, when, and what the message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The name.
    pub name: String,
    /// The mail address.
    pub mail: String,
    /// When, in seconds since 1970.
    pub seconds: i64,
    /// The first line of the message.
    pub summary: String,
}

impl Author {
    /// The day of the commit, in UTC, as `2026-01-31`.
    pub fn day(&self) -> String {
        day(self.seconds)
    }
}

impl Repository {
    /// The commits from one back along the first parents, newest first.
    pub fn history(&self, from: Commit) -> impl Iterator<Item = Result<Step, Error>> + '_ {
        let local = self.local();
        let mut next = Some(from);
        std::iter::from_fn(move || {
            let commit = next.take()?;
            let step = step(&local, commit);
            if let Ok(step) = &step {
                next = step.parent;
            }
            Some(step)
        })
    }

    /// Who made a commit.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn author(&self, commit: Commit) -> Result<Author, Error> {
        let local = self.local();
        let unreadable = |error: String| Error::unreadable(&format!("commit {}", commit.short()), &error);
        let found = local.find_object(commit.0).map_err(|error| unreadable(error.to_string()))?;
        let found = found.try_into_commit().map_err(|error| unreadable(error.to_string()))?;
        let author = found.author().map_err(|error| unreadable(error.to_string()))?;
        let message = found.message_raw_sloppy().to_string();
        Ok(Author {
            name: author.name.to_string(),
            mail: author.email.to_string(),
            seconds: author.seconds(),
            summary: message.lines().next().unwrap_or_default().to_owned(),
        })
    }
}

fn step(local: &gix::Repository, commit: Commit) -> Result<Step, Error> {
    let unreadable = |error: String| Error::unreadable(&format!("commit {}", commit.short()), &error);
    let found = local.find_object(commit.0).map_err(|error| unreadable(error.to_string()))?;
    let found = found.try_into_commit().map_err(|error| unreadable(error.to_string()))?;
    let tree = |id: ObjectId| -> Option<ObjectId> {
        Some(local.find_object(id).ok()?.try_into_commit().ok()?.tree_id().ok()?.detach())
    };
    let own = found.tree_id().map_err(|error| unreadable(error.to_string()))?.detach();
    let first = found.parent_ids().next().map(gix::Id::detach);
    let of_parent = first.and_then(tree);
    let mut changed = Changed::default();
    compare(local, of_parent, Some(own), &mut PathBuf::new(), &mut changed)
        .map_err(|error| unreadable(error.to_string()))?;
    Ok(Step {
        commit,
        parent: first.filter(|_| of_parent.is_some()).map(Commit),
        changed,
        is_cut_off: first.is_some() && of_parent.is_none(),
    })
}

/// The day of a moment, in UTC, as `2026-01-31`.
///
/// The days of a year that begins in March; see <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
fn day(seconds: i64) -> String {
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
