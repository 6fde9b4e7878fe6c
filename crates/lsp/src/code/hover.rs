//! Hover on code.

use hieratic::{Value, puppet_eval};
use hieratic_diagnostics::Span;
use hieratic_lint::View;

use super::define::inherited_name;
use super::docs;
use super::functions::{self, Function};
use super::infer::TypeInference;
use super::resources::{self, ResourceType};
use super::scope;
use super::symbol_at::{CodeWords, Symbol};
use super::template_calls::CalledTemplate;
use crate::data::markdown::{self, code};
use crate::document::Document;
use crate::outline::{Definition, DefinitionKind, Outline};
use crate::snapshot::Snapshot;

/// The documentation of functions.
const FUNCTION_DOCS: &str = "https://www.puppet.com/docs/puppet/8/function.html";

/// The documentation of resource types.
const TYPE_DOCS: &str = "https://www.puppet.com/docs/puppet/8/types";

/// Returns the hover of a word of code, and the span of the word.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let words = CodeWords::new(document);
    let index = words.index_at(offset)?;
    let view = snapshot.view_of(&document.path);
    let outline = snapshot.outline_of(&document.path);
    if let Some(called) = CalledTemplate::around(snapshot, view, &words, index)
        && let Some(parameter) = called.named(&words, index)
    {
        return Some((block(&parameter.declared()), words.extent(index)));
    }
    let Some(symbol) = words.symbol(index) else { return expression(view, &outline, document, offset) };
    let text = match &symbol {
        Symbol::Variable(name) => variable(snapshot, view, document, offset, name)?,
        Symbol::Class(name) => class(snapshot, view, &outline, name)?,
        Symbol::ResourceType(name) => resource(&outline, view, name)?,
        Symbol::Function(name) => function(snapshot, view, &outline, name)?,
        Symbol::Type(name) => kind(view, &outline, name)?,
        Symbol::Attribute { of, title, name } => attribute(snapshot, view, &outline, of, title.as_deref(), name)?,
        Symbol::Key(key) => {
            let view = view?;
            crate::data::hover::key_hover(snapshot, view, snapshot.node_for(view, None).as_ref(), key)
        }
        Symbol::Fact(path) => crate::facts::describe(snapshot, view, path)?,
        Symbol::File(..) => return None,
        Symbol::Resource { of, title } => declaration(snapshot, document, &outline, of, title)?,
    };
    Some((text, words.extent(index)))
}

/// Describes the type of the expression at an offset.
fn expression(view: Option<&View>, outline: &Outline, document: &Document, offset: usize) -> Option<(String, Span)> {
    let (kind, span) = TypeInference::new(view, outline, document).at(offset)?;
    Some((format!("Type: {}", code(&kind.to_string())), span))
}

/// Shows the declaration of a resource: at most its first lines.
fn declaration(snapshot: &Snapshot, document: &Document, outline: &Outline, of: &str, title: &str) -> Option<String> {
    const LINES: usize = 12;
    let declared = resources::declared(document, outline, of, title);
    let (path, resource) = declared.first()?;
    let other = snapshot.document(path)?;
    let source = other.slice(resource.body);
    let mut lines: Vec<&str> = source.lines().take(LINES).collect();
    if source.lines().count() > LINES {
        lines.push("  # ...");
    }
    let more = match declared.len() {
        1 => String::new(),
        several => format!("\n\nDeclared in {several} places."),
    };
    Some(format!("{}{more}", block(&format!("{of} {{ {}\n}}", lines.join("\n")))))
}

fn block(text: &str) -> String {
    format!("```puppet\n{}\n```\n", text.replace("```", "'''"))
}

fn defined(definition: &Definition) -> String {
    let docs = definition.documentation();
    let mut text = block(&definition.signature());
    if !docs.text.is_empty() {
        text.push_str(&format!("\n{}\n", docs.text));
    }
    for (title, example) in &docs.examples {
        let title = if title.is_empty() { "Example" } else { title };
        text.push_str(&format!("\n{title}:\n\n{}", block(example)));
    }
    for parameter in &definition.parameters {
        if let Some(words) = docs.parameters.get(&parameter.name).filter(|words| !words.is_empty()) {
            text.push_str(&format!("\n- `${}`: {words}", parameter.name));
        }
    }
    text
}

/// A class, and the values that data has for its parameters.
fn class(snapshot: &Snapshot, view: Option<&View>, outline: &Outline, name: &str) -> Option<String> {
    let definition = outline.find(DefinitionKind::Class, name)?;
    let mut text = defined(definition);
    let Some(context) = view.and_then(|view| snapshot.node_for(view, None)) else { return Some(text) };
    let mut values = Vec::new();
    for parameter in &definition.parameters {
        let key = format!("{name}::{}", parameter.name);
        let why = context.node.why(&hieratic::Query::new(&key));
        if let Ok(answer) = &why.answer {
            let value = markdown::short(&markdown::shown(&context, &answer.value, why.hides));
            let place = why.layers.first().and_then(|layer| layer.place.as_ref());
            let place =
                place.map(|origin| format!(", {}", code(&markdown::place(&context, origin)))).unwrap_or_default();
            values.push(format!("\n- `${}`: {}{place}", parameter.name, code(&value)));
        }
    }
    if !values.is_empty() {
        let who = match &context.name {
            Some(name) => format!("for the node {name}"),
            None => "for a node without facts".to_owned(),
        };
        text.push_str(&format!("\n\n---\n\nData has, {who}:\n{}", values.concat()));
    }
    Some(text)
}

fn resource(outline: &Outline, view: Option<&View>, name: &str) -> Option<String> {
    Some(match resources::find(view, outline, name)? {
        ResourceType::Agent(name) => {
            let attributes: Vec<&str> =
                hieratic::puppet_eval::resource_attributes(name).into_iter().flatten().collect();
            let page = match name {
                "exec" | "file" | "filebucket" | "group" | "notify" | "package" | "resources" | "schedule"
                | "service" | "stage" | "tidy" | "user" => format!("\n\n[Reference]({TYPE_DOCS}/{name}.html)"),
                _ => String::new(),
            };
            format!("**{name}**\n\nResource type with the attributes {}.{page}", listed(&attributes))
        }
        ResourceType::Defined(definition) => defined(definition),
        ResourceType::Ruby(kind) => {
            let names: Vec<&str> = kind.attributes.iter().map(|one| one.name.as_str()).collect();
            format!("**{name}**\n\nResource type of {} with the attributes {}.", kind.file.display(), listed(&names))
        }
    })
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
    names.join(", ")
}

pub(crate) fn function(snapshot: &Snapshot, view: Option<&View>, outline: &Outline, name: &str) -> Option<String> {
    let found = functions::find(view, outline, snapshot.version, name)?;
    Some(match &found {
        Function::Defined(definition) => defined(definition),
        Function::Ruby(function) => {
            let overloads: Vec<String> = found.overloads().into_iter().map(|way| way.label).collect();
            let head = if overloads.is_empty() { format!("**{name}**\n") } else { block(&overloads.join("\n")) };
            let docs = function.documentation();
            let docs = if docs.is_empty() { docs } else { format!("\n{docs}\n") };
            format!("{head}{docs}\nFunction in Ruby: {}", function.file.display())
        }
        Function::Known(name, _) => {
            let overloads: Vec<String> = found.overloads().into_iter().map(|way| way.label).collect();
            let is_listed = hieratic::code::function_names().any(|known| known == *name) && !name.contains("::");
            let page = if is_listed { format!("\n[Reference]({FUNCTION_DOCS}#{name})") } else { String::new() };
            let docs = puppet_eval::function_doc(name).map(|doc| {
                let example = doc.example.map(|example| format!("\n{}", block(example))).unwrap_or_default();
                format!("\n{}\n{example}", doc.summary)
            });
            format!("{}{}{page}", block(&overloads.join("\n")), docs.unwrap_or_default())
        }
    })
}

fn kind(view: Option<&View>, outline: &Outline, name: &str) -> Option<String> {
    if let Some(alias) = outline.named(name).find(|one| one.kind == DefinitionKind::TypeAlias) {
        return Some(defined(alias));
    }
    let lower = name.to_lowercase();
    if let Some(text) = resource(outline, view, &lower) {
        return Some(text);
    }
    let known = view?.type_of(name)?;
    let text = known.resolved().to_string();
    let is_itself = text == name;
    let docs = docs::kind(name);
    Some(match (is_itself, docs) {
        (_, Some(docs)) => format!("**{name}**\n\n{docs}"),
        (true, None) => format!("The type {}", code(name)),
        (false, None) => block(&format!("type {name} = {text}")),
    })
}

fn attribute(
    snapshot: &Snapshot,
    view: Option<&View>,
    outline: &Outline,
    of: &str,
    title: Option<&str>,
    name: &str,
) -> Option<String> {
    if of == "class" {
        let title = title?;
        let class = outline.find(DefinitionKind::Class, title)?;
        if let Some(text) = parameter(snapshot, view, class, name) {
            return Some(text);
        }
    } else if let Some(ResourceType::Defined(defined)) = resources::find(view, outline, of)
        && let Some(text) = parameter(snapshot, view, defined, name)
    {
        return Some(text);
    }
    if let Some(docs) = resources::metaparameter(name) {
        return Some(format!("**{name}**\n\n{docs}"));
    }
    let kind = resources::find(view, outline, of)?;
    let (name, docs) = kind.attributes().into_iter().find(|(known, _)| known == name)?;
    match docs::attribute(of, &name) {
        Some(words) => Some(format!("**{name}** ({docs})\n\n{words}")),
        None => Some(format!("**{name}**: {docs}")),
    }
}

/// A parameter of a definition, with its values in data.
pub(crate) fn parameter(snapshot: &Snapshot, view: Option<&View>, of: &Definition, name: &str) -> Option<String> {
    let parameter = of.parameters.iter().find(|one| one.name == name)?;
    let mut text = block(&parameter.declared());
    if let Some(docs) = of.documentation().parameters.get(name) {
        text.push_str(&format!("\n{docs}\n"));
    }
    if of.kind == DefinitionKind::Class
        && let Some(view) = view
        && let Some(context) = snapshot.node_for(view, None)
    {
        let key = format!("{}::{name}", of.name);
        let why = context.node.why(&hieratic::Query::new(&key));
        if let Ok(answer) = &why.answer {
            let value = markdown::block(&markdown::shown(&context, &answer.value, why.hides));
            text.push_str(&format!("\n---\n\n{value}\n\nFrom data: {}.", markdown::merge(&context, &why)));
        }
    }
    Some(text)
}

fn variable(
    snapshot: &Snapshot,
    view: Option<&View>,
    document: &Document,
    offset: usize,
    name: &str,
) -> Option<String> {
    if let Some(found) = scope::variables(document, offset + 1).into_iter().find(|one| one.name == name) {
        if found.is_parameter
            && let Some(definition) = scope::definition_around(document, offset)
        {
            return parameter(snapshot, view, &definition, name);
        }
        let outline = snapshot.outline_of(&document.path);
        let kind = TypeInference::new(view, &outline, document).variable_type(name, offset);
        let kind = kind.map(|kind| format!("\nType: {}", code(&kind.to_string()))).unwrap_or_default();
        return Some(format!("{}{kind}", block(&found.declaration)));
    }
    match inherited_name(snapshot, document, offset, name) {
        Some(inherited) => known_variable(snapshot, view, document, &inherited),
        None => known_variable(snapshot, view, document, name),
    }
}

/// Returns the hover of a variable that a class sets.
fn assigned(snapshot: &Snapshot, view: Option<&View>, class: &Definition, name: &str) -> Option<String> {
    let document = snapshot.document(&class.path)?;
    let end = class.span.behind();
    let found = scope::variables(&document, end).into_iter().find(|one| one.name == name)?;
    let outline = snapshot.outline_of(&document.path);
    let kind = TypeInference::new(view, &outline, &document).variable_type(name, found.span.first());
    let kind = kind.map(|kind| format!("\nType: {}", code(&kind.to_string()))).unwrap_or_default();
    Some(format!("{}{kind}", block(&found.declaration)))
}

/// Returns the hover of a variable from outside the scope: of another class, a fact, or a built-in one.
pub(crate) fn known_variable(
    snapshot: &Snapshot,
    view: Option<&View>,
    document: &Document,
    name: &str,
) -> Option<String> {
    // A variable of another class is one of its parameters.
    if let Some((class, last)) = name.trim_start_matches("::").rsplit_once("::") {
        let outline = snapshot.outline_of(&document.path);
        let class = outline.find(DefinitionKind::Class, class)?;
        return parameter(snapshot, view, class, last).or_else(|| assigned(snapshot, view, class, last));
    }
    let top = name.trim_start_matches("::");
    let facts = snapshot.chosen.shown_facts();
    if let Some(value) = facts.and_then(|facts| facts.facts().get(top)) {
        let who = facts.and_then(hieratic::Facts::node).unwrap_or("the node");
        return Some(format!("Fact of {who}:\n\n{}", markdown::block(&Value::clone(value))));
    }
    let docs = match top {
        "facts" => "The facts of the node, by name.",
        "trusted" => "Data of the node's certificate.",
        "server_facts" => "Facts that the server adds.",
        "environment" => "The name of the environment.",
        "title" => "The title of the resource or class.",
        "name" => "The name of the resource or class.",
        "module_name" => "The module that the code is in.",
        "caller_module_name" => "The module whose code has declared this.",
        _ => return None,
    };
    Some(format!("**${top}**\n\n{docs}"))
}
