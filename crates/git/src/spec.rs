//! Parses revisions. See <https://git-scm.com/docs/gitrevisions>.

use std::collections::BTreeSet;

use crate::ancestors::Queue;
use crate::error::Error;
use crate::id::{Id, LENGTH, digit};
use crate::repository::{Commit, Repository, SHALLOW};

/// The fewest digits that name an object.
const FEWEST_DIGITS: usize = 4;

impl Repository {
    /// Returns the commit of a revision: a branch, a tag, `HEAD~3`, an abbreviated hash.
    ///
    /// # Errors
    /// The commit does not exist or cannot be read.
    pub fn commit(&self, revision: &str) -> Result<Commit, Error> {
        let found = self.resolve(revision)?;
        if let Some(id) = found.map(|id| self.peel(id)).transpose()?.flatten() {
            return Ok(Commit(id));
        }
        let help = if self.is_shallow()? {
            SHALLOW
        } else {
            "name a branch, a tag or a commit that `git rev-parse` knows here; fetch it if it is elsewhere"
        };
        Err(Error::new(format!("there is no revision '{revision}' in {}", self.root().display()), help))
    }

    /// The object of a revision. Returns `None` if there is none.
    fn resolve(&self, revision: &str) -> Result<Option<Id>, Error> {
        if let Some(text) = revision.strip_prefix(":/") {
            let references = self.references();
            let mut tips: Vec<Id> =
                references.below(self.place(), "refs/", self.budget())?.into_iter().map(|target| target.id).collect();
            tips.extend(references.find(self.place(), "HEAD", self.budget())?.map(|target| target.id));
            return self.with_message(tips, text);
        }
        let end = revision
            .char_indices()
            .find(|(at, c)| matches!(c, '^' | '~' | ':') || *c == '@' && revision[*at..].starts_with("@{"));
        let (name, mut rest) = revision.split_at(end.map_or(revision.len(), |(at, _)| at));
        let mut at = match rest.strip_prefix("@{") {
            Some(after) => {
                let Some((query, after)) = after.split_once('}') else { return Ok(None) };
                rest = after;
                self.resolve_reference(name, query)?
            }
            None => self.resolve_name(name)?,
        };
        // Paths name files, not commits.
        while let Some(now) = at.filter(|_| !rest.is_empty()) {
            self.budget().step()?;
            at = if let Some(after) = rest.strip_prefix("^{") {
                let Some((kind, after)) = after.split_once('}') else { return Ok(None) };
                rest = after;
                match kind.strip_prefix('/') {
                    Some(text) => self.with_message(vec![now], text)?,
                    None if matches!(kind, "" | "commit" | "object") => self.peel(now)?,
                    None => return Ok(None),
                }
            } else if let Some(after) = rest.strip_prefix('^') {
                let number;
                (number, rest) = count(after);
                self.parent(now, number.unwrap_or(1))?
            } else if let Some(after) = rest.strip_prefix('~') {
                let number;
                (number, rest) = count(after);
                self.ancestor(now, number.unwrap_or(1))?
            } else {
                return Ok(None);
            };
        }
        Ok(at)
    }

    /// The object of a plain name.
    fn resolve_name(&self, name: &str) -> Result<Option<Id>, Error> {
        if let Some(id) = Id::from_hex(name.as_bytes()) {
            return Ok(Some(id));
        }
        if let Some(reference) = self.reference(name)? {
            return Ok(Some(reference.id));
        }
        // The output of `git describe`: v1.2-3-g0123456.
        let digits = match name.rsplit_once("-g") {
            Some((before, digits)) if before.rsplit_once('-').is_some_and(|(_, count)| is_number(count)) => digits,
            _ => name,
        };
        let is_hex = digits.bytes().all(|byte| digit(byte).is_some());
        if !is_hex || !(FEWEST_DIGITS..2 * LENGTH).contains(&digits.len()) {
            return Ok(None);
        }
        let found = self.with_prefix(digits)?;
        match *found {
            [] => Ok(None),
            [id] => Ok(Some(id)),
            _ => {
                let help = "write more digits of the id";
                Err(Error::new(format!("'{name}' is ambiguous: {} commits begin with it", found.len()), help))
            }
        }
    }

    /// The reference that a person means by a name.
    fn reference(&self, name: &str) -> Result<Option<crate::refs::ReferenceTarget>, Error> {
        let name = if name == "@" { "HEAD" } else { name };
        let names = [
            name.to_owned(),
            format!("refs/{name}"),
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            format!("refs/remotes/{name}/HEAD"),
        ];
        for name in names {
            if let Some(target) = self.references().find(self.place(), &name, self.budget())? {
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    /// The object of `NAME@{QUERY}`.
    fn resolve_reference(&self, name: &str, query: &str) -> Result<Option<Id>, Error> {
        let (place, references, budget) = (self.place(), self.references(), self.budget());
        if let Some(number) = query.strip_prefix('-').and_then(|number| number.parse::<usize>().ok()) {
            // The branch that was checked out before the last `number` switches.
            let log = references.log(place, "HEAD", budget)?;
            let mut moves = log.iter().filter_map(|(_, message)| {
                message.strip_prefix("checkout: moving from ")?.split_once(" to ").map(|(from, _)| from)
            });
            return match (name, number.checked_sub(1).and_then(|number| moves.nth(number))) {
                ("", Some(from)) => self.resolve_name(from),
                _ => Ok(None),
            };
        }
        let full = match name {
            "" => references.head_branch(place, budget)?.unwrap_or_else(|| "HEAD".to_owned()),
            "HEAD" | "@" if !is_number(query) => {
                references.head_branch(place, budget)?.unwrap_or_else(|| "HEAD".to_owned())
            }
            name => match self.reference(name)? {
                Some(target) if name != "HEAD" => target.name,
                Some(_) => "HEAD".to_owned(),
                None => return Ok(None),
            },
        };
        if let Ok(number) = query.parse::<usize>() {
            let log = references.log(place, &full, budget)?;
            return Ok(log.get(number).map(|(id, _)| *id));
        }
        if !["u", "upstream", "push"].iter().any(|word| query.eq_ignore_ascii_case(word)) {
            return Err(Error::unsupported(
                format!("'{name}@{{{query}}}' names a moment"),
                "name the commit of that moment",
            ));
        }
        let Some(branch) = full.strip_prefix("refs/heads/") else { return Ok(None) };
        let get = |name: &str| place.config.get("branch", branch, name);
        let (Some(remote), Some(merge)) = (get("remote"), get("merge")) else { return Ok(None) };
        let tracking = match (remote, merge.strip_prefix("refs/heads/")) {
            (".", _) => merge.to_owned(),
            (remote, Some(branch)) => format!("refs/remotes/{remote}/{branch}"),
            (_, None) => return Ok(None),
        };
        Ok(references.find(place, &tracking, budget)?.map(|target| target.id))
    }

    fn parent(&self, id: Id, number: usize) -> Result<Option<Id>, Error> {
        let Some(id) = self.peel(id)? else { return Ok(None) };
        match number.checked_sub(1) {
            None => Ok(Some(id)),
            Some(number) => Ok(self.parents(id, &self.commit_object(id)?)?.get(number).copied()),
        }
    }

    fn ancestor(&self, id: Id, generations: usize) -> Result<Option<Id>, Error> {
        let mut at = self.peel(id)?;
        for _ in 0..generations {
            let Some(now) = at else { break };
            self.budget().step()?;
            at = self.parents(now, &self.commit_object(now)?)?.first().copied();
        }
        Ok(at)
    }

    /// The youngest commit among some and their ancestors whose message contains a string.
    fn with_message(&self, tips: Vec<Id>, text: &str) -> Result<Option<Id>, Error> {
        if text.contains(['\\', '.', '[', '(', '*', '+', '?', '{', '^', '$', '|', '!']) {
            let problem = format!("'{text}' is a regular expression, which is not supported");
            return Err(Error::unsupported(problem, "write a part of the message without special characters"));
        }
        let mut queue = Queue::default();
        let mut seen = BTreeSet::new();
        for tip in tips {
            if let Some(commit) = self.peel(tip)?
                && seen.insert(commit)
            {
                queue.push(commit, self.commit_object(commit)?.committed);
            }
        }
        while let Some(id) = queue.pop() {
            self.budget().step()?;
            if self.commit_text(id)?.message.contains(text) {
                return Ok(Some(id));
            }
            for parent in self.parents(id, &self.commit_object(id)?)? {
                self.budget().step()?;
                if seen.insert(parent) {
                    self.budget().bytes(LENGTH * 4)?;
                    queue.push(parent, self.commit_object(parent)?.committed);
                }
            }
        }
        Ok(None)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number at the beginning of a string, and the rest.
fn count(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // No history has more commits than fit into a number.
    (if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(usize::MAX)) }, rest)
}
