//! References in Puppet code.

use hieratic::puppet_eval;
use hieratic_diagnostics::Span;
use std::path::PathBuf;

use hieratic_lint::View;
use lsp_server::ResponseError;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};

use super::scope;
use super::symbol_at::{CodeWords, Symbol};
use crate::document::{Document, Language};
use crate::outline::plain;
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
            if let Some(around) = scope::definition_around(document, offset) {
                let part = around.span;
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
    let wanted = SearchTarget::from_symbol(&symbol);
    let mut found = Vec::new();
    for path in code_files(snapshot, view) {
        snapshot.check_cancelled()?;
        found.extend(
            snapshot.progress.send_part(in_file(snapshot, &path, &wanted.word, &|symbol| wanted.matches(symbol))),
        );
    }
    if let Symbol::Attribute { of, title, name } = &symbol
        && of == "class"
        && let Some(class) = title
    {
        found.extend(crate::data::define::keys_of(snapshot, view, &format!("{class}::{name}")));
    }
    Ok(Some(found))
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
            Symbol::File(_, path) => (vec![symbol.clone()], path.to_lowercase()),
        };
        SearchTarget { symbols, word: word.trim_start_matches("::").to_owned() }
    }

    fn matches(&self, symbol: &Symbol) -> bool {
        self.symbols.iter().any(|wanted| match (wanted, symbol) {
            (Symbol::Variable(wanted), Symbol::Variable(name)) => plain(wanted) == plain(name),
            _ => wanted == symbol,
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
    found.sort();
    found.dedup();
    found
}

fn in_file(
    snapshot: &Snapshot,
    path: &std::path::Path,
    word: &str,
    is_wanted: &dyn Fn(&Symbol) -> bool,
) -> Vec<Location> {
    let Some(document) = snapshot.document(path) else { return Vec::new() };
    // Names are written in any case, in few of all files.
    if !document.text.to_lowercase().contains(word) {
        return Vec::new();
    }
    let words = CodeWords::new(&document);
    let found = (0..words.len()).filter(|index| words.text(*index).to_lowercase().contains(word));
    let found = found.filter(|index| words.symbol(*index).as_ref().is_some_and(is_wanted));
    found
        .map(|index| {
            let span = words.extent(index);
            Location { uri: document.uri.clone(), range: document.range(span) }
        })
        .collect()
}

/// Returns the calls in code that look up a key.
pub(crate) fn key_references(snapshot: &Snapshot, view: &View, key: &str) -> Result<Vec<Location>, ResponseError> {
    let mut found = Vec::new();
    let wanted = Symbol::Key(key.to_owned());
    for path in code_files(snapshot, view) {
        snapshot.check_cancelled()?;
        found.extend(in_file(snapshot, &path, &key.to_lowercase(), &|symbol| *symbol == wanted));
    }
    Ok(found)
}

/// Returns the references to a variable in the definition around an offset.
fn local(document: &Document, offset: usize, name: &str) -> Vec<Span> {
    let around = scope::definition_around(document, offset);
    let limits = around.map_or(0..document.text.len(), |one| one.span.range());
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
            let wanted = SearchTarget::from_symbol(&symbol);
            let same =
                (0..words.len()).filter(|index| words.symbol(*index).is_some_and(|symbol| wanted.matches(&symbol)));
            same.map(|index| words.extent(index)).collect()
        }
    };
    let lit = spans
        .into_iter()
        .map(|span| DocumentHighlight { range: document.range(span), kind: Some(DocumentHighlightKind::TEXT) });
    Some(lit.collect())
}
