//! The documentation of parameters.

use std::collections::BTreeMap;

use super::Context;
use super::parameters::parameters;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::{Definition, Manifest};
use crate::problem::Data;
use crate::token::Id;

/// The documented parameters of a class or defined type.
#[derive(Default)]
struct Documented<'m> {
    /// The comments of each parameter.
    comments: BTreeMap<&'m str, Vec<Id>>,
    is_private: bool,
}

pub(super) fn check(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        let documented = documented(manifest, definition)?;
        let parameters = parameters(manifest, definition, true);
        let (noun, class) = (definition.noun(), manifest.value(definition.name));
        for (parameter, comments) in &documented.comments {
            if comments.len() > 1 {
                let message = format!("Duplicate {noun} parameter documentation for {class}::{parameter}");
                comments.iter().for_each(|comment| report(cx, *comment, &message));
            }
            let is_title = *parameter == TITLE && definition.kind == Kind::Define;
            let is_parameter = || parameters.iter().any(|id| manifest.value(*id) == *parameter);
            if !is_title && !is_parameter() {
                let message = format!("No matching {noun} parameter for documentation of {class}::{parameter}");
                comments[..1].iter().for_each(|comment| report(cx, *comment, &message));
            }
        }
        for parameter in parameters.into_iter().filter(|_| !documented.is_private) {
            let name = manifest.value(parameter);
            if !documented.comments.contains_key(name) {
                let message = format!("missing documentation for {noun} parameter {class}::{name}");
                cx.warn(parameter, message, Data::None);
            }
        }
    }
    Ok(())
}

/// The characters that `\s` matches in Ruby. A space without a break is not among them.
const SPACES: [char; 6] = [' ', '\t', '\n', '\r', '\u{b}', '\u{c}'];

/// The name and the title of a defined type are one parameter.
const TITLE: &str = "name/title";

/// Reads all comments in front of a class or defined type.
fn documented<'m>(manifest: &'m Manifest<'_>, definition: &Definition) -> Result<Documented<'m>, Failure> {
    manifest.budget.steps(definition.start as u64)?;
    let mut documented = Documented::default();
    for comment in (0..=definition.start).rev().filter(|id| manifest.kind(*id) == Kind::Comment) {
        let text = manifest.value(comment).trim_start_matches(SPACES);
        let api = text.strip_prefix("@api ").map(str::trim);
        if api == Some("private") {
            documented.is_private = true;
            continue;
        }
        let Some(parameter) = parameter_of(text) else { continue };
        let is_title = definition.kind == Kind::Define && matches!(parameter, "name" | "title");
        documented.comments.entry(if is_title { TITLE } else { parameter }).or_default().push(comment);
    }
    Ok(documented)
}

/// The parameter that a comment documents, in one of three styles.
fn parameter_of(text: &str) -> Option<&str> {
    let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    if let Some(rest) = text.strip_prefix("[*") {
        let end = word(rest);
        return Some(&rest[..end]).filter(|_| end > 0 && rest[end..].starts_with("*]"));
    }
    if let Some(rest) = text.strip_prefix('$') {
        let end = word(rest);
        return Some(&rest[..end]).filter(|_| end > 0 && rest[end..].starts_with(":: "));
    }
    let rest = text.strip_prefix("@param ")?;
    let name_at = |start: usize| {
        let text = &rest[start..];
        let end = word(text);
        Some(&text[..end]).filter(|_| end > 0 && (end == text.len() || text[end..].starts_with(' ')))
    };
    if !rest.starts_with('[') {
        return name_at(0);
    }
    // A type in brackets may have brackets and spaces itself: the last end that a name follows counts.
    rest.rmatch_indices("] ").filter(|(at, _)| *at > 1).find_map(|(at, _)| name_at(at + 2))
}

/// Reports a warning about the name of a parameter in a comment.
fn report(cx: &mut Context<'_, '_>, comment: Id, message: &str) {
    cx.warn(comment, message, Data::None);
    let text = cx.manifest.value(comment);
    let rest = text.trim_start_matches(SPACES);
    let rest = rest.strip_prefix("@param").map_or(rest, str::trim_start);
    let before = text.len() - rest.len() + 1;
    if let Some(problem) = cx.found.last_mut() {
        problem.column += i64::try_from(before).unwrap_or(0);
        problem.span.start = (problem.span.start + before).min(problem.span.end);
    }
}
