//! Runs queries.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use hieratic::layers::repository_of;
use hieratic::{Environment, Error, Facts, Settings};
use hieratic_diagnostics::Code;
use hieratic_fleet::{Source, Sources};
use hieratic_query::{
    Chosen, Engine, Fault, FleetContext, Format, Kind, NodeObservations, NodeSource, Nodes, Rows, Writer,
};

use super::QueryArguments;
use crate::access::Access;
use crate::fleet::{Filter, Fleet, report_unanswered};
use crate::output;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;
use crate::{codes, files};
use hieratic::sandbox::SlashPath as _;

/// The reason why a query has no answer.
enum Failure {
    /// Before the query was looked at.
    Error(Error),
    /// Because of the query.
    Fault(Fault),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<Fault> for Failure {
    fn from(error: Fault) -> Failure {
        Failure::Fault(error)
    }
}

/// Runs the verb.
pub(super) fn run(arguments: &QueryArguments, reporter: &Reporter) -> ExitCode {
    match answered(arguments, reporter) {
        Ok(status) => status,
        Err(Failure::Error(error)) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
        Err(Failure::Fault(problem)) => {
            reporter.diagnostic(&problem.diagnostic(code(problem.kind), &arguments.sql));
            ExitCode::FAILURE
        }
    }
}

fn code(kind: Kind) -> Code {
    match kind {
        Kind::Syntax => codes::QUERY_SYNTAX,
        Kind::Refused => codes::QUERY_REFUSED,
        Kind::Name => codes::QUERY_NAME,
        Kind::Limit => hieratic::codes::hiera::LIMIT,
        Kind::Failed => codes::QUERY,
    }
}

fn answered(arguments: &QueryArguments, reporter: &Reporter) -> Result<ExitCode, Failure> {
    let format = format(arguments.render_as.as_deref(), arguments.output.as_deref())?;
    let limits = arguments.limits.limits();
    let filter = Arc::new(Filter::new(arguments.fleet.filter.as_deref())?);
    let engine = Engine::new(fleet_context(arguments, &filter, reporter)?, limits)?;
    if arguments.explain {
        reporter.print_text(engine.explain(&arguments.sql)?.as_bytes());
        return status(&engine, &filter, reporter);
    }
    let rows = engine.ask(&arguments.sql)?;
    let written = match &arguments.output {
        None if format == Format::Parquet => {
            Err(io::Error::other("a Parquet file is not for terminals and pipes: pass --output FILE"))
        }
        None => write(rows, format, output::Answers),
        Some(path) => files::whole(path, |file| write(rows, format, file)),
    };
    match written {
        Ok(()) => status(&engine, &filter, reporter),
        Err(error) => Err(failure(error, arguments.output.as_deref())),
    }
}

/// Writes rows. An error of the query leaves no file behind, like an error of writing.
fn write(mut rows: Rows<'_>, format: Format, out: impl Write + Send) -> io::Result<()> {
    let mut writer = Writer::new(format, rows.schema(), out)?;
    while let Some(batch) = rows.next_batch().map_err(io::Error::other)? {
        writer.write(&batch)?;
    }
    writer.finish()
}

fn failure(error: io::Error, output: Option<&Path>) -> Failure {
    let target = output.map_or("standard output".to_owned(), |path| path.to_slashes());
    let advice = output.map_or("write to a file with --output".to_owned(), |path| files::advice(path, &error));
    let message = format!("{target} cannot be written: {error}");
    match error.downcast::<Fault>() {
        Ok(problem) => Failure::Fault(problem),
        Err(_) => Failure::Error(usage(message).help(advice)),
    }
}

/// Reports the nodes without an answer.
fn status(engine: &Engine, filter: &Filter, reporter: &Reporter) -> Result<ExitCode, Failure> {
    let faults = engine.fleet().faults();
    report_unanswered(&faults, faults.len(), reporter);
    if faults.is_empty() && filter.chose_none() {
        return Err(filter.none_left("no node matches --where").into());
    }
    filter.warn(reporter);
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the format of rows, from the flag or from the extension of the file.
fn format(flag: Option<&str>, output: Option<&Path>) -> Result<Format, Error> {
    match (flag, output) {
        (Some(flag), _) => flag.parse::<Format>().map_err(usage),
        (None, Some(path)) => Format::of_file(path).ok_or_else(|| {
            usage(format!("the format of {} is not known", path.display()))
                .help("name the file .txt, .ndjson, .csv, .json or .parquet, or pass --format")
        }),
        (None, None) => Ok(Format::Table),
    }
}

fn fleet_context(arguments: &QueryArguments, filter: &Arc<Filter>, reporter: &Reporter) -> Result<FleetContext, Error> {
    let limits = arguments.limits.limits();
    let target = Target::new(&arguments.place);
    // A query sees one state of each file: to check all files again for each node takes longer than its lookups.
    let settings = Settings { once: true, limits, ..target.settings_with(true) };
    let environment = target.open(&settings, reporter)?;
    target.print_inputs(&environment, reporter);
    let root = environment.layers().environment.root.clone();
    Ok(FleetContext {
        nodes: nodes(arguments, &settings, &environment, reporter)?,
        chosen: selected_nodes(filter, &environment),
        shard: arguments.shard.unwrap_or_default(),
        limits,
        redactor: reporter.redactor().clone(),
        check: check(&settings, &root),
        root: repository_of(&root).unwrap_or(root),
        observations: NodeObservations::default(),
        environment,
        settings,
    })
}

/// The nodes: read as they are needed, or those that the flags of other verbs mean.
fn nodes(
    arguments: &QueryArguments,
    settings: &Settings,
    environment: &Environment,
    reporter: &Reporter,
) -> Result<NodeSource, Error> {
    let permissions = settings.permissions;
    if !arguments.fleet.nodes.is_empty() && arguments.place.node.is_none() && arguments.place.fact.is_empty() {
        let paths = arguments.fleet.nodes.clone();
        return Ok(Box::new(move || Ok(Box::new(Sources::of(paths.clone(), permissions)) as Nodes)));
    }
    let place = &arguments.place;
    let names_nodes = !arguments.fleet.nodes.is_empty()
        || !place.facts.is_empty()
        || place.node.is_some()
        || !place.fact.is_empty()
        || arguments.fleet.puppetdb.url.is_some();
    if !names_nodes {
        return Ok(Box::new(|| Err("no nodes are named: pass --nodes or --facts with the facts of nodes".to_owned())));
    }
    let fleet = Fleet::load(&arguments.fleet, place, std::slice::from_ref(settings), environment, reporter)?;
    let nodes: Arc<[Facts]> = fleet.nodes.into();
    Ok(Box::new(move || {
        let nodes = nodes.clone();
        Ok(Box::new((0..nodes.len()).map(move |index| Ok(Source::from(nodes[index].clone())))) as Nodes)
    }))
}

/// Returns the nodes that `--where` selects.
fn selected_nodes(filter: &Arc<Filter>, environment: &Environment) -> Chosen {
    let (filter, environment) = (filter.clone(), environment.clone());
    Box::new(move |facts| filter.selects(&environment, facts).map_err(|error| error.to_string()))
}

/// Returns the options of `check` for the environment.
fn check(settings: &Settings, root: &Path) -> hieratic_lint::Options {
    let permissions = Access::for_verb("check").permissions(settings.permissions);
    hieratic_lint::Options {
        paths: vec![root.to_owned()],
        strict: settings.language().strict,
        settings: Settings { permissions, ..settings.clone() },
        ..hieratic_lint::Options::default()
    }
}
