//! The columns of arrows in blocks.

use super::Context;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::{Manifest, Resource};
use crate::problem::Data;
use crate::token::Id;

/// A block in braces.
#[derive(Clone, Debug, Default)]
struct Block {
    /// The column that its arrows belong into.
    arrow_column: i64,
    /// The column of its first attribute.
    column: Option<i64>,
    arrows: Vec<Id>,
}

pub(super) fn check(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for resource in manifest.resources()? {
        manifest.budget.steps((resource.end - resource.start) as u64)?;
        let mut arrows = resource.ids().filter(|id| manifest.kind(*id) == Kind::Farrow);
        let Some(first) = arrows.next() else { continue };
        let last = arrows.last().unwrap_or(first);
        if manifest.line(first) != manifest.line(last) {
            check_resource(cx, resource);
        }
    }
    Ok(())
}

fn check_resource(cx: &mut Context<'_, '_>, resource: &Resource) {
    let manifest = cx.manifest;
    let mut blocks = vec![Block::default()];
    let mut level = 0;
    for id in resource.ids() {
        match manifest.kind(id) {
            Kind::Farrow => add_arrow(manifest, &mut blocks[level], id),
            Kind::Lbrace => {
                level += 1;
                if blocks.len() <= level {
                    blocks.push(Block::default());
                }
            }
            Kind::Rbrace | Kind::Semic => {
                let block = std::mem::take(&mut blocks[level]);
                check_block(cx, &block);
                let Some(outer) = level.checked_sub(1) else { return };
                level = outer;
            }
            _ => {}
        }
    }
}

fn add_arrow(manifest: &Manifest<'_>, block: &mut Block, arrow: Id) {
    let Some(name) = manifest.prev_code(arrow) else { return };
    let own_length = manifest.written_length(name);
    let (start, length) = if manifest.kind(name) == Kind::DqPost { string(manifest, name) } else { (name, own_length) };
    let column = *block.column.get_or_insert(manifest.token(start).column);
    let is_on_same_line = block.arrows.iter().rev().any(|other| manifest.line(*other) == manifest.line(arrow));
    let of_arrow = if is_on_same_line { column + length + 1 } else { manifest.token(name).column + own_length + 1 };
    block.arrow_column = block.arrow_column.max(of_arrow);
    block.arrows.push(arrow);
}

/// The first token of a string, given the last one, and the length of the string.
fn string(manifest: &Manifest<'_>, last: Id) -> (Id, i64) {
    let (mut at, mut length) = (last, manifest.written_length(last));
    while manifest.kind(at) != Kind::DqPre {
        let Some(before) = manifest.prev(at) else { break };
        at = before;
        length += manifest.written_length(at);
    }
    (at, length)
}

/// Reports the arrows of a block that are in another column.
fn check_block(cx: &mut Context<'_, '_>, block: &Block) {
    let manifest = cx.manifest;
    let lines: std::collections::BTreeSet<i64> = block.arrows.iter().map(|arrow| manifest.line(*arrow)).collect();
    if lines.len() < 2 {
        return;
    }
    let mut firsts = std::collections::BTreeSet::new();
    for arrow in &block.arrows {
        let is_first = firsts.insert(manifest.line(*arrow));
        let (expected, found) = (block.arrow_column, manifest.token(*arrow).column);
        if found == expected {
            continue;
        }
        let message = format!(
            "indentation of => is not properly aligned (expected in column {expected}, but found it in column {found})"
        );
        let indent = block.column.filter(|_| !is_first).map(|column| column - 1);
        cx.warn(*arrow, message, Data::Arrow { token: *arrow, column: expected, indent });
    }
}

pub(super) fn align(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::Arrow { token: arrow, column, indent } = *edit.data else { return Err(NoFix) };
    let manifest = &mut *edit.manifest;
    let length = match indent {
        Some(indent) => column - own_line(manifest, arrow, indent)?,
        None => {
            let prev = manifest.prev(arrow).ok_or(NoFix)?;
            let is_space = manifest.kind(prev) == Kind::Whitespace;
            let present = if is_space { manifest.written_length(prev) } else { 0 };
            present + column - manifest.token(arrow).column
        }
    };
    let spaces = spaces(length)?;
    let prev = manifest.prev(arrow).ok_or(NoFix)?;
    if manifest.kind(prev) == Kind::Whitespace {
        manifest.set_value(prev, spaces);
    } else {
        let place = manifest.place(prev).ok_or(NoFix)?;
        let space = manifest.create(Kind::Whitespace, spaces);
        manifest.insert_plain(place + 1, space);
    }
    Ok(())
}

/// As many spaces.
pub(super) fn spaces(count: i64) -> Result<String, NoFix> {
    /// No line is longer.
    const MOST: usize = 10_000;
    let count = usize::try_from(count).ok().filter(|count| *count <= MOST).ok_or(NoFix)?;
    Ok(" ".repeat(count))
}

/// Puts an attribute on a separate line. Returns the column after it.
fn own_line(manifest: &mut Manifest<'_>, arrow: Id, indent: i64) -> Result<i64, NoFix> {
    let indent = spaces(indent)?;
    let name = manifest.prev_code(arrow).ok_or(NoFix)?;
    let before = manifest.prev(name).ok_or(NoFix)?;
    let place = manifest.place(before).ok_or(NoFix)?;
    let newline = manifest.create(Kind::Newline, "\n");
    manifest.insert_plain(place, newline);
    manifest.set_kind(before, Kind::Indent);
    manifest.set_value(before, indent);
    let end = manifest.place(name).ok_or(NoFix)?;
    let line = manifest.prev_of(arrow, |token| matches!(token.kind, Kind::Indent | Kind::Newline)).ok_or(NoFix)?;
    let start = manifest.place(line).ok_or(NoFix)?;
    let tokens: Vec<Id> = (start..=end).filter_map(|place| manifest.at(place)).collect();
    Ok(tokens.into_iter().map(|id| manifest.written_length(id)).sum::<i64>() + 1)
}
