//! The hint for an Unfurl path without matches: its value is null, which does not show which segment is missing.

use hieratic::Value;
use hieratic::diagnostics::{Diagnostic, Severity};
use hieratic::expressions::resolve_expression;
use hieratic::unfurl::{Context, Expression};
use hieratic_diagnostics::{did_you_mean, nearest_many};

use crate::codes;

/// The maximum number of instances that are named.
const MOST_NAMED: usize = 8;

/// Finds the first missing part of a path, if the expression is a path of plain names from the root.
pub(super) fn diagnose(context: &Context, text: &str) -> Option<Diagnostic> {
    let text = text.trim();
    let parts: Vec<&str> = text.strip_prefix("::")?.split("::").collect();
    if !parts.iter().all(|part| is_plain_name(part)) {
        return None;
    }
    let prefixes = (1..=parts.len()).map(|end| format!("::{}", parts[..end].join("::")));
    let (index, missing) = prefixes.enumerate().find(|(_, prefix)| finds_nothing(context, prefix))?;
    let end = if missing == text { String::new() } else { format!(": '{missing}' does not exist") };
    let message = format!("nothing found at '{text}'{end}");
    let warning = Diagnostic::new(Severity::Warning, codes::EXPRESSION_NOWHERE, message);
    Some(if index == 0 { first_is_an_instance(context, parts[0], text, warning) } else { warning })
}

fn is_plain_name(part: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    part.starts_with(|c: char| c.is_alphabetic() || c == '_') && part.chars().all(is_name)
}

fn finds_nothing(context: &Context, path: &str) -> bool {
    let answer = Expression::parse(path).and_then(|path| resolve_expression(context, &path));
    answer.is_ok_and(|answer| answer.matches.is_some_and(|matches| matches.is_empty()))
}

/// The first colons are followed by the name of an instance, and plain documents have no instance except the root.
fn first_is_an_instance(context: &Context, name: &str, text: &str, warning: Diagnostic) -> Diagnostic {
    let from_the_root = format!(".{text}");
    if !finds_nothing(context, &from_the_root) {
        return warning
            .help(format!("'::{name}' names an instance; write '{from_the_root}' for an attribute of the root"));
    }
    let names = instances(context);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let near = nearest_many(name, names.iter().copied());
    match did_you_mean(&near) {
        Some(help) => warning.help(help),
        None if names.is_empty() => warning.help(format!("'::{name}' names an instance: pass the tree with --tree")),
        None => {
            let shown = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
            let more = if names.len() > MOST_NAMED { ", ..." } else { "" };
            warning.help(format!("'::{name}' names an instance; the instances are {shown}{more}"))
        }
    }
}

/// The names of all instances.
fn instances(context: &Context) -> Vec<String> {
    let all = Expression::parse("::*").and_then(|all| resolve_expression(context, &all));
    let references = all.map(|all| all.value()).unwrap_or_default();
    let name = |reference: &Value| Some(reference.as_hash()?.get("ref")?.as_str()?.trim_start_matches("::").to_owned());
    references.as_array().into_iter().flatten().filter_map(name).collect()
}
