//! [`SampleNodes`]: the nodes on which rules try lookups: given nodes, or nodes that the paths of files describe.

use std::path::PathBuf;

use hieratic::value::collections::HashSet;
use hieratic::{Facts, Node};
use rayon::prelude::*;

use super::Workspace;
use super::pattern::{Bindings, node_for};

/// The nodes that are given, opened.
pub(crate) struct SampleNodes<'o> {
    /// The nodes, with the files that each reads.
    pub(crate) nodes: Vec<GivenNode<'o>>,
    /// Why some could not be opened.
    pub(crate) faults: Vec<String>,
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
    /// The files that it reads.
    pub(crate) files: HashSet<PathBuf>,
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

/// The name of synthetic nodes: of a node without its own data file.
pub const SYNTHETIC: &str = "any.node.invalid";

impl<'o> SampleNodes<'o> {
    /// Opens the nodes that are given.
    pub(crate) fn new(workspace: &Workspace, nodes: &'o [Facts]) -> SampleNodes<'o> {
        let opened: Vec<_> = nodes
            .par_iter()
            .map(|facts| {
                let name = facts.node().unwrap_or("a node without a name");
                let node = workspace.environment.node(facts).map_err(|error| format!("{name}: {error}"))?;
                // Errors in the configuration are other findings.
                let files = node.sources().unwrap_or_default().into_iter().collect();
                Ok(GivenNode { name, facts, has_facts: !facts.is_only_named(), node, files })
            })
            .collect();
        let mut known = SampleNodes { nodes: Vec::new(), faults: Vec::new() };
        for node in opened {
            match node {
                Ok(node) => known.nodes.push(node),
                Err(fault) => known.faults.push(fault),
            }
        }
        known
    }

    /// Reports whether nodes are given, all with their facts.
    pub(crate) fn has_all_facts(&self) -> bool {
        !self.nodes.is_empty() && self.nodes.iter().all(|node| node.has_facts)
    }

    /// The nodes whose facts are given.
    pub(crate) fn with_facts(&self) -> impl Iterator<Item = &GivenNode<'o>> {
        self.nodes.iter().filter(|node| node.has_facts)
    }

    /// The given nodes that read a file or, without any, a synthetic node for each level that leads to it.
    pub(crate) fn sample_nodes(&self, workspace: &Workspace, file: usize) -> Vec<SampleNode<'_>> {
        let file = &workspace.files[file];
        if !self.nodes.is_empty() {
            let reads = |known: &&GivenNode<'_>| known.files.contains(&file.path);
            return self.nodes.iter().filter(reads).map(|known| SampleNode::Given(&known.node)).collect();
        }
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
