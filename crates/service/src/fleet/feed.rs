//! [`NodeFeed`]: an iterator over the nodes of an environment with their facts.

use hieratic::Facts;
use hieratic::dependencies::AccessLog;
use hieratic_puppetdb::Pages;

use crate::Service;
use crate::problem::Problem;

/// The nodes that are still to be read.
pub(super) struct NodeFeed {
    names: Vec<String>,
    /// The number of names that were read.
    done: usize,
    /// The facts, if they come in pages instead of one by one.
    pages: Option<Pages>,
    /// Whether the last page was read.
    is_over: bool,
}

/// A node, with its facts or the reason why they cannot be read.
pub(super) struct FedNode {
    pub(super) name: String,
    pub(super) facts: Result<Facts, Problem>,
}

impl NodeFeed {
    pub(super) fn new(names: Vec<String>, pages: Option<Pages>) -> NodeFeed {
        NodeFeed { names, done: 0, pages, is_over: false }
    }

    /// Returns whether there is no further node.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_over || self.pages.is_none() && self.done >= self.names.len()
    }

    /// Returns the number of all nodes, of which some were read. Pages show it at their end.
    pub(super) fn total(&self, read: usize) -> usize {
        if self.is_over { read } else { self.names.len() }
    }

    /// Returns the next node.
    ///
    /// # Errors
    /// Facts that come in pages do not come any more.
    pub(super) fn next(&mut self, service: &Service) -> Result<Option<FedNode>, Problem> {
        let Some(pages) = &mut self.pages else {
            let Some(name) = self.names.get(self.done).cloned() else { return Ok(None) };
            self.done += 1;
            let facts = service.stored.facts(&name, &AccessLog::default()).map(|found| found.facts);
            return Ok(Some(FedNode { name, facts }));
        };
        match pages.next() {
            Some(Ok(facts)) => {
                Ok(Some(FedNode { name: facts.node().unwrap_or_default().to_string(), facts: Ok(facts) }))
            }
            Some(Err(error)) => Err(crate::facts::unreachable_error(error)),
            None => {
                self.is_over = true;
                Ok(None)
            }
        }
    }
}
