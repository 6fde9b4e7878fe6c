//! Strings and their quotes.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::problem::Data;

pub(super) fn double_quotes(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for string in manifest.of_kind(|kind| kind == Kind::String) {
        let token = manifest.token(string);
        if !needs_double_quotes(&token.value, token.column) {
            cx.warn(string, "double quoted string containing no variables", Data::Token(string));
        }
    }
    Ok(())
}

/// Returns whether a string in single quotes would be another one, or harder to read.
fn needs_double_quotes(text: &str, column: i64) -> bool {
    let is_escape =
        |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'$' | b'"' | b'\'' | b't' | b's' | b'n' | b'\\');
    let Ok(column @ 1..) = usize::try_from(column) else { return true };
    // As many spaces as are in front of the string may be the indentation of a second line.
    let has_spaces = || {
        let mut run = 0;
        text.bytes().any(|byte| {
            run = if byte == b' ' { run + 1 } else { 0 };
            run == column
        })
    };
    text.contains(['\'', '\r', '\t', '\n']) || text.as_bytes().windows(2).any(is_escape) || has_spaces()
}

pub(super) fn only_variable(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for start in manifest.of_kind(|kind| kind == Kind::DqPre) {
        let variable = manifest.next(start).filter(|next| manifest.kind(*next).is_variable());
        let Some(variable) = variable.filter(|_| manifest.value(start).is_empty()) else { continue };
        let mut end = start + 2;
        while end < manifest.len() && manifest.kind(end) == Kind::Lbrack {
            end += 3;
        }
        let is_end = end < manifest.len() && manifest.kind(end) == Kind::DqPost && manifest.value(end).is_empty();
        if is_end && manifest.next_code_kind(end) != Some(Kind::Farrow) {
            cx.warn(variable, "string containing only a variable", Data::OnlyVariable { start, variable, end });
        }
    }
    Ok(())
}

pub(super) fn unquote_variable(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::OnlyVariable { start, variable, end } = *edit.data else { return Err(NoFix) };
    edit.manifest.remove(start);
    edit.manifest.remove(end);
    edit.manifest.set_kind(variable, Kind::Variable);
    Ok(())
}

pub(super) fn url(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for string in manifest.of_kind(|kind| matches!(kind, Kind::Sstring | Kind::String | Kind::DqPre)) {
        let Some(rest) = manifest.value(string).strip_prefix("puppet://") else { continue };
        let line = rest.split('\n').next().unwrap_or(rest);
        if !line.split_once('/').is_some_and(|(_, path)| path.starts_with("modules/")) {
            cx.warn(string, "puppet:// URL without modules/ found", Data::Token(string));
        }
    }
    Ok(())
}

pub(super) fn add_modules(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let value = edit.manifest.value(token);
    let (mut out, mut rest) = (String::with_capacity(value.len() + 8), value);
    while let Some(at) = rest.find("puppet://") {
        let after = at + "puppet://".len();
        let server = rest[after..].find(['/', '\n']).filter(|end| rest[after + end..].starts_with('/'));
        let end = match server {
            Some(end) => after + end + 1,
            None => after,
        };
        out.push_str(&rest[..end]);
        if server.is_some() {
            out.push_str("modules/");
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    edit.manifest.set_value(token, out);
    Ok(())
}

pub(super) fn booleans(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for string in manifest.of_kind(|kind| matches!(kind, Kind::String | Kind::Sstring)) {
        if matches!(manifest.value(string), "true" | "false") {
            cx.warn(string, "quoted boolean value found", Data::Token(string));
        }
    }
    Ok(())
}

pub(super) fn unquote_boolean(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let token = edit.token()?;
    let kind = if edit.manifest.value(token) == "true" { Kind::True } else { Kind::False };
    edit.manifest.set_kind(token, kind);
    Ok(())
}

pub(super) fn single_quotes(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for string in manifest.of_kind(|kind| kind == Kind::Sstring).filter(|id| manifest.value(*id).contains("${")) {
        let call = manifest.prev(string).and_then(|prev| manifest.prev(prev)).map(|call| manifest.value(call));
        if !call.is_some_and(|call| call.contains("inline_epp") || call.contains("inline_template")) {
            cx.error(string, "single quoted string containing a variable found", Data::None);
        }
    }
    Ok(())
}
