//! The names of variables.

use super::Context;
pub(super) use super::class_names::to_lowercase;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::problem::Data;
use crate::token::Id;

/// The name of a variable without the keys in brackets.
pub(super) fn without_keys(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('[') {
        // A key has at least one character.
        let first = rest[start + 1..].chars().next().map_or(0, char::len_utf8);
        let key = start + 1 + first;
        let Some(end) = rest[key..].find(']').filter(|_| first > 0) else { break };
        out.push_str(&rest[..start]);
        rest = &rest[key + end + 1..];
    }
    out + rest
}

fn with_name<'c>(cx: &Context<'c, '_>, is: impl Fn(&str) -> bool) -> Vec<Id> {
    let manifest = cx.manifest;
    manifest.of_kind(Kind::is_variable).filter(|id| is(&without_keys(manifest.value(*id)))).collect()
}

fn has_capital(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_uppercase())
}

pub(super) fn dash(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for variable in with_name(cx, |name| name.contains('-')) {
        cx.warn(variable, "variable contains a dash", Data::None);
    }
    Ok(())
}

pub(super) fn lowercase(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for variable in with_name(cx, has_capital) {
        cx.warn(variable, "variable contains an uppercase letter", Data::None);
    }
    Ok(())
}

pub(super) fn upcase(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    for variable in with_name(cx, has_capital) {
        cx.warn(variable, "variable contains a capital letter", Data::Token(variable));
    }
    Ok(())
}

/// Returns whether a name begins with `::` and the name of a class.
pub(super) fn is_of_class(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("::") else { return false };
    let is_first = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    end >= 2 && rest.starts_with(is_first) && rest[end..].starts_with("::")
}

pub(super) fn absolute(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    // Code that is in no class is not judged.
    if manifest.definitions()?.is_empty() {
        return Ok(());
    }
    for variable in manifest.of_kind(|kind| kind == Kind::Variable).filter(|id| is_of_class(manifest.value(*id))) {
        let name = manifest.value(variable);
        let message = format!("use ${} instead of ${name}", name.trim_start_matches("::"));
        cx.warn(variable, message, Data::Token(variable));
    }
    Ok(())
}
