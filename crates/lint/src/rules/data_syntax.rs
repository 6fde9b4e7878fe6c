//! # data-syntax
//!
//! A YAML, JSON or HOCON file cannot be read. (error)
//!
//! ## What is found
//!
//! The file violates the syntax of its format. Data files are parsed as Ruby parses them, so everything that Psych
//! refuses is reported too, such as an unquoted date or an unknown tag. Other YAML files are checked against YAML's
//! grammar only. `tsconfig.json`, `jsconfig.json` and `devcontainer.json` are not checked: their programs accept more
//! than JSON.
//!
//! ## Why it matters
//!
//! Every lookup that needs the file fails, whatever its key.
//!
//! ## How to fix it
//!
//! Fix the syntax at the place shown. Quote strings that look like dates or begin with `%`, `@`, `*` or `&`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! servers: [a, b
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! servers: [a, b]
//! ```
//!
//! A comment `# hieratic: ignore data-syntax` on the same line or the line before accepts the finding.

use hieratic::json::Error;
use hieratic::yaml::events::Problem;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;

/// The finding about a document that cannot be read.
pub(crate) fn of_error(source: &Source, error: &Error) -> Finding {
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

/// The finding about YAML that cannot be read, whatever program reads it.
pub(crate) fn of_problem(source: &Source, problem: Problem) -> Finding {
    let span = written_at(source, problem.at.line, problem.at.column);
    Finding::new(&rules::DATA_SYNTAX, problem.text).at(source, span, "")
}
