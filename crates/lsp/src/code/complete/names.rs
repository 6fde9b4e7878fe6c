//! Names of classes, functions, types and keywords.

use hieratic::puppet_eval;
use hieratic::puppet_types::TYPE_NAMES;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::context::{CompletionContext, Completions, definition, item};
use crate::code::docs;
use crate::code::ruby_index::RubyIndex;
use crate::outline::DefinitionKind;

/// Words that begin statements and definitions.
const KEYWORDS: [&str; 17] = [
    "case", "class", "define", "default", "else", "elsif", "false", "function", "if", "inherits", "node", "true",
    "type", "undef", "unless", "and", "or",
];

/// Returns whether a word begins the name of a type.
pub(super) fn is_type_name(typed: &str) -> bool {
    typed.trim_start_matches("::").starts_with(|c: char| c.is_ascii_uppercase())
}

pub(super) fn keywords(typed: &str, found: &mut Completions) {
    for keyword in KEYWORDS.into_iter().filter(|keyword| keyword.starts_with(typed)) {
        found.add(item(keyword, CompletionItemKind::KEYWORD, "keyword"));
    }
}

pub(super) fn classes(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let typed = typed.trim_start_matches("::");
    let classes = context.outline.all().filter(|one| one.kind == DefinitionKind::Class);
    classes.filter(|one| one.name.starts_with(typed)).for_each(|one| found.add(definition(one)));
}

pub(super) fn types(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let outline = context.outline;
    let typed = typed.trim_start_matches("::");
    let mut propose = |name: &str, docs: &str, kind| {
        if name.starts_with(typed) {
            found.add(item(name, kind, docs));
        }
    };
    for name in TYPE_NAMES {
        propose(name, docs::kind(name).unwrap_or("data type"), CompletionItemKind::INTERFACE);
    }
    for one in outline.all().filter(|one| one.kind == DefinitionKind::TypeAlias) {
        propose(&one.name, one.returns.as_deref().unwrap_or("alias"), CompletionItemKind::INTERFACE);
    }
    for name in puppet_eval::type_aliases() {
        propose(name, "alias of stdlib", CompletionItemKind::INTERFACE);
    }
    let mut refer = |name: &str| {
        propose(&puppet_eval::capitalized(name), "reference to a resource", CompletionItemKind::STRUCT);
    };
    puppet_eval::resource_type_names().for_each(&mut refer);
    let index = context.view.map(|view| RubyIndex::of(context.snapshot, view));
    index.iter().flat_map(|index| index.types.keys()).for_each(|name| refer(name));
    outline.all().filter(|one| one.kind == DefinitionKind::Define).for_each(|one| refer(&one.name));
}

/// Functions of the language, of stdlib and of modules.
pub(super) fn functions(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let typed = typed.trim_start_matches("::");
    for name in hieratic::code::function_names().filter(|name| name.starts_with(typed)) {
        found.add(function(context, name));
    }
    let defined = context.outline.all().filter(|one| one.kind == DefinitionKind::Function);
    defined.filter(|one| one.name.starts_with(typed)).for_each(|one| found.add(definition(one)));
    let Some(view) = context.view else { return };
    let index = RubyIndex::of(context.snapshot, view);
    for (name, file) in index.functions.iter().filter(|(name, _)| name.starts_with(typed)) {
        let detail = format!("function in Ruby: {}", file.display());
        found.add(item(name, CompletionItemKind::FUNCTION, &detail));
    }
}

/// A function of the language or of stdlib, with its first signature.
pub(super) fn function(context: &CompletionContext<'_>, name: &str) -> CompletionItem {
    let signatures = puppet_eval::function_signatures(name, context.snapshot.version).unwrap_or_default();
    let first = signatures.first().map(|one| {
        let names: Vec<String> = one.parameters.iter().map(|one| one.name.to_string()).collect();
        format!("({})", names.join(", "))
    });
    CompletionItem {
        documentation: puppet_eval::function_doc(name)
            .map(|doc| lsp_types::Documentation::String(doc.summary.to_owned())),
        ..item(name, CompletionItemKind::FUNCTION, &first.unwrap_or_default())
    }
}

pub(super) fn resource_types(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let snippets = context.snapshot.capabilities.snippets;
    let typed = typed.trim_start_matches("::");
    let mut propose = |symbol: CompletionItem| {
        if symbol.label.starts_with(typed) {
            let snippet = format!("{} {{ '${{1:title}}':\n  $0\n}}", symbol.label);
            let plain = format!("{} {{ ", symbol.label);
            found.add(CompletionItem {
                insert_text: Some(if snippets { snippet } else { plain }),
                insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
                ..symbol
            });
        }
    };
    for name in puppet_eval::resource_type_names() {
        propose(item(name, CompletionItemKind::STRUCT, "resource type"));
    }
    let defined = context.outline.all().filter(|one| one.kind == DefinitionKind::Define);
    defined.for_each(|one| propose(definition(one)));
    let Some(view) = context.view else { return };
    for name in RubyIndex::of(context.snapshot, view).types.keys() {
        propose(item(name, CompletionItemKind::STRUCT, "resource type of a module"));
    }
}
