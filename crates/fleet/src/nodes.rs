//! [`nodes_of`]: reads all nodes of facts files.

use std::path::{Path, PathBuf};

use hieratic::{Error, ErrorKind, Facts, Permissions, PuppetVersion, codes};
use rayon::prelude::*;

use crate::source::{NodeError, SeenNames, Source, Sources, is_of_many};

/// The number of nodes that are read at a time: their sources are in memory until then.
const CHUNK: usize = 4096;

/// The nodes of facts files.
#[derive(Clone, Debug, Default)]
pub struct FileNodes {
    /// The distinct nodes, with the facts of their first occurrence.
    pub nodes: Vec<Facts>,
    /// The positions of repeated nodes.
    pub repeated: Vec<NodeError>,
}

impl FileNodes {
    /// Returns the nodes if there are no repeated ones.
    ///
    /// # Errors
    /// A node occurs twice.
    pub fn unique(self) -> Result<Vec<Facts>, Error> {
        match self.repeated.into_iter().next() {
            None => Ok(self.nodes),
            Some(error) => Err(unreadable(error).help("omit one of the two: it is ambiguous whose facts apply")),
        }
    }
}

/// Reads the nodes of files and folders of facts, as [`Sources`] does. With `names`, reads only these nodes; a name
/// without facts becomes a node with the facts that are derived from the name.
///
/// # Errors
///
/// Facts cannot be read.
pub fn nodes_of(
    paths: &[PathBuf],
    names: &[String],
    version: PuppetVersion,
    permissions: &Permissions,
) -> Result<FileNodes, Error> {
    let (mut nodes, mut repeated, mut seen) = (Vec::new(), Vec::new(), SeenNames::default());
    read_nodes(paths, permissions, |place, facts| {
        let name = facts.node().unwrap_or_default();
        if seen.is_new(name) {
            nodes.push(facts);
        } else {
            repeated.push(NodeError::repeated(place, name));
        }
    })?;
    if names.is_empty() {
        return Ok(FileNodes { nodes, repeated });
    }
    let known = |name: &String| nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
    let nodes = names.iter().map(|name| known(name).unwrap_or_else(|| Facts::named_for(name, version))).collect();
    Ok(FileNodes { nodes, repeated })
}

/// Returns the facts of one node in a file of many nodes, and the other places of that node in it. There is no node if
/// the file has none of this name, or is not a file of many nodes.
///
/// # Errors
///
/// Facts cannot be read.
pub fn node_among(path: &Path, name: &str, permissions: &Permissions) -> Result<FileNodes, Error> {
    let mut found = FileNodes::default();
    if !is_of_many(path) {
        return Ok(found);
    }
    read_nodes(&[path.to_owned()], permissions, |place, facts| {
        if facts.node() != Some(name) {
            return;
        }
        if found.nodes.is_empty() {
            found.nodes.push(facts);
        } else {
            found.repeated.push(NodeError::repeated(place, name));
        }
    })?;
    Ok(found)
}

/// Reads the nodes of files and folders on all processors, and passes each on in order, with its place.
fn read_nodes(paths: &[PathBuf], permissions: &Permissions, mut take: impl FnMut(String, Facts)) -> Result<(), Error> {
    let mut sources = Sources::of(paths.to_vec(), *permissions);
    loop {
        let chunk: Vec<Result<Source, NodeError>> = sources.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return Ok(());
        }
        let read: Vec<Result<(String, Facts), Error>> = chunk.into_par_iter().map(read).collect();
        for node in read {
            let (place, facts) = node?;
            take(place, facts);
        }
    }
}

fn read(source: Result<Source, NodeError>) -> Result<(String, Facts), Error> {
    let source = source.map_err(unreadable)?;
    let place = source.place();
    source.read().map(|facts| (place, facts))
}

fn unreadable(error: NodeError) -> Error {
    Error::new(ErrorKind::Fatal, codes::FACTS_UNREADABLE, error.to_string())
        .help("name a folder with one file per node, a file with one node per line or row, or a file of facts")
}
