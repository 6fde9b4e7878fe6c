//! [`Manifest`]: the tokens of a file, with the ranges of its classes, resources and other parts.

mod definitions;
mod edits;
mod parts;
mod resources;

use std::cell::OnceCell;

use hieratic_budget::Budget;

use crate::failure::Failure;
use crate::kind::Kind;
use crate::lexer::tokenize;
use crate::token::{Id, Token};

pub(crate) use definitions::Definition;
pub(crate) use resources::Resource;

/// The tokens of a file.
///
/// As long as nothing is changed, the number of a token is its place.
pub(crate) struct Manifest<'s> {
    /// The source.
    pub(crate) source: &'s str,
    tokens: Vec<Token<'s>>,
    /// The tokens in their order.
    order: Vec<Id>,
    pub(crate) budget: &'s Budget,
    definitions: OnceCell<Result<Vec<Definition>, Failure>>,
    resources: OnceCell<Result<Vec<Resource>, Failure>>,
}

impl<'s> Manifest<'s> {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It cannot be read, or the budget is used up.
    pub(crate) fn read(source: &'s str, budget: &'s Budget) -> Result<Manifest<'s>, Failure> {
        let tokens = tokenize(source, budget)?;
        let order = (0..tokens.len()).collect();
        Ok(Manifest { source, tokens, order, budget, definitions: OnceCell::new(), resources: OnceCell::new() })
    }

    /// A copy to be changed.
    pub(crate) fn to_changed(&self) -> Manifest<'s> {
        Manifest {
            source: self.source,
            tokens: self.tokens.clone(),
            order: self.order.clone(),
            budget: self.budget,
            definitions: OnceCell::new(),
            resources: OnceCell::new(),
        }
    }

    /// The number of tokens in the file.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The tokens of an unchanged manifest, in order.
    pub(crate) fn ids(&self) -> std::ops::Range<Id> {
        0..self.order.len()
    }

    /// The tokens of some kinds, in order.
    pub(crate) fn of_kind(&self, is: impl Fn(Kind) -> bool) -> impl Iterator<Item = Id> {
        self.ids().filter(move |id| is(self.tokens[*id].kind))
    }

    /// A token.
    pub(crate) fn token(&self, id: Id) -> &Token<'s> {
        &self.tokens[id]
    }

    /// The kind of a token.
    pub(crate) fn kind(&self, id: Id) -> Kind {
        self.tokens[id].kind
    }

    /// The text of a token.
    pub(crate) fn value(&self, id: Id) -> &str {
        &self.tokens[id].value
    }

    /// The line of a token.
    pub(crate) fn line(&self, id: Id) -> i64 {
        self.tokens[id].line
    }

    /// The next token.
    pub(crate) fn next(&self, id: Id) -> Option<Id> {
        self.tokens[id].next
    }

    /// The previous token.
    pub(crate) fn prev(&self, id: Id) -> Option<Id> {
        self.tokens[id].prev
    }

    /// The next token that is code.
    pub(crate) fn next_code(&self, id: Id) -> Option<Id> {
        self.tokens[id].next_code
    }

    /// The previous token that is code.
    pub(crate) fn prev_code(&self, id: Id) -> Option<Id> {
        self.tokens[id].prev_code
    }

    /// The kind of the next token.
    pub(crate) fn next_kind(&self, id: Id) -> Option<Kind> {
        self.next(id).map(|next| self.kind(next))
    }

    /// The kind of the previous token.
    pub(crate) fn prev_kind(&self, id: Id) -> Option<Kind> {
        self.prev(id).map(|prev| self.kind(prev))
    }

    /// The kind of the next token that is code.
    pub(crate) fn next_code_kind(&self, id: Id) -> Option<Kind> {
        self.next_code(id).map(|next| self.kind(next))
    }

    /// The kind of the previous token that is code.
    pub(crate) fn prev_code_kind(&self, id: Id) -> Option<Kind> {
        self.prev_code(id).map(|prev| self.kind(prev))
    }

    /// The previous token that is not whitespace; comments count.
    pub(crate) fn prev_non_space(&self, id: Id) -> Option<Id> {
        std::iter::successors(self.prev(id), |id| self.prev(*id)).find(|id| !self.kind(*id).is_space())
    }

    /// The next token that is not whitespace; comments count.
    pub(crate) fn next_non_space(&self, id: Id) -> Option<Id> {
        std::iter::successors(self.next(id), |id| self.next(*id)).find(|id| !self.kind(*id).is_space())
    }

    /// The next token that fits, after a token. Blocks in brackets are passed over.
    pub(crate) fn next_of(&self, from: Id, is: impl Fn(&Token<'s>) -> bool) -> Option<Id> {
        self.find(from, |id| self.next(id), Kind::closing, is)
    }

    /// The previous token that fits, in front of a token. Blocks in brackets are passed over.
    pub(crate) fn prev_of(&self, from: Id, is: impl Fn(&Token<'s>) -> bool) -> Option<Id> {
        self.find(from, |id| self.prev(id), Kind::opening, is)
    }

    fn find(
        &self,
        from: Id,
        step: impl Fn(Id) -> Option<Id>,
        other_end: impl Fn(Kind) -> Option<Kind>,
        is: impl Fn(&Token<'s>) -> bool,
    ) -> Option<Id> {
        let mut open: Vec<Kind> = Vec::new();
        let mut at = step(from);
        while let Some(id) = at {
            let token = &self.tokens[id];
            match open.last() {
                None if is(token) => return Some(id),
                Some(end) if *end == token.kind => {
                    open.pop();
                }
                _ => open.extend(other_end(token.kind)),
            }
            at = step(id);
        }
        None
    }
}
