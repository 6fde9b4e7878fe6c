//! Definitions of symbols of Puppet code.

use hieratic_diagnostics::Span;
use hieratic_lint::View;
use lsp_types::Location;

use super::functions::{self, Function};
use super::resources::{self, ResourceType};
use super::ruby::{self, RubyKind};
use super::ruby_index::RubyIndex;
use super::scope;
use super::symbol_at::{CodeWords, Symbol};
use super::template_calls::CalledTemplate;
use crate::data;
use crate::document::Document;
use crate::outline::{Definition, DefinitionKind, Outline};
use crate::snapshot::Snapshot;

/// Returns the definitions of the symbol at an offset.
pub(crate) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let words = CodeWords::new(document);
    let index = words.index_at(offset)?;
    let outline = snapshot.outline_of(&document.path);
    let view = snapshot.view_of(&document.path);
    let at = |one: &Definition| snapshot.location(&one.path, one.name_span);
    let all = |kind: DefinitionKind, name: &str| -> Vec<Location> {
        outline.named(name).filter(|one| one.kind == kind).filter_map(at).collect()
    };
    if let Some(called) = CalledTemplate::around(snapshot, view, &words, index)
        && let Some(parameter) = called.named(&words, index)
    {
        return snapshot.location(&called.file, parameter.span).map(|place| vec![place]);
    }
    Some(match words.symbol(index)? {
        Symbol::Variable(name) => return variable(snapshot, document, offset, &name),
        Symbol::Class(name) => all(DefinitionKind::Class, &name),
        Symbol::ResourceType(name) => match all(DefinitionKind::Define, &name) {
            found if found.is_empty() => ruby_type(snapshot, view, &outline, &name)?,
            found => found,
        },
        Symbol::Type(name) => match all(DefinitionKind::TypeAlias, &name) {
            found if found.is_empty() => match all(DefinitionKind::Define, &name) {
                found if found.is_empty() => ruby_type(snapshot, view, &outline, &name.to_lowercase())?,
                found => found,
            },
            found => found,
        },
        Symbol::Function(name) => match functions::find(view, &outline, snapshot.version, &name)? {
            Function::Defined(defined) => at(defined).into_iter().collect(),
            Function::Ruby(function) => snapshot.location(&function.file, function.span()).into_iter().collect(),
            Function::Known(..) => return None,
        },
        Symbol::Attribute { of, title, name } => {
            let kind = if of == "class" { DefinitionKind::Class } else { DefinitionKind::Define };
            let Some(defined) = outline.find(kind, title.as_deref().unwrap_or(&of)) else {
                return ruby_declaration(snapshot, view, &outline, &of, RubyKind::Attribute, &name);
            };
            let parameter = defined.parameters.iter().find(|one| one.name == name)?;
            snapshot.location(&defined.path, parameter.span).into_iter().collect()
        }
        Symbol::Key(key) => {
            let view = view?;
            let mut found = data::define::keys_of(snapshot, view, &key);
            found.extend(data::define::parameter(snapshot, view, &key));
            found
        }
        Symbol::Fact(path) => fact(snapshot, view?, &path),
        Symbol::File(folder, path) => {
            let file = module_file(view?, folder, &path)?;
            snapshot.location(&file, Span::default()).into_iter().collect()
        }
        Symbol::Resource { of, title } => resources::declared(document, &outline, &of, &title)
            .into_iter()
            .filter_map(|(path, resource)| snapshot.location(&path, resource.span))
            .collect(),
    })
}

fn ruby_type(snapshot: &Snapshot, view: Option<&View>, outline: &Outline, name: &str) -> Option<Vec<Location>> {
    ruby_declaration(snapshot, view, outline, name, RubyKind::ResourceType, name)
}

/// Returns the declaration of a resource type in Ruby, or of one of its attributes.
fn ruby_declaration(
    snapshot: &Snapshot,
    view: Option<&View>,
    outline: &Outline,
    resource_type: &str,
    kind: RubyKind,
    name: &str,
) -> Option<Vec<Location>> {
    let ResourceType::Ruby(found) = resources::find(view, outline, resource_type)? else { return None };
    let document = snapshot.document(&found.file)?;
    let of_api = resources::api_attributes(&document.text).into_iter().find(|(attribute, _)| attribute.name == name);
    let span = match of_api.filter(|_| kind == RubyKind::Attribute) {
        Some((_, span)) => span,
        None => ruby::span_of(&document.text, kind, name),
    };
    Some(vec![Location { uri: document.uri.clone(), range: document.range(span) }])
}

/// Returns where modules resolve a fact: the one with the longest part of the path.
fn fact(snapshot: &Snapshot, view: &View, path: &[String]) -> Vec<Location> {
    let index = RubyIndex::of(snapshot, view);
    let names = (1..=path.len()).rev().map(|length| path[..length].join("."));
    let found = names.into_iter().find_map(|name| index.facts.get(&name));
    found.into_iter().flatten().filter_map(|fact| snapshot.location(&fact.file, fact.span)).collect()
}

/// The file of a module that `module/path` means, if it is there.
pub(crate) fn module_file(view: &View, folder: &str, path: &str) -> Option<std::path::PathBuf> {
    let (module, below) = path.split_once('/')?;
    let environment = view.environment();
    let root = &environment.layers().modules.get(module)?.root;
    let file = root.join(folder).join(below);
    let is_inside = !below.split('/').any(|part| part == "..");
    (is_inside && environment.capabilities().code.is_file(&file)).then_some(file)
}

fn variable(snapshot: &Snapshot, document: &Document, offset: usize, name: &str) -> Option<Vec<Location>> {
    if let Some(found) = scope::variables(document, offset + 1).into_iter().find(|one| one.name == name) {
        let range = document.range(found.span);
        return Some(vec![Location { uri: document.uri.clone(), range }]);
    }
    if !name.contains("::") {
        return class_variable(snapshot, document, &inherited_name(snapshot, document, offset, name)?);
    }
    class_variable(snapshot, document, name)
}

/// The most classes that inherit from each other whose variables are searched. Classes may inherit in a circle.
const MAX_PARENTS: usize = 20;

/// Returns the qualified name of a variable that the class around an offset inherits.
pub(crate) fn inherited_name(snapshot: &Snapshot, document: &Document, offset: usize, name: &str) -> Option<String> {
    let outline = snapshot.outline_of(&document.path);
    let mut parent = scope::definition_around(document, offset)?.parent;
    for _ in 0..MAX_PARENTS {
        let class = outline.find(DefinitionKind::Class, &parent?)?;
        if variable_of_class(snapshot, class, name).is_some() {
            return Some(format!("{}::{name}", class.name));
        }
        parent = class.parent.clone();
    }
    None
}

/// Returns the declaration or assignment of a variable of another class.
pub(crate) fn class_variable(snapshot: &Snapshot, document: &Document, name: &str) -> Option<Vec<Location>> {
    let (class, last) = name.trim_start_matches("::").rsplit_once("::")?;
    let outline = snapshot.outline_of(&document.path);
    variable_of_class(snapshot, outline.find(DefinitionKind::Class, class)?, last)
}

fn variable_of_class(snapshot: &Snapshot, class: &Definition, last: &str) -> Option<Vec<Location>> {
    if let Some(parameter) = class.parameters.iter().find(|one| one.name == last) {
        return snapshot.location(&class.path, parameter.span).map(|place| vec![place]);
    }
    // A variable that the class sets.
    let other = snapshot.document(&class.path)?;
    let set = scope::variables(&other, class.span.behind()).into_iter().find(|one| one.name == last)?;
    snapshot.location(&class.path, set.span).map(|place| vec![place])
}
