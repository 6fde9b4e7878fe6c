//! Versions that are compared as numbers.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;

pub(super) fn check(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for variable in manifest.of_kind(|kind| kind == Kind::Variable) {
        let name = manifest.value(variable);
        if !name.ends_with("version") && !name.ends_with("release") {
            continue;
        }
        let Some(operator) = manifest.next_code(variable) else { continue };
        let is_numeric = match manifest.kind(operator) {
            Kind::GreaterEqual | Kind::GreaterThan | Kind::LessEqual | Kind::LessThan => true,
            Kind::IsEqual | Kind::NotEqual => manifest.next_code_kind(operator) == Some(Kind::Number),
            _ => false,
        };
        if is_numeric {
            cx.warn(variable, "version compared as number", Data::Token(variable));
        }
    }
    Ok(())
}

pub(super) fn compare(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let variable = edit.token()?;
    let manifest = &mut *edit.manifest;
    let value = manifest.next_code(variable).and_then(|operator| manifest.next_code(operator)).ok_or(NoFix)?;
    // Anything else is not the text of its token.
    if !matches!(manifest.kind(value), Kind::Number | Kind::Sstring | Kind::String) {
        return Err(NoFix);
    }
    let text = manifest.value(value).to_owned();
    let place = manifest.place(variable).ok_or(NoFix)?;
    manifest.set_value(value, "0");
    manifest.set_kind(value, Kind::Number);
    let after = [(Kind::Comma, ","), (Kind::Whitespace, " "), (Kind::Sstring, text.as_str()), (Kind::Rparen, ")")];
    for (kind, text) in after.into_iter().rev() {
        let token = manifest.create(kind, text.to_owned());
        manifest.insert_plain(place + 1, token);
    }
    for (kind, text) in [(Kind::Lparen, "("), (Kind::Name, "versioncmp")] {
        let token = manifest.create(kind, text);
        manifest.insert_plain(place, token);
    }
    Ok(())
}
