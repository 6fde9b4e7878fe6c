//! `--validate`: reports the errors of a job that can be found without a server.

use std::path::Path;

use hieratic::Error;
use hieratic::hcl_eval::Range;
use hieratic::nomad_job::Job;
use hieratic::nomad_lint::{Finding, NomadVersion, Severity, as_command_text, lint, validate};
use hieratic_diagnostics::Diagnose;
use hieratic_diagnostics::render::visible;
use hieratic_output::RenderAs;
use serde_json::{Value as Json, json};

use super::{Format, usage};
use crate::output;
use crate::report::Reporter;

/// Prints every finding with its line; returns whether none of them is an error. A file that is one of several is
/// named.
pub(super) fn run(
    job: &Job,
    file: Option<&Path>,
    with_lint: bool,
    version: NomadVersion,
    format: Format,
    reporter: &Reporter,
) -> Result<bool, Error> {
    let mut findings = validate(job);
    // The version refuses the job because of an error, with or without the flag.
    findings.extend(lint(job, version).into_iter().filter(|finding| with_lint || finding.severity == Severity::Error));
    let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
    match format {
        Format::Data(RenderAs::S) => {
            let text = visible(&as_command_text(&findings));
            reporter.print_redacted(reporter.redactor().message(&text).as_bytes(), RenderAs::S);
        }
        Format::Report => reporter.print_report(&data(&findings), &[]),
        Format::Data(format) => {
            let redacted = reporter.redactor().report(&data(&findings), &[]);
            let value = hieratic::json::parse(redacted.to_string().as_bytes());
            let value = value.map_err(|error| usage(error.to_string()))?;
            reporter.print_redacted_data(&value, format).map_err(usage)?;
        }
        Format::Job => {
            reporter.diagnostics(findings.iter().flat_map(Diagnose::diagnose));
            if !failed {
                let of = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
                output::print(format!("{of}Job validation successful\n").as_bytes());
            }
        }
    }
    Ok(!failed)
}

fn data(findings: &[Finding]) -> Json {
    let finding = |finding: &Finding| {
        let mut entry = json!({
            "severity": finding.severity.name(),
            "message": finding.message,
            "path": finding.path,
            "within": finding.around().collect::<Vec<_>>(),
        });
        place_into(&mut entry, finding.place.as_ref());
        entry
    };
    json!({ "findings": findings.iter().map(finding).collect::<Vec<_>>() })
}

/// Adds the file, line and column of a range.
pub(super) fn place_into(entry: &mut Json, place: Option<&Range>) {
    if let Some(range) = place {
        let start = range.start();
        entry["file"] = range.source.name().as_ref().into();
        entry["line"] = start.line.into();
        entry["column"] = start.column.into();
    }
}
