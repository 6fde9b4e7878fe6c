//! [`LevelUse`]: the contribution of a level of the hierarchies, on all nodes and on groups of them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::value::Str;

use crate::fleet::Index;
use crate::nodes::exhausted;
use crate::problem::Problem;

/// The ids of keys in a level, sorted. Classes with the same keys share the list.
type Keys = Arc<[u32]>;

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
    /// The number of keys that these files define.
    pub(crate) keys: usize,
    /// The number of keys for which the level has the highest priority on some node.
    pub(crate) highest: usize,
    parts: Arc<BTreeMap<u32, ClassKeys>>,
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
    pub(crate) nodes: Vec<u32>,
}

/// A level, with what nodes read there, while an index is made.
pub(crate) struct Level {
    pub(crate) module: Option<Str>,
    pub(crate) label: Str,
    files: HashSet<Arc<Path>>,
    /// Maps the ids of keys in the index to their ids in the level.
    keys: HashMap<u32, u32>,
    /// For each key, whether the level is the highest that defines it on some node.
    highest: Vec<bool>,
    parts: Arc<BTreeMap<u32, ClassKeys>>,
    shared: HashSet<Keys>,
}

impl Level {
    pub(crate) fn new(module: Option<Str>, label: Str) -> Level {
        Level {
            module,
            label,
            files: HashSet::new(),
            keys: HashMap::new(),
            highest: Vec::new(),
            parts: Arc::default(),
            shared: HashSet::new(),
        }
    }

    /// Notes a file that the nodes of a class read, and its keys with whether no level above has them; how many bytes that takes.
    pub(crate) fn read(&mut self, class: u32, path: &Arc<Path>, keys: Vec<(u32, bool)>) -> usize {
        self.files.insert(path.clone());
        let before = self.parts.get(&class);
        let mut has: Vec<u32> = before.map(|part| part.has.to_vec()).unwrap_or_default();
        let mut overridden: Vec<u32> = before.map(|part| part.overridden.to_vec()).unwrap_or_default();
        for (key, is_highest) in keys {
            let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
            let id = *self.keys.entry(key).or_insert(next);
            if id == next {
                self.highest.push(false);
            }
            has.push(id);
            match is_highest {
                true => self.highest[id as usize] = true,
                false => overridden.push(id),
            }
        }
        // A key in several files of the level is only overridden in the files after the first.
        has.sort_unstable();
        let is_repeated: HashSet<u32> = has.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        has.dedup();
        overridden.sort_unstable();
        overridden.dedup();
        if !is_repeated.is_empty() {
            let old = before.map(|part| part.overridden.clone()).unwrap_or_default();
            overridden.retain(|id| !is_repeated.contains(id) || old.binary_search(id).is_ok());
        }
        let mut bytes = size_of::<(u32, ClassKeys)>();
        let part = ClassKeys { has: self.kept(has, &mut bytes), overridden: self.kept(overridden, &mut bytes) };
        Arc::make_mut(&mut self.parts).insert(class, part);
        bytes
    }

    fn kept(&mut self, keys: Vec<u32>, bytes: &mut usize) -> Keys {
        if let Some(known) = self.shared.get(keys.as_slice()) {
            return known.clone();
        }
        *bytes += keys.len() * size_of::<u32>();
        let keys: Keys = keys.into();
        self.shared.insert(keys.clone());
        keys
    }

    /// Returns the contribution of the level on the nodes of each class, as far as they have been read.
    pub(crate) fn used(&self, members: &[Vec<u32>]) -> LevelUse {
        let name = self.label.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"'));
        LevelUse {
            module: self.module.as_ref().map(Str::to_string),
            level: name.unwrap_or(&self.label).to_string(),
            nodes: self.parts.keys().filter_map(|class| members.get(*class as usize)).map(Vec::len).sum(),
            files: self.files.len(),
            keys: self.keys.len(),
            highest: self.highest.iter().filter(|is_highest| **is_highest).count(),
            parts: self.parts.clone(),
        }
    }
}

impl LevelUse {
    /// Returns the contribution of the level on some groups of nodes. `groups_of` returns for each class its groups,
    /// with the number of its nodes in each.
    fn by_group(
        &self,
        groups_of: &[Vec<(usize, usize)>],
        count: usize,
        budget: &Budget,
    ) -> Result<Vec<GroupUse>, Problem> {
        let mut uses = vec![GroupUse::default(); count];
        // Equal parts share their keys, so the address of the keys identifies a part.
        let mut parts: Vec<HashMap<[usize; 2], &ClassKeys>> = vec![HashMap::new(); count];
        for (class, part) in self.parts.iter() {
            for (group, nodes) in groups_of.get(*class as usize).into_iter().flatten() {
                budget.step().map_err(exhausted)?;
                uses[*group].nodes += nodes;
                parts[*group].insert([&part.has, &part.overridden].map(|keys| Arc::as_ptr(keys).addr()), part);
            }
        }
        // For each key of the current group, the number of parts that define it, and of parts in which it is
        // overridden. Most parts have the same keys, which are counted once for all of them.
        let mut had = vec![0_u32; self.keys];
        let mut overridden = vec![0_u32; self.keys];
        for (group, parts) in parts.into_iter().enumerate() {
            had.fill(0);
            overridden.fill(0);
            let mut with: HashMap<usize, (&Keys, u32)> = HashMap::new();
            for part in parts.into_values() {
                with.entry(Arc::as_ptr(&part.has).addr()).or_insert((&part.has, 0)).1 += 1;
                budget.steps(part.overridden.len() as u64).map_err(exhausted)?;
                for id in part.overridden.iter() {
                    if let Some(count) = overridden.get_mut(*id as usize) {
                        *count += 1;
                    }
                }
            }
            for (keys, times) in with.into_values() {
                budget.steps(keys.len() as u64).map_err(exhausted)?;
                for id in keys.iter() {
                    if let Some(count) = had.get_mut(*id as usize) {
                        *count += times;
                    }
                }
            }
            uses[group].keys = had.iter().filter(|count| **count > 0).count();
            uses[group].highest = had.iter().zip(&overridden).filter(|(had, overridden)| had > overridden).count();
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
pub(crate) fn groupings(index: &Index, budget: &Budget) -> Result<Vec<String>, Problem> {
    let mut facts: BTreeMap<&str, Vec<&[u32]>> = BTreeMap::new();
    for (name, _, nodes) in index.facts() {
        budget.step().map_err(exhausted)?;
        let values = facts.entry(name).or_default();
        // One value more than the maximum is enough to reject the fact.
        if values.len() <= MAX_AUTOMATIC_GROUPS {
            values.push(nodes);
        }
    }
    let mut rated: Vec<(usize, usize, &str)> = Vec::new();
    let class_of = classes_of(index);
    for (name, values) in facts {
        let covered: usize = values.iter().map(|nodes| nodes.len()).sum();
        let has_groups = (2..=MAX_AUTOMATIC_GROUPS).contains(&values.len()) && values.len() < index.nodes.len();
        if !has_groups || covered * 2 < index.nodes.len() {
            continue;
        }
        budget.steps(covered as u64).map_err(exhausted)?;
        // A class whose nodes are in several groups does not fit.
        let mut group_of: HashMap<u32, usize> = HashMap::new();
        let mut mixed: HashSet<u32> = HashSet::new();
        for (group, nodes) in values.iter().enumerate() {
            for class in nodes.iter().filter_map(|node| class_of.get(*node as usize)) {
                if *group_of.entry(*class).or_insert(group) != group {
                    mixed.insert(*class);
                }
            }
        }
        rated.push((mixed.len() + (index.nodes.len() - covered.min(index.nodes.len())), values.len(), name));
    }
    rated.sort_unstable();
    Ok(rated.into_iter().map(|(_, _, name)| name.to_string()).collect())
}

/// The class of each node.
fn classes_of(index: &Index) -> Vec<u32> {
    let mut class_of = vec![0; index.nodes.len()];
    for (class, nodes) in index.classes().iter().enumerate() {
        for node in nodes {
            if let Some(of) = class_of.get_mut(*node as usize) {
                *of = u32::try_from(class).unwrap_or(u32::MAX);
            }
        }
    }
    class_of
}

/// Groups the nodes by the values of a fact, the largest group first, and the nodes without the fact last. Surplus
/// groups become one.
pub(crate) fn groups(index: &Index, fact: &str) -> Vec<Group> {
    let of_fact = index.facts().filter(|(name, ..)| *name == fact);
    let mut groups: Vec<Group> =
        of_fact.map(|(_, value, nodes)| Group { value: Some(value.into()), nodes: nodes.to_vec() }).collect();
    groups.sort_by(|a, b| b.nodes.len().cmp(&a.nodes.len()).then_with(|| a.value.cmp(&b.value)));
    groups.truncate(MAX_GROUPS - 1);
    let mut has = vec![false; index.nodes.len()];
    for node in groups.iter().flat_map(|group| &group.nodes) {
        if let Some(has) = has.get_mut(*node as usize) {
            *has = true;
        }
    }
    let rest: Vec<u32> = (0_u32..).zip(&has).filter(|(_, has)| !**has).map(|(node, _)| node).collect();
    if !rest.is_empty() {
        groups.push(Group { value: None, nodes: rest });
    }
    groups
}

/// Returns the contribution of each level on each group.
pub(crate) fn map(index: &Index, groups: &[Group], budget: &Budget) -> Result<Vec<Vec<GroupUse>>, Problem> {
    let class_of = classes_of(index);
    let mut groups_of: Vec<Vec<(usize, usize)>> = vec![Vec::new(); index.classes().len()];
    for (group, of) in groups.iter().enumerate() {
        budget.steps(of.nodes.len() as u64).map_err(exhausted)?;
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for class in of.nodes.iter().filter_map(|node| class_of.get(*node as usize)) {
            *counts.entry(*class).or_default() += 1;
        }
        for (class, count) in counts {
            if let Some(groups) = groups_of.get_mut(class as usize) {
                groups.push((group, count));
            }
        }
    }
    index.levels.iter().map(|level| level.by_group(&groups_of, groups.len(), budget)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of one letter.
    fn keys(names: &[(&str, bool)]) -> Vec<(u32, bool)> {
        names.iter().map(|(name, is_highest)| (u32::from(name.as_bytes()[0]), *is_highest)).collect()
    }

    #[test]
    fn levels_are_counted_per_group() {
        let mut level = Level::new(None, "Hierarchy entry \"Common\"".into());
        let path: Arc<Path> = Path::new("common.yaml").into();
        level.read(0, &path, keys(&[("a", true), ("b", true)]));
        level.read(1, &path, keys(&[("a", false), ("b", true)]));
        level.read(2, &path, keys(&[("a", false), ("b", false)]));
        let members = [vec![0, 1], vec![2], vec![3]];
        let used = level.used(&members);
        assert_eq!((used.nodes, used.files, used.keys, used.highest), (4, 1, 2, 2));
        // Two groups: the nodes of the first two classes, and those of the last.
        let groups_of = [vec![(0, 2)], vec![(0, 1)], vec![(1, 1)]];
        let uses = used.by_group(&groups_of, 3, &Budget::default()).unwrap();
        let row = |one: &GroupUse| (one.nodes, one.keys, one.highest);
        assert_eq!(uses.iter().map(row).collect::<Vec<_>>(), [(3, 2, 2), (1, 2, 0), (0, 0, 0)]);
    }

    #[test]
    fn a_key_in_two_files_of_a_level_does_not_override_itself() {
        let mut level = Level::new(None, "Common".into());
        let [first, second]: [Arc<Path>; 2] = ["a.yaml", "b.yaml"].map(|name| Path::new(name).into());
        level.read(0, &first, keys(&[("a", true)]));
        level.read(0, &second, keys(&[("a", false), ("b", false)]));
        let used = level.used(&[vec![0]]);
        let uses = used.by_group(&[vec![(0, 1)]], 1, &Budget::default()).unwrap();
        assert_eq!((uses[0].nodes, uses[0].keys, uses[0].highest), (1, 2, 1));
    }
}
