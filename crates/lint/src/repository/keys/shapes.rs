//! Keys that no lookup finds because of how they are written: class parameters and lookups are named otherwise.

use hieratic_value::collections::HashSet;

use super::super::unused::looked_up;
use super::super::{Code, Repository};
use crate::finding::Finding;
use crate::rules;

/// Finds keys that resemble those of parameters, and that no code or data looks up.
pub(super) fn check(repository: &Repository, code: &Code) -> Vec<Finding> {
    let strange =
        |key: &str| key.starts_with("::") || key.trim() != key || key.contains(['.', ':']) || has_capital(key);
    if !repository.files.iter().any(|file| file.entries().any(|(key, _)| strange(key))) {
        return Vec::new();
    }
    let named = looked_up(repository);
    let mut findings = Vec::new();
    for file in &repository.files {
        for (key, _) in file.entries().filter(|(key, _)| strange(key)) {
            let Some((message, meant)) = unanswered(repository, code, key) else { continue };
            if is_asked(code, &named, key) {
                continue;
            }
            let finding = Finding::new(&rules::UNANSWERED_KEY, message).at(&file.source, file.key_span(key), "");
            findings.push(finding.help(meant));
        }
    }
    findings
}

/// Reports whether code or data looks up a key exactly as it is written.
fn is_asked(code: &Code, named: &HashSet<String>, key: &str) -> bool {
    named.contains(key) || code.lookup_calls.for_key(key).any(|request| !request.key.is_anything())
}

fn has_capital(key: &str) -> bool {
    key.contains("::") && key.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns why no lookup finds a key, and the probable intention; `None` if a lookup could find it.
fn unanswered(repository: &Repository, code: &Code, key: &str) -> Option<(String, String)> {
    let no_parameter = |why: &str| format!("No class parameter has the key '{key}': {why}");
    if key.trim() != key {
        let message = format!("No lookup finds the key '{key}', which begins or ends with a space");
        return Some((message, format!("write '{}'", key.trim())));
    }
    if let Some(rest) = key.strip_prefix("::") {
        return Some((no_parameter("their keys do not begin with '::'"), format!("write '{rest}'")));
    }
    if let Some((parameter, _)) = key.split_once('.') {
        // Only a lookup that quotes the dot finds it.
        let is_quoted = code.names.iter().any(|name| name.contains(key));
        return (is_parameter(code, parameter) && !is_quoted).then(|| {
            let message = no_parameter("a dot leads into the value of another key");
            (message, format!("set the value in '{parameter}', and merge it with lookup_options"))
        });
    }
    let meant = with_two_colons(key);
    if meant != key {
        let is_near = is_parameter(code, &meant) || is_of_class(repository, code, &meant);
        return is_near.then(|| (no_parameter("names are separated by '::'"), format!("write '{meant}'")));
    }
    let (class, name) = key.rsplit_once("::")?;
    let meant = format!("{}::{name}", class.to_ascii_lowercase());
    (meant != key && is_parameter(code, &meant))
        .then(|| (no_parameter("names of classes are in lower case"), format!("write '{meant}'")))
}

/// A key with two colons wherever it has another number of them.
fn with_two_colons(key: &str) -> String {
    let parts: Vec<&str> = key.split(':').filter(|part| !part.is_empty()).collect();
    let is_name = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match parts.len() > 1 && parts.iter().all(is_name) {
        true => parts.join("::"),
        false => key.to_owned(),
    }
}

fn is_parameter(code: &Code, key: &str) -> bool {
    key.rsplit_once("::").is_some_and(|(class, name)| {
        code.classes.get(class).is_some_and(|class| class.parameters.iter().any(|parameter| parameter.name == name))
    })
}

/// Reports whether a key is in the namespace of a known class, and of a module.
fn is_of_class(repository: &Repository, code: &Code, key: &str) -> bool {
    let class = key.rsplit_once("::").map(|(class, _)| class).unwrap_or_default();
    let module = key.split("::").next().unwrap_or_default();
    code.classes.contains_key(class) && repository.environment.layers().modules.contains_key(module)
}
