//! Jobs of Nomad: blocks, arguments, variables and functions.

mod attribute_values;
mod complete;
mod docs;
mod functions;
mod ports;
mod rename;
mod structure;
mod template_functions;
mod values;
mod variables;

use hieratic_hcl_syntax::{Block, Span};
use lsp_types::Location;

pub(crate) use complete::complete;
pub(crate) use rename::{prepare_rename, rename};
use structure::{around, configured_driver, described, structure};

use crate::data::markdown::code;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// Returns whether a document is a job, or a variable file of one.
pub(crate) fn is_job(document: &Document) -> bool {
    document.hcl().tree.blocks.iter().any(|block| &*block.kind == "job")
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
    if let Some(found) = template_functions::hover(document, &way, offset) {
        return Some(found);
    }
    if let Some(found) = functions::hover(document, offset) {
        return Some(found);
    }
    let body = way.last().map_or(tree, |block| &block.body);
    if let Some(block) = body.blocks.iter().find(|block| block.kind_span.touches(offset)) {
        if let Some(found) = driver_option(document, &way, offset) {
            return Some(found);
        }
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
    let is_generated = way.iter().any(|block| &*block.kind == "dynamic");
    let value = (values::is_computed(&attribute.expression) && !is_generated)
        .then(|| values::describe_value(snapshot, document, document.slice(written)))
        .flatten();
    if !attribute.name_span.touches(offset) {
        return value.map(|value| (value, written));
    }
    if let Some((text, span)) = driver_option(document, &way, offset) {
        return Some((format!("{text}{}", below(value)), span));
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

/// The type of the driver's option at an offset.
fn driver_option(document: &Document, way: &[&Block], offset: usize) -> Option<(String, Span)> {
    let (driver, blocks) = configured_driver(document, way)?;
    let config = &way.last()?.body;
    let attributes = config.attributes().iter().map(|one| (&*one.name, one.name_span));
    let written = config.blocks.iter().map(|one| (&*one.kind, one.kind_span));
    let (name, span) = attributes.chain(written).find(|(_, span)| span.touches(offset))?;
    let options = hieratic::nomad_lint::driver_options(driver, &blocks)?;
    let option = options.iter().find(|option| option.name == name)?;
    let values: Vec<String> = option.values.iter().map(|value| code(value)).collect();
    let values = if values.is_empty() { String::new() } else { format!(" One of {}.", values.join(", ")) };
    Some((format!("**{name}**\n\nOption of the driver {}: {}.{values}", code(driver), option.kind), span))
}

/// Returns a section of a hover, separated from the text above it.
fn below(text: Option<String>) -> String {
    text.map(|text| format!("\n\n---\n\n{text}")).unwrap_or_default()
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
