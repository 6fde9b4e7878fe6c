//! [`Fleet`]: the nodes that a verb about many nodes is about.

use std::path::PathBuf;

use clap::Args;
use hieratic::code::Condition;
use hieratic::facts::Assignment;
use hieratic::{Environment, Error, Facts, Settings};
use hieratic_fleet::{NodeError, Source, Sources, nodes_of};
use hieratic_lint::nodes_of_any_data;
use hieratic_puppetdb::{Client, Pages};

use crate::args::PlaceArguments;
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
            with_flags(nodes_of_files(place, &arguments.nodes)?, &place.fact)?
        } else if !place.facts.is_empty() {
            with_flags(nodes_of_files(place, &place.facts)?, &place.fact)?
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
        let mut fleet = Fleet { nodes: Vec::new(), are_derived };
        for facts in nodes {
            match &arguments.filter {
                Some(filter) if !matches(filter, environment, &facts)? => {}
                _ => fleet.nodes.push(facts),
            }
        }
        if fleet.nodes.is_empty() { Err(usage("no node is left").help("no node matches --where")) } else { Ok(fleet) }
    }
}

/// The nodes of files of facts and of PuppetDB, read lazily.
pub(crate) struct Stream {
    files: Sources,
    pub(crate) pages: Option<Pages>,
    /// Why PuppetDB stopped answering: nodes are missing.
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
pub(crate) fn nodes_of_files(place: &PlaceArguments, paths: &[PathBuf]) -> Result<Vec<Facts>, Error> {
    let names: Vec<String> = place.node.iter().cloned().collect();
    nodes_of(paths, &names, place.puppet.version(), &target::permissions(place))
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

/// Evaluates an expression for a node. `facts.os.family` is accepted for `$facts['os']['family']`.
pub(crate) fn matches<'e>(
    filter: &str,
    environment: impl Into<Option<&'e Environment>>,
    facts: &Facts,
) -> Result<bool, Error> {
    match Condition::new(filter).of(environment, facts) {
        Ok(value) => Ok(value.is_truthy()),
        Err(failure) => Err(usage(format!("--where cannot be evaluated for {}: {failure}", facts.node().unwrap_or("a node")))
            .help("an expression of the Puppet language: 'facts.role == \"web\"', '$facts[\"os\"][\"family\"] in [\"Debian\"]'")),
    }
}
