//! `hieratic check`: everything that is wrong with files, and with the control repositories that they are in.

mod output;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::{Access, Settings};
use hieratic_audit::{Baseline, Finding, Options, Report, Selection, audit, nodes_of};
use hieratic_checker::Strict as Strictness;
use hieratic_diagnostics::Severity;

use crate::args::{CheckArguments, CheckFormat, FailOn, MessageFormat, Strict};
use crate::progress::Bar;
use crate::report::Reporter;

/// Runs the verb.
pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let format = match arguments.message_format {
        CheckFormat::Json => MessageFormat::Json,
        CheckFormat::Human | CheckFormat::Sarif | CheckFormat::Github => MessageFormat::Human,
    };
    let reporter = Reporter::new(format, arguments.color);
    match checked(arguments, &reporter) {
        Ok(status) => status,
        Err(misuse) => {
            reporter.plain_error("usage", &misuse.message, &misuse.help);
            ExitCode::from(2)
        }
    }
}

/// Flags that make no sense, or name files that are none.
struct Misuse {
    message: String,
    help: Vec<String>,
}

impl Misuse {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Misuse {
        Misuse { message: message.into(), help: vec![help.into()] }
    }
}

fn checked(arguments: &CheckArguments, reporter: &Reporter) -> Result<ExitCode, Misuse> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(|unknown| {
        let help = match unknown.nearest {
            Some(near) => format!("did you mean '{near}'?"),
            None => "docs/findings lists all rules".to_owned(),
        };
        Misuse::new(unknown.to_string(), help)
    })?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let bar = Bar::new();
    let mut report = audit(&options(arguments)?, &bar);
    bar.finish();
    report.findings.retain(|finding| selection.takes(finding));
    if let Some(file) = &arguments.write_baseline {
        return write_baseline(file, &report.findings, reporter);
    }
    let mut known = 0;
    if let Some(baseline) = &baseline {
        let gone = baseline.gone(&report.findings);
        let before = report.findings.len();
        report.findings.retain(|finding| !baseline.knows(finding));
        known = before - report.findings.len();
        if gone > 0 && arguments.message_format == CheckFormat::Human {
            let gone = crate::output::counted(gone, "finding");
            reporter.say(&format!("Gone from the baseline: {gone}. Write it anew with --write-baseline"));
        }
    }
    output::tell(&report, known, arguments.message_format, reporter);
    Ok(status(&report, arguments.fail_on))
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

fn options(arguments: &CheckArguments) -> Result<Options, Misuse> {
    let nodes = nodes_of(&arguments.facts, &arguments.node).map_err(|fault| Misuse::new(fault.message, fault.help))?;
    if arguments.all_nodes && nodes.is_empty() {
        return Err(Misuse::new(
            "--all-nodes says that the given nodes are all, but none is given",
            "give --facts with a folder that has a file of facts for each node",
        ));
    }
    let paths = if arguments.paths.is_empty() { vec![PathBuf::from(".")] } else { arguments.paths.clone() };
    Ok(Options {
        paths,
        strict: match arguments.strict {
            Some(Strict::Off) => Strictness::Off,
            Some(Strict::Error) => Strictness::Error,
            Some(Strict::Warning) | None => Strictness::Warning,
        },
        tasks: arguments.tasks,
        manifest: arguments.manifest.clone(),
        access: Access { outside: arguments.access.allow_outside, network: arguments.access.allow_network },
        settings: Settings {
            environment: arguments.environment.clone(),
            environment_dir: arguments.environment_dir.clone(),
            codedir: arguments.codedir.clone(),
            hiera_config: arguments.hiera_config.clone(),
            modulepath: arguments.modulepath.as_ref().map(|path| path.to_string_lossy().into_owned()),
            ..Settings::default()
        },
        nodes,
        all_nodes: arguments.all_nodes,
        unused: arguments.unused,
        no_ignore: arguments.no_ignore,
    })
}

fn read_baseline(file: &Path) -> Result<Baseline, Misuse> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        Misuse::new(
            format!("the baseline {name} cannot be read: {error}"),
            format!("write it with `hieratic check --write-baseline {name}`"),
        )
    })?;
    Baseline::read(&text).map_err(|fault| {
        Misuse::new(
            format!("{name} is no baseline: {fault}"),
            format!("write it anew with `hieratic check --write-baseline {name}`"),
        )
    })
}

/// Writes the baseline whole or not at all.
fn write_baseline(file: &Path, findings: &[Finding], reporter: &Reporter) -> Result<ExitCode, Misuse> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let message = format!("{} cannot be written: there is no folder {}", file.display(), folder.display());
        return Err(Misuse::new(message, "name a file in a folder that is there"));
    }
    let write = || -> std::io::Result<()> {
        let mut beside = tempfile::Builder::new().prefix(".baseline").tempfile_in(folder)?;
        std::io::Write::write_all(&mut beside, Baseline::write(findings).as_bytes())?;
        beside.persist(file).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| {
        Misuse::new(format!("{} cannot be written: {error}", file.display()), "name a file that you may write")
    })?;
    reporter.say(&format!("{} accepts {}", file.display(), crate::output::counted(findings.len(), "finding")));
    Ok(ExitCode::SUCCESS)
}
