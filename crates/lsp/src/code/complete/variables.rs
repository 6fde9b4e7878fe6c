//! Variables in scope, and those of other classes.

use lsp_types::{CompletionItem, CompletionItemKind};

use super::context::{CompletionContext, Completions, item};
use crate::code::scope;
use crate::outline::DefinitionKind;

/// Proposes variables whose names begin with the typed text. A sign is in front of the name, or none in `${`.
pub(super) fn complete(context: &CompletionContext<'_>, typed: &str, sign: &str, found: &mut Completions) {
    let CompletionContext { snapshot, document, offset, outline, .. } = *context;
    let mut propose = |name: &str, docs: &str| {
        if name.starts_with(typed) {
            let label = format!("{sign}{name}");
            found.add(CompletionItem {
                filter_text: Some(label.clone()),
                // Editors disagree whether the dollar is part of a word.
                text_edit: Some(lsp_types::CompletionTextEdit::Edit(lsp_types::TextEdit {
                    range: document.range(offset - typed.len() - sign.len()..offset),
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
            let front = if typed.starts_with("::") { "::" } else { "" };
            for one in &class.parameters {
                propose(&format!("{front}{}::{}", class.name, one.name), &one.declared());
            }
            let Some(other) = snapshot.document(&class.path) else { continue };
            let set = scope::variables(&other, class.span.behind());
            for one in set.into_iter().filter(|one| !one.is_of_block) {
                propose(&format!("{front}{}::{}", class.name, one.name), &one.declaration);
            }
        }
    }
}
