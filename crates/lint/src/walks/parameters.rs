//! Checks the keys of class parameters: whether the classes have these parameters, and whether the values are of the
//! declared types.

use std::sync::LazyLock;

use hieratic::puppet_types::Type;
use hieratic::value::collections::HashMap;
use hieratic::{Strategy, Value};
use rayon::prelude::*;

use crate::finding::Finding;
use crate::rules::{RuleContext, parameter_type, unknown_parameter};
use crate::workspace::Code;
use crate::workspace::code::ClassInfo;
use crate::workspace::key_usage::looked_up;
use crate::workspace::lookup_options::AllOptions;
use crate::workspace::suggestions::Suggestions;
use crate::workspace::types::{Types, language};

/// Finds values of wrong types, and keys of parameters that their classes do not have.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code, known, cached) = (cx.workspace, cx.code, cx.nodes, cx.answers);
    let language = language(&workspace.environment);
    let mut types = Types::new(&language);
    // Types are evaluated in sequence; values are checked in parallel.
    let mut declared: HashMap<(&str, &str), Option<Type>> = HashMap::default();
    for file in &workspace.files {
        for (key, _) in file.entries() {
            if let Some((class, info, name)) = parameter_of(code, key)
                && let Some(parameter) = info.parameters.iter().find(|parameter| parameter.name == name)
            {
                let kind = || parameter.kind.as_deref().and_then(|kind| types.get(kind));
                declared.entry((class, name)).or_insert_with(kind);
            }
        }
    }
    // Most repositories have no key that needs it.
    let looked_up = LazyLock::new(|| looked_up(workspace));
    let options = AllOptions::new(&workspace.files);
    let merges = |key: &str| {
        options.get(key).any(|options| {
            let first = |merge: &Value| Strategy::parse(merge).is_ok_and(|strategy| strategy.name() == "first");
            let options = options.as_hash();
            options.is_some_and(|options| {
                options.contains("convert_to") || options.get("merge").is_some_and(|m| !first(m))
            })
        })
    };
    // The classes that take a parameter, by its name.
    let mut takers: HashMap<&str, Vec<&str>> = HashMap::default();
    for (class, info) in &code.classes {
        info.parameters.iter().for_each(|one| takers.entry(one.name.as_str()).or_default().push(class));
    }
    takers.values_mut().for_each(|classes| classes.sort_unstable());
    let letters = workspace.files.iter().map(|file| file.source().text().len()).sum();
    let found: Vec<Vec<Finding>> = workspace
        .files
        .par_iter()
        .enumerate()
        .map(|(index, file)| {
            let mut findings = Vec::new();
            let mut suggestions = Suggestions::among(code.classes.len()).share(file.source().text().len(), letters);
            for (key, value) in file.entries() {
                let Some((class, info, name)) = parameter_of(code, key) else {
                    let is_read = || looked_up.contains(key) || code.names.contains(key);
                    if takers.contains_key(last_part(key)) && !is_read() {
                        findings.extend(unknown_parameter::misspelled_class(
                            file,
                            key,
                            code,
                            &takers,
                            &mut suggestions,
                        ));
                    }
                    continue;
                };
                match declared.get(&(class, name)) {
                    Some(Some(kind)) => {
                        let merged = merges(key);
                        let place = parameter_type::Place { workspace, known, cached, file: index, key };
                        let wrong = parameter_type::mismatch(&place, value, kind, merged);
                        findings
                            .extend(wrong.map(|message| parameter_type::wrong_value(file, key, message, info, name)));
                    }
                    Some(None) => {}
                    None if looked_up.contains(key) => {}
                    None => findings.extend(unknown_parameter::unknown(file, key, class, info, name, code)),
                }
            }
            findings
        })
        .collect();
    cx.report_all(found.into_iter().flatten());
}

/// The class and parameter that a key would be for.
fn parameter_of<'c, 'k>(code: &'c Code, key: &'k str) -> Option<(&'k str, &'c ClassInfo, &'k str)> {
    let (class, name) = key.rsplit_once("::")?;
    Some((class, code.classes.get(class)?, name))
}

/// The part of a key after its class.
fn last_part(key: &str) -> &str {
    key.rsplit("::").next().unwrap_or(key)
}
