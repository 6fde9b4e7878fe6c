//! [`check_style`] checks one manifest and returns a [`StyleReport`].

use std::collections::BTreeSet;

use hieratic_budget::Budget;

use crate::control::{Ignored, UnpairedComment};
use crate::failure::Failure;
use crate::fix::fix;
use crate::manifest::Manifest;
use crate::problem::Problem;
use crate::rules::{self, Context};
use crate::settings::Settings;

/// The result of checking the style of a manifest.
#[derive(Clone, Debug, Default)]
pub struct StyleReport {
    /// The problems, in the order of the rules. Problems that comments accept are included.
    pub problems: Vec<Problem>,
    /// The manifest with all fixes. `None` if there are none.
    pub fixed: Option<String>,
    /// The control comments without their counterpart.
    pub unpaired: Vec<UnpairedComment>,
}

/// Checks the style of a manifest and fixes it. `path` must be absolute.
///
/// # Errors
/// The manifest cannot be parsed, or the budget is exhausted.
pub fn check_style(source: &str, path: &str, settings: &Settings, budget: &Budget) -> Result<StyleReport, Failure> {
    run(source, path, settings, budget, true)
}

/// Checks the style of a manifest without fixing it. `path` must be absolute.
///
/// # Errors
/// As [`check_style`].
pub fn find_problems(source: &str, path: &str, settings: &Settings, budget: &Budget) -> Result<StyleReport, Failure> {
    run(source, path, settings, budget, false)
}

fn run(source: &str, path: &str, settings: &Settings, budget: &Budget, fixes: bool) -> Result<StyleReport, Failure> {
    if source.is_empty() {
        return Ok(StyleReport::default());
    }
    let manifest = Manifest::read(source, budget)?;
    let ignored = Ignored::read(&manifest);
    let mut problems = Vec::new();
    for rule in rules::ALL.iter().filter(|rule| settings.is_enabled(rule.name)) {
        budget.steps(manifest.len() as u64)?;
        let mut context = Context { manifest: &manifest, settings, path, rule, found: Vec::new() };
        (rule.check)(&mut context)?;
        problems.append(&mut context.found);
    }
    keep_each_once(&mut problems);
    for problem in &mut problems {
        problem.ignored = ignored.reason(problem.rule, problem.line).map(str::to_owned);
    }
    let fixed = if fixes { fix(&manifest, &mut problems)? } else { None };
    Ok(StyleReport { problems, fixed, unpaired: ignored.unpaired })
}

/// Removes problems that a rule has found several times.
fn keep_each_once(problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    problems.retain(|problem| {
        seen.insert((problem.rule, problem.span.start, problem.line, problem.column, problem.message.clone()))
    });
}
