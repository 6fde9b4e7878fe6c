//! [`merge_reports`]: merges the reports of several environments.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use hieratic::value::ErasedSort as _;
use hieratic::value::Str;

use crate::change::Change;
use crate::report::{ChangeGroup, CountedSets, LoneEnvironment, NodeSet, Report};
use crate::sides::Sides;
use crate::uncompared::Uncompared;

/// Merges the reports of the environments of a repository, which must be about the same nodes. Equal changes become one
/// change with the names of its environments. `lone` are the environments that only one side has. A single report is
/// returned unchanged.
pub fn merge_reports(mut reports: Vec<(Str, Report)>, lone: Vec<LoneEnvironment>, sides: &Sides) -> Report {
    if reports.len() == 1 && lone.is_empty() {
        return reports.swap_remove(0).1;
    }
    let environments: Vec<Str> = reports.iter().map(|(name, _)| name.clone()).collect();
    let mut all = Report { names: sides.names.clone(), environments, lone, ..Report::default() };
    let (mut groups, mut notes) = (Vec::new(), Vec::new());
    let mut counted = CountedSets::default();
    let mut failing: Option<BTreeSet<usize>> = None;
    for (name, report) in reports {
        all.summary.nodes = all.summary.nodes.max(report.summary.nodes);
        all.summary.classes += report.summary.classes;
        all.summary.are_synthetic |= report.summary.are_synthetic;
        all.summary.failures += report.summary.failures;
        all.has_catalogs |= report.has_catalogs;
        all.ignored.extend(report.ignored);
        counted.nodes.extend(report.counted.nodes);
        counted.keys.extend(report.counted.keys);
        counted.resources.extend(report.counted.resources);
        counted.uncompared.add(report.counted.uncompared);
        counted.is_uncertain |= report.counted.is_uncertain;
        failing = Some(match failing {
            // Of a node that works in one environment something is known.
            Some(others) => others.intersection(&report.counted.failing).copied().collect(),
            None => report.counted.failing,
        });
        groups.extend(report.groups.into_iter().map(|group| (name.clone(), group)));
        notes.extend(report.counted.notes.into_iter().map(|note| (name.clone(), note)));
    }
    all.summary.changed_nodes = counted.nodes.len();
    all.summary.changed_keys = counted.keys.len();
    all.summary.changed_resources = counted.resources.len();
    all.failing = failing.as_ref().map_or(0, BTreeSet::len);
    all.groups = merge_groups(groups);
    let merged = merge_equal(notes).into_iter().map(|(note, names)| format!("{note}{}", all.within(&names)));
    all.notes = merged.collect();
    all.notes.extend(sides.notes());
    all.notes.extend(counted.uncompared.notes());
    all.counted = CountedSets { uncompared: Uncompared::default(), ..counted };
    all
}

/// Merges equal elements of several environments into one with the names of the environments. Keeps the order of the
/// first occurrences.
fn merge_equal<T: Clone + Eq + Hash>(all: Vec<(Str, T)>) -> Vec<(T, Vec<Str>)> {
    let mut known: HashMap<T, usize> = HashMap::new();
    let mut found: Vec<(T, Vec<Str>)> = Vec::new();
    for (name, one) in all {
        let next = found.len();
        let at = *known.entry(one.clone()).or_insert(next);
        match found.get_mut(at) {
            Some((_, names)) if !names.contains(&name) => names.push(name),
            Some(_) => {}
            None => found.push((one, vec![name])),
        }
    }
    found
}

/// The identity of a group: its kind, the number of its set of nodes, and its environments.
type GroupIdentity = (&'static str, usize, Vec<Str>);

/// Merges the groups of all environments: equal changes on the same nodes become one. The largest groups come first.
fn merge_groups(groups: Vec<(Str, ChangeGroup)>) -> Vec<ChangeGroup> {
    // Many changes are on the same nodes, and a set may have all nodes.
    let mut sets: Vec<Option<NodeSet>> = Vec::new();
    let mut numbers: HashMap<Option<NodeSet>, usize> = HashMap::new();
    let mut changes: Vec<(Str, (usize, Change))> = Vec::new();
    for (name, group) in groups {
        let number = *numbers.entry(group.nodes.clone()).or_insert_with(|| {
            sets.push(group.nodes);
            sets.len() - 1
        });
        changes.extend(group.changes.into_iter().map(|change| (name.clone(), (number, change))));
    }
    let mut known: HashMap<GroupIdentity, usize> = HashMap::new();
    let mut found: Vec<ChangeGroup> = Vec::new();
    for ((number, change), environments) in merge_equal(changes) {
        let kind = change.kind();
        let identity = (kind.list, number, environments.clone());
        let at = known.get(&identity).filter(|_| kind.is_grouped);
        match at.and_then(|at| found.get_mut(*at)) {
            Some(group) => group.changes.push(change),
            None => {
                known.insert(identity, found.len());
                let nodes = sets.get(number).cloned().flatten();
                found.push(ChangeGroup { nodes, environments, changes: vec![change] });
            }
        }
    }
    found.sort_erased_by_key(|group| Reverse(group.count()));
    found
}
