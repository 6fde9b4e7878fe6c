//! Jobs of Nomad: blocks, arguments, variables and functions.

mod attribute_values;
mod complete;
mod docs;
mod ports;
mod rename;
mod values;
mod variables;

use hieratic::nomad_job::schema::{Field, JOB, Kind, Scalar, Source, Struct};
use hieratic_hcl_syntax::{Block, Body, Span};
use lsp_types::Location;

pub(crate) use complete::complete;
pub(crate) use rename::{prepare_rename, rename};

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
    if let Some((text, span)) = variables::hover(document, offset) {
        let value = values::describe_value(snapshot, document, document.slice(span));
        return Some((format!("{text}{}", below(value)), span));
    }
    if let Some(port) = ports::at(document, offset) {
        return Some((ports::describe(document, &port), port.span));
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
    let value = (values::is_computed(&attribute.expression) && !is_made)
        .then(|| values::describe_value(snapshot, document, document.slice(written)))
        .flatten();
    if !attribute.name_span.touches(offset) {
        return value.map(|value| (value, written));
    }
    let kind = way.last().map_or("", |block| &*block.kind);
    let field = structure(&way).and_then(|of| Some(of.attribute(&attribute.name)?.1));
    let docs = docs::documentation(kind, &attribute.name);
    if field.is_none() && docs.is_none() && value.is_none() {
        return None;
    }
    let typed = field.map(|field| format!(" {}", code(&described(field)))).unwrap_or_default();
    let docs = docs.map(|docs| format!("\n\n{docs}")).unwrap_or_default();
    let api = field.map(|field| format!("\n\n`{}` in the API", field.name)).unwrap_or_default();
    Some((format!("**{}**{typed}{docs}{api}{}", attribute.name, below(value)), attribute.name_span))
}

/// Returns a section of a hover, separated from the text above it.
fn below(text: Option<String>) -> String {
    text.map(|text| format!("\n\n---\n\n{text}")).unwrap_or_default()
}

/// Describes the type of a field.
fn described(field: &Field) -> String {
    let kind = match field.kind {
        Kind::Plain(of) | Kind::Maybe(of) => described_scalar(of).to_owned(),
        Kind::List(of) => format!("list of {}", described_scalar(of)),
        Kind::Map(of) => format!("map of {}", described_scalar(of)),
        Kind::MapOfLists(of) => format!("map of lists of {}", described_scalar(of)),
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

/// Describes the type of a single value.
fn described_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Text | Scalar::Named(_) => "string",
        Scalar::Bool => "bool",
        Scalar::Integer | Scalar::Int(_) | Scalar::Uint(_) => "number",
        Scalar::Duration => "duration",
    }
}

/// Returns the declaration of the variable, the local or the port at an offset.
pub(crate) fn definition(document: &Document, offset: usize) -> Option<Vec<Location>> {
    let span = match ports::at(document, offset) {
        Some(port) => port.label,
        None => variables::definition(document, offset)?,
    };
    Some(vec![Location { uri: document.uri.clone(), range: document.range(span) }])
}

/// Returns the references to the variable or local at an offset.
pub(crate) fn references(document: &Document, offset: usize) -> Option<Vec<Location>> {
    let (value, _) = variables::at(document, offset)?;
    let found = variables::references(document).into_iter().filter(|one| one.value == value);
    Some(found.map(|one| Location { uri: document.uri.clone(), range: document.range(one.span) }).collect())
}

/// Returns the span inside of the quotes of a string.
fn within_quotes(document: &Document, span: Span) -> Span {
    let text = document.slice(span);
    if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        return Span::new(span.first() + 1, span.behind() - 1);
    }
    span
}
