//! `hieratic job`: a Nomad job file as the job that the API takes.

mod origins;
mod validation;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::nomad::schema::is_field;
use hieratic::nomad::{Failure, Job, Options, VariableFile};
use hieratic::powers::Budget;
use hieratic::{Error, ErrorKind, HclTeller, HieraInHcl, Permissions};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_render::RenderAs;

use crate::args::{JobArguments, PlaceArguments};
use crate::eval::environment;
use crate::report::Reporter;
use crate::{documents, files, hints, output, place, trust};

/// The reference's flags with one hyphen, which are written with two here as well.
const SINGLE_HYPHEN: &[&str] =
    &["-var", "-var-file", "-hcl2-strict", "-json", "-output", "-validate", "-origins", "-allow-undeclared"];

/// The arguments with the flags of `nomad job run` as this command knows them.
pub(crate) fn with_two_hyphens(arguments: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let arguments: Vec<std::ffi::OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|verb| verb != "job") {
        return arguments;
    }
    let known = |argument: &std::ffi::OsString| {
        let text = argument.to_str()?;
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        SINGLE_HYPHEN.contains(&name).then(|| format!("-{text}").into())
    };
    let mut is_value = false;
    arguments
        .into_iter()
        .map(|argument| {
            let replaced = if is_value { None } else { known(&argument) };
            // What follows one of these is a value, whatever it looks like.
            let flag = replaced.as_ref().unwrap_or(&argument);
            is_value = !is_value && (flag == "--var" || flag == "--var-file");
            replaced.unwrap_or(argument)
        })
        .collect()
}

/// How the job is printed.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// As the reference prints it.
    Job,
    /// The job, or why there is none, as one JSON object.
    Report,
    /// As other data.
    Data(RenderAs),
}

/// Runs the verb.
pub(crate) fn run(arguments: &JobArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    match job(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn usage(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, "usage", message)
}

fn job(arguments: &JobArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let format = match arguments.render_as.as_deref() {
        None | Some("json") => Format::Job,
        Some("report") => Format::Report,
        Some(name) => Format::Data(
            name.parse::<RenderAs>()
                .map_err(|error| usage(error.to_string()).help("the formats are json, yaml, s and report"))?,
        ),
    };
    let permissions = trust::permissions(arguments.permissions, Some(&documents::folder(&arguments.file)));
    let text = read(&arguments.file, &permissions)?;
    let options = options(arguments, &text, &permissions, reporter)?;
    // The reference takes no notice of them at all.
    for name in arguments.var.iter().filter(|argument| !argument.contains('=')) {
        let message = format!("-var {name} gives no value, so it sets nothing");
        let warning = Diagnostic::new(Severity::Warning, "usage", message);
        reporter.diagnostic(&warning.help(format!("write -var {name}=VALUE")));
    }
    let job = match Job::parse(text, &options) {
        Ok(job) => job,
        Err(failure) => {
            if let Format::Report = format {
                let report = serde_json::json!({ "job": null, "error": error(&failure) });
                reporter.print_report(&report, &[]);
                return Ok(ExitCode::SUCCESS);
            }
            tell(reporter, &failure);
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut teller = HclTeller::default();
    job.warnings().iter().for_each(|warning| reporter.diagnostic(&teller.tell(warning)));
    if arguments.validate {
        return validation::run(&job, format, reporter);
    }
    if arguments.origins {
        origins::print(&job, format, reporter)?;
        return Ok(ExitCode::SUCCESS);
    }
    let json = job.to_json().map_err(|error| usage(error.to_string()))?;
    match format {
        Format::Job => output::print(format!("{}\n", reporter.mask().json_but(&json, is_field)).as_bytes()),
        Format::Report => {
            let covered = reporter.mask().json_but(&json, is_field);
            let job: serde_json::Value = serde_json::from_str(&covered).map_err(|error| usage(error.to_string()))?;
            let report = serde_json::json!({ "job": job["Job"], "error": null });
            reporter.print_told(format!("{report}\n").as_bytes(), RenderAs::Json);
        }
        Format::Data(format) => {
            let covered = reporter.mask().json_but(&json, is_field);
            let value = hieratic::json::parse(covered.as_bytes()).map_err(|error| usage(error.to_string()))?;
            output::print(&output::rendered(&value, format).map_err(usage)?);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The messages, each with its line.
fn tell(reporter: &Reporter, failure: &Failure) {
    if failure.diagnostics().is_empty() {
        reporter.plain_error("job", &failure.to_string(), &[]);
    }
    let mut teller = HclTeller::default();
    for diagnostic in failure.diagnostics().iter().filter(|diagnostic| !diagnostic.follows) {
        reporter.diagnostic(&hints::on_hcl(teller.tell(diagnostic), hints::NOT_DENIED));
    }
}

/// A failure as tools are told it: the reference's text, and the place of the first message.
fn error(failure: &Failure) -> serde_json::Value {
    let range = failure.diagnostics().first().and_then(|first| first.subject.as_ref());
    let start = range.map(|range| range.start());
    serde_json::json!({
        "text": failure.to_string(),
        "file": range.map(|range| range.source.name().to_string()),
        "line": start.map(|start| start.line),
        "col": start.map(|start| start.column),
    })
}

fn read(path: &Path, permissions: &Permissions) -> Result<Vec<u8>, Error> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes);
        read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
        return Ok(bytes);
    }
    permissions.files_named(path).read(path).map_err(|error| files::unreadable(path, &error))
}

fn options(
    arguments: &JobArguments,
    text: &[u8],
    permissions: &Permissions,
    reporter: &Reporter,
) -> Result<Options, Error> {
    let file = |path: &PathBuf| VariableFile {
        path: path.display().to_string(),
        content: permissions
            .files_named(path)
            .read(path)
            .map_err(|error| format!("open {}: {}", path.display(), reason(&error))),
    };
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with("NOMAD_VAR_") || name == "HOME")
        .collect();
    let mut options = Options {
        path: if arguments.file.as_os_str() == "-" { "stdin".into() } else { arguments.file.display().to_string() },
        arguments: arguments.var.clone(),
        files: arguments.var_file.iter().map(file).collect(),
        environment,
        strict: arguments.hcl2_strict,
        allow_undeclared: arguments.allow_undeclared,
        folder: (!arguments.deny_files).then(|| documents::folder(&arguments.file)),
        json: arguments.json,
        budget: Budget::new(arguments.limits.limits()),
        ..Options::default()
    };
    if let Some(data) = hiera(arguments, text, &options.budget, reporter)? {
        options.functions.push(("hiera".to_owned(), data.function));
        options.witness = Some(data.witness);
    }
    Ok(options)
}

/// The system's reason without its number, as the reference words it.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The function `hiera`, if there is an environment and the job or its variables call it.
fn hiera(
    arguments: &JobArguments,
    text: &[u8],
    budget: &Budget,
    reporter: &Reporter,
) -> Result<Option<HieraInHcl>, Error> {
    const CALL: &[u8] = b"hiera";
    if !text.windows(CALL.len()).any(|part| part == CALL) {
        return Ok(None);
    }
    let place = PlaceArguments {
        node: arguments.node.clone(),
        facts: arguments.facts.clone(),
        facts_by_settings: arguments.facts_by_settings,
        fact: arguments.fact.clone(),
        environment: arguments.environment.clone(),
        environment_dir: arguments.environment_dir.clone(),
        codedir: arguments.codedir.clone(),
        permissions: arguments.permissions,
        ..PlaceArguments::default()
    };
    let Some(environment) = environment(&place, reporter)? else { return Ok(None) };
    let facts = place::known_facts(&place, reporter)?;
    Ok(Some(HieraInHcl::of(&environment, &facts, budget)?))
}
