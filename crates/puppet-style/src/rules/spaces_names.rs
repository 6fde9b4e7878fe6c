//! The spaces around the names of classes and defined types.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;
use crate::token::Id;

/// The name after a word, as far as blocks are passed over.
fn name_behind(cx: &Context<'_, '_>, word: Id) -> Option<Id> {
    cx.manifest.next_of(word, |token| matches!(token.kind, Kind::Name | Kind::FunctionName))
}

/// The token after a word, if it is not one space in front of a name.
fn wrong_space(cx: &Context<'_, '_>, word: Id) -> Option<Id> {
    let name = name_behind(cx, word)?;
    let next = cx.manifest.next(word)?;
    (name != word + 2 || !cx.manifest.token(next).is_single_space()).then_some(next)
}

pub(super) fn inherited(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for word in manifest.of_kind(|kind| kind == Kind::Inherits) {
        manifest.budget.step()?;
        if let Some(next) = wrong_space(cx, word) {
            let message = "there should be a single space between the inherits statement and the name";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn before(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        if let Some(next) = wrong_space(cx, definition.start) {
            let message = "there should be a single space between the class or defined resource statement and the name";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn set_space(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    if edit.manifest.kind(token) != Kind::Whitespace {
        return Err(NoFix);
    }
    edit.manifest.set_value(token, " ");
    Ok(())
}

pub(super) fn after(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        let Some(name) = name_behind(cx, definition.start) else { continue };
        let (Some(next), Some(code)) = (manifest.next(name), manifest.next_non_space(name)) else { continue };
        if name + 2 != code || !manifest.token(next).is_single_space() {
            let message = "there should be a single space between the class or resource name and the next item";
            cx.error(name, message, Data::Token(name));
        }
    }
    Ok(())
}

pub(super) fn set_space_after(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let name = edit.token()?;
    let manifest = &mut *edit.manifest;
    let code = manifest.next_non_space(name).ok_or(NoFix)?;
    let mut next = manifest.next(name);
    while let Some(id) = next.filter(|id| *id != code) {
        manifest.remove(id);
        next = manifest.next(id);
    }
    let place = manifest.place(code).ok_or(NoFix)?;
    let space = manifest.create(Kind::Whitespace, " ");
    manifest.insert(place, space);
    Ok(())
}
