//! `lookup --nodes`: the answers of a whole fleet as rows.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use hieratic::layers::repository_of;
use hieratic::lookup::{matches_patterns, suggest_keys};
use hieratic::value::Str;
use hieratic::{Environment, Error, Node};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_fleet::{ChosenFacts, Format, Options, Shard, Sources, Summary, TABLE_VERSION, export};
use hieratic_lint::Progress as _;
use hieratic_puppetdb::Pages;

use super::flags::{LookupArguments, NodesArguments};
use super::resume::{self, Run};
use super::{settings, usage_error};
use crate::codes;
use crate::files;
use crate::fleet::{Filter, Stream, report_unanswered};
use crate::output::{self, counted};
use crate::progress::Bar;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// Runs `lookup --nodes`.
pub(super) fn run(arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
    match rows(arguments, reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn rows(arguments: &LookupArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let NodesArguments { nodes, output, resume: resumes, shard, filter, puppetdb } = &arguments.many;
    if arguments.keys.is_empty() && !arguments.all {
        return Err(usage_error("No keys were given to lookup.").help("name keys or patterns, or pass --all"));
    }
    if let Some(flag) = arguments.place.fact.iter().find(|flag| flag.contains('=')) {
        return Err(usage(format!("--fact {flag} sets a fact of one node"))
            .help("with --nodes, --fact NAME adds the fact of this name to the rows"));
    }
    let format = format(arguments.render_as.as_deref(), output.as_deref())?;
    let target = Target::new(&arguments.place);
    let settings = settings(arguments, &target, true);
    let environment = target.open(&settings, reporter)?;
    reporter.missing_hierarchy(&environment);
    let root = environment.layers().environment.root.clone();
    let bar = Bar::new(false);
    let seen = AtomicUsize::new(0);
    let filter = Filter::new(filter.as_deref())?;
    let added = ChosenFacts::new(&arguments.place.fact);
    // The facts of the first node: its keys are suggested for one that no node has.
    let first = OnceLock::new();
    let options = Options {
        selects_key: &|key| matches_patterns(key, &arguments.keys),
        named: &arguments.keys,
        chosen: &|facts| {
            let is_chosen = filter.selects(&environment, facts).map_err(|error| error.to_string())?;
            if is_chosen {
                added.note(facts);
                first.get_or_init(|| facts.clone());
            }
            Ok(is_chosen)
        },
        shard: shard.unwrap_or_default(),
        origins: true,
        limits: arguments.limits.limits(),
        redactor: reporter.redactor().clone(),
        global: environment.layers().global_config.parent().map(Path::to_owned),
        facts: &arguments.place.fact,
        metadata: metadata(arguments, &environment, *resumes),
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
        let target = output.as_ref().map_or("standard output".to_owned(), |path| path.to_slashes());
        let advice = match output {
            None => "write to a file with --output".to_owned(),
            Some(_) if *resumes => "free disk space, then run the same command again: it continues".to_owned(),
            Some(path) => files::advice_to_write(path, &error),
        };
        usage(format!("{target} cannot be written: {error}")).help(advice)
    })?;
    if summary.nodes == 0 && summary.unanswered == 0 {
        return Err(filter.none_left("check --where and --shard, and the facts"));
    }
    filter.warn(reporter);
    for unknown in added.unknown() {
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::USAGE, format!("--fact: {unknown}")));
    }
    if arguments.place.verbose {
        let (nodes, classes) = (counted(summary.nodes, "node"), summary.classes);
        reporter.log_line("", &format!("looked up {nodes} ({classes} distinct), {} rows", summary.rows), false);
        for (key, found) in arguments.keys.iter().zip(&summary.found) {
            reporter.log_line("", &format!("{key}: {found} of {nodes}"), false);
        }
    }
    report_failures(&summary, reporter);
    // Other parts of the fleet may have the key.
    let is_whole = shard.is_none_or(|shard| shard == Shard::default());
    let keys = || first.get().and_then(|facts| environment.node(facts).ok()?.keys().ok()).unwrap_or_default();
    let is_found = report_missing(&summary.missing(&arguments.keys), is_whole, keys, reporter);
    let is_answered = summary.failed == 0 && summary.unanswered == 0 && is_found;
    Ok(if is_answered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reports the keys and patterns that no node has, as the lookup for one node does. Returns whether all were found, as far as is known
/// from a part of the nodes.
fn report_missing(missing: &[&str], is_whole: bool, keys: impl FnOnce() -> Vec<Str>, reporter: &Reporter) -> bool {
    if missing.is_empty() {
        return true;
    }
    if !is_whole {
        for name in missing {
            reporter.log_line("", &format!("no node of this part has '{name}'"), false);
        }
        return true;
    }
    // Without the list of keys there are no suggestions.
    let keys = keys();
    for name in missing {
        let is_pattern = name.contains(['*', '?']);
        let message = if is_pattern {
            format!("no node has a key that matches '{name}'")
        } else {
            format!("no node has a value for the key '{name}'")
        };
        let mut help = Vec::new();
        if let Some((whole, _)) = name.split_once('.').filter(|(whole, _)| keys.iter().any(|key| **key == **whole)) {
            help.push(format!("rows have whole values: name '{whole}', and take the part from its value"));
        }
        if !is_pattern {
            help.extend(hieratic_diagnostics::did_you_mean(&suggest_keys(&keys, name)));
        }
        reporter.plain_error(Node::NOT_FOUND, &message, &help);
    }
    false
}

/// The metadata of a Parquet file about its run. A run that can be continued has the same bytes whenever it ends, so it says no time.
fn metadata(arguments: &LookupArguments, environment: &Environment, resumes: bool) -> Vec<(String, String)> {
    let NodesArguments { shard, filter, .. } = &arguments.many;
    let mut about = vec![
        ("hieratic.table", TABLE_VERSION.to_owned()),
        ("hieratic.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("hieratic.environment", environment.name().to_owned()),
        ("hieratic.puppet-version", environment.puppet_version().to_string()),
        ("hieratic.keys", serde_json::json!(arguments.keys).to_string()),
    ];
    about.extend(arguments.revision.commit_name().map(|commit| ("hieratic.revision", commit)));
    about.extend(filter.clone().map(|filter| ("hieratic.where", filter)));
    about.extend(shard.map(|shard| ("hieratic.shard", shard.to_string())));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs());
    about.extend(now.ok().filter(|_| !resumes).map(|now| ("hieratic.time", now.to_string())));
    about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Fails unless the stream delivered all nodes: rows without the last nodes would look complete.
fn whole_fleet<T>(stream: &mut Stream, make: impl FnOnce(&mut Stream) -> io::Result<T>) -> io::Result<T> {
    let path = make(stream)?;
    match stream.broken {
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        None => Ok(path),
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
    report_unanswered(&summary.faults, summary.unanswered, reporter);
    if summary.failed > 0 {
        let rows = match summary.failed {
            1 => "1 lookup failed: its row has an error".to_owned(),
            many => format!("{many} lookups failed: their rows have an error"),
        };
        reporter.log_line("", &rows, false);
    }
}
