//! Attributes of resources, and their values.

use hieratic::puppet_eval;
use hieratic::value::collections::HashSet;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::context::{CompletionContext, Completions, item};
use crate::code::docs;
use crate::code::infer::TypeInference;
use crate::code::resources::{self, ResourceType};
use crate::code::symbol_at::CodeWords;
use crate::code::template_calls::CalledTemplate;
use crate::data::complete::values_of_type;
use crate::outline::{Definition, DefinitionKind, Parameter};

/// The metaparameters whose values are references to resources.
const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// The body of a resource around a word.
pub(super) struct ResourceBody {
    /// The type, in lower case.
    pub(super) of: String,
    /// The class that is declared, if the type is `class`.
    pub(super) title: Option<String>,
    /// The brace that opens the resource.
    pub(super) open: usize,
    /// The word at the cursor.
    pub(super) index: usize,
}

/// Proposes the attributes that the resource does not have yet.
pub(super) fn names(context: &CompletionContext<'_>, body: &ResourceBody, found: &mut Completions) {
    let given = given_names(context.words, body.open, body.index, !context.typed.is_empty());
    let kind = if body.of == "class" { None } else { resources::find(context.view, context.outline, &body.of) };
    let definition = match &kind {
        None => declared_class(context, body.title.as_deref()).filter(|_| body.of == "class"),
        Some(ResourceType::Defined(defined)) => Some(*defined),
        Some(_) => None,
    };
    let docs = definition.map(Definition::documentation).unwrap_or_default();
    let is_required = |name: &str| {
        definition.is_some_and(|one| one.parameters.iter().any(|one| one.name == name && one.default.is_none()))
    };
    let mut propose = |name: &str, detail: &str| {
        if name.starts_with(&context.typed) && !given.contains(name) {
            let words = docs::attribute(&body.of, name).or(docs.parameters.get(name).map(String::as_str));
            let words = words.or_else(|| resources::metaparameter(name));
            found.add(CompletionItem {
                insert_text: Some(format!("{name} => ")),
                documentation: words.map(|words| lsp_types::Documentation::String(words.to_owned())),
                sort_text: Some(attribute_order(name, is_required(name))),
                ..item(name, CompletionItemKind::FIELD, detail)
            });
        }
    };
    match (&kind, definition) {
        (None, Some(class)) => class.parameters.iter().for_each(|one| propose(&one.name, &one.declared())),
        (None, None) if body.of == "class" => return,
        (None, None) => {}
        (Some(kind), _) => kind.attributes().iter().for_each(|(name, docs)| propose(name, docs)),
    }
    if kind.is_none() {
        puppet_eval::metaparameters().for_each(|name| propose(name, "of every resource"));
    }
    if let Some(definition) = definition.filter(|_| context.typed.is_empty()) {
        let missing = definition.parameters.iter().filter(|one| one.default.is_none() && !given.contains(&*one.name));
        all_required(context, &missing.collect::<Vec<_>>(), found);
    }
}

/// Proposes the parameters of a template that a call of `epp` does not pass yet.
pub(super) fn template_parameters(
    context: &CompletionContext<'_>,
    called: &CalledTemplate,
    index: usize,
    found: &mut Completions,
) {
    let given = given_names(context.words, called.open, index, !context.typed.is_empty());
    let missing = called.parameters.iter().filter(|one| !given.contains(&*one.name));
    for one in missing.filter(|one| one.name.starts_with(&context.typed)) {
        found.add(CompletionItem {
            insert_text: Some(format!("{} => ", one.name)),
            sort_text: Some(attribute_order(&one.name, one.default.is_none())),
            ..item(&one.name, CompletionItemKind::FIELD, &one.declared())
        });
    }
}

/// Sorts required parameters first, then the attribute that most resources have, and those of every resource last.
fn attribute_order(name: &str, is_required: bool) -> String {
    let rank = if is_required {
        1
    } else if name == "ensure" {
        2
    } else if resources::metaparameter(name).is_some() {
        9
    } else {
        3
    };
    format!("{rank}{name}")
}

/// Proposes all required parameters at once.
fn all_required(context: &CompletionContext<'_>, missing: &[&Parameter], found: &mut Completions) {
    if missing.len() < 2 || !context.snapshot.capabilities.snippets {
        return;
    }
    let width = missing.iter().map(|one| one.name.len()).max().unwrap_or_default();
    let lines = missing.iter().enumerate().map(|(index, one)| {
        let kind = one.kind.as_deref().unwrap_or("Any").replace(['$', '}', '\\'], "");
        format!("{:width$} => ${{{}:{kind}}},", one.name, index + 1)
    });
    let names: Vec<&str> = missing.iter().map(|one| one.name.as_str()).collect();
    found.add(CompletionItem {
        insert_text: Some(lines.collect::<Vec<_>>().join("\n")),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        sort_text: Some("0".to_owned()),
        ..item("all required parameters", CompletionItemKind::SNIPPET, &names.join(", "))
    });
}

/// Proposes the words that the type of a variable lists, in a string.
pub(super) fn values_of_variable(
    context: &CompletionContext<'_>,
    variable: usize,
    typed: &str,
    found: &mut Completions,
) {
    let inference = TypeInference::new(context.view, context.outline, context.document);
    let Some((kind, _)) = inference.at(context.words.extent(variable).first() + 1) else { return };
    let mut items = Vec::new();
    values_of_type(&kind, &mut items);
    items.retain(|one| one.kind == Some(CompletionItemKind::ENUM_MEMBER) && one.label.starts_with(typed));
    items.into_iter().for_each(|one| found.add(one));
}

/// The data type that a type of the Resource API declares for an attribute.
fn declared_type<'k>(kind: Option<&'k ResourceType<'_>>, name: &str) -> Option<&'k str> {
    let Some(ResourceType::Ruby(kind)) = kind else { return None };
    kind.attributes.iter().find(|one| one.name == name)?.data_type.as_deref()
}

/// Puts words of an `Enum` into quotes, unless the cursor is in a string.
pub(super) fn quote_words(items: &mut [CompletionItem], is_quoted: bool) {
    for item in items.iter_mut().filter(|item| !is_quoted && item.kind == Some(CompletionItemKind::ENUM_MEMBER)) {
        item.insert_text = Some(format!("'{}'", item.label));
    }
}

/// References to the resources that the file declares.
pub(super) fn own_references(context: &CompletionContext<'_>) -> Vec<CompletionItem> {
    let own = context.document.program().map(crate::outline::resource_titles).unwrap_or_default();
    let references = own.iter().map(|one| {
        let title = one.title.replace('\\', "\\\\").replace('\'', "\\'");
        format!("{}['{title}']", puppet_eval::capitalized(&one.resource_type))
    });
    references.map(|one| item(&one, CompletionItemKind::REFERENCE, "declared in this file")).collect()
}

fn declared_class<'c>(context: &CompletionContext<'c>, title: Option<&str>) -> Option<&'c Definition> {
    context.outline.find(DefinitionKind::Class, title?)
}

/// The names that a resource or a hash gives values, without the one at the cursor. A semicolon begins another resource.
fn given_names<'w>(words: &CodeWords<'w>, open: usize, index: usize, is_typed: bool) -> HashSet<&'w str> {
    let mut given = HashSet::default();
    let mut depth = 0_usize;
    for at in open + 1..words.len() {
        match words.text(at) {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            ";" if depth == 0 && at < index => given.clear(),
            ";" if depth == 0 => break,
            _ if depth == 0 && !(is_typed && at == index) && matches!(words.text(at + 1), "=>" | "+>") => {
                given.insert(words.unquoted(at));
            }
            _ => {}
        }
    }
    given
}

/// Proposes the values that are listed for the attribute before a word. In a string, they are not quoted.
pub(super) fn values(
    context: &CompletionContext<'_>,
    index: usize,
    typed: &str,
    is_quoted: bool,
    found: &mut Completions,
) {
    let CompletionContext { words, view, outline, .. } = context;
    let Some(name) = index.checked_sub(2).map(|index| words.text(index)) else { return };
    let Some((of, title, _)) = words.resource_around(index) else { return };
    let is_class = of == "class";
    let kind = if is_class { None } else { resources::find(*view, outline, &of) };
    let definition = match &kind {
        None if is_class => declared_class(context, title.as_deref()),
        Some(ResourceType::Defined(defined)) => Some(*defined),
        _ => None,
    };
    let mut items = Vec::new();
    if RELATIONSHIPS.contains(&name) && !is_quoted {
        items.extend(own_references(context));
    } else if let Some(kind) = definition.and_then(|one| one.parameters.iter().find(|one| one.name == name)) {
        if let Some(kind) = kind.kind.as_deref().and_then(|kind| view.as_ref()?.type_of(kind)) {
            values_of_type(&kind, &mut items);
        }
        quote_words(&mut items, is_quoted);
    } else if let Some(kind) = declared_type(kind.as_ref(), name).and_then(|kind| view.as_ref()?.type_of(kind)) {
        values_of_type(&kind, &mut items);
        quote_words(&mut items, is_quoted);
    } else {
        let detail = format!("{name} of {of}");
        let values = resources::values(kind.as_ref(), &of, name);
        items.extend(values.iter().map(|value| item(value, CompletionItemKind::ENUM_MEMBER, &detail)));
    }
    for (at, mut item) in items.into_iter().enumerate() {
        if item.label.starts_with(typed) {
            // Before all functions, in the order of their declaration.
            item.sort_text = Some(format!("0{at:04}"));
            found.add(item);
        }
    }
}
