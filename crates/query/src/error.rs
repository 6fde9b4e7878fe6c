//! [`Fault`]: the reason why a query has no answer.

use std::fmt;
use std::io;

use datafusion::common::{DataFusionError, SchemaError, Span};
use hieratic::diagnostics::{Code, Diagnostic, Severity, Source, Span as Part, did_you_mean, nearest_many};

use crate::tables::columns::Table;

/// The reason why a query has no answer.
#[derive(Debug)]
pub struct Fault {
    /// The kind of error.
    pub kind: Kind,
    /// The message.
    pub message: String,
    /// The start and the end of the error in the query, each as a line and a column, counted from 1.
    pub place: Option<[(u64, u64); 2]>,
    /// The help lines.
    pub help: Vec<String>,
}

/// The kind of an error. Each kind has a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The query cannot be parsed.
    Syntax,
    /// The statement is not a query.
    Refused,
    /// The table, column or function does not exist.
    Name,
    /// The query needs more memory or time than the limits allow.
    Limit,
    /// The query cannot be planned or answered.
    Failed,
}

impl Fault {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), place: None, help: Vec::new() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Fault {
        self.help.push(help.into());
        self
    }

    /// Converts the error to a diagnostic with the query as its source.
    pub fn diagnostic(&self, code: Code, sql: &str) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Severity::Error, code, self.message.clone());
        if let Some([from, to]) = self.place {
            let source = Source::new("query", sql);
            let offset = |(line, column): (u64, u64)| -> Option<usize> {
                Some(source.offset(u32::try_from(line).ok()?, u32::try_from(column).ok()?))
            };
            // A query has no places beyond 32 bits.
            if let (Some(start), Some(end)) = (offset(from), offset(to)) {
                diagnostic = diagnostic.label(source, Part::new(start, end.max(start)), "");
            }
        }
        self.help.iter().fold(diagnostic, Diagnostic::help)
    }

    /// Converts an error of the engine, with a clearer message where possible.
    pub(crate) fn of(error: &DataFusionError) -> Fault {
        let mut fault = match error {
            DataFusionError::Diagnostic(diagnostic, inner) => {
                let fault = Fault::of(inner);
                return Fault { place: fault.place.or(diagnostic.span.map(place)), ..fault };
            }
            DataFusionError::Context(_, inner) => return Fault::of(inner),
            DataFusionError::Shared(inner) => return Fault::of(inner),
            DataFusionError::Collection(several) => match several.first() {
                Some(first) => return Fault::of(first),
                None => Fault::new(Kind::Failed, error.to_string()),
            },
            DataFusionError::External(inner) => return Fault::of_table(inner.as_ref()),
            DataFusionError::SQL(error, _) => of_parser(&error.to_string()),
            DataFusionError::SchemaError(error, _) => of_schema(error),
            DataFusionError::ResourcesExhausted(_) => {
                Fault::new(Kind::Limit, "the query needs more memory than it may have")
                    .help("ask for fewer columns, keys or nodes, or raise the limit: --limit bytes=4000000000")
            }
            DataFusionError::Plan(message) | DataFusionError::NotImplemented(message) => of_plan(message),
            DataFusionError::Execution(message) => Fault::new(Kind::Failed, message.clone()),
            other => Fault::new(Kind::Failed, other.strip_backtrace().trim_start_matches("Arrow error: ")),
        };
        // The list of attempted candidates does not help users.
        if let Some((_, signature)) = fault.message.split_once("No function matches ") {
            let (signature, _) = signature.split_once(". You might").unwrap_or((signature, ""));
            fault.message = format!("no function matches {signature}");
        }
        // Backtraces are for developers of the engine.
        if let Some((message, _)) = fault.message.split_once("\n\nbacktrace:") {
            fault.message = message.to_owned();
        }
        fault
    }

    /// Converts an error of a table while its rows are computed.
    fn of_table(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Fault {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(inner) = inner {
            return match inner.downcast_ref::<DataFusionError>() {
                Some(error) => Fault::of(error),
                None => Fault::new(Kind::Failed, inner.to_string()),
            };
        }
        match error.downcast_ref::<DataFusionError>() {
            Some(error) => Fault::of(error),
            None => Fault::new(Kind::Failed, error.to_string()),
        }
    }

    /// Returns the error for a missing table.
    pub(crate) fn no_table(name: &str) -> Fault {
        let tables = Table::ALL.map(Table::name);
        let fault = Fault::new(Kind::Name, format!("there is no table '{name}'"));
        fault.help(
            did_you_mean(&nearest_many(name, tables))
                .unwrap_or_else(|| format!("the tables are {}", tables.join(", "))),
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

fn place(span: Span) -> [(u64, u64); 2] {
    [(span.start.line, span.start.column), (span.end.line, span.end.column)]
}

/// Converts a message of the parser, which ends with the position.
fn of_parser(message: &str) -> Fault {
    let message = message.strip_prefix("sql parser error: ").unwrap_or(message);
    let (text, place) = match message.rsplit_once(" at Line: ") {
        Some((text, place)) => {
            let numbers = place.split_once(", Column: ");
            let place = numbers.and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
            (text, place.map(|place| [place, place]))
        }
        None => (message, None),
    };
    Fault { place, ..Fault::new(Kind::Syntax, text) }
}

fn of_schema(error: &SchemaError) -> Fault {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let place = field.spans.first().map(place);
            let of = field.relation.as_ref().map(|table| format!(" in {}", table.table())).unwrap_or_default();
            let mut names: Vec<&str> = valid_fields
                .iter()
                .filter(|valid| field.relation.is_none() || valid.relation == field.relation)
                .map(|valid| valid.name.as_str())
                .collect();
            names.dedup();
            let fault = Fault::new(Kind::Name, format!("there is no column '{}'{of}", field.name));
            let near = did_you_mean(&nearest_many(&field.name, names.iter().copied()));
            let help = near.or_else(|| (!names.is_empty()).then(|| format!("the columns are {}", names.join(", "))));
            Fault { place, help: help.into_iter().collect(), ..fault }
        }
        SchemaError::AmbiguousReference { field } => {
            let place = field.spans.first().map(place);
            let fault = Fault::new(Kind::Name, format!("several tables have the column '{}'", field.name));
            Fault { place, ..fault.help(format!("name the table: lookups.{}", field.name)) }
        }
        other => Fault::new(Kind::Failed, other.to_string()),
    }
}

/// Converts a message of the planner. Unknown names come with a similar one on a separate line.
fn of_plan(message: &str) -> Fault {
    let (text, near) = match message.split_once("\nDid you mean ") {
        Some((text, near)) => (text, Some(near)),
        None => (message, None),
    };
    let is_name = text.starts_with("Invalid function") || text.contains("not found");
    let fault = Fault::new(if is_name { Kind::Name } else { Kind::Failed }, text.trim_end_matches('.'));
    match near {
        Some(near) => fault.help(format!("did you mean {near}")),
        None => fault,
    }
}
