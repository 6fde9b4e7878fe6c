//! Arrows: `->`, `<-` and `=>`.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn on_right_line(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for arrow in manifest.of_kind(|kind| matches!(kind, Kind::InEdge | Kind::InEdgeSub)) {
        let is_on_line = |next: Id| manifest.line(next) == manifest.line(arrow);
        if manifest.next_code(arrow).is_some_and(|next| !is_on_line(next)) {
            cx.warn(arrow, "arrow should be on the right operand's line", Data::Token(arrow));
        }
    }
    Ok(())
}

pub(super) fn move_to_right_line(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let arrow = edit.token()?;
    let manifest = &mut *edit.manifest;
    let (left, right) = (manifest.prev_code(arrow).ok_or(NoFix)?, manifest.next_code(arrow).ok_or(NoFix)?);
    manifest.remove(arrow);
    let place = manifest.place(right).ok_or(NoFix)?;
    manifest.insert(place, arrow);
    let space = manifest.create(Kind::Whitespace, " ");
    manifest.insert(place + 1, space);
    // The left operand leaves no space at the end of its line.
    let after = manifest.next(left).filter(|after| manifest.kind(*after) == Kind::Whitespace);
    if let Some(after) = after
        && matches!(manifest.next_kind(after), Some(Kind::Newline | Kind::Whitespace))
    {
        manifest.remove(after);
    }
    Ok(())
}

pub(super) fn right_to_left(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for arrow in cx.manifest.of_kind(|kind| kind == Kind::OutEdge) {
        cx.warn(arrow, "right-to-left (<-) relationship", Data::None);
    }
    Ok(())
}

pub(super) fn space_before(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()? {
        let arrows: Vec<Id> = resource.ids().filter(|id| manifest.kind(*id) == Kind::Farrow).collect();
        let [Some(first), Some(last)] = [arrows.first(), arrows.last()] else { continue };
        if manifest.line(*first) != manifest.line(*last) {
            continue;
        }
        for before in arrows.iter().filter_map(|arrow| manifest.prev(*arrow)) {
            let token = manifest.token(before);
            if token.value != " " {
                let (line, column) = (token.line, token.column);
                let message = format!("there should be a single space before '=>' on line {line}, column {column}");
                cx.warn(before, message, Data::Token(before));
            }
        }
    }
    Ok(())
}

pub(super) fn set_space_before(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let before = edit.token()?;
    if edit.manifest.kind(before) == Kind::Whitespace {
        edit.manifest.set_value(before, " ");
        return Ok(());
    }
    insert_space(edit, before)
}

/// Puts a space in front of a token.
pub(super) fn insert_space(edit: &mut Edit<'_, '_>, token: Id) -> Result<(), NoFix> {
    let place = edit.manifest.place(token).ok_or(NoFix)?;
    let space = edit.manifest.create(Kind::Whitespace, " ");
    edit.manifest.insert(place, space);
    Ok(())
}

pub(super) fn space_after(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for arrow in cx.manifest.of_kind(|kind| kind == Kind::Farrow) {
        if let Some(next) = cx.manifest.next(arrow).filter(|next| !cx.manifest.token(*next).is_single_space()) {
            cx.error(next, "there should be a single space after an arrow", Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn set_space(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    set_space_before(edit)
}
