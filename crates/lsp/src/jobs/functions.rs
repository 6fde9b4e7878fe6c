//! Functions in the expressions of jobs.

use hieratic::hcl::hcl_functions;
use hieratic::hcl_eval::calls_in_body;
use hieratic_hcl_syntax::Span;
use lsp_types::{CompletionItem, CompletionItemKind};

use super::complete::item;
use crate::document::Document;

/// The functions whose names begin with the typed text.
pub(super) fn complete(typed: &str) -> Vec<CompletionItem> {
    // Those that read files have the types of their results only where files may be read.
    let functions = hcl_functions(Some(std::path::PathBuf::new()));
    let names = functions.names().filter(|name| name.starts_with(typed));
    let items = names.filter_map(|name| {
        let (signature, documentation) = functions.describe(name)?;
        Some(item(name, CompletionItemKind::FUNCTION, &signature, Some(documentation)))
    });
    items.collect()
}

/// The signature and the documentation of the function that is called at an offset.
pub(super) fn hover(document: &Document, offset: usize) -> Option<(String, Span)> {
    let parsed = document.hcl();
    let calls = calls_in_body(&parsed.source, &parsed.tree);
    let call = calls.into_iter().find(|call| call.range.span.touches(offset))?;
    let (signature, documentation) = hcl_functions(Some(std::path::PathBuf::new())).describe(&call.name)?;
    Some((format!("```hcl\n{signature}\n```\n\n{documentation}"), call.range.span))
}
