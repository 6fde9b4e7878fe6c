//! The spaces around braces.

use super::Context;
use super::arrows::insert_space;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::token::Id;

/// Returns whether a line ends between two tokens of an unchanged manifest.
fn has_newline(manifest: &Manifest<'_>, from: Id, to: Id) -> bool {
    (from..=to).any(|id| manifest.kind(id) == Kind::Newline)
}

/// Returns whether one space is between two tokens of an unchanged manifest.
fn is_one_space(manifest: &Manifest<'_>, from: Id, to: Id) -> bool {
    from + 2 == to && manifest.token(from + 1).is_single_space()
}

pub(super) fn before_closing(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for brace in manifest.of_kind(|kind| kind == Kind::Rbrace) {
        let (Some(prev), Some(code)) = (manifest.prev(brace), manifest.prev_non_space(brace)) else { continue };
        manifest.budget.steps((brace - code) as u64)?;
        let prev_kind = manifest.kind(prev);
        let is_right = prev_kind == Kind::Lbrace
            || manifest.kind(code) != Kind::Lbrace && is_one_space(manifest, code, brace)
            || prev_kind == Kind::Indent && code + 3 == brace
            || prev_kind == Kind::Newline && code + 2 == brace;
        if let Some(next) = manifest.next(code).filter(|_| !is_right) {
            let message = "there should be a single space or newline before a closing brace";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn fix_before_closing(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let manifest = &mut *edit.manifest;
    let Data::Token(mut next) = *edit.data else { return Err(NoFix) };
    while manifest.kind(next) != Kind::Rbrace {
        let place = manifest.place(next).ok_or(NoFix)?;
        let kinds: Vec<Kind> =
            (place..place + 3).filter_map(|at| manifest.at(at)).map(|id| manifest.kind(id)).collect();
        if kinds.starts_with(&[Kind::Newline, Kind::Rbrace]) || kinds == [Kind::Newline, Kind::Indent, Kind::Rbrace] {
            break;
        }
        manifest.remove(next);
        next = manifest.next(next).ok_or(NoFix)?;
    }
    let before = manifest.prev_kind(next);
    let needs_space = !matches!(before, Some(Kind::Lbrace | Kind::Newline | Kind::Indent));
    if manifest.kind(next) == Kind::Rbrace && needs_space {
        insert_space(edit, next)?;
    }
    Ok(())
}

/// Returns whether a kind can follow a closing bracket without a space.
pub(super) fn follows_bracket(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Rbrack | Rparen | Semic | Comma | Colon | Dot | Newline | DqMid | DqPost | Lbrack | HeredocMid | HeredocPost
    )
}

/// The token after a closing bracket that does not belong there.
pub(super) fn wrong_behind(manifest: &Manifest<'_>, bracket: Id) -> Option<Id> {
    let next = manifest.next(bracket)?;
    if follows_bracket(manifest.kind(next)) {
        return None;
    }
    if manifest.kind(next) == Kind::Whitespace {
        let code = manifest.next_non_space(bracket)?;
        return follows_bracket(manifest.kind(code)).then_some(next);
    }
    Some(next)
}

pub(super) fn after_closing(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for brace in cx.manifest.of_kind(|kind| kind == Kind::Rbrace) {
        if let Some(next) = wrong_behind(cx.manifest, brace) {
            let message = "there should be either a bracket, punctuation mark, closing quote or a newline after a closing \
                           brace, or whitespace and none of the aforementioned";
            cx.error(next, message, Data::Token(next));
        }
    }
    Ok(())
}

pub(super) fn fix_after_closing(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let mut next = edit.token()?;
    let manifest = &mut *edit.manifest;
    use Kind::*;
    while !matches!(manifest.kind(next), Rbrace | Rbrack | Rparen | Comma | Newline) {
        if manifest.kind(next) != Whitespace {
            return Err(NoFix);
        }
        manifest.remove(next);
        next = manifest.next(next).ok_or(NoFix)?;
    }
    Ok(())
}

pub(super) fn before_opening(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for brace in manifest.of_kind(|kind| kind == Kind::Lbrace) {
        let (Some(prev), Some(code)) = (manifest.prev(brace), manifest.prev_non_space(brace)) else { continue };
        manifest.budget.steps((brace - code) as u64)?;
        let is_line_start = matches!(manifest.kind(prev), Kind::Indent | Kind::Newline);
        let is_right = match manifest.kind(code) {
            Kind::Comma if is_line_start => true,
            Kind::Comment | Kind::Colon => true,
            Kind::Lparen | Kind::Lbrack => code + 1 == brace || has_newline(manifest, code, brace),
            Kind::Lbrace => has_newline(manifest, code, brace) || is_one_space(manifest, code, brace),
            _ => is_one_space(manifest, code, brace),
        };
        if !is_right {
            cx.error(brace, "there should be a single space before an opening brace", Data::Token(brace));
        }
    }
    Ok(())
}

/// Removes the whitespace in front of a token. Returns the token in front of that.
pub(super) fn remove_before(edit: &mut Edit<'_, '_>, token: Id) -> Result<Id, NoFix> {
    let manifest = &mut *edit.manifest;
    let code = manifest.prev_non_space(token).ok_or(NoFix)?;
    let mut prev = manifest.prev(token).ok_or(NoFix)?;
    while prev != code {
        if !manifest.kind(prev).is_space() {
            return Err(NoFix);
        }
        manifest.remove(prev);
        prev = manifest.prev(prev).ok_or(NoFix)?;
    }
    Ok(code)
}

pub(super) fn fix_before_opening(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let brace = edit.token()?;
    let code = remove_before(edit, brace)?;
    if !matches!(edit.manifest.kind(code), Kind::Lparen | Kind::Lbrack) {
        insert_space(edit, brace)?;
    }
    Ok(())
}

/// The token after an opening bracket, or after the end of its line if that is an empty one.
pub(super) fn next_or_empty_line(manifest: &Manifest<'_>, bracket: Id) -> Option<Id> {
    let next = manifest.next(bracket)?;
    if manifest.kind(next) != Kind::Newline {
        return Some(next);
    }
    manifest.next(next).filter(|next| manifest.kind(*next) == Kind::Newline)
}

pub(super) fn after_opening(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for brace in manifest.of_kind(|kind| kind == Kind::Lbrace) {
        let Some(next) = manifest.next(brace) else { continue };
        let is_right = manifest.token(next).is_single_space()
            || matches!(manifest.kind(next), Kind::Rbrace | Kind::Lbrack | Kind::Lbrace);
        if let Some(wrong) = next_or_empty_line(manifest, brace).filter(|_| !is_right) {
            let message = "there should be a single space or single newline after an opening brace";
            cx.error(wrong, message, Data::Token(wrong));
        }
    }
    Ok(())
}

pub(super) fn fix_after_opening(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    match edit.manifest.kind(token) {
        Kind::Whitespace => edit.manifest.set_value(token, " "),
        Kind::Newline => {
            let mut at = Some(token);
            while let Some(newline) = at.filter(|id| edit.manifest.kind(*id) == Kind::Newline) {
                edit.manifest.remove(newline);
                at = edit.manifest.next(newline);
            }
        }
        _ => insert_space(edit, token)?,
    }
    Ok(())
}
