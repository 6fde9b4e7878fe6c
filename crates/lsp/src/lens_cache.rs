//! [`CachedLenses`]: the lenses of a version of a document, and the state that they depend on.

use std::sync::Arc;

use lsp_types::CodeLens;

use crate::node_choice::NodeChoice;

/// The lenses of a version of a document.
#[derive(Debug)]
pub(crate) struct CachedLenses {
    pub(crate) state: LensDependencies,
    pub(crate) lenses: Vec<CodeLens>,
}

/// The state of the server that lenses of a document depend on, besides the document.
#[derive(Clone, Debug)]
pub(crate) struct LensDependencies {
    /// The state of editing.
    pub(crate) generation: u64,
    /// The check of the folder.
    pub(crate) analysis: u64,
    /// The nodes that are counted.
    pub(crate) chosen: Arc<NodeChoice>,
}

impl LensDependencies {
    /// Returns whether nothing has changed.
    pub(crate) fn is_same(&self, other: &LensDependencies) -> bool {
        self.generation == other.generation
            && self.analysis == other.analysis
            && Arc::ptr_eq(&self.chosen, &other.chosen)
    }
}
