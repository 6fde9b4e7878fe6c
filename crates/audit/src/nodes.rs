//! The nodes that files of facts describe.

use std::path::PathBuf;

use hieratic::{Error, ErrorKind, Facts, FactsFolder, Permissions, PuppetVersion, codes, node_of_file};
use rayon::prelude::*;

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
) -> Result<Vec<Facts>, Error> {
    let mut nodes = Vec::new();
    for path in paths {
        let named = permissions.files_named(path);
        if named.is_folder(path) {
            let folder = FactsFolder::new(path, permissions);
            let files = folder.all().map_err(|error| {
                let message = format!("{} cannot be read: {error}", path.display());
                Error::new(ErrorKind::Fatal, codes::FACTS_UNREADABLE, message)
                    .help("name a folder with one JSON or YAML file of facts per node")
            })?;
            let read: Vec<Result<Facts, Error>> = files.par_iter().map(|file| folder.node(file)).collect();
            nodes.extend(read.into_iter().collect::<Result<Vec<_>, _>>()?);
        } else {
            nodes.push(node_of_file(path, &named)?);
        }
    }
    if names.is_empty() {
        return Ok(nodes);
    }
    let known = |name: &String| nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
    Ok(names.iter().map(|name| known(name).unwrap_or_else(|| Facts::named_for(name, version))).collect())
}
