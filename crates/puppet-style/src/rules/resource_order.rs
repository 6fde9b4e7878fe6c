//! The order of attributes.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;

pub(super) fn ensure_first(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for (number, resource) in manifest.resources()?.iter().enumerate() {
        if manifest.kind(resource.kind) == Kind::Class {
            continue;
        }
        let ensure = resource.attributes.iter().position(|name| manifest.value(*name) == "ensure");
        if let Some(place) = ensure.filter(|place| *place > 0) {
            let message = "ensure found on line but it's not the first attribute";
            cx.warn(resource.attributes[place], message, Data::Resource(number));
        }
    }
    Ok(())
}

pub(super) fn move_ensure(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::Resource(number) = *edit.data else { return Err(NoFix) };
    let first = *edit.resources.get(number).and_then(|resource| resource.attributes.first()).ok_or(NoFix)?;
    let manifest = &mut *edit.manifest;
    let first_comma = manifest.next_of(first, |token| token.kind == Kind::Comma).ok_or(NoFix)?;
    let is_ensure = |token: &crate::token::Token<'_>| token.kind == Kind::Name && token.value == "ensure";
    let ensure = manifest.next_of(first_comma, is_ensure).ok_or(NoFix)?;
    let ends = |token: &crate::token::Token<'_>| matches!(token.kind, Kind::Comma | Kind::Semic);
    let ensure_comma = manifest.next_of(ensure, ends).ok_or(NoFix)?;

    let places = [first, first_comma, ensure, ensure_comma].map(|token| manifest.place(token));
    let [Some(first_at), Some(first_end), Some(ensure_at), Some(ensure_end)] = places else { return Err(NoFix) };
    if !(first_at < first_end && first_end < ensure_at && ensure_at < ensure_end) {
        return Err(NoFix);
    }

    let (first_prev, ensure_prev) = (manifest.prev(first), manifest.prev(ensure));
    let (first_prev_code, ensure_prev_code) = (manifest.prev_code(first), manifest.prev_code(ensure));
    let next = manifest.next(first_comma);
    let after = manifest.next(ensure_comma).ok_or(NoFix)?;
    let next_code = manifest.next_code(after);
    let token = manifest.token_mut(first);
    (token.prev, token.prev_code) = (ensure_prev, ensure_prev_code);
    let token = manifest.token_mut(ensure);
    (token.prev, token.prev_code) = (first_prev, first_prev_code);
    let token = manifest.token_mut(ensure_comma);
    (token.next, token.next_code) = (next, next_code);

    let ensure_tokens = manifest.take(ensure_at..ensure_end);
    let first_tokens = manifest.take(first_at..first_end);
    let second = ensure_at + ensure_tokens.len() - first_tokens.len();
    for (offset, token) in ensure_tokens.into_iter().enumerate() {
        manifest.insert_plain(first_at + offset, token);
    }
    for (offset, token) in first_tokens.into_iter().enumerate() {
        manifest.insert_plain(second + offset, token);
    }
    Ok(())
}
