//! Jobs, variable files and other files of HCL.

use std::path::Path;
use std::sync::Arc;

use hieratic::cty::{Function, Parameter, Type, Value};
use hieratic::hcl_language::syntax::{Source as HclSource, parse_config};
use hieratic::nomad::{Job, Options as JobOptions};
use hieratic::nomad_validation::{Finding as JobFinding, Rule as JobRule, judge};
use hieratic::powers::{Budget, Files};
use hieratic::repository_of;
use hieratic_diagnostics::{Diagnose, Source};

use crate::finding::Finding;
use crate::options::Options;
use crate::rules::{self, Rule};

/// What keeps a file from being read.
pub(crate) fn syntax(source: &Source) -> Vec<Finding> {
    told(&rules::HCL_SYNTAX, &parse_config(HclSource::from(source.clone())).problems)
}

/// What keeps a file from being read; of a job what a server would refuse or question.
pub(crate) fn check(path: &Path, source: &Source, options: &Options) -> Vec<Finding> {
    let parsed = parse_config(HclSource::from(source.clone()));
    let found = told(&rules::HCL_SYNTAX, &parsed.problems);
    let is_job = parsed.tree.blocks.iter().any(|block| &*block.kind == "job");
    if is_job && !parsed.problems.has_errors() { job(path, source, options) } else { found }
}

fn told(rule: &'static Rule, found: &impl Diagnose) -> Vec<Finding> {
    found.diagnose().into_iter().map(|diagnostic| Finding::of(rule, diagnostic)).collect()
}

/// What is wrong with a job, whatever values the variables get that have none.
fn job(path: &Path, source: &Source, options: &Options) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let repository = repository_of(folder).unwrap_or_else(|| folder.to_owned());
    // Without a node nothing is known of its data.
    let functions =
        if source.text().contains("hiera(") { vec![("hiera".to_owned(), Arc::new(hiera()))] } else { Vec::new() };
    let options = JobOptions {
        path: source.name().to_owned(),
        partial: true,
        reach: Some(options.settings.mounted(Files::below([&repository]))),
        folder: Some(repository),
        beside: Some(folder.to_owned()),
        functions,
        budget: Budget::new(options.settings.limits),
        ..JobOptions::default()
    };
    match Job::parse(source.text(), &options) {
        Err(failure) => told(&rules::JOB, &failure),
        Ok(job) => {
            let mut found = told(&rules::JOB, job.warnings());
            found.extend(judge(&job).iter().flat_map(of_job));
            found
        }
    }
}

/// A finding under the rule of `check` that it breaks.
fn of_job(finding: &JobFinding) -> Vec<Finding> {
    let rule = match finding.rule {
        JobRule::Job | JobRule::AddedByServer => &rules::JOB,
        JobRule::Remark => &rules::JOB_REMARK,
        JobRule::Deprecated => &rules::JOB_DEPRECATED,
        JobRule::ShutdownDelay => &rules::JOB_SHUTDOWN_DELAY,
        JobRule::Port => &rules::JOB_PORT,
        JobRule::UnquotedWord => &rules::JOB_UNQUOTED_WORD,
        JobRule::Driver => &rules::JOB_DRIVER,
        JobRule::DriverOption => &rules::JOB_DRIVER_OPTION,
        JobRule::Template => &rules::JOB_TEMPLATE,
        JobRule::RuntimeName => &rules::JOB_RUNTIME_NAME,
        JobRule::MainTask => &rules::JOB_MAIN_TASK,
    };
    let mut found = told(rule, finding);
    for finding in &mut found {
        // What the reference warns about is advice at times.
        finding.diagnostic.severity = rule.severity;
    }
    found
}

/// A function `hiera` whose answers are not known.
fn hiera() -> Function {
    Function::new(vec![Parameter::new("key", Type::String)], Type::Dynamic, |_| Ok(Value::DYNAMIC))
        .with_variadic(Parameter::new("default", Type::Dynamic).nullable())
}
