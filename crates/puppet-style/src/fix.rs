//! Applies the fixes of problems in the order of the rules.

use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::{Manifest, Resource};
use crate::problem::{Data, Problem};
use crate::rules;
use crate::token::Id;

/// The reason why a problem is not fixed: its fix is not possible here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoFix;

/// A manifest that a fix changes.
pub(crate) struct Edit<'e, 's> {
    /// The manifest.
    pub(crate) manifest: &'e mut Manifest<'s>,
    /// The resources, as they were before all fixes.
    pub(crate) resources: &'e [Resource],
    /// The data of the fix.
    pub(crate) data: &'e Data,
}

impl Edit<'_, '_> {
    /// The token that the problem is about.
    pub(crate) fn token(&self) -> Result<Id, NoFix> {
        match self.data {
            Data::Token(token)
            | Data::InResource { token, .. }
            | Data::Arrow { token, .. }
            | Data::Fact { token, .. } => Ok(*token),
            _ => Err(NoFix),
        }
    }
}

/// Makes the fixes of all problems that no comment accepts. Returns the text, if it changed.
pub(crate) fn fix(manifest: &Manifest<'_>, problems: &mut [Problem]) -> Result<Option<String>, Failure> {
    // A manifest that cannot be parsed may mean anything.
    if problems.iter().any(|problem| problem.rule == "syntax") {
        return Ok(None);
    }
    let can_be_fixed = |problem: &&mut Problem| problem.ignored.is_none() && !matches!(problem.data, Data::None);
    let mut problems = problems.iter_mut().filter(can_be_fixed).peekable();
    // A part that is not written as it was read would be lost.
    if problems.peek().is_none() || manifest.text() != manifest.source {
        return Ok(None);
    }
    let resources = manifest.resources().unwrap_or_default();
    let mut changed = manifest.to_changed();
    for problem in problems {
        let Some(fix) = rules::find(problem.rule).and_then(|rule| rule.fix) else { continue };
        manifest.budget.steps(1 + manifest.len() as u64 / 1024)?;
        let mut edit = Edit { manifest: &mut changed, resources, data: &problem.data };
        problem.is_fixed = fix(&mut edit).is_ok();
    }
    let text = changed.text();
    Ok((text != manifest.source).then_some(text))
}

/// Puts a token into single quotes.
pub(crate) fn quote(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    edit.manifest.set_kind(token, Kind::Sstring);
    Ok(())
}

/// Removes the two colons at the beginning of a name.
pub(crate) fn make_relative(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token).strip_prefix("::").ok_or(NoFix)?.to_owned();
    edit.manifest.set_value(token, value);
    Ok(())
}
