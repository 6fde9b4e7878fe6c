//! The blocks around an offset, and their schema.

use hieratic::nomad_job::schema::{Field, JOB, Kind, Scalar, Source, Struct};
use hieratic_hcl_syntax::{Block, Body, Span};

use crate::document::Document;

/// The maximum nesting depth of blocks.
const MAX_DEPTH: usize = 60;

/// Returns the blocks around an offset, the outermost first.
pub(super) fn around(body: &Body, offset: usize) -> Vec<&Block> {
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
pub(super) fn structure(way: &[&Block]) -> Option<&'static Struct> {
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

pub(super) fn inner(field: &'static Field) -> Option<&'static Struct> {
    match field.kind {
        Kind::One(of) | Kind::Many(of) | Kind::Keyed(of) => Some(of),
        _ => None,
    }
}

/// Describes the type of a field.
pub(super) fn described(field: &Field) -> String {
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
pub(super) fn described_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Text | Scalar::Named(_) => "string",
        Scalar::Bool => "bool",
        Scalar::Integer | Scalar::Int(_) | Scalar::Uint(_) => "number",
        Scalar::Duration => "duration",
    }
}

/// Returns the span inside of the quotes of a string.
pub(super) fn within_quotes(document: &Document, span: Span) -> Span {
    let text = document.slice(span);
    if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        return Span::new(span.first() + 1, span.behind() - 1);
    }
    span
}

/// The string that an argument of a block is written as; empty without the argument, and if it has interpolations.
pub(super) fn literal<'d>(document: &'d Document, block: &Block, name: &str) -> &'d str {
    let Some(attribute) = block.body.attribute(name) else { return "" };
    let written = document.slice(within_quotes(document, attribute.expression.span()));
    if written.contains("${") { "" } else { written }
}

/// The driver of the task whose `config` is around, and the blocks in the `config` down to the innermost one.
pub(super) fn configured_driver<'d, 'b>(document: &'d Document, way: &[&'b Block]) -> Option<(&'d str, Vec<&'b str>)> {
    let config = way.iter().rposition(|block| &*block.kind == "config")?;
    let task = way.get(config.checked_sub(1)?).filter(|task| &*task.kind == "task")?;
    let blocks = way[config + 1..].iter().map(|block| &*block.kind).collect();
    Some((literal(document, task, "driver"), blocks))
}
