//! `hieratic diff`: what a change does to the answers of all nodes, and why.

mod catalogs;
mod flags;
mod markdown;
mod nodes;
mod range;
mod text;

use std::process::ExitCode;

use hieratic::{CATALOG_LIMITS, Environment, Error};
use hieratic_changes::{Options, compare, parameters};
use hieratic_comparison::{Found, View};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_render::RenderAs;

pub(crate) use flags::{DiffArguments, Format};
use range::sides_of;

use crate::codes;
use crate::report::Reporter;
use crate::usage::usage;

/// The status of a comparison that could not be made.
const NOT_TOLD: u8 = 2;
/// How many answers that only differ in the facts that they mention are shown one by one.
const MOST_VARIANTS: usize = 10;
/// How many changes are looked at closely.
const MOST_DETAILS: usize = 20_000;

/// Runs the verb.
pub(crate) fn run(arguments: &DiffArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match compared(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(NOT_TOLD)
        }
    }
}

fn compared(arguments: &DiffArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let sides = sides_of(arguments)?;
    let limits = arguments.limits.limits();
    let head = Environment::open(&sides.settings(false, limits)).map_err(|error| sides.on(false, error))?;
    reporter.cover(&head);
    let base = Environment::open_beside(&sides.settings(true, limits), &head).map_err(|error| sides.on(true, error))?;
    reporter.cover(&base);
    let nodes = nodes::subjects(arguments, &sides, &head, reporter)?;
    let changed = sides.changed();
    let extra: Vec<_> = Vec::new();
    let options = Options {
        changed: &changed,
        wanted: &|key: &str| hieratic::is_wanted(key, &arguments.key),
        extra: &extra,
        limits,
        most_details: MOST_DETAILS,
        most_variants: MOST_VARIANTS,
        conceal: false,
        within: None,
    };
    let report = compare([&base, &head], &nodes.subjects, &options, reporter.mask());
    let mut declared = parameters([&base, &head], changed.iter());
    declared.retain(|change| hieratic::is_wanted(&change.key, &arguments.key));
    let findings = match arguments.no_findings {
        true => Vec::new(),
        false => sides.new_findings(&head, &nodes, limits),
    };
    let catalogs = match arguments.catalogs {
        true => {
            let limits = arguments.limits.over(CATALOG_LIMITS);
            Some(catalogs::compared([&base, &head], &sides, &nodes, limits, arguments, reporter.mask())?)
        }
        false if arguments.inputs.any() => {
            return Err(usage("--enc, --exported, --puppetdb-answers and --server-facts are for catalogs")
                .help("add --catalogs"));
        }
        false => None,
    };
    sides.whole()?;
    let found = Found { report: &report, declared: &declared, findings: &findings, catalogs: catalogs.as_ref() };
    let view = View::of(&sides, &nodes, &found, &head, reporter.mask());
    print(&view, arguments.format, reporter)?;
    let has_changes = !view.is_empty();
    for condition in &arguments.fail_if {
        if condition.holds(&view) {
            let message = format!("the condition of --fail-if holds: {condition}");
            reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::FAIL_IF, message));
            return Ok(ExitCode::FAILURE);
        }
    }
    // The process ends here: what was read need not be taken apart.
    std::mem::forget((base, head, report));
    Ok(if arguments.exit_code && has_changes { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Writes what changes in a format.
fn print(view: &View, format: Format, reporter: &Reporter) -> Result<(), Error> {
    match format {
        Format::Text => reporter.print_text(text::written(view, reporter.colors_answers()).as_bytes()),
        Format::Markdown => reporter.print_text(markdown::written(view).as_bytes()),
        Format::Html => reporter.print_text(hieratic_pages::changes_alone(view).as_bytes()),
        Format::Json => reporter.tell_data(&view.to_value(), RenderAs::Json).map_err(usage)?,
        Format::Github => reporter.print_text(text::annotations(view).as_bytes()),
    }
    Ok(())
}
