//! [`nodes_of`]: the nodes of files of facts, all at once.

use std::path::{Path, PathBuf};

use hieratic::{Error, ErrorKind, Facts, Permissions, PuppetVersion, codes};
use rayon::prelude::*;

use crate::source::{NodeError, SeenNames, Source, Sources, is_of_many};

/// The number of nodes that are read at a time: their sources are in memory until then.
const CHUNK: usize = 4096;

/// Reads the nodes of files and folders of facts, as [`Sources`] finds them. With `names`, only the nodes with these
/// names; a name without facts becomes a node with the facts that the version derives from a name.
///
/// # Errors
///
/// Facts cannot be read, or a node occurs twice.
pub fn nodes_of(
    paths: &[PathBuf],
    names: &[String],
    version: PuppetVersion,
    permissions: &Permissions,
) -> Result<Vec<Facts>, Error> {
    let mut sources = Sources::of(paths.to_vec(), *permissions);
    let (mut nodes, mut seen) = (Vec::new(), SeenNames::default());
    loop {
        let chunk: Vec<Result<Source, NodeError>> = sources.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            break;
        }
        let read: Vec<Result<(String, Facts), Error>> = chunk.into_par_iter().map(read).collect();
        for node in read {
            let (place, facts) = node?;
            if !seen.is_new(facts.node().unwrap_or_default()) {
                return Err(unreadable(SeenNames::fault(&place, facts.node().unwrap_or_default()))
                    .help("leave one of the two out: it is not known whose facts are meant"));
            }
            nodes.push(facts);
        }
    }
    if names.is_empty() {
        return Ok(nodes);
    }
    let known = |name: &String| nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
    Ok(names.iter().map(|name| known(name).unwrap_or_else(|| Facts::named_for(name, version))).collect())
}

/// Returns the facts of one node in a file of many nodes. `None` if the file has no such node, or is not a file of many
/// nodes.
///
/// # Errors
///
/// Facts cannot be read.
pub fn node_among(path: &Path, name: &str, permissions: &Permissions) -> Result<Option<Facts>, Error> {
    if !is_of_many(path) {
        return Ok(None);
    }
    for source in Sources::of(vec![path.to_owned()], *permissions) {
        let (_, facts) = read(source)?;
        if facts.node() == Some(name) {
            return Ok(Some(facts));
        }
    }
    Ok(None)
}

fn read(source: Result<Source, NodeError>) -> Result<(String, Facts), Error> {
    let source = source.map_err(unreadable)?;
    let place = source.place();
    source.read().map(|facts| (place, facts))
}

fn unreadable(fault: NodeError) -> Error {
    Error::new(ErrorKind::Fatal, codes::FACTS_UNREADABLE, fault.to_string())
        .help("name a folder with one file per node, a file with one node per line or row, or a file of facts")
}
