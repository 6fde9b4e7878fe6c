//! Names of nodes, titles and numbers that lack their quotes.

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::problem::Data;

pub(super) fn node(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for node in manifest.of_kind(|kind| kind == Kind::Node) {
        let brace = (node..manifest.len()).find(|id| manifest.kind(*id) == Kind::Lbrace);
        let Some(brace) = brace else {
            manifest.budget.steps((manifest.len() - node) as u64)?;
            cx.error(node, "Syntax error (try running `puppet parser validate <file>`)", Data::None);
            if let Some(problem) = cx.found.last_mut() {
                problem.rule = "syntax";
            }
            continue;
        };
        manifest.budget.steps((brace - node) as u64)?;
        for name in (node..=brace).filter(|id| manifest.kind(*id) == Kind::Name && manifest.value(*id) != "default") {
            cx.warn(name, "unquoted node name found", Data::Token(name));
        }
    }
    Ok(())
}

pub(super) fn title(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for title in manifest.titles()?.into_iter().filter(|id| manifest.kind(*id) == Kind::Name) {
        cx.warn(title, "unquoted resource title", Data::Token(title));
    }
    Ok(())
}

pub(super) fn leading_zero(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for number in manifest.of_kind(|kind| kind == Kind::Number) {
        if matches!(manifest.value(number).as_bytes(), [b'0', b'0'..=b'9', ..]) {
            cx.warn(number, "unquoted number with leading zero", Data::Token(number));
        }
    }
    Ok(())
}
