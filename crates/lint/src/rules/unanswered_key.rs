//! # unanswered-key
//!
//! No lookup finds a key. (warning)
//!
//! ## What is found
//!
//! - A key that is not a string: `yes: 1`, `80: http`.
//! - A key that begins with `::`, or that begins or ends with a space.
//! - A key that is nearly the name of a class parameter: `ntp:servers`, `Ntp::servers`, `ntp::servers.first`.
//!
//! Keys that code or data looks up as written are not reported.
//!
//! ## Why it matters
//!
//! The class parameter silently has its default.
//!
//! ## How to fix it
//!
//! Write the key as the class parameter is named: `class::parameter`, in lower case. Quote words that YAML reads as
//! booleans or null.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp:servers: [pool.ntp.org]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [pool.ntp.org]
//! ```
//!
//! A comment `# hieratic: ignore unanswered-key` on the same line or the line before accepts the finding.

use hieratic::Value;
use hieratic::value::collections::HashSet;
use hieratic_diagnostics::Span;

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::walks::values::{named, quoting};
use crate::workspace::data::DataFile;
use crate::workspace::key_usage::looked_up;
use crate::workspace::{Code, Workspace};

/// Finds keys that resemble those of parameters, and that no code or data looks up.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    if !workspace.files.iter().any(|file| file.entries().any(|(key, _)| is_strange(key))) {
        return;
    }
    let named = looked_up(workspace);
    for file in &workspace.files {
        for (key, _) in file.entries().filter(|(key, _)| is_strange(key)) {
            let Some((message, suggestion)) = unanswered(workspace, code, key) else { continue };
            if is_looked_up(code, &named, key) {
                continue;
            }
            let finding = Finding::new(&rules::UNANSWERED_KEY, message).at(&file.source, file.key_span(key), "");
            cx.report(finding.help(suggestion));
        }
    }
}

/// The finding about a key of a file that is not a string.
pub(crate) fn no_string(file: &DataFile, key: &Value, span: Span) -> Finding {
    let message = format!("No lookup finds the key {}, which is not a string", named(key));
    Finding::new(&rules::UNANSWERED_KEY, message).at(&file.source, span, "").help(quoting(file, key, span))
}

/// Returns whether a key is not written as those of parameters are.
fn is_strange(key: &str) -> bool {
    key.starts_with("::") || key.trim() != key || key.contains(['.', ':']) || has_capital(key)
}

/// Returns whether code or data looks up a key exactly as written.
fn is_looked_up(code: &Code, named: &HashSet<String>, key: &str) -> bool {
    named.contains(key) || code.lookup_calls.for_key(key).any(|request| !request.key.is_anything())
}

fn has_capital(key: &str) -> bool {
    key.contains("::") && key.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns why no lookup finds a key, and the probable intention; `None` if a lookup could find it.
fn unanswered(workspace: &Workspace, code: &Code, key: &str) -> Option<(String, String)> {
    let no_parameter = |reason: &str| format!("No class parameter has the key '{key}': {reason}");
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
    let suggestion = with_two_colons(key);
    if suggestion != key {
        let is_near = is_parameter(code, &suggestion) || is_of_class(workspace, code, &suggestion);
        return is_near.then(|| (no_parameter("names are separated by '::'"), format!("write '{suggestion}'")));
    }
    let (class, name) = key.rsplit_once("::")?;
    let suggestion = format!("{}::{name}", class.to_ascii_lowercase());
    (suggestion != key && is_parameter(code, &suggestion))
        .then(|| (no_parameter("names of classes are in lower case"), format!("write '{suggestion}'")))
}

/// A key with two colons wherever it has another number of them.
fn with_two_colons(key: &str) -> String {
    let parts: Vec<&str> = key.split(':').filter(|part| !part.is_empty()).collect();
    let is_name = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if parts.len() > 1 && parts.iter().all(is_name) { parts.join("::") } else { key.to_owned() }
}

fn is_parameter(code: &Code, key: &str) -> bool {
    key.rsplit_once("::").is_some_and(|(class, name)| {
        code.classes.get(class).is_some_and(|class| class.parameters.iter().any(|parameter| parameter.name == name))
    })
}

/// Returns whether a key is in the namespace of a known class, and of a module.
fn is_of_class(workspace: &Workspace, code: &Code, key: &str) -> bool {
    let class = key.rsplit_once("::").map(|(class, _)| class).unwrap_or_default();
    let module = key.split("::").next().unwrap_or_default();
    code.classes.contains_key(class) && workspace.environment.layers().modules.contains_key(module)
}
