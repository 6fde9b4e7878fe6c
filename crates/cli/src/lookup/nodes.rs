//! `lookup --nodes`: the answers of a whole fleet as rows.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use hieratic::{Environment, Error, is_wanted, repository_of};
use hieratic_audit::Progress as _;
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_fleet::{Format, Options, Shard, Sources, Summary, export};

use super::{refused, settings};
use crate::args::LookupArguments;
use crate::codes;
use crate::fleet::holds;
use crate::output::{self, counted};
use crate::progress::Bar;
use crate::report::Reporter;
use crate::usage::usage;
use crate::{files, place};

/// The flags about many nodes.
#[derive(Args, Debug, Default)]
pub(crate) struct NodesArguments {
    /// Answer many nodes, one row per node and key: a folder of facts, a file with one node per line (.ndjson) or row (.parquet, .arrow), or a file of facts (repeatable)
    #[arg(long, value_name = "FACTS", action = clap::ArgAction::Append, conflicts_with_all = ["node", "facts", "fact", "var", "trusted_data",
        "explain", "explain_options", "why", "origins", "each", "compile", "default", "value_type", "merge"])]
    pub(crate) nodes: Vec<PathBuf>,
    /// Write the rows to a file: .ndjson, .csv or .parquet (with --nodes)
    #[arg(long, value_name = "FILE", requires = "nodes")]
    output: Option<PathBuf>,
    /// Only the nodes of part I of N (with --nodes)
    #[arg(long, value_name = "I/N", requires = "nodes")]
    shard: Option<Shard>,
    /// Only nodes for which this expression of the Puppet language is true: 'facts.role == "web"' (with --nodes)
    #[arg(long = "where", value_name = "EXPRESSION", requires = "nodes")]
    filter: Option<String>,
}

/// Runs `lookup --nodes`.
pub(super) fn run(arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
    match rows(arguments, reporter) {
        Ok(summary) if summary.failed == 0 && summary.unanswered == 0 => ExitCode::SUCCESS,
        Ok(summary) => {
            tell(&summary, reporter);
            ExitCode::FAILURE
        }
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn rows(arguments: &LookupArguments, reporter: &Reporter) -> Result<Summary, Error> {
    let NodesArguments { nodes, output, shard, filter } = &arguments.many;
    if arguments.keys.is_empty() && !arguments.all {
        return Err(refused("No keys were given to lookup.").help("name keys or patterns, or pass --all"));
    }
    let format = format(arguments.render_as.as_deref(), output.as_deref())?;
    let environment = Environment::open(&settings(arguments, true))?;
    reporter.cover(&environment);
    let root = environment.layers().environment.root.clone();
    let bar = Bar::new();
    let seen = AtomicUsize::new(0);
    let options = Options {
        wanted: &|key| is_wanted(key, &arguments.keys),
        chosen: &|facts| match filter {
            Some(filter) => holds(filter, &environment, facts).map_err(|error| error.to_string()),
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
    };
    let sources = Sources::of(nodes.clone(), place::permissions(&arguments.place));
    let exported = match output {
        None => export(&environment, sources, &options, format, output::Answers),
        Some(path) => files::whole(path, |file| export(&environment, sources, &options, format, file)),
    };
    bar.finish();
    let summary = exported.map_err(|error| {
        let target = output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
        let advice =
            output.as_ref().map_or("write to a file with --output".to_owned(), |path| files::advice(path, &error));
        usage(format!("{target} cannot be written: {error}")).help(advice)
    })?;
    if summary.nodes == 0 && summary.unanswered == 0 {
        return Err(usage("no node is left").help("--nodes names no facts, or --where and --shard leave none of them"));
    }
    if arguments.place.verbose {
        let (nodes, asked) = (counted(summary.nodes, "node"), summary.classes);
        reporter.say("", &format!("{nodes}, of which {asked} had to be asked: {} rows", summary.rows), false);
    }
    Ok(summary)
}

/// What rows are written as: by the flag, or by the name of the file.
fn format(flag: Option<&str>, output: Option<&Path>) -> Result<Format, Error> {
    let named = |text: &str| text.parse::<Format>().map_err(usage);
    match (flag, output) {
        (Some("json"), _) => {
            Err(usage("json is one document; rows of many nodes are ndjson").help("pass --render-as ndjson"))
        }
        (Some(flag), _) => named(flag),
        (None, Some(path)) => Format::of_file(path).ok_or_else(|| {
            usage(format!("the format of {} is not known", path.display()))
                .help("name the file .ndjson, .csv or .parquet, or pass --render-as")
        }),
        (None, None) => Ok(Format::Ndjson),
    }
}

/// Tells what could not be answered.
fn tell(summary: &Summary, reporter: &Reporter) {
    for fault in &summary.faults {
        let message = reporter.mask().message(&fault.to_string()).into_owned();
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::FACTS_UNKNOWN, message));
    }
    let more = summary.unanswered - summary.faults.len();
    if more > 0 {
        reporter.say("", &format!("{more} more nodes could not be asked"), false);
    }
    if summary.failed > 0 {
        let rows = match summary.failed {
            1 => "1 lookup failed: its row has an error".to_owned(),
            many => format!("{many} lookups failed: their rows have an error"),
        };
        reporter.say("", &rows, false);
    }
}
