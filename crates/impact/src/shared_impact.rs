//! [`SharedImpact`]: computes the effect of a change once for all nodes that share their large data files.
//!
//! Almost every node has its own data file, so no two nodes read the same set of files. But such a file is small, and
//! it only matters to the keys in it and to the keys that mention one of these. For all other keys the node has the
//! same answers as its neighbors. So the sources of a node are partitioned: private sources are small and the same on
//! both sides, all others are shared. The keys whose answers can change, and their equivalence classes, are computed
//! once for a set of shared sources. For a node, only the keys that its private sources define or mention are checked.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic::Node;
use hieratic::dependencies::{DataDependency, NodeDependencies, SourceData};
use hieratic::hiera::{LocationId, SourceId};
use hieratic::value::Str;
use hieratic::value::ids::Fingerprint;
use hieratic_value::collections::{HashMap, HashSet};

use crate::diff::{Diff, Side};
use crate::key_classes::{DependencyGraph, KeyClass, partition_keys};
use crate::reach::{FootprintPair, Reach, Sources};
use crate::symbolic::{Equivalence, SymbolicComparer};

/// The most keys of a private source of a node.
const MOST_OWN: usize = 128;

/// The effect of a change on nodes with the same shared sources.
#[derive(Debug, Default)]
pub(crate) struct SharedImpact {
    /// The keys whose answers can change, whether they are compared or not.
    reached: HashSet<Str>,
    /// The keys that are compared, by class.
    pub(crate) groups: Vec<Arc<SharedClass>>,
    /// The keys in the groups whose answers depend on a key, each by its group and its index in the group.
    dependents: HashMap<Str, Vec<(u32, u32)>>,
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
    pub(crate) keys: Vec<Str>,
    /// The proven relation between the answers on both sides, for each key.
    pub(crate) relations: Vec<Equivalence>,
}

/// The sources of a node, divided.
pub(crate) struct SourcePartition<'f> {
    shared: Diff<Vec<&'f DataDependency>>,
    private: Vec<&'f SourceData>,
}

/// The keys that depend on private sources of a node.
#[derive(Debug, Default)]
pub(crate) struct PrivateImpact {
    /// For each group, the indexes of the keys whose answers also depend on private sources; sorted.
    pub(crate) excepted: Vec<Vec<u32>>,
    /// The keys that have to be looked at for the node.
    pub(crate) keys: BTreeSet<Str>,
}

impl<'f> SourcePartition<'f> {
    /// Partitions the sources of a node; `None` if the common sources of both sides are in a different order.
    pub(crate) fn new(both: &FootprintPair<'f>) -> Option<SourcePartition<'f>> {
        let places = |footprint: &'f NodeDependencies| -> HashMap<LocationId, Option<SourceId>> {
            let of = |footing: &DataDependency| (footing.place, footing.data.as_ref().map(SourceData::id));
            footprint.places.iter().map(of).collect()
        };
        let sides = Diff { base: both.base, head: both.head };
        let others = Diff { base: places(both.head), head: places(both.base) };
        let in_common = sides.zip(others.as_ref()).map(|(own, others)| {
            own.places.iter().map(|footing| footing.place).filter(|place| others.contains_key(place))
        });
        if !in_common.base.eq(in_common.head) {
            return None;
        }
        let mut partition = SourcePartition { shared: Diff::default(), private: Vec::new() };
        for (side, (own, others)) in sides.zip(others.as_ref()).sides() {
            for footing in &own.places {
                let Some(data) = &footing.data else { continue };
                let is_same = others.get(&footing.place) == Some(&Some(data.id()));
                if !is_same || !is_small(data) {
                    partition.shared.as_mut().side(side).push(footing);
                } else if side == Side::Base && partition.private.iter().all(|own| own.id() != data.id()) {
                    partition.private.push(data);
                }
            }
        }
        Some(partition)
    }

    /// Reports whether a source is private to the node.
    pub(crate) fn is_private(&self, data: &SourceData) -> bool {
        self.private.iter().any(|own| own.id() == data.id())
    }

    /// Equal for the same ground.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let place = |footing: &&DataDependency| (footing.place, footing.data.as_ref().map(SourceData::id));
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
        wanted: &dyn Fn(&str) -> bool,
        may_prove: bool,
    ) -> Option<SharedImpact> {
        let Diff { base, head } = partition.shared.as_ref().map(|places| NodeDependencies {
            places: places.iter().map(|footing| (*footing).clone()).collect(),
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
        let mut groups = partition_keys(&graph, reached.iter().filter(|key| wanted(key)));
        let mut proofs = may_prove.then(|| SymbolicComparer::new(&both)).flatten();
        groups.iter_mut().for_each(|group| group.keys.sort_unstable());
        for (index, KeyClass { fingerprint: of_sources, variables, keys }) in (0..).zip(groups) {
            for (place, key) in (0..).zip(&keys) {
                for dependency in graph.closure_keys(key) {
                    impact.dependents.entry(dependency).or_default().push((index, place));
                }
            }
            let verdict = |key: &Str| proofs.as_mut().map_or(Equivalence::Unknown, |proofs| proofs.compare(key));
            let verdicts = keys.iter().map(verdict).collect();
            let fingerprint = Fingerprint::new(&(of_sources, &keys));
            let data_fingerprint = Fingerprint::new(&(of_sources, &BTreeSet::<Str>::new()));
            impact.groups.push(Arc::new(SharedClass {
                fingerprint,
                data_fingerprint,
                variables,
                keys,
                relations: verdicts,
            }));
        }
        impact.reached = reached.into_iter().collect();
        Some(impact)
    }

    /// The keys that depend on private sources of a node; `None` if any key can.
    pub(crate) fn private_impact(
        &self,
        partition: &SourcePartition<'_>,
        both: &FootprintPair<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<PrivateImpact> {
        let mut impact = PrivateImpact { excepted: vec![Vec::new(); self.groups.len()], keys: BTreeSet::new() };
        // Keys that the shared sources do not reach, and that mention a reached key.
        let mut more: BTreeSet<Str> = BTreeSet::new();
        for own in &partition.private {
            for key in own.keys() {
                if self.of_options.contains(key) {
                    return None;
                }
                for (group, place) in self.dependents.get(key).into_iter().flatten() {
                    impact.excepted.get_mut(*group as usize)?.push(*place);
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
                    Some((group, place)) => impact.excepted.get_mut(group)?.push(place),
                    None => _ = wanted(&key) && impact.keys.insert(key),
                }
            }
        }
        for (group, excepted) in self.groups.iter().zip(&mut impact.excepted) {
            excepted.sort_unstable();
            excepted.dedup();
            impact.keys.extend(excepted.iter().filter_map(|place| group.keys.get(*place as usize)).cloned());
        }
        Some(impact)
    }

    /// The group of a key, and its place in it.
    fn place_of(&self, key: &Str) -> Option<(usize, u32)> {
        let dependents = self.dependents.get(key)?;
        let is_it = |(group, place): &&(u32, u32)| {
            self.groups.get(*group as usize).and_then(|group| group.keys.get(*place as usize)) == Some(key)
        };
        dependents.iter().find(is_it).map(|(group, place)| (*group as usize, *place))
    }
}
