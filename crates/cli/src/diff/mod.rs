//! `hieratic diff`: the changes of the answers of all nodes, and their causes.

mod catalogs;
mod environments;
mod flags;
mod forge;
mod jobs;
mod nodes;
mod range;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use hieratic::catalog::CATALOG_LIMITS;
use hieratic::layers::repository_of;
use hieratic::sandbox::plain;
use hieratic::value::Str;
use hieratic::{Environment, Error, Limits};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_impact::{Diff, Ignore, Side};
use hieratic_output::RenderAs;
use hieratic_report::{JobReport, Nodes, OpenError, OpenSides, Options, Report, Sides, compare, merge_reports};

use environments::Environments;
pub(crate) use flags::{DiffArguments, Format};
use range::parse_range;

use crate::codes;
use crate::key_patterns::{KeyPatterns, Subject};
use crate::progress::Bar;
use crate::report::Reporter;
use crate::usage::usage;
use crate::watch::{self, Step};
use crate::{levels, revisions, terminal};

/// The exit status if the comparison failed.
const FAILED: u8 = 2;
/// The maximum number of printed answers that differ only in the facts that they contain.
const MOST_VARIANTS: usize = 10;
/// The maximum number of changes that are compared in detail.
const MOST_DETAILS: usize = 20_000;

/// The state that is known from the comparison before.
#[derive(Default)]
struct Earlier {
    sides: Option<Sides>,
    /// The files that have changed since.
    touched: Vec<PathBuf>,
    /// The environments that have not differed yet, and the nodes.
    unprepared: Option<(Vec<Sides>, Nodes)>,
}

impl Earlier {
    /// Reads what the comparison after the first change needs, while nothing else is to be done.
    fn prepare(&mut self, limits: Limits) {
        if let Some((sides, nodes)) = self.unprepared.take() {
            sides.iter().for_each(|sides| sides.prepare(&nodes, limits));
        }
    }
}

/// Runs the verb.
pub(crate) fn run(arguments: &DiffArguments) -> ExitCode {
    if arguments.watch {
        let (_, folder) = revisions::environment(&arguments.place);
        let folder = repository_of(&folder).unwrap_or(folder);
        let mut earlier = Earlier::default();
        let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
        return watch::repeat(&folder, &reporter, |step| match step {
            Step::Answer(changed) => {
                earlier.touched = changed.iter().map(|path| plain(path)).collect();
                Some(run_once(arguments, Some(&mut earlier)))
            }
            Step::Prepare => {
                earlier.prepare(arguments.limits.limits());
                None
            }
        });
    }
    run_once(arguments, None)
}

fn run_once(arguments: &DiffArguments, earlier: Option<&mut Earlier>) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match print_diff(arguments, earlier, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(FAILED)
        }
    }
}

fn print_diff(
    arguments: &DiffArguments,
    mut earlier: Option<&mut Earlier>,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let ignore = catalogs::ignore_rules(arguments)?;
    let limits = arguments.limits.limits();
    if let Err(error) = revisions::check_found(&arguments.place) {
        let report = jobs::report_without_data(arguments, limits, reporter.redactor(), error)?;
        return finish(&report, arguments, reporter);
    }
    let bar = Bar::new(arguments.quiet);
    let sides = match earlier.as_deref_mut() {
        Some(earlier) => {
            // If the comparison fails, the next one begins anew.
            let before = earlier.sides.take();
            let known = before.as_ref().map(|sides| (sides, earlier.touched.as_slice()));
            earlier.sides.insert(parse_range(arguments, known)?.caching()).clone()
        }
        None => parse_range(arguments, None)?,
    };
    let jobs = jobs::compare(arguments, &sides, limits)?;
    let Environments { both, lone, left_out } = environments::select(arguments, sides.clone());
    let patterns = KeyPatterns::new(&arguments.key);
    let comparison =
        Comparison { arguments, patterns: &patterns, ignore, limits, jobs: jobs.as_ref(), reporter, bar: &bar };
    let mut reports = Vec::new();
    let mut unopened = Vec::new();
    let mut nodes = None;
    let mut level_names = BTreeSet::new();
    let is_only = both.len() == 1;
    for (name, own) in &both {
        let open = match comparison.open(own) {
            Ok(open) => open,
            Err(error) if is_only => return Err(error),
            Err(error) => {
                unopened.push((name, error));
                continue;
            }
        };
        for environment in open.environments.as_ref() {
            level_names.extend(hieratic::layers::level_names(environment));
        }
        let nodes = match &nodes {
            Some(nodes) => nodes,
            None => {
                let all: Vec<&Sides> = both.iter().map(|(_, sides)| sides).collect();
                nodes.insert(nodes::subjects(arguments, &all, &open.environments.head, reporter)?)
            }
        };
        reports.push((name.clone(), comparison.report(&open, nodes)?));
        if is_only && !arguments.watch {
            // The process ends soon, so the data need not be freed.
            std::mem::forget(open);
        }
    }
    if let (Some(earlier), Some(nodes)) =
        (earlier, nodes.filter(|_| !arguments.no_findings && sides.changed().is_empty()))
    {
        earlier.unprepared = Some((both.iter().map(|(_, sides)| sides.clone()).collect(), nodes));
    }
    if !arguments.place.without_level_by_settings && !level_names.is_empty() {
        levels::check_known(&arguments.place.without_level, &level_names)?;
    }
    // Nothing was compared if no environment could be opened.
    if reports.is_empty() && !unopened.is_empty() {
        return Err(unopened.swap_remove(0).1);
    }
    let mut report = merge_reports(reports, lone, &sides);
    report.notes.extend(left_out);
    if let Some(jobs) = &jobs {
        report.add_jobs(jobs, &sides, reporter.redactor());
    }
    for (name, error) in unopened {
        report.notes.push(format!(
            "the environment {name}, which cannot be opened: {}",
            reporter.redactor().message(&error.to_string())
        ));
    }
    report.forge = forge::links(arguments, &sides)?;
    report.command = command(arguments);
    bar.finish();
    warn_of_unmatched(&patterns, both.iter().map(|(_, sides)| sides), limits, reporter);
    finish(&report, arguments, reporter)
}

/// Warns of each `--key` that no data has on either side: it hides all changes.
fn warn_of_unmatched<'s>(
    patterns: &KeyPatterns<'_>,
    all: impl Iterator<Item = &'s Sides>,
    limits: Limits,
    reporter: &Reporter,
) {
    if patterns.unmatched().next().is_none() {
        return;
    }
    let mut known: Vec<Str> = Vec::new();
    for settings in all.flat_map(|sides| [Side::Base, Side::Head].map(|side| sides.settings(side, limits))) {
        // A side that cannot be read was reported, and may have the key.
        let Some(survey) = hieratic_lint::survey(&settings) else { return };
        known.extend(survey.keys.iter().filter(|key| !patterns.selects(key)).map(|key| Str::from(key.as_str())));
        // A parameter of a class is a key, too, even if no data sets it. Code that cannot be read may have it.
        if patterns.unmatched().next().is_some()
            && hieratic_lint::schema(&settings, &|key| patterns.selects(key)).is_err()
        {
            return;
        }
    }
    patterns.warn_of_unmatched(Subject::CHANGE, &known, reporter);
}

/// The command that prints all of a report.
fn command(arguments: &DiffArguments) -> String {
    match &arguments.revisions {
        Some(range) => format!("hieratic diff {range}"),
        None => "hieratic diff".to_owned(),
    }
}

/// Prints a report and judges it.
fn finish(report: &Report, arguments: &DiffArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    print(report, arguments.format, reporter)?;
    for condition in &arguments.fail_if {
        if condition.holds(report) {
            let message = format!("the condition of --fail-if holds: {condition}");
            reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::FAIL_IF, message));
            return Ok(ExitCode::FAILURE);
        }
    }
    if arguments.strict_coverage && !report.notes.is_empty() {
        let message = "something was not compared, and --strict-coverage is given";
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::NOT_COMPARED, message));
        return Ok(ExitCode::FAILURE);
    }
    Ok(if arguments.exit_code && !report.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The options of the comparison.
struct Comparison<'c> {
    arguments: &'c DiffArguments,
    /// The keys of `--key`.
    patterns: &'c KeyPatterns<'c>,
    ignore: Ignore,
    limits: Limits,
    /// The changes of jobs; `None` if they are left out.
    jobs: Option<&'c JobReport>,
    reporter: &'c Reporter,
    bar: &'c Bar,
}

impl Comparison<'_> {
    fn open<'s>(&self, sides: &'s Sides) -> Result<OpenSides<'s>, Error> {
        let open = sides.open(self.limits).map_err(|OpenError { side, error, .. }| sides.on(side, error))?;
        open.environments.as_ref().into_iter().for_each(|environment| self.reporter.redact_secrets_of(environment));
        Ok(open)
    }

    /// The changes in an environment.
    fn report(&self, open: &OpenSides<'_>, nodes: &Nodes) -> Result<Report, Error> {
        let Comparison { arguments, patterns, limits, jobs, reporter, bar, .. } = self;
        let redactor = reporter.redactor();
        let compare_catalogs = |environments: Diff<&Environment>| {
            let limits = arguments.limits.over(CATALOG_LIMITS);
            catalogs::compare(environments, open.sides, nodes, limits, self)
        };
        let options = Options {
            selects_key: &|key: &str| patterns.selects(key),
            limits: *limits,
            most_details: MOST_DETAILS,
            most_variants: MOST_VARIANTS,
            conceal: false,
            parent_budget: None,
            progress: *bar,
            findings: if arguments.no_findings { None } else { Some(&|_| true) },
            jobs: *jobs,
            catalogs: if arguments.catalogs { Some(&compare_catalogs) } else { None },
        };
        compare(open, nodes, &options, redactor)
    }
}

/// Writes what changes in a format.
fn print(report: &Report, format: Format, reporter: &Reporter) -> Result<(), Error> {
    match format {
        Format::Text => reporter.print_text(report.to_text(reporter.colors_answers(), terminal::width()).as_bytes()),
        Format::Markdown => reporter.print_text(report.to_markdown().as_bytes()),
        Format::Html => reporter.print_text(hieratic_report::pages::changes_page(report).as_bytes()),
        Format::Json => {
            let value = report.to_value().map_err(|error| usage(error.to_string()))?;
            reporter.print_redacted_data(&value, RenderAs::Json).map_err(usage)?;
        }
        Format::Github => reporter.print_text(report.to_annotations().as_bytes()),
    }
    Ok(())
}
