//! Values of expressions in jobs, with the chosen variable files and the defaults of variables.

use std::path::Path;

use hieratic::budget::Budget;
use hieratic::hcl::from_cty;
use hieratic::layers::repository_of;
use hieratic::nomad_job::{Options, VariableFile, evaluate_expression};
use hieratic_hcl_syntax::ast::Expression;

use crate::data::markdown;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// Describes the value of an expression; `None` if its file cannot be read.
pub(super) fn describe_value(snapshot: &Snapshot, document: &Document, expression: &str) -> Option<String> {
    let files = snapshot.files_around(&document.path)?;
    let folder = document.path.parent().unwrap_or(Path::new("."));
    let root = snapshot.root_of(&document.path).map(|root| root.folder.clone());
    let read = |path: &std::path::PathBuf| VariableFile {
        path: path.display().to_string(),
        content: files.read(path).map_err(|error| format!("open {}: {error}", path.display())),
    };
    let options = Options {
        path: document.path.display().to_string(),
        files: snapshot.variables.iter().map(read).collect(),
        // One file may be for several jobs.
        strict: false,
        allow_undeclared: true,
        partial: true,
        folder: Some(repository_of(folder).or(root).unwrap_or_else(|| folder.to_owned())),
        beside: Some(folder.to_owned()),
        reach: Some(files.clone()),
        budget: Budget::new(snapshot.limits),
        ..Options::default()
    };
    let whose = match snapshot.variables.len() {
        0 => "the defaults of variables".to_owned(),
        1 => "the chosen variable file".to_owned(),
        count => format!("the {count} chosen variable files"),
    };
    Some(match evaluate_expression(&*document.text, expression, &options) {
        Ok(value) if value.is_wholly_known() => format!("{}\n\nWith {whose}.", markdown::block(&from_cty(&value))),
        Ok(_) => format!("Not known with {whose}: a variable has no value."),
        Err(failure) => format!("No value with {whose}: {failure}"),
    })
}

/// Returns whether the value of an expression is not already obvious from its source.
pub(super) fn is_computed(expression: &Expression) -> bool {
    match expression {
        Expression::Literal(_) | Expression::Error(_) | Expression::Anonymous(_) => false,
        Expression::Template(template) => template.parts.iter().any(is_computed),
        Expression::Tuple(tuple) => tuple.items.iter().any(is_computed),
        Expression::Parentheses(inner) => is_computed(&inner.expression),
        Expression::Unary(unary) => is_computed(&unary.operand),
        _ => true,
    }
}
