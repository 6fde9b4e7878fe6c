//! Variables in strings that have no braces.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::lexer::tokenize;
use crate::problem::Data;
use crate::token::Id;

pub(super) fn not_enclosed(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for variable in cx.manifest.of_kind(|kind| kind == Kind::UnencVariable) {
        cx.warn(variable, "variable not enclosed in {}", Data::Token(variable));
    }
    Ok(())
}

pub(super) fn enclose(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let variable = edit.token()?;
    edit.manifest.set_kind(variable, Kind::Variable);
    let is_text = |kind| matches!(kind, Kind::DqMid | Kind::DqPost | Kind::HeredocMid | Kind::HeredocPost);
    let text = edit.manifest.next(variable).filter(|next| is_text(edit.manifest.kind(*next)));
    if let Some(text) = text.filter(|text| edit.manifest.value(*text).starts_with('[')) {
        enclose_keys(edit, text)?;
    }
    let value = edit.manifest.value(variable).to_owned();
    if let Some((name, rest)) = value.split_once('-') {
        edit.manifest.set_value(variable, name.to_owned());
        if let Some(next) = edit.manifest.next(variable) {
            let text = format!("-{rest}{}", edit.manifest.value(next));
            edit.manifest.set_value(next, text);
        }
    }
    Ok(())
}

/// Moves keys in brackets from a string into the braces.
fn enclose_keys(edit: &mut Edit<'_, '_>, text: Id) -> Result<(), NoFix> {
    let value = edit.manifest.value(text).to_owned();
    let (keys, rest) = value.split_at(keys_length(&value));
    let place = edit.manifest.place(text).ok_or(NoFix)?;
    let tokens = tokenize(keys, edit.manifest.budget).map_err(|_| NoFix)?;
    for (offset, token) in tokens.iter().enumerate() {
        let id = edit.manifest.create(token.kind, token.value.clone().into_owned());
        edit.manifest.token_mut(id).raw = token.raw.clone().map(|raw| raw.into_owned().into());
        edit.manifest.insert(place + offset, id);
    }
    edit.manifest.set_value(text, rest.to_owned());
    Ok(())
}

/// The length of the keys at the beginning of a string, such as `['a'][0]`.
fn keys_length(text: &str) -> usize {
    let mut depth = 0i64;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        let end = at + c.len_utf8();
        if depth == 0 && !text[end..].starts_with('[') {
            return end;
        }
    }
    text.len()
}
