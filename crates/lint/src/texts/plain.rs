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
            refuse_template(source, problem.at.line)?;
            Ok(vec![data_syntax::of_problem(source, problem)])
        }
    }
}

/// Checks a JSON file.
///
/// # Errors
/// The file is a template: a placeholder of another program is not JSON.
pub(crate) fn json(source: &Source) -> Result<Vec<Finding>, Reason> {
    match json::parse(source.text().as_bytes()) {
        // JSON that is not YAML may still have duplicate keys, which are not found.
        Ok(_) => Ok(duplicate_key::check(source).unwrap_or_default()),
        Err(_) if is_encrypted(source) => Err(Reason::Encrypted),
        Err(error) => {
            if let Some(at) = error.position() {
                refuse_template(source, at.line)?;
            }
            Ok(vec![data_syntax::of_error(source, &error)])
        }
    }
}

/// Returns whether a file is encrypted by Ansible Vault as a whole.
pub(super) fn is_encrypted(source: &Source) -> bool {
    source.text().starts_with("$ANSIBLE_VAULT;")
}

/// Names the program that fills in the line of an error, if there is one.
fn refuse_template(source: &Source, line: u32) -> Result<(), Reason> {
    match program_of_braces(source.slice(source.line(line.max(1)))) {
        Some(program) => Err(Reason::TemplateOf(program)),
        None => Ok(()),
    }
}
