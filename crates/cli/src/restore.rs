//! `hieratic restore`: the merge directives put back into a document whose expanded form was changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::directives::{Failure, Record, RestoreOptions, Restored, restore};
use hieratic::{Value, json};
use hieratic_diagnostics::{Diagnostic, Severity, Source, Span};
use hieratic_document::tree;

use crate::args::RestoreArguments;
use crate::report::Reporter;
use crate::{documents, files, output, terminal};

/// Runs the verb.
pub(crate) fn run(arguments: &RestoreArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    if arguments.into_includes && !arguments.in_place && !arguments.diff {
        let help = "add --in-place, or --diff to see what would change";
        reporter.plain_error("usage", "--into-includes changes several files, which cannot be printed", &[help.into()]);
        return ExitCode::from(2);
    }
    if arguments.in_place && arguments.original.as_os_str() == "-" {
        reporter.plain_error("usage", "standard input cannot be written in place", &[]);
        return ExitCode::from(2);
    }
    match restored(arguments) {
        Ok((before, restored)) => match write(arguments, &before, &restored) {
            Ok(()) => ExitCode::SUCCESS,
            Err((path, error)) => {
                let message = format!("{} cannot be written: {error}", path.display());
                reporter.plain_error("unwritable", &message, &["nothing of it was changed".into()]);
                ExitCode::FAILURE
            }
        },
        Err(failure) => {
            documents::report(&reporter, &arguments.original, &failure);
            ExitCode::FAILURE
        }
    }
}

/// The text before, and what becomes of it.
fn restored(arguments: &RestoreArguments) -> Result<(String, Restored), Failure> {
    let changed = changed(&arguments.changed)?;
    let mut input = documents::read(&arguments.original, arguments.document.access)?;
    let options = RestoreOptions {
        expand: documents::options(Record::Nothing, &arguments.document.var),
        into_includes: arguments.into_includes,
    };
    let restored = restore(&input.document, &changed, &mut input.files, &options)?;
    Ok((input.document.text().to_owned(), restored))
}

/// The changed document as plain data.
fn changed(path: &Path) -> Result<Value, Failure> {
    let text = documents::text(path)?;
    let name = path.display().to_string();
    // JSON has escapes that YAML does not know.
    if text.trim_start().starts_with(['{', '['])
        && let Ok(value) = json::parse(text.trim().as_bytes())
    {
        return Ok(value);
    }
    tree::parse(&text, 0, &name).map(|node| node.to_value()).map_err(|error| {
        let source = Source::new(name, text);
        let mut diagnostic = Diagnostic::new(Severity::Error, "invalid-yaml", error.message());
        if let Some(at) = error.position() {
            let start = source.offset(at.line, at.column);
            diagnostic = diagnostic.label(source, Span { start, end: start + 1 }, "");
        }
        Failure::from(diagnostic)
    })
}

fn write(arguments: &RestoreArguments, before: &str, restored: &Restored) -> Result<(), (PathBuf, std::io::Error)> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    let mut files = Vec::new();
    for (path, text) in &restored.files {
        let before = std::fs::read_to_string(path).map_err(failed(path))?;
        files.push((path.as_path(), before, text.as_str()));
    }
    files.push((arguments.original.as_path(), before.to_owned(), restored.text.as_str()));
    if arguments.diff {
        let diff: String = files.iter().map(|(path, before, after)| difference(path, before, after)).collect();
        output::print(coloured(&diff, arguments).as_bytes());
    }
    if arguments.in_place {
        for (path, before, after) in &files {
            if before != after {
                files::replace(path, after.as_bytes()).map_err(failed(path))?;
            }
        }
    } else if !arguments.diff {
        output::print(restored.text.as_bytes());
    }
    Ok(())
}

/// What changes in a file, as `diff -u` shows it; nothing if nothing does.
fn difference(path: &Path, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let name = output::relative_file(path);
    similar::TextDiff::from_lines(before, after).unified_diff().header(&name, &name).to_string()
}

fn coloured(diff: &str, arguments: &RestoreArguments) -> String {
    if !terminal::colors(arguments.messages.color, &std::io::stdout()) {
        return diff.to_owned();
    }
    let line = |line: &str| match line.as_bytes().first() {
        Some(b'+') => format!("\x1b[32m{line}\x1b[0m\n"),
        Some(b'-') => format!("\x1b[31m{line}\x1b[0m\n"),
        Some(b'@') => format!("\x1b[36m{line}\x1b[0m\n"),
        _ => format!("{line}\n"),
    };
    diff.lines().map(line).collect()
}
