//! Code actions in Puppet code.

use std::collections::HashMap;

use hieratic_lint::{fact_keys, modern_fact};
use hieratic_puppet_syntax::ast::{Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;
use lsp_types::{CodeAction, CodeActionKind, TextEdit, WorkspaceEdit};

use crate::document::Document;

/// Returns the code action at an offset.
pub(crate) fn actions(document: &Document, offset: usize) -> Option<CodeAction> {
    let program = document.parsed().program.as_ref()?;
    let mut found: Option<(&Expr, String)> = None;
    let mut is_text = false;
    each_expression(&program.body, &mut |expr| {
        // An interpolation is offered through the string that contains it.
        if let Node::Text(inner) = &expr.node {
            is_text |= inner.span.touches(offset);
        }
        let is_here = expr.span.touches(offset);
        if is_here && let Some(modern) = legacy(expr).and_then(modern_fact) {
            found = Some((expr, modern));
        }
    });
    let (expr, modern) = found?;
    let (start, end) = (expr.span.first(), expr.span.behind());
    let keys = fact_keys(&modern);
    // A name with keys needs braces in a string.
    let is_in_string = is_text && !document.before(start).trim_end().ends_with("${");
    let written = document.slice(start..end);
    let text = match (written.starts_with("${"), written.starts_with('$')) {
        (true, _) => format!("${{facts{keys}}}"),
        (false, true) if is_in_string => format!("${{facts{keys}}}"),
        (false, true) => format!("$facts{keys}"),
        (false, false) => format!("facts{keys}"),
    };
    let changed = format!("{}{text}{}", document.slice(0..start), document.slice(end..document.text.len()));
    document.with_text(&changed).parsed().program.as_ref()?;
    let edit = TextEdit { range: document.range(start..end), new_text: text };
    Some(CodeAction {
        title: format!("Write $facts{keys}, which has the value of the legacy fact"),
        kind: Some(CodeActionKind::QUICKFIX),
        is_preferred: Some(true),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(document.uri.clone(), vec![edit])])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}

/// The fact that an expression names as a variable of the top scope, or in `$facts`.
fn legacy(expr: &Expr) -> Option<&str> {
    match &expr.node {
        Node::Variable(Variable::Qualified(name)) => name.strip_prefix("::").filter(|rest| !rest.contains("::")),
        Node::Access { left, keys } => {
            let is_facts = match &left.node {
                Node::Variable(Variable::Local(name)) => &**name == "facts",
                Node::Variable(Variable::Qualified(name)) => &**name == "::facts",
                _ => false,
            };
            match (is_facts, keys.as_slice()) {
                (true, [Expr { node: Node::Literal(key), .. }]) => key.as_str(),
                _ => None,
            }
        }
        _ => None,
    }
}
