//! The names of classes and defined types.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::problem::Data;

pub(super) fn dash(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        if manifest.value(definition.name).contains('-') {
            cx.error(definition.name, format!("{} name containing a dash", definition.noun()), Data::None);
        }
    }
    Ok(())
}

pub(super) fn uppercase(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        let name = manifest.value(definition.name);
        if name.contains(|c: char| c.is_ascii_uppercase()) {
            let message = format!("{} '{name}' contains illegal uppercase", definition.noun());
            cx.error(definition.name, message, Data::Token(definition.name));
        }
    }
    Ok(())
}

/// Makes all letters of a token small.
pub(super) fn to_lowercase(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token).to_lowercase();
    edit.manifest.set_value(token, value);
    Ok(())
}
