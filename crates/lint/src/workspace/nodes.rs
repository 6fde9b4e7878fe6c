//! [`SampleNodes`]: the nodes for which rules run lookups: known nodes, or nodes that the paths of files describe.

use std::path::Path;
use std::sync::OnceLock;

use hieratic::value::collections::HashMap;
use hieratic::{Facts, Node};
use rayon::prelude::*;

use super::Workspace;
use super::pattern::{Bindings, node_for};
use crate::hygiene::ReadSets;

/// The nodes that are given, opened.
pub(crate) struct SampleNodes<'o> {
    /// The nodes, with the files that each reads.
    pub(crate) nodes: Vec<GivenNode<'o>>,
    /// The reason why some could not be opened.
    pub(crate) faults: Vec<String>,
    /// The nodes that read each data file, by the numbers of both.
    readers: Vec<Vec<u32>>,
    /// The files that they read, in the order of the levels, once a rule of hygiene needs them.
    pub(crate) read_sets: OnceLock<ReadSets>,
}

/// A node that is given.
pub(crate) struct GivenNode<'o> {
    /// Its name.
    pub(crate) name: &'o str,
    /// Its facts.
    pub(crate) facts: &'o Facts,
    /// Whether its facts are known. Without facts, a variable that is missing may exist.
    pub(crate) has_facts: bool,
    /// Its view of the environment.
    pub(crate) node: Node,
    /// The numbers of the data files that it reads, sorted.
    pub(crate) files: Box<[u32]>,
}

/// A node to try something on.
pub(crate) enum SampleNode<'t> {
    /// One that is given.
    Given(&'t Node),
    /// One that is as the path of a file needs it, of which nothing else is known.
    Synthetic(Box<Node>),
}

impl SampleNode<'_> {
    /// The node.
    pub(crate) fn node(&self) -> &Node {
        match self {
            SampleNode::Given(node) => node,
            SampleNode::Synthetic(node) => node,
        }
    }
}

/// The name of a synthetic node without its own data file.
pub const SYNTHETIC: &str = "any.node.invalid";

impl<'o> SampleNodes<'o> {
    /// Opens the nodes that are given.
    pub(crate) fn new(workspace: &Workspace, nodes: &'o [Facts]) -> SampleNodes<'o> {
        // No repository has more files than fit into a number.
        let numbers: HashMap<&Path, u32> =
            (0_u32..).zip(&workspace.files).map(|(number, file)| (file.path.as_path(), number)).collect();
        let opened: Vec<_> = nodes
            .par_iter()
            .map(|facts| {
                let name = facts.node().unwrap_or("a node without a name");
                let node = workspace.environment.node(facts).map_err(|error| format!("{name}: {error}"))?;
                // Errors in the configuration are other findings.
                let sources = node.sources().unwrap_or_default();
                let mut files: Box<[u32]> =
                    sources.iter().filter_map(|path| numbers.get(path.as_path()).copied()).collect();
                files.sort_unstable();
                Ok(GivenNode { name, facts, has_facts: !facts.is_only_named(), node, files })
            })
            .collect();
        let readers = vec![Vec::new(); workspace.files.len()];
        let mut known = SampleNodes { nodes: Vec::new(), faults: Vec::new(), readers, read_sets: OnceLock::new() };
        for node in opened {
            match node {
                Ok(node) => known.add(node),
                Err(problem) => known.faults.push(problem),
            }
        }
        known
    }

    fn add(&mut self, node: GivenNode<'o>) {
        if let Ok(number) = u32::try_from(self.nodes.len()) {
            for file in &node.files {
                if let Some(readers) = self.readers.get_mut(*file as usize) {
                    // A node may read a file in two levels.
                    if readers.last() != Some(&number) {
                        readers.push(number);
                    }
                }
            }
        }
        self.nodes.push(node);
    }

    /// The given nodes that read a data file.
    pub(crate) fn readers_of(&self, file: usize) -> impl Iterator<Item = &GivenNode<'o>> {
        let readers = self.readers.get(file).map(Vec::as_slice).unwrap_or_default();
        readers.iter().filter_map(|number| self.nodes.get(*number as usize))
    }

    /// Returns whether nodes are given, all with their facts.
    pub(crate) fn has_all_facts(&self) -> bool {
        !self.nodes.is_empty() && self.nodes.iter().all(|node| node.has_facts)
    }

    /// The given nodes that read a file or, without any, a synthetic node for each level that leads to it.
    pub(crate) fn sample_nodes(&self, workspace: &Workspace, file: usize) -> Vec<SampleNode<'_>> {
        if !self.nodes.is_empty() {
            return self.readers_of(file).map(|known| SampleNode::Given(&known.node)).collect();
        }
        let file = &workspace.files[file];
        file.reached.iter().filter_map(|reach| synthetic_node(workspace, &reach.bindings)).collect()
    }
}

/// Creates a synthetic node with these values of variables. Other variables lead no glob to a file.
pub(crate) fn synthetic_node<'t>(workspace: &Workspace, bindings: &Bindings) -> Option<SampleNode<'t>> {
    // Of two values of a variable the later counts.
    let bindings =
        workspace.searched.iter().chain(bindings).map(|(name, value)| (name.clone(), value.clone())).collect();
    // Rules try the other samples: a node that cannot be opened confirms no finding.
    let node = workspace.environment.node(&node_for(&bindings, SYNTHETIC)?).ok()?;
    Some(SampleNode::Synthetic(Box::new(node)))
}
