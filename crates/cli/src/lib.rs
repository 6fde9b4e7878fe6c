//! The `hieratic` command as a library: `main.rs` is the program, and `hieratic-web` is WebAssembly.
#![allow(clippy::disallowed_methods, reason = "the command speaks for the person at the keyboard: see clippy.toml")]

mod access;
mod affected;
mod args;
mod bare;
mod catalog;
mod check;
mod code;
mod codes;
mod compare;
mod completion;
mod config;
mod diff;
mod doctor;
mod documents;
mod enc;
mod eval;
mod examples;
mod expand;
mod explain;
mod external;
mod files;
mod fleet;
mod fmt;
mod found_facts;
mod hints;
mod history;
#[cfg(not(target_os = "wasi"))]
mod index_files;
mod init;
mod job;
mod junit;
mod key_patterns;
mod levels;
mod limits;
mod lookup;
mod lsp;
mod manual;
mod markdown;
mod origin_table;
mod output;
mod overview;
mod pack;
mod pager;
mod parse;
mod parts;
mod places;
#[cfg_attr(target_os = "wasi", path = "no_progress.rs")]
mod progress;
mod puppetdb;
mod query;
mod redacted;
mod refactor;
mod render;
mod repl;
mod report;
mod request_lines;
mod restore;
mod revision;
mod revisions;
mod row_output;
mod schema;
mod secret;
mod serve;
mod streams;
mod survey;
mod target;
mod terminal;
mod trust;
mod types;
mod usage;
mod variables;
mod vault;
mod verbs;
mod version;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use hieratic::{Error, ErrorKind};

use args::{Color, MessageFormat};
use report::Reporter;
use verbs::{Arguments, Verb};

/// Runs the command line of this process and returns the exit status.
pub fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    if let Some(status) = completion::answer(&given) {
        return status;
    }
    if given.len() == 1
        && let Some(status) = overview::run()
    {
        return end(status, &Reporter::new(MessageFormat::Human, Color::Auto));
    }
    let arguments = match Arguments::try_parse_from(with_help(job::with_two_hyphens(given.into_iter()))) {
        Ok(arguments) => arguments,
        Err(error) => {
            let status = verbs::usage(&error);
            return end(status, &Reporter::new(MessageFormat::Human, Color::Auto));
        }
    };
    let reporter = arguments.reporter();
    let status = run(arguments, &reporter);
    end(status, &reporter)
}

/// Creates the single-threaded language server that the command line of this process selects. Reports errors of the
/// command line, and then returns `None`.
pub fn language_server() -> Option<hieratic_lsp::InlineServer> {
    let arguments = match Arguments::try_parse_from(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            verbs::usage(&error);
            return None;
        }
    };
    let reporter = arguments.reporter();
    match &arguments.verb {
        Some(Verb::Lsp(arguments)) => lsp::options(arguments, &reporter).map(hieratic_lsp::InlineServer::new),
        _ => None,
    }
}

/// `hieratic help VERB` is `hieratic VERB --help`.
fn with_help(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|verb| verb == "help") {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// Runs the verb.
fn run(arguments: Arguments, reporter: &Reporter) -> ExitCode {
    let Some(mut verb) = arguments.verb else {
        let table = if arguments.permissions { access::table() } else { limits::table() };
        output::print(table.as_bytes());
        return ExitCode::SUCCESS;
    };
    let inputs = verbs::NamedInputs::of_flags(&mut verb);
    if let Err(problem) = verbs::apply_settings(&mut verb) {
        reporter.diagnostic(&problem);
        return ExitCode::from(2);
    }
    let (refused, skipped_levels) = verbs::grant_access(&mut verb);
    if let Err(error) = verbs::open_revisions(&mut verb) {
        reporter.error("", &error);
        return ExitCode::from(2);
    }
    verbs::warn_of_unfinished(&mut verb, reporter);
    let revision = verbs::opened_revision(&mut verb);
    // A revision may have a file that the folder has not.
    if revision.is_none() {
        inputs.warn_of_missing(reporter);
    }
    if verb.is_paged() {
        pager::enable();
    }
    let status = run_verb(verb);
    reporter.warn_refused_files(&refused);
    reporter.warn_skipped_levels(&skipped_levels);
    // If a part of the revision was unreadable that the answer depends on, the answer does not count.
    match revision.and_then(|revision| revision.fault()) {
        Some(problem) if status == ExitCode::SUCCESS => {
            reporter.error("", &Error::new(ErrorKind::Fatal, codes::REVISION, problem));
            ExitCode::FAILURE
        }
        _ => status,
    }
}

fn run_verb(verb: Verb) -> ExitCode {
    match verb {
        Verb::Lookup(arguments) => lookup::run(&arguments),
        Verb::Query(arguments) => query::run(&arguments),
        Verb::Eval(arguments) => eval::run(&arguments),
        Verb::Catalog(arguments) => catalog::run(&arguments),
        Verb::Parse(arguments) => parse::run(&arguments),
        Verb::Check(arguments) => check::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::Diff(arguments) => diff::run(&arguments),
        Verb::Enc(arguments) => enc::run(&arguments),
        Verb::External(arguments) => external::run(&arguments),
        Verb::History(arguments) => history::run(&arguments),
        Verb::Affected(arguments) => affected::run(&arguments),
        Verb::Refactor(arguments) => refactor::run(&arguments),
        Verb::Types(arguments) => types::run(&arguments),
        Verb::Schema(arguments) => schema::run(&arguments),
        Verb::Explain(arguments) => explain::run(&arguments),
        Verb::Expand(arguments) => expand::run(&arguments),
        Verb::Restore(arguments) => restore::run(&arguments),
        Verb::Render(arguments) => render::run(&arguments),
        Verb::Job(arguments) => job::run(&arguments),
        Verb::Pack(arguments) => pack::run(&arguments),
        Verb::Fmt(arguments) => fmt::run(&arguments),
        Verb::Lsp(arguments) => lsp::run(&arguments),
        Verb::Completions { shell } => manual::completions(shell),
        Verb::Man { folder } => manual::pages(folder.as_deref()),
        Verb::Serve(arguments) => serve::run(&arguments),
        Verb::Repl(arguments) => repl::run(&arguments),
        Verb::Trust(arguments) => trust::run(&arguments),
        Verb::Config(arguments) => config::run(&arguments),
        Verb::Init(arguments) => init::run(&arguments),
        Verb::Doctor(arguments) => doctor::run(&arguments),
        Verb::Secret(arguments) => secret::run(&arguments),
        Verb::Version(arguments) => version::run(&arguments),
    }
}

/// Returns the exit status of the process. Lost output is a failure, which is reported on standard error if possible, and so is a node
/// without an answer.
fn end(status: ExitCode, reporter: &Reporter) -> ExitCode {
    streams::MESSAGES.write(&pager::finish());
    let answers = streams::ANSWERS.lost();
    if let Some(reason) = &answers {
        let help = "the output is incomplete: free disk space, or write elsewhere";
        reporter.plain_error(
            codes::UNWRITABLE,
            &format!("standard output cannot be written: {reason}"),
            &[help.into()],
        );
    }
    let is_lost = answers.is_some() || streams::MESSAGES.lost().is_some() || fleet::is_incomplete();
    if is_lost && status == ExitCode::SUCCESS { ExitCode::FAILURE } else { status }
}
