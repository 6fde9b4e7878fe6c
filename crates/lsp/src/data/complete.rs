//! Completion in data files.

use std::collections::BTreeMap;

use hieratic::puppet_types::Type;
use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use hieratic_lint::{LOOKUP_OPTIONS, View};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent, MarkupKind, TextEdit,
};

use super::markdown::short;
use crate::document::{Document, Language};
use crate::keys::{PartialInput, key_of_line, path_at_line, typed};
use crate::outline::DefinitionKind;
use crate::snapshot::Snapshot;

/// The maximum number of completions in an answer; the client repeats the request when more is typed.
pub(crate) const MAX_COMPLETIONS: usize = 200;

/// The maximum depth of types.
const MAX_DEPTH: usize = 12;

/// Returns the completions at an offset, and whether there are more.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, bool) {
    let (mut items, typed) = find_items(snapshot, document, offset);
    let more = items.len() > MAX_COMPLETIONS;
    items.truncate(MAX_COMPLETIONS);
    for item in &mut items {
        replace(document, offset, &typed, item);
    }
    (items, more)
}

/// Makes an item replace the typed text: editors disagree about the characters of a word.
pub(crate) fn replace(document: &Document, offset: usize, typed: &str, item: &mut CompletionItem) {
    if item.text_edit.is_some() {
        return;
    }
    let new_text = item.insert_text.take().unwrap_or_else(|| item.label.clone());
    let range = document.range(Span::new(offset - typed.len().min(offset), offset));
    item.filter_text.get_or_insert_with(|| item.label.clone());
    item.text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text }));
}

/// Returns the completions at an offset, and the part of the word before it.
fn find_items(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, String) {
    let nothing = (Vec::new(), String::new());
    let Some((view, file)) = snapshot.data_of(&document.path) else { return nothing };
    let before = document.before(offset);
    if let Some(open) = before.rfind("%{").filter(|open| !before[*open..].contains('}')) {
        return interpolations(snapshot, document, view, &before[open + 2..]);
    }
    if matches!(document.language, Language::Json | Language::Hocon) {
        let Some(typed) = typed(&document.text, offset) else { return nothing };
        let module = view.module_of(file);
        return (between_braces(snapshot, view, module, document, &typed), typed.text.clone());
    }
    let path = path_at_line(&document.text, offset);
    let words = before.trim_start();
    let value = match key_of_line(words) {
        Some(key) if words.contains(':') && before.trim_end().len() >= before.find(&key).unwrap_or(0) + key.len() => {
            Some(key)
        }
        _ => None,
    };
    let is_value = value.is_some() && (before.ends_with(' ') || words.contains(": "));
    let full = |last: Option<String>| path.iter().cloned().chain(last).collect::<Vec<String>>();
    let last = if is_value { words.rsplit(": ").next().unwrap_or_default() } else { words.trim_start_matches("- ") };
    let typed = last.trim_start().trim_start_matches(['\'', '"']).to_owned();
    let items = match (is_value, path.first().map(String::as_str)) {
        (_, Some(LOOKUP_OPTIONS)) => {
            let key = full(value.clone().filter(|_| is_value));
            lookup_options(snapshot, view, &key, is_value, words)
        }
        (true, _) => {
            let path = full(value);
            let mut found = values(view, &path);
            found.extend(class_names(view, &path).into_iter().filter(|item| item.label.starts_with(&typed)));
            found
        }
        (false, None) => {
            let module = view.module_of(file);
            let there: Vec<&str> = document.keys().top().map(|(_, key, ..)| key).collect();
            keys(snapshot, view, module, &there, words)
        }
        (false, Some(_)) => {
            let mut found = sub_keys(view, &path);
            if words.starts_with("- ") || found.is_empty() {
                found.extend(values(view, &path));
                found.extend(class_names(view, &path));
            }
            found.retain(|item| item.label.starts_with(&typed));
            found
        }
    };
    (items, typed)
}

fn markdown(text: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text })
}

/// Keys: parameters of classes with types and documentation, and keys of other files.
fn keys(snapshot: &Snapshot, view: &View, module: Option<&str>, there: &[&str], typed: &str) -> Vec<CompletionItem> {
    let typed = typed.trim_matches(['\'', '"']);
    let fits = |key: &str| {
        key.starts_with(typed)
            && !there.contains(&key)
            && module.is_none_or(|module| key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
    };
    let mut found: BTreeMap<String, CompletionItem> = BTreeMap::new();
    for (class, info) in view.classes() {
        // Most classes do not match the typed text.
        if !(class.starts_with(typed) || typed.starts_with(class)) {
            continue;
        }
        let path = std::path::absolute(info.source.name()).unwrap_or_default();
        let outline = snapshot.outline_of(&path);
        let docs = outline
            .find(DefinitionKind::Class, class)
            .map(|class| class.documentation().parameters)
            .unwrap_or_default();
        for parameter in &info.parameters {
            let key = format!("{class}::{}", parameter.name);
            if !fits(&key) {
                continue;
            }
            let default = parameter
                .default
                .as_ref()
                .map(|(default, _)| format!("\n\nDefault: `{}`", short(&default.as_str().into())));
            let text =
                format!("{}{}", docs.get(&parameter.name).cloned().unwrap_or_default(), default.unwrap_or_default());
            let item = CompletionItem {
                label: key.clone(),
                kind: Some(CompletionItemKind::FIELD),
                detail: parameter.kind.clone(),
                documentation: (!text.is_empty()).then(|| markdown(text)),
                insert_text: Some(format!("{key}: ")),
                sort_text: Some(format!("0{key}")),
                ..CompletionItem::default()
            };
            found.insert(key, item);
        }
    }
    for file in view.files() {
        for (key, _) in file.entries().filter(|(key, _)| fits(key)) {
            if found.len() > 2 * MAX_COMPLETIONS {
                break;
            }
            found.entry(key.to_owned()).or_insert_with(|| CompletionItem {
                label: key.to_owned(),
                kind: Some(CompletionItemKind::PROPERTY),
                detail: Some(format!(
                    "key of {}",
                    file.path().file_name().map(|name| name.to_string_lossy()).unwrap_or_default()
                )),
                insert_text: Some(format!("{key}: ")),
                sort_text: Some(format!("1{key}")),
                ..CompletionItem::default()
            });
        }
    }
    if LOOKUP_OPTIONS.starts_with(typed) && !there.contains(&LOOKUP_OPTIONS) {
        found.insert(
            LOOKUP_OPTIONS.to_owned(),
            CompletionItem {
                label: LOOKUP_OPTIONS.to_owned(),
                kind: Some(CompletionItemKind::KEYWORD),
                detail: Some("how values of levels become one".to_owned()),
                insert_text: Some(format!("{LOOKUP_OPTIONS}:\n  ")),
                sort_text: Some(format!("2{LOOKUP_OPTIONS}")),
                ..CompletionItem::default()
            },
        );
    }
    let mut items: Vec<CompletionItem> = found.into_values().collect();
    items.sort_erased_by(|a, b| a.sort_text.cmp(&b.sort_text));
    items
}

/// Returns the type of the value under a path of keys, if classes declare it.
fn type_at(view: &View, path: &[String]) -> Option<Type> {
    let (key, rest) = path.split_first()?;
    let (_, parameter) = view.parameter(key)?;
    let mut kind = view.type_of(parameter.kind.as_deref()?)?;
    for part in rest {
        kind = inside(&kind, part, MAX_DEPTH)?;
    }
    Some(kind)
}

/// Returns the type of the value that an instance of a type has under a key.
fn inside(kind: &Type, key: &str, depth: usize) -> Option<Type> {
    // Aliases may name themselves.
    let depth = depth.checked_sub(1)?;
    match kind.resolved() {
        Type::Struct(of) => {
            of.elements().iter().find(|element| &*element.key.name == key).map(|element| element.value.clone())
        }
        Type::Hash(of) => Some(of.value().clone()),
        Type::Array(of) => inside(of.element(), key, depth),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => inside(inner, key, depth),
        Type::Sensitive(inner) => inside(inner, key, depth),
        Type::Variant(variants) => variants.as_slice().iter().find_map(|kind| inside(kind, key, depth)),
        _ => None,
    }
}

/// The keys that a value of a type may have.
fn sub_keys(view: &View, path: &[String]) -> Vec<CompletionItem> {
    let mut found = Vec::new();
    if let Some(kind) = type_at(view, path) {
        keys_of_type(&kind, MAX_DEPTH, &mut found);
    }
    // Without a type, the values of other files are proposed.
    if found.is_empty() {
        for file in view.files() {
            let Some((_, value)) = file.entries().find(|(key, _)| Some(*key) == path.first().map(String::as_str))
            else {
                continue;
            };
            let dug = path.iter().skip(1).try_fold(value, |value, part| value.as_hash()?.get(part.as_str()));
            let names = dug.and_then(hieratic::Value::as_hash).into_iter().flat_map(|hash| hash.keys());
            for name in names.filter_map(hieratic::Value::as_str) {
                if !found.iter().any(|item: &CompletionItem| item.label == name) {
                    found.push(item(name, CompletionItemKind::PROPERTY, "key of another file", true));
                }
            }
        }
    }
    found
}

fn keys_of_type(kind: &Type, depth: usize, found: &mut Vec<CompletionItem>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match kind.resolved() {
        Type::Struct(of) => {
            for element in of.elements() {
                let detail = format!("{}{}", element.value, if element.key.optional { ", optional" } else { "" });
                found.push(item(&element.key.name, CompletionItemKind::FIELD, &detail, true));
            }
        }
        Type::Hash(of) => {
            let mut values = Vec::new();
            values_within(of.key(), depth, &mut values);
            found.extend(values.into_iter().map(|value: CompletionItem| {
                item(&value.label, CompletionItemKind::FIELD, &of.value().to_string(), true)
            }));
        }
        Type::Array(of) => keys_of_type(of.element(), depth, found),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => keys_of_type(inner, depth, found),
        Type::Sensitive(inner) => keys_of_type(inner, depth, found),
        Type::Variant(variants) => variants.as_slice().iter().for_each(|kind| keys_of_type(kind, depth, found)),
        _ => {}
    }
}

fn item(label: &str, kind: CompletionItemKind, detail: &str, is_key: bool) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        insert_text: is_key.then(|| format!("{label}: ")),
        ..CompletionItem::default()
    }
}

/// The names of classes, for keys that list classes by custom: `classes`, `roles::classes`, `lookup('classes').include`.
fn class_names(view: &View, path: &[String]) -> Vec<CompletionItem> {
    let is_list = path.last().is_some_and(|key| {
        let last = key.rsplit("::").next().unwrap_or(key);
        last == "classes" || last.ends_with("_classes") || last.starts_with("classes_")
    });
    if !is_list {
        return Vec::new();
    }
    view.classes().map(|(name, _)| item(name, CompletionItemKind::CLASS, "class", false)).collect()
}

/// The values that a type lists.
fn values(view: &View, path: &[String]) -> Vec<CompletionItem> {
    let mut found = Vec::new();
    if let Some(kind) = type_at(view, path) {
        values_of_type(&kind, &mut found);
    }
    found
}

/// Adds the values that a type lists.
pub(crate) fn values_of_type(kind: &Type, found: &mut Vec<CompletionItem>) {
    values_within(kind, MAX_DEPTH, found);
}

fn values_within(kind: &Type, depth: usize, found: &mut Vec<CompletionItem>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match kind.resolved() {
        Type::Enum(of) => {
            for value in of.values() {
                found.push(item(value, CompletionItemKind::ENUM_MEMBER, &kind.to_string(), false));
            }
        }
        Type::Boolean(only) => {
            for value in [true, false].into_iter().filter(|value| only.is_none_or(|only| only == *value)) {
                found.push(item(&value.to_string(), CompletionItemKind::VALUE, "Boolean", false));
            }
        }
        Type::Array(of) => values_within(of.element(), depth, found),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => values_within(inner, depth, found),
        Type::Sensitive(inner) => values_within(inner, depth, found),
        Type::Variant(variants) => variants.as_slice().iter().for_each(|kind| values_within(kind, depth, found)),
        _ => {}
    }
}

/// Returns the completions in `lookup_options`.
fn lookup_options(
    snapshot: &Snapshot,
    view: &View,
    path: &[String],
    is_value: bool,
    typed: &str,
) -> Vec<CompletionItem> {
    let plain = |labels: &[(&str, &str)], is_key| {
        let symbol = labels.iter().map(|(label, detail)| item(label, CompletionItemKind::KEYWORD, detail, is_key));
        symbol.collect::<Vec<_>>()
    };
    const STRATEGIES: [(&str, &str); 4] = [
        ("first", "the first value found counts"),
        ("unique", "all elements of all levels, each once"),
        ("hash", "the keys of all levels, the higher level wins"),
        ("deep", "as hash, and hashes inside of hashes as well"),
    ];
    match (path.len(), is_value, path.last().map(String::as_str)) {
        (1, false, _) => keys(snapshot, view, None, &[], typed),
        (2, false, _) => plain(
            &[("merge", "how values of levels become one"), ("convert_to", "the type that the value becomes")],
            true,
        ),
        (3, true, Some("merge")) | (4, true, Some("strategy")) => plain(&STRATEGIES, false),
        (3, false, Some("merge")) => plain(
            &[
                ("strategy", "first, unique, hash or deep"),
                ("knockout_prefix", "the prefix of removed elements"),
                ("sort_merged_arrays", "whether merged lists are sorted"),
                ("merge_hash_arrays", "whether hashes in lists are merged"),
            ],
            true,
        ),
        (4, true, Some("sort_merged_arrays" | "merge_hash_arrays")) => {
            plain(&[("true", "boolean"), ("false", "boolean")], false)
        }
        (4, true, Some("knockout_prefix")) => plain(&[("--", "the usual prefix, in quotes")], false)
            .into_iter()
            .map(|item| CompletionItem { insert_text: Some("'--'".to_owned()), ..item })
            .collect(),
        (3, true, Some("convert_to")) => {
            let kinds = ["Sensitive", "Integer", "Float", "Numeric", "String", "Boolean", "Array", "Hash"];
            kinds.iter().map(|kind| item(kind, CompletionItemKind::CLASS, "type", false)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the completions between `%{` and `}`.
fn interpolations(snapshot: &Snapshot, document: &Document, view: &View, typed: &str) -> (Vec<CompletionItem>, String) {
    let call =
        ["lookup", "hiera", "alias"].iter().find_map(|name| typed.strip_prefix(name)?.trim_start().strip_prefix('('));
    if let Some(inside) = call {
        let typed = inside.trim_start_matches(['\'', '"', ' ']);
        let mut names: Vec<&str> = view.files().iter().flat_map(|file| file.entries().map(|(key, _)| key)).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| name.starts_with(typed));
        let found = names.into_iter().map(|name| item(name, CompletionItemKind::PROPERTY, "key", false)).collect();
        return (found, typed.to_owned());
    }
    let typed = typed.trim_start().trim_start_matches("::");
    let mut found = crate::facts::members(snapshot, document, typed);
    for (name, detail) in [
        ("lookup", "the value of another key as text"),
        ("alias", "the value of another key, whatever its type; all of the string"),
        ("literal", "literal text, as in literal('%')"),
        ("scope", "a variable"),
    ] {
        if name.starts_with(typed) {
            found.push(CompletionItem {
                insert_text: Some(format!("{name}('")),
                ..item(name, CompletionItemKind::FUNCTION, detail, false)
            });
        }
    }
    (found, typed.to_owned())
}

/// The completions between the braces of JSON and HOCON. Names and strings are quoted where the language needs it.
fn between_braces(
    snapshot: &Snapshot,
    view: &View,
    module: Option<&str>,
    document: &Document,
    typed: &PartialInput,
) -> Vec<CompletionItem> {
    let full = |last: &Option<String>| typed.path.iter().chain(last).cloned().collect::<Vec<String>>();
    let is_options = typed.path.first().is_some_and(|first| first == LOOKUP_OPTIONS);
    let is_value = typed.key.is_some() || typed.is_element;
    let mut found = match (is_options, is_value) {
        (true, _) => lookup_options(snapshot, view, &full(&typed.key), is_value, &typed.text),
        (false, true) => {
            let path = full(&typed.key);
            let mut found = values(view, &path);
            found.extend(class_names(view, &path));
            found
        }
        (false, false) if typed.path.is_empty() => {
            let there: Vec<&str> = document.keys().top().map(|(_, key, ..)| key).collect();
            keys(snapshot, view, module, &there, &typed.text)
        }
        (false, false) => sub_keys(view, &typed.path),
    };
    found.retain(|item| item.label.starts_with(&typed.text));
    for item in &mut found {
        let is_plain = is_value && matches!(item.label.as_str(), "true" | "false");
        let needs_quotes = document.language == Language::Json || item.label.contains(|c: char| !c.is_alphanumeric());
        let written = if typed.is_quoted || is_plain || !needs_quotes {
            item.label.clone()
        } else {
            format!("\"{}\"", item.label)
        };
        let separator = match document.language {
            Language::Json => ": ",
            _ => " = ",
        };
        item.insert_text = Some(if is_value || typed.is_quoted { written } else { format!("{written}{separator}") });
    }
    found
}
