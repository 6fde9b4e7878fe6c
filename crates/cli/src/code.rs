//! The options of the evaluator and the messages of the verbs that run code.

use hieratic::Error;
use hieratic::budget::Budget;
use hieratic::puppet_eval::{Failure, Log, Options};
use hieratic::sandbox::{Files, Mounted, Programs};
use hieratic_diagnostics::{Diagnostic, Position, Severity};

use crate::args::CodeArguments;
use crate::codes;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;

/// The options for evaluating code, with its permissions.
pub(crate) fn options(target: &Target<'_>, code_may: &CodeArguments) -> Options {
    let (place, permissions) = (target.place(), target.permissions());
    let files = if permissions.outside { Files::anywhere() } else { Options::default().files };
    Options {
        debug: place.debug,
        files: Mounted::over(place.revision.as_ref(), files),
        programs: if permissions.programs { Programs::Always } else { Programs::Never },
        ruby: code_may.ruby.clone(),
        random_seed: code_may.random_seed,
        budget: Budget::new(code_may.limits()),
        ..target.settings().language()
    }
}

/// The error about a byte that is not UTF-8.
pub(crate) fn invalid_text(name: &str, bytes: &[u8], at: usize) -> Error {
    let Position { line, column } = Position::at_offset(bytes, at);
    let place = if name.is_empty() { "the code" } else { name };
    usage(format!("{place} is not valid UTF-8: byte {:#04x} at line {line}, column {column}", bytes[at]))
        .help("save the file as UTF-8")
}

/// Prints log messages like the reference: `Notice: Scope(Class[main]): ...`.
pub(crate) fn show_logs(logs: &[Log], reporter: &Reporter) {
    for log in logs {
        let (who, message) = log_line(log);
        reporter.log(&log_diagnostic(log), &format!("{who}{message}"), log.site.is_none());
    }
}

/// A message of code as data.
fn log_diagnostic(log: &Log) -> Diagnostic {
    let severity = match log.level.name() {
        "err" | "alert" | "emerg" | "crit" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Note,
    };
    let message = match log.source.as_str() {
        "" => log.message.clone(),
        source => format!("{source}: {}", log.message),
    };
    let diagnostic = Diagnostic::new(severity, codes::WARNING, message);
    match &log.site {
        Some(site) if site.line > 0 => {
            let column = Some(site.column).filter(|column| *column > 0);
            diagnostic.location(site.file.as_deref().unwrap_or_default(), Some(site.line), column)
        }
        _ => diagnostic,
    }
}

/// The prefix and the text of a log message.
fn log_line(log: &Log) -> (String, String) {
    let level = match log.level.name() {
        "err" => "Error".to_owned(),
        name => name[..1].to_uppercase() + &name[1..],
    };
    if log.source.is_empty() {
        (format!("{level}: "), log.text())
    } else {
        (format!("{level}: {}: ", log.source), log.text())
    }
}

/// A failure with its line of code, and with the node, as the reference prints it.
pub(crate) fn diagnostic(failure: &Failure, node: &str) -> Diagnostic {
    let mut diagnostic = failure.diagnostic();
    diagnostic.message = format!("{} on node {node}", diagnostic.message);
    diagnostic
}
