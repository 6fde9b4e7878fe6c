//! [`FleetContext`]: the environment and the nodes of queries.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use hieratic::budget::Limits;
use hieratic::{Environment, Facts, Redactor, Settings};
use hieratic_fleet::{NodeError, NodeSelection, Shard, Source, each};

/// An iterator over nodes.
pub type Nodes = Box<dyn Iterator<Item = Result<Source, NodeError>> + Send>;

/// A function that returns all nodes each time it is called, or an error.
pub type NodeSource = Box<dyn Fn() -> Result<Nodes, String> + Send + Sync>;

/// A function that returns whether a node is selected, by its facts. An error is the reason why this is unknown.
pub type Chosen = Box<dyn Fn(&Facts) -> Result<bool, String> + Send + Sync>;

/// The environment and the nodes of queries.
pub struct FleetContext {
    /// The environment.
    pub environment: Environment,
    /// The nodes.
    pub nodes: NodeSource,
    /// The selection of nodes.
    pub chosen: Chosen,
    /// The shard of nodes to process.
    pub shard: Shard,
    /// The limits of one lookup.
    pub limits: Limits,
    /// The redaction of secrets.
    pub redactor: Redactor,
    /// The folder that displayed paths are relative to.
    pub root: PathBuf,
    /// The settings that opened the environment, for the table `files`.
    pub settings: Settings,
    /// The options of `check`, for the table `findings`.
    pub check: hieratic_lint::Options,
    /// The observations of nodes while queries run.
    pub observations: NodeObservations,
}

/// The observations of nodes while queries run.
#[derive(Debug, Default)]
pub struct NodeObservations {
    /// The names of all selected nodes, once they are known.
    names: OnceLock<Vec<String>>,
    faults: Mutex<Vec<NodeError>>,
}

/// The maximum number of failed nodes whose error is recorded.
const MAX_FAULTS: usize = 20;

impl fmt::Debug for FleetContext {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("World").field("root", &self.root).finish_non_exhaustive()
    }
}

impl FleetContext {
    /// A file as rows name it.
    pub(crate) fn shown(&self, file: &Path) -> String {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        self.redactor.name(&below.unwrap_or(file).display().to_string()).into_owned()
    }

    /// Reads the names of all nodes, so that plans can print how many are selected.
    pub(crate) fn count_nodes(&self) {
        if self.observations.names.get().is_some() {
            return;
        }
        let Ok(nodes) = (self.nodes)() else { return };
        let mut names = Vec::new();
        let choice = NodeSelection { chosen: &*self.chosen, shard: self.shard };
        let counted = each(nodes, &choice, &|_, _| Ok(()), &mut |part| {
            names.extend(part.into_iter().flatten().flatten().map(|(name, ())| name));
            Ok(())
        });
        if counted.is_ok() {
            // Another thread has set the same names.
            let _ = self.observations.names.set(names);
        }
    }

    /// The names of all nodes, if they were counted.
    pub(crate) fn names(&self) -> Option<&[String]> {
        self.observations.names.get().map(Vec::as_slice)
    }

    /// Records that a node failed. Several tables may report the same node.
    pub(crate) fn fault(&self, fault: NodeError) {
        let fault = NodeError { message: self.redactor.message(&fault.message).into_owned(), ..fault };
        let mut faults = self.observations.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.len() < MAX_FAULTS && !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// Returns the first nodes that failed, with their errors.
    pub fn faults(&self) -> Vec<NodeError> {
        self.observations.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
