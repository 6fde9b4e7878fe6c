//! Follows the segments of a path.

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::path::{Key, Modifier, Path, Segment};
use crate::scope::Scope;
use crate::session::Session;
use crate::stack;

impl Session {
    /// Follows steps from a value and adds the matches. Returns whether there was a match.
    ///
    /// Lists are stepped into by every key except a number; `*` steps into maps.
    pub(super) fn walk(
        &self,
        from: Datum,
        steps: &[Segment],
        path: &Path,
        scope: &mut Scope,
        found: &mut Vec<Datum>,
    ) -> Result<bool, ExpressionError> {
        let Some((step, rest)) = steps.split_first() else {
            found.push(from);
            return Ok(true);
        };
        self.shared.step().map_err(|error| path.place(error, step.span))?;
        stack::grow(|| {
            if single(&from, step) {
                return match self.take(&from, step, rest.is_empty(), path, scope)? {
                    Some(next) => self.walk(next, rest, path, scope, found),
                    None => Ok(false),
                };
            }
            if step.key == Key::All && !from.is_map() {
                return Ok(false);
            }
            let rest = if step.key == Key::All { rest } else { steps };
            // A question mark after `*` applies to the maps that it steps into; that of the next step to their values.
            let first = match rest.first() {
                Some(next) => next.modifier == Modifier::First,
                None => step.modifier == Modifier::First,
            };
            let mut any = false;
            for at in 0.. {
                let Some(next) = self.element(&from, at)? else { break };
                self.shared.step().map_err(|error| path.place(error, step.span))?;
                let matched = self.walk(next, rest, path, scope, found)?;
                any |= matched;
                if matched && first {
                    break;
                }
            }
            Ok(any)
        })
    }

    /// Follows one step. Returns the value if its filters and its comparison hold.
    fn take(
        &self,
        from: &Datum,
        step: &Segment,
        last: bool,
        path: &Path,
        scope: &mut Scope,
    ) -> Result<Option<Datum>, ExpressionError> {
        let placed = |error| path.place(error, step.span);
        let value = match &step.key {
            Key::None => from.clone(),
            key => match self.lookup(from, key, last, scope).map_err(placed)? {
                Some(value) => value,
                None => return Ok(None),
            },
        };
        for filter in &step.filters {
            let negated = filter.first().is_some_and(|head| head.modifier == Modifier::Not);
            if self.passes(&value, filter, path, scope)? == negated {
                return Ok(None);
            }
        }
        match &step.test {
            Some(test) if !self.compare(&value, test, scope).map_err(placed)? => Ok(None),
            _ => Ok(Some(value)),
        }
    }

    /// Returns whether a filter has a match.
    fn passes(
        &self,
        value: &Datum,
        filter: &[Segment],
        path: &Path,
        scope: &mut Scope,
    ) -> Result<bool, ExpressionError> {
        let mut matches = Vec::new();
        let Some(head) = filter.first() else { return Ok(true) };
        if single(value, head) || !value.is_list() {
            return self.walk(value.clone(), filter, path, scope, &mut matches);
        }
        for at in 0.. {
            let Some(element) = self.element(value, at)? else { break };
            self.walk(element, filter, path, scope, &mut matches)?;
        }
        Ok(!matches.is_empty())
    }
}

/// Returns whether a step applies to the value itself rather than to its elements.
fn single(value: &Datum, step: &Segment) -> bool {
    match step.key {
        Key::All => false,
        Key::Index(_) => true,
        _ => !value.is_list(),
    }
}
