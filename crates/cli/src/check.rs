//! `hieratic check`: everything that is wrong with manifests and templates, without running them, and with the merge
//! directives of documents.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::directives::{Record, expand};
use hieratic_checker::{Options as Rules, Strict as Strictness, validate};
use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_syntax::{Options, parse};

use crate::args::{CheckArguments, Strict};
use crate::documents;
use crate::parse::read;
use crate::report::Reporter;

/// Runs the verb.
pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let mut files = Vec::new();
    let mut failed = false;
    let here = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths[..] };
    for path in paths {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => collect(path, &mut files),
            Ok(_) => files.push(path.clone()),
            Err(_) => {
                reporter.plain_error(
                    "unreadable",
                    &format!("One or more file(s) specified did not exist:\n   {}", path.display()),
                    &[],
                );
                failed = true;
            }
        }
    }
    files.sort();
    for found in check_all(&files, arguments) {
        match found {
            Ok(problems) => {
                for (severity, diagnostic) in problems {
                    failed |= severity == Severity::Error;
                    reporter.diagnostic(&diagnostic);
                }
            }
            Err(message) => {
                reporter.plain_error("unreadable", &message, &[]);
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What was found in a file, or why it cannot be read.
type Found = Result<Vec<(Severity, Diagnostic)>, String>;

/// Checks files on all cores; the answers come in the order of the files.
fn check_all(files: &[PathBuf], arguments: &CheckArguments) -> Vec<Found> {
    let modulepath: Vec<PathBuf> = arguments.modulepath.iter().flat_map(std::env::split_paths).collect();
    let strict = match arguments.strict {
        Some(Strict::Off) => Strictness::Off,
        Some(Strict::Error) => Strictness::Error,
        Some(Strict::Warning) | None => Strictness::Warning,
    };
    let rules = Rules {
        strict,
        tasks: arguments.tasks,
        modulepath: &modulepath,
        manifest: arguments.manifest.as_deref(),
        ..Default::default()
    };
    let check = |file: &PathBuf| {
        if is_document(file) {
            return Ok(directive_problems(file, arguments));
        }
        read(file).map(|source| problems(&source, file, &rules))
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(files.len() / 16 + 1);
    let next = AtomicUsize::new(0);
    let found: Vec<OnceLock<Found>> = files.iter().map(|_| OnceLock::new()).collect();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((file, slot)) = files.get(index).zip(found.get(index)) else { break };
                    // Every file is taken once.
                    let _ = slot.set(check(file));
                }
            });
        }
    });
    found.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// Whether a file that was named is a document with directives rather than code.
fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "json")
}

/// Everything that is wrong with a document: its text, its directives, and the files that it includes.
fn directive_problems(path: &Path, arguments: &CheckArguments) -> Vec<(Severity, Diagnostic)> {
    let expanded = documents::read(path, arguments.access)
        .and_then(|mut input| expand(&input.document, &mut input.files, &documents::options(Record::Nothing, &[])));
    match expanded {
        Ok(expanded) => expanded.warnings().iter().map(|warning| (Severity::Warning, warning.clone())).collect(),
        // A list or a scalar is a document without directives.
        Err(failure) if failure.diagnostics().iter().all(|problem| problem.code == "no-map") => Vec::new(),
        Err(failure) => failure.diagnostics().iter().map(|problem| (Severity::Error, problem.clone())).collect(),
    }
}

/// Everything that is wrong with one file.
fn problems(source: &Source, path: &Path, rules: &Rules<'_>) -> Vec<(Severity, Diagnostic)> {
    let epp = path.extension().is_some_and(|extension| extension == "epp");
    let parsed = parse(source, &Options { epp, tasks: rules.tasks });
    let mut problems = parsed.problems;
    if let Some(program) = parsed.program {
        problems.extend(validate(&program, &Rules { file: Some(path), epp, ..*rules }));
    }
    problems.iter().map(|problem| (problem.severity, problem.diagnostic(source))).collect()
}

/// The manifests and templates below a folder; links are not followed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|extension| extension == "pp" || extension == "epp")
            {
                files.push(path);
            }
        }
    }
}
