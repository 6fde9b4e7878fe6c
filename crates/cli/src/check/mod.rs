//! `hieratic check`: everything that is wrong with files, and with the control repositories that they are in.

mod fix;
mod flags;
mod output;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::{CATALOG_LIMITS, Error, Permissions, Settings};
use hieratic_audit::{Baseline, Finding, Options, Report, Selection, audit, rules};
use hieratic_diagnostics::Severity;
use hieratic_fleet::nodes_of;

use crate::access::Access;
use crate::args::{PermissionArguments, datadirs};
use crate::config::Config;
use crate::config::file::Fault;
use crate::documents;
use crate::files::{self, Change, Claim};
use crate::progress::Bar;
use crate::report::Reporter;
use crate::trust;
use crate::usage::usage;
use flags::CheckFormat;
use output::Telling;

pub(crate) use flags::{CheckArguments, FailOn};

/// The settings for what is checked: those around the environment, or around the first path.
pub(crate) fn settings(check: &CheckArguments) -> Result<Config, Fault> {
    let first = check.paths.first().map(|path| documents::around(path));
    Config::of(&check.environment_dir.clone().or(first).unwrap_or_else(|| PathBuf::from(".")))
}

/// Runs the verb.
pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages(), arguments.color);
    match checked(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(2)
        }
    }
}

fn checked(arguments: &CheckArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(|unknown| {
        let help = match unknown.nearest {
            Some(near) => format!("did you mean '{near}'?"),
            None => "docs/findings lists all rules".to_owned(),
        };
        usage(unknown.to_string()).help(help)
    })?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let claim = arguments.write_baseline.as_deref().map(|file| claimed(file, reporter)).transpose()?;
    let bar = Bar::new();
    let mut report = audit(&options(arguments)?, &bar);
    bar.finish();
    report.findings.retain(|finding| selection.takes(finding));
    if arguments.verbose {
        output::used(&report, arguments, reporter);
    }
    if let (Some(file), Some(claim)) = (&arguments.write_baseline, &claim) {
        return write_baseline(file, claim, &report.findings, reporter);
    }
    let mut known = 0;
    if let Some(baseline) = &baseline {
        let gone = baseline.gone(&report.findings);
        let before = report.findings.len();
        report.findings.retain(|finding| !baseline.knows(finding));
        known = before - report.findings.len();
        if gone > 0 && arguments.message_format == CheckFormat::Human {
            let gone = crate::output::counted(gone, "finding");
            reporter.say(
                &format!("No longer found: {gone} in the baseline. Rewrite it with --write-baseline"),
                "",
                false,
            );
        }
    }
    let fixed = if arguments.fix { fix::apply(&mut report.findings, reporter)? } else { 0 };
    let telling = Telling { format: arguments.message_format, quiet: arguments.quiet, known, fixed };
    match arguments.statistics {
        true => output::statistics(&report, &telling, reporter),
        false => output::tell(&report, &telling, reporter),
    }
    Ok(status(&report, arguments.fail_on.unwrap_or_default()))
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

fn options(arguments: &CheckArguments) -> Result<Options, Error> {
    let permissions = permissions(arguments);
    let nodes = nodes_of(&arguments.facts, &arguments.node, arguments.puppet.version(), &permissions)?;
    let needs_nodes = [(arguments.all_nodes, "--all-nodes"), (arguments.catalogs, "--catalogs")]
        .into_iter()
        .find(|(is_given, _)| *is_given);
    if let (Some((_, flag)), true) = (needs_nodes, nodes.is_empty()) {
        return Err(usage(format!("{flag} requires nodes, but none is given"))
            .help("pass --facts with a folder that has one file of facts per node"));
    }
    let settings = Settings {
        puppet_version: arguments.puppet.version(),
        strict: arguments.strict,
        environment: arguments.environment.clone(),
        environment_dir: arguments.environment_dir.clone(),
        codedir: arguments.codedir.clone(),
        hiera_config: arguments.hiera_config.clone(),
        modulepath: arguments.modulepath.clone(),
        datadirs: datadirs(&arguments.datadir),
        tree: arguments.revision.commit.clone(),
        permissions,
        limits: arguments.limits.limits(),
        ..Settings::default()
    };
    let paths = if arguments.paths.is_empty() { vec![PathBuf::from(".")] } else { arguments.paths.clone() };
    Ok(Options {
        paths,
        strict: settings.language().strict,
        tasks: arguments.tasks,
        manifest: arguments.manifest.clone(),
        settings,
        nodes,
        all_nodes: arguments.all_nodes,
        catalogs: arguments.catalogs.then(|| arguments.limits.over(CATALOG_LIMITS)),
        hygiene: arguments.hygiene || arguments.select.iter().flat_map(|codes| codes.split(',')).any(is_of_hygiene),
        unused: arguments.unused,
        no_ignore: arguments.no_ignore,
    })
}

/// Whether a code is that of a rule that only hygiene checks.
fn is_of_hygiene(code: &str) -> bool {
    rules::HYGIENE.iter().any(|rule| rule.id() == code.trim())
}

/// What the flags, or trust that was given before, let the repository do.
pub(crate) fn permissions(arguments: &CheckArguments) -> Permissions {
    let asked = PermissionArguments { allow_programs: false, access: arguments.access };
    let first = arguments.paths.first().map_or(Path::new("."), PathBuf::as_path);
    let folder = arguments.environment_dir.as_deref().unwrap_or(first);
    trust::permissions(Access::of("check"), asked, Some(&documents::around(folder)))
}

fn read_baseline(file: &Path) -> Result<Baseline, Error> {
    let name = file.display();
    let text = files::read_text(file).map_err(|error| {
        usage(format!("the baseline {name} cannot be read: {error}"))
            .help(format!("write it with `hieratic check --write-baseline {name}`"))
    })?;
    Baseline::read(&text).map_err(|fault| {
        usage(format!("{name} is not a baseline: {fault}"))
            .help(format!("recreate it with `hieratic check --write-baseline {name}`"))
    })
}

/// Claims the file of a baseline, before anything is looked at that it is to hold.
fn claimed(file: &Path, reporter: &Reporter) -> Result<Claim, Error> {
    let folder = documents::folder(file);
    if !folder.is_dir() {
        let message = format!("{} cannot be written: the folder {} does not exist", file.display(), folder.display());
        return Err(usage(message).help("name a file in an existing folder"));
    }
    Ok(Claim::of(file, reporter)?)
}

fn write_baseline(file: &Path, claim: &Claim, findings: &[Finding], reporter: &Reporter) -> Result<ExitCode, Error> {
    let text = Baseline::write(findings);
    files::replace(&[Change::new(claim, text.as_bytes())])?;
    let accepted = crate::output::counted(findings.len(), "finding");
    reporter.say(&format!("{} accepts {accepted}", file.display()), "", false);
    Ok(ExitCode::SUCCESS)
}
