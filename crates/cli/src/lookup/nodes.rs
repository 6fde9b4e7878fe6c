//! `lookup --nodes`: the answers of a whole fleet as rows.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::Error;
use hieratic::layers::repository_of;
use hieratic::lookup::is_wanted;
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_fleet::{Format, Options, Sources, Summary, export};
use hieratic_lint::Progress as _;
use hieratic_puppetdb::Pages;

use super::flags::{LookupArguments, NodesArguments};
use super::resume::{self, Run};
use super::{settings, usage_error};
use crate::codes;
use crate::files;
use crate::fleet::{Stream, matches};
use crate::output::{self, counted};
use crate::progress::Bar;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;

/// Runs `lookup --nodes`.
pub(super) fn run(arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
    match rows(arguments, reporter) {
        Ok(summary) if summary.failed == 0 && summary.unanswered == 0 => ExitCode::SUCCESS,
        Ok(summary) => {
            report_failures(&summary, reporter);
            ExitCode::FAILURE
        }
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn rows(arguments: &LookupArguments, reporter: &Reporter) -> Result<Summary, Error> {
    let NodesArguments { nodes, output, resume: resumes, shard, filter, puppetdb } = &arguments.many;
    if arguments.keys.is_empty() && !arguments.all {
        return Err(usage_error("No keys were given to lookup.").help("name keys or patterns, or pass --all"));
    }
    let format = format(arguments.render_as.as_deref(), output.as_deref())?;
    let target = Target::new(&arguments.place);
    let settings = settings(arguments, &target, true);
    let environment = target.open(&settings, reporter)?;
    reporter.missing_hierarchy(&environment);
    let root = environment.layers().environment.root.clone();
    let bar = Bar::new(false);
    let seen = AtomicUsize::new(0);
    let options = Options {
        wanted: &|key| is_wanted(key, &arguments.keys),
        chosen: &|facts| match filter {
            Some(filter) => matches(filter, &environment, facts).map_err(|error| error.to_string()),
            None => Ok(true),
        },
        shard: shard.unwrap_or_default(),
        origins: true,
        limits: arguments.limits.limits(),
        mask: reporter.mask().clone(),
        root: repository_of(&root).unwrap_or(root),
        progress: &|summary: &Summary| {
            // The bar knows how many nodes there were, never how many will come: they are read as they are needed.
            let steps = summary.nodes.saturating_sub(seen.swap(summary.nodes, Ordering::Relaxed));
            bar.begin("nodes", steps);
            (0..steps).for_each(|_| bar.step());
        },
        ..Options::default()
    };
    let mut stream = Stream::open(nodes, puppetdb, &arguments.place)?;
    let exported = match output {
        None => whole_fleet(&mut stream, |all| export(&environment, all, &options, format, output::Answers)),
        Some(path) if *resumes => {
            let pages = stream.pages.take();
            let url = pages.as_ref().map(Pages::url);
            let question = resume::question(arguments, &settings, &environment, format, path, url);
            let run = Run::open(path, question, reporter)?;
            // A run that can be continued keeps the facts of PuppetDB, and takes them from there.
            let mut files = nodes.clone();
            files.extend(pages.map(|pages| run.facts(pages)).transpose()?);
            let sources = Sources::of(files, target.permissions());
            run.export(&environment, sources, &options, format)
        }
        Some(path) => {
            files::whole(path, |file| whole_fleet(&mut stream, |all| export(&environment, all, &options, format, file)))
        }
    };
    bar.finish();
    if let Some(error) = stream.broken.take() {
        return Err(error);
    }
    let summary = exported.map_err(|error| {
        let target = output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
        let advice = match output {
            None => "write to a file with --output".to_owned(),
            Some(_) if *resumes => "make room, then give the same command again: it continues".to_owned(),
            Some(path) => files::advice_to_write(path, &error),
        };
        usage(format!("{target} cannot be written: {error}")).help(advice)
    })?;
    if summary.nodes == 0 && summary.unanswered == 0 {
        return Err(usage("no node is left").help("no node is left: check --where and --shard, and the facts"));
    }
    if arguments.place.verbose {
        let (nodes, asked) = (counted(summary.nodes, "node"), summary.classes);
        reporter.log_line("", &format!("looked up {nodes} ({asked} distinct), {} rows", summary.rows), false);
    }
    Ok(summary)
}

/// Fails unless the stream delivered all nodes: rows without the last nodes would look complete.
fn whole_fleet<T>(stream: &mut Stream, make: impl FnOnce(&mut Stream) -> io::Result<T>) -> io::Result<T> {
    let made = make(stream)?;
    match stream.broken {
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        None => Ok(made),
    }
}

/// Returns the format of rows, from the flag or from the extension of the file.
fn format(flag: Option<&str>, output: Option<&Path>) -> Result<Format, Error> {
    let named = |text: &str| text.parse::<Format>().map_err(usage);
    match (flag, output) {
        (Some("json"), _) => {
            Err(usage("json is one document; rows of many nodes are ndjson").help("pass --format ndjson"))
        }
        (Some(flag), _) => named(flag),
        (None, Some(path)) => Format::of_file(path).ok_or_else(|| {
            usage(format!("the format of {} is not known", path.display()))
                .help("name the file .ndjson, .csv or .parquet, or pass --format")
        }),
        (None, None) => Ok(Format::Ndjson),
    }
}

/// Reports the nodes without an answer.
fn report_failures(summary: &Summary, reporter: &Reporter) {
    for fault in &summary.faults {
        let message = reporter.mask().message(&fault.to_string()).into_owned();
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::FACTS_UNKNOWN, message));
    }
    let more = summary.unanswered - summary.faults.len();
    if more > 0 {
        reporter.log_line("", &format!("{more} more nodes failed"), false);
    }
    if summary.failed > 0 {
        let rows = match summary.failed {
            1 => "1 lookup failed: its row has an error".to_owned(),
            many => format!("{many} lookups failed: their rows have an error"),
        };
        reporter.log_line("", &rows, false);
    }
}
