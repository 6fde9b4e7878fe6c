//! ERB templates: variables of the classes and defined types that render them.

use hieratic_diagnostics::Span;
use std::collections::BTreeMap;
use std::path::PathBuf;

use hieratic_lint::View;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Location, TextEdit};

use super::lexer::{Tag, TagKind, WordKind};
use crate::code::define::module_file;
use crate::code::references::files;
use crate::code::scope::{self, Variable};
use crate::code::symbol_at::{CodeWords, Symbol};
use crate::document::{Document, Language};
use crate::outline::{Definition, definitions};
use crate::snapshot::Snapshot;

/// A class or defined type that renders a template, with the variables that the template sees.
pub(crate) struct TemplateCaller {
    pub(crate) definition: Definition,
    pub(crate) document: std::sync::Arc<Document>,
    pub(crate) variables: Vec<Variable>,
}

/// The maximum number of callers of a template that are read.
const MAX_CALLERS: usize = 20;

/// The name by which code calls a template: `module/path`.
pub(crate) fn name_of(view: &View, document: &Document) -> Option<String> {
    let modules = &view.environment().layers().modules;
    modules.iter().find_map(|(name, module)| {
        let below = document.path.strip_prefix(module.root.join("templates")).ok()?;
        Some(format!("{name}/{}", below.to_str()?))
    })
}

/// The definitions whose code names a template: those of its module, or else of all modules.
pub(crate) fn callers(snapshot: &Snapshot, document: &Document) -> Vec<TemplateCaller> {
    let Some(view) = snapshot.view_of(&document.path) else { return Vec::new() };
    let Some(name) = name_of(view, document) else { return Vec::new() };
    let folder = document.path.ancestors().find(|at| at.file_name().is_some_and(|name| name == "templates"));
    let module = folder.and_then(|folder| folder.parent()).map(|module| module.join("manifests"));
    let all = files(snapshot, view, &["manifests"]);
    let (own, others): (Vec<PathBuf>, Vec<PathBuf>) =
        all.into_iter().partition(|path| module.as_ref().is_some_and(|module| path.starts_with(module)));
    let mut found = Vec::new();
    for paths in [own, others] {
        for path in paths {
            if found.len() >= MAX_CALLERS || snapshot.check_cancelled().is_err() {
                return found;
            }
            found.extend(callers_in(snapshot, &path, &name));
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

fn callers_in(snapshot: &Snapshot, path: &std::path::Path, name: &str) -> Vec<TemplateCaller> {
    let Some(document) = snapshot.document(path).filter(|document| document.text.contains(name)) else {
        return Vec::new();
    };
    let Some(program) = document.program() else { return Vec::new() };
    let words = CodeWords::new(&document);
    let target = Symbol::File("templates", name.to_owned());
    let named = (0..words.len()).filter(|index| words.text(*index).contains(name));
    let places: Vec<usize> = named
        .filter(|index| words.symbol(*index).as_ref() == Some(&target) || words.unquoted(*index) == name)
        .map(|index| words.extent(index).first())
        .collect();
    let mut found: Vec<TemplateCaller> = Vec::new();
    for one in definitions(path, program) {
        if places.iter().any(|place| one.span.first() <= *place && *place < one.span.behind()) {
            let variables = scope::variables(&document, one.span.behind().saturating_sub(1));
            found.push(TemplateCaller { definition: one, document: document.clone(), variables });
        }
    }
    found
}

/// Returns the Puppet variable that a word of a template names: `@name`, or the string in `scope['class::name']`.
fn named(document: &Document, tag: &Tag, index: usize) -> Option<String> {
    let text = &*document.text;
    let word = tag.words.get(index)?;
    let written = tag.text(text, index);
    match word.kind {
        WordKind::Name => written.strip_prefix('@').filter(|name| !name.starts_with('@')).map(str::to_owned),
        WordKind::String => {
            let before = tag.before(text, index);
            let further = index.checked_sub(2).map_or("", |index| tag.text(text, index));
            let is_scope = before == "[" && further == "scope"
                || matches!(before, "(" | "lookupvar") && [before, further].contains(&"lookupvar");
            is_scope.then(|| written.trim_matches(['\'', '"']).to_owned())
        }
        _ => None,
    }
}

/// The function of Puppet that a word calls: `scope.function_x`, `scope.call_function('x', ...)`.
fn called<'d>(document: &'d Document, tag: &Tag, index: usize) -> Option<&'d str> {
    let text = &*document.text;
    let written = tag.text(text, index);
    if tag.before(text, index) == "." {
        return written.strip_prefix("function_");
    }
    let before = tag.before(text, index);
    let further = index.checked_sub(2).map_or("", |index| tag.text(text, index));
    let is_call = before == "(" && further == "call_function" || before == "call_function";
    (is_call && tag.words.get(index)?.kind == WordKind::String).then(|| written.trim_matches(['\'', '"']))
}

/// The hover on a word of a template.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let (tag, index) = document.template().word_at(offset)?;
    let word = tag.words.get(index)?;
    let span = word.span();
    let view = snapshot.view_of(&document.path);
    if let Some(name) = called(document, tag, index) {
        let outline = snapshot.outline_of(&document.path);
        return Some((crate::code::hover::function(snapshot, view, &outline, name)?, span));
    }
    let name = named(document, tag, index)?;
    if !name.contains("::") {
        for user in callers(snapshot, document) {
            let Some(variable) = user.variables.iter().find(|one| one.name == name) else { continue };
            let docs = if variable.is_parameter {
                crate::code::hover::parameter(snapshot, view, &user.definition, &name)
            } else {
                Some(format!("```puppet\n{}\n```\n", variable.declaration.replace("```", "'''")))
            };
            let of = format!("\n\nOf the {} `{}`.", user.definition.kind.word(), user.definition.name);
            return docs.map(|docs| (docs + &of, span));
        }
    }
    Some((crate::code::hover::known_variable(snapshot, view, document, &name)?, span))
}

/// Returns the declaration or assignment of the variable at an offset, or the file that the template names there.
pub(crate) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let (tag, index) = document.template().word_at(offset)?;
    if let Some(path) = file_of(snapshot, document, tag, index) {
        return snapshot.location(&path, Span::default()).map(|place| vec![place]);
    }
    let name = named(document, tag, index)?;
    if name.contains("::") {
        return crate::code::define::class_variable(snapshot, document, &name);
    }
    let mut found = Vec::new();
    for user in callers(snapshot, document) {
        if let Some(one) = user.variables.iter().find(|one| one.name == name) {
            let range = user.document.range(one.span);
            found.push(Location { uri: user.document.uri.clone(), range });
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Returns the references to the variable at an offset in the template, and its declarations in code.
pub(crate) fn references(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Option<Vec<Location>> {
    let (tag, index) = document.template().word_at(offset)?;
    let name = named(document, tag, index)?;
    let mut found: Vec<Location> = places_of(document, &name);
    if declaration {
        found.extend(definition(snapshot, document, offset).unwrap_or_default());
    }
    Some(found)
}

/// Returns the references to a variable in a template.
pub(crate) fn places_of(document: &Document, name: &str) -> Vec<Location> {
    let words =
        document.template().words().filter(|(tag, index, _)| named(document, tag, *index).as_deref() == Some(name));
    words.map(|(.., word)| Location { uri: document.uri.clone(), range: document.range(word.span()) }).collect()
}

/// Returns the references to a variable in the templates that a part of code renders.
pub(crate) fn places_below(snapshot: &Snapshot, code: &Document, part: Span, name: &str) -> Vec<Location> {
    let Some(view) = snapshot.view_of(&code.path) else { return Vec::new() };
    let words = CodeWords::new(code);
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for index in words.first_behind(part.first())..words.len() {
        if words.extent(index).start >= part.end {
            break;
        }
        let Some(Symbol::File("templates", path)) = words.symbol(index) else { continue };
        let file = module_file(view, "templates", &path).filter(|file| Language::from_path(file, "") == Language::Erb);
        let Some(file) = file.filter(|file| !seen.contains(file)) else { continue };
        if let Some(template) = snapshot.document(&file) {
            found.extend(places_of(&template, name));
        }
        seen.push(file);
    }
    found
}

/// The template or file of a module that an argument of a function names.
pub(super) fn file_of(snapshot: &Snapshot, document: &Document, tag: &Tag, index: usize) -> Option<PathBuf> {
    let text = &*document.text;
    let name = tag.text(text, index).trim_matches(['\'', '"']);
    if tag.words.get(index)?.kind != WordKind::String || !name.contains('/') {
        return None;
    }
    let view = snapshot.view_of(&document.path)?;
    if let Some(path) = name.strip_prefix("puppet:///modules/") {
        return module_file(view, "files", path);
    }
    let mut functions = (0..index).filter_map(|at| {
        let word = tag.text(text, at);
        let name = word.strip_prefix("function_").unwrap_or_else(|| word.trim_matches(['\'', '"']));
        crate::code::symbol_at::FILE_FUNCTIONS.iter().find(|(known, _)| *known == name)
    });
    let (_, folder) = functions.next_back()?;
    module_file(view, folder, name)
}

/// Returns the completions at an offset.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let Some(tag) = document.template().tag_at(offset).filter(|tag| tag.kind != TagKind::Comment) else {
        return Vec::new();
    };
    let before = document.slice(tag.inside.first()..offset);
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '@' | ':')))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let typed = &before[start..];
    let mut found: BTreeMap<String, CompletionItem> = BTreeMap::new();
    let mut add = |label: String, detail: String| {
        if label.starts_with(typed) {
            let range = document.range(offset - typed.len()..offset);
            let edit = TextEdit { range, new_text: label.clone() };
            found.entry(label.clone()).or_insert_with(|| CompletionItem {
                filter_text: Some(label.clone()),
                label,
                kind: Some(CompletionItemKind::VARIABLE),
                detail: Some(detail),
                // Editors disagree whether the sign is part of a word.
                text_edit: Some(CompletionTextEdit::Edit(edit)),
                ..CompletionItem::default()
            });
        }
    };
    let front = before[..start].trim_end();
    let is_scope = front.ends_with(['\'', '"']) && front.trim_end_matches(['\'', '"']).ends_with("scope[");
    if !typed.starts_with('@') && !is_scope {
        return Vec::new();
    }
    let mark = if is_scope { "" } else { "@" };
    for user in callers(snapshot, document) {
        for one in &user.variables {
            add(format!("{mark}{}", one.name), one.declaration.clone());
        }
    }
    for (name, docs) in crate::facts::below(snapshot, &[]) {
        add(format!("{mark}{name}"), docs);
    }
    if is_scope && let Some((class, _)) = typed.trim_start_matches("::").rsplit_once("::") {
        let outline = snapshot.outline_of(&document.path);
        let classes = outline.named(class).filter(|one| one.kind == crate::outline::DefinitionKind::Class);
        for (class, one) in classes.flat_map(|class| class.parameters.iter().map(move |one| (class, one))) {
            add(format!("{}::{}", class.name, one.name), one.declared());
        }
    }
    found.into_values().collect()
}
