//! The nodes that files of facts describe.

use std::fmt;
use std::path::PathBuf;

use hieratic::{Error, Facts, FactsFolder, Permissions, PuppetVersion, node_of_file};
use rayon::prelude::*;

/// Why the nodes are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodesFault {
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl fmt::Display for NodesFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for NodesFault {}

/// The nodes of files and folders of facts, each file being one node; a folder holds a file for each. With `names`, only
/// the nodes of these names, and for a name without facts a node of which only the name is known, as it is under the version.
///
/// # Errors
///
/// A file that cannot be read as facts.
pub fn nodes_of(
    paths: &[PathBuf],
    names: &[String],
    version: PuppetVersion,
    permissions: &Permissions,
) -> Result<Vec<Facts>, NodesFault> {
    let mut nodes = Vec::new();
    for path in paths {
        let named = permissions.files_named(path);
        if named.is_folder(path) {
            let folder = FactsFolder::new(path, permissions);
            let files = folder.all().map_err(|error| NodesFault {
                message: format!("{} cannot be read: {error}", path.display()),
                help: "name a folder with one JSON or YAML file of facts per node".into(),
            })?;
            let read: Vec<Result<Facts, Error>> = files.par_iter().map(|file| folder.node(file)).collect();
            nodes.extend(read.into_iter().collect::<Result<Vec<_>, _>>().map_err(fault)?);
        } else {
            nodes.push(node_of_file(path, &named).map_err(fault)?);
        }
    }
    if names.is_empty() {
        return Ok(nodes);
    }
    let known = |name: &String| nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
    Ok(names.iter().map(|name| known(name).unwrap_or_else(|| Facts::named_for(name, version))).collect())
}

fn fault(error: Error) -> NodesFault {
    let help = error.help_text().unwrap_or("name a JSON or YAML file of facts, or a folder of them").to_owned();
    NodesFault { message: error.to_string(), help }
}
