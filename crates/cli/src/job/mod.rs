//! `hieratic job`: converts a Nomad job file to the job of the API.

mod entries;
pub(crate) mod environment;
mod flags;
mod inputs;
mod origins;
mod plan;
mod shared_arguments;
mod validation;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::budget::Budget;
use hieratic::hcl::HieraInHcl;
use hieratic::layers::repository_of;
use hieratic::nomad_job::schema::is_field;
use hieratic::nomad_job::{Failure, Job, Options, VariableFile};
use hieratic::sandbox::{Files, Mounted};
use hieratic::{Environment, Error, Facts, Permissions};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_output::RenderAs;

use crate::codes;
use crate::report::Reporter;
use crate::row_output::Rows;
use crate::target::Target;
use crate::usage::usage;
use crate::{documents, files, hints, output, row_output};
use hieratic::sandbox::SlashPath as _;

pub(crate) use flags::{FileArguments, JobArguments};
use shared_arguments::SharedArguments;

/// The arguments with the flags of `nomad job run` and `nomad fmt` as this command knows them.
pub(crate) fn with_two_hyphens(arguments: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let arguments: Vec<std::ffi::OsString> = arguments.collect();
    let single = match arguments.get(1).and_then(|verb| verb.to_str()) {
        Some("job") => flags::SINGLE_HYPHEN,
        Some("fmt") => crate::fmt::SINGLE_HYPHEN,
        Some("check") => flags::OF_CHECK,
        _ => return arguments,
    };
    let known = |argument: &std::ffi::OsString| {
        let text = argument.to_str()?;
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        single.contains(&name).then(|| format!("-{text}").into())
    };
    let mut is_value = false;
    without_folder(with_file(arguments))
        .into_iter()
        .map(|argument| {
            let replaced = if is_value { None } else { known(&argument) };
            // The argument after one of these is a value, even if it looks like a flag.
            let flag = replaced.as_ref().unwrap_or(&argument);
            is_value = !is_value && flag.to_str().is_some_and(|flag| flags::WITH_VALUE.contains(&flag));
            replaced.unwrap_or(argument)
        })
        .collect()
}

/// `--allow-files` without a value as one argument, unless a folder follows: it must not take the job for one.
fn without_folder(arguments: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    const FLAG: &str = "--allow-files";
    if arguments.get(1).and_then(|verb| verb.to_str()) != Some("job") {
        return arguments;
    }
    let takes_folder: Vec<bool> =
        arguments.iter().skip(1).map(|next| Path::new(next).is_dir()).chain([false]).collect();
    let with_value = |(argument, is_folder): (std::ffi::OsString, bool)| match argument.to_str() {
        Some(FLAG) if !is_folder => format!("{FLAG}=").into(),
        _ => argument,
    };
    arguments.into_iter().zip(takes_folder).map(with_value).collect()
}

/// `--output FILE` as one argument where rows of many nodes are written. Otherwise the reference's flag of this name has no value.
fn with_file(arguments: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let is_of_many = |argument: &std::ffi::OsString| {
        let name = argument.to_str().map(|text| text.split_once('=').map_or(text, |(name, _)| name));
        matches!(name, Some("--nodes" | "--puppetdb"))
    };
    if !arguments.iter().any(is_of_many) {
        return arguments;
    }
    let mut joined = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter();
    while let Some(mut argument) = arguments.next() {
        if argument == "--output"
            && let Some(file) = arguments.next()
        {
            argument.push("=");
            argument.push(file);
        }
        joined.push(argument);
    }
    joined
}

/// The output format of a job.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// The job, in the reference's format.
    Job,
    /// One JSON object with the job, or with the error.
    Report,
    /// Another data format.
    Data(RenderAs),
}

/// Runs the verb.
pub(crate) fn run(arguments: &JobArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    let files = inputs::jobs(&arguments.files, arguments);
    if files.is_empty() {
        let help = "job files are named *.nomad or *.nomad.hcl, or are HCL files with a job block";
        reporter.error("", &usage("no job found in the named folders").help(help));
        return ExitCode::FAILURE;
    }
    if arguments.many.are_given() {
        return rows(&files, arguments, &reporter).unwrap_or_else(|error| {
            reporter.error("", &error);
            ExitCode::FAILURE
        });
    }
    let (files, others) = entries::divide(files, arguments);
    if let (Some(entry), [_, ..]) = (&arguments.entry, others.as_slice()) {
        let names: Vec<_> = others.iter().map(|file| file.to_slashes()).collect();
        let message = format!("--entry {entry} does not name {}: not read", names.join(", "));
        reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::USAGE, message));
    }
    let mut failed = false;
    let mut shared = SharedArguments::new(arguments);
    for file in &files {
        match job(file, files.len() > 1, &mut shared, arguments, &reporter) {
            Ok(passed) => failed |= !passed,
            Err(error) => {
                reporter.error("", &error);
                shared.are_incomplete = true;
                failed = true;
            }
        }
    }
    if files.len() > 1 {
        failed |= !shared.report(&reporter);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the jobs of many nodes.
fn rows(files: &[PathBuf], arguments: &JobArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let flags = [
        (arguments.validate, "--validate"),
        (arguments.to.is_some(), "--to"),
        (arguments.diff.is_some(), "--diff"),
        (arguments.origins, "--origins"),
    ];
    if let Some((_, flag)) = flags.iter().find(|(is_given, _)| *is_given) {
        return Err(usage(format!("{flag} applies to a single job and cannot be combined with --nodes"))
            .help("name one node with --node, and its facts with --facts"));
    }
    let place = arguments.place();
    let environment = Target::new(&place).open_if_any(reporter)?;
    let read = |file: &PathBuf| {
        let permissions = arguments.permissions_in(&documents::folder(file));
        let text = read(file, arguments, &permissions)?;
        let options = options(file, arguments, &permissions)?;
        Ok((file.to_slashes(), text, options))
    };
    let jobs: Vec<(String, Vec<u8>, Options)> = files.iter().map(read).collect::<Result<_, Error>>()?;
    let of_several = jobs.len() > 1;
    let rows = Rows {
        column: "job",
        arguments: &arguments.many,
        output: arguments.output.as_deref().filter(|file| file.as_os_str() != "-"),
        place: &place,
        environment: environment.as_ref(),
        reporter,
    };
    rows.write(&|facts| {
        let job = |(name, text, options): &(String, Vec<u8>, Options)| {
            let options = Options { budget: Budget::new(*options.budget.limits()), ..options.clone() };
            let answer = row(text, options, environment.as_ref(), facts, reporter);
            (of_several.then(|| name.clone()), answer)
        };
        jobs.iter().map(job).collect()
    })
}

/// A job with the data of a node, as the API's JSON on one line.
fn row(
    text: &[u8],
    mut options: Options,
    environment: Option<&Environment>,
    facts: &Facts,
    reporter: &Reporter,
) -> row_output::Answer {
    let failed = |message: String| row_output::Failure {
        message: reporter.redactor().message(&message).into_owned(),
        ..row_output::Failure::default()
    };
    if let Some(environment) = environment.filter(|_| calls_hiera(text)) {
        let data = HieraInHcl::new(environment, facts, &options.budget).map_err(|error| failed(error.to_string()))?;
        add(data, &mut options);
    }
    let job = Job::parse(text.to_vec(), &options).map_err(|failure| {
        let range = failure.problems().first().and_then(|first| first.subject.as_ref());
        let start = range.map(|range| range.start());
        row_output::Failure {
            line: start.as_ref().map(|start| start.line),
            column: start.as_ref().map(|start| start.column),
            ..failed(failure.to_string())
        }
    })?;
    let json = job.to_json().map_err(|problem| failed(problem.to_string()))?;
    let redacted = reporter.redactor().json_but(&json, is_field);
    let job: serde_json::Value = serde_json::from_str(&redacted).map_err(|error| failed(error.to_string()))?;
    Ok(job["Job"].to_string())
}

/// Reads and prints one job, which is one of several or not; whether nothing was wrong with it.
fn job(
    file: &Path,
    of_several: bool,
    shared: &mut SharedArguments,
    arguments: &JobArguments,
    reporter: &Reporter,
) -> Result<bool, Error> {
    let format = match arguments.render_as.as_deref() {
        None | Some("json") => Format::Job,
        Some("report") => Format::Report,
        Some(name) => Format::Data(
            name.parse::<RenderAs>()
                .map_err(|error| usage(error.to_string()).help("the formats are json, yaml, s and report"))?,
        ),
    };
    let permissions = arguments.permissions_in(&documents::folder(file));
    let text = read(file, arguments, &permissions)?;
    let run = entries::entry(file, arguments)?;
    let mut options = Options { shared_arguments: of_several, ..options(file, arguments, &permissions)? };
    entries::add(&run, &mut options);
    if let Some(data) = hiera(arguments, &text, &options.budget, reporter)? {
        add(data, &mut options);
    }
    // The reference takes no notice of them at all.
    for name in arguments.var.iter().filter(|argument| !argument.contains('=')) {
        let message = format!("-var {name} has no value and was ignored");
        let warning = Diagnostic::new(Severity::Warning, codes::USAGE, message);
        reporter.diagnostic(&warning.help(format!("write -var {name}=VALUE")));
    }
    let job = match Job::parse(text, &options) {
        Ok(job) => job,
        Err(failure) => {
            if let Format::Report = format {
                print_failure(error(&failure), file, of_several, reporter);
                return Ok(true);
            }
            shared.are_incomplete = true;
            hints::report_hcl(reporter, &failure, hints::NOT_DENIED);
            if !run.replaced.is_empty() {
                let message = format!("the flags take the place of the entries {} of [[jobs]]", run.replaced);
                let note = Diagnostic::new(Severity::Note, codes::USAGE, message);
                reporter.diagnostic(&note.help("choose one with --entry to keep its values"));
            }
            return Ok(false);
        }
    };
    shared.note(file, &job);
    entries::note_undeclared(&run, file, &job, reporter);
    reporter.failure(job.warnings());
    if arguments.validate {
        let file = of_several.then_some(file);
        return validation::run(&job, file, arguments.lint, run.nomad_version, format, reporter);
    }
    if arguments.to.is_some() {
        reporter.print_text(job.to_hcl().as_bytes());
        return Ok(true);
    }
    if let Some(other) = &arguments.diff {
        return plan::compare(&job, other, arguments, format, reporter);
    }
    if arguments.origins {
        // JSON is the usual format of a job, but that of origins only with `--format json`.
        let format = if arguments.render_as.as_deref() == Some("json") { Format::Report } else { format };
        origins::print(&job, format, reporter)?;
        return Ok(true);
    }
    let json = match (job.to_json(), format) {
        (Ok(json), _) => json,
        (Err(problem), Format::Report) => {
            let error = serde_json::json!({ "text": problem.to_string(), "file": null, "line": null, "col": null });
            print_failure(error, file, of_several, reporter);
            return Ok(true);
        }
        (Err(problem), _) => return Err(usage(problem.to_string())),
    };
    match format {
        Format::Job => output::print(format!("{}\n", reporter.redactor().json_but(&json, is_field)).as_bytes()),
        Format::Report => {
            let redacted = reporter.redactor().json_but(&json, is_field);
            let job: serde_json::Value = serde_json::from_str(&redacted).map_err(|error| usage(error.to_string()))?;
            let mut report = serde_json::json!({ "job": job["Job"], "error": null });
            if of_several {
                report["file"] = file.to_slashes().into();
            }
            reporter.print_redacted(format!("{report}\n").as_bytes(), RenderAs::Json);
        }
        Format::Data(format) => {
            let redacted = reporter.redactor().json_but(&json, is_field);
            let value = hieratic::json::parse(redacted.as_bytes()).map_err(|error| usage(error.to_string()))?;
            output::print(&output::rendered(&value, format).map_err(usage)?);
        }
    }
    Ok(true)
}

/// Prints the error of a job, for tools.
fn print_failure(error: serde_json::Value, file: &Path, of_several: bool, reporter: &Reporter) {
    let mut report = serde_json::json!({ "job": null, "error": error });
    if of_several {
        report["file"] = file.to_slashes().into();
    }
    reporter.print_report(&report, &[]);
}

/// Converts a failure to JSON for tools: the reference's message, and the position of the first diagnostic.
fn error(failure: &Failure) -> serde_json::Value {
    let range = failure.problems().first().and_then(|first| first.subject.as_ref());
    let start = range.map(|range| range.start());
    serde_json::json!({
        "text": failure.to_string(),
        "file": range.map(|range| range.source.name().to_string()),
        "line": start.map(|start| start.line),
        "col": start.map(|start| start.column),
    })
}

fn read(path: &Path, arguments: &JobArguments, permissions: &Permissions) -> Result<Vec<u8>, Error> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes);
        read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
        return Ok(bytes);
    }
    let files = Mounted::over(arguments.revision.commit.as_ref(), permissions.files_named(path));
    files.read(path).map_err(|error| files::unreadable(path, &error))
}

/// Returns the options that the flags set, without the data of a node.
fn options(path: &Path, arguments: &JobArguments, permissions: &Permissions) -> Result<Options, Error> {
    let reach = FileAccess::new(path, arguments, permissions);
    let commit = arguments.revision.commit.as_ref();
    let file = |path: &PathBuf| VariableFile {
        path: path.to_slashes(),
        content: Mounted::over(commit, if reach.anywhere { Files::of_user() } else { permissions.files_named(path) })
            .read(path)
            .map_err(|error| format!("open {}: {}", path.display(), reason(&error))),
    };
    let environment = environment::variables(Some("HOME"))?;
    Ok(Options {
        path: if path.as_os_str() == "-" { "stdin".into() } else { path.to_slashes() },
        arguments: arguments.var.clone(),
        files: arguments.var_file.iter().map(file).collect(),
        environment,
        strict: arguments.hcl2_strict,
        allow_undeclared: arguments.allow_undeclared,
        folder: (!arguments.deny_files).then_some(reach.base),
        beside: reach.beside,
        reach: Some(reach.files),
        outside: reach.anywhere,
        consul_namespace: arguments.nomad.consul_namespace.clone(),
        vault_namespace: arguments.nomad.vault_namespace.clone(),
        extensions: arguments.nomad.extensions,
        json: arguments.json,
        budget: Budget::new(arguments.limits.limits()),
        ..Options::default()
    })
}

/// Adds the data of a node.
fn add(data: HieraInHcl, options: &mut Options) {
    options.functions.push(("hiera".to_owned(), data.function));
    options.observer = Some(data.observer);
}

/// Returns whether a job may call `hiera`.
fn calls_hiera(text: &[u8]) -> bool {
    const CALL: &[u8] = b"hiera";
    text.windows(CALL.len()).any(|part| part == CALL)
}

/// The files that the functions of a job may read, and the base of relative names.
struct FileAccess {
    base: PathBuf,
    beside: Option<PathBuf>,
    files: Files,
    anywhere: bool,
}

impl FileAccess {
    /// As in the reference, names are relative to the working folder, and otherwise to the job. Readable are the files
    /// of the job's repository, or of its folder if it is not in one, and the folders that flags name.
    fn new(path: &Path, arguments: &JobArguments, permissions: &Permissions) -> FileAccess {
        let beside = documents::folder(path);
        let FileArguments { allow_files, base } = &arguments.reading;
        let own = repository_of(&beside).unwrap_or_else(|| beside.clone());
        let named = allow_files.iter().filter(|folder| !folder.as_os_str().is_empty());
        FileAccess {
            files: Mounted::over(arguments.revision.commit.as_ref(), Files::below([&own]).and_below(named.chain(base))),
            anywhere: permissions.outside || allow_files.iter().any(|folder| folder.as_os_str().is_empty()),
            beside: base.is_none().then_some(beside),
            base: base.clone().unwrap_or_else(|| PathBuf::from(".")),
        }
    }
}

/// Returns the system's message without its number, in the reference's words.
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
    if !calls_hiera(text) {
        return Ok(None);
    }
    let place = arguments.place();
    let target = Target::new(&place);
    let Some(environment) = target.open_if_any(reporter)? else { return Ok(None) };
    let facts = target.facts(reporter)?;
    Ok(Some(HieraInHcl::new(&environment, &facts, budget)?))
}
