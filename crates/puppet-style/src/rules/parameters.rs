//! The parameters of classes and defined types.

use std::ops::Range;

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::manifest::{Definition, Manifest};
use crate::problem::Data;
use crate::token::Id;

pub(super) fn order(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for parameters in manifest.definitions()?.iter().filter_map(|definition| definition.parameters.clone()) {
        let (mut parens, mut others, mut has_default) = (0usize, 0usize, false);
        for id in parameters {
            match manifest.kind(id) {
                Kind::Lparen => parens += 1,
                Kind::Rparen => parens = parens.saturating_sub(1),
                Kind::Lbrace | Kind::Lbrack => others += 1,
                Kind::Rbrace | Kind::Rbrack => others = others.saturating_sub(1),
                Kind::Equals => has_default = true,
                _ => {}
            }
            if parens == 0 && others == 0 && has_default && is_required(manifest, id) {
                cx.warn(id, "optional parameter listed before required parameter", Data::None);
            }
        }
    }
    Ok(())
}

/// Returns whether a token is a parameter without a default.
fn is_required(manifest: &Manifest<'_>, id: Id) -> bool {
    let before = manifest.prev_code_kind(id);
    manifest.kind(id) == Kind::Variable
        && matches!(before, Some(Kind::Lparen | Kind::Comma | Kind::Type | Kind::Rbrack | Kind::Classref))
        && matches!(manifest.next_code_kind(id), None | Some(Kind::Comma | Kind::Rparen))
}

pub(super) fn lookup(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let mut depth: Option<usize> = None;
    for id in manifest.ids() {
        match (manifest.kind(id), depth) {
            (Kind::Class | Kind::Define, _) => {
                let name = manifest.next_code(id).filter(|name| manifest.kind(*name) == Kind::Name);
                if name.and_then(|name| manifest.next_code_kind(name)) == Some(Kind::Lparen) {
                    depth = Some(0);
                }
            }
            (Kind::Lparen, Some(open)) => depth = Some(open + 1),
            (Kind::Rparen, Some(open)) => depth = open.checked_sub(1).filter(|open| *open > 0),
            (Kind::FunctionName, Some(_)) if manifest.value(id) == "lookup" => {
                cx.warn(id, "lookup used to set the default value of a parameter", Data::None);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The variables that are parameters. `braces` says whether commas in hashes are known to be in them.
pub(super) fn parameters(manifest: &Manifest<'_>, definition: &Definition, braces: bool) -> Vec<Id> {
    let mut found = Vec::new();
    let mut ids = definition.parameters.clone().unwrap_or(0..0);
    while let Some(id) = ids.next() {
        if manifest.kind(id) != Kind::Variable {
            continue;
        }
        found.push(id);
        let mut nesting = 0i64;
        for id in ids.by_ref() {
            match manifest.kind(id) {
                Kind::Lparen | Kind::Lbrack => nesting += 1,
                Kind::Rparen | Kind::Rbrack => nesting -= 1,
                Kind::Lbrace if braces => nesting += 1,
                Kind::Rbrace if braces => nesting -= 1,
                Kind::Comma if nesting <= 0 => break,
                _ => {}
            }
        }
    }
    found
}

/// The tokens from one to another; `None` if one is missing, or if the second is before the first.
fn range(first: Option<Id>, last: Option<Id>) -> Range<Id> {
    match (first, last) {
        (Some(first), Some(last)) if first <= last => first..last + 1,
        _ => 0..0,
    }
}

/// The tokens of the default of a parameter. A comma in a hash ends them.
fn default_of(manifest: &Manifest<'_>, parameter: Id) -> Result<Range<Id>, Failure> {
    let (mut nesting, mut first, mut at) = (0i64, None, manifest.next_code(parameter));
    while let Some(id) = at {
        manifest.budget.step()?;
        match manifest.kind(id) {
            Kind::Lparen | Kind::Lbrack => nesting += 1,
            Kind::Rbrack => nesting -= 1,
            Kind::Rparen => {
                nesting -= 1;
                if nesting < 0 {
                    return Ok(range(first, manifest.prev_code(id)));
                }
            }
            Kind::Equals => first = manifest.next_code(id),
            Kind::Comma if nesting <= 0 => return Ok(range(first, manifest.prev_code(id))),
            _ => {}
        }
        at = manifest.next(id);
    }
    Ok(0..0)
}

/// The tokens of the type of a parameter.
fn type_of(manifest: &Manifest<'_>, parameter: Id) -> Result<Range<Id>, Failure> {
    let (mut nesting, mut at) = (0i64, manifest.prev_code(parameter));
    while let Some(id) = at {
        manifest.budget.step()?;
        let is_start = match manifest.kind(id) {
            Kind::Lbrack => {
                nesting += 1;
                false
            }
            Kind::Lparen => {
                nesting += 1;
                nesting > 0
            }
            Kind::Rbrack | Kind::Rparen => {
                nesting -= 1;
                false
            }
            Kind::Comma => nesting == 0,
            _ => false,
        };
        if is_start {
            return Ok(range(manifest.next_code(id), manifest.prev_code(parameter)));
        }
        at = manifest.prev_code(id);
    }
    Ok(0..0)
}

/// A parameter with a type.
struct Typed<'m> {
    parameter: Id,
    /// The first word of its type, if that is a built-in one.
    name: &'m str,
    type_tokens: Range<Id>,
    default: Range<Id>,
    is_of_define: bool,
}

/// The parameters whose types begin with a built-in one.
fn typed<'m>(manifest: &'m Manifest<'_>) -> Result<Vec<Typed<'m>>, Failure> {
    let mut found = Vec::new();
    for definition in manifest.definitions()? {
        for parameter in parameters(manifest, definition, false) {
            let (type_tokens, default) = (type_of(manifest, parameter)?, default_of(manifest, parameter)?);
            if !type_tokens.is_empty() && manifest.kind(type_tokens.start) == Kind::Type {
                let (name, is_of_define) = (manifest.value(type_tokens.start), definition.kind == Kind::Define);
                found.push(Typed { parameter, name, type_tokens, default, is_of_define });
            }
        }
    }
    Ok(found)
}

/// Returns whether a default calls no function.
fn has_no_call(manifest: &Manifest<'_>, default: &Range<Id>) -> bool {
    !default.clone().any(|id| matches!(manifest.kind(id), Kind::Dot | Kind::Lparen))
}

pub(super) fn optional(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for typed in typed(manifest)?.into_iter().filter(|typed| typed.name == "Optional") {
        if typed.default.is_empty() {
            if typed.is_of_define {
                cx.warn(typed.parameter, "Optional defined type parameter doesn't have a default", Data::None);
            }
            continue;
        }
        let is_open = matches!(manifest.kind(typed.default.start), Kind::Undef | Kind::Variable);
        if !is_open && has_no_call(manifest, &typed.default) {
            cx.warn(typed.parameter, "Optional parameter defaults to something other than undef", Data::None);
        }
    }
    Ok(())
}

pub(super) fn empty_string(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for typed in typed(manifest)? {
        let is_text = typed.name.starts_with("String") || typed.name.starts_with("Variant");
        let Some(default) = typed.default.clone().next().filter(|_| is_text) else { continue };
        if manifest.kind(default) == Kind::Sstring && manifest.value(default).is_empty() {
            cx.warn(typed.parameter, "class parameter with String type defaults to empty string", Data::None);
        }
    }
    Ok(())
}

pub(super) fn undef(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for typed in typed(manifest)?.into_iter().filter(|typed| typed.name != "Optional") {
        let is_undef = typed.default.clone().next().is_some_and(|first| manifest.kind(first) == Kind::Undef);
        if is_undef && has_no_call(manifest, &typed.default) && !is_variant_with_undef(manifest, &typed) {
            cx.warn(typed.parameter, "Not optional parameter defaults to undef", Data::None);
        }
    }
    Ok(())
}

fn is_variant_with_undef(manifest: &Manifest<'_>, typed: &Typed<'_>) -> bool {
    let mut depth = 0i64;
    typed.name == "Variant"
        && typed.type_tokens.clone().any(|id| {
            depth += match manifest.kind(id) {
                Kind::Lbrack => 1,
                Kind::Rbrack => -1,
                _ => 0,
            };
            depth == 1 && manifest.kind(id) == Kind::Type && manifest.value(id) == "Undef"
        })
}

/// The part of a parameter that is read.
enum Place {
    Begin,
    Type,
    Default,
}

pub(super) fn types(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        let mut place = Place::Begin;
        let (mut parens, mut others) = (0usize, 0usize);
        for id in definition.parameters.clone().unwrap_or(0..0).filter(|id| !manifest.kind(*id).is_formatting()) {
            let kind = manifest.kind(id);
            match place {
                Place::Begin => {
                    (parens, others) = (0, 0);
                    if kind == Kind::Type || manifest.value(id).starts_with(|c: char| c.is_ascii_uppercase()) {
                        place = Place::Type;
                    } else if kind == Kind::Variable {
                        let name = format!("{}::{}", manifest.value(definition.name), manifest.value(id));
                        cx.warn(id, format!("missing datatype for parameter {name}"), Data::None);
                        place = Place::Default;
                    }
                }
                Place::Type if kind == Kind::Variable => place = Place::Default,
                Place::Type => {}
                Place::Default => match kind {
                    Kind::Lparen => parens += 1,
                    Kind::Rparen => parens = parens.saturating_sub(1),
                    Kind::Lbrace | Kind::Lbrack => others += 1,
                    Kind::Rbrace | Kind::Rbrack => others = others.saturating_sub(1),
                    Kind::Comma if parens == 0 && others == 0 => place = Place::Begin,
                    _ => {}
                },
            }
        }
    }
    Ok(())
}
