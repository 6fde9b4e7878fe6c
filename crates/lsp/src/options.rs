//! [`ServerOptions`]: the options of the program that starts a server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::Facts;
use hieratic_lint::JobValues;

/// The options of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// The options of a check, without the paths, which the client sets.
    pub check: hieratic_lint::Options,
    /// The files and folders with facts of nodes.
    pub facts: Vec<PathBuf>,
    /// Stores the node that was chosen for a folder.
    pub memory: Arc<dyn NodeMemory>,
    /// The source of additional nodes.
    pub inventory: Option<Arc<dyn Inventory>>,
    /// Reads the settings of the folders that the client opens.
    pub settings: Arc<dyn FolderSettings>,
}

/// Reads the settings of a folder.
pub trait FolderSettings: Send + Sync {
    /// Returns the entries of `[[jobs]]` of a folder, and its version of Nomad. Only `sets` and `nomad_version` are
    /// used.
    ///
    /// # Errors
    /// The settings cannot be read. The error is a message for people.
    fn jobs(&self, folder: &Path) -> Result<JobValues, String>;
}

/// Has no settings.
impl FolderSettings for () {
    fn jobs(&self, _: &Path) -> Result<JobValues, String> {
        Ok(JobValues::default())
    }
}

/// A source of nodes without files, such as PuppetDB. It is only called from threads that may block.
pub trait Inventory: Send + Sync {
    /// Returns the names of all nodes.
    ///
    /// # Errors
    /// The names cannot be read. The error is a message for people.
    fn names(&self) -> Result<Vec<String>, String>;

    /// Returns the facts of a node, or `None` if the node is unknown.
    ///
    /// # Errors
    /// The facts cannot be read. The error is a message for people.
    fn facts(&self, node: &str) -> Result<Option<Facts>, String>;
}

/// Stores the node that the user chose for a folder.
pub trait NodeMemory: Send + Sync {
    /// Returns the last choice for a folder.
    fn node(&self, folder: &Path) -> Option<String>;
    /// Stores a choice. `None` means no node.
    fn choose(&self, folder: &Path, node: Option<&str>);
}

/// Remembers nothing.
impl NodeMemory for () {
    fn node(&self, _: &Path) -> Option<String> {
        None
    }

    fn choose(&self, _: &Path, _: Option<&str>) {}
}
