//! Keys that look each other up in a circle.
//!
//! Which keys name which is known from the files; that a circle really closes is known only from a lookup, because the
//! values of one node come from some files only. So every suspicion is tried, on nodes that read the files in question.

use hieratic::{Key, Query};
use hieratic_hiera::inspect::{InterpolationKind, interpolations};
use rustc_hash::{FxHashMap, FxHashSet};

use super::data::DataFile;
use super::known::{Known, Trial, made};
use super::pattern::{Bindings, together};
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// A key that a value names.
struct Edge {
    file: usize,
    to: String,
    written: String,
    start: usize,
}

/// Every circle of keys, told where it begins.
pub(super) fn check(repository: &Repository, _: &Code, known: &Known<'_>, _: &Options) -> Vec<Finding> {
    let edges = edges(&repository.files);
    let mut findings = Vec::new();
    let mut told: FxHashSet<Vec<&str>> = FxHashSet::default();
    for circle in circles(&edges) {
        let mut members: Vec<&str> = circle.clone();
        members.sort_unstable();
        if told.contains(&members) {
            continue;
        }
        if let Some(finding) = tried(repository, known, &edges, &circle) {
            told.insert(members);
            findings.push(finding);
        }
    }
    findings
}

fn edges(files: &[DataFile]) -> FxHashMap<String, Vec<Edge>> {
    let mut edges: FxHashMap<String, Vec<Edge>> = FxHashMap::default();
    for (index, file) in files.iter().enumerate() {
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

/// The keys that can reach themselves, each with the shortest way around.
fn circles(edges: &FxHashMap<String, Vec<Edge>>) -> Vec<Vec<&str>> {
    let mut starts: Vec<&str> = edges.keys().map(String::as_str).collect();
    starts.sort_unstable();
    starts.into_iter().filter_map(|start| around(edges, start)).collect()
}

fn around<'e>(edges: &'e FxHashMap<String, Vec<Edge>>, start: &'e str) -> Option<Vec<&'e str>> {
    let mut from: FxHashMap<&str, &str> = FxHashMap::default();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(key) = open.pop_front() {
        for edge in edges.get(key).into_iter().flatten() {
            if edge.to == start {
                let mut way = vec![key];
                while let Some(before) = way.last().filter(|last| **last != start).and_then(|last| from.get(last)) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if !from.contains_key(edge.to.as_str()) && edges.contains_key(&edge.to) {
                from.insert(&edge.to, key);
                open.push_back(&edge.to);
            }
        }
    }
    None
}

/// The finding, if a lookup confirms the circle.
fn tried(
    repository: &Repository,
    known: &Known<'_>,
    edges: &FxHashMap<String, Vec<Edge>>,
    circle: &[&str],
) -> Option<Finding> {
    let first = circle.first()?;
    let confirms = |trial: &Trial<'_>| {
        let answer = trial.node().lookup(&Query::new(first));
        matches!(answer, Err(error) if error.code() == "recursive-lookup")
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
        candidates(repository, edges, circle)
            .iter()
            .filter_map(|bindings| made(repository, bindings))
            .any(|t| confirms(&t))
    } else {
        known.nodes.iter().any(|known| confirms(&Trial::Given(&known.node)))
    };
    if !found {
        return None;
    }
    let file = &repository.files[edge.file];
    let way: Vec<&str> = circle.iter().copied().chain([*first]).collect();
    let message = match circle {
        [key] => format!("The key '{key}' looks itself up"),
        _ => format!("The keys look each other up in a circle: {}", way.join(" -> ")),
    };
    let mut finding =
        Finding::new(&rules::LOOKUP_CYCLE, message).at(&file.source, file.find(edge.start, &edge.written), "");
    for step in steps.iter().skip(1) {
        let file = &repository.files[step.file];
        finding = finding.related(&file.source, file.find(step.start, &step.written), "which leads on here");
    }
    Some(finding.help("write the value out in one of the places"))
}

/// What variables have to be for a node to read a file for every step: one choice for each file of the first step, with the
/// rest as far as they go together.
fn candidates(repository: &Repository, edges: &FxHashMap<String, Vec<Edge>>, circle: &[&str]) -> Vec<Bindings> {
    const MOST: usize = 64;
    let mut all: Vec<Bindings> = vec![Bindings::new()];
    for (at, key) in circle.iter().enumerate() {
        let next = circle.get(at + 1).or(circle.first()).copied().unwrap_or_default();
        let files = edges.get(*key).into_iter().flatten().filter(|edge| edge.to == next).map(|edge| edge.file);
        let reaches: Vec<&Bindings> =
            files.flat_map(|file| repository.files[file].reached.iter().map(|reach| &reach.bindings)).collect();
        let mut joined: Vec<Bindings> =
            all.iter().flat_map(|known| reaches.iter().filter_map(|reach| together(known, reach))).collect();
        joined.dedup();
        joined.truncate(MOST);
        all = joined;
    }
    all
}
