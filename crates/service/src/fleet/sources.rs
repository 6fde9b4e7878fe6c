//! [`SourceContents`]: the keys of data sources, and the keys and variables that their values refer to. Each source is
//! analyzed once, or once more if a second node reads it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use hieratic::Node;
use hieratic::dependencies::{DataDependency, Mentions, NodeDependencies, SourceData};
use hieratic::hiera::SourceId;
use hieratic::value::Str;
use hieratic::value::ids::TooManyIds;

use super::ids::KeyId;
use super::pool::Pool;

/// The keys of a source, and what their values mention.
pub(super) struct SourceContent {
    /// The keys that can be looked up.
    keys: Vec<KeyId>,
    /// The mentions of the lookup options; `None` without options.
    pub(super) options: Option<ContentMentions>,
    /// The mentions of the keys whose values have any.
    pub(super) mentions: HashMap<KeyId, ContentMentions>,
    /// All variables that are mentioned, sorted.
    variables: Vec<Str>,
}

/// The keys and variables that a value mentions.
pub(super) struct ContentMentions {
    pub(super) keys: Vec<KeyId>,
    pub(super) variables: Vec<Str>,
}

impl SourceContent {
    fn read(data: &SourceData, pool: &mut Pool) -> Result<SourceContent, TooManyIds> {
        let mut content =
            SourceContent { keys: Vec::new(), options: None, mentions: HashMap::new(), variables: Vec::new() };
        for key in data.keys() {
            let Mentions { keys, variables } = data.mentions(key);
            content.variables.extend(variables.iter().cloned());
            let keys = keys.iter().map(|key| pool.key_id(key)).collect::<Result<Vec<KeyId>, TooManyIds>>()?;
            let mentions = ContentMentions { keys, variables };
            if &**key == Node::OPTIONS_KEY {
                content.options = Some(mentions);
                continue;
            }
            let id = pool.key_id(key)?;
            content.keys.push(id);
            if !mentions.keys.is_empty() || !mentions.variables.is_empty() {
                content.mentions.insert(id, mentions);
            }
        }
        content.variables.sort_unstable();
        content.variables.dedup();
        Ok(content)
    }
}

/// The contents of the sources that nodes have read.
///
/// Most sources are files that one node reads. Their contents are kept for this node alone, and are analyzed again if another node reads
/// them after all.
#[derive(Default)]
pub(super) struct SourceContents {
    by_id: HashMap<SourceId, SourceContent>,
    /// All sources that nodes have read.
    known: HashSet<SourceId>,
    /// Those that the last node was the first to read.
    new: HashSet<SourceId>,
}

impl SourceContents {
    /// Analyzes the sources of a node, and returns those that it is the first to read. The contents of those that the node before read
    /// alone are forgotten.
    pub(super) fn read(
        &mut self,
        dependencies: &NodeDependencies,
        pool: &mut Pool,
    ) -> Result<HashSet<SourceId>, TooManyIds> {
        let all = || dependencies.places.iter().filter_map(|place| place.data.as_ref());
        let ids: HashSet<SourceId> = all().map(SourceData::id).collect();
        for alone in self.new.drain().filter(|id| !ids.contains(id)) {
            self.by_id.remove(&alone);
        }
        for data in all() {
            if let Entry::Vacant(entry) = self.by_id.entry(data.id()) {
                entry.insert(SourceContent::read(data, pool)?);
            }
        }
        self.new.extend(ids.into_iter().filter(|id| self.known.insert(*id)));
        Ok(self.new.clone())
    }

    /// Returns the content of a source of the node whose sources were [read](Self::read) last.
    pub(super) fn content(&self, id: SourceId) -> &SourceContent {
        &self.by_id[&id]
    }

    /// Returns the keys that a lookup finds at a location.
    pub(super) fn keys_at<'s>(
        &'s self,
        place: &'s DataDependency,
        pool: &'s Pool,
    ) -> impl Iterator<Item = KeyId> + use<'s> {
        let content = place.data.as_ref().map(|data| self.content(data.id()));
        let keys = content.into_iter().flat_map(|content| &content.keys).copied();
        keys.filter(move |key| is_inside(&pool.keys[*key], place.module.as_deref()))
    }

    /// Returns the variables that the data of a node mentions, sorted.
    pub(super) fn variables(&self, dependencies: &NodeDependencies) -> Vec<Str> {
        let mut seen = HashSet::new();
        let data = dependencies.places.iter().filter_map(|place| place.data.as_ref()).map(SourceData::id);
        let contents = data.filter(|id| seen.insert(*id)).map(|id| self.content(id));
        let mut variables: Vec<Str> = contents.flat_map(|content| &content.variables).cloned().collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// Returns whether a key can be looked up in the hierarchy of a module, or in a hierarchy outside of modules.
fn is_inside(key: &str, module: Option<&str>) -> bool {
    module.is_none_or(|module| key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_module_begins_with_its_name() {
        assert!(is_inside("ntp::servers", Some("ntp")) && !is_inside("ntpd::servers", Some("ntp")));
        assert!(is_inside("ntpd::servers", None));
    }
}
