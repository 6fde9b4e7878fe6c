//! `hiera.yaml`: documentation of its keys, the paths of a node, and completion.

use hieratic::hiera::inspect::{Interpolated, InterpolationKind, interpolations};
use hieratic_diagnostics::Span;
use lsp_types::{CompletionItem, CompletionItemKind};

use crate::data::cursor::interpolation_at;
use crate::data::markdown::code;
use crate::document::Document;
use crate::facts;
use crate::keys::{Name, Value, key_of_line, path_at_line};
use crate::snapshot::{NodeContext, Snapshot};

/// Keys at the top of the file.
const TOP: [(&str, &str); 5] = [
    ("version", "The version of the format: 5."),
    ("defaults", "The defaults of levels."),
    ("hierarchy", "The levels, the most specific first."),
    ("default_hierarchy", "Levels of a module that apply if no layer has a value."),
    ("plan_hierarchy", "The levels for lookups in plans outside of `apply`."),
];

/// Keys of a level.
const LEVEL: [(&str, &str); 13] = [
    ("name", "The name of the level, for people."),
    ("path", "The file of the level, below `datadir`."),
    ("paths", "The files of the level, below `datadir`, in their order."),
    ("glob", "A pattern for the files of the level."),
    ("globs", "Patterns for the files of the level, in their order."),
    ("uri", "The argument of the function instead of a file."),
    ("uris", "The arguments of the function instead of files, in order."),
    (
        "mapped_paths",
        "A collection of a node, the name of a variable, and a path with that variable: a file for each item.",
    ),
    ("datadir", "The folder of the data, below the folder of this file."),
    (
        "data_hash",
        "The function that reads a whole file: yaml_data, json_data, hocon_data, hcl_data, or one of a module.",
    ),
    ("lookup_key", "The function that answers for single keys: eyaml_lookup_key, or one of a module."),
    ("data_dig", "The function that answers for paths of keys."),
    ("options", "The options of the function."),
];

/// Keys of defaults.
const DEFAULTS: [&str; 5] = ["datadir", "data_hash", "lookup_key", "data_dig", "options"];

/// Functions that are built in.
const FUNCTIONS: [(&str, &str, &str); 5] = [
    ("data_hash", "yaml_data", "Reads YAML."),
    ("data_hash", "json_data", "Reads JSON."),
    ("data_hash", "hocon_data", "Reads HOCON."),
    ("data_hash", "hcl_data", "Reads HCL."),
    ("lookup_key", "eyaml_lookup_key", "Reads YAML with encrypted values."),
];

/// Options of `eyaml_lookup_key`.
const KEYS: [(&str, &str); 4] = [
    ("pkcs7_private_key", "The file of the private key."),
    ("pkcs7_public_key", "The file of the public key."),
    ("gpg_gnupghome", "The folder of GnuPG."),
    ("pkcs7_private_key_env_var", "The variable of the environment that has the private key."),
];

/// Returns whether a document is a `hiera.yaml`.
pub(crate) fn is(document: &Document) -> bool {
    document.path.file_name().is_some_and(|name| name == "hiera.yaml")
}

fn word(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, docs)| *docs)
}

/// Returns the hover at an offset.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let view = snapshot.view_of(&document.path)?;
    let context = snapshot.node_for(view, None);
    if let Some((kind, span)) = interpolation_at(document, offset) {
        return Some((crate::data::hover::interpolation(view, context.as_ref()?, &kind), span));
    }
    let keys = document.keys();
    let (index, is_key) = keys.at(offset)?;
    let node = keys.node(index)?;
    let path = keys.path(index);
    if let (Name::Key(name, span), true) = (&node.name, is_key) {
        let docs = match path.len() {
            1 => word(&TOP, name)?,
            2 if path[0] == "defaults" => word(&LEVEL, name)?,
            3 if path[0].ends_with("hierarchy") => word(&LEVEL, name)?,
            _ if path.iter().any(|part| part == "options") => word(&KEYS, name)?,
            _ => return None,
        };
        return Some((format!("**{name}**\n\n{docs}"), *span));
    }
    let Value::Scalar(text, _) = &node.value else { return None };
    let of = path.iter().rev().find(|part| part.parse::<usize>().is_err())?;
    if let Some((.., docs)) = FUNCTIONS.iter().find(|(kind, name, _)| kind == of && name == text) {
        return Some((format!("**{text}**\n\n{docs}"), node.span));
    }
    let is_file = matches!(of.as_str(), "path" | "paths" | "datadir" | "glob" | "globs" | "uri" | "uris");
    if !is_file || !text.contains("%{") {
        return None;
    }
    let context = context?;
    Some((led(&context, text), node.span))
}

/// Returns a path with its interpolations resolved for a node.
fn led(context: &NodeContext, text: &str) -> String {
    let mut path = String::new();
    let mut missing = Vec::new();
    let mut from = 0;
    for one in interpolations(text) {
        path.push_str(&text[from..one.range.start]);
        from = one.range.end;
        match &one.kind {
            InterpolationKind::Variable(name) => match context.interpolated(name) {
                Interpolated::Value(value) => path.push_str(&context.redactor.value(&value).to_text()),
                Interpolated::Missing => missing.push(code(name)),
            },
            InterpolationKind::Literal(text) => path.push_str(text),
            _ => missing.push(code(&text[one.range.clone()])),
        }
    }
    path.push_str(&text[from..]);
    let who = match &context.name {
        Some(name) => format!("the node {name}"),
        None => "a node without facts".to_owned(),
    };
    if missing.is_empty() {
        format!("{}\n\nFor {who}.", code(&path))
    } else {
        format!("{}\n\nFor {who}, of which {} is not known.", code(&path), missing.join(", "))
    }
}

fn item(name: &str, docs: &str, is_key: bool) -> CompletionItem {
    CompletionItem {
        label: name.to_owned(),
        kind: Some(if is_key { CompletionItemKind::FIELD } else { CompletionItemKind::VALUE }),
        documentation: (!docs.is_empty()).then(|| lsp_types::Documentation::String(docs.to_owned())),
        insert_text: is_key.then(|| format!("{name}: ")),
        ..CompletionItem::default()
    }
}

/// Returns the completions at an offset.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let before = document.before(offset);
    if let Some(open) = before.rfind("%{").filter(|open| !before[*open..].contains('}')) {
        let typed = before[open + 2..].trim_start().trim_start_matches("::");
        let mut found = facts::members(snapshot, document, typed);
        found.iter_mut().for_each(|item| crate::data::complete::replace(document, offset, typed, item));
        return found;
    }
    let words = before.trim_start().trim_start_matches("- ");
    let path = path_at_line(&document.text, offset);
    let value = key_of_line(words).filter(|_| words.contains(": "));
    if let Some(key) = value {
        let typed = words.rsplit(": ").next().unwrap_or_default().trim();
        let mut found: Vec<CompletionItem> = FUNCTIONS
            .iter()
            .filter(|(kind, name, _)| *kind == key && name.starts_with(typed))
            .map(|(_, name, docs)| item(name, docs, false))
            .collect();
        if key == "version" {
            found.push(item("5", "The version that Hiera 5 reads.", false));
        }
        return found;
    }
    let all: Vec<(&str, &str)> = match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => TOP.to_vec(),
        ["defaults"] => DEFAULTS.iter().filter_map(|name| Some((*name, word(&LEVEL, name)?))).collect(),
        ["hierarchy" | "default_hierarchy" | "plan_hierarchy"] => LEVEL.to_vec(),
        [.., "options"] => KEYS.to_vec(),
        _ => Vec::new(),
    };
    let is_there = siblings(document, offset);
    let fits =
        all.into_iter().filter(|(name, _)| name.starts_with(words) && !is_there.iter().any(|there| there == name));
    fits.map(|(name, docs)| item(name, docs, true)).collect()
}

/// Returns the other keys of the map around an offset, judging by lines with the same indentation.
fn siblings(document: &Document, offset: usize) -> Vec<String> {
    let line = document.lines.line_of(offset);
    let own = indentation(document.before(offset));
    let mut found = Vec::new();
    if !is_element(document.before(offset)) {
        for at in (0..line).rev() {
            let other = document.line(at);
            if other.trim().is_empty() || indentation(other) > own {
                continue;
            }
            if indentation(other) < own {
                break;
            }
            found.extend(key_of_line(other));
            if is_element(other) {
                break;
            }
        }
    }
    for at in line + 1..document.lines.count() {
        let other = document.line(at);
        if other.trim().is_empty() || indentation(other) > own {
            continue;
        }
        if indentation(other) < own || is_element(other) {
            break;
        }
        found.extend(key_of_line(other));
    }
    found
}

/// The length of the spaces and dashes in front of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}

/// Returns whether a line begins an element of a list.
fn is_element(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

#[cfg(test)]
mod tests {
    use lsp_types::Url;

    use super::*;
    use crate::document::Language;
    use crate::positions::Encoding;

    #[test]
    fn existing_keys_are_not_proposed() {
        let text = "hierarchy:\n  - name: a\n    pa\n    datadir: b\n  - path: c\n";
        let uri = Url::parse("file:///hiera.yaml").unwrap();
        let document = Document::new("/hiera.yaml".into(), uri, None, Language::Yaml, text, Encoding::Utf8);
        assert_eq!(siblings(&document, text.find("pa\n").unwrap() + 2), ["name", "datadir"]);
    }
}
