//! Values of expressions in jobs, with the chosen variable files or those of the settings, and the defaults of variables.

use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::hcl::from_cty;
use hieratic::layers::repository_of;
use hieratic::nomad_job::{Options, VariableFile, evaluate_expression};
use hieratic::value::ErasedSort as _;
use hieratic_hcl_syntax::ast::Expression;

use crate::data::markdown;
use crate::document::Document;
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// Describes the value of an expression; `None` if its file cannot be read.
pub(super) fn describe_value(snapshot: &Snapshot, document: &Document, expression: &str) -> Option<String> {
    let files = snapshot.files_around(&document.path)?;
    let folder = document.path.parent().unwrap_or(Path::new("."));
    let root = snapshot.root_of(&document.path).map(|root| root.folder.clone());
    let read = |path: &std::path::PathBuf| VariableFile {
        path: path.to_slashes(),
        content: files.read(path).map_err(|error| format!("open {}: {error}", path.display())),
    };
    let given = GivenValues::new(snapshot, &document.path);
    let options = Options {
        path: document.path.to_slashes(),
        files: given.files.iter().map(read).collect(),
        arguments: given.arguments.to_vec(),
        // The arguments of an entry are for all of its jobs.
        shared_arguments: true,
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
    let whose = given.name;
    Some(match evaluate_expression(&*document.text, expression, &options) {
        Ok(value) if value.is_wholly_known() => format!("{}\n\nWith {whose}.", markdown::block(&from_cty(&value))),
        Ok(_) => format!("Not known with {whose}: a variable has no value."),
        Err(failure) => format!("No value with {whose}: {failure}"),
    })
}

/// The values of variables that a job is shown with.
struct GivenValues<'s> {
    files: &'s [PathBuf],
    arguments: &'s [String],
    /// Their source, in words.
    name: String,
}

impl<'s> GivenValues<'s> {
    /// The chosen variable files; otherwise those of the first entry of the settings that names the job.
    fn new(snapshot: &'s Snapshot, job: &Path) -> GivenValues<'s> {
        let files = snapshot.variables.as_slice();
        let name = match files.len() {
            0 => match snapshot.job_sets.iter().find(|set| set.has(job)) {
                Some(set) => {
                    let name = format!("the entry {} of [[jobs]]", markdown::code(&set.shown_name()));
                    return GivenValues { files: &set.var_files, arguments: &set.arguments, name };
                }
                None => "the defaults of variables".to_owned(),
            },
            1 => "the chosen variable file".to_owned(),
            count => format!("the {count} chosen variable files"),
        };
        GivenValues { files, arguments: &[], name }
    }
}

/// Returns the variable files that a job is run with: the chosen ones, and those of all entries of the settings.
pub(super) fn variable_files(snapshot: &Snapshot, job: &Path) -> Vec<PathBuf> {
    let sets = snapshot.job_sets.iter().filter(|set| set.has(job));
    let mut files: Vec<PathBuf> =
        snapshot.variables.iter().chain(sets.flat_map(|set| &set.var_files)).cloned().collect();
    files.sort_erased();
    files.dedup();
    files
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
