//! Completion in Puppet code.

use std::collections::BTreeMap;

use hieratic::puppet_eval;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::docs;
use super::resources;
use super::scope;
use super::symbol_at::CodeWords;
use crate::data::complete::MAX_COMPLETIONS;
use crate::document::Document;
use crate::outline::{Definition, DefinitionKind, Outline};
use crate::snapshot::Snapshot;

/// Words that begin statements and definitions.
const KEYWORDS: [&str; 17] = [
    "case", "class", "define", "default", "else", "elsif", "false", "function", "if", "inherits", "node", "true",
    "type", "undef", "unless", "and", "or",
];

/// Data types of the language.
const TYPES: [&str; 40] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "Undef",
    "Variant",
];

/// Returns the completions at an offset, and whether there are more.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, bool) {
    let (mut items, more) = found(snapshot, document, offset);
    let before = document.before(offset);
    let typed = lookup_string(before).map_or_else(|| typed(before), str::to_owned);
    for item in &mut items {
        crate::data::complete::replace(document, offset, &typed, item);
    }
    (items, more)
}

fn found(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, bool) {
    let before = document.before(offset);
    let typed = typed(before);
    let start = offset - typed.len();
    let mut found: BTreeMap<String, CompletionItem> = BTreeMap::new();
    let mut add = |item: CompletionItem| {
        found.entry(item.label.clone()).or_insert(item);
    };
    let outline = snapshot.outline_of(&document.path);
    let view = snapshot.view_of(&document.path);
    let words = CodeWords::new(document);
    let index = words.first_behind(start);
    if document.tokens().iter().any(|token| {
        token.kind == hieratic_puppet_syntax::TokenKind::Comment
            && token.span.first() < offset
            && offset <= token.span.behind()
    }) {
        return (Vec::new(), false);
    }
    if let Some(name) = typed.strip_prefix('$') {
        variables(snapshot, document, &outline, offset, name, &mut add);
        return limited(found);
    }
    if let Some(path) = fact_path(before) {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        for (name, docs) in crate::facts::below(snapshot, &keys) {
            add(item(&name, CompletionItemKind::VARIABLE, &docs));
        }
        return limited(found);
    }
    let word_before = index.checked_sub(1).map_or("", |index| words.text(index));
    if matches!(word_before, "include" | "contain" | "require" | "inherits")
        || word_before == "," && is_after_include(&words, index)
        || class_string(before)
    {
        let typed = typed.trim_start_matches("::");
        for one in outline.all().filter(|one| one.kind == DefinitionKind::Class && one.name.starts_with(typed)) {
            add(definition(one));
        }
        return limited(found);
    }
    if lookup_string(before).is_some()
        && let Some(view) = view
    {
        let typed = lookup_string(before).unwrap_or_default();
        for (key, _) in view.files().iter().flat_map(|file| file.entries()).filter(|(key, _)| key.starts_with(typed)) {
            add(item(key, CompletionItemKind::PROPERTY, "key of data"));
        }
        return limited(found);
    }
    if matches!(word_before, "{" | ":" | "," | ";" | "")
        && let Some((of, title, open)) = words.resource_around(index)
        && has_title(&words, open, index)
    {
        attributes(view, &outline, &of, title.as_deref(), &typed, &mut add);
        return limited(found);
    }
    if typed.starts_with(|c: char| c.is_ascii_uppercase())
        || typed.starts_with("::") && typed[2..].starts_with(|c: char| c.is_ascii_uppercase())
    {
        types(&outline, &typed, &mut add);
        return limited(found);
    }
    if typed.is_empty() && !matches!(word_before, "{" | "}" | "(" | "=" | "=>" | "" | ".") {
        return (Vec::new(), false);
    }
    let is_statement = matches!(word_before, "" | "{" | "}" | ")" | ";") || starts_line(before, &typed);
    functions(snapshot, &outline, &typed, &mut add);
    if is_statement && word_before != "." {
        resource_types(&outline, &typed, snapshot.snippets, &mut add);
        for keyword in KEYWORDS.into_iter().filter(|keyword| keyword.starts_with(typed.as_str())) {
            add(item(keyword, CompletionItemKind::KEYWORD, "keyword"));
        }
    }
    limited(found)
}

fn limited(found: BTreeMap<String, CompletionItem>) -> (Vec<CompletionItem>, bool) {
    let more = found.len() > MAX_COMPLETIONS;
    (found.into_values().take(MAX_COMPLETIONS).collect(), more)
}

fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        ..CompletionItem::default()
    }
}

fn definition(one: &Definition) -> CompletionItem {
    let kind = match one.kind {
        DefinitionKind::Class => CompletionItemKind::CLASS,
        DefinitionKind::Define => CompletionItemKind::STRUCT,
        DefinitionKind::Function | DefinitionKind::Plan => CompletionItemKind::FUNCTION,
        DefinitionKind::TypeAlias => CompletionItemKind::INTERFACE,
    };
    let docs = one.documentation().text;
    let first = docs.lines().next().unwrap_or_default().to_owned();
    CompletionItem {
        documentation: (!first.is_empty()).then_some(lsp_types::Documentation::String(first)),
        ..item(&one.name, kind, one.kind.word())
    }
}

/// Returns the word that ends at the cursor.
fn typed(before: &str) -> String {
    let length =
        before.chars().rev().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '$')).map(char::len_utf8);
    let word = &before[before.len() - length.sum::<usize>()..];
    // `title:` and `a ? b : c` end before their colon.
    let word = if word.ends_with(':') && !word.ends_with("::") { "" } else { word };
    let word = word.rfind('$').map_or(word, |at| &word[at..]);
    word.to_owned()
}

fn starts_line(before: &str, typed: &str) -> bool {
    before.len() >= typed.len() && before[..before.len() - typed.len()].trim().is_empty()
}

/// The way to the fact that is typed: `$facts['os']['` is `facts`, `os`.
fn fact_path(before: &str) -> Option<Vec<String>> {
    let at = before.rfind("$facts[").or_else(|| before.rfind("$trusted["))?;
    let text = &before[at + 1..];
    let (root, rest) = text.split_once('[')?;
    let mut path = vec![root.to_owned()];
    let mut parts: Vec<&str> = rest.split("][").collect();
    let last = parts.pop()?;
    let is_open = last.starts_with(['\'', '"']) && !last[1..].contains(['\'', '"', ']']);
    if !is_open {
        return None;
    }
    path.extend(parts.into_iter().map(|part| part.trim_matches(['\'', '"']).to_owned()));
    Some(path)
}

/// Returns whether the cursor is in a string with the name of a class: `class { '`, `Class['`.
fn class_string(before: &str) -> bool {
    let Some(quote) = before.rfind(['\'', '"']) else { return false };
    let around = before[..quote].trim_end();
    let is_open = before.matches(['\'', '"']).count() % 2 == 1;
    let end = around.strip_suffix('{').map(|rest| rest.trim_end().ends_with("class"));
    is_open
        && (end == Some(true)
            || around.ends_with("Class[")
            || around.ends_with("include")
            || around.ends_with("contain"))
}

/// Returns the part of a key before the cursor: `lookup('`.
fn lookup_string(before: &str) -> Option<&str> {
    let quote = before.rfind(['\'', '"'])?;
    let around = before[..quote].trim_end().strip_suffix('(')?;
    let is_open = before.matches(['\'', '"']).count() % 2 == 1;
    let name = around.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    (is_open && matches!(name, "lookup" | "hiera" | "hiera_array" | "hiera_hash" | "hiera_include"))
        .then(|| &before[quote + 1..])
}

fn is_after_include(words: &CodeWords<'_>, index: usize) -> bool {
    let mut at = index;
    while let Some(before) = at.checked_sub(1) {
        match words.text(before) {
            "include" | "contain" | "require" => return true,
            "," => {}
            _ if words.text(at) == "," => {}
            _ => return false,
        }
        at = before;
    }
    false
}

/// Returns whether a title is between the brace of a resource and a word. Attributes follow in that case.
fn has_title(words: &CodeWords<'_>, open: usize, index: usize) -> bool {
    let before = open.checked_sub(1).map_or("", |index| words.text(index));
    // Defaults and overrides have no title.
    if before == "]" || before.ends_with('>') || before.starts_with(|c: char| c.is_ascii_uppercase()) {
        return true;
    }
    (open + 1..index).any(|at| words.text(at) == ":")
}

fn attributes(
    view: Option<&hieratic_lint::View>,
    outline: &Outline,
    of: &str,
    title: Option<&str>,
    typed: &str,
    add: &mut dyn FnMut(CompletionItem),
) {
    let mut propose = |name: &str, docs: &str| {
        if name.starts_with(typed) {
            let words = docs::attribute(of, name);
            add(CompletionItem {
                insert_text: Some(format!("{name} => ")),
                documentation: words.map(|words| lsp_types::Documentation::String(words.to_owned())),
                ..item(name, CompletionItemKind::FIELD, docs)
            });
        }
    };
    if of == "class" {
        let Some(class) = title.and_then(|title| outline.find(DefinitionKind::Class, title)) else { return };
        class.parameters.iter().for_each(|one| propose(&one.name, &one.declared()));
        puppet_eval::metaparameters().for_each(|name| propose(name, "of every resource"));
        return;
    }
    match resources::find(view, outline, of) {
        Some(kind) => kind.attributes().iter().for_each(|(name, docs)| propose(name, docs)),
        None => puppet_eval::metaparameters().for_each(|name| propose(name, "of every resource")),
    }
}

fn variables(
    snapshot: &Snapshot,
    document: &Document,
    outline: &Outline,
    offset: usize,
    typed: &str,
    add: &mut dyn FnMut(CompletionItem),
) {
    let mut propose = |name: &str, docs: &str| {
        if name.starts_with(typed) {
            let label = format!("${name}");
            add(CompletionItem {
                filter_text: Some(label.clone()),
                // Editors disagree whether the dollar is part of a word.
                text_edit: Some(lsp_types::CompletionTextEdit::Edit(lsp_types::TextEdit {
                    range: document.range(offset - typed.len() - 1..offset),
                    new_text: label.clone(),
                })),
                ..item(&label, CompletionItemKind::VARIABLE, docs)
            });
        }
    };
    for one in scope::variables(document, offset) {
        propose(&one.name, &one.declaration);
    }
    for (name, docs) in crate::facts::below(snapshot, &[]) {
        propose(&name, &docs);
    }
    for name in ["title", "name", "module_name"] {
        propose(name, "of the resource or class around");
    }
    if let Some((class, _)) = typed.trim_start_matches("::").rsplit_once("::") {
        for class in outline.named(class).filter(|one| one.kind == DefinitionKind::Class) {
            for one in &class.parameters {
                let front = if typed.starts_with("::") { "::" } else { "" };
                propose(&format!("{front}{}::{}", class.name, one.name), &one.declared());
            }
        }
    }
}

fn types(outline: &Outline, typed: &str, add: &mut dyn FnMut(CompletionItem)) {
    let typed = typed.trim_start_matches("::");
    let mut propose = |name: &str, docs: &str, kind| {
        if name.starts_with(typed) {
            add(item(name, kind, docs));
        }
    };
    for name in TYPES {
        propose(name, docs::kind(name).unwrap_or("data type"), CompletionItemKind::INTERFACE);
    }
    for one in outline.all().filter(|one| one.kind == DefinitionKind::TypeAlias) {
        propose(&one.name, one.returns.as_deref().unwrap_or("alias"), CompletionItemKind::INTERFACE);
    }
    for name in puppet_eval::type_aliases() {
        propose(name, "alias of stdlib", CompletionItemKind::INTERFACE);
    }
    let resources = puppet_eval::resource_type_names().map(str::to_owned);
    let defined = outline.all().filter(|one| one.kind == DefinitionKind::Define).map(|one| one.name.clone());
    for name in resources.chain(defined) {
        let parts = name.split("::").map(|part| {
            let mut letters = part.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            format!("{first}{}", letters.as_str())
        });
        propose(&parts.collect::<Vec<_>>().join("::"), "reference to a resource", CompletionItemKind::STRUCT);
    }
}

fn functions(snapshot: &Snapshot, outline: &Outline, typed: &str, add: &mut dyn FnMut(CompletionItem)) {
    let typed = typed.trim_start_matches("::");
    for name in hieratic::function_names().filter(|name| name.starts_with(typed)) {
        let signatures = puppet_eval::function_signatures(name, snapshot.version).unwrap_or_default();
        let first = signatures.first().map(|one| {
            let names: Vec<String> = one.parameters.iter().map(|one| one.name.to_string()).collect();
            format!("({})", names.join(", "))
        });
        let words = puppet_eval::function_doc(name).map(|doc| lsp_types::Documentation::String(doc.summary.to_owned()));
        add(CompletionItem {
            documentation: words,
            ..item(name, CompletionItemKind::FUNCTION, &first.unwrap_or_default())
        });
    }
    for one in outline.all().filter(|one| one.kind == DefinitionKind::Function && one.name.starts_with(typed)) {
        add(definition(one));
    }
}

fn resource_types(outline: &Outline, typed: &str, snippets: bool, add: &mut dyn FnMut(CompletionItem)) {
    let typed = typed.trim_start_matches("::");
    let mut propose = |made: CompletionItem| {
        if made.label.starts_with(typed) {
            let snippet = format!("{} {{ '${{1:title}}':\n  $0\n}}", made.label);
            let plain = format!("{} {{ ", made.label);
            add(CompletionItem {
                insert_text: Some(if snippets { snippet } else { plain }),
                insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
                ..made
            });
        }
    };
    for name in puppet_eval::resource_type_names() {
        propose(item(name, CompletionItemKind::STRUCT, "resource type"));
    }
    outline.all().filter(|one| one.kind == DefinitionKind::Define).for_each(|one| propose(definition(one)));
}
