//! [`Fleet`]: the nodes of a verb that answers for many nodes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use hieratic::code::Condition;
use hieratic::facts::Assignment;
use hieratic::{Environment, Error, Facts, Permissions, PuppetVersion, Settings};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_fleet::{FileNodes, NodeError, Source, Sources, nodes_of};
use hieratic_lint::nodes_of_any_data;
use hieratic_puppetdb::{Client, Pages};

use crate::args::PlaceArguments;
use crate::codes;
use crate::output::counted;
use crate::puppetdb::PuppetDbArguments;
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::usage::usage;

/// The flags that choose among many nodes.
#[derive(Args, Debug)]
pub(crate) struct FleetArguments {
    /// The nodes: a folder of facts, a file with one node per line (.ndjson) or row (.parquet, .arrow), or a file of facts (repeatable)
    #[arg(long, value_name = "FACTS", action = clap::ArgAction::Append,
        conflicts_with_all = ["facts", "var", "trusted_data", "puppetdb"])]
    pub(crate) nodes: Vec<PathBuf>,
    /// Only nodes for which this expression of the Puppet language is true: 'facts.role == "web"'
    #[arg(long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
}

/// The nodes, with their source.
pub(crate) struct Fleet {
    pub(crate) nodes: Vec<Facts>,
    /// Whether the nodes were derived from the paths of data files.
    pub(crate) are_derived: bool,
}

impl Fleet {
    /// The nodes that the flags mean: those of files of facts, those of PuppetDB, or else one for each path of data that the hierarchies of
    /// one of the settings have.
    pub(crate) fn load(
        arguments: &FleetArguments,
        place: &PlaceArguments,
        settings: &[Settings],
        environment: &Environment,
        reporter: &Reporter,
    ) -> Result<Fleet, Error> {
        let mut are_derived = false;
        let nodes = if !arguments.nodes.is_empty() {
            with_flags(nodes_of_files(place, &arguments.nodes, reporter)?, &place.fact)?
        } else if !place.facts.is_empty() {
            with_flags(nodes_of_files(place, &place.facts, reporter)?, &place.fact)?
        } else if let Some(nodes) = arguments.puppetdb.nodes(place.node.as_deref())? {
            with_flags(nodes, &place.fact)?
        } else if place.node.is_some() || !place.fact.is_empty() {
            vec![Target::new(place).facts(reporter)?]
        } else {
            are_derived = true;
            nodes_of_any_data(&settings.iter().collect::<Vec<_>>())
        };
        if nodes.is_empty() {
            return Err(usage("no node was found").help("pass facts with --nodes, or omit the flag"));
        }
        let filter = Filter::new(arguments.filter.as_deref())?;
        let mut fleet = Fleet { nodes: Vec::new(), are_derived };
        for facts in nodes {
            if filter.selects(environment, &facts)? {
                fleet.nodes.push(facts);
            }
        }
        if fleet.nodes.is_empty() {
            return Err(filter.none_left("no node matches --where"));
        }
        filter.warn(reporter);
        Ok(fleet)
    }
}

/// The nodes of files of facts and of PuppetDB, read lazily.
pub(crate) struct Stream {
    files: Sources,
    pub(crate) pages: Option<Pages>,
    /// The reason why PuppetDB stopped answering: nodes are missing.
    pub(crate) broken: Option<Error>,
}

impl Stream {
    /// The nodes that `--nodes` and `--puppetdb` name.
    pub(crate) fn open(
        files: &[PathBuf],
        puppetdb: &PuppetDbArguments,
        place: &PlaceArguments,
    ) -> Result<Stream, Error> {
        let client = puppetdb.settings().map(|settings| Client::new(&settings)).transpose()?;
        let files = Sources::of(files.to_vec(), target::permissions(place));
        Ok(Stream { files, pages: client.map(Client::pages), broken: None })
    }
}

impl Iterator for Stream {
    type Item = Result<Source, NodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(source) = self.files.next() {
            return Some(source);
        }
        match self.pages.as_mut()?.next()? {
            Ok(facts) => Some(Ok(Source::from(facts))),
            Err(error) => {
                (self.pages, self.broken) = (None, Some(error));
                None
            }
        }
    }
}

/// The nodes of files and folders of facts; with `--node` that one.
pub(crate) fn nodes_of_files(
    place: &PlaceArguments,
    paths: &[PathBuf],
    reporter: &Reporter,
) -> Result<Vec<Facts>, Error> {
    let names: Vec<String> = place.node.iter().cloned().collect();
    unique_nodes_of(paths, &names, place.puppet.version(), &target::permissions(place), reporter)
}

/// The nodes of files and folders of facts, with these names if there are some. A repeated node is reported, and makes the exit status a
/// failure: the facts of its first place are used.
pub(crate) fn unique_nodes_of(
    paths: &[PathBuf],
    names: &[String],
    version: PuppetVersion,
    permissions: &Permissions,
    reporter: &Reporter,
) -> Result<Vec<Facts>, Error> {
    let FileNodes { nodes, repeated } = nodes_of(paths, names, version, permissions)?;
    report_unanswered(&repeated, repeated.len(), reporter);
    Ok(nodes)
}

/// The maximum number of nodes that are reported one by one: those without an answer, and those that occur again.
const MAX_FAULTS: usize = 20;

/// Whether a node was not answered, as reported. The exit status is a failure then.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);

/// Reports nodes that are not answered: some of them with their places, the others by their number.
pub(crate) fn report_unanswered(faults: &[NodeError], count: usize, reporter: &Reporter) {
    if count == 0 {
        return;
    }
    IS_INCOMPLETE.store(true, Ordering::Relaxed);
    let more = report_first(Severity::Error, faults.iter().map(ToString::to_string), count, reporter);
    if more > 0 {
        reporter.log_line("", &format!("{} failed", counted(more, "more node")), false);
    }
}

/// Warns of duplicate nodes, whose first facts are used. The service continues, and its exit status is 0.
#[cfg(not(target_os = "wasi"))]
pub(crate) fn report_repeated(places: &[String], reporter: &Reporter) {
    let more = report_first(Severity::Warning, places.iter().cloned(), places.len(), reporter);
    if more > 0 {
        reporter.log_line("", &counted(more, "more node"), false);
    }
}

/// Reports the first messages about nodes, and returns how many more there are of `count`.
fn report_first(
    severity: Severity,
    messages: impl Iterator<Item = String>,
    count: usize,
    reporter: &Reporter,
) -> usize {
    let mut shown = 0;
    for message in messages.take(MAX_FAULTS) {
        let message = reporter.redactor().message(&message).into_owned();
        reporter.diagnostic(&Diagnostic::new(severity, codes::FACTS_UNKNOWN, message));
        shown += 1;
    }
    count - shown
}

/// Returns whether a node was reported as not answered.
pub(crate) fn is_incomplete() -> bool {
    IS_INCOMPLETE.load(Ordering::Relaxed)
}

fn with_flags(mut nodes: Vec<Facts>, flags: &[String]) -> Result<Vec<Facts>, Error> {
    for facts in &mut nodes {
        for flag in flags {
            let Assignment { name, value } = Assignment::parse(flag)?;
            facts.set(name, value);
        }
    }
    Ok(nodes)
}

/// The expression of `--where`.
#[derive(Debug)]
pub(crate) struct Filter(Option<Condition>);

const EXPRESSION: &str =
    "an expression of the Puppet language: 'facts.role == \"web\"', '$facts[\"os\"][\"family\"] in [\"Debian\"]'";

impl Filter {
    /// The filter that the flag asks for; without the flag, one that selects all nodes.
    pub(crate) fn new(flag: Option<&str>) -> Result<Filter, Error> {
        let condition = flag.map(Condition::new);
        if let Some(Err(failure)) = condition.as_ref().map(Condition::check) {
            return Err(usage(format!("--where cannot be read: {failure}")).help(EXPRESSION));
        }
        Ok(Filter(condition))
    }

    /// Evaluates the expression for a node. `facts.os.family` is accepted for `$facts['os']['family']`.
    pub(crate) fn selects<'e>(
        &self,
        environment: impl Into<Option<&'e Environment>>,
        facts: &Facts,
    ) -> Result<bool, Error> {
        let Some(condition) = &self.0 else { return Ok(true) };
        match condition.evaluate(environment, facts) {
            Ok(value) => Ok(value.is_truthy()),
            Err(failure) => {
                let node = facts.node().unwrap_or("a node");
                Err(usage(format!("--where cannot be evaluated for {node}: {failure}")).help(EXPRESSION))
            }
        }
    }

    /// Returns whether the expression was evaluated, and true for no node.
    #[cfg(feature = "query")]
    pub(crate) fn chose_none(&self) -> bool {
        self.0.as_ref().is_some_and(Condition::chose_none)
    }

    /// The error that no node is left, with the facts of the expression that no node has.
    pub(crate) fn none_left(&self, help: &str) -> Error {
        let unknown = self.unknown_facts();
        let help = if unknown.is_empty() { help.to_owned() } else { unknown.join("\n") };
        usage("no node is left").help(help)
    }

    /// Warns of facts of the expression that no node has.
    pub(crate) fn warn(&self, reporter: &Reporter) {
        for unknown in self.unknown_facts() {
            reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::USAGE, format!("--where: {unknown}")));
        }
    }

    fn unknown_facts(&self) -> Vec<String> {
        let unknown = self.0.iter().flat_map(Condition::unknown_facts);
        unknown.map(|fact| fact.to_string()).collect()
    }
}
