//! Symbols of documents and of folders.

use std::borrow::Cow;
use std::path::Path;

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_lint::DataFile;
use hieratic_puppet_syntax::TokenKind;
use lsp_server::ResponseError;
use lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind};

use crate::code::symbol_at::CodeWords;
use crate::document::{Document, Language};
use crate::keys::{Keys, Name, Value};
use crate::outline::{Definition, DefinitionKind, definitions};
use crate::paths::uri_of;
use crate::positions::Lines;
use crate::snapshot::Snapshot;

/// The maximum number of symbols of a folder in an answer.
const MAX_SYMBOLS: usize = 512;

/// The maximum depth of listed keys.
const MAX_DEPTH: usize = 6;

/// The number of keys of a file up to which deeper keys are listed, too.
const MAX_LISTED: usize = 4_000;

/// The maximum number of listed keys of a file.
const MAX_KEYS: usize = 20_000;

#[allow(deprecated, reason = "the structure has a field that nobody uses any more")]
pub(crate) fn symbol(
    document: &Document,
    name: &str,
    detail: Option<String>,
    kind: SymbolKind,
    whole: Span,
    name_at: Span,
) -> DocumentSymbol {
    // Clients refuse a name outside of the whole, and an empty name.
    let inside = Span { start: name_at.start.max(whole.start), end: name_at.end.min(whole.end.max(name_at.start)) };
    DocumentSymbol {
        name: if name.is_empty() { "''".to_owned() } else { name.to_owned() },
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: document.range(Span { end: whole.end.max(inside.end), ..whole }),
        selection_range: document.range(inside),
        children: None,
    }
}

/// The symbols of a document.
pub(crate) fn document_symbols(document: &Document) -> Vec<DocumentSymbol> {
    match document.language {
        Language::Manifest | Language::Epp => code(document),
        Language::Yaml | Language::Json | Language::Hocon => data(document),
        Language::Hcl => blocks(document, &document.hcl().tree, 0),
        Language::Jinja | Language::Erb => crate::templates::symbols(document),
        Language::Other => Vec::new(),
    }
}

pub(crate) fn kind_of(kind: DefinitionKind) -> SymbolKind {
    match kind {
        DefinitionKind::Class => SymbolKind::CLASS,
        DefinitionKind::Define => SymbolKind::STRUCT,
        DefinitionKind::Function | DefinitionKind::Plan => SymbolKind::FUNCTION,
        DefinitionKind::TypeAlias => SymbolKind::INTERFACE,
    }
}

fn code(document: &Document) -> Vec<DocumentSymbol> {
    let Some(program) = document.program() else { return from_words(document) };
    let found = definitions(&document.path, program);
    let mut inside: Vec<Vec<DocumentSymbol>> = vec![Vec::new(); found.len()];
    let mut outside = Vec::new();
    for (offset, resource) in resources(document) {
        // The innermost definition around a resource has it.
        let outer = found.iter().enumerate().filter(|(_, one)| one.span.range().contains(&offset));
        match outer.min_by_key(|(_, one)| one.span.end - one.span.start) {
            Some((index, _)) => inside[index].push(resource),
            None => outside.push(resource),
        }
    }
    let mut symbols: Vec<DocumentSymbol> = Vec::new();
    for (one, resources) in found.iter().zip(inside) {
        let parameters = one.parameters.iter().map(|parameter| {
            let (name, span) = (format!("${}", parameter.name), parameter.span);
            symbol(document, &name, parameter.kind.clone(), SymbolKind::VARIABLE, span, span)
        });
        let children = parameters.chain(resources).collect();
        symbols.push(DocumentSymbol { children: Some(children), ..definition_symbol(document, one) });
    }
    symbols.extend(outside);
    symbols
}

fn definition_symbol(document: &Document, one: &Definition) -> DocumentSymbol {
    let whole = one.span;
    let name = one.name_span;
    symbol(document, &one.name, Some(one.kind.word().to_owned()), kind_of(one.kind), whole, name)
}

/// Returns every `type { title:` of a document.
fn resources(document: &Document) -> Vec<(usize, DocumentSymbol)> {
    let words = CodeWords::new(document);
    let mut found = Vec::new();
    for index in 0..words.len() {
        let is_type = words.kind(index) == Some(TokenKind::Name) || words.text(index) == "class";
        if !is_type || words.text(index + 1) != "{" || words.text(index + 3) != ":" {
            continue;
        }
        let Some((of, ..)) = words.resource_around(index + 2) else { continue };
        let (start, title) = (words.extent(index), words.extent(index + 2));
        let mut depth = 0_usize;
        let mut end = title.end;
        for at in index + 1..words.len() {
            match words.text(at) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            end = words.extent(at).end;
            if depth == 0 {
                break;
            }
        }
        let name = format!("{of} {}", words.text(index + 2));
        let whole = Span { start: start.start, end };
        found.push((start.first(), symbol(document, &name, None, SymbolKind::OBJECT, whole, title)));
    }
    found
}

/// Returns the definitions of a document that cannot be parsed: their keywords and names.
fn from_words(document: &Document) -> Vec<DocumentSymbol> {
    let words = CodeWords::new(document);
    let mut found = Vec::new();
    for index in 0..words.len().saturating_sub(1) {
        let kind = match words.text(index) {
            "class" => SymbolKind::CLASS,
            "define" => SymbolKind::STRUCT,
            "function" | "plan" => SymbolKind::FUNCTION,
            "type" => SymbolKind::INTERFACE,
            _ => continue,
        };
        if !matches!(words.kind(index + 1), Some(TokenKind::Name | TokenKind::TypeName)) {
            continue;
        }
        let (start, name) = (words.extent(index), words.extent(index + 1));
        let whole = Span { start: start.start, end: name.end };
        let detail = Some(words.text(index).to_owned());
        found.push(symbol(document, words.text(index + 1), detail, kind, whole, name));
    }
    found
}

fn data(document: &Document) -> Vec<DocumentSymbol> {
    let keys = document.keys();
    // The children of each value, listed once: a file may have a hundred thousand keys.
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); keys.nodes().len()];
    let mut tops = Vec::new();
    for (index, node) in keys.nodes().iter().enumerate().take(MAX_KEYS) {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => tops.push(index),
        }
    }
    let depth = shown_depth(keys);
    tops.iter().flat_map(|top| below(document, keys, &children, *top, depth)).collect()
}

/// The depth to which keys are listed: that of all keys unless there are too many. An outline of ten thousand keys takes an editor longer
/// to show than a reader to search.
fn shown_depth(keys: &Keys) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(keys.nodes().len());
    let mut counts = [0_usize; MAX_DEPTH + 1];
    for node in keys.nodes() {
        // Parents come before their children.
        let depth = node.parent.and_then(|parent| depths.get(parent)).map_or(0, |depth| depth + 1);
        depths.push(depth);
        if let Some(count) = counts.get_mut(depth) {
            *count += 1;
        }
    }
    let mut sum = 0;
    let fits = counts[1..].iter().take_while(|count| {
        sum += **count;
        sum <= MAX_LISTED
    });
    fits.count().max(1)
}

fn below(
    document: &Document,
    keys: &Keys,
    children: &[Vec<usize>],
    parent: usize,
    depth: usize,
) -> Vec<DocumentSymbol> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let inner = children.get(parent).into_iter().flatten();
    let symbols = inner.filter_map(|index| {
        let node = keys.node(*index)?;
        let kind = match &node.value {
            Value::Map(_) => SymbolKind::OBJECT,
            Value::List(_) => SymbolKind::ARRAY,
            Value::Scalar(text, false) if matches!(text.as_str(), "true" | "false") => SymbolKind::BOOLEAN,
            Value::Scalar(text, false) if text.parse::<f64>().is_ok() => SymbolKind::NUMBER,
            Value::Scalar(..) | Value::Alias(_) => SymbolKind::STRING,
        };
        let inside = below(document, keys, children, *index, depth);
        let Name::Key(name, span) = &node.name else {
            // Elements of lists have no names; only their named children are listed.
            let number = match node.name {
                Name::Element(number) => number,
                _ => return None,
            };
            if inside.is_empty() {
                return None;
            }
            let mut item = symbol(document, &format!("[{number}]"), None, kind, node.span, node.span);
            item.children = Some(inside);
            return Some(item);
        };
        let mut item = symbol(document, name, None, kind, keys.whole(*index), *span);
        item.children = (!inside.is_empty()).then_some(inside);
        Some(item)
    });
    symbols.collect()
}

fn blocks(document: &Document, body: &hieratic_hcl_syntax::Body, depth: usize) -> Vec<DocumentSymbol> {
    if depth > 30 {
        return Vec::new();
    }
    let attributes = body
        .attributes()
        .iter()
        .map(|one| symbol(document, &one.name, None, SymbolKind::PROPERTY, one.span, one.name_span));
    let mut found: Vec<DocumentSymbol> = attributes.collect();
    for block in &body.blocks {
        let labels: String = block.labels.iter().map(|label| format!(" {}", label.text)).collect();
        let name = format!("{}{labels}", block.kind);
        let mut item = symbol(document, &name, None, SymbolKind::MODULE, block.span(), block.header_span());
        item.children = Some(blocks(document, &block.body, depth + 1));
        found.push(item);
    }
    found.sort_erased_by_key(|one| (one.range.start.line, one.range.start.character));
    found
}

/// A definition or a key whose name fits a query.
struct SymbolMatch<'s> {
    rank: usize,
    name: &'s str,
    origin: SymbolOrigin<'s>,
}

/// The source of a symbol.
enum SymbolOrigin<'s> {
    Definition(&'s Definition),
    Key(&'s DataFile),
}

impl<'s> SymbolMatch<'s> {
    fn path(&self) -> &'s Path {
        match self.origin {
            SymbolOrigin::Definition(one) => &one.path,
            SymbolOrigin::Key(file) => file.path(),
        }
    }

    /// The text that was checked.
    fn text(&self) -> &'s str {
        match self.origin {
            SymbolOrigin::Definition(one) => one.source.text(),
            SymbolOrigin::Key(file) => file.source().text(),
        }
    }

    fn span(&self) -> Span {
        match self.origin {
            SymbolOrigin::Definition(one) => one.name_span,
            SymbolOrigin::Key(file) => file.key_span(self.name),
        }
    }

    fn kind(&self) -> SymbolKind {
        match self.origin {
            SymbolOrigin::Definition(one) => kind_of(one.kind),
            SymbolOrigin::Key(_) => SymbolKind::KEY,
        }
    }

    /// The order in which matches are listed.
    fn order(&self) -> (usize, &'s str, &'s Path) {
        (self.rank, self.name, self.path())
    }
}

/// Returns the definitions and keys of all folders whose names contain the letters of the query in order.
pub(crate) fn workspace_symbols(snapshot: &Snapshot, query: &str) -> Result<Vec<SymbolInformation>, ResponseError> {
    let query = query.to_lowercase();
    let mut found: Vec<SymbolMatch<'_>> = Vec::new();
    for root in snapshot.roots.iter() {
        let Some(analysis) = &root.analysis else { continue };
        snapshot.check_cancelled()?;
        found.extend(analysis.outline.all().filter_map(|one| {
            let name = one.name.as_str();
            Some(SymbolMatch { rank: rank(name, &query)?, name, origin: SymbolOrigin::Definition(one) })
        }));
        // There are many keys, so they are only listed for a query.
        if query.len() < 2 {
            continue;
        }
        for file in analysis.views.iter().flat_map(|view| view.files()) {
            snapshot.check_cancelled()?;
            found.extend(file.entries().filter_map(|(name, _)| {
                Some(SymbolMatch { rank: rank(name, &query)? + 1, name, origin: SymbolOrigin::Key(file) })
            }));
        }
    }
    // Only those that are listed need a position, and a file its table of lines once.
    if found.len() > MAX_SYMBOLS {
        found.select_nth_unstable_by(MAX_SYMBOLS, |one, other| one.order().cmp(&other.order()));
        found.truncate(MAX_SYMBOLS);
    }
    found.sort_erased_by(|one, other| one.order().cmp(&other.order()));
    let mut lines: HashMap<&Path, Lines> = HashMap::default();
    let symbols = found.iter().filter_map(|one| {
        let path = one.path();
        let location = match snapshot.documents.get(path) {
            Some(open) => Location { uri: open.uri.clone(), range: open.range(one.span()) },
            None => {
                let new = || Lines::new(one.text(), snapshot.capabilities.encoding);
                let lines = lines.entry(path).or_insert_with(new);
                Location { uri: uri_of(path)?, range: lines.range(one.text(), one.span()) }
            }
        };
        Some(information(one.name, one.kind(), location))
    });
    Ok(symbols.collect())
}

#[allow(deprecated, reason = "the structure has a field that nobody uses any more")]
fn information(name: &str, kind: SymbolKind, location: Location) -> SymbolInformation {
    SymbolInformation { name: name.to_owned(), kind, tags: None, deprecated: None, location, container_name: None }
}

/// Returns the rank of a name for a query; `None` if the name lacks one of its letters.
fn rank(name: &str, query: &str) -> Option<usize> {
    // Most names have no upper-case letters.
    let name = if name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    };
    if name == query {
        return Some(0);
    }
    if let Some(at) = name.find(query) {
        return Some(if at == 0 { 2 } else { 4 });
    }
    let mut letters = name.chars();
    query.chars().all(|target| letters.any(|letter| letter == target)).then_some(8)
}
