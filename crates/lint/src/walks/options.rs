//! Checks the entries of `lookup_options`: whether they are valid, and whether they match a key.

use hieratic::hiera::literal_start;
use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::HashSet;

use crate::finding::Finding;
use crate::rules::{RuleContext, lookup_options, unmatched_options};
use crate::workspace::Workspace;
use crate::workspace::data::LOOKUP_OPTIONS;
use crate::workspace::lookup_options::{PatternBudget, with_start};
use crate::workspace::suggestions::Suggestions;

/// Finds options that cannot be used, and options that match no key.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    let data = workspace.keys();
    let mut sorted: Vec<&str> = data.iter().copied().collect();
    let parameters: HashSet<String> = code
        .classes
        .iter()
        .flat_map(|(class, info)| info.parameters.iter().map(move |parameter| format!("{class}::{}", parameter.name)))
        .collect();
    sorted.extend(parameters.iter().map(String::as_str));
    sorted.sort_unstable();
    let hidden = workspace.has_hidden_keys();
    let mut suggestions = Suggestions::among(data.len());
    let searches = PatternBudget::default();
    for file in &workspace.files {
        let Some(options) = file.options() else { continue };
        let Some(hash) = options.as_hash() else {
            cx.report(lookup_options::not_a_hash().at(&file.source, file.key_span(LOOKUP_OPTIONS), ""));
            continue;
        };
        for (key, value) in hash {
            let Some(key) = key.as_str() else {
                cx.report(lookup_options::no_string(key).at(&file.source, file.key_span(LOOKUP_OPTIONS), ""));
                continue;
            };
            let report = |finding: Finding| {
                cx.report(finding.at(&file.source, file.span_of(&[LOOKUP_OPTIONS, key]), ""));
            };
            if let Some(invalid) = lookup_options::invalid(workspace.module_of(file), key, value) {
                let path: Vec<&str> = [LOOKUP_OPTIONS, key].into_iter().chain(invalid.option).collect();
                cx.report(invalid.finding.at(&file.source, file.span_of(&path), ""));
            }
            let matches = if key.starts_with('^') {
                match Regexp::new(key) {
                    Ok(pattern) => with_start(&sorted, literal_start(key)).any(|key| searches.may_match(&pattern, key)),
                    Err(error) => {
                        report(lookup_options::unreadable_pattern(key, &error));
                        true
                    }
                }
            } else {
                data.contains(key) || parameters.contains(key) || code.names.contains(key)
            };
            if !matches && !hidden && !may_match_missing(workspace, key) {
                report(unmatched_options::unmatched(key, &data, &mut suggestions));
            }
        }
    }
}

/// Returns whether options may be for a module that is missing. A pattern may be for any module.
fn may_match_missing(workspace: &Workspace, key: &str) -> bool {
    match key.strip_prefix('^') {
        Some(pattern) => workspace.missing_parts.misses_modules() && !is_of_module(workspace, pattern),
        None => workspace.is_of_missing_module(key),
    }
}

/// Returns whether a pattern begins with the name of an installed module.
fn is_of_module(workspace: &Workspace, pattern: &str) -> bool {
    let layers = workspace.environment.layers();
    pattern.split_once("::").is_some_and(|(module, _)| layers.modules.contains_key(module))
}
