//! [`merge_views`]: the comparisons of several environments as one.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use hieratic::value::Str;

use crate::sides::Sides;
use crate::uncompared::Uncompared;
use crate::view::{ChangeEntry, CountedSets, LoneEnvironment, NodeGroup, View};

/// The comparisons of the environments of a repository as one, in which one and the same change is shown once, with the
/// names of the environments that it is in. All of them are about the same nodes. `lone` are the environments that one
/// side alone has. The comparison of the only environment stays as it is.
pub fn merge_views(mut views: Vec<(Str, View)>, lone: Vec<LoneEnvironment>, sides: &Sides) -> View {
    if views.len() == 1 && lone.is_empty() {
        return views.swap_remove(0).1;
    }
    let environments: Vec<Str> = views.iter().map(|(name, _)| name.clone()).collect();
    let mut all = View { names: sides.names.clone(), environments, lone, ..View::default() };
    let (mut groups, mut broken, mut catalogs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut parameters, mut findings, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut parts = CountedSets::default();
    let mut failing: Option<BTreeSet<usize>> = None;
    for (name, view) in views {
        all.nodes = all.nodes.max(view.nodes);
        all.classes += view.classes;
        all.are_synthetic |= view.are_synthetic;
        all.has_catalogs |= view.has_catalogs;
        all.failures += view.failures;
        all.ignored.extend(view.ignored);
        parts.touched.extend(view.parts.touched);
        parts.keys.extend(view.parts.keys);
        parts.resources.extend(view.parts.resources);
        parts.uncompared.add(view.parts.uncompared);
        failing = Some(match failing {
            // Of a node that works in one environment something is known.
            Some(others) => others.intersection(&view.parts.failing).copied().collect(),
            None => view.parts.failing,
        });
        groups.extend(view.groups.into_iter().map(|group| (name.clone(), group)));
        broken.extend(view.broken.into_iter().map(|group| (name.clone(), group)));
        catalogs.extend(view.catalogs.into_iter().map(|group| (name.clone(), group)));
        parameters.extend(view.parameters.into_iter().map(|parameter| (name.clone(), parameter)));
        findings.extend(view.findings.into_iter().map(|finding| (name.clone(), finding)));
        notes.extend(view.parts.notes.into_iter().map(|note| (name.clone(), note)));
    }
    (all.touched, all.keys, all.resources) = (parts.touched.len(), parts.keys.len(), parts.resources.len());
    all.failing = failing.as_ref().map_or(0, BTreeSet::len);
    all.groups = grouped(groups, &all);
    all.broken = grouped(broken, &all);
    all.catalogs = grouped(catalogs, &all);
    let merged = merge_equal(parameters);
    all.parameters = merged.into_iter().map(|(mut one, names)| (one.environments = names, one).1).collect();
    let merged = merge_equal(findings);
    all.findings = merged.into_iter().map(|(mut one, names)| (one.environments = names, one).1).collect();
    all.notes = sides.notes();
    all.notes.extend(parts.uncompared.notes());
    let merged = merge_equal(notes).into_iter().map(|(note, names)| format!("{note}{}", all.within(&names)));
    all.notes.extend(merged.collect::<Vec<_>>());
    all.parts = CountedSets { uncompared: Uncompared::default(), ..parts };
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

/// The identity of a group: everything except its changes.
type GroupIdentity = (String, usize, Option<Vec<(String, String)>>, Vec<Str>, [Option<String>; 2], bool);

/// Merges the groups of all environments: equal changes on the same nodes become one. The largest groups come first.
fn grouped(groups: Vec<(Str, NodeGroup)>, view: &View) -> Vec<NodeGroup> {
    let mut changes: Vec<(Str, (GroupIdentity, Option<ChangeEntry>))> = Vec::new();
    for (name, group) in groups {
        let identity: GroupIdentity =
            (group.title, group.count, group.facts, group.names, group.reasons, group.is_catalog);
        match group.changes.is_empty() {
            true => changes.push((name, (identity, None))),
            false => {
                changes.extend(group.changes.into_iter().map(|change| (name.clone(), (identity.clone(), Some(change)))))
            }
        }
    }
    let mut known: HashMap<(GroupIdentity, Vec<Str>), usize> = HashMap::new();
    let mut found: Vec<NodeGroup> = Vec::new();
    for ((identity, change), environments) in merge_equal(changes) {
        let next = found.len();
        let at = *known.entry((identity.clone(), environments.clone())).or_insert(next);
        if at == next {
            let (title, count, facts, names, reasons, is_catalog) = identity;
            let title = format!("{title}{}", view.within(&environments));
            let changes = Vec::new();
            found.push(NodeGroup { title, environments, count, facts, names, changes, reasons, is_catalog });
        }
        if let Some(group) = found.get_mut(at) {
            group.changes.extend(change);
        }
    }
    found.sort_by_key(|group| std::cmp::Reverse(group.count));
    found
}
