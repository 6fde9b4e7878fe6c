//! `--origins`: the origin of every value of a job, and the overridden values of its variables.

use hieratic::hcl_eval::Range;
use hieratic::nomad_job::record::Data;
use hieratic::nomad_job::variables::{Assignment, ValueSource};
use hieratic::nomad_job::{Dependency, Job, Origin};
use hieratic::{Error, Redactor, hcl_types};
use hieratic_output::RenderAs;
use serde_json::{Value as Json, json};

use super::validation::place_into;
use super::{Format, usage};
use crate::output::{Layout, OriginLine};
use crate::report::Reporter;

/// Prints the variables and values in the format.
pub(super) fn print(job: &Job, format: Format, reporter: &Reporter) -> Result<(), Error> {
    match format {
        Format::Job => {
            reporter.print_redacted(text(job, &reporter.layout(), reporter.redactor()).as_bytes(), RenderAs::S)
        }
        Format::Report => reporter.print_report(&data(job), &["value"]),
        Format::Data(format) => {
            let redacted = reporter.redactor().report(&data(job), &["value"]);
            let value = hieratic::json::parse(redacted.to_string().as_bytes());
            let value = value.map_err(|error| usage(error.to_string()))?;
            reporter.print_redacted_data(&value, format).map_err(usage)?;
        }
    }
    Ok(())
}

/// Returns lines with values and their origins, variables first.
fn text(job: &Job, layout: &Layout, redactor: &Redactor) -> String {
    let mut rows: Vec<OriginLine> = Vec::new();
    for variable in job.variables() {
        let Some((winner, lost)) = variable.assignments.split_last() else { continue };
        rows.push(OriginLine::new(
            &format!("var.{}", variable.name),
            &inline(&winner.value, redactor),
            &source(winner),
        ));
        for assignment in lost.iter().rev() {
            rows.push(OriginLine::note(&format!("  not {}", inline(&assignment.value, redactor)), &source(assignment)));
        }
    }
    for origin in job.origins() {
        let place = origin.place.as_ref().map_or_else(|| "default".to_owned(), line);
        rows.push(OriginLine::new(&redactor.name(&origin.path), &redactor.tree(&json_of(&origin)).to_string(), &place));
        for dependency in origin.dependencies.iter() {
            let place = match dependency {
                Dependency::Local(_, range) => line(range),
                Dependency::Variable(variable) => variable.assignments.last().map_or_else(String::new, source),
            };
            rows.push(OriginLine::note(&format!("  from {}", name(dependency)), &place));
        }
    }
    layout.in_columns(&rows)
}

fn data(job: &Job) -> Json {
    let variables: Vec<Json> = job
        .variables()
        .iter()
        .filter_map(|variable| {
            let (winner, lost) = variable.assignments.split_last()?;
            let mut entry = assignment(winner);
            entry["name"] = variable.name.as_ref().into();
            entry["lost"] = lost.iter().map(assignment).collect();
            Some(entry)
        })
        .collect();
    let values: Vec<Json> = job
        .origins()
        .iter()
        .map(|origin| {
            let mut entry = json!({ "path": origin.path, "value": json_of(origin) });
            place_into(&mut entry, origin.place.as_ref());
            if !origin.dependencies.is_empty() {
                entry["through"] = origin.dependencies.iter().map(step).collect();
            }
            entry
        })
        .collect();
    json!({ "variables": variables, "values": values })
}

/// Returns the name of a value in expressions.
fn name(dependency: &Dependency<'_>) -> String {
    match dependency {
        Dependency::Local(name, _) => format!("local.{name}"),
        Dependency::Variable(variable) => format!("var.{}", variable.name),
    }
}

fn step(dependency: &Dependency<'_>) -> Json {
    let mut entry = json!({ "name": name(dependency) });
    match dependency {
        Dependency::Local(_, range) => place_into(&mut entry, Some(range)),
        Dependency::Variable(variable) => {
            if let Some(assignment) = variable.assignments.last() {
                entry["from"] = flag(assignment.from).into();
                place_into(&mut entry, assignment.place.as_ref());
            }
        }
    }
    entry
}

fn assignment(assignment: &Assignment) -> Json {
    let value = assignment.value.to_json().unwrap_or_default();
    let mut entry = json!({ "value": value, "from": flag(assignment.from) });
    place_into(&mut entry, assignment.place.as_ref());
    entry
}

/// Returns the source of a value in the terms of its user: a flag, a variable or a file.
fn flag(from: ValueSource) -> &'static str {
    match from {
        ValueSource::Default => "default",
        ValueSource::Environment => "environment",
        ValueSource::File => "var-file",
        ValueSource::CommandLine => "-var",
    }
}

fn source(assignment: &Assignment) -> String {
    match &assignment.place {
        Some(range) => format!("{} at {}", flag(assignment.from), line(range)),
        None => flag(assignment.from).to_owned(),
    }
}

fn line(range: &Range) -> String {
    format!("{}:{}", range.source.name(), range.start().line)
}

fn inline(value: &hcl_types::Value, redactor: &Redactor) -> String {
    value.to_json().map_or_else(|error| error.to_string(), |json| redactor.tree(&json).to_string())
}

/// A value without anything in it.
fn json_of(origin: &Origin<'_>) -> Json {
    match origin.value {
        Data::Bool(value) => (*value).into(),
        Data::Int(value) => (*value).into(),
        Data::Uint(value) => (*value).into(),
        // JSON has no such numbers.
        Data::Float(value) if value.is_infinite() => if *value > 0.0 { "+Inf" } else { "-Inf" }.into(),
        Data::Float(value) => (*value).into(),
        Data::Text(text) => text.as_ref().into(),
        Data::Bytes(bytes) => String::from_utf8_lossy(bytes).into(),
        Data::List(_) => json!([]),
        Data::Map(_) | Data::Record(_) => json!({}),
        Data::Null | Data::Pending(_) | Data::Unknown => Json::Null,
    }
}
