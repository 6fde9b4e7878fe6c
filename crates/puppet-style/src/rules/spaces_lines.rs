//! Empty lines, and the ends of files.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::{Data, Severity};
use crate::token::Id;

pub(super) fn two_empty(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for newline in cx.manifest.of_kind(|kind| kind == Kind::Newline) {
        if is_behind_two(cx.manifest, newline) {
            cx.error(newline, "there should be no two consecutive empty lines", Data::Token(newline));
        }
    }
    Ok(())
}

/// Returns whether only whitespace and two ends of lines are in front of a token.
fn is_behind_two(manifest: &Manifest<'_>, newline: Id) -> bool {
    let mut newlines = 0;
    let mut at = manifest.prev(newline);
    while let Some(id) = at.filter(|id| manifest.kind(*id).is_space()) {
        newlines += usize::from(manifest.kind(id) == Kind::Newline);
        if newlines == 2 {
            return true;
        }
        at = manifest.prev(id);
    }
    false
}

pub(super) fn remove(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    edit.manifest.remove(token);
    Ok(())
}

pub(super) fn beginning(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for newline in manifest.ids().take_while(|id| manifest.kind(*id) == Kind::Newline) {
        cx.error(newline, "there should not be a newline at the beginning of a manifest", Data::Token(newline));
    }
    Ok(())
}

pub(super) fn missing_end(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    if let Some(last) = cx.manifest.last().filter(|last| cx.manifest.kind(*last) != Kind::Newline) {
        cx.error(last, "there should be a single newline at the end of a manifest", Data::Token(last));
    }
    Ok(())
}

pub(super) fn add_end(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let place = edit.manifest.place(token).ok_or(NoFix)?;
    let newline = edit.manifest.create(Kind::Newline, "\n");
    edit.manifest.insert_plain(place + 1, newline);
    Ok(())
}

pub(super) fn double_end(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let mut at = manifest.last().filter(|last| manifest.kind(*last) == Kind::Newline);
    while let Some(newline) = at {
        let before = manifest.prev(newline).filter(|prev| manifest.kind(*prev) == Kind::Newline);
        if before.is_some() {
            cx.error(newline, "there should be a single newline at the end of a manifest", Data::Token(newline));
        }
        at = before;
    }
    Ok(())
}

pub(super) fn remove_plain(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    edit.manifest.remove_plain(token);
    Ok(())
}

pub(super) fn trailing(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let Some(last) = cx.manifest.last().filter(|last| cx.manifest.kind(*last) != Kind::Newline) else { return Ok(()) };
    cx.warn(last, "expected newline at the end of the file", Data::Token(last));
    let length = cx.manifest.source.rsplit('\n').next().map_or(0, |line| line.chars().count());
    if let Some(problem) = cx.found.last_mut() {
        problem.severity = Severity::Warning;
        problem.column = i64::try_from(length).unwrap_or(0);
    }
    Ok(())
}

pub(super) fn append(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let last = edit.manifest.last().ok_or(NoFix)?;
    if edit.manifest.kind(last) == Kind::Newline {
        return Err(NoFix);
    }
    let place = edit.manifest.place(last).ok_or(NoFix)?;
    let newline = edit.manifest.create(Kind::Newline, "\n");
    edit.manifest.insert_plain(place + 1, newline);
    Ok(())
}
