//! Class parameters: whether the values of data and the defaults of code are of the types that classes declare.

use std::sync::{Arc, LazyLock};

use hieratic::puppet_types::assert_instance;
use hieratic::{Key, Query, Strategy, Type, Value};
use hieratic_diagnostics::{Source, Span};
use hieratic_value::collections::HashMap;
use rayon::prelude::*;

use super::code::{ClassInfo, ParameterInfo};
use super::data::{DataFile, has_envelope, has_interpolation, is_alias};
use super::lookup_options::AllOptions;
use super::nodes::{SampleNode, SampleNodes};
use super::suggestions::Suggestions;
use super::types::{Types, language};
use super::unused::looked_up;
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// Values and defaults of wrong types, and keys of parameters that their classes do not have.
pub(super) fn check(repository: &Repository, code: &Code, known: &SampleNodes<'_>, _: &Options) -> Vec<Finding> {
    let language = language(&repository.environment);
    let mut types = Types::new(&language);
    let mut findings = defaults(code, &mut types);
    // Types are evaluated one after the other; values are checked in parallel.
    let mut declared: HashMap<(&str, &str), Option<Type>> = HashMap::default();
    for file in &repository.files {
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
    let looked_up = LazyLock::new(|| looked_up(repository));
    let options = AllOptions::new(&repository.files);
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
    let letters = repository.files.iter().map(|file| file.source().text().len()).sum();
    let found: Vec<Vec<Finding>> = repository
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
                        findings.extend(misspelled_class(file, key, code, &takers, &mut suggestions));
                    }
                    continue;
                };
                match declared.get(&(class, name)) {
                    Some(Some(kind)) => {
                        let merged = merges(key);
                        let wrong = mismatch(repository, known, index, key, value, kind, merged);
                        findings.extend(wrong.map(|message| wrong_value(file, key, message, info, name)));
                    }
                    Some(None) => {}
                    None if looked_up.contains(key) => {}
                    None => findings.extend(unknown(file, key, class, info, name, code)),
                }
            }
            findings
        })
        .collect();
    findings.extend(found.into_iter().flatten());
    findings
}

/// The class and parameter that a key would be for.
fn parameter_of<'c, 'k>(code: &'c Code, key: &'k str) -> Option<(&'k str, &'c ClassInfo, &'k str)> {
    let (class, name) = key.rsplit_once("::")?;
    Some((class, code.classes.get(class)?, name))
}

/// The message about a value that is not an instance of a type, if the value is known.
fn mismatch(
    repository: &Repository,
    known: &SampleNodes<'_>,
    file: usize,
    key: &str,
    value: &Value,
    kind: &Type,
    merged: bool,
) -> Option<String> {
    // A null lets the default apply. A secret must not be in a message. The result of directives is unknown here.
    let secret = has_envelope(value);
    if value.is_undef() || secret || repository.files[file].reader == super::data::Reader::Directives {
        return None;
    }
    let subject = format!("The value of '{key}'");
    if !merged && !has_interpolation(value) {
        return assert_instance(&subject, kind, value).err().map(|wrong| wrong.to_string());
    }
    Key::parse(key).ok()?;
    let whole = known.has_all_facts();
    if !whole && has_interpolation(value) {
        return text_mismatch(&subject, kind, value);
    }
    let ask = || -> Vec<Value> {
        let answer = |sample: &SampleNode<'_>| {
            // A lookup that fails has no value to judge. Rules about lookups report it.
            let answer = sample.node().lookup_traced(&Query::new(key)).ok()?.value;
            // Whether a secret matches the type reveals something about it, such as its length. The same holds for a
            // secret that another level or key contributes.
            (!answer.has_hidden()).then(|| answer.to_value()).filter(|answer| !answer.is_undef())
        };
        repository.sample_nodes(known, file).iter().filter_map(answer).collect()
    };
    // A key with dots digs into another.
    let answers = match known.nodes.is_empty() && !key.contains(['.', '\'', '"']) {
        true => repository.answers.get(&repository.files[file].path, key, ask),
        false => Arc::from(ask()),
    };
    answers.iter().find_map(|answer| {
        let message = assert_instance(&subject, kind, answer).err()?.to_string();
        // Other levels may contribute missing parts, and a synthetic node does not read them.
        let lacks = message.contains("expects a value for key") || message.contains("expects size");
        (whole || !lacks).then_some(message)
    })
}

/// Checks a string with interpolations, whose value is some string: a type without any strings cannot accept it.
fn text_mismatch(subject: &str, kind: &Type, value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    if is_alias(text) {
        return None;
    }
    let takes_text = kind.is_instance(&Value::from("text")) || mentions_text(&kind.to_string());
    (!takes_text).then(|| assert_instance(subject, kind, &Value::from("text")).err().map(|wrong| wrong.to_string()))?
}

/// Reports whether a type may accept some strings, although it rejects one.
fn mentions_text(kind: &str) -> bool {
    ["String", "Enum", "Pattern", "Scalar", "Any", "Data", "Sensitive", "Init", "TypeReference", "::"]
        .iter()
        .any(|name| kind.contains(name))
}

fn wrong_value(file: &DataFile, key: &str, message: String, info: &ClassInfo, name: &str) -> Finding {
    let finding = Finding::new(&rules::PARAMETER_TYPE, message).at(&file.source, file.value_span(key), "");
    let finding = finding.help("write a value of that type, or convert it with `convert_to` in lookup_options");
    match info.parameters.iter().find(|parameter| parameter.name == name) {
        Some(parameter) => finding.related(&info.source, parameter.span, "the parameter is declared here"),
        None => finding,
    }
}

/// A key whose class has no such parameter, unless some code names the key.
fn unknown(file: &DataFile, key: &str, class: &str, info: &ClassInfo, name: &str, code: &Code) -> Option<Finding> {
    // A class that inherits may read what belongs to its parent, and a deeper class may have the name of the key.
    if info.inherits || code.names.contains(key) || code.classes.contains_key(key) {
        return None;
    }
    let message = format!("The class '{class}' has no parameter '{name}', and no code looks the key up");
    let finding = Finding::new(&rules::UNKNOWN_PARAMETER, message).at(&file.source, file.key_span(key), "");
    let names = info.parameters.iter().map(|parameter| parameter.name.as_str());
    Some(match hieratic_diagnostics::nearest(name, names) {
        Some(near) => finding.help(format!("did you mean '{class}::{near}'?")),
        None => finding.help("remove the key, or add the parameter to the class"),
    })
}

/// The part of a key after its class.
fn last_part(key: &str) -> &str {
    key.rsplit("::").next().unwrap_or(key)
}

/// A key of a class that does not exist, where one of nearly the same name in the same module has such a parameter.
fn misspelled_class(
    file: &DataFile,
    key: &str,
    code: &Code,
    takers: &HashMap<&str, Vec<&str>>,
    suggestions: &mut Suggestions,
) -> Option<Finding> {
    let (class, name) = key.rsplit_once("::")?;
    let (module, _) = class.split_once("::")?;
    // Its class may be one that a call looks up by pieces.
    if code.lookup_calls.for_key(key).any(|request| !request.key.is_anything()) {
        return None;
    }
    let of_module = |known: &&str| known.split("::").next() == Some(module);
    let near = suggestions.nearest(class, takers.get(name)?.iter().copied().filter(of_module))?;
    let message = format!("There is no class '{class}' with a parameter '{name}', and no code looks the key up");
    let finding = Finding::new(&rules::UNKNOWN_PARAMETER, message).at(&file.source, file.key_span(key), "");
    Some(finding.help(format!("did you mean '{near}::{name}'?")))
}

/// Defaults that are not of the types of their parameters.
fn defaults(code: &Code, types: &mut Types<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut classes: Vec<_> = code.classes.iter().collect();
    classes.sort_by_key(|(name, _)| *name);
    for (class, info) in classes {
        for parameter in &info.parameters {
            let (Some(kind), Some((default, span))) = (&parameter.kind, &parameter.default) else { continue };
            let Some(kind) = types.get(kind) else { continue };
            let Some(value) = types.value(default) else { continue };
            let subject = format!("The default of parameter '{}' of class '{class}'", parameter.name);
            if let Err(wrong) = assert_instance(&subject, &kind, &value) {
                let span: Span = *span;
                findings.push(match value {
                    // A default of undef marks a parameter without a default.
                    Value::Undef => not_optional(parameter, class, span, &info.source),
                    _ => {
                        let finding = Finding::new(&rules::DEFAULT_TYPE, wrong.to_string()).at(&info.source, span, "");
                        finding.help("fix the default or the type of the parameter")
                    }
                });
            }
        }
    }
    findings
}

/// A default of undef for what must have a value.
fn not_optional(parameter: &ParameterInfo, class: &str, span: Span, source: &Source) -> Finding {
    let (name, kind) = (&parameter.name, parameter.kind.as_deref().unwrap_or_default());
    let message =
        format!("The parameter '{name}' of class '{class}' requires a value: its default undef does not match {kind}");
    let finding = Finding::new(&rules::DEFAULT_TYPE, message).at(source, span, "").softened();
    finding.help(format!("remove the default, or declare it as Optional[{kind}]"))
}
