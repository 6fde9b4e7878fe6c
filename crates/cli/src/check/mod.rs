//! `hieratic check`: errors and questionable code in files, and in their control repositories.

mod fix;
mod flags;
mod output;
mod style;
mod watched;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::catalog::CATALOG_LIMITS;
use hieratic::{Error, Facts, Permissions, PuppetVersion, Settings};
use hieratic_diagnostics::Severity;
use hieratic_fleet::nodes_of;
use hieratic_lint::{
    Baseline, Finding, JobValues, OmissionGroup, Options, Report, Selection, SelectionError, UnknownRule, audit,
    audit_upgrade, rules,
};

use crate::access::Access;
use crate::args::{PermissionArguments, datadirs};
use crate::catalog::manifest;
use crate::config::Config;
use crate::config::file::SettingsError;
use crate::documents;
use crate::files::{self, Change, Claim};
use crate::fleet::unique_nodes_of;
use crate::levels;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::trust;
use crate::usage::usage;
use crate::watch::{self, Step};
use flags::CheckFormat;
use output::OutputOptions;
use watched::WatchedCheck;

pub(crate) use flags::{CheckArguments, FailOn, FromSettings, StyleRules};

/// The settings for the checked files: those around the environment, or around the first path.
pub(crate) fn settings(check: &CheckArguments) -> Result<Config, SettingsError> {
    let first = check.paths.first().map(|path| documents::around(path));
    Config::for_folder(&check.environment_dir.clone().or(first).unwrap_or_else(|| PathBuf::from(".")))
}

/// Runs the verb.
pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    if arguments.watch {
        let first = arguments.paths.first().map_or(Path::new("."), PathBuf::as_path);
        let outer = documents::around(first);
        let folder = hieratic::layers::repository_of(&outer).unwrap_or(outer);
        let mut watched = WatchedCheck::new(arguments, &folder);
        let reporter = Reporter::new(arguments.messages(), arguments.color);
        return watch::repeat(&folder, &reporter, |step| match step {
            Step::Answer(changed) => {
                watched.apply(changed);
                Some(run_once(arguments, Some(&mut watched)))
            }
            Step::Prepare => None,
        });
    }
    run_once(arguments, None)
}

fn run_once(arguments: &CheckArguments, watched: Option<&mut WatchedCheck>) -> ExitCode {
    let reporter = Reporter::new(arguments.messages(), arguments.color);
    match check_paths(arguments, watched, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(2)
        }
    }
}

/// Runs the check, and applies the flags and the settings to its report.
///
/// # Errors
/// Flags or settings that cannot be used.
pub(crate) fn found(arguments: &CheckArguments, bar: &Bar) -> Result<Report, Error> {
    let selection = selection(arguments)?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let mut report = audit(&options(arguments, arguments.puppet.version(), None)?, bar);
    report.findings.retain(|finding| selection.takes(finding) && !selection.ignores_in_file(finding));
    report.findings.iter_mut().for_each(|finding| selection.weigh(finding));
    report.findings.retain(|finding| baseline.as_ref().is_none_or(|baseline| !baseline.accepts(finding)));
    Ok(report)
}

fn check_paths(
    arguments: &CheckArguments,
    watched: Option<&mut WatchedCheck>,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let selection = selection(arguments)?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let claim = arguments.write_baseline.as_deref().map(|file| claim_file(file, reporter)).transpose()?;
    let bar = Bar::new(arguments.quiet);
    let make_options = || options(arguments, arguments.puppet.version(), Some(reporter));
    let (mut report, options) = match (watched, arguments.target_version) {
        (Some(watched), None) => watched.check(make_options, &bar)?,
        (_, target) => {
            let options = make_options()?;
            let report = match target {
                Some(target) => audit_upgrade(&options, &self::options(arguments, target, None)?, &bar),
                None => audit(&options, &bar),
            };
            (report, options)
        }
    };
    bar.finish();
    if !arguments.without_level_by_settings {
        let of_root = |root: &PathBuf| Settings { environment_dir: Some(root.clone()), ..options.settings.clone() };
        levels::check_left_out_of_all(&arguments.without_level, report.environments.iter().map(of_root))?;
    }
    if arguments.catalogs && report.environments.is_empty() {
        return Err(usage("no catalog was compiled: no environment was found here")
            .help("name the folder of the environment with --environment-dir"));
    }
    report.findings.retain(|finding| selection.takes(finding));
    report.findings.iter_mut().for_each(|finding| selection.weigh(finding));
    let before = report.findings.len();
    report.findings.retain(|finding| !selection.ignores_in_file(finding));
    let by_settings = before - report.findings.len();
    if arguments.strict_coverage {
        let gaps = OmissionGroup::group(&report.not_judged).into_iter().filter(|group| group.reason.is_gap());
        let gaps: Vec<Finding> = gaps.map(|group| group.error()).collect();
        report.findings.extend(gaps);
    }
    if arguments.verbose {
        output::write_inputs(&report, arguments, reporter);
    }
    if let (Some(file), Some(claim)) = (&arguments.write_baseline, &claim) {
        let root = arguments.from_settings.root.as_deref();
        return write_baseline(file, claim, &report.findings, root, reporter);
    }
    let mut known = 0;
    if let Some(baseline) = &baseline {
        let gone =
            baseline.gone(&report.findings, &|code, file| is_checked(arguments, &options, &selection, code, file));
        let before = report.findings.len();
        report.findings.retain(|finding| !baseline.accepts(finding));
        known = before - report.findings.len();
        if gone > 0 && arguments.message_format == CheckFormat::Human {
            let gone = crate::output::counted(gone, "finding");
            reporter.log_line(
                &format!("No longer found: {gone} in the baseline. Rewrite it with --write-baseline"),
                "",
                false,
            );
        }
    }
    let fixed = if arguments.fix { fix::apply(&mut report.findings, &options, reporter)? } else { 0 };
    let telling = OutputOptions {
        format: arguments.message_format,
        quiet: arguments.quiet,
        is_strict: arguments.strict_coverage,
        root: arguments.from_settings.root.as_deref(),
        known,
        by_settings,
        fixed,
    };
    if arguments.statistics {
        output::statistics(&report, &telling, reporter);
    } else {
        output::write_findings(&report, &telling, reporter);
    }
    if arguments.fail_on.is_none() && style::fails(&report, &options) {
        return Ok(ExitCode::FAILURE);
    }
    Ok(status(&report, arguments.fail_on.unwrap_or_default()))
}

/// The rules that count, by the flags and the settings.
fn selection(arguments: &CheckArguments) -> Result<Selection, Error> {
    let unknown = |unknown: UnknownRule| {
        let help = match unknown.nearest {
            Some(near) => format!("did you mean '{near}'?"),
            None => "docs/findings lists all rules".to_owned(),
        };
        usage(unknown.to_string()).help(help)
    };
    let settings = &arguments.from_settings;
    let mut selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown)?;
    for (folder, pattern, codes) in &settings.per_file_ignores {
        selection = selection.ignore_for(folder, pattern, codes).map_err(|error| match error {
            SelectionError::Code(code) => unknown(code),
            SelectionError::Pattern(message) => usage(message).help("write it as a line of .gitignore: data/legacy/"),
        })?;
    }
    for (code, severity) in &settings.severities {
        selection = selection.with_severity(code, *severity).map_err(unknown)?;
    }
    Ok(selection)
}

/// Returns whether this run checked for a finding of a baseline, given its code and its file relative to the root of
/// the repository.
fn is_checked(arguments: &CheckArguments, options: &Options, selection: &Selection, code: &str, file: &str) -> bool {
    let root = arguments.from_settings.root.clone().unwrap_or_default();
    // If the working folder was removed, it has no files, and paths stay relative.
    let here = std::env::current_dir().unwrap_or_default();
    let full = |path: &Path| hieratic::sandbox::plain(&here.join(path));
    let file = full(&root.join(file));
    let is_inside = arguments.paths.is_empty() && file.starts_with(&here)
        || arguments.paths.iter().any(|path| file.starts_with(full(path)));
    is_inside && rules::find(code).is_none_or(|rule| options.runs(rule) && selection.takes_rule(rule))
}

fn status(report: &Report, fail_on: FailOn) -> ExitCode {
    let fails = match (report.worst(), fail_on) {
        (None, _) => false,
        (Some(_), FailOn::Note) | (Some(Severity::Error), _) => true,
        (Some(Severity::Warning), FailOn::Warning) => true,
        (Some(_), _) => false,
    };
    if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The options for a version of Puppet.
fn options(arguments: &CheckArguments, version: PuppetVersion, reporter: Option<&Reporter>) -> Result<Options, Error> {
    let permissions = permissions(arguments);
    let mut nodes = nodes(arguments, version, permissions, reporter)?;
    let needs_nodes = [(arguments.all_nodes, "--all-nodes"), (arguments.catalogs, "--catalogs")]
        .into_iter()
        .find(|(is_given, _)| *is_given);
    if let (Some((_, flag)), true) = (needs_nodes, nodes.is_empty()) {
        return Err(usage(format!("{flag} requires nodes, but none is given"))
            .help("pass --facts with a folder that has one file of facts per node"));
    }
    if arguments.inputs.any() && !arguments.catalogs {
        return Err(
            usage("--enc, --exported, --puppetdb-answers and --server-facts are for catalogs").help("add --catalogs")
        );
    }
    if arguments.catalogs {
        arguments.inputs.set_server_facts(&mut nodes, version, permissions)?;
    }
    if let Some(folder) = arguments.codedir.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(usage(format!("the folder {} of --codedir does not exist", folder.display()))
            .help("name the folder that contains code and data"));
    }
    let mut settings = Settings {
        puppet_version: version,
        strict: arguments.strict,
        environment: arguments.environment.clone(),
        environment_dir: arguments.environment_dir.clone(),
        codedir: arguments.codedir.clone(),
        hiera_config: arguments.hiera_config.clone(),
        modulepath: arguments.modulepath.clone(),
        datadirs: datadirs(&arguments.datadir),
        without_levels: arguments.without_level.clone(),
        sensitive_secrets: arguments.sensitive_secrets,
        tree: arguments.revision.commit.clone(),
        permissions,
        limits: arguments.limits.limits(),
        ..Settings::default()
    };
    let paths = if arguments.paths.is_empty() { vec![PathBuf::from(".")] } else { arguments.paths.clone() };
    let first_folder = paths.first().map_or_else(PathBuf::new, |path| documents::around(path));
    manifest::set(&mut settings, arguments.manifest.as_deref(), None, &paths)?;
    if arguments.catalogs && settings.environment_dir.is_none() {
        settings.environment_dir = plain_environment(&settings, &paths);
    }
    Ok(Options {
        paths,
        strict: settings.language().strict,
        tasks: arguments.tasks,
        manifest: settings.manifest.clone(),
        settings,
        nodes,
        all_nodes: arguments.all_nodes,
        catalogs: arguments.catalogs.then(|| arguments.limits.over(CATALOG_LIMITS)),
        inputs: arguments.inputs.read(permissions, &arguments.puppetdb)?,
        hygiene: arguments.hygiene || arguments.select.iter().flat_map(|codes| codes.split(',')).any(is_of_hygiene),
        style: style::options(arguments, &first_folder)?,
        // The comparison of versions sets it.
        upgrade: false,
        unused: arguments.unused,
        no_ignore: arguments.no_ignore,
        job_values: job_values(arguments)?,
        private_levels: arguments.from_settings.private_levels.clone(),
        exclude: exclude(arguments),
        root: arguments.from_settings.root.clone(),
    })
}

/// The sources of values for the variables of jobs.
fn job_values(arguments: &CheckArguments) -> Result<JobValues, Error> {
    if let Some(name) = arguments.var.iter().find(|argument| !argument.contains('=')) {
        return Err(usage(format!("--var {name} has no value")).help(format!("write --var {name}=VALUE")));
    }
    for file in &arguments.var_file {
        files::read_text(file).map_err(|error| files::unreadable(file, &error))?;
    }
    let environment = crate::job::environment::variables(None)?;
    Ok(JobValues {
        arguments: arguments.var.clone(),
        files: arguments.var_file.clone(),
        environment,
        sets: arguments.from_settings.jobs.clone(),
        nomad_version: arguments.nomad_version.unwrap_or_default(),
        extensions: arguments.extensions,
    })
}

/// The patterns of files that are left out: a flag's start from the current folder.
fn exclude(arguments: &CheckArguments) -> Vec<(PathBuf, String)> {
    let here = std::env::current_dir().unwrap_or_default();
    let by_flag = arguments.exclude.iter().map(|pattern| (here.clone(), pattern.clone()));
    by_flag.chain(arguments.from_settings.exclude.iter().cloned()).collect()
}

/// The folder whose manifests are compiled without the configuration of an environment, as by the reference; `None` if
/// there is an environment.
fn plain_environment(settings: &Settings, paths: &[PathBuf]) -> Option<PathBuf> {
    let [folder] = paths else { return None };
    let mut outer = settings.clone();
    outer.find_repository(folder);
    let is_named = settings.codedir.is_some() || settings.environment.is_some() || outer.was_found;
    // A module has manifests, too.
    let has = |name: &str| folder.join(name).exists();
    (!is_named && has("manifests") && !has("metadata.json") && !has("manifests/init.pp")).then(|| folder.clone())
}

/// The nodes: those of files and names, otherwise those of PuppetDB.
fn nodes(
    arguments: &CheckArguments,
    version: PuppetVersion,
    permissions: Permissions,
    reporter: Option<&Reporter>,
) -> Result<Vec<Facts>, Error> {
    let CheckArguments { facts, node, puppetdb, .. } = arguments;
    if facts.is_empty()
        && let Some(nodes) = puppetdb.nodes(None)?
    {
        let is_selected =
            |facts: &Facts| node.is_empty() || facts.node().is_some_and(|name| node.iter().any(|n| n == name));
        return Ok(nodes.into_iter().filter(is_selected).collect());
    }
    match reporter {
        Some(reporter) => unique_nodes_of(facts, node, version, &permissions, reporter),
        // They are reported elsewhere: for the other version, or by the survey.
        None => Ok(nodes_of(facts, node, version, &permissions)?.nodes),
    }
}

/// Returns whether a code belongs to a rule that only `--hygiene` checks.
fn is_of_hygiene(code: &str) -> bool {
    rules::hygiene().any(|rule| rule.id() == code.trim())
}

/// The permissions of the repository, by flags or by earlier trust.
pub(crate) fn permissions(arguments: &CheckArguments) -> Permissions {
    let requested = PermissionArguments { allow_programs: false, access: arguments.access };
    let first = arguments.paths.first().map_or(Path::new("."), PathBuf::as_path);
    let folder = arguments.environment_dir.as_deref().unwrap_or(first);
    trust::permissions(Access::for_verb("check"), requested, Some(&documents::around(folder)))
}

fn read_baseline(file: &Path) -> Result<Baseline, Error> {
    let name = file.display();
    let text = files::read_text(file).map_err(|error| {
        usage(format!("the baseline {name} cannot be read: {error}"))
            .help(format!("write it with `hieratic check --write-baseline {name}`"))
    })?;
    Baseline::read(&text).map_err(|problem| {
        usage(format!("{name} is not a baseline: {problem}"))
            .help(format!("recreate it with `hieratic check --write-baseline {name}`"))
    })
}

/// Claims the file of a baseline, before the check runs.
fn claim_file(file: &Path, reporter: &Reporter) -> Result<Claim, Error> {
    let folder = documents::folder(file);
    if !folder.is_dir() {
        let message = format!("{} cannot be written: the folder {} does not exist", file.display(), folder.display());
        return Err(usage(message).help("name a file in an existing folder"));
    }
    Ok(Claim::acquire(file, reporter)?)
}

fn write_baseline(
    file: &Path,
    claim: &Claim,
    findings: &[Finding],
    root: Option<&Path>,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let text = Baseline::write(findings, root);
    files::replace(&[Change::new(claim, text.as_bytes())])?;
    let accepted = crate::output::counted(findings.len(), "finding");
    reporter.log_line(&format!("{} accepts {accepted}", file.display()), "", false);
    Ok(ExitCode::SUCCESS)
}
