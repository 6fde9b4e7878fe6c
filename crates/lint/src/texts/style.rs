//! The style of manifests, checked as puppet-lint does.

use std::path::Path;

use hieratic::Limits;
use hieratic::budget::Budget;
use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};
use hieratic_puppet_style::{self as puppet_style, Failure, Problem, StyleReport, UnpairedComment};
use hieratic_puppet_syntax::{Options as Syntax, parse};

use super::manifest::is_plan;
use crate::coverage::Reason;
use crate::finding::Finding;
use crate::paths::absolute;
use crate::rules;
use crate::style_options::StyleOptions;

/// The findings about the style of a manifest, or why it was not judged.
#[derive(Default)]
pub(crate) struct StyleCheck {
    pub(crate) findings: Vec<Finding>,
    pub(crate) not_judged: Option<Reason>,
}

/// Judges the style of a manifest that can be parsed.
pub(crate) fn check(path: &Path, source: &Source, options: &StyleOptions, limits: &Limits) -> StyleCheck {
    let path = absolute(path);
    if is_left_out(&path, options) {
        return StyleCheck::default();
    }
    match check_style(&path, source.text(), options, limits, options.fixes) {
        Ok(report) => {
            let problems = report.problems.iter().filter(|problem| problem.ignored.is_none());
            let level = options.settings.error_level;
            let problems = problems.filter(|problem| level.is_none_or(|level| level == problem.severity));
            let findings = problems.map(|problem| of_problem(source, problem));
            let unpaired = report.unpaired.iter().map(|comment| of_comment(source, comment));
            StyleCheck { findings: findings.chain(unpaired).collect(), not_judged: None }
        }
        Err(failure) => {
            let reason = match failure {
                Failure::Syntax { line, .. } => format!("puppet-lint cannot read line {line}"),
                other => other.to_string(),
            };
            StyleCheck { findings: Vec::new(), not_judged: Some(Reason::StyleUnknown(reason)) }
        }
    }
}

/// Returns whether `.puppet-lint.rc` leaves a file out.
fn is_left_out(path: &Path, options: &StyleOptions) -> bool {
    let relative = path.strip_prefix(&options.folder).unwrap_or(path);
    options.settings.ignores(&relative.to_string_lossy())
}

fn check_style(
    path: &Path,
    text: &str,
    options: &StyleOptions,
    limits: &Limits,
    fixes: bool,
) -> Result<StyleReport, Failure> {
    let budget = Budget::new(*limits);
    let path = path.to_string_lossy();
    if fixes {
        puppet_style::check_style(text, &path, &options.settings, &budget)
    } else {
        puppet_style::find_problems(text, &path, &options.settings, &budget)
    }
}

/// Returns a manifest with all fixes of its style. Returns `None` without fixes, or if the result cannot be parsed.
pub fn restyle(path: &Path, text: &str, options: &StyleOptions, limits: &Limits) -> Option<String> {
    let path = absolute(path);
    // A file that cannot be read is not fixed; the check has said so.
    let fixed = check_style(&path, text, options, limits, true).ok()?.fixed?;
    let syntax = Syntax { tasks: is_plan(&path), ..Syntax::default() };
    let is_parsed = |text: &str| parse(&Source::new("", text), &syntax).problems.is_empty();
    (is_parsed(&fixed) || !is_parsed(text)).then_some(fixed)
}

fn of_problem(source: &Source, problem: &Problem) -> Finding {
    let rule = puppet_style::rules::find(problem.rule);
    let severity = match problem.severity {
        puppet_style::Severity::Warning => Severity::Warning,
        puppet_style::Severity::Error => Severity::Error,
    };
    let code = rule.map_or(rules::STYLE.code, |rule| Code::of_program(rule.name, rule.about));
    let span = Span::new(problem.span.start, problem.span.end);
    let mut finding = Finding::from_diagnostic(&rules::STYLE, Diagnostic::new(severity, code, &problem.message))
        .at(source, source.clamp(span), "")
        .restyled(problem.is_fixed);
    if rule.is_some_and(puppet_style::Rule::has_fix) && !problem.is_fixed {
        finding = finding.help("--fix may do it");
    }
    finding
}

/// A comment without its counterpart, of which puppet-lint warns.
fn of_comment(source: &Source, comment: &UnpairedComment) -> Finding {
    let message = match &comment.rule {
        Some(rule) => format!("lint:ignore:{rule} has no lint:endignore"),
        None => "lint:endignore has no lint:ignore".to_owned(),
    };
    let span = Span::new(comment.span.start, comment.span.end);
    Finding::new(&rules::STYLE, message).at(source, source.clamp(span), "")
}
