//! `hieratic diff`: the changes of the answers of all nodes, and their causes.

mod catalogs;
mod environments;
mod flags;
mod markdown;
mod nodes;
mod range;
mod text;

use std::process::ExitCode;

use hieratic::{CATALOG_LIMITS, Environment, Error, Limits};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_impact::{Ignore, Options, compare, parameters};
use hieratic_output::RenderAs;
use hieratic_report::{ComparisonResults, Nodes, Sides, View, merge_views};

use environments::Environments;
pub(crate) use flags::{DiffArguments, Format};
use range::parse_range;

use crate::codes;
use crate::report::Reporter;
use crate::usage::usage;

/// The exit status if the comparison failed.
const NOT_TOLD: u8 = 2;
/// The maximum number of printed answers that differ only in the facts that they contain.
const MOST_VARIANTS: usize = 10;
/// The maximum number of changes that are compared in detail.
const MOST_DETAILS: usize = 20_000;

/// Runs the verb.
pub(crate) fn run(arguments: &DiffArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match print_diff(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(NOT_TOLD)
        }
    }
}

fn print_diff(arguments: &DiffArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let ignore = catalogs::ignore_rules(arguments)?;
    let sides = parse_range(arguments)?;
    let Environments { both, lone, left_out } = environments::select(arguments, sides.clone());
    let limits = arguments.limits.limits();
    let comparison = Comparison { arguments, ignore, limits, reporter };
    let mut views = Vec::new();
    let mut unopened = Vec::new();
    let mut nodes = None;
    let is_only = both.len() == 1;
    for (name, own) in &both {
        let pair = match comparison.open_pair(own) {
            Ok(pair) => pair,
            Err(error) if is_only => return Err(error),
            Err(error) => {
                unopened.push((name, error));
                continue;
            }
        };
        let nodes = match &nodes {
            Some(nodes) => nodes,
            None => {
                let all: Vec<&Sides> = both.iter().map(|(_, sides)| sides).collect();
                nodes.insert(nodes::subjects(arguments, &all, &pair.head, reporter)?)
            }
        };
        views.push((name.clone(), comparison.view(own, &pair, nodes)?));
        if is_only {
            // The process ends soon, so the data need not be freed.
            std::mem::forget(pair);
        }
    }
    // Nothing was compared if no environment could be opened.
    if views.is_empty() && !unopened.is_empty() {
        return Err(unopened.swap_remove(0).1);
    }
    let mut view = merge_views(views, lone, &sides);
    view.notes.extend(left_out);
    for (name, error) in unopened {
        view.notes.push(format!(
            "the environment {name}, which cannot be opened: {}",
            reporter.mask().message(&error.to_string())
        ));
    }
    print(&view, arguments.format, reporter)?;
    for condition in &arguments.fail_if {
        if condition.holds(&view) {
            let message = format!("the condition of --fail-if holds: {condition}");
            reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::FAIL_IF, message));
            return Ok(ExitCode::FAILURE);
        }
    }
    if arguments.strict_coverage && !view.notes.is_empty() {
        let message = "something was not compared, and --strict-coverage is given";
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::NOT_COMPARED, message));
        return Ok(ExitCode::FAILURE);
    }
    Ok(if arguments.exit_code && !view.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The options of the comparison.
struct Comparison<'c> {
    arguments: &'c DiffArguments,
    ignore: Ignore,
    limits: Limits,
    reporter: &'c Reporter,
}

/// An environment on both sides.
struct EnvironmentPair {
    base: Environment,
    head: Environment,
}

impl Comparison<'_> {
    fn open_pair(&self, sides: &Sides) -> Result<EnvironmentPair, Error> {
        let head = Environment::open(&sides.settings(false, self.limits)).map_err(|error| sides.on(false, error))?;
        self.reporter.redact_secrets_of(&head);
        let base = Environment::open_beside(&sides.settings(true, self.limits), &head)
            .map_err(|error| sides.on(true, error))?;
        self.reporter.redact_secrets_of(&base);
        Ok(EnvironmentPair { base, head })
    }

    /// The changes in an environment.
    fn view(
        &self,
        sides: &Sides,
        EnvironmentPair { base, head }: &EnvironmentPair,
        nodes: &Nodes,
    ) -> Result<View, Error> {
        let Comparison { arguments, ignore, limits, reporter } = self;
        let (changed, mask) = (sides.changed(), reporter.mask());
        let options = Options {
            changed: &changed,
            wanted: &|key: &str| hieratic::is_wanted(key, &arguments.key),
            extra: &[],
            limits: *limits,
            most_details: MOST_DETAILS,
            most_variants: MOST_VARIANTS,
            conceal: false,
            parent_budget: None,
        };
        let report = compare([base, head], &nodes.subjects, &options, mask);
        let mut declared = parameters([base, head], changed.iter());
        declared.retain(|change| hieratic::is_wanted(&change.key, &arguments.key));
        let findings = match arguments.no_findings {
            true => Vec::new(),
            false => sides.new_findings(head, nodes, *limits),
        };
        let catalogs = match arguments.catalogs {
            true => {
                let limits = arguments.limits.over(CATALOG_LIMITS);
                Some(catalogs::compare([base, head], sides, nodes, limits, arguments, ignore, mask)?)
            }
            false => None,
        };
        sides.check_complete()?;
        let found = ComparisonResults {
            report: &report,
            declared: &declared,
            findings: &findings,
            catalogs: catalogs.as_ref(),
        };
        Ok(View::new(sides, nodes, &found, [base, head], mask))
    }
}

/// Writes what changes in a format.
fn print(view: &View, format: Format, reporter: &Reporter) -> Result<(), Error> {
    match format {
        Format::Text => reporter.print_text(text::render(view, reporter.colors_answers()).as_bytes()),
        Format::Markdown => reporter.print_text(markdown::render(view).as_bytes()),
        Format::Html => reporter.print_text(hieratic_report::pages::changes_page(view).as_bytes()),
        Format::Json => reporter.print_redacted_data(&view.to_value(), RenderAs::Json).map_err(usage)?,
        Format::Github => reporter.print_text(text::annotations(view).as_bytes()),
    }
    Ok(())
}
