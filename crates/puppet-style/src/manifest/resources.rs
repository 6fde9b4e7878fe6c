//! Resources: their types, titles and attributes.

use super::Manifest;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::token::Id;

/// The body of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// The colon after the title.
    pub(crate) start: Id,
    /// The semicolon or brace that ends it.
    pub(crate) end: Id,
    /// The type.
    pub(crate) kind: Id,
    /// The names of its attributes.
    pub(crate) attributes: Vec<Id>,
}

impl Resource {
    /// Its tokens.
    pub(crate) fn ids(&self) -> std::ops::RangeInclusive<Id> {
        self.start..=self.end
    }
}

impl Manifest<'_> {
    /// The bodies of all resources.
    ///
    /// # Errors
    /// A body does not end, or as [`Failure`].
    pub(crate) fn resources(&self) -> Result<&[Resource], Failure> {
        self.resources.get_or_init(|| self.find_resources()).as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }

    fn find_resources(&self) -> Result<Vec<Resource>, Failure> {
        let (mut marker, mut found) = (0, Vec::new());
        for colon in self.of_kind(|kind| kind == Kind::Colon) {
            if self.next_code_kind(colon).is_none_or(|next| next == Kind::Lbrace) || self.is_behind_reference(colon)? {
                continue;
            }
            if colon < marker {
                break;
            }
            let end = self.next_of(colon, |token| matches!(token.kind, Kind::Semic | Kind::Rbrace));
            let Some(end) = end else { return Err(self.syntax_error(colon)) };
            self.budget.steps((end - colon) as u64)?;
            marker = end;
            let kind = self.resource_kind(colon)?;
            let attributes = self.attributes(colon, end)?;
            found.push(Resource { start: colon, end, kind, attributes });
        }
        Ok(found)
    }

    fn syntax_error(&self, id: Id) -> Failure {
        let token = self.token(id);
        Failure::Syntax { line: token.line, column: token.column, reason: None }
    }

    /// Returns whether a reference is nearer in front of a colon than a name.
    fn is_behind_reference(&self, colon: Id) -> Result<bool, Failure> {
        let mut at = self.prev_code(colon);
        while let Some(id) = at {
            self.budget.step()?;
            match self.kind(id) {
                Kind::Classref => return Ok(true),
                Kind::Name => return Ok(false),
                _ => at = self.prev_code(id),
            }
        }
        Ok(false)
    }

    /// The type of the resource that a colon is in.
    fn resource_kind(&self, colon: Id) -> Result<Id, Failure> {
        for id in (0..=colon).rev() {
            self.budget.step()?;
            if self.kind(id) == Kind::Lbrace {
                let before = self.prev_code(id).ok_or(Failure::Unforeseen)?;
                if self.kind(before) != Kind::Qmark {
                    return Ok(before);
                }
            }
        }
        Err(self.syntax_error(colon))
    }

    fn attributes(&self, colon: Id, end: Id) -> Result<Vec<Id>, Failure> {
        let mut found = Vec::new();
        let Some(mut at) = self.prev(colon) else { return Err(Failure::Unforeseen) };
        while let Some(id) = self.next_of(at, |token| token.kind == Kind::Name).filter(|id| (colon..=end).contains(id))
        {
            self.budget.steps((id - at) as u64)?;
            if self.next_code_kind(id) == Some(Kind::Farrow) {
                found.push(id);
            }
            at = id;
        }
        Ok(found)
    }

    /// The tokens that are titles of resources.
    ///
    /// # Errors
    /// Puppet-lint fails, because a colon is the last token.
    pub(crate) fn titles(&self) -> Result<Vec<Id>, Failure> {
        let mut found = Vec::new();
        let last_bracket = self.of_kind(|kind| kind == Kind::Lbrack).last();
        for colon in self.of_kind(|kind| kind == Kind::Colon) {
            let Some(before) = colon.checked_sub(1) else { continue };
            if self.kind(before) == Kind::Rbrack {
                // Puppet-lint begins at the last bracket of the file.
                let Some(bracket) = last_bracket else { return Err(Failure::Unforeseen) };
                let is_title = |id: &Id| matches!(self.kind(*id), Kind::String | Kind::Name);
                found.extend((bracket + 1..before).filter(is_title));
            } else if self.next_code_kind(colon).ok_or(Failure::Unforeseen)? != Kind::Lbrace {
                found.push(before);
            }
        }
        Ok(found)
    }
}
