//! Jobs of Nomad: blocks, arguments, variables and functions.

mod docs;
mod values;

use hieratic::nomad_job::schema::{Field, JOB, Kind, Scalar, Source, Struct};
use hieratic_hcl_syntax::{Block, Body, Span};
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat, Location};

use crate::data::markdown::code;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum nesting depth of blocks.
const MAX_DEPTH: usize = 60;

/// Returns whether a document is a job, or a variable file of one.
pub(crate) fn is_job(document: &Document) -> bool {
    document.hcl().tree.blocks.iter().any(|block| &*block.kind == "job")
}

/// Returns the blocks around an offset, the outermost first.
fn around(body: &Body, offset: usize) -> Vec<&Block> {
    let mut way = Vec::new();
    let mut body = body;
    while way.len() < MAX_DEPTH {
        let inside = |block: &&Block| {
            let end = if block.close_span.end > block.open_span.start { block.close_span.end } else { u32::MAX };
            block.open_span.behind() <= offset && offset <= (end.saturating_sub(1)) as usize
        };
        let Some(block) = body.blocks.iter().find(inside) else { break };
        way.push(block);
        body = &block.body;
    }
    way
}

/// Returns the schema of the innermost of nested blocks.
fn structure(way: &[&Block]) -> Option<&'static Struct> {
    let (first, rest) = way.split_first()?;
    if &*first.kind != "job" {
        return None;
    }
    let mut found: &'static Struct = &JOB;
    for block in rest {
        // `dynamic "x" { content { ... } }` holds what `x` does.
        let kind = &*block.kind;
        if kind == "dynamic" {
            let label = block.labels.first()?;
            found = inner(found.block(&label.text)?.1)?;
        } else if kind != "content" {
            found = inner(found.block(kind)?.1)?;
        }
    }
    Some(found)
}

fn inner(field: &'static Field) -> Option<&'static Struct> {
    match field.kind {
        Kind::One(of) | Kind::Many(of) | Kind::Keyed(of) => Some(of),
        _ => None,
    }
}

/// Returns the hover of a block or an argument.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    if let Some((text, span)) = variable(document, offset) {
        let worth = values::describe_value(snapshot, document, document.slice(span));
        return Some((format!("{text}{}", below(worth)), span));
    }
    let tree = &document.hcl().tree;
    let way = around(tree, offset);
    let body = way.last().map_or(tree, |block| &block.body);
    if let Some(block) = body.blocks.iter().find(|block| block.kind_span.touches(offset)) {
        let docs = docs::documentation(way.last().map_or("", |block| &*block.kind), &block.kind);
        let text = match docs {
            Some(docs) => format!("**{}**\n\n{docs}", block.kind),
            None => format!("**{}** {{ }}", block.kind),
        };
        return Some((text, block.kind_span));
    }
    let attribute = body.attributes().iter().find(|one| one.span.touches(offset))?;
    let written = attribute.expression.span();
    // In dynamic blocks, expressions may use names that only the block defines.
    let is_made = way.iter().any(|block| &*block.kind == "dynamic");
    let worth = (values::is_computed(&attribute.expression) && !is_made)
        .then(|| values::describe_value(snapshot, document, document.slice(written)))
        .flatten();
    if !attribute.name_span.touches(offset) {
        return worth.map(|worth| (worth, written));
    }
    let kind = way.last().map_or("", |block| &*block.kind);
    let field = structure(&way).and_then(|of| Some(of.attribute(&attribute.name)?.1));
    let docs = docs::documentation(kind, &attribute.name);
    if field.is_none() && docs.is_none() && worth.is_none() {
        return None;
    }
    let typed = field.map(|field| format!(" {}", code(&described(field)))).unwrap_or_default();
    let docs = docs.map(|docs| format!("\n\n{docs}")).unwrap_or_default();
    let api = field.map(|field| format!("\n\n`{}` in the API", field.name)).unwrap_or_default();
    Some((format!("**{}**{typed}{docs}{api}{}", attribute.name, below(worth)), attribute.name_span))
}

/// Returns a section of a hover, separated from the text above it.
fn below(text: Option<String>) -> String {
    text.map(|text| format!("\n\n---\n\n{text}")).unwrap_or_default()
}

/// Describes the type of a field.
fn described(field: &Field) -> String {
    let scalar = |scalar: Scalar| match scalar {
        Scalar::Text | Scalar::Named(_) => "string",
        Scalar::Bool => "bool",
        Scalar::Integer | Scalar::Int(_) | Scalar::Uint(_) => "number",
        Scalar::Duration => "duration",
    };
    let kind = match field.kind {
        Kind::Plain(of) | Kind::Maybe(of) => scalar(of).to_owned(),
        Kind::List(of) => format!("list of {}", scalar(of)),
        Kind::Map(of) => format!("map of {}", scalar(of)),
        Kind::MapOfLists(of) => format!("map of lists of {}", scalar(of)),
        Kind::Any => "anything".to_owned(),
        Kind::Bytes => "bytes".to_owned(),
        Kind::One(_) => "block".to_owned(),
        Kind::Many(_) | Kind::Keyed(_) => "blocks".to_owned(),
    };
    match field.source {
        Source::Attribute { required: true, .. } => format!("{kind}, required"),
        _ => kind,
    }
}

/// Returns the kind and name of the variable or local at an offset, as in `var.name` and `local.name`, and its span.
fn named(document: &Document, offset: usize) -> Option<(&'static str, String, Span)> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    let text = document.slice(line.clone());
    let at = offset - line.start;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let start = text.get(..at)?.rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    let end = text.get(at..)?.find(|c| !is_part(c)).map_or(text.len(), |behind| at + behind);
    let word = text.get(start..end)?;
    let (root, rest) = word.split_once('.')?;
    let name = rest.split('.').next()?;
    let kind = match root {
        "var" => "variable",
        "local" => "locals",
        _ => return None,
    };
    let span = Span::new(line.start + start, line.start + start + root.len() + 1 + name.len());
    Some((kind, name.to_owned(), span))
}

/// Returns the spans of the name and of the declaration of a variable or local.
fn declared(document: &Document, kind: &str, name: &str) -> Option<(Span, Span)> {
    let blocks = &document.hcl().tree.blocks;
    if kind == "variable" {
        let block = blocks
            .iter()
            .find(|block| &*block.kind == "variable" && block.labels.first().is_some_and(|label| &*label.text == name));
        if let Some(block) = block {
            return Some((block.labels.first()?.span, block.span()));
        }
    }
    let bodies = blocks.iter().filter(|block| match kind {
        "locals" => &*block.kind == "locals",
        _ => &*block.kind == "variables",
    });
    let attribute = bodies.filter_map(|block| block.body.attribute(name)).next()?;
    Some((attribute.name_span, attribute.span))
}

fn variable(document: &Document, offset: usize) -> Option<(String, Span)> {
    let (kind, name, span) = named(document, offset)?;
    let (_, whole) = declared(document, kind, &name)?;
    let text = document.slice(whole).replace("```", "'''");
    Some((format!("```hcl\n{text}\n```"), span))
}

/// Returns the declaration of the variable or local at an offset.
pub(crate) fn definition(document: &Document, offset: usize) -> Option<Vec<Location>> {
    let (kind, name, _) = named(document, offset)?;
    let (at, _) = declared(document, kind, &name)?;
    Some(vec![Location { uri: document.uri.clone(), range: document.range(at) }])
}

/// Returns the references to the variable or local at an offset.
pub(crate) fn references(document: &Document, offset: usize) -> Option<Vec<Location>> {
    let (kind, name) = match named(document, offset) {
        Some((kind, name, _)) => (kind, name),
        None => {
            let tree = &document.hcl().tree;
            let labelled = tree.blocks.iter().find_map(|block| {
                let label = block.labels.first()?;
                let is_here = &*block.kind == "variable" && label.span.touches(offset);
                is_here.then(|| ("variable", label.text.to_string()))
            });
            labelled?
        }
    };
    let root = if kind == "variable" { "var" } else { "local" };
    let wanted = format!("{root}.{name}");
    let mut found = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    for (at, _) in document.text.match_indices(&wanted) {
        let before = document.text[..at].chars().next_back();
        let behind = document.text[at + wanted.len()..].chars().next();
        if before.is_some_and(|c| is_part(c) || c == '.') || behind.is_some_and(is_part) {
            continue;
        }
        found.push(Location { uri: document.uri.clone(), range: document.range(at..at + wanted.len()) });
    }
    Some(found)
}

/// Blocks, arguments, variables and functions.
pub(crate) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let before = document.before(offset);
    let typed_at =
        before.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))).map_or(0, |at| at + 1);
    let typed = &before[typed_at..];
    if let Some((root, _)) = typed.split_once('.') {
        return variables(document, root);
    }
    let is_value = before[..typed_at].contains('=') || before[..typed_at].trim_end().ends_with("${");
    if is_value {
        let functions = hieratic::hcl_functions(None);
        let mut found: Vec<CompletionItem> = functions
            .names()
            .filter(|name| name.starts_with(typed))
            .map(|name| item(name, CompletionItemKind::FUNCTION, "function", None))
            .collect();
        for (name, docs) in [("var", "variables of the job"), ("local", "locals of the job")] {
            found.push(item(name, CompletionItemKind::VARIABLE, docs, None));
        }
        return found;
    }
    if !before[..typed_at].trim().is_empty() {
        return Vec::new();
    }
    // The line being typed is not valid HCL yet, and would break the parsing of the blocks around it.
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    let blank = " ".repeat(line.end - line.start);
    let text = format!("{}{blank}{}", document.slice(0..line.start), document.slice(line.end..document.text.len()));
    let parsed = hieratic_hcl_syntax::parse_config(hieratic_hcl_syntax::Source::new("", text.as_bytes()));
    let tree = &parsed.tree;
    let way = around(tree, offset);
    if way.is_empty() {
        return ["job", "variable", "variables", "locals"]
            .into_iter()
            .map(|name| {
                block_item(
                    name,
                    "block",
                    docs::documentation("", name),
                    name != "locals" && name != "variables",
                    snapshot.snippets,
                )
            })
            .collect();
    }
    let last = way.last().map_or("", |block| &*block.kind);
    if way.len() == 1 && last == "variable" {
        let all = ["type", "default", "description"];
        return all
            .iter()
            .map(|name| attribute_item(name, "argument", docs::documentation("variable", name)))
            .collect();
    }
    let Some(of) = structure(&way) else { return Vec::new() };
    let body = way.last().map(|block| &block.body);
    let is_there = |name: &str| body.is_some_and(|body| body.attribute(name).is_some());
    let mut found = Vec::new();
    for field in of.fields {
        match field.source {
            Source::Attribute { name, .. } if !is_there(name) => {
                found.push(attribute_item(name, &described(field), docs::documentation(last, name)));
            }
            Source::Block(name) => {
                let labelled = inner(field).is_some_and(|of| of.label().is_some());
                found.push(block_item(
                    name,
                    &described(field),
                    docs::documentation(last, name),
                    labelled,
                    snapshot.snippets,
                ));
            }
            _ => {}
        }
    }
    found.retain(|item| item.label.starts_with(typed));
    found
}

fn variables(document: &Document, root: &str) -> Vec<CompletionItem> {
    let blocks = &document.hcl().tree.blocks;
    let made = |name: &str| item(name, CompletionItemKind::VARIABLE, root, None);
    let own: Vec<CompletionItem> = match root {
        "var" => blocks
            .iter()
            .filter(|block| &*block.kind == "variable")
            .filter_map(|block| Some(made(&block.labels.first()?.text)))
            .collect(),
        _ => Vec::new(),
    };
    let kind = match root {
        "var" => "variables",
        "local" => "locals",
        _ => return own,
    };
    let listed = blocks.iter().filter(|block| &*block.kind == kind);
    own.into_iter().chain(listed.flat_map(|block| block.body.attributes()).map(|one| made(&one.name))).collect()
}

fn item(label: &str, kind: CompletionItemKind, detail: &str, docs: Option<&str>) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        documentation: docs.map(|docs| lsp_types::Documentation::String(docs.to_owned())),
        ..CompletionItem::default()
    }
}

fn attribute_item(name: &str, detail: &str, docs: Option<&str>) -> CompletionItem {
    CompletionItem { insert_text: Some(format!("{name} = ")), ..item(name, CompletionItemKind::PROPERTY, detail, docs) }
}

fn block_item(name: &str, detail: &str, docs: Option<&str>, labelled: bool, snippets: bool) -> CompletionItem {
    let snippet = match labelled {
        true => format!("{name} \"${{1:name}}\" {{\n  $0\n}}"),
        false => format!("{name} {{\n  $0\n}}"),
    };
    CompletionItem {
        insert_text: Some(if snippets { snippet } else { format!("{name} ") }),
        insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
        ..item(name, CompletionItemKind::MODULE, detail, docs)
    }
}
