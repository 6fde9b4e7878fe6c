//! The spaces around brackets.

use super::Context;
use super::arrows::insert_space;
use super::spaces_braces::{next_or_empty_line, remove_before, wrong_behind};
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn before_closing(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for bracket in manifest.of_kind(|kind| kind == Kind::Rbrack) {
        let (Some(prev), Some(code)) = (manifest.prev(bracket), manifest.prev_non_space(bracket)) else { continue };
        let is_right = match manifest.kind(prev) {
            Kind::Indent => code + 3 == bracket,
            Kind::Newline => code + 2 == bracket,
            Kind::Whitespace => false,
            _ => true,
        };
        if let Some(next) = manifest.next(code).filter(|_| !is_right) {
            let message = "there should be no whitespace or a single newline before a closing bracket";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn fix_before_closing(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let manifest = &mut *edit.manifest;
    if manifest.kind(token) == Kind::Whitespace {
        manifest.remove(token);
        return Ok(());
    }
    let mut next = manifest.next(token).ok_or(NoFix)?;
    while manifest.kind(next) != Kind::Rbrack {
        if manifest.kind(next) == Kind::Indent && manifest.next_kind(next) == Some(Kind::Rbrack) {
            break;
        }
        manifest.remove(next);
        next = manifest.next(next).ok_or(NoFix)?;
    }
    Ok(())
}

pub(super) fn after_closing(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for bracket in cx.manifest.of_kind(|kind| kind == Kind::Rbrack) {
        if let Some(next) = wrong_behind(cx.manifest, bracket) {
            let message = "there should be either a bracket, punctuation mark, closing quote or a newline after a closing \
                           bracket, or whitespace and none of the aforementioned";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn before_opening(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for bracket in manifest.of_kind(|kind| kind == Kind::Lbrack) {
        if !is_opened_rightly(manifest, bracket) {
            cx.error(bracket, "there should be a single space before an opening bracket", Data::Token(bracket));
        }
    }
    Ok(())
}

fn is_opened_rightly(manifest: &Manifest<'_>, bracket: Id) -> bool {
    use Kind::*;
    let (Some(prev), Some(code)) = (manifest.prev(bracket), manifest.prev_non_space(bracket)) else { return true };
    let (prev_kind, code_kind) = (manifest.kind(prev), manifest.kind(code));
    let is_line_start = matches!(prev_kind, Indent | Newline);
    let is_one_space = code + 2 == bracket && manifest.token(prev).is_single_space();
    if matches!(prev_kind, Classref | Variable | Name) || code_kind == Comment {
        return true;
    }
    if is_line_start && matches!(code_kind, Semic | Comma | Colon | Name | Rbrack | Rbrace) {
        return true;
    }
    let is_right = match code_kind {
        Rbrack | Rbrace | Rparen | Lparen | Lbrack | Lbrace | Type => code == prev || is_line_start,
        Classref | Variable => false,
        _ => is_one_space,
    };
    if is_right || code_kind != Lbrace {
        return is_right;
    }
    match manifest.prev_non_space(code).map(|before| manifest.kind(before)) {
        None => true,
        Some(Name | Pipe) => is_line_start || is_one_space,
        Some(_) => false,
    }
}

pub(super) fn fix_before_opening(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let bracket = edit.token()?;
    let code = remove_before(edit, bracket)?;
    if !matches!(edit.manifest.kind(code), Kind::Lparen | Kind::Lbrack | Kind::Lbrace) {
        insert_space(edit, bracket)?;
    }
    Ok(())
}

pub(super) fn after_opening(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for bracket in manifest.of_kind(|kind| kind == Kind::Lbrack) {
        let is_spaced = manifest.next_kind(bracket).is_some_and(Kind::is_space);
        if let Some(wrong) = next_or_empty_line(manifest, bracket).filter(|_| is_spaced) {
            let message = "there should be no whitespace or a single newline after an opening bracket";
            cx.error(wrong, message, Data::Token(wrong));
        }
    }
    Ok(())
}

pub(super) fn fix_after_opening(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let mut token = edit.token()?;
    let manifest = &mut *edit.manifest;
    if manifest.kind(token) == Kind::Whitespace {
        manifest.remove(token);
        return Ok(());
    }
    loop {
        let next = manifest.next(token).ok_or(NoFix)?;
        let is_indent = manifest.kind(next) == Kind::Indent && manifest.next_kind(next) != Some(Kind::Newline);
        if manifest.kind(next) != Kind::Newline && !is_indent {
            return Ok(());
        }
        manifest.remove(token);
        token = next;
    }
}
