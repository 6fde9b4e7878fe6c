//! Classes, defined types and nodes.

use std::ops::Range;

use super::Manifest;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::token::Id;

/// A class, a defined type or a node.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The word that it begins with.
    pub(crate) kind: Kind,
    /// Its first token.
    pub(crate) start: Id,
    /// Its last token, the closing brace.
    pub(crate) end: Id,
    /// Its parameters, without the parentheses; `None` without a list of parameters.
    pub(crate) parameters: Option<Range<Id>>,
    /// Its name.
    pub(crate) name: Id,
    /// The class that it inherits from.
    pub(crate) inherited: Option<Id>,
}

impl Definition {
    /// The name of its kind in messages.
    pub(crate) fn noun(&self) -> &'static str {
        if self.kind == Kind::Class { "class" } else { "defined type" }
    }
}

impl Manifest<'_> {
    /// The classes, and after them the defined types.
    ///
    /// # Errors
    /// As [`Failure`].
    pub(crate) fn definitions(&self) -> Result<&[Definition], Failure> {
        let find = || {
            let mut found = self.definitions_of(Kind::Class)?;
            found.extend(self.definitions_of(Kind::Define)?);
            Ok(found)
        };
        self.definitions.get_or_init(find).as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }

    /// The classes.
    ///
    /// # Errors
    /// As [`Failure`].
    pub(crate) fn classes(&self) -> Result<impl Iterator<Item = &Definition>, Failure> {
        Ok(self.definitions()?.iter().filter(|definition| definition.kind == Kind::Class))
    }

    fn definitions_of(&self, kind: Kind) -> Result<Vec<Definition>, Failure> {
        let mut found = Vec::new();
        for start in self.of_kind(|other| other == kind) {
            // A resource of type `class` is not a definition.
            if let Some(name) = self.next_code(start).filter(|name| self.kind(*name) != Kind::Lbrace) {
                found.extend(self.definition(kind, start, name)?);
            }
        }
        Ok(found)
    }

    fn definition(&self, kind: Kind, start: Id, name: Id) -> Result<Option<Definition>, Failure> {
        let (mut braces, mut parens, mut is_in_parameters, mut inherited) = (0i64, 0i64, false, None);
        for id in start + 1..self.len() {
            match self.kind(id) {
                Kind::Inherits => inherited = self.next_code(id),
                Kind::Lparen => {
                    is_in_parameters |= parens == 0;
                    parens += 1;
                }
                Kind::Rparen => {
                    is_in_parameters &= parens != 1;
                    parens -= 1;
                }
                Kind::Lbrace => braces += 1,
                Kind::Rbrace => {
                    braces -= 1;
                    if braces == 0 && !is_in_parameters {
                        self.budget.steps((id - start) as u64)?;
                        let parameters = self.parameters(start, id);
                        return Ok(Some(Definition { kind, start, end: id, parameters, name, inherited }));
                    }
                }
                _ => {}
            }
        }
        self.budget.steps((self.len() - start) as u64)?;
        Ok(None)
    }

    /// The parameters of a definition.
    fn parameters(&self, start: Id, end: Id) -> Option<Range<Id>> {
        let (mut depth, mut first) = (0i64, None);
        for id in start..=end {
            match self.kind(id) {
                Kind::Lparen => {
                    depth += 1;
                    if depth == 1 {
                        first = Some(id + 1);
                    }
                }
                Kind::Rparen => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(first?..id);
                    }
                }
                Kind::Lbrace if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }
}
