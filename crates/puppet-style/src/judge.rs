//! [`judge`]: the whole work on one manifest.

use std::collections::BTreeSet;

use hieratic_budget::Budget;

use crate::control::{Ignored, Unpaired};
use crate::failure::Failure;
use crate::fix::fix;
use crate::manifest::Manifest;
use crate::problem::Problem;
use crate::rules::{self, Context};
use crate::settings::Settings;

/// The result of judging a manifest.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The problems, with those that comments accept, in the order of the rules.
    pub problems: Vec<Problem>,
    /// The manifest with all fixes; `None` if they change nothing.
    pub fixed: Option<String>,
    /// Comments without their counterpart.
    pub unpaired: Vec<Unpaired>,
}

/// Judges the style of a manifest, given its absolute path, and fixes it.
///
/// # Errors
/// The manifest cannot be read, or the budget is used up.
pub fn judge(source: &str, path: &str, settings: &Settings, budget: &Budget) -> Result<Judged, Failure> {
    run(source, path, settings, budget, true)
}

/// Judges the style of a manifest, given its absolute path, without fixing it.
///
/// # Errors
/// As [`judge`].
pub fn find_problems(source: &str, path: &str, settings: &Settings, budget: &Budget) -> Result<Judged, Failure> {
    run(source, path, settings, budget, false)
}

fn run(source: &str, path: &str, settings: &Settings, budget: &Budget, fixes: bool) -> Result<Judged, Failure> {
    if source.is_empty() {
        return Ok(Judged::default());
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
    Ok(Judged { problems, fixed, unpaired: ignored.unpaired })
}

/// Removes problems that a rule has found several times.
fn keep_each_once(problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    problems.retain(|problem| {
        seen.insert((problem.rule, problem.span.start, problem.line, problem.column, problem.message.clone()))
    });
}
