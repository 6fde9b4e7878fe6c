//! # lookup-cycle
//!
//! Keys look each other up in a circle. (error)
//!
//! ## What is found
//!
//! Values lead back to themselves through `lookup`, `hiera` or `alias`. Hieratic confirms each suspected cycle with a
//! real lookup, for the given nodes, or for a node whose variables match the paths of the files. If no node reads all
//! files of a cycle, it is not reported.
//!
//! ## Why it matters
//!
//! Every lookup of one of the keys fails with `Recursive lookup detected`.
//!
//! ## How to fix it
//!
//! Write the literal value in one of the places.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! a: "%{lookup('b')}"
//! b: "%{lookup('a')}"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! a: "%{lookup('b')}"
//! b: value
//! ```
//!
//! A comment `# hieratic: ignore lookup-cycle` on the same line or the line before accepts the finding.

use std::sync::Arc;

use hieratic::Query;
use hieratic::hiera::codes;
use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::workspace::Workspace;
use crate::workspace::data::DataFile;
use crate::workspace::nodes::{SampleNode, SampleNodes, synthetic_node};
use crate::workspace::pattern::{Bindings, together};

/// A key that a value names.
struct Edge {
    file: usize,
    to: String,
    written: String,
    start: usize,
}

/// Finds every cycle of keys. A finding is at the first key of its cycle.
///
/// Which keys name which is known from the files; that a circle really closes is known only from a lookup, because the
/// values of one node come from some files only. So every suspicion is tried, on nodes that read the files in question.
pub(super) fn check(cx: &RuleContext<'_>) {
    let edges = edges(&cx.workspace.files);
    let mut reported: HashSet<Vec<&str>> = HashSet::default();
    for circle in circles(&edges) {
        let mut members: Vec<&str> = circle.clone();
        members.sort_unstable();
        if reported.contains(&members) {
            continue;
        }
        if let Some(finding) = tried(cx.workspace, cx.nodes, &edges, &circle) {
            reported.insert(members);
            cx.report(finding);
        }
    }
}

fn edges(files: &[Arc<DataFile>]) -> HashMap<String, Vec<Edge>> {
    let mut edges: HashMap<String, Vec<Edge>> = HashMap::default();
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.may_interpolate()) {
        for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
            for found in interpolations(text.text) {
                let (InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }) = found.kind else {
                    continue;
                };
                let Ok(key) = Key::parse(&key) else { continue };
                let written = text.text[found.range].to_owned();
                let edge = Edge { file: index, to: key.root().to_string(), written, start: text.start };
                edges.entry(text.key.to_owned()).or_default().push(edge);
            }
        }
    }
    edges
}

/// The most keys of a long cycle that are listed.
const SHOWN: usize = 5;

/// The length of cycles above which only one is sought among keys that reach each other. Real cycles are shorter.
const LONG: usize = 64;

/// The keys that can reach themselves, each with the shortest way around; of a long circle, one of its keys.
fn circles(edges: &HashMap<String, Vec<Edge>>) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for group in groups(edges) {
        let members: HashSet<&str> = group.iter().copied().collect();
        let mut left = members.clone();
        for start in group {
            if !left.contains(start) {
                continue;
            }
            let Some(circle) = around(edges, &members, start) else { continue };
            if circle.len() > LONG {
                // Its other keys go the same way.
                for key in &circle {
                    left.remove(key);
                }
            }
            found.push(circle);
            if members.len() > LONG * LONG {
                // In such a tangle, single cycles are of no help.
                break;
            }
        }
    }
    found.sort_erased_by(|a, b| a.first().cmp(&b.first()));
    found
}

/// The strongly connected components of keys that reach themselves, each sorted.
///
/// This is the algorithm of Tarjan, by a list in place of recursion: chains of keys are as long as data is.
fn groups(edges: &HashMap<String, Vec<Edge>>) -> Vec<Vec<&str>> {
    struct Visit<'e> {
        key: &'e str,
        next: usize,
    }
    #[derive(Clone, Copy)]
    struct Mark {
        number: usize,
        lowest: usize,
        open: bool,
    }
    let mut starts: Vec<&str> = edges.keys().map(String::as_str).collect();
    starts.sort_unstable();
    let mut marks: HashMap<&str, Mark> = HashMap::default();
    let mut open: Vec<&str> = Vec::new();
    let mut groups = Vec::new();
    for start in starts {
        if marks.contains_key(start) {
            continue;
        }
        let mut visits = vec![Visit { key: start, next: 0 }];
        while let Some(Visit { key, next }) = visits.last_mut() {
            work::done(1);
            let (key, at) = (*key, *next);
            *next += 1;
            if at == 0 {
                let number = marks.len();
                marks.insert(key, Mark { number, lowest: number, open: true });
                open.push(key);
            }
            let lowest = |marks: &mut HashMap<&str, Mark>, of: &str, other: usize| {
                if let Some(mark) = marks.get_mut(of) {
                    mark.lowest = mark.lowest.min(other);
                }
            };
            if let Some(edge) = edges.get(key).and_then(|edges| edges.get(at)) {
                match (edges.get_key_value(&edge.to), marks.get(edge.to.as_str())) {
                    (Some((to, _)), None) => visits.push(Visit { key: to, next: 0 }),
                    (_, Some(mark)) if mark.open => {
                        let number = mark.number;
                        lowest(&mut marks, key, number);
                    }
                    _ => {}
                }
                continue;
            }
            visits.pop();
            let Some(mark) = marks.get(key).copied() else { continue };
            if let Some(before) = visits.last() {
                lowest(&mut marks, before.key, mark.lowest);
            }
            if mark.lowest < mark.number {
                continue;
            }
            let mut group = Vec::new();
            while let Some(member) = open.pop() {
                if let Some(mark) = marks.get_mut(member) {
                    mark.open = false;
                }
                group.push(member);
                if member == key {
                    break;
                }
            }
            let names_itself = |key: &str| edges.get(key).is_some_and(|edges| edges.iter().any(|edge| edge.to == key));
            if group.len() > 1 || names_itself(key) {
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}

/// The shortest way around through the keys of a group.
fn around<'e>(edges: &'e HashMap<String, Vec<Edge>>, group: &HashSet<&str>, start: &'e str) -> Option<Vec<&'e str>> {
    let mut from: HashMap<&str, &str> = HashMap::default();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(key) = open.pop_front() {
        for edge in edges.get(key).into_iter().flatten() {
            work::done(1);
            if edge.to == start {
                let mut way = vec![key];
                while let Some(before) = way.last().filter(|last| **last != start).and_then(|last| from.get(last)) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if group.contains(edge.to.as_str()) && !from.contains_key(edge.to.as_str()) {
                from.insert(&edge.to, key);
                open.push_back(&edge.to);
            }
        }
    }
    None
}

/// Counts the edges that were followed, for tests of the complexity.
mod work {
    #[cfg(test)]
    thread_local! {
        static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[cfg(test)]
    pub(super) fn done(edges: usize) {
        DONE.with(|done| done.set(done.get() + edges));
    }

    #[cfg(not(test))]
    pub(super) fn done(_: usize) {}

    #[cfg(test)]
    pub(super) fn measure<T>(compute: impl FnOnce() -> T) -> (T, usize) {
        let before = DONE.with(std::cell::Cell::get);
        let outcome = compute();
        (outcome, DONE.with(std::cell::Cell::get) - before)
    }
}

/// The finding, if a lookup confirms the circle.
fn tried(
    workspace: &Workspace,
    known: &SampleNodes<'_>,
    edges: &HashMap<String, Vec<Edge>>,
    circle: &[&str],
) -> Option<Finding> {
    let first = circle.first()?;
    let confirms_cycle = |sample: &SampleNode<'_>| {
        let answer = sample.node().lookup(&Query::new(first));
        // A circle may be longer than lookups may nest.
        let is_circle = |code| code == codes::RECURSIVE_LOOKUP || code == codes::LOOKUP_DEPTH && circle.len() > LONG;
        matches!(answer, Err(error) if is_circle(error.code()))
    };
    let steps: Vec<&Edge> = circle
        .iter()
        .enumerate()
        .filter_map(|(at, key)| {
            let next = circle.get(at + 1).or(circle.first())?;
            edges.get(*key)?.iter().find(|edge| edge.to == *next)
        })
        .collect();
    let edge = steps.first()?;
    let found = if known.nodes.is_empty() {
        candidates(workspace, edges, circle)
            .iter()
            .filter_map(|bindings| synthetic_node(workspace, bindings))
            .any(|t| confirms_cycle(&t))
    } else {
        known.nodes.iter().any(|known| confirms_cycle(&SampleNode::Given(&known.node)))
    };
    if !found {
        return None;
    }
    let file = &workspace.files[edge.file];
    let message = match circle {
        [key] => format!("The key '{key}' looks itself up"),
        _ if circle.len() <= LONG => {
            let way: Vec<&str> = circle.iter().copied().chain([*first]).collect();
            format!("The keys look each other up in a circle: {}", way.join(" -> "))
        }
        [.., last] => {
            let (begin, others) = (&circle[..SHOWN], circle.len() - SHOWN - 1);
            let begin = begin.join(" -> ");
            format!("The keys look each other up in a circle: {begin} -> ({others} others) -> {last} -> {first}")
        }
        [] => return None,
    };
    let mut finding =
        Finding::new(&rules::LOOKUP_CYCLE, message).at(&file.source, file.find(edge.start, &edge.written), "");
    let shown = if circle.len() <= LONG { LONG } else { SHOWN };
    for step in steps.iter().skip(1).take(shown) {
        let file = &workspace.files[step.file];
        finding = finding.related(&file.source, file.find(step.start, &step.written), "which leads on here");
    }
    Some(finding.help("write the value out in one of the places"))
}

/// The values of variables with which a node reads a file for every step of the cycle: one choice for each file of the
/// first step, joined with compatible choices for the others.
fn candidates(workspace: &Workspace, edges: &HashMap<String, Vec<Edge>>, circle: &[&str]) -> Vec<Bindings> {
    const MOST: usize = 64;
    let mut all: Vec<Bindings> = vec![Bindings::new()];
    for (at, key) in circle.iter().enumerate() {
        let next = circle.get(at + 1).or(circle.first()).copied().unwrap_or_default();
        let files = edges.get(*key).into_iter().flatten().filter(|edge| edge.to == next).map(|edge| edge.file);
        let reaches: Vec<&Bindings> =
            files.flat_map(|file| workspace.files[file].reached.iter().map(|reach| &reach.bindings)).collect();
        let mut joined: Vec<Bindings> =
            all.iter().flat_map(|known| reaches.iter().filter_map(|reach| together(known, reach))).collect();
        joined.dedup();
        joined.truncate(MOST);
        all = joined;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges between keys by their numbers.
    fn graph(pairs: impl IntoIterator<Item = (usize, usize)>) -> HashMap<String, Vec<Edge>> {
        let mut edges: HashMap<String, Vec<Edge>> = HashMap::default();
        for (from, to) in pairs {
            let edge = Edge { file: 0, to: format!("k{to:06}"), written: String::new(), start: 0 };
            edges.entry(format!("k{from:06}")).or_default().push(edge);
        }
        edges
    }

    #[test]
    fn every_short_cycle_is_found_from_each_of_its_keys() {
        let edges = graph([(0, 1), (1, 2), (2, 1), (3, 3), (2, 4), (4, 1)]);
        let found = circles(&edges);
        let names: Vec<String> = found.iter().map(|circle| circle.join(" ").replace("k00000", "")).collect();
        assert_eq!(names, ["1 2", "2 1", "3", "4 1 2"]);
    }

    #[test]
    fn the_work_grows_with_the_edges() {
        let work = |pairs: &dyn Fn(usize) -> Vec<(usize, usize)>, count: usize| {
            let edges = graph(pairs(count));
            work::measure(|| circles(&edges).len())
        };
        let chain = |count: usize| (0..count).map(|key| (key, key + 1)).collect::<Vec<_>>();
        let ring = |count: usize| (0..count).map(|key| (key, (key + 1) % count)).collect::<Vec<_>>();
        for (pairs, expected) in [(&chain as &dyn Fn(usize) -> Vec<(usize, usize)>, 0), (&ring, 1)] {
            let ((found, small), (_, large)) = (work(pairs, 500), work(pairs, 5_000));
            assert_eq!(found, expected);
            assert!(small >= 500 && large <= 11 * small, "{small} and {large}");
        }
    }
}
