//! [`NodeChoice`]: the node whose answers are shown.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::value::ErasedSort as _;
use hieratic::{Facts, Permissions, PuppetVersion};
use hieratic_fleet::{FileNodes, nodes_of};

/// The node whose answers are shown, and those among which it was chosen.
#[derive(Debug, Default)]
pub(crate) struct NodeChoice {
    /// The name of the chosen node.
    pub(crate) name: Option<String>,
    /// The facts of the chosen node, if they are known.
    pub(crate) facts: Option<Facts>,
    /// All nodes that files of facts describe.
    pub(crate) nodes: Vec<Facts>,
    /// The names of nodes that an inventory knows, sorted.
    pub(crate) others: Arc<Vec<String>>,
    /// The error of reading the facts.
    pub(crate) error: Option<String>,
}

impl NodeChoice {
    /// The nodes of files and folders of facts, of which one may be chosen by its name. A name that no file describes is a node of
    /// which only the name is known.
    pub(crate) fn load(files: &[PathBuf], name: Option<String>, version: PuppetVersion) -> NodeChoice {
        let permissions = Permissions { confined: true, ..Permissions::default() };
        let (nodes, error) = match nodes_of(files, &[], version, &permissions) {
            Ok(FileNodes { nodes, repeated }) => (nodes, repeated.first().map(ToString::to_string)),
            Err(error) => {
                let help = error.help_text().map(|help| format!("; {help}")).unwrap_or_default();
                (Vec::new(), Some(format!("{error}{help}")))
            }
        };
        NodeChoice { nodes, error, ..NodeChoice::default() }.with_node(name, version)
    }

    /// Returns the choice with another node.
    pub(crate) fn with_node(&self, name: Option<String>, version: PuppetVersion) -> NodeChoice {
        let known = |name: &String| self.nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
        let facts = name.as_ref().map(|name| known(name).unwrap_or_else(|| Facts::named_for(name, version)));
        NodeChoice { name, facts, nodes: self.nodes.clone(), others: self.others.clone(), error: self.error.clone() }
    }

    /// The names of the nodes that are known, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.nodes.iter().filter_map(|facts| facts.node().map(str::to_owned)).collect();
        names.extend(self.others.iter().cloned());
        names.sort_erased();
        names.dedup();
        names
    }

    /// Returns the choice with other names of an inventory.
    pub(crate) fn with_others(&self, mut names: Vec<String>) -> NodeChoice {
        names.sort_erased();
        NodeChoice {
            name: self.name.clone(),
            facts: self.facts.clone(),
            nodes: self.nodes.clone(),
            others: Arc::new(names),
            error: self.error.clone(),
        }
    }

    /// The facts that completions show: those of the chosen node, or of the first node of the files of facts.
    pub(crate) fn shown_facts(&self) -> Option<&Facts> {
        self.facts.as_ref().or_else(|| self.nodes.first())
    }

    /// Returns whether a file describes a node.
    pub(crate) fn describes(&self, name: &str) -> bool {
        self.nodes.iter().any(|facts| facts.node() == Some(name))
    }
}
