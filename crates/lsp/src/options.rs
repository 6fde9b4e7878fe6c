//! [`ServerOptions`]: the options of the program that starts a server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::Facts;
use hieratic_lint::JobValues;

/// The options of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// The options of a check, except the paths, which the client names.
    pub check: hieratic_lint::Options,
    /// Files and folders of facts that describe nodes.
    pub facts: Vec<PathBuf>,
    /// Stores the node that was chosen for a folder.
    pub memory: Arc<dyn NodeMemory>,
    /// Knows further nodes.
    pub inventory: Option<Arc<dyn Inventory>>,
    /// Reads the settings of the folders that the client opens.
    pub settings: Arc<dyn FolderSettings>,
}

/// Reads the settings of a folder.
pub trait FolderSettings: Send + Sync {
    /// Returns the entries of `[[jobs]]` of a folder, and the version of Nomad there if one is set. Only `sets` and
    /// `nomad_version` count.
    ///
    /// # Errors
    /// Why the settings cannot be read, as people read it.
    fn jobs(&self, folder: &Path) -> Result<JobValues, String>;
}

/// Has no settings.
impl FolderSettings for () {
    fn jobs(&self, _: &Path) -> Result<JobValues, String> {
        Ok(JobValues::default())
    }
}

/// Knows nodes that no file describes, such as PuppetDB. Only threads that may wait ask it.
pub trait Inventory: Send + Sync {
    /// The names of all nodes.
    ///
    /// # Errors
    /// Why they are not known, as people read it.
    fn names(&self) -> Result<Vec<String>, String>;

    /// Returns the facts of a node; `None` if the node is unknown.
    ///
    /// # Errors
    /// The reason why the facts cannot be read, for people.
    fn facts(&self, node: &str) -> Result<Option<Facts>, String>;
}

/// Remembers which node was chosen for a folder.
pub trait NodeMemory: Send + Sync {
    /// The node that was chosen for a folder last.
    fn node(&self, folder: &Path) -> Option<String>;
    /// Another node, or none, was chosen.
    fn choose(&self, folder: &Path, node: Option<&str>);
}

/// Remembers nothing.
impl NodeMemory for () {
    fn node(&self, _: &Path) -> Option<String> {
        None
    }

    fn choose(&self, _: &Path, _: Option<&str>) {}
}
