//! Jobs, variable files and other files of HCL.

mod cluster;
mod templates;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use hieratic::budget::Budget;
use hieratic::hcl_eval::syntax::{Source as HclSource, parse_config};
use hieratic::hcl_types::{Function, Parameter, Type, Value};
use hieratic::layers::repository_of;
use hieratic::nomad_job::{Job, Options as JobOptions, VariableFile, with_hint};
use hieratic::nomad_lint::{Finding as JobFinding, Rule as JobRule, check_job};
use hieratic::sandbox::Files;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Diagnose, Source, Span};
use regex::Regex;

use super::plain;
use crate::coverage::Reason;
use crate::finding::Finding;
use crate::job_values::{JobRuns, Run};
use crate::options::Options;
use crate::paths::absolute;
use crate::rules::{self, Rule};

/// The program that renders the double braces in a string, if there are any. Workflows of GitHub have `${{ }}` in
/// complete YAML, which does not count.
pub(crate) fn program_of_braces(text: &str) -> Option<&'static str> {
    templates::of_braces(&text.replace("${{", ""))
}

/// The syntax errors of a file.
pub(crate) fn syntax(source: &Source) -> Vec<Finding> {
    to_findings(&rules::HCL_SYNTAX, &parse_config(HclSource::from(source.clone())).problems)
}

/// The findings in a file, and the reasons why parts of it were not checked.
#[derive(Debug, Default)]
pub(crate) struct HclCheck {
    pub(crate) findings: Vec<Finding>,
    pub(crate) not_judged: Vec<Reason>,
}

/// Checks the syntax of a file and, if it is a job, the rules of a server.
pub(crate) fn check(path: &Path, source: &Source, options: &Options, runs: &JobRuns<'_>) -> HclCheck {
    if plain::is_encrypted(source) {
        return HclCheck { not_judged: vec![Reason::Encrypted], ..HclCheck::default() };
    }
    if let Some(program) = templates::program(path, source).filter(|_| !is_json(source.text())) {
        return HclCheck { not_judged: vec![Reason::TemplateOf(program)], ..HclCheck::default() };
    }
    if is_json(source.text()) {
        let findings = match plain::json(source) {
            Ok(findings) => findings,
            Err(reason) => return HclCheck { not_judged: vec![reason], ..HclCheck::default() },
        };
        let is_job = findings.is_empty() && is_job_in_json(source.text());
        if is_job {
            return job(path, source, options, runs);
        }
        if findings.iter().any(|finding| std::ptr::eq(finding.rule, &rules::DATA_SYNTAX)) {
            return HclCheck { findings, ..HclCheck::default() };
        }
        let budget = Budget::new(options.settings.limits);
        let mut check = cluster::check_json(path, source, &budget);
        check.findings.splice(0..0, findings);
        return check;
    }
    let parsed = parse_config(HclSource::from(source.clone()));
    let is_job = parsed.tree.blocks.iter().any(|block| &*block.kind == "job");
    if is_job && !parsed.problems.has_errors() {
        return job(path, source, options, runs);
    }
    if is_job {
        let problems = parsed.problems.diagnose().into_iter().map(with_hint);
        let findings = problems.map(|problem| Finding::from_diagnostic(&rules::HCL_SYNTAX, problem)).collect();
        return HclCheck { findings, ..HclCheck::default() };
    }
    // The settings or a flag say what the file is.
    if options.job_values.variable_files().any(|file| absolute(file) == absolute(path)) {
        return HclCheck { findings: to_findings(&rules::HCL_SYNTAX, &parsed.problems), ..HclCheck::default() };
    }
    cluster::check(path, source, &parsed, &Budget::new(options.settings.limits))
}

/// Returns whether a file is a job itself, not a template of one.
pub(crate) fn is_plain_job(path: &Path, source: &Source) -> bool {
    if is_json(source.text()) {
        return is_job_in_json(source.text());
    }
    templates::program(path, source).is_none()
        && parse_config(HclSource::from(source.clone())).tree.blocks.iter().any(|block| &*block.kind == "job")
}

/// Returns whether a file is in one of the syntaxes of JSON.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Returns whether a document of JSON is judged by more than its syntax: a job, or a file of Nomad, Consul or Vault.
pub(crate) fn is_judged_json(path: &Path, text: &str) -> bool {
    is_job_in_json(text) || cluster::is_cluster_file(path, text)
}

/// Returns whether a document of JSON is a job: in HCL's JSON syntax or in the format of the API.
pub(crate) fn is_job_in_json(text: &str) -> bool {
    // Most other files need not be parsed.
    if !["\"job\"", "\"Job\"", "\"TaskGroups\""].iter().any(|name| text.contains(name)) {
        return false;
    }
    // The check of JSON reports syntax errors.
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    is_job_of_api(&value) || blocks(&value, "job").any(|job| job.get("group").is_some() || job.get("task").is_some())
}

/// Returns whether a value is a job in the format of the API.
fn is_job_of_api(value: &serde_json::Value) -> bool {
    let job = value.get("Job").unwrap_or(value);
    job.get("TaskGroups").is_some_and(|groups| groups.is_array() || groups.is_null()) && job.get("ID").is_some()
}

/// The contents of the blocks of a kind, each under a label.
fn blocks<'v>(value: &'v serde_json::Value, kind: &str) -> impl Iterator<Item = &'v serde_json::Value> {
    let each = |value: &'v serde_json::Value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let labelled = value.get(kind).into_iter().flat_map(each).filter_map(serde_json::Value::as_object);
    labelled.flat_map(|labels| labels.values()).flat_map(each)
}

fn to_findings(rule: &'static Rule, found: &impl Diagnose) -> Vec<Finding> {
    found.diagnose().into_iter().map(|diagnostic| Finding::from_diagnostic(rule, diagnostic)).collect()
}

/// The findings of a job in any of its runs, for any values of the variables that have none.
fn job(path: &Path, source: &Source, options: &Options, runs: &JobRuns<'_>) -> HclCheck {
    let runs = runs.for_job(path);
    let several = runs.len() > 1;
    let mut check = HclCheck::default();
    let mut count = 0;
    // The runs that each finding is found in, and the findings of each place and message.
    let mut found: Vec<(Finding, Vec<String>)> = Vec::new();
    let mut known: HashMap<(Option<Span>, String), Vec<usize>> = HashMap::default();
    for run in runs {
        count += 1;
        let name = run.name.clone();
        let one = run_of_job(path, source, run, options);
        for finding in one.findings {
            let place = finding.primary().map(|(_, span)| span);
            let alike = known.entry((place, finding.diagnostic.message.clone())).or_default();
            let same = |at: &usize| found.get(*at).is_some_and(|(known, _)| is_same(known, &finding));
            match alike.iter().copied().find(same).and_then(|at| found.get_mut(at)) {
                Some((_, names)) => names.push(name.clone()),
                None => {
                    alike.push(found.len());
                    found.push((finding, vec![name.clone()]));
                }
            }
        }
        for reason in one.not_judged {
            if !check.not_judged.contains(&reason) {
                check.not_judged.push(reason);
            }
        }
    }
    let with_runs = |(finding, names): (Finding, Vec<String>)| {
        if several && names.len() < count { finding.note(format!("with {}", names.join("; with "))) } else { finding }
    };
    let with_file = |finding: Finding| match finding.file() {
        "" => finding.in_file(source.name()),
        _ => finding,
    };
    check.findings = found.into_iter().map(with_runs).map(with_file).collect();
    check
}

/// Returns whether two runs of a job have the same finding.
fn is_same(one: &Finding, other: &Finding) -> bool {
    // Each run reads a separate source.
    let place = |finding: &Finding| finding.primary().map(|(source, span)| (source.name().to_owned(), span));
    one.rule.id() == other.rule.id()
        && one.diagnostic.message == other.diagnostic.message
        && one.diagnostic.notes == other.diagnostic.notes
        && place(one) == place(other)
}

/// The findings of a job that is run with these variable files.
fn run_of_job(path: &Path, source: &Source, run: Run, options: &Options) -> HclCheck {
    let version = run.nomad_version.unwrap_or(options.job_values.nomad_version);
    // Without a node its data is unknown.
    let asks_for_data = asks_for_data(source.text());
    let functions = if asks_for_data { vec![("hiera".to_owned(), Arc::new(hiera()))] } else { Vec::new() };
    let options = JobOptions { partial: true, functions, ..job_options(path, source, run, options) };
    match Job::parse(source.text(), &options) {
        Err(failure) => HclCheck { findings: to_findings(&rules::JOB, &failure), ..HclCheck::default() },
        Ok(job) => {
            let mut findings = to_findings(&rules::JOB, job.warnings());
            findings.extend(together(check_job(&job, version).iter().flat_map(of_job)));
            let mut not_judged = Vec::new();
            if job.has_gaps() {
                not_judged.extend(job.unset().map(|variable| Reason::UnknownValue(format!("var.{}", variable.name))));
                not_judged.extend(asks_for_data.then(|| Reason::UnknownValue("hiera()".to_owned())));
            }
            HclCheck { findings, not_judged }
        }
    }
}

/// Returns whether a job calls `hiera`.
pub(crate) fn asks_for_data(text: &str) -> bool {
    text.contains("hiera(")
}

/// The options of a run of a job.
pub(crate) fn job_options(path: &Path, source: &Source, run: Run, options: &Options) -> JobOptions {
    let folder = path.parent().unwrap_or(Path::new("."));
    let repository = repository_of(folder).unwrap_or_else(|| folder.to_owned());
    let value = is_json(source.text()).then(|| serde_json::from_str::<serde_json::Value>(source.text()));
    let json = matches!(value, Some(Ok(value)) if is_job_of_api(&value));
    let values = &options.job_values;
    // The arguments of the user override those of the set.
    let arguments: Vec<String> = run.arguments.iter().chain(&values.arguments).cloned().collect();
    let files: Vec<VariableFile> = run.files;
    JobOptions {
        path: source.name().to_owned(),
        json,
        // The JSON of the API has no variables. The given values are for all jobs, and each job takes those that it
        // declares.
        files: if json { Vec::new() } else { files },
        allow_undeclared: true,
        arguments: if json { Vec::new() } else { declared(source.text(), &arguments) },
        extensions: values.extensions,
        region: run.region,
        namespace: run.namespace,
        environment: values.environment.clone(),
        reach: Some(options.settings.mounted(Files::below([&repository]))),
        folder: Some(repository),
        beside: Some(folder.to_owned()),
        budget: Budget::new(options.settings.limits),
        ..JobOptions::default()
    }
}

/// The arguments for variables that a job declares.
fn declared(text: &str, arguments: &[String]) -> Vec<String> {
    if arguments.is_empty() {
        return Vec::new();
    }
    let names = variables(text);
    let is_declared = |argument: &&String| argument.split_once('=').is_some_and(|(name, _)| names.contains(name));
    arguments.iter().filter(is_declared).cloned().collect()
}

/// The variables that a job declares, and those that it seems to declare where it cannot be read.
pub(crate) fn variables(text: &str) -> HashSet<String> {
    if is_json(text) {
        // The check of JSON reports syntax errors.
        let value = serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
        let all = value.get("variable").map(|one| one.as_array().map_or(std::slice::from_ref(one), Vec::as_slice));
        let named = all.into_iter().flatten().filter_map(serde_json::Value::as_object);
        return named.flat_map(|variables| variables.keys().cloned()).collect();
    }
    let written = VARIABLE.as_ref().map(|variable| variable.captures_iter(text));
    let mut names: HashSet<String> = written.into_iter().flatten().map(|found| found[1].to_owned()).collect();
    for block in &parse_config(HclSource::from(Source::new("", text))).tree.blocks {
        match &*block.kind {
            "variable" => names.extend(block.labels.first().map(|label| label.text.to_string())),
            "variables" => {
                names.extend(block.body.attributes().iter().map(|attribute| attribute.name.to_string()));
            }
            _ => {}
        }
    }
    names
}

/// The begin of a declaration.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?m)^\s*variable\s+"?([\w-]+)"?\s*\{"#).ok());

/// Merges the advice about the services of a job into one finding, because it is followed for the whole job.
fn together(found: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let (advice, mut rest): (Vec<Finding>, Vec<Finding>) =
        found.partition(|finding| finding.rule.id() == rules::JOB_SHUTDOWN_DELAY.id());
    let mut advice = advice.into_iter();
    if let Some(first) = advice.next() {
        let lines: Vec<String> = advice.filter_map(|other| other.line()).map(|line| line.to_string()).collect();
        rest.push(match lines.as_slice() {
            [] => first,
            [only] => first.note(format!("the same in line {only}")),
            _ => first.note(format!("the same in lines {}", lines.join(", "))),
        });
    }
    rest
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
        JobRule::DriverValue => &rules::JOB_DRIVER_VALUE,
        JobRule::Template => &rules::JOB_TEMPLATE,
        JobRule::RuntimeName => &rules::JOB_RUNTIME_NAME,
        JobRule::MainTask => &rules::JOB_MAIN_TASK,
        JobRule::Constraint => &rules::JOB_CONSTRAINT,
        JobRule::StaticPort => &rules::JOB_STATIC_PORT,
        JobRule::CheckPort => &rules::JOB_CHECK_PORT,
        JobRule::Address => &rules::JOB_ADDRESS,
        JobRule::NameLength => &rules::JOB_NAME_LENGTH,
        JobRule::VolumeMount => &rules::JOB_VOLUME_MOUNT,
        JobRule::Version => &rules::JOB_VERSION,
    };
    // Some warnings of the reference are advice. Older versions accept groups without a main task.
    let severity = if finding.rule == JobRule::MainTask { finding.severity } else { rule.severity };
    to_findings(rule, finding).into_iter().map(|finding| finding.with_severity(severity)).collect()
}

/// A function `hiera` whose answers are not known.
fn hiera() -> Function {
    Function::new(vec![Parameter::new("key", Type::String)], Type::Dynamic, |_| Ok(Value::DYNAMIC))
        .with_variadic(Parameter::new("default", Type::Dynamic).nullable())
}
