//! Facts of many nodes in one file: a node on each line, or in each row of a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hieratic::dependencies::{AccessLog, Freshness};
use hieratic::{Facts, Permissions, PuppetVersion};
use hieratic_fleet::{FileNodes, nodes_of};

use super::NodeFacts;
use super::folder::{broken, unknown};
use crate::problem::Problem;

/// The time that a file must have been unchanged when it was read, so that every later change is visible in its
/// metadata.
const SETTLE_TIME: Duration = Duration::from_millis(20);

/// A file of many nodes, which is read as a whole, and again when it has changed.
pub(crate) struct ManyNodesFile {
    file: PathBuf,
    version: PuppetVersion,
    read: Mutex<Option<Arc<LoadedNodes>>>,
}

/// The nodes of the file, as it was looked at before it was read.
struct LoadedNodes {
    accesses: AccessLog,
    by_name: BTreeMap<String, Facts>,
    /// The other places of nodes that occur several times: their first facts are used, as by every verb.
    repeated: Arc<[String]>,
    /// The approximate size of the facts of a node, in bytes.
    bytes: u64,
}

impl ManyNodesFile {
    /// A file that can be read.
    pub(super) fn new(file: &Path, version: PuppetVersion) -> Result<ManyNodesFile, Problem> {
        let many = ManyNodesFile { file: file.to_owned(), version, read: Mutex::default() };
        many.nodes().map(|_| many)
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn names(&self) -> Result<Vec<String>, Problem> {
        Ok(self.nodes()?.by_name.keys().cloned().collect())
    }

    /// The places of nodes that came before.
    pub(super) fn repeated(&self) -> Result<Arc<[String]>, Problem> {
        Ok(self.nodes()?.repeated.clone())
    }

    pub(super) fn facts(&self, node: &str, accesses: &AccessLog) -> Result<NodeFacts, Problem> {
        accesses.look(&self.file);
        let nodes = self.nodes()?;
        let facts = nodes.by_name.get(node).cloned();
        let help = || format!("add the node to {}, or send `facts`", self.file.display());
        let facts = facts.ok_or_else(|| unknown(node, help()))?;
        Ok(NodeFacts { facts, expires: None, bytes: nodes.bytes })
    }

    fn nodes(&self) -> Result<Arc<LoadedNodes>, Problem> {
        // Requests that need the nodes wait while they are read.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.as_ref().filter(|known| known.accesses.freshness(SETTLE_TIME) == Freshness::Current) {
            return Ok(known.clone());
        }
        let accesses = AccessLog::default();
        accesses.look(&self.file);
        let FileNodes { nodes, repeated } =
            nodes_of(std::slice::from_ref(&self.file), &[], self.version, &Permissions::default()).map_err(broken)?;
        let named = |facts: Facts| Some((facts.node()?.to_owned(), facts));
        let by_name: BTreeMap<String, Facts> = nodes.into_iter().filter_map(named).collect();
        let repeated = repeated.iter().map(ToString::to_string).collect();
        let length = std::fs::metadata(&self.file).map_or(0, |about| about.len());
        let nodes = Arc::new(LoadedNodes { accesses, bytes: length / by_name.len().max(1) as u64, by_name, repeated });
        *read = Some(nodes.clone());
        Ok(nodes)
    }
}
