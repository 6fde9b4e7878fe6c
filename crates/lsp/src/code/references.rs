//! Every place of code that names something.

use hieratic_diagnostics::Span;
use std::path::PathBuf;

use hieratic_audit::View;
use lsp_server::ResponseError;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};

use super::scope;
use super::thing::{Thing, Words};
use crate::document::{Document, Language};
use crate::outline::plain;
use crate::world::World;

/// The maximum depth of folders that are searched.
const DEEPEST: usize = 40;

/// Returns the references to the symbol at an offset.
pub(crate) fn references(
    world: &World,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<Location>>, ResponseError> {
    let words = Words::of(document);
    let Some(thing) = words.index_at(offset).and_then(|index| words.thing(index)) else { return Ok(None) };
    match &thing {
        Thing::Variable(name) if !name.contains("::") => {
            let spans = local(document, offset, name);
            let uri = &document.uri;
            let place = |span: Span| Location { uri: uri.clone(), range: document.range(span) };
            let mut found: Vec<Location> = spans.into_iter().map(place).collect();
            // Templates in Ruby see the variables of what renders them.
            if let Some(around) = scope::definition_around(document, offset) {
                let part = around.span;
                found.extend(crate::templates::erb::places_below(world, document, part, name));
            }
            return Ok(Some(found));
        }
        Thing::Key(key) => {
            let Some(view) = world.view_of(&document.path) else { return Ok(None) };
            let Some(analysis) = world.analysis_of(&document.path) else { return Ok(None) };
            return crate::data::define::references(world, view, analysis, key, declaration).map(Some);
        }
        _ => {}
    }
    let Some(view) = world.view_of(&document.path) else { return Ok(None) };
    let wanted = Wanted::of(&thing);
    let mut found = Vec::new();
    for path in code_files(world, view) {
        world.go_on()?;
        found.extend(world.waiting.found(in_file(world, &path, &wanted.word, &|thing| wanted.is(thing))));
    }
    if let Thing::Attribute { of, title, name } = &thing
        && of == "class"
        && let Some(class) = title
    {
        found.extend(crate::data::define::keys_of(world, view, &format!("{class}::{name}")));
    }
    Ok(Some(found))
}

/// The symbol to search for, under one of the names that it may have.
struct Wanted {
    things: Vec<Thing>,
    /// The word that a file must contain, in lower case.
    word: String,
}

impl Wanted {
    fn of(thing: &Thing) -> Wanted {
        let (things, word) = match thing {
            Thing::ResourceType(name) => (vec![thing.clone(), Thing::Type(capitalized(name))], name.clone()),
            Thing::Type(name) => (vec![thing.clone(), Thing::ResourceType(name.to_lowercase())], name.to_lowercase()),
            Thing::Class(name) | Thing::Function(name) | Thing::Variable(name) | Thing::Key(name) => {
                (vec![thing.clone()], name.to_lowercase())
            }
            Thing::Attribute { name, .. } => (vec![thing.clone()], name.to_lowercase()),
            Thing::File(_, path) => (vec![thing.clone()], path.to_lowercase()),
        };
        Wanted { things, word: word.trim_start_matches("::").to_owned() }
    }

    fn is(&self, thing: &Thing) -> bool {
        self.things.iter().any(|wanted| match (wanted, thing) {
            (Thing::Variable(wanted), Thing::Variable(name)) => plain(wanted) == plain(name),
            _ => wanted == thing,
        })
    }
}

/// Every part of a name with a capital letter, as references to resources have it.
fn capitalized(name: &str) -> String {
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}", letters.as_str())
    });
    parts.collect::<Vec<_>>().join("::")
}

/// The manifests and templates of an environment and its modules.
fn code_files(world: &World, view: &View) -> Vec<PathBuf> {
    let mut found = files(world, view, &["manifests", "functions", "types", "plans", "templates"]);
    found.retain(|path| Language::of(path, "").is_code());
    found
}

/// All files in folders of an environment and its modules.
pub(crate) fn files(world: &World, view: &View, folders: &[&str]) -> Vec<PathBuf> {
    let Some(files) = world.files_around(view.root()) else { return Vec::new() };
    let layers = view.environment().layers();
    let modules = layers.modules.values().map(|module| &module.root);
    let mut found = Vec::new();
    for root in modules.chain([&layers.environment.root]) {
        let mut open = Vec::new();
        for folder in folders {
            open.push((root.join(folder), 0));
        }
        while let Some((folder, depth)) = open.pop() {
            for entry in files.list(&folder).unwrap_or_default() {
                let path = folder.join(&entry.name);
                match entry.kind {
                    hieratic::powers::Kind::Folder if depth < DEEPEST => open.push((path, depth + 1)),
                    hieratic::powers::Kind::File => found.push(path),
                    _ => {}
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn in_file(world: &World, path: &std::path::Path, word: &str, is_wanted: &dyn Fn(&Thing) -> bool) -> Vec<Location> {
    let Some(document) = world.document(path) else { return Vec::new() };
    // Names are written in any case, in few of all files.
    if !document.text.to_lowercase().contains(word) {
        return Vec::new();
    }
    let words = Words::of(&document);
    let found = (0..words.len()).filter(|index| words.text(*index).to_lowercase().contains(word));
    let found = found.filter(|index| words.thing(*index).as_ref().is_some_and(is_wanted));
    found
        .map(|index| {
            let span = words.extent(index);
            Location { uri: document.uri.clone(), range: document.range(span) }
        })
        .collect()
}

/// The places of code that look up a key.
pub(crate) fn of_key(world: &World, view: &View, key: &str) -> Result<Vec<Location>, ResponseError> {
    let mut found = Vec::new();
    let wanted = Thing::Key(key.to_owned());
    for path in code_files(world, view) {
        world.go_on()?;
        found.extend(in_file(world, &path, &key.to_lowercase(), &|thing| *thing == wanted));
    }
    Ok(found)
}

/// The places of a file that name a variable of the definition around a place.
fn local(document: &Document, offset: usize, name: &str) -> Vec<Span> {
    let around = scope::definition_around(document, offset);
    let limits = around.map_or(0..document.text.len(), |one| one.span.range());
    let words = Words::of(document);
    let indexes = words.first_behind(limits.start)..words.len();
    let spans = indexes.filter(|index| words.thing(*index) == Some(Thing::Variable(name.to_owned())));
    spans.map(|index| words.extent(index)).take_while(|span| span.first() < limits.end).collect()
}

/// Returns the occurrences of the symbol at an offset in its document.
pub(crate) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    let words = Words::of(document);
    let thing = words.thing(words.index_at(offset)?)?;
    let spans: Vec<Span> = match &thing {
        Thing::Variable(name) => local(document, offset, name),
        _ => {
            let wanted = Wanted::of(&thing);
            let same = (0..words.len()).filter(|index| words.thing(*index).is_some_and(|thing| wanted.is(&thing)));
            same.map(|index| words.extent(index)).collect()
        }
    };
    let lit = spans
        .into_iter()
        .map(|span| DocumentHighlight { range: document.range(span), kind: Some(DocumentHighlightKind::TEXT) });
    Some(lit.collect())
}
