//! References in Puppet code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::puppet_eval;
use hieratic::sandbox::Files;
use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use hieratic_lint::View;
use lsp_server::ResponseError;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};
use regex::{Regex, RegexBuilder};

use super::symbol_at::{CodeWords, Symbol};
use super::{ruby, scope};
use crate::document::{Document, Language};
use crate::outline::plain;
use crate::paths::uri_of;
use crate::snapshot::Snapshot;

/// The maximum depth of folders that are searched.
const MAX_DEPTH: usize = 40;

/// Returns the references to the symbol at an offset.
pub(crate) fn references(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<Location>>, ResponseError> {
    let words = CodeWords::new(document);
    let Some(symbol) = words.index_at(offset).and_then(|index| words.symbol(index)) else { return Ok(None) };
    match &symbol {
        Symbol::Variable(name) if !name.contains("::") => {
            let spans = local(document, offset, name);
            let uri = &document.uri;
            let place = |span: Span| Location { uri: uri.clone(), range: document.range(span) };
            let mut found: Vec<Location> = spans.into_iter().map(place).collect();
            // Templates in Ruby see the variables of what renders them.
            if let Some(outer) = scope::definition_around(document, offset) {
                let part = outer.span;
                found.extend(crate::templates::erb::places_below(snapshot, document, part, name));
            }
            return Ok(Some(found));
        }
        Symbol::Key(key) => {
            let Some(view) = snapshot.view_of(&document.path) else { return Ok(None) };
            let Some(analysis) = snapshot.analysis_of(&document.path) else { return Ok(None) };
            return crate::data::define::references(snapshot, view, analysis, key, declaration).map(Some);
        }
        _ => {}
    }
    let Some(view) = snapshot.view_of(&document.path) else { return Ok(None) };
    let mut found = places(snapshot, view, &symbol)?;
    match &symbol {
        Symbol::Function(name) => found.extend(ruby_calls(snapshot, view, name)?),
        Symbol::Fact(path) => found.extend(interpolated_facts(snapshot, view, path)?),
        _ => {}
    }
    if let Symbol::Attribute { of, title, name } = &symbol
        && of == "class"
        && let Some(class) = title
    {
        found.extend(crate::data::define::keys_of(snapshot, view, &format!("{class}::{name}")));
    }
    Ok(Some(found))
}

/// Returns where code names a symbol.
pub(crate) fn places(snapshot: &Snapshot, view: &View, symbol: &Symbol) -> Result<Vec<Location>, ResponseError> {
    let target = SearchTarget::from_symbol(symbol);
    let Some(search) = FileSearch::new(snapshot, view, &target.word) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in code_files(snapshot, view) {
        snapshot.check_cancelled()?;
        found.extend(snapshot.progress.send_part(search.symbols(&path, &|symbol| target.matches(symbol))));
    }
    Ok(found)
}

/// Returns where templates and functions in Ruby call a function.
fn ruby_calls(snapshot: &Snapshot, view: &View, name: &str) -> Result<Vec<Location>, ResponseError> {
    let Some(search) = FileSearch::new(snapshot, view, name) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in files(snapshot, view, &["lib", "templates"]) {
        snapshot.check_cancelled()?;
        if path.extension().is_some_and(|extension| extension == "rb" || extension == "erb") {
            found.extend(search.spans(&path, &|text| ruby::calls(text, name)));
        }
    }
    Ok(found)
}

/// Returns where data and configurations interpolate a fact, or a part of it.
fn interpolated_facts(snapshot: &Snapshot, view: &View, path: &[String]) -> Result<Vec<Location>, ResponseError> {
    let name = format!("facts.{}", path.join("."));
    let Some(search) = FileSearch::new(snapshot, view, &name) else { return Ok(Vec::new()) };
    let data = view.files().iter().map(|file| file.path().to_owned());
    let configurations = view.configurations().map(|(path, _)| path);
    let mut found = Vec::new();
    for file in data.chain(configurations) {
        snapshot.check_cancelled()?;
        found.extend(search.spans(&file, &|text| {
            let ends = |at: usize| !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let is_inside = |at: usize| text[..at].rfind("%{").is_some_and(|open| !text[open..at].contains('}'));
            let places = text.match_indices(&*name).map(|(at, _)| at).filter(|at| ends(*at) && is_inside(*at));
            places.map(|at| Span::new(at, at + name.len())).collect()
        }));
    }
    Ok(found)
}

/// The symbol to search for, under one of the names that it may have.
struct SearchTarget {
    symbols: Vec<Symbol>,
    /// The word that a file must contain, in lower case.
    word: String,
}

impl SearchTarget {
    fn from_symbol(symbol: &Symbol) -> SearchTarget {
        let (symbols, word) = match symbol {
            Symbol::ResourceType(name) => {
                (vec![symbol.clone(), Symbol::Type(puppet_eval::capitalized(name))], name.clone())
            }
            Symbol::Type(name) => {
                (vec![symbol.clone(), Symbol::ResourceType(name.to_lowercase())], name.to_lowercase())
            }
            Symbol::Class(name) | Symbol::Function(name) | Symbol::Variable(name) | Symbol::Key(name) => {
                (vec![symbol.clone()], name.to_lowercase())
            }
            Symbol::Attribute { name, .. } => (vec![symbol.clone()], name.to_lowercase()),
            Symbol::Fact(path) => {
                (vec![symbol.clone()], path.last().map(|last| last.to_lowercase()).unwrap_or_default())
            }
            Symbol::File(_, path) => (vec![symbol.clone()], path.to_lowercase()),
            Symbol::Resource { title, .. } => (vec![symbol.clone()], title.to_lowercase()),
        };
        SearchTarget { symbols, word: word.trim_start_matches("::").to_owned() }
    }

    fn matches(&self, symbol: &Symbol) -> bool {
        self.symbols.iter().any(|target| match (target, symbol) {
            (Symbol::Variable(target), Symbol::Variable(name)) => plain(target) == plain(name),
            _ => target == symbol,
        })
    }
}

/// The manifests and templates of an environment and its modules.
fn code_files(snapshot: &Snapshot, view: &View) -> Vec<PathBuf> {
    let mut found = files(snapshot, view, &["manifests", "functions", "types", "plans", "templates"]);
    found.retain(|path| Language::from_path(path, "").is_code());
    found
}

/// All files in folders of an environment and its modules.
pub(crate) fn files(snapshot: &Snapshot, view: &View, folders: &[&str]) -> Vec<PathBuf> {
    let Some(files) = snapshot.files_around(view.root()) else { return Vec::new() };
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
                    hieratic::sandbox::FileKind::Folder if depth < MAX_DEPTH => open.push((path, depth + 1)),
                    hieratic::sandbox::FileKind::File => found.push(path),
                    _ => {}
                }
            }
        }
    }
    found.sort_erased();
    found.dedup();
    found
}

/// Searches files for a word. Most files do not contain it, and are not parsed.
struct FileSearch<'s> {
    snapshot: &'s Snapshot,
    files: Files,
    /// The word, in any case.
    word: Regex,
}

impl<'s> FileSearch<'s> {
    /// `None` if no file of the environment can be read.
    fn new(snapshot: &'s Snapshot, view: &View, word: &str) -> Option<FileSearch<'s>> {
        let files = snapshot.files_around(view.root())?;
        let word = RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().ok()?;
        Some(FileSearch { snapshot, files, word })
    }

    /// The document of a file that contains the word.
    fn document(&self, path: &Path) -> Option<Arc<Document>> {
        if let Some(open) = self.snapshot.documents.get(path) {
            return self.word.is_match(&open.text).then(|| open.clone());
        }
        let is_around = self.files.holds(path);
        // The check reports a file that cannot be read.
        let text =
            if is_around { self.files.read_text(path).ok()? } else { self.snapshot.document(path)?.text.to_string() };
        if !self.word.is_match(&text) {
            return None;
        }
        let (language, encoding) = (Language::from_path(path, ""), self.snapshot.capabilities.encoding);
        Some(Arc::new(Document::new(path.to_owned(), uri_of(path)?, None, language, text, encoding)))
    }

    fn symbols(&self, path: &Path, accepts: &dyn Fn(&Symbol) -> bool) -> Vec<Location> {
        let Some(document) = self.document(path) else { return Vec::new() };
        let words = CodeWords::new(&document);
        let found = (0..words.len()).filter(|index| self.word.is_match(words.text(*index)));
        let found = found.filter(|index| words.symbol(*index).as_ref().is_some_and(accepts));
        let place = |index: usize| Location { uri: document.uri.clone(), range: document.range(words.extent(index)) };
        found.map(place).collect()
    }

    fn spans(&self, path: &Path, find: &dyn Fn(&str) -> Vec<Span>) -> Vec<Location> {
        let Some(document) = self.document(path) else { return Vec::new() };
        let place = |span: Span| Location { uri: document.uri.clone(), range: document.range(span) };
        find(&document.text).into_iter().map(place).collect()
    }
}

/// Returns the calls in code that look up a key.
pub(crate) fn key_references(snapshot: &Snapshot, view: &View, key: &str) -> Result<Vec<Location>, ResponseError> {
    places(snapshot, view, &Symbol::Key(key.to_owned()))
}

/// Returns the references to a variable in the definition around an offset.
fn local(document: &Document, offset: usize, name: &str) -> Vec<Span> {
    let outer = scope::definition_around(document, offset);
    let limits = outer.map_or(0..document.text.len(), |one| one.span.range());
    let words = CodeWords::new(document);
    let indexes = words.first_behind(limits.start)..words.len();
    let spans = indexes.filter(|index| words.symbol(*index) == Some(Symbol::Variable(name.to_owned())));
    spans.map(|index| words.extent(index)).take_while(|span| span.first() < limits.end).collect()
}

/// Returns the occurrences of the symbol at an offset in its document.
pub(crate) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    let words = CodeWords::new(document);
    let symbol = words.symbol(words.index_at(offset)?)?;
    let spans: Vec<Span> = match &symbol {
        Symbol::Variable(name) => local(document, offset, name),
        _ => {
            let target = SearchTarget::from_symbol(&symbol);
            let same =
                (0..words.len()).filter(|index| words.symbol(*index).is_some_and(|symbol| target.matches(&symbol)));
            same.map(|index| words.extent(index)).collect()
        }
    };
    let lit = spans
        .into_iter()
        .map(|span| DocumentHighlight { range: document.range(span), kind: Some(DocumentHighlightKind::TEXT) });
    Some(lit.collect())
}
