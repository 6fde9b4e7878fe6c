//! [`NodeRecords`]: the nodes that were read, with their facts and the levels that they use.

use std::collections::BTreeMap;
use std::sync::Arc;

use hieratic::Facts;
use hieratic::dependencies::NodeDependencies;
use hieratic::value::ids::{IndexVec, TooManyIds};

use super::ids::{ClassId, KeyId, NodeId};
use super::shared::SharedAnswers;
use crate::levels::Level;
use crate::lookups;

/// The maximum number of searchable facts of a node.
const MAX_FACTS: usize = 300;

/// The approximate overhead of a fact and its value, in bytes: an entry of a table, and a list.
const FACT_BYTES: usize = 100;

/// The nodes that were read.
#[derive(Default)]
pub(super) struct NodeRecords {
    /// The names, with the classes.
    pub(super) nodes: IndexVec<NodeId, (String, ClassId)>,
    /// The nodes that cannot be looked up, with the reason.
    pub(super) failures: Vec<(String, String)>,
    /// Facts with their values, and the nodes that have them.
    pub(super) facts: BTreeMap<(Arc<str>, Arc<str>), Vec<NodeId>>,
    pub(super) levels: Vec<Level>,
    /// The class that was the last to have each key at a level.
    last_class: IndexVec<KeyId, Option<ClassId>>,
    bytes: usize,
}

impl NodeRecords {
    /// Returns the number of nodes that were read or are unreadable.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.failures.len()
    }

    /// Returns the approximate size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a node with its facts.
    pub(super) fn add(
        &mut self,
        name: &str,
        class: ClassId,
        facts: &Facts,
        shared: &mut SharedAnswers,
    ) -> Result<(), TooManyIds> {
        let node = self.nodes.push((name.to_owned(), class))?;
        for (name, value) in lookups::fact_rows(facts, "").into_iter().take(MAX_FACTS) {
            let pair = (shared.pool.intern(&name), shared.pool.intern(&value));
            let nodes = self.facts.entry(pair).or_default();
            self.bytes += size_of::<NodeId>() + if nodes.is_empty() { FACT_BYTES } else { 0 };
            nodes.push(node);
        }
        Ok(())
    }

    /// Records the files and keys of each level that a class reads.
    pub(super) fn add_levels(
        &mut self,
        class: ClassId,
        dependencies: &NodeDependencies,
        shared: &SharedAnswers,
    ) -> Result<(), TooManyIds> {
        let mut at = 0;
        for place in &dependencies.places {
            let is_it = |level: &Level| level.module == place.module && level.label == place.level;
            at = match self.levels.iter().position(is_it) {
                Some(at) => at,
                None => {
                    // A level without a location on this node, such as a glob pattern without matches, is inserted
                    // after the previous level.
                    let at = (at + 1).min(self.levels.len());
                    self.levels.insert(at, Level::new(place.module.clone(), place.level.clone()));
                    at
                }
            };
            if let Some(skipped) = &place.skipped {
                self.levels[at].skipped.get_or_insert_with(|| skipped.reason());
            }
            let Some(path) = &place.path else { continue };
            let mut keys: Vec<(KeyId, bool)> = Vec::new();
            for key in shared.sources.keys_at(place, &shared.pool) {
                let last = self.last_class.get_or_grow(key, None);
                keys.push((key, last.replace(class) != Some(class)));
            }
            self.bytes += self.levels[at].read(class, path, keys)?;
        }
        Ok(())
    }
}
