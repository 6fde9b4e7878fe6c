//! References to classes and resources.

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::{Manifest, Resource};
use crate::problem::Data;
use crate::token::Id;

const ABSOLUTE: &str = "class included by absolute name (::$class)";

pub(super) fn inclusion(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for token in manifest.ids() {
        match manifest.kind(token) {
            Kind::Name | Kind::FunctionName if matches!(manifest.value(token), "include" | "contain" | "require") => {
                included(cx, token)?;
            }
            Kind::Class if manifest.next_code_kind(token) == Some(Kind::Lbrace) => {
                let mut at = manifest.next_code(token);
                while let Some(id) = at.filter(|id| manifest.kind(*id) != Kind::Colon) {
                    manifest.budget.step()?;
                    warn_of_absolute(cx, id);
                    at = manifest.next(id);
                }
            }
            Kind::Inherits => {
                if let Some(name) = manifest.next_code(token).filter(|name| manifest.kind(*name) == Kind::Name) {
                    warn_of_absolute(cx, name);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reports a name that begins with two colons.
fn warn_of_absolute(cx: &mut Context<'_, '_>, id: Id) {
    let is_name = matches!(cx.manifest.kind(id), Kind::Name | Kind::Sstring);
    if is_name && cx.manifest.value(id).starts_with("::") {
        cx.warn(id, ABSOLUTE, Data::Token(id));
    }
}

/// Judges the names on the line after `include`, except the arguments of functions.
fn included(cx: &mut Context<'_, '_>, token: Id) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let mut at = manifest.next_code(token).filter(|next| manifest.kind(*next) != Kind::Farrow);
    let mut calls = 0usize;
    while let Some(id) = at.filter(|id| manifest.kind(*id) != Kind::Newline) {
        manifest.budget.step()?;
        let next = manifest.next_code_kind(id);
        if matches!(manifest.kind(id), Kind::Name | Kind::FunctionName | Kind::Sstring) {
            if next == Some(Kind::Lparen) {
                calls += 1;
            } else if calls > 0 && next == Some(Kind::Rparen) {
                calls -= 1;
            } else if calls == 0 && manifest.value(id).starts_with("::") {
                cx.warn(id, ABSOLUTE, Data::Token(id));
            }
        }
        at = manifest.next(id);
    }
    Ok(())
}

pub(super) fn class(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for token in manifest.of_kind(|kind| kind == Kind::Type) {
        if manifest.value(token) != "Class" || manifest.next_code_kind(token) != Some(Kind::Lbrack) {
            continue;
        }
        let mut at = manifest.next_code(token);
        while let Some(id) = at.filter(|id| manifest.kind(*id) != Kind::Rbrack) {
            manifest.budget.step()?;
            if matches!(manifest.kind(id), Kind::Name | Kind::Sstring) && manifest.value(id).starts_with("::") {
                cx.warn(id, "absolute class name reference", Data::Token(id));
            }
            at = manifest.next(id);
        }
    }
    Ok(())
}

/// Reports tokens of a kind that a space separates from a bracket.
fn spaced(cx: &mut Context<'_, '_>, kind: Kind) {
    let manifest = cx.manifest;
    for token in manifest.of_kind(|other| other == kind) {
        let is_spaced = manifest.next_kind(token) == Some(Kind::Whitespace);
        if is_spaced && manifest.next_code_kind(token) == Some(Kind::Lbrack) {
            cx.error(token, "whitespce between reference type and title", Data::None);
        }
    }
}

pub(super) fn type_space(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    spaced(cx, Kind::Type);
    Ok(())
}

pub(super) fn space(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    // Puppet-lint looks once for each resource, so not without any.
    if !cx.manifest.resources()?.is_empty() {
        spaced(cx, Kind::Classref);
    }
    Ok(())
}

pub(super) fn unquoted(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for title in titles(manifest)?.into_iter().filter(|id| manifest.kind(*id) == Kind::Name) {
        cx.error(title, "unquoted title in resource reference", Data::Token(title));
    }
    Ok(())
}

pub(super) fn capital(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for title in titles(manifest)?.into_iter().filter(|id| manifest.kind(*id) == Kind::Classref) {
        cx.error(title, "resource reference with title with capital letter", Data::None);
    }
    Ok(())
}

/// The first tokens in the brackets of references, in attributes that relate resources.
fn titles(manifest: &Manifest<'_>) -> Result<Vec<Id>, Failure> {
    const RELATIONS: [&str; 6] = ["require", "subscribe", "notify", "before", "consume", "export"];
    let mut found = Vec::new();
    for resource in manifest.resources()? {
        for name in resource.attributes.iter().filter(|name| RELATIONS.contains(&manifest.value(**name))) {
            let Some(arrow) = manifest.next_code(*name) else { continue };
            add_titles(manifest, resource, arrow, &mut found)?;
        }
    }
    Ok(found)
}

/// Adds the titles between an arrow and the next attribute. A comment ends the search.
fn add_titles(manifest: &Manifest<'_>, resource: &Resource, arrow: Id, found: &mut Vec<Id>) -> Result<(), Failure> {
    let is_of_value = |id: &Id| {
        resource.ids().contains(id)
            && resource.attributes.binary_search(id).is_err()
            && !manifest.kind(*id).is_comment()
    };
    let mut at = manifest.next(arrow);
    while let Some(id) = at.filter(is_of_value) {
        manifest.budget.step()?;
        let bracket = manifest.next(id).filter(|next| manifest.kind(*next) == Kind::Lbrack);
        if manifest.kind(id) == Kind::Classref {
            found.extend(bracket.and_then(|bracket| manifest.next(bracket)));
        }
        at = manifest.next(id);
    }
    Ok(())
}
