//! `hieratic catalog`: the output of `puppet catalog compile`, for one node or for all.

pub(crate) mod inputs;
pub(crate) mod manifest;
mod many;
mod origins;
mod render;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hieratic::budget::Budget;
use hieratic::catalog::{CATALOG_LIMITS, CatalogService, Classification};
use hieratic::puppet_eval::Options;
use hieratic::{Compiler, Error, Facts, Settings};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::rules;

use crate::args::{CodeArguments, MessageArguments, PlaceArguments, RevealArguments};
use crate::codes;
use crate::puppetdb::PuppetDbArguments;
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::usage::usage;
use crate::{code, output};
use inputs::InputArguments;

/// The flags of `catalog`.
#[derive(Args, Debug)]
pub(crate) struct CatalogArguments {
    /// The name of the node, like --node
    #[arg(value_name = "NODE", conflicts_with = "node")]
    pub(crate) name: Option<String>,
    /// Compile the catalogs of all nodes of --facts: one line of JSON for each
    #[arg(long, conflicts_with_all = ["name", "origins"])]
    pub(crate) all: bool,
    /// Answer requests for catalogs, each a line of JSON on standard input, until it ends
    #[arg(long, conflicts_with_all = ["name", "node", "all", "origins", "render_as", "enc", "exported", "puppetdb_answers", "puppetdb", "server_facts", "facts", "code", "manifest", "revision"])]
    pub(crate) serve: bool,
    /// Print only failures (with --all)
    #[arg(long, requires = "all")]
    pub(crate) failures: bool,
    /// Write a JUnit report with a test for each node to this file (with --all)
    #[arg(long, value_name = "FILE", requires = "all")]
    pub(crate) junit: Option<PathBuf>,
    /// The output format (default: json)
    #[arg(long = "format", alias = "render-as", value_enum, value_name = "FORMAT", conflicts_with_all = ["origins", "all"])]
    pub(crate) render_as: Option<Format>,
    /// Print rich data as agents receive it, instead of converting it to strings
    #[arg(long)]
    pub(crate) rich_data: bool,
    /// List every parameter of every resource with its origin
    #[arg(long)]
    pub(crate) origins: bool,
    /// The manifest of the environment, or the folder of its manifests; `-` is standard input
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub(crate) manifest: Option<PathBuf>,
    /// Code to use instead of the manifest
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true, conflicts_with = "manifest")]
    pub(crate) code: Option<String>,
    /// Keep the resources that are only there for other nodes
    #[arg(long)]
    pub(crate) with_exported: bool,

    #[command(flatten)]
    pub(crate) revision: crate::revision::RevisionArguments,
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
    #[command(flatten)]
    pub(crate) code_may: CodeArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
    /// Show no progress (with --all)
    #[arg(long, short, requires = "all")]
    pub(crate) quiet: bool,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As the reference prints it.
    Json,
    /// The reference's output, as YAML.
    Yaml,
    /// A line for each resource.
    S,
    /// A graph of what contains what.
    Dot,
}

/// The output that the flags ask for.
#[derive(Clone, Copy, Debug)]
enum CatalogOutput {
    /// A line for the catalog of each node.
    All,
    /// The catalog of one node.
    One(CatalogForm),
}

/// The form of the catalog of one node.
#[derive(Clone, Copy, Debug)]
enum CatalogForm {
    /// The origin of every parameter.
    Origins,
    /// The catalog itself, with rich data or without.
    Catalog { format: Format, rich: bool },
}

impl CatalogOutput {
    fn parse(arguments: &CatalogArguments) -> CatalogOutput {
        if arguments.all {
            return CatalogOutput::All;
        }
        CatalogOutput::One(if arguments.origins {
            CatalogForm::Origins
        } else {
            let format = arguments.render_as.unwrap_or(Format::Json);
            CatalogForm::Catalog { format, rich: arguments.rich_data }
        })
    }
}

/// Runs the verb.
pub(crate) fn run(arguments: &CatalogArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    match print_catalog(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn print_catalog(arguments: &CatalogArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    if arguments.serve {
        return serve::serve(&service(arguments, reporter));
    }
    let mut place = arguments.place.clone();
    place.node = arguments.name.clone().or(place.node);
    let permissions = target::permissions(&place);
    let inputs = arguments.inputs.read(permissions, &arguments.puppetdb)?;
    if !arguments.all
        && let Some(environment) = &inputs.classification(place.node.as_deref().unwrap_or_default()).environment
        && (place.environment.is_none() || place.environment_by_settings)
    {
        place.environment = Some(environment.clone());
    }
    let target = Target::new(&place);
    let mut settings = Settings { once: true, ..target.settings_with(arguments.origins) };
    let readable: Vec<PathBuf> = target::environment_folder(&settings).into_iter().collect();
    manifest::set(&mut settings, arguments.manifest.as_deref(), arguments.code.as_deref(), &readable)?;
    let environment = target.open(&settings, reporter)?;
    target.print_inputs(&environment, reporter);
    let options = Options {
        with_exported: arguments.with_exported,
        data_places: arguments.origins,
        files: environment.capabilities().code.clone(),
        budget: Budget::new(arguments.code_may.limits_over(CATALOG_LIMITS)),
        ..code::options(&target, &arguments.code_may)
    };
    let compiler = inputs.given_to(Compiler::new(&environment, options));
    match CatalogOutput::parse(arguments) {
        CatalogOutput::All => many::compile(arguments, &target, &compiler, &inputs, reporter),
        CatalogOutput::One(output) => {
            let mut facts = facts(arguments, &target, reporter)?;
            arguments.inputs.set_server_facts([&mut facts], environment.puppet_version(), permissions)?;
            let classification = inputs.classification(facts.node().unwrap_or_default());
            one(output, &compiler, facts.clone(), classification, reporter)
        }
    }
}

/// The service for `--serve`, with the settings and permissions of the flags.
fn service(arguments: &CatalogArguments, reporter: &Reporter) -> CatalogService {
    let target = Target::new(&arguments.place);
    CatalogService::new(target.settings().clone(), arguments.code_may.limits_over(CATALOG_LIMITS))
        .with_programs_of(code::options(&target, &arguments.code_may))
        .revealing(reporter.redactor().reveals())
}

/// The facts of the node: those of files, otherwise those of PuppetDB.
fn facts(arguments: &CatalogArguments, target: &Target<'_>, reporter: &Reporter) -> Result<Facts, Error> {
    let place = target.place();
    if let (Some(name), true) = (place.node.as_deref(), place.facts.is_empty())
        && let Some(mut facts) = arguments.puppetdb.nodes(Some(name))?.and_then(|mut nodes| nodes.pop())
    {
        target.set_flags(&mut facts)?;
        return Ok(facts);
    }
    target.facts(reporter)
}

/// Compiles and prints the catalog of one node.
fn one(
    output: CatalogForm,
    compiler: &Compiler<'_>,
    facts: Facts,
    classification: &Classification,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let node = facts.node().unwrap_or("localhost").to_owned();
    let compilation = compiler.compile(facts, classification);
    code::show_logs(&compilation.logs, reporter);
    let catalog = match compilation.catalog {
        Ok(catalog) => catalog,
        Err(failure) => {
            reporter.diagnostic(&code::diagnostic(&failure, &node));
            return Ok(ExitCode::FAILURE);
        }
    };
    let cycles = hieratic::catalog::cycles(&catalog);
    match output {
        CatalogForm::Origins => output::print(origins::text(&catalog, reporter).as_bytes()),
        CatalogForm::Catalog { format, rich } => write(&catalog, format, rich, reporter)?,
    }
    if cycles.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    reporter.diagnostic(&cycle(&cycles, reporter));
    Ok(ExitCode::FAILURE)
}

/// Prints the catalog of code that was evaluated without a node.
pub(crate) fn print(catalog: &hieratic::Catalog, format: Option<&str>, reporter: &Reporter) -> Result<(), Error> {
    let format = match format {
        None => Format::Json,
        Some(name) => Format::from_str(name, false)
            .map_err(|_| usage(format!("unknown format '{name}'")).help("the formats are json, yaml, s and dot"))?,
    };
    write(catalog, format, false, reporter)
}

/// Prints a catalog in a format, and reports the values that it cannot express.
fn write(catalog: &hieratic::Catalog, format: Format, rich: bool, reporter: &Reporter) -> Result<(), Error> {
    let redacted = hieratic::catalog::redact_catalog(catalog, reporter.redactor());
    let (text, lossy) = render::render(&redacted, format, rich).map_err(usage)?;
    output::print(&text);
    lossy.iter().for_each(|one| reporter.diagnostic(&lost(catalog, one)));
    Ok(())
}

/// The warning about resources that depend on each other: the agent would apply none of them.
fn cycle(cycles: &[hieratic::catalog::Cycle], reporter: &Reporter) -> Diagnostic {
    let shown: Vec<hieratic::catalog::Cycle> = cycles
        .iter()
        .map(|cycle| hieratic::catalog::Cycle {
            path: cycle.path.iter().map(|one| reporter.redactor().text(one).into_owned()).collect(),
        })
        .collect();
    Diagnostic::new(
        Severity::Error,
        rules::DEPENDENCY_CYCLE.code,
        hieratic::catalog::cycle_message(&shown).trim_end().to_owned(),
    )
    .help("remove one of the relationships: 'hieratic catalog NODE --origins' shows where each is written")
}

/// The warning about a value that is not data and was converted to a string.
fn lost(catalog: &hieratic::Catalog, one: &hieratic::puppet_eval::LossyConversion) -> Diagnostic {
    let diagnostic = Diagnostic::new(Severity::Warning, codes::RICH_DATA, one.message.clone());
    match catalog.resources.get(one.resource) {
        Some(resource) if resource.file.is_some() => {
            let file = resource.file.as_deref().unwrap_or_default().to_owned();
            diagnostic.location(file, resource.line, None).help("pass --rich-data to write it out")
        }
        _ => diagnostic.help("pass --rich-data to write it out"),
    }
}
