//! Uses of legacy facts, and of facts in the top scope.

use super::Context;
use super::facts_table::{ALLOWED_ONLY, EASY, Replacement, replacement};
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::rules::variables::is_of_class;
use crate::token::Id;

pub(super) fn legacy(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for token in manifest.of_kind(Kind::is_variable) {
        let Some(name) = fact_name(manifest, token) else { continue };
        if replacement(name).is_some() {
            let data = Data::Fact { token, name: name.to_owned() };
            cx.warn(token, format!("legacy fact '{name}'"), data);
        }
    }
    Ok(())
}

/// The name of the fact that a variable reads.
fn fact_name<'m>(manifest: &'m Manifest<'_>, token: Id) -> Option<&'m str> {
    let value = manifest.value(token);
    let plain = value.strip_prefix("::").unwrap_or(value);
    let key = plain.strip_prefix("facts[").and_then(|key| key.strip_suffix(']')).filter(|key| !key.is_empty());
    if let Some(key) = key {
        let quoted = key.strip_prefix('\'').and_then(|key| key.strip_suffix('\'')).filter(|key| !key.is_empty());
        return Some(quoted.unwrap_or(key));
    }
    if value == "facts" {
        let bracket = manifest.next_code(token).filter(|next| manifest.kind(*next) == Kind::Lbrack)?;
        let is_key = |id: &Id| matches!(manifest.kind(*id), Kind::String | Kind::Sstring | Kind::Name);
        return manifest.next_code(bracket).filter(is_key).map(|key| manifest.value(key));
    }
    value.strip_prefix("::")
}

pub(super) fn to_modern(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::Fact { token, name } = edit.data else { return Err(NoFix) };
    let Some(Replacement::Fact(modern)) = replacement(name) else { return Err(NoFix) };
    let manifest = &mut *edit.manifest;
    if manifest.value(*token) == "facts" {
        // The old key has separate tokens.
        while let Some(next) = manifest.next(*token) {
            manifest.remove(next);
            if manifest.kind(next) == Kind::Rbrack {
                break;
            }
        }
    }
    manifest.set_value(*token, modern);
    Ok(())
}

pub(super) fn top_scope(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for token in manifest.of_kind(Kind::is_variable) {
        let value = manifest.value(token);
        let Some(name) = value.strip_prefix("::") else { continue };
        // A name that begins as one that is allowed passes, too.
        let more = cx.settings.top_scope_variables.iter().map(String::as_str);
        let names = EASY.iter().map(|(name, _)| *name).chain(ALLOWED_ONLY.iter().copied()).chain(more);
        let is_allowed = names.into_iter().any(|allowed| name.starts_with(allowed));
        if !is_allowed && !is_of_class(value) {
            cx.warn(token, "top scope fact instead of facts hash", Data::Token(token));
        }
    }
    Ok(())
}

pub(super) fn to_hash(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token);
    let name = value.strip_prefix("::").unwrap_or(value);
    let (name, keys) = name.split_at(name.find('[').unwrap_or(name.len()));
    let fixed = format!("facts['{name}']{keys}");
    edit.manifest.set_value(token, fixed);
    Ok(())
}
