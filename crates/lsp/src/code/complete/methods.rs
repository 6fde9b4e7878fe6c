//! Functions after a dot.

use hieratic::puppet_eval;
use hieratic::puppet_types::Type;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::context::{CompletionContext, Completions, definition, item};
use super::{names, snippets};
use crate::code::infer::TypeInference;
use crate::outline::DefinitionKind;

/// Proposes the functions that take the value before the dot as their first argument.
pub(super) fn complete(context: &CompletionContext<'_>, typed: &str, found: &mut Completions) {
    let receiver = receiver(context, typed);
    let takes = |parameter: &Type| {
        // A narrower parameter may fit: the type is inferred, and can be wider than the value.
        receiver.as_ref().is_none_or(|receiver| parameter.is_assignable(receiver) || receiver.is_assignable(parameter))
    };
    for name in hieratic::code::function_names().filter(|name| name.starts_with(typed)) {
        let signatures = puppet_eval::function_signatures(name, context.snapshot.version).unwrap_or_default();
        let mut firsts = signatures.iter().filter_map(|one| one.parameters.first()).map(|first| &first.kind);
        if let Some(first) = firsts.find(|first| takes(first)) {
            let item = names::function(context, name);
            let item = CompletionItem { sort_text: Some(sort_text(first, name)), ..item };
            let block = snippets::call_with_block(name).filter(|_| context.snapshot.capabilities.snippets);
            found.add(match block {
                Some(snippet) => CompletionItem {
                    insert_text: Some(snippet),
                    insert_text_format: Some(InsertTextFormat::SNIPPET),
                    ..item
                },
                None => item,
            });
        }
    }
    for one in context.outline.all().filter(|one| one.kind == DefinitionKind::Function) {
        let Some(first) = one.parameters.first().filter(|_| one.name.starts_with(typed)) else { continue };
        // A parameter without a type takes everything.
        let declared = first.kind.as_deref().and_then(|kind| context.view?.type_of(kind));
        let declared = declared.unwrap_or(Type::Any);
        if takes(&declared) {
            found.add(CompletionItem { sort_text: Some(sort_text(&declared, &one.name)), ..definition(one) });
        }
    }
    if matches!(receiver, Some(Type::Type(_))) && "new".starts_with(typed) {
        found.add(item("new", CompletionItemKind::FUNCTION, "a value of this type"));
    }
}

/// Sorts functions that take values of some types before those that take everything.
fn sort_text(parameter: &Type, name: &str) -> String {
    format!("{}{name}", u8::from(*parameter == Type::Any))
}

/// The type of the value before the dot.
fn receiver(context: &CompletionContext<'_>, typed: &str) -> Option<Type> {
    let dot = context.offset - typed.len() - 1;
    // The code cannot be parsed while a name is missing after the dot.
    let text = &context.document.text;
    let blank = " ".repeat(context.offset - dot);
    let document = context.document.with_text(&format!("{}{blank}{}", text.get(..dot)?, text.get(context.offset..)?));
    let end = text.get(..dot)?.trim_end().len();
    let (kind, _) = TypeInference::new(context.view, context.outline, &document).at(end)?;
    Some(kind)
}
