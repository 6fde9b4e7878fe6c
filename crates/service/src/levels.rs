//! [`LevelUse`]: the contribution of a level of the hierarchies, for all nodes and for groups of nodes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::value::ErasedSort as _;
use hieratic::value::ids::{Id as _, IndexVec, Interner, TooManyIds};
use hieratic::value::{Str, define_ids};
use serde::{Deserialize, Serialize};

use crate::chosen_facts::ChosenFacts;
use crate::fleet::{ClassId, Index, KeyId, NodeId, sorted_ids};
use crate::nodes::exhausted;
use crate::problem::Problem;
use hieratic_report::pages::plain_name;

define_ids! {
    /// The id of a key among the keys of a level.
    struct LevelKeyId: "keys of a level";
    /// The id of a group of nodes.
    pub(crate) struct GroupId: "groups of nodes";
}

/// Keys of a level, sorted by id, in the smaller form. Classes with the same keys share them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum KeySet {
    /// The ids.
    Few(Box<[u32]>),
    /// A bit for each id, the lowest bit of the first number first: most levels have most of their keys in one file, and each node
    /// overrides some of them.
    Many(Box<[u64]>),
}

/// Keys that classes share.
type Keys = Arc<KeySet>;

/// The number of bits of a number in a set.
const BITS: usize = u64::BITS as usize;

impl KeySet {
    /// Creates a set of sorted ids.
    fn new(ids: &[LevelKeyId]) -> KeySet {
        let numbers = ids.last().map_or(0, |last| last.index() / BITS + 1);
        if size_of_val(ids) <= numbers * size_of::<u64>() {
            return KeySet::Few(ids.iter().map(|id| id.as_u32()).collect());
        }
        let mut bits = vec![0; numbers];
        for id in ids {
            bits[id.index() / BITS] |= 1 << (id.index() % BITS);
        }
        KeySet::Many(bits.into())
    }

    /// The ids in ascending order.
    fn iter(&self) -> impl Iterator<Item = LevelKeyId> {
        let (few, many): (&[u32], &[u64]) = match self {
            KeySet::Few(few) => (few, &[]),
            KeySet::Many(many) => (&[], many),
        };
        let of_number = |(at, bits): (usize, &u64)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let next = (rest != 0).then(|| at * BITS + rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                next
            })
        };
        let indexes = few.iter().map(|id| *id as usize).chain(many.iter().enumerate().flat_map(of_number));
        // A set is made of ids, or was checked when it was read.
        indexes.map(|index| LevelKeyId::from_index(index).unwrap_or_else(|error| unreachable!("{error}")))
    }

    /// The number of ids.
    fn len(&self) -> usize {
        match self {
            KeySet::Few(few) => few.len(),
            KeySet::Many(many) => many.iter().map(|bits| bits.count_ones() as usize).sum(),
        }
    }

    /// The number of numbers that the ids are stored in.
    fn stored(&self) -> usize {
        match self {
            KeySet::Few(few) => few.len(),
            KeySet::Many(many) => many.len(),
        }
    }

    /// Adds the ids to a set of bits that has room for them.
    fn insert_into(&self, bits: &mut [u64]) {
        match self {
            KeySet::Few(few) => few.iter().for_each(|id| bits[*id as usize / BITS] |= 1 << (*id as usize % BITS)),
            KeySet::Many(many) => bits.iter_mut().zip(many).for_each(|(bits, own)| *bits |= own),
        }
    }

    /// Removes the ids from a set of bits that has room for them.
    fn remove_from(&self, bits: &mut [u64]) {
        match self {
            KeySet::Few(few) => few.iter().for_each(|id| bits[*id as usize / BITS] &= !(1 << (*id as usize % BITS))),
            KeySet::Many(many) => bits.iter_mut().zip(many).for_each(|(bits, own)| *bits &= !own),
        }
    }

    /// The size of the ids in memory, in bytes.
    fn bytes(&self) -> usize {
        match self {
            KeySet::Few(few) => size_of_val(&**few),
            KeySet::Many(many) => size_of_val(&**many),
        }
    }

    /// Returns whether a set that was read has sorted ids, all of which are of so many keys.
    fn is_valid(&self, keys: usize) -> bool {
        match self {
            KeySet::Few(few) => sorted_ids::<LevelKeyId>(few, keys).is_some(),
            KeySet::Many(many) => {
                let unused = many.len().saturating_mul(BITS).saturating_sub(keys);
                many.last().is_some_and(|last| *last != 0 && last.leading_zeros() as usize >= unused)
            }
        }
    }
}

/// The keys that the nodes of a class read at a level.
#[derive(Clone, Debug)]
struct ClassKeys {
    /// The keys that are set there.
    has: Keys,
    /// Those of them that a level above sets, too.
    overridden: Keys,
}

/// The contribution of a level on all nodes.
#[derive(Clone, Debug)]
pub(crate) struct LevelUse {
    /// The module whose hierarchy it is in; none for those of the machine and the environment.
    pub(crate) module: Option<String>,
    pub(crate) level: String,
    /// The number of nodes with a file at the level.
    pub(crate) nodes: usize,
    /// The number of files that the nodes read at the level.
    pub(crate) files: usize,
    /// For each key that these files define, whether the level has the highest priority on some node.
    is_highest: IndexVec<LevelKeyId, bool>,
    /// The names of the keys.
    names: IndexVec<LevelKeyId, Arc<str>>,
    /// The paths of the files, sorted.
    pub(crate) paths: Vec<Arc<Path>>,
    /// The reason why the level is not asked, if it is skipped on a node.
    pub(crate) skipped: Option<String>,
    parts: Arc<BTreeMap<ClassId, ClassKeys>>,
}

/// A key that a level sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelKey {
    pub(crate) name: Arc<str>,
    /// Whether the level has the highest priority on some node.
    pub(crate) is_highest: bool,
    /// The number of nodes that read the key at the level.
    pub(crate) nodes: usize,
    /// The number of nodes on which a level above has the key, too.
    pub(crate) below: usize,
}

/// The contribution of a level on a group of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupUse {
    /// The number of nodes of the group with a file at the level.
    pub(crate) nodes: usize,
    /// The number of keys in the files that they read at the level.
    pub(crate) keys: usize,
    /// The number of keys for which the level has the highest priority on some node of the group.
    pub(crate) highest: usize,
}

/// Nodes with the same value of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The value of the fact; none for the nodes that do not have it.
    pub(crate) value: Option<String>,
    pub(crate) nodes: Vec<NodeId>,
}

/// Groups of nodes, the largest first.
pub(crate) type Groups = IndexVec<GroupId, Group>;

/// A level, with the reads of nodes, while an index is built.
pub(crate) struct Level {
    pub(crate) module: Option<Str>,
    pub(crate) label: Str,
    /// The reason why it is not asked, if it is skipped on a node.
    pub(crate) skipped: Option<String>,
    files: HashSet<Arc<Path>>,
    keys: Interner<LevelKeyId, KeyId>,
    /// For each key, whether the level is the highest that defines it on some node.
    is_highest: IndexVec<LevelKeyId, bool>,
    parts: Arc<BTreeMap<ClassId, ClassKeys>>,
    shared: HashSet<Keys>,
}

impl Level {
    pub(crate) fn new(module: Option<Str>, label: Str) -> Level {
        Level {
            module,
            label,
            skipped: None,
            files: HashSet::new(),
            keys: Interner::default(),
            is_highest: IndexVec::new(),
            parts: Arc::default(),
            shared: HashSet::new(),
        }
    }

    /// Notes a file that the nodes of a class read, and its keys with whether no level above has them; how many bytes that takes.
    pub(crate) fn read(
        &mut self,
        class: ClassId,
        path: &Arc<Path>,
        keys: Vec<(KeyId, bool)>,
    ) -> Result<usize, TooManyIds> {
        self.files.insert(path.clone());
        let before = self.parts.get(&class);
        let mut has: Vec<LevelKeyId> = before.map(|part| part.has.iter().collect()).unwrap_or_default();
        let mut overridden: Vec<LevelKeyId> = before.map(|part| part.overridden.iter().collect()).unwrap_or_default();
        for (key, is_highest) in keys {
            let (id, _) = self.keys.intern(&key, KeyId::clone)?;
            has.push(id);
            *self.is_highest.get_or_grow(id, false) |= is_highest;
            if !is_highest {
                overridden.push(id);
            }
        }
        // A key in several files of the level is only overridden in the files after the first.
        has.sort_unstable();
        let is_repeated: HashSet<LevelKeyId> =
            has.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        has.dedup();
        overridden.sort_unstable();
        overridden.dedup();
        if !is_repeated.is_empty() {
            let old: HashSet<LevelKeyId> = before.iter().flat_map(|part| part.overridden.iter()).collect();
            overridden.retain(|id| !is_repeated.contains(id) || old.contains(id));
        }
        let mut bytes = size_of::<(ClassId, ClassKeys)>();
        let part = ClassKeys { has: self.kept(&has, &mut bytes), overridden: self.kept(&overridden, &mut bytes) };
        Arc::make_mut(&mut self.parts).insert(class, part);
        Ok(bytes)
    }

    fn kept(&mut self, keys: &[LevelKeyId], bytes: &mut usize) -> Keys {
        let keys = KeySet::new(keys);
        if let Some(known) = self.shared.get(&keys) {
            return known.clone();
        }
        *bytes += keys.bytes();
        let keys: Keys = keys.into();
        self.shared.insert(keys.clone());
        keys
    }

    /// Returns the contribution of the level on the nodes of each class, as far as they have been read.
    pub(crate) fn used(
        &self,
        members: &IndexVec<ClassId, Vec<NodeId>>,
        name_of: &dyn Fn(KeyId) -> Arc<str>,
    ) -> LevelUse {
        let mut paths: Vec<Arc<Path>> = self.files.iter().cloned().collect();
        paths.sort_unstable();
        LevelUse {
            names: self.keys.map(|key| name_of(*key)),
            paths,
            module: self.module.as_ref().map(Str::to_string),
            level: plain_name(&self.label).to_string(),
            nodes: self.parts.keys().map(|class| members[*class].len()).sum(),
            files: self.files.len(),
            is_highest: self.is_highest.clone(),
            skipped: self.skipped.clone(),
            parts: self.parts.clone(),
        }
    }
}

/// A level as plain lists. Lists of keys are positions in `lists`.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredLevel {
    module: Option<String>,
    level: String,
    is_highest: Vec<bool>,
    names: Vec<String>,
    paths: Vec<String>,
    skipped: Option<String>,
    lists: Vec<KeySet>,
    parts: Vec<(u32, usize, usize)>,
}

impl LevelUse {
    /// Returns the level as plain lists; `None` if a path is no Unicode.
    pub(crate) fn stored(&self) -> Option<StoredLevel> {
        let mut lists: Vec<KeySet> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        let mut list_of = |keys: &Keys| {
            *known.entry(Arc::as_ptr(keys).addr()).or_insert_with(|| {
                lists.push(KeySet::clone(keys));
                lists.len() - 1
            })
        };
        let parts =
            self.parts.iter().map(|(class, keys)| (class.as_u32(), list_of(&keys.has), list_of(&keys.overridden)));
        let parts = parts.collect();
        Some(StoredLevel {
            module: self.module.clone(),
            level: self.level.clone(),
            is_highest: self.is_highest.iter().copied().collect(),
            names: self.names.iter().map(|name| name.to_string()).collect(),
            paths: self.paths.iter().map(|path| path.to_str().map(String::from)).collect::<Option<_>>()?,
            skipped: self.skipped.clone(),
            lists,
            parts,
        })
    }

    /// Returns a level of plain lists; `None` if they do not fit together, or to the classes.
    pub(crate) fn from_stored(stored: StoredLevel, members: &IndexVec<ClassId, Vec<NodeId>>) -> Option<LevelUse> {
        let keys = stored.names.len();
        let paths: Vec<Arc<Path>> = stored.paths.into_iter().map(|path| Path::new(&path).into()).collect();
        if stored.is_highest.len() != keys || !paths.is_sorted() {
            return None;
        }
        if !stored.lists.iter().all(|list| list.is_valid(keys)) {
            return None;
        }
        let lists: Vec<Keys> = stored.lists.into_iter().map(Keys::from).collect();
        let mut parts = BTreeMap::new();
        for (class, has, overridden) in stored.parts {
            let class = *sorted_ids::<ClassId>(&[class], members.len())?.first()?;
            let keys = ClassKeys { has: lists.get(has)?.clone(), overridden: lists.get(overridden)?.clone() };
            parts.insert(class, keys);
        }
        Some(LevelUse {
            module: stored.module,
            level: stored.level,
            nodes: parts.keys().map(|class| members[*class].len()).sum(),
            files: paths.len(),
            is_highest: IndexVec::from_elements(stored.is_highest).ok()?,
            names: IndexVec::from_elements(stored.names.into_iter().map(Arc::from)).ok()?,
            paths,
            skipped: stored.skipped,
            parts: Arc::new(parts),
        })
    }

    /// Returns the number of keys that the files of the level define.
    pub(crate) fn keys(&self) -> usize {
        self.is_highest.len()
    }

    /// Returns the number of keys for which the level has the highest priority on some node.
    pub(crate) fn highest(&self) -> usize {
        self.is_highest.iter().filter(|is_highest| **is_highest).count()
    }

    /// Returns the keys that the level sets for some nodes, sorted, with the number of those that read each. `members`
    /// are these nodes: [all](Index::classes), or those of a [group](group_members).
    pub(crate) fn key_uses(
        &self,
        members: &IndexVec<ClassId, Vec<NodeId>>,
        budget: &Budget,
    ) -> Result<Vec<LevelKey>, Problem> {
        let mut keys: IndexVec<LevelKeyId, LevelKey> =
            self.names.map(|name| LevelKey { name: name.clone(), is_highest: false, nodes: 0, below: 0 });
        for (class, part) in self.parts.iter() {
            budget.steps((part.has.len() + part.overridden.len()) as u64).map_err(exhausted)?;
            let nodes = members[*class].len();
            part.has.iter().for_each(|key| keys[key].nodes += nodes);
            part.overridden.iter().for_each(|key| keys[key].below += nodes);
        }
        let is_highest = |key: &LevelKey| key.nodes > key.below;
        let keys = keys.into_iter().filter(|key| key.nodes > 0);
        let mut keys: Vec<LevelKey> = keys.map(|key| LevelKey { is_highest: is_highest(&key), ..key }).collect();
        keys.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(keys)
    }

    /// Returns the nodes with a file at the level, sorted.
    pub(crate) fn readers(&self, members: &IndexVec<ClassId, Vec<NodeId>>) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.parts.keys().flat_map(|class| &members[*class]).copied().collect();
        nodes.sort_unstable();
        nodes
    }

    /// Returns the contribution of the level on some groups of nodes, of which each class has some, with the number of
    /// its nodes in each.
    fn by_group<G>(
        &self,
        groups: &IndexVec<GroupId, G>,
        groups_of: &IndexVec<ClassId, Vec<(GroupId, usize)>>,
        budget: &Budget,
    ) -> Result<IndexVec<GroupId, GroupUse>, Problem> {
        let mut uses = IndexVec::from_elem(GroupUse::default(), groups);
        // Equal parts share their keys, so the address of the keys identifies a part.
        let mut parts: IndexVec<GroupId, HashMap<[usize; 2], &ClassKeys>> = IndexVec::from_elem(HashMap::new(), groups);
        for (class, part) in self.parts.iter() {
            for (group, nodes) in &groups_of[*class] {
                budget.step().map_err(exhausted)?;
                uses[*group].nodes += nodes;
                parts[*group].insert([&part.has, &part.overridden].map(|keys| Arc::as_ptr(keys).addr()), part);
            }
        }
        // A key has the highest priority in a group if a part defines it, and no level above does for the same part.
        let words = self.is_highest.len().div_ceil(BITS);
        let (mut had, mut highest, mut own) = (vec![0_u64; words], vec![0_u64; words], vec![0_u64; words]);
        for (group, parts) in parts.into_entries() {
            had.fill(0);
            highest.fill(0);
            for part in parts.into_values() {
                budget.steps((words + part.has.stored() + part.overridden.stored()) as u64).map_err(exhausted)?;
                own.fill(0);
                part.has.insert_into(&mut own);
                had.iter_mut().zip(&own).for_each(|(had, own)| *had |= own);
                part.overridden.remove_from(&mut own);
                highest.iter_mut().zip(&own).for_each(|(highest, own)| *highest |= own);
            }
            let count = |bits: &[u64]| bits.iter().map(|bits| bits.count_ones() as usize).sum();
            uses[group].keys = count(&had);
            uses[group].highest = count(&highest);
        }
        Ok(uses)
    }
}

/// The maximum number of groups in a map, including the nodes without the fact.
const MAX_GROUPS: usize = 24;

/// The maximum number of groups of a fact that is chosen automatically.
const MAX_AUTOMATIC_GROUPS: usize = 12;

/// The facts by which nodes can be put into groups: those with a few values, all of which more than one node has, or most nodes have
/// one. The fact comes first whose groups fit best to what nodes answer.
pub(crate) fn groupings(index: &Index, chosen: &ChosenFacts, budget: &Budget) -> Result<Vec<String>, Problem> {
    let mut facts: BTreeMap<&str, Vec<&[NodeId]>> = BTreeMap::new();
    for (name, _, nodes) in index.facts() {
        budget.step().map_err(exhausted)?;
        let values = facts.entry(name).or_default();
        // One value more than the maximum is enough to reject the fact.
        if values.len() <= MAX_AUTOMATIC_GROUPS {
            values.push(nodes);
        }
    }
    let mut rated: Vec<(bool, usize, usize, usize, &str)> = Vec::new();
    for (name, values) in facts {
        let count: usize = values.iter().map(|nodes| nodes.len()).sum();
        let has_groups = (2..=MAX_AUTOMATIC_GROUPS).contains(&values.len()) && values.len() < index.nodes.len();
        if !has_groups || count * 2 < index.nodes.len() {
            continue;
        }
        budget.steps(count as u64).map_err(exhausted)?;
        // A class whose nodes are in several groups does not fit.
        let mut group_of: HashMap<ClassId, usize> = HashMap::new();
        let mut mixed: HashSet<ClassId> = HashSet::new();
        for (group, nodes) in values.iter().enumerate() {
            for class in nodes.iter().map(|node| index.class_of(*node)) {
                if *group_of.entry(class).or_insert(group) != group {
                    mixed.insert(class);
                }
            }
        }
        // The levels differ by the facts in their paths, so these come first.
        let position = chosen.of_hierarchy.iter().position(|fact| fact == name);
        let misfits = mixed.len() + (index.nodes.len() - count.min(index.nodes.len()));
        rated.push((position.is_none(), misfits, position.unwrap_or(0), values.len(), name));
    }
    rated.sort_unstable();
    Ok(rated.into_iter().map(|(.., name)| name.to_string()).collect())
}

/// Groups the nodes by the values of a fact, the largest group first, and the nodes without the fact last. Surplus
/// groups become one.
pub(crate) fn groups(index: &Index, fact: &str) -> Result<Groups, TooManyIds> {
    let of_fact = index.facts().filter(|(name, ..)| *name == fact);
    let mut groups: Vec<Group> =
        of_fact.map(|(_, value, nodes)| Group { value: Some(value.into()), nodes: nodes.to_vec() }).collect();
    groups.sort_erased_by(|a, b| b.nodes.len().cmp(&a.nodes.len()).then_with(|| a.value.cmp(&b.value)));
    groups.truncate(MAX_GROUPS - 1);
    let rest = index.nodes_without(groups.iter().flat_map(|group| &group.nodes));
    if !rest.is_empty() {
        groups.push(Group { value: None, nodes: rest });
    }
    Groups::from_elements(groups)
}

/// Returns the nodes of a group by their class.
pub(crate) fn group_members(index: &Index, group: &Group) -> IndexVec<ClassId, Vec<NodeId>> {
    let mut members = IndexVec::from_elem(Vec::new(), index.classes());
    for node in &group.nodes {
        members[index.class_of(*node)].push(*node);
    }
    members
}

/// Returns the contribution of each level on each group.
pub(crate) fn map(
    index: &Index,
    groups: &Groups,
    budget: &Budget,
) -> Result<Vec<IndexVec<GroupId, GroupUse>>, Problem> {
    let mut groups_of: IndexVec<ClassId, Vec<(GroupId, usize)>> = IndexVec::from_elem(Vec::new(), index.classes());
    for (group, Group { nodes, .. }) in groups.entries() {
        budget.steps(nodes.len() as u64).map_err(exhausted)?;
        let mut counts: HashMap<ClassId, usize> = HashMap::new();
        for node in nodes {
            *counts.entry(index.class_of(*node)).or_default() += 1;
        }
        for (class, count) in counts {
            groups_of[class].push((group, count));
        }
    }
    index.levels.iter().map(|level| level.by_group(groups, &groups_of, budget)).collect()
}

#[cfg(test)]
mod tests {
    use hieratic::value::ids::Id;

    use super::*;

    fn id<I: Id>(index: usize) -> I {
        I::from_index(index).unwrap()
    }

    /// Keys of one letter.
    fn keys(names: &[(&str, bool)]) -> Vec<(KeyId, bool)> {
        names.iter().map(|(name, is_highest)| (id(usize::from(name.as_bytes()[0])), *is_highest)).collect()
    }

    /// The name of a key of one letter.
    fn name_of(key: KeyId) -> Arc<str> {
        char::from(u8::try_from(key.index()).unwrap()).to_string().into()
    }

    #[test]
    fn sets_of_keys_have_the_ids_that_they_are_made_of() {
        for (ids, is_many) in
            [(vec![], false), (vec![70], false), ((0..200).step_by(3).collect(), true), ((0..64).collect(), true)]
        {
            let ids: Vec<LevelKeyId> = ids.into_iter().map(id).collect();
            let set = KeySet::new(&ids);
            assert_eq!(set.iter().collect::<Vec<_>>(), ids);
            assert_eq!((set.len(), matches!(set, KeySet::Many(_))), (ids.len(), is_many), "{ids:?}");
            let keys = ids.last().map_or(0, |last| last.index() + 1);
            let mut bits = vec![0; 200_usize.div_ceil(BITS)];
            set.insert_into(&mut bits);
            assert_eq!(KeySet::Many(bits.clone().into()).iter().collect::<Vec<_>>(), ids);
            set.remove_from(&mut bits);
            assert!(bits.iter().all(|bits| *bits == 0), "{ids:?}");
            assert!(set.is_valid(keys) && set.is_valid(keys + 100));
            assert!(keys == 0 || !set.is_valid(keys - 1), "{ids:?}");
        }
        for wrong in [
            KeySet::Few([2, 1].into()),
            KeySet::Few([1, 1].into()),
            KeySet::Many([].into()),
            KeySet::Many([1, 0].into()),
        ] {
            assert!(!wrong.is_valid(200), "{wrong:?}");
        }
    }

    #[test]
    fn levels_are_counted_per_group() {
        let mut level = Level::new(None, "Hierarchy entry \"Common\"".into());
        let path: Arc<Path> = Path::new("common.yaml").into();
        level.read(id(0), &path, keys(&[("a", true), ("b", true)])).unwrap();
        level.read(id(1), &path, keys(&[("a", false), ("b", true)])).unwrap();
        level.read(id(2), &path, keys(&[("a", false), ("b", false)])).unwrap();
        let members = [vec![id(0), id(1)], vec![id(2)], vec![id(3)]];
        let used = level.used(&IndexVec::from_elements(members).unwrap(), &name_of);
        assert_eq!((used.nodes, used.files, used.keys(), used.highest()), (4, 1, 2, 2));
        let members = IndexVec::from_elements([vec![id(0), id(1)], vec![id(2)], vec![id(3)]]).unwrap();
        let keys = used.key_uses(&members, &Budget::default()).unwrap();
        let row = |key: &LevelKey| (key.name.to_string(), key.is_highest, key.nodes, key.below);
        assert_eq!(keys.iter().map(row).collect::<Vec<_>>(), [("a".into(), true, 4, 2), ("b".into(), true, 4, 1)]);
        // Two groups: the nodes of the first two classes, and those of the last.
        let groups: IndexVec<GroupId, ()> = IndexVec::from_elements([(), (), ()]).unwrap();
        let groups_of = IndexVec::from_elements([vec![(id(0), 2)], vec![(id(0), 1)], vec![(id(1), 1)]]).unwrap();
        let uses = used.by_group(&groups, &groups_of, &Budget::default()).unwrap();
        let row = |one: &GroupUse| (one.nodes, one.keys, one.highest);
        assert_eq!(uses.iter().map(row).collect::<Vec<_>>(), [(3, 2, 2), (1, 2, 0), (0, 0, 0)]);
    }

    #[test]
    fn a_key_in_two_files_of_a_level_does_not_override_itself() {
        let mut level = Level::new(None, "Common".into());
        let [first, second]: [Arc<Path>; 2] = ["a.yaml", "b.yaml"].map(|name| Path::new(name).into());
        level.read(id(0), &first, keys(&[("a", true)])).unwrap();
        level.read(id(0), &second, keys(&[("a", false), ("b", false)])).unwrap();
        let used = level.used(&IndexVec::from_elements([vec![id(0)]]).unwrap(), &name_of);
        let groups: IndexVec<GroupId, ()> = IndexVec::from_elements([()]).unwrap();
        let groups_of = IndexVec::from_elements([vec![(id(0), 1)]]).unwrap();
        let uses = used.by_group(&groups, &groups_of, &Budget::default()).unwrap();
        let uses: Vec<&GroupUse> = uses.iter().collect();
        assert_eq!((uses[0].nodes, uses[0].keys, uses[0].highest), (1, 2, 1));
    }
}
