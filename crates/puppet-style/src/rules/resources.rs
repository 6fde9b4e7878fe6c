//! Resources and their attributes.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::{Manifest, Resource};
use crate::problem::Data;
use crate::token::Id;

pub(super) fn duplicates(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()? {
        let (mut seen, mut level) = (BTreeMap::<i64, BTreeSet<&str>>::new(), 0);
        for id in resource.ids() {
            match manifest.kind(id) {
                Kind::Lbrace => level += 1,
                Kind::Rbrace => {
                    seen.remove(&level);
                    level -= 1;
                }
                Kind::Farrow => {
                    let name = manifest.prev_code(id).filter(|name| manifest.kind(*name) == Kind::Name);
                    if let Some(name) = name
                        && !seen.entry(level).or_default().insert(manifest.value(name))
                    {
                        cx.error(name, "duplicate parameter found in resource", Data::None);
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The value of an attribute.
fn value_of(manifest: &Manifest<'_>, attribute: Id) -> Option<Id> {
    manifest.next_code(manifest.next_code(attribute)?)
}

/// The attributes of a name, with their values.
fn attributes<'m>(manifest: &'m Manifest<'_>, resource: &'m Resource, name: &str) -> impl Iterator<Item = (Id, Id)> {
    let is_named = move |id: &&Id| manifest.value(**id) == name;
    resource.attributes.iter().filter(is_named).filter_map(|id| Some((*id, value_of(manifest, *id)?)))
}

pub(super) fn symlink(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()?.iter().filter(|resource| manifest.value(resource.kind) == "file") {
        for (name, value) in attributes(manifest, resource, "ensure") {
            if manifest.value(value).starts_with('/') {
                cx.warn(value, "symlink target specified in ensure attr", Data::Attribute { name, value });
            }
        }
    }
    Ok(())
}

pub(super) fn split_symlink(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::Attribute { name, value } = *edit.data else { return Err(NoFix) };
    let manifest = &mut *edit.manifest;
    let place = manifest.place(value).ok_or(NoFix)?;
    let indent = manifest.value(manifest.prev(name).ok_or(NoFix)?).to_owned();
    let tokens = [
        (Kind::Name, "symlink"),
        (Kind::Comma, ","),
        (Kind::Newline, "\n"),
        (Kind::Indent, indent.as_str()),
        (Kind::Name, "target"),
        (Kind::Whitespace, " "),
        (Kind::Farrow, "=>"),
        (Kind::Whitespace, " "),
    ];
    for (kind, text) in tokens.into_iter().rev() {
        let token = manifest.create(kind, text.to_owned());
        manifest.insert_plain(place, token);
    }
    Ok(())
}

/// Returns whether a resource is one whose mode is judged.
fn has_mode(manifest: &Manifest<'_>, resource: &&Resource) -> bool {
    matches!(manifest.value(resource.kind), "file" | "concat")
}

pub(super) fn mode(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()?.iter().filter(|resource| has_mode(manifest, resource)) {
        for (_, value) in attributes(manifest, resource, "mode") {
            let is_open = matches!(manifest.kind(value), Kind::Variable | Kind::Undef | Kind::FunctionName);
            if is_open || is_mode(manifest.value(value)) {
                break;
            }
            let message = "mode should be represented as a 4 digit octal value or symbolic mode";
            cx.warn(value, message, Data::Token(value));
        }
    }
    Ok(())
}

fn is_octal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte))
}

fn is_mode(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_symbolic = |part: &str| {
        let rest = part.trim_start_matches(['u', 'g', 'o', 'a']);
        rest.starts_with(['-', '=', '+']) && rest.chars().all(|c| "-=+rstwxXugo".contains(c))
    };
    is_octal(text, 4) || text.split(',').all(is_symbolic)
}

pub(super) fn pad_mode(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token);
    if !is_octal(value, 3) {
        return Err(NoFix);
    }
    let padded = format!("0{value}");
    edit.manifest.set_kind(token, Kind::Sstring);
    edit.manifest.set_value(token, padded);
    Ok(())
}

pub(super) fn unquoted_mode(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()?.iter().filter(|resource| has_mode(manifest, resource)) {
        for (_, value) in attributes(manifest, resource, "mode") {
            if matches!(manifest.kind(value), Kind::Name | Kind::Number) {
                cx.warn(value, "unquoted file mode", Data::Token(value));
            }
        }
    }
    Ok(())
}

pub(super) fn anchor(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()?.iter().filter(|resource| manifest.value(resource.kind) == "anchor") {
        cx.warn(resource.kind, "manifest includes anchor resource", Data::None);
    }
    Ok(())
}

/// The attribute of a name that is first in a resource, in any block.
fn first_named(manifest: &Manifest<'_>, resource: &Resource, name: &str) -> Option<Id> {
    resource.ids().find(|id| {
        let is_name = manifest.kind(*id) == Kind::Name && manifest.value(*id) == name;
        is_name && manifest.next_code_kind(*id) == Some(Kind::Farrow)
    })
}

pub(super) fn file_present(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for (number, resource) in manifest.resources()?.iter().enumerate() {
        if manifest.value(resource.kind) != "file" {
            continue;
        }
        let value = first_named(manifest, resource, "ensure").and_then(|name| value_of(manifest, name));
        let is_word = |id: &Id| matches!(manifest.kind(*id), Kind::Name | Kind::String | Kind::Sstring);
        if let Some(token) = value.filter(|id| manifest.value(*id) == "present" && is_word(id)) {
            cx.warn(token, "ensure set to present on file resource", Data::InResource { token, resource: number });
        }
    }
    Ok(())
}

pub(super) fn to_file(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::InResource { token, resource } = *edit.data else { return Err(NoFix) };
    let resource = edit.resources.get(resource).ok_or(NoFix)?;
    let is_link = first_named(edit.manifest, resource, "target").is_some();
    edit.manifest.set_value(token, if is_link { "link" } else { "file" });
    Ok(())
}
