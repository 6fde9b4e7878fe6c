//! Evaluates the same code for many nodes.

use hieratic::Environment;

use super::flags::EvalArguments;
use crate::report::Reporter;
use crate::row_output::{self, Rows};

/// The rows of many nodes.
pub(super) fn rows<'r>(
    arguments: &'r EvalArguments,
    environment: Option<&'r Environment>,
    reporter: &'r Reporter,
) -> Rows<'r> {
    Rows {
        column: "value",
        arguments: &arguments.many,
        output: arguments.output.as_deref(),
        place: &arguments.place,
        environment,
        reporter,
    }
}

/// Converts a report to a row.
pub(super) fn row(report: hieratic::code::Report) -> row_output::Answer {
    match report.error {
        Some(hieratic::code::ReportedError { message, line, column }) => {
            Err(row_output::Failure { message, line, column })
        }
        None => hieratic_output::json(&report.json.unwrap_or_default())
            .map_err(|error| row_output::Failure { message: error.to_string(), ..row_output::Failure::default() }),
    }
}
