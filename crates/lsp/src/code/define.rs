//! Definitions of symbols of Puppet code.

use hieratic_audit::View;
use hieratic_diagnostics::Span;
use lsp_types::Location;

use super::functions::{self, Function};
use super::resources::{self, ResourceType};
use super::scope;
use super::thing::{Thing, Words};
use crate::data;
use crate::document::Document;
use crate::outline::{Definition, Kind};
use crate::world::World;

/// Returns the definitions of the symbol at an offset.
pub(crate) fn definition(world: &World, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let words = Words::of(document);
    let index = words.index_at(offset)?;
    let outline = world.outline_of(&document.path);
    let view = world.view_of(&document.path);
    let at = |one: &Definition| world.location(&one.path, one.name_span);
    let all = |kind: Kind, name: &str| -> Vec<Location> {
        outline.named(name).filter(|one| one.kind == kind).filter_map(at).collect()
    };
    Some(match words.thing(index)? {
        Thing::Variable(name) => return variable(world, document, offset, &name),
        Thing::Class(name) => all(Kind::Class, &name),
        Thing::ResourceType(name) => match all(Kind::Define, &name) {
            found if found.is_empty() => ruby_type(world, view, &outline, &name)?,
            found => found,
        },
        Thing::Type(name) => match all(Kind::TypeAlias, &name) {
            found if found.is_empty() => match all(Kind::Define, &name) {
                found if found.is_empty() => ruby_type(world, view, &outline, &name.to_lowercase())?,
                found => found,
            },
            found => found,
        },
        Thing::Function(name) => match functions::find(view, &outline, world.version, &name)? {
            Function::Defined(defined) => at(defined).into_iter().collect(),
            Function::Ruby(file) => world.location(&file, Span::default()).into_iter().collect(),
            Function::Known(..) => return None,
        },
        Thing::Attribute { of, title, name } => {
            let kind = if of == "class" { Kind::Class } else { Kind::Define };
            let defined = outline.find(kind, title.as_deref().unwrap_or(&of))?;
            let parameter = defined.parameters.iter().find(|one| one.name == name)?;
            world.location(&defined.path, parameter.span).into_iter().collect()
        }
        Thing::Key(key) => {
            let view = view?;
            let mut found = data::define::keys_of(world, view, &key);
            found.extend(data::define::parameter(world, view, &key));
            found
        }
        Thing::File(folder, path) => {
            let file = module_file(view?, folder, &path)?;
            world.location(&file, Span::default()).into_iter().collect()
        }
    })
}

fn ruby_type(
    world: &World,
    view: Option<&View>,
    outline: &crate::outline::Outline,
    name: &str,
) -> Option<Vec<Location>> {
    match resources::find(view, outline, name)? {
        ResourceType::Ruby(file, _) => world.location(&file, Span::default()).map(|place| vec![place]),
        _ => None,
    }
}

/// The file of a module that `module/path` means, if it is there.
pub(crate) fn module_file(view: &View, folder: &str, path: &str) -> Option<std::path::PathBuf> {
    let (module, below) = path.split_once('/')?;
    let environment = view.environment();
    let root = &environment.layers().modules.get(module)?.root;
    let file = root.join(folder).join(below);
    let is_inside = !below.split('/').any(|part| part == "..");
    (is_inside && environment.powers().code.is_file(&file)).then_some(file)
}

fn variable(world: &World, document: &Document, offset: usize, name: &str) -> Option<Vec<Location>> {
    if let Some(found) = scope::variables(document, offset + 1).into_iter().find(|one| one.name == name) {
        let range = document.range(found.span);
        return Some(vec![Location { uri: document.uri.clone(), range }]);
    }
    of_class(world, document, name)
}

/// Returns the declaration or assignment of a variable of another class.
pub(crate) fn of_class(world: &World, document: &Document, name: &str) -> Option<Vec<Location>> {
    let (class, last) = name.trim_start_matches("::").rsplit_once("::")?;
    let outline = world.outline_of(&document.path);
    let class = outline.find(Kind::Class, class)?;
    if let Some(parameter) = class.parameters.iter().find(|one| one.name == last) {
        return world.location(&class.path, parameter.span).map(|place| vec![place]);
    }
    // A variable that the class sets.
    let other = world.document(&class.path)?;
    let set = scope::variables(&other, class.span.behind()).into_iter().find(|one| one.name == last)?;
    world.location(&class.path, set.span).map(|place| vec![place])
}
