//! Arrays, hashes and defaults of resource types.

use super::Manifest;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::token::Id;

/// A part of a manifest in brackets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Its last token.
    pub(crate) end: Id,
}

impl Manifest<'_> {
    /// The arrays; not the keys of references and types.
    ///
    /// # Errors
    /// As [`Failure`].
    pub(crate) fn arrays(&self) -> Result<Vec<Part>, Failure> {
        let is_array = |id: &Id| !matches!(self.prev_code_kind(*id), Some(Kind::Classref | Kind::Type));
        let starts = self.of_kind(|kind| kind == Kind::Lbrack).filter(is_array);
        self.parts(starts, |kind| kind == Kind::Rbrack)
    }

    /// The hashes.
    ///
    /// # Errors
    /// As [`Failure`].
    pub(crate) fn hashes(&self) -> Result<Vec<Part>, Failure> {
        let mut found = Vec::new();
        for start in self.of_kind(|kind| kind == Kind::Lbrace) {
            let before = self.prev_code_kind(start);
            if !matches!(before, Some(Kind::Equals | Kind::IsEqual | Kind::Farrow | Kind::Lparen)) {
                continue;
            }
            let mut level = 0i64;
            let end = (start + 1..self.len()).find(|id| {
                level += match self.kind(*id) {
                    Kind::Lbrace => 1,
                    Kind::Rbrace => -1,
                    _ => 0,
                };
                level < 0
            });
            found.push(self.part(start, end)?);
        }
        Ok(found)
    }

    /// The defaults of resource types.
    ///
    /// # Errors
    /// As [`Failure`].
    pub(crate) fn defaults(&self) -> Result<Vec<Part>, Failure> {
        let is_default = |id: &Id| {
            let before = self.prev_code_kind(*id);
            self.next_code_kind(*id) == Some(Kind::Lbrace)
                && before.is_some_and(|kind| !matches!(kind, Kind::Rshift | Kind::Match | Kind::NoMatch))
        };
        let starts = self.of_kind(|kind| kind == Kind::Classref).filter(is_default);
        self.parts(starts, |kind| kind == Kind::Rbrace)
    }

    fn parts(&self, starts: impl Iterator<Item = Id>, is_end: impl Fn(Kind) -> bool) -> Result<Vec<Part>, Failure> {
        starts
            .map(|start| {
                let end = (start + 1..self.len()).find(|id| is_end(self.kind(*id)));
                self.part(start, end)
            })
            .collect()
    }

    /// A part that ends with the file if nothing ends it.
    fn part(&self, start: Id, end: Option<Id>) -> Result<Part, Failure> {
        let last = self.len() - 1;
        let end = end.unwrap_or(if last > start { last } else { 0 });
        self.budget.steps(end.saturating_sub(start) as u64)?;
        Ok(Part { end })
    }
}
