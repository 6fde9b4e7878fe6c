//! `case` and selectors.

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn case_default(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let cases = cases(manifest)?;
    for (number, (start, end)) in cases.iter().enumerate() {
        manifest.budget.steps((end - start) as u64)?;
        let (mut depth, mut has_default, mut id) = (0i64, false, *start);
        let mut inner = cases[number + 1..].iter().peekable();
        while id <= *end && !has_default {
            // The content of another `case` belongs to that.
            while inner.next_if(|(first, _)| *first < id).is_some() {}
            if let Some((_, last)) = inner.next_if(|(first, _)| *first == id) {
                id = last + 1;
                continue;
            }
            match manifest.kind(id) {
                Kind::Lbrace => depth += 1,
                Kind::Rbrace => depth -= 1,
                Kind::Default if depth == 1 => has_default = true,
                _ => {}
            }
            id += 1;
        }
        if !has_default {
            cx.warn(*start, "case statement without a default case", Data::None);
        }
    }
    Ok(())
}

/// The first and the last tokens of all `case` expressions.
fn cases(manifest: &Manifest<'_>) -> Result<Vec<(Id, Id)>, Failure> {
    let mut found = Vec::new();
    for start in manifest.of_kind(|kind| kind == Kind::Case) {
        let mut depth = 0i64;
        for id in start + 1..manifest.len() {
            manifest.budget.step()?;
            match manifest.kind(id) {
                Kind::Lbrace => depth += 1,
                Kind::Rbrace => {
                    depth -= 1;
                    if depth == 0 {
                        found.push((start, id));
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

pub(super) fn selector(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()? {
        for arrow in resource.ids().filter(|id| manifest.kind(*id) == Kind::Farrow) {
            let variable = manifest.next_code(arrow).filter(|next| manifest.kind(*next) == Kind::Variable);
            if variable.and_then(|variable| manifest.next_code_kind(variable)) == Some(Kind::Qmark) {
                cx.warn(arrow, "selector inside resource block", Data::None);
            }
        }
    }
    Ok(())
}

pub(super) fn unquoted_case(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    unquoted(cx, Kind::Case, Kind::Colon, "unquoted string in case")
}

pub(super) fn unquoted_selector(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    unquoted(cx, Kind::Qmark, Kind::Farrow, "unquoted string in selector")
}

/// Finds words in front of what separates an option from its value.
fn unquoted(cx: &mut Context<'_, '_>, kind: Kind, separator: Kind, message: &str) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for (start, end) in outer_ranges(manifest, kind)? {
        for id in (start..=end).filter(|id| manifest.kind(*id) == separator) {
            let mut at = manifest.prev(id);
            while let Some(id) = at.filter(|id| !matches!(manifest.kind(*id), Kind::Newline | Kind::Lbrace)) {
                manifest.budget.step()?;
                let is_reference = || manifest.kind(id) == Kind::Classref && !manifest.value(id).contains("::");
                if manifest.kind(id) == Kind::Name || is_reference() {
                    cx.warn(id, message, Data::Token(id));
                }
                at = manifest.prev(id);
            }
        }
    }
    Ok(())
}

/// The tokens of `case` expressions or selectors that are not in the blocks of their options.
fn outer_ranges(manifest: &Manifest<'_>, kind: Kind) -> Result<Vec<(Id, Id)>, Failure> {
    let mut found = Vec::new();
    for first in manifest.of_kind(|other| other == kind) {
        let (mut depth, mut start) = (0i64, first);
        for id in first + 1..manifest.len() {
            manifest.budget.step()?;
            match manifest.kind(id) {
                Kind::Lbrace => {
                    depth += 1;
                    if depth == 2 {
                        found.push((start, id));
                    }
                }
                Kind::Rbrace => {
                    if depth == 2 {
                        start = id;
                    }
                    depth -= 1;
                    if depth == 0 {
                        found.push((start, id));
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(found)
}
