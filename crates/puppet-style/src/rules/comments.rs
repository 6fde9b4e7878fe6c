//! Comments, and classes without them.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn slash(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for comment in cx.manifest.of_kind(|kind| kind == Kind::SlashComment) {
        cx.warn(comment, "// comment found", Data::Token(comment));
    }
    Ok(())
}

pub(super) fn slash_to_hash(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let comment = edit.token()?;
    edit.manifest.set_kind(comment, Kind::Comment);
    Ok(())
}

pub(super) fn star(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for comment in cx.manifest.of_kind(|kind| kind == Kind::MlComment) {
        cx.warn(comment, "/* */ comment found", Data::Token(comment));
    }
    Ok(())
}

pub(super) fn star_to_hash(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let comment = edit.token()?;
    let manifest = &mut *edit.manifest;
    // Code after the comment would become a part of it.
    let after = manifest.next(comment).filter(|next| manifest.kind(*next) == Kind::Whitespace).unwrap_or(comment);
    if manifest.next_kind(after).is_some_and(|kind| kind != Kind::Newline) {
        return Err(NoFix);
    }
    let text = manifest.value(comment).trim().to_owned();
    let mut lines = text.split('\n').map(str::trim);
    let first = format!(" {}", lines.next().unwrap_or_default());
    let rest: Vec<String> = lines.map(|line| format!(" {line}")).collect();
    manifest.set_kind(comment, Kind::Comment);
    manifest.set_value(comment, first);
    let place = manifest.next(comment).and_then(|next| manifest.place(next)).unwrap_or(1);
    let indent = manifest.prev(comment).map(|prev| manifest.value(prev).to_owned());
    for line in rest.into_iter().rev() {
        let line = manifest.create(Kind::Comment, line);
        manifest.insert(place, line);
        if let Some(indent) = &indent {
            let indent = manifest.create(Kind::Indent, indent.clone());
            manifest.insert(place, indent);
        }
        let newline = manifest.create(Kind::Newline, "\n");
        manifest.insert(place, newline);
    }
    Ok(())
}

pub(super) fn documentation(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        if !has_comment(manifest, definition.start) {
            cx.warn(definition.start, format!("{} not documented", definition.noun()), Data::None);
        }
    }
    Ok(())
}

/// Returns whether a comment is on the line above a token.
fn has_comment(manifest: &Manifest<'_>, start: Id) -> bool {
    let mut newlines = 0;
    let mut at = manifest.prev(start);
    while let Some(id) = at.filter(|id| manifest.kind(*id).is_space()) {
        if manifest.kind(id) == Kind::Newline {
            newlines += 1;
            if newlines > 1 {
                return false;
            }
        }
        at = manifest.prev(id);
    }
    at.is_some_and(|id| manifest.kind(id).is_comment())
}
