//! YAML and JSON that is not data of a hierarchy: syntax errors and duplicate keys.

use hieratic::json;
use hieratic_diagnostics::Source;

use super::hcl::program_of_braces;
use crate::coverage::Reason;
use crate::finding::Finding;
use crate::rules::{data_syntax, duplicate_key};

/// Checks the syntax of a YAML file of any program.
///
/// # Errors
/// The file is a template: a placeholder of another program is not YAML.
pub(crate) fn yaml(source: &Source) -> Result<Vec<Finding>, Reason> {
    match duplicate_key::check(source) {
        Ok(found) => Ok(found),
        Err(problem) => {
            let line = source.slice(source.line(problem.at.line.max(1)));
            if let Some(program) = program_of_braces(line) {
                return Err(Reason::TemplateOf(program));
            }
            Ok(vec![data_syntax::of_problem(source, problem)])
        }
    }
}

/// Checks a JSON file.
pub(crate) fn json(source: &Source) -> Vec<Finding> {
    match json::parse(source.text().as_bytes()) {
        // JSON that is not YAML may still have duplicate keys, which are not found.
        Ok(_) => duplicate_key::check(source).unwrap_or_default(),
        Err(error) => vec![data_syntax::of_error(source, &error)],
    }
}
