//! `lookup_options`: whether they can be used, and whether they match anything.

use std::sync::Arc;

use hieratic::budget::{Budget, Limits};
use hieratic::ruby_regexp::Regexp;
use hieratic::{Strategy, Value, parse_type};
use hieratic_value::collections::HashSet;

use super::data::{DataFile, LOOKUP_OPTIONS};
use super::nodes::SampleNodes;
use super::suggestions::Suggestions;
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// The options of a deep merge, which are sometimes misplaced next to `merge`.
const OF_DEEP: [&str; 3] = ["knockout_prefix", "merge_hash_arrays", "sort_merged_arrays"];

/// Finds options that cannot be used, and options that match no key.
pub(super) fn check(repository: &Repository, code: &Code, _: &SampleNodes<'_>, _: &Options) -> Vec<Finding> {
    let data = repository.keys();
    let parameters: HashSet<String> = code
        .classes
        .iter()
        .flat_map(|(class, info)| info.parameters.iter().map(move |parameter| format!("{class}::{}", parameter.name)))
        .collect();
    let hidden = repository.has_hidden_keys();
    let mut findings = Vec::new();
    let mut suggestions = Suggestions::among(data.len());
    let searches = PatternBudget::default();
    for file in &repository.files {
        let Some(options) = file.options() else { continue };
        let Some(hash) = options.as_hash() else {
            let finding = Finding::new(&rules::LOOKUP_OPTIONS, "The value of lookup_options must be a hash");
            let span = file.key_span(LOOKUP_OPTIONS);
            findings.push(finding.at(&file.source, span, "").help("write one entry per key under lookup_options"));
            continue;
        };
        for (key, value) in hash {
            let Some(key) = key.as_str() else {
                let message = format!("The key {} of lookup_options is not a string", key.inspect());
                let span = file.key_span(LOOKUP_OPTIONS);
                let finding = Finding::new(&rules::LOOKUP_OPTIONS, message).at(&file.source, span, "");
                findings.push(finding.help("write the key in quotes"));
                continue;
            };
            let at = |finding: Finding| finding.at(&file.source, file.span_of(&[LOOKUP_OPTIONS, key]), "");
            findings.extend(invalid(repository.module_of(file), key, value).map(at));
            let matches = match key.strip_prefix('^') {
                None => data.contains(key) || parameters.contains(key) || code.names.contains(key),
                Some(_) => match Regexp::new(key) {
                    Ok(pattern) => {
                        data.iter().any(|key| searches.may_match(&pattern, key))
                            || parameters.iter().any(|key| searches.may_match(&pattern, key))
                    }
                    Err(error) => {
                        let message = format!("The pattern '{key}' cannot be read: {error}");
                        findings.push(at(Finding::new(&rules::LOOKUP_OPTIONS, message).help("its syntax is Ruby's")));
                        true
                    }
                },
            };
            // A pattern may be intended for any module.
            let may_match_missing = match key.strip_prefix('^') {
                Some(pattern) => repository.missing_parts.misses_modules() && !is_of_module(repository, pattern),
                None => repository.is_of_missing_module(key),
            };
            if !matches && !hidden && !may_match_missing {
                findings.push(at(unmatched(key, &data, &mut suggestions)));
            }
        }
    }
    findings
}

/// Reports whether a pattern begins with the name of an installed module.
fn is_of_module(repository: &Repository, pattern: &str) -> bool {
    let layers = repository.environment.layers();
    pattern.split_once("::").is_some_and(|(module, _)| layers.modules.contains_key(module))
}

fn unmatched(key: &str, data: &HashSet<&str>, suggestions: &mut Suggestions) -> Finding {
    let what = if key.starts_with('^') { "pattern" } else { "key" };
    let message = format!("The {what} '{key}' of lookup_options matches neither a data key nor a class parameter");
    let finding = Finding::new(&rules::UNMATCHED_OPTIONS, message);
    let near = suggestions.nearest(key.trim_start_matches('^'), data.iter().copied());
    finding.help(match near {
        Some(near) => format!("did you mean '{near}'?"),
        None => "fix it, or remove it".to_owned(),
    })
}

/// Returns the finding about options that cannot be used.
fn invalid(module: Option<&str>, key: &str, value: &Value) -> Option<Finding> {
    let wrong = |message: String, help: &str| Some(Finding::new(&rules::LOOKUP_OPTIONS, message).help(help));
    if let Some(module) = module {
        let name = key.strip_prefix('^').unwrap_or(key);
        if !name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")) {
            let message =
                format!("The options of '{key}' are in the data of the module '{module}', which cannot set them");
            return wrong(message, "the keys of a module's options start with its name and '::'");
        }
    }
    let Some(options) = value.as_hash() else {
        return match value {
            Value::Undef => None,
            _ => wrong(format!("The options of '{key}' are not a hash"), "write a hash such as `{merge: unique}`"),
        };
    };
    for (name, option) in options {
        match name.as_str() {
            Some("merge") => {
                if let Err(error) = Strategy::parse(option) {
                    let message = format!("The merge of '{key}' is invalid: {error}");
                    return wrong(message, "the strategies are first, unique, hash and deep");
                }
            }
            Some("convert_to") => {
                let kind = match option {
                    Value::Array(elements) => elements.first(),
                    other => Some(other),
                };
                let parsed = kind.and_then(Value::as_str).map(parse_type);
                match parsed {
                    Some(Ok(kind)) => {
                        // A name with '::' may be that of a module's alias.
                        let Some(unknown) = unresolved(&kind.to_string()) else { continue };
                        let message = format!("The convert_to type of '{key}' does not exist: '{unknown}'");
                        let near = hieratic_diagnostics::nearest(&unknown, TYPES);
                        return wrong(
                            message,
                            &near.map_or_else(
                                || "write a type such as `Integer` or `Sensitive`".to_owned(),
                                |near| format!("did you mean '{near}'?"),
                            ),
                        );
                    }
                    Some(Err(error)) => {
                        let message = format!("The convert_to type of '{key}' is invalid: {error}");
                        return wrong(message, "write a type such as `Integer` or `Sensitive`");
                    }
                    None => {
                        let message = format!("The convert_to type of '{key}' is not a string");
                        return wrong(message, "write a type such as `Integer` or `Sensitive`");
                    }
                }
            }
            _ => {
                let message = format!("The lookup option {} of '{key}' does not exist and is ignored", name.inspect());
                let help = match name.as_str() {
                    Some(option) if OF_DEEP.contains(&option) => {
                        format!("write it inside `merge`: `merge: {{strategy: deep, {option}: ...}}`")
                    }
                    _ => "the options are merge and convert_to".to_owned(),
                };
                // Lookups of the key succeed, without the option.
                return Some(Finding::new(&rules::LOOKUP_OPTIONS, message).help(help).softened());
            }
        }
    }
    None
}

/// The types that values are converted to.
const TYPES: [&str; 19] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Enum",
    "Float",
    "Hash",
    "Integer",
    "Numeric",
    "Optional",
    "Regexp",
    "Scalar",
    "SemVer",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
];

/// The first name in a type that names none, unless a module could have it.
fn unresolved(kind: &str) -> Option<String> {
    let names = kind.split("TypeReference['").skip(1).filter_map(|rest| rest.split('\'').next());
    names.into_iter().find(|name| !name.contains("::")).map(str::to_owned)
}

/// The options of keys in the data of all layers.
pub(super) struct AllOptions<'f> {
    exact: hieratic_value::collections::HashMap<&'f str, Vec<&'f Value>>,
    patterns: Vec<(Regexp, &'f Value)>,
    searches: PatternBudget,
}

/// The budget for searching keys with patterns. Every pattern is matched against every key, and each pattern may be
/// arbitrarily slow.
pub(super) struct PatternBudget(Budget);

impl Default for PatternBudget {
    fn default() -> PatternBudget {
        PatternBudget(Budget::new(Limits { steps: PatternBudget::MOST, ..Limits::default() }))
    }
}

impl PatternBudget {
    /// The most steps of all searches together.
    const MOST: u64 = 200_000_000;

    /// Reports whether a pattern matches a key; true once the budget is exhausted.
    pub(super) fn may_match(&self, pattern: &Regexp, key: &str) -> bool {
        self.is_match(pattern, key).unwrap_or(true)
    }

    /// Reports whether a pattern matches a key; `None` once the budget is exhausted.
    pub(super) fn is_match(&self, pattern: &Regexp, key: &str) -> Option<bool> {
        pattern.is_match_within(key, &self.0).ok()
    }
}

impl<'f> AllOptions<'f> {
    /// Collects the options of all files.
    pub(super) fn new(files: &'f [Arc<DataFile>]) -> AllOptions<'f> {
        let mut all =
            AllOptions { exact: Default::default(), patterns: Vec::new(), searches: PatternBudget::default() };
        for hash in files.iter().filter_map(|file| file.options()?.as_hash()) {
            for (key, value) in hash.iter().filter_map(|(key, value)| Some((key.as_str()?, value))) {
                match key.starts_with('^') {
                    false => all.exact.entry(key).or_default().push(value),
                    true => all.patterns.extend(Regexp::new(key).ok().map(|pattern| (pattern, value))),
                }
            }
        }
        all
    }

    /// The options that apply to a key: its own, which hide all patterns, or those of patterns.
    pub(super) fn applying<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'f Value> + 's {
        let own = self.exact.get(key);
        let patterns =
            self.patterns.iter().filter(move |(pattern, _)| own.is_none() && self.searches.may_match(pattern, key));
        own.into_iter().flatten().copied().chain(patterns.map(|(_, value)| *value))
    }

    /// Everything that may apply to a key.
    pub(super) fn get<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'f Value> + 's {
        let exact = self.exact.get(key).into_iter().flatten().copied();
        let patterns = self.patterns.iter().filter(move |(pattern, _)| self.searches.may_match(pattern, key));
        exact.chain(patterns.map(|(_, value)| *value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_patterns_stop_at_the_budget() {
        let searches = PatternBudget::default();
        let strange = Regexp::new(r"^(a+)+\1$").unwrap();
        let key = "a".repeat(40) + "x";
        // A search over the budget may match, and no search follows.
        assert!((0..1_000).all(|_| searches.may_match(&strange, &key)));
        let plain = PatternBudget::default();
        let pattern = Regexp::new("^a::b").unwrap();
        assert!((0..10_000).all(|_| !plain.may_match(&pattern, "c::d")));
    }
}
