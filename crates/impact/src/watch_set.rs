//! [`WatchSet`]: which files can change the answers of a node.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::{Environment, Error, Limits, Node};

/// The files that can change the answers of a node, as long as none of these files changes.
#[derive(Clone, Debug, Default)]
pub struct WatchSet {
    /// The files that the hierarchies name for the node, absolute, whether they are there or not.
    paths: BTreeSet<PathBuf>,
    /// The folders in which files are searched by patterns.
    folders: BTreeSet<PathBuf>,
    /// Whether any file can change them: code answers, or files include others.
    is_open: bool,
}

/// The names of files that configure data, in any folder.
const SETTINGS: [&str; 4] = ["hiera.yaml", "environment.conf", "metadata.json", "hieratic.yaml"];

impl WatchSet {
    /// The files that matter to a node.
    ///
    /// # Errors
    /// A configuration cannot be used.
    pub fn for_node(environment: &Environment, node: &Node, limits: Limits) -> Result<WatchSet, Error> {
        let footprint = node.dependencies(&Budget::new(limits))?;
        let mut paths = BTreeSet::new();
        let modules = environment.layers().modules.keys().map(|name| Some(&**name));
        for module in std::iter::once(None).chain(modules) {
            paths.extend(node.places(module)?.into_iter().map(|(path, _)| PathBuf::from(path)));
        }
        paths.extend(footprint.places.iter().filter_map(|place| place.path.as_deref()).map(Path::to_owned));
        let is_open = footprint.asks_code || footprint.reads_more;
        Ok(WatchSet { paths, folders: node.searched().into_iter().collect(), is_open })
    }

    /// Reports whether a file can change the answers.
    pub fn contains(&self, path: &Path) -> bool {
        self.is_open
            || self.paths.contains(path)
            || self.folders.iter().any(|folder| path.starts_with(folder))
            || path.file_name().and_then(|name| name.to_str()).is_some_and(|name| SETTINGS.contains(&name))
            || path.extension().is_some_and(|extension| extension == "pem")
    }
}
