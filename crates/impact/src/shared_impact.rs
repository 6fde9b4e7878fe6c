//! [`SharedImpact`]: computes the effect of a change once for all nodes that share their large data files.
//!
//! Almost every node has its own data file, so no two nodes read the same set of files. But such a file is small, and
//! it only affects its own keys and the keys that refer to them. For all other keys the node has the same answers as
//! similar nodes. The sources of a node are therefore partitioned: private sources are small and the same on both
//! sides, all others are shared. The keys whose answers can change, and their equivalence classes, are computed once
//! for a set of shared sources. For each node, only the keys that its private sources define or refer to are checked.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic::Node;
use hieratic::dependencies::{DataDependency, NodeDependencies, SourceData};
use hieratic::hiera::{LocationId, SourceId};
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::ids::{Fingerprint, IndexVec};
use hieratic::value::{Str, define_ids};

use crate::diff::{Diff, Side};
use crate::key_classes::{DependencyGraph, KeyClass, partition_keys};
use crate::reach::{FootprintPair, Reach, Sources};
use crate::symbolic::{Equivalence, SymbolicComparer};

/// The most keys of a private source of a node.
const MOST_OWN: usize = 128;

define_ids! {
    /// The id of a class of keys among those of some shared sources.
    pub(crate) struct SharedClassId: "classes of keys";
    /// The position of a key in its class.
    pub(crate) struct KeyPosition: "keys of a class";
}

/// The effect of a change on nodes with the same shared sources.
#[derive(Debug, Default)]
pub(crate) struct SharedImpact {
    /// The keys whose answers can change, whether they are compared or not.
    reached: HashSet<Str>,
    /// The keys that are compared, by class.
    pub(crate) groups: IndexVec<SharedClassId, Arc<SharedClass>>,
    /// The keys in the groups whose answers depend on a key.
    dependents: HashMap<Str, Vec<(SharedClassId, KeyPosition)>>,
    /// The keys that `lookup_options` mention.
    of_options: HashSet<Str>,
}

/// Keys of shared sources whose answers depend on the same sources and variables.
#[derive(Debug)]
pub(crate) struct SharedClass {
    /// Equal for equal keys with equal dependencies.
    pub(crate) fingerprint: Fingerprint,
    /// A fingerprint of the data of the keys, facts not interpolated.
    pub(crate) data_fingerprint: Fingerprint,
    /// The variables.
    pub(crate) variables: BTreeSet<Str>,
    /// The keys, sorted.
    pub(crate) keys: IndexVec<KeyPosition, Str>,
    /// The proven relation between the answers on both sides, for each key.
    pub(crate) relations: IndexVec<KeyPosition, Equivalence>,
}

/// The sources of a node, divided.
pub(crate) struct SourcePartition<'f> {
    shared: Diff<Vec<&'f DataDependency>>,
    private: Vec<&'f SourceData>,
}

/// The keys that depend on private sources of a node.
#[derive(Debug, Default)]
pub(crate) struct PrivateImpact {
    /// For each group, the keys whose answers also depend on private sources; sorted.
    pub(crate) excepted: IndexVec<SharedClassId, Vec<KeyPosition>>,
    /// The keys that have to be looked at for the node.
    pub(crate) keys: BTreeSet<Str>,
}

impl<'f> SourcePartition<'f> {
    /// Partitions the sources of a node; `None` if the common sources of both sides are in a different order.
    pub(crate) fn new(both: &FootprintPair<'f>) -> Option<SourcePartition<'f>> {
        let places = |dependencies: &'f NodeDependencies| -> HashMap<LocationId, Option<SourceId>> {
            let of = |dependency: &DataDependency| (dependency.place, dependency.data.as_ref().map(SourceData::id));
            dependencies.places.iter().map(of).collect()
        };
        let sides = Diff { base: both.base, head: both.head };
        let others = Diff { base: places(both.head), head: places(both.base) };
        let in_common = sides.zip(others.as_ref()).map(|(own, others)| {
            own.places.iter().map(|dependency| dependency.place).filter(|place| others.contains_key(place))
        });
        if !in_common.base.eq(in_common.head) {
            return None;
        }
        let mut partition = SourcePartition { shared: Diff::default(), private: Vec::new() };
        for (side, (own, others)) in sides.zip(others.as_ref()).sides() {
            for dependency in &own.places {
                let Some(data) = &dependency.data else { continue };
                let is_same = others.get(&dependency.place) == Some(&Some(data.id()));
                if !is_same || !is_small(data) {
                    partition.shared.as_mut().side(side).push(dependency);
                } else if side == Side::Base && partition.private.iter().all(|own| own.id() != data.id()) {
                    partition.private.push(data);
                }
            }
        }
        Some(partition)
    }

    /// Returns whether a source is private to the node.
    pub(crate) fn is_private(&self, data: &SourceData) -> bool {
        self.private.iter().any(|own| own.id() == data.id())
    }

    /// Equal for the same ground.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let place = |dependency: &&DataDependency| (dependency.place, dependency.data.as_ref().map(SourceData::id));
        Fingerprint::new(&self.shared.as_ref().map(|side| side.iter().map(place).collect::<Vec<_>>()))
    }
}

fn is_small(data: &SourceData) -> bool {
    data.keys().nth(MOST_OWN).is_none() && data.written(Node::OPTIONS_KEY).is_none()
}

impl SharedImpact {
    /// Computes the effect of a change on nodes with these shared sources; `None` if it can be anything. `may_prove` is
    /// true if every key is searched in all layers.
    pub(crate) fn compute(
        partition: &SourcePartition<'_>,
        sources: &Sources,
        is_selected: &dyn Fn(&str) -> bool,
        may_prove: bool,
    ) -> Option<SharedImpact> {
        let Diff { base, head } = partition.shared.as_ref().map(|places| NodeDependencies {
            places: places.iter().map(|one_dependency| (*one_dependency).clone()).collect(),
            patterns: Vec::new(),
            key_files: Vec::new(),
            asks_code: false,
            reads_more: false,
        });
        let both = FootprintPair { base: &base, head: &head, sources };
        let seeds = both.seeds()?;
        if seeds.contains(Node::OPTIONS_KEY) {
            return None;
        }
        let reached = match both.reach(Some(seeds), &BTreeSet::new(), &[]) {
            Reach::Everything => return None,
            Reach::Nothing => BTreeSet::new(),
            Reach::Keys(keys) => keys,
        };
        let graph = DependencyGraph::new(&both);
        let mut impact = SharedImpact { of_options: graph.closure_keys(Node::OPTIONS_KEY), ..SharedImpact::default() };
        impact.of_options.remove(Node::OPTIONS_KEY);
        let mut groups = partition_keys(&graph, reached.iter().filter(|key| is_selected(key)));
        let mut proofs = may_prove.then(|| SymbolicComparer::new(&both)).flatten();
        groups.iter_mut().for_each(|group| group.keys.sort_unstable());
        for KeyClass { fingerprint: of_sources, variables, keys } in groups {
            let fingerprint = Fingerprint::new(&(of_sources, &keys));
            let data_fingerprint = Fingerprint::new(&(of_sources, &BTreeSet::<Str>::new()));
            // If there are more keys than ids, any of them can change.
            let keys: IndexVec<KeyPosition, Str> = IndexVec::from_elements(keys).ok()?;
            let relations = keys.map(|key| proofs.as_mut().map_or(Equivalence::Unknown, |proofs| proofs.compare(key)));
            let group = SharedClass { fingerprint, data_fingerprint, variables, keys, relations };
            let group = impact.groups.push(Arc::new(group)).ok()?;
            for (place, key) in impact.groups[group].keys.entries() {
                for dependency in graph.closure_keys(key) {
                    impact.dependents.entry(dependency).or_default().push((group, place));
                }
            }
        }
        impact.reached = reached.into_iter().collect();
        Some(impact)
    }

    /// The keys that depend on private sources of a node; `None` if any key can.
    pub(crate) fn private_impact(
        &self,
        partition: &SourcePartition<'_>,
        both: &FootprintPair<'_>,
        is_selected: &dyn Fn(&str) -> bool,
    ) -> Option<PrivateImpact> {
        let mut impact =
            PrivateImpact { excepted: IndexVec::from_elem(Vec::new(), &self.groups), keys: BTreeSet::new() };
        // Keys that the shared sources do not reach, and that mention a reached key.
        let mut more: BTreeSet<Str> = BTreeSet::new();
        for own in &partition.private {
            for key in own.keys() {
                if self.of_options.contains(key) {
                    return None;
                }
                for (group, place) in self.dependents.get(key).into_iter().flatten() {
                    impact.excepted[*group].push(*place);
                }
            }
            for (mentioned, by) in both.sources.mentions(own).mentioning() {
                if self.reached.contains(mentioned) {
                    more.extend(by.iter().filter(|key| !self.reached.contains(*key)).cloned());
                }
            }
        }
        if !more.is_empty() {
            both.add_mentioning(&mut more);
            if more.contains(Node::OPTIONS_KEY) {
                return None;
            }
            for key in more {
                match self.place_of(&key) {
                    Some((group, place)) => impact.excepted[group].push(place),
                    None => _ = is_selected(&key) && impact.keys.insert(key),
                }
            }
        }
        for (group, excepted) in self.groups.iter().zip(impact.excepted.iter_mut()) {
            excepted.sort_unstable();
            excepted.dedup();
            impact.keys.extend(excepted.iter().map(|place| group.keys[*place].clone()));
        }
        Some(impact)
    }

    /// The group of a key, and its place in it.
    fn place_of(&self, key: &Str) -> Option<(SharedClassId, KeyPosition)> {
        let dependents = self.dependents.get(key)?;
        dependents.iter().copied().find(|(group, place)| self.groups[*group].keys[*place] == *key)
    }
}
