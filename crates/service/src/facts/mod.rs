//! The sources of facts: a folder of files, a file of many nodes, PuppetDB, or the names of data files.

mod derived;
mod folder;
mod many;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::dependencies::AccessLog;
use hieratic::facts::{FactsFolder, is_node_name};
use hieratic::{Error, Facts, Settings};
use hieratic_puppetdb::{Client, Pages, PuppetDb};

use crate::problem::Problem;

/// The source of the facts of nodes.
#[derive(Clone, Debug, Default)]
pub enum FactsSource {
    /// No source: the nodes are those that have a data file, and their facts are derived from its path and their names.
    #[default]
    Names,
    /// A folder with the files `NAME.json`, `NAME.yaml` or `NAME.yml`.
    Folder(PathBuf),
    /// A file with the facts of one node.
    File(PathBuf),
    /// A file with the facts of many nodes: NDJSON, Parquet or Arrow.
    Many(PathBuf),
    /// PuppetDB. The facts of a node are cached for the given time.
    PuppetDb(PuppetDb, Duration),
}

/// The facts that are stored.
pub(crate) enum FactsStore {
    Derived(Box<derived::DerivedNodes>),
    Folder(PathBuf, FactsFolder),
    File(PathBuf),
    Many(many::ManyNodesFile),
    PuppetDb(Box<Client>, Duration),
}

/// Facts that were found.
pub(crate) struct NodeFacts {
    pub(crate) facts: Facts,
    /// The time at which the facts are requested again; `None` if a file shows whether they have changed.
    pub(crate) expires: Option<Instant>,
    /// The approximate size of the facts, in bytes.
    pub(crate) bytes: u64,
}

impl FactsStore {
    /// `settings` are those of the environments.
    pub(crate) fn new(source: &FactsSource, settings: &Settings) -> Result<FactsStore, String> {
        Ok(match source {
            FactsSource::Names => FactsStore::Derived(Box::new(derived::DerivedNodes::new(settings))),
            FactsSource::Folder(folder) if !folder.is_dir() => {
                return Err(format!("the folder of facts {} does not exist", folder.display()));
            }
            FactsSource::Folder(folder) => FactsStore::Folder(folder.clone(), folder::open(folder)),
            FactsSource::File(file) => {
                folder::only_name(file).map_err(|problem| problem.detail)?;
                FactsStore::File(file.clone())
            }
            FactsSource::Many(file) => FactsStore::Many(
                many::ManyNodesFile::new(file, settings.puppet_version).map_err(|problem| problem.detail)?,
            ),
            FactsSource::PuppetDb(puppetdb, keep) => {
                let client = Client::new(puppetdb).map_err(|fault| fault.to_string())?;
                FactsStore::PuppetDb(Box::new(client), *keep)
            }
        })
    }

    /// Returns the facts of a node, and records the files that they are read from.
    pub(crate) fn facts(&self, node: &str, accesses: &AccessLog) -> Result<NodeFacts, Problem> {
        check_name(node)?;
        match self {
            FactsStore::Derived(nodes) => Ok(NodeFacts { facts: nodes.facts(node), expires: None, bytes: 0 }),
            FactsStore::Folder(_, folder) => folder::facts(folder, node, accesses),
            FactsStore::File(file) => folder::only(file, node, accesses),
            FactsStore::Many(many) => many.facts(node, accesses),
            FactsStore::PuppetDb(client, keep) => match client.facts(node).map_err(unreachable_error)? {
                Some((facts, bytes)) => Ok(NodeFacts { facts, expires: Some(Instant::now() + *keep), bytes }),
                None => Err(Problem::not_found(format!("PuppetDB has no facts of the node '{node}'"))
                    .help("find its name with GET /v1/nodes, or send `facts`")),
            },
        }
    }

    /// Returns the names of all nodes, sorted. The list is empty if the source can only find nodes by name.
    pub(crate) fn names(&self) -> Result<Vec<String>, Problem> {
        match self {
            FactsStore::Derived(nodes) => Ok(nodes.names()),
            FactsStore::Folder(_, folder) => folder::names(folder),
            FactsStore::File(file) => folder::only_name(file),
            FactsStore::Many(many) => many.names(),
            FactsStore::PuppetDb(client, _) => client.names().map_err(unreachable_error),
        }
    }

    /// Returns the places of nodes that came before: the first facts of a node are used. Only a file of many nodes can repeat one.
    pub(crate) fn repeated(&self) -> Result<Arc<[String]>, Problem> {
        match self {
            FactsStore::Many(many) => many.repeated(),
            FactsStore::Derived(_) | FactsStore::Folder(..) | FactsStore::File(_) | FactsStore::PuppetDb(..) => {
                Ok(Arc::default())
            }
        }
    }

    /// Returns the files whose names are not those of nodes, so that no node has their facts.
    pub(crate) fn misnamed(&self) -> Vec<PathBuf> {
        match self {
            // A folder that cannot be listed is the error of the list of nodes.
            FactsStore::Folder(_, folder) => folder.misnamed().unwrap_or_default(),
            FactsStore::Derived(_) | FactsStore::File(_) | FactsStore::Many(_) | FactsStore::PuppetDb(..) => Vec::new(),
        }
    }

    /// Returns whether no facts are known: only names of nodes.
    pub(crate) fn is_derived(&self) -> bool {
        matches!(self, FactsStore::Derived(_))
    }

    /// The facts of all nodes that are stored, and the names of those whose facts cannot be read: their pages say why.
    pub(crate) fn all(&self) -> Result<(Vec<Facts>, Vec<String>), Problem> {
        if let FactsStore::PuppetDb(client, _) = self {
            return Ok((client.fleet().map_err(unreachable_error)?, Vec::new()));
        }
        let (mut facts, mut unread) = (Vec::new(), Vec::new());
        if self.is_derived() {
            return Ok((facts, unread));
        }
        for name in self.names()? {
            match self.facts(&name, &AccessLog::default()) {
                Ok(found) => facts.push(found.facts),
                Err(_) => unread.push(name),
            }
        }
        Ok((facts, unread))
    }

    /// The facts of all nodes in pages, if they are not in files: asking for each node takes longer.
    pub(crate) fn pages(&self) -> Option<Pages> {
        match self {
            FactsStore::PuppetDb(client, _) => Some(client.as_ref().clone().pages()),
            _ => None,
        }
    }

    /// Returns the time for which facts without a file are cached.
    pub(crate) fn cache_time(&self) -> Option<Duration> {
        match self {
            FactsStore::PuppetDb(_, keep) => Some(*keep),
            _ => None,
        }
    }

    /// The folder or file that holds them, if one does.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            FactsStore::Folder(path, _) | FactsStore::File(path) => Some(path),
            FactsStore::Many(many) => Some(many.file()),
            FactsStore::Derived(_) | FactsStore::PuppetDb(..) => None,
        }
    }

    /// Describes the source for people.
    pub(crate) fn describe(&self) -> String {
        match self {
            FactsStore::Derived(_) => "no facts".into(),
            FactsStore::Folder(path, _) | FactsStore::File(path) => format!("facts from {}", path.display()),
            FactsStore::Many(many) => format!("facts from {}", many.file().display()),
            FactsStore::PuppetDb(client, _) => format!("facts from PuppetDB at {}", client.url()),
        }
    }
}

/// PuppetDB does not answer.
pub(crate) fn unreachable_error(error: Error) -> Problem {
    Problem::new(StatusCode::BAD_GATEWAY, error.to_string())
}

/// Refuses a string that is not the name of a node.
fn check_name(name: &str) -> Result<(), Problem> {
    if is_node_name(name) {
        return Ok(());
    }
    let detail = format!("'{}' is not a valid node name", name.escape_debug());
    Err(Problem::bad_request(detail).help("names consist of letters, digits, dots, hyphens and underscores"))
}
