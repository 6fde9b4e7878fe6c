//! `metadata.json`: the description of a module.

use hieratic_diagnostics::Span;
use lsp_types::{CompletionItem, CompletionItemKind, Url};

use super::modules::{describe, installed, short_name};
use super::{documented, forge_page, item};
use crate::data::complete::replace;
use crate::document::Document;
use crate::keys::{Name, PartialInput, Value, typed};
use crate::snapshot::Snapshot;

/// The keys of a module.
const KEYS: [(&str, &str); 13] = [
    ("name", "The full name: `author-name`."),
    ("version", "The version: `1.2.3`."),
    ("author", "The person or the group that publishes the module."),
    ("summary", "The purpose of the module in one sentence of at most 144 characters."),
    ("license", "The license, as SPDX names it: `Apache-2.0`."),
    ("source", "The address of the repository."),
    ("project_page", "The page of the project."),
    ("issues_url", "The page of its issues."),
    ("dependencies", "The modules that this one needs, with the range of their versions."),
    ("requirements", "The range of the versions of Puppet."),
    ("operatingsystem_support", "The operating systems that the module works on."),
    ("tags", "Words by which the Forge finds the module."),
    ("data_provider", "Removed: `hiera.yaml` describes where the data of the module comes from."),
];

/// The keys of the elements of lists: the list, and the keys.
const ELEMENTS: [(&str, &str, &str); 6] = [
    ("dependencies", "name", "The full name of a module: `author/name`."),
    ("dependencies", "version_requirement", "The range of versions: `>= 1.0.0 < 2.0.0`."),
    ("requirements", "name", "`puppet` or `openvox`."),
    ("requirements", "version_requirement", "The range of versions: `>= 7.0.0 < 9.0.0`."),
    ("operatingsystem_support", "operatingsystem", "The name of the operating system, as the fact has it."),
    ("operatingsystem_support", "operatingsystemrelease", "The releases: a list of strings."),
];

/// Operating systems, with releases that are in use.
const SYSTEMS: [(&str, &[&str]); 14] = [
    ("AlmaLinux", &["8", "9", "10"]),
    ("Amazon", &["2", "2023"]),
    ("Archlinux", &[]),
    ("CentOS", &["7", "8", "9"]),
    ("Debian", &["10", "11", "12", "13"]),
    ("Fedora", &["40", "41", "42"]),
    ("FreeBSD", &["13", "14"]),
    ("Gentoo", &[]),
    ("OracleLinux", &["7", "8", "9"]),
    ("RedHat", &["7", "8", "9", "10"]),
    ("Rocky", &["8", "9", "10"]),
    ("SLES", &["12", "15"]),
    ("Ubuntu", &["20.04", "22.04", "24.04"]),
    ("windows", &["2016", "2019", "2022", "10", "11"]),
];

const LICENSES: [&str; 8] =
    ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GPL-2.0-only", "GPL-3.0-only", "ISC", "MIT", "proprietary"];

/// The hover at an offset: the meaning of a key, or the installed module of a dependency.
pub(super) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let keys = document.keys();
    let (index, is_key) = keys.at(offset)?;
    let node = keys.node(index)?;
    let path = keys.path(index);
    if let (Name::Key(name, span), true) = (&node.name, is_key) {
        let docs = match path.as_slice() {
            [_] => documented(&KEYS, name)?,
            [list, ..] => element_docs(list, name)?,
            [] => return None,
        };
        return Some((format!("**{name}**\n\n{docs}"), *span));
    }
    let Value::Scalar(text, _) = &node.value else { return None };
    let is_dependency =
        path.first().is_some_and(|first| first == "dependencies") && path.last().is_some_and(|last| last == "name");
    let modules = is_dependency.then(|| installed(snapshot, document))?;
    Some((describe(text, modules.get(short_name(text))), node.span))
}

fn element_docs(list: &str, name: &str) -> Option<&'static str> {
    ELEMENTS.iter().find(|(of, known, _)| *of == list && *known == name).map(|(.., docs)| *docs)
}

/// The completions at an offset.
pub(super) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let Some(typed) = typed(&document.text, offset) else { return Vec::new() };
    let list = typed.path.first().map(String::as_str);
    let mut found = match (&typed.key, list, typed.is_element) {
        (Some(key), ..) => values(snapshot, document, offset, list, key),
        (None, Some("operatingsystem_support"), true) => releases(document, offset),
        (None, _, true) => Vec::new(),
        (None, None, false) => {
            let given: Vec<&str> = document.keys().top().map(|(_, key, ..)| key).collect();
            let missing = KEYS.iter().filter(|(name, _)| !given.contains(name) && *name != "data_provider");
            missing.map(|(name, docs)| item(name, CompletionItemKind::FIELD, docs)).collect()
        }
        (None, Some(list), false) => {
            let keys = ELEMENTS.iter().filter(|(of, ..)| *of == list);
            keys.map(|(_, name, docs)| item(name, CompletionItemKind::FIELD, docs)).collect()
        }
    };
    found.retain(|item| item.label.starts_with(&typed.text));
    for item in &mut found {
        item.insert_text = Some(written(item, &typed));
        replace(document, offset, &typed.text, item);
    }
    found
}

/// An item as written in JSON.
fn written(item: &CompletionItem, typed: &PartialInput) -> String {
    let is_key = item.kind == Some(CompletionItemKind::FIELD);
    match (typed.is_quoted, is_key) {
        (true, _) => item.label.clone(),
        (false, false) => format!("\"{}\"", item.label),
        (false, true) => {
            let value = match item.label.as_str() {
                "dependencies" | "requirements" | "operatingsystem_support" | "tags" | "operatingsystemrelease" => "[]",
                _ => "\"\"",
            };
            format!("\"{}\": {value}", item.label)
        }
    }
}

/// The values of a key.
fn values(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    list: Option<&str>,
    key: &str,
) -> Vec<CompletionItem> {
    let listed = |names: &[&str]| names.iter().map(|name| item(name, CompletionItemKind::VALUE, "")).collect();
    match (list, key) {
        (None, "license") => listed(&LICENSES),
        (Some("requirements"), "name") => listed(&["puppet", "openvox"]),
        (Some("requirements"), "version_requirement") => listed(&[">= 7.24.0 < 9.0.0", ">= 8.0.0 < 9.0.0"]),
        (Some("operatingsystem_support"), "operatingsystem") => {
            SYSTEMS.iter().map(|(name, _)| item(name, CompletionItemKind::VALUE, "")).collect()
        }
        (Some("operatingsystem_support"), "operatingsystemrelease") => releases(document, offset),
        (Some("dependencies"), "name") => {
            let modules = installed(snapshot, document);
            let names = modules.values().filter_map(|module| module.full_name.as_ref());
            names.map(|name| item(&name.replacen('-', "/", 1), CompletionItemKind::MODULE, "Installed.")).collect()
        }
        (Some("dependencies"), "version_requirement") => {
            let module = sibling(document, offset, "name");
            let modules = installed(snapshot, document);
            let version = module.and_then(|name| modules.get(short_name(&name))?.version.clone());
            version
                .and_then(|version| range_from(&version))
                .map(|range| {
                    item(&range, CompletionItemKind::VALUE, "From the installed version to the next major one.")
                })
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The range of versions from an installed one to the next major one.
fn range_from(version: &str) -> Option<String> {
    let major: u64 = version.split('.').next()?.parse().ok()?;
    Some(format!(">= {version} < {}.0.0", major.checked_add(1)?))
}

/// The releases of the operating system of the element around an offset.
fn releases(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let system = sibling(document, offset, "operatingsystem");
    let known = SYSTEMS.iter().find(|(name, _)| Some(*name) == system.as_deref());
    let releases = known.map_or(&[] as &[&str], |(_, releases)| releases);
    releases.iter().map(|release| item(release, CompletionItemKind::VALUE, "")).collect()
}

/// The string under a key of the object around an offset, as written before or after.
fn sibling(document: &Document, offset: usize, key: &str) -> Option<String> {
    let (before, after) = document.text.split_at(offset);
    let open = before.rfind('{')?;
    let close = after.find('}').unwrap_or(after.len());
    let object = &document.text[open..offset + close];
    let at = object.find(&format!("\"{key}\""))? + key.len() + 2;
    let value = object[at..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    Some(value[..value.find('"')?].to_owned())
}

/// The pages of dependencies on the Forge, and addresses.
pub(super) fn links(document: &Document) -> Vec<(Span, Url)> {
    let keys = document.keys();
    let mut found = Vec::new();
    for (index, node) in keys.nodes().iter().enumerate() {
        let Value::Scalar(text, _) = &node.value else { continue };
        let path = keys.path(index);
        let is_name = path.last().is_some_and(|last| last == "name");
        let is_module = is_name && (path.len() == 1 || path.first().is_some_and(|first| first == "dependencies"));
        let page = if is_module { forge_page(text) } else { None };
        let address = text.starts_with("https://").then(|| Url::parse(text).ok()).flatten();
        found.extend(page.or(address).map(|page| (node.span, page)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_before_the_next_major_version() {
        assert_eq!(range_from("9.6.0").as_deref(), Some(">= 9.6.0 < 10.0.0"));
        assert_eq!(range_from("main"), None);
    }
}
