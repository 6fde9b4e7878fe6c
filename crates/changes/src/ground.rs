//! [`Ground`]: computes the effect of a change once for all nodes that share their large data files.
//!
//! Almost every node has its own data file, so no two nodes read the same set of files. But such a file is small, and
//! it only matters to the keys in it and to the keys that mention one of these. For all other keys the node has the
//! same answers as its neighbors. So the sources of a node are partitioned: private sources are small and the same on
//! both sides, all others are shared. The keys whose answers can change, and their equivalence classes, are computed
//! once for a set of shared sources. For a node, only the keys that its private sources define or mention are checked.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic::value::Str;
use hieratic::{Footing, Footprint, Node, SourceData, numbered};
use hieratic_hash::{HashMap, HashSet};

use crate::alike::{Alike, View, alike};
use crate::reach::{Both, Reach, Sources};
use crate::sure::{Proofs, Verdict};

/// The most keys of a private source of a node.
const MOST_OWN: usize = 128;

/// The effect of a change on nodes with the same shared sources.
#[derive(Debug, Default)]
pub(crate) struct Ground {
    /// The keys whose answers can change, whether they are compared or not.
    reached: HashSet<Str>,
    /// The keys that are compared, by class.
    pub(crate) groups: Vec<Arc<Asked>>,
    /// For a key, the keys in the groups whose answers are made of it, each by its group and its place in it.
    made_of: HashMap<Str, Vec<(u32, u32)>>,
    /// The keys that `lookup_options` mention.
    of_options: HashSet<Str>,
}

/// Keys of a ground whose answers are made of the same places and variables.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Equal for the same keys whose answers are made of the same.
    pub(crate) number: u128,
    /// A fingerprint of the data of the keys, facts not interpolated.
    pub(crate) signature: u128,
    /// The variables.
    pub(crate) variables: BTreeSet<Str>,
    /// The keys, sorted.
    pub(crate) keys: Vec<Str>,
    /// The proven relation between the answers on both sides, for each key.
    pub(crate) verdicts: Vec<Verdict>,
}

/// The sources of a node, divided.
pub(crate) struct Divided<'f> {
    ground: [Vec<&'f Footing>; 2],
    own: Vec<&'f SourceData>,
}

/// The keys that depend on private sources of a node.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// For each group of the ground, the places of keys whose answers are made of something else as well; sorted.
    pub(crate) excepted: Vec<Vec<u32>>,
    /// The keys that have to be looked at for the node.
    pub(crate) keys: BTreeSet<Str>,
}

impl<'f> Divided<'f> {
    /// Partitions the sources of a node; `None` if the common sources of both sides are in a different order.
    pub(crate) fn of(both: &Both<'f>) -> Option<Divided<'f>> {
        let places = |footprint: &'f Footprint| -> HashMap<u64, Option<u64>> {
            let of = |footing: &Footing| (footing.place, footing.data.as_ref().map(SourceData::id));
            footprint.places.iter().map(of).collect()
        };
        let sides = [both.base, both.head];
        let others = &[places(both.head), places(both.base)];
        let in_common = |side: usize| sides[side].places.iter().filter(move |at| others[side].contains_key(&at.place));
        if !in_common(0).map(|footing| footing.place).eq(in_common(1).map(|footing| footing.place)) {
            return None;
        }
        let mut divided = Divided { ground: [Vec::new(), Vec::new()], own: Vec::new() };
        for side in [0, 1] {
            for footing in &sides[side].places {
                let Some(data) = &footing.data else { continue };
                let is_same = others[side].get(&footing.place) == Some(&Some(data.id()));
                match is_same && is_small(data) {
                    false => divided.ground[side].push(footing),
                    true if side == 0 && divided.own.iter().all(|own| own.id() != data.id()) => divided.own.push(data),
                    true => {}
                }
            }
        }
        Some(divided)
    }

    /// Reports whether a source is private to the node.
    pub(crate) fn is_own(&self, data: &SourceData) -> bool {
        self.own.iter().any(|own| own.id() == data.id())
    }

    /// Equal for the same ground.
    pub(crate) fn number(&self) -> u128 {
        let place = |footing: &&Footing| (footing.place, footing.data.as_ref().map(SourceData::id));
        numbered(&self.ground.each_ref().map(|side| side.iter().map(place).collect::<Vec<_>>()))
    }
}

fn is_small(data: &SourceData) -> bool {
    data.keys().nth(MOST_OWN).is_none() && data.written(Node::OPTIONS_KEY).is_none()
}

impl Ground {
    /// Computes the effect of a change on nodes with these shared sources; `None` if it can be anything. `may_prove` is
    /// true if every key is searched in all layers.
    pub(crate) fn of(
        divided: &Divided<'_>,
        sources: &Sources,
        wanted: &dyn Fn(&str) -> bool,
        may_prove: bool,
    ) -> Option<Ground> {
        let [base, head] = divided.ground.each_ref().map(|places| Footprint {
            places: places.iter().map(|footing| (*footing).clone()).collect(),
            asks_code: false,
            reads_more: false,
        });
        let both = Both { base: &base, head: &head, sources };
        let seeds = both.seeds()?;
        if seeds.contains(Node::OPTIONS_KEY) {
            return None;
        }
        let reached = match both.reach(Some(seeds), &BTreeSet::new(), &[]) {
            Reach::Everything => return None,
            Reach::Nothing => BTreeSet::new(),
            Reach::Keys(keys) => keys,
        };
        let view = View::of(&both);
        let mut ground = Ground { of_options: view.closure_keys(Node::OPTIONS_KEY), ..Ground::default() };
        ground.of_options.remove(Node::OPTIONS_KEY);
        let mut groups = alike(&view, reached.iter().filter(|key| wanted(key)));
        let mut proofs = may_prove.then(|| Proofs::of(&both)).flatten();
        groups.iter_mut().for_each(|group| group.keys.sort_unstable());
        for (index, Alike { said, variables, keys }) in (0..).zip(groups) {
            for (place, key) in (0..).zip(&keys) {
                for made_of in view.closure_keys(key) {
                    ground.made_of.entry(made_of).or_default().push((index, place));
                }
            }
            let verdict = |key: &Str| proofs.as_mut().map_or(Verdict::Open, |proofs| proofs.verdict(key));
            let verdicts = keys.iter().map(verdict).collect();
            let number = numbered(&(said, &keys));
            let signature = numbered(&(said, &BTreeSet::<Str>::new()));
            ground.groups.push(Arc::new(Asked { number, signature, variables, keys, verdicts }));
        }
        ground.reached = reached.into_iter().collect();
        Some(ground)
    }

    /// The keys that depend on private sources of a node; `None` if any key can.
    pub(crate) fn touched(
        &self,
        divided: &Divided<'_>,
        both: &Both<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<Touched> {
        let mut touched = Touched { excepted: vec![Vec::new(); self.groups.len()], keys: BTreeSet::new() };
        // Keys that nothing reaches on the ground, and that mention one which is reached.
        let mut more: BTreeSet<Str> = BTreeSet::new();
        for own in &divided.own {
            for key in own.keys() {
                if self.of_options.contains(key) {
                    return None;
                }
                for (group, place) in self.made_of.get(key).into_iter().flatten() {
                    touched.excepted.get_mut(*group as usize)?.push(*place);
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
                    Some((group, place)) => touched.excepted.get_mut(group)?.push(place),
                    None => _ = wanted(&key) && touched.keys.insert(key),
                }
            }
        }
        for (group, excepted) in self.groups.iter().zip(&mut touched.excepted) {
            excepted.sort_unstable();
            excepted.dedup();
            touched.keys.extend(excepted.iter().filter_map(|place| group.keys.get(*place as usize)).cloned());
        }
        Some(touched)
    }

    /// The group of a key, and its place in it.
    fn place_of(&self, key: &Str) -> Option<(usize, u32)> {
        let made_of = self.made_of.get(key)?;
        let is_it = |(group, place): &&(u32, u32)| {
            self.groups.get(*group as usize).and_then(|group| group.keys.get(*place as usize)) == Some(key)
        };
        made_of.iter().find(is_it).map(|(group, place)| (*group as usize, *place))
    }
}
