//! Functions behind a dot.

use hieratic::puppet_eval;
use hieratic::puppet_types::Type;
use lsp_types::CompletionItemKind;

use super::{CompletionContext, Completions, definition, item, names};
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
        if signatures.iter().filter_map(|one| one.parameters.first()).any(|first| takes(&first.kind)) {
            found.add(names::function(context, name));
        }
    }
    for one in context.outline.all().filter(|one| one.kind == DefinitionKind::Function) {
        let Some(first) = one.parameters.first().filter(|_| one.name.starts_with(typed)) else { continue };
        // A parameter without a type takes everything.
        let declared = first.kind.as_deref().and_then(|kind| context.view?.type_of(kind));
        if declared.is_none_or(|declared| takes(&declared)) {
            found.add(definition(one));
        }
    }
    if matches!(receiver, Some(Type::Type(_))) && "new".starts_with(typed) {
        found.add(item("new", CompletionItemKind::FUNCTION, "a value of this type"));
    }
}

/// The type of the value before the dot.
fn receiver(context: &CompletionContext<'_>, typed: &str) -> Option<Type> {
    let dot = context.offset - typed.len() - 1;
    // The code cannot be parsed while a name is missing behind the dot.
    let text = &context.document.text;
    let blank = " ".repeat(context.offset - dot);
    let document = context.document.with_text(&format!("{}{blank}{}", text.get(..dot)?, text.get(context.offset..)?));
    let end = text.get(..dot)?.trim_end().len();
    let (kind, _) = TypeInference::new(context.view, context.outline, &document).at(end)?;
    Some(kind)
}
