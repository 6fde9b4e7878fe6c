//! The beginnings and ends of lines: indentation, tabs, spaces, commas.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn two_spaces(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for indent in cx.manifest.of_kind(|kind| kind == Kind::Indent) {
        if cx.manifest.value(indent).chars().count() % 2 == 1 {
            cx.error(indent, "two-space soft tabs not used", Data::None);
        }
    }
    Ok(())
}

fn is_blank(kind: Kind) -> bool {
    matches!(kind, Kind::Indent | Kind::Whitespace)
}

pub(super) fn tabs(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for blank in cx.manifest.of_kind(is_blank) {
        if cx.manifest.value(blank).contains('\t') {
            cx.error(blank, "tab character found", Data::Token(blank));
        }
    }
    Ok(())
}

pub(super) fn replace_tabs(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token).replace('\t', "  ");
    edit.manifest.set_value(token, value);
    Ok(())
}

pub(super) fn whitespace(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for blank in cx.manifest.of_kind(is_blank) {
        if cx.manifest.next_kind(blank).is_none_or(|next| next == Kind::Newline) {
            cx.error(blank, "trailing whitespace found", Data::Token(blank));
        }
    }
    Ok(())
}

pub(super) fn remove_whitespace(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let manifest = &mut *edit.manifest;
    let (prev, next) = (manifest.prev(token), manifest.next(token));
    if let Some(prev) = prev {
        manifest.token_mut(prev).next = next;
    }
    if let Some(next) = next {
        manifest.token_mut(next).prev = prev;
    }
    manifest.remove_plain(token);
    Ok(())
}

pub(super) fn comma(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let resources = manifest.resources()?.iter().map(|resource| (resource.end, Kind::Colon));
    let arrays = manifest.arrays()?.into_iter().map(|part| (part.end, Kind::Lbrack));
    let hashes = manifest.hashes()?.into_iter().map(|part| (part.end, Kind::Lbrace));
    let defaults = manifest.defaults()?.into_iter().map(|part| (part.end, Kind::Lbrace));
    let ends: Vec<(Id, Kind)> = resources.chain(arrays).chain(hashes).chain(defaults).collect();
    for (end, opening) in ends {
        let mut last = manifest.prev_code(end);
        // The comma after a heredoc is where the heredoc begins.
        if last.is_some_and(|last| matches!(manifest.kind(last), Kind::Heredoc | Kind::HeredocPost)) {
            while let Some(id) = last.filter(|id| manifest.kind(*id) != Kind::HeredocOpen) {
                manifest.budget.step()?;
                last = manifest.prev_code(id);
            }
        }
        let Some(last) = last else { continue };
        let newline = manifest.next(last).filter(|next| manifest.kind(*next) == Kind::Newline);
        let is_separated = manifest.kind(last) == opening || manifest.kind(last) == Kind::Comma;
        if let Some(newline) = newline.filter(|_| !is_separated && manifest.kind(end) != Kind::Semic) {
            cx.warn(newline, "missing trailing comma after last element", Data::Token(newline));
        }
    }
    Ok(())
}

pub(super) fn add_comma(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let place = edit.manifest.place(token).ok_or(NoFix)?;
    let comma = edit.manifest.create(Kind::Comma, ",");
    edit.manifest.insert_plain(place, comma);
    Ok(())
}
