//! YAML and JSON that is not data of a hierarchy: syntax errors and duplicate keys.

use hieratic::json;
use hieratic_diagnostics::{Source, Span};

use super::hcl::program_of_braces;
use super::{duplicates, written_at};
use crate::coverage::Reason;
use crate::finding::Finding;
use crate::rules;

/// Checks a YAML file, whatever program reads it and gives its scalars and tags a meaning.
///
/// # Errors
/// The file is a template: a placeholder of another program is not YAML.
pub(crate) fn yaml(source: &Source) -> Result<Vec<Finding>, Reason> {
    match duplicates::check(source) {
        Ok(found) => Ok(found),
        Err(problem) => {
            let line = source.slice(source.line(problem.at.line.max(1)));
            if let Some(program) = program_of_braces(line) {
                return Err(Reason::TemplateOf(program));
            }
            let span = written_at(source, problem.at.line, problem.at.column);
            Ok(vec![Finding::new(&rules::DATA_SYNTAX, problem.text).at(source, span, "")])
        }
    }
}

/// Checks a JSON file.
pub(crate) fn json(source: &Source) -> Vec<Finding> {
    match json::parse(source.text().as_bytes()) {
        // JSON that is not YAML may still have duplicate keys, which are not found.
        Ok(_) => duplicates::check(source).unwrap_or_default(),
        Err(error) => vec![syntax(source, &error)],
    }
}

/// That a document cannot be read.
pub(crate) fn syntax(source: &Source, error: &hieratic::json::Error) -> Finding {
    // The file is shown next to the message.
    let message = error.reason();
    let message = message.strip_prefix(&format!("({}): ", source.name())).unwrap_or(message);
    let finding = Finding::new(&rules::DATA_SYNTAX, message);
    let finding = match error.position() {
        Some(at) => finding.at(source, written_at(source, at.line, at.column), ""),
        None => finding.at(source, Span::default(), ""),
    };
    match error.hint() {
        Some(hint) => finding.help(hint),
        None => finding,
    }
}
